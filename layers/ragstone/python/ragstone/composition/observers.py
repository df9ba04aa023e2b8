"""Who is told of each answer."""

from __future__ import annotations

import os
from importlib.util import find_spec

from ragstone.budgets import Spending
from ragstone.composition.callers import build_budgets, build_conversations
from ragstone.conversations.recording import Recording
from ragstone.observability import logger
from ragstone.observability.answers import AnswerLog
from ragstone.ports import AnswerObserver
from ragstone.settings import Settings


def build_observers(settings: Settings) -> tuple[AnswerObserver, ...]:
    """Who is told of each answer that a caller asked for."""
    conversations, budgets = build_conversations(settings), build_budgets(settings)
    chosen = {"strategy": settings.strategy, "chat_model": settings.chat_model, "embedder": settings.embedder}
    log = AnswerLog(
        environment=settings.environment,
        strategy=settings.strategy,
        chat_model=settings.chat_model,
        log_texts=settings.log_texts,
    )
    spending = [Spending(budgets)] if budgets else []
    recording = [Recording(conversations=conversations, settings=chosen)] if conversations else []
    return (log, *spending, *recording, *_answer_spans(settings))


def _answer_spans(settings: Settings) -> tuple[AnswerObserver, ...]:
    """The standard's own variable names an endpoint too; without one, OpenTelemetry is not imported."""
    endpoint = settings.otlp_endpoint or os.environ.get("OTEL_EXPORTER_OTLP_ENDPOINT", "")
    if not endpoint:
        return ()
    if find_spec("opentelemetry.sdk") is None:
        logger.warning("no traces are sent: only otlp_endpoint in the environment's file deploys OpenTelemetry")
        return ()
    from ragstone.observability.spans import AnswerSpans

    return (AnswerSpans(endpoint=endpoint, environment=settings.environment, with_texts=settings.log_texts),)
