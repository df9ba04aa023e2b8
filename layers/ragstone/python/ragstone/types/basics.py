"""What all values are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MetadataValue = str | int | float | bool | tuple[str, ...]
Metadata = Mapping[str, MetadataValue]
Vector = Sequence[float]
