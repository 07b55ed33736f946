"""An operator whose config and key file lie outside every workspace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.faults.contract import KEY

SCRIPTS = "signal_analyzer feedback_analyzer memory_miner playbook_curator insight_synthesizer module_manager".split()


class Operator:
    """Whoever set koog up: `configure` writes their config file, `key_file` holds the key."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.config = home / "config/koog/config.json"
        self.key_file = home / "the-key"
        self.config.parent.mkdir(parents=True, exist_ok=True)
        self.key_file.touch(0o600)
        self.key_file.write_text(KEY + "\n")

    def configure(self, *, timeout_s: float | None = None, **more: Any) -> None:
        value = dict(more)
        if timeout_s is not None:
            value["scripts"] = {name: {"timeout": timeout_s} for name in SCRIPTS}
        self.config.write_text(json.dumps(value))


@pytest.fixture
def operator(alone: Path) -> Operator:
    return Operator(alone)
