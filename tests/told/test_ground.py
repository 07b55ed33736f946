"""The ground itself: every place's words are observed at all, whichever host they were said at."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.told import scene as scenes
from tests.told.ground import requests, succeeded, told, words_in
from tests.told.scene import PLACES, Scene


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    made = scenes.machine(tmp_path_factory.mktemp("ground"))
    scenes.say(made)
    return made


SOURCES = {".claude": "own1 harbor worktree quarry", ".codex": "own2 below orchard", ".openclaw": "main ops"}


@pytest.mark.parametrize("folder", SOURCES)
def test_by_its_path_a_host_is_read_and_all_that_its_places_said_is_observed(scene, folder):
    with scene.machine.restored():
        succeeded(scene.machine.koog(scene.one, "observe", "--source", str(scene.machine.home / folder)))
        text = scene.machine.observations(scene.one)

    for place in SOURCES[folder].split():
        assert words_in(text, PLACES[place].words) == PLACES[place].words, place


def test_the_newer_rollouts_of_codex_are_read_without_a_record_that_nobody_knows(scene):
    """Codex 0.169 numbers its records before their type, and writes token_usage_record: openclaw.md."""
    called = succeeded(
        scene.machine.koog(scene.one, "observe", "--dry-run", "--source", str(scene.machine.home / ".codex"))
    )

    assert called.line["unknownRecords"] == {}


def test_the_stores_have_the_shape_of_what_openclaw_really_wrote(scene):
    """The sample of both releases lies beside the project, in a checkout that has it."""
    sample = ROOT.parent / "shared/corpus/openclaw"
    if not sample.is_dir():
        pytest.skip("the sample of OpenClaw's stores is not here")
    real = json.loads((sample / "file-store-2026.7.1/main/sessions/sessions.json").read_text())["agent:main:main"]
    made = json.loads((scene.machine.state / "agents/main/sessions/sessions.json").read_text())["agent:main:main"]
    assert set(made) <= set(real)
    store = scene.machine.state / "agents/ops/agent/openclaw-agent.sqlite"
    ours, theirs = columns(store), columns(sample / "sqlite-store-2026.9.6/openclaw-agent.sqlite")
    assert ours.keys() == theirs.keys()
    assert not [name for name, cols in ours.items() if cols - theirs[name]]


def columns(store: Path) -> dict[str, set[str]]:
    """Return table → its columns."""
    with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: {row[1] for row in db.execute(f"PRAGMA table_info({name})")} for name in names}


def test_a_rule_about_the_person_is_observed_as_one(scene):
    with scene.machine.restored():
        for folder in (".claude", ".codex", ".openclaw"):
            succeeded(scene.machine.koog(scene.one, "observe", "--source", str(scene.machine.home / folder)))
        rows = scene.machine.observations(scene.one).splitlines()

    for name, place in PLACES.items():
        if name not in scenes.GROUPS:
            [row] = [row for row in rows if place.rule in row]
            assert "dc:type=rule" in row or "dc:type=preference" in row, row


def test_no_word_of_a_place_is_a_words_part_of_another(scene):
    words = [w.lower() for place in PLACES.values() for w in place.words]
    words += [*scenes.FILES.values(), *scenes.IDENTITY.values(), *scenes.LOWER.values(), scenes.PLAYBOOK_OWN]
    words += [word for pair in scenes.PLAYBOOK.values() for word in pair]

    assert not [(a, b) for a in words for b in words if a != b and a in b]
    assert len(words) == len(set(words))


def test_a_fresh_workspace_tells_none_of_them(scene):
    everything = {word for place in PLACES.values() for word in place.words}

    for ws in (scene.one, scene.two):
        called = succeeded(scene.machine.koog(ws, "compile", "--message", "the release", "--dry-run"))
        assert words_in(told(called), everything) == set()


def test_the_model_is_asked_and_its_requests_are_kept(scene, llm):
    from tests.told.ground import least_answer

    llm.always(least_answer)
    with scene.machine.restored():
        called = scene.machine.koog(
            scene.one,
            "observe",
            *("--source", str(scene.machine.home / ".claude")),
            KOOG_ENGINE="llm",
            KOOG_PROVIDER_BASE_URL=llm.url,
            KOOG_PROVIDER_API_KEY_ENV="null",
        )

    assert called.code == 0, called
    assert words_in("\n".join(requests(llm)), PLACES["harbor"].words) == PLACES["harbor"].words


def test_a_hook_answers_from_the_ground(scene):
    from tests.told.ground import claude_given

    with scene.machine.restored():
        Path(scene.one, "memory/favorites.md").write_text("- The yarrowort is a favorite.\n")
        text = scene.machine.hook(scene.one, "session-start", "claude", claude_given(scene.one))

    assert "yarrowort" in text
