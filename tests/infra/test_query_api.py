from __future__ import annotations

from pathlib import Path

import pytest

from infra.settings import REPOSITORY
from tests.infra.templates import Templates, changed, synthesise, text_of
from tests.support.whole_app import whole_app

ROUTES = 32
POOL = "arn:aws:cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_abc"


def routes(templates: Templates) -> set[str]:
    """Each method with its full path."""
    resources = templates.of_type("AWS::ApiGateway::Resource")

    def path(reference: dict[str, str]) -> str:
        parent = resources.get(reference.get("Ref", ""), {}).get("Properties")
        return f"{path(parent['ParentId'])}/{parent['PathPart']}" if parent else ""

    methods = (m["Properties"] for m in templates.of_type("AWS::ApiGateway::Method").values())
    return {f"{m['HttpMethod']} {path(m['ResourceId'])}" for m in methods}


def test_the_api_has_the_routes_of_the_app(deployed: Templates) -> None:
    paths = whole_app().openapi()["paths"]
    described = {f"{method.upper()} {path}" for path, operations in paths.items() for method in operations}
    served = {*described, "GET /v1/openapi.json", *(f"{method} /mcp" for method in ("GET", "POST", "DELETE"))}
    assert routes(deployed) == served
    assert len(served) == ROUTES


def test_every_response_is_streamed_as_long_as_the_function_may_run(deployed: Templates) -> None:
    """The adapter streams whatever the function answers, so that a buffered route would break."""
    seconds = deployed.one("AWS::Lambda::Function", "Query")["Timeout"]
    for method in deployed.of_type("AWS::ApiGateway::Method").values():
        integration = method["Properties"]["Integration"]
        assert integration["ResponseTransferMode"] == "STREAM"
        assert integration["TimeoutInMillis"] == seconds * 1000
        assert "/response-streaming-invocations" in text_of(integration["Uri"])


def test_the_endpoint_is_regional(deployed: Templates) -> None:
    """An edge-optimised endpoint cuts streams that are idle for 30 seconds."""
    assert deployed.one("AWS::ApiGateway::RestApi")["EndpointConfiguration"] == {"Types": ["REGIONAL"]}


def test_every_method_asks_for_a_signature(deployed: Templates) -> None:
    methods = deployed.of_type("AWS::ApiGateway::Method").values()
    assert [m["Properties"]["AuthorizationType"] for m in methods] == ["AWS_IAM"] * ROUTES


def test_every_method_asks_for_a_token_with_cognito(tmp_path: Path) -> None:
    cognito = changed("dev", "[ragstone]", f'[query]\nauth = "cognito"\nuser_pool_arn = "{POOL}"\n\n[ragstone]')
    templates = synthesise(cognito, tmp_path)
    (authorizer,) = templates.of_type("AWS::ApiGateway::Authorizer")
    methods = [m["Properties"] for m in templates.of_type("AWS::ApiGateway::Method").values()]
    assert {m["AuthorizationType"] for m in methods} == {"COGNITO_USER_POOLS"}
    assert [m["AuthorizerId"] for m in methods] == [{"Ref": authorizer}] * ROUTES
    assert templates.one("AWS::ApiGateway::Authorizer")["ProviderARNs"] == [POOL]


def test_requests_are_throttled_and_logged_without_their_content(deployed: Templates) -> None:
    stage = deployed.one("AWS::ApiGateway::Stage")
    (settings,) = stage["MethodSettings"]
    assert settings["ThrottlingRateLimit"] == 20
    assert settings["ThrottlingBurstLimit"] == 40
    assert settings["DataTraceEnabled"] is False
    assert "requestTime" in stage["AccessLogSetting"]["Format"]


def test_the_adapter_is_asked_to_stream_and_to_wait_until_the_app_is_ready(deployed: Templates) -> None:
    function = deployed.one("AWS::Lambda::Function", "Query")
    variables = function["Environment"]["Variables"]
    assert function["Handler"] == "run.sh"
    assert variables["AWS_LAMBDA_EXEC_WRAPPER"] == "/opt/bootstrap"
    assert variables["AWS_LWA_INVOKE_MODE"] == "response_stream"
    assert variables["AWS_LWA_READINESS_CHECK_PATH"] == "/v1/health"
    assert variables["AWS_LWA_READINESS_CHECK_HEALTHY_STATUS"] == "200-299"
    assert variables["AWS_LWA_READINESS_CHECK_MIN_UNHEALTHY_STATUS"] == "300"


@pytest.mark.parametrize(
    ("architecture", "layer"), [("arm64", "LambdaAdapterLayerArm64"), ("x86_64", "LambdaAdapterLayerX86")]
)
def test_the_adapter_fits_the_architecture(architecture: str, layer: str, tmp_path: Path) -> None:
    environment = changed("dev", "[ragstone]", f'[functions]\narchitecture = "{architecture}"\n\n[ragstone]')
    function = synthesise(environment, tmp_path).one("AWS::Lambda::Function", "Query")
    assert function["Architectures"] == [architecture]
    region = {"Ref": "AWS::Region"}
    arn = {"Fn::Join": ["", ["arn:aws:lambda:", region, f":753240598075:layer:{layer}:30"]]}
    assert arn in function["Layers"]


def test_an_account_may_bring_its_own_adapter(tmp_path: Path) -> None:
    own = "arn:aws-cn:lambda:cn-north-1:123456789012:layer:adapter:1"
    environment = changed("dev", "[ragstone]", f'[query]\nadapter_layer_arn = "{own}"\n\n[ragstone]')
    assert own in synthesise(environment, tmp_path).one("AWS::Lambda::Function", "Query")["Layers"]


def test_the_start_script_can_be_executed() -> None:
    script = REPOSITORY / "functions" / "query" / "run.sh"
    assert script.stat().st_mode & 0o111 == 0o111
    assert script.read_text().startswith("#!/bin/sh\n")
    assert "\r" not in script.read_text()
