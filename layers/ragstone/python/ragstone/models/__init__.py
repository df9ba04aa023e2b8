"""Chat models by provider: `build_chat_model("anthropic:claude-haiku-5-5")`."""

from ragstone.models import anthropic, bedrock, openai
from ragstone.models.fallback import FallbackChatModel
from ragstone.models.known import chosen_model, known_models
from ragstone.models.limits import Limits
from ragstone.models.registry import build_chat_model, chat_models

__all__ = [
    "FallbackChatModel",
    "Limits",
    "anthropic",
    "bedrock",
    "build_chat_model",
    "chat_models",
    "chosen_model",
    "known_models",
    "openai",
]
