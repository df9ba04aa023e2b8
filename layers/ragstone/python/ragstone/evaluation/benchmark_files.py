"""The two files of a benchmark: passages as they are indexed, and questions with the passages that answer them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from pydantic import ConfigDict, TypeAdapter, with_config

from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.gold import Filled
from ragstone.evaluation.lines import SHOWN_PROBLEMS, read_lines
from ragstone.types import MetadataValue


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class BenchmarkPassage:
    """One passage, which is one chunk; `metadata.section` names its section among the passages of its title."""

    id: Filled
    text: Filled
    title: str = ""
    metadata: Mapping[str, MetadataValue] = field(default_factory=dict[str, MetadataValue])

    @property
    def section(self) -> str:
        return str(self.metadata.get("section", ""))


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class BenchmarkQuestion:
    """One question; `gold` are the ids of the passages that answer it, `reference` is the answer itself."""

    id: Filled
    question: Filled
    answerable: bool = True
    gold: tuple[str, ...] = ()
    reference: str = ""


@dataclass(frozen=True, slots=True)
class BenchmarkSet:
    """Passages, and questions whose gold is among them."""

    passages: tuple[BenchmarkPassage, ...]
    questions: tuple[BenchmarkQuestion, ...]

    @classmethod
    def read(cls, passages: bytes, questions: bytes) -> BenchmarkSet:
        """The contents of both JSONL files; raises InvalidEvaluation that names the first bad lines."""
        found = cls(
            read_lines(passages, "the passages", _PASSAGE, known=_keys(BenchmarkPassage), what="passage"),
            read_lines(questions, "the questions", _QUESTION, known=_keys(BenchmarkQuestion), what="question"),
        )
        if not found.passages or not found.questions:
            raise InvalidEvaluation("a benchmark needs passages and questions, at least one of each")
        _check_gold(found.questions, {passage.id for passage in found.passages})
        return found


_PASSAGE = TypeAdapter(BenchmarkPassage)
_QUESTION = TypeAdapter(BenchmarkQuestion)


def _keys(of: type[BenchmarkPassage | BenchmarkQuestion]) -> Sequence[str]:
    return [each.name for each in fields(of)]


def _check_gold(questions: Iterable[BenchmarkQuestion], known: set[str]) -> None:
    lost = [(q.id, gold) for q in questions for gold in q.gold if gold not in known]
    if lost:
        shown = ", ".join(f"{gold!r} of question {question!r}" for question, gold in lost[:SHOWN_PROBLEMS])
        raise InvalidEvaluation(f"{len(lost)} gold passages are not among the passages: {shown}")
