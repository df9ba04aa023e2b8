"""`ragstone replay` and `ragstone reconcile`: what went wrong in ingestion, once more."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from ragstone.aws.dead_letters import DeadLetters
from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.options import EnvOption, JsonOption
from ragstone.errors import RagstoneError

STRETCH_SECONDS = 30
"""Of one call of the function: the AWS client waits for a minute."""


def replay(
    env: EnvOption = LOCAL, limit: Annotated[int | None, typer.Option(min=1, help="At most so many.")] = None
) -> None:
    """Send dead letters back to ingestion, after what they failed on was mended; exit 1 if any could not be moved."""
    environment = Environment(env)
    outputs = environment.outputs
    letters = DeadLetters(
        environment.client("sqs"), dead_letters_url=outputs["IngestDlqUrl"], queue_url=outputs["IngestQueueUrl"]
    )
    moved = failed = 0
    for each in letters.replay(limit=limit):
        about = f"{each.kind} {each.key}" if each.key else f"message {each.message_id}, which is no S3 event"
        typer.echo(f"not moved: {about}: {each.error}" if each.error else f"moved: {about}")
        moved, failed = moved + (not each.error), failed + bool(each.error)
    typer.echo(f"{moved} moved, {failed} not moved")
    raise typer.Exit(int(failed > 0))


def reconcile(
    env: EnvOption = LOCAL,
    fix: Annotated[bool, typer.Option("--fix", help="Ingest anew what differs, remove what is gone.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Compare bucket, registry and index; exit 1 if they differ and nothing was done about it."""
    count = found = 0
    request: dict[str, Any] = {"fix": fix, "seconds": STRETCH_SECONDS}
    while True:
        stretch = _compare(Environment(env), request)
        for finding in stretch["findings"]:
            line = f"{finding['source']}: {finding['problem']}. {finding['message']}"
            typer.echo(json.dumps(finding, ensure_ascii=False) if as_json else line)
        count, found = count + stretch["count"], found + len(stretch["findings"])
        if stretch["position"] is None:
            break
        request["position"] = stretch["position"]
    typer.echo(f"{count} documents compared, {found} out of step{_advice(found, fix=fix)}", err=as_json)
    raise typer.Exit(int(found > 0 and not fix))


def _compare(environment: Environment, request: dict[str, Any]) -> dict[str, Any]:
    """One stretch of the comparison, by the function: only it may reach the index."""
    name = environment.outputs["ReconcileFunction"]
    reply = environment.client("lambda").invoke(FunctionName=name, Payload=json.dumps(request).encode())
    answer: dict[str, Any] = json.loads(reply["Payload"].read())
    if "FunctionError" in reply:
        raise RagstoneError(f"the function {name} failed: {answer.get('errorMessage', answer)}; its log says more")
    return answer


def _advice(found: int, *, fix: bool) -> str:
    if not found:
        return ""
    return ", sent to ingestion or removed" if fix else "; mend it with --fix"
