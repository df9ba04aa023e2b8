"""Markdown: headings, paragraphs, lists, pipe tables and fenced code, with the marks taken off."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ragstone.parsing import media
from ragstone.parsing.builder import LINE, PARAGRAPH, DocumentBuilder
from ragstone.parsing.cleaning import clean
from ragstone.parsing.encoding import decode
from ragstone.parsing.markdown_front import front_matter
from ragstone.parsing.markdown_inline import plain
from ragstone.parsing.registry import parsers
from ragstone.parsing.tables import row_lines
from ragstone.types import BlockKind, ParsedDocument

_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_ITEM = re.compile(r"\s*([-*+]|\d{1,9}[.)])[ \t]+(?=\S)")
_QUOTE = re.compile(r" {0,3}(?:> ?)+")
_DELIMITER_ROW = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_REFERENCE = re.compile(r" {0,3}\[[^\[\]^][^\[\]]*\]:[ \t]*\S+")
_INDENTED = re.compile(r"^(?: {4}|\t)")
_FORMULA_ENDS = {"$$": "$$", "\\[": "\\]"}
_LONGEST_FORMULA = 60
_CELL_TOKEN = re.compile(r"\\.|`[^`]*`|\|")


@parsers.register(media.MARKDOWN)
def parse_markdown(content: bytes, *, source: str) -> ParsedDocument:
    """Read Markdown with ATX and setext headings; the title comes from the front matter or the first heading."""
    decoded = decode(content)
    front, body = front_matter(clean(decoded.text).lstrip("\n"))
    builder = DocumentBuilder(media.MARKDOWN, "markdown", warnings=decoded.warnings)
    _Reader(builder).read(body.split("\n"))
    title = front.title or builder.first_heading
    return builder.build(title=title, language=front.language, metadata=front.metadata)


@dataclass(slots=True)
class _Reader:
    """Goes through the lines once and gathers those of the paragraph or list item that is open."""

    builder: DocumentBuilder
    open: list[str] = field(default_factory=list[str])
    marker: str = ""
    after_item: bool = False

    def read(self, lines: Sequence[str]) -> None:
        at = 0
        while at < len(lines):
            at += self._take(lines, at)
        self._close()

    def _take(self, lines: Sequence[str], at: int) -> int:
        """Take in the line, or the block that begins with it, and say how many lines that was."""
        quote = _QUOTE.match(lines[at])
        line = lines[at][quote.end() :] if quote else lines[at]
        if fence := _FENCE.match(line):
            return self._code(lines, at, fence[1])
        if (opened := line.strip()[:2]) in _FORMULA_ENDS and (size := _formula_size(lines, at, opened)):
            return self._formula(lines, at, size)
        if line.lstrip().startswith("<!--") and not self.open:
            return self._comment(lines, at)
        if self._is_indented_code(line):
            return self._indented(lines, at)
        if self._is_table(lines, at):
            return self._table(lines, at)
        self._take_line(line)
        return 1

    def _take_line(self, line: str) -> None:
        setext = _SETEXT.match(line)
        if not line.strip():
            self._close()
            self.after_item = False
        elif heading := _ATX.match(line):
            self._heading(heading[2] or "", len(heading[1]))
        elif setext and self.open and not self.marker:
            title, self.open = " ".join(self.open), []
            self._heading(title, 1 if setext[1][0] == "=" else 2)
        elif _RULE.match(line) or (_REFERENCE.match(line) and not self.open):
            self._close()
        elif (item := _ITEM.match(line)) and self._may_begin_item(item[1]):
            self._close()
            self.marker = "- " if item[1] in "-*+" else f"{item[1]} "
            self.open = [line[item.end() :]]
        else:
            self.open.append(line)

    def _may_begin_item(self, marker: str) -> bool:
        """Within a paragraph a number begins a list only if it is 1: other lines happen to begin with a number."""
        return not self.open or bool(self.marker) or not marker[0].isdigit() or marker[:-1] == "1"

    def _heading(self, title: str, level: int) -> None:
        self._close()
        self.builder.heading(plain(title.strip()), level)
        self.after_item = False

    def _close(self) -> None:
        if self.open:
            joint = LINE if self.marker and self.after_item else PARAGRAPH
            kind = BlockKind.LIST if self.marker else BlockKind.PARAGRAPH
            self.builder.block(self.marker + plain(_soft_wrapped(self.open)), joint=joint, kind=kind)
            self.after_item = bool(self.marker)
        self.open, self.marker = [], ""

    def _code(self, lines: Sequence[str], at: int, fence: str) -> int:
        self._close()
        end = at + 1
        closing = re.compile(rf"\s*(?:> ?)*\s*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
        while end < len(lines) and not closing.match(lines[end]):
            end += 1
        self.builder.block("\n".join(lines[at + 1 : end]), kind=BlockKind.CODE)
        return end + 1 - at

    def _formula(self, lines: Sequence[str], at: int, size: int) -> int:
        self._close()
        shown = "\n".join(_QUOTE.sub("", line, count=1).strip() for line in lines[at : at + size])
        self.builder.block(shown, kind=BlockKind.FORMULA)
        return size

    def _comment(self, lines: Sequence[str], at: int) -> int:
        """Leave a comment out, but not what follows it on its last line."""
        end = at
        while end < len(lines) - 1 and "-->" not in lines[end]:
            end += 1
        self._take_line(lines[end].partition("-->")[2])
        return end + 1 - at

    def _is_indented_code(self, line: str) -> bool:
        return not self.open and not self.after_item and bool(_INDENTED.match(line)) and bool(line.strip())

    def _indented(self, lines: Sequence[str], at: int) -> int:
        end = at
        while end < len(lines) and (_INDENTED.match(lines[end]) or not lines[end].strip()):
            end += 1
        code = "\n".join(_INDENTED.sub("", line, count=1) for line in lines[at:end])
        self.builder.block(code, kind=BlockKind.CODE)
        return end - at

    def _is_table(self, lines: Sequence[str], at: int) -> bool:
        return (
            "|" in lines[at]
            and at + 1 < len(lines)
            and "-" in lines[at + 1]
            and _DELIMITER_ROW.match(lines[at + 1]) is not None
            and len(_cells(lines[at])) == len(_cells(lines[at + 1]))
        )

    def _table(self, lines: Sequence[str], at: int) -> int:
        self._close()
        end = at + 2
        while end < len(lines) and "|" in lines[end]:
            end += 1
        rows = [_cells(line) for line in lines[at + 2 : end]]
        self.builder.block("\n".join(row_lines(rows, _cells(lines[at]))), kind=BlockKind.TABLE)
        return end - at


def _formula_size(lines: Sequence[str], at: int, opened: str) -> int:
    """How many lines a displayed formula takes that opens with `$$` or `\\[`; 0 if nothing closes it soon."""
    closing = _FORMULA_ENDS[opened]
    for size in range(1, min(_LONGEST_FORMULA, len(lines) - at) + 1):
        inside = lines[at + size - 1].strip()
        if size == 1:
            inside = inside.lstrip("> ")[2:]
        if inside.endswith(closing):
            return size
        if not inside and size > 1:
            break
    return 0


def _cells(line: str) -> list[str]:
    """A table row's cells; a pipe that is escaped or in code separates none."""
    inner = line.strip().removeprefix("|")
    inner = inner[:-1] if inner.endswith("|") and not inner.endswith("\\|") else inner
    cells: list[str] = []
    start = 0
    for token in _CELL_TOKEN.finditer(inner):
        if token[0] == "|":
            cells.append(inner[start : token.start()])
            start = token.end()
    return [plain(cell.strip().replace("\\|", "|")) for cell in (*cells, inner[start:])]


def _soft_wrapped(lines: Sequence[str]) -> str:
    """A paragraph's lines as one, but for those that end in two spaces or a backslash, which break it."""
    pieces: list[str] = []
    for line in lines[:-1]:
        hard = line.endswith(("  ", "\\"))
        pieces += [line.strip().removesuffix("\\"), "\n" if hard else " "]
    return "".join([*pieces, lines[-1].strip()])
