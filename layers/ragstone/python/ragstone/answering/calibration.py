"""What was fitted on a deployment's own questions: the file that its settings name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config

from ragstone.answering.confidence import Confidence, LogisticModel, plain_sum
from ragstone.answering.signals import SIGNALS
from ragstone.errors import SettingsError
from ragstone.settings import Settings

PREFIX = "calibrations/"
"""Where in the reports bucket a deployed query function may read one."""

Share = Annotated[float, Field(ge=0, le=1)]


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Calibration:
    """Fitted for one embedder; without a `model` confidence stays the plain sum. `measured` says how well it does."""

    embedder: str
    lexical_weight: Share
    min_confidence: Share
    min_coverage: Share
    model: LogisticModel | None = None
    measured: Mapping[str, float | None] = field(default_factory=dict[str, float | None])

    @classmethod
    def read(cls, content: bytes, name: str) -> Calibration:
        """Raises SettingsError for a file that is none."""
        try:
            found = _CALIBRATION.validate_json(content)
        except ValidationError as error:
            raise SettingsError(f"{name} is no calibration: {error}. Write one with: ragstone calibrate") from error
        if unknown := set(found.model.weights if found.model else ()) - SIGNALS.keys():
            raise SettingsError(
                f"{name} weighs signals that this version doesn't know ({', '.join(sorted(unknown))}). "
                "Calibrate again with: ragstone calibrate"
            )
        return found

    def to_json(self) -> bytes:
        return _CALIBRATION.dump_json(self, indent=2) + b"\n"

    @property
    def confidence(self) -> Confidence:
        return self.model or plain_sum

    def applied(self, settings: Settings) -> Settings:
        """The settings with what was fitted wherever they are at their default.

        Raises SettingsError if they name another embedder: its cosines and weights mean something else.
        """
        if settings.embedder != self.embedder:
            raise SettingsError(
                f"RAGSTONE_CALIBRATION {settings.calibration!r} was fitted for the embedder {self.embedder!r}, but "
                f"RAGSTONE_EMBEDDER is {settings.embedder!r}. Calibrate again with it, or leave the calibration out"
            )
        fitted = {name: getattr(self, name) for name in ("lexical_weight", "min_confidence", "min_coverage")}
        fields = Settings.model_fields
        return settings.changed(
            {name: value for name, value in fitted.items() if getattr(settings, name) == fields[name].default}
        )


_CALIBRATION = TypeAdapter(Calibration)
