"""What readers see as one character: grapheme clusters, as Unicode Standard Annex 29 has them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragstone.text import Span

# ASCII has one cluster of two characters, CR LF; all others hold a character from beyond it.
# It begins with one set of characters, which the search for it makes use of.
_CANDIDATES = re.compile("[\r\x80-\U0010ffff][\x80-\U0010ffff]*")


def clusters(text: str, start: int, end: int) -> Iterator[Span]:
    """The clusters of several characters in `[start, end)`, in order; two may share a character at their edge."""
    import regex

    cluster = regex.compile(r"\X")
    for run in _CANDIDATES.finditer(text, start, end):
        # The character before a run may be the base of its first marks; the one after may belong to its last.
        first, last = max(run.start() - 1, start), min(run.end() + 1, end)
        for found in cluster.finditer(text, first, last):
            if found.end() - found.start() > 1:
                yield Span(found.start(), found.end())


def is_one_cluster(text: str, position: int) -> bool:
    """Whether the two characters at a position belong together."""
    return next(clusters(text, position, position + 2), None) is not None
