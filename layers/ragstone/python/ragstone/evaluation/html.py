"""Reports as pages of HTML that need nothing else; every text from a document, a question or a setting is escaped."""

from __future__ import annotations

from typing import Any

from ragstone.evaluation.benchmark_report import BINS, CONFUSION, RATES, BenchmarkReport
from ragstone.evaluation.report import Report


def render_html(report: Report) -> str:
    """The page of an evaluation run."""
    return _rendered("report.html.j2", report=report)


def render_benchmark(report: BenchmarkReport) -> str:
    """The page of a benchmark, with a picture of its metrics and of its confidence."""
    labels = {"confusion": CONFUSION, "rates": RATES}
    return _rendered("benchmark.html.j2", report=report, results=report.strategies, bins=BINS, labels=labels)


def _rendered(template: str, **values: Any) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("ragstone.evaluation", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(number=_number, **values)


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
