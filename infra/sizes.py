"""Prints what each function and its layers unpack to, and fails when one comes near Lambda's limit.

Run it on a synthesised app: `python -m infra.sizes cdk.out`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LAMBDA_LIMIT = 250 * 2**20
ALLOWED = LAMBDA_LIMIT * 8 // 10
# A layer that isn't ours has no asset to measure; the Lambda Web Adapter's, the only one, has 5 MB.
PUBLIC_LAYER = 5_000_000


@dataclass(frozen=True, slots=True)
class Package:
    """What one function unpacks: its own code and each of its layers, in bytes by name."""

    function: str
    parts: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.parts.values())


def packages(assembly: Path) -> list[Package]:
    """Every function of ours in the app's templates, in the order of their names."""
    templates = (json.loads(path.read_text())["Resources"] for path in assembly.glob("*.template.json"))
    return sorted((found for resources in templates for found in _in(resources, assembly)), key=lambda p: p.function)


def too_large(found: Iterable[Package]) -> list[Package]:
    return [package for package in found if package.total > ALLOWED]


def _in(resources: Mapping[str, Any], assembly: Path) -> Iterable[Package]:
    for function in resources.values():
        properties = function.get("Properties", {})
        if function["Type"] == "AWS::Lambda::Function" and "Layers" in properties:
            layers = (_layer(layer, resources, assembly) for layer in properties["Layers"])
            code = _size(assembly, properties["Code"]["S3Key"])
            yield Package(_name(function), {"code": code, **dict(layers)})


def _layer(layer: object, resources: Mapping[str, Any], assembly: Path) -> tuple[str, int]:
    match layer:
        case {"Ref": str(reference)}:
            return _name(resources[reference]), _size(assembly, resources[reference]["Properties"]["Content"]["S3Key"])
        case _:
            return "public layer", PUBLIC_LAYER


def _name(resource: Mapping[str, Any]) -> str:
    """`Query` for the resource at Ragstone-dev-Stateless/Query/Resource."""
    return str(resource["Metadata"]["aws:cdk:path"]).split("/")[-2]


def _size(assembly: Path, key: str) -> int:
    folder = assembly / f"asset.{key.removesuffix('.zip')}"
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def main(assembly: str = "cdk.out") -> int:
    found = packages(Path(assembly))
    for package in found:
        parts = " + ".join(f"{name} {size / 1e6:.1f}" for name, size in package.parts.items())
        print(f"{package.function:<20} {package.total / 1e6:6.1f} MB = {parts}")  # noqa: T201
    for package in too_large(found):
        print(f"{package.function} is over {ALLOWED / 1e6:.0f} MB, 80 % of Lambda's limit")  # noqa: T201
    return bool(too_large(found)) if found else _nothing(assembly)


def _nothing(assembly: str) -> int:
    print(f"{assembly} holds no functions; synthesise first: cdk synth --all -c env=dev --output {assembly}")  # noqa: T201
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
