"""XML read without ever following what it refers to: entities stay unresolved, nothing outside is opened."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any, Protocol


class Element(Protocol):
    """The part of lxml's elements that is used here; lxml has no types of its own."""

    @property
    def tag(self) -> str: ...
    @property
    def text(self) -> str | None: ...
    @property
    def tail(self) -> str | None: ...
    def get(self, key: str, default: str = ...) -> str: ...
    def find(self, path: str) -> Element | None: ...
    def iterfind(self, path: str) -> Iterator[Element]: ...
    def iter(self, tag: str) -> Iterator[Element]: ...
    def __iter__(self) -> Iterator[Element]: ...
    def __len__(self) -> int: ...


def root_of(xml: bytes) -> Element:
    """The root of a document; raises SyntaxError, which lxml's own errors are, if it is not well-formed."""
    etree: Any = import_module("lxml.etree")
    guarded = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    return etree.fromstring(xml, etree.XMLParser(**guarded, remove_comments=True, remove_pis=True))
