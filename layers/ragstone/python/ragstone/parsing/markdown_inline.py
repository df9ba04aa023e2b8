"""Markdown's marks inside a line: what they mean is kept, the marks go."""

from __future__ import annotations

import re
from html import unescape
from itertools import count

_MARK = re.compile(r"[\\`*_~\[\]<>&]")
_VERBATIM = re.compile(r"(?<!`)(`{1,2})(?!`)([^`]+?)\1(?!`)|(\$\$[^$]+\$\$|\\\([^\n]+?\\\))")
_HELD = re.compile("\0(\\d+)\0")
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_IMAGE_OR_LINK = re.compile(
    r"!?\[([^\[\]]*)\](?:\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+[\"'(][^\"')]*[\"')])?\)|\[[a-zA-Z][^\[\]]*\])"
)
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]{1,40}\]:?")
_AUTOLINK = re.compile(r"<((?:https?://|mailto:)[^<>\s]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_EMPHASIS = (
    re.compile(r"(?<![\\*])(\*{1,3})(?=[^\s*])([^*]{1,1000}?)(?<=[^\s*\\])\1(?!\*)"),
    re.compile(r"(?<![\\\w])(_{1,3})(?=[^\s_])([^_]{1,1000}?)(?<=[^\s_\\])\1(?!\w)"),
    re.compile(r"(?<![\\~])(~~)(?=\S)([^~]{1,1000}?)(?<=\S)\1(?!~)"),
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain(text: str) -> str:
    """Text as a reader of the rendered page sees it: links by their words, images by their alternative text.

    Code and formulas are left as they are.
    """
    if not _MARK.search(text):
        return text
    verbatim = [(match[2] or match[3]).strip() for match in _VERBATIM.finditer(text)]
    held = count()
    unmarked = _unmarked(_VERBATIM.sub(lambda _: f"\0{next(held)}\0", text))
    return _HELD.sub(lambda match: verbatim[int(match[1])], unmarked)


def _unmarked(text: str) -> str:
    last_comment = text.rfind("-->") + 1  # beyond it no comment ends, however many begin
    text = _COMMENT.sub("", text[: last_comment + 2]) + text[last_comment + 2 :] if last_comment else text
    text = _FOOTNOTE.sub("", text)
    text = _IMAGE_OR_LINK.sub(r"\1", _IMAGE_OR_LINK.sub(r"\1", text))  # twice: an image inside a link
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", text))
    for emphasis in (*_EMPHASIS, *_EMPHASIS):  # twice: emphasis inside emphasis
        text = emphasis.sub(r"\2", text)
    return unescape(_ESCAPED.sub(r"\1", text))
