"""The API as its OpenAPI document promises it: whatever is sent, no 5xx and no status that isn't documented."""

from __future__ import annotations

from typing import Any, cast

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, status_code_conformance

from tests.support.whole_app import whole_app

schema: Any = cast("Any", schemathesis).openapi.from_asgi("/v1/openapi.json", whole_app())
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance]


@schema.parametrize()
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
def test_every_answer_is_a_documented_one(case: Any) -> None:
    case.call_and_validate(checks=CHECKS)


def test_every_route_is_described() -> None:
    operations = [operation for path in schema.raw_schema["paths"].values() for operation in path.values()]
    assert len(operations) > 25
    assert all(operation.get("tags") for operation in operations)
