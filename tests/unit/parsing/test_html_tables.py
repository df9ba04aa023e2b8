from __future__ import annotations

import pytest

from ragstone.parsing.html import parse_html


def text_of(table: str) -> str:
    return parse_html(f"<body>{table}</body>".encode(), source="x.html").text


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (
            "<table><caption>Fares</caption><thead><tr><th>Route<th>Adult</thead><tr><td>North<td>4.20</table>",
            "Fares\nRoute: North | Adult: 4.20",
        ),
        (
            "<table><tr><th>Route</th><th>Day</th><th>Sails</th></tr><tr><td rowspan=2>Skarholm</td><td>Mon</td>"
            "<td>07:05</td></tr><tr><td>Tue</td><td>09:35</td></tr></table>",
            "Route: Skarholm | Day: Mon | Sails: 07:05\nRoute: Skarholm | Day: Tue | Sails: 09:35",
        ),
        (
            "<table><tr><th rowspan=2>Route<th colspan=2>Fare<tr><th>Adult<th>Child<tr><td colspan=3>Summer"
            "<tr><td>North<td>4.20<td>2.10</table>",
            "Summer\nRoute: North | Fare Adult: 4.20 | Fare Child: 2.10",
        ),
        ("<table><tr><td>Port<td>Depth<tr><td>B7<td>9.4 m</table>", "Port: B7 | Depth: 9.4 m"),
        ("<table><tr><td>1<td>9.4<tr><td>2<td>6.1</table>", "1 | 9.4\n2 | 6.1"),
        ("<table><tr><th>Opens:<td>nine<tr><th>Closes:<td>five</table>", "Opens: nine\nCloses: five"),
        ("<table><tr><th>A<th>B<tr><td><p>one</p><p>two</p><td>x<br>y</table>", "A: one two | B: x y"),
        ("<table><tr><th>A<th>B</table>", "A | B"),
        ("<table><tr><th>A<th>B<tr><td><pre>x = 1</pre><td>y</table>", "A: x = 1 | B: y"),
        ("<table><tr><td><pre>x = 1</pre><td>y</table>", "x = 1\n\ny"),
    ],
)
def test_rows_are_lines_that_name_their_columns(table: str, text: str) -> None:
    assert text_of(table) == text


def test_tables_in_tables_are_read_and_layout_tables_are_blocks() -> None:
    inner = "<table><tr><th>Fare<th>Price<tr><td>Night<td>17.30</table>"
    outer = f"<table><tr><td>Left column<td>{inner}</tr></table>"
    assert text_of(outer) == "Left column\n\nFare: Night | Price: 17.30"


def test_a_table_of_one_column_is_a_box_around_text() -> None:
    assert text_of("<table><tr><td>Note well.</td></tr></table>") == "Note well."


@pytest.mark.parametrize("span", ["-1", "0", "x", "", "9999999999999999999999", "١"])
def test_spans_that_make_no_sense_are_one(span: str) -> None:
    assert text_of(f"<table><tr><th>A<th>B<tr><td rowspan='{span}'>x<td>y<tr><td>z</table>") == "A: x | B: y\nA: z"


def test_spans_are_bounded() -> None:
    row = "<td colspan=99999999 rowspan=99999999>x" * 50
    table = f"<table><tr><th>A<th>B{f'<tr>{row}' * 50}</table>"
    assert len(text_of(table)) < 1_000_000


def test_a_name_that_spans_more_rows_than_it_has_values_loses_nothing() -> None:
    text = text_of("<table><tr><th rowspan=2>Depot<td>North<tr><th>Line<td>South</table>")
    assert all(word in text for word in ("Depot", "North", "Line", "South"))
