"""The main job from drop to report, each step held against what samples/demo.toml expects of it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from ragstone.cli import show
from ragstone.cli.api import Api
from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.evaluations import Evaluations
from ragstone.cli.inbox import Inbox, files_under
from ragstone.cli.local import script, stack
from ragstone.cli.local.places import REPORTS, SAMPLES
from ragstone.cli.local.script import Script


@dataclass(slots=True)
class Demo:
    """One run of the demo against a fresh local environment; `failures` says which outcomes were unexpected."""

    script: Script = field(default_factory=lambda: script.read(SAMPLES / "demo.toml"))
    environment: Environment = field(default_factory=lambda: Environment(LOCAL))
    failures: list[str] = field(default_factory=list[str])

    def run(self) -> int:
        """Zero if every step's outcome was the expected one."""
        started = monotonic()
        try:
            with _step("1  The local environment"):
                stack.up(show.progress)
            self.drop()
            self.ask()
            self.refuse()
            self.change()
            self.evaluate()
        finally:
            with _step("7  Stopping what was started"):
                stack.release()
        for failure in self.failures:
            show.console.print(f"[red]unexpected:[/] {failure}")
        verdict = f"[red]{len(self.failures)} unexpected[/]" if self.failures else "[green]all as expected[/]"
        show.console.print(f"\n{verdict}, {monotonic() - started:.0f} s in all")
        return 1 if self.failures else 0

    def drop(self) -> None:
        with _step("2  Dropping the sample documents into S3"):
            for row in drop_samples(self.environment):
                expected = self.script.statuses[row["source"]]
                found = (row["status"].removesuffix("_with_warnings"), row["reason"])
                self._expect(found == (expected.status, expected.reason), f"{row['source']} ended as {found}")

    def ask(self) -> None:
        with _step("3  Questions that the documents answer"):
            for case in self.script.answered:
                final = self._asked(case.question, case.name)
                cited = {(c["document"], c["page"] if case.page else None) for c in final["citations"]}
                self._expect(all(words in final["answer"] for words in case.contains), f"wrong answer: {case.question}")
                self._expect((case.document, case.page) in cited, f"wrong citation: {case.question}")

    def refuse(self) -> None:
        with _step("4  Questions that they don't answer"):
            for case in self.script.refused:
                self._expect_refusal(self._asked(case.question, case.name), case.question)

    def change(self) -> None:
        with _step("5  Overwriting one document, deleting another"):
            inbox, update, delete = Inbox(self.environment), self.script.update, self.script.delete
            for question, words in ((update.question, update.before), (delete.question, delete.before)):
                self._expect_answer(self._asked(question, "before"), words)
            inbox.wait(inbox.put([(SAMPLES / update.replacement, update.document)]), show.progress)
            inbox.wait(inbox.delete(delete.document), show.progress)
            self._expect_answer(self._asked(update.question, f"after overwriting {update.document}"), update.after)
            self._expect_refusal(self._asked(delete.question, f"after deleting {delete.document}"), delete.question)

    def evaluate(self) -> None:
        with _step("6  Measuring it: a Step Functions run over the gold questions"):
            run = Evaluations(self.environment, REPORTS).run(SAMPLES / self.script.evaluation, show.progress)
            show.report(run.report, run.location, run.folder)
            self._expect(run.passed, f"evaluation {run.run_id} did not pass its gates")

    def _asked(self, question: str, name: str) -> dict[str, Any]:
        show.console.print(f"\n[bold]{question}[/]  [dim]({name})[/]")
        return show.answer(Api(self.environment).ask({"question": question}))

    def _expect_answer(self, final: dict[str, Any], words: str) -> None:
        self._expect(words in final["answer"], f"the answer lacks {words!r}")

    def _expect_refusal(self, final: dict[str, Any], question: str) -> None:
        self._expect(final["refused"] and not final["citations"], f"answered instead of refused: {question}")

    def _expect(self, holds: bool, failure: str) -> None:
        if not holds:
            self.failures.append(failure)
            show.console.print(f"  [red]unexpected:[/] {failure}")


def drop_samples(environment: Environment) -> list[dict[str, Any]]:
    """Drop the sample documents, wait for their statuses and show them."""
    inbox = Inbox(environment)
    rows = inbox.wait(inbox.put(files_under(SAMPLES / "documents")), show.progress)
    show.documents(sorted(rows, key=lambda row: row["source"]))
    return rows


@contextmanager
def _step(title: str) -> Generator[None]:
    show.console.print(f"\n[bold cyan]{title}[/]")
    started = monotonic()
    yield
    show.console.print(f"[dim]  {monotonic() - started:.1f} s[/]")
