"""A DynamoDB table whose items matter, as the environment's settings say how much."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk import RemovalPolicy
from aws_cdk.aws_dynamodb import (
    Attribute,
    AttributeType,
    BillingMode,
    PointInTimeRecoverySpecification,
    ProjectionType,
    Table,
    TableEncryption,
)
from constructs import Construct

from infra.acknowledge import acknowledge


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """What protects a table's items."""

    retain: bool
    point_in_time_recovery: bool
    deletion_protection: bool


def kept_table(
    scope: Construct, keeping: Keeping, *, partition: str, sort: str | None = None, time_to_live: str | None = None
) -> Table:
    """Paid by request, encrypted, with keys of text."""
    table = Table(
        scope,
        "Table",
        partition_key=_text(partition),
        sort_key=_text(sort) if sort else None,
        billing_mode=BillingMode.PAY_PER_REQUEST,
        encryption=TableEncryption.AWS_MANAGED,
        time_to_live_attribute=time_to_live,
        point_in_time_recovery_specification=PointInTimeRecoverySpecification(
            point_in_time_recovery_enabled=keeping.point_in_time_recovery
        ),
        deletion_protection=keeping.deletion_protection,
        removal_policy=RemovalPolicy.RETAIN if keeping.retain else RemovalPolicy.DESTROY,
    )
    if not keeping.point_in_time_recovery:
        acknowledge(table, {"DDB3": "The environment's settings say that this table may be lost."})
    return table


def add_index(table: Table, name: str, *, partition: str, sort: str) -> None:
    """With all attributes of the items that have both keys."""
    table.add_global_secondary_index(
        index_name=name,
        partition_key=_text(partition),
        sort_key=_text(sort),
        projection_type=ProjectionType.ALL,
    )


def _text(name: str) -> Attribute:
    return Attribute(name=name, type=AttributeType.STRING)
