"""Tokenizers by spec: the offline embedder's own, or any file of the Hugging Face format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ragstone.errors import SettingsError
from ragstone.ports import Tokenizer
from ragstone.registry import Registry
from ragstone.specs import Spec

WORDLLAMA_FILE = Path("tokenizers", "l2_supercat_tokenizer_config.json")
PART = 20_000
"""Characters that are tokenized at a time; the whole of a long text would take a hundred times its size."""


class FileTokenizer:
    """A tokenizer read from a `tokenizer.json`."""

    def __init__(self, spec: str, path: Path) -> None:
        self.spec = spec
        self._tokenizer = _read(path)

    def starts(self, text: str) -> Sequence[int]:
        return [
            start + offset
            for start, end in _parts(text)
            for offset, _ in self._tokenizer.encode(text[start:end], add_special_tokens=False).offsets
        ]


tokenizers: Registry[Callable[[str], Tokenizer]] = Registry("tokenizer")
"""Tokenizers by name; each entry takes what stands behind the colon."""


@cache
def build_tokenizer(spec: str) -> Tokenizer:
    """The tokenizer that a spec names: `wordllama`, or `file:/path/to/tokenizer.json`."""
    name, detail = Spec.parse(spec)
    return tokenizers[name](detail)


@tokenizers.register("wordllama")
def wordllama(name: str) -> FileTokenizer:
    package = find_spec("wordllama")
    if name or package is None or not package.submodule_search_locations:
        raise SettingsError(
            "tokenizer wordllama comes with the package wordllama, which is not installed; install it, "
            "or set RAGSTONE_TOKENIZER to file:/path/to/tokenizer.json"
        )
    return FileTokenizer("wordllama", Path(package.submodule_search_locations[0]) / WORDLLAMA_FILE)


@tokenizers.register("file")
def file(path: str) -> FileTokenizer:
    return FileTokenizer(f"file:{path}", Path(path))


def _read(path: Path) -> Any:
    try:
        content = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"tokenizer file {path} can't be read: {error}") from error
    from tokenizers import Tokenizer as HuggingFace

    try:
        tokenizer = HuggingFace.from_str(content)
    except Exception as error:  # the library raises nothing narrower
        raise SettingsError(f"tokenizer file {path} is not of the Hugging Face format: {error}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Parts of about PART characters that end with a line or a word where there is one."""
    start = 0
    while start < len(text):
        end = min(start + PART, len(text))
        if end < len(text):
            end = max(text.rfind("\n", start, end), text.rfind(" ", start, end)) + 1 or end
        yield start, end
        start = end
