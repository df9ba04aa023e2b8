"""The local environment is the deployed one, less what its `[capabilities]` table names."""

from __future__ import annotations

from collections import Counter

from infra.settings import REPOSITORY, load
from tests.infra.templates import Templates

# What each capability, setting or search engine that local.toml does without brings along.
LEFT_OUT = {
    "AWS::Lambda::LayerVersion": 3,  # dependency_layers
    "Custom::S3AutoDeleteObjects": 3,  # auto_delete_objects, with its function and role
    "AWS::Lambda::Function": 1,
    "AWS::IAM::Role": 1,
    "AWS::OpenSearchServerless::CollectionGroup": 1,  # search.kind
    "AWS::OpenSearchServerless::Collection": 1,
    "AWS::OpenSearchServerless::SecurityPolicy": 2,
    "AWS::OpenSearchServerless::AccessPolicy": 1,
}


def types(templates: Templates) -> Counter[str]:
    resources = {**templates.stateful["Resources"], **templates.stateless["Resources"]}
    return Counter(resource["Type"] for resource in resources.values())


def test_local_has_every_resource_but_those_left_out(local: Templates, dev: Templates) -> None:
    assert types(dev) - types(local) == Counter(LEFT_OUT)
    assert types(local) - types(dev) == Counter()


def test_no_deployed_environment_does_without_a_capability() -> None:
    for name in ("dev", "prod"):
        assert all(load(name).capabilities.model_dump().values())
    assert not any(load("local").capabilities.model_dump().values())


def test_local_functions_differ_in_settings_alone(local: Templates, dev: Templates) -> None:
    for function in ("Ingest", "Query", "EvaluationPlan"):
        ours, theirs = (t.one("AWS::Lambda::Function", function) for t in (local, dev))
        for same in ("Handler", "Runtime", "Architectures", "TracingConfig", "MemorySize"):
            assert ours[same] == theirs[same]


def test_local_methods_are_the_deployed_ones_buffered_and_open(local: Templates) -> None:
    for method in local.of_type("AWS::ApiGateway::Method").values():
        assert "ResponseTransferMode" not in method["Properties"]["Integration"]
        assert method["Properties"]["AuthorizationType"] == "NONE"


def test_local_functions_share_an_index_in_the_repository(local: Templates) -> None:
    variables = local.one("AWS::Lambda::Function", "Query")["Environment"]["Variables"]
    assert variables["RAGSTONE_INDEX_URL"] == f"lancedb://{REPOSITORY}/.ragstone/index"
    assert "AWS_LAMBDA_EXEC_WRAPPER" not in variables
