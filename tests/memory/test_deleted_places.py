"""koog forget --hard finds the words wherever a file of the workspace lies."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Koog
from tests.memory.test_deleted import holding

NOW = ("--now", "2026-03-05T10:00:00Z")
WORD = "zanzibarquartz"


@pytest.fixture(autouse=True)
def relayed(koog: Koog, sealed: Any) -> Path:
    """The operator takes the agent's word for the person's; return his config."""
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    return settings


@pytest.mark.parametrize("is_outside", [True, False])
def test_a_memory_folder_behind_a_link_is_cleaned(
    koog: Koog, workspace: Path, relayed: Path, *, is_outside: bool
) -> None:
    place = workspace.with_name("disk") / "memory" if is_outside else workspace / "data/memory"
    place.parent.mkdir(exist_ok=True)
    relayed.write_text(json.dumps(json.loads(relayed.read_text()) | {"paths": {"linked": [str(place.parent)]}}))
    assert koog(*NOW, "remember", f"The {WORD} concert was on Friday", "--explicit", "--store", "episodic")[0] == 0
    said = ("--explicit", "--store", "semantic", "--entity", "Quilla Lund")
    assert koog(*NOW, "remember", f"Quilla Lund keeps the {WORD} in Lugo", *said)[0] == 0
    Path("memory").rename(place)
    Path("memory").symlink_to(place)
    (place / "round").symlink_to(place)
    ids = [row["id"] for row in koog(*NOW, "forget", f"{WORD} concert")[1]["matches"]]

    code, line = koog(*NOW, "forget", "--hard", "--confirm", *ids, "entity:person--quilla-lund")

    assert (code, holding(workspace.parent)) == (0, []), line
    assert not (place / "graph/entities/person--quilla-lund.md").exists()


def test_a_file_is_found_however_deep_it_lies(koog: Koog, workspace: Path) -> None:
    deep = Path(*["d"] * 60)
    deep.mkdir(parents=True)
    (deep / "x.md").write_text(f"- {WORD}\n")

    koog(*NOW, "forget", "--hard", "--confirm", "--words", WORD)

    assert holding(workspace.parent) == []
