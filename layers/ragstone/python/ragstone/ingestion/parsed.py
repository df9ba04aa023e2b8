"""Keeps what parsing made of a file, so that the same bytes are parsed once: for retries, sidecars and variants."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256

from pydantic import TypeAdapter, ValidationError

from ragstone.ingestion.budget import BATCH_SECONDS, UNLIMITED, Budget, OutOfTime
from ragstone.ports import ObjectStore, ResumableParser
from ragstone.types import ObjectRef, ParsedDocument

PREFIX = "parsed/"
DOCUMENT = TypeAdapter(ParsedDocument)
_JSON = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedParse:
    """Parses like `parse`, or reads back what it returned for the same bytes and name.

    `generation` names all that decides on what it returns. The parts of a long parse are kept too, so that it can go
    on in another turn.
    """

    parse: ResumableParser
    store: ObjectStore
    bucket: str
    generation: str

    def __call__(self, content: bytes, *, source: str, budget: Budget = UNLIMITED) -> ParsedDocument:
        """Raises OutOfTime when the budget ends, and what `parse` raises."""
        digest = sha256(f"{self.generation}|{source}|{sha256(content).hexdigest()}".encode()).hexdigest()
        place = ObjectRef(self.bucket, f"{PREFIX}{digest}.json")
        if (kept := self.store.read(place)) is not None:
            try:
                return DOCUMENT.validate_json(kept.content)
            except ValidationError:
                pass  # written by another release: parsed anew and overwritten
        parts = _Parts(self.store, ObjectRef(self.bucket, f"{PREFIX}{digest}"), budget)
        document = self.parse(content, source=source, keep=parts)
        self.store.write(place, DOCUMENT.dump_json(document), _JSON)
        parts.stop_unless_there_are(BATCH_SECONDS)
        return document


@dataclass(slots=True)
class _Parts:
    """The parts of one file below `folder`; a turn makes at least one, and no more than its budget allows."""

    store: ObjectStore
    folder: ObjectRef
    budget: Budget
    has_made_one: bool = False

    def __call__(self, name: str, make: Callable[[], bytes], *, seconds: float) -> bytes:
        place = ObjectRef(self.folder.bucket, f"{self.folder.key}/{name}.json")
        if (kept := self.store.read(place)) is not None:
            return kept.content
        self.stop_unless_there_are(seconds + BATCH_SECONDS)
        part = make()
        self.store.write(place, part, _JSON)
        self.has_made_one = True
        return part

    def stop_unless_there_are(self, seconds: float) -> None:
        """Raises OutOfTime if this turn has got on and has less time left."""
        if self.has_made_one and not self.budget.allows(seconds):
            raise OutOfTime(self.budget.written)
