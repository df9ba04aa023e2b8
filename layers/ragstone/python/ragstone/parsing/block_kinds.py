"""What a paragraph is by the look of its words alone: a displayed formula, or the caption of a figure or table."""

from __future__ import annotations

import re

from ragstone.types import BlockKind

_FORMULA = re.compile(r"\$\$.+\$\$|\\\[.+\\\]", re.S)
_CAPTION = re.compile(
    r"(?:fig(?:ure|\.)?|table|abb(?:ildung|\.)?|tab(?:elle|leau|\.)?|figura|tabla|tabella|tabela|figuur|tabel|"
    r"рис(?:унок|\.)|таблица|図|表|图|圖|그림|표)\s?(?:[A-Z]\.?)?\d+(?:[.-]\d+)*\s?[:.：–—]\s?\S.*",
    re.I,
)
_LONGEST_CAPTION = 400


def kind_of(text: str) -> BlockKind:
    """FORMULA, CAPTION or PARAGRAPH; "Table 3: Fares" is a caption, "Table 3 shows the fares" is not."""
    if _FORMULA.fullmatch(text):
        return BlockKind.FORMULA
    if len(text) <= _LONGEST_CAPTION and _CAPTION.fullmatch(text):
        return BlockKind.CAPTION
    return BlockKind.PARAGRAPH
