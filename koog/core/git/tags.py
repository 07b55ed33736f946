"""Tags of the memory: what it was at the end of a day, of a week, at a milestone, before a step.  [autopoiesis §3.4]

    memory/daily/2026-02-16      the last commit of a day on which something changed
    memory/weekly/2026-W07       likewise of a week, which ends on Sunday at 23:59
    memory/milestone/NAME        a person's
    memory/before/EVENT          taken before a step that changes much
    memory/extract/NAME          what a reconstruction has made

A day's tag is taken when the day is over, by whatever runs next: a machine that slept takes those that it missed, and
taken twice they are the same. A tag is never moved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.errors import Busy, Refused, UsageError, WorkspaceError
from koog.core.git.commit import person
from koog.core.git.fenced import Locked
from koog.core.git.refs import Moved, is_safe

if TYPE_CHECKING:
    from koog.core.git.repository import Git

ROOT = "refs/tags/memory/"
TIMED = r"\d{4}-(?:\d\d-\d\d|W\d\d)"
BACK = timedelta(days=9)  # a week and what zones differ by: before it everything is tagged
DAILY, WEEKLY, MILESTONE, BEFORE, EXTRACT = "daily", "weekly", "milestone", "before", "extract"


def day_of(day: date) -> str:
    return day.isoformat()


def week_of(day: date) -> str:
    """Return a day's week.

    >>> week_of(date(2026, 2, 15)), week_of(date(2027, 1, 1))
    ('2026-W07', '2026-W53')
    """
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def named(kind: str, name: str) -> str:
    """Return a tag's ref. Raises UsageError for what git would not take, or a path cannot hold."""
    ref = f"{ROOT}{kind}/{name}"
    if not re.fullmatch(r"[^\W_][\w.+-]{0,79}", name) or not is_safe(ref):
        raise UsageError(f"{name!r} is no name of a tag", hint="letters, digits, and - . _ + between them")
    return ref


def put(git: Git, ref: str, commit: str, *, message: str = "", when: datetime) -> bool:
    """Let a tag name a commit; return whether it is new. With a message it is an object of its own, with a date.

    Raises Refused for one that names another commit already, WorkspaceError, Busy.
    """
    with git.alone(), git.reading():
        known = git.refs.resolve(ref)
        if known is not None:
            if commit != _peeled(git, known):
                short = ref.removeprefix("refs/tags/")
                raise Refused(f"{short} is there already, and names another commit", hint="another name")
            return False
        who = person(git.settings, "committer")
        target = git.objects.add("tag", _object(ref, commit, message, str(who), when)) if message else commit
        git.objects.save()
        try:
            git.refs.move(ref, target, None, who=str(who), why="tag")
        except (Moved, Locked) as e:
            raise WorkspaceError(f"the tag was not made: {e}", hint="again") from None
    return True


def before(git: Git | None, event: str, *, when: datetime, what: str) -> str | None:
    """Tag where HEAD is before a step that changes much; return the tag, None without a commit or a repository.

    One of that name is there already: then it is numbered, so that each step has its own.
    """
    head = git.head() if git and not git.hindrance() else None
    if git is None or head is None:
        return None
    known = git.refs.names(f"{ROOT}{BEFORE}/")
    name = next(each for each in (event, *(f"{event}-{n}" for n in range(2, 10_000))) if each not in known)
    put(git, named(BEFORE, name), head, message=what, when=when)
    return f"memory/{BEFORE}/{name}"


def due(git: Git, *, now: datetime, zone: tzinfo) -> dict[str, str]:
    """Return ref → commit of the daily and weekly tags that are to be taken; where none was taken yet, of the last."""
    head = git.head()
    if head is None:
        return {}
    today = now.astimezone(zone).date()
    # A tag that somebody called otherwise is no day, and comes after none. Nor does one of a day that is not over:
    # somebody took it himself, or a clock that was wrong.
    known = {
        kind: {name for name in git.refs.names(f"{ROOT}{kind}/") if re.fullmatch(TIMED, name) and name < of(today)}
        for kind, of in ((DAILY, day_of), (WEEKLY, week_of))
    }
    last = clock.parse_day(max(known[DAILY], default=""))
    begin = last - BACK if last and last.year > 1 else None
    said = git.ask("rev-list", "--first-parent", "--timestamp", head, *_behind(git, known, begin), "--")
    made = [(_day(int(seconds), zone), sha) for seconds, sha in map(str.split, said.decode().splitlines())]
    over: dict[str, dict[str, str]] = {DAILY: {}, WEEKLY: {}}
    for day, sha in made:
        if day < today:
            over[DAILY].setdefault(day_of(day), sha)
        if week_of(day) < week_of(today):
            over[WEEKLY].setdefault(week_of(day), sha)
    since = {DAILY: day_of(begin), WEEKLY: week_of(begin)} if begin else {DAILY: "", WEEKLY: ""}
    return {
        ref: sha
        for kind, found in over.items()
        for ref, sha in _new(git, kind, found, known[kind], since[kind]).items()
    }


def _behind(git: Git, known: Mapping[str, Collection[str]], begin: date | None) -> list[str]:
    """Return what git is to leave out: what the last tag before some day has. By its date alone a commit would hide
    those before it, where a clock went back.
    """
    before = max((name for name in known[DAILY] if begin and name <= day_of(begin)), default="")
    sha = git.refs.resolve(named(DAILY, before)) if before and known[WEEKLY] else None
    return [f"^{sha}"] if sha else []


def _new(git: Git, kind: str, last: Mapping[str, str], known: Collection[str], since: str) -> dict[str, str]:
    """Return the tags that there are not yet. since: where the days begin that may have been missed"""
    begin = max(min(known), since) if known else max(last, default="")
    wanted = {named(kind, name): sha for name, sha in sorted(last.items()) if name >= begin}
    return {ref: sha for ref, sha in wanted.items() if git.refs.resolve(ref) is None}


def keep(git: Git | None, *, now: datetime, zone: tzinfo, warn: Callable[[str], None]) -> list[str]:
    """Take the tags that are due; return their names. What is in the way is a warning."""
    if git is None or git.hindrance():
        return []
    taken = []
    try:
        found = due(git, now=now, zone=zone)
    except (WorkspaceError, Busy) as e:
        warn(f"not tagged: {e.message}")
        return []
    for ref, commit in found.items():
        try:
            if put(git, ref, commit, when=now):
                taken.append(ref.removeprefix("refs/tags/"))
        except (WorkspaceError, Refused, Busy) as e:
            warn(f"not tagged: {e.message}")
    return taken


def _object(ref: str, commit: str, message: str, who: str, when: datetime) -> bytes:
    date = f"{int(when.timestamp())} {when.strftime('%z')[:5]}"
    head = f"object {commit}\ntype commit\ntag {ref.removeprefix('refs/tags/')}\ntagger {who} {date}\n\n"
    return (head + message.replace("\0", "").strip("\n") + "\n").encode(errors="replace")


def _peeled(git: Git, name: str) -> str | None:
    data = git.objects.get(f"{name}^{{commit}}", "commit")
    return git.objects.name("commit", data) if data is not None else None


def _day(seconds: int, zone: tzinfo) -> date:
    return clock.of_epoch(seconds).astimezone(zone).date()
