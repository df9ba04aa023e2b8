from __future__ import annotations

import pytest

from ragstone.errors import Rejected
from ragstone.parsing import media, parse, parsers
from tests.unit.parsing.made import Drawn, p, pdf, word


@pytest.mark.parametrize(
    ("content", "source", "media_type", "text"),
    [
        (pdf([Drawn("in a PDF")]), "a.pdf", media.PDF, "in a PDF"),
        (word(p("in Word")), "a.docx", media.DOCX, "in Word"),
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
    "source", ["a.pdf", "a.docx", "a.html", "a.md", "a.txt", "a.csv", "a.json", "a.jsonl", "a.exe"]
)
def test_a_file_of_no_bytes_is_an_empty_text_whatever_its_name(source: str) -> None:
    assert parse(b"", source=source).text == ""


@pytest.mark.parametrize("source", ["a.html", "a.md", "a.txt", "a.csv", "a.tsv", "a.json", "a.jsonl"])
def test_white_space_alone_is_an_empty_text(source: str) -> None:
    assert parse(b" \r\n\t ", source=source).text == ""


def test_what_is_not_supported_is_rejected() -> None:
    with pytest.raises(Rejected, match="PNG image"):
        parse(b"\x89PNG\r\n\x1a\n", source="a.txt")
