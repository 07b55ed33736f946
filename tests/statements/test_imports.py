"""The cue files are gone: whoever reads a sentence imports no list of English words for it."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.conftest import ROOT

GONE = (
    "koog.observe.observe_cues",
    "koog.observe.observe_noise",
    "koog.observe.sentences",
    "koog.heartbeat.mine_cues",
    "koog.heartbeat.mine_talk",
    "koog.heartbeat.mine_weight",
    "koog.heartbeat.note_lines",
)


@pytest.mark.parametrize("module", GONE)
def test_a_cue_file_is_gone(module: str) -> None:
    assert find_spec(module) is None


@pytest.mark.parametrize("module", ["koog.observe.observe_rules", "koog.heartbeat.mine_rules"])
def test_reading_imports_no_cue_file(module: str) -> None:
    code = f"import sys, {module}; print(*sorted(n for n in sys.modules if n.startswith('koog.')))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)

    assert module in done.stdout.split()
    assert not [name for name in done.stdout.split() if name.endswith(("_cues", "_noise"))]
