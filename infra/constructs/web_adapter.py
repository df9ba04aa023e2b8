"""The Lambda Web Adapter: a layer and a few variables that turn an ASGI app into a streaming function."""

from __future__ import annotations

from aws_cdk import Stack
from aws_cdk.aws_lambda import ILayerVersion, LayerVersion
from constructs import Construct

PORT = "8080"
VERSION = 30
PUBLISHER = "753240598075"
NAMES = {"arm64": "LambdaAdapterLayerArm64", "x86_64": "LambdaAdapterLayerX86"}

ENVIRONMENT = {
    "AWS_LAMBDA_EXEC_WRAPPER": "/opt/bootstrap",
    "AWS_LWA_PORT": PORT,
    "AWS_LWA_INVOKE_MODE": "response_stream",
    "AWS_LWA_ASYNC_INIT": "true",
    "AWS_LWA_READINESS_CHECK_PATH": "/v1/health",
    # The adapter takes a 404 for readiness unless told otherwise, by the first name since 1.0, by the second before.
    "AWS_LWA_READINESS_CHECK_HEALTHY_STATUS": "200-299",
    "AWS_LWA_READINESS_CHECK_MIN_UNHEALTHY_STATUS": "300",
}


def adapter_layer(scope: Construct, *, architecture: str, arn: str | None) -> ILayerVersion:
    """AWS's public layer of the stack's Region, or the one given: other partitions need a copy of their own."""
    public = f"arn:aws:lambda:{Stack.of(scope).region}:{PUBLISHER}:layer:{NAMES[architecture]}:{VERSION}"
    return LayerVersion.from_layer_version_arn(scope, "WebAdapter", arn or public)
