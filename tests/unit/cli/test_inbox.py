from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from ragstone.cli.environment import Environment
from ragstone.cli.inbox import Inbox, files_under


def made(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")


def test_a_file_goes_under_its_name(tmp_path: Path) -> None:
    made(tmp_path, "a/b.pdf")
    assert list(files_under(tmp_path / "a" / "b.pdf")) == [(tmp_path / "a" / "b.pdf", "b.pdf")]


def test_a_folder_s_files_go_under_their_paths_in_it(tmp_path: Path) -> None:
    made(tmp_path, "b.md", "a/c/d.pdf", "a/Fähre 1.txt", "a/c/d.pdf.metadata.json")
    (tmp_path / "empty").mkdir()
    found = list(files_under(tmp_path))
    assert [source for _, source in found] == ["a/Fähre 1.txt", "a/c/d.pdf", "a/c/d.pdf.metadata.json", "b.md"]
    assert [path.read_text(encoding="utf-8") for path, _ in found] == [source for _, source in found]


def test_an_empty_folder_has_none(tmp_path: Path) -> None:
    assert list(files_under(tmp_path)) == []


class Recording:
    """An environment without documents, whose S3 keeps what it is given."""

    def __init__(self) -> None:
        self.outputs = {"DocumentsBucket": "bucket"}
        self.uploaded: list[str] = []

    def client(self, service: str) -> Recording:
        return self

    def upload_file(self, path: str, bucket: str, key: str) -> None:
        self.uploaded.append(key)


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Recording:
    monkeypatch.setattr(Inbox, "_stamps", lambda self: {"a.pdf": "2026"})
    return Recording()


def test_sidecars_are_uploaded_before_the_documents_that_they_restrict(environment: Recording, tmp_path: Path) -> None:
    made(tmp_path, "a.pdf", "a.pdf.metadata.json", "b.pdf")
    assert Inbox(cast(Environment, environment)).put(files_under(tmp_path)) == {"a.pdf": "2026", "b.pdf": ""}
    assert environment.uploaded == ["inbox/a.pdf.metadata.json", "inbox/a.pdf", "inbox/b.pdf"]


def test_documents_with_an_access_list_are_not_waited_for(environment: Recording, tmp_path: Path) -> None:
    made(tmp_path, "a.pdf", "b.pdf", "c.pdf")
    for name, acl in (("a.pdf", '{"acl": ["crew"]}'), ("b.pdf", '{"acl": []}'), ("c.pdf", "[no sidecar")):
        (tmp_path / f"{name}.metadata.json").write_text(acl)
    assert set(Inbox(cast(Environment, environment)).put(files_under(tmp_path))) == {"b.pdf", "c.pdf"}
    assert len(environment.uploaded) == 6
