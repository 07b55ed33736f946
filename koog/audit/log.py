"""koog audit log: what changed, who did it, by whose leave.  [moltbot §12.7]

Reads   memory/meta/audit.log and its months; the files that koog keeps, for what was changed outside
Writes  memory/meta/audit.log: a `manual` line for each file that was changed outside koog
Asks    nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, time
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.audit.notice import notice
from koog.core import clock
from koog.core.errors import UsageError
from koog.core.files import auditlog, globs, seal
from koog.core.files.auditlog import Entry
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.view import DIM, PLAIN, STRONG, WARN, Cell, Section
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.core.files.workspace import Workspace

MOST = 20
WINDOW = 1 << 17


class Needle(NamedTuple):
    """What a line must hold to be looked at. any_case: `data` is in lower case, the line may be in any."""

    data: bytes
    any_case: bool = True


class Wanted(NamedTuple):
    """Which entries are asked for; None where a field does not matter. since: YYYY-MM-DDTHH:MMZ."""

    since: str | None = None
    file: str | None = None
    actor: str | None = None
    action: str | None = None
    query: str | None = None

    @property
    def needle(self) -> Needle:
        """Return what every line has that is asked for: a file's or an actor's name as it is, else in any case."""
        exact = _longest(self.file or "", self.actor or "")
        return Needle(exact, any_case=False) if exact else Needle(_longest(self.query or "", self.action or "").lower())

    def takes(self, entry: Entry) -> bool:
        return (
            (self.since is None or entry.ts >= self.since)
            and (self.file is None or _fits(entry.file, self.file))
            and (self.actor is None or _fits(entry.actor, self.actor))
            and (self.action is None or entry.action.lower() == self.action.lower())
            and (self.query is None or self.query.casefold() in " | ".join(entry).casefold())
        )


def log(
    ctx: typer.Context,
    since: Annotated[str | None, typer.Option(metavar="ISO", help="From this day or moment on.")] = None,
    file: Annotated[str | None, typer.Option(metavar="PATH", help="Of this file; * and ** match.")] = None,
    actor: Annotated[str | None, typer.Option(metavar="NAME", help="By this actor: manual, reflection:*.")] = None,
    action: Annotated[str | None, typer.Option(metavar="WORD", help="Of this kind: EDIT, ARCHIVE, REVERT.")] = None,
    query: Annotated[str | None, typer.Option(metavar="TEXT", help="With these words or this id.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=500, help="The newest so many.")] = MOST,
) -> Reply:
    """Answer who changed what, why and by whose leave: the newest first."""
    run: Run = ctx.obj
    notice(run)
    if audience.current(run).is_nobody:
        return Reply("koog.audit.log/1", entries=[], more=False)
    if (alerts := seal.alerts(run.workspace)) and alerts[-1]["message"] not in run.warnings:
        run.warnings.append(alerts[-1]["message"])
    wanted = Wanted(_since(run, since), file, actor, action, query)
    found: list[Entry] = []
    more = False
    for entry in entries(run.workspace, wanted):
        if len(found) == limit:
            more = True
            break
        found.append(entry)
    reply = Reply("koog.audit.log/1", entries=[told(entry) for entry in found], more=more)
    if run.human:
        reply.view = _view(found, more=more)
    return reply


def entries(workspace: Workspace, wanted: Wanted) -> Iterator[Entry]:
    """Yield the entries that are asked for, newest first. Raises WorkspaceError."""
    needle = wanted.needle
    for path in reversed(auditlog.files(workspace)):
        month = path.rpartition("/")[2].removesuffix(".log")
        if wanted.since and auditlog.MONTH.fullmatch(month) and month < wanted.since[:7]:
            return
        data = workspace.files.read(path, limit=auditlog.LIMIT) or b""
        for line in _backwards(data, needle):
            entry = auditlog.parse(line.decode("utf-8", "surrogateescape"))
            if entry and wanted.takes(entry):
                yield entry


def told(entry: Entry) -> dict[str, Any]:
    """Return an entry as replies have it."""
    return {**entry._asdict(), "critical": entry.critical}


def _backwards(data: bytes, needle: Needle) -> Iterator[bytes]:
    """Yield the lines that hold what is looked for, the last one first."""
    for begin, end in _windows(data):
        window = data[begin:end]
        looked_at = window.lower() if needle.any_case and needle.data else window
        until = len(window)
        while until > 0:
            at = looked_at.rfind(needle.data, 0, until) if needle.data else until - 1
            if at < 0:
                break
            first = window.rfind(b"\n", 0, at) + 1
            stop = window.find(b"\n", at)
            if line := window[first : len(window) if stop < 0 else stop]:
                yield line
            until = first - 1


def _windows(data: bytes) -> Iterator[tuple[int, int]]:
    """Yield the whole lines of each so many bytes, from the end: what stays in the processor's own memory is quick."""
    end = len(data)
    while end > 0:
        begin = data.rfind(b"\n", 0, max(0, end - WINDOW)) + 1
        yield begin, end
        end = begin


def _fits(value: str, wanted: str) -> bool:
    return value == wanted or (("*" in wanted or "?" in wanted) and globs.fits(wanted, value))


def _longest(*patterns: str) -> bytes:
    return max((piece for each in patterns for piece in _pieces(each)), key=len).encode("utf-8", "surrogateescape")


def _pieces(text: str) -> list[str]:
    """Return the parts of a pattern that stand in a line as they are: ASCII, and nothing that is escaped there."""
    found, piece = list[str](), ""
    for char in text:
        if char in "*?[]{}|\\" or not char.isascii() or not char.isprintable():
            found.append(piece)
            piece = ""
        else:
            piece += char
    return [*found, piece]


def _since(run: Run, text: str | None) -> str | None:
    if text is None:
        return None
    day = clock.parse_day(text)
    moment = datetime.combine(day, time(), run.zone) if day else clock.parse(text)
    if moment is None:
        raise UsageError(f"--since {text}: no day or moment", hint="2026-11-20 or 2026-11-20T10:00Z")
    return clock.iso(moment)[:16] + "Z"


def _view(found: list[Entry], *, more: bool) -> list[Section]:
    """Return the entries day by day, each in two rows: what happened to which file; by whom, and why."""
    days = [
        Section(day, [row for entry in of_day for row in rows(entry)], whole=(0, 1))
        for day, of_day in groupby(found, key=lambda entry: entry.ts[:10])
    ]
    if not days:
        return [Section("", [[Cell("nothing", DIM)]])]
    return [*days, Section("", [[Cell("there is more: --limit N, --since DAY", DIM)]])] if more else days


def rows(entry: Entry, *, by_day: bool = True) -> list[list[Cell]]:
    """Return an entry as a person reads it.

    by_day   its day stands above; else it is one of one file's
    """
    tone = WARN if entry.critical or entry.action in ("ALERT", "UNSEALED") else PLAIN
    by = f"{entry.actor} ({entry.approval})"
    told = [entry.file, f"{by}: {entry.summary}"] if by_day else [by, entry.summary]
    when = entry.ts[11:16] if by_day else entry.ts
    return [
        [Cell(when, DIM), Cell(entry.action, STRONG), Cell(told[0], STRONG)],
        [Cell(""), Cell(""), Cell(told[1], tone)],
    ]
