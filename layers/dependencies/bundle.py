"""Hands a dependency layer to CDK in place of the container that it would start."""

from __future__ import annotations

import os
import shutil

import jsii
from aws_cdk import BundlingOptions, ILocalBundling

from layers.dependencies.build import DependencyLayer


@jsii.implements(ILocalBundling)
class LocalBundling:
    """Fills CDK's output folder from the layer's cache; a failed build fails the synthesis, Docker is never asked."""

    def __init__(self, layer: DependencyLayer) -> None:
        self._layer = layer

    def try_bundle(self, output_dir: str, options: BundlingOptions) -> bool:
        shutil.copytree(self._layer.build(), output_dir, dirs_exist_ok=True, copy_function=os.link)
        return True
