"""The one place that makes boto3 clients, with time-outs and retries that suit who waits for them."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

import boto3
from botocore.config import Config
from botocore.exceptions import NoRegionError

from ragstone.errors import SettingsError

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

CONFIG = Config(connect_timeout=3, read_timeout=60, retries={"mode": "standard", "total_max_attempts": 4})

PRESIGNING = Config(signature_version="s3v4", s3={"addressing_style": "virtual"})

# boto3's factories are typed by overloads of every service; only a few services' stubs are installed.
_untyped = cast("Any", boto3)


@cache
def client(service: str) -> Any:
    """A client of an AWS service by its boto3 name; one a process."""
    return _untyped.client(service, config=CONFIG)


@cache
def signing_s3() -> Any:
    """An S3 client whose presigned URLs name the bucket's Region; one a process.

    By default they go to us-east-1's endpoint, which redirects them, and a redirected PUT is refused.
    """
    return _untyped.client("s3", config=CONFIG.merge(PRESIGNING))


@cache
def dynamodb() -> Any:
    """DynamoDB's resource, which speaks Python values instead of typed attributes; one a process."""
    return _untyped.resource("dynamodb", config=CONFIG)


def bedrock_runtime(*, read_timeout: float, connections: int, attempts: int = 3) -> BedrockRuntimeClient:
    """A Bedrock client for the environment's region and credentials, with so many attempts a call.

    `read_timeout` is in seconds between two bytes. Raises SettingsError without a region.
    """
    config = Config(
        connect_timeout=3,
        read_timeout=read_timeout,
        max_pool_connections=connections,
        retries={"mode": "standard", "total_max_attempts": attempts},
    )
    try:
        return _untyped.client("bedrock-runtime", config=config)
    except NoRegionError as error:
        raise SettingsError("bedrock needs a region; set AWS_DEFAULT_REGION") from error
