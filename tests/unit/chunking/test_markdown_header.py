from __future__ import annotations

from ragstone.chunking import MarkdownHeaderChunker
from ragstone.chunking.markdown_header import sections_by_headers
from tests.unit.chunking.documents import document, texts_of

TEXT = """\
Intro.
# Fares ##
A tally.
```
# no header
````
## C#
Night.
#nor this
# End
"""


def test_a_document_s_own_sections_are_chunks() -> None:
    made = document("One.\n\nTwo.\n\nThree.", sections=[0, 6])
    assert texts_of(MarkdownHeaderChunker(100, 0).spans(made), made) == ["One.", "Two.\n\nThree."]


def test_without_sections_the_headers_in_the_text_make_them() -> None:
    made = document(TEXT)
    spans = list(MarkdownHeaderChunker(100, 0).spans(made))
    assert texts_of(spans, made) == [
        "Intro.",
        "# Fares ##\nA tally.\n```\n# no header\n````",
        "## C#\nNight.\n#nor this",
        "# End",
    ]
    assert [span.section.path if span.section else None for span in spans] == [
        None,
        ("Fares",),
        ("Fares", "C#"),
        ("End",),
    ]


def test_a_section_that_is_too_long_is_split() -> None:
    made = document("# Fares\nA tally is a coin. It has a hole.")
    assert texts_of(MarkdownHeaderChunker(30, 0).spans(made), made) == [
        "# Fares\nA tally is a coin.",
        "It has a hole.",
    ]


def test_a_line_of_spaces_is_read_in_no_time() -> None:
    assert sections_by_headers("# a" + " " * 200_000 + "b")[0].title.startswith("a ")
