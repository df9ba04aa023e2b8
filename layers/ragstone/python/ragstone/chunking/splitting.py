"""Cutting a long text where it hurts least: paragraphs first, then lines, sentences and words, whatever still fits."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from ragstone.chunking.atoms import Atoms, atoms_in
from ragstone.chunking.masking import MaskedText, mask
from ragstone.chunking.packing import pack
from ragstone.text import Span

SEPARATORS = ["\n\n", "\n", " | ", ". ", "! ", "? ", "。", "！", "？", " ", ""]
SENTENCE_STARTS = re.compile("|".join(map(re.escape, SEPARATORS[:-2])))
WORD_STARTS = re.compile(" ")
ANY = re.compile(".", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Splitter:
    """LangChain's recursive splitter, made to keep clusters and formulas whole and to say where its pieces lie.

    Each piece begins with the last whole sentences before it that fit in `overlap`, or else the last words.
    """

    size: int
    overlap: int
    length: Callable[[str], int] = len

    def split(self, text: str, start: int, end: int, formulas: Iterable[Span] = ()) -> Iterator[Span]:
        """Pieces in order that cover `[start, end)`; their ends may be white space.

        A formula that is longer than a piece may be cut.
        """
        if self.fits(text[start:end]):
            yield Span(start, end)
            return
        atoms = self.atoms(text, start, end, formulas)
        pieces = self._pieces(mask(text, start, end, atoms))
        before = start
        for piece in pack(pieces, size=self._fresh, overlap=0, length=lambda a, b: self.length(text[a:b])):
            yield Span(self._lead(text, atoms, before, piece), piece.end)
            before = piece.start

    def atoms(self, text: str, start: int, end: int, formulas: Iterable[Span]) -> Atoms:
        """What may not be cut in `[start, end)`."""
        return atoms_in(text, start, end, formulas, self.fits)

    def fits(self, text: str) -> bool:
        return self.length(text) <= self.size

    @property
    def _fresh(self) -> int:
        """What of a piece is not in the one before."""
        return self.size - self.overlap

    def _pieces(self, masked: MaskedText) -> Iterator[Span]:
        """Pieces that follow each other without overlap, so that their lengths tell where they lie."""
        from langchain_text_splitters import RecursiveCharacterTextSplitter

        def length(text: str) -> int:
            return self.length(masked.restored(text))

        splitter = RecursiveCharacterTextSplitter(
            chunk_size=self._fresh,
            chunk_overlap=0,
            length_function=length,
            separators=SEPARATORS,
            keep_separator="end",
            strip_whitespace=False,
        )
        position = 0
        for piece in splitter.split_text(masked.text):
            yield Span(masked.origin(position), masked.origin(position + len(piece)))
            position += len(piece)

    def _lead(self, text: str, atoms: Atoms, before: int, piece: Span) -> int:
        """Where a piece begins with its overlap, which reaches back as far as `before` at most."""
        room = min(self.overlap, self.size - self.length(text[piece.start : piece.end]))
        if room <= 0:
            return piece.start
        for separator in (SENTENCE_STARTS, WORD_STARTS, ANY):
            places = [before, *(found.end() for found in separator.finditer(text, before, piece.start))]
            first = bisect_left(places, True, key=lambda place: self.length(text[place : piece.start]) <= room)
            if first < len(places) and (lead := atoms.ceil(places[first])) < piece.start:
                return lead
        return piece.start
