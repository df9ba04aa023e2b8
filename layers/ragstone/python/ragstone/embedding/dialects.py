"""How the embedding APIs of OpenAI-compatible servers differ: limits, and how to say what a text is for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ragstone.embedding.remote import Limits


@dataclass(frozen=True, slots=True)
class Dialect:
    """`document` and `query` are sent along with texts of that kind; `read_seconds` is how long a reply may take."""

    limits: Limits
    document: Mapping[str, str] = field(default_factory=dict[str, str])
    query: Mapping[str, str] = field(default_factory=dict[str, str])
    read_seconds: float = 30


_OPENAI = Dialect(Limits(max_texts=256, max_bytes=300_000, max_text_bytes=8_000))  # of 300,000 and 8,192 tokens
# Small models take 512 tokens, in most scripts 3 bytes each, and the server cuts off the rest. The first request
# waits until the model is loaded.
_LOCAL = Dialect(Limits(max_texts=32, max_bytes=49_152, max_text_bytes=1_536), read_seconds=120)

DIALECTS: Mapping[str, Dialect] = {
    "azure": _OPENAI,
    "compatible": _LOCAL,
    "gemini": Dialect(Limits(max_texts=100, max_bytes=300_000, max_text_bytes=6_000)),  # of 2,048 tokens a text
    "glm": Dialect(Limits(max_texts=64, max_bytes=300_000, max_text_bytes=3_000)),  # of 64 texts of 3,072 tokens
    "lmstudio": _LOCAL,
    "ollama": _LOCAL,
    "openai": _OPENAI,
    "openrouter": Dialect(
        Limits(max_texts=100, max_bytes=300_000, max_text_bytes=6_000),  # whatever model stands behind it
        document={"input_type": "search_document"},
        query={"input_type": "search_query"},
    ),
    "voyage": Dialect(
        Limits(max_texts=256, max_bytes=120_000, max_text_bytes=32_000),  # of 1,000, 120,000 and 32,000 tokens
        document={"input_type": "document"},
        query={"input_type": "query"},
    ),
}
"""By the provider's name in a spec. Fields and limits are those of each provider's API reference."""

DIMENSIONS = {
    "openai:text-embedding-3-small": 1_536,
    "openai:text-embedding-3-large": 3_072,
    "openai:text-embedding-ada-002": 1_536,
    "gemini:gemini-embedding-001": 3_072,
    "gemini:gemini-embedding-2": 3_072,
    "voyage:voyage-4-large": 1_024,
    "voyage:voyage-4": 1_024,
    "voyage:voyage-4-lite": 1_024,
}
"""Those that need no request to be known, by spec."""
