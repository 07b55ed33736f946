"""koog doctor: what is broken is found, at its line, with the command that mends it; nothing breaks doctor itself."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from koog.core import schema
from koog.core.git.repository import Git
from koog.core.run import Run
from koog.heartbeat import log
from koog.operate import checks_files, checks_git, checks_machine, checks_texts, checks_tree, json_places
from koog.operate.finding import ERROR, INFO, WARN, Finding, few
from tests.conftest import examples, fits, git, process
from tests.logs import NOW, entry, logged, snapshot

Line = dict[str, Any]
NOBODY = 65534


@pytest.fixture
def whole(koog, tmp_path, tmp_path_factory, monkeypatch) -> Path:
    """A workspace as koog init makes it: nothing is wrong with it. Made once, then copied."""
    made, root = tmp_path_factory.getbasetemp() / "doctor/agent", tmp_path / "agent"
    if not made.exists():
        koog("init", str(made))
    shutil.copytree(made, root, symlinks=True)
    monkeypatch.chdir(root)
    return root


def found(line: Line, check: str) -> list[Line]:
    return [f for f in line["findings"] if f["check"] == check]


def one(line: Line, check: str, *words: str) -> Line:
    """Return the only finding of a check whose message holds these words."""
    hits = [f for f in found(line, check) if all(w in f["message"] for w in words)]
    assert len(hits) == 1, found(line, check)
    return hits[0]


def put(root: Path, path: str, text: str | bytes) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


# --- the whole


def test_a_new_workspace_is_healthy_and_every_check_ran(whole, koog):
    code, line = koog("doctor")

    assert code == 0
    assert line["healthy"] is True
    assert [f for f in line["findings"] if f["level"] != "info"] == []
    assert {"config", "key", "git", "permissions", "clock", "disk", "playbook", "logs", "hosts"} <= set(line["checked"])
    assert "endpoint" not in line["checked"]


def test_looking_changes_nothing(whole, koog):
    put(whole, "memory/sinain-playbook.md", "- other\n")
    before = snapshot(whole)

    koog("doctor")

    assert snapshot(whole) == before


def test_outside_any_workspace_the_machine_is_looked_at_all_the_same(tmp_path):
    done = process("doctor", cwd=tmp_path)

    line = json.loads(done.stdout)
    assert (done.returncode, line["healthy"]) == (0, False)
    assert one(line, "workspace")["command"] == "koog init DIR"
    assert line["checked"] == ["workspace", "config", "hosts"]


def test_a_workspace_that_is_no_folder_is_a_wrong_call(koog):
    code, line = koog("doctor", "--workspace", "no-such-folder")

    assert (code, line["error"]["code"]) == (2, "usage")


def test_a_memory_folder_outside_is_a_wrong_call(koog, tmp_path):
    code, line = koog("doctor", "--workspace", ".", "--memory-dir", str(tmp_path / "home"))

    assert (code, line["error"]["code"]) == (2, "usage")


def test_the_gravest_come_first_and_the_line_stays_short(whole, koog):
    for day in range(1, 29):
        put(whole, f"memory/2026-01-{day:02}.md", b"\xff\n\0\n<private>\n" + b"<<<<<<< a\n=======\n>>>>>>> b\n")

    _, line = koog("doctor")

    levels = [f["level"] for f in line["findings"]]
    assert levels == sorted(levels, key=["error", "warn", "info"].index)
    assert line["omitted"] > 0
    assert len(json.dumps(line)) < 10_000


def test_of_a_thousand_torn_lines_three_are_told_and_the_rest_counted():
    told = few(Finding("logs", WARN, f"line {n}", "x", n) for n in range(1000))

    assert [f.line for f in told] == [0, 1, 2, 3]
    assert told[-1].message == "and 997 more like this, the first: line 3"


def test_a_message_shows_no_secret_that_a_file_holds(whole, koog):
    secret = "sk-or-v1-" + "0123456789abcdef" * 4
    put(whole, "koog-config.json", json.dumps({"engine": secret}))

    done = process("doctor", cwd=whole)

    assert one(json.loads(done.stdout), "config")["line"] == 1
    assert secret not in done.stdout + done.stderr


# --- config and key


def test_malformed_config_is_a_finding_with_its_line_and_the_other_checks_run(whole, koog):
    put(whole, "koog-config.json", '{\n  "engine": "auto",\n  "timezone" "UTC"\n}\n')
    put(whole, "memory/meta/cursors.json", "[")

    code, line = koog("doctor")

    assert (code, line["healthy"]) == (0, False)
    told = one(line, "config", "malformed JSON")
    assert (told["file"], told["line"], told["level"]) == ("koog-config.json", 3, "error")
    assert told["command"] == "${EDITOR:-vi} +3 koog-config.json"
    assert one(line, "cursors")["file"] == "memory/meta/cursors.json"


def test_each_unknown_key_is_told_at_its_line_with_the_nearest_known_one(whole, koog):
    put(whole, "koog-config.json", '{"gitt": 1,\n "heartbeat": {\n  "idleMinute": 3,\n  "playbookLines": "x"}}')

    _, line = koog("doctor")

    told = [(f["line"], f["message"]) for f in found(line, "config")]
    assert told == [
        (1, "unknown key gitt: did you mean 'git'?"),
        (3, "unknown key heartbeat.idleMinute: did you mean 'idleMinutes'?"),
        (4, "heartbeat.playbookLines: 'x' is not of type 'integer'"),
    ]


def test_the_operators_file_is_looked_at_by_itself(whole, koog, alone):
    file = put(alone, "config/koog/config.json", '{"provider":\n {"baseURL": "http://x"}}')

    _, line = koog("doctor")

    told = one(line, "config")
    assert (told["file"], told["line"]) == (str(file), 2)
    assert "did you mean 'baseUrl'?" in told["message"]


def test_a_config_file_that_was_named_and_is_not_there_is_a_finding(whole, koog, tmp_path):
    code, line = koog("doctor", "--config", str(tmp_path / "none.json"))

    assert code == 0
    assert one(line, "config")["message"] == "no such file"


def test_a_key_that_only_the_operator_may_set_is_a_warning_at_its_line(whole, koog):
    put(whole, "koog-config.json", '{"engine": "builtin",\n"provider": {\n"baseUrl": "http://x"}}')

    _, line = koog("doctor")

    told = one(line, "config", "provider.baseUrl", "ignored")
    assert (told["level"], told["file"], told["line"]) == ("warn", "koog-config.json", 3)
    assert "warnings" not in line["_meta"]


def test_a_wrong_environment_variable_is_a_finding(whole, koog, monkeypatch):
    monkeypatch.setenv("KOOG_HEARTBEAT_IDLE_MINUTES", "soon")

    code, line = koog("doctor")

    assert code == 0
    assert "KOOG_HEARTBEAT_IDLE_MINUTES" in one(line, "config")["message"]


def test_an_unknown_zone_is_a_warning_at_its_line(whole, koog):
    put(whole, "koog-config.json", '{\n"timezone": "Mars/Olympus"}')

    code, line = koog("doctor")

    assert (code, one(line, "config", "Mars/Olympus")["line"]) == (0, 2)


@pytest.mark.parametrize(("engine", "level"), [("auto", "info"), ("llm", "error"), ("builtin", "info")])
def test_a_missing_key_matters_only_to_the_engine_that_needs_it(whole, koog, engine, level):
    _, line = koog("doctor", "--engine", engine)

    assert one(line, "key")["level"] == level


def test_a_key_in_the_environment_is_no_finding(whole, koog, monkeypatch):
    monkeypatch.setenv("OPENROUTER_API_KEY", "x")

    assert found(koog("doctor")[1], "key") == []


@pytest.mark.parametrize(
    ("make", "words", "command"),
    [
        (lambda p: None, "no such file", "install -m 600 /dev/null"),
        (lambda p: (p.write_text("k"), p.chmod(0o644)), "others may read", "chmod 600"),
        (lambda p: (p.write_text(" \n"), p.chmod(0o600)), "empty", "EDITOR"),
        (os.mkfifo, "not a regular file", "ls -l"),
    ],
)
def test_what_is_wrong_with_a_key_file_is_told(whole, koog, alone, make, words, command):
    file = alone / "key"
    make(file)
    put(alone, "config/koog/config.json", json.dumps({"provider": {"apiKeyFile": str(file)}}))

    told = one(koog("doctor")[1], "key", words)

    assert told["level"] == "error"
    assert told["command"].startswith(command) or command in told["command"]


def test_a_private_key_file_is_no_finding_unless_it_lies_in_the_workspace(whole, koog, alone):
    for folder, wanted in ((alone, []), (whole, ["warn"])):
        file = put(folder, "model-key", "k")
        file.chmod(0o600)
        put(alone, "config/koog/config.json", json.dumps({"provider": {"apiKeyFile": str(file)}}))

        _, line = koog("doctor")

        assert [f["level"] for f in found(line, "key")] == wanted


# --- the endpoint


def test_without_online_nothing_is_asked(whole, koog, llm):
    koog("doctor")

    assert llm.requests == []


def test_online_asks_one_cheap_question_and_notes_it_in_the_ledger(whole, koog, llm):
    llm.says("ok")

    _, line = koog("doctor", "--online")

    assert one(line, "endpoint")["level"] == "info"
    assert llm.requests[0]["body"]["max_tokens"] <= 512
    row = json.loads((whole / "memory/meta/usage.jsonl").read_text())
    assert (row["command"], row["ok"], row["promptTokens"]) == ("doctor", True, 10)


@pytest.mark.parametrize(("status", "code"), [(401, "config"), (402, "llm_unavailable"), (413, "llm_unusable")])
def test_what_the_endpoint_refuses_is_a_finding_with_its_code(whole, koog, llm, status, code):
    llm.fails(status, {"error": {"message": "no"}})

    exit_code, line = koog("doctor", "--online")

    told = one(line, "endpoint")
    assert (exit_code, line["healthy"], told["level"]) == (0, False, "error")
    assert f": {code}: " in told["message"]


def test_online_asks_nobody_when_the_built_in_engine_judges(whole, koog):
    _, line = koog("doctor", "--online")

    assert "not asked" in one(line, "endpoint")["message"]


def test_online_stays_within_the_budget(whole, koog, llm, monkeypatch):
    monkeypatch.setenv("KOOG_BUDGET_TOKENS_PER_DAY", "10")

    _, line = koog("doctor", "--online")

    assert ": refused: " in one(line, "endpoint")["message"]
    assert llm.requests == []


# --- git


def test_without_a_repository_the_remedy_is_git_init(workspace, koog):
    shutil.rmtree(workspace / ".git")

    told = one(koog("doctor")[1], "git")

    assert (told["level"], told["command"]) == ("warn", "git init")


def test_without_git_there_is_still_an_answer(whole, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")

    done = process("doctor", cwd=whole)

    assert done.returncode == 0
    assert "git is not installed" in one(json.loads(done.stdout), "git")["message"]


def test_a_detached_head_and_a_merge_are_told_with_the_way_out(whole, koog):
    git(whole, "checkout", "-q", "--detach")
    assert "git switch" in one(koog("doctor")[1], "git", "detached")["command"]

    (whole / ".git/MERGE_HEAD").write_text(git(whole, "rev-parse", "HEAD") + "\n")
    assert "git merge --abort" in one(koog("doctor")[1], "git", "merge")["command"]


def test_what_was_never_pushed_is_counted(whole, koog, tmp_path):
    git(tmp_path, "init", "-q", "--bare", "far.git")
    git(whole, "remote", "add", "origin", str(tmp_path / "far.git"))

    told = one(koog("doctor")[1], "git", "1 commit(s)")

    assert (told["level"], told["command"]) == ("info", "koog backup")


@pytest.mark.parametrize(
    ("name", "level"), [("index.lock", "warn"), ("HEAD.lock", "error"), ("refs/heads/main.lock", "error")]
)
def test_an_old_lock_of_gits_is_named_and_a_fresh_one_is_somebody_at_work(whole, koog, name, level):
    lock = whole / ".git" / name
    lock.touch()
    assert [f for f in found(koog("doctor", "--fix")[1], "git") if "lock" in f["message"]] == []

    os.utime(lock, (time.time() - 3600,) * 2)
    told = one(koog("doctor", "--fix")[1], "git", "lock of git's")

    assert told["level"] == level
    assert str(lock) in told["command"]
    assert lock.exists()  # a person's to remove


def test_a_person_without_a_name_in_git_is_told_whose_name_stands_in(workspace, koog, alone):
    (alone / ".gitconfig").unlink()

    told = [f for f in found(koog("doctor")[1], "git") if "user." in f["message"]]

    assert [f["command"] for f in told] == ["git config --global user.name …", "git config --global user.email …"]


def test_a_conflict_in_a_changed_file_is_an_error(whole, koog):
    put(whole, "notes.md", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n")

    assert one(koog("doctor")[1], "git", "conflict")["file"] == "notes.md"


def test_a_commit_in_the_future_is_told(whole, koog, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"@{int(time.time()) + 3600} +0000")
    git(whole, "commit", "-q", "--allow-empty", "-m", "x")
    monkeypatch.delenv("GIT_COMMITTER_DATE")

    assert "date -u" in one(koog("doctor")[1], "git", "future")["command"]


def test_a_tracked_secret_is_an_error(whole, koog):
    put(whole, ".env", "A=1\n")
    git(whole, "add", "-f", ".env")

    told = one(koog("doctor")[1], "git", "secret")

    assert (told["file"], told["command"]) == (".env", "git rm --cached -- .env")


def test_a_private_folder_that_git_sees_is_mended(whole, koog):
    put(whole, ".gitignore", "")
    put(whole, ".koog/.gitignore", "")
    put(whole, ".koog/cache", "x")
    assert one(koog("doctor")[1], "git", "not ignored")["fixable"] is True

    _, line = koog("doctor", "--fix")

    assert {"check": "git", "message": ".koog/.gitignore ignores the folder"} in line["fixed"]
    assert [f for f in found(line, "git") if "not ignored" in f["message"]] == []
    assert Git.find(whole).ignores(whole / ".koog/cache")


def test_a_repository_that_ignores_the_workspace_keeps_nothing_of_it(tmp_path, koog):
    git(tmp_path, "init", "-q")
    put(tmp_path, ".gitignore", "inner/\n")
    put(tmp_path, "inner/memory/meta/x.md", "x")

    _, line = koog("doctor", "--workspace", str(tmp_path / "inner"))

    assert "ignores the workspace" in one(line, "git", "ignores")["message"]


@pytest.mark.parametrize(
    ("files", "counted", "told"),
    [
        (15_000, {"count": 10_000, "size-pack": 1024 * 1024}, 0),
        (15_001, {}, 1),
        (0, {"count": 10_001}, 1),
        (0, {"size-pack": 1024 * 1024 + 1}, 1),
        (0, {"garbage": 1}, 1),
    ],
)
def test_a_big_repository_is_told_above_its_limits(files, counted, told):
    assert len(list(checks_git.size(files, counted))) == told


# --- permissions, kinds of file, leftovers


def test_an_open_private_folder_is_closed_by_fix_and_not_by_a_dry_run(whole, koog):
    (whole / ".koog").chmod(0o755)

    _, line = koog("doctor", "--fix", "--dry-run")
    assert line["fixed"] and (whole / ".koog").stat().st_mode & 0o777 == 0o755

    _, line = koog("doctor", "--fix")
    assert (whole / ".koog").stat().st_mode & 0o777 == 0o700
    assert found(line, "permissions") == []


def test_what_others_may_write_is_one_finding_with_its_count(whole, koog):
    for name in ("2026-01-01.md", "2026-01-02.md"):
        put(whole, f"memory/{name}", "x").chmod(0o666)

    told = one(koog("doctor")[1], "permissions", "2 file(s)")

    assert (told["level"], told["command"]) == ("warn", "chmod -R go-w memory")


def test_files_of_another_user_are_told():
    mine, foreign = checks_tree.Entry("memory/a.md", 0o100644, 7, 0), checks_tree.Entry("memory/b.md", 0o100644, 8, 0)

    told = list(checks_tree.open_to_others([mine, foreign], me=7))

    assert [f.file for f in told] == ["memory/b.md"]
    assert "user 8" in told[0].message


def test_a_private_folder_that_is_a_link_is_an_error(whole, koog, tmp_path):
    shutil.move(whole / ".koog", tmp_path / "elsewhere")
    (whole / ".koog").symlink_to(tmp_path / "elsewhere")

    _, line = koog("doctor", "--fix")

    assert one(line, "permissions", "is a link")["level"] == "error"


@pytest.fixture
def somebody(koog) -> Iterator[Run]:
    """A run in a workspace of a user without root's powers: no mode stops root."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        root = Path(name) / "agent"
        koog("init", str(root))
        for path in (root.parent, root, *root.rglob("*")):
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)
        run = Run(folder=str(root))
        list(checks_tree.permissions(run))  # opens the workspace, and imports what another user may not
        yield run


@contextmanager
def powerless() -> Iterator[None]:
    """Be nobody for a moment, where this is root."""
    if os.geteuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


def test_a_folder_without_write_permission_is_an_error(somebody):
    memory = somebody.root / "memory"
    memory.chmod(0o555)

    with powerless():
        told = list(checks_tree.permissions(somebody))

    memory.chmod(0o755)
    assert [(f.file, f.level, f.message) for f in told] == [("memory", ERROR, "koog may not write here")]


def test_a_file_that_koog_may_not_read_is_an_error_and_hides_no_other(somebody):
    for name, mode in (("2026-01-01.md", 0o000), ("2026-01-02.md", 0o644)):
        put(somebody.root, f"memory/{name}", b"\xff").chmod(mode)

    with powerless():
        closed = [f.file for f in checks_tree.permissions(somebody) if "not read" in f.message]
        told = [(f.file, f.message.split(":")[0]) for f in checks_texts.notes(somebody)]

    assert closed == ["memory/2026-01-01.md"]
    assert told == [("memory/2026-01-02.md", "not UTF-8"), ("memory/2026-01-01.md", "memory/2026-01-01.md")]


def test_pipes_links_and_folders_in_place_of_files_are_errors_and_nothing_hangs(whole, tmp_path):
    os.mkfifo(whole / "memory/2026-01-01.md")
    os.mkfifo(whole / "memory/meta/usage.jsonl")
    (whole / "memory/2026-01-02.md").symlink_to(put(tmp_path, "outside.md", "x"))
    (whole / "memory/2026-01-03.md").symlink_to("nowhere.md")
    (whole / "memory/2026-01-04.md").symlink_to("sinain-playbook.md")
    (whole / "memory/2026-01-05.md").mkdir()

    done = process("doctor", cwd=whole)

    line = json.loads(done.stdout)
    assert (done.returncode, fits(line)) == (0, None)
    assert {(f["file"], f["level"]) for f in found(line, "files")} == {
        ("memory/2026-01-01.md", "error"),
        ("memory/meta/usage.jsonl", "error"),
        ("memory/2026-01-02.md", "error"),
        ("memory/2026-01-03.md", "error"),
        ("memory/2026-01-05.md", "error"),
    }
    assert str(tmp_path / "outside.md") not in str(found(line, "files"))  # no advice to copy what a link leads to


@pytest.mark.parametrize(
    "name", ["koog-config.json", "HEARTBEAT.md", "modules/module-registry.json", ".koog/failures.jsonl"]
)
def test_a_pipe_in_place_of_any_file_ends_nothing(whole, name):
    (whole / name).unlink(missing_ok=True)
    os.mkfifo(whole / name)

    done = process("doctor", cwd=whole)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_pipe_as_the_operators_config_ends_nothing(whole, alone):
    config = alone / "config/koog/config.json"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.unlink(missing_ok=True)  # the first test that uses `whole` has made it
    os.mkfifo(config)

    done = process("doctor", cwd=whole)

    assert "not a regular file" in one(json.loads(done.stdout), "config")["message"]


def test_a_file_where_the_memory_folder_should_be_is_an_error(whole, koog):
    shutil.rmtree(whole / "memory")
    put(whole, "memory", "x")

    code, line = koog("doctor")

    assert (code, one(line, "files", "folder should be")["file"]) == (0, "memory")


def test_what_killed_runs_left_is_for_a_person_to_look_at(whole, koog):
    put(whole, "memory/.sinain-playbook.md.koog.tmp", "x")
    put(whole, ".koog/recovered/2026-01-01.md.17", "x")

    _, line = koog("doctor", "--fix")

    assert {f["file"] for f in found(line, "leftovers")} == {
        "memory/.sinain-playbook.md.koog.tmp",
        ".koog/recovered/2026-01-01.md.17",
    }
    assert (whole / "memory/.sinain-playbook.md.koog.tmp").exists()


def begun(root: Path) -> Path:
    """Leave the journal of a command that was killed before it appended a line."""
    step = {"kind": "append", "path": "memory/2026-01-01.md", "before": None, "after": None, "at": 0, "to": ""}
    return put(root, ".koog/journal.json", json.dumps([{**step, "data": b64encode(b"a line\n").decode()}]))


def test_what_a_killed_command_began_is_finished_and_told_and_a_dry_run_leaves_it(whole, koog):
    journal = begun(whole)
    assert one(koog("doctor", "--dry-run")[1], "leftovers")["file"] == ".koog/journal.json"
    assert journal.exists()

    _, line = koog("doctor")

    assert line["fixed"] == [{"check": "leftovers", "message": "what a killed command began is finished"}]
    assert (whole / "memory/2026-01-01.md").read_text() == "a line\n"
    assert found(line, "leftovers") == []


def test_a_workspace_that_cannot_be_opened_is_looked_at_all_the_same(whole, koog):
    begun(whole)
    (whole / ".koog/lock").unlink(missing_ok=True)
    (whole / ".koog/lock").mkdir()
    put(whole, "memory/meta/cursors.json", "{")

    code, line = koog("doctor", "--fix")

    assert (code, line["healthy"]) == (0, False)
    assert any("lock" in warning for warning in line["_meta"]["warnings"])
    assert one(line, "cursors")["level"] == "error"


def test_names_that_are_no_text_are_told_like_others(whole, koog):
    os.mkfifo(os.fsencode(whole / "memory") + b"/\xff.md")

    assert one(koog("doctor")[1], "files")["file"] == "memory/\ufffd.md"


# --- clock, disk, locks


def test_a_log_and_a_file_ahead_of_the_clock_are_told(whole, koog):
    ahead = time.time() + 3600
    ts = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ahead))
    logged(whole, entry(ts))
    os.utime(put(whole, "memory/2026-01-01.md", "x"), (ahead, ahead))

    _, line = koog("doctor")

    assert ts in one(line, "clock", "newest tick")["message"]
    assert one(line, "clock", "changed in the future")["file"] == "memory/2026-01-01.md"


def test_under_a_now_in_the_past_the_files_own_times_say_nothing(whole, koog):
    put(whole, "memory/2026-01-01.md", "x")

    assert found(koog("doctor", "--now", "2026-01-02T00:00:00Z")[1], "clock") == []


def test_a_clock_that_was_never_set_is_an_error(whole, koog):
    told = one(koog("doctor", "--now", "1970-01-02T00:00:00Z")[1], "clock", "never set")

    assert told["level"] == "error"


def test_a_machine_without_zones_knows_utc_alone(whole, monkeypatch):
    monkeypatch.setenv("PYTHONTZPATH", "/nowhere")

    line = json.loads(process("doctor", cwd=whole).stdout)

    try:
        import tzdata  # noqa: F401  the package that stands in for the system's zones
    except ModuleNotFoundError:
        assert one(line, "clock", "zone")["command"] == "apt-get install tzdata"
    else:
        assert found(line, "clock") == []


@pytest.mark.parametrize(
    ("free", "inodes", "read_only", "levels"),
    [
        (200, 1000, False, []),
        (199, 1000, False, [WARN]),
        (20, None, False, [WARN]),
        (19, None, False, [ERROR]),
        (200, 999, False, [WARN]),
        (200, 99, False, [ERROR]),
        (200, None, True, [ERROR]),
    ],
)
def test_disk_space_is_told_below_its_limits(free, inodes, read_only, levels):
    told = checks_machine.space(free_mib=free, inodes=inodes, read_only=read_only)

    assert [f.level for f in told] == levels


def test_a_lock_that_is_held_is_told_and_one_that_is_free_is_not(whole, koog):
    with put(whole, ".koog/tick.lock", "").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert one(koog("doctor")[1], "locks")["message"] == "a tick is running"

    assert found(koog("doctor")[1], "locks") == []


# --- the playbook and other texts

EVERY_FAULT = """<!-- mining-index: 2026-02-17 -->
<!-- mining-index: 2026-02-16 -->
- fine (score: 0.7) [since: 2026-02-17]
- no number (score: high)
- no day [since: 2026-02-30]
- no tag [deferred: soon]
- too good (score: 1.5)
- hidden <!-- from here
"""


def test_each_fault_of_a_playbook_has_its_line():
    told = checks_texts.base(EVERY_FAULT.encode(), "p.md", limit=50)

    assert {(f.line, f.level) for f in told} == {(2, WARN), (4, WARN), (5, WARN), (6, WARN), (7, WARN), (8, ERROR)}


@pytest.mark.parametrize(("count", "told"), [(50, 0), (51, 1)])
def test_a_playbook_is_too_long_from_the_fifty_first_line(count, told):
    data = b"<!-- mining-index:  -->\n" + b"- one\n\n" * count

    assert len(list(checks_texts.base(data, "p.md", limit=50))) == told


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"caf\xc3\xa9 <private>a</private>\n=======\n", None),
        (b"a\nb\xff\n", (2, WARN)),
        (b"a\nb\n\0\0", (3, WARN)),
        (b"a\n<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n", (2, ERROR)),
        (b"a\n<PRIVATE x='1'>\nb", (2, WARN)),
        (b"<private><private></private>\n", (1, WARN)),
        (b"</private>\n<private>\n", (2, WARN)),
    ],
)
def test_what_is_wrong_with_a_text_has_its_line(data, told):
    assert [(f.line, f.level) for f in checks_texts.text(data, "x.md", check="notes")] == ([told] if told else [])


def test_a_stale_effective_playbook_is_rebuilt_by_fix_as_one_commit(whole, koog):
    with (whole / "memory/sinain-playbook.md").open("a") as file:
        file.write("- a person's line\n")
    git(whole, "commit", "-qam", "a person")
    assert one(koog("doctor")[1], "playbook", "older")["command"] == "koog playbook build"
    koog("doctor", "--fix", "--dry-run")
    assert "a person's line" not in (whole / "memory/sinain-playbook-effective.md").read_text()

    _, line = koog("doctor", "--fix")

    assert {"check": "playbook", "message": "the effective playbook is rebuilt"} in line["fixed"]
    assert found(line, "playbook") == []
    assert "a person's line" in (whole / "memory/sinain-playbook-effective.md").read_text()
    assert git(whole, "status", "--short") == ""
    assert line["_meta"]["commit"]


def test_what_cannot_be_mended_stays_a_finding(whole, koog):
    put(whole, "memory/sinain-playbook.md", "- x\n")
    effective = whole / "memory/sinain-playbook-effective.md"
    effective.unlink()
    effective.symlink_to("sinain-playbook.md")

    code, line = koog("doctor", "--fix")

    assert (code, line["fixed"]) == (0, [])
    assert "not mended" in one(line, "playbook", "not mended")["message"]


def test_a_proposal_number_given_twice_is_told(whole, koog):
    put(whole, "memory/meta/pending-memories.md", "# P\n\n## Proposal #1\n\n## Proposal #2\n\n## Proposal #1\n")

    assert one(koog("doctor")[1], "proposals")["line"] == 7


def test_what_the_host_reads_must_be_there_and_koogs_own_be_taken_in(whole, koog):
    (whole / "SKILL.md").unlink()
    put(whole, "HEARTBEAT.md", "# mine\n")
    put(whole, "HEARTBEAT.koog.md", "# koog\n")

    _, line = koog("doctor")

    told = {(f["file"], f["level"]) for f in found(line, "heartbeat")}
    assert told == {("SKILL.md", "warn"), ("HEARTBEAT.md", "warn"), ("HEARTBEAT.md", "info")}


# --- JSON: modules, cursors, logs, ledgers


def test_a_registry_is_told_at_the_line_of_what_does_not_fit(whole, koog):
    put(
        whole, "modules/module-registry.json", '{"version": 1,\n"modules": {\n"a": {"status": "on",\n"priority": "x"}}}'
    )

    told = {(f["line"], f["level"]) for f in found(koog("doctor")[1], "modules") if f["level"] == "error"}

    assert told == {(3, "error"), (4, "error")}


def test_an_active_module_without_its_files_is_an_error(whole, koog):
    shutil.rmtree(whole / "modules/base-behaviors")

    _, line = koog("doctor")

    assert one(line, "modules", "no manifest")["command"] == "koog module suspend base-behaviors"
    assert one(line, "modules", "no patterns.md")["level"] == "warn"


def test_a_module_that_nobody_registered_is_told_with_the_way_in(whole, koog):
    shutil.copytree(whole / "modules/base-behaviors", whole / "modules/new-one")

    told = found(koog("doctor")[1], "modules")

    assert {"koog module activate new-one"} <= {f["command"] for f in told}
    assert any("is not the folder's name" in f["message"] and f["level"] == "error" for f in told)


def test_cursors_of_the_wrong_shape_are_told(whole, koog):
    put(whole, "memory/meta/cursors.json", '{"version": 1,\n "mine": {"files": []}}')

    told = one(koog("doctor")[1], "cursors")

    assert (told["line"], told["command"]) == (2, "git checkout -- memory/meta/cursors.json")


def test_each_bad_line_of_a_recent_log_is_told_with_its_number(whole, koog):
    logged(whole, entry(NOW), '{"ts": "2026', "[]", json.dumps({"_type": "curation"}), json.dumps({"tickId": "x"}))

    _, line = koog("doctor", "--now", NOW)

    told = [(f["line"], f["level"]) for f in found(line, "logs")]
    assert told == [(2, "warn"), (3, "warn"), (5, "warn")]


def test_an_old_log_is_not_read(whole, koog):
    put(whole, "memory/playbook-logs/2020-01-01.jsonl", "{\n")

    assert found(koog("doctor", "--now", NOW)[1], "logs") == []


def test_an_entry_of_the_contract_with_keys_of_later_versions_fits_and_an_older_shape_is_read():
    shape = schema.definition(log.SCHEMA, "entry")

    assert list(checks_files.entry({**entry(NOW), "mood": "fine"}, shape)) == []
    assert [level for level, _ in checks_files.entry({"ts": NOW, "output": None}, shape)] == [INFO]


def test_the_ledgers_bad_lines_are_told(whole, koog):
    put(whole, "memory/meta/usage.jsonl", b'{"ts": "2026-02-28T12:00:00Z"}\n\0\0\n{"ts": 5}\n')
    put(whole, "memory/session-summaries.jsonl", "{]\n")
    put(whole, "memory/taught.jsonl", '{"text": "a", "type": "rule"}\n{"text": 5}\ngarbage\n')
    put(whole, "memory/meta/changes.jsonl", '{"ts": "2026-02-28", "old": "x", "by": {}, "how": "replaced"}\n[1\n')
    with (whole / "memory/meta/audit.log").open("a") as file:
        file.write("no entry\nsoon | EDIT | a | b | auto | c\n2026-02-28T12:00Z | EDIT | a | b | auto | c \\| d\n")
    good = len((whole / "memory/meta/audit.log").read_text().splitlines()) - 3

    _, line = koog("doctor")

    told = {(f["file"].rsplit("/", 1)[1], f["line"], f["level"]) for f in found(line, "ledgers")}
    assert told == {
        ("usage.jsonl", 2, "warn"),
        ("usage.jsonl", 3, "info"),
        ("session-summaries.jsonl", 1, "warn"),
        ("taught.jsonl", 2, "warn"),
        ("taught.jsonl", 3, "warn"),
        ("changes.jsonl", 1, "warn"),
        ("changes.jsonl", 2, "warn"),
        ("audit.log", good + 1, "warn"),
        ("audit.log", good + 2, "warn"),
    }


def test_a_month_of_koogs_own_files_has_no_fault(sample, koog):
    _, line = koog("doctor", "--now", NOW)

    kinds = {"cursors", "ledgers", "notes", "modules", "proposals", "files", "config"}
    assert [f for f in line["findings"] if f["check"] in kinds and f["level"] != "info"] == []


def test_a_tick_leaves_nothing_for_doctor_to_find(whole, koog):
    assert koog("tick", "--engine", "builtin")[0] == 0

    _, line = koog("doctor")

    assert [f for f in line["findings"] if f["level"] != "info"] == []


# --- places in JSON


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=12,
    )
)
@settings(max_examples=examples(60), deadline=None)
def test_every_key_and_element_of_any_json_has_a_line(value):
    text = json.dumps(value, indent=1)

    places = json_places.lines(text)

    def expect(node: Any, place: tuple[Any, ...]) -> None:
        assert place in places
        children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
        for key, child in children:
            expect(child, (*place, key))
            assert places[(*place, key)] > places[place]

    expect(value, ())
    assert json_places.lines(json.dumps(value)).keys() == places.keys()


# --- nothing breaks doctor

READ = [
    "koog-config.json",
    "HEARTBEAT.md",
    "SKILL.md",
    "memory/sinain-playbook.md",
    "memory/sinain-playbook-effective.md",
    "memory/2026-02-27.md",
    "memory/devmatrix-summary.md",
    "memory/playbook-logs/2026-02-28.jsonl",
    "memory/session-summaries.jsonl",
    "memory/meta/cursors.json",
    "memory/meta/usage.jsonl",
    "memory/meta/audit.log",
    "memory/meta/pending-memories.md",
    "modules/module-registry.json",
    "modules/base-behaviors/manifest.json",
    "modules/base-behaviors/patterns.md",
    ".koog/failures.jsonl",
    ".koog/structured.json",
    ".koog/journal.json",
    ".koog/.gitignore",
    "../home/config/koog/config.json",
    "../home/.openclaw/openclaw.json",
]
SEEDS = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b'{"modules": [], "version": 1}',
    b'{"id": 3}',
    b'{"ts": 9e99}',
    b'{"timezone": "/etc"}',
]
DAMAGE = (
    st.binary(max_size=60)
    | st.sampled_from(SEEDS)
    | st.text(alphabet='{}[]":,<!->-private(score:)\n0', max_size=60).map(str.encode)
)


@given(st.dictionaries(st.sampled_from(READ), DAMAGE, min_size=1, max_size=4), st.booleans())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_no_bytes_in_any_file_break_doctor(whole, koog, damage, fix):
    for path, data in damage.items():
        put(whole, path, data)

    code, line = koog("doctor", "--now", NOW, *(["--fix"] if fix else []))

    assert code == 0
    assert [f for f in line["findings"] if "a bug in koog" in f["message"]] == []
    for path in damage:
        (whole / path).unlink(missing_ok=True)


def test_a_person_sees_each_finding_with_its_place_and_the_command_that_mends_it(whole):
    (whole / "memory/meta/cursors.json").parent.mkdir(exist_ok=True)
    (whole / "memory/meta/cursors.json").write_text('{"version": 1,\n  broken}')

    done = process("doctor", "--human", cwd=whole)

    assert done.returncode == 0, done.stderr
    assert "● 1 error" in done.stdout
    assert "memory/meta/cursors.json:2" in done.stdout
    assert "→ " in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


# --- topics and search

TOPIC = "---\ntype: topic\ntriggers:\n  - type: pattern\n    match: metro\n{more}\n---\n\n# Metro\n"


def test_a_topic_that_cannot_be_read_is_told_with_its_line(koog, whole):
    put(whole, "topics/metro.md", TOPIC.format(more="activation: sometimes"))

    finding = one(koog("doctor")[1], "topics")

    assert (finding["level"], finding["file"], finding["line"]) == ("error", "topics/metro.md", 6)


def test_a_topic_that_subscribes_to_nothing_that_is_there_is_told(koog, whole):
    text = TOPIC.format(more="subscriptions: [memory/no.md]")
    put(whole, "topics/metro.md", text)

    finding = one(koog("doctor")[1], "topics", "memory/no.md")

    assert (finding["level"], finding["file"]) == ("warn", "topics/metro.md")


@pytest.mark.parametrize(
    ("path", "text", "level", "line"),
    [
        ("memory/meta/active-topics.json", "{", "error", 1),
        ("memory/meta/active-topics.json", '{"topics": {"metro": {"until": null}}}', "error", 1),
        ("memory/meta/topic-gate.jsonl", "{}\n", "info", 1),
        ("memory/meta/topic-gate.jsonl", '{"timestamp": "2026-02-28T12:00:00Z", "topic_name": "a"}\n{"ti\n', "warn", 2),
    ],
)
def test_what_is_wrong_with_activations_and_decisions_is_told(koog, whole, path, text, level, line):
    put(whole, path, text)

    finding = one(koog("doctor")[1], "topics")

    assert (finding["level"], finding["file"], finding["line"]) == (level, path, line)


def test_an_index_that_cannot_be_asked_is_told_with_the_command_that_mends_it(koog, whole):
    put(whole, ".koog/index.db", "no database " * 400)

    finding = one(koog("doctor")[1], "search", "corrupt")
    koog(*finding["command"].split()[1:])
    after = koog("doctor")[1]

    assert finding["command"] == "koog index"
    assert found(after, "search") == []


def test_a_note_of_which_only_the_beginning_is_searched_is_named(koog, whole):
    rows = "".join(f"- entry {number} about nothing in particular\n" for number in range(125_000))
    (whole / "knowledge/reference").mkdir(parents=True)
    (whole / "knowledge/reference/export.md").write_text(rows)

    told = one(koog("doctor")[1], "search", "the first 4 are searched, and no more")

    assert (told["level"], told["file"]) == ("warn", "knowledge/reference/export.md")
    assert told["command"].endswith("/knowledge/reference/export.md")


def test_a_search_by_words_only_is_told_unless_the_config_wants_it(koog, whole, monkeypatch):
    monkeypatch.setattr("sys.path", [p for p in sys.path if "site-packages" not in p])

    told = koog("doctor")[1]
    put(whole, "koog-config.json", '{"search": {"embedding": "none"}}')
    wanted = koog("doctor")[1]

    assert one(told, "search", "sqlite-vec is not installed")["level"] == "info"
    assert found(wanted, "search") == []
