"""A koog is killed within its step, and others write before the next one finishes it: no alarm, in no order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from koog.core.files import journal, state_root
from koog.core.files.journal import Step
from tests.audit.tools import LOG, lived, verified
from tests.conftest import git, registered
from tests.test_every_moment import run

NOW = "2026-11-20T10:00:00Z"
TRIED = 4  # moments at which the journal is on disk and something of it is not done


@pytest.mark.parametrize("other", ["a koog in a sandbox", "a backup"])
def test_what_is_written_before_a_killed_step_is_finished_is_no_alarm(workspace: Path, koog, monkeypatch, other):
    state = registered(workspace)
    lived(koog)
    own, tried, at = os.environ["XDG_STATE_HOME"], 0, 1
    while tried < TRIED and at < 200:
        before = (workspace / LOG).read_bytes()
        code, _, _ = run("remember", f"Victim{at} works at House{at}", "--explicit", "--now", NOW, at=at)
        at += 7
        if code == 0 or not (state / journal.NAME).exists() or (workspace / LOG).read_bytes() != before:
            continue
        tried += 1
        if other == "a backup":
            entity = workspace / "memory/graph/entities/person--person1.md"
            entity.write_text(entity.read_text() + f"\nBy hand, {at}.\n")
            assert koog("backup", "--now", NOW)[0] == 0
        else:
            monkeypatch.setenv("XDG_STATE_HOME", f"{own}-of-the-sandbox")
            assert koog("remember", f"Boxed{at} likes thing{at}", "--explicit", "--now", NOW)[0] == 0
            monkeypatch.setenv("XDG_STATE_HOME", own)
        assert koog("remember", f"Next{at} likes thing{at}", "--explicit", "--now", NOW)[0] == 0

        said = verified(koog)
        assert (said["verdict"], said["found"]) in (("intact", []), ("unsealed", [])), (at, said)

    assert tried
    assert "error" not in git(workspace, "fsck", "--no-dangling")


def test_what_a_koog_in_a_sandbox_moves_away_is_still_put_in_place(workspace: Path, koog, monkeypatch):
    state = state_root.find(registered(workspace).name)
    assert state
    lived(koog, facts=1)
    path = "memory/graph/entities/organization--atlas.md"
    prepared = workspace / "memory/graph/entities/.organization--atlas.md.koog.tmp"
    prepared.write_text("# organization--atlas\n\n## Facts\n- Has six services\n")
    made = journal.digest(prepared.read_bytes())
    journal.write(state.root, [Step("replace", path, after=made, at=prepared.stat().st_size)])

    with monkeypatch.context() as sandbox:
        sandbox.setenv("XDG_STATE_HOME", f"{os.environ['XDG_STATE_HOME']}-of-the-sandbox")
        assert koog("remember", "Person8 works at Company8", "--explicit", "--now", NOW)[0] == 0
    assert not prepared.exists()
    assert koog("remember", "Person9 works at Company9", "--explicit", "--now", NOW)[0] == 0

    assert "six services" in (workspace / path).read_text()
    assert list((workspace / ".koog/recovered").iterdir()) == []
