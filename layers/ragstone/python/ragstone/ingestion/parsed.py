"""Keeps what parsing made of a file, so that the same bytes are parsed once: for retries, sidecars and variants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from pydantic import TypeAdapter, ValidationError

from ragstone.ports import ObjectStore
from ragstone.types import ObjectRef, ParsedDocument

PREFIX = "parsed/"
DOCUMENT = TypeAdapter(ParsedDocument)


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedParse:
    """Parses like `parse`, or reads back what it returned for the same bytes, name and parser generation."""

    parse: Callable[..., ParsedDocument]
    store: ObjectStore
    bucket: str
    generation: int

    def __call__(self, content: bytes, *, source: str) -> ParsedDocument:
        place = self._place(content, source)
        if (kept := self.store.read(place)) is not None:
            try:
                return DOCUMENT.validate_json(kept.content)
            except ValidationError:
                pass  # written by another release: parsed anew and overwritten
        document = self.parse(content, source=source)
        self.store.write(place, DOCUMENT.dump_json(document), "application/json")
        return document

    def _place(self, content: bytes, source: str) -> ObjectRef:
        digest = sha256(f"{self.generation}|{source}|{sha256(content).hexdigest()}".encode()).hexdigest()
        return ObjectRef(self.bucket, f"{PREFIX}{digest}.json")
