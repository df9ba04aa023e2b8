"""`ragstone documents`, `document`, `delete` and `reingest`: documents one by one, through the API."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from ragstone.cli import show
from ragstone.cli.api import Api
from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.options import EnvOption, JsonOption
from ragstone.errors import UnknownDocument
from ragstone.types import DocumentStatus

ID = re.compile(r"[0-9a-f]{32}")

Names = Annotated[list[str], typer.Argument(metavar="SOURCE…", help="Documents by source or id.")]
Part = Annotated[str, typer.Argument(metavar="[chunks|versions]", help="What of it; its status unless said.")]


def documents(
    env: EnvOption = LOCAL,
    status: Annotated[DocumentStatus | None, typer.Option(help="Only those with it.")] = None,
    prefix: Annotated[str, typer.Option(help="Only those whose source begins so.")] = "",
    as_json: JsonOption = False,
) -> None:
    """List the documents with their statuses."""
    rows = Api(Environment(env)).documents(status=status or "", prefix=prefix)
    if as_json:
        _print_json(rows)
    else:
        show.documents(rows)


def document(
    name: Annotated[str, typer.Argument(metavar="SOURCE", help="A document by source or id.")],
    part: Part = "status",
    env: EnvOption = LOCAL,
    as_json: JsonOption = False,
) -> None:
    """Show a document's status, its chunks, or the versions that the bucket keeps of it."""
    if part not in PARTS:
        raise typer.BadParameter(f"a document has {', '.join(PARTS)}")
    api = Api(Environment(env))
    found = find(api, name)
    rows = [found] if part == "status" else api.entries(f"/v1/documents/{found['document_id']}/{part}", part)
    if as_json:
        _print_json(rows)
    else:
        PARTS[part](rows)


def delete(names: Names, env: EnvOption = LOCAL) -> None:
    """Delete documents from the inbox; what they said stops answering at once."""
    api = Api(Environment(env))
    for found in [find(api, name) for name in names]:
        api.call("DELETE", f"/v1/documents/{found['document_id']}")
        typer.echo(f"{found['source']} is deleted")


def reingest(names: Names, env: EnvOption = LOCAL) -> None:
    """Have documents read anew, as if they were dropped again."""
    api = Api(Environment(env))
    for found in [find(api, name) for name in names]:
        api.call("POST", f"/v1/documents/{found['document_id']}/reingest")
        typer.echo(f"{found['source']} is read anew; see: ragstone document {found['document_id']}")


def find(api: Api, name: str) -> dict[str, Any]:
    """A document by its id or source; raises UnknownDocument. The first in a listing by prefix is the shortest."""
    if ID.fullmatch(name):
        return api.call("GET", f"/v1/documents/{name}")
    first = next(api.documents(prefix=name), None)
    if first is None or first["source"] != name:
        raise UnknownDocument(f"there is no document {name!r}; see: ragstone documents")
    return first


def _print_json(rows: Iterable[dict[str, Any]]) -> None:
    for row in rows:
        typer.echo(json.dumps(row, ensure_ascii=False))


def _show_chunks(rows: Iterable[dict[str, Any]]) -> None:
    for chunk in rows:
        pages = f", page {chunk['page_from']}" if chunk["page_from"] else ""
        place = " > ".join(chunk["section_path"])
        show.console.print(f"[bold]{chunk['ordinal']}[/] {chunk['kind']}{pages}  [dim]{escape(place)}[/]")
        show.console.print(f"{chunk['text']}\n", markup=False)


def _show_versions(rows: Iterable[dict[str, Any]]) -> None:
    table = Table("time", "bytes", "version", "", box=None, pad_edge=False)
    for version in rows:
        marks: Sequence[str] = [name for name in ("current", "deletion") if version[f"is_{name}"]]
        table.add_row(version["modified_at"], str(version["size"]), version["version_id"], ", ".join(marks))
    show.console.print(table)


PARTS = {"status": show.documents, "chunks": _show_chunks, "versions": _show_versions}
