"""`ragstone ask`: a question, its answer as it streams, and on demand the stages it went through."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ragstone.cli import show, show_trace
from ragstone.cli.api import Api
from ragstone.cli.environment import LOCAL, Environment
from ragstone.cli.options import EnvOption, JsonOption


def ask(
    question: str,
    *,
    env: EnvOption = LOCAL,
    as_json: JsonOption = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show the ten stages; settings have to allow it.")] = False,
    top_k: Annotated[int | None, typer.Option(help="How many passages to answer from.")] = None,
    strategy: Annotated[str | None, typer.Option(help="How to search.")] = None,
    reranker: Annotated[str | None, typer.Option(help="What reorders the passages.")] = None,
    model: Annotated[str | None, typer.Option(help="Which model answers.")] = None,
    language: Annotated[str | None, typer.Option(help="The answer's language, as de; else the question's.")] = None,
    conversation: Annotated[str | None, typer.Option(help="The id of the conversation that it belongs to.")] = None,
) -> None:
    """Ask a question; the answer streams with its citations."""
    given = {
        "question": question,
        "top_k": top_k,
        "strategy": strategy,
        "reranker": reranker,
        "chat_model": model,
        "language": language,
        "conversation_id": conversation,
        "trace": trace or None,
    }
    events = Api(Environment(env)).ask({name: value for name, value in given.items() if value is not None})
    if as_json:
        typer.echo(json.dumps(dict(events)["done"], ensure_ascii=False, indent=2))
        return
    final = show.answer(events)
    show_trace.telemetry(final["telemetry"])
    if trace:
        show_trace.stages(final["trace"])
