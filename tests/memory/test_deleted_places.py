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


def test_an_event_and_what_a_killed_koog_left_lose_the_words_alone(koog: Koog, workspace: Path, sealed: Any) -> None:
    """An event may be another workspace's, and what was left a person's: there is more in them."""
    spool = sealed.path.parent / "spool"
    spool.mkdir(mode=0o700)
    event = spool / f"{17:020d}-0a1b2c3d.0"
    prompt = f"The {WORD} is in Lugo.\nMara leads the mobile team."
    event.write_text(json.dumps({"argv": ["hook"]}) + "\n" + json.dumps({"prompt": prompt}))
    left = Path(".koog/recovered/MEMORY.md.17")
    left.parent.mkdir(parents=True)
    left.write_text(f"- {WORD}\n- Mara leads the mobile team\n")

    koog(*NOW, "forget", "--hard", "--confirm", "--words", WORD)

    assert holding(workspace.parent) == []
    assert "Mara leads the mobile team." in json.loads(event.read_text().splitlines()[1])["prompt"]
    assert left.read_text() == "- \n- Mara leads the mobile team\n"


def test_what_a_killed_koog_left_of_the_names_goes_whole(koog: Koog, workspace: Path, sealed: Any) -> None:
    """Names stand in it as they are looked up, which is no form in which the words are looked for."""
    said = ("--explicit", "--store", "semantic", "--entity", "Quilla O'Vexler-Lund")
    koog(*NOW, "remember", "Quilla O'Vexler-Lund lives in Lugo", *said)
    half = sealed.path / "entities.json.17.tmp"
    half.write_text('{"version":6,"sum":1,"mark":"","keys":"| quilla o vexler lu')

    ids = [row["id"] for row in koog(*NOW, "forget", "Quilla O'Vexler-Lund")[1]["matches"]]
    entity = next(Path("memory/graph/entities").glob("*.md")).stem
    code, line = koog(*NOW, "forget", "--hard", "--confirm", *ids, f"entity:{entity}")

    assert (code, half.exists()) == (0, False), line
    assert not [path for path in sealed.path.rglob("*") if path.is_file() and b"vexler" in path.read_bytes().lower()]


def test_a_first_name_that_stays_is_told_and_a_file_that_goes_has_no_name_to_change(koog: Koog) -> None:
    said = ("--explicit", "--store", "semantic", "--entity", "Quilla Vexler")
    koog(*NOW, "remember", "Quilla Vexler lives in Lugo", *said)

    _, line = koog(*NOW, "forget", "--hard", "entity:person--quilla-vexler")

    told = {each["what"].partition(":")[0]: each["command"] for each in line["notCleaned"]}
    assert told["the name Quilla, wherever it stands"] == "koog forget --hard --confirm --words Quilla"
    assert "the name Vexler, wherever it stands" in told
    assert not [what for what in told if what.startswith("the name of memory/")]


def test_what_could_not_be_rewritten_goes_by_the_same_command_later(koog: Koog, workspace: Path, sealed: Any) -> None:
    """A folder in the place of the file's new version: nothing can be written beside it."""
    id_ = koog(*NOW, "remember", f"The {WORD} concert was on Friday", "--explicit", "--store", "episodic")[1]["id"]
    raw = workspace.with_name("ws-raw") / "conversations/2026/03/04.md"
    raw.parent.mkdir(parents=True)
    raw.write_text(f"## 09:14 — user\n\nThe {WORD} concert was on Friday.\n")
    barrier = raw.with_name(".04.md.koog.tmp")
    barrier.mkdir()
    command = (*NOW, "forget", "--hard", "--confirm", id_)

    _, line = koog(*command)
    koog(*NOW, "status")
    barrier.rmdir()

    assert [said for said in line["_meta"]["warnings"] if "04.md could not be rewritten" in said]
    assert sealed.get("deleting") is not None
    assert koog(*command)[0] == 0
    assert holding(workspace.parent) == []
    assert sealed.get("deleting") is None


@pytest.mark.parametrize("more", [(), ("--hard",)])
def test_a_session_that_taught_nothing_is_told(koog: Koog, more: tuple[str, ...]) -> None:
    code, line = koog(*NOW, "forget", *more, "--confirm", "--session", "claude/nobody")

    assert (code, line["error"]["code"]) == (4, "not_found")
