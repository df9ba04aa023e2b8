"""The offline embedder that all peers use, as plain lists."""

from __future__ import annotations

import logging
from pathlib import Path

import wordllama

DIMENSIONS, BATCH = 256, 32


class WordLlama:
    def __init__(self) -> None:
        logging.getLogger().setLevel(logging.WARNING)  # importing wordllama has every request logged
        folder = Path(wordllama.__file__).parent
        self._model = wordllama.WordLlama.load(cache_dir=folder, dim=DIMENSIONS, disable_download=True)

    def embed(self, texts: list[str]) -> list[list[float]]:
        starts = range(0, len(texts), BATCH)
        return [row for at in starts for row in self._model.embed(texts[at : at + BATCH], norm=True).tolist()]
