"""The whole way: what was said in a session is observed, mined, curated, and stands in the playbook; once."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from koog.observe import observations, reflection
from tests.fakes.sessions import claude_session
from tests.logs import NOW, bullets

FILE = "memory/observations.md"
TOLD = [
    "We decided to use Drizzle instead of Prisma because its migrations stay plain SQL.",
    "Never push directly to the main branch.",
    "I prefer short answers without bullet points.",
    "The staging database runs on port 5433 since the move to Hetzner.",
]
MOMENT = datetime.fromisoformat(NOW)


@pytest.fixture
def say(alone, workspace):
    def write(*said, minutes):
        return claude_session(
            alone, *(("user", t) for t in said), cwd=workspace, at=MOMENT - timedelta(minutes=minutes)
        )

    return write


def at(minutes):
    return (MOMENT + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


def run(koog, *argv, minutes=0):
    code, line = koog(*argv, "--now", at(minutes))
    assert code == 0, line
    return line


def rows(workspace, word):
    return [row for row in bullets(workspace) if word in row]


def test_what_was_said_is_in_the_playbook_after_two_ticks_an_active_and_an_idle_one(koog, workspace, say):
    say(*TOLD, minutes=10)

    assert run(koog, "observe")["added"]
    active, idle = run(koog, "tick"), run(koog, "tick", minutes=60)

    assert (active["idle"], idle["idle"]) == (False, True)
    assert "Drizzle" in active["sessionSummary"]
    assert active["minedSources"] == [] and idle["minedSources"] == ["observations.md"]
    (row,) = rows(workspace, "Drizzle")
    assert "<!-- from: memory/observations.md:" in row and " 2026-02-28 by person -->" in row
    assert rows(workspace, "short answers")


def test_idle_from_the_beginning_it_takes_one(koog, workspace, say):
    say(*TOLD, minutes=100)
    run(koog, "observe")

    line = run(koog, "tick")

    assert line["idle"] is True and line["minedSources"] == ["observations.md"]
    assert rows(workspace, "Drizzle")


def test_ticks_over_the_same_file_repeat_nothing(koog, workspace, say):
    say(*TOLD, minutes=100)
    run(koog, "observe")
    run(koog, "tick")
    known = bullets(workspace)

    for n in range(1, 4):
        line = run(koog, "tick", minutes=30 * n)
        assert line["minedSources"] == [] and line["changes"]["added"] == []
        assert line["signals"] == []

    assert bullets(workspace) == known  # not a score has moved


def test_a_reflection_in_between_loses_nothing_and_repeats_nothing(koog, workspace, say):
    say(*TOLD[:2], minutes=100)
    run(koog, "observe")
    run(koog, "tick")
    say(*TOLD[2:], "The nightly build takes nine minutes since the cache was split.", minutes=90)
    run(koog, "observe", minutes=5)
    path = workspace / FILE
    text = path.read_text("utf-8")
    seen = [row.raw.rstrip("\n") for row in observations.lines(text) if row.seen]
    mined = next(row for row in seen if "Drizzle" in row)
    shorter = "We decided to use Drizzle instead of Prisma, migrations stay plain SQL"
    new = next(row for row in seen if "5433" in row)
    shortened = "The staging database runs on port 5433 since the move"
    done = reflection.reflect(
        text,
        [
            reflection.Operation("rewrite", (mined,), "shorter", text=shorter),
            reflection.Operation("rewrite", (new,), "shorter", text=shortened),
        ],
        today=MOMENT.date(),
    )
    path.write_text(done.text, "utf-8")
    known = rows(workspace, "Drizzle")

    line = run(koog, "tick", minutes=60)

    assert line["minedSources"] == ["observations.md"]
    assert rows(workspace, "Drizzle") == known
    assert rows(workspace, "short answers")
    assert run(koog, "tick", minutes=90)["minedSources"] == []
