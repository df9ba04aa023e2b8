"""No input may crash a parser: whatever the bytes, they are a document or rejected with a reason."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.errors import Rejected
from ragstone.parsing import parse
from tests.unit.parsing.made import Drawn, locked, p, paragraph, pdf, tbl, with_outline, word
from tests.unit.parsing.made_office import CORE, odt, pptx, shape, slide, xlsx
from tests.unit.parsing.reading import check_spans

CODES = {"encrypted", "unsupported_type", "damaged", "too_large"}
PAGES = [paragraph(["A line of text that is long enough to be", "prose, and its end."]), [Drawn("Fares", size=16)]]
SEEDS = {
    "a.pdf": [pdf(*PAGES), with_outline(pdf(*PAGES), [("Fares", 1, None)]), locked(pdf(*PAGES), user_password="")],
    "a.docx": [word(p("Top", '<w:outlineLvl w:val="0"/>') + tbl(["a", "b"], ["c", "d"]))],
    "a.pptx": [pptx(slide(shape("Top", place="title"), shape("one", "two", place="body")), slide(), core=CORE)],
    "a.xlsx": [xlsx(Fares=[["Ticket", "Price"], ["Night", 17.3]], Other=[[True]])],
    "a.odt": [odt('<text:h text:outline-level="2">Top</text:h><text:p>one<text:s text:c="3"/>two</text:p>')],
    "a.rtf": [b"{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 X;}}\\f0 caf\\'e9 \\u8364?\\par a\\cell b\\cell\\row}"],
    "a.eml": [
        b"From: =?utf-8?q?=C3=A4?= <a@x>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\naGVsbG8=\n--b\n"
        b"Content-Type: text/csv; name=a.csv\nContent-Disposition: attachment\n\na,b\n1,2\n--b--\n"
    ],
    "a.html": [
        b"<html lang=en><meta charset=utf-8><h1>x</h1><table><tr><th>a<td rowspan=2>b</table><ul><li>c</ul><pre>d"
    ],
    "a.md": [b"---\ntitle: x\n---\n# Top\n\n| a | b |\n|--|--|\n| c | `d` |\n\n```\ncode\n```\n- *item*\n> quote\n"],
    "a.txt": ["Plain text — with form\f feeds.\n\n".encode(), "UTF-16".encode("utf-16"), "横浜の港".encode("cp932")],
    "a.csv": [b'a;b\n"1;2";3\n4\n', "é\tü\n1\t2\n".encode("cp1252")],
    "a.tsv": [b"a\tb\n1\t2\n"],
    "a.json": [b'{"a": [{"b": 1.50}, null, "x"], "c": {"d": "\\u0000"}}'],
    "a.jsonl": [b'{"a": 1}\n{"a": [1, {"b": 2}]}\n'],
    "noname": [b"", b"PK\x03\x04", b"%PDF-"],
}


def check(content: bytes, source: str) -> None:
    try:
        document = parse(content, source=source)
    except Rejected as rejected:
        assert rejected.code in CODES
        assert source in str(rejected)
    else:
        check_spans(document)


def mutated(content: bytes, seed: int) -> bytes:
    """The content with up to eight changes: bytes replaced, cut out, put in or repeated."""
    chance, changed = random.Random(seed), bytearray(content)
    for _ in range(chance.randint(1, 8)):
        at, length = chance.randint(0, len(changed)), chance.randint(1, 40)
        replacement = chance.choice(
            [b"", chance.randbytes(length), bytes(changed[:length]), bytes(changed[at : at + length]) * 2]
        )
        changed[at : at + chance.choice([0, 1, length])] = replacement
    return bytes(changed)


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=300), st.sampled_from(sorted(SEEDS)))
def test_random_bytes_are_a_document_or_rejected(content: bytes, source: str) -> None:
    check(content, source)


@settings(deadline=None, max_examples=600)
@given(st.sampled_from([(source, seed) for source, seeds in SEEDS.items() for seed in seeds]), st.integers(0, 2**32))
def test_changed_files_are_a_document_or_rejected(seed: tuple[str, bytes], chance: int) -> None:
    source, content = seed
    check(mutated(content, chance), source)


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200), st.sampled_from(["a.html", "a.md", "a.txt", "a.csv", "a.json", "a.jsonl"]))
def test_any_text_is_a_document_or_rejected(text: str, source: str) -> None:
    check(text.encode("utf-8", errors="surrogatepass"), source)
