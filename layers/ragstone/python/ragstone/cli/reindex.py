"""`ragstone reindex`: a new index beside the live one, built from the bucket, and swapped in when it has everything."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.options import EnvOption
from ragstone.errors import RagstoneError, ReindexRefused

STRETCH_SECONDS = 30
"""Of one call of the function: the AWS client waits for a minute."""

PAUSE_SECONDS = 2.0

Setting = Annotated[list[str] | None, typer.Option("--set", help="Another setting of the new index, as NAME=VALUE.")]


def reindex(
    *,
    env: EnvOption = LOCAL,
    embedder: Annotated[str | None, typer.Option(help="The new index's; the deployment's unless said.")] = None,
    chunker: Annotated[str | None, typer.Option(help="The new index's; the deployment's unless said.")] = None,
    setting: Setting = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the index that is half built.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Swap though documents failed.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Swap the index before the last swap in again.")] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Delete the index that is not live.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Show which indexes there are.")] = False,
) -> None:
    """Build a new index from the bucket while the old one answers, swap it in, and keep the old one until --drop.

    Documents are read by the ingest function: stop this command whenever you like, and go on with --resume. Until the
    old index is dropped, every change goes to both.
    """
    if sum((resume, back, drop, status)) > 1:
        raise typer.BadParameter("--resume, --back, --drop and --status exclude each other")
    run = Reindex(Environment(env))
    if status:
        return run.show()
    if drop:
        return run.drop()
    if back:
        return run.swap_back(force=force)
    changes = _changes(embedder, chunker, setting or [])
    return run.build(run.resumed(changes) if resume else run.begun(changes), force=force)


class Reindex:
    """The steps of one environment's reindex function, told to people."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._told = ""

    def begun(self, changes: Mapping[str, str]) -> dict[str, Any]:
        found = self._step("begin", settings=changes)
        typer.echo(f"{found['other']['name']} is begun; {found['live']['name']} goes on answering")
        return found

    def resumed(self, changes: Mapping[str, str]) -> dict[str, Any]:
        if changes:
            raise typer.BadParameter("a half-built index has its settings already; --resume takes no others")
        found = self._step("resume")
        if found["role"] != "building":
            raise ReindexRefused("no index is half built; begin one without --resume")
        return found

    def build(self, found: Mapping[str, Any], *, force: bool) -> None:
        self._complete(found["other"]["name"], force=force, again="--resume")
        self._swap(found["other"]["name"])

    def swap_back(self, *, force: bool) -> None:
        found = self._step("status")
        if found["role"] != "previous":
            raise ReindexRefused("no index is kept from a swap, so there is none to go back to")
        if not force:
            self._complete(found["other"]["name"], force=False, again="--back")
        self._swap(found["other"]["name"])

    def drop(self) -> None:
        dropped = self._step("drop")["dropped"]
        typer.echo(f"{dropped} is deleted" if dropped else "there is no index but the live one")

    def show(self) -> None:
        typer.echo(json.dumps(self._step("status"), indent=2))

    def _complete(self, name: str, *, force: bool, again: str) -> None:
        """Send what the index lacks, and wait until it has everything; raises ReindexRefused for what failed."""
        total = sent = done = failed = 0
        for stretch in self._stretches("send"):
            total, sent = total + stretch["documents"], sent + stretch["sent"]
            self._tell(f"{total} documents looked at, {sent} sent to ingestion")
        for stretch in self._stretches("check"):
            done, failed = done + stretch["documents"], failed + stretch["failed"]
            waiting = f", waiting for {stretch['waiting']}" if stretch["waiting"] else ""
            self._tell(f"{done} of {total} documents are in {name}{waiting}")
            for failure in stretch["failures"]:
                self._tell(f"failed: {failure['source']}: {failure['message']}")
        if failed and not force:
            raise ReindexRefused(
                f"{failed} documents failed, so nothing is swapped. Mend what they failed on and go on with {again}, "
                "or swap without them with --force"
            )

    def _tell(self, line: str) -> None:
        """Once, however often it comes to be true."""
        if line != self._told:
            typer.echo(line)
        self._told = line

    def _swap(self, name: str) -> None:
        found = self._step("swap", name=name)
        typer.echo(f"{name} is live; {found['other']['name']} is kept in step: --back returns to it, --drop deletes it")
        if settings := found["live"]["settings"]:
            typer.echo("write its settings into the environment's file, so that the next one is built alike:")
            for setting, value in settings.items():
                typer.echo(f"  {setting} = {json.dumps(value)}" if value is not None else f"  # {setting} is left out")

    def _stretches(self, step: str) -> Iterator[dict[str, Any]]:
        """Stretch after stretch to the end; where documents are waited for, the same one again."""
        position: Mapping[str, Any] | None = {}
        while position is not None:
            stretch = self._step(step, position=position, seconds=STRETCH_SECONDS)
            yield stretch
            position = stretch["position"]
            if stretch["waiting"]:
                time.sleep(PAUSE_SECONDS)

    def _step(self, step: str, **more: Any) -> dict[str, Any]:
        """One call of the function: only it may reach the index."""
        name = self._environment.outputs["ReindexFunction"]
        payload = json.dumps({"step": step, **more}).encode()
        reply = self._environment.client("lambda").invoke(FunctionName=name, Payload=payload)
        answer: dict[str, Any] = json.loads(reply["Payload"].read())
        if "FunctionError" in reply:
            raise RagstoneError(f"the function {name} failed: {answer.get('errorMessage', answer)}; its log says more")
        if "error" in answer:
            raise ReindexRefused(answer["error"])
        return answer


def _changes(embedder: str | None, chunker: str | None, settings: list[str]) -> dict[str, str]:
    named = {"embedder": embedder, "chunker": chunker}
    changes = {name: value for name, value in named.items() if value is not None}
    for setting in settings:
        name, found, value = setting.partition("=")
        if not found:
            raise typer.BadParameter(f"--set {setting} is not of the form NAME=VALUE")
        changes[name] = value
    return changes
