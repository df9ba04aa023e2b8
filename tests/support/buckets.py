"""The documents bucket as the stack makes it."""

from __future__ import annotations

from tests.support.fixtures_ministack import Account


def versioned_bucket(account: Account, name: str) -> None:
    s3 = account.client("s3")
    s3.create_bucket(Bucket=name, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    s3.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
