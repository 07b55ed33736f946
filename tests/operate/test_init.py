"""koog init: a workspace, and nothing that exists is touched."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from koog.core import operator
from koog.core.git.repository import Git
from tests.conftest import ROOT, git

CORPUS = ROOT.parent / "shared/corpus/openclaw"


def hashes(folder: Path) -> dict[str, str]:
    files = [p for p in folder.rglob("*") if p.is_file() and not {".git", ".koog"} & set(p.relative_to(folder).parts)]
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def test_a_new_folder_becomes_a_whole_workspace_with_one_commit(koog, tmp_path):
    code, line = koog("init", str(tmp_path / "new/agent"))

    root = tmp_path / "new/agent"
    assert code == 0
    assert line["repository"] == "created"
    for name in ("HEARTBEAT.md", "SKILL.md", "koog-config.json", ".gitignore", "modules/module-registry.json"):
        assert (root / name).is_file()
    assert (root / "memory/playbook-logs").is_dir()
    assert git(root, "rev-list", "--count", "HEAD") == "1"
    assert git(root, "status", "--short") == ""
    assert "Actor: system:init" in git(root, "log", "-1", "--format=%B")


def test_the_second_time_nothing_is_created_or_changed(koog, tmp_path):
    koog("init", str(tmp_path / "agent"))
    before = hashes(tmp_path / "agent")

    code, line = koog("init", str(tmp_path / "agent"))

    assert (code, line["created"]) == (0, [])
    assert hashes(tmp_path / "agent") == before
    assert git(tmp_path / "agent", "rev-list", "--count", "HEAD") == "1"


def test_the_folder_is_the_workspace_that_is_named_where_no_other_is(koog, tmp_path):
    code, line = koog("--workspace", str(tmp_path / "agent"), "init")

    assert (code, line["workspace"]) == (0, str(tmp_path / "agent"))


def test_where_a_heartbeat_stands_koogs_goes_beside_it_and_the_reply_says_how_to_take_it_in(koog, tmp_path):
    root = tmp_path / "agent"
    root.mkdir()
    (root / "HEARTBEAT.md").write_text("# mine\n")

    _, line = koog("init", str(root))

    assert (root / "HEARTBEAT.md").read_text() == "# mine\n"
    assert "koog" in (root / "HEARTBEAT.koog.md").read_text()
    assert any("cat HEARTBEAT.koog.md >> HEARTBEAT.md" in step for step in line["next"])


def test_a_persons_uncommitted_and_staged_files_stay_as_they_are(koog, tmp_path):
    root = tmp_path / "agent"
    root.mkdir()
    git(root, "init", "-q")
    (root / "staged.md").write_text("a\n")
    git(root, "add", "staged.md")
    (root / "loose.md").write_text("b\n")

    _, line = koog("init", str(root))

    assert line["repository"] == "existing"
    assert git(root, "status", "--short") == "A  staged.md\n?? loose.md"


def test_a_repository_that_ignores_the_folder_is_not_used(koog, tmp_path):
    outer = tmp_path / "outer"
    outer.mkdir()
    git(outer, "init", "-q")
    (outer / ".gitignore").write_text("agent/\n")

    _, line = koog("init", str(outer / "agent"))

    assert line["repository"] == "created"
    assert git(outer / "agent", "rev-list", "--count", "HEAD") == "1"


def test_dry_run_makes_no_folder(koog, tmp_path):
    code, line = koog("--dry-run", "init", str(tmp_path / "agent"))

    assert code == 0
    assert "HEARTBEAT.md" in line["created"]
    assert not (tmp_path / "agent").exists()


def test_a_file_in_the_folders_place_is_a_usage_error(koog, tmp_path):
    (tmp_path / "agent").write_text("")

    code, _ = koog("init", str(tmp_path / "agent"))

    assert code == 2


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the OpenClaw sample workspaces are not beside this checkout")
@pytest.mark.parametrize("store", ["file-store-2026.7.1", "sqlite-store-2026.9.6"])
def test_on_a_real_openclaw_workspace_nothing_changes_and_the_tick_runs(koog, tmp_path, store):
    root = tmp_path / "openclaw"
    shutil.copytree(CORPUS / store / "workspace", root, copy_function=shutil.copyfile)
    for folder in [root, *(p for p in root.rglob("*") if p.is_dir())]:
        folder.chmod(0o755)
    before = hashes(root)

    koog("init", str(root))
    after_init = hashes(root)
    code, line = koog("--workspace", str(root), "tick", "--idle", "--now", "2026-11-21T22:00:00Z")

    assert before.items() <= after_init.items()
    assert (code, line["degraded"]) == (0, [])
    assert line["heartbeat"] == "HEARTBEAT_OK"
    assert before.items() <= hashes(root).items()


# --- a folder that is none, and one that was moved


@pytest.mark.parametrize("folder", ["~", "~/..", "/", "/etc", "/usr/local/x", "/tmp", "~/config/koog", "~/state"])
def test_a_folder_of_the_persons_or_the_systems_is_refused(koog, folder):
    code, line = koog("--dry-run", "init", str(Path(folder).expanduser()))

    assert (code, line["error"]["code"]) == (5, "refused")


def test_the_first_init_registers_the_workspace_outside_of_it(koog, tmp_path, alone):
    _, line = koog("init", str(tmp_path / "agent"))

    config = json.loads((alone / "config/koog/config.json").read_text())
    entry = {"path": str(tmp_path / "agent"), "git": {"backup": "all"}}
    assert config == {"workspaces": {line["id"]: entry}}
    assert line["stateRoot"] == str(alone / "state/koog" / line["id"])
    assert (line["backup"], stat.S_IMODE(Path(line["stateRoot"]).stat().st_mode)) == ("all", 0o700)
    assert not [p for p in hashes(tmp_path / "agent") if line["id"] in (tmp_path / "agent" / p).read_text()]


def test_what_a_person_wrote_into_the_operators_file_stays(koog, tmp_path, alone):
    file = alone / "config/koog/config.json"
    file.parent.mkdir(parents=True)
    file.write_text('{\n    "engine":   "builtin"\n}\n')

    koog("init", str(tmp_path / "agent"))

    assert file.read_text().startswith('{\n    "engine":   "builtin",\n')
    assert json.loads(file.read_text())["workspaces"]


@pytest.mark.parametrize(("host", "backup"), [(None, "own"), ("openclaw", "all")])
def test_a_repository_that_stood_is_backed_up_whole_only_where_it_is_the_hosts(koog, tmp_path, host, backup):
    root = tmp_path / "agent"
    root.mkdir()
    git(root, "init", "-q")

    _, line = koog("init", str(root), *(["--host", host] if host else []))

    assert (line["repository"], line["backup"]) == ("existing", backup)


@pytest.fixture
def moved(koog, tmp_path, alone):
    """A workspace that was moved after its first init, on a machine whose operator lets the agent's call count."""
    (alone / "config/koog").mkdir(parents=True)
    (alone / "config/koog/config.json").write_text('{"approval": "relayed"}')
    _, line = koog("init", str(tmp_path / "agent"))
    (tmp_path / "agent").rename(tmp_path / "moved")
    return tmp_path / "moved", line["id"]


def test_a_moved_workspace_keeps_its_id_once_it_is_adopted(koog, moved):
    root, id_ = moved

    code, line = koog("init", str(root), "--adopt")

    assert (code, line["id"]) == (0, id_)
    assert koog("--workspace", str(root), "status")[1]["healthy"]


def test_who_begins_anew_in_the_folder_of_a_workspace_that_is_gone_is_told_how(koog, tmp_path, alone):
    (alone / "config/koog").mkdir(parents=True)
    (alone / "config/koog/config.json").write_text('{"approval": "relayed"}')
    root = tmp_path / "agent"
    koog("init", str(root))
    shutil.rmtree(root)

    steps = koog("init", str(root))[1]["next"]
    for step in steps[:-1]:
        place = [] if step.startswith("koog init") else ["--workspace", str(root)]
        assert koog(*place, *step.split()[1:])[0] == 0, step

    assert steps[-2:] == ["koog audit ack log", "koog tick"]
    assert steps[:-2] in ([], [f"koog init --adopt {root}"])  # a file system may give the new one the number of the old
    _, line = koog("--workspace", str(root), "remember", "Lena likes plums")
    assert line["_meta"]["commit"] and not line["_meta"].get("warnings")


def test_after_a_move_it_is_said_which_hosts_name_the_old_folder(koog, tmp_path, alone):
    (alone / "config/koog").mkdir(parents=True)
    (alone / "config/koog/config.json").write_text('{"approval": "relayed"}')
    old, new = tmp_path / "agent", tmp_path / "moved"
    for host in ("claude", "codex"):
        koog("init", str(old), "--host", host)
    operator.remember(old, "observe.sources", ["claude"])  # as an older koog has left it
    old.rename(new)

    told = koog("init", str(new), "--adopt")[1]["next"]

    steps = [step for step in told if f"name the old folder {old}" in step]
    assert [step.rpartition(", then ")[2] for step in steps] == [
        f"koog init {new} --host claude", f"koog init {new} --host codex --project DIR"
    ]  # fmt: skip
    assert told[-1] == "koog tick"
    assert not [step for step in koog("init", str(new), "--adopt")[1]["next"] if "old folder" in step]


def test_adopting_takes_a_persons_word(koog, moved, alone):
    config = alone / "config/koog/config.json"
    config.write_text(config.read_text().replace('"relayed"', '"person"'))

    code, line = koog("init", str(moved[0]), "--adopt")

    assert (code, line["error"]["code"]) == (5, "refused")


def test_a_folder_that_nobody_knows_is_not_adopted(koog, moved, tmp_path):
    (tmp_path / "strange").mkdir()

    code, line = koog("init", str(tmp_path / "strange"), "--adopt")

    assert (code, line["error"]["code"]) == (4, "not_found")


def test_to_adopt_a_repository_approves_no_new_push_address(koog, moved, tmp_path):
    root, id_ = moved
    state = tmp_path / "home/state/koog" / id_ / "repository.json"
    before = json.loads(state.read_text())["pushUrl"]
    git(root, "init", "-q", "--bare", str(tmp_path / "other.git"))
    git(root, "remote", "add", "origin", str(tmp_path / "other.git"))
    git(root, "push", "-qu", "origin", "main")

    assert koog("init", str(root), "--adopt")[0] == 0

    assert json.loads(state.read_text())["pushUrl"] == before


def test_two_inits_at_once_give_one_id(tmp_path, alone):
    folder = tmp_path / "agent"
    folder.mkdir()
    command = [sys.executable, "-m", "koog", "init", str(folder)]

    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for _ in range(2)]
    ids = {json.loads(p.communicate(timeout=60)[0]).get("id") for p in both}

    assert len(ids) == 1
    assert list(json.loads((alone / "config/koog/config.json").read_text())["workspaces"]) == list(ids)


def test_where_no_state_can_be_kept_init_goes_on_and_says_so(koog, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))

    code, line = koog("init", str(tmp_path / "agent"))

    assert (code, line["id"], line["stateRoot"]) == (0, None, None)
    assert "no state of this workspace is kept" in line["_meta"]["warnings"][0]
    assert (tmp_path / "agent/HEARTBEAT.md").exists()


def test_a_moved_workspace_gets_no_second_id_before_a_person_has_said_what_it_is(koog, moved):
    root, id_ = moved

    code, line = koog("init", str(root))

    assert (code, line["id"]) == (0, None)
    assert f"looks like the workspace {id_}" in (told := " ".join(line["_meta"]["warnings"]))
    assert f"koog init --adopt {root}" in told
    assert koog("--workspace", str(root), "cron", "install")[1]["error"]["code"] == "refused"
    assert koog("init", str(root), "--adopt")[1]["id"] == id_


@pytest.mark.parametrize("name", ["XDG_STATE_HOME", "XDG_CONFIG_HOME"])
def test_no_state_is_kept_where_the_workspaces_agent_could_write_it(koog, tmp_path, monkeypatch, name):
    monkeypatch.setenv(name, str(tmp_path / "data/inside"))

    code, line = koog("init", str(tmp_path / "data"))

    assert (code, line["id"], line["stateRoot"]) == (0, None, None)
    assert f"{name} lies in the workspace" in " ".join(line["_meta"]["warnings"])
    assert not [name for name in (tmp_path / "data").glob("inside/koog/*") if name.is_dir()]


def test_without_a_home_there_is_a_workspace_and_no_state(koog, tmp_path, monkeypatch):
    def nobodys() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_STATE_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(Path, "home", nobodys)

    code, line = koog("init", str(tmp_path / "agent"))

    assert (code, line["id"]) == (0, None)
    assert "nobody has a home here" in " ".join(line["_meta"]["warnings"])


def test_an_init_that_was_killed_when_the_repository_was_made_is_gone_on_with(koog, tmp_path, monkeypatch):
    made = Git.init

    def killed(folder: Path) -> None:
        made(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(Git, "init", killed)
    assert koog("init", str(tmp_path / "agent"))[0] == 130

    assert koog("init", str(tmp_path / "agent"))[1]["backup"] == "all"


@pytest.mark.parametrize("lost", [True, False])
def test_an_init_after_the_state_was_lost_approves_no_push_address(koog, tmp_path, lost):
    root, bare = tmp_path / "agent", tmp_path / "remote.git"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", str(bare))
    git(tmp_path, "clone", "-q", str(bare), str(root))
    _, line = koog("init", str(root))
    if lost:
        shutil.rmtree(line["stateRoot"])
        koog("init", str(root))

    assert json.loads((Path(line["stateRoot"]) / "repository.json").read_text())["pushUrl"] == (
        None if lost else str(bare)
    )


def test_only_the_base_module_is_put_in_and_others_by_name(koog, tmp_path):
    koog("init", str(tmp_path / "a"))
    _, line = koog("init", str(tmp_path / "b"), "--module", "react-native-dev")

    assert sorted(p.name for p in (tmp_path / "a/modules").iterdir()) == ["base-behaviors", "module-registry.json"]
    assert list(json.loads((tmp_path / "a/modules/module-registry.json").read_text())["modules"]) == ["base-behaviors"]
    assert "modules/react-native-dev/patterns.md" in line["created"]
    rows = koog("--workspace", str(tmp_path / "b"), "module", "list")[1]["modules"]
    assert [(row["id"], row["status"]) for row in rows] == [
        ("base-behaviors", "active"),
        ("react-native-dev", "suspended"),
    ]


def test_a_module_is_added_to_a_workspace_that_stands(koog, tmp_path):
    koog("init", str(tmp_path / "a"))

    _, line = koog("init", str(tmp_path / "a"), "--module", "react-native-dev")
    _, active = koog("--workspace", str(tmp_path / "a"), "module", "activate", "react-native-dev")

    assert line["created"] == ["modules/react-native-dev/manifest.json", "modules/react-native-dev/patterns.md"]
    assert [row["id"] for row in active["stack"]] == ["react-native-dev", "base-behaviors"]


def test_a_module_that_koog_has_not_is_a_wrong_call(koog, tmp_path):
    code, line = koog("init", str(tmp_path / "a"), "--module", "vue")

    assert (code, line["error"]["hint"]) == (2, "koog has react-native-dev")
    assert not (tmp_path / "a").exists()
