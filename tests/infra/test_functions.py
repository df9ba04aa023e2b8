from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from infra.settings import Evaluation, load
from ragstone.settings import Settings
from tests.infra.templates import Templates, as_list, changed, synthesise, text_of

FUNCTIONS = {
    "Ingest": "handler.handler",
    "Query": "run.sh",
    "RepairReplay": "handler.handler",
    "RepairReconcile": "handler.handler",
    "RepairReindex": "handler.handler",
    "EvaluationPlan": "plan.handler",
    "EvaluationBuild": "build.handler",
    "EvaluationEvaluate": "evaluate.handler",
    "EvaluationReport": "report.handler",
}


def variables_of(templates: Templates, function: str) -> dict[str, str]:
    """A function's variables as it would find them, references standing for their values."""
    given: dict[str, Any] = templates.one("AWS::Lambda::Function", function)["Environment"]["Variables"]
    return {name: value if isinstance(value, str) else f"made:{value}" for name, value in given.items()}


@pytest.mark.parametrize("function", FUNCTIONS)
def test_functions_are_made_alike(deployed: Templates, function: str) -> None:
    properties = deployed.one("AWS::Lambda::Function", function)
    assert properties["Runtime"] == "python3.13"
    assert properties["Architectures"] == ["arm64"]
    assert properties["TracingConfig"] == {"Mode": "Active"}
    assert properties["LoggingConfig"]["LogFormat"] == "JSON"
    assert properties["LoggingConfig"]["LogGroup"]["Ref"].startswith(f"{function}Logs")
    assert properties["Handler"] == FUNCTIONS[function]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("name", ["dev", "prod"])
def test_functions_read_their_settings_back(name: str, function: str, request: pytest.FixtureRequest) -> None:
    templates: Templates = request.getfixturevalue(name)
    read = Settings.from_environment(variables_of(templates, function))
    assert read.environment == name
    assert (read.embedder, read.chat_model) == tuple(load(name).ragstone[key] for key in ("embedder", "chat_model"))
    assert "BucketsDocuments" in read.documents_bucket
    assert "BucketsReports" in read.reports_bucket
    assert "DocumentsTable" in read.registry_table
    assert "Search" in read.index_url
    assert (read.index_auth, read.index_profile) == {"dev": ("aoss", "serverless"), "prod": ("es", "domain")}[name]


def test_every_log_group_forgets(dev: Templates, prod: Templates) -> None:
    for templates, days in ((dev, 14), (prod, 90)):
        groups = templates.of_type("AWS::Logs::LogGroup").values()
        assert {group["Properties"].get("RetentionInDays") for group in groups} == {days}


def layers_of(templates: Templates, function: str) -> list[str]:
    """The layers of ours that a function has, without the hashes in their ids."""
    layers = templates.one("AWS::Lambda::Function", function)["Layers"]
    return sorted(layer["Ref"].removeprefix("Layers")[:-8] for layer in layers if "Ref" in layer)


@pytest.mark.parametrize(("function", "group"), [("Ingest", "Ingest"), ("Query", "Query"), ("EvaluationPlan", "Eval")])
def test_a_function_has_the_library_and_its_own_dependencies(deployed: Templates, function: str, group: str) -> None:
    assert layers_of(deployed, function) == sorted(["Ragstone", group])


def test_a_providers_packages_come_with_its_models(tmp_path: Path) -> None:
    environment = changed(
        "dev", "bedrock:global.anthropic.claude-haiku-4-5-20251001-v1:0", "anthropic:claude-haiku-4-5"
    )
    judged = environment.model_copy(update={"evaluation": Evaluation(models=("openai:gpt-5-mini",))})
    templates = synthesise(judged, tmp_path)
    assert layers_of(templates, "Query") == ["QueryAnthropic", "Ragstone"]
    assert layers_of(templates, "EvaluationPlan") == ["EvalAnthropicOpenai", "Ragstone"]


def test_opentelemetry_s_packages_come_with_the_endpoint_of_a_collector(tmp_path: Path) -> None:
    endpoint = 'otlp_endpoint = "https://collector.example.com:4318"'
    templates = synthesise(changed("dev", "[ragstone]", f"[ragstone]\n{endpoint}"), tmp_path)
    assert layers_of(templates, "Query") == ["QueryOtel", "Ragstone"]
    assert layers_of(templates, "Ingest") == ["Ingest", "Ragstone"]
    assert variables_of(templates, "Query")["RAGSTONE_OTLP_ENDPOINT"] == "https://collector.example.com:4318"


def test_functions_may_call_the_models_of_an_index_that_is_to_be_built(tmp_path: Path) -> None:
    models = '[functions]\nmodels = ["openai:text-embedding-3-small", "bedrock:cohere.embed-v4:0"]\n\n[ragstone]'
    templates = synthesise(changed("dev", "[ragstone]", models), tmp_path)
    for function, group in {"Query": "Query", "Ingest": "Ingest", "RepairReindex": "Ingest"}.items():
        assert layers_of(templates, function) == [f"{group}Openai", "Ragstone"]
        assert "foundation-model/cohere.embed-v4:0" in text_of(templates.statements(f"{function}Role"))


def test_packages_and_rights_come_with_every_model_that_may_speak(tmp_path: Path) -> None:
    chosen = """chat_model = "claude-haiku-5-5"
fallback_model = "glm-5"
models_allowed = "bedrock:amazon.nova-lite-v1:0, extractive"
retrieval_model = "bedrock:amazon.nova-micro-v1:0"
"""
    templates = synthesise(
        changed("dev", 'chat_model = "bedrock:global.anthropic.claude-haiku-4-5-20251001-v1:0"', chosen), tmp_path
    )
    assert layers_of(templates, "Query") == ["QueryAnthropicOpenai", "Ragstone"]
    (rights,) = (s for s in templates.statements("QueryRole") if "bedrock:InvokeModel" in as_list(s["Action"]))
    granted = text_of(rights["Resource"])
    for model in ("amazon.nova-lite-v1:0", "amazon.nova-micro-v1:0", "amazon.titan-embed-text-v2:0"):
        assert f"foundation-model/{model}" in granted
    assert "claude" not in granted
