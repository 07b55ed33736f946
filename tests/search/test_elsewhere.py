"""koog search --in DIR: any folder of Markdown, and nothing is written there."""

from __future__ import annotations

import os

import pytest


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = tmp_path / "notes"
    for name, text in {
        "memory/keys.md": "The spare key hangs behind the barn door.\n",
        "skills/loom.md": "Oil the loom on Fridays.\n",
        ".trash/kiln.md": "The kiln is cold.\n",
        "node_modules/a.md": "The kiln is a package.\n",
        "HEARTBEAT.md": "The forge is lit at six.\n",
    }.items():
        (found / name).parent.mkdir(parents=True, exist_ok=True)
        (found / name).write_text(text)
    return found


def paths(line):
    return [hit["path"] for hit in line["hits"] if not hit["weak"]]


def test_it_is_searched_whatever_its_folders_are_called_and_nothing_is_written_there(koog, folder, monkeypatch):
    monkeypatch.chdir(folder.parent)
    before = sorted(os.walk(folder))

    found = {
        word: paths(koog("search", "--in", str(folder), word)[1]) for word in ("spare key", "loom", "forge", "kiln")
    }

    assert found == {"spare key": ["memory/keys.md"], "loom": ["skills/loom.md"], "forge": ["HEARTBEAT.md"], "kiln": []}
    assert sorted(os.walk(folder)) == before


def test_the_second_search_has_the_index_of_the_first_and_sees_what_has_changed(koog, folder):
    _, first = koog("search", "--in", str(folder), "loom")
    (folder / "new.md").write_text("The press stands in hall four.\n")
    _, second = koog("search", "--in", f"{folder}/", "where does the press stand")

    assert first["refreshed"]["rebuilt"] == "absent"
    assert (second["refreshed"]["rebuilt"], second["refreshed"]["added"]) == (None, 1)
    assert paths(second) == ["new.md"]


def test_a_workspace_is_searched_as_one(koog, workspace):
    code, line = koog("search", "--in", str(workspace / "memory"), "x")

    assert (code, line["error"]["code"]) == (5, "refused")
    assert line["error"]["hint"].startswith("koog --workspace ")


@pytest.mark.parametrize("name", ["", "nowhere", "notes/HEARTBEAT.md"])
def test_what_is_no_folder_is_a_wrong_call(koog, folder, name):
    code, line = koog("search", "--in", name and str(folder.parent / name), "x")

    assert (code, line["error"]["code"]) == (2, "usage")


def test_with_a_project_it_is_a_wrong_call(koog, folder):
    assert koog("search", "--in", str(folder), "--project", "all", "x")[0] == 2


def test_a_group_of_openclaw_is_told_nothing_of_other_folders(koog, folder, monkeypatch):
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("KOOG_SESSION_KEY", "agent:main:telegram:group:-1001")

    assert koog("search", "--in", str(folder), "loom")[1]["error"]["code"] == "refused"


def test_a_workspace_below_the_folder_is_told_nothing_of(koog, folder):
    for mark in (".koog/index.db", "koog-config.json", "memory/meta/cursors.json"):
        inside = folder / mark.replace("/", "-")
        (inside / mark).parent.mkdir(parents=True)
        (inside / mark).write_text("{}")
        (inside / "memory").mkdir(exist_ok=True)
        (inside / "memory/loom.md").write_text("The loom is hidden below the stairs.\n")

    assert paths(koog("search", "--in", str(folder), "loom")[1]) == ["skills/loom.md"]


def test_without_a_place_for_the_index_the_files_themselves_are_searched(koog, folder, monkeypatch):
    (folder.parent / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder.parent / "file"))

    code, line = koog("search", "--in", str(folder), "loom")

    assert (code, paths(line), line["engine"]) == (0, ["skills/loom.md"], "scan")
    assert line["_meta"]["warnings"][0].startswith("no index (")


def test_caches_lie_in_no_place_that_depends_on_the_current_folder(koog, folder, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    monkeypatch.setenv("HOME", str(folder.parent / "home"))
    monkeypatch.chdir(folder)

    koog("search", "--in", ".", "loom")

    assert not (folder / "caches").exists()
    assert list((folder.parent / "home/.cache/koog").glob("*/.koog/index.db"))
