import pytest

from ragstone.models.thinking import THINKING_TOKENS, room_to_think


@pytest.mark.parametrize(
    "model",
    [
        *("o3", "o4-mini", "gpt-5-mini", "gpt-6-luna", "openai/gpt-oss-120b", "openai.gpt-oss-120b-1:0", "gpt-oss:20b"),
        *("claude-haiku-5-5", "eu.anthropic.claude-sonnet-5-5", "anthropic/claude-opus-5.5"),
        *("gemini-2.5-flash", "gemini-3.5-flash", "gemini-flash-latest", "google/gemini-3.1-pro"),
        *("glm-4.6", "glm-5.3", "z-ai/glm-5", "qwen3:8b", "qwen/qwen3-8b", "Qwen3-30B-A3B", "qwen.qwen3-32b-v1:0"),
        *("deepseek-r1:14b", "deepseek.r1-v1:0", "magistral:24b", "phi4-reasoning", "kimi-k2-thinking"),
    ],
)
def test_a_model_that_thinks_gets_room_for_it(model: str) -> None:
    assert room_to_think(model) == THINKING_TOKENS


@pytest.mark.parametrize(
    "model",
    [
        *("gpt-4o-mini", "gpt-4.1", "claude-3-5-haiku-20241022", "anthropic.claude-3-haiku-20240307-v1:0"),
        *("gemini-2.0-flash", "glm-4-plus", "llama3.1:8b", "qwen2.5:7b", "olmo-2", "mistral-large", "gemma3:4b"),
        *("amazon.nova-lite-v1:0", "our-deployment"),
    ],
)
def test_another_gets_none(model: str) -> None:
    assert room_to_think(model) == 0
