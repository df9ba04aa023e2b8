"""A connection to a node that refuses what an OpenSearch Serverless collection refuses.

What passes is what the index asks of AWS's supported operations (docs.aws.amazon.com, serverless-genref).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from opensearchpy import OpenSearch, Urllib3HttpConnection
from opensearchpy.exceptions import NotFoundError, RequestError

NAMED = "[^_/][^/]*"
SUPPORTED: Mapping[str, str] = {
    "GET": rf"/{NAMED}/_mapping|/{NAMED}/_alias/{NAMED}",
    "POST": rf"/{NAMED}/_(bulk|count|msearch|search)|/_aliases",
    "PUT": rf"/{NAMED}",
    "DELETE": rf"/{NAMED}",
}


class ServerlessConnection(Urllib3HttpConnection):
    """Answers 404 to other operations, and 400 to writes that ask for a refresh."""

    def perform_request(
        self, method: str, url: str, params: Mapping[str, Any] | None = None, *args: Any, **options: Any
    ) -> Any:
        if not re.fullmatch(SUPPORTED.get(method, ""), url):
            raise NotFoundError(404, f"{method} {url} is no operation of a collection", {})
        if (refresh := _text((params or {}).get("refresh", "false"))) != "false":
            raise RequestError(400, f"{refresh} refresh policy is not supported.", {})
        return super().perform_request(method, url, params, *args, **options)


def serverless_client(url: str) -> OpenSearch:
    return OpenSearch([url], connection_class=ServerlessConnection, http_compress=True, timeout=30)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
