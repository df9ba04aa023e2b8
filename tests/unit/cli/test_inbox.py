from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError

from ragstone.cli.environment import Environment
from ragstone.cli.inbox import Description, Inbox, files_under
from ragstone.errors import InvalidQuery, Rejected


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
    """An environment whose S3 keeps what it is given."""

    def __init__(self) -> None:
        self.outputs = {"DocumentsBucket": "bucket"}
        self.uploaded: list[str] = []
        self.sidecars: dict[str, Any] = {}

    def client(self, service: str) -> Recording:
        return self

    def upload_file(self, path: str, bucket: str, key: str) -> None:
        self.uploaded.append(key)

    def put_object(self, *, Bucket: str, Key: str, Body: bytes) -> None:
        self.uploaded.append(Key)
        self.sidecars[Key] = json.loads(Body)

    def get_object(self, *, Bucket: str, Key: str) -> dict[str, Any]:
        if Key not in self.sidecars:
            raise ClientError({"Error": {"Code": "NoSuchKey"}}, "GetObject")
        content = json.dumps(self.sidecars[Key]).encode()
        return {"Body": BytesIO(content), "ContentLength": len(content), "ETag": '"1"'}


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Recording:
    monkeypatch.setattr(Inbox, "_stamps", lambda self: {"a.pdf": "2026"})
    return Recording()


def test_sidecars_are_uploaded_before_the_documents_that_they_restrict(environment: Recording, tmp_path: Path) -> None:
    made(tmp_path, "a.pdf", "b.pdf")
    (tmp_path / "a.pdf.metadata.json").write_text('{"title": "Fares"}')
    assert Inbox(cast(Environment, environment)).put(files_under(tmp_path)) == {"a.pdf": "2026", "b.pdf": ""}
    assert environment.uploaded == ["inbox/a.pdf.metadata.json", "inbox/a.pdf", "inbox/b.pdf"]


def test_documents_with_an_access_list_are_not_waited_for(environment: Recording, tmp_path: Path) -> None:
    made(tmp_path, "a.pdf", "b.pdf", "c.pdf")
    for name, acl in (("a.pdf", '{"acl": ["crew"]}'), ("b.pdf", '{"acl": []}')):
        (tmp_path / f"{name}.metadata.json").write_text(acl)
    assert set(Inbox(cast(Environment, environment)).put(files_under(tmp_path))) == {"b.pdf", "c.pdf"}
    assert len(environment.uploaded) == 5


def test_a_malformed_sidecar_is_told_before_anything_is_uploaded(environment: Recording, tmp_path: Path) -> None:
    made(tmp_path, "a.pdf", "b.pdf")
    (tmp_path / "a.pdf.metadata.json").write_text('{"acl": "crew"}')
    with pytest.raises(Rejected, match=r"^a\.pdf\.metadata\.json is not of the form"):
        Inbox(cast(Environment, environment)).put(files_under(tmp_path))
    assert environment.uploaded == []


def test_what_is_said_of_the_files_is_there_before_them(environment: Recording, tmp_path: Path) -> None:
    made(tmp_path, "a.pdf", "b/c.pdf")
    said = Description.parse(None, ["office=Kelp Pier", "rule=a=b"], ["crew"])
    assert Inbox(cast(Environment, environment)).put(files_under(tmp_path), said) == {}
    sidecar = {"metadata": {"office": "Kelp Pier", "rule": "a=b"}, "acl": ["crew"]}
    assert environment.sidecars == dict.fromkeys(("inbox/a.pdf.metadata.json", "inbox/b/c.pdf.metadata.json"), sidecar)
    assert environment.uploaded[2:] == ["inbox/a.pdf", "inbox/b/c.pdf"]


@pytest.mark.parametrize(("acl", "expected"), [(None, ["crew"]), (["board"], ["board"]), ([""], None)])
def test_a_document_keeps_its_access_list_unless_another_is_said(
    environment: Recording, tmp_path: Path, acl: list[str] | None, expected: list[str] | None
) -> None:
    made(tmp_path, "a.pdf")
    environment.sidecars["inbox/a.pdf.metadata.json"] = {"title": "Old", "acl": ["crew"]}
    dropped = Inbox(cast(Environment, environment)).put(files_under(tmp_path), Description.parse("New", [], acl))
    shown = {"title": "New", **({"acl": expected} if expected else {})}
    assert environment.sidecars["inbox/a.pdf.metadata.json"] == shown
    assert dropped == ({} if expected else {"a.pdf": "2026"})


def test_what_can_t_be_said_of_files_is_refused_before_anything_is_uploaded(
    environment: Recording, tmp_path: Path
) -> None:
    made(tmp_path, "a.pdf", "b.pdf")
    inbox = Inbox(cast(Environment, environment))
    with pytest.raises(InvalidQuery, match=r"'office', '': write metadata as NAME=VALUE"):
        Description.parse(None, ["office", "=x", "year=2024"], None)
    with pytest.raises(InvalidQuery, match="a title is for one file, and these are 2"):
        inbox.put(files_under(tmp_path), Description.parse("Fares", [], None))
    (tmp_path / "a.pdf.metadata.json").write_text("{}")
    with pytest.raises(InvalidQuery, match=r"a\.pdf\.metadata\.json is there already"):
        inbox.put(files_under(tmp_path), Description.parse(None, [], ["crew"]))
    assert environment.uploaded == []
