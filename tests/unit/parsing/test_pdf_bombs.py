from __future__ import annotations

import pytest

from ragstone.parsing.pdf_bombs import LARGEST_STREAM, holds_bomb
from tests.unit.parsing.made_pdf import packed, with_stream


@pytest.mark.parametrize(
    ("times", "filters"), [(1, "/FlateDecode"), (1, "/Fl"), (2, "[/FlateDecode/FlateDecode]"), (2, "[ /Fl /Fl ]")]
)
def test_a_stream_that_unpacks_to_too_much_is_found(times: int, filters: str) -> None:
    assert holds_bomb(with_stream(packed(LARGEST_STREAM + 1, times=times), filters=filters))
    assert not holds_bomb(with_stream(packed(LARGEST_STREAM, times=times), filters=filters))


@pytest.mark.parametrize("content", [b"", b"stream\n", b"obj<</Filter/FlateDecode>>stream\n" + b"\x00" * 100_000])
def test_what_can_t_be_unpacked_is_none(content: bytes) -> None:
    assert not holds_bomb(content)


def test_a_picture_may_be_large() -> None:
    bomb = with_stream(packed(LARGEST_STREAM + 1), filters="/FlateDecode")
    assert not holds_bomb(bomb.replace(b"/Filter /FlateDecode", b"/Filter /FlateDecode/Subtype /Image"))
