"""The DynamoDB table of what belongs to callers: conversations, answers, shares, ratings and budgets."""

from __future__ import annotations

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

INDEXES = {"by_activity": ("pk", "activity"), "by_rating": ("rated", "rated_at")}


class ConversationsTable(Construct):
    """A partition an owner; items are gone after `expires_at`."""

    def __init__(
        self, scope: Construct, id_: str, *, retain: bool, point_in_time_recovery: bool, deletion_protection: bool
    ) -> None:
        super().__init__(scope, id_)
        self.table = Table(
            self,
            "Table",
            partition_key=_text("pk"),
            sort_key=_text("sk"),
            billing_mode=BillingMode.PAY_PER_REQUEST,
            encryption=TableEncryption.AWS_MANAGED,
            time_to_live_attribute="expires_at",
            point_in_time_recovery_specification=PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=point_in_time_recovery
            ),
            deletion_protection=deletion_protection,
            removal_policy=RemovalPolicy.RETAIN if retain else RemovalPolicy.DESTROY,
        )
        if not point_in_time_recovery:
            acknowledge(self.table, {"DDB3": "The environment's settings say that this table may be lost."})
        for name, (partition, sort) in INDEXES.items():
            self.table.add_global_secondary_index(
                index_name=name,
                partition_key=_text(partition),
                sort_key=_text(sort),
                projection_type=ProjectionType.ALL,
            )


def _text(name: str) -> Attribute:
    return Attribute(name=name, type=AttributeType.STRING)
