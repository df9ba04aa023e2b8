"""The `ragstone` command: one small function a sub-command."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ragstone.aws.failures import translated
from ragstone.cli import ask, documents, repair, show
from ragstone.cli import audit as audit_command
from ragstone.cli import chunk as chunk_command
from ragstone.cli.benchmark import benchmark
from ragstone.cli.calibrate import calibrate
from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.evaluations import Evaluations
from ragstone.cli.inbox import Description, Inbox, files_under
from ragstone.cli.local import running, stack
from ragstone.cli.local.demo import Demo, drop_samples
from ragstone.cli.local.places import REPORTS
from ragstone.cli.options import EnvOption, JsonOption, There
from ragstone.cli.parse import LocalOcr
from ragstone.cli.parse import run as run_parse
from ragstone.cli.parse_tree import run as run_parse_tree
from ragstone.cli.reindex import reindex
from ragstone.cli.structured import structured
from ragstone.errors import RagstoneError

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Drop documents, ask them, measure the answers.")
evaluations = typer.Typer(no_args_is_help=True, help="Evaluation runs.")
local = typer.Typer(no_args_is_help=True, help="The whole stack on this machine.")
app.add_typer(evaluations, name="eval")
app.add_typer(local, name="local")
app.add_typer(structured, name="structured")
ChunkerOption = Annotated[str | None, typer.Option(help="The strategy; section unless RAGSTONE_CHUNKER says another.")]
SizeOption = Annotated[int | None, typer.Option(help="The longest chunk; of section, the longest fragment.")]
OverlapOption = Annotated[int | None, typer.Option(help="What a chunk shares with the one before.")]


app.command()(ask.ask)


@app.command()
def put(
    path: There,
    *,
    env: EnvOption = LOCAL,
    under: str = "",
    title: Annotated[str | None, typer.Option(help="The title of the one file.")] = None,
    metadata: Annotated[list[str] | None, typer.Option(help="NAME=VALUE, of all files; may be given again.")] = None,
    acl: Annotated[list[str] | None, typer.Option(help="A group that may read them; may be given again.")] = None,
    wait: Annotated[bool, typer.Option(help="Wait.")] = True,
) -> None:
    """Drop a file, or a folder's files, into the inbox and wait for their statuses."""
    files = [(file, f"{under.strip('/')}/{source}".lstrip("/")) for file, source in files_under(path)]
    inbox = Inbox(Environment(env))
    dropped = inbox.put(files, Description.parse(title, metadata or (), acl))
    if wait:
        show.documents(inbox.wait(dropped))


for command in (documents.documents, documents.document, documents.delete, documents.reingest):
    app.command()(command)


@app.command()
def parse(
    paths: list[Path],
    as_json: JsonOption = False,
    text: Annotated[bool, typer.Option("--text", help="With the text.")] = False,
    tree: Annotated[bool, typer.Option("--tree", help="Show the sections of one file.")] = False,
    ocr: Annotated[LocalOcr, typer.Option(help="What reads pages without text.")] = "none",
) -> None:
    """Read files, and those in folders, as ingestion would, a line a file."""
    if not tree:
        raise typer.Exit(run_parse(paths, as_json=as_json, with_text=text, ocr=ocr))
    if len(paths) > 1 or not paths[0].is_file():
        raise typer.BadParameter("--tree shows one file; name one that is there")
    raise typer.Exit(run_parse_tree(paths[0]))


@app.command()
def chunk(
    file: There,
    chunker: ChunkerOption = None,
    size: SizeOption = None,
    overlap: OverlapOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the chunks that a strategy makes of a file."""
    chunk_command.run(file, chunk_command.settings_of(chunker, size, overlap), as_json=as_json)


@app.command()
def audit(
    file: Annotated[Path | None, typer.Argument(exists=True)] = None,
    env: Annotated[str | None, typer.Option("--env", help="Check the whole index of this environment.")] = None,
    chunker: ChunkerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check the chunks of a file, or of a whole index; exit 1 if anything is wrong with them."""
    if (file is None) == (env is None):
        raise typer.BadParameter("name a file, or an environment with --env")
    if file is not None:
        settings = chunk_command.settings_of(chunker, None, None)
        raise typer.Exit(audit_command.of_file(file, settings, as_json=as_json))
    raise typer.Exit(audit_command.of_index(Environment(env or LOCAL), as_json=as_json))


for command in (repair.replay, repair.reconcile, reindex, benchmark, calibrate):
    app.command()(command)


@evaluations.command("run")
def run_evaluation(file: There, env: EnvOption = LOCAL, out: Path = REPORTS) -> None:
    """Run an evaluation and print its report; exit 1 if a gate did not hold."""
    run = Evaluations(Environment(env), out).run(file, typer.echo)
    show.report(run.report, run.location, run.folder)
    raise typer.Exit(0 if run.passed else 1)


@local.command()
def up(samples: Annotated[bool, typer.Option(help="Drop the sample documents.")] = True) -> None:
    """Start everything, drop the samples, and keep it running until Ctrl-C."""
    try:
        started = stack.up(show.progress)
        if samples:
            drop_samples(Environment(LOCAL))
        show.console.print(f"\nready: {started.api_url}/v1/query  (Ctrl-C stops everything)")
        while running.read() == started and started.is_ready:
            time.sleep(1)
    except KeyboardInterrupt:
        show.console.print("stopping")
    finally:
        stack.release()


@local.command()
def down() -> None:
    """Stop what runs."""
    typer.echo("stopped" if stack.down() else "nothing runs")


@local.command()
def status() -> None:
    """Say what runs; exit 1 if nothing does."""
    found = running.read()
    if found is None or not found.is_ready:
        typer.echo("not running; start it with: make local")
        raise typer.Exit(1)
    typer.echo(f"AWS endpoint {found.endpoint}\nAPI {found.api_url}")


@local.command()
def demo() -> None:
    """The whole main job, from drop to report."""
    raise typer.Exit(Demo().run())


def main() -> None:
    """Entry point: our own errors are sentences, not tracebacks; a terminated command cleans up like Ctrl-C."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with translated("the environment"):
            app()
    except RagstoneError as error:
        sys.exit(f"ragstone: {error}")
