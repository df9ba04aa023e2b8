from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from ragstone.chunking import tokenizers
from ragstone.chunking.tokenizers import WORDLLAMA_FILE, build_tokenizer
from ragstone.errors import SettingsError


def wordllama_file() -> Path:
    package = find_spec("wordllama")
    assert package is not None
    return Path((package.submodule_search_locations or [""])[0]) / WORDLLAMA_FILE


def test_tokens_begin_where_the_model_sees_them() -> None:
    assert list(build_tokenizer("wordllama").starts("Die Fähre")) == [0, 3, 5, 7]


def test_a_character_of_several_tokens_stands_there_as_often() -> None:
    assert list(build_tokenizer("wordllama").starts("🔦")) == [0, 0, 0, 0, 0]


def test_a_long_text_is_tokenized_in_parts_with_true_places(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The ferry runs.\n" * 30
    whole = list(build_tokenizer("wordllama").starts(text))
    monkeypatch.setattr(tokenizers, "PART", 50)
    parts = list(build_tokenizer("wordllama").starts(text))
    assert (parts == sorted(parts), parts[-1] < len(text)) == (True, True)
    assert len(parts) == pytest.approx(len(whole), rel=0.1)


def test_a_file_of_the_hugging_face_format_is_a_tokenizer_without_its_own_truncation(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    content = json.loads(wordllama_file().read_text())
    content["truncation"] = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    path.write_text(json.dumps(content))
    tokenizer = build_tokenizer(f"file:{path}")
    text = "The night ferry runs on Tuesdays only."
    assert tokenizer.spec == f"file:{path}"
    assert list(tokenizer.starts(text)) == list(build_tokenizer("wordllama").starts(text))


@pytest.mark.parametrize("content", [None, b"\xff\xfe", b"{}"])
def test_a_file_that_is_no_tokenizer_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingsError, match=r"tokenizer file .*tokenizer\.json"):
        build_tokenizer(f"file:{path}")


def test_an_unknown_tokenizer_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="unknown tokenizer 'tiktoken'; known are file, wordllama"):
        build_tokenizer("tiktoken:cl100k_base")


def test_without_the_package_the_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizers, "find_spec", lambda name: None)
    with pytest.raises(SettingsError, match="RAGSTONE_TOKENIZER"):
        tokenizers.wordllama("")
