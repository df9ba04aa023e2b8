"""What boto3 raises for Bedrock, for the embedder and the chat model alike."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from json import JSONDecodeError

from ragstone.errors import PermanentError, TransientError
from ragstone.models.failures import Table, translated

_BUSY = (TransientError, "Bedrock limits the rate; try again in a minute")
_FAILED = (TransientError, "Bedrock failed; try again")
_BROKEN = (TransientError, "the connection to Bedrock broke; try again")

# Inside a stream the codes begin with a small letter, so all are looked up in small letters.
TABLE: Table = {
    "throttlingexception": _BUSY,
    "toomanyrequestsexception": _BUSY,
    "serviceunavailableexception": _BUSY,
    "modelnotreadyexception": _BUSY,
    "429": _BUSY,
    "internalserverexception": _FAILED,
    "modelerrorexception": _FAILED,
    "modelstreamerrorexception": _FAILED,
    "modeltimeoutexception": _FAILED,
    "500": _FAILED,
    "502": _FAILED,
    "503": _FAILED,
    "504": _FAILED,
    "accessdeniedexception": (
        PermanentError,
        "access to this model is denied; enable it and grant bedrock:InvokeModel",
    ),
    "resourcenotfoundexception": (PermanentError, "Bedrock does not know this model in this region"),
    "ClientError": (PermanentError, "Bedrock refuses the request"),
    "HTTPClientError": _BROKEN,
    "ConnectionError": _BROKEN,
    "HTTPError": _BROKEN,
    "IncompleteReadError": _BROKEN,
    "ParserError": _BROKEN,
    "NoCredentialsError": (PermanentError, "there are no AWS credentials; set them as for the AWS CLI"),
    "BotoCoreError": (PermanentError, "the AWS client can't be used as it is set up"),
    "ValueError": (TransientError, "Bedrock's reply can't be read"),
}


@contextmanager
def bedrock_failures(spec: str) -> Generator[None]:
    """Raise boto3's errors as TransientError or PermanentError."""
    from botocore.eventstream import ParserError
    from botocore.exceptions import BotoCoreError, ClientError
    from urllib3.exceptions import HTTPError

    try:
        yield
    except ClientError as error:
        reply = error.response
        code = reply.get("Error", {}).get("Code", "")
        sent = reply.get("ResponseMetadata", {})
        codes, headers = (code.lower(), sent.get("HTTPStatusCode")), sent.get("HTTPHeaders")
        raise translated(error, spec=spec, table=TABLE, codes=codes, headers=headers) from error
    except (BotoCoreError, HTTPError, ParserError, JSONDecodeError) as error:
        raise translated(error, spec=spec, table=TABLE) from error
