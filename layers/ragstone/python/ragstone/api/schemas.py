"""What the API takes and gives, as JSON."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from ragstone.filters import parse_filters
from ragstone.types import (
    Answer,
    Chunk,
    Citation,
    DocumentRecord,
    ObjectVersion,
    Passage,
    Query,
    Refusal,
    Sentence,
    Telemetry,
)

MAX_QUESTION = 4_000
CONTENT_TYPE = r"^[\w.+-]+/[\w.+-]+(; ?[\w.-]+=[\w.-]+)*$"
NO_TEXT = re.compile("[\0\ud800-\udfff]")


def _well_formed(value: object) -> object:
    """JSON can write half a surrogate pair and NUL, which no index or model takes: they become U+FFFD."""
    return NO_TEXT.sub("\ufffd", value) if isinstance(value, str) else value


WELL_FORMED = BeforeValidator(_well_formed)
Text = Annotated[str, WELL_FORMED]


class FilterBody(BaseModel):
    """One condition, for example {"field": "metadata.year", "op": "gte", "value": 2024}."""

    model_config = ConfigDict(extra="forbid")

    field: Text
    op: Text
    value: Text | int | float | bool | list[Text]


class QueryBody(BaseModel):
    """A question with its conditions; `stream: false` asks for one JSON object instead of events."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    question: Annotated[str, Field(min_length=1, max_length=MAX_QUESTION), WELL_FORMED]
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


class FileBody(BaseModel):
    """A file that is about to be uploaded; without a content type its name decides."""

    model_config = ConfigDict(extra="forbid")

    source: Text
    content_type: Annotated[str | None, Field(max_length=200, pattern=CONTENT_TYPE)] = None


class UploadBody(BaseModel):
    """Files of one upload, each with a name of its own."""

    model_config = ConfigDict(extra="forbid")

    files: Annotated[list[FileBody], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def names_are_different(self) -> Self:
        counted = Counter(file.source for file in self.files)
        if twice := [source for source, count in counted.items() if count > 1]:
            raise ValueError(f"{', '.join(map(repr, twice))} more than once; give each file a name of its own")
        return self


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
