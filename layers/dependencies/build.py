"""Builds a layer of locked third-party packages for Lambda's platform, on any machine that has uv."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from struct import unpack_from
from tempfile import TemporaryDirectory
from typing import Literal

from layers.dependencies import bytecode, pruning
from layers.dependencies.uv_command import PYTHON_VERSION, LayerError, run_uv

Architecture = Literal["arm64", "x86_64"]

PLATFORMS = {"arm64": "aarch64-manylinux_2_28", "x86_64": "x86_64-manylinux_2_28"}
ELF_MACHINES = {"arm64": 183, "x86_64": 62}
# Pure Python that its authors publish as source only: built here, and checked with all else to hold no machine code
# of this machine. Everything else must come as a wheel.
SOURCE_ONLY = ("rouge-score",)


@dataclass(frozen=True)
class DependencyLayer:
    """The packages of some dependency groups of `project`; made once for each content and kept in `cache`.

    They are `compiled` where the machine can, but for groups that are too large for that.
    """

    groups: tuple[str, ...]
    architecture: Architecture
    project: Path
    cache: Path
    compiled: bool = False

    @cached_property
    def requirements(self) -> str:
        """Every package with version and hashes, as the lock file has them."""
        chosen = [argument for group in self.groups for argument in ("--only-group", group)]
        left_out = [argument for package in pruning.PRUNED_PACKAGES for argument in ("--no-emit-package", package)]
        arguments = ["export", "--frozen", "--no-emit-project", "--no-header", "--no-annotate", *chosen, *left_out]
        return run_uv(arguments, cwd=self.project)

    @cached_property
    def fingerprint(self) -> str:
        """Changes exactly when the layer's content would."""
        platform = (PLATFORMS[self.architecture], PYTHON_VERSION, str(self.has_bytecode))
        parts = (self.requirements, *platform, Path(pruning.__file__).read_text())
        return sha256("\0".join(parts).encode()).hexdigest()

    @property
    def has_bytecode(self) -> bool:
        return self.compiled and bytecode.LEFT_OUT.keys().isdisjoint(self.groups)

    def build(self) -> Path:
        """The folder to zip, with its packages under `python/`; raises LayerError if one has no wheel."""
        folder = self.cache / self.fingerprint
        if not folder.is_dir():
            self.cache.mkdir(parents=True, exist_ok=True)
            with TemporaryDirectory(dir=self.cache) as unfinished:
                layer = Path(unfinished) / "layer"
                self._install(layer / "python")
                if self.has_bytecode:
                    bytecode.compile_sources(layer)
                layer.rename(folder)
        return folder

    def _install(self, packages: Path) -> None:
        packages.mkdir(parents=True)
        listing = packages.parent.parent / "requirements.txt"
        listing.write_text(self.requirements)
        target = ["--target", str(packages), "--python", sys.executable, "--python-version", PYTHON_VERSION]
        platform = ["--python-platform", PLATFORMS[self.architecture], "--only-binary", ":all:"]
        sources = [argument for package in SOURCE_ONLY for argument in ("--no-binary", package)]
        options = ["--no-deps", "--require-hashes", "--no-compile-bytecode", *target, *platform, *sources]
        try:
            run_uv(["pip", "install", *options, "-r", str(listing)], cwd=self.project)
        except LayerError as error:
            raise LayerError(
                f"The layer of {', '.join(self.groups)} can't be built for Python {PYTHON_VERSION} on "
                f"{self.architecture}; choose another package, model provider or functions.architecture.\n{error}"
            ) from error
        pruning.prune(packages)
        self._refuse_foreign_code(packages)

    def _refuse_foreign_code(self, packages: Path) -> None:
        for library in packages.rglob("*.so*"):
            machine = unpack_from("<H", library.read_bytes(), 18)[0]
            if machine != ELF_MACHINES[self.architecture]:
                raise LayerError(f"{library.relative_to(packages)} was compiled for another machine ({machine})")
