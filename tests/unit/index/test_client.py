from __future__ import annotations

from typing import Any

import pytest

from ragstone.errors import SettingsError
from ragstone.index.client import connect
from ragstone.settings import Settings


@pytest.fixture
def no_aws(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, "/nowhere")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return monkeypatch


def connection(settings: Settings) -> Any:
    return connect(settings).transport.get_connection()


def test_a_plain_url_is_open() -> None:
    found = connection(Settings(index_url="http://localhost:9201"))
    assert found.host == "http://localhost:9201"
    assert "authorization" not in found.headers


def test_the_user_of_the_url_signs_in() -> None:
    found = connection(Settings(index_url="https://admin:p%40ss@search.example.org"))
    assert found.host == "https://search.example.org:443"
    assert found.headers["authorization"] == "Basic YWRtaW46cEBzcw=="


def test_the_user_of_the_environment_signs_in_where_the_url_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENSEARCH_USERNAME", "admin")
    monkeypatch.setenv("OPENSEARCH_PASSWORD", "p@ss")
    assert connection(Settings(index_url="https://search.example.org")).headers["authorization"] == (
        "Basic YWRtaW46cEBzcw=="
    )
    assert connection(Settings(index_url="https://me:too@search.example.org")).headers["authorization"] == (
        "Basic bWU6dG9v"
    )


@pytest.mark.parametrize("service", ["es", "aoss"])
def test_aws_requests_are_signed_for_their_service(no_aws: pytest.MonkeyPatch, service: Any) -> None:
    for name, value in (
        ("AWS_ACCESS_KEY_ID", "key"),
        ("AWS_SECRET_ACCESS_KEY", "secret"),
        ("AWS_DEFAULT_REGION", "eu-x"),
    ):
        no_aws.setenv(name, value)
    found = connection(Settings(index_url="https://search.example.org", index_auth=service))
    signed = found.http_auth("GET", "https://search.example.org/", b"")
    assert f"/eu-x/{service}/aws4_request" in signed["Authorization"]


def test_signing_without_credentials_is_a_settings_error(no_aws: pytest.MonkeyPatch) -> None:
    with pytest.raises(SettingsError, match=r"RAGSTONE_INDEX_AUTH=es .* no AWS credentials"):
        connect(Settings(index_url="https://search.example.org", index_auth="es"))


def test_signing_and_a_user_in_the_url_exclude_each_other() -> None:
    with pytest.raises(SettingsError, match="RAGSTONE_INDEX_URL"):
        connect(Settings(index_url="https://user:pass@search.example.org", index_auth="es"))


def test_a_serverless_collection_is_given_time_to_wake_up() -> None:
    assert connection(Settings(index_url="https://a.example.org", index_profile="serverless")).timeout == 40
