"""Bytes to text: byte order mark, what the file declares, UTF-8, UTF-16 by its zero bytes, then a checked guess."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins like UTF-16's mark, so it is asked first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What Western files declare as Latin-1 or ASCII is Windows-1252 for every browser.
_LATIN = frozenset({"iso8859-1", "ascii"})
# Python's own escapes, which turn text into other text, and an encoding that hides marks from filters.
_REFUSED = frozenset({"unicode-escape", "raw-unicode-escape", "idna", "punycode", "utf-7", "undefined"})

# A guess holds if the whole file decodes and this share of its non-ASCII text is what people write in that script:
# words of five Cyrillic or Greek small letters, hiragana, hangul syllables, the commonest Chinese characters.
_GUESSES = (
    ("cp932", re.compile("[ぁ-ん]"), 0.15),
    ("euc_jp", re.compile("[ぁ-ん]"), 0.15),
    ("euc_kr", re.compile("[가-힣]"), 0.85),
    ("gb18030", re.compile("[的一是不了在人有我他这中大来上国和地到说时要就出会可也你对生能而子那于着下]"), 0.06),
    ("big5", re.compile("[的一是不了在人有我他這中大來上國和地到說時要就出會可也你對生能而子那於著下]"), 0.06),
    # Bytes of Greek words are Cyrillic ones too, with capitals where Greek has its accents.
    ("cp1253", re.compile("(?=[ά-ώ]{5})[ά-ώ]+[άέήί][ά-ώ]*"), 0.3),
    ("cp1251", re.compile("[а-яё]{5,}"), 0.4),
    ("koi8_r", re.compile("[а-яё]{5,}"), 0.4),
)
_FALLBACK = "cp1252"
_SAMPLE = 20_000
_FEWEST = 3
_ASCII = re.compile("[\x00-\x7f]+")
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\r\f\x1b")) + b"\x7f"
_MAX_CONTROL_SHARE = 0.05
_TOLERABLE_DAMAGE = 0.1


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text with the encoding it was read in, and a warning if that was not certain."""

    text: str
    encoding: str
    warning: str | None = None

    @property
    def warnings(self) -> list[str]:
        return [self.warning] if self.warning else []


def decode(content: bytes, *, declared: str | None = None) -> Decoded:
    """The text of any bytes; `declared` is the encoding that the file itself names, which may be wrong."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return Decoded(content[len(mark) :].decode(encoding, errors="ignore"), encoding)
    certain = [name for name in (_known(declared), "utf-8", _utf16(content)) if name]
    for encoding in certain:
        if (text := _strictly(content, encoding)) is not None:
            return Decoded(text, encoding)
    return _damaged_utf8(content) or _guessed(content, declared)


def looks_binary(content: bytes) -> bool:
    """Whether bytes hold more control characters than any text does."""
    if _utf16(content) or content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    sample = content[:65_536]
    return len(sample) - len(sample.translate(None, _CONTROLS)) > _MAX_CONTROL_SHARE * len(sample)


def _known(declared: str | None) -> str | None:
    try:
        name = codecs.lookup(declared or "").name
    except (LookupError, ValueError):  # no such encoding, or characters that no name has
        return None
    if name in _REFUSED:
        return None
    return _FALLBACK if name in _LATIN else name


def _utf16(content: bytes) -> str | None:
    """UTF-16 without a mark: in Latin text every other byte is zero."""
    sample = content[:4096]
    if len(content) % 2 or len(sample) < 4:
        return None
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if even > 0.4 * len(sample) / 2 and odd < even / 10:
        return "utf-16-be"
    return "utf-16-le" if odd > 0.4 * len(sample) / 2 and even < odd / 10 else None


def _strictly(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except (UnicodeError, LookupError):  # LookupError: codecs that don't make text, such as "zip"
        return None


def _damaged_utf8(content: bytes) -> Decoded | None:
    """UTF-8 with a few bad bytes, such as a file cut off in mid-character."""
    text = content.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    good = len(_ASCII.sub("", text)) - bad
    if not good or bad > _TOLERABLE_DAMAGE * good:
        return None
    warning = f"Damaged characters were left out of what is otherwise UTF-8: {bad}."
    return Decoded(text.replace("\ufffd", ""), "utf-8", warning)


def _guessed(content: bytes, declared: str | None) -> Decoded:
    encoding, text = next(_plausible(content), (_FALLBACK, ""))
    text = text or content.decode(_FALLBACK, errors="ignore")
    stated = f"it is not the {declared} it declares" if declared else "it doesn't state its encoding"
    return Decoded(text, encoding, f"The text was read as {encoding}, because {stated}; save it as UTF-8 to be sure.")


def _plausible(content: bytes) -> Iterator[tuple[str, str]]:
    for encoding, expected, share in _GUESSES:
        text = _strictly(content, encoding)
        if text is None:
            continue
        foreign = _ASCII.sub(" ", text)[:_SAMPLE]
        written = len(foreign) - foreign.count(" ")
        if sum(map(len, expected.findall(foreign))) >= max(_FEWEST, share * written):
            yield encoding, text
