"""The first step of a run: check its input, freeze what it will measure, name its indexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from ragstone.errors import SettingsError
from ragstone.evaluation.corpus import Corpus, Survey
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.evaluation.gold import GoldItem, read_gold, sample
from ragstone.evaluation.indexes import IndexCatalogue, digest_of
from ragstone.evaluation.request import EvaluationRequest, object_at
from ragstone.evaluation.runs import RunFiles, RunPlan, VariantPlan
from ragstone.evaluation.workers import BuildAnswering, BuildChatModel, BuildIngestion
from ragstone.ports import ObjectStore
from ragstone.settings import Settings

NOT_IDENTITY = {"run_id", "execution", "started_at", "git_sha"}
"""Keys of the input that say when and by whom it was started, not what it measures."""


class _Dataset(NamedTuple):
    items: tuple[GoldItem, ...]
    etag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """Plans runs; `settings` are the deployment's, which variants change."""

    store: ObjectStore
    settings: Settings
    catalogue: IndexCatalogue
    ingestion: BuildIngestion
    answering: BuildAnswering
    judge: BuildChatModel

    def plan(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Write the run's plan, questions and manifest, and name one variant for each index to build.

        A run that was planned before is resumed if it would measure the same; raises InvalidEvaluation otherwise.
        """
        request = EvaluationRequest.parse(event)
        files = RunFiles(self.store, self.settings.reports_bucket, request.name_of_run())
        dataset = self._dataset(request)
        plan = self._planned(request, files.run_id, dataset)
        before = files.read_plan()
        if before is None:
            files.write_plan(plan, dataset.items)
        elif before.identity != plan.identity:
            raise InvalidEvaluation(
                f"run {plan.run_id} measured something else: its input, its dataset or its documents were different. "
                "Give this one another run_id, or leave it out."
            )
        return _next_steps(before or plan, files)

    def _planned(self, request: EvaluationRequest, run_id: str, dataset: _Dataset) -> RunPlan:
        corpus = Corpus.at(object_at(request.corpus)) if request.corpus else Corpus(self.settings.documents_bucket)
        survey = self._survey(corpus, dataset.items)
        variants = tuple(self._variants(request, run_id, corpus, survey))
        return RunPlan(
            run_id=run_id,
            identity=_identity(request, dataset.etag, survey.state, variants),
            request=request,
            deployment=self.settings,
            variants=variants,
            corpus=corpus,
            corpus_state=survey.state,
            dataset_etag=dataset.etag,
            questions=len(dataset.items),
        )

    def _dataset(self, request: EvaluationRequest) -> _Dataset:
        stored = self.store.read(object_at(request.dataset))
        if stored is None:
            raise InvalidEvaluation(f"dataset {request.dataset} is not there; upload it, or correct the address")
        items = read_gold(stored.content, request.dataset)
        return _Dataset(sample(items, limit=request.limit, seed=request.seed), stored.etag)

    def _survey(self, corpus: Corpus, items: Sequence[GoldItem]) -> Survey:
        survey = corpus.survey(self.store, (entry.document for item in items for entry in item.gold))
        if not survey.documents:
            raise InvalidEvaluation(f"there are no documents under {corpus.uri}; upload some, or name another corpus")
        if survey.absent:
            raise InvalidEvaluation(
                f"the dataset's gold names documents that are not under {corpus.uri}: {', '.join(survey.absent)}"
            )
        return survey

    def _variants(
        self, request: EvaluationRequest, run_id: str, corpus: Corpus, survey: Survey
    ) -> Sequence[VariantPlan]:
        try:
            if request.judge:
                self.judge(request.judge)
            return [
                self._variant(variant.name, variant.settings(self.settings), run_id, corpus, survey)
                for variant in request.variants
            ]
        except SettingsError as error:
            raise InvalidEvaluation(str(error)) from error

    def _variant(self, name: str, settings: Settings, run_id: str, corpus: Corpus, survey: Survey) -> VariantPlan:
        """Build what the variant needs once, so that a setting which can't work fails before anything is spent."""
        self.answering(settings)
        digest = digest_of(self.ingestion(settings).fingerprint, corpus, survey.state)
        index_name = self.catalogue.index_for(digest, run_id, settings)
        return VariantPlan(name, settings.model_copy(update={"index_name": index_name}), digest)


def _identity(request: EvaluationRequest, dataset_etag: str, corpus_state: str, variants: Sequence[VariantPlan]) -> str:
    settings = "".join(variant.settings.model_dump_json(exclude={"index_name"}) for variant in variants)
    parts = (request.model_dump_json(exclude=NOT_IDENTITY), dataset_etag, corpus_state, settings)
    return sha256("\n".join(parts).encode()).hexdigest()


def _next_steps(plan: RunPlan, files: RunFiles) -> dict[str, Any]:
    """Variants that share an index need it built once, so only the first of them is named."""
    builders = {variant.settings.index_name: variant.name for variant in reversed(plan.variants)}
    return {
        "run_id": plan.run_id,
        "bucket": files.bucket,
        "manifest_key": files.manifest_key,
        "variants": [
            {"run_id": plan.run_id, "variant": variant.name, "cursor": ""}
            for variant in plan.variants
            if builders[variant.settings.index_name] == variant.name
        ],
    }
