"""How answers, documents and refusals look in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from ragstone.evaluation.table import render

PIPED_WIDTH = 160
console = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else PIPED_WIDTH)
COLOURS = {"indexed": "green", "indexed_with_warnings": "yellow", "rejected": "red", "failed": "red"}


def answer(events: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Print an answer while it streams, with its citations; returns the final JSON."""
    final: dict[str, Any] = {}
    for name, data in events:
        match name:
            case "status":
                console.print(f"  … {escape(data['status'])}", style="dim")
            case "reasoning":
                console.print(f"  {escape(data['text'])}", style="dim italic")
            case "clarification":
                console.print(f"  {escape(data['question'])}")
            case "sentence":
                console.print(f"  {escape(data['text'])} {_marks(data['citations'])}")
            case "refusal":
                console.print(f"  [yellow]refused[/] ({data['stage']}: {data['reason']}) {escape(data['message'])}")
                for document in data["nearest"]:
                    console.print(f"    nearest: {escape(document)}", style="dim")
            case "done":
                final = data
                for line in _citations(data["citations"]):
                    console.print(line, style="dim")
            case _:
                pass
    return final


def documents(rows: Iterable[dict[str, Any]]) -> None:
    table = Table("document", "status", "pages", "chunks", "remarks", box=None, pad_edge=False)
    for row in rows:
        status = row["status"]
        remarks = row["message"] or "; ".join(row["warnings"])
        styled = f"[{COLOURS.get(status, 'default')}]{status}[/]"
        table.add_row(escape(row["source"]), styled, str(row["pages"] or ""), str(row["chunks"] or ""), escape(remarks))
    console.print(table)


def report(found: Mapping[str, Any], location: str, folder: Path) -> None:
    """Print an evaluation's table and where its report lies."""
    console.print(render(found), markup=False)
    console.print(f"report.json and report.html: {location} and {_short(folder)}/", markup=False)


def progress(line: str) -> None:
    console.print(f"  · {line}", style="dim", markup=False)


def _short(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _marks(citations: Iterable[dict[str, Any]]) -> str:
    return escape("".join(f"[{citation['number']}]" for citation in citations))


def _citations(citations: Iterable[dict[str, Any]]) -> Iterator[str]:
    for citation in citations:
        page = f", page {citation['page']}" if citation["page"] else ""
        page += f" to {citation['page_to']}" if page and citation.get("page_to") else ""
        yield escape(f"    [{citation['number']}] {citation['document']}{page}: “{citation['quote']}”")
