from __future__ import annotations

from itertools import pairwise

from ragstone.chunking import TokenChunker, chunkers
from ragstone.chunking.tokenizers import build_tokenizer
from ragstone.settings import Settings
from tests.support.fake_embedder import FakeEmbedder
from tests.unit.chunking.documents import document

TEXT = "The night ferry runs on Tuesdays only. Die Fähre fährt nachts über den Sund 🛳️ und zurück. " * 20


def test_chunks_have_the_size_in_the_model_s_own_tokens() -> None:
    tokenizer = build_tokenizer("wordllama")
    spans = list(TokenChunker(50, 10, tokenizer).spans(document(TEXT)))
    counts = [len(tokenizer.starts(TEXT[span.start : span.end])) for span in spans]
    assert len(spans) > 10
    assert all(45 <= count <= 52 for count in counts[:-1])  # a cut word may take other tokens than the whole one
    assert all(one.start < other.start < one.end for one, other in pairwise(spans))


def test_the_size_is_in_tokens_whatever_the_unit() -> None:
    settings = Settings(index_url="-", chunker="token", chunk_size=40, chunk_unit="characters")
    chunker = chunkers["token"](settings, FakeEmbedder)
    assert chunker.fingerprint == "token-40-4-wordllama"
    assert max(span.end - span.start for span in chunker.spans(document(TEXT))) > 80
