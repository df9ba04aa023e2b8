"""Whether a passage is of the section that holds the answer, even where it does not hold the words themselves."""

from __future__ import annotations

from dataclasses import dataclass, field

from ragstone.evaluation.corpus import Corpus, composed
from ragstone.evaluation.gold import GoldEntry
from ragstone.ports import ChunkReader
from ragstone.text import find_quote
from ragstone.types import Chunk

Section = tuple[int | None, tuple[str, ...]]
"""Where a section begins in its document, and its path."""


@dataclass(frozen=True, slots=True)
class Sections:
    """Finds the sections of gold quotes by reading a document's chunks back, once for each quote that is asked for."""

    corpus: Corpus
    reader: ChunkReader
    _found: dict[tuple[str, str, str], frozenset[Section]] = field(
        default_factory=dict[tuple[str, str, str], frozenset[Section]]
    )

    def holds(self, chunk: Chunk, entry: GoldEntry) -> bool:
        """Whether the chunk is of the entry's section: the one it names, else the one that its quote stands in.

        A chunk that holds the quote is; one of a document without sections is not, unless it does.
        """
        if composed(entry.document) not in self.corpus.names(chunk.source):
            return False
        if entry.section is not None:
            return _plain(entry.section) in (*map(_plain, chunk.section_path), _plain(" > ".join(chunk.section_path)))
        if entry.quote is None:
            return False
        if find_quote(entry.quote, chunk.text) is not None:
            return True
        return chunk.section_path != () and _section_of(chunk) in self._sections(chunk, entry.quote)

    def _sections(self, chunk: Chunk, quote: str) -> frozenset[Section]:
        key = (chunk.document_id, chunk.version, quote)
        if key not in self._found:
            chunks = self.reader.chunks(chunk.document_id)
            of_version = (each for each in chunks if each.version == chunk.version)
            self._found[key] = frozenset(_section_of(each) for each in of_version if find_quote(quote, each.text))
        return self._found[key]


def _section_of(chunk: Chunk) -> Section:
    return chunk.section_start, chunk.section_path


def _plain(title: str) -> str:
    return " ".join(composed(title).casefold().split())
