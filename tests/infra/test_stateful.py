from __future__ import annotations

from pathlib import Path

import pytest

from tests.infra.templates import Templates, changed, synthesise, text_of

BUCKETS = ["BucketsDocuments", "BucketsReports", "BucketsAccessLogs"]
# Changing one of these ids would replace what holds a team's data.
LOGICAL_IDS = {
    "AWS::S3::Bucket": {"BucketsDocumentsE696B60E", "BucketsReportsE712E931"},
    "AWS::DynamoDB::Table": {"DocumentsTable2245A403"},
}


@pytest.mark.parametrize("bucket", BUCKETS)
def test_buckets_are_private_versioned_and_encrypted(deployed: Templates, bucket: str) -> None:
    properties = deployed.one("AWS::S3::Bucket", bucket)
    assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(properties["PublicAccessBlockConfiguration"]) == 4
    assert properties["VersioningConfiguration"] == {"Status": "Enabled"}
    (rule,) = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"


@pytest.mark.parametrize("bucket", BUCKETS)
def test_buckets_refuse_requests_without_tls(deployed: Templates, bucket: str) -> None:
    statements = deployed.one("AWS::S3::BucketPolicy", bucket)["PolicyDocument"]["Statement"]
    denials = [s for s in statements if s["Effect"] == "Deny" and s["Action"] == "s3:*"]
    assert {"Bool": {"aws:SecureTransport": "false"}} in [s["Condition"] for s in denials]
    assert all(s["Principal"] == {"AWS": "*"} and len(s["Resource"]) == 2 for s in denials)


def test_old_versions_of_objects_go_after_a_month(deployed: Templates) -> None:
    (rule,) = deployed.one("AWS::S3::Bucket", "BucketsDocuments")["LifecycleConfiguration"]["Rules"]
    assert rule["NoncurrentVersionExpiration"] == {"NoncurrentDays": 30}
    assert "ExpirationInDays" not in rule


def test_what_parsing_works_on_goes_by_itself(deployed: Templates) -> None:
    rules = deployed.one("AWS::S3::Bucket", "BucketsReports")["LifecycleConfiguration"]["Rules"]
    days = {rule["Prefix"]: rule["ExpirationInDays"] for rule in rules if "Prefix" in rule}
    assert (days["parsed/"], days["ocr/"]) == (90, 1)


def test_documents_announce_their_changes(deployed: Templates) -> None:
    properties = deployed.one("AWS::S3::Bucket", "BucketsDocuments")
    assert properties["NotificationConfiguration"]["EventBridgeConfiguration"] == {"EventBridgeEnabled": True}


def test_the_table_is_keyed_as_the_registry_reads_it(deployed: Templates) -> None:
    table = deployed.one("AWS::DynamoDB::Table", "DocumentsTable")
    assert table["KeySchema"] == [{"AttributeName": "pk", "KeyType": "HASH"}]
    (index,) = table["GlobalSecondaryIndexes"]
    assert index["IndexName"] == "by_source"
    assert [key["AttributeName"] for key in index["KeySchema"]] == ["namespace", "source"]
    assert index["Projection"] == {"ProjectionType": "ALL"}
    assert table["BillingMode"] == "PAY_PER_REQUEST"


def test_cached_vectors_go_by_themselves(deployed: Templates) -> None:
    table = deployed.one("AWS::DynamoDB::Table", "VectorCache")
    assert table["KeySchema"] == [{"AttributeName": "key", "KeyType": "HASH"}]
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}
    assert table["BillingMode"] == "PAY_PER_REQUEST"


def test_production_data_outlives_its_stack(prod: Templates) -> None:
    kinds = ("AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::OpenSearchService::Domain")
    found = {name: resource for kind in kinds for name, resource in prod.of_type(kind).items()}
    kept = [resource for name, resource in found.items() if not name.startswith("VectorCache")]
    assert len(kept) == 6
    assert {resource["DeletionPolicy"] for resource in kept} == {"Retain"}
    for name in ("DocumentsTable", "ConversationsTable"):
        table = prod.one("AWS::DynamoDB::Table", name)
        assert table["DeletionProtectionEnabled"] is True
        assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
        assert table["SSESpecification"] == {"SSEEnabled": True}


def test_conversations_vanish_by_themselves(prod: Templates) -> None:
    table = prod.one("AWS::DynamoDB::Table", "ConversationsTable")
    assert table["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_a_development_stack_leaves_nothing(dev: Templates) -> None:
    kinds = ("AWS::S3::Bucket", "AWS::DynamoDB::Table", "AWS::OpenSearchServerless::Collection")
    assert {r["DeletionPolicy"] for kind in kinds for r in dev.of_type(kind).values()} == {"Delete"}
    assert len(dev.of_type("Custom::S3AutoDeleteObjects")) == 3


def test_stateful_logical_ids_are_stable(deployed: Templates) -> None:
    for kind, ids in LOGICAL_IDS.items():
        assert ids <= set(deployed.of_type(kind))
    assert set(deployed.stateful["Resources"]).isdisjoint(deployed.stateless["Resources"])


def test_production_runs_without_a_helper_function(prod: Templates) -> None:
    """Custom resources would bring Lambda functions with rights that nobody reviewed."""
    assert not [
        kind for kind in (r["Type"] for r in prod.stateful["Resources"].values()) if kind.startswith("Custom::")
    ]
    assert len(prod.of_type("AWS::Lambda::Function")) == 9


def test_serverless_search_is_second_generation_and_scales_to_zero(dev: Templates) -> None:
    group = dev.one("AWS::OpenSearchServerless::CollectionGroup")
    assert (group["Generation"], group["StandbyReplicas"]) == ("NEXTGEN", "ENABLED")
    assert group["CapacityLimits"]["MinSearchCapacityInOcu"] == 0
    assert group["CapacityLimits"]["MaxIndexingCapacityInOcu"] == 2
    collection = dev.one("AWS::OpenSearchServerless::Collection")
    assert (collection["Type"], collection["CollectionGroupName"]) == ("VECTORSEARCH", group["Name"])


def test_a_collection_waits_for_its_policies(dev: Templates) -> None:
    (collection,) = dev.of_type("AWS::OpenSearchServerless::Collection").values()
    policies = dev.of_type("AWS::OpenSearchServerless::SecurityPolicy")
    assert {p["Properties"]["Type"] for p in policies.values()} == {"encryption", "network"}
    assert set(policies) < set(collection["DependsOn"])


def test_a_domain_is_encrypted_everywhere_and_open_to_its_account_only(prod: Templates) -> None:
    domain = prod.one("AWS::OpenSearchService::Domain")
    assert domain["EngineVersion"] == "OpenSearch_3.7"
    assert domain["EncryptionAtRestOptions"]["Enabled"] is True
    assert domain["NodeToNodeEncryptionOptions"] == {"Enabled": True}
    assert domain["DomainEndpointOptions"] == {
        "EnforceHTTPS": True,
        "TLSSecurityPolicy": "Policy-Min-TLS-1-2-PFS-2023-10",
    }
    (statement,) = domain["AccessPolicies"]["Statement"]
    assert ":root" in text_of(statement["Principal"])


def test_a_domain_waits_until_it_may_log(prod: Templates) -> None:
    (domain,) = prod.of_type("AWS::OpenSearchService::Domain").values()
    (policy,) = prod.of_type("AWS::Logs::ResourcePolicy")
    assert policy in domain["DependsOn"]
    assert {log["Enabled"] for log in domain["Properties"]["LogPublishingOptions"].values()} == {True}


def test_another_search_service_is_only_named(tmp_path: Path) -> None:
    place = 'kind = "url"\nurl = "https://search.example.com"\n'
    access = 'auth = "es"\narn = "arn:aws:es:eu-west-1:123456789012:domain/x"'
    environment = changed("dev", 'kind = "serverless"\nmax_ocus = 2', place + access)
    found = synthesise(environment, tmp_path)
    assert "OpenSearch" not in text_of([r["Type"] for r in found.stateful["Resources"].values()])
    function = found.one("AWS::Lambda::Function", "Query")
    assert function["Environment"]["Variables"]["RAGSTONE_INDEX_URL"] == "https://search.example.com"
    assert "es:ESHttpPost" in found.actions("QueryRole")
