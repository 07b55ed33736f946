"""What found no place in the playbook waits, and its second sighting counts as one."""

from __future__ import annotations

import json

import pytest

from koog.core.text import compare
from koog.heartbeat import candidates
from koog.heartbeat.findings import Finding
from koog.playbook.item import Item
from tests.logs import NOW, bullets, playbook

DRIZZLE = "Chose Drizzle instead of Prisma for plain SQL"
AGAIN = "Plain SQL was why we chose Drizzle, Prisma hides it"


def test_what_has_no_place_waits_once_and_what_has_one_does_not():
    found = [Finding("newPatterns", DRIZZLE), Finding("preferences", "Mika likes tea"), Finding("contradictions", "x")]

    assert candidates.after([DRIZZLE, "Older"], found, [Item("Mika likes tea")]) == [DRIZZLE, "Older"]


def test_who_has_waited_is_held_against_new_lines_alone():
    standing = [Item(DRIZZLE), Item("Mika likes tea")]

    assert candidates.after([DRIZZLE], [], standing) == []
    assert candidates.after([DRIZZLE], [], standing, stood={"Mika likes tea"}) == []
    assert candidates.after([DRIZZLE], [], standing, stood={DRIZZLE}) == [DRIZZLE]
    assert candidates.after([], [], standing, back=[DRIZZLE], stood={DRIZZLE}) == []


def test_what_keeps_its_place_is_compared_with_nothing():
    """Every line of a full playbook was, with every other one, at each tick."""
    texts = [f"Pump {n} of the yard is oiled by hand, valve {n} with care" for n in range(20)]
    before = compare._compare.cache_info()

    assert candidates.after([], [], [Item(text) for text in texts], back=texts) == []
    assert compare._compare.cache_info() == before


def test_the_newest_hundred_wait():
    found = [Finding("newPatterns", f"alpha{n} bravo{n}") for n in range(candidates.MOST + 1)]

    waiting = candidates.after([], found, [])

    assert (len(waiting), waiting[-1]) == (100, "alpha100 bravo100")


@pytest.mark.parametrize("value", [None, "text", {"a": 1}])
def test_malformed_cursors_have_nobody_waiting(value):
    assert candidates.read({"waiting": value}) == ()
    assert candidates.read({"waiting": ["a", 3]}) == ("a",)


def curate(koog, text, directive):
    mined = json.dumps({"newPatterns": [text]})
    code, line = koog(
        "curate", "--engine", "builtin", "--curate-directive", directive, "--mining-findings", mined, "--now", NOW
    )
    assert code == 0
    return line["changes"]["added"]


def test_stability_takes_a_pattern_that_was_mined_before_in_other_words(koog, workspace):
    playbook(workspace, "## Patterns", "- Use pnpm for workspaces (score: 0.8)")

    assert curate(koog, DRIZZLE, "stability") == []
    assert curate(koog, AGAIN, "stability") == [AGAIN]
    assert f"- {AGAIN} (score: 0.55)" in bullets(workspace)


@pytest.mark.parametrize(("score", "is_new"), [("0.4", False), ("0.3", True)])
def test_what_was_pruned_with_nothing_against_it_is_no_new_pattern_when_it_is_noted_again(
    koog, workspace, score, is_new
):
    line = f"- {AGAIN} (score: {score}) <!-- from: memory/2026-01-28.md:4 -->"
    playbook(workspace, "## Patterns", "- Use pnpm for workspaces (score: 0.8)", line)
    assert curate(koog, "Lunch is at noon in the canteen", "aggressive_prune") == ["Lunch is at noon in the canteen"]
    assert AGAIN not in " ".join(bullets(workspace))

    assert curate(koog, DRIZZLE, "stability") == ([] if is_new else [DRIZZLE])


def test_stability_takes_a_reading_of_the_day_no_sooner_by_repetition(koog, workspace):
    playbook(workspace, "## Patterns", "- Use pnpm for workspaces (score: 0.8)")

    assert curate(koog, "The mailer took 43 ms on staging", "stability") == []
    assert curate(koog, "The mailer took 43 ms on staging", "stability") == []
