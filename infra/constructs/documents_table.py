"""The DynamoDB table behind the document registry."""

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


class DocumentsTable(Construct):
    """One item a document, found by `pk`, listed by source within a namespace through `by_source`."""

    def __init__(
        self, scope: Construct, id_: str, *, retain: bool, point_in_time_recovery: bool, deletion_protection: bool
    ) -> None:
        super().__init__(scope, id_)
        self.table = Table(
            self,
            "Table",
            partition_key=Attribute(name="pk", type=AttributeType.STRING),
            billing_mode=BillingMode.PAY_PER_REQUEST,
            encryption=TableEncryption.AWS_MANAGED,
            point_in_time_recovery_specification=PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=point_in_time_recovery
            ),
            deletion_protection=deletion_protection,
            removal_policy=RemovalPolicy.RETAIN if retain else RemovalPolicy.DESTROY,
        )
        if not point_in_time_recovery:
            acknowledge(self.table, {"DDB3": "The environment's settings say that this table may be lost."})
        self.table.add_global_secondary_index(
            index_name="by_source",
            partition_key=Attribute(name="namespace", type=AttributeType.STRING),
            sort_key=Attribute(name="source", type=AttributeType.STRING),
            projection_type=ProjectionType.ALL,
        )
