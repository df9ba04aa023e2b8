"""Typed errors: what a retry can fix, what it can't, and what the user has to change."""

from __future__ import annotations


class RagstoneError(Exception):
    """Base of every error that Ragstone raises on purpose; `code` is stable, the message is for people."""

    code = "error"


class TransientError(RagstoneError):
    """A retry may help: throttling, time-outs, a server that is down; `retry_after` is the server's wish in seconds."""

    code = "temporarily_unavailable"

    def __init__(self, message: str = "", *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class PermanentError(RagstoneError):
    """A retry can't help: wrong credentials, an unknown model, a request that the service refuses."""

    code = "service_refused"


class ModelRefused(PermanentError):
    """A model or its provider's content filter declined to reply; the service itself works."""

    code = "model_refused"


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


class NotAllowed(RagstoneError):
    """The caller may read, but not do this; the message says who may."""

    code = "not_allowed"


class SourceTaken(RagstoneError):
    """A document of this name is there already, and the caller may not read it."""

    code = "source_taken"


class UnknownConversation(RagstoneError):
    """The caller has no such conversation, or nothing is shared under such a token."""

    code = "unknown_conversation"


class UnknownAnswer(RagstoneError):
    """The caller has no such answer."""

    code = "unknown_answer"


class ReindexRefused(RagstoneError):
    """A step of building or swapping an index that can't be taken now; the message says what has to be done first."""

    code = "reindex_refused"


class CantResume(RagstoneError):
    """A stream that broke off can't be taken up again."""

    code = "cant_resume"


class OverBudget(RagstoneError):
    """The caller, or all callers together, have spent what the settings grant; there is room again after a while."""

    code = "over_budget"

    def __init__(self, message: str, retry_after_seconds: int) -> None:
        super().__init__(message)
        self.retry_after_seconds = retry_after_seconds
