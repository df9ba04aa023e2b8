"""Why a PDF can't be read, and the sentences that say so."""

from __future__ import annotations

from enum import Enum, auto

from ragstone.errors import Rejected


class Fault(Enum):
    """Why a library can't open a file."""

    LOCKED = auto()
    BROKEN = auto()


class UnreadablePage(Exception):
    """A page that a library can't load; the others of its file may be sound."""


def encrypted(source: str) -> Rejected:
    return Rejected("encrypted", f"{source} needs a password; save it without one and upload it again.")


def damaged(source: str) -> Rejected:
    return Rejected("damaged", f"{source} is damaged: none of its pages can be read; export it again.")


def too_large(source: str) -> Rejected:
    return Rejected("too_large", f"{source} unpacks to more than can be read safely; split it and upload the parts.")
