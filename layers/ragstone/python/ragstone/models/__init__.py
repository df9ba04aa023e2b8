"""Chat models by provider: `build_chat_model("anthropic:claude-haiku-5-5")`."""

from ragstone.models import anthropic, bedrock, openai
from ragstone.models.registry import build_chat_model, chat_models

__all__ = ["anthropic", "bedrock", "build_chat_model", "chat_models", "openai"]
