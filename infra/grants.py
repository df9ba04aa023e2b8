"""What roles may do, action by action: no grant is wider than the code that uses it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import cast

from aws_cdk import Stack
from aws_cdk.aws_dynamodb import Table
from aws_cdk.aws_iam import IRole, PolicyStatement
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_s3 import IBucket
from aws_cdk.aws_sqs import IQueue

from infra.acknowledge import acknowledge, acknowledge_wildcard
from infra.constructs.conversations_table import INDEXES
from ragstone.specs import Spec

# `eu.amazon.nova-lite-v1:0` is an inference profile of the model `amazon.nova-lite-v1:0`.
PROFILE = re.compile(r"(us|us-gov|eu|apac|jp|au|ca|global)\.(?P<model>.+)")


def role_of(function: Function) -> IRole:
    return cast(IRole, function.role)  # only imported functions have none


def allow(role: IRole, actions: Sequence[str], resources: Sequence[str]) -> None:
    role.add_to_principal_policy(PolicyStatement(actions=actions, resources=resources))


def read_objects(role: IRole, bucket: IBucket, *, prefix: str = "") -> None:
    """Listing is included: without it S3 answers 403 for an object that isn't there."""
    _allow_objects(role, "s3:GetObject", bucket, prefix)
    allow(role, ["s3:ListBucket"], [bucket.bucket_arn])


def write_objects(role: IRole, bucket: IBucket, *, prefix: str = "") -> None:
    _allow_objects(role, "s3:PutObject", bucket, prefix)


def change_objects(role: IRole, bucket: IBucket, *, prefix: str) -> None:
    """To read, write, copy and delete objects and to see their history; a copy carries its tags."""
    read_objects(role, bucket, prefix=prefix)
    actions = ["s3:PutObject", "s3:DeleteObject", "s3:GetObjectTagging", "s3:PutObjectTagging"]
    allow(role, actions, [bucket.arn_for_objects(f"{prefix}*")])
    _allow_listing(role, "s3:ListBucketVersions", bucket, prefix)


def list_objects(role: IRole, bucket: IBucket, *, prefix: str) -> None:
    _allow_listing(role, "s3:ListBucket", bucket, prefix)


def _allow_listing(role: IRole, action: str, bucket: IBucket, prefix: str) -> None:
    below = {"StringLike": {"s3:prefix": f"{prefix}*"}}
    statement = PolicyStatement(actions=[action], resources=[bucket.bucket_arn], conditions=below)
    role.add_to_principal_policy(statement)


def move_messages(role: IRole, *, source: IQueue, target: IQueue) -> None:
    allow(role, ["sqs:ReceiveMessage", "sqs:DeleteMessage"], [source.queue_arn])
    send_messages(role, target)


def send_messages(role: IRole, queue: IQueue) -> None:
    allow(role, ["sqs:SendMessage"], [queue.queue_arn])


def read_scans(role: IRole, bucket: IBucket, *, prefix: str) -> None:
    """With Textract, which reads long files from a bucket, with the rights of its caller."""
    calls = ("DetectDocumentText", "StartDocumentTextDetection", "GetDocumentTextDetection")
    allow(role, [f"textract:{call}" for call in calls], ["*"])
    allow(role, ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], [bucket.arn_for_objects(f"{prefix}*")])
    acknowledge(role, {"IAM5[Resource::*]": "X-Ray and Textract know no resources that could be named."})
    reason = "Each scan that waits for Textract is an object of its own."
    acknowledge_wildcard(role, bucket.bucket_arn, f"/{prefix}*", owner=bucket, reason=reason)


def _allow_objects(role: IRole, action: str, bucket: IBucket, prefix: str) -> None:
    allow(role, [action], [bucket.arn_for_objects(f"{prefix}*")])
    reason = "Objects are named by those who put them; the bucket holds nothing else."
    acknowledge_wildcard(role, bucket.bucket_arn, f"/{prefix}*", owner=bucket, reason=reason)


def read_items(role: IRole, table: Table) -> None:
    allow(role, ["dynamodb:GetItem", "dynamodb:BatchGetItem"], [table.table_arn])
    allow(role, ["dynamodb:Query"], [f"{table.table_arn}/index/by_source"])


def update_items(role: IRole, table: Table) -> None:
    """Updates make items too; nothing deletes one."""
    allow(role, ["dynamodb:UpdateItem"], [table.table_arn])


def keep_vectors(role: IRole, table: Table) -> None:
    allow(role, ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem"], [table.table_arn])


def keep_conversations(role: IRole, table: Table) -> None:
    """To keep and remove what callers own; batches only remove."""
    changes = ["PutItem", "UpdateItem", "BatchWriteItem"]
    allow(role, [f"dynamodb:{action}" for action in ("GetItem", "Query", *changes)], [table.table_arn])
    allow(role, ["dynamodb:Query"], [f"{table.table_arn}/index/{name}" for name in INDEXES])


def read_secret(role: IRole, arn: str | None) -> None:
    if arn:
        allow(role, ["secretsmanager:GetSecretValue"], [arn])


def invoke_models(role: IRole, models: Sequence[Spec]) -> None:
    """The Bedrock models among the given."""
    resources = [arn for spec in models if spec.provider == "bedrock" for arn in _model_arns(role, spec.model)]
    if resources:
        allow(role, ["bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"], resources)


def _model_arns(role: IRole, model: str) -> list[str]:
    """A profile needs its model as well, in whichever Region a request is routed to."""
    stack = Stack.of(role)
    profile = PROFILE.fullmatch(model)
    if profile is None:
        return [f"arn:{stack.partition}:bedrock:{stack.region}::foundation-model/{model}"]
    routed = f"arn:{stack.partition}:bedrock:*::foundation-model/{profile['model']}"
    reason = "The inference profile chooses the Region; the model is the one that the settings name."
    acknowledge_wildcard(role, routed, owner=role, reason=reason)
    return [f"arn:{stack.partition}:bedrock:{stack.region}:{stack.account}:inference-profile/{model}", routed]
