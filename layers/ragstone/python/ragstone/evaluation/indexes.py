"""The indexes that variants are measured on: named, built in steps, kept for later runs.

What an index has to hold is named by a digest over the ingestion settings, the corpus' place and its state, so a
changed document asks for another index. The index itself is named after the digest and the run that builds it: one
that a failed run left behind, half built or built while documents changed, is never taken for a complete one. The
marker `indexes/<digest>.json`, written once an index is complete, is how later runs find it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from pydantic import TypeAdapter

from ragstone.evaluation.corpus import Corpus
from ragstone.evaluation.errors import CorpusChanged
from ragstone.evaluation.runs import JSON, RunFiles, RunPlan, VariantPlan
from ragstone.evaluation.workers import BuildIndex, BuildIngestion
from ragstone.ports import ObjectStore
from ragstone.settings import Settings
from ragstone.types import ObjectChange, ObjectRef

LEAST_RESERVE_MS = 10_000
SKIPPED = "skipped"
"""How a document is counted that an earlier, broken-off step has indexed already."""


def digest_of(fingerprint: str, corpus: Corpus, state: str) -> str:
    """A short name for what an index has to hold."""
    return sha256("\n".join((fingerprint, corpus.bucket, corpus.prefix, state)).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Marker:
    """A complete index: its name, the chunks in it, and its documents by how their ingestion ended."""

    index_name: str
    run_id: str
    chunks: int
    documents: Mapping[str, int]


_MARKER = TypeAdapter(Marker)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexCatalogue:
    """The complete indexes, by digest."""

    store: ObjectStore
    bucket: str
    index: BuildIndex

    def index_for(self, digest: str, run_id: str, settings: Settings) -> str:
        """The name of a complete index that is still there, else of the one that this run has to build."""
        marker = self.find(digest)
        if marker and self.index(_named(settings, marker.index_name)).count() >= marker.chunks:
            return marker.index_name
        return f"eval-{digest}-{sha256(run_id.encode()).hexdigest()[:6]}"

    def find(self, digest: str) -> Marker | None:
        stored = self.store.read(self._place(digest))
        return _MARKER.validate_json(stored.content) if stored else None

    def add(self, variant: VariantPlan, run_id: str, documents: Mapping[str, int]) -> None:
        """Mark a variant's index as complete."""
        chunks = self.index(variant.settings).count()
        marker = Marker(variant.settings.index_name, run_id, chunks, documents)
        self.store.write(self._place(variant.digest), _MARKER.dump_json(marker, indent=2), JSON)

    def _place(self, digest: str) -> ObjectRef:
        return ObjectRef(self.bucket, f"indexes/{digest}.json")


def _named(settings: Settings, index_name: str) -> Settings:
    return settings.model_copy(update={"index_name": index_name})


@dataclass(slots=True)
class Progress:
    """How far a variant's index is: the last key that was indexed, and documents by how their ingestion ended."""

    cursor: str = ""
    documents: Counter[str] = field(default_factory=Counter[str])


_PROGRESS = TypeAdapter(Progress)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexBuilder:
    """Builds the index of one variant of a run, as many documents at a time as there is time for."""

    files: RunFiles
    catalogue: IndexCatalogue
    ingestion: BuildIngestion

    def build(self, variant_name: str, cursor: str, time_left_ms: Callable[[], int]) -> dict[str, str | bool]:
        """Index documents after the key `cursor`; at least one, so that a short time limit still gets somewhere.

        Raises CorpusChanged if what was indexed is not what was planned.
        """
        plan = self.files.plan()
        variant = plan.variant(variant_name)
        step: dict[str, str | bool] = {"run_id": plan.run_id, "variant": variant_name, "cursor": cursor, "done": True}
        if self._is_complete(variant):
            return step
        progress = self._progress(variant_name, cursor)
        remaining = plan.corpus.documents(self.files.store, after=cursor)
        if self._index(variant, remaining, progress, time_left_ms):
            self._complete(plan, variant, progress)
            return step
        self.files.write(_progress_name(variant_name), _PROGRESS.dump_json(progress))
        return {**step, "cursor": progress.cursor, "done": False}

    def _is_complete(self, variant: VariantPlan) -> bool:
        marker = self.catalogue.find(variant.digest)
        return marker is not None and marker.index_name == variant.settings.index_name

    def _index(
        self,
        variant: VariantPlan,
        documents: Iterable[ObjectChange],
        progress: Progress,
        time_left_ms: Callable[[], int],
    ) -> bool:
        """Whether all documents were indexed; else the time left is less than twice what the slowest one took."""
        ingestion, slowest_ms = self.ingestion(variant.settings), 0
        for change in documents:
            left_ms = time_left_ms()
            if slowest_ms and left_ms < max(LEAST_RESERVE_MS, 2 * slowest_ms):
                return False
            record = ingestion.apply(change)
            progress.documents[record.status.value if record else SKIPPED] += 1
            progress.cursor = change.object.key
            slowest_ms = max(1, slowest_ms, left_ms - time_left_ms())
        return True

    def _complete(self, plan: RunPlan, variant: VariantPlan, progress: Progress) -> None:
        if plan.corpus.survey(self.files.store).state != plan.corpus_state:
            raise CorpusChanged(
                f"documents under {plan.corpus.uri} changed while they were indexed for run {plan.run_id}. Start a new "
                'run, or evaluate a folder that stays as it is: "corpus": "s3://bucket/folder/"'
            )
        self.catalogue.add(variant, plan.run_id, progress.documents)

    def _progress(self, variant_name: str, cursor: str) -> Progress:
        """The counts up to `cursor`; a step that is retried after it broke off counts from its own start again."""
        stored = self.files.store.read(ObjectRef(self.files.bucket, self.files.key(_progress_name(variant_name))))
        progress = _PROGRESS.validate_json(stored.content) if stored else Progress()
        return progress if progress.cursor == cursor else Progress(cursor)


def _progress_name(variant: str) -> str:
    return f"builds/{variant}.json"
