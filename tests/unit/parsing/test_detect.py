from __future__ import annotations

import pytest

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.detect import media_type_of
from tests.unit.parsing.made import p, pdf, word, zipped
from tests.unit.parsing.made_office import odt, pptx, slide, xlsx

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4


@pytest.mark.parametrize(
    ("content", "source", "media_type"),
    [
        (pdf([]), "notes.txt", media.PDF),
        (b"\n\n" + pdf([]), "no-extension", media.PDF),
        (word(p("x")), "letter.pdf", media.DOCX),
        (b"<!DOCTYPE html><p>x", "page.txt", media.HTML),
        (b"\xef\xbb\xbf <!-- saved --> <html lang=en>", "page", media.HTML),
        ("<html>".encode("utf-16"), "page.aspx", media.HTML),
        (b"<p>a fragment", "part.HTM", media.HTML),
        (b"# Heading", "a/b/READ ME.md", media.MARKDOWN),
        (b"plain", "x.txt", media.TEXT),
        (b"Every PDF begins with %PDF-1.7 or so.", "x.txt", media.TEXT),
        (b"junk before it\n" + pdf([]), "x.pdf", media.PDF),
        (b"RIFF raff, BZh and PAR1 are words here.", "x.md", media.MARKDOWN),
        (b"a,b", "x.csv", media.CSV),
        (b"a\tb", "x.tsv", media.TSV),
        (b"{}", "x.json", media.JSON),
        (b"{}", "x.jsonl", media.JSONL),
        (b"{}", "x.ndjson", media.JSONL),
        (pptx(slide()), "talk.docx", media.PPTX),
        (xlsx(Sheet=[["x"]]), "sums", media.XLSX),
        (odt("<text:p/>"), "letter.odt", media.ODT),
        (b"{\\rtf1 text}", "letter.doc", media.RTF),
        (b"From: a@example.org\n\ntext", "mail.eml", media.EML),
        (b"Received: from x\n by y\r\nFrom: a@example.org\r\n\r\ntext", "message", media.EML),
        (b"MIME-Version: 1.0\nSubject: x\n\ntext", "saved.txt", media.EML),
        (b"From: Ada\nTo: all\n\na memo by hand", "memo.txt", media.TEXT),
        (b"plain words", "page.pdf", media.TEXT),
        (b"<!doctype html><title>404</title>", "letter.docx", media.HTML),
    ],
)
def test_content_decides_and_the_name_only_where_it_can_t(content: bytes, source: str, media_type: str) -> None:
    assert media_type_of(content, source) == media_type


@pytest.mark.parametrize(
    ("content", "source", "found"),
    [
        (PNG, "photo.txt", "is a PNG image"),
        (PNG, "photo.pdf", "is a PNG image"),
        (zipped({"xl/workbook.bin": ""}), "sums.xlsx", "is a binary Excel workbook"),
        (
            zipped({"mimetype": media.ODT.replace("text", "spreadsheet"), "content.xml": ""}),
            "a.ods",
            "is an OpenDoc",
        ),
        (zipped({"mimetype": "application/epub+zip", "META-INF/container.xml": ""}), "a.epub", "is an EPUB book"),
        (zipped({"a.txt": "x"}), "all.zip", "is a zip archive"),
        (OLE, "letter.doc", "is an old binary Office file"),
        (bytes(range(256)), "data.csv", "holds binary data"),
        (b"<svg/>", "logo.svg", "is of type '.svg'"),
        (b"wombat", "README", "has no extension"),
    ],
)
def test_what_can_t_be_read_is_named(content: bytes, source: str, found: str) -> None:
    with pytest.raises(Rejected) as rejected:
        media_type_of(content, source)
    assert rejected.value.code == "unsupported_type"
    assert str(rejected.value).startswith(f"{source} {found}")
    assert "PDF, DOCX, PPTX" in str(rejected.value)


def test_a_type_that_a_zip_states_is_read_no_further_than_it_can_be() -> None:
    with pytest.raises(Rejected, match="zip archive"):
        media_type_of(zipped({"mimetype": b"x" * 10_000_000}), "bomb.odt")


def test_an_encrypted_office_file_is_told_from_an_old_one() -> None:
    with pytest.raises(Rejected) as rejected:
        media_type_of(OLE + "EncryptedPackage".encode("utf-16-le"), "letter.docx")
    assert rejected.value.code == "encrypted"


def test_a_zip_that_was_cut_off_is_damaged() -> None:
    with pytest.raises(Rejected) as rejected:
        media_type_of(word(p("x"))[:-40], "letter.docx")
    assert rejected.value.code == "damaged"
