"""What this deployment can do, and whether it can do it now."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fastapi import APIRouter, Response

from ragstone.errors import RagstoneError

READY_SECONDS = 5.0

Check = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """The names that a request may choose, of models and strategies the deployment's own first."""

    models: Sequence[str]
    strategies: Sequence[str]
    rerankers: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueRoutes:
    """`checks` ask for the parts that answers need, by name; each raises if its part is not there."""

    catalogue: Catalogue
    checks: Mapping[str, Check] = field(default_factory=dict[str, Check])

    @property
    def router(self) -> APIRouter:
        router = APIRouter(prefix="/v1", tags=["deployment"])
        router.get("/models")(self.models)
        router.get("/strategies")(self.strategies)
        router.get("/health")(self.live)
        router.get("/health/ready")(self.ready)
        return router

    def models(self) -> dict[str, Any]:
        """The chat models that a request may choose."""
        models = [{"id": name, "object": "model", "owned_by": "ragstone"} for name in self.catalogue.models]
        return {"object": "list", "data": models}

    def strategies(self) -> dict[str, Any]:
        """The retrieval strategies and rerankers that a request may choose."""
        return {"strategies": list(self.catalogue.strategies), "rerankers": list(self.catalogue.rerankers)}

    def live(self) -> dict[str, str]:
        """Whether the process answers."""
        return {"status": "ok"}

    async def ready(self, response: Response) -> dict[str, Any]:
        """Whether it can answer questions; 503 with what is missing if not."""
        outcomes = await asyncio.gather(*map(_outcome, self.checks.values()))
        missing = {name: why for name, why in zip(self.checks, outcomes, strict=True) if why}
        response.status_code = 503 if missing else 200
        return {"status": "unavailable" if missing else "ok", "missing": missing}


async def _outcome(check: Check) -> str:
    """Why a part is not there; nothing if it is."""
    try:
        await asyncio.wait_for(asyncio.to_thread(check), READY_SECONDS)
    except TimeoutError:
        return f"no answer in {READY_SECONDS:.0f} s; it may be waking up"
    except RagstoneError as error:
        return str(error)
    return ""
