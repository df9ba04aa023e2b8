"""A report as one page of HTML that needs nothing else."""

from __future__ import annotations

from ragstone.evaluation.report import Report


def render_html(report: Report) -> str:
    """The page; every text from a document, a question or a setting is escaped."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("ragstone.evaluation", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2").render(report=report, number=_number)


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"
