from __future__ import annotations

import pytest

from ragstone.chunking import ChunkSpan
from ragstone.chunking.back_matter import TITLES, is_back_matter, mark_back_matter
from ragstone.types import ChunkKind, Section


@pytest.mark.parametrize(
    "title",
    [
        *("References", "7. References", "VII Bibliography", "A.2 INDEX:", "12 List of Figures", "C O N T E N T S"),
        *("Inhaltsverzeichnis", "5.1 Literatur", "Abbildungs- und Tabellenverzeichnis"),
        *("Table des matières", "Références bibliographiques", "Índice de tablas", "Bibliografía."),
        *("参考文献", "第七章 参考文献", "七、参考文献", "目 录", "图表目录"),
    ],
)
def test_back_matter_is_known_by_its_title(title: str) -> None:
    assert is_back_matter(title)


@pytest.mark.parametrize("title", ["", "References to the law", "Index funds", "Contents of the box", "7.", "Inhalte"])
def test_other_titles_are_none(title: str) -> None:
    assert not is_back_matter(title)


def test_every_listed_title_is_found() -> None:
    titles = [title for language in TITLES.values() for title in language.split("|")]
    assert [title for title in titles if not is_back_matter(f"3. {title.upper()}")] == []


def span(start: int, end: int, *path: str, kind: ChunkKind = ChunkKind.TEXT, is_dropped: bool = False) -> ChunkSpan:
    section = Section(path[-1], len(path), path, start, end)
    return ChunkSpan(start, end, section, kind, is_dropped=is_dropped)


def marks(*spans: ChunkSpan) -> list[bool]:
    return [each.is_back_matter for each in mark_back_matter(spans)]


def test_a_section_is_marked_with_those_in_it() -> None:
    found = marks(span(0, 500, "Fares"), span(500, 600, "Index"), span(600, 700, "Index", "A"))
    assert found == [False, True, True]


def test_text_outside_of_sections_is_not_marked() -> None:
    assert [each.is_back_matter for each in mark_back_matter([ChunkSpan(0, 9), span(9, 12, "Index")])] == [False, True]


def test_where_most_would_be_marked_sections_in_it_are_not() -> None:
    assert marks(span(0, 50, "Index"), span(50, 900, "Index", "Fares"), span(900, 950, "End")) == [True, False, False]


def test_a_list_of_references_alone_is_a_document() -> None:
    assert marks(span(0, 50, "References"), span(50, 60, "Draft", is_dropped=True)) == [False, False]


def test_parents_do_not_count_twice() -> None:
    parent = span(0, 900, "Fares", kind=ChunkKind.PARENT)
    assert marks(parent, span(0, 100, "Index"), span(0, 90, "Fares")) == [False, True, False]
