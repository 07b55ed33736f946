"""Here `auto` means every host: the operator says so, as `koog init --host` would have written it.

Replies tell of every project, so that a test need not care in which one its sessions were.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def gathers(alone: Path) -> None:
    folder = Path(os.environ["XDG_CONFIG_HOME"], "koog")
    folder.mkdir(parents=True)
    settings = {"observe": {"sources": ["openclaw", "claude", "codex"]}, "context": {"otherProjects": "all"}}
    (folder / "config.json").write_text(json.dumps(settings))
