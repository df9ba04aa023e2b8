from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.answering.phrases import refusal_in
from ragstone.answering.replies import MAX_LINE, ReplyReader
from ragstone.types import Claim, RefusalReason

LINE = '{"sentence": "It runs on Tuesdays.", "passages": [1], "quotes": ["runs on Tuesdays"]}'
PRETTY = '{\n  "sentence": "It runs on Tuesdays.",\n  "passages": [1],\n  "quotes": ["runs on Tuesdays"]\n}'
CLAIM = Claim("It runs on Tuesdays.", (1,), ("runs on Tuesdays",))


def read(text: str, piece: int = 7) -> list[Claim]:
    reader = ReplyReader()
    pieces = [text[start : start + piece] for start in range(0, len(text), piece)]
    return [claim for part in pieces for claim in reader.feed(part)] + list(reader.end())


@pytest.mark.parametrize("piece", [1, 7, 1000])
@pytest.mark.parametrize(
    "reply",
    [
        f"{LINE}\n{LINE}\n",
        f"{LINE}\n\n{LINE}",
        f"```json\n{LINE}\n{LINE}\n```",
        f"[{LINE},\n{LINE}]",
        f"{LINE} {LINE}",
        f"{PRETTY}\n{PRETTY}",
        f"{LINE},{PRETTY}\n",
    ],
)
def test_objects_are_claims_however_the_reply_is_written_and_cut(reply: str, piece: int) -> None:
    assert read(reply, piece) == [CLAIM, CLAIM]


@pytest.mark.parametrize(
    "line",
    ["I am sorry, I can't.", '{"sentence": "x"}', '{"sentence": "cut', '{"sentence": 1, "passages": [], "quotes": []}'],
)
def test_what_is_not_of_the_form_cites_nothing_and_costs_the_next_line_nothing(line: str) -> None:
    first, second = read(f"{line}\n{LINE}")
    assert (first.passages, first.quotes) == ((), ())
    assert second == CLAIM


def test_a_reply_that_says_it_can_t_be_answered_is_a_refusal() -> None:
    [claim] = read('{"unanswerable": true}')
    assert refusal_in(claim.sentence) is RefusalReason.INSUFFICIENT_EVIDENCE


@pytest.mark.parametrize("endless", ["x" * 100_000, '{"sentence": "' + "x" * 100_000, '{"a":' * 30_000, "{\n" * 50_000])
def test_a_reply_without_an_end_is_given_up_in_time(endless: str) -> None:
    reader = ReplyReader()
    claims = [claim for start in range(0, len(endless), 1000) for claim in reader.feed(endless[start : start + 1000])]
    assert claims
    assert all(not claim.quotes and len(claim.sentence) <= MAX_LINE * 2 for claim in claims)


@given(st.text(max_size=300), st.integers(1, 50))
def test_any_text_is_read_without_an_error(text: str, piece: int) -> None:
    assert all(isinstance(claim, Claim) for claim in read(text, piece))
