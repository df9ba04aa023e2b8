"""What was fitted on measured answers."""

from __future__ import annotations

from pathlib import Path

from ragstone.answering.calibration import Calibration
from ragstone.composition.resources import build_store
from ragstone.errors import SettingsError
from ragstone.settings import Settings
from ragstone.types import ObjectRef


def build_calibration(settings: Settings) -> Calibration | None:
    """The file that the settings name, a path or an s3:// URI; raises SettingsError if it is not there or is none."""
    place = settings.calibration
    if not place:
        return None
    if place.startswith("s3://"):
        bucket, _, key = place.removeprefix("s3://").partition("/")
        stored = build_store(settings).read(ObjectRef(bucket, key))
        content = stored.content if stored else None
    else:
        content = Path(place).read_bytes() if Path(place).is_file() else None
    if content is None:
        raise SettingsError(f"RAGSTONE_CALIBRATION is {place!r}, and nothing is there. Write it: ragstone calibrate")
    return Calibration.read(content, place)
