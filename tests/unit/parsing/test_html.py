from __future__ import annotations

import pytest

from ragstone.parsing.html import parse_html
from ragstone.types import ParsedDocument
from tests.unit.parsing.reading import blocks


def parsed(body: str, head: str = "") -> ParsedDocument:
    return parse_html(f"<html><head>{head}</head><body>{body}</body></html>".encode(), source="x.html")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "<p>one <b>two</b> three</p>tail<div>four<p>five</p>six</div>",
            "one two three\n\ntail\n\nfour\n\nfive\n\nsix",
        ),
        ("<p>line\n  one<br>line two</p>", "line one\nline two"),
        ("<div>a<br><br><br>b</div>", "a\n\nb"),
        ("<pre>x = 1\n  <b>y</b> = 2</pre>", "x = 1\n  y = 2"),
        ("<p>Steps</p><ul><li>one<li><p>two</p><ul><li>deep</ul></ul><p>end", "Steps\n\n- one\n- two\n- deep\n\nend"),
        ("<ol><li>first</li><li>second</li></ol>", "1. first\n2. second"),
        ("<ol start=42><li>first</li></ol><ol start=x><li>second</li></ol>", "42. first\n\n1. second"),
        ("<dl><dt>Term</dt><dd>meaning</dd><dt>Other</dt><dd>sense</dd></dl>", "Term\nmeaning\n\nOther\nsense"),
        ("<p>5 &lt; 6 &amp; caf&eacute;&nbsp;open</p>", "5 < 6 & café open"),
        ("<p>H<sub>2</sub>O</p>", "H2O"),
        ("", ""),
    ],
)
def test_blocks_are_paragraphs_and_inline_tags_leave_no_trace(body: str, text: str) -> None:
    assert parsed(body).text == text


@pytest.mark.parametrize(
    "unseen",
    [
        "<script>var a = 'secret'</script>",
        "<style>.secret {}</style>",
        "<noscript>secret</noscript>",
        "<template>secret</template>",
        "<!-- secret -->",
        "<div hidden>secret</div>",
        "<p style='display: none'>secret</p>",
        "<p style='color:red;visibility:hidden'>secret</p>",
        "<span style='font-size:1px; color:#fff'>secret</span>",
        "<span style='opacity:0'>secret</span>",
        "<i aria-hidden='true'>secret</i>",
        "<select><option>secret</option></select>",
        "<nav><a href='/'>secret</a></nav>",
        "<header><h1>secret</h1></header>",
        "<footer>secret</footer>",
        "<div role='navigation'>secret</div>",
        "<aside>secret</aside>",
        "<button>secret</button>",
    ],
)
def test_what_is_hidden_or_frames_the_page_is_left_out(unseen: str) -> None:
    assert parsed(f"{unseen}<p>Lost property is kept for 30 days.</p>").text == "Lost property is kept for 30 days."


@pytest.mark.parametrize("style", ["opacity: 0.9", "font-size: 12px", "font-size:1.1em", "display: block"])
def test_styles_that_hide_nothing_are_ignored(style: str) -> None:
    assert parsed(f"<p style='{style}'>seen</p>").text == "seen"


def test_the_main_element_is_the_content() -> None:
    body = "<div>menu</div><main><article><header><h1>Fares</h1></header><p>A ticket costs 4.20.</p></article></main>"
    assert parsed(body).text == "Fares\n\nA ticket costs 4.20."


def test_a_page_whose_text_is_all_in_its_frame_keeps_it() -> None:
    assert parsed("<header><p>Only this.</p></header>").text == "Only this."


def test_headings_title_and_language_are_found() -> None:
    head = b"<html lang='de-CH'><head><title> Fahr\n plan </title></head>"
    document = parse_html(head + b"<body><h1>Linie <em>1</em></h1><p>x<h3>Nachts</h3>", source="x.html")
    assert (document.title, document.language) == ("Fahr plan", "de")
    assert [(section.title, section.level, section.path) for section in document.sections] == [
        ("Linie 1", 1, ("Linie 1",)),
        ("Nachts", 3, ("Linie 1", "Nachts")),
    ]


def test_without_a_title_the_first_heading_is_it() -> None:
    assert parsed("<h2>Fares</h2>").title == "Fares"


def test_the_button_of_a_heading_is_part_of_it() -> None:
    assert parsed("<h3><button>Can I reserve?</button></h3><p>No.").text == "Can I reserve?\n\nNo."


def test_the_declared_encoding_is_used_unless_it_is_wrong() -> None:
    japanese = "<meta charset='Shift_JIS'><p>乗船券は二番窓口で".encode("shift_jis")
    assert parse_html(japanese, source="x.html").text == "乗船券は二番窓口で"
    german = '<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><p>beträgt 4 €'.encode("cp1252")
    document = parse_html(german, source="x.html")
    assert document.text == "beträgt 4 €"
    assert "utf-8" in document.warnings[0]


def test_a_page_nested_deeper_than_the_stack_is_read() -> None:
    assert parsed("<div>" * 5_000 + "deep" + "</div>" * 5_000 + "<p>after</p>").text == "deep\n\nafter"


def test_xhtml_and_text_without_tags_are_read_in_silence() -> None:
    xhtml = (
        b'<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><body><p>x</p></body></html>'
    )
    assert parse_html(xhtml, source="x.xhtml").text == "x"
    assert parse_html(b"https://example.org", source="x.html").text == "https://example.org"


def test_a_picture_inside_the_page_costs_nothing() -> None:
    picture = "<img src='data:image/png;base64," + "A" * 3_000_000 + "'>"
    assert parsed(f"{picture}<p>after</p>").text == "after"


def test_blocks_have_the_kinds_of_their_elements() -> None:
    body = (
        "<p>Steps</p><ol><li>first<p>goes on</p><li>second</ol><pre>x = 1</pre>"
        "<figure><img><figcaption>The quay</figcaption></figure>"
        "<table><caption>Fares</caption><tr><th>Day<th>Price<tr><td>Sun<td>4.20</table>"
        "<p>\\[ a + b \\]</p><p>after</p>"
    )
    assert blocks(parsed(body)) == [
        ("paragraph", "Steps"),
        ("list", "1. first"),
        ("list", "goes on\n2. second"),
        ("code", "x = 1"),
        ("caption", "The quay"),
        ("caption", "Fares"),
        ("table", "Day: Sun | Price: 4.20"),
        ("formula", "\\[ a + b \\]"),
        ("paragraph", "after"),
    ]


def test_displayed_formulas_are_tex_where_the_page_has_it() -> None:
    shown = '<math display="block" alttext="\\frac{a}{b}"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>'
    plain = '<math display="block"><mi>a</mi><mo>+</mo><mi>b</mi></math>'
    inline = "<p>where <math><mi>x</mi></math> is the swell</p>"
    assert blocks(parsed(shown + plain + inline)) == [
        ("formula", "$$ \\frac{a}{b} $$"),
        ("formula", "a+b"),
        ("paragraph", "where x is the swell"),
    ]


@pytest.mark.parametrize(
    ("head", "metadata"),
    [
        (
            '<meta name="author" content="Ada Okafor"><meta property="article:published_time" '
            'content="2026-03-01T10:30:00+01:00"><meta property="article:modified_time" content="2026-03-02">',
            {"author": "Ada Okafor", "created": "2026-03-01T09:30:00Z", "modified": "2026-03-02"},
        ),
        (
            '<meta name="DC.creator" content="Ada"><meta name="dcterms.created" content="2026-03-01">',
            {"author": "Ada", "created": "2026-03-01"},
        ),
        (
            '<meta property="article:author" content="https://example.org/ada"><meta name="date" content="yesterday">',
            {},
        ),
    ],
)
def test_the_page_says_who_wrote_it_and_when(head: str, metadata: dict[str, str]) -> None:
    assert parsed("x", head).metadata == metadata


def test_the_language_may_stand_in_a_header() -> None:
    assert parsed("x", '<meta http-equiv="Content-Language" content="fr-CA">').language == "fr"
