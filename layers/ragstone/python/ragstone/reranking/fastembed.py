"""FastEmbed: cross-encoders on ONNX Runtime in this process, without PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ragstone.embedding.local import installed
from ragstone.errors import SettingsError
from ragstone.reranking.registry import BuildChatModel, rerankers
from ragstone.text import encodable
from ragstone.types import Reranking

PACKAGE = "fastembed"


class CrossEncoderReranker:
    """By a loaded `fastembed.rerank.cross_encoder.TextCrossEncoder`, whose scores are logits."""

    def __init__(self, encoder: Any, *, model: str) -> None:
        self.spec = f"{PACKAGE}:{model}"
        self._encoder = encoder

    def rerank(self, question: str, texts: Sequence[str]) -> Reranking:
        scores = self._encoder.rerank(encodable(question), list(map(encodable, texts)))
        return Reranking(tuple(map(float, scores)))


@rerankers.register(PACKAGE)
def build(model: str, *, seconds: float, chat_model: BuildChatModel) -> CrossEncoderReranker:
    """A model of FastEmbed's list, downloaded once into `FASTEMBED_CACHE_PATH`; a call can't be cut short."""
    if not model:
        raise SettingsError("fastembed needs a model, for example fastembed:Xenova/ms-marco-MiniLM-L-6-v2")
    installed(PACKAGE)
    try:
        encoder = import_module("fastembed.rerank.cross_encoder").TextCrossEncoder(model)
    except ValueError as error:
        raise SettingsError(f"fastembed:{model} can't be loaded: {error}") from error
    return CrossEncoderReranker(encoder, model=model)
