"""When a command's changes become a commit, in real repositories."""

from __future__ import annotations

import fcntl
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from koog.core.files.record import Change
from koog.core.files.state_root import StateRoot
from koog.core.git import index as git_index
from koog.core.git import making
from koog.core.git.commits import once
from koog.core.git.outgoing import allow
from koog.core.git.repository import Git
from koog.core.run import Run
from tests.conftest import git, registered
from tests.core.text.test_untrusted import TOKENS

pytestmark = pytest.mark.usefixtures("kept")
ENTRY = json.dumps({"tickId": "t1", "feedbackScores": None, "actionsConsidered": []})
AUDIT = "memory/meta/audit.log"


@pytest.fixture
def kept(workspace):
    """The workspace as `koog init` leaves one that it made: with a state root, and committed whole."""
    return registered(workspace, git_backup="all")


def head(folder: Path) -> str:
    return git(folder, "rev-parse", "HEAD")


def committed(folder: Path) -> list[str]:
    """The files of the last commit."""
    return git(folder, "show", "--format=", "--name-only", "HEAD").split()


def change(folder: Path, *, after: timedelta = timedelta(), path: str = "memory/a.md", dry_run: bool = False) -> Run:
    """One command's write, so long after the last commit (in an unborn repository: after now)."""
    found = Git.find(folder)
    run = Run(folder=str(folder), trigger="koog test", dry_run=dry_run)
    run.__dict__["now"] = ((found and found.last_commit()) or datetime.now(UTC)) + after
    with run.workspace.writing() as door:
        door.edit(path, lambda text: text + "line\n", summary="one more line")
    return run


def warnings(run: Run) -> str:
    return "; ".join(run.meta().get("warnings", []))


# --- command, tick, interval, off


def test_one_command_is_one_commit_of_exactly_what_it_changed(workspace):
    (workspace / "memory/other.md").write_text("a person's, not committed yet\n")

    run = change(workspace)

    assert committed(workspace) == ["memory/a.md", AUDIT]
    assert git(workspace, "log", "-1", "--format=%B") == (
        "[CREATE] memory/a.md — one more line\n\nActor: skill:koog\nApproval: auto\nTrigger: koog test\nType: memory"
    )
    assert run.meta()["commit"] == head(workspace)[:10]
    assert git(workspace, "status", "--porcelain") == "?? memory/other.md"


def test_a_command_through_the_command_line_is_one_commit(koog, workspace):
    code, line = koog("log", "--entry", ENTRY)

    assert code == 0
    assert committed(workspace) == [AUDIT, line["path"]]
    assert line["_meta"]["commit"] == head(workspace)[:10]


@pytest.mark.parametrize("mode", ["tick", "off"])
def test_with_tick_and_off_a_command_commits_nothing_and_does_not_complain(workspace, monkeypatch, mode):
    monkeypatch.setenv("KOOG_GIT_COMMIT", mode)
    before = head(workspace)

    run = change(workspace)

    assert (workspace / "memory/a.md").read_text() == "line\n"
    assert head(workspace) == before
    assert warnings(run) == ""
    assert "commit" not in run.meta()


@pytest.mark.parametrize(("mode", "commits"), [("command", 2), ("tick", 2), ("off", 0)])
def test_a_tick_is_one_commit_of_all_its_steps(koog, sample, monkeypatch, mode, commits):
    """The first one is the backup step's, of what a person left uncommitted; with `off` there is none."""
    monkeypatch.setenv("KOOG_GIT_COMMIT", mode)
    (sample / "memory/person.md").write_text("not committed yet\n")
    before = head(sample)

    code, _ = koog("--now", "2026-02-28T12:00:00Z", "tick", "--idle", "--session-summary", "Nobody is here.")

    assert code == 0
    assert len(git(sample, "rev-list", f"{before}..HEAD").split()) == commits


@pytest.mark.parametrize(
    ("after", "commits"),
    [
        (timedelta(0), 0),
        (timedelta(minutes=29, seconds=59), 0),
        (timedelta(minutes=30), 1),
        (timedelta(days=1), 1),
        (timedelta(minutes=-5), 0),
        (timedelta(days=-900), 1),  # the last commit is of a clock that was wrong
    ],
)
def test_an_interval_commits_thirty_minutes_after_the_last_commit(workspace, monkeypatch, after, commits):
    change(workspace)
    monkeypatch.setenv("KOOG_GIT_COMMIT", "interval")
    before = head(workspace)

    change(workspace, after=after)

    assert len(git(workspace, "rev-list", f"{before}..HEAD").split()) == commits


def test_a_persons_commits_put_no_interval_off(workspace, monkeypatch):
    change(workspace)
    monkeypatch.setenv("KOOG_GIT_COMMIT", "interval")
    change(workspace)
    at = int(git(workspace, "log", "-1", "--format=%ct")) + 40 * 60
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"{at} +0000")
    git(workspace, "commit", "-q", "--allow-empty", "-m", "mine")

    change(workspace, after=timedelta(minutes=1))

    assert "memory/a.md" in committed(workspace)


def test_how_long_an_interval_is_the_operator_says(workspace, monkeypatch):
    change(workspace)
    monkeypatch.setenv("KOOG_GIT_COMMIT", "interval")
    monkeypatch.setenv("KOOG_KNOWLEDGE_COMMIT_MINUTES", "5")
    before = head(workspace)

    change(workspace, after=timedelta(minutes=4))
    change(workspace, path="memory/b.md", after=timedelta(minutes=5))

    assert len(git(workspace, "rev-list", f"{before}..HEAD").split()) == 1


def test_an_interval_commit_takes_what_has_gathered(workspace, monkeypatch):
    change(workspace)
    monkeypatch.setenv("KOOG_GIT_COMMIT", "interval")
    (workspace / "memory/person.md").write_text("a person's\n")
    change(workspace, path="memory/a.md")

    change(workspace, path="memory/b.md", after=timedelta(minutes=31))

    assert committed(workspace) == ["memory/a.md", "memory/b.md", AUDIT]
    assert git(workspace, "show", "--format=%s", "--name-only", "HEAD~").split("\n\n") == [
        "[CREATE] memory/person.md — changed outside koog",
        "memory/person.md",
    ]
    assert git(workspace, "status", "--porcelain") == ""


def test_the_first_interval_commit_of_a_fresh_repository_is_made_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_COMMIT", "interval")
    git(tmp_path, "init", "-q", "new")
    (tmp_path / "new/.koog").mkdir()
    registered(tmp_path / "new")

    change(tmp_path / "new")

    assert committed(tmp_path / "new") == ["memory/a.md", AUDIT]


def test_a_dry_run_commits_nothing(workspace, monkeypatch):
    before = head(workspace)

    for mode in ("command", "interval"):
        monkeypatch.setenv("KOOG_GIT_COMMIT", mode)
        change(workspace, after=timedelta(days=1), dry_run=True)

    assert head(workspace) == before
    assert git(workspace, "status", "--porcelain") == ""


# --- what stays out


def test_what_a_person_has_staged_stays_staged_and_out_of_the_commit(workspace):
    (workspace / "mine.md").write_text("staged\n")
    git(workspace, "add", "mine.md")
    (workspace / "mine.md").write_text("staged, and changed again\n")

    change(workspace)

    assert committed(workspace) == ["memory/a.md", AUDIT]
    assert git(workspace, "status", "--porcelain") == "AM mine.md"
    assert git(workspace, "show", ":mine.md") == "staged"


def test_a_changed_file_that_shows_a_secret_stays_out_with_file_and_line(workspace):
    secret = TOKENS["github"][0]
    (workspace / "memory/a.md").write_text(f"one\ntwo\nthe token is {secret}\n")

    run = change(workspace)

    assert committed(workspace) == [AUDIT]
    assert "memory/a.md:3: looks like a secret" in warnings(run)
    assert secret not in json.dumps(run.meta())
    assert secret not in git(workspace, "log", "-p", "--all")


def test_a_sweep_leaves_a_secret_out_and_takes_the_rest(koog, workspace):
    (workspace / "memory/a.md").write_text(f"{TOKENS['github'][0]}\n")
    (workspace / "memory/b.md").write_text("nothing special\n")

    code, line = koog("backup", "--no-push")

    assert code == 0
    assert committed(workspace) == ["memory/b.md"]
    assert line["leftOut"] == ["memory/a.md"]


# --- where git cannot take a commit


@pytest.mark.parametrize("mode", ["command", "interval"])
def test_without_a_repository_the_file_is_written_and_a_warning_says_what_is_missing(tmp_path, monkeypatch, mode):
    monkeypatch.setenv("KOOG_GIT_COMMIT", mode)
    (tmp_path / "new/.koog").mkdir(parents=True)

    run = change(tmp_path / "new")

    assert (tmp_path / "new/memory/a.md").read_text() == "line\n"
    assert "no git repository" in warnings(run)


def start_merge(folder: Path) -> None:
    git(folder, "checkout", "-q", "-b", "side")
    git(folder, "commit", "-q", "--allow-empty", "-m", "side")
    git(folder, "checkout", "-q", "main")
    git(folder, "merge", "--no-ff", "--no-commit", "side")


def detach(folder: Path) -> None:
    git(folder, "checkout", "-q", "--detach")


@pytest.mark.parametrize("mode", ["command", "interval"])
@pytest.mark.parametrize(("hinder", "words"), [(start_merge, "a merge is under way"), (detach, "detached HEAD")])
def test_work_under_way_is_not_committed_into_and_a_warning_says_so(workspace, monkeypatch, hinder, words, mode):
    monkeypatch.setenv("KOOG_GIT_COMMIT", mode)
    hinder(workspace)
    before = head(workspace)

    run = change(workspace, after=timedelta(days=1))

    assert (workspace / "memory/a.md").read_text() == "line\n"
    assert head(workspace) == before
    assert words in warnings(run)
    assert "not committed" in warnings(run)


def test_conflict_markers_somewhere_hinder_an_interval_commit_but_not_the_command(workspace, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_COMMIT", "interval")
    (workspace / "memory/b.md").write_text("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    before = head(workspace)

    run = change(workspace, after=timedelta(days=1))

    assert (workspace / "memory/a.md").read_text() == "line\n"
    assert head(workspace) == before
    assert "conflict markers in memory/b.md" in warnings(run)


def test_a_repository_that_git_refuses_hinders_no_write(workspace, monkeypatch):
    (workspace / ".git/config").write_text("[broken")

    run = Run(folder=str(workspace))
    with run.workspace.writing() as door:
        door.write("memory/a.md", "line\n", summary="a line")

    assert (workspace / "memory/a.md").read_text() == "line\n"
    assert "written, not committed: git: " in warnings(run)


def test_a_koog_that_is_committing_for_too_long_makes_a_warning_and_no_failure(workspace, monkeypatch):
    monkeypatch.setattr(git_index, "LOCK_WAIT_S", 0.05)
    (workspace / ".git/koog").mkdir()

    with (workspace / ".git/koog/lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run = change(workspace)

    assert (workspace / "memory/a.md").read_text() == "line\n"
    assert "written, not committed: another koog is committing" in warnings(run)


def test_a_backup_that_git_refuses_is_a_failure_and_no_calm(koog, workspace, monkeypatch):
    monkeypatch.setattr(making, "TRIES", 2)
    (workspace / "memory/b.md").write_text("to be backed up\n")
    (workspace / ".git/refs/heads/main.lock").write_text("")

    code, line = koog("backup", "--no-push")

    assert (code, line["error"]["code"]) == (8, "workspace")


@pytest.mark.parametrize("next_change", ["of the same file", "of another file", "none"])
def test_what_a_commit_that_did_not_happen_left_in_the_index_is_not_taken_for_a_persons(
    workspace, monkeypatch, next_change
):
    """The index follows before the branch moves, so a crash in between leaves koog's change staged."""
    monkeypatch.setattr(making, "TRIES", 2)
    change(workspace)
    (workspace / ".git/refs/heads/main.lock").write_text("")  # the branch cannot move
    stopped = change(workspace)
    (workspace / ".git/refs/heads/main.lock").unlink()
    staged = git(workspace, "diff", "--cached", "--name-only")

    if next_change == "none":
        Git.find(workspace).commit(["memory/a.md", AUDIT], message="again", when=datetime.now(UTC))
    else:
        change(workspace, path="memory/a.md" if next_change == "of the same file" else "memory/b.md")

    assert "the branch did not move" in warnings(stopped)
    assert staged == f"memory/a.md\n{AUDIT}"
    assert git(workspace, "diff", "--cached", "--name-only") == ""
    assert git(workspace, "status", "--porcelain") == ""


def test_once_the_branch_has_moved_what_a_person_stages_again_is_the_persons(workspace):
    change(workspace)
    (workspace / "memory/a.md").write_text("a person's\n")
    git(workspace, "commit", "-qam", "a person's")
    (workspace / "memory/a.md").write_text("line\n")  # what koog had committed
    git(workspace, "add", "memory/a.md")

    change(workspace, path="memory/b.md")

    assert git(workspace, "status", "--porcelain") == "M  memory/a.md"


# --- arithmetic, and the date it rests on


def test_many_changes_of_one_file_are_told_once_in_the_order_of_the_first():
    changes = [Change("CREATE", "a", "made"), Change("EDIT", "b", "b"), Change("EDIT", "a", "more")]

    assert once(changes) == [Change("CREATE", "a", "made; more"), Change("EDIT", "b", "b")]


def test_the_last_commit_is_dated_by_its_committer_in_utc(workspace, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2026-02-28T12:00:00+02:00")
    git(workspace, "commit", "-q", "--allow-empty", "-m", "dated")

    last = Git.find(workspace).last_commit()

    assert last == datetime(2026, 2, 28, 10, 0, tzinfo=UTC)
    assert last.tzinfo is UTC


def test_before_the_first_commit_there_is_no_last_one(tmp_path):
    git(tmp_path, "init", "-q", "new")

    assert Git.find(tmp_path / "new").last_commit() is None


def test_a_secret_that_comes_into_a_large_file_keeps_it_out(koog, workspace):
    """Of a large file only the new lines are looked through, and one of them is enough."""
    log = workspace / "memory/meta/usage.jsonl"
    log.parent.mkdir(exist_ok=True)
    rows = [json.dumps({"ts": f"2026-02-{n % 27 + 1:02}T10:00:00Z", "n": n, "x": "y" * 40}) for n in range(1500)]
    log.write_text("".join(f"{row}\n" for row in rows))
    assert koog("backup", "--no-push")[1]["leftOut"] == []
    secret = "sk-ant-" + "abcdefghij0123456789" * 2

    with log.open("a") as file:
        file.write(f'{{"n": "{secret}"}}\n')
    line = koog("backup", "--no-push")[1]

    assert line["leftOut"] == ["memory/meta/usage.jsonl"]
    assert f"usage.jsonl:{len(rows) + 1}: looks like a secret" in " ".join(line["_meta"]["warnings"])
    assert secret not in git(workspace, "show", "HEAD:memory/meta/usage.jsonl")


# --- whose work it is


def log(folder: Path, *more: str) -> list[str]:
    """`AUTHOR, COMMITTER, ACTOR: TITLE` of the commits since the first, newest first."""
    form = "%an, %cn, %(trailers:key=Actor,valueonly,separator=%x2C): %s"
    return git(folder, "log", f"--format={form}", "HEAD", *more).splitlines()[:-1]


def test_a_commit_is_authored_by_the_actor_and_committed_by_the_person(workspace):
    change(workspace)

    assert log(workspace) == ["skill:koog, Test, skill:koog: [CREATE] memory/a.md — one more line"]


@pytest.mark.parametrize("seen", [True, False], ids=["with a state root", "without one"])
def test_what_a_person_left_uncommitted_in_a_file_is_committed_before_koogs_change_of_it(workspace, monkeypatch, seen):
    if not seen:
        monkeypatch.setenv("XDG_STATE_HOME", str(workspace.parent / "elsewhere"))
    change(workspace)
    with (workspace / "memory/a.md").open("a") as file:
        file.write("a person's\n")

    change(workspace)

    assert log(workspace)[:2] == [
        "skill:koog, Test, skill:koog: [EDIT] memory/a.md — one more line",
        "Test, Test, manual: [EDIT] memory/a.md — changed outside koog",
    ]
    assert git(workspace, "show", "HEAD~:memory/a.md") == "line\na person's"
    assert git(workspace, "status", "--porcelain") == ""


def test_a_note_that_a_person_had_not_committed_at_all_is_theirs(workspace):
    (workspace / "memory/a.md").write_text("a person's\n")

    change(workspace)

    assert [row.split(": ", 1)[1] for row in log(workspace)] == [
        "[EDIT] memory/a.md — one more line",
        "[CREATE] memory/a.md — changed outside koog",
    ]


def test_a_secret_that_a_person_left_is_committed_neither_as_theirs_nor_as_koogs(workspace):
    (workspace / "memory/a.md").write_text(f"{TOKENS['github'][0]}\n")

    run = change(workspace)

    assert git(workspace, "log", "--all", "-p", "--format=", "--", "memory/a.md") == ""
    assert warnings(run).count("looks like a secret") == 1


@pytest.mark.parametrize("seen", [True, False], ids=["with a state root", "without one"])
def test_koogs_own_waiting_work_is_no_persons(workspace, monkeypatch, seen):
    """`git.commit: tick` lets it wait, in several files and over several commands."""
    if not seen:
        monkeypatch.setenv("XDG_STATE_HOME", str(workspace.parent / "elsewhere"))
    monkeypatch.setenv("KOOG_GIT_COMMIT", "tick")
    change(workspace)
    change(workspace)
    (workspace / "memory/person.md").write_text("a person's\n")
    change(workspace, path="memory/b.md")

    Run(folder=str(workspace)).commits.sweep("heartbeat backup")

    assert [row.split(": ")[0] for row in log(workspace)] == ["skill:koog, Test, skill:koog", "Test, Test, manual"]
    assert committed(workspace) == ["memory/a.md", "memory/b.md", AUDIT]
    assert git(workspace, "show", "--format=", "--name-only", "HEAD~") == "memory/person.md"


def test_one_commit_is_made_of_nested_blocks(workspace):
    run = Run(folder=str(workspace))
    with run.one_commit():
        for path in ("memory/a.md", "memory/b.md"):
            with run.one_commit(), run.workspace.writing() as door:
                door.write(path, "line\n", summary="a line")

    assert len(log(workspace)) == 1


def test_a_file_above_what_koog_reads_is_not_committed_unseen(koog, workspace):
    with (workspace / "memory/large.md").open("wb") as file:
        file.truncate(64 * 1024 * 1024 + 1)

    line = koog("backup")[1]

    assert line["leftOut"] == ["memory/large.md"]
    assert "large.md" in " ".join(line["_meta"]["warnings"])
    assert git(workspace, "ls-files", "memory/large.md") == ""


@pytest.mark.parametrize("pointer", [True, False])
def test_a_push_that_would_leave_the_files_of_git_lfs_behind_is_refused(koog, workspace, tmp_path, kept, pointer):
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "remote.git")
    git(workspace, "remote", "add", "origin", str(tmp_path / "remote.git"))
    git(workspace, "push", "-q", "-u", "origin", "main")
    found = Git.find(workspace)
    allow(found, StateRoot(kept.name, kept), found.upstream())
    registered(workspace, git_push=True)
    (workspace / ".git/lfs").mkdir()
    text = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n" if pointer else "no pointer\n"
    (workspace / "memory/song.md").write_text(text)

    code, line = koog("backup")

    assert (code == 0) is not pointer
    if pointer:
        assert "git push origin" in line["error"]["hint"]
    assert (git(workspace, "rev-parse", "HEAD") == git(workspace, "rev-parse", "origin/main")) is not pointer


@pytest.fixture
def note(workspace):
    file = workspace / "memory/a.md"
    file.write_text("old\n")
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "a day")
    return file


def line(run: Run, text: str) -> None:
    with run.workspace.writing() as door:
        door.edit("memory/a.md", lambda present: f"{present}{text}\n", summary="a line")


def test_what_a_person_writes_into_a_file_after_a_ticks_step_is_not_committed_as_koogs(workspace, note):
    run = Run(folder=str(workspace))

    with run.one_commit():
        line(run, "koog's")
        note.write_text(note.read_text() + "a person's\n")

    assert git(workspace, "show", "HEAD:memory/a.md") == "old\nkoog's"
    assert note.read_text() == "old\nkoog's\na person's\n"
    assert git(workspace, "status", "--porcelain").split() == ["M", "memory/a.md"]


def test_what_a_person_writes_between_two_steps_of_a_tick_is_a_manual_commit_of_its_own(workspace, note):
    run = Run(folder=str(workspace))

    with run.one_commit():
        line(run, "koog's")
        note.write_text(note.read_text() + "a person's\n")
        line(run, "koog's again")

    shown = git(workspace, "log", "-3", "--reverse", "--format=%(trailers:key=Actor,valueonly)", "-p", "memory/a.md")
    told = [row for row in shown.splitlines() if row in ("skill:koog", "manual") or row.startswith(("+koog", "+a p"))]
    assert told == ["skill:koog", "+koog's", "manual", "+a person's", "skill:koog", "+koog's again"]
    assert git(workspace, "status", "--porcelain") == ""


def test_the_ledger_stays_koogs_own_when_its_old_lines_move_to_an_archive(workspace):
    usage = "memory/meta/usage.jsonl"
    run = Run(folder=str(workspace))
    run.workspace.ledger(usage, "one\n")
    with run.one_commit(), run.workspace.writing() as door:
        door.edit(usage, lambda text: text.replace("one\n", ""), summary="moved")
        door.append("memory/meta/usage-2026-01.jsonl", "one\n", summary="moved")
    run.workspace.ledger(usage, "two\n")

    with Run(folder=str(workspace)).workspace.writing() as door:
        door.append("memory/a.md", "a line\n", summary="a line")

    run.commits.sweep("what waits")
    assert "manual" not in git(workspace, "log", "--format=%(trailers:key=Actor,valueonly)")
    assert git(workspace, "status", "--porcelain") == ""


def test_an_audit_log_of_which_old_lines_have_moved_away_is_committed_whole(workspace):
    change(workspace)
    run = Run(folder=str(workspace))

    with run.one_commit(), run.workspace.writing() as door:
        door.edit(AUDIT, lambda _: "", summary="moved")

    assert git(workspace, "show", f"HEAD:{AUDIT}") == (workspace / AUDIT).read_text().rstrip("\n")
    assert git(workspace, "status", "--porcelain") == ""


def test_an_interval_holds_for_what_a_command_writes_together_and_a_sentence_tells_of_it(workspace, monkeypatch):
    change(workspace)
    monkeypatch.setenv("KOOG_GIT_COMMIT", "interval")
    before = head(workspace)
    when = Git.find(workspace).last_commit()
    line = "- Likes tea <!-- dc:source=ses_1:4 -->\n"

    for minutes, commits in ((10, 0), (31, 1)):
        run = Run(folder=str(workspace), trigger="koog extract raw/conversations/2026/02/16/1845-ses_1-tea.md")
        run.__dict__["now"] = when + timedelta(minutes=minutes)
        with run.one_commit():
            for name in ("ana", "bob"):
                with run.workspace.writing() as door:
                    path = f"knowledge/people/{name}.md"
                    door.edit(path, lambda text: (text or "# Head\n\n") + line, summary="1 line")
        assert len(git(workspace, "rev-list", f"{before}..HEAD").split()) == commits

    message = git(workspace, "log", "-1", "--format=%B")
    assert message.startswith(
        "[CREATE] knowledge/people/ana.md (+2) — gathered: 4 lines more in people/ana and people/bob"
    )
    assert message.splitlines()[-5:] == [
        "Approval: auto",
        "Trigger: koog extract raw/conversations/2026/02/16/1845-ses_1-tea.md",
        "Type: extract",
        "Session: raw/conversations/2026/02/16/1845-ses_1-tea.md",
        "Session: ses_1",
    ]


def test_what_is_to_be_taken_back_by_its_commit_is_committed_at_once(workspace, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_COMMIT", "interval")
    before = head(workspace)
    run = Run(folder=str(workspace), trigger="koog test")

    with run.one_commit(at_once=True), run.workspace.writing() as door:
        door.edit("memory/a.md", lambda text: text + "line\n", summary="one more line")

    assert git(workspace, "rev-list", f"{before}..HEAD").count("\n") == 0
    assert head(workspace) != before
