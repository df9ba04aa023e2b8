"""What of an earlier answer its reader may see now: access may be tightened, and documents deleted, after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ragstone.conversations.values import KeptTurn
from ragstone.ports import DocumentRegistry
from ragstone.types import document_id_of


def visible(turns: Sequence[KeptTurn], groups: Sequence[str], registry: DocumentRegistry) -> tuple[KeptTurn, ...]:
    """The turns without sentences that rest on a document which is gone or which the groups may not read.

    A refusal is kept without the names of the nearest documents, whose access is not known from them.
    """
    cited = {document_id_of(citation.chunk_id) for turn in turns for s in turn.sentences for citation in s.citations}
    current = registry.current(sorted(cited))
    readable = {document for document, version in current.items() if version.readable_by(groups)}
    return tuple(_stripped(turn, readable) for turn in turns)


def _stripped(turn: KeptTurn, readable: set[str]) -> KeptTurn:
    kept = tuple(s for s in turn.sentences if all(document_id_of(c.chunk_id) in readable for c in s.citations))
    refusal = replace(turn.refusal, nearest=()) if turn.refusal else None
    return replace(turn, sentences=kept, withheld=len(turn.sentences) - len(kept), refusal=refusal)
