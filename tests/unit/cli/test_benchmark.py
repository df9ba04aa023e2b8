"""The commands that measure, from files to reports, with the real embedder, index on disk and answerer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from ragstone.answering.calibration import Calibration
from ragstone.cli import calibrate, main
from ragstone.errors import RagstoneError, SettingsError
from ragstone.evaluation.errors import InvalidEvaluation
from ragstone.settings import Settings
from ragstone.types import Evidence, Query
from tests.support.builders import evidence, passage

PASSAGES = [
    {"id": "p1", "title": "Ferry", "text": "The night ferry runs on Tuesdays only. It is painted white."},
    {"id": "p2", "title": "Trams", "text": "Trams are washed on Mondays. Line 2 ends at the harbour."},
    {"id": "p3", "title": "Fares", "text": "A month pass costs forty tallies. Children ride free."},
]
QUESTIONS = [
    {"id": "q1", "question": "When does the night ferry run?", "gold": ["p1"], "reference": "Tuesdays"},
    {"id": "q2", "question": "What does a month pass cost?", "gold": ["p3"], "reference": "forty tallies"},
    {"id": "q3", "question": "Who invented chocolate soufflé?", "answerable": False},
]


@dataclass
class Scripted:
    """Finds one chunk, whose cosine depends on the question."""

    settings: Settings | None = None
    asked: list[Query] = field(default_factory=list[Query])

    def of(self, settings: Settings) -> Scripted:
        self.settings = settings
        return self

    def retrieve(self, query: Query) -> Evidence:
        self.asked.append(query)
        found = passage("The ferry runs on Tuesdays.", cosine=0.7 if "ferry" in query.question else 0.1)
        return evidence(replace(found, lexical_rank=1, dense_rank=1))


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return written(tmp_path, QUESTIONS)


def written(folder: Path, questions: Sequence[object]) -> list[str]:
    for name, rows in (("passages", PASSAGES), ("questions", questions)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return ["--passages", str(folder / "passages.jsonl"), "--questions", str(folder / "questions.jsonl")]


def run(*arguments: str) -> None:
    main.app(list(arguments), standalone_mode=False)


def test_strategies_are_measured_side_by_side(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out" / "report.json"
    run("benchmark", *files, "--strategies", "lexical,hybrid", "--k", "1,2", "--answer", "--json", str(out))
    report = json.loads(out.read_bytes())
    assert (report["passages"], report["questions"], report["answerable"], report["index"]) == (3, 3, 2, "embedded")
    assert list(report["strategies"]) == ["lexical", "hybrid"]
    hybrid = report["strategies"]["hybrid"]
    assert hybrid["metrics"]["recall@1"] == hybrid["metrics"]["mrr"] == 1.0
    assert hybrid["confidence"]["auc"] == 1.0
    assert (hybrid["answers"]["held_before"], hybrid["answers"]["quotations"]) == (1.0, 1.0)
    assert hybrid["answers"]["after"]["refused_unanswerable"] == 1
    assert {"retrieve", "gate", "generate"} <= hybrid["latency_ms"].keys()
    assert "<svg" in out.with_suffix(".html").read_text(encoding="utf-8")
    table = capsys.readouterr().out
    assert "3 questions (2 answerable) over 3 passages; embedded, wordllama" in table
    assert "refusal AUC" in table


def test_an_unknown_strategy_is_refused_with_the_known_ones(files: list[str]) -> None:
    with pytest.raises(SettingsError, match=r"unknown strategy 'telepathic'; known are .*hybrid"):
        run("benchmark", *files, "--strategies", "telepathic")


@pytest.mark.parametrize(("option", "value"), [("--k", "1,zero"), ("--strategies", " , ")])
def test_bad_lists_are_refused_with_an_example(files: list[str], option: str, value: str) -> None:
    with pytest.raises(SettingsError, match="for example"):
        run("benchmark", *files, option, value)


def test_a_sample_is_asked_only(files: list[str], tmp_path: Path) -> None:
    run("benchmark", *files, "--strategies", "dense", "--limit", "1", "--json", str(tmp_path / "r.json"))
    assert json.loads((tmp_path / "r.json").read_bytes())["questions"] == 1


def test_a_calibration_is_written_and_then_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = [{**each, "id": f"{each['id']}-{n}"} for n in range(4) for each in [*QUESTIONS, QUESTIONS[2]]]
    many = [{**each, "id": str(n)} for n, each in enumerate(many)]
    files, out = written(tmp_path, many), tmp_path / "calibration.json"
    run("calibrate", *files, "--folds", "4", "--out", str(out))
    fitted = Calibration.read(out.read_bytes(), "calibration.json")
    assert (fitted.embedder, fitted.measured["false_answer_rate"]) == ("wordllama", 0.0)
    monkeypatch.setenv("RAGSTONE_CALIBRATION", str(out))
    run("benchmark", *files, "--strategies", "hybrid", "--json", str(tmp_path / "r.json"))
    report = json.loads((tmp_path / "r.json").read_bytes())
    assert report["calibration"] == str(out)
    assert report["thresholds"] == {"min_confidence": fitted.min_confidence, "min_coverage": fitted.min_coverage}


def test_too_few_questions_are_refused(files: list[str]) -> None:
    with pytest.raises(InvalidEvaluation, match="needs at least 10 questions"):
        run("calibrate", *files)


def test_calibrate_needs_one_kind_of_questions(files: list[str]) -> None:
    with pytest.raises(SettingsError, match="or --passages and --questions"):
        run("calibrate", *files[:2])


def test_a_missing_calibration_is_named(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAGSTONE_CALIBRATION", "nowhere.json")
    with pytest.raises(RagstoneError, match=r"RAGSTONE_CALIBRATION is 'nowhere.json', and nothing is there"):
        run("benchmark", *files)


def test_gold_questions_are_asked_of_an_environment_s_live_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = tmp_path / "gold.jsonl"
    rows = [
        {"question": "When does the ferry run?", "gold": [{"document": "handbook.pdf", "quote": "on Tuesdays"}]},
        {"question": "Who invented soufflé?", "answerable": False, "groups": ["crew"]},
    ]
    gold.write_text("\n".join(json.dumps({"id": str(n), **rows[n % 2]}) for n in range(8)), encoding="utf-8")
    retriever = Scripted()
    live = Settings(
        index_url="lancedb:///index", documents_bucket="documents", registry_table="registry", calibration="old"
    )
    monkeypatch.setattr(calibrate, "live_settings", lambda environment: live)
    monkeypatch.setattr(calibrate, "build_retriever", lambda settings, registry: retriever.of(settings))
    monkeypatch.setattr(calibrate.Environment, "resource", lambda self, service: Mock())
    run("calibrate", str(gold), "--env", "dev", "--folds", "2", "--out", str(tmp_path / "c.json"))
    assert retriever.settings is not None
    assert (retriever.settings.calibration, retriever.settings.strategy) == ("", "hybrid")
    assert [query.groups for query in retriever.asked[:2]] == [(), ("crew",)]
    assert Calibration.read((tmp_path / "c.json").read_bytes(), "c.json").measured["ndcg"] == 1.0
    assert "false answers  over-refusals" in capsys.readouterr().out
