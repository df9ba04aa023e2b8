"""From a question to an answer whose every sentence was checked, or to a refusal that says why."""

from ragstone.answering.pipeline import Answering

__all__ = ["Answering"]
