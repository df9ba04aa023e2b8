"""`ragstone parse`: what ingestion would make of local files, without indexing them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Literal

from ragstone.cli.inbox import files_under
from ragstone.errors import Rejected
from ragstone.ingestion import outcomes
from ragstone.parsing.isolated import IsolatedParser, Limits
from ragstone.parsing.ocr_rapidocr import RapidOcr
from ragstone.parsing.pdf_scans import WithOcr
from ragstone.ports import Parser
from ragstone.types import BlockKind, DocumentRecord, DocumentStatus, ObjectRef, ParsedDocument, StoredObject


@dataclass(frozen=True, slots=True)
class ParseReport:
    """How one file fared; `reason` is a code and a sentence where nothing is indexed, `text` None unless asked for."""

    file: str
    status: DocumentStatus
    reason: str | None = None
    media_type: str = ""
    parser: str = ""
    title: str | None = None
    pages: int = 0
    chars: int = 0
    sections: int = 0
    tables: int = 0
    language: str | None = None
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    text: str | None = None


LocalOcr = Literal["none", "rapidocr"]
"""What can read scans here: Textract needs the bucket of a deployed environment."""


def run(paths: Sequence[Path], *, as_json: bool, with_text: bool, ocr: LocalOcr = "none") -> int:
    """Print a line for each file, also those in folders, JSON or for people; 1 if any was rejected, else 0.

    Raises SettingsError if the packages that `ocr` needs are not installed.
    """
    rejected = False
    with IsolatedParser(Limits()) as isolated:
        parse = WithOcr(parse=isolated, ocr=RapidOcr()) if ocr == "rapidocr" else isolated
        for path in _files(paths):
            report = _report(parse, path, with_text=with_text)
            rejected = rejected or report.status is DocumentStatus.REJECTED
            sys.stdout.write(f"{_as_json(report) if as_json else _as_text(report)}\n")
            sys.stdout.flush()
    return int(rejected)


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    return (file for path in paths for file, _ in files_under(path))


def _report(parse: Parser, path: Path, *, with_text: bool) -> ParseReport:
    started = perf_counter()
    name, source = (os.fsencode(text).decode(errors="replace") for text in (path, path.name))
    record = DocumentRecord(name, "", name, "", DocumentStatus.PROCESSING)
    document: ParsedDocument | None = None
    try:
        document = parse(path.read_bytes(), source=source)
        record = outcomes.described(record, document, StoredObject(ObjectRef("", name), b"", ""))
        record = record if document.text else outcomes.empty(record)
    except Rejected as rejected:
        record = outcomes.rejected(record, rejected)
    except OSError as error:
        record = outcomes.rejected(record, Rejected("unreadable", str(error)))
    return ParseReport(
        file=name,
        status=record.status,
        reason=": ".join(filter(None, (record.reason, record.message))) or None,
        media_type=record.media_type,
        parser=record.parser,
        title=record.title,
        pages=record.pages,
        chars=record.characters,
        sections=len(document.sections) if document else 0,
        tables=sum(block.kind is BlockKind.TABLE for block in document.blocks) if document else 0,
        language=document.language if document else None,
        warnings=record.warnings,
        seconds=round(perf_counter() - started, 3),
        text=document.text if document and with_text else None,
    )


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
        f"{report.sections} sections, {report.tables} tables, {report.chars} characters in {report.seconds} s"
    )
    return "\n".join([line, *(f"  {warning}" for warning in report.warnings), *filter(None, [report.text])])
