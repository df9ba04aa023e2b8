from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ragstone.errors import Rejected
from ragstone.parsing import media, parse, parsers
from tests.unit.parsing.made import Drawn, p, pdf, word
from tests.unit.parsing.made_office import odt, pptx, shape, slide, xlsx

ENGLISH = "The harbour office is open from nine to five on working days, and it closes at noon. "


@pytest.mark.parametrize(
    ("content", "source", "media_type", "text"),
    [
        (pdf([Drawn("in a PDF")]), "a.pdf", media.PDF, "in a PDF"),
        (word(p("in Word")), "a.docx", media.DOCX, "in Word"),
        (pptx(slide(shape("in PPTX", place="title"))), "a.pptx", media.PPTX, "in PPTX"),
        (xlsx(Sheet=[["in XLSX"]]), "a.xlsx", media.XLSX, "Sheet\n\nin XLSX"),
        (odt("<text:p>in ODT</text:p>"), "a.odt", media.ODT, "in ODT"),
        (b"{\\rtf1 in RTF}", "a.rtf", media.RTF, "in RTF"),
        (b"Subject: in\n\na mail", "a.eml", media.EML, "in\n\na mail"),
        (b"<p>in HTML", "a.html", media.HTML, "in HTML"),
        (b"*in* Markdown", "a.md", media.MARKDOWN, "in Markdown"),
        (b"in text", "a.txt", media.TEXT, "in text"),
        (b"where\nin CSV", "a.csv", media.CSV, "where: in CSV"),
        (b"where\tn\nin TSV\t1", "a.tsv", media.TSV, "where: in TSV | n: 1"),
        (b'{"where": "in JSON"}', "a.json", media.JSON, "where: in JSON"),
        (b'{"where": "in JSONL"}', "a.jsonl", media.JSONL, "where: in JSONL"),
    ],
)
def test_each_format_is_read_by_its_parser(content: bytes, source: str, media_type: str, text: str) -> None:
    document = parse(content, source=source)
    assert (document.text, document.media_type) == (text, media_type)
    assert media_type in parsers


@pytest.mark.parametrize(
    "source", ["a.pdf", "a.docx", "a.xlsx", "a.eml", "a.html", "a.md", "a.txt", "a.csv", "a.json", "a.jsonl", "a.exe"]
)
def test_a_file_of_no_bytes_is_an_empty_text_whatever_its_name(source: str) -> None:
    assert parse(b"", source=source).text == ""


@pytest.mark.parametrize("source", ["a.html", "a.md", "a.txt", "a.csv", "a.tsv", "a.json", "a.jsonl"])
def test_white_space_alone_is_an_empty_text(source: str) -> None:
    assert parse(b" \r\n\t ", source=source).text == ""


def test_what_is_not_supported_is_rejected() -> None:
    with pytest.raises(Rejected, match="PNG image"):
        parse(b"\x89PNG\r\n\x1a\n", source="a.txt")


@pytest.mark.parametrize(
    ("content", "source", "said"),
    [
        (word(p("A letter.")), "letter.pdf", "DOCX, not the PDF that its name promises"),
        (pdf([Drawn("A letter.")]), "letter.txt", "PDF, not the plain text that its name promises"),
        (b"<!doctype html><p>A page.", "page.md", "HTML, not the Markdown that its name promises"),
        (f"<!doctype html><p>{ENGLISH * 15}".encode(), "page.pdf", "HTML, not the PDF that its name promises"),
        ((ENGLISH * 15).encode(), "page.docx", "plain text, not the DOCX that its name promises"),
    ],
)
def test_a_file_under_another_type_s_name_is_read_with_a_warning(content: bytes, source: str, said: str) -> None:
    document = parse(content, source=source)
    assert document.text
    assert said in document.warnings[0]


@pytest.mark.parametrize("source", ["page.pdf", "letter.docx", "sums.xlsx", "note.rtf"])
@pytest.mark.parametrize("content", [b"<!doctype html><title>404</title><h1>Not Found</h1>", b'{"error": "expired"}'])
def test_an_error_page_in_place_of_a_document_is_damaged(content: bytes, source: str) -> None:
    with pytest.raises(Rejected) as rejected:
        parse(content, source=source)
    assert rejected.value.code == "damaged"
    assert "Download it again" in str(rejected.value)


def test_a_name_that_promises_nothing_is_never_wrong() -> None:
    assert parse(word(p("A letter.")), source="letter").warnings == ()


def test_the_language_is_the_stated_one_or_else_the_one_that_is_written() -> None:
    assert parse(ENGLISH.encode(), source="a.txt").language == "en"
    assert parse(f'<html lang="cy"><p>{ENGLISH}'.encode(), source="a.html").language == "cy"
    assert parse(b"4.20", source="a.txt").language is None


def test_importing_the_package_imports_no_parser_s_library() -> None:
    code = (
        "import sys, ragstone.parsing, ragstone.parsing.isolated\n"
        "heavy = {'bs4', 'docx', 'lxml', 'openpyxl', 'pypdf', 'pypdfium2', 'striprtf', 'email.parser'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
