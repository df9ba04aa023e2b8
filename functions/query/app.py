"""The query function: an ASGI app behind the Lambda Web Adapter, and under uvicorn on a laptop."""

from __future__ import annotations

from ragstone.api.live import LiveApp
from ragstone.composition import read_settings
from ragstone.deployment import live_generation, settings_for
from ragstone.service import build_api


def build_app() -> LiveApp:
    """The factory that uvicorn calls once a process."""
    deployed = read_settings()
    return LiveApp(
        live=lambda: live_generation(deployed),
        build=lambda generation: build_api(settings_for(generation, deployed)),
    )
