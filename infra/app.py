"""The CDK app: `cdk deploy --all -c env=NAME` deploys the environment of infra/environments/NAME.toml."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aws_cdk import App, Tags, Validations
from cdk_nag import AwsSolutionsChecks

from infra.settings import REPOSITORY, Environment, load
from infra.stateful import StatefulStack
from infra.stateless import StatelessStack
from ragstone.errors import SettingsError


def make_app(
    context: Mapping[str, Any] | None = None, *, environment: Environment | None = None, outdir: str | None = None
) -> App:
    """The app as the CLI gets it: under the given context lies cdk.json's, which `App()` alone doesn't read.

    Its environment is the given one, or that of the context's `env`.
    """
    flags = json.loads((REPOSITORY / "cdk.json").read_text())["context"]
    app = App(context={**flags, **(context or {})}, outdir=outdir)
    chosen = environment or load(_name(app))
    stateful = StatefulStack(app, f"Ragstone-{chosen.name}-Stateful", chosen)
    StatelessStack(app, f"Ragstone-{chosen.name}-Stateless", chosen, stateful)
    Tags.of(app).add("ragstone:environment", chosen.name)
    Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


def _name(app: App) -> str:
    name = app.node.try_get_context("env")
    if not name:
        raise SettingsError("choose an environment, for example: cdk deploy --all -c env=dev")
    return str(name)


if __name__ == "__main__":
    make_app().synth()
