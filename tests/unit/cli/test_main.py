from __future__ import annotations

import pytest
from botocore.exceptions import ClientError, NoCredentialsError

from ragstone.cli import main as command
from ragstone.errors import RagstoneError


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (RagstoneError("drop it again"), "ragstone: drop it again"),
        (
            ClientError({"Error": {"Code": "ExpiredToken"}}, "PutObject"),
            "ragstone: the environment can't be used: sign",
        ),
        (NoCredentialsError(), "ragstone: the environment can't be used: sign in to AWS again"),
    ],
)
def test_what_goes_wrong_is_a_sentence(monkeypatch: pytest.MonkeyPatch, error: Exception, sentence: str) -> None:
    def fail() -> None:
        raise error

    monkeypatch.setattr(command, "app", fail)
    monkeypatch.setattr(command.signal, "signal", lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        command.main()
    assert str(ended.value).startswith(sentence)
