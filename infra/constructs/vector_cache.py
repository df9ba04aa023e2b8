"""The DynamoDB table that keeps embeddings, so that an unchanged chunk is never embedded twice."""

from __future__ import annotations

from aws_cdk import RemovalPolicy
from aws_cdk.aws_dynamodb import Attribute, AttributeType, BillingMode, Table, TableEncryption
from constructs import Construct

from infra.acknowledge import acknowledge


class VectorCache(Construct):
    """One item a vector, found by `key`, gone after `expires_at`; all of it can be made again."""

    def __init__(self, scope: Construct, id_: str) -> None:
        super().__init__(scope, id_)
        self.table = Table(
            self,
            "Table",
            partition_key=Attribute(name="key", type=AttributeType.STRING),
            billing_mode=BillingMode.PAY_PER_REQUEST,
            encryption=TableEncryption.AWS_MANAGED,
            time_to_live_attribute="expires_at",
            removal_policy=RemovalPolicy.DESTROY,
        )
        acknowledge(self.table, {"DDB3": "A cache: whatever is lost is embedded again."})
