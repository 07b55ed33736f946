"""What was replaced is told as such by a search, and stands behind what took its place.  [moltbot §5]"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from koog.core import changes
from tests.conftest import Koog

FIRST, THEN = ("--now", "2026-03-01T10:00:00Z"), ("--now", "2026-03-06T10:00:00Z")
LATER = ("--now", "2026-03-07T10:00:00Z")
OLD = "yesterday we settled that the spring audit of cage 6 is on 18 March"
NEW = "scrap the 18th, they have pushed the spring audit to 26 March now"
ASKED = "the spring audit of cage 6 that we settled yesterday, on 18 March"


def test_an_episode_that_was_replaced_says_by_what_and_stands_behind_it(koog: Koog, workspace: Path) -> None:
    koog(*FIRST, "remember", OLD, "--store", "episodic")
    new = koog(*THEN, "remember", NEW)[1]["id"]

    hits = koog(*LATER, "search", ASKED)[1]["hits"]

    days = [hit["path"].rpartition("/")[2] for hit in hits[:2]]
    assert days == ["2026-03-06.md", "2026-03-01.md"]
    assert [[(each["by"], each["on"]) for each in hit["replaced"]] for hit in hits[:2]] == [[], [(new, "2026-03-06")]]


def test_what_took_its_place_and_is_forgotten_replaces_nothing(koog: Koog, workspace: Path) -> None:
    koog(*FIRST, "remember", OLD, "--store", "episodic")
    new = koog(*THEN, "remember", NEW)[1]["id"]
    koog(*LATER, "forget", "--confirm", new)

    hits = koog(*LATER, "search", ASKED)[1]["hits"]

    assert [(hit["path"].rpartition("/")[2], hit["replaced"]) for hit in hits] == [("2026-03-01.md", [])]


def test_a_fact_says_it_in_its_own_comment(koog: Koog, workspace: Path) -> None:
    old = koog(*FIRST, "remember", "Ana lives in Berlin", "--store", "semantic", "--entity", "Ana")[1]["id"]
    said = ("--store", "semantic", "--entity", "Ana", "--replaces", old)
    new = koog(*THEN, "remember", "Ana lives in Lisbon", *said)[1]["id"]

    hits = koog(*LATER, "search", "where does Ana live, Berlin?")[1]["hits"]

    told = [each for hit in hits for each in hit["replaced"]]
    assert {(each["by"], each["on"]) for each in told} == {(new, "2026-03-06")}


@pytest.mark.parametrize("row", ["[" * 100_000, '{"ts":"2026-03-06","old":"OLD","by":"episode::","how":"replaced"}'])
def test_a_log_of_changes_that_is_broken_by_hand_changes_nothing(koog: Koog, workspace: Path, row: str) -> None:
    old = koog(*FIRST, "remember", OLD, "--store", "episodic")[1]["id"]
    Path("memory/meta/changes.jsonl").write_text(f"{row.replace('OLD', old)}\n")

    for command in ("search", "recall"):
        assert koog(*LATER, command, ASKED)[0] == 0
    assert koog(*LATER, "search", ASKED)[1]["hits"][0]["replaced"] == []


def test_when_the_file_of_what_took_its_place_is_removed_by_hand_the_older_one_holds(
    koog: Koog, workspace: Path
) -> None:
    old = koog(*FIRST, "remember", OLD, "--store", "episodic")[1]["id"]
    koog(*THEN, "remember", NEW)
    Path("memory/episodes/2026-03-06.md").unlink()

    assert koog(*LATER, "search", ASKED)[1]["hits"][0]["replaced"] == []
    assert koog(*LATER, "recall", ASKED)[0] == koog(*LATER, "why", old)[0] == 0


def test_who_may_not_be_told_of_the_newer_line_is_not_given_its_name(
    koog: Koog, workspace: Path, tmp_path: Path
) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    there = {"sources": ["claude"], "projects": {"include": [f"{tmp_path}/**"]}}
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"observe": there}))
    old = koog(*FIRST, "remember", OLD, "--store", "episodic")[1]["id"]
    day = Path("memory/episodes/2026-03-01.md")
    day.write_text(day.read_text().replace(OLD, f"{OLD} <!-- dc:project={tmp_path}/other -->"))
    said = ("--store", "semantic", "--entity", "Secretcorp", "--explicit")
    new = koog(*THEN, "remember", "Secretcorp has the spring audit of cage 6 on 26 March", *said)[1]
    path = Path(new["path"])
    path.write_text(path.read_text().replace("dc:from=", f"dc:replaces={old} dc:from="))
    row = {"ts": "2026-03-06T10:00:00Z", "old": old, "by": new["id"], "how": "replaced"}
    Path("memory/meta/changes.jsonl").write_text(json.dumps(row) + "\n")

    other = ("--project", f"{tmp_path}/other")
    (hit,) = (h for h in koog(*LATER, "search", ASKED, *other)[1]["hits"] if h["path"] == str(day))
    code, answer = koog(*LATER, "recall", ASKED, *other)

    assert [each["on"] for each in hit["replaced"]] == ["2026-03-06"]
    assert code == 0
    assert "secretcorp" not in json.dumps([hit, answer]).lower()


def test_a_row_that_opens_many_comments_is_read_in_no_time() -> None:
    begun = time.process_time()

    assert changes.own("- permit " + "<!-- a " * 20_000 + "<!-- dc:to=2026-03-04 dc:by=core:0a1b -->") == (
        "2026-03-04",
        "core:0a1b",
    )
    assert time.process_time() - begun < 2
