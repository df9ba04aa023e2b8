from __future__ import annotations

from typing import Any

import pytest

from ragstone.cli import show_trace

TELEMETRY: dict[str, Any] = {
    "stages_ms": {"retrieve": 12.0, "total": 1234.4},
    "tokens": {"a:b": {"input": 100, "output": 20}},
    "cost_usd": 0.00123,
    "cache": "miss",
    "degraded": ["the reranker was late [2 s]"],
}


def test_telemetry_is_one_line_and_what_was_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    show_trace.telemetry(TELEMETRY)
    assert capsys.readouterr().out.splitlines() == [
        "  1234 ms · 120 tokens · $0.0012 · cache miss",
        "  degraded: the reranker was late [2 s]",
    ]


def test_an_unknown_price_is_not_zero(capsys: pytest.CaptureFixture[str]) -> None:
    show_trace.telemetry({**TELEMETRY, "cost_usd": None, "degraded": []})
    assert "price unknown" in capsys.readouterr().out


def test_stages_are_printed_in_order_with_what_went_in_and_came_out(capsys: pytest.CaptureFixture[str]) -> None:
    spans = [
        {"stage": "validate", "ms": 0.12, "outcome": "done", "inputs": {"characters": 3}, "results": {}},
        {"stage": "verify", "ms": 4.0, "outcome": "[odd]", "inputs": {}, "results": {"share": 0.66666, "orders": 1}},
    ]
    show_trace.stages(spans)
    _, first, second = capsys.readouterr().out.splitlines()
    assert first.split() == ["1", "validate", "0.1", "done", "characters", "3"]
    assert second.split() == ["2", "verify", "4.0", "[odd]", "share", "0.667,", "orders", "1"]
