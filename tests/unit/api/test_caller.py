from __future__ import annotations

import json
from typing import Any

import pytest

from ragstone.api.caller import REQUEST_CONTEXT, groups_of
from tests.support.events import load

ARN = "arn:aws:sts::111122223333:assumed-role/Crew/purser"


def groups(context: dict[str, Any]) -> tuple[str, ...]:
    """The header as the adapter writes it, UTF-8, and as servers read it, Latin-1."""
    return groups_of({REQUEST_CONTEXT: json.dumps(context, ensure_ascii=False).encode().decode("latin-1")})


def test_cognito_s_groups_are_the_caller_s() -> None:
    assert groups(load("apigw_query")["requestContext"]) == ("crew", "board")


def test_groups_keep_their_letters() -> None:
    assert groups({"authorizer": {"claims": {"cognito:groups": "Fährleute,船員"}}}) == ("Fährleute", "船員")


def test_without_cognito_the_iam_principal_and_its_role_are_the_groups() -> None:
    role = "arn:aws:sts::111122223333:assumed-role/Crew"
    assert groups({"identity": {"userArn": ARN}}) == (ARN, role)
    assert groups({"authorizer": {"claims": {"sub": "1"}}, "identity": {"userArn": ARN}}) == (ARN, role)


def test_an_iam_user_is_a_group_of_its_own() -> None:
    user = "arn:aws:iam::111122223333:user/crew/ada"
    assert groups({"identity": {"userArn": user}}) == (user,)


@pytest.mark.parametrize(
    "context",
    [
        {},
        {"authorizer": None},
        {"authorizer": {"claims": None}, "identity": None},
        {"authorizer": {"principalId": "1"}, "identity": {"sourceIp": "1.2.3.4", "userArn": None}},
        {"authorizer": {"claims": {"cognito:groups": ""}}},
    ],
)
def test_where_no_authorizer_spoke_there_are_no_groups(context: dict[str, Any]) -> None:
    assert groups(context) == ()


def test_without_a_context_there_are_no_groups() -> None:
    assert groups_of({}) == ()
