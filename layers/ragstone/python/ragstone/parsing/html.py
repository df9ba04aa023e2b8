"""HTML by Beautiful Soup: the content of a page without what surrounds it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count, repeat
from typing import TYPE_CHECKING

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.builder import LINE, PARAGRAPH, DocumentBuilder
from ragstone.parsing.encoding import decode
from ragstone.parsing.html_head import language_of, metadata_of, title_of
from ragstone.parsing.html_tables import BLOCKS, caption_of, inline_text, is_data_table, table_lines
from ragstone.parsing.html_tree import content_of
from ragstone.parsing.registry import parsers
from ragstone.types import BlockKind, ParsedDocument

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_DECLARED = re.compile(rb"<(?:meta\b[^>]*?charset|\?xml\b[^>]*?encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.I)
_DECLARED_WITHIN = 4096
_CAPTIONS = frozenset({"figcaption", "caption"})
_NUMBER = re.compile(r"[0-9]{1,9}")
_HEADING = re.compile(r"h([1-6])")
_SPACE = re.compile(r"\s+")
_SPACES = re.compile(r" {2,}")
_AROUND_BREAK = re.compile(r" *\n *")
_BREAKS = re.compile(r"\n{3,}")


@parsers.register(media.HTML)
def parse_html(content: bytes, *, source: str) -> ParsedDocument:
    """Read a page in the encoding of its mark, of its declaration if that is true, or else by detection."""
    declared = _DECLARED.search(content[:_DECLARED_WITHIN])
    decoded = decode(content, declared=declared[1].decode("ascii") if declared else None)
    builder = DocumentBuilder(media.HTML, "beautifulsoup", warnings=decoded.warnings)
    if not decoded.text.strip():
        return builder.build()
    page = _parsed(decoded.text, source)
    title, language, metadata = title_of(page), language_of(page), metadata_of(page)
    _Walk(builder).through(content_of(page))
    return builder.build(title=title or builder.first_heading, language=language, metadata=metadata)


def _parsed(text: str, source: str) -> BeautifulSoup:
    from bs4 import BeautifulSoup, UnusualUsageWarning
    from bs4.exceptions import ParserRejectedMarkup

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnusualUsageWarning)  # XHTML, or text that looks like an address, is fine
            return BeautifulSoup(text.replace("\0", ""), "lxml")
    except ParserRejectedMarkup as error:
        raise Rejected("damaged", f"{source} is not HTML that can be read; export it again.") from error


@dataclass(slots=True)
class _Walk:
    """Goes through a page's elements in order; text gathers until the block that it stands in begins or ends."""

    builder: DocumentBuilder
    inline: list[str] = field(default_factory=list[str])
    lists: list[Iterator[str]] = field(default_factory=list[Iterator[str]])
    marker: str = ""
    joint: str = PARAGRAPH
    in_items: bool = False
    items: int = 0
    captions: int = 0

    def through(self, root: Tag) -> None:
        """Without recursion: pages may be nested deeper than Python's stack."""
        from bs4 import Tag
        from bs4.element import NavigableString

        opened = [(root, iter(root.children))]
        while opened:
            tag, children = opened[-1]
            child = next(children, None)
            if child is None:
                self._leave(tag)
                opened.pop()
            elif isinstance(child, Tag):
                if self._enter(child):
                    opened.append((child, iter(child.children)))
            elif type(child) is NavigableString:  # its subclasses are comments and declarations
                self.inline.append(_SPACE.sub(" ", child))

    def _enter(self, tag: Tag) -> bool:
        """Begin an element, and say whether to go through what is in it."""
        if tag.name == "br":
            self.inline.append("\n")
        if tag.name not in BLOCKS and not _is_display_math(tag):
            return True
        self._flush()
        if self._take_whole(tag):
            return False
        self.captions += tag.name in _CAPTIONS
        self._begin_item(tag)
        return True

    def _take_whole(self, tag: Tag) -> bool:
        """Write an element whose parts are no blocks of their own, if it is one."""
        if heading := _HEADING.fullmatch(tag.name):
            self.builder.heading(inline_text(tag), int(heading[1]))
        elif tag.name == "pre":
            self.builder.block("".join(tag.strings), kind=BlockKind.CODE)
        elif tag.name == "math":
            self.builder.block(_formula(tag), kind=BlockKind.FORMULA)
        elif tag.name == "table" and is_data_table(tag):
            caption = caption_of(tag)
            self.builder.block(caption, kind=BlockKind.CAPTION)
            self.builder.block("\n".join(table_lines(tag)), joint=LINE if caption else PARAGRAPH, kind=BlockKind.TABLE)
        else:
            return False
        return True

    def _begin_item(self, tag: Tag) -> None:
        if tag.name in ("ul", "ol", "menu"):
            self.in_items = self.in_items and bool(self.lists)
            self.lists.append(_numbers(tag) if tag.name == "ol" else repeat("- "))
        elif tag.name == "li":
            self.items += 1
            self.marker = next(self.lists[-1]) if self.lists else "- "
            self.joint = LINE if self.in_items else PARAGRAPH
        elif tag.name == "dd":
            self.joint = LINE

    def _leave(self, tag: Tag) -> None:
        if tag.name in BLOCKS:
            self._flush()
        if tag.name in ("ul", "ol", "menu") and self.lists:
            self.lists.pop()
        self.captions -= tag.name in _CAPTIONS
        if tag.name == "li":
            self.items -= 1
            self.marker = ""

    def _flush(self) -> None:
        text = _SPACES.sub(" ", "".join(self.inline))
        text = _BREAKS.sub("\n\n", _AROUND_BREAK.sub("\n", text)).strip()
        self.inline.clear()
        if text:
            self.builder.block(self.marker + text, joint=self.joint, kind=self._kind())
            self.marker, self.joint, self.in_items = "", PARAGRAPH, bool(self.lists)

    def _kind(self) -> BlockKind:
        if self.captions:
            return BlockKind.CAPTION
        return BlockKind.LIST if self.items else BlockKind.PARAGRAPH


def _numbers(ordered: Tag) -> Iterator[str]:
    """What stands before the items of a numbered list, which may go on from an earlier one."""
    start = str(ordered.get("start", "1")).strip()
    return (f"{number}. " for number in count(int(start) if _NUMBER.fullmatch(start) else 1))


def _is_display_math(tag: Tag) -> bool:
    return tag.name == "math" and tag.get("display") == "block"


def _formula(math: Tag) -> str:
    """The formula in TeX if the page has it so, else the signs of its markup in order."""
    tex = str(math.get("alttext", "")).strip()
    return f"$$ {tex} $$" if tex else inline_text(math)
