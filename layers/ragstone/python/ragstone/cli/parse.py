"""`ragstone parse`: what ingestion would make of local files, without indexing them."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from ragstone.errors import Rejected
from ragstone.parsing import parse
from ragstone.types import DocumentStatus, ParsedDocument


@dataclass(frozen=True, slots=True)
class ParseReport:
    """How one file fared; `reason` is None unless it was rejected, `text` unless it was asked for."""

    file: str
    status: DocumentStatus
    reason: str | None = None
    media_type: str = ""
    parser: str = ""
    title: str | None = None
    pages: int = 0
    chars: int = 0
    sections: int = 0
    language: str | None = None
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    text: str | None = None


def run(paths: Sequence[Path], *, as_json: bool, with_text: bool) -> int:
    """Print a line for each file, JSON or for people; 1 if any was rejected, else 0."""
    rejected = False
    for path in paths:
        report = _report(path, with_text=with_text)
        rejected = rejected or report.status is DocumentStatus.REJECTED
        sys.stdout.write(f"{_as_json(report) if as_json else _as_text(report)}\n")
    return int(rejected)


def _report(path: Path, *, with_text: bool) -> ParseReport:
    started = perf_counter()
    try:
        document = parse(path.read_bytes(), source=path.name)
    except (Rejected, OSError) as error:
        reason = f"{error.code}: {error}" if isinstance(error, Rejected) else str(error)
        seconds = round(perf_counter() - started, 3)
        return ParseReport(str(path), DocumentStatus.REJECTED, reason, seconds=seconds)
    return ParseReport(
        file=str(path),
        status=_status(document),
        media_type=document.media_type,
        parser=document.parser,
        title=document.title,
        pages=len(document.pages),
        chars=len(document.text),
        sections=len(document.sections),
        language=document.language,
        warnings=document.warnings,
        seconds=round(perf_counter() - started, 3),
        text=document.text if with_text else None,
    )


def _status(document: ParsedDocument) -> DocumentStatus:
    if not document.text:
        return DocumentStatus.EMPTY
    return DocumentStatus.INDEXED_WITH_WARNINGS if document.warnings else DocumentStatus.INDEXED


def _as_json(report: ParseReport) -> str:
    fields: dict[str, Any] = asdict(report)
    if report.text is None:
        del fields["text"]
    return json.dumps(fields, ensure_ascii=False)


def _as_text(report: ParseReport) -> str:
    if report.reason:
        return f"{report.file}: {report.status}, {report.reason}"
    line = (
        f"{report.file}: {report.status}, {report.media_type} by {report.parser}, {report.pages} pages, "
        f"{report.sections} sections, {report.chars} characters in {report.seconds} s"
    )
    return "\n".join([line, *(f"  {warning}" for warning in report.warnings), *filter(None, [report.text])])
