"""What a note says about lines that the playbook has already: again, or in vain."""

from __future__ import annotations

import json

import pytest

from koog.heartbeat import sightings
from koog.heartbeat.notes import Note
from koog.heartbeat.sightings import Sighting
from tests.logs import NOW, bullets, note, playbook

METRO = "Fixed the dying Metro by a larger inotify limit"
TEA = "Mika likes green tea in the morning"
FILE = "memory/2026-02-26.md"


def found(*lines: str, known=(METRO, TEA)):
    return sightings.find(Note(FILE, "2026-02-26", "".join(f"- {line}\n" for line in lines)), known)


def test_a_line_said_in_other_words_is_seen_again_with_its_place():
    assert found("Lunch with Mika", "The larger inotify limit keeps Metro alive") == [Sighting(METRO, f"{FILE}:2")]


@pytest.mark.parametrize(
    "text",
    [
        "The larger inotify limit made no difference to Metro",
        "Metro died again, the inotify limit was a coincidence",
        "The inotify limit no longer matters to the dying Metro",
        "A larger inotify limit does not help Metro",
    ],
)
def test_what_was_tried_in_vain_speaks_against_the_line(text):
    assert found(text) == [Sighting(METRO, f"{FILE}:1", False)]


@pytest.mark.parametrize(
    "text",
    [
        "Metro took a while",  # one word in common
        "Is the inotify limit of Metro too low?",
        "Mika never likes green tea in the morning",  # a denial is the miner's to judge
        "Bought a larger phone for Tomas",
    ],
)
def test_what_is_about_something_else_or_leaves_it_open_is_no_sighting(text):
    assert found(text) == []


def test_another_number_is_another_statement():
    known = ("The pool of the export is 20 connections",)

    assert found("The pool of the export is 35 connections", known=known) == []
    assert found("The export pool has 20 connections", known=known) == [Sighting(known[0], f"{FILE}:1")]


@pytest.mark.parametrize(
    ("line", "other", "again"),
    [
        (
            "Read through the billing page code, took notes on paper",
            "Read through the search box code, took notes on paper",
            "Seen today: Read through the billing page code, took notes on paper (Ines)",
        ),
        (
            "Das Angebot für Keller ist raus, Rückmeldung bis Freitag",
            "Das Angebot für Brandt ist raus, Rückmeldung bis Freitag",
            "Das Angebot für Keller ist heute raus, Rückmeldung bis Freitag",
        ),
        (
            "登录页面的代码今天看完了，记了笔记",
            "导出模块的代码今天看完了，记了笔记",
            "登录页面的代码看完了，今天记了笔记",
        ),
    ],
)
def test_what_is_said_of_another_thing_in_the_same_words_is_no_sighting(line, other, again):
    assert found(other, known=(line,)) == []
    assert [each.text for each in found(again, known=(line,))] == [line]


def test_a_line_that_says_something_is_in_vain_is_seen_again_when_a_note_says_so_too():
    line = "Restarting the router did nothing for the calls"

    assert found("The calls stutter, restarting the router changed nothing", known=(line,)) == [
        Sighting(line, f"{FILE}:1")
    ]


def test_sightings_come_back_from_the_cursors_and_malformed_rows_are_passed_over():
    told = [Sighting(METRO, f"{FILE}:2"), Sighting(TEA, f"{FILE}:3", False)]
    row = {"seenAgain": [*sightings.rows(told), {"text": 3, "source": "x"}, "odd", None]}

    assert sightings.read([row, {"seenAgain": None}, {}]) == tuple(told)


def mined_and_curated(koog, workspace, *lines):
    playbook(workspace, "## Patterns", f"- {METRO} (score: 0.5) <!-- from: memory/2026-01-02.md:4 -->")
    note(workspace, "2026-02-26.md", "".join(f"- {line}\n" for line in lines))
    assert koog("mine", "--engine", "builtin", "--now", NOW)[0] == 0
    assert koog("curate", "--engine", "builtin", "--curate-directive", "normal", "--now", NOW)[0] == 0
    return next(line for line in bullets(workspace) if METRO in line)


def test_a_pattern_that_a_note_says_again_rises_and_rests_on_that_note(koog, workspace):
    line = mined_and_curated(koog, workspace, "The larger inotify limit keeps Metro alive")

    assert line == f"- {METRO} (score: 0.6) <!-- from: {FILE}:1 -->"


def test_a_pattern_that_failed_in_a_note_falls_and_keeps_its_source(koog, workspace):
    line = mined_and_curated(koog, workspace, "The larger inotify limit made no difference to Metro")

    assert line == f"- {METRO} (score: 0.3) <!-- from: memory/2026-01-02.md:4 -->"


def test_a_sighting_counts_once_however_often_curate_runs(koog, workspace):
    first = mined_and_curated(koog, workspace, "The larger inotify limit keeps Metro alive")
    koog("curate", "--engine", "builtin", "--curate-directive", "normal", "--now", NOW)

    assert first in bullets(workspace)
    pending = json.loads((workspace / "memory/meta/cursors.json").read_text())["mine"]["pending"]
    assert pending == []
