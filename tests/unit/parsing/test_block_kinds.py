from __future__ import annotations

import pytest

from ragstone.parsing.block_kinds import kind_of
from ragstone.types import BlockKind


@pytest.mark.parametrize("text", ["$$ E = mc^2 $$", "$$\na\n+ b\n$$", "\\[ \\frac{1}{2} \\]"])
def test_what_stands_between_signs_for_formulas_is_one(text: str) -> None:
    assert kind_of(text) is BlockKind.FORMULA


@pytest.mark.parametrize(
    "text",
    [
        "Figure 1: The quay",
        "Fig. 2.3 – Tides",
        "Table A.4. Fares from 1 May",
        "Abbildung 7: Der Anleger",
        "Tableau 3 : Tarifs",
        "表 2：运价",
        "図3: 埠頭",
        "Таблица 4. Тарифы",
    ],
)
def test_a_number_with_a_stop_makes_a_caption(text: str) -> None:
    assert kind_of(text) is BlockKind.CAPTION


@pytest.mark.parametrize(
    "text",
    [
        "Table 3 shows the fares.",
        "Figures are in crowns.",
        "It costs $$ a lot.",
        "where $$x$$ is the swell",
        f"Table 1: {'a' * 400}",
        "Table 1: one\nand a second line",
    ],
)
def test_all_else_is_a_paragraph(text: str) -> None:
    assert kind_of(text) is BlockKind.PARAGRAPH
