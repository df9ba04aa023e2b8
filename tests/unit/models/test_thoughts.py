from hypothesis import given
from hypothesis import strategies as st

from ragstone.models.thoughts import ThoughtFilter

TEXT = st.text(alphabet=st.sampled_from("ab <>/\nthink深"), max_size=40)


def shown(reply: str, size: int) -> str:
    thoughts = ThoughtFilter()
    pieces = [thoughts.text(reply[start : start + size]) for start in range(0, len(reply), size)]
    return "".join(pieces) + thoughts.rest()


@given(thought=TEXT, reply=TEXT, size=st.integers(1, 60))
def test_a_thought_is_left_out_however_the_stream_is_cut(thought: str, reply: str, size: int) -> None:
    unclosed = thought.replace("</think>", "")
    assert shown(f"\n<think>{unclosed}</think>{reply}", size) == reply


@given(reply=TEXT, size=st.integers(1, 60))
def test_a_reply_without_a_thought_comes_whole(reply: str, size: int) -> None:
    whole = f"{{{reply}"
    assert shown(whole, size) == whole


@given(size=st.integers(1, 60))
def test_the_word_inside_a_reply_is_text(size: int) -> None:
    reply = "The tag <think>x</think> marks a thought."
    assert shown(reply, size) == reply


def test_an_unfinished_thought_is_never_shown() -> None:
    assert shown("<think>They ask about fares", 4) == ""


def test_what_only_looks_like_the_start_of_a_thought_is_shown_at_the_end() -> None:
    assert shown(" <thi", 2) == " <thi"


def test_a_reply_is_shown_as_soon_as_it_is_none() -> None:
    thoughts = ThoughtFilter()
    assert [thoughts.text(piece) for piece in ("\n", "<t", "h>", " go")] == ["", "", "\n<th>", " go"]
