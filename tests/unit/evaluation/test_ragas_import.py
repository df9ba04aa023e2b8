"""Importing ragas without what it doesn't use."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import importlib.util, os, sys, warnings
warnings.simplefilter("error")
from ragstone.evaluation.ragas_import import UNUSED, ragas_module

assert "ragas" not in sys.modules
finders, absent = list(sys.meta_path), {name for name in UNUSED if importlib.util.find_spec(name) is None}
collections = ragas_module("ragas.metrics.collections")
assert "datasets" in absent
assert collections.Faithfulness.__module__ == "ragas.metrics.collections.faithfulness.metric"
assert collections is ragas_module("ragas.metrics.collections")
assert os.environ["RAGAS_DO_NOT_TRACK"] == "true"
assert sys.meta_path == finders
assert not absent & {name.partition(".")[0] for name in sys.modules}
assert {name for name in UNUSED if importlib.util.find_spec(name) is None} == absent
"""


def test_ragas_is_imported_untracked_and_nothing_stands_in_afterwards() -> None:
    """In a process of its own, since ragas is imported once."""
    outcome = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stderr
