"""A conversation as a document for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ragstone.conversations.values import Conversation, KeptTurn


def markdown(conversation: Conversation, turns: Sequence[KeptTurn]) -> str:
    """Questions as headings, answers with numbered sources; text of users and documents can't break out of its line."""
    blocks = [f"# {_line(conversation.title) or 'Conversation'}", *(_turn(turn) for turn in turns)]
    return "\n\n".join(blocks) + "\n"


def _turn(turn: KeptTurn) -> str:
    return "\n\n".join([f"## {_line(turn.question)}", *_answer(turn)])


def _answer(turn: KeptTurn) -> Iterator[str]:
    if turn.sentences:
        yield " ".join(_line(s.text) + "".join(f" [{c.number}]" for c in s.citations) for s in turn.sentences)
        sources = {c.number: c for s in turn.sentences for c in s.citations}
        yield "\n".join(
            f"{number}. {_line(c.document)}{f', page {c.page}' if c.page else ''}: “{_line(c.quote)}”"
            for number, c in sorted(sources.items())
        )
    if turn.refusal:
        yield f"*{_line(turn.refusal.message)}*"
    if turn.withheld:
        yield f"*{turn.withheld} withheld: they rest on documents that you may not read or that are gone.*"


def _line(text: str) -> str:
    return " ".join(text.split())
