from __future__ import annotations

import re
from io import BytesIO
from zipfile import ZipFile

import pytest

from ragstone.errors import Rejected
from ragstone.parsing.docx import parse_docx
from ragstone.parsing.zipped import checked_archive
from tests.unit.parsing.made import p, word, zipped

USUAL = re.compile(rb"http://schemas.openxmlformats.org/(\w+)/2006/")


def code_of(content: bytes) -> str:
    with pytest.raises(Rejected) as rejected:
        checked_archive(content, "x.docx")
    return rejected.value.code


def test_a_word_file_passes() -> None:
    assert checked_archive(word(p("x")), "x.docx") == word(p("x"))


def test_a_zip_that_unpacks_to_too_much_text_is_refused_unopened() -> None:
    bomb = zipped({"_rels/.rels": "", "word/document.xml": b" " * 61_000_000})
    assert len(bomb) < 100_000
    assert code_of(bomb) == "too_large"


def test_a_zip_of_too_many_members_is_refused() -> None:
    assert code_of(zipped({f"{n}.txt": "" for n in range(10_001)})) == "too_large"


def test_a_member_under_a_password_is_told() -> None:
    content = bytearray(zipped({"_rels/.rels": "x"}))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    assert code_of(bytes(content)) == "encrypted"


def test_the_strict_variant_is_turned_into_the_usual_one() -> None:
    content = word(p("x"))
    with ZipFile(BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    strict = zipped({name: USUAL.sub(rb"http://purl.oclc.org/ooxml/\1/", xml) for name, xml in members.items()})
    assert parse_docx(strict, source="x.docx").text == "x"
    with ZipFile(BytesIO(checked_archive(strict, "x.docx"))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == members


def test_what_is_no_zip_is_damaged() -> None:
    assert code_of(b"no zip") == "damaged"


def test_formats_that_are_read_row_by_row_may_unpack_to_more() -> None:
    content = zipped({"xl/worksheets/sheet1.xml": b" " * 61_000_000})
    assert code_of(content) == "too_large"
    checked_archive(content, "x.xlsx", most_xml=100_000_000)
