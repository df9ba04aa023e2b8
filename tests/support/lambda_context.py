"""What Lambda hands to a handler beside the event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from aws_lambda_powertools.utilities.typing import LambdaContext


@dataclass
class _Context:
    remaining_ms: int
    function_name: str = "function"
    memory_limit_in_mb: int = 512
    invoked_function_arn: str = "arn:aws:lambda:eu-central-1:111122223333:function:function"
    aws_request_id: str = "1"

    def get_remaining_time_in_millis(self) -> int:
        return self.remaining_ms


def context(remaining_ms: int = 900_000) -> LambdaContext:
    return cast(LambdaContext, _Context(remaining_ms))


CONTEXT = context()
