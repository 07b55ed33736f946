"""doctor: whether git can take koog's commits, and what it holds that it should not.  [design §4 "Git"]"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from koog.core.files.workspace import PRIVATE
from koog.core.git import identity, outgoing, upstream
from koog.core.git.commit import missing
from koog.core.git.names import is_secret
from koog.core.git.process import redacted
from koog.core.git.repository import Git
from koog.core.run import Run
from koog.operate.finding import ERROR, INFO, WARN, Finding

STALE = timedelta(minutes=5)  # git holds an index.lock for the length of one command
BIG_FILES = 15_000
BIG_KIB = 1024 * 1024  # of packs
LOOSE = 10_000  # objects; git's own gc --auto begins at 6,700
UNPUSHED = 50  # commits: a day of ticks
LEAVE = {
    "merge": "git merge --continue, or git merge --abort",
    "rebase": "git rebase --continue, or git rebase --abort",
    "cherry-pick": "git cherry-pick --continue, or git cherry-pick --abort",
    "revert": "git revert --continue, or git revert --abort",
    "bisect": "git bisect reset",
    "detached": "git switch -c NAME, or git switch main",
}


def git(run: Run) -> Iterator[Finding]:
    """Look at the repository around the workspace."""
    found = run.commits.git
    if found is None:
        yield Finding(
            "git", WARN, "no git repository: nothing is committed, and nothing can be undone", command="git init"
        )
        return
    yield from _commits(run, found)
    yield from _local(run, found)
    yield from _remote(run, found)
    yield from _locks(found, run.now)
    yield from _ignored(run, found)
    names = found.tracked()
    yield from tracked(names)
    yield from size(len(names), _counted(found))


def _commits(run: Run, found: Git) -> Iterator[Finding]:
    off = run.settings.get("git.commit") == "off"
    if (why := found.hindrance()) and not off:
        command = next((how for word, how in LEAVE.items() if word in why), None)
        yield Finding("git", WARN, f"{why}: files are written, nothing is committed", command=command)
    if off:
        yield Finding("git", INFO, "git.commit is off: koog commits nothing")
    for name, value in missing(found.settings).items():
        command = f"git config --global user.{name} …"
        yield Finding("git", INFO, f"git knows no user.{name}: commits bear {value!r}", command=command)
    if conflicted := found.conflicted():
        message = f"{len(conflicted)} changed file(s) with a conflict that is not resolved"
        yield Finding(
            "git", ERROR, message, file=conflicted[0], command=f"git diff --check; git add {quoted(conflicted)}"
        )
    head = found.last_commit()
    if head and run.now_text is None and head > run.now + STALE:
        message = f"the last commit lies in the future: {head:%Y-%m-%dT%H:%MZ}"
        yield Finding("git", WARN, message, command="date -u; git log -3 --format='%h %cI %s'")


def _remote(run: Run, found: Git) -> Iterator[Finding]:
    remote = run.settings.get("git.remote")
    if remote not in upstream.remotes(found.own.local):
        level = WARN if run.settings.get("git.push") else INFO
        message = f"no remote named {remote!r}: the memory is on this disk alone"
        yield Finding("git", level, message, command=f"git remote add {remote} URL")
        return
    count = found.unpushed(remote)
    if count:
        level = WARN if count > UNPUSHED else INFO
        yield Finding("git", level, f"{count} commit(s) are not at {remote!r} yet", command="koog backup")


def _local(run: Run, found: Git) -> Iterator[Finding]:
    """Yield what the repository says of itself and koog does not follow."""
    local = found.own.local
    if not found.trusted and (ignored := local.ignored):
        keys = ", ".join(ignored[:5]) + (f" and {len(ignored) - 5} more" if len(ignored) > 5 else "")
        message = (
            f"koog ignores what the repository's own config says of {keys}: it could run a program, or lead elsewhere"
        )
        yield Finding(
            "git", INFO, message, file=str(found.place.common / "config"), command="git config --local --list"
        )
    to, known = found.upstream(), identity.recorded(run.state_root)
    if known and known.get("pushUrl") and to and to.url != known["pushUrl"]:
        message = f"the push address is another than the approved one: {redacted(to.url)}"
        yield Finding("git", WARN, message, command=outgoing.ALLOW)


def _locks(found: Git, now: datetime) -> Iterator[Finding]:
    """Yield git's own lock files that nobody seems to hold; a person removes them, who knows what runs."""
    branch = found.branch()
    names = ["HEAD.lock", "packed-refs.lock", *([f"refs/heads/{branch}.lock"] if branch else [])]
    shared = found.place.common
    places = [(found.git_dir / "index.lock", WARN), *((shared / name, ERROR) for name in names)]
    for path, level in places:
        age = _age(path, now)
        if age is not None and age > STALE:
            kind = "git add and git commit refuse to work" if level == WARN else "koog cannot commit"
            minutes = int(age.total_seconds() // 60)
            message = f"a lock of git's, {minutes} minutes old: {kind}; remove it when no git is running"
            yield Finding("git", level, message, file=str(path), command=f"pgrep -a git || rm {shlex.quote(str(path))}")


def _age(path: Path, now: datetime) -> timedelta | None:
    try:
        return now - datetime.fromtimestamp(path.lstat().st_mtime, UTC)
    except OSError:
        return None


def _ignored(run: Run, found: Git) -> Iterator[Finding]:
    root = run.workspace.root
    if found.top != root and found.ignores(root):
        message = f"the repository at {found.top} ignores the workspace: nothing is committed"
        yield Finding("git", WARN, message, command="git init")
    if not found.ignores(root / PRIVATE / "lock"):
        message = f"{PRIVATE}/ is not ignored: git status lists locks and caches"
        yield Finding("git", WARN, message, file=f"{PRIVATE}/.gitignore", command="koog doctor --fix", mend="ignore")


def tracked(names: Sequence[str]) -> Iterator[Finding]:
    """Yield the tracked files whose name says that they should not be: secrets, and koog's private folder."""
    if secrets := [n for n in names if is_secret(n)]:
        message = f"{len(secrets)} tracked file(s) with a secret's name: take them out, and renew what they hold"
        yield Finding("git", ERROR, message, file=secrets[0], command=f"git rm --cached -- {quoted(secrets)}")
    if private := [n for n in names if n.startswith(f"{PRIVATE}/") and n != f"{PRIVATE}/.gitignore"]:
        message = f"{len(private)} file(s) of {PRIVATE}/ are tracked: they change with every command"
        yield Finding("git", WARN, message, file=private[0], command=f"git rm -r --cached -- {PRIVATE}")


def size(files: int, counted: dict[str, int]) -> Iterator[Finding]:
    """Yield what makes git slow.

    counted   of `git count-objects -v`: count (loose objects), size-pack (KiB), garbage (files)
    """
    if files > BIG_FILES:
        message = f"{files} tracked files in the workspace: each commit reads the whole list"
        yield Finding("git", INFO, message, command="git ls-files | cut -d/ -f1 | sort | uniq -c")
    if counted.get("count", 0) > LOOSE:
        yield Finding("git", INFO, f"{counted['count']} loose objects", command="git gc")
    if counted.get("size-pack", 0) > BIG_KIB:
        gib = counted["size-pack"] / 1024 / 1024
        yield Finding("git", INFO, f"the history takes {gib:.1f} GiB", command="git gc; git count-objects -vH")
    if counted.get("garbage", 0):
        yield Finding("git", INFO, f"{counted['garbage']} file(s) of garbage in .git/objects", command="git gc")


def _counted(found: Git) -> dict[str, int]:
    said = found.counted()
    pairs = (line.partition(": ")[::2] for line in said.splitlines())
    return {name: int(value) for name, value in pairs if value.isdecimal()}


def quoted(names: Sequence[str], most: int = 5) -> str:
    """Return file names for a shell, at most so many."""
    more = " …" if len(names) > most else ""
    return " ".join(map(shlex.quote, names[:most])) + more
