"""No format follows what its XML refers to: entities stay as they are, nothing outside is opened."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from time import process_time
from zipfile import ZipFile

import pytest

from ragstone.errors import Rejected
from ragstone.parsing import parse
from tests.unit.parsing.made import word, zipped
from tests.unit.parsing.made_office import odt, pptx, shape, slide, xlsx

BOMB = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
PROLOGS = {
    "billion laughs": f'<!DOCTYPE x [<!ENTITY e0 "lol">{BOMB}<!ENTITY e "&e11;">]>',
    "outside entity": '<!DOCTYPE x [<!ENTITY e SYSTEM "{secret}">]>',
    "outside parameter entity": '<!DOCTYPE x [<!ENTITY % p SYSTEM "{secret}"> %p; <!ENTITY e "inner">]>',
    "outside declarations": '<!DOCTYPE x SYSTEM "{secret}">',
}


def docx_of(prolog: str, entity: str) -> bytes:
    return word(f"<w:p><w:r><w:t>before {entity}</w:t></w:r></w:p>", prolog=prolog)


def pptx_of(prolog: str, entity: str) -> bytes:
    return pptx(slide(shape(f"before {entity}")), prolog=prolog)


def odt_of(prolog: str, entity: str) -> bytes:
    return odt(f"<text:p>before {entity}</text:p>", prolog=prolog)


def sheet_of(prolog: str, entity: str) -> bytes:
    return xlsx_with("xl/worksheets/sheet1.xml", prolog, entity)


def book_of(prolog: str, entity: str) -> bytes:
    return xlsx_with("xl/workbook.xml", prolog, entity)


def xlsx_with(part: str, prolog: str, entity: str) -> bytes:
    with ZipFile(BytesIO(xlsx(before=[["before"]]))) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return zipped({**members, part: prolog + members[part].decode().replace("before", f"before {entity}")})


def html_of(prolog: str, entity: str) -> bytes:
    return f"{prolog}<html><body><p>before {entity}</p></body></html>".encode()


MAKERS = {"x.docx": docx_of, "x.pptx": pptx_of, "x.odt": odt_of, "x.html": html_of}
MAKERS |= {"sheet.xlsx": sheet_of, "book.xlsx": book_of}


@pytest.mark.parametrize("source", sorted(MAKERS))
@pytest.mark.parametrize("kind", sorted(PROLOGS))
def test_entities_are_never_resolved(source: str, kind: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    entity = "" if kind == "outside declarations" else "&e;"
    prolog = PROLOGS[kind].replace("{secret}", secret.as_uri())
    started = process_time()
    text = text_or_nothing(MAKERS[source], prolog, entity, source)
    assert process_time() - started < 2
    assert "secret" not in text
    assert text.count("lol") <= 1


def text_or_nothing(make: Callable[[str, str], bytes], prolog: str, entity: str, source: str) -> str:
    try:
        return parse(make(prolog, entity), source=source).text
    except Rejected as rejected:
        assert rejected.code == "damaged"
        return ""


def test_a_vector_image_in_a_page_is_no_text() -> None:
    prolog = '<!DOCTYPE html [<!ENTITY e "lol">]>'
    page = f"{prolog}<html><body><p>seen</p><svg><text>&e; drawn</text></svg></body></html>"
    assert "drawn" not in parse(page.encode(), source="x.html").text


def test_a_vector_image_alone_is_not_supported() -> None:
    with pytest.raises(Rejected) as rejected:
        parse(b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', source="x.svg")
    assert rejected.value.code == "unsupported_type"
