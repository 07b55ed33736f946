"""A journal that the agent has forged: what it says to finish is done to files of the workspace at most.

The rows are those of the present format, and the file lies where a journal has ever lain; one in the person's state
folder is out of the agent's reach.
"""

from __future__ import annotations

import json
import os
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from tests.boundary.ground import Ground

EVIL = b"\n[core]\n\tfsmonitor = tools/evil\n"


def step(kind: str, path: str, *, data: bytes = b"", present: bytes | None = None, to: str = "", at: int = 0) -> dict:
    before, after = (None if each is None else sha256(each).hexdigest() for each in (present, data))
    row = {"kind": kind, "path": path, "before": before, "after": after if kind == "replace" else None}
    return {**row, "at": at, "data": b64encode(data if kind == "append" else b"").decode(), "to": to}


def content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def row(kind: str, path: str, ground: Ground) -> dict:
    """Return a forged row that does something to this path, and put there what it needs."""
    target = Path(os.path.normpath(ground.ws / path))
    present = content(target)
    ground.put("planted.md", EVIL)
    if kind == "replace":
        beside = ground.ws / path
        if beside.parent.is_dir() and beside.resolve().is_relative_to(ground.ws):
            beside.with_name(f".{beside.name}.koog.tmp").write_bytes(EVIL)
        return step("replace", path, data=EVIL, present=present, at=len(EVIL))
    if kind == "append":
        return step("append", path, data=EVIL, at=len(present or b""))
    if kind == "rename":
        return step("rename", "planted.md", to=path)
    if kind == "rename away":
        return step("rename", path, to="taken.md")
    return step("remove", path, present=present)


def forge(ground: Ground, *rows: dict) -> None:
    for name in (".koog/journal.json", ".git/koog/journal.json"):
        ground.put(name, json.dumps(list(rows)) + "\n")


def guarded(ground: Ground) -> dict[str, bytes]:
    """Return what of the workspace nobody but git writes: its config and its programs."""
    files = [ground.ws / ".git/config", *sorted((ground.ws / ".git/hooks").iterdir())]
    return {f.name: content(f) or b"gone" for f in files if not f.name.endswith(".koog.tmp")}


PLACES = {
    "git's config": "./.git/config",
    "a hook": "memory/../.git/hooks/post-commit",
    "a hook with a slash more": ".//.git/hooks/post-commit",
    "git's config in capitals": ".GIT/config",
    "the private folder and out": ".koog/../x",
    "the private folder": ".koog/cron.err",
    "above": "../outside/empty",
    "above by a folder": "memory/../../outside/empty",
    "new above": "../outside/new",
    "a link to outside": "memory/way/empty",
    "a link to outside, new": "memory/way/new",
    "a link to git": "memory/gits/config",
    "another repository's config": "knowledge/.git/config",
}


@pytest.mark.wide(6)
@pytest.mark.parametrize("place", [*PLACES, "absolute"])
def test_a_forged_journal_finishes_nothing_that_is_not_a_file_of_the_workspace(place: str, ground: Ground) -> None:
    path = PLACES.get(place) or str(ground.outside / "empty")
    ground.link("memory/way", ground.outside)
    ground.link("memory/gits", "../.git")
    ground.put("knowledge/.git/config", "[core]\n")
    ground.put(".GIT/config", "[core]\n")
    ground.seal()
    before = guarded(ground)
    there = os.path.lexists(ground.ws / path)

    for kinds in (["append"], ["replace", "remove", "rename away"] if there else ["rename", "replace"]):
        forge(ground, *(row(kind, path, ground) for kind in kinds))
        ground.run("log")

    assert guarded(ground) == before
    assert content(ground.ws / "knowledge/.git/config") == b"[core]\n"
    assert content(ground.ws / ".GIT/config") == b"[core]\n"
    assert not (ground.ws / "x").exists()
    assert EVIL not in (content(ground.ws / ".koog/cron.err") or b"")
    ground.assert_kept()


def test_a_folder_that_becomes_a_link_while_a_journal_waits_leads_nowhere(ground: Ground) -> None:
    """The row names a plain path; the folder in it was made a link since."""
    ground.link("notes", ground.outside)
    forge(
        ground,
        step("append", "notes/empty", data=EVIL),
        step("remove", "notes/text.md", present=content(ground.outside / "text.md")),
        step("rename", "notes/rows.jsonl", to="rows.jsonl"),
        step("rename", "AGENTS.md", to="notes/AGENTS.md"),
        step("replace", "notes/new.md", data=EVIL, at=len(EVIL)),
    )

    ground.run("status", "log", "fix")

    ground.assert_kept()


def test_what_waits_beside_a_file_as_a_link_is_not_taken_for_its_new_version(ground: Ground) -> None:
    """Replacing takes the prepared file: were that a link, an outside text would stand in the workspace."""
    text = content(ground.outside / "text.md") or b""
    ground.link("memory/.a.md.koog.tmp", ground.outside / "text.md")
    forge(ground, step("replace", "memory/a.md", data=text, at=len(text)))

    ground.run("log", "mine", "search", "backup")

    ground.assert_kept()


def test_a_journal_that_is_none_stops_nothing(ground: Ground) -> None:
    for text in ("[", "{}", "[[]]", '[{"kind": "append"}]', "null", "9", "[" * 100_000, "\0"):
        ground.put(".koog/journal.json", text)
        ground.run("log")

    assert [c.code for c in ground.calls] == [0] * 8
    ground.assert_kept()


def test_a_row_for_a_file_of_the_workspace_is_finished_or_told(ground: Ground) -> None:
    """An older koog that was killed left its journal here; what it decided is a file of the workspace."""
    forge(ground, step("append", "memory/2026-02-27.md", data=b"- one more\n", at=10_000))

    called = ground.run("log")["log"]

    done = b"- one more\n" in (content(ground.ws / "memory/2026-02-27.md") or b"")
    assert called.code == 0
    assert done or "journal" in called.warned


def test_a_forged_journal_goes_no_way_out_that_the_operator_gave_to_links(ground: Ground) -> None:
    ground.operator("paths.linked", [str(ground.outside)])
    ground.link("elsewhere", ground.outside)
    ground.seal()
    rows = [step("append", "elsewhere/text.md", data=EVIL, at=0), step("append", "elsewhere/new/main.js", data=EVIL)]
    ground.put(".koog/journal.json", json.dumps(rows) + "\n")

    called = ground.koog("status")

    assert ground.changed() == []
    assert "elsewhere/text.md: not finished" in called.warned
