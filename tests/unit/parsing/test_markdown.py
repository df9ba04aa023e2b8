from __future__ import annotations

from ragstone.parsing.markdown import parse_markdown
from ragstone.types import ParsedDocument
from tests.unit.parsing.reading import blocks


def parsed(text: str) -> ParsedDocument:
    return parse_markdown(text.encode(), source="x.md")


def test_atx_and_setext_headings_are_sections() -> None:
    document = parsed("intro\n\n# One #\ntext\n## Two\n\nThree\nlines\n===\n\nFour\n---\n####### no heading")
    assert [(section.title, section.level) for section in document.sections] == [
        ("One", 1),
        ("Two", 2),
        ("Three lines", 1),
        ("Four", 2),
    ]
    assert document.text == "intro\n\nOne\n\ntext\n\nTwo\n\nThree lines\n\nFour\n\n####### no heading"
    assert document.title == "One"


def test_fenced_code_is_left_alone() -> None:
    document = parsed(
        "# Install\n\n```bash\n# not a heading\n\tpip  install **x**\n```\n\n~~~\n# nor this\n```\n~~~\n# Next\n"
    )
    assert [section.title for section in document.sections] == ["Install", "Next"]
    assert "# not a heading\n\tpip  install **x**" in document.text
    assert "# nor this\n```" in document.text


def test_a_fence_that_never_ends_goes_to_the_end() -> None:
    assert parsed("```\n# code").text == "# code"


def test_front_matter_gives_title_and_language_and_is_no_text() -> None:
    document = parsed('---\ntitle: "Winter: timetable"\ntags: [ferry]\nlang: de-AT\n---\n\n# Other\n\nBody.')
    assert (document.title, document.language, document.text) == ("Winter: timetable", "de", "Other\n\nBody.")


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert parsed("---\nfirst part\n\n---\nsecond part").text == "first part\n\nsecond part"


def test_pipe_tables_are_rows_that_name_their_columns() -> None:
    text = "Fares:\n\n| Day | First | |\n|:--|---|--|\n| Sun | `a|b` | x |\nMon \\| Tue | 08:20\n\nafter"
    assert parsed(text).text == "Fares:\n\nDay: Sun | First: a|b | x\nDay: Mon | Tue | First: 08:20\n\nafter"


def test_lists_are_lines_and_their_wrapped_lines_are_joined() -> None:
    text = "Steps:\n\n- one\n- two\n  goes on\n  - nested\n* star\n\n1. first\n2) second\n\nafter"
    assert parsed(text).text == "Steps:\n\n- one\n- two goes on\n- nested\n- star\n\n1. first\n2) second\n\nafter"


def test_paragraph_lines_are_joined_but_for_hard_breaks() -> None:
    assert parsed("one\ntwo  \nthree\\\nfour").text == "one two\nthree\nfour"


def test_a_number_at_the_start_of_a_line_begins_no_list_within_a_paragraph() -> None:
    assert parsed("It was built in\n2019. It still sails\n1. first\n2. second").text == (
        "It was built in 2019. It still sails\n\n1. first\n2. second"
    )


def test_quotes_rules_and_link_definitions_lose_their_marks() -> None:
    assert (
        parsed("> quoted\n> text\n\n***\n\n[ref]: http://example.org\n\n> ## Heading\n").text
        == "quoted text\n\nHeading"
    )


def test_indented_code_keeps_its_lines() -> None:
    assert parsed("Run:\n\n    # comment\n    make\n\nDone.").text == "Run:\n\n# comment\nmake\n\nDone."


def test_comments_are_no_text_however_long() -> None:
    text = "<!-- one\n\n# two\n\nthree --> after\n\nbody <!-- four --> end\n\n<!-- five"
    assert parsed(text).text == "after\n\nbody  end"


def test_a_document_of_nothing_but_marks_is_empty() -> None:
    assert parsed("---\n\n<!-- nothing -->\n\n```\n```\n").text == ""


def test_blocks_have_their_kinds() -> None:
    listed = "intro\n\n- one\n- two\n  goes on\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nTable 1: Fares\n\n"
    text = f"{listed}```\nx = 1\n```\n\n    y = 2\n"
    assert blocks(parsed(text)) == [
        ("paragraph", "intro"),
        ("list", "- one\n- two goes on"),
        ("table", "a: 1 | b: 2"),
        ("caption", "Table 1: Fares"),
        ("code", "x = 1"),
        ("code", "y = 2"),
    ]


def test_displayed_formulas_are_left_alone() -> None:
    text = "so\n$$\na_1 * b_2 \\\\\n= *c*\n$$\nthen \\(x_1*y_2*z\\) and $$p*q*r$$ here\n\n> \\[ d_1 \\]\n"
    assert blocks(parsed(text)) == [
        ("paragraph", "so"),
        ("formula", "$$\na_1 * b_2 \\\\\n= *c*\n$$"),
        ("paragraph", "then \\(x_1*y_2*z\\) and $$p*q*r$$ here"),
        ("formula", "\\[ d_1 \\]"),
    ]


def test_dollar_signs_that_nothing_closes_are_text() -> None:
    assert blocks(parsed("$$ is a sign\n\n# Next\n\nand $$ too")) == [
        ("paragraph", "$$ is a sign"),
        ("heading", "Next"),
        ("paragraph", "and $$ too"),
    ]


def test_the_front_matter_says_who_wrote_it_and_when() -> None:
    front = "title: 'Fares'\nauthors: [Ada Okafor, Per Lund]\ndate: 2026-03-01\nlastmod: \"2026-03-02T10:00:00Z\""
    text = f"---\n{front}\n---\nx"
    document = parsed(text)
    assert document.title == "Fares"
    assert document.metadata == {
        "author": "Ada Okafor, Per Lund",
        "created": "2026-03-01",
        "modified": "2026-03-02T10:00:00Z",
    }
