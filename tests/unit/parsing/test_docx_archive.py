from __future__ import annotations

import pytest

from ragstone.errors import Rejected
from ragstone.parsing.docx_archive import check_archive
from tests.unit.parsing.made import p, word, zipped


def code_of(content: bytes) -> str:
    with pytest.raises(Rejected) as rejected:
        check_archive(content, "x.docx")
    return rejected.value.code


def test_a_word_file_passes() -> None:
    check_archive(word(p("x")), "x.docx")


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


def test_the_strict_variant_is_named() -> None:
    strict = '<Relationships><Relationship Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"/></Relationships>'
    assert code_of(zipped({"_rels/.rels": strict})) == "unsupported_type"


def test_a_zip_without_relations_is_damaged() -> None:
    assert code_of(zipped({"word/document.xml": "<w/>"})) == "damaged"
    assert code_of(b"no zip") == "damaged"
