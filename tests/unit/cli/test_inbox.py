from __future__ import annotations

from pathlib import Path

from ragstone.cli.inbox import files_under


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
