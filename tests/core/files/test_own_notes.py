"""koog.core.files.own_notes, found_notes and daily: whose Markdown beside koog's folders is memory."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.errors import WorkspaceError
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
        ([], {"reference": ["A/b/"], "person": ["C/"]}, ["A", "A/b", "A/b/c", "C", "C/d"], ["A/c", "CC"]),
        ([], {"reference": ["A/b?/"]}, ["A", "A/bx", "A/bx/c"], ["A/c"]),
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


def test_no_pattern_makes_a_hidden_folder_s_file_or_koog_s_own_a_day_s_note(tmp_path):
    names = [f"{folder}/2026-02-28.md" for folder in (".ssh", ".git", "memory/meta", "modules/x", "raw", "venv/x")]
    journal = [name.replace("2026-02-28", "YYYY-MM-DD") for name in names]
    ws = workspace(tmp_path, *names, "J/2026-02-28.md", journal=[*journal, "*/YYYY-MM-DD.md"])

    assert [note.path for note in daily.every(ws)] == ["J/2026-02-28.md"]
    assert daily.of_day(ws, date(2026, 2, 28)) == ["J/2026-02-28.md"]


def test_no_day_s_note_is_another_repository_s(tmp_path):
    ws = workspace(
        tmp_path, "a/2026-02-28.md", "code/2026-02-28.md", "other/2026-02-28.md", journal=["*/YYYY-MM-DD.md"]
    )
    (tmp_path / "code/.git").mkdir()
    (tmp_path / "other/.koog").mkdir()

    assert [note.path for note in daily.every(ws)] == ["a/2026-02-28.md"]


def test_notes_at_the_top_count_and_what_a_host_has_there_does_not(tmp_path):
    ws = workspace(tmp_path, "Inbox.md", "2026-02-28.md", "SOUL.md", "README.md", "Zettel/a.md")

    assert found_notes.found(ws).many == 3


def test_a_star_in_a_folder_s_name_takes_in_no_other_folder():
    own = found_notes.proposed(Found({"**": ["a.md"], "A*": ["b.md"]}, []))

    assert [own.category(path) for path in ("**/a.md", "A*/b.md", "Abc/b.md")] == ["reference", "reference", None]


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


def around(folder, *names, journal=(), notes=None):
    ws = workspace(folder / "_koog", "koog-config.json")
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x\n")
    return Workspace(ws.root, own_notes=OwnNotes.of(journal, notes or {}), notes_root=folder)


def test_notes_around_the_workspace_are_found_and_the_workspace_is_none_of_them(tmp_path):
    names = ("Inbox.md", "AGENTS.md", "2026-02-28.md", "memory/a.md", "archive/b.md", "_koog/memory/2026-02-28.md")
    ws = around(tmp_path, *names, "_koog/c.md", "b/_koog/d.md", journal=["YYYY-MM-DD.md"])

    notes = found_notes.found(ws)

    assert sorted(notes.paths) == ["2026-02-28.md", "Inbox.md", "archive/b.md", "b/_koog/d.md"]
    assert notes.left == [Left(name, "a name of koog's own") for name in ("AGENTS.md", "memory")]
    assert found_notes.proposed(notes) == OwnNotes(("YYYY-MM-DD.md",), (("reference", ("*.md", "archive/**", "b/**")),))
    assert [note.path for note in daily.every(ws)] == ["memory/2026-02-28.md", "2026-02-28.md"]


def test_a_name_is_one_file_and_a_note_is_written_by_nobody(tmp_path):
    ws = around(tmp_path, "Inbox.md", "a/b.md", "memory/x.md", notes={"reference": ["*.md", "a/**", "memory/**"]})
    for name in ("Inbox.md", "other.txt", "a/b.md"):
        (ws.root / name).parent.mkdir(parents=True, exist_ok=True)
        (ws.root / name).write_text("planted\n")

    assert (ws.text("Inbox.md"), ws.text("a/b.md"), ws.text("other.txt")) == ("x\n", "x\n", "planted\n")
    assert (ws.exists("memory/x.md"), ws.is_note("HEARTBEAT.md")) == (False, False)
    with pytest.raises(WorkspaceError, match="one of your notes"):
        ws.place("Inbox.md")


@given(
    st.dictionaries(
        st.sampled_from(["", "Daily", "2026/02", "A/People", "archive", "memory", "YYYY/x", "_koog/y"]),
        st.lists(st.sampled_from(["2026-02-28.md", "28.md", "2026-02-28 x.md", "Ana.md", "MEMORY.md", "é.md"])),
    )
)
def test_around_the_workspace_too_all_of_it_is_taken_in(tmp_path_factory, folders):
    names = [f"{folder}/{name}".lstrip("/") for folder, each in folders.items() for name in each]
    ws = around(tmp_path_factory.mktemp("v"), *names)
    found = found_notes.found(ws)

    ws.own_notes = found_notes.proposed(found)

    assert all(ws.is_note(path) for path in found.paths)
    assert found_notes.uncovered(ws) == {}
