"""Hands layers to CDK in place of the container that it would start."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import jsii
from aws_cdk import BundlingOptions, ILocalBundling

from layers.dependencies.build import DependencyLayer
from layers.dependencies.bytecode import compile_sources


@jsii.implements(ILocalBundling)
class LocalBundling:
    """Fills CDK's output folder from the layer's cache; a failed build fails the synthesis, Docker is never asked."""

    def __init__(self, layer: DependencyLayer) -> None:
        self._layer = layer

    def try_bundle(self, output_dir: str, options: BundlingOptions) -> bool:
        shutil.copytree(self._layer.build(), output_dir, dirs_exist_ok=True, copy_function=os.link)
        return True


@jsii.implements(ILocalBundling)
class CompiledBundling:
    """Fills CDK's output folder with a folder of sources, but for what `left_out` names, and their bytecode."""

    def __init__(self, source: Path, *, left_out: Sequence[str]) -> None:
        self._source = source
        self._left_out = left_out

    def try_bundle(self, output_dir: str, options: BundlingOptions) -> bool:
        shutil.copytree(self._source, output_dir, ignore=shutil.ignore_patterns(*self._left_out), dirs_exist_ok=True)
        compile_sources(Path(output_dir))
        return True
