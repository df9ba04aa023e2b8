"""Text in which each uncuttable stretch is a single character, for a splitter that knows characters only."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ragstone.chunking.atoms import Atoms

FIRST_SIGN, LAST_SIGN = 0xF0000, 0x10FFFD
"""The private use planes: 131,000 signs, more than a section has different clusters and formulas."""
SIGN = re.compile(f"[{chr(FIRST_SIGN)}-{chr(LAST_SIGN)}]")


@dataclass(frozen=True, slots=True)
class MaskedText:
    """A stretch from `start` on with a sign for each atom, equal ones for equal atoms.

    `places` are the positions behind the signs, `origins` the same positions in the original.
    """

    text: str
    start: int
    signs: Mapping[int, str]
    places: list[int]
    origins: list[int]

    def restored(self, part: str) -> str:
        """What a part of the masked text stands for."""
        return part.translate(self.signs) if self.signs else part

    def origin(self, position: int) -> int:
        """Where a position of the masked text lies in the original."""
        before = bisect_right(self.places, position) - 1
        return self.origins[before] + position - self.places[before] if before >= 0 else self.start + position


def mask(text: str, start: int, end: int, atoms: Atoms) -> MaskedText:
    """Mask the atoms in `[start, end)`."""
    different = dict.fromkeys(text[atom.start : atom.end] for atom in atoms)
    signs = dict(zip(different, _free_signs(text[start:end]), strict=False))
    parts: list[str] = []
    places: list[int] = []
    origins: list[int] = []
    length, position = 0, start
    for atom in atoms:
        if sign := signs.get(text[atom.start : atom.end]):
            parts += [text[position : atom.start], sign]
            length += atom.start - position + 1
            position = atom.end
            places.append(length)
            origins.append(position)
    parts.append(text[position:end])
    return MaskedText("".join(parts), start, {ord(sign): atom for atom, sign in signs.items()}, places, origins)


def _free_signs(text: str) -> Iterator[str]:
    used = set(SIGN.findall(text))
    return (chr(code) for code in range(FIRST_SIGN, LAST_SIGN + 1) if chr(code) not in used)
