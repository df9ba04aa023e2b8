"""`ragstone audit --env` on an index as a deployment makes it, with its settings, chunking and embedder."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from infra.settings import load
from ragstone.aws.generation_pointer import DynamoGenerationPointer
from ragstone.cli.environment import Environment
from ragstone.cli.main import app
from ragstone.composition import build_chunking, build_embedder_for
from ragstone.generations.built_with import generation_of
from ragstone.index import build_index
from ragstone.ingestion.vectors import embedded
from ragstone.parsing import parse
from ragstone.ports import ChunkIndex
from ragstone.settings import Settings
from ragstone.types import Chunk, ChunkKind, Generations, ObjectRef, StoredObject
from tests.support.fixtures_ministack import Account
from tests.support.tables import DOCUMENTS_TABLE, create_documents_table

GUIDE = "# Fares\n\n" + "\n\n".join(f"Tally number {n} costs {n} cents more than the one before." for n in range(200))


@dataclass
class Deployed:
    """The local environment's settings with an index of its own, and what is in it."""

    settings: Settings
    index: ChunkIndex

    def add(self, source: str, text: str, *, lost: int = 0) -> tuple[Chunk, ...]:
        """Index a document's chunks without the first ones, as many as are lost."""
        content = text.encode()
        stored = StoredObject(ObjectRef("documents", f"inbox/{source}"), content, etag="")
        chunks = build_chunking(self.settings).chunks_of(parse(content, source=source), stored, "v1").chunks[lost:]
        self.index.add(embedded(chunks, build_embedder_for(self.settings)))
        return chunks


class Lambda:
    """Answers with the query function's environment."""

    def __init__(self, settings: Settings) -> None:
        self._variables = settings.to_environment()

    def get_function_configuration(self, *, FunctionName: str) -> dict[str, Any]:
        assert FunctionName == "query"
        return {"Environment": {"Variables": self._variables}}


@pytest.fixture
def deployed(account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Deployed:
    create_documents_table(account)
    settings = load("local").runtime(index_url=f"lancedb://{tmp_path}", registry_table=DOCUMENTS_TABLE)
    monkeypatch.setattr(Environment, "outputs", {"QueryFunction": "query"})
    monkeypatch.setattr(Environment, "client", lambda self, service: Lambda(settings))
    monkeypatch.setattr(Environment, "resource", lambda self, service: account.resource(service))
    return Deployed(settings, build_index(settings, build_embedder_for(settings)))


def audited() -> tuple[int, list[str]]:
    result = CliRunner().invoke(app, ["audit", "--env", "dev"])
    return result.exit_code, result.stdout.splitlines()


def test_an_index_as_ingestion_makes_it_passes(deployed: Deployed) -> None:
    chunks = deployed.add("guide.md", GUIDE)
    assert {ChunkKind.PARENT, ChunkKind.TEXT} <= {chunk.kind for chunk in chunks}
    assert audited() == (0, [f"{len(chunks)} chunks, 0 problems, 0 warnings"])


def test_what_is_lost_of_an_index_fails(deployed: Deployed) -> None:
    fragments = deployed.add("guide.md", GUIDE, lost=1)
    code, lines = audited()
    kinds = {line.split(": ")[1] for line in lines[:-1]}
    assert (code, kinds) == (1, {"missing", "orphan"})
    assert lines[-1] == f"{len(fragments)} chunks, {1 + len(fragments)} problems, 0 warnings"


def test_the_index_that_answers_is_the_one_that_is_checked(deployed: Deployed, account: Account) -> None:
    deployed.add("guide.md", GUIDE)
    embedder = build_embedder_for(deployed.settings)
    later = deployed.settings.changed({"index_name": "chunks-later"})
    generation = generation_of(later, dimensions=embedder.dimensions, now=datetime.now(UTC))
    pointer = DynamoGenerationPointer(account.resource("dynamodb"), table=DOCUMENTS_TABLE, name="chunks")
    assert pointer.write(Generations(live=generation, revision=1))
    assert audited() == (0, ["0 chunks, 0 problems, 0 warnings"])
    chunks = Deployed(later, build_index(later, embedder)).add("fares.md", GUIDE)
    assert audited() == (0, [f"{len(chunks)} chunks, 0 problems, 0 warnings"])
