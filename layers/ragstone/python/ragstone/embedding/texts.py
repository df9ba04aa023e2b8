"""Texts made to fit a provider's limits.

Limits count bytes of UTF-8: a token is at least one byte, so what fits in bytes fits in tokens, whatever the
tokenizer and the script.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def size(text: str) -> int:
    return len(text.encode())


def pieces(text: str, max_bytes: int) -> Iterator[str]:
    """Cut a text into consecutive pieces of at most `max_bytes` (4 or more), never inside a character."""
    encoded = text.encode()
    start = 0
    while start < len(encoded):
        end = start + max_bytes
        while end < len(encoded) and _continues_a_character(encoded[end]):
            end -= 1
        yield encoded[start:end].decode()
        start = end


def batches(texts: Iterable[str], *, max_texts: int, max_bytes: int) -> Iterator[list[str]]:
    """Group texts in order: at most `max_texts`, and count × longest at most `max_bytes` (as if padded).

    A text that is longer than `max_bytes` alone is a batch of its own.
    """
    batch: list[str] = []
    longest = 0
    for text in texts:
        longest = max(longest, size(text))
        if batch and (len(batch) == max_texts or (len(batch) + 1) * longest > max_bytes):
            yield batch
            batch, longest = [], size(text)
        batch.append(text)
    if batch:
        yield batch


def _continues_a_character(byte: int) -> bool:
    return byte & 0b1100_0000 == 0b1000_0000
