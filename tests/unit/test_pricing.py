import pytest

from ragstone.pricing import Price, cost_usd, prices
from ragstone.types import TokenUsage


def test_tokens_cost_their_price_per_million() -> None:
    usage = TokenUsage("anthropic:claude-sonnet-5-5", input_tokens=1_500_000, output_tokens=200_000)
    assert cost_usd([usage]) == pytest.approx(1.5 * 2 + 0.2 * 10)


def test_calls_add_up() -> None:
    usage = TokenUsage("bedrock:amazon.nova-pro-v1:0", 10_000, 1_000)
    assert cost_usd([usage, usage]) == pytest.approx(2 * (0.008 + 0.0032))


def test_what_runs_in_process_costs_nothing() -> None:
    assert cost_usd([TokenUsage("extractive"), TokenUsage("wordllama", 500)]) == 0


@pytest.mark.parametrize("spec", ["ollama:llama3.1:8b", "lmstudio:qwen/qwen3-8b"])
def test_a_model_on_one_s_own_machine_costs_nothing_because_the_table_says_so(spec: str) -> None:
    assert cost_usd([TokenUsage(spec, 1_000, 100)]) == 0


@pytest.mark.parametrize("spec", ["ollama:gpt-oss:120b-cloud", "ollama:kimi-k2.6:cloud", "compatible:our-model"])
def test_a_model_that_may_be_billed_elsewhere_has_no_known_price(spec: str) -> None:
    assert cost_usd([TokenUsage(spec, 1_000, 100)]) is None


def test_no_calls_cost_nothing() -> None:
    assert cost_usd([]) == 0


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    assert cost_usd([TokenUsage("extractive"), TokenUsage("openai:my-own-model", 10, 10)]) is None


def test_a_priced_call_without_counted_tokens_is_unknown_not_free() -> None:
    assert cost_usd([TokenUsage("openai:gpt-6-luna")]) is None


def test_a_prompt_longer_than_its_price_holds_for_is_unknown() -> None:
    assert cost_usd([TokenUsage("anthropic:claude-haiku-5-5", 100_000, 10)]) == pytest.approx(0.010005)
    assert cost_usd([TokenUsage("anthropic:claude-haiku-5-5", 100_001, 10)]) is None


def test_every_price_in_the_table_is_complete_and_sane() -> None:
    assert prices()["extractive"] == Price(0, 0)
    assert all(0 <= price.input <= price.output < 1_000 for price in prices().values())
