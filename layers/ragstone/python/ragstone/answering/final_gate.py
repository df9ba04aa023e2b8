"""Stage 9: nothing verified, or too little of the answer, is a refusal."""

from __future__ import annotations

from dataclasses import dataclass

from ragstone.answering.run import Run
from ragstone.answering.verification import Fault
from ragstone.types import RefusalReason, RefusalStage

DECLINES = {Fault.INSUFFICIENT, Fault.DECLINED}


@dataclass(frozen=True, slots=True)
class FinalGate:
    """Refuses unless at least `min_verified_share` of the sentences that state something were verified."""

    min_verified_share: float = 0.5

    def run(self, run: Run) -> None:
        with run.spans.stage("final_gate") as span:
            stated = len(run.sentences) + sum(n for fault, n in run.faults.items() if fault not in DECLINES)
            share = len(run.sentences) / stated if stated else 0.0
            run.gates |= {"verified_share": share, "min_verified_share": self.min_verified_share}
            span.inputs |= {"released": len(run.sentences), "dropped": run.faults.total()}
            span.results["verified_share"] = share
            span.outcome = "passed"
            if not run.refusal and not (run.sentences and share >= self.min_verified_share):
                run.refuse(*self._why(run))
            if run.refusal:
                span.outcome = f"refused: {run.refusal.reason}"

    def _why(self, run: Run) -> tuple[RefusalStage, RefusalReason]:
        """A model that declined says more than sentences that failed; one that quoted nothing says least."""
        if not run.sentences and run.faults[Fault.INSUFFICIENT]:
            return RefusalStage.GROUNDING, RefusalReason.INSUFFICIENT_EVIDENCE
        if not run.sentences and run.faults[Fault.DECLINED]:
            return RefusalStage.POLICY, RefusalReason.BLOCKED
        quoted = bool(run.sentences) or run.faults.total() > run.faults[Fault.UNCITED]
        return RefusalStage.GROUNDING, RefusalReason.UNSUPPORTED if quoted else RefusalReason.UNCITED
