from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from infra.settings import load
from ragstone.settings import Settings
from tests.infra.templates import Templates, changed, synthesise


@pytest.mark.parametrize("function", ["RepairReplay", "RepairReconcile", "RepairReindex"])
def test_all_functions_know_the_queues(deployed: Templates, function: str) -> None:
    given: dict[str, Any] = deployed.one("AWS::Lambda::Function", function)["Environment"]["Variables"]
    read = Settings.from_environment({name: str(value) for name, value in given.items()})
    assert ("IngestionBackfill" if function == "RepairReindex" else "IngestionQueue") in read.ingest_queue_url
    assert "IngestionDeadLetters" in read.dead_letters_url


def test_nothing_is_compared_unless_it_is_asked_for(deployed: Templates) -> None:
    rules = deployed.of_type("AWS::Events::Rule").values()
    assert not [rule for rule in rules if "ScheduleExpression" in rule["Properties"]]
    assert not any(load(name).reconcile.daily for name in ("dev", "prod", "local"))


@pytest.mark.parametrize("fix", [True, False])
def test_a_setting_compares_every_night(tmp_path: Path, fix: bool) -> None:
    wanted = f"[reconcile]\ndaily = true\nfix = {str(fix).lower()}\n\n[ragstone]"
    templates = synthesise(changed("dev", "[ragstone]", wanted), tmp_path)
    rule = templates.one("AWS::Events::Rule", "RepairEveryNight")
    assert rule["ScheduleExpression"] == "cron(30 2 * * ? *)"
    (target,) = rule["Targets"]
    assert target["Arn"]["Fn::GetAtt"][0].startswith("RepairReconcile")
    assert target["Input"] == f'{{"fix":{str(fix).lower()}}}'
