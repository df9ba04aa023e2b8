"""What botocore's errors say."""

from __future__ import annotations

from botocore.exceptions import ClientError


def code_of(error: ClientError) -> str:
    """The service's own code of an error, for example `NoSuchKey`."""
    return error.response.get("Error", {}).get("Code", "")
