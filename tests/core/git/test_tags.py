"""Tags of the memory, taken when they are due, late or twice; and branches of exploration that go after a week."""

from __future__ import annotations

import os
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from koog.audit import history
from koog.core.errors import Refused, UsageError
from koog.core.git import explored, tags
from koog.core.git.refs import Moved
from koog.core.git.repository import Git
from tests.conftest import Koog, git, registered

MONDAY = datetime(2026, 2, 16, 9, tzinfo=UTC)


def committed(folder: Path, when: datetime, *, name: str = "T", message: str = "x") -> str:
    date = f"{int(when.timestamp())} +0000"
    env = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    author = f"--author={name} <{'koog@localhost' if name == 'koog' else 't@example.invalid'}>"
    words = ["git", "-C", str(folder), "commit", "-q", "--allow-empty", author, "-m", message]
    subprocess.run(words, check=True, env=env)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def days(workspace: Path) -> tuple[Path, dict[str, str]]:
    """A repository with commits on some days, the template's own out of the way."""
    git(workspace, "checkout", "-q", "--orphan", "fresh")
    made = {}
    for n, hour in ((0, 0), (0, 5), (1, 0), (6, 14), (9, 0)):
        made[(MONDAY + timedelta(days=n)).date().isoformat()] = committed(
            workspace, MONDAY + timedelta(days=n, hours=hour)
        )
    return workspace, made


def due(folder: Path, now: datetime, zone: object = UTC) -> dict[str, str]:
    found = Git.find(folder)
    assert found
    return {ref.removeprefix(tags.ROOT): sha for ref, sha in tags.due(found, now=now, zone=zone).items()}  # type: ignore[arg-type]


def kept(folder: Path, now: datetime) -> list[str]:
    warnings: list[str] = []
    taken = tags.keep(Git.find(folder), now=now, zone=UTC, warn=warnings.append)
    assert warnings == []
    return taken


def test_a_day_is_tagged_when_it_is_over_and_late_is_as_on_time(days):
    folder, made = days
    assert due(folder, MONDAY + timedelta(days=9, hours=5)) == {
        "daily/2026-02-22": made["2026-02-22"],
        "weekly/2026-W08": made["2026-02-22"],
    }
    assert kept(folder, MONDAY + timedelta(days=1, hours=1)) != []
    git(folder, "tag", "-d", *git(folder, "tag", "--list", "memory/*").split())
    git(folder, "tag", "memory/daily/2026-02-16", made["2026-02-16"])
    git(folder, "tag", "memory/daily/zero", made["2026-02-16"])

    taken = kept(folder, MONDAY + timedelta(days=30))

    assert taken == [
        "memory/daily/2026-02-17", "memory/daily/2026-02-22", "memory/daily/2026-02-25", "memory/weekly/2026-W09",
    ]  # fmt: skip
    assert kept(folder, MONDAY + timedelta(days=30)) == []
    assert git(folder, "rev-parse", "memory/daily/2026-02-22") == made["2026-02-22"]
    assert not (folder / ".git/logs/refs/tags").exists()  # as git itself has none


def test_a_clock_that_ran_ahead_stops_no_tag_of_the_days_that_follow(days):
    folder, _ = days
    committed(folder, datetime(2030, 1, 1, tzinfo=UTC))
    assert "memory/daily/2030-01-01" in kept(folder, datetime(2030, 1, 9, tzinfo=UTC))
    later = committed(folder, MONDAY + timedelta(days=40))

    assert due(folder, MONDAY + timedelta(days=41))["daily/2026-03-28"] == later


def test_a_clock_that_went_back_hides_no_day_before_it(days):
    folder, made = days
    kept(folder, MONDAY + timedelta(days=8))
    late = committed(folder, MONDAY + timedelta(days=10))
    for _ in range(2):
        committed(folder, datetime(2020, 1, 2, tzinfo=UTC))
    last = committed(folder, MONDAY + timedelta(days=12))
    found = Git.find(folder)

    assert due(folder, MONDAY + timedelta(days=13)) == {
        "daily/2026-02-25": made["2026-02-25"], "daily/2026-02-26": late, "daily/2026-02-28": last,
    }  # fmt: skip
    with history.looked_at(found) as past:
        known = [past.at(MONDAY + timedelta(days=n)) for n in (-1, 3, 11, 13)]
    assert known == [None, made["2026-02-17"], late, last]


def test_a_tag_by_hand_hides_no_day_that_was_missed(days):
    folder, made = days
    kept(folder, MONDAY + timedelta(days=1, hours=1))
    git(folder, "tag", "memory/daily/2026-02-25", made["2026-02-25"])
    (folder / ".git/refs/tags/memory/daily/2026-02-17/x").mkdir(parents=True)
    git(folder, "tag", "memory/daily/2026-02-22/mine", made["2026-02-22"])

    assert "daily/2026-02-17" in due(folder, MONDAY + timedelta(days=9, hours=5))
    warnings: list[str] = []
    tags.keep(Git.find(folder), now=MONDAY + timedelta(days=10), zone=UTC, warn=warnings.append)
    assert "memory/weekly/2026-W08" in git(folder, "tag", "--list") and len(warnings) == 2


def test_the_day_is_the_users(days):
    folder, _ = days
    now = MONDAY + timedelta(days=9, hours=14)  # noon of the next day there
    assert "daily/2026-02-25" in due(folder, now, ZoneInfo("Pacific/Auckland"))
    assert "daily/2026-02-25" not in due(folder, now)


def test_a_tag_is_never_moved_and_a_name_is_a_name(days):
    folder, made = days
    found = Git.find(folder)
    assert found
    first, last = made["2026-02-16"], made["2026-02-25"]
    ref = tags.named(tags.MILESTONE, "launch")

    assert tags.put(found, ref, first, message="The launch", when=MONDAY)
    assert not tags.put(found, ref, first, message="The launch", when=MONDAY)
    with pytest.raises(Refused):
        tags.put(found, ref, last, when=MONDAY)
    assert git(folder, "for-each-ref", "--format=%(objecttype) %(contents:subject)", ref) == "tag The launch"
    assert git(folder, "fsck", "--strict") == ""
    names = [tags.before(found, "rewrite", when=MONDAY, what="x") for _ in range(2)]
    assert names == ["memory/before/rewrite", "memory/before/rewrite-2"]
    for wrong in ("", "../x", "a b", "x.lock", "-x", "a/b", "x" * 90):
        with pytest.raises(UsageError):
            tags.named(tags.BEFORE, wrong)


def test_a_packed_ref_is_removed_with_the_line_below_it_and_others_stay(days):
    folder, made = days
    git(folder, "tag", "-a", "memory/before/a", "-m", "a")
    git(folder, "branch", "explore/x", made["2026-02-16"])
    git(folder, "pack-refs", "--all")
    found = Git.find(folder)
    assert found

    with found.alone(), pytest.raises(Moved):
        found.refs.remove("refs/heads/explore/x", made["2026-02-25"])
    with found.alone():
        found.refs.remove("refs/heads/explore/x", made["2026-02-16"])

    assert git(folder, "branch", "--list", "explore/*") == ""
    assert git(folder, "rev-parse", "memory/before/a^{commit}") == made["2026-02-25"]
    assert git(folder, "fsck") == ""


def test_exploration_goes_after_a_week_and_a_persons_work_never(days):
    folder, _ = days
    old, now = MONDAY - timedelta(days=1), MONDAY + timedelta(days=20)
    env = {**os.environ, "GIT_COMMITTER_DATE": f"{int(old.timestamp())} +0000"}
    for name, start in (
        ("merged", "fresh"),
        ("koogs", "fresh"),
        ("mine", "fresh"),
        ("amended", "fresh"),
        ("swept", "fresh"),
        ("asked", "fresh"),
        ("noticed", "fresh"),
        ("talked", "fresh"),
        ("approved", "fresh"),
        ("out", "fresh"),
    ):
        subprocess.run(["git", "-C", str(folder), "branch", f"explore/{name}", start], check=True, env=env)
    git(folder, "branch", "explore/young")
    for name, author, message in (
        ("koogs", "koog", "[EDIT] x — y\n\nActor: skill:koog\nApproval: auto\nTrigger: koog test"),
        ("swept", "koog", "[EDIT] x — y\n\nActor: manual\nApproval: auto\nTrigger: koog test"),
        ("asked", "koog", "[APPEND] x — y\n\nActor: bot:trigger-remember\nApproval: auto\nTrigger: koog remember"),
        ("noticed", "koog", "[APPEND] x — y\n\nActor: bot:auto-detect\nApproval: auto\nTrigger: koog remember"),
        ("talked", "koog", "[APPEND] x — y\n\nActor: skill:koog\nApproval: auto\nTrigger: koog transcript end"),
        ("approved", "koog", "[EDIT] x — y\n\nActor: reflection:1\nApproval: approved\nTrigger: koog approve 1"),
        ("amended", "koog", "[EDIT] x — y\n\nActor: skill:koog\nApproval: auto\nTrigger: koog test"),
        ("mine", "T", "x"),
    ):
        git(folder, "symbolic-ref", "HEAD", f"refs/heads/explore/{name}")
        if name == "talked":
            (folder / "raw/conversations/2026").mkdir(parents=True)
            (folder / "raw/conversations/2026/a.md").write_text("## 12:00 — user\n\nPlease decide for Postgres 16\n")
            git(folder, "add", "-f", "raw/conversations/2026/a.md")
        committed(folder, old, name=author, message=message)
        if name == "talked":
            git(folder, "rm", "-q", "--cached", "raw/conversations/2026/a.md")
        if name == "amended":
            later = {**os.environ, "GIT_COMMITTER_DATE": f"{int(old.timestamp()) + 60} +0000"}
            words = ["git", "-C", str(folder), "commit", "-q", "--amend", "--no-edit", "--allow-empty"]
            subprocess.run(words, check=True, env=later)
    git(folder, "symbolic-ref", "HEAD", "refs/heads/fresh")
    for log in (folder / ".git/logs/refs/heads/explore").iterdir():
        if log.name != "young":
            log.unlink()
    git(folder, "worktree", "add", "-q", str(folder.parent / "wt"), "explore/out")
    (folder / ".git/refs/heads/explore/broken").write_text("x\n")

    gone = explored.prune(Git.find(folder), now=now, warn=lambda _: None)
    (folder / ".git/refs/heads/explore/broken").unlink()
    left = git(folder, "branch", "--format=%(refname:short)", "--list", "explore/*").split()

    assert sorted(each.branch for each in gone) == ["explore/koogs", "explore/merged"]
    theirs = ["amended", "approved", "asked", "mine", "noticed", "out", "swept", "talked", "young"]
    assert left == [f"explore/{name}" for name in theirs]


def test_a_backup_takes_what_is_due_and_a_snapshot_is_a_milestone(koog: Koog, workspace):
    registered(workspace)
    committed(workspace, datetime(2027, 1, 4, tzinfo=UTC))
    koog("--now", "2027-01-05T10:00:00Z", "backup")
    assert git(workspace, "tag", "--list").splitlines()[0] == "memory/daily/2027-01-04"

    code, line = koog("--now", "2027-01-05T10:00:00Z", "history", "snapshot", "launch", "--message", "We are live")
    assert (code, line["taken"], line["changed"]) == (0, ["memory/milestone/launch"], True)
    assert koog("--now", "2027-01-05T11:00:00Z", "history", "snapshot", "launch")[1]["changed"] is False
    before = koog("--now", "2027-01-05T10:00:00Z", "--dry-run", "history", "snapshot", "x", "--before")[1]
    assert (before["taken"], before["changed"]) == (["memory/before/x"], False)
    assert git(workspace, "tag", "--list", "memory/before/*") == ""
    due = koog("--now", "2027-01-12T10:00:00Z", "history", "snapshot")[1]["taken"]
    assert "memory/weekly/2027-W01" in due
