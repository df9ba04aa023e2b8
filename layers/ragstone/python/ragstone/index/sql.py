"""Filters as SQL conditions on the embedded index's columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from ragstone.index.facts import Condition, HasAny, HasOrder, HasText, condition
from ragstone.types import Filter, FilterOp, SearchRequest

# Facts stand in one text column, each between two separators: what SQL can search without a column a name.
_SEPARATOR = "\x1e"
_COMPARE = {FilterOp.GT: ">", FilterOp.GTE: ">=", FilterOp.LT: "<", FilterOp.LTE: "<="}


def joined(facts: Iterable[str]) -> str:
    """The value of the `facts` column."""
    return _SEPARATOR + "".join(_clean(fact) + _SEPARATOR for fact in facts)


def restrictions(request: SearchRequest) -> str:
    return within(request.filters, request.groups)


def within(filters: Iterable[Filter], groups: Iterable[str]) -> str:
    """Access first (no list, or one of the groups), then the filters."""
    own = ", ".join(quoted(group) for group in groups)
    readable = "array_length(acl) = 0" + (f" OR array_has_any(acl, [{own}])" if own else "")
    return _all([f"({readable})", *(_clause(condition(given)) for given in filters)])


def of_ids(chunk_ids: Iterable[str], *, filters: Iterable[Filter], groups: Iterable[str]) -> str:
    """Those of the chunks that pass."""
    return _all([f"chunk_id IN ({', '.join(map(quoted, chunk_ids))})", within(filters, groups)])


def of_document(document_id: str, *, version: str | None = None, keep: str | None = None) -> str:
    """A document's chunks: all, those of one version, or all but those of one."""
    clauses = [f"document_id = {quoted(document_id)}"]
    clauses += [] if version is None else [f"version = {quoted(version)}"]
    clauses += [] if keep is None else [f"version <> {quoted(keep)}"]
    return _all(clauses)


def after(chunk_id: str, document_id: str | None) -> str:
    """The chunks with greater ids, of one document or of all."""
    of_one = [] if document_id is None else [of_document(document_id)]
    return _all([f"chunk_id > {quoted(chunk_id)}", *of_one])


def documents_after(document_id: str) -> str:
    return f"document_id > {quoted(document_id)}"


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _all(clauses: Iterable[str]) -> str:
    return " AND ".join(clauses)


def _clause(given: Condition) -> str:
    test = _test(given.test)
    return f"NOT ({test})" if given.negated else f"({test})"


def _test(test: HasAny | HasText | HasOrder) -> str:
    match test:
        case HasAny():
            return " OR ".join(_has(fact) for fact in test.facts) or "false"
        case HasText():
            part = f"contains({_rest(test.prefix)}, {quoted(_clean(test.text))})"
            return f"{part} OR {_has(test.member)}"
        case HasOrder():
            rest = _rest(test.prefix)
            return f"{rest} <> '' AND {rest} {_COMPARE[test.op]} {quoted(test.key)}"
        case _:
            assert_never(test)


def _has(fact: str) -> str:
    return f"contains(facts, {quoted(_SEPARATOR + _clean(fact) + _SEPARATOR)})"


def _rest(prefix: str) -> str:
    """The fact that starts with the prefix, without it; '' if there is none."""
    after = f"split_part(facts, {quoted(_SEPARATOR + _clean(prefix))}, 2)"
    return f"split_part({after}, {quoted(_SEPARATOR)}, 1)"


def _clean(text: str) -> str:
    """Without separators, and with lone surrogates, which no column takes, spelled out."""
    return text.replace(_SEPARATOR, " ").encode(errors="backslashreplace").decode()
