"""The search engines that an environment can choose, behind one small Protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from aws_cdk.aws_iam import IRole
from constructs import Construct, IConstruct

from infra.acknowledge import acknowledge_wildcard
from infra.grants import allow

SEARCH_PATHS = ("/_msearch", "/*/_msearch", "/*/_search", "/*/_count")


class SearchEngine(Protocol):
    """Where chunks are searched: what functions need to reach it, and how they are let in."""

    @property
    def url(self) -> str: ...
    @property
    def auth(self) -> str: ...
    @property
    def profile(self) -> str: ...

    def admit(self, scope: Construct, *, readers: Sequence[IRole], writers: Sequence[IRole]) -> None:
        """Let roles search, or manage indices and their documents; what that takes is made in `scope`."""
        ...


class ExternalSearch:
    """An OpenSearch service, or a folder, that this app doesn't make."""

    def __init__(self, *, url: str, auth: str = "none", profile: str = "domain", arn: str | None = None) -> None:
        self.url, self.auth, self.profile, self._arn = url, auth, profile, arn

    def admit(self, scope: Construct, *, readers: Sequence[IRole], writers: Sequence[IRole]) -> None:
        if self._arn and self.auth == "es":
            admit_to_domain(self._arn, owner=scope, readers=readers, writers=writers)
        elif self._arn:
            admit_to_collection(self._arn, roles=[*readers, *writers])


def admit_to_domain(arn: str, *, owner: IConstruct, readers: Sequence[IRole], writers: Sequence[IRole]) -> None:
    """Readers may only search; writers may do anything to documents and indices. `owner` is what `arn` belongs to."""
    for role in readers:
        _allow_paths(role, ["Get", "Head"], arn, ["/*"], owner)
        _allow_paths(role, ["Post"], arn, SEARCH_PATHS, owner)
    for role in writers:
        _allow_paths(role, ["Get", "Head", "Post", "Put", "Delete"], arn, ["/*"], owner)


def admit_to_collection(arn: str, *, roles: Sequence[IRole]) -> None:
    """What each may do inside is for the collection's data access policy to say."""
    for role in roles:
        allow(role, ["aoss:APIAccessAll"], [arn])


def _allow_paths(role: IRole, methods: Sequence[str], arn: str, paths: Sequence[str], owner: IConstruct) -> None:
    allow(role, [f"es:ESHttp{method}" for method in methods], [f"{arn}{path}" for path in paths])
    for path in paths:
        reason = "Indices are made and named at run time; the domain holds nothing else."
        acknowledge_wildcard(role, arn, path, owner=owner, reason=reason)
