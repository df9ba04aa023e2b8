from __future__ import annotations

import pytest

from ragstone.parsing.wording import numbers_named


@pytest.mark.parametrize(
    ("numbers", "named"),
    [
        ([4], "page 4"),
        ([4, 4], "page 4"),
        ([2, 1], "pages 1 to 2"),
        ([1, 3, 5, 6, 7], "pages 1, 3 and 5 to 7"),
        (range(1, 500), "pages 1 to 499"),
    ],
)
def test_runs_of_numbers_are_named_by_their_ends(numbers: list[int], named: str) -> None:
    assert numbers_named("page", numbers) == named


def test_only_the_first_ranges_are_named_and_the_others_counted() -> None:
    assert numbers_named("line", range(0, 60, 2)) == "lines 0, 2, 4, 6, 8, 10, 12, 14, 16, 18 and 20 more"
