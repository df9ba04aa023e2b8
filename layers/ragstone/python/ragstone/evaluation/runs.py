"""A run as it was planned, and its files in the reports bucket."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from pydantic import TypeAdapter

from ragstone.evaluation.corpus import Corpus
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.gold import GoldItem, read_gold, write_gold
from ragstone.evaluation.request import EvaluationRequest
from ragstone.evaluation.results import Attempt, ItemResult
from ragstone.ports import ObjectStore
from ragstone.settings import Settings
from ragstone.types import ObjectRef

T = TypeVar("T")

JSON = "application/json"
JSON_LINES = "application/x-ndjson"
SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class VariantPlan:
    """A variant with all its settings; `digest` names what its index has to hold, `settings.index_name` the index."""

    name: str
    settings: Settings
    digest: str


@dataclass(frozen=True, slots=True)
class RunPlan:
    """All that a run's later steps need; `identity` is a hash of everything that its results depend on."""

    run_id: str
    identity: str
    request: EvaluationRequest
    deployment: Settings
    variants: tuple[VariantPlan, ...]
    corpus: Corpus
    corpus_state: str
    dataset_etag: str
    questions: int

    def variant(self, name: str) -> VariantPlan:
        """The variant of that name; raises InvalidEvaluation if the run has none."""
        for variant in self.variants:
            if variant.name == name:
                return variant
        known = ", ".join(variant.name for variant in self.variants)
        raise InvalidEvaluation(f"run {self.run_id} has no variant {name!r}; it has {known}")

    def attempts(self, items: Iterable[GoldItem]) -> Iterator[Attempt]:
        """Every question in every variant, repeats last; variants take turns, so that all meet the same conditions."""
        for item in items:
            for repeat in range(self.request.repeats):
                for variant in self.variants:
                    yield Attempt(self.run_id, variant.name, item.id, repeat)


_PLAN = TypeAdapter(RunPlan)
_ATTEMPT = TypeAdapter(Attempt)
_RESULT = TypeAdapter(ItemResult)


@dataclass(frozen=True, slots=True)
class RunFiles:
    """The files of one run under `reports/<run_id>/`."""

    store: ObjectStore
    bucket: str
    run_id: str

    def key(self, name: str) -> str:
        return f"reports/{self.run_id}/{name}"

    @property
    def manifest_key(self) -> str:
        return self.key("manifest.jsonl")

    def write(self, name: str, content: bytes, content_type: str = JSON) -> None:
        self.store.write(ObjectRef(self.bucket, self.key(name)), content, content_type)

    def write_plan(self, plan: RunPlan, items: tuple[GoldItem, ...]) -> None:
        """Write what the steps read; run.json comes last, so that a run that has one is complete."""
        self.write("dataset.jsonl", write_gold(items), JSON_LINES)
        lines = (_ATTEMPT.dump_json(attempt) + b"\n" for attempt in plan.attempts(items))
        self.write("manifest.jsonl", b"".join(lines), JSON_LINES)
        self.write("run.json", _PLAN.dump_json(plan, indent=2))

    def read_plan(self) -> RunPlan | None:
        return self._read("run.json", _PLAN)

    def plan(self) -> RunPlan:
        """The run as planned; raises InvalidEvaluation if it never was."""
        plan = self.read_plan()
        if plan is None:
            raise InvalidEvaluation(f"s3://{self.bucket}/{self.key('run.json')} is not there; start with the plan step")
        return plan

    def items(self) -> dict[str, GoldItem]:
        """The questions by id, as they were when the run was planned."""
        name = self.key("dataset.jsonl")
        stored = self.store.read(ObjectRef(self.bucket, name))
        items = read_gold(stored.content if stored else b"", f"s3://{self.bucket}/{name}")
        return {item.id: item for item in items}

    def write_result(self, result: ItemResult) -> None:
        self.write(_result_name(result.attempt), result_line(result))

    def read_result(self, attempt: Attempt) -> ItemResult | None:
        return self._read(_result_name(attempt), _RESULT)

    def _read(self, name: str, adapter: TypeAdapter[T]) -> T | None:
        stored = self.store.read(ObjectRef(self.bucket, self.key(name)))
        return adapter.validate_json(stored.content) if stored else None


def result_line(result: ItemResult) -> bytes:
    """A result as one line of JSON."""
    return _RESULT.dump_json(result) + b"\n"


def _result_name(attempt: Attempt) -> str:
    return f"items/{attempt.variant}/{safe_name(attempt.item_id)}-{attempt.repeat}.json"


def safe_name(item_id: str) -> str:
    """An item's id as part of a key: itself if it is plain, else its plain characters and a hash of all of them."""
    if SAFE_NAME.fullmatch(item_id):
        return item_id
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', item_id).strip('-')[:60]}-{sha256(item_id.encode()).hexdigest()[:12]}"
