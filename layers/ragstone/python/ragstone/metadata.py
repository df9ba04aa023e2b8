"""The metadata that a deployment declares: which names there are, of which type, and what happens to the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from math import isfinite
from types import MappingProxyType

from ragstone.types import Metadata, MetadataValue


class FieldType(StrEnum):
    STRING = "string"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    LIST = "list"


@dataclass(frozen=True, slots=True)
class MetadataField:
    """One declared name; `filterable` fields may stand in a query's filters."""

    type: FieldType
    required: bool = False
    filterable: bool = True


@dataclass(frozen=True, slots=True)
class Checked:
    """Metadata with its values in their declared types, and a sentence for each that does not fit."""

    metadata: Metadata
    violations: tuple[str, ...]


NO_SCHEMA: Mapping[str, MetadataField] = MappingProxyType({})
"""Takes every name with any value."""


def misfits(metadata: Metadata, schema: Mapping[str, MetadataField]) -> tuple[str, ...]:
    """A sentence for each given name that is not declared, or has a value of another type; what is missing is not."""
    given = {name: replace(declared, required=False) for name, declared in schema.items()}
    return check(metadata, given).violations


def check(metadata: Metadata, schema: Mapping[str, MetadataField]) -> Checked:
    """Hold metadata against a schema; S3's user metadata is text, so "2024" becomes the number that was declared.

    A value that does not fit is left out. An empty schema takes everything as it is.
    """
    if not schema:
        return Checked(metadata, ())
    kept: dict[str, MetadataValue] = {}
    violations = [f"metadata {name!r} is required" for name in schema if schema[name].required and name not in metadata]
    for name, value in metadata.items():
        declared = schema.get(name)
        fitting = typed(value, declared.type) if declared else None
        if declared is None:
            violations.append(f"metadata {name!r} is not declared; declared are {', '.join(sorted(schema))}")
        elif fitting is None:
            violations.append(f"metadata {name!r} is {value!r}, which is no {declared.type}")
        else:
            kept[name] = fitting
    return Checked(kept, tuple(violations))


def typed(value: MetadataValue, type_: FieldType) -> MetadataValue | None:
    """The value in the declared type, None if it does not fit; text can be a number, a date, truth or a list."""
    match type_:
        case FieldType.STRING:
            return value if isinstance(value, str) else None
        case FieldType.LIST:
            return value if isinstance(value, tuple) else _list(value)
        case FieldType.NUMBER:
            return _number(value)
        case FieldType.BOOLEAN:
            return {"true": True, "false": False}.get(str(value).lower())
        case FieldType.DATE:
            return _date(value)


def _list(value: MetadataValue) -> tuple[str, ...] | None:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else None


def _number(value: MetadataValue) -> float | int | None:
    if isinstance(value, bool | tuple):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    if not isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def _date(value: MetadataValue) -> str | None:
    try:
        datetime.fromisoformat(str(value))
    except ValueError:
        return None
    return str(value)
