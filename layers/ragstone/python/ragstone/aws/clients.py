"""AWS clients with time-outs and retries that suit who waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragstone.errors import SettingsError

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient


def bedrock_runtime(*, read_timeout: float, connections: int) -> BedrockRuntimeClient:
    """A Bedrock client for the environment's region and credentials, three attempts a call.

    `read_timeout` is in seconds between two bytes. Raises SettingsError without a region.
    """
    import boto3
    from botocore.config import Config
    from botocore.exceptions import NoRegionError

    config = Config(
        connect_timeout=3,
        read_timeout=read_timeout,
        max_pool_connections=connections,
        retries={"mode": "standard", "total_max_attempts": 3},
    )
    try:
        # The installed stubs know a few services only, so the overloads for the others are unknown.
        return boto3.client("bedrock-runtime", config=config)  # pyright: ignore[reportUnknownMemberType]
    except NoRegionError as error:
        raise SettingsError("bedrock needs a region; set AWS_REGION") from error
