"""What was replaced is told as such by a search, and stands behind what took its place.  [moltbot §5]"""

from __future__ import annotations

from pathlib import Path

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
