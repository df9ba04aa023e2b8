"""An index of a benchmark's passages, built for one command, and the options of the commands that measure on it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit
from uuid import uuid4

import typer

from ragstone.answering import Answering
from ragstone.composition import build_answering, build_embedder_for, build_index_for
from ragstone.evaluation.benchmark import Benchmark, Measured
from ragstone.evaluation.benchmark_answers import Answers
from ragstone.evaluation.benchmark_corpus import AllCurrent, BenchmarkCorpus
from ragstone.evaluation.benchmark_files import BenchmarkSet
from ragstone.evaluation.gold import sample
from ragstone.settings import Settings

EMBEDDED = "embedded"
FOLDER = "lancedb://"

PassagesOption = Annotated[Path, typer.Option("--passages", exists=True, dir_okay=False, help="JSONL of passages.")]
QuestionsOption = Annotated[Path, typer.Option("--questions", exists=True, dir_okay=False, help="JSONL of questions.")]
IndexOption = Annotated[str, typer.Option(help="embedded, or the URL of an OpenSearch service.")]
EmbedderOption = Annotated[str | None, typer.Option(help="A spec; RAGSTONE_EMBEDDER unless given.")]
LimitOption = Annotated[int | None, typer.Option(min=1, help="Ask at most so many questions, drawn by --seed.")]
SeedOption = Annotated[int, typer.Option(help="What questions are drawn by.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredIndex:
    """The passages in their index, and the production use case over it."""

    data: BenchmarkSet
    corpus: BenchmarkCorpus
    settings: Settings
    answering: Answering
    place: str

    async def measure(self, strategy: str, *, depth: int, answers: bool = False) -> list[Measured]:
        """Every question once; rankings go down to `depth`."""
        benchmark = Benchmark(
            corpus=self.corpus,
            retriever=self.answering.retriever,
            assess=self.answering.gate.assess,
            answers=Answers(self.answering) if answers else None,
            depth=max(depth, self.settings.top_k),
            top_k=self.settings.top_k,
        )
        return [await benchmark.measure(question, strategy) for question in self.data.questions]


def read_set(passages: Path, questions: Path, *, limit: int | None, seed: int) -> BenchmarkSet:
    """The files' contents, with a sample of the questions if there is a limit; raises InvalidEvaluation."""
    data = BenchmarkSet.read(passages.read_bytes(), questions.read_bytes())
    return replace(data, questions=sample(data.questions, limit=limit, seed=seed))


def settings_of(index: str, embedder: str | None) -> Settings:
    """This shell's `RAGSTONE_…` settings, for an index that only this command uses; raises SettingsError."""
    given = {
        "RAGSTONE_INDEX_URL": f"{FOLDER}/" if index == EMBEDDED else index,
        "RAGSTONE_INDEX_NAME": f"benchmark-{uuid4().hex[:12]}",
    }
    return Settings.from_environment({**os.environ, **given, **({"RAGSTONE_EMBEDDER": embedder} if embedder else {})})


@contextmanager
def measured_index(data: BenchmarkSet, settings: Settings) -> Generator[MeasuredIndex]:
    """Write the passages; the index is dropped in the end."""
    with tempfile.TemporaryDirectory(prefix="ragstone-") as folder:
        is_embedded = settings.index_url.startswith(FOLDER)
        placed = settings.changed({"index_url": f"{FOLDER}{folder}"}) if is_embedded else settings
        index, corpus = build_index_for(placed), BenchmarkCorpus.of(data.passages)
        index.ensure()
        try:
            corpus.write(index, build_embedder_for(placed))
            answering = build_answering(placed, registry=AllCurrent())
            place = EMBEDDED if is_embedded else _without_password(settings.index_url)
            yield MeasuredIndex(data=data, corpus=corpus, settings=placed, answering=answering, place=place)
        finally:
            index.drop()


def _without_password(url: str) -> str:
    return urlsplit(url)._replace(netloc=urlsplit(url).netloc.rpartition("@")[2]).geturl()
