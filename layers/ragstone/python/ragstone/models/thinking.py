"""Models that think before they reply, unless told not to: their thoughts count towards the limit of a reply."""

from __future__ import annotations

import re

THINKING_TOKENS = 8_192  # without room for its thoughts, a model would have nothing left for the reply

# A family's name begins the model's, or follows a provider's in it: `z-ai/glm-5`, `eu.anthropic.claude-sonnet-5-5`.
# Claude's names begin with the family since version 4 and with the version before.
FAMILIES = re.compile(
    r"(^|[/.])(o\d|gpt-([5-9]|oss)|claude-[a-z]|gemini-(2\.5|[3-9]|[a-z])|glm-(4\.[5-9]|[5-9])"
    r"|qwen-?3|qwq|magistral|deepseek|minimax-m)"
    r"|think|reason|-r1",
    re.IGNORECASE,
)


def room_to_think(model: str) -> int:
    """Tokens to add to the limit of a reply, 0 for a model that is not known to think."""
    return THINKING_TOKENS if FAMILIES.search(model) else 0
