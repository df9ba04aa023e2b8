"""How long a text an embedder takes in one piece, by its spec, without making it."""

from __future__ import annotations

from ragstone.embedding import bedrock, fastembed, sentence_transformers
from ragstone.embedding.dialects import DIALECTS
from ragstone.embedding.local import BYTES_PER_TOKEN
from ragstone.specs import Spec


def longest_text(spec: str) -> int | None:
    """Bytes of UTF-8; a longer text gets the mean of its pieces' vectors. None: any length, or not known."""
    provider, model = Spec.parse(spec)
    match provider:
        case _ if provider in DIALECTS:
            return DIALECTS[provider].limits.max_text_bytes
        case "bedrock":
            return next((f.limits.max_text_bytes for name, f in bedrock.FAMILIES.items() if name in model), None)
        case fastembed.PACKAGE:
            return fastembed.MAX_TOKENS * BYTES_PER_TOKEN
        case sentence_transformers.PACKAGE:
            return sentence_transformers.MAX_TOKENS * BYTES_PER_TOKEN
        case _:
            return None
