"""The report as a page."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from ragstone.evaluation.html import render_html
from tests.support.reports import reported


class Page(HTMLParser):
    """Collects the text, and whatever a page would fetch or run; every element has to be closed."""

    VOID = ("meta", "br")

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text = ""
        self.foreign: list[str] = []
        self.open: list[str] = []
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = {name for name, _ in attrs}
        if tag in ("script", "link", "img", "iframe") or names & {"src", "href", "onclick"}:
            self.foreign.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def page() -> Page:
    return Page(render_html(reported()))


def test_the_page_needs_nothing_else(page: Page) -> None:
    assert page.foreign == []
    assert page.open == []


@pytest.mark.parametrize(
    "shown",
    [
        "Evaluation run",
        "Failed its gates",
        "0.833",
        "Recall of refusals",
        "own:judge",
        "chunk_size = 400",
        "price unknown",
    ],
)
def test_the_page_shows_what_the_report_says(page: Page, shown: str) -> None:
    assert shown in " ".join(page.text.split())


def test_text_from_outside_is_escaped(page: Page) -> None:
    assert "<b>nothing</b>" in page.text
