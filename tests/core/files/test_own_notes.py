"""koog.core.files.own_notes, found_notes and daily: whose Markdown beside koog's folders is memory."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.files import daily, found_notes
from koog.core.files.found_notes import Found, Left
from koog.core.files.own_notes import OwnNotes, day_of
from koog.core.files.workspace import Workspace

DAYS = st.dates(min_value=date(1990, 1, 1), max_value=date(2090, 12, 31))


def workspace(folder, *names, journal=(), notes=None):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x\n")
    return Workspace(folder, own_notes=OwnNotes.of(journal, notes or {}))


@pytest.mark.parametrize(
    "pattern,path,day",
    [
        ("Daily/YYYY-MM-DD.md", "Daily/2026-02-28.md", "2026-02-28"),
        ("Daily/YYYY-MM-DD.md", "Daily/2026-02-30.md", None),
        ("Daily/YYYY-MM-DD.md", "Daily/a/2026-02-28.md", None),
        ("Daily/YYYY-MM-DD*.md", "Daily/2026-02-28 Standup.md", "2026-02-28"),
        ("YYYY/MM/DD.md", "2026/02/28.md", "2026-02-28"),
        ("YYYY/YYYYMMDD.md", "2025/20260228.md", None),
        ("journals/YYYY_MM_DD.md", "journals/2026_02_28.md", "2026-02-28"),
        ("Tage/DD.MM.YYYY.md", "Tage/28.02.2026.md", "2026-02-28"),
        ("COMMUNITY/ADDRESSES/YYYY-MM-DD.md", "COMMUNITY/ADDRESSES/2026-02-28.md", "2026-02-28"),
    ],
)
def test_a_journal_s_pattern_tells_the_day(pattern, path, day):
    assert day_of(pattern, path) == day


@pytest.mark.parametrize("pattern", ["a/YYYY-MM-DD.md", "YYYY/MM/YYYY-MM-DD.md", "b/YYYYMMDD.md", "c/DD.MM.YYYY*.md"])
@given(day=DAYS)
def test_every_day_comes_back(pattern, day):
    path = pattern.replace("YYYY", f"{day.year}").replace("MM", f"{day:%m}").replace("DD", f"{day:%d}")

    assert day_of(pattern, path.replace("*", " x")) == day.isoformat()


@pytest.mark.parametrize(
    "journal,notes,yes,no",
    [
        (["YYYY-MM-DD.md"], {}, [], ["a", "2026"]),
        (["J/YYYY/YYYY-MM-DD.md"], {}, ["J", "J/2026"], ["K", "J/x", "J/2026/02"]),
        ([], {"reference": ["docs/**"]}, ["docs", "docs/a/b"], ["src", "docs/node_modules", "docs/.git"]),
        ([], {"person": ["A/*/People"]}, ["A", "A/b", "A/b/People/c"], ["A/b/c", "People"]),
        ([], {"reference": ["**"]}, ["a", "b/c"], [".obsidian", "a/.trash", "node_modules/x"]),
    ],
)
def test_only_folders_that_may_hold_notes_are_walked(journal, notes, yes, no):
    own = OwnNotes.of(journal, notes)

    assert [folder for folder in [*yes, *no] if own.covers(folder)] == yes


def test_the_notes_of_days_are_found_in_memory_and_in_the_journal_newest_first(tmp_path):
    ws = workspace(
        tmp_path,
        "memory/2026-02-27.md",
        "memory/2026-02-28-nas.md",
        "Daily/2026/2026-02-28.md",
        "Daily/2026/plan.md",
        "Daily/2025/2026-02-26.md",
        "Daily/.trash/2026-02-28.md",
        journal=["Daily/YYYY/YYYY-MM-DD.md"],
    )

    assert [(note.path, note.day) for note in daily.every(ws)] == [
        ("memory/2026-02-28-nas.md", "2026-02-28"),
        ("Daily/2026/2026-02-28.md", "2026-02-28"),
        ("memory/2026-02-27.md", "2026-02-27"),
    ]
    assert daily.of_day(ws, date(2026, 2, 28)) == ["memory/2026-02-28-nas.md", "Daily/2026/2026-02-28.md"]


def test_what_is_found_and_what_is_left_alone(tmp_path):
    names = ("Inbox.md", "Daily/2026-02-28.md", "memory/2026-02-28.md", "skills/x/SKILL.md", ".obsidian/p/README.md")
    ws = workspace(tmp_path, *names, "node_modules/a/README.md", "code/.git/config", "code/README.md", "Daily/pic.png")
    (tmp_path / "away").symlink_to(tmp_path.parent)

    notes = found_notes.found(ws)

    assert notes.folders == {"": ["Inbox.md"], "Daily": ["2026-02-28.md"]}
    left = [(".obsidian", "hidden"), ("code", "another repository"), ("node_modules", "a tool's")]
    assert notes.left == [Left(*each) for each in left]


@pytest.mark.parametrize(
    "folders,journal,globs",
    [
        (
            {"Daily": ["2026-02-27.md", "2026-02-28.md", "plan.md"]},
            ["Daily/YYYY-MM-DD.md"],
            {"reference": ["Daily/**"]},
        ),
        ({"journals": ["2026_02_28.md"], "pages": ["a.md"]}, ["journals/YYYY_MM_DD.md"], {"reference": ["pages/**"]}),
        ({"Tage/2025/12": ["31.md"], "Tage/2026/01": ["01.md"]}, ["Tage/YYYY/MM/DD.md"], {}),
        ({"log/2026-02": ["2026-02-27 a.md", "2026-02-28.md"]}, ["log/YYYY-MM/YYYY-MM-DD*.md"], {}),
        ({"Z": ["20260228101500 kiln.md", "20260228.md", "a.md"]}, [], {"reference": ["Z/**"]}),
        ({"": ["2026-02-27.md", "2026-02-28.md", "x.md"]}, ["YYYY-MM-DD.md"], {}),
        (
            {"Work/02 Projects/Roof": ["a.md"], "Work/People": ["Ana.md"], "Work": ["b.md"]},
            [],
            {"person": ["Work/People/**"], "project": ["Work/02 Projects/**"], "reference": ["Work/**"]},
        ),
    ],
)
def test_the_config_that_takes_it_in(folders, journal, globs):
    own = found_notes.proposed(Found(folders, []))

    assert list(own.journal) == journal
    assert {kind: list(each) for kind, each in own.globs} == globs


@given(
    st.dictionaries(
        st.sampled_from(["Daily", "2026/02", "A/People", "B b/C", "MM", "YYYY/x"]),
        st.lists(st.sampled_from(["2026-02-28.md", "28.md", "2026-02-28 x.md", "20260228.md", "Ana.md", "*.md"])),
    )
)
def test_whatever_is_there_the_proposed_config_takes_all_of_it_in(folders):
    own = found_notes.proposed(Found(folders, []))

    missed = [path for path in Found(folders, []).paths if own.category(path) is None]

    assert missed == []
    assert all(own.covers(folder) for folder, names in folders.items() if names)
