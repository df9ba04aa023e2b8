"""The Lambda layers: Ragstone itself, and the third-party packages of each set of dependency groups."""

from __future__ import annotations

from aws_cdk import Annotations, AssetHashType, BundlingOptions, DockerImage, aws_lambda
from aws_cdk.aws_lambda import AssetCode, Code, LayerVersion, Runtime
from constructs import Construct

from infra.settings import REPOSITORY
from layers.dependencies.build import Architecture, DependencyLayer
from layers.dependencies.bundle import CompiledBundling, LocalBundling
from layers.dependencies.bytecode import can_compile
from layers.dependencies.uv_command import PYTHON_VERSION

RUNTIME = Runtime.PYTHON_3_13
ARCHITECTURES = {"arm64": aws_lambda.Architecture.ARM_64, "x86_64": aws_lambda.Architecture.X86_64}
CACHE = REPOSITORY / ".cache" / "layers"
LIBRARY = REPOSITORY / "layers" / "ragstone"
LEFT_OUT = ("__pycache__", "cli")
"""Names of folders of the library that no function needs."""

NO_PYTHON = (
    f"there is no Python {PYTHON_VERSION} on this machine to compile the layers with, so functions will take about "
    f"twice as long to start. Install one, for example by: uv python install {PYTHON_VERSION}"
)


class Layers(Construct):
    """`library` for every function; `dependencies(...)` makes one layer a set of groups, none if not `bundled`."""

    def __init__(self, scope: Construct, id_: str, *, architecture: Architecture, bundled: bool) -> None:
        super().__init__(scope, id_)
        self._architecture: Architecture = architecture
        self._bundled = bundled
        self._made: dict[tuple[str, ...], LayerVersion] = {}
        self._compiled = bundled and can_compile()
        if bundled and not self._compiled:
            Annotations.of(self).add_info(NO_PYTHON)
        self.library = self._layer("Ragstone", self._own())

    def dependencies(self, *groups: str) -> list[LayerVersion]:
        if not self._bundled:
            return []
        if groups not in self._made:
            self._made[groups] = self._layer("".join(map(str.title, groups)), self._bundle(groups))
        return [self._made[groups]]

    def _own(self) -> AssetCode:
        exclude = [f"**/{name}" for name in LEFT_OUT]
        if not self._compiled:
            return Code.from_asset(str(LIBRARY), exclude=exclude)
        bundling = CompiledBundling(LIBRARY, left_out=LEFT_OUT)
        return Code.from_asset(str(LIBRARY), exclude=exclude, bundling=_locally(bundling))

    def _bundle(self, groups: tuple[str, ...]) -> AssetCode:
        layer = DependencyLayer(groups, self._architecture, project=REPOSITORY, cache=CACHE, compiled=self._compiled)
        return Code.from_asset(
            str(REPOSITORY / "layers" / "dependencies"),
            asset_hash=layer.fingerprint,
            asset_hash_type=AssetHashType.CUSTOM,
            bundling=_locally(LocalBundling(layer)),
        )

    def _layer(self, id_: str, code: AssetCode) -> LayerVersion:
        architectures = [ARCHITECTURES[self._architecture]]
        return LayerVersion(self, id_, code=code, compatible_runtimes=[RUNTIME], compatible_architectures=architectures)


def _locally(bundling: CompiledBundling | LocalBundling) -> BundlingOptions:
    return BundlingOptions(
        image=DockerImage.from_registry("never-pulled"),
        local=bundling,  # pyright: ignore[reportArgumentType]
    )
