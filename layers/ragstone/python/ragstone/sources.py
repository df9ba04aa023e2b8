"""What documents may be called: a source is the part of an object's key after `inbox/`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from ragstone.errors import InvalidQuery
from ragstone.types import INBOX, SIDECAR_SUFFIX

LONGEST = 1_000
"""In bytes of UTF-8: S3 takes 1,024 for a key, and `inbox/` and a sidecar's suffix have to fit in as well."""

_DOTS = re.compile(r"(?:^|/)\.{1,2}(?:/|$)")
_UNSHOWABLE = ("Cc", "Cs")


def is_document(key: str) -> bool:
    """Whether a key names a document: under the inbox, not a folder marker, not a sidecar."""
    return key.startswith(INBOX) and not key.endswith(("/", SIDECAR_SUFFIX))


def check_sources(sources: Iterable[str]) -> None:
    """Raises InvalidQuery (`bad_source`) that names each source which can't be a new document's, and says why."""
    faults = [f"{source!r} {fault}" for source in sources if (fault := fault_of(source))]
    if faults:
        raise InvalidQuery("bad_source", "; ".join(faults))


def fault_of(source: str) -> str | None:
    """Why a document can't be called so, to be read after its name; None if it can."""
    return next((fault for is_wrong, fault in _FAULTS if is_wrong(source)), None)


def _has_unshowable(source: str) -> bool:
    return any(unicodedata.category(character) in _UNSHOWABLE for character in source)


_FAULTS: tuple[tuple[Callable[[str], object], str], ...] = (
    (lambda source: not source, "is empty; give the document a name"),
    (lambda source: source.startswith("/"), "begins with a slash; leave it out"),
    (lambda source: source.endswith("/"), "names a folder; add the file's name"),
    (lambda source: source.endswith(SIDECAR_SUFFIX), "names a sidecar, which is no document; leave that suffix out"),
    (_DOTS.search, "has '.' or '..' for a folder; write the path without"),
    (_has_unshowable, "has characters that can't be shown; leave them out"),
    (lambda source: len(source.encode()) > LONGEST, f"has more than {LONGEST} bytes; shorten it"),
)
"""What is wrong, and how to say it; what can't be shown can't be encoded either, so it is asked first."""
