"""The table of parsers by media type; each format's module adds itself."""

from __future__ import annotations

from ragstone.ports import Parser
from ragstone.registry import Registry

parsers: Registry[Parser] = Registry("media type")
