"""Layers of third-party packages: complete and for Lambda's platform, or the build fails."""

from __future__ import annotations

from pathlib import Path
from struct import pack, unpack_from

import pytest
from aws_cdk import BundlingOptions, DockerImage

from infra.app import make_app
from infra.constructs.layers import LEFT_OUT, LIBRARY
from infra.settings import REPOSITORY, load
from layers.dependencies.build import Architecture, DependencyLayer
from layers.dependencies.bundle import CompiledBundling
from layers.dependencies.bytecode import can_compile
from layers.dependencies.pruning import prune
from layers.dependencies.uv_command import PYTHON_VERSION, LayerError, run_uv

UNCHECKED_HASH = 0b01
"""In a .pyc file's flags (PEP 552): made from a source by its hash, which is not looked at again."""

PROJECT = """
[project]
name = "tiny"
version = "0"
requires-python = ">=3.11"

[dependency-groups]
things = ["idna==3.10"]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose only group locks one small pure package."""
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    run_uv(["lock"], cwd=tmp_path)
    return tmp_path


def test_wordllama_has_no_wheel_for_arm_and_fails_the_build(tmp_path: Path) -> None:
    layer = DependencyLayer(("query", "wordllama"), "arm64", project=REPOSITORY, cache=tmp_path)
    with pytest.raises(LayerError, match="wordllama") as caught:
        layer.build()
    assert "Python 3.13 on arm64" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_an_environment_whose_layer_cannot_be_built_cannot_be_synthesised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("infra.constructs.layers.CACHE", tmp_path / "cache")
    environment = load("dev").model_copy(update={"ragstone": {"embedder": "wordllama"}})
    with pytest.raises(RuntimeError, match="wordllama"):
        make_app(environment=environment, outdir=str(tmp_path / "out"))


def test_a_layer_holds_the_locked_packages_where_lambda_looks(project: Path, tmp_path: Path) -> None:
    folder = DependencyLayer(("things",), "arm64", project=project, cache=tmp_path / "cache").build()
    assert {path.name for path in (folder / "python").iterdir()} == {"idna", "idna-3.10.dist-info"}
    assert (folder / "python" / "idna" / "core.py").is_file()


def test_a_layer_is_built_once(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layer = DependencyLayer(("things",), "arm64", project=project, cache=tmp_path / "cache")
    first = layer.build()
    monkeypatch.setattr(layer.__class__, "_install", lambda *_: pytest.fail("it was built again"))
    assert DependencyLayer(("things",), "arm64", project=project, cache=tmp_path / "cache").build() == first


def test_a_fingerprint_follows_packages_platform_and_nothing_else(project: Path, tmp_path: Path) -> None:
    def fingerprint(*groups: str, architecture: Architecture = "arm64") -> str:
        return DependencyLayer(groups, architecture, project=project, cache=tmp_path).fingerprint

    first = fingerprint("things")
    (project / "unrelated.py").write_text("x = 1")
    assert fingerprint("things") == first
    assert fingerprint("things", architecture="x86_64") != first
    (project / "pyproject.toml").write_text(PROJECT.replace("3.10", "3.9"))
    run_uv(["lock"], cwd=project)
    assert fingerprint("things") != first


@pytest.mark.skipif(not can_compile(), reason=f"there is no Python {PYTHON_VERSION} to compile with")
def test_a_layer_holds_the_bytecode_of_each_module_for_lambda_to_use_unseen(project: Path, tmp_path: Path) -> None:
    layer = DependencyLayer(("things",), "arm64", project=project, cache=tmp_path / "cache", compiled=True)
    package = layer.build() / "python" / "idna"
    compiled = {
        path.name.partition(".")[0]: path.read_bytes() for path in package.glob("__pycache__/*.cpython-313.pyc")
    }
    assert compiled.keys() == {path.stem for path in package.glob("*.py")}
    assert {unpack_from("<I", content, 4)[0] for content in compiled.values()} == {UNCHECKED_HASH}
    assert b"/opt/python/idna/core.py" in compiled["core"]


@pytest.mark.skipif(not can_compile(), reason=f"there is no Python {PYTHON_VERSION} to compile with")
def test_the_library_is_shipped_compiled_and_without_its_command(tmp_path: Path) -> None:
    bundling = CompiledBundling(LIBRARY, left_out=LEFT_OUT)
    assert bundling.try_bundle(str(tmp_path), BundlingOptions(image=DockerImage.from_registry("unused")))
    package = tmp_path / "python" / "ragstone"
    assert not (package / "cli").exists()
    modules = {path.relative_to(package) for path in package.rglob("*.py")}
    assert Path("settings.py") in modules
    assert {path.parent.parent / f"{path.name.partition('.')[0]}.py" for path in _bytecode(package)} == modules


def test_a_layer_with_bytecode_is_another_than_one_without(project: Path, tmp_path: Path) -> None:
    def layer(group: str, *, compiled: bool) -> DependencyLayer:
        return DependencyLayer((group,), "arm64", project=project, cache=tmp_path, compiled=compiled)

    assert layer("things", compiled=True).fingerprint != layer("things", compiled=False).fingerprint
    assert not layer("eval", compiled=True).has_bytecode


def test_machine_code_for_another_machine_fails_the_build(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def install_for_x86(folder: Path) -> None:
        (folder / "idna" / "native.cpython-313-x86_64-linux-gnu.so").write_bytes(
            b"\x7fELF" + bytes(14) + pack("<H", 62)
        )

    monkeypatch.setattr("layers.dependencies.pruning.prune", install_for_x86)
    with pytest.raises(LayerError, match=r"idna/native.*another machine"):
        DependencyLayer(("things",), "arm64", project=project, cache=tmp_path / "cache").build()


def test_pruning_removes_what_no_function_reaches_and_keeps_the_rest(tmp_path: Path) -> None:
    kept = ["pandas/core/frame.py", "botocore/data/s3/2006-03-01/service-2.json.gz", "botocore/data/partitions.json"]
    kept += ["numpy/testing/__init__.py", "typing_extensions.py", "pandas-3.dist-info/METADATA"]
    gone = [
        "pandas/tests/test_frame.py",
        "botocore/data/ec2/2016-11-15/service-2.json.gz",
        "bin/f2py",
        "numpy/f2py/a.py",
    ]
    gone += ["numpy/__init__.pyi", "nltk/test/a.py", "idna/__pycache__/core.pyc", ".lock"]
    for name in [*kept, *gone]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    prune(tmp_path)
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == set(kept)


def _bytecode(package: Path) -> set[Path]:
    return {path.relative_to(package) for path in package.rglob("*.cpython-313.pyc")}
