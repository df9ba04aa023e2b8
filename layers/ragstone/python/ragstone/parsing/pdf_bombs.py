"""Streams that unpack to more than can be read, found before anybody unpacks them into memory."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

LARGEST_STREAM = 64_000_000
"""Bytes of one unpacked stream of drawing; pictures, which may be larger, are not unpacked to read text."""

_STREAM = re.compile(rb"\bstream(?:\r\n|\r|\n)")
_LONGEST_HEAD = 4_096
_UNPACKING = re.compile(rb"/(?:FlateDecode|Fl)\b")
_PICTURE = re.compile(rb"/Subtype\s*/Image\b")
_MOST_UNPACKED = 1_032
"""How many bytes one byte of Flate can stand for."""
_PART = 1_000_000


def holds_bomb(content: bytes) -> bool:
    """Whether any of the file's streams unpacks to more than LARGEST_STREAM.

    Streams never lie inside of others, so the bytes tell without opening the file; only those are unpacked, part by
    part, that are long enough for it.
    """
    return any(_unpacked_size(packed, filters) > LARGEST_STREAM for packed, filters in _suspects(content))


def _suspects(content: bytes) -> Iterator[tuple[memoryview, int]]:
    """Each stream that its length and the number of its filters allow to be too large."""
    for match in _STREAM.finditer(content):
        start = match.end()
        head = content[max(0, match.start() - _LONGEST_HEAD) : match.start()].rpartition(b" obj")[2]
        filters = len(_UNPACKING.findall(head))
        if not filters or _PICTURE.search(head):
            continue
        end = content.find(b"endstream", start)
        length = (end if end >= 0 else len(content)) - start
        if length * _MOST_UNPACKED**filters > LARGEST_STREAM:
            yield memoryview(content)[start : start + length], filters


def _unpacked_size(packed: memoryview, filters: int) -> int:
    """The size after all filters, or where it exceeded the limit; what can't be unpacked here counts as nothing."""
    parts: Iterable[bytes] = (bytes(packed[at : at + _PART]) for at in range(0, len(packed), _PART))
    for _ in range(filters):
        parts = _unpacked(parts)
    size = 0
    try:
        for part in parts:
            size += len(part)
            if size > LARGEST_STREAM:
                break
    except zlib.error:
        return size
    return size


def _unpacked(parts: Iterable[bytes]) -> Iterator[bytes]:
    unpacking = zlib.decompressobj()
    for part in parts:
        waiting = part
        while waiting and not unpacking.eof:
            yield unpacking.decompress(waiting, _PART)
            waiting = unpacking.unconsumed_tail
