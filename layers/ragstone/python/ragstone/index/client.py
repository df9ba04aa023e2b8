"""Connections to OpenSearch: open, by user and password in the URL, or signed for AWS."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ragstone.errors import SettingsError
from ragstone.index.profiles import PROFILES
from ragstone.settings import Settings

if TYPE_CHECKING:
    from opensearchpy import OpenSearch


def connect(settings: Settings) -> OpenSearch:
    """A client for `index_url`; raises SettingsError when signing is asked for and AWS credentials are missing.

    A user and password come from the URL, or else from OPENSEARCH_USERNAME and OPENSEARCH_PASSWORD in the environment,
    which the secret of API keys may hold.
    """
    from opensearchpy import OpenSearch, Urllib3HttpConnection

    return OpenSearch(
        [settings.index_url],
        **_signing(settings),
        connection_class=Urllib3HttpConnection,
        # Vectors hardly shrink, and packing them takes longer than all else that a write does here.
        http_compress=False,
        pool_maxsize=8,
        timeout=PROFILES[settings.index_profile].timeout_s,
        # The client retries at once: right for a broken connection, wrong for a 429, which callers retry later.
        max_retries=2,
        retry_on_status=(502, 503, 504),
        retry_on_timeout=True,
    )


def _basic(environment: Mapping[str, str]) -> dict[str, Any]:
    user, password = (environment.get(name) for name in ("OPENSEARCH_USERNAME", "OPENSEARCH_PASSWORD"))
    return {"http_auth": (user, password)} if user and password else {}


def _signing(settings: Settings) -> dict[str, Any]:
    service = settings.index_auth
    if service == "none":
        return {} if urlsplit(settings.index_url).username else _basic(os.environ)
    if urlsplit(settings.index_url).username:
        raise SettingsError(
            f"RAGSTONE_INDEX_URL names a user, but RAGSTONE_INDEX_AUTH={service} signs with AWS credentials"
        )
    from boto3 import Session
    from opensearchpy import Urllib3AWSV4SignerAuth

    session: Any = Session()
    credentials, region = session.get_credentials(), session.region_name
    if credentials is None or region is None:
        missing = "credentials" if credentials is None else "region: set AWS_REGION"
        raise SettingsError(f"RAGSTONE_INDEX_AUTH={service} signs each request, but there are no AWS {missing}")
    return {"http_auth": Urllib3AWSV4SignerAuth(credentials, region, service)}
