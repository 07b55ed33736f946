"""What koog commits, as whose work, and what it leaves to the person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.boundary.conftest import NOTE, plain
from tests.boundary.ground import NOW, Ground

AUDIT = "memory/meta/audit.log"


@pytest.fixture
def begun(ground: Ground) -> Ground:
    """A workspace whose day is committed, and a tick of koog's."""
    ground.git("add", "-A")
    ground.git("commit", "-qm", "a day")
    ground.run("log")
    return ground


def commits(ground: Ground, since: str, *, cwd: Path | None = None) -> list[dict[str, object]]:
    """Return the commits since one, oldest first: author, committer, actor by its trailer, and paths."""
    form = "%x01%an%x02%cn%x02%(trailers:key=Actor,valueonly,separator=%x2C)%x02%x03"
    told = ground.git("log", "--reverse", "--name-only", f"--format={form}", f"{since}..HEAD", cwd=cwd)
    found = []
    for part in told.split("\x01")[1:]:
        head, _, names = part.partition("\x03")
        author, committer, actor, _ = head.split("\x02")
        found.append({"author": author, "committer": committer, "actor": actor, "paths": names.split()})
    return found


# --- what stays out


def test_a_private_passage_of_somebody_else_stays_out_and_is_named(begun: Ground) -> None:
    begun.put("memory/2026-02-26.md", "# Day\n\n<private>my salary</private>\n\n- more\n")
    begun.put("notes/open.md", "text <PRIVATE why='x'> never closed\n")
    begun.put("notes/plain.md", "plain\n")

    backup = begun.run("backup")["backup"]
    begun.run("tick", "mine", "log")

    tracked = begun.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")
    assert {"memory/2026-02-26.md", "notes/open.md"} <= set(backup.line["leftOut"])
    assert "notes/plain.md" in tracked
    assert "memory/2026-02-26.md" not in tracked
    assert "notes/open.md" not in tracked
    begun.assert_kept()


def test_a_private_passage_that_comes_into_a_known_file_stays_out(begun: Ground) -> None:
    begun.put("memory/2026-02-27.md", NOTE + "\n<private>my salary</private>\n")

    backup = begun.run("backup")["backup"]

    assert "memory/2026-02-27.md" in backup.line["leftOut"]
    assert begun.git("show", "HEAD:memory/2026-02-27.md") == NOTE.strip()


def test_a_file_too_large_to_be_looked_through_stays_out(begun: Ground) -> None:
    with begun.put("notes/large.md").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)

    backup = begun.run("backup")["backup"]

    assert "notes/large.md" in backup.line["leftOut"]
    assert "notes/large.md" not in begun.git("ls-tree", "-r", "--name-only", "HEAD")


# --- whose it is


def test_what_koog_did_not_make_is_committed_first_and_as_manual(begun: Ground) -> None:
    before = begun.git("rev-parse", "HEAD")
    begun.put("notes/mine.md", "a person's\n")
    begun.put("TOOLS.md", "# Tools\n\nBe kind.\n")

    begun.run("tick")

    first, *others = commits(begun, before)
    assert first["actor"] == "manual"
    assert {"notes/mine.md", "TOOLS.md"} <= set(first["paths"])
    assert not any({"notes/mine.md", "TOOLS.md"} & set(c["paths"]) for c in others)
    assert others
    assert "manual" not in {c["actor"] for c in others}


def test_a_backup_of_a_persons_work_only_is_one_commit_and_theirs(begun: Ground) -> None:
    before = begun.git("rev-parse", "HEAD")
    begun.put("notes/mine.md", "a person's\n")

    begun.run("backup")

    assert [c["actor"] for c in commits(begun, before) if "notes/mine.md" in c["paths"]] == ["manual"]


def test_a_persons_edit_of_a_file_of_koogs_is_committed_by_itself(begun: Ground) -> None:
    before = begun.git("rev-parse", "HEAD")
    log = begun.ws / f"memory/playbook-logs/{NOW[:10]}.jsonl"
    row = {"ts": "2026-02-28T09:00:00Z", "tickId": "by hand", "feedbackScores": None, "actionsConsidered": []}
    log.write_text(log.read_text() + json.dumps(row) + "\n")

    begun.run("log")

    first, second = commits(begun, before)
    assert (first["actor"], second["actor"] == "manual") == ("manual", False)
    shown = begun.git("show", "--format=", "HEAD")
    assert "+" in shown
    assert "by hand" not in "".join(line for line in shown.splitlines() if line.startswith("+"))


def test_a_commit_is_authored_by_the_actor_and_committed_by_the_person(begun: Ground) -> None:
    before = begun.git("rev-parse", "HEAD")

    begun.run("mine", "log")

    made = commits(begun, before)
    assert made
    for commit in made:
        assert commit["committer"] == "Test"
        assert commit["author"] != "Test"
        assert commit["actor"]
        assert str(commit["actor"]) in str(commit["author"]) or str(commit["author"]) in str(commit["actor"])


def test_without_an_identity_koog_sets_one_for_its_own_call(tmp_path: Path) -> None:
    made = plain(tmp_path)
    (made.home / ".gitconfig").write_text("[init]\n\tdefaultBranch = main\n")

    assert made.koog("init", str(made.ws), cwd=tmp_path).code == 0
    called = made.run("log", "backup")

    assert [c.code for c in called.values()] == [0, 0]
    assert called["log"].line["_meta"]["commit"]
    assert "[user]" not in (made.ws / ".git/config").read_text()


def test_init_writes_no_identity_into_the_repository(begun: Ground) -> None:
    begun.run("log", "backup", "tick")

    assert "user" not in (begun.ws / ".git/config").read_text()


# --- a forged log


def forged(text: str) -> str:
    head, _, rest = text.partition("\n")
    return f"{head.replace('system:init', 'manual')} forged\n{rest}"


def cut(text: str) -> str:
    return "".join(text.splitlines(keepends=True)[:-2])


def emptied(text: str) -> str:
    return ""


def moved(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join([*lines[1:], lines[0]])


@pytest.mark.parametrize("edit", [forged, cut, emptied, moved, None], ids=lambda e: e.__name__ if e else "gone")
def test_a_log_that_is_no_longer_the_committed_one_is_an_alert(edit: object, begun: Ground) -> None:
    audit = begun.ws / AUDIT
    if callable(edit):
        audit.write_text(edit(audit.read_text()))
    else:
        audit.unlink()

    logged = begun.run("log")["log"]
    status = begun.run("status")["status"]

    assert logged.code == 0
    assert f"ALERT   | {AUDIT}" in audit.read_text()
    assert "audit.log" in logged.warned
    assert status.line["healthy"] is False


def test_a_log_that_koog_appended_to_is_no_alert(begun: Ground) -> None:
    begun.run("mine", "tick", "log", "backup")

    assert f"ALERT   | {AUDIT}" not in (begun.ws / AUDIT).read_text()
    assert "audit.log" not in " ".join(c.warned for c in begun.calls)


def test_lines_of_a_koog_in_the_sandbox_are_no_alert(begun: Ground) -> None:
    """An agent calls koog as well, where the state folder is not to be seen."""
    empty = begun.place / "sandbox"
    empty.mkdir()
    entry = {"ts": NOW, "tickId": "inside", "feedbackScores": None, "actionsConsidered": []}
    inside = begun.koog("log", "--entry", json.dumps(entry), XDG_STATE_HOME=str(empty), XDG_CONFIG_HOME=str(empty))

    after = begun.run("log", "status")

    assert inside.code == 0
    assert list(empty.iterdir()) == []
    assert f"ALERT   | {AUDIT}" not in (begun.ws / AUDIT).read_text()
    assert after["log"].code == 0


# --- a repository that koog did not make


@pytest.fixture
def project(tmp_path: Path) -> Ground:
    """A person's project with a workspace in a folder of it, work under way and a remote."""
    made = plain(tmp_path)
    made.ws_path = tmp_path / "project/agent"
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    made.git("init", "-q", cwd=project)
    for name in ("src/a.py", "src/b.py", "README.md"):
        (project / name).write_text("first\n")
    made.git("add", "-A", cwd=project)
    made.git("commit", "-qm", "first", cwd=project)
    origin = made.outside / "origin.git"
    made.git("init", "-q", "--bare", "-b", "main", str(origin), cwd=tmp_path)
    made.git("remote", "add", "origin", str(origin), cwd=project)
    made.git("push", "-q", "-u", "origin", "main", cwd=project)
    made.git("switch", "-qc", "feature", cwd=project)
    (project / "README.md").write_text("not to be seen yet\n")
    made.git("commit", "-qam", "not to be seen yet", cwd=project)
    assert made.koog("init", str(made.ws), cwd=project).code == 0
    (made.ws / "memory/2026-02-27.md").write_text(NOTE)
    (project / "src/a.py").write_text("dirty\n")
    (project / "src/b.py").write_text("staged\n")
    made.git("add", "src/b.py", cwd=project)
    (project / "new.py").write_text("new\n")
    (made.ws / "mine.md").write_text("a person's note in the workspace\n")
    return made


def test_a_persons_files_of_an_enclosing_project_stay_as_they_are(project: Ground) -> None:
    top = project.ws.parent
    before = project.git("rev-parse", "HEAD", cwd=top)
    origin = project.git("for-each-ref", cwd=project.outside / "origin.git")

    called = project.run("log", "mine", "backup", "tick")

    paths = {p for c in commits(project, before, cwd=top) for p in c["paths"]}
    state = project.git("status", "--porcelain", "--untracked-files=all", cwd=top)
    assert {name: c.code for name, c in called.items() if c.code} == {}
    assert f"agent/memory/playbook-logs/{NOW[:10]}.jsonl" in paths
    assert not {"src/a.py", "src/b.py", "new.py", "agent/mine.md", "agent/memory/2026-02-27.md"} & paths
    assert {"M src/a.py", "M  src/b.py", "?? new.py", "?? agent/mine.md"} <= {
        line.strip() for line in state.splitlines()
    }
    assert project.git("for-each-ref", cwd=project.outside / "origin.git") == origin


def test_a_persons_branch_of_an_enclosing_project_stays_unpushed(project: Ground) -> None:
    top = project.ws.parent
    origin = project.git("for-each-ref", cwd=project.outside / "origin.git")
    project.git("branch", "-q", "--set-upstream-to=origin/main", cwd=top)
    project.typed("backup", "--allow-push")
    project.operator("git.push", True)

    called = project.run("log", "backup", "tick")

    assert project.git("for-each-ref", cwd=project.outside / "origin.git") == origin
    assert called["backup"].line["pushed"] is False
    assert [c.argv for c in called.values() if "Traceback" in c.err] == []


def test_init_says_what_it_will_commit(project: Ground, tmp_path: Path) -> None:
    whole = project.koog("init", str(tmp_path / "alone"), cwd=tmp_path)
    part = project.koog("init", str(project.ws), cwd=tmp_path)

    assert '"all"' in whole.out
    assert '"own"' in part.out
