"""The settings of the index that an environment answers from."""

from __future__ import annotations

from ragstone.aws.generation_pointer import DynamoGenerationPointer
from ragstone.cli.environment import Environment
from ragstone.generations.built_with import settings_of
from ragstone.settings import Settings


def live_settings(environment: Environment) -> Settings:
    """The deployed function's, with those that its live index was built with."""
    function = environment.client("lambda").get_function_configuration(
        FunctionName=environment.outputs["QueryFunction"]
    )
    deployed = Settings.from_environment(function["Environment"]["Variables"])
    table, name = deployed.registry_table, deployed.index_name
    found = DynamoGenerationPointer(environment.resource("dynamodb"), table=table, name=name).read()
    return settings_of(found.live, deployed) if found else deployed
