"""Sections that point to other text and say nothing themselves: references, contents, indexes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ragstone.chunking.base import ChunkSpan
from ragstone.types import ChunkKind, Section

TITLES: Mapping[str, str] = {
    "en": "references|reference list|list of references|bibliography|works cited|literature cited|contents|"
    "table of contents|index|subject index|author index|list of figures|list of tables|list of figures and tables|"
    "list of tables and figures",
    "de": "literatur|literaturverzeichnis|literaturangaben|quellen|quellenverzeichnis|referenzen|bibliographie|"
    "bibliografie|inhalt|inhaltsverzeichnis|inhaltsübersicht|index|register|sachregister|personenregister|"
    "stichwortverzeichnis|sachverzeichnis|abbildungsverzeichnis|tabellenverzeichnis|"
    "abbildungs- und tabellenverzeichnis|verzeichnis der abbildungen|verzeichnis der tabellen",
    "fr": "références|références bibliographiques|bibliographie|ouvrages cités|sommaire|table des matières|index|"
    "table des figures|liste des figures|table des illustrations|liste des tableaux|table des tableaux",
    "es": "referencias|referencias bibliográficas|bibliografía|obras citadas|contenido|contenidos|tabla de contenido|"
    "tabla de contenidos|índice|índice general|índice de contenidos|índice alfabético|índice de figuras|"
    "índice de tablas|lista de figuras|lista de tablas",
    "zh": "参考文献|參考文獻|引用文献|目录|目錄|目次|索引|图目录|圖目錄|插图目录|图表目录|圖表目錄|表目录|表目錄|"
    "表格目录|图索引|表索引|插图清单|图清单|表清单",
}
"""By ISO 639-1 code; a title counts in every document, whatever its language."""

ALL_TITLES = frozenset(title for titles in TITLES.values() for title in titles.split("|"))
NUMBERING = re.compile(r"^(?:(?:\d+|[a-z]|[ivxlc]+|第?[一二三四五六七八九十]+[章节]?)(?:[.)、:．]|(?=\s))\s*)+(?=\S)")
MOST = 0.5
EDGES = " \t.:：。-–—*_"


def mark_back_matter(spans: Sequence[ChunkSpan]) -> list[ChunkSpan]:
    """Mark the spans of such sections and of those in them.

    Where that would be most of a document, only what has such a title itself: "Index" may be a site's first page. Where
    it is everything, nothing: a list of references may be what is asked for.
    """
    marked = _marked(spans, lambda section: any(map(is_back_matter, section.path)))
    if _share(marked) > MOST:
        marked = _marked(spans, lambda section: is_back_matter(section.title))
    return marked if _share(marked) < 1 else list(spans)


def is_back_matter(title: str) -> bool:
    """Whether a section is titled like back matter, numbered ("7. References") or not."""
    folded = " ".join(title.casefold().split()).strip(EDGES)
    plain = NUMBERING.sub("", folded, count=1).strip(EDGES)
    spaced = {plain.replace(" ", ""), folded.replace(" ", "")}  # "目 录", "C O N T E N T S"
    return not ALL_TITLES.isdisjoint({plain, *spaced})


def _marked(spans: Sequence[ChunkSpan], test: Callable[[Section], bool]) -> list[ChunkSpan]:
    return [replace(span, is_back_matter=span.section is not None and test(span.section)) for span in spans]


def _share(spans: Sequence[ChunkSpan]) -> float:
    """How much of what is searched is back matter, by characters."""
    sizes = [(span.end - span.start, span.is_back_matter) for span in spans if _is_searched(span)]
    return sum(size for size, marked in sizes if marked) / max(1, sum(size for size, _ in sizes))


def _is_searched(span: ChunkSpan) -> bool:
    return not span.is_dropped and span.kind is not ChunkKind.PARENT
