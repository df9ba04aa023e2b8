"""`ragstone benchmark`: strategies measured on passages and questions of your own, with the parts that answer users."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from ragstone.cli import show
from ragstone.cli.measured_index import (
    EMBEDDED,
    EmbedderOption,
    IndexOption,
    LimitOption,
    MeasuredIndex,
    PassagesOption,
    QuestionsOption,
    SeedOption,
    measured_index,
    read_set,
    settings_of,
)
from ragstone.errors import SettingsError
from ragstone.evaluation.benchmark_report import BenchmarkReport, StrategyResult, benchmark_json, benchmark_table
from ragstone.evaluation.benchmark_summary import summarise
from ragstone.evaluation.html import render_benchmark


def benchmark(
    *,
    passages: PassagesOption,
    questions: QuestionsOption,
    index: IndexOption = EMBEDDED,
    embedder: EmbedderOption = None,
    strategies: Annotated[str, typer.Option(help="Names with commas between them.")] = "lexical,dense,hybrid",
    reranker: Annotated[str | None, typer.Option(help="A spec; none unless given.")] = None,
    k: Annotated[str, typer.Option(help="Depths of the metrics.")] = "1,5,10",
    out: Annotated[Path | None, typer.Option("--json", help="Write the report there, and beside it as .html.")] = None,
    answer: Annotated[bool, typer.Option("--answer", help="Answer the questions as well.")] = False,
    limit: LimitOption = None,
    seed: SeedOption = 0,
) -> None:
    """Measure retrieval, confidence and answers on passages and questions of your own."""
    names, ks = [name.strip() for name in strategies.split(",") if name.strip()], _depths(k)
    if not names:
        raise SettingsError("--strategies names none; write for example --strategies lexical,dense,hybrid")
    data = read_set(passages, questions, limit=limit, seed=seed)
    changes = {"strategy": names[0], "strategies_allowed": names, "reranker": reranker or ""}
    with measured_index(data, settings_of(index, embedder).changed(changes)) as made:
        found: dict[str, StrategyResult] = {}
        for name in names:
            show.progress(f"asking {len(data.questions)} questions: {name}")
            found[name] = summarise(asyncio.run(made.measure(name, depth=max(ks), answers=answer)), ks)
        _print(_report(made, found), out)


def _depths(text: str) -> list[int]:
    given = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and int(part) > 0 for part in given):
        raise SettingsError(f"--k is {text!r}; write numbers from 1 with commas between them, for example 1,5,10")
    return [int(part) for part in given]


def _report(made: MeasuredIndex, found: dict[str, StrategyResult]) -> BenchmarkReport:
    gate, questions = made.answering.gate, made.data.questions
    return BenchmarkReport(
        passages=len(made.data.passages),
        questions=len(questions),
        answerable=sum(question.answerable for question in questions),
        index=made.place,
        embedder=made.settings.embedder,
        reranker=made.settings.reranker,
        calibration=made.settings.calibration,
        thresholds={"min_confidence": gate.min_confidence, "min_coverage": gate.min_coverage},
        strategies=found,
    )


def _print(report: BenchmarkReport, out: Path | None) -> None:
    show.console.print(benchmark_table(report), markup=False)
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(benchmark_json(report))
        out.with_suffix(".html").write_text(render_benchmark(report), encoding="utf-8")
