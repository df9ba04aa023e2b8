"""`ragstone structured`: a table's rows as documents, read here and written to the inbox."""

from __future__ import annotations

import json
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from ragstone.api.tables import preview_json
from ragstone.aws.inbox import S3Inbox
from ragstone.cli import show
from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.inbox import Inbox
from ragstone.cli.options import EnvOption, JsonOption
from ragstone.sidecar import sidecar_json
from ragstone.sources import check_sources
from ragstone.structured.commit import Committed, RowCommit
from ragstone.structured.preview import Preview
from ragstone.structured.preview import preview as preview_of
from ragstone.structured.proposal import Choices, plan
from ragstone.structured.reading import read_table
from ragstone.types import INBOX, SIDECAR_SUFFIX

structured = typer.Typer(no_args_is_help=True, help="Tables: CSV, JSON arrays and JSON Lines.")

TableFile = Annotated[Path, typer.Argument(exists=True, dir_okay=False, metavar="FILE")]
NameOption = Annotated[str | None, typer.Option(help="The rows' folder, or the document; as the file unless said.")]
TemplateOption = Annotated[str | None, typer.Option(help="A row's text, {column} standing for its value.")]
MetadataOption = Annotated[list[str] | None, typer.Option(help="A column to filter by; may be given again.")]
IdOption = Annotated[str | None, typer.Option("--id", help="The column that names rows; '' for their numbers.")]
TitleOption = Annotated[str | None, typer.Option(help="The column of the rows' titles; '' for none.")]
AclOption = Annotated[
    list[str] | None, typer.Option(help="A group that may read it, '' for all; as it was unless said.")
]
PruneOption = Annotated[bool, typer.Option("--prune", help="Remove the folder's rows that the file has no longer.")]


class Mode(StrEnum):
    ROWS = "rows"
    FILE = "file"


ModeOption = Annotated[Mode, typer.Option(help="Each row as a document, or the file as one.")]


@structured.command()
def preview(file: TableFile, as_json: JsonOption = False) -> None:
    """Show what a table holds, and how its rows would be written."""
    with file.open("rb") as content:
        found = preview_of(read_table(content))
    if as_json:
        typer.echo(json.dumps(preview_json(found), ensure_ascii=False, indent=2))
    else:
        _show(found)


@structured.command()
def commit(
    file: TableFile,
    *,
    env: EnvOption = LOCAL,
    name: NameOption = None,
    mode: ModeOption = Mode.ROWS,
    template: TemplateOption = None,
    metadata: MetadataOption = None,
    id_column: IdOption = None,
    title: TitleOption = None,
    acl: AclOption = None,
    prune: PruneOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a table's rows, or the table itself, into the inbox; exit 1 if any row was bad."""
    environment = Environment(env)
    if mode is Mode.FILE:
        typer.echo(_upload(environment, file, name or file.name, acl))
        return
    folder = name or file.stem
    choices = Choices(
        template=template,
        metadata=tuple(filter(None, metadata)) if metadata else None,
        id_column=id_column,
        title_column=title,
        acl=_held(environment, folder) if acl is None else tuple(filter(None, acl)),
    )
    done = _commit_rows(environment, file, folder, choices, prune=prune)
    typer.echo(json.dumps(asdict(done), ensure_ascii=False) if as_json else _told(done, prune=prune))
    raise typer.Exit(int(done.bad_count > 0))


def _commit_rows(environment: Environment, file: Path, folder: str, choices: Choices, *, prune: bool) -> Committed:
    """Row by row: the file is never in memory as a whole."""
    check_sources([folder])
    inbox = S3Inbox(environment.client("s3"), bucket=environment.outputs["DocumentsBucket"])
    with file.open("rb") as content:
        found = preview_of(read_table(content))
        commit = RowCommit(inbox=inbox, folder=folder, plan=plan(found.columns, found.proposal, choices))
        return commit.run(found.rest, prune=prune)


def _held(environment: Environment, folder: str) -> tuple[str, ...]:
    """The access list of the rows that are there: all have that of the first."""
    inbox = S3Inbox(environment.client("s3"), bucket=environment.outputs["DocumentsBucket"])
    first = next(inbox.objects(f"{folder}/"), None)
    return Inbox(environment).held(first.source) if first else ()


def _upload(environment: Environment, file: Path, source: str, acl: list[str] | None) -> str:
    check_sources([source])
    s3, bucket = environment.client("s3"), environment.outputs["DocumentsBucket"]
    if acl is not None:
        sidecar = sidecar_json(acl=tuple(filter(None, acl)))
        s3.put_object(Bucket=bucket, Key=f"{INBOX}{source}{SIDECAR_SUFFIX}", Body=sidecar)
    s3.upload_file(str(file), bucket, f"{INBOX}{source}")
    return f"{source} is in the inbox; see: ragstone document {source}"


def _show(found: Preview) -> None:
    show.console.print(f"{found.format}, {found.encoding}, {len(found.rows)} rows looked at\n", markup=False)
    table = Table("column", "type", "filled", "distinct", "for example", box=None, pad_edge=False)
    for column in found.columns:
        cells: list[Any] = [column.name, column.type, column.filled, column.distinct, " · ".join(column.examples)]
        table.add_row(*(escape(str(cell)) for cell in cells))
    show.console.print(table)
    proposal = found.proposal
    lines = [
        f"\nid: {proposal.id_column or 'the row’s number'}",
        f"title: {proposal.title_column or 'none'}",
        f"metadata: {', '.join(proposal.metadata) or 'none'}",
        "template:",
        *(f"  {line}" for line in proposal.template.splitlines()),
        *(f"row {row.number} is bad: {row.reason}" for row in found.bad),
    ]
    show.console.print("\n".join(lines), markup=False)


def _told(done: Committed, *, prune: bool) -> str:
    lines = [f"{done.written} rows are documents in {done.folder}/"]
    lines += [f"row {row.number} was left out: {row.reason}" for row in done.bad]
    lines += [f"row {each.number}: {each.column!r} is no metadata, being of another type" for each in done.misfits]
    for kind, count, named in (("bad", done.bad_count, done.bad), ("misfit", done.misfit_count, done.misfits)):
        lines += [f"… and {count - len(named)} more {kind} rows"] if count > len(named) else []
    if prune:
        lines.append("nothing was pruned, since rows were bad" if done.pruned is None else f"{done.pruned} rows pruned")
    return "\n".join(lines)
