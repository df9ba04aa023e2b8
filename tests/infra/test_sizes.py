from __future__ import annotations

import json
from pathlib import Path

import pytest

from infra import sizes
from infra.sizes import ALLOWED, PUBLIC_LAYER, main, packages


def assembly(folder: Path, *, layer_bytes: int) -> Path:
    """A synthesised app of one function with a layer of ours and a public one."""
    for name, size in (("code", 10), ("layer", layer_bytes)):
        (folder / f"asset.{name}" / "python").mkdir(parents=True)
        with (folder / f"asset.{name}" / "python" / "file").open("wb") as file:
            file.truncate(size)
    path = {"aws:cdk:path": "Ragstone-qa-Stateless/Layers/Things/Resource"}
    function = {"Code": {"S3Key": "code.zip"}, "Layers": [{"Ref": "Layer1"}, "arn:aws:lambda:eu-west-1:1:layer:x:1"]}
    resources = {
        "Layer1": {
            "Type": "AWS::Lambda::LayerVersion",
            "Metadata": path,
            "Properties": {"Content": {"S3Key": "layer.zip"}},
        },
        "Fn1": {
            "Type": "AWS::Lambda::Function",
            "Metadata": {"aws:cdk:path": "a/Query/Resource"},
            "Properties": function,
        },
    }
    (folder / "Ragstone-qa-Stateless.template.json").write_text(json.dumps({"Resources": resources}))
    return folder


def test_a_function_counts_with_all_its_layers(tmp_path: Path) -> None:
    (package,) = packages(assembly(tmp_path, layer_bytes=2_000))
    assert package.function == "Query"
    assert package.parts == {"code": 10, "Things": 2_000, "public layer": PUBLIC_LAYER}
    assert package.total == 2_010 + PUBLIC_LAYER


def test_sizes_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(str(assembly(tmp_path, layer_bytes=20_000_000))) == 0
    assert "Query                  25.0 MB = code 0.0 + Things 20.0 + public layer 5.0" in capsys.readouterr().out


def test_a_function_near_the_limit_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(str(assembly(tmp_path, layer_bytes=ALLOWED - PUBLIC_LAYER))) == 1
    assert "Query is over 210 MB" in capsys.readouterr().out


def test_a_fifth_of_the_limit_is_spared() -> None:
    assert sizes.ALLOWED == sizes.LAMBDA_LIMIT * 0.8 == 209_715_200


def test_an_empty_folder_is_not_a_small_app(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(str(tmp_path)) == 1
    assert "cdk synth" in capsys.readouterr().out
