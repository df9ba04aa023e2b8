"""Headings of a PDF: what its outline names, what is set larger or heavier, what is numbered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ragstone.parsing.pdf_heading_levels import Candidate, Levels, Look, depth_of, look_of
from ragstone.parsing.pdf_heading_tests import is_heading, same_heading
from ragstone.parsing.pdf_layout import PageItem
from ragstone.parsing.pdf_lines import PageLine
from ragstone.parsing.pdf_outline import FoundHeading

_MOST_COMMON = 0.25
"""Letters of a look that more of the document than this is set in are text, where only numbers tell headings."""
_AS_LARGE = 0.98

Outlined = Mapping[int, FoundHeading]


def headings_of(pages: Sequence[Sequence[PageItem]], outlined: Sequence[Outlined]) -> list[dict[int, FoundHeading]]:
    """Each page's headings by their first line: those of the outline, and those that look like headings."""
    looks = _letters_by_look(pages)
    body = max(looks, key=looks.__getitem__) if looks else Look(0, False)
    heading_looks = {look for look, count in looks.items() if count < _MOST_COMMON * sum(looks.values())} | {body}
    found = [_candidates(items, body, heading_looks, known) for items, known in zip(pages, outlined, strict=True)]
    levels = Levels([c for candidates in found for c in candidates], list(_outlined_looks(pages, outlined)))
    return [
        {**{c.at: FoundHeading(c.text, levels.of(c), c.at, c.lines) for c in candidates}, **known}
        for candidates, known in zip(found, outlined, strict=True)
    ]


def title_of(pages: Sequence[Sequence[PageItem]], headings: Sequence[Outlined]) -> str | None:
    """The heading on a document's first page that is set larger than all others; one with a number is a section's."""
    sizes = sorted(
        (
            (item.size, number == 0, found[at].text)
            for number, (items, found) in enumerate(zip(pages, headings, strict=True))
            for at in found
            if isinstance(item := items[at], PageLine)
        ),
        reverse=True,
    )
    if not sizes or (len(sizes) > 1 and sizes[1][0] > _AS_LARGE * sizes[0][0]):
        return None
    _, is_on_first_page, text = sizes[0]
    return text if is_on_first_page and depth_of(text) is None and not text[0].islower() else None


def _letters_by_look(pages: Sequence[Sequence[PageItem]]) -> Counter[Look]:
    looks: Counter[Look] = Counter()
    for line in (item for items in pages for item in items if isinstance(item, PageLine)):
        looks[look_of(line)] += len(line.text)
    return looks


def _candidates(items: Sequence[PageItem], body: Look, looks: set[Look], known: Outlined) -> list[Candidate]:
    """What looks like a heading on one page, without what the outline names, and without labels that head nothing."""
    taken = {at for heading in known.values() for at in range(heading.at, heading.at + heading.lines)}
    found: list[Candidate] = []
    for at, run in _runs(items):
        look, below = look_of(run[0]), items[at + len(run)] if at + len(run) < len(items) else None
        if look in looks and taken.isdisjoint(range(at, at + len(run))) and is_heading(run, body, below):
            text = " ".join(line.text.strip() for line in run)
            found.append(Candidate(at, len(run), text, look, depth_of(text)))
    sizes = {candidate.at: candidate.look.size for candidate in found}
    sizes |= {at: item.size for at in known if isinstance(item := items[at], PageLine)}
    return [candidate for candidate in found if not _heads_nothing(candidate, sizes)]


def _heads_nothing(candidate: Candidate, sizes: Mapping[int, float]) -> bool:
    """Whether a heading that is no smaller follows at once: then it is a line on a cover, or a label in a drawing."""
    return candidate.depth is None and sizes.get(candidate.at + candidate.lines, 0) >= candidate.look.size


def _runs(items: Sequence[PageItem]) -> Iterator[tuple[int, list[PageLine]]]:
    """Lines that follow each other and look like one heading, with the place of the first."""
    run: list[PageLine] = []
    for at, item in enumerate(items):
        if run and (not isinstance(item, PageLine) or not same_heading(run[-1], item)):
            yield at - len(run), run
            run = []
        if isinstance(item, PageLine):
            run.append(item)
    if run:
        yield len(items) - len(run), run


def _outlined_looks(
    pages: Sequence[Sequence[PageItem]], outlined: Sequence[Outlined]
) -> Iterator[tuple[Look, FoundHeading]]:
    for items, known in zip(pages, outlined, strict=True):
        for at, heading in known.items():
            item = items[at]
            if isinstance(item, PageLine):
                yield look_of(item), heading
