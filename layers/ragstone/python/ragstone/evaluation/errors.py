"""What can go wrong in an evaluation, beyond a metric that has no value."""

from __future__ import annotations

from ragstone.errors import RagstoneError


class InvalidEvaluation(RagstoneError):
    """The evaluation's input or its dataset has to change; the message names each problem and what is allowed."""

    code = "invalid_evaluation"


class CorpusChanged(RagstoneError):
    """Documents changed while they were indexed, so that the index matches neither the old nor the new corpus."""

    code = "corpus_changed"


class JudgeError(RagstoneError):
    """The judge gave no usable reply: not the JSON that was asked for, cut off, or too late."""

    code = "judge"


class NothingJudged(JudgeError):
    """The judge replied in form but found nothing to give a verdict on."""

    code = "nothing_judged"
