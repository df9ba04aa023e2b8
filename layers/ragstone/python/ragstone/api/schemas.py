"""What the API takes and gives, as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ragstone.conversations.values import Conversation, KeptTurn, Share
from ragstone.filters import parse_filters
from ragstone.metadata import NO_SCHEMA, MetadataField
from ragstone.types import (
    Answer,
    Chunk,
    Citation,
    DocumentRecord,
    Evidence,
    Metadata,
    ObjectVersion,
    Passage,
    Query,
    Refusal,
    Sentence,
    Telemetry,
    TokenUsage,
)

MAX_QUESTION = 4_000
CONTENT_TYPE = r"^[\w.+-]+/[\w.+-]+(; ?[\w.-]+=[\w.-]+)*$"
NO_TEXT = re.compile("[\0\ud800-\udfff]")


def _well_formed(value: object) -> object:
    """JSON can write half a surrogate pair and NUL, which no index or model takes: they become U+FFFD."""
    return NO_TEXT.sub("\ufffd", value) if isinstance(value, str) else value


WELL_FORMED = BeforeValidator(_well_formed)
Text = Annotated[str, WELL_FORMED]
Name = Annotated[str, Field(min_length=1, max_length=200), WELL_FORMED]


class FilterBody(BaseModel):
    """One condition, for example {"field": "metadata.year", "op": "gte", "value": 2024}."""

    model_config = ConfigDict(extra="forbid")

    field: Text
    op: Text
    value: Text | int | float | bool | list[Text]


def example(*bodies: dict[str, Any], strip: bool = True) -> ConfigDict:
    """A body that takes no other keys, shown by examples in the OpenAPI document; texts are stripped of white space."""
    return ConfigDict(extra="forbid", str_strip_whitespace=strip, json_schema_extra={"examples": [*bodies]})


class SearchBody(BaseModel):
    """A question with its conditions; strategies and rerankers are those that the environment allows."""

    model_config = example({"question": "night ferry fares", "top_k": 10, "strategy": "lexical"})

    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION), WELL_FORMED]
    filters: Annotated[list[FilterBody], Field(max_length=20)] = []
    top_k: Annotated[int | None, Field(ge=1, le=50)] = None
    strategy: Name | None = None
    reranker: Name | None = None

    def to_query(
        self, *, groups: tuple[str, ...], default_top_k: int, schema: Mapping[str, MetadataField] = NO_SCHEMA
    ) -> Query:
        return Query(
            question=self.question,
            filters=parse_filters([condition.model_dump() for condition in self.filters], schema),
            top_k=self.top_k or default_top_k,
            groups=groups,
            strategy=self.strategy,
            reranker=self.reranker,
        )


class QueryBody(SearchBody):
    """`stream: false` asks for one JSON object instead of events; with a conversation, follow-ups are understood."""

    model_config = example(
        {"question": "Why does the night ferry run on Tuesdays only?"},
        {
            "question": "What did the board decide on fares?",
            "filters": [{"field": "metadata.year", "op": "gte", "value": 2024}],
            "top_k": 8,
            "strategy": "hybrid",
            "language": "de",
            "stream": False,
        },
    )

    chat_model: Name | None = None
    language: Annotated[str | None, Field(pattern="^[a-z]{2}$")] = None
    conversation_id: Name | None = None
    trace: bool = False
    stream: bool = True

    def to_query(
        self, *, groups: tuple[str, ...], default_top_k: int, schema: Mapping[str, MetadataField] = NO_SCHEMA
    ) -> Query:
        asked = super().to_query(groups=groups, default_top_k=default_top_k, schema=schema)
        return replace(
            asked,
            chat_model=self.chat_model,
            language=self.language,
            conversation_id=self.conversation_id,
            trace=self.trace,
        )


class FileBody(BaseModel):
    """A file that is about to be uploaded; without a content type its name decides.

    Without an `acl` a document that is there keeps its own; an empty one lets everybody read.
    """

    model_config = ConfigDict(extra="forbid")

    source: Text
    content_type: Annotated[str | None, Field(max_length=200, pattern=CONTENT_TYPE)] = None
    title: Annotated[str, Field(max_length=1_000), WELL_FORMED] | None = None
    metadata: Annotated[dict[Text, Text | int | float | bool | list[Text]], Field(max_length=100)] | None = None
    acl: Annotated[list[Annotated[str, Field(min_length=1), WELL_FORMED]], Field(max_length=100)] | None = None

    @property
    def has_sidecar(self) -> bool:
        return not (self.title is None and self.metadata is None and self.acl is None)

    @property
    def metadata_values(self) -> Metadata:
        given = (self.metadata or {}).items()
        return {name: tuple(value) if isinstance(value, list) else value for name, value in given}


class UploadBody(BaseModel):
    """Files of one upload, each with a name of its own."""

    model_config = example(
        {"files": [{"source": "board/minutes.pdf", "metadata": {"year": 2024}, "acl": ["board"]}]}, strip=False
    )

    files: Annotated[list[FileBody], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def names_are_different(self) -> Self:
        counted = Counter(file.source for file in self.files)
        if twice := [source for source, count in counted.items() if count > 1]:
            raise ValueError(f"{', '.join(map(repr, twice))} more than once; give each file a name of its own")
        return self


def answer_json(answer: Answer, asked: Query) -> dict[str, Any]:
    """The final JSON of a query; `clarification` and `trace` only where there is one."""
    extras = {
        **({"clarification": answer.clarification} if answer.clarification else {}),
        **({"trace": [asdict(span) for span in answer.trace]} if answer.trace else {}),
    }
    return {
        "answer_id": asked.answer_id,
        "conversation_id": asked.conversation_id,
        "answer": answer.text,
        "refused": answer.refused,
        "refusal": refusal_json(answer.refusal) if answer.refusal else None,
        "confidence": round(answer.confidence, 4),
        "citations": [citation_json(citation) for citation in answer.citations],
        "sources": sources_json(answer.passages),
        "telemetry": telemetry_json(answer.telemetry),
        **extras,
    }


def sentence_json(sentence: Sentence) -> dict[str, Any]:
    return {"text": sentence.text, "citations": [citation_json(citation) for citation in sentence.citations]}


def citation_json(citation: Citation) -> dict[str, Any]:
    return asdict(citation)


def refusal_json(refusal: Refusal) -> dict[str, Any]:
    return asdict(refusal)


def sources_json(passages: tuple[Passage, ...]) -> list[dict[str, Any]]:
    """The passages by document, page and section; their text is for the answerer."""
    return [
        {
            "document": passage.chunk.source,
            "title": passage.chunk.title,
            "section": list(passage.chunk.section_path),
            "page": passage.chunk.page_from,
            "chunk_id": passage.chunk.chunk_id,
            "bm25": passage.bm25,
            "cosine": passage.cosine,
        }
        for passage in passages
    ]


def evidence_json(evidence: Evidence) -> dict[str, Any]:
    """The passages with their text: who may search may read them."""
    passages = zip(sources_json(evidence.passages), evidence.passages, strict=True)
    return {
        "strategy": evidence.strategy,
        "reranker": evidence.reranker or None,
        "passages": [
            {
                **source,
                "text": passage.chunk.text,
                "start": passage.chunk.char_from,
                "end": passage.chunk.char_to,
                "metadata": dict(passage.chunk.metadata),
                "fused_score": passage.fused_score,
                "rerank_score": passage.rerank_score,
                "lexical_rank": passage.lexical_rank,
                "dense_rank": passage.dense_rank,
                "also_in": list(passage.also_in),
            }
            for source, passage in passages
        ],
        "steps": [asdict(step) for step in evidence.steps],
        "degraded": list(evidence.degraded),
        "timings_ms": _rounded(evidence.timings_ms),
    }


def telemetry_json(telemetry: Telemetry) -> dict[str, Any]:
    return {
        "stages_ms": _rounded(telemetry.stages_ms),
        "tokens": _tokens(telemetry.usage),
        "cost_usd": telemetry.cost_usd,
        "cache": telemetry.cache,
        "gates": dict(telemetry.gates),
        "dropped_sentences": telemetry.dropped_sentences,
        "degraded": list(telemetry.degraded),
    }


def _tokens(usage: Sequence[TokenUsage]) -> dict[str, dict[str, int]]:
    """All calls of one model together."""
    totals: dict[str, Counter[str]] = {}
    for call in usage:
        totals.setdefault(call.model, Counter(input=0, output=0)).update(
            input=call.input_tokens, output=call.output_tokens
        )
    return {model: dict(total) for model, total in totals.items()}


def _rounded(milliseconds: Mapping[str, float]) -> dict[str, float]:
    return {stage: round(ms, 1) for stage, ms in milliseconds.items()}


def chunk_json(chunk: Chunk) -> dict[str, Any]:
    """A chunk as it is stored, without what it shares with its document."""
    hidden = {"document_id", "version", "source", "acl"}
    fields = {name: value for name, value in asdict(chunk).items() if name not in hidden}
    return {"chunk_id": chunk.chunk_id, **fields}


def version_json(version: ObjectVersion) -> dict[str, Any]:
    return {**asdict(version), "modified_at": version.modified_at.isoformat()}


def document_json(record: DocumentRecord) -> dict[str, Any]:
    """A document's status for people: where it came from and how its last change ended."""
    hidden = {"bucket", "key", "sequencer", "sidecar_sequencer", "etag", "fingerprint", "content_hash"}
    fields = {name: value for name, value in asdict(record).items() if name not in hidden}
    return {"source": record.source, **fields}


def conversation_json(conversation: Conversation) -> dict[str, Any]:
    fields = asdict(conversation)
    del fields["owner"]
    return fields


def turn_json(turn: KeptTurn) -> dict[str, Any]:
    """A question and its answer, as a query's result has them."""
    return {
        "answer_id": turn.answer_id,
        "question": turn.question,
        "asked_at": turn.asked_at,
        "answer": turn.text,
        "sentences": [sentence_json(sentence) for sentence in turn.sentences],
        "withheld_sentences": turn.withheld,
        "refused": turn.refusal is not None,
        "refusal": refusal_json(turn.refusal) if turn.refusal else None,
        "confidence": round(turn.confidence, 4),
        "feedback": asdict(turn.feedback) if turn.feedback else None,
    }


def share_json(share: Share) -> dict[str, Any]:
    return {"share_id": share.share_id, "created_at": share.created_at, "expires_at": share.expires_at}
