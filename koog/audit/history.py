"""Git's history as `rollback` and `history` read it: commits, whose they are, and what each file was.  [moltbot §12.3]

One git for all commits and one for all contents, however many there are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from koog.core.errors import NotFound, Refused
from koog.core.git.repository import Git
from koog.core.named import NamedTuple
from koog.core.run import Run

HEX = re.compile(r"[0-9a-f]{7,64}")
NOTHING = re.compile(r"0+")
FORM = "--format=%H%x00%ct%x00%s%x00%B%x00"  # a message may hold any byte but this one
FIELDS = 4  # of FORM
RAW = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-show-signature", "--diff-merges=first-parent")
MANUAL = "manual"
ROLLBACK = "koog rollback"
TRAILERS = ("Actor: ", "Trigger: ", "Session: ")


class Touch(NamedTuple):
    """One file in one commit: the names of its contents before and after, None for no file."""

    path: str
    before: str | None
    after: str | None


class Made(NamedTuple):
    """One commit, newest first where there are several. actor: None for one that koog did not write."""

    sha: str
    seconds: int
    subject: str
    actor: str | None
    trigger: str
    touched: tuple[Touch, ...]
    session: str = ""

    @property
    def is_koogs(self) -> bool:
        """Return whether koog made it of its own accord: not what it found changed by others."""
        return self.actor is not None and (self.actor != MANUAL or self.is_rollback)

    @property
    def is_rollback(self) -> bool:
        return self.trigger.startswith(ROLLBACK)


class History:
    """What git has of the workspace, back from HEAD. Only inside of `opened`."""

    def __init__(self, git: Git, head: str) -> None:
        self.git, self.head = git, head

    def commits(self, *revisions: str, paths: Sequence[str] = ()) -> list[Made]:
        """Return commits with the files of the workspace that they touched, newest first. paths: only these files"""
        named = [f"{self.git.prefix}{path}" for path in paths]
        return self._parsed(*revisions, "--", *(named or [self.git.prefix or "."]))

    def commit(self, sha: str) -> Made:
        """Return one commit, also one that touches no file of the workspace."""
        return self._parsed("-1", sha, "--")[0]

    def _parsed(self, *words: str) -> list[Made]:
        said = self.git.ask("log", "--first-parent", *RAW, FORM, *words).decode("utf-8", "surrogateescape")
        fields, found, at = said.split("\0"), list[Made](), 0
        while at + FIELDS <= len(fields):
            sha, seconds, subject, body = fields[at : at + FIELDS]
            at += FIELDS
            rows = list[str]()
            # What follows is the changes, each with its path, or the next commit's name.
            while at < len(fields) and (not fields[at].strip("\n") or fields[at].lstrip("\n").startswith(":")):
                is_change = bool(fields[at].strip("\n"))
                rows += fields[at : at + 2] if is_change else []
                at += 2 if is_change else 1
            told = dict(line.split(": ", 1) for line in body.splitlines() if line.startswith(TRAILERS))
            touched = tuple(self._touched(rows))
            trailers = (told.get("Actor"), told.get("Trigger", ""))
            found.append(Made(sha.strip("\n"), int(seconds), subject, *trailers, touched, told.get("Session", "")))
        return found

    def _touched(self, rows: Sequence[str]) -> Iterator[Touch]:
        for meta, path in zip(rows[::2], rows[1::2], strict=False):
            _, mode, before, after, _ = meta.lstrip("\n").split(" ", 4)
            if mode in ("120000", "160000") or not path.startswith(self.git.prefix):
                continue  # a link or another repository is no file of koog's
            yield Touch(self.git.shown(path), _name(before), _name(after))

    def between(self, old: str | None, new: str) -> list[Touch]:
        """Return the files that two commits have differently. old: None for nothing at all"""
        if old is None:
            return [Touch(path, None, name) for path, name in self.files(new).items()]
        words = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", old, new)
        said = self.git.ask(*words, "--", self.git.prefix or ".")
        return list(self._touched(said.decode("utf-8", "surrogateescape").split("\0")[:-1]))

    def counting(self, pattern: str, *places: str) -> list[Made]:
        """Return the commits in which a file got more or fewer places that fit a pattern (POSIX), newest first.

        places   of the repository: git's own words for them
        """
        said = ("--pickaxe-regex", "--regexp-ignore-case", f"-S{pattern}")
        return self._parsed(*said, self.head, "--", *places)

    @property
    def is_shallow(self) -> bool:
        """Return whether this clone lacks the beginning."""
        return bool(self.git.own.place.read("shallow"))

    def found(self, words: str) -> str | None:
        """Return a commit of HEAD's history by (the beginning of) its name, None for none."""
        if not HEX.fullmatch(words):
            return None
        said = self.git.ask("rev-list", "--first-parent", self.head).decode().split()
        hits = [sha for sha in said if sha.startswith(words)]
        return hits[0] if len(hits) == 1 else None

    def at(self, moment: datetime) -> str | None:
        """Return the last commit that was made before a moment, None for none.

        Where a clock went back, or ran ahead, the commits whose dates rise one after the other count.
        """
        said = self.git.ask("rev-list", "--first-parent", "--reverse", "--timestamp", self.head).decode().splitlines()
        made = [(int(seconds), sha) for seconds, sha in map(str.split, said)]
        before = [at for at in rising([seconds for seconds, _ in made]) if made[at][0] <= int(moment.timestamp())]
        return made[before[-1]][1] if before else None

    def files(self, commit: str) -> dict[str, str]:
        """Return path → the name of its content, of the workspace's files in a commit."""
        place = self.git.prefix or "."
        said = self.git.ask("ls-tree", "-r", "-z", "--full-tree", commit, *([place] if self.git.prefix else []))
        rows = (row.split("\t", 1) for row in said.decode("utf-8", "surrogateescape").split("\0") if row)
        return {self.git.shown(path): meta.split()[2] for meta, path in rows if meta.split()[0] in ("100644", "100755")}

    def content(self, name: str | None) -> bytes | None:
        """Return a content by its name; None for no file. Raises Refused for one that this clone lacks."""
        if name is None:
            return None
        data = self.git.objects.get(name, "blob")
        if data is None:
            raise Refused("this clone has not all of its history", hint="git fetch --unshallow")
        return data

    def ticks(self, tick_id: str, folder: str) -> list[Made]:
        """Return the commits that brought a tick's line into the log."""
        return self._parsed(f"-S{tick_id}", self.head, "--", f"{self.git.prefix}{folder}")


def rising(numbers: Sequence[int]) -> list[int]:
    """Return the places of the longest row of numbers of which none is less than the one before it.

    >>> rising([1, 2, 9, 3, 4, 0, 5])
    [0, 1, 3, 4, 6]
    """
    ends, tails, before = list[int](), list[int](), list[int]()  # the least last number of a row of each length
    for place, number in enumerate(numbers):
        length = bisect_right(ends, number)
        before.append(tails[length - 1] if length else -1)
        ends[length : length + 1], tails[length : length + 1] = [number], [place]
    found, at = list[int](), tails[-1] if tails else -1
    while at >= 0:
        found.append(at)
        at = before[at]
    return found[::-1]


@contextmanager
def opened(run: Run) -> Iterator[History]:
    """Open the workspace's history. Raises Refused where there is none that koog may build upon."""
    git = run.commits.git
    if git is None:
        raise Refused("there is no git repository, so nothing can be taken back", hint="koog init makes one")
    if why := git.hindrance():
        raise Refused(f"nothing is taken back: {why}", hint="finish it, or go back to a branch")
    with looked_at(git) as past:
        yield past


@contextmanager
def looked_at(git: Git | None) -> Iterator[History]:
    """Open a history to be read, whatever is under way. Raises Refused without one, NotFound for an empty one."""
    if git is None:
        raise Refused("there is no git repository, so nothing is known of the past", hint="koog init makes one")
    head = git.head()
    if head is None:
        raise NotFound("there is no commit yet")
    with git.reading():
        yield History(git, head)


def _name(sha: str) -> str | None:
    return None if NOTHING.fullmatch(sha) else sha
