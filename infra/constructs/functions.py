"""The one place where functions get what all of them have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk.aws_iam import Role, ServicePrincipal
from aws_cdk.aws_lambda import (
    ApplicationLogLevel,
    Code,
    Function,
    ILayerVersion,
    LoggingFormat,
    SystemLogLevel,
    Tracing,
)
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.constructs.layers import ARCHITECTURES, RUNTIME
from infra.constructs.logs import log_group
from infra.settings import REPOSITORY


@dataclass(frozen=True, kw_only=True)
class FunctionFactory:
    """Makes functions whose role may write its own log and traces, and nothing else until it is granted."""

    architecture: str
    log_level: str
    log_retention_days: int
    environment: Mapping[str, str]

    def make(
        self,
        scope: Construct,
        id_: str,
        *,
        folder: str,
        handler: str,
        layers: Sequence[ILayerVersion],
        memory_mb: int,
        timeout: Duration,
        environment: Mapping[str, str] | None = None,
    ) -> Function:
        """A function of `functions/<folder>` with its log group and role beside it."""
        logs = log_group(scope, f"{id_}Logs", retention_days=self.log_retention_days)
        service = ServicePrincipal("lambda.amazonaws.com")
        role = Role(scope, f"{id_}Role", assumed_by=service)  # pyright: ignore[reportArgumentType]
        logs.grant_write(role)
        function = Function(
            scope,
            id_,
            runtime=RUNTIME,
            architecture=ARCHITECTURES[self.architecture],
            code=Code.from_asset(str(REPOSITORY / "functions" / folder), exclude=["**/__pycache__"]),
            handler=handler,
            layers=list(layers),
            role=role,  # pyright: ignore[reportArgumentType]
            memory_size=memory_mb,
            timeout=timeout,
            environment={**self.environment, **(environment or {})},
            log_group=logs,
            logging_format=LoggingFormat.JSON,
            application_log_level_v2=ApplicationLogLevel[self.log_level],
            system_log_level_v2=SystemLogLevel.WARN,
            tracing=Tracing.ACTIVE,
        )
        acknowledge(function, {"L1": "Python 3.13 is the newest for which every locked package has a wheel."})
        acknowledge(role, {"IAM5[Resource::*]": "X-Ray takes traces without naming a resource."})
        return function
