"""The evaluate step of an evaluation: one question, answered once by one variant, and scored."""

from __future__ import annotations

from asyncio import Runner
from functools import cache, lru_cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from ragstone.answering import Answering
from ragstone.composition import build_answering, build_embedder_for, build_store, read_settings
from ragstone.evaluation.evaluator import Evaluator
from ragstone.evaluation.judge import Judge
from ragstone.evaluation.metrics import build_metrics
from ragstone.evaluation.ragas_adapter import Ragas
from ragstone.evaluation.results import Attempt
from ragstone.evaluation.runs import RunFiles
from ragstone.evaluation.sections import Sections
from ragstone.index import build_reader
from ragstone.models import build_chat_model
from ragstone.observability import logger

settings = cache(read_settings)


@cache
def runner() -> Runner:
    """One event loop a process: an async client that outlives its loop fails at its next call."""
    return Runner()


@lru_cache(maxsize=4)
def build(run_id: str) -> Evaluator:
    """A run is frozen once planned, so a warm function reads it once."""
    files = RunFiles(build_store(settings()), settings().reports_bucket, run_id)
    plan = files.plan()

    @cache
    def answering(variant: str) -> Answering:
        return build_answering(plan.variant(variant).settings)

    @cache
    def sections(variant: str) -> Sections:
        return Sections(plan.corpus, build_reader(plan.variant(variant).settings))

    judge = Judge(build_chat_model(plan.request.judge)) if plan.request.judge else None
    ragas = Ragas(judge=judge, embedder=build_embedder_for(plan.deployment))
    return Evaluator(
        files=files,
        plan=plan,
        items=files.items(),
        answering=answering,
        sections=sections,
        metrics=build_metrics(plan.request.metrics, ragas),
    )


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """From an attempt, a line of the manifest, to the same with its status; the result itself is in the bucket."""
    attempt = Attempt(event["run_id"], event["variant"], event["item_id"], event["repeat"])
    result = runner().run(build(attempt.run_id).evaluate(attempt))
    return {**event, "status": result.status.value}
