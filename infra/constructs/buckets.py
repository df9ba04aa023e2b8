"""The S3 buckets: documents that come in, reports that go out, and who read them."""

from __future__ import annotations

from typing import cast

from aws_cdk import Duration, RemovalPolicy
from aws_cdk.aws_s3 import (
    BlockPublicAccess,
    Bucket,
    BucketEncryption,
    CfnBucket,
    LifecycleRule,
    ObjectOwnership,
)
from constructs import Construct

from infra.acknowledge import acknowledge
from ragstone.ingestion.parsed import PREFIX as PARSED
from ragstone.parsing.ocr_textract import PREFIX as SCANS


class Buckets(Construct):
    """`documents` announces its changes to EventBridge; `reports` holds evaluation runs and what parsing works on."""

    def __init__(self, scope: Construct, id_: str, *, retain: bool, auto_delete_objects: bool) -> None:
        super().__init__(scope, id_)
        self._retain = retain
        self._auto_delete_objects = auto_delete_objects
        self._access_logs = self._bucket("AccessLogs", expiry=Duration.days(90))
        acknowledge(self._access_logs, {"S1": "This bucket receives the access logs; logging its own would never end."})
        self.documents = self._bucket("Documents", access_logs=self._access_logs)
        self.reports = self._bucket("Reports", access_logs=self._access_logs)
        self.reports.add_lifecycle_rule(prefix=PARSED, expiration=Duration.days(90))
        self.reports.add_lifecycle_rule(
            prefix=SCANS, expiration=Duration.days(1), noncurrent_version_expiration=Duration.days(1)
        )
        _announce_changes(self.documents)

    def _bucket(self, id_: str, *, expiry: Duration | None = None, access_logs: Bucket | None = None) -> Bucket:
        return Bucket(
            self,
            id_,
            block_public_access=BlockPublicAccess.BLOCK_ALL,
            encryption=BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            versioned=True,
            object_ownership=ObjectOwnership.BUCKET_OWNER_ENFORCED,
            server_access_logs_bucket=access_logs,
            server_access_logs_prefix=f"{id_.lower()}/" if access_logs else None,
            removal_policy=RemovalPolicy.RETAIN if self._retain else RemovalPolicy.DESTROY,
            auto_delete_objects=self._auto_delete_objects,
            lifecycle_rules=[
                LifecycleRule(
                    noncurrent_version_expiration=Duration.days(30),
                    abort_incomplete_multipart_upload_after=Duration.days(7),
                    expired_object_delete_marker=None if expiry else True,
                    expiration=expiry,
                )
            ],
        )


def _announce_changes(bucket: Bucket) -> None:
    """Send events to EventBridge; the L2 flag would add a Lambda function to set this one native property."""
    resource = cast(CfnBucket, bucket.node.default_child)
    resource.notification_configuration = CfnBucket.NotificationConfigurationProperty(
        event_bridge_configuration=CfnBucket.EventBridgeConfigurationProperty(event_bridge_enabled=True)
    )
