"""What Lambda hands to a handler beside the event."""

from __future__ import annotations

from typing import cast

from aws_lambda_powertools.utilities.typing import LambdaContext


class _Context:
    function_name = "function"
    memory_limit_in_mb = 512
    invoked_function_arn = "arn:aws:lambda:eu-central-1:111122223333:function:function"
    aws_request_id = "1"

    def get_remaining_time_in_millis(self) -> int:
        return 900_000


CONTEXT = cast(LambdaContext, _Context())
