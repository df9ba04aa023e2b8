"""Servers that speak OpenAI's API: where each is, and which key it takes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ragstone.errors import SettingsError
from ragstone.specs import Spec


@dataclass(frozen=True, slots=True)
class Server:
    """`url_variable` overrides `url`; `keyless` ones take any key, and one may be set for a proxy before them.

    `path` is what the API's address has after the one that the provider shows to its customers.
    """

    url_variable: str
    key_variable: str
    url: str = ""
    path: str = ""
    keyless: bool = False


SERVERS: Mapping[str, Server] = {
    "azure": Server("AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY", path="/openai/v1"),
    "compatible": Server("COMPATIBLE_BASE_URL", "COMPATIBLE_API_KEY", keyless=True),
    "gemini": Server("GEMINI_BASE_URL", "GEMINI_API_KEY", "https://generativelanguage.googleapis.com/v1beta/openai"),
    "glm": Server("ZAI_BASE_URL", "ZAI_API_KEY", "https://api.z.ai/api/paas/v4"),
    "lmstudio": Server("LMSTUDIO_BASE_URL", "LMSTUDIO_API_KEY", "http://localhost:1234/v1", keyless=True),
    "ollama": Server("OLLAMA_BASE_URL", "OLLAMA_API_KEY", "http://localhost:11434/v1", keyless=True),
    "openai": Server("OPENAI_BASE_URL", "OPENAI_API_KEY", "https://api.openai.com/v1"),
    "openrouter": Server("OPENROUTER_BASE_URL", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1"),
    "voyage": Server("VOYAGE_BASE_URL", "VOYAGE_API_KEY", "https://api.voyageai.com/v1"),
}
"""By the provider's name in a spec; `compatible` is any other server.

Azure's is its v1 API, whose models are a customer's deployments.
"""


class Connection(NamedTuple):
    """What OpenAI's SDK needs to talk to a server."""

    base_url: str
    api_key: str


def server_of(spec: str) -> Server:
    return SERVERS[Spec.parse(spec).provider]


def connection(
    spec: str, environment: Mapping[str, str] = os.environ, *, servers: Mapping[str, Server] = SERVERS
) -> Connection:
    """The address and key of a spec's server; raises SettingsError that names the variable to set or to correct."""
    server = servers[Spec.parse(spec).provider]
    url = environment.get(server.url_variable) or server.url
    key = environment.get(server.key_variable) or ("none" if server.keyless else "")
    missing = [name for name, value in ((server.url_variable, url), (server.key_variable, key)) if not value]
    if missing:
        where = "set it in the environment or in the secret that RAGSTONE_API_KEYS_SECRET names"
        raise SettingsError(f"{spec} needs {' and '.join(missing)}; {where}")
    if not url.startswith(("http://", "https://")):
        raise SettingsError(f"{server.url_variable} is {url!r}; write the whole address, http://… or https://…")
    return Connection(url.rstrip("/").removesuffix(server.path) + server.path, key)
