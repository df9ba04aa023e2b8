"""The Lambda layers: Ragstone itself, and the third-party packages of each set of dependency groups."""

from __future__ import annotations

from aws_cdk import AssetHashType, BundlingOptions, DockerImage, aws_lambda
from aws_cdk.aws_lambda import AssetCode, Code, LayerVersion, Runtime
from constructs import Construct

from infra.settings import REPOSITORY
from layers.dependencies.build import Architecture, DependencyLayer
from layers.dependencies.bundle import LocalBundling

RUNTIME = Runtime.PYTHON_3_13
ARCHITECTURES = {"arm64": aws_lambda.Architecture.ARM_64, "x86_64": aws_lambda.Architecture.X86_64}
CACHE = REPOSITORY / ".cache" / "layers"
LIBRARY = REPOSITORY / "layers" / "ragstone"


class Layers(Construct):
    """`library` for every function; `dependencies(...)` makes one layer a set of groups, none if not `bundled`."""

    def __init__(self, scope: Construct, id_: str, *, architecture: Architecture, bundled: bool) -> None:
        super().__init__(scope, id_)
        self._architecture: Architecture = architecture
        self._bundled = bundled
        self._made: dict[tuple[str, ...], LayerVersion] = {}
        exclude = ["**/__pycache__", "python/ragstone/cli"]
        self.library = self._layer("Ragstone", Code.from_asset(str(LIBRARY), exclude=exclude))

    def dependencies(self, *groups: str) -> list[LayerVersion]:
        if not self._bundled:
            return []
        if groups not in self._made:
            self._made[groups] = self._layer("".join(map(str.title, groups)), self._bundle(groups))
        return [self._made[groups]]

    def _bundle(self, groups: tuple[str, ...]) -> AssetCode:
        layer = DependencyLayer(groups, self._architecture, project=REPOSITORY, cache=CACHE)
        return Code.from_asset(
            str(REPOSITORY / "layers" / "dependencies"),
            asset_hash=layer.fingerprint,
            asset_hash_type=AssetHashType.CUSTOM,
            bundling=BundlingOptions(
                image=DockerImage.from_registry("never-pulled"),
                local=LocalBundling(layer),  # pyright: ignore[reportArgumentType]
            ),
        )

    def _layer(self, id_: str, code: AssetCode) -> LayerVersion:
        architectures = [ARCHITECTURES[self._architecture]]
        return LayerVersion(self, id_, code=code, compatible_runtimes=[RUNTIME], compatible_architectures=architectures)
