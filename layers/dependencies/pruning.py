"""What a layer leaves out: parts of packages that no function of ours can reach, each with its reason."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

PRUNED_PACKAGES = {
    "hf-xet": "downloads models from a hub; wordllama's are in its wheel",
    "pillow": "ragas imports it for prompts with images only, and loads without it",
}
PRUNED_PATTERNS = {
    "bin": "command line tools; a function has no shell",
    ".lock": "uv's own, and different each time",
    "**/__pycache__": "bytecode of the machine that built it, not of Lambda's Python",
    "**/*.pyi": "stubs are for type checkers",
    "**/tests": "packages' own tests, 25 MB in pandas and numpy",
    "**/test": "the same in nltk and joblib",
    "numpy/f2py": "compiles Fortran",
}
# botocore describes 400 services in 21 MB; these are the ones that functions call or that credentials need.
KEPT_AWS_SERVICES = frozenset(
    {"bedrock-runtime", "dynamodb", "lambda", "s3", "secretsmanager", "sqs", "sso", "sso-oidc", "stepfunctions", "sts"}
    | {"textract"}
)


def prune(packages: Path) -> None:
    """Delete what the lists above name from a folder of installed packages."""
    for path in [*_matches(packages), *_unused_services(packages)]:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _matches(packages: Path) -> Iterator[Path]:
    for pattern in PRUNED_PATTERNS:
        yield from packages.glob(pattern)


def _unused_services(packages: Path) -> Iterator[Path]:
    services = (path for path in packages.glob("botocore/data/*") if path.is_dir())
    return (path for path in services if path.name not in KEPT_AWS_SERVICES)
