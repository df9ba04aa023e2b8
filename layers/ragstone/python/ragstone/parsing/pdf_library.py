"""PDFium's Python bindings, loaded when the first PDF comes; they have no types, and are not safe for threads."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def helpers() -> Any:
    """pypdfium2's own classes."""
    return import_module("pypdfium2")


def raw() -> Any:
    """PDFium's functions as its headers declare them."""
    return import_module("pypdfium2.raw")
