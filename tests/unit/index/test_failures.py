from __future__ import annotations

from typing import Any

import pytest
from opensearchpy.exceptions import ConnectionTimeout, SSLError

from ragstone.errors import PermanentError, RagstoneError, TransientError
from ragstone.index.failures import translated
from tests.support.scripted_opensearch import Answer, scripted_client

CAUSE = {"type": "t", "reason": "failed to parse", "caused_by": {"type": "t", "reason": "wrong dimension"}}


def outcome(answer: Answer) -> RagstoneError:
    client, _ = scripted_client(answer)
    with pytest.raises(RagstoneError) as raised, translated("ask the node"):
        client.info()
    return raised.value


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_what_may_pass_is_transient(status: int) -> None:
    assert isinstance(outcome((status, {"error": {"reason": "busy"}})), TransientError)


def test_silence_is_transient() -> None:
    error = outcome(ConnectionTimeout("TIMEOUT", "read timed out", TimeoutError()))
    assert isinstance(error, TransientError)
    assert str(error) == "could not ask the node: the server does not answer (read timed out)"


def test_an_untrusted_certificate_is_permanent() -> None:
    error = outcome(SSLError("N/A", "self-signed certificate", OSError()))
    assert isinstance(error, PermanentError)
    assert "certificate is not trusted" in str(error)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (400, {"error": CAUSE}, "failed to parse: wrong dimension (status 400)"),
        (401, {}, "RAGSTONE_INDEX_AUTH"),
        (403, {"error": {"reason": "no permissions"}}, "no permissions (status 403); give the caller's role"),
        (413, {}, "larger than this instance type takes"),
    ],
)
def test_refusals_are_permanent_and_say_why(status: int, body: Any, words: str) -> None:
    error = outcome((status, body))
    assert isinstance(error, PermanentError)
    assert words in str(error)


def test_ragstone_s_own_errors_pass() -> None:
    with pytest.raises(TransientError, match="inner"), translated("ask the node"):
        raise TransientError("inner")
