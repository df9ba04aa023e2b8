"""AWS clients with time-outs and retries that suit who waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient


def bedrock_runtime(*, read_timeout: float, connections: int) -> BedrockRuntimeClient:
    """A Bedrock client for the environment's region and credentials; three attempts a call, seconds between bytes."""
    import boto3
    from botocore.config import Config

    return boto3.client(
        "bedrock-runtime",
        config=Config(
            connect_timeout=3,
            read_timeout=read_timeout,
            max_pool_connections=connections,
            retries={"mode": "standard", "total_max_attempts": 3},
        ),
    )
