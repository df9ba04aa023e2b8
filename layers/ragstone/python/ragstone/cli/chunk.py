"""`ragstone chunk`: how a strategy cuts a local file, without indexing it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from ragstone.composition import build_chunking
from ragstone.ingestion.chunks import Chunked
from ragstone.parsing import parse
from ragstone.settings import Settings
from ragstone.types import Chunk, ChunkKind, ObjectRef, StoredObject

SHOWN = ("ordinal", "kind", "parent", "fragment", "is_back_matter", "page_from", "page_to", "char_from", "char_to")


def settings_of(chunker: str | None, size: int | None, overlap: int | None) -> Settings:
    """The settings of this shell's `RAGSTONE_…` variables with the given changes; raises SettingsError.

    For the section strategy, size and overlap are those of its fragments; unless set, they share a sixth.
    """
    given = {"RAGSTONE_INDEX_URL": "-", **os.environ} | ({"RAGSTONE_CHUNKER": chunker} if chunker else {})
    known = Settings.from_environment(given)
    changes = {"CHUNK_SIZE": size, "CHUNK_OVERLAP": overlap}
    if known.chunker == "section":
        changes = {"FRAGMENT_SIZE": size, "FRAGMENT_OVERLAP": size // 6 if size and overlap is None else overlap}
        changes |= {"SECTION_SIZE": max(size, known.section_size)} if size else {}
    given |= {f"RAGSTONE_{name}": str(value) for name, value in changes.items() if value is not None}
    return Settings.from_environment(given)


def chunked(path: Path, settings: Settings) -> Chunked:
    """The chunks of a local file as ingestion would make them; raises Rejected."""
    content = path.read_bytes()
    stored = StoredObject(ObjectRef("local", f"inbox/{path.name}"), content, etag="")
    return build_chunking(settings).chunks_of(parse(content, source=path.name), stored, "local")


def run(path: Path, settings: Settings, *, as_json: bool) -> None:
    """Print a file's chunks, a JSON object a line or for people."""
    found = chunked(path, settings)
    for chunk in found.chunks:
        shown = json.dumps(_as_json(chunk), ensure_ascii=False) if as_json else _as_text(chunk)
        sys.stdout.write(f"{shown}\n")
    if not as_json:
        sys.stdout.write(f"{_summary(found)}\n")


def _as_json(chunk: Chunk) -> dict[str, Any]:
    fields = {name: getattr(chunk, name) for name in SHOWN}
    return {**fields, "section_path": list(chunk.section_path), "context": chunk.context, "text": chunk.text}


def _as_text(chunk: Chunk) -> str:
    """A line on where the chunk stands, then its text; a parent's is that of its fragments."""
    family = "" if chunk.parent is None else f", fragment {chunk.fragment} of {chunk.parent}"
    pages = f", page {chunk.page_from}" + (f" to {chunk.page_to}" if chunk.page_to != chunk.page_from else "")
    marks = (pages if chunk.page_from else "") + (", back matter" if chunk.is_back_matter else "")
    place = f"{chunk.char_from} to {chunk.char_to} ({chunk.char_to - chunk.char_from} characters)"
    head = f"--- {chunk.ordinal}: {chunk.kind}{family}{marks}, {place}, {chunk.breadcrumb or 'no section'}"
    text = "" if chunk.kind is ChunkKind.PARENT else f"{chunk.text}\n"
    return "\n".join(filter(None, [head, chunk.context and f"({chunk.context})", text]))


def _summary(found: Chunked) -> str:
    sizes = sorted(len(chunk.text) for chunk in found.chunks if chunk.kind is not ChunkKind.PARENT)
    if not sizes:
        return "no chunks: the file holds no text"
    parents = len(found.chunks) - len(sizes)
    median = sizes[len(sizes) // 2]
    return (
        f"{len(sizes)} chunks of {sizes[0]} to {sizes[-1]} characters (median {median}), {parents} parents, "
        f"{found.dropped} dropped"
    )
