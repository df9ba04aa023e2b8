"""Parsing is the work of a function that is paid by the second: nothing may grow with the square of the input."""

from __future__ import annotations

from time import process_time

import pytest

from ragstone.parsing import parse

SIZE = 300_000
SENTENCE = "The harbour office is open from nine to five on working days, and it closes at noon. "
HUGE = {
    "prose.txt": SENTENCE,
    "wrapped.txt": SENTENCE[:70] + "\n",
    "one line.txt": "x",
    "prose.md": f"# A *heading*\n\n{SENTENCE} [link](http://example.org) `code` **bold**\n\n- item\n- item\n\n",
    "table.md": "| a | b |\n|---|---|\n" + "| 1 | two |\n" * 200 + "\n",
    "one line.md": "*a [b `c ",
    "rows.csv": '1,"two, three",some longer text in a cell\n',
    "open quote.csv": '1,"two,three\n',
    "records.jsonl": '{"id": 1, "text": "some longer text", "tags": ["a", "b"]}\n',
    "prose.html": f"<p>{SENTENCE}<b>bold</b></p>",
    "table.html": "<tr><td>1<td>two<td rowspan=2>three",
    "unclosed.html": "<div><b>",
}


@pytest.mark.parametrize("source", sorted(HUGE))
def test_a_repeated_piece_is_read_in_a_moment(source: str) -> None:
    piece = HUGE[source].encode()
    size = SIZE // 4 if source.endswith(".html") else SIZE
    content = b"<table>" * (source == "table.html") + piece * (size // len(piece))
    started = process_time()
    parse(content, source=source)
    assert process_time() - started < 6
