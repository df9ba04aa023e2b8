"""Typed errors: what a retry can fix, what it can't, and what the user has to change."""

from __future__ import annotations


class RagstoneError(Exception):
    """Base of every error that Ragstone raises on purpose; `code` is stable, the message is for people."""

    code = "error"


class TransientError(RagstoneError):
    """A retry may help: throttling, time-outs, a server that is down."""

    code = "temporarily_unavailable"


class PermanentError(RagstoneError):
    """A retry can't help: wrong credentials, an unknown model, a request that the service refuses."""

    code = "service_refused"


class Rejected(RagstoneError):
    """A document that can't be indexed, ever: a result with a reason code, not a failure."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class InvalidQuery(RagstoneError):
    """The caller has to change the question or its filters; the message says how."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class SettingsError(RagstoneError):
    """A setting is missing or wrong; the message names it, its value and what is allowed."""

    code = "settings"


class IndexMismatch(SettingsError):
    """The index was built for another embedder or dimension than the settings name."""

    code = "index_mismatch"


class UnknownDocument(RagstoneError):
    """There is no such document, or none that the caller may know of."""

    code = "unknown_document"


class ObjectGone(RagstoneError):
    """A known document's file is no longer in the bucket."""

    code = "object_gone"


class SourceTaken(RagstoneError):
    """A document of this name is there already, and the caller may not read it."""

    code = "source_taken"
