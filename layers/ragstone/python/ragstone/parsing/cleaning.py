"""Characters that readers never see or type are taken out of text before anybody cites or searches it."""

from __future__ import annotations

import re
import unicodedata

from ragstone.text import visible

_NEWLINE = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SPECIAL = re.compile("[\uf0a7\uf0b7\uf0d8\ufb00-\ufb06]")
_REPLACED = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
    # Bullets of the Symbol and Wingdings fonts, as word processors and PDF printers leave them.
    "\uf0a7": "•",
    "\uf0b7": "•",
    "\uf0d8": "•",
}
_SYMBOL_BULLET = re.compile("^[\uf020-\uf0ff](?=\\s)", re.M)  # any other sign of a symbol font that opens a line
_GARBLED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd\U000f0000-\U0010ffff]|\\(cid:\\d+\\)")


def clean(text: str) -> str:
    """Text in NFC without invisible characters; ligatures spelled out, all spaces plain, all line ends newlines."""
    text = _NEWLINE.sub("\n", text)
    text = visible(text)
    text = _SPECIAL.sub(lambda match: _REPLACED[match[0]], _SPACE.sub(" ", text))
    text = _SYMBOL_BULLET.sub("•", text)
    return unicodedata.normalize("NFC", text)


def one_line(text: str) -> str:
    """Clean text with every run of white space as one space."""
    return " ".join(clean(text).split())


def garbled_share(text: str) -> float:
    """The share, 0 to 1, of characters that no reader could have meant: private use, control, replacement."""
    seen = sum(not character.isspace() for character in text)
    return len(_GARBLED.findall(text.replace("\uf0b7", ""))) / seen if seen else 0.0
