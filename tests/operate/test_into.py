"""koog init --into: koog's files in one folder of a person's notes, which are read where they are and never changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from koog.core import operator
from koog.core.files import host
from koog.core.files.workspace import is_workspace
from tests.conftest import git, process
from tests.fakes.schedulers import CRONTAB, SYSTEMCTL, put
from tests.operate.test_init import hashes

NOW = ("--now", "2026-02-28T12:00:00Z")
VAULT = {
    "Daily/2026-02-27.md": "# Friday\n\n- Decided: the roof gets slate, Mara orders it by Monday\n",
    "Daily/2026-02-28.md": "# Saturday\n\n- Learned: the boiler has to be bled before the first frost\n",
    "People/Jonas Weber.md": "# Jonas Weber\n\nJonas is allergic to walnuts.\n",
    "Projects/Roof.md": "# Roof\n\nWaits for the quote of Zimmerei Kolb.\n",
    "Ärger mit Zügen/Köln Hbf.md": "Der Zug nach Köln fällt an Sonntagen aus.\n",
    "archive/kiln.md": "The kiln is fired at 1040 degrees.\n",
    "Inbox.md": "Buy forty metres of rope\n",
    "memory/theirs.md": "A note on remembering zeppelins\n",
    ".obsidian/app.json": "{}",
    ".gitignore": "*.tmp\n",
}
PATHS = {
    "notesRoot": "..",
    "journal": ["Daily/YYYY-MM-DD.md"],
    "notes": {
        "person": ["People/**"],
        "project": ["Projects/**"],
        "reference": ["*.md", "archive/**", "Ärger mit Zügen/**"],
    },
}


@pytest.fixture
def vault(tmp_path, monkeypatch):
    folder = tmp_path / "vault"
    for name, text in VAULT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def kept(koog, vault):
    """Return the vault with koog's files in `_koog`."""
    code, _ = koog(*NOW, "init", ".", "--into", "_koog")
    assert code == 0
    return vault


def hits(koog, query, *options):
    _, line = koog(*NOW, *options, "search", query)
    return [hit["path"] for hit in line["hits"] if not hit["weak"]]


def top(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


# --- what is made


def test_everything_of_koogs_is_in_the_one_folder_and_no_note_is_changed(koog, vault):
    before, names = hashes(vault), top(vault)

    _, line = koog("init", ".", "--into", "_koog")

    assert top(vault) == names | {"_koog"}
    assert {name: digest for name, digest in hashes(vault).items() if not name.startswith("_koog/")} == before
    assert {".git", ".gitignore", ".koog", "HEARTBEAT.md", "koog-config.json", "memory"} <= top(vault / "_koog")
    assert (line["workspace"], line["notesRoot"]) == (str(vault / "_koog"), str(vault))
    assert line["notes"] == {
        **{key: PATHS[key] for key in ("journal", "notes")},
        "files": 7,
        "left": [{"path": ".obsidian", "why": "hidden"}, {"path": "memory", "why": "a name of koog's own"}],
    }


def test_which_notes_count_stands_in_the_operator_s_file_alone(kept):
    entry = operator.entry(kept / "_koog")

    assert entry is not None
    assert entry.values["paths"] == PATHS
    assert "paths" not in json.loads((kept / "_koog/koog-config.json").read_text())


def test_a_second_init_knows_that_it_is_there_and_changes_nothing(koog, kept):
    before, config = hashes(kept), operator.path().read_text()

    for argv in (["."], [".", "--into", "_koog"], [".", "--into", "_koog/"], ["_koog"], [str(kept)]):
        _, line = koog(*NOW, "init", *argv)
        assert (line["workspace"], line["created"]) == (str(kept / "_koog"), [])

    assert hashes(kept) == before
    assert operator.path().read_text() == config


def test_notes_of_a_new_folder_are_named_and_what_a_person_set_stays(koog, kept):
    operator.remember(kept / "_koog", "paths.notes", {"person": ["People/**"]})

    _, line = koog(*NOW, "init", ".", "--into", "_koog")

    said, _, told = line["next"][0].partition(" with ")
    assert said.startswith("the workspace's entry in ")
    assert json.loads(told.removesuffix(" in it"))["paths"]["notes"]["project"] == ["Projects/**"]
    entry = operator.entry(kept / "_koog")
    assert entry is not None
    assert entry.values["paths"]["notes"] == {"person": ["People/**"]}


def test_a_dry_run_makes_nothing(koog, vault):
    names = top(vault)

    _, line = koog("--dry-run", "init", ".", "--into", "_koog")

    assert top(vault) == names
    assert line["notes"]["files"] == 7
    assert not operator.path().exists()


def test_a_folder_in_a_folder_is_as_good(koog, vault):
    _, line = koog(*NOW, "init", ".", "--into", "Meta/My koog")

    assert line["workspace"] == str(vault / "Meta/My koog")
    entry = operator.entry(vault / "Meta/My koog")
    assert entry is not None
    assert entry.values["paths"]["notesRoot"] == "../.."
    assert hits(koog, "metres of rope") == ["Inbox.md"]
    assert [p for p in hits(koog, "heartbeat tick log receipt") if p.startswith("Meta")] == []


def test_a_vault_that_was_moved_is_taken_up_again_with_its_notes(koog, vault, alone, monkeypatch):
    (alone / "config/koog").mkdir(parents=True)
    (alone / "config/koog/config.json").write_text('{"approval": "relayed"}')
    _, first = koog(*NOW, "init", ".", "--into", "_koog")
    moved, names = vault.with_name("moved"), top(vault)
    vault.rename(moved)
    monkeypatch.chdir(moved)

    _, line = koog(*NOW, "init", ".", "--adopt")

    assert (line["id"], line["workspace"], line["notesRoot"]) == (first["id"], str(moved / "_koog"), str(moved))
    assert top(moved) == names
    assert hits(koog, "metres of rope") == ["Inbox.md"]


@pytest.mark.parametrize(
    ("renamed", "argv"),
    [
        ("", []),
        ("", ["--into", "other"]),
        ("_koog", []),
        ("_koog", ["--into", "_koog"]),
        ("Meta/koog", []),
        ("Meta/koog", ["--into", "_koog"]),
    ],
)
def test_no_second_workspace_is_made_beside_one_that_the_operator_s_file_has_lost(koog, kept, renamed, argv):
    if renamed:
        (kept / renamed).parent.mkdir(exist_ok=True)
        (kept / "_koog").rename(kept / renamed if renamed != "_koog" else kept / "koogs")
    else:
        operator.path().unlink()
    names = top(kept)

    code, line = koog("init", ".", *argv)

    is_at = {"": "_koog", "_koog": "koogs"}.get(renamed, renamed)
    assert (code, line["error"]["message"]) == (5, f"koog's files are in {is_at} there, it seems")
    assert f"--into {is_at}" in line["error"]["hint"]
    assert top(kept) == names


def test_where_the_operator_s_file_was_lost_the_same_words_take_the_workspace_up_again(koog, kept):
    koog(*NOW, "--engine", "builtin", "tick", "--idle")
    operator.path().unlink()
    before = hashes(kept)

    _, line = koog(*NOW, "init", ".", "--into", "_koog")

    assert (line["workspace"], line["created"]) == (str(kept / "_koog"), [])
    assert hashes(kept) == before
    entry = operator.entry(kept / "_koog")
    assert entry is not None
    assert entry.values["paths"] == PATHS
    assert hits(koog, "metres of rope") == ["Inbox.md"]


def test_a_workspace_of_its_own_below_a_folder_is_nothing_that_was_lost(koog, vault):
    koog("init", "Projects/agent")

    code, line = koog("init", ".", "--into", "_koog")

    assert (code, line["workspace"]) == (0, str(vault / "_koog"))
    assert {"path": "Projects/agent", "why": "another repository"} in line["notes"]["left"]


@pytest.mark.parametrize("half", [{"journal": PATHS["journal"]}, {key: PATHS[key] for key in ("journal", "notes")}])
def test_what_a_killed_init_left_half_done_is_finished(koog, vault, half):
    (vault / "_koog").mkdir()
    operator.register(vault / "_koog")
    for key, value in half.items():
        operator.remember(vault / "_koog", f"paths.{key}", value)

    koog(*NOW, "init", ".", "--into", "_koog")

    entry = operator.entry(vault / "_koog")
    assert entry is not None
    assert entry.values["paths"] == PATHS
    assert hits(koog, "the boiler has to be bled") == ["Daily/2026-02-28.md"]


@pytest.mark.parametrize("argv", [[], ["--into", "_koog"]])
def test_an_init_that_was_killed_before_it_wrote_a_file_is_finished_by_either_call(koog, vault, argv):
    (vault / "_koog").mkdir()
    operator.register(vault / "_koog")
    operator.remember_all(vault / "_koog", {f"paths.{key}": value for key, value in PATHS.items()})

    _, line = koog(*NOW, "init", ".", *argv)

    assert line["workspace"] == str(vault / "_koog")
    assert not (vault / "koog-config.json").exists()
    assert hits(koog, "metres of rope") == ["Inbox.md"]


def test_of_two_at_once_under_two_names_one_makes_its_folder(vault):
    names = ("_koog", "other")
    command = [sys.executable, "-m", "koog", "init", ".", "--into"]
    with host.locked("init.lock"):
        both = [subprocess.Popen([*command, name], cwd=vault, stdout=subprocess.PIPE) for name in names]
        while not all((vault / name).is_dir() for name in names):
            time.sleep(0.01)
    lines = [json.loads(each.communicate()[0]) for each in both]

    assert sorted(line["ok"] for line in lines) == [False, True]
    assert [name for name in names if is_workspace(vault / name)] == [
        Path(line["workspace"]).name for line in lines if line["ok"]
    ]


def test_what_an_agent_wrote_into_its_config_does_not_get_into_the_operator_s(koog, kept):
    (kept / "_koog/koog-config.json").write_text(json.dumps({"paths": {"notes": {"person": ["Projects/**"]}}}))
    operator.path().unlink()

    koog(*NOW, "init", ".", "--into", "_koog")

    entry = operator.entry(kept / "_koog")
    assert entry is not None
    assert entry.values["paths"] == PATHS


def test_the_folder_of_the_notes_is_one_workspace_s_and_not_said_of_all(koog, vault, tmp_path):
    koog("init", str(tmp_path / "agent"))
    (tmp_path / "beside.md").write_text("The zither is stolen\n")
    given = json.loads(operator.path().read_text())
    operator.path().write_text(json.dumps({**given, "paths": {"notesRoot": "..", "notes": {"reference": ["*.md"]}}}))

    _, line = koog(*NOW, "--workspace", str(tmp_path / "agent"), "search", "zither")

    assert line["hits"] == []
    assert [w for w in line["_meta"]["warnings"] if "paths.notesRoot ignored: it holds for one workspace" in w]


# --- what is refused


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/../b", "/tmp/koog", ".hidden", "a/.git", "~/x", " a", "a\nb"]
)
def test_a_name_that_is_no_folder_in_the_vault_is_refused(koog, vault, name):
    before = top(vault)

    code, line = koog("init", ".", "--into", name)

    assert (code, line["error"]["code"]) == (2, "usage")
    assert top(vault) == before


def test_a_file_a_link_and_somebody_s_folder_are_no_place_for_it(koog, vault, tmp_path):
    (tmp_path / "away").mkdir()
    (vault / "link").symlink_to(tmp_path / "away")
    before = hashes(vault)

    codes = {name: koog("init", ".", "--into", name)[1]["error"]["code"] for name in ("Inbox.md", "link", "Daily")}
    inner = {name: koog("init", ".", "--into", f"{name}/x")[1]["error"]["code"] for name in ("Inbox.md", "link")}

    assert codes == {"Inbox.md": "usage", "link": "refused", "Daily": "refused"}
    assert inner == {"Inbox.md": "usage", "link": "refused"}
    assert hashes(vault) == before
    assert list((tmp_path / "away").iterdir()) == []


def test_a_plain_workspace_stays_one(koog, vault):
    koog("init", ".")
    before = hashes(vault)

    code, line = koog("init", ".", "--into", "_koog")

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "vault is a workspace itself" in line["error"]["message"]
    assert hashes(vault) == before


def test_another_folder_in_the_same_vault_is_refused(koog, kept):
    code, line = koog("init", ".", "--into", "other")

    assert (code, line["error"]["message"]) == (5, "koog's files are in _koog there")
    assert not (kept / "other").exists()


def test_a_home_is_no_vault(koog, alone):
    code, line = koog("init", str(alone), "--into", "_koog")

    assert (code, line["error"]["code"]) == (5, "refused")


# --- what is read


def test_each_kind_of_note_is_found_and_cited_as_it_lies_in_the_vault(koog, kept):
    assert hits(koog, "who is allergic to walnuts") == ["People/Jonas Weber.md"]
    assert hits(koog, "quote of Zimmerei Kolb") == ["Projects/Roof.md"]
    assert hits(koog, "Zug nach Köln an Sonntagen") == ["Ärger mit Zügen/Köln Hbf.md"]
    assert hits(koog, "at how many degrees is the kiln fired") == ["archive/kiln.md"]
    assert hits(koog, "metres of rope") == ["Inbox.md"]
    assert hits(koog, "remembering zeppelins") == []
    (kept / "_koog/memory/2026-02-28.md").write_text("- The zeppelin is moored at pier nine\n")
    assert hits(koog, "where is the zeppelin moored") == ["memory/2026-02-28.md"]


def test_a_file_of_koogs_and_a_note_of_one_name_are_not_confused(koog, kept):
    (kept / "_koog/Inbox.md").write_text("Planted beside the rope\n")
    (kept / "_koog/People").mkdir()
    (kept / "_koog/People/Jonas Weber.md").write_text("Jonas is allergic to nothing.\n")

    _, line = koog(*NOW, "search", "rope")

    assert [hit["text"] for hit in line["hits"] if hit["path"] == "Inbox.md"] == ["Buy forty metres of rope"]
    _, line = koog(*NOW, "search", "Jonas allergic")
    texts = [hit["text"] for hit in line["hits"] if hit["path"] == "People/Jonas Weber.md"]
    assert len(texts) == 1 and "walnuts" in texts[0]


def test_a_note_that_has_changed_or_gone_is_found_as_it_is(koog, kept):
    assert hits(koog, "metres of rope") == ["Inbox.md"]
    (kept / "Inbox.md").write_text("Return the borrowed theodolite\n")
    (kept / "Projects/Roof.md").unlink()

    assert hits(koog, "borrowed theodolite") == ["Inbox.md"]
    assert hits(koog, "quote of Zimmerei Kolb") == []


def test_the_journal_is_mined_told_at_the_start_and_compiled(koog, kept):
    before = hashes(kept)

    _, mined = koog(*NOW, "--engine", "builtin", "mine")
    _, loaded = koog(*NOW, "startup")
    _, compiled = koog(*NOW, "compile", "--message", "what about the boiler?")

    assert {each["file"] for each in mined["evidence"]} == {"Daily/2026-02-27.md", "Daily/2026-02-28.md"}
    assert [part["path"] for part in loaded["parts"]] == ["Daily/2026-02-28.md", "Daily/2026-02-27.md"]
    assert "<!-- journal Daily/2026-02-28.md:" in compiled["text"]
    after = hashes(kept)
    assert {n: d for n, d in after.items() if not n.startswith("_koog/")} == {
        n: d for n, d in before.items() if not n.startswith("_koog/")
    }


def test_a_journal_in_an_archive_folder_is_one(koog, vault):
    (vault / "Daily/2026-02-27.md").rename(vault / "archive/2026-02-27.md")
    (vault / "archive/kiln.md").unlink()

    _, line = koog(*NOW, "init", ".", "--into", "_koog")
    _, loaded = koog(*NOW, "startup")
    _, mined = koog(*NOW, "--engine", "builtin", "mine")

    assert "archive/YYYY-MM-DD.md" in line["notes"]["journal"]
    assert "archive/2026-02-27.md" in [part["path"] for part in loaded["parts"]]
    assert "archive/2026-02-27.md" in {each["file"] for each in mined["evidence"]}


@pytest.mark.parametrize("mark", [".git/HEAD", ".git", ".koog/lock", "koog-config.json"])
def test_a_journal_of_another_repository_or_workspace_is_read_by_nobody_unless_a_pattern_names_it(koog, vault, mark):
    (vault / "Work/log").mkdir(parents=True)
    (vault / "Work/log/2026-02-28.md").write_text("- The zeppelin is moored at pier nine\n")
    (vault / "Work" / mark).parent.mkdir(exist_ok=True)
    (vault / "Work" / mark).write_text("{}")
    operator.register(vault / "Work")
    found = []

    _, line = koog(*NOW, "init", ".", "--into", "_koog")
    for pattern in ("*/log/YYYY-MM-DD.md", "Work/log/YYYY-MM-DD.md"):
        operator.remember(vault / "_koog", "paths.journal", [pattern])
        _, loaded = koog(*NOW, "startup")
        found.append(("zeppelin" in loaded["text"], bool(hits(koog, "zeppelin moored"))))

    assert "Work" in [each["path"] for each in line["notes"]["left"]]
    assert found == [(False, False), (".git" in mark, ".git" in mark)]


def test_doctor_is_content_and_names_what_no_pattern_covers(koog, kept):
    koog(*NOW, "--engine", "builtin", "tick", "--idle")
    _, line = koog(*NOW, "doctor")
    assert line["healthy"] is True
    assert [f for f in line["findings"] if f["level"] != "info" or f["check"] == "notes"] == []

    (kept / "Recipes").mkdir()
    (kept / "Recipes/bread.md").write_text("# Bread\n")
    (kept / "People/Broken.md").write_bytes(b"\xff\xfe not text\n")
    _, line = koog(*NOW, "doctor")
    _, index = koog(*NOW, "index")

    told = [f for f in line["findings"] if f["check"] == "notes"]
    assert [f["message"] for f in told] == [
        "1 Markdown files below Recipes/ are no memory: paths.notes names no pattern for them"
    ]
    assert str(operator.path()) in told[0]["command"]
    assert {"path": "Recipes/", "why": "paths.notes names no pattern for 1 of its files"} in index["skipped"]


# --- where it is called


@pytest.mark.parametrize("where", [".", "Projects", "_koog", "_koog/memory", ".obsidian"])
def test_a_process_finds_the_workspace_from_any_folder_of_the_vault(kept, where):
    done = process(*NOW, "search", "quote of Zimmerei Kolb", cwd=kept / where)

    assert [hit["path"] for hit in json.loads(done.stdout)["hits"]][:1] == ["Projects/Roof.md"]


@pytest.mark.parametrize("folder", ["vault", "vault/_koog"])
def test_the_workspace_is_named_by_either_folder(koog, kept, tmp_path, monkeypatch, folder):
    monkeypatch.chdir(tmp_path)
    named = str(tmp_path / folder)

    _, by_option = koog("--workspace", named, "status")
    monkeypatch.setenv("KOOG_WORKSPACE", named)
    _, by_variable = koog("status")

    assert {by_option["workspace"], by_variable["workspace"]} == {str(kept / "_koog")}


def test_without_the_operator_s_file_the_vault_is_no_workspace(koog, kept):
    operator.path().unlink()

    code, line = koog("search", "rope")

    assert (code, line["error"]["code"]) == (4, "not_found")
    assert hits(koog, "metres of rope", "--workspace", "_koog") == []


def test_a_folder_of_the_vault_is_not_searched_past_its_workspace(koog, kept):
    code, line = koog("search", "--in", "Projects", "roof")

    assert (code, line["error"]["code"]) == (5, "refused")


def test_a_session_in_the_vault_is_the_workspaces_own(kept):
    event = {"session_id": "s1", "cwd": str(kept / "Projects"), "hook_event_name": "SessionStart", "source": "startup"}
    argv = ("--workspace", str(kept / "_koog"), *NOW, "hook", "session-start", "--host", "claude")
    done = process(*argv, cwd=kept, stdin=json.dumps(event))

    assert "the boiler has to be bled" in done.stdout


# --- what it may read and write


@pytest.mark.parametrize(
    "paths",
    [
        {"notesRoot": "../.."},
        {"notesRoot": None},
        {"notes": {"reference": ["memory/**", "Private/**"]}},
        {"journal": ["Private/YYYY-MM-DD.md"]},
    ],
)
def test_the_workspace_s_config_widens_nothing(koog, kept, paths):
    operator.remember(kept / "_koog", "paths.notes", {"person": ["People/**"]})
    (kept / "Private").mkdir()
    (kept / "Private/2026-02-28.md").write_text("The safe opens with a zither\n")
    (kept.parent / "outside.md").write_text("The zither is stolen\n")
    (kept / "_koog/koog-config.json").write_text(json.dumps({"paths": paths}))

    _, line = koog(*NOW, "search", "zither")
    _, loaded = koog(*NOW, "startup")

    assert line["hits"] == []
    assert "zither" not in loaded["text"]
    assert [w for w in line["_meta"]["warnings"] if "ignored: only the operator's config" in w]


def test_a_variable_says_nothing_about_the_folder_of_the_notes(koog, vault, tmp_path, monkeypatch):
    koog("init", str(tmp_path / "agent"))
    monkeypatch.setenv("KOOG_PATHS_NOTES_ROOT", "..")

    _, line = koog("--workspace", str(tmp_path / "agent"), "search", "rope")

    assert line["hits"] == []


def test_links_lead_neither_out_of_the_vault_nor_into_koogs_folder(koog, kept, tmp_path):
    (tmp_path / "secret.md").write_text("The zither is stolen\n")
    (kept / "_koog/memory/2026-02-28.md").write_text("- The zither is tuned\n")
    (kept / "Projects/out.md").symlink_to(tmp_path / "secret.md")
    (kept / "Projects/in.md").symlink_to(kept / "_koog/memory/2026-02-28.md")
    (kept / "Projects/all").symlink_to(kept / "_koog")
    (kept / "_koog/memory/up.md").symlink_to("../../Inbox.md")
    (kept / "Projects/same.md").symlink_to("../Inbox.md")

    _, line = koog(*NOW, "index")

    assert hits(koog, "zither") == ["memory/2026-02-28.md"]
    assert hits(koog, "metres of rope") == ["Inbox.md"]
    told = {each["path"]: each["why"] for each in line["skipped"]}
    assert told["Projects/out.md"] == told["memory/up.md"] == "a link that leads outside"
    assert told["Projects/in.md"] == told["Projects/all"] == "a link to what is hidden"


def test_koog_writes_into_no_note_whatever_it_is_asked(koog, kept):
    code, line = koog(*NOW, "startup", "--out", "Inbox.md")

    assert (code, line["error"]["code"]) in [(8, "workspace"), (5, "refused")]
    assert (kept / "Inbox.md").read_text() == VAULT["Inbox.md"]
    assert not (kept / "_koog/Inbox.md").exists()


# --- git


def test_in_a_repository_of_the_person_s_only_koogs_files_are_committed_there(koog, vault):
    git(vault, "init", "-q", "-b", "main")
    git(vault, "add", "Projects")
    git(vault, "commit", "-qm", "mine")
    (vault / "Projects/Roof.md").write_text("# Roof\n\nDone.\n")
    git(vault, "add", "Inbox.md")

    _, line = koog(*NOW, "init", ".", "--into", "_koog")
    koog(*NOW, "--engine", "builtin", "tick", "--idle")
    koog(*NOW, "backup", "--no-push")

    assert (line["repository"], line["backup"]) == ("existing", "own")
    assert not (vault / "_koog/.git").exists()
    assert {name.partition("/")[0] for name in git(vault, "ls-tree", "-r", "--name-only", "HEAD").splitlines()} == {
        "Projects",
        "_koog",
    }
    assert "the quote" in git(vault, "show", "HEAD:Projects/Roof.md")
    assert git(vault, "diff", "--cached", "--name-only") == "Inbox.md"
    assert ".gitignore" not in git(vault, "log", "--name-only", "--format=", "--", ".gitignore")


def test_where_the_person_s_repository_ignores_the_folder_it_has_one_of_its_own(koog, vault):
    git(vault, "init", "-q", "-b", "main")
    (vault / ".gitignore").write_text("_koog/\n")

    _, line = koog(*NOW, "init", ".", "--into", "_koog")

    assert line["repository"] == "created"
    assert (vault / "_koog/.git/HEAD").is_file()
    assert git(vault, "status", "--porcelain", "--", "_koog") == ""


def test_hooks_and_timers_name_the_workspace_s_folder(kept, tmp_path, alone, monkeypatch):
    (alone / "bin").mkdir()
    put(alone / "bin/crontab", CRONTAB)
    put(alone / "bin/systemctl", SYSTEMCTL)
    monkeypatch.setenv("PATH", f"{alone / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))

    hooked = process("init", ".", "--host", "claude", cwd=kept)
    scheduled = process("cron", "install", "--systemd", cwd=kept / "Projects")

    assert (hooked.returncode, scheduled.returncode) == (0, 0), scheduled.stdout
    assert f"{kept}/_koog" in (tmp_path / "claude/settings.json").read_text()
    units = [unit.read_text() for unit in (alone / "config/systemd/user").glob("koog-*.service")]
    assert units and all(f"WorkingDirectory={kept}/_koog\n" in unit for unit in units)
