"""A house for each module whose tests only read, and one for each test that writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.statements.ground import House


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house")
