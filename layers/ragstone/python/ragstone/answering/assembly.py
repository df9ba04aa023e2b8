"""The stages as the settings want them, from parts that composition makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from ragstone.answering.chat import ChatAnswerer
from ragstone.answering.choices import Choices
from ragstone.answering.extractive import ExtractiveAnswerer
from ragstone.answering.final_gate import FinalGate
from ragstone.answering.gates import EarlyGate
from ragstone.answering.generation import Generation
from ragstone.answering.judging import Judge
from ragstone.answering.pipeline import Answering
from ragstone.answering.questions import QuestionCheck
from ragstone.answering.reasoning import ReasoningPass
from ragstone.answering.refusals import Wording
from ragstone.answering.rewriting import Rewriting
from ragstone.answering.sufficiency import SufficiencyCheck
from ragstone.ports import Answerer, ChatModel, Embedder, Retriever
from ragstone.settings import Settings

EXTRACTIVE = "extractive"


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the stages stand on; `chat_model` makes one by its spec."""

    retriever: Retriever
    gate: EarlyGate
    embedder: Embedder
    chat_model: Callable[[str], ChatModel]


def assemble(settings: Settings, parts: Parts) -> Answering:
    """The use case; models beside the default one are made when they are first asked for."""
    wording, reader = Wording(settings.refusal_messages), _reading_model(settings, parts)
    return Answering(
        retriever=parts.retriever,
        gate=parts.gate,
        answerer=_answerer(parts, settings.chat_model),
        choices=Choices(
            answerers={spec: cache(partial(_answerer, parts, spec)) for spec in settings.models_allowed},
            max_top_k=max(settings.max_top_k, settings.top_k),
            shows_trace=settings.traces_allowed,
        ),
        questions=QuestionCheck(
            max_characters=settings.max_question,
            blocked=tuple(re.compile(pattern, re.IGNORECASE) for pattern in settings.blocked_questions),
            moderator=_optional(parts, settings.moderation_model),
        ),
        rewriting=Rewriting(wording=wording, model=reader),
        sufficiency=SufficiencyCheck(model=reader, sure=settings.sure_confidence) if reader else None,
        reasoning=ReasoningPass(model) if (model := _optional(parts, settings.reasoning_model)) else None,
        generation=Generation(
            min_word_support=settings.min_word_support,
            judge=Judge(model) if (model := _optional(parts, settings.judge_model)) else None,
        ),
        final_gate=FinalGate(settings.min_verified_share),
        wording=wording,
    )


def _answerer(parts: Parts, spec: str) -> Answerer:
    return ExtractiveAnswerer(parts.embedder) if spec == EXTRACTIVE else ChatAnswerer(parts.chat_model(spec))


def _reading_model(settings: Settings, parts: Parts) -> ChatModel | None:
    spec = settings.reading_model or settings.chat_model
    return None if spec == EXTRACTIVE else parts.chat_model(spec)


def _optional(parts: Parts, spec: str) -> ChatModel | None:
    return parts.chat_model(spec) if spec else None
