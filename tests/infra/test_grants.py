"""Each role may do what its function does, and nothing that would hurt."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.infra.templates import Templates, as_list, changed, synthesise, text_of

ROLES = [
    "IngestRole",
    "QueryRole",
    "EvaluationPlanRole",
    "EvaluationBuildRole",
    "EvaluationEvaluateRole",
    "EvaluationReportRole",
]
SECRET = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:keys-abc123"


def test_the_query_function_changes_neither_registry_nor_index(deployed: Templates) -> None:
    statements = deployed.statements("QueryRole")
    documents = [s for s in statements if "DocumentsTable" in text_of(s["Resource"])]
    assert {action for s in documents for action in as_list(s["Action"])} == {
        "dynamodb:GetItem",
        "dynamodb:BatchGetItem",
        "dynamodb:Query",
    }
    assert not deployed.actions("QueryRole") & {"es:ESHttpPut", "es:ESHttpDelete"}


def test_only_the_query_function_keeps_conversations_and_never_reads_them_all(deployed: Templates) -> None:
    def allowed(role: str) -> set[str]:
        mine = (s for s in deployed.statements(role) if "ConversationsTable" in text_of(s["Resource"]))
        return {action.removeprefix("dynamodb:") for s in mine for action in as_list(s["Action"])}

    assert allowed("QueryRole") == {"GetItem", "Query", "PutItem", "UpdateItem", "BatchWriteItem"}
    assert not [role for role in ROLES if role != "QueryRole" and allowed(role)]


def test_the_query_function_changes_the_inbox_and_nothing_else_of_s3(deployed: Templates) -> None:
    statements = [s for s in deployed.statements("QueryRole") if "s3:" in text_of(s["Action"])]
    of_objects = [s for s in statements if "Object" in text_of(s["Action"])]
    assert {action for s in of_objects for action in as_list(s["Action"])} == {
        *("s3:GetObject", "s3:PutObject", "s3:DeleteObject"),
        *("s3:GetObjectTagging", "s3:PutObjectTagging"),
    }
    for statement in of_objects:
        assert "BucketsDocuments" in text_of(statement["Resource"])
        assert statement["Resource"]["Fn::Join"][1][-1] == "/inbox/*"


@pytest.mark.parametrize(
    ("role", "action"), [("QueryRole", "s3:ListBucketVersions"), ("RepairReconcileRole", "s3:ListBucket")]
)
def test_what_is_listed_lies_below_the_inbox(deployed: Templates, role: str, action: str) -> None:
    (listing,) = (s for s in deployed.statements(role) if s["Action"] == action)
    assert listing["Condition"] == {"StringLike": {"s3:prefix": "inbox/*"}}
    assert "BucketsDocuments" in text_of(listing["Resource"])


def test_replay_moves_dead_letters_to_the_queue_and_does_nothing_else(deployed: Templates) -> None:
    allowed = {action: s for s in deployed.statements("RepairReplayRole") for action in as_list(s["Action"])}
    moves = {action: text_of(s["Resource"]) for action, s in allowed.items() if action.startswith("sqs:")}
    assert set(moves) == {"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:SendMessage"}
    assert "IngestionDeadLetters" in moves["sqs:ReceiveMessage"]
    assert "IngestionDeadLetters" in moves["sqs:DeleteMessage"]
    assert "IngestionQueue" in moves["sqs:SendMessage"]
    assert not [action for action in allowed if not action.startswith(("logs:", "sqs:", "xray:"))]


def test_reconciliation_reads_sends_and_changes_nothing_but_the_index(deployed: Templates) -> None:
    actions = {a for a in deployed.actions("RepairReconcileRole") if not a.startswith(("logs:", "xray:"))}
    searches = {a for a in actions if a.startswith(("es:", "aoss:"))}
    assert actions - searches == {
        *("dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"),
        *("s3:ListBucket", "sqs:SendMessage"),
    }
    assert searches & {"es:ESHttpPost", "aoss:APIAccessAll"}


def test_the_reindex_function_moves_the_pointer_and_lets_ingestion_read_documents(deployed: Templates) -> None:
    actions = {a for a in deployed.actions("RepairReindexRole") if not a.startswith(("logs:", "xray:", "es:", "aoss:"))}
    assert actions == {
        *("dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:UpdateItem"),
        *("s3:ListBucket", "sqs:SendMessage", "bedrock:InvokeModel", "bedrock:InvokeModelWithResponseStream"),
    }
    assert deployed.actions("RepairReindexRole") & {"es:ESHttpPut", "aoss:APIAccessAll"}
    (sends,) = (s for s in deployed.statements("RepairReindexRole") if s["Action"] == "sqs:SendMessage")
    assert "IngestionBackfill" in text_of(sends["Resource"])


def test_the_query_function_posts_only_searches_to_a_domain(prod: Templates) -> None:
    (posts,) = (s for s in prod.statements("QueryRole") if "es:ESHttpPost" in as_list(s["Action"]))
    paths = [resource["Fn::Join"][1][-1] for resource in posts["Resource"]]
    assert sorted(paths) == ["/*/_count", "/*/_msearch", "/*/_search", "/_msearch"]


def objects_of_ingestion(templates: Templates) -> set[tuple[str, str]]:
    """What the ingest function may do to objects, and below which prefix."""
    return {
        (action, resource["Fn::Join"][1][-1])
        for statement in templates.statements("IngestRole")
        for action in as_list(statement["Action"])
        for resource in as_list(statement["Resource"])
        if action.startswith("s3:") and "Object" in action
    }


def test_ingestion_reads_the_inbox_and_keeps_what_it_has_parsed(deployed: Templates) -> None:
    assert objects_of_ingestion(deployed) == {
        ("s3:GetObject", "/inbox/*"),
        ("s3:GetObject", "/parsed/*"),
        ("s3:PutObject", "/parsed/*"),
    }
    others = {a for a in deployed.actions("IngestRole") if a.startswith("s3:") and "Object" not in a}
    assert others == {"s3:ListBucket"}


def test_ingestion_keeps_the_contexts_that_a_model_writes(tmp_path: Path) -> None:
    contexts = '[ragstone]\ncontextual_prefix = true\ncontext_model = "bedrock:amazon.nova-lite-v1:0"'
    templates = synthesise(changed("dev", "[ragstone]", contexts), tmp_path)
    assert {("s3:GetObject", "/context/*"), ("s3:PutObject", "/context/*")} <= objects_of_ingestion(templates)


def test_ingestion_may_delay_the_retry_of_a_message(deployed: Templates) -> None:
    assert "sqs:ChangeMessageVisibility" in deployed.actions("IngestRole")


def test_nobody_replaces_or_deletes_a_document_s_item(deployed: Templates) -> None:
    statements = [s for role in ROLES for s in deployed.statements(role)]
    documents = [s for s in statements if "DocumentsTable" in text_of(s["Resource"])]
    reads = {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
    assert {action for s in documents for action in as_list(s["Action"])} == {*reads, "dynamodb:UpdateItem"}


@pytest.mark.parametrize("role", ["IngestRole", "EvaluationPlanRole"])
def test_who_looks_for_objects_may_learn_that_they_are_gone(deployed: Templates, role: str) -> None:
    """Without s3:ListBucket S3 answers 403 instead of 404, and a missing sidecar would fail its document."""
    assert "s3:ListBucket" in deployed.actions(role)


def test_evaluations_write_reports_and_never_documents(deployed: Templates) -> None:
    writes = [s for s in deployed.statements("EvaluationEvaluateRole") if "s3:PutObject" in as_list(s["Action"])]
    assert len(writes) == 1
    assert "BucketsReports" in text_of(writes[0]["Resource"])
    assert "BucketsDocuments" not in text_of(writes[0]["Resource"])


@pytest.mark.parametrize("role", ROLES)
def test_only_the_api_deletes_objects_and_no_role_has_a_wildcard_action(deployed: Templates, role: str) -> None:
    actions = deployed.actions(role)
    assert not {action for action in actions if "*" in action}
    assert ("s3:DeleteObject" in actions) == (role == "QueryRole")


@pytest.mark.parametrize("role", ROLES)
def test_only_traces_go_to_any_resource(deployed: Templates, role: str) -> None:
    anywhere = [s for s in deployed.statements(role) if s["Resource"] == "*"]
    assert {action for s in anywhere for action in as_list(s["Action"])} == {
        "xray:PutTelemetryRecords",
        "xray:PutTraceSegments",
    }


@pytest.mark.parametrize("role", ROLES)
def test_only_the_configured_models_may_be_invoked(deployed: Templates, role: str) -> None:
    (models,) = (s for s in deployed.statements(role) if "bedrock:InvokeModel" in as_list(s["Action"]))
    arns = text_of(models["Resource"])
    assert "foundation-model/amazon.titan-embed-text-v2:0" in arns
    assert ":inference-profile/global.anthropic.claude-haiku-4-5-20251001-v1:0" in arns
    assert ":bedrock:*::foundation-model/anthropic.claude-haiku-4-5-20251001-v1:0" in arns
    assert len(models["Resource"]) == 3


def test_a_serverless_collection_lets_the_query_function_only_read(dev: Templates) -> None:
    policy = dev.one("AWS::OpenSearchServerless::AccessPolicy")
    text = "".join(part if isinstance(part, str) else f"<{part}>" for part in policy["Policy"]["Fn::Join"][1])
    readers, writers = text.split('{"Principal"')[1:]
    assert "QueryRole" in readers
    assert "RepairReconcileRole" not in readers
    assert "IngestRole" not in readers
    assert "Write" not in readers
    assert "Create" not in readers
    assert "QueryRole" not in writers
    assert "RepairReconcileRole" in writers
    assert "aoss:WriteDocument" in writers


def test_secrets_are_read_only_if_there_are_any(dev: Templates, tmp_path: Path) -> None:
    assert "secretsmanager:GetSecretValue" not in dev.actions("QueryRole")
    environment = changed("dev", "[ragstone]", f'[functions]\napi_keys_secret_arn = "{SECRET}"\n\n[ragstone]')
    templates = synthesise(environment, tmp_path)
    for role in ROLES:
        (statement,) = (s for s in templates.statements(role) if s["Action"] == "secretsmanager:GetSecretValue")
        assert statement["Resource"] == SECRET


def test_textract_is_for_those_who_parse_and_reads_scans_only(tmp_path: Path) -> None:
    templates = synthesise(changed("dev", "[ragstone]", '[ragstone]\nocr = "textract"'), tmp_path)
    for role in ROLES:
        allowed = [s for s in templates.statements(role) if "textract:" in text_of(s["Action"])]
        assert bool(allowed) == (role in {"IngestRole", "EvaluationBuildRole"})
        for statement in allowed:
            assert statement["Resource"] == "*"
            assert {action for action in statement["Action"] if action.startswith("textract:")} == {
                *("textract:DetectDocumentText", "textract:StartDocumentTextDetection"),
                "textract:GetDocumentTextDetection",
            }
    (scans,) = (s for s in templates.statements("IngestRole") if "s3:DeleteObject" in as_list(s["Action"]))
    assert set(scans["Action"]) == {"s3:GetObject", "s3:PutObject", "s3:DeleteObject"}
    assert scans["Resource"]["Fn::Join"][1][-1] == "/ocr/*"
    assert "BucketsReports" in text_of(scans["Resource"])
    assert templates.one("AWS::Lambda::Function", "Ingest")["Environment"]["Variables"]["RAGSTONE_OCR"] == "textract"


def test_without_ocr_nobody_may_use_textract(deployed: Templates) -> None:
    assert not [action for role in ROLES for action in deployed.actions(role) if action.startswith("textract:")]


def test_the_query_function_reads_calibrations_of_the_reports_bucket_where_it_is_to_use_one(tmp_path: Path) -> None:
    named = changed("dev", "[ragstone]", '[ragstone]\ncalibration = "s3://reports/calibrations/a.json"')
    statements = synthesise(named, tmp_path).statements("QueryRole")
    [reading] = [s for s in statements if "BucketsReports" in text_of(s["Resource"]) and s["Action"] == "s3:GetObject"]
    assert "/calibrations/*" in text_of(reading["Resource"])
