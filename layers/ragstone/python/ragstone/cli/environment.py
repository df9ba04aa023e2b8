"""A deployed environment as the command sees it: its addresses, and AWS clients that reach it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import boto3

from ragstone.cli.local import running
from ragstone.errors import SettingsError

LOCAL = "local"
LOCAL_REGION = "eu-central-1"
LOCAL_CREDENTIALS = {"aws_access_key_id": "test", "aws_secret_access_key": "test", "region_name": LOCAL_REGION}
STACKS = ("Stateful", "Stateless")


@dataclass(frozen=True)
class Environment:
    """One environment by name: `local`, or a deployed one through the caller's own AWS credentials."""

    name: str

    @property
    def is_local(self) -> bool:
        return self.name == LOCAL

    @cached_property
    def local(self) -> running.Running:
        found = running.read()
        if found is None or not found.is_up:
            raise SettingsError("the local environment does not run; start it with: make local")
        return found

    @cached_property
    def session(self) -> Any:
        return cast("Any", boto3).Session(**(LOCAL_CREDENTIALS if self.is_local else {}))

    def client(self, service: str) -> Any:
        return self.session.client(service, endpoint_url=self.local.endpoint if self.is_local else None)

    def resource(self, service: str) -> Any:
        return self.session.resource(service, endpoint_url=self.local.endpoint if self.is_local else None)

    @cached_property
    def outputs(self) -> Mapping[str, str]:
        """The outputs of both stacks by key."""
        cloudformation = self.client("cloudformation")
        found: dict[str, str] = {}
        for stack in STACKS:
            found |= _outputs(cloudformation, f"Ragstone-{self.name}-{stack}")
        return found

    @property
    def api_url(self) -> str:
        """Without a slash at its end."""
        return (self.local.api_url if self.is_local else self.outputs["ApiUrl"]).rstrip("/")


def _outputs(cloudformation: Any, stack: str) -> dict[str, str]:
    try:
        stacks = cloudformation.describe_stacks(StackName=stack)["Stacks"]
    except cloudformation.exceptions.ClientError as error:
        raise SettingsError(
            f"stack {stack} was not found with these AWS credentials and this region: {error}. "
            "Deploy it with cdk deploy -c env=NAME, or set AWS_PROFILE and AWS_REGION"
        ) from error
    return {output["OutputKey"]: output["OutputValue"] for output in stacks[0].get("Outputs", [])}
