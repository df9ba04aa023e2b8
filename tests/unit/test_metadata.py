from __future__ import annotations

import pytest

from ragstone.metadata import Checked, FieldType, MetadataField, check, misfits
from ragstone.types import MetadataValue


@pytest.mark.parametrize(
    ("type_", "given", "kept"),
    [
        (FieldType.STRING, "red", "red"),
        (FieldType.STRING, 3, None),
        (FieldType.NUMBER, "2024", 2024),
        (FieldType.NUMBER, "2.5", 2.5),
        (FieldType.NUMBER, 3, 3),
        (FieldType.NUMBER, "soon", None),
        (FieldType.NUMBER, "nan", None),
        (FieldType.NUMBER, True, None),
        (FieldType.BOOLEAN, "True", True),
        (FieldType.BOOLEAN, False, False),
        (FieldType.BOOLEAN, "yes", None),
        (FieldType.DATE, "2026-03-12", "2026-03-12"),
        (FieldType.DATE, "2026-03-12T10:00:00+01:00", "2026-03-12T10:00:00+01:00"),
        (FieldType.DATE, "12 March", None),
        (FieldType.LIST, ("a", "b"), ("a", "b")),
        (FieldType.LIST, "a, b,", ("a", "b")),
        (FieldType.LIST, 3, None),
    ],
)
def test_values_take_their_declared_type_or_are_left_out(
    type_: FieldType, given: MetadataValue, kept: MetadataValue | None
) -> None:
    checked = check({"x": given}, {"x": MetadataField(type_)})
    assert checked.metadata == ({} if kept is None else {"x": kept})
    assert bool(checked.violations) == (kept is None)


def test_a_required_name_that_is_missing_is_named() -> None:
    checked = check({}, {"year": MetadataField(FieldType.NUMBER, required=True)})
    assert checked.violations == ("metadata 'year' is required",)


def test_without_a_schema_everything_stays() -> None:
    assert check({"x": "3"}, {}) == Checked({"x": "3"}, ())


def test_what_is_given_can_be_checked_before_the_rest_is_known() -> None:
    schema = {"year": MetadataField(FieldType.NUMBER, required=True), "office": MetadataField(FieldType.STRING)}
    assert misfits({"office": "Kelp"}, schema) == ()
    assert misfits({"office": 5}, schema) == ("metadata 'office' is 5, which is no string",)
