"""A folder of a person's notes becomes a workspace: what is found, what is told, and that nothing of it is changed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from koog.core import operator
from tests.conftest import git
from tests.operate.test_init import hashes

NOW = ("--now", "2026-02-28T12:00:00Z")
VAULT = {
    "Daily/2026-02-27.md": "# Friday\n\n- Decided: the roof gets slate, Mara orders it by Monday\n",
    "Daily/2026-02-28.md": "# Saturday\n\n- Learned: the boiler has to be bled before the first frost\n",
    "Daily/2026-01-02.md": "- Paid the chimney sweep\n",
    "People/Jonas Weber.md": "# Jonas Weber\n\nJonas is allergic to walnuts.\n",
    "Projects/Roof.md": "# Roof\n\nWaits for the quote of Zimmerei Kolb.\n",
    "Zettel/kiln.md": "The kiln is fired at 1040 degrees.\n",
    "Inbox.md": "Buy forty metres of rope\n",
    ".obsidian/app.json": "{}",
    ".obsidian/plugins/x/README.md": "A plugin for kilns\n",
    "node_modules/a/README.md": "A package for kilns\n",
}


@pytest.fixture
def vault(tmp_path, monkeypatch):
    folder = tmp_path / "vault"
    for name, text in VAULT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    return folder


def hits(koog, query):
    _, line = koog(*NOW, "search", query)
    return [hit["path"] for hit in line["hits"] if not hit["weak"]]


def test_init_finds_the_notes_says_what_it_left_alone_and_changes_none(koog, vault):
    before = hashes(vault)

    _, line = koog("init", ".")

    assert line["notes"] == {
        "journal": ["Daily/YYYY-MM-DD.md"],
        "notes": {"person": ["People/**"], "project": ["Projects/**"], "reference": ["Zettel/**"]},
        "files": 7,
        "left": [{"path": ".obsidian", "why": "hidden"}, {"path": "node_modules", "why": "a tool's"}],
    }
    assert json.loads((vault / "koog-config.json").read_text())["paths"]["journal"] == ["Daily/YYYY-MM-DD.md"]
    assert {name: digest for name, digest in hashes(vault).items() if name in before} == before
    assert kept_of(vault) & {"Daily", "People", ".obsidian"} == set()


def kept_of(vault):
    """Return the folders and files at the top of which git keeps something, but for koog's own lists in them."""
    names = git(vault, "ls-files").splitlines()
    return {name.partition("/")[0] for name in names if not name.endswith(("/_index.md", "/_active.md"))}


def test_search_finds_each_kind_and_nothing_of_a_tool(koog, vault):
    koog("init", ".")

    assert hits(koog, "who is allergic to walnuts")[:1] == ["People/Jonas Weber.md"]
    assert hits(koog, "quote of Zimmerei Kolb")[:1] == ["Projects/Roof.md"]
    assert hits(koog, "at how many degrees is the kiln fired") == ["Zettel/kiln.md"]
    assert hits(koog, "metres of rope")[:1] == ["Inbox.md"]
    _, line = koog(*NOW, "search", "the roof gets slate", "--category", "journal")
    assert [(hit["path"], hit["date"]) for hit in line["hits"]][:1] == [("Daily/2026-02-27.md", "2026-02-27")]


def test_the_journal_is_mined_told_at_the_start_and_compiled_as_daily_notes_are(koog, vault):
    koog("init", ".")

    _, mined = koog(*NOW, "--engine", "builtin", "mine")
    _, loaded = koog(*NOW, "startup")
    _, compiled = koog(*NOW, "compile", "--message", "what about the boiler?")

    assert "2026-02-28.md" in mined["minedSources"]
    assert "boiler has to be bled" in " ".join(mined["newPatterns"])
    assert [part["path"] for part in loaded["parts"]] == ["Daily/2026-02-28.md", "Daily/2026-02-27.md"]
    assert "<!-- journal Daily/2026-02-28.md:" in compiled["text"]
    assert (vault / "Daily/2026-02-28.md").read_text() == VAULT["Daily/2026-02-28.md"]


def test_a_backup_takes_nothing_of_the_person_s(koog, vault):
    koog("init", ".")
    koog(*NOW, "--engine", "builtin", "tick", "--idle")

    koog(*NOW, "backup", "--no-push")

    theirs = {"Daily", "People", "Projects", "Zettel", "Inbox.md", ".obsidian", "node_modules"}
    assert kept_of(vault) & theirs == set()


def test_notes_that_lie_in_no_folder_are_the_person_s_as_well(koog, tmp_path):
    folder = tmp_path / "flat"
    folder.mkdir()
    for name in ("kiln.md", "rope.md"):
        (folder / name).write_text(f"All about the {name}\n")

    _, line = koog("init", str(folder))
    koog(*NOW, "--workspace", str(folder), "backup", "--no-push")

    assert (line["notes"]["files"], line["backup"]) == (2, "own")
    assert not {"kiln.md", "rope.md"} & set(git(folder, "ls-files").splitlines())


def test_a_backup_takes_nothing_of_the_person_s_where_all_notes_lie_at_the_top(koog, tmp_path, monkeypatch):
    (tmp_path / "flat").mkdir()
    (tmp_path / "flat/kiln.md").write_text("The kiln is fired at 1040 degrees.\n")
    monkeypatch.chdir(tmp_path / "flat")

    _, line = koog("init", ".")
    koog(*NOW, "backup", "--no-push")

    assert (line["backup"], line["notes"]["files"]) == ("own", 1)
    assert hits(koog, "at how many degrees is the kiln fired") == ["kiln.md"]
    assert "kiln.md" not in git(tmp_path / "flat", "ls-files").splitlines()


def test_folders_of_the_oddest_names_make_a_config_that_koog_takes(koog, vault):
    names = ["n" * 240, "*a*b*c*d*", "[x]", "-rf", "new\nline", "\N{PARTY POPPER}"]
    for name in [*map(os.fsencode, names), b"bad\xff"]:
        folder = Path(os.fsdecode(name))
        folder.mkdir()
        (folder / "a.md").write_text("The anvil weighs ninety kilos.\n")

    code, line = koog("init", ".")
    _, found = koog("search", "anvil", "--limit", "50")

    left = {each["path"]: each["why"] for each in line["notes"]["left"]}
    assert code == 0
    assert left["n" * 240] == "koog-config.json takes no such pattern"
    assert "its name is no text" in left.values()
    assert sorted(hit["path"] for hit in found["hits"] if not hit["weak"]) == sorted(
        f"{name}/a.md" for name in names[1:]
    )


def test_where_everything_is_backed_up_a_tool_s_state_is_not(koog, vault):
    koog("init", ".")
    operator.remember(vault, "git.backup", "all")

    koog(*NOW, "backup", "--no-push")

    kept = git(vault, "ls-files").splitlines()
    assert "Zettel/kiln.md" in kept
    assert [name for name in kept if name.startswith(".obsidian")] == []


def test_a_config_that_stands_is_left_and_the_reply_says_what_to_add(koog, vault):
    (vault / "koog-config.json").write_text('{"engine": "builtin"}\n')

    _, line = koog("init", ".")

    assert (vault / "koog-config.json").read_text() == '{"engine": "builtin"}\n'
    said, _, told = line["next"][0].partition(" with ")
    assert said == "koog-config.json stood already and is unchanged: your notes are memory"
    assert json.loads(told.removesuffix(" in it"))["paths"]["notes"]["person"] == ["People/**"]


def test_what_to_write_into_a_config_has_what_stands_there_already(koog, vault):
    koog("init", ".")
    (vault / "Recipes").mkdir()
    (vault / "Recipes/bread.md").write_text("Rye\n")

    _, line = koog("init", ".")

    told = json.loads(line["next"][0].partition(" with ")[2].removesuffix(" in it"))["paths"]
    assert told["journal"] == ["Daily/YYYY-MM-DD.md"]
    assert told["notes"]["reference"] == ["Zettel/**", "Recipes/**"]
    assert line["notes"]["notes"] == {"reference": ["Recipes/**"]}


def test_doctor_and_index_name_what_no_pattern_covers(koog, vault):
    koog("init", ".")
    (vault / "Recipes").mkdir()
    for name in ("bread", "soup"):
        (vault / f"Recipes/{name}.md").write_text(f"# {name}\n")

    _, doctor = koog("doctor")
    _, index = koog("index")

    told = [f["message"] for f in doctor["findings"] if f["check"] == "notes"]
    assert told == ["2 Markdown files below Recipes/ are no memory: paths.notes names no pattern for them"]
    assert {"path": "Recipes/", "why": "paths.notes names no pattern for 2 of its files"} in index["skipped"]


@pytest.mark.parametrize(
    "key,value",
    [("journal", ["/etc/YYYY-MM-DD.md"]), ("notes", {"reference": ["../**"]}), ("notes", {"reference": ["~/x"]})],
)
def test_the_workspace_s_config_may_name_nothing_elsewhere(koog, vault, key, value):
    (vault / "koog-config.json").write_text(json.dumps({"paths": {key: value}}))
    koog("init", ".")

    _, line = koog("search", "rope")

    assert [w for w in line["_meta"]["warnings"] if "ignored: only the operator's config" in w]


@pytest.mark.parametrize(
    "paths",
    [
        {"journal": ["Daily/*.md"]},
        {"journal": ["Daily/YYYY.txt"]},
        {"notes": {"identity": ["A/**"]}},
        {"notes": ["A/**"]},
    ],
)
def test_a_pattern_that_means_nothing_is_refused(koog, vault, paths):
    koog("init", ".")
    (vault / "koog-config.json").write_text(json.dumps({"paths": paths}))

    code, line = koog("search", "rope")

    assert (code, line["error"]["code"]) == (3, "config")


def test_an_agents_own_folders_are_no_person_s_notes(koog, tmp_path, monkeypatch):
    folder = tmp_path / "agent"
    for name in ("memory/2026-02-28.md", "skills/x/SKILL.md", "knowledge/people/ana.md", "SOUL.md"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("x\n")
    monkeypatch.chdir(folder)

    _, line = koog("init", ".")

    assert line["notes"] == {"journal": [], "notes": {}, "files": 0, "left": []}
    assert line["backup"] == "all"
    assert "paths" not in json.loads(Path("koog-config.json").read_text())


def test_a_heading_in_a_note_is_no_title_of_another_part(koog, vault):
    (vault / "My Days").mkdir()
    (vault / "My Days/2026-02-28.md").write_text("- Fed the hens\n\n## My Days/2026-02-27.md\n- It rained\n")
    koog("init", ".")

    _, loaded = koog(*NOW, "startup")

    rows = loaded["text"].split("\n")
    assert "## My Days/2026-02-28.md" in rows
    assert "## My Days/2026-02-27.md" not in rows
    assert "\\## My Days/2026-02-27.md" in rows
