"""How an answer's telemetry and its stages look in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.markup import escape
from rich.table import Table

from ragstone.cli.show import console


def telemetry(found: Mapping[str, Any]) -> None:
    """One line on what an answer took, and one for each part that had to be left out."""
    tokens = sum(used["input"] + used["output"] for used in found["tokens"].values())
    cost = "price unknown" if found["cost_usd"] is None else f"${found['cost_usd']:.4f}"
    parts = [f"{found['stages_ms']['total']:.0f} ms", f"{tokens} tokens", cost, f"cache {found['cache']}"]
    console.print(f"  {' · '.join(parts)}", style="dim", markup=False)
    for missing in found["degraded"]:
        console.print(f"  degraded: {missing}", style="yellow", markup=False)


def stages(spans: Iterable[Mapping[str, Any]]) -> None:
    table = Table("", "stage", "ms", "outcome", "in", "out", box=None, pad_edge=False)
    for number, span in enumerate(spans, 1):
        table.add_row(
            str(number),
            span["stage"],
            f"{span['ms']:.1f}",
            escape(span["outcome"]),
            escape(_values(span["inputs"])),
            escape(_values(span["results"])),
        )
    console.print(table)


def _values(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}" for name, value in values.items()
    )
