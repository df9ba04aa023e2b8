from __future__ import annotations

import pytest

from ragstone.errors import SettingsError
from ragstone.parsing import ocr_rapidocr
from ragstone.parsing.ocr_rapidocr import RapidOcr


def test_without_its_packages_the_settings_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr_rapidocr, "find_spec", {}.get)
    with pytest.raises(SettingsError, match="uv sync --group ocr"):
        RapidOcr()
