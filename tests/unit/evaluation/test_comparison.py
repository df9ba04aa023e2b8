"""Comparing variants question by question."""

from __future__ import annotations

from collections.abc import Mapping

from ragstone.evaluation.comparison import SHOWN_REGRESSIONS, compare_variants
from ragstone.evaluation.frames import Frames
from ragstone.evaluation.report import Comparison, Regression
from ragstone.evaluation.results import ItemResult
from ragstone.evaluation.scores import Score
from tests.support.evaluations import result


def compared(*results: ItemResult, variants: tuple[str, ...] = ("base", "new")) -> list[Comparison]:
    return list(compare_variants(Frames.of(results).scores, variants, seed=0))


def of(variant: str, values: Mapping[str, float | Score | None], repeat: int = 0) -> list[ItemResult]:
    return [result(value, item=item, variant=variant, repeat=repeat) for item, value in values.items()]


def test_wins_ties_and_regressions_are_counted() -> None:
    base = of("base", {"a": 1.0, "b": 0.5, "c": 0.0, "d": 1.0})
    new = of("new", {"a": 0.5, "b": 0.5, "c": 1.0, "d": 0.0})
    [found] = compared(*base, *new)
    assert (found.metric, found.baseline, found.challenger, found.n) == ("mrr", "base", "new", 4)
    assert (found.wins, found.ties, found.losses, found.difference) == (1, 1, 2, -0.125)
    assert found.regressions == (Regression("d", 1.0, 0.0), Regression("a", 1.0, 0.5))


def test_the_p_value_is_that_of_the_permutation_test() -> None:
    names = "abcde"
    [found] = compared(*of("base", dict.fromkeys(names, 0.2)), *of("new", dict.fromkeys(names, 0.7)))
    assert found.p_value == 0.0625


def test_only_questions_with_a_value_in_both_are_compared() -> None:
    base = of("base", {"a": 1.0, "b": 1.0, "c": None})
    new = of("new", {"a": 1.0, "b": Score.undefined("no claims"), "c": 1.0})
    [found] = compared(*base, *new)
    assert (found.n, found.ties) == (1, 1)


def test_repeats_are_averaged_first() -> None:
    base = of("base", {"a": 0.5})
    [found] = compared(*base, *of("new", {"a": 0.0}, repeat=0), *of("new", {"a": 1.0}, repeat=1))
    assert (found.n, found.ties) == (1, 1)


def test_every_pair_is_compared_with_the_earlier_as_the_baseline() -> None:
    results = [each for variant in "xyz" for each in of(variant, {"a": 0.5})]
    pairs = [(found.baseline, found.challenger) for found in compared(*results, variants=("z", "x", "y"))]
    assert pairs == [("z", "x"), ("z", "y"), ("x", "y")]


def test_variants_without_a_common_question_are_not_compared() -> None:
    assert compared(*of("base", {"a": 1.0}), *of("new", {"b": 1.0})) == []
    assert compared(*of("base", {"a": 1.0}), *of("new", {"a": None})) == []


def test_the_worst_regressions_are_shown() -> None:
    values = {f"q{n:02}": n / 100 for n in range(30)}
    [found] = compared(*of("base", dict.fromkeys(values, 1.0)), *of("new", values))
    assert (found.losses, len(found.regressions)) == (30, SHOWN_REGRESSIONS)
    assert found.regressions[0] == Regression("q00", 1.0, 0.0)
