"""Build the binary sample documents from their sources: `python -m samples.make`.

Needs the dependency groups `samples` and `ingest`. A repeated run gives the same bytes, except for the
encrypted PDF, whose salts are random.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from samples.rendering.markup import Block, read_blocks
from samples.rendering.pdf import Imprint, render_image_pdf, render_pdf
from samples.rendering.scan import scan
from samples.rendering.word import render_docx

HERE = Path(__file__).parent
AUTHORITY = "Ilver Sound Tram and Ferry Authority"
BETRIEBE = "Tram- und Fährbetriebe Ilversund"

HANDBOOK = Imprint("Operations Handbook", "Ninth edition, valid from 1 February 2026", AUTHORITY)
MAINTENANCE = Imprint("Tram Maintenance Manual", "Fifth edition, valid from 1 February 2026", AUTHORITY)
SAFETY = Imprint("Ferry Safety Rules", "Issued by the harbour master, valid from 1 February 2026", AUTHORITY)
CARRIAGE = Imprint(
    "Tramordnung",
    "Beförderungsbedingungen, gültig ab 1. Februar 2026",
    BETRIEBE,
    language="de",
    contents="Inhalt",
    page_line="Seite {page} von {total}",
)
ANNEX = Imprint("Annex to the minutes", "Confidential", AUTHORITY)
TIMETABLE = Imprint("Winter timetable 1987", "", AUTHORITY)

DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "handbook/Operations Handbook.pdf": lambda: render_pdf(_blocks("handbook/Operations Handbook.md"), HANDBOOK),
    "maintenance/tram maintenance manual.pdf": lambda: render_pdf(
        _blocks("maintenance/tram maintenance manual.md"), MAINTENANCE
    ),
    "safety/ferry safety rules.pdf": lambda: render_pdf(_blocks("safety/ferry safety rules.md"), SAFETY),
    "de/Tramordnung.pdf": lambda: render_pdf(_blocks("de/Tramordnung.md"), CARRIAGE),
    "board/board minutes 2026-03-12.docx": lambda: render_docx(
        _blocks("board/board minutes 2026-03-12.md"), title="Minutes of the 214th meeting", organisation=AUTHORITY
    ),
    "board/annex with offers.pdf": lambda: render_pdf(
        _blocks("board/annex with offers.md"), ANNEX, user_password="oyster beds"
    ),
    "archive/winter timetable 1987.pdf": lambda: render_image_pdf(
        scan(_text("archive/winter timetable 1987.txt")), TIMETABLE
    ),
}


def main() -> None:
    for path, render in DOCUMENTS.items():
        target = HERE / "documents" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(render())
        print(f"{target.stat().st_size:>8} bytes  {path}")


def _text(path: str) -> str:
    return (HERE / "sources" / path).read_text(encoding="utf-8")


def _blocks(path: str) -> list[Block]:
    return list(read_blocks(_text(path)))


if __name__ == "__main__":
    main()
