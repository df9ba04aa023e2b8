from __future__ import annotations

import subprocess
import sys


def test_the_query_function_loads_nothing_that_only_ingestion_needs() -> None:
    """What it imports is what a cold start waits for."""
    ingestion = "{'ragstone.chunking', 'ragstone.ingestion', 'ragstone.parsing', 'langchain_text_splitters', 'lxml'}"
    check = f"import sys, functions.query.app; print(sorted({ingestion} & set(sys.modules)))"
    printed = subprocess.check_output([sys.executable, "-c", check], env={"PYTHONPATH": ":".join(sys.path)})
    assert printed == b"[]\n"


def test_the_query_function_loads_nothing_that_only_some_requests_or_deployments_need() -> None:
    later = {"anthropic", "lancedb", "mcp", "numpy", "openai", "opensearchpy", "opentelemetry.sdk"}
    check = f"import sys, functions.query.app; print(sorted({later} & set(sys.modules)))"
    printed = subprocess.check_output([sys.executable, "-c", check], env={"PYTHONPATH": ":".join(sys.path)})
    assert printed == b"[]\n"
