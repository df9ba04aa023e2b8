from __future__ import annotations

import json
from typing import Any

import pytest

from tests.infra.templates import Templates


@pytest.fixture(scope="module")
def machine(dev: Templates) -> dict[str, Any]:
    """The definition, with CloudFormation's references written as `<name>`."""
    definition = dev.one("AWS::StepFunctions::StateMachine")["DefinitionString"]
    return json.loads("".join(_plain(part) for part in definition["Fn::Join"][1]))


def _plain(part: Any) -> str:
    match part:
        case str():
            return part
        case {"Ref": name} | {"Fn::GetAtt": [name, _]} | {"Fn::ImportValue": name}:
            return f"<{name}>"
        case _:
            raise AssertionError(part)


def path_of(machine: dict[str, Any]) -> list[str]:
    """The states from the start to the first without a next."""
    name, names = machine["StartAt"], list[str]()
    while name:
        names.append(name)
        name = machine["States"][name].get("Next")
    return names


def test_a_run_goes_from_plan_to_gate(machine: dict[str, Any]) -> None:
    assert path_of(machine) == ["NameRun", "DateRun", "Plan", "BuildIndexes", "Evaluate", "Report", "Gate"]
    assert machine["TimeoutSeconds"] == 12 * 3600


def test_the_plan_gets_the_input_with_execution_and_start(machine: dict[str, Any]) -> None:
    states = machine["States"]
    assert (states["NameRun"]["InputPath"], states["NameRun"]["ResultPath"]) == ("$$.Execution.Name", "$.execution")
    assert (states["DateRun"]["InputPath"], states["DateRun"]["ResultPath"]) == (
        "$$.Execution.StartTime",
        "$.started_at",
    )
    assert states["Plan"]["Parameters"]["Payload.$"] == "$"
    assert states["Plan"]["OutputPath"] == "$.Payload"


def test_an_index_is_built_until_it_is_done(machine: dict[str, Any]) -> None:
    build = machine["States"]["BuildIndexes"]
    assert (build["ItemsPath"], build["MaxConcurrency"], build["ResultPath"]) == ("$.variants", 2, None)
    inner = build["ItemProcessor"]
    assert inner["ProcessorConfig"] == {"Mode": "INLINE"}
    assert inner["StartAt"] == "Build"
    assert inner["States"]["Build"]["Parameters"]["Payload"] == {
        "run_id.$": "$.run_id",
        "variant.$": "$.variant",
        "cursor.$": "$.cursor",
    }
    assert inner["States"]["Build"]["Next"] == "IsBuilt"
    choice = inner["States"]["IsBuilt"]
    assert choice["Choices"] == [{"Variable": "$.done", "BooleanEquals": True, "Next": "Built"}]
    assert choice["Default"] == "Build"


def test_questions_come_from_the_manifest_in_the_reports_bucket(machine: dict[str, Any]) -> None:
    evaluate = machine["States"]["Evaluate"]
    reader = evaluate["ItemReader"]
    assert reader["Resource"].endswith(":states:::s3:getObject")
    assert reader["ReaderConfig"] == {"InputType": "JSONL"}
    assert "Reports" in reader["Parameters"]["Bucket"]
    assert reader["Parameters"]["Key.$"] == "$.manifest_key"
    assert evaluate["ItemProcessor"]["ProcessorConfig"] == {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}
    assert evaluate["MaxConcurrency"] == 20
    assert evaluate["Label"] == "Evaluate"
    assert evaluate.get("ToleratedFailurePercentage", 0) == 0


def test_results_of_the_map_are_kept_out_of_the_state(machine: dict[str, Any]) -> None:
    """CDK silently leaves the writer out when the feature flag doesn't fit; a large run would then fail."""
    writer = machine["States"]["Evaluate"]["ResultWriter"]
    assert writer["Resource"].endswith(":states:::s3:putObject")
    assert writer["Parameters"]["Prefix"] == "map-results"
    assert machine["States"]["Evaluate"]["ResultPath"] is None


def test_a_question_is_retried_with_jitter(machine: dict[str, Any]) -> None:
    question = machine["States"]["Evaluate"]["ItemProcessor"]["States"]["EvaluateQuestion"]
    lambdas, failures = question["Retry"]
    assert "Lambda.TooManyRequestsException" in lambdas["ErrorEquals"]
    assert failures["ErrorEquals"] == ["States.TaskFailed"]
    assert {retry["JitterStrategy"] for retry in question["Retry"]} == {"FULL"}


def test_a_wrong_input_is_not_retried(machine: dict[str, Any]) -> None:
    (retry,) = machine["States"]["Plan"]["Retry"]
    assert all(error.startswith("Lambda.") for error in retry["ErrorEquals"])


def test_every_task_ends_in_time(machine: dict[str, Any], dev: Templates) -> None:
    seconds = dev.one("AWS::Lambda::Function", "EvaluationPlan")["Timeout"]
    inner = [machine["States"][name]["ItemProcessor"]["States"] for name in ("BuildIndexes", "Evaluate")]
    states = [state for group in (machine["States"], *inner) for state in group.values()]
    timeouts = [state["TimeoutSeconds"] for state in states if state["Type"] == "Task"]
    assert len(timeouts) == 4
    assert all(timeout > seconds for timeout in timeouts)


def test_a_missed_gate_fails_the_run_and_names_the_report(machine: dict[str, Any]) -> None:
    assert machine["States"]["Report"]["Parameters"]["Payload"] == {"run_id.$": "$.run_id"}
    gate, failed = machine["States"]["Gate"], machine["States"]["GateFailed"]
    assert gate["Choices"] == [{"Variable": "$.passed", "BooleanEquals": True, "Next": "Passed"}]
    assert gate["Default"] == "GateFailed"
    assert machine["States"]["Passed"]["Type"] == "Succeed"
    assert (failed["Type"], failed["Error"]) == ("Fail", "GateFailed")
    assert "$.report" in failed["CausePath"]


def test_runs_are_logged_without_questions(deployed: Templates) -> None:
    properties = deployed.one("AWS::StepFunctions::StateMachine")
    assert properties["LoggingConfiguration"]["Level"] == "ALL"
    assert properties["LoggingConfiguration"]["IncludeExecutionData"] is False
    assert properties["TracingConfiguration"] == {"Enabled": True}


def test_the_machine_reads_its_manifest_and_writes_its_results(deployed: Templates) -> None:
    actions = deployed.actions("EvaluationStateMachineRole")
    assert {"s3:GetObject", "s3:PutObject", "states:StartExecution", "lambda:InvokeFunction"} <= actions
