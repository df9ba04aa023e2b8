"""Links, images, markup and markers of documents and models, which no answer emits."""

from __future__ import annotations

import re

IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)?|\[[^\]]*\])?")
LINK = re.compile(r"\[([^\]]*)\](?:\([^)]*\)?|\[[^\]]*\])")
AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^>\s]*)>", re.IGNORECASE)
TAG = re.compile(
    r"<[/!?]?[a-z][^<>]*>|<!--.*?(?:-->|$)|<(?:a|audio|embed|form|iframe|img|link|meta|object|script|svg|video)\b[^>]*$",
    re.IGNORECASE | re.DOTALL,
)
MARKER = re.compile(r"\s*[\[【](?:\^|id[: ]|passages? )?\d+(?:\s*[,;–-]\s*\d+)*[\]】]", re.IGNORECASE)
SCHEME = re.compile(
    r"\b(?:[a-z][a-z0-9+.-]*://|(?:javascript|vbscript|mailto|tel):(?=\S)|data:(?=\w+/))(?:www\.)?", re.IGNORECASE
)
WWW = re.compile(r"\bwww\.(?=\w)", re.IGNORECASE)
ADDRESS = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b(?:[a-z][a-z0-9+.-]*://|www\.)[^\s<>\"'()\[\]]+"
    r"|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|co|dev|info|invalid|example|test|app|ai|me|xyz)\b(?:/[^\s<>\"'()\[\]]*)?",
    re.IGNORECASE,
)


def addresses(text: str) -> set[str]:
    """Every web and e-mail address in a text, as `unlinked` leaves it, in small letters."""
    return {unlinked(match.rstrip(".,;:!?")).casefold() for match in ADDRESS.findall(text)}


def unlinked(text: str) -> str:
    """Plain words: no image, no markup, links as their text, addresses without the scheme that makes them links.

    Markers such as "[3]" go too: those of an answer are its citations' numbers, and nobody else's resolve.
    """
    plain = LINK.sub(r"\1", IMAGE.sub("", text))
    plain = TAG.sub("", AUTOLINK.sub(r"\1", plain))
    plain = MARKER.sub("", WWW.sub("", SCHEME.sub("", plain)))
    return text.strip() if plain == text else " ".join(plain.split())
