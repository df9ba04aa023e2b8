"""The one translation of botocore's errors to Ragstone's."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    NoCredentialsError,
    NoRegionError,
    ParamValidationError,
    PartialCredentialsError,
)

from ragstone.errors import PermanentError, TransientError

_CREDENTIALS = "sign in to AWS again, or give the function's role new credentials"
_GRANT = "grant the caller's role what it asks for, in its policy and in that of the resource"
_MISSING = "it is not there in this region; check the name in the settings"
PERMANENT: Mapping[str, str] = {
    "403": _GRANT,
    "AccessDenied": _GRANT,
    "AccessDeniedException": _GRANT,
    "UnauthorizedOperation": _GRANT,
    "ExpiredToken": _CREDENTIALS,
    "ExpiredTokenException": _CREDENTIALS,
    "InvalidAccessKeyId": _CREDENTIALS,
    "InvalidClientTokenId": _CREDENTIALS,
    "SignatureDoesNotMatch": _CREDENTIALS,
    "UnrecognizedClientException": _CREDENTIALS,
    "AWS.SimpleQueueService.NonExistentQueue": _MISSING,
    "NoSuchBucket": _MISSING,
    "QueueDoesNotExist": _MISSING,
    "ResourceNotFoundException": _MISSING,
    "InvalidObjectState": "the object is archived; restore it first",
    "InvalidMessageContents": "the message has characters that a queue does not take; rename the object",
    "ValidationException": "it refuses the request; its keys or indexes are others than the stack makes",
}
"""Services' codes that no retry mends, with what to do; all others pass, throttling and time-outs among them."""

UNUSABLE: Mapping[type[BotoCoreError], str] = {
    NoCredentialsError: _CREDENTIALS,
    PartialCredentialsError: _CREDENTIALS,
    NoRegionError: "set AWS_REGION",
    ParamValidationError: "it does not take these values",
}
"""What the client itself refuses; its other errors are a network's."""


def code_of(error: ClientError) -> str:
    """The service's own code of an error, for example `NoSuchKey`."""
    return error.response.get("Error", {}).get("Code", "")


@contextmanager
def translated(subject: str, advice: Mapping[str, str] | None = None) -> Generator[None]:
    """Raise PermanentError or TransientError that says of the subject ("the table x") what is wrong and what to do.

    `advice` goes before the common table, for codes that mean more here.
    """
    try:
        yield
    except ClientError as error:
        if what_to_do := {**PERMANENT, **(advice or {})}.get(code_of(error)):
            raise PermanentError(f"{subject} can't be used: {what_to_do}") from error
        raise TransientError(f"{subject} does not answer ({error}); try again in a moment") from error
    except BotoCoreError as error:
        if what_to_do := UNUSABLE.get(type(error)):
            raise PermanentError(f"{subject} can't be used: {what_to_do} ({error})") from error
        raise TransientError(f"{subject} can't be reached ({error}); try again in a moment") from error
