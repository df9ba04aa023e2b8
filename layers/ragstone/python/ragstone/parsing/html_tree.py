"""An HTML page as a tree of what its readers see: no scripts, no hidden text, no navigation around the content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_UNSEEN_NAMES = (
    "script style template noscript svg iframe object canvas audio video map head title select datalist textarea "
    "input annotation annotation-xml"
)
_NEVER_TEXT = frozenset(_UNSEEN_NAMES.split())
_CHROME = frozenset({"nav", "aside", "footer", "header"})
_CHROME_ROLES = frozenset(
    {"navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "toolbar"}
)
_OF_CONTENT = ["article", "main", "section"]
_HEADINGS = ["h1", "h2", "h3", "h4", "h5", "h6"]
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*\.?0*\s*(?:[;!]|$)|"
    r"font-size\s*:\s*[01]?(?:\.\d+)?(?:px|pt)?\s*(?:[;!]|$)",
    re.I,
)
_LEAST_SHARE_OF_MAIN = 0.25


def content_of(page: BeautifulSoup) -> Tag:
    """The element that holds a page's content; what is hidden, no text, or only frames the page is taken out of it."""
    root = page.body or page
    for tag in [tag for tag in root.find_all(True) if _is_unseen(tag)]:
        tag.extract()
    return _without_chrome(root)


def _without_chrome(root: Tag) -> Tag:
    """The main element if it holds enough of the text, otherwise all but what frames a page."""
    whole = _length(root)
    mains = [tag for tag in root.find_all(True) if tag.name == "main" or tag.get("role") == "main"]
    candidates = mains or root.find_all("article")
    content = root
    if len(candidates) == 1 and _length(candidates[0]) > _LEAST_SHARE_OF_MAIN * whole:
        content = candidates[0]
    chrome = [tag for tag in content.find_all(True) if _is_chrome(tag)]
    if sum(map(_length, chrome)) < _length(content):
        for tag in chrome:
            tag.extract()
    return content


def _is_unseen(tag: Tag) -> bool:
    return (
        tag.name in _NEVER_TEXT
        or tag.has_attr("hidden")
        or tag.get("aria-hidden") == "true"
        or (tag.name == "dialog" and not tag.has_attr("open"))
        or (tag.name == "button" and not tag.find_parent([*_HEADINGS, "summary"]))
        or _HIDDEN_STYLE.search(str(tag.get("style", ""))) is not None
    )


def _is_chrome(tag: Tag) -> bool:
    """Whether a tag frames the page; the header and footer of an article belong to it."""
    if tag.name in ("header", "footer"):
        return not tag.find_parent(_OF_CONTENT)
    return tag.name in _CHROME or tag.get("role") in _CHROME_ROLES


def _length(tag: Tag) -> int:
    return sum(len(text.strip()) for text in tag.strings)
