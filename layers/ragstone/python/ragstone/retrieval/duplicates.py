"""Near-duplicates: passages that say nothing beyond what a better one says."""

from __future__ import annotations

NEAR = 0.9
"""The least share of common words (Jaccard's index) at which what differs is looked at."""

_FEWEST_SPACES = 1 / 20
_RUN = 3
_MARKS = "\"'“”‘’«»„.,;:!?()[]*_"

Pieces = frozenset[str]


def pieces(text: str) -> Pieces:
    """What texts are compared by: words with the marks on them, or runs of three signs where no spaces are."""
    found = text.split()
    if len(found) < len(text) * _FEWEST_SPACES:
        return frozenset(text[at : at + _RUN] for at in range(max(1, len(text) - _RUN + 1)))
    return frozenset(found)


def adds_nothing(offered: Pieces, kept: Pieces) -> bool:
    """Whether a text is nearly another's, and all that it has beyond it are words in small letters.

    A number, a name or a sign of a script without small letters makes a difference however alike the rest is: a year's
    report is not the next year's.
    """
    if min(len(offered), len(kept)) < NEAR * max(len(offered), len(kept)):
        return False
    common = len(offered & kept)
    if common < NEAR * (len(offered) + len(kept) - common):
        return False
    return all(word.islower() for word in _bare(offered - kept) - _bare(kept) if word)


def _bare(words: Pieces) -> set[str]:
    """Without the marks around them."""
    return {word.strip(_MARKS) for word in words}
