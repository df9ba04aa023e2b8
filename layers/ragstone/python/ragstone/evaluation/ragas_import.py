"""Imports ragas without the three quarters of its dependencies that its metrics never call.

ragas 0.4.3 names `datasets`, `instructor`, `tiktoken` and parts of LangChain at import, most of them only in
annotations and type checks. Where one is not installed, an empty module stands in for it while ragas is being
imported, and is gone afterwards: code that asks later whether the package is there gets the true answer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

UNUSED = frozenset({"PIL", "datasets", "instructor", "langchain_community", "langchain_openai", "tiktoken"})


class _StandIn(ModuleType):
    """A module that has any class one asks for, each an empty one."""

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        made = type(name, (), {})
        setattr(self, name, made)
        return made


class _StandIns(MetaPathFinder, Loader):
    """Finds stand-ins for unused packages; it is asked last, so that an installed package wins."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if fullname.partition(".")[0] in UNUSED else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


@cache
def ragas_module(name: str) -> ModuleType:
    """A module of ragas, for example `ragas_module("ragas.metrics.collections")`."""
    os.environ["RAGAS_DO_NOT_TRACK"] = "true"
    with _stand_ins():
        return import_module(name)


@contextmanager
def _stand_ins() -> Generator[None]:
    finder = _StandIns()
    sys.meta_path.append(finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name, module in sys.modules.items() if isinstance(module, _StandIn)]:
            del sys.modules[name]
