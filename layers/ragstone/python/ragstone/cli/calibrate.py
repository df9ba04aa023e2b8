"""`ragstone calibrate`: weights and thresholds fitted on questions of your own, for a deployment's settings to name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from ragstone.aws.document_registry import DynamoDocumentRegistry
from ragstone.cli import show
from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.live import live_settings
from ragstone.cli.measured_index import (
    EMBEDDED,
    EmbedderOption,
    IndexOption,
    LimitOption,
    SeedOption,
    measured_index,
    read_set,
    settings_of,
)
from ragstone.composition import build_embedder_for, build_retriever
from ragstone.errors import SettingsError
from ragstone.evaluation.benchmark_files import BenchmarkSet
from ragstone.evaluation.calibration import Calibrator, Fitted
from ragstone.evaluation.calibration_cases import Asked, Refusion, SharedChunks
from ragstone.evaluation.corpus import Corpus
from ragstone.evaluation.gold import GoldItem, read_gold, sample
from ragstone.evaluation.table import aligned
from ragstone.evaluation.thresholds import Threshold
from ragstone.retrieval.fusion import FUSIONS
from ragstone.retrieval.selection import Selection
from ragstone.settings import Settings
from ragstone.types import Query

HYBRID = {"strategy": "hybrid", "strategies_allowed": ("hybrid",), "reranker": "", "calibration": ""}
"""Calibrated is what both legs found, by the settings as they are without a calibration."""


def calibrate(
    *,
    dataset: Annotated[Path | None, typer.Argument(exists=True, dir_okay=False, help="Gold questions, JSONL.")] = None,
    env: Annotated[str, typer.Option("--env", help="The environment whose index they are asked of.")] = LOCAL,
    passages: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="As in benchmark.")] = None,
    questions: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="As in benchmark.")] = None,
    index: IndexOption = EMBEDDED,
    embedder: EmbedderOption = None,
    out: Annotated[Path, typer.Option(help="Where the calibration is written.")] = Path("calibration.json"),
    max_over_refusal: Annotated[
        float, typer.Option(min=0, max=1, help="The share of answerable questions that gates may refuse.")
    ] = 0.1,
    folds: Annotated[int, typer.Option(min=2, max=20, help="Of the cross-validation.")] = 5,
    limit: LimitOption = None,
    seed: SeedOption = 0,
) -> None:
    """Fit fusion's weight, confidence and the gates' thresholds on a gold set, or on passages and questions.

    Settings name the file that is written: RAGSTONE_CALIBRATION, a path or an s3:// URI.
    """
    if passages and questions and not dataset:
        data = read_set(passages, questions, limit=limit, seed=seed)
        settings = settings_of(index, embedder).changed(HYBRID)
        asked = _asked_of_set(data, settings)
    elif dataset and not (passages or questions):
        environment = Environment(env)
        settings = live_settings(environment).changed(HYBRID)
        items = sample(read_gold(dataset.read_bytes(), dataset.name), limit=limit, seed=seed)
        asked = _asked_of_items(items, environment, settings)
    else:
        raise SettingsError("name a gold set, or --passages and --questions")
    calibrator = _calibrator(settings, max_over_refusal=max_over_refusal, folds=folds, seed=seed)
    fitted = calibrator.fit(asked)
    show.console.print("\n".join(_lines(fitted, calibrator)), markup=False)
    out.write_bytes(fitted.calibration.to_json())
    show.console.print(f"\nwritten to {out}; set RAGSTONE_CALIBRATION to its path or s3:// URI", markup=False)


def _asked_of_set(data: BenchmarkSet, settings: Settings) -> list[Asked]:
    with measured_index(data, settings) as made:
        shared, retrieve = SharedChunks(), made.answering.retriever.retrieve
        found = ((each, shared.of(retrieve(Query(each.question)))) for each in data.questions)
        return [Asked.of_question(question, evidence, made.corpus) for question, evidence in found]


def _asked_of_items(items: Sequence[GoldItem], environment: Environment, settings: Settings) -> list[Asked]:
    registry = DynamoDocumentRegistry(
        environment.resource("dynamodb"), table=settings.registry_table, namespace=settings.index_name
    )
    shared, retrieve = SharedChunks(), build_retriever(settings, registry=registry).retrieve
    found = ((item, shared.of(retrieve(Query(item.question, groups=item.groups)))) for item in items)
    return [Asked.of_item(item, evidence, Corpus(settings.documents_bucket)) for item, evidence in found]


def _calibrator(settings: Settings, *, max_over_refusal: float, folds: int, seed: int) -> Calibrator:
    selection = Selection(per_document=settings.max_chunks_per_document, collapse=settings.collapse_duplicates)
    return Calibrator(
        embedder=settings.embedder,
        default_weight=build_embedder_for(settings).lexical_weight,
        refusion=Refusion(normalise=FUSIONS[settings.fusion], selection=selection),
        top_k=settings.top_k,
        max_over_refusal=max_over_refusal,
        folds=folds,
        seed=seed,
    )


def _lines(fitted: Fitted, calibrator: Calibrator) -> Iterator[str]:
    calibration, weights, model = fitted.calibration, fitted.weights, fitted.model
    yield from aligned([["lexical weight", "nDCG@10"], *([f"{w:.2f}", f"{x:.4f}"] for w, x in weights.ndcg.items())])
    held_out = "" if weights.held_out is None else f", nDCG@10 of the best on held-out folds {weights.held_out:.4f}"
    yield f"chosen: {calibration.lexical_weight:.2f} (default {calibrator.default_weight:.2f}){held_out}"
    yield f"\nrefusal AUC: plain sum {model.auc_plain:.3f}, model {model.auc_model:.3f} (cross-validated)"
    if calibration.model is None:
        yield "the model is no better: the plain sum stays"
    else:
        yield ", ".join(f"{name} {weight:+.2f}" for name, weight in calibration.model.weights.items())
    yield from _thresholds("min_confidence", fitted.by_confidence, calibration.min_confidence)
    above = f"min_coverage (extractive answers, above min_confidence {calibration.min_confidence:.2f})"
    yield from _thresholds(above, fitted.by_coverage, calibration.min_coverage)


def _thresholds(name: str, found: Sequence[Threshold], chosen: float) -> Iterator[str]:
    """Every fifth step, and the chosen one."""
    yield f"\n{name}"
    shown = [threshold for number, threshold in enumerate(found) if number % 5 == 0 or threshold.value == chosen]
    rows = [
        [f"{t.value:.2f}", f"{t.false_answers:.3f}", f"{t.over_refusals:.3f}", "<" if t.value == chosen else ""]
        for t in shown
    ]
    yield from aligned([["threshold", "false answers", "over-refusals", ""], *rows])
