"""What the API takes and gives, as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from ragstone.filters import parse_filters
from ragstone.types import Answer, Citation, DocumentRecord, Passage, Query, Refusal, Sentence, Telemetry

MAX_QUESTION = 4_000


class FilterBody(BaseModel):
    """One condition, for example {"field": "metadata.year", "op": "gte", "value": 2024}."""

    model_config = ConfigDict(extra="forbid")

    field: str
    op: str
    value: str | int | float | bool | list[str]


class QueryBody(BaseModel):
    """A question with its conditions; `stream: false` asks for one JSON object instead of events."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION)]
    filters: Annotated[list[FilterBody], Field(max_length=20)] = []
    top_k: Annotated[int | None, Field(ge=1, le=20)] = None
    stream: bool = True

    def to_query(self, *, groups: tuple[str, ...], default_top_k: int) -> Query:
        return Query(
            question=self.question,
            filters=parse_filters([condition.model_dump() for condition in self.filters]),
            top_k=self.top_k or default_top_k,
            groups=groups,
        )


def answer_json(answer: Answer) -> dict[str, Any]:
    """The final JSON of a query."""
    return {
        "answer": answer.text,
        "refused": answer.refused,
        "refusal": refusal_json(answer.refusal) if answer.refusal else None,
        "confidence": round(answer.confidence, 4),
        "citations": [citation_json(citation) for citation in answer.citations],
        "sources": sources_json(answer.passages),
        "telemetry": telemetry_json(answer.telemetry),
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


def telemetry_json(telemetry: Telemetry) -> dict[str, Any]:
    return {
        "stages_ms": {stage: round(ms, 1) for stage, ms in telemetry.stages_ms.items()},
        "tokens": {
            usage.model: {"input": usage.input_tokens, "output": usage.output_tokens} for usage in telemetry.usage
        },
        "cost_usd": telemetry.cost_usd,
        "dropped_sentences": telemetry.dropped_sentences,
    }


def document_json(record: DocumentRecord) -> dict[str, Any]:
    """A document's status for people: where it came from and how its last change ended."""
    hidden = {"bucket", "key", "sequencer", "fingerprint", "content_hash"}
    fields = {name: value for name, value in asdict(record).items() if name not in hidden}
    return {"source": record.source, **fields}
