from __future__ import annotations

import json
from pathlib import Path

import pytest
from aws_cdk import Stack
from aws_cdk.aws_s3 import Bucket

from infra.app import make_app
from ragstone.errors import SettingsError
from tests.infra.templates import SKIP_LAYERS, Templates, changed, synthesise

OUTPUTS = {
    *("DocumentsBucket", "ReportsBucket", "DocumentsTable", "IngestQueueUrl", "IngestDlqUrl", "IngestFunction"),
    *(
        "QueryFunction",
        "ReplayFunction",
        "ReconcileFunction",
        "ReindexFunction",
        "ApiUrl",
        "ApiId",
        "EvaluationStateMachine",
    ),
}
NAME_OF = {
    "AWS::S3::Bucket": "BucketName",
    "AWS::DynamoDB::Table": "TableName",
    "AWS::SQS::Queue": "QueueName",
    "AWS::Lambda::Function": "FunctionName",
    "AWS::IAM::Role": "RoleName",
    "AWS::Logs::LogGroup": "LogGroupName",
    "AWS::StepFunctions::StateMachine": "StateMachineName",
    "AWS::Events::Rule": "Name",
}


@pytest.mark.parametrize("name", ["local", "dev", "prod"])
def test_nag_finds_nothing(name: str, tmp_path: Path) -> None:
    make_app({**SKIP_LAYERS, "env": name}, outdir=str(tmp_path)).synth()
    assert json.loads((tmp_path / "validation-report.json").read_text())["pluginReports"] == []


PINNED = 'account = "123456789012"\nregion = "eu-west-1"\ntermination_protection = false'
SMALL_DOMAIN = 'kind = "domain"\ninstance_type = "t3.small.search"\ninstances = 1\nzones = 1\nmanagers = 0'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("termination_protection = false", PINNED),
        ("retain = false", "retain = false\npoint_in_time_recovery = false"),
        ('kind = "serverless"\nmax_ocus = 2', SMALL_DOMAIN),
        ("bedrock:global.anthropic.claude-haiku-4-5-20251001-v1:0", "extractive"),
    ],
    ids=["pinned account and Region", "no recovery", "small domain", "no profile"],
)
def test_nag_finds_nothing_in_other_settings(old: str, new: str, tmp_path: Path) -> None:
    synthesise(changed("dev", old, new), tmp_path)


def test_nag_fails_the_synthesis_of_what_it_finds(tmp_path: Path) -> None:
    app = make_app({**SKIP_LAYERS, "env": "dev"}, outdir=str(tmp_path))
    Bucket(Stack(app, "Careless"), "Bucket")
    with pytest.raises(RuntimeError, match="AwsSolutions-S10"):
        app.synth()


def test_an_app_without_an_environment_says_how_to_choose_one() -> None:
    with pytest.raises(SettingsError, match="-c env=dev"):
        make_app(SKIP_LAYERS)


def test_stacks_are_named_after_their_environment(tmp_path: Path) -> None:
    app = make_app({**SKIP_LAYERS, "env": "dev"}, outdir=str(tmp_path))
    names = {child.stack_name for child in app.node.children if isinstance(child, Stack)}
    assert names == {"Ragstone-dev-Stateful", "Ragstone-dev-Stateless"}


def test_a_template_without_account_fits_any(dev: Templates) -> None:
    assert "AWS::Region" in json.dumps(dev.stateless)
    assert not json.dumps(dev.stateless).count("arn:aws:lambda:us-east-1")


def test_outputs_have_fixed_keys(deployed: Templates) -> None:
    assert {*deployed.stateful["Outputs"], *deployed.stateless["Outputs"]} >= OUTPUTS


def test_nothing_has_a_physical_name(deployed: Templates) -> None:
    """A named resource can't be replaced, nor be deployed twice in an account."""
    for kind, key in NAME_OF.items():
        resources = deployed.of_type(kind)
        assert resources
        assert not [name for name, resource in resources.items() if key in resource.get("Properties", {})]


def test_production_is_protected_from_deletion(tmp_path: Path) -> None:
    app = make_app({**SKIP_LAYERS, "env": "prod"}, outdir=str(tmp_path))
    assert all(child.termination_protection for child in app.node.children if isinstance(child, Stack))
