"""koog history: git as memory: when something was learned, where it is from, what was known, what has changed.  [autopoiesis §3.6]

Reads   git's history of the memory's files, these files, the transcripts; memory/meta/forgotten.jsonl
Writes  snapshot: a commit of what waits, and a tag; nothing else
Asks    nothing

Told is what the reader may be told today: what was forgotten does not come back by asking for the day before.
"""  # noqa: E501  the header's lines are the table's cells

from __future__ import annotations

from typing import Annotated, Any

import typer

from koog.audit import blame, history
from koog.audit.history import History
from koog.core import clock
from koog.core.clip import clip
from koog.core.errors import NotFound, UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.knowledge.past import learning, moments, places, snapshots, states, views
from koog.knowledge.past.learning import Event
from koog.knowledge.past.telling import Row, Telling

LEAST = 2  # characters of what is looked for
MOST_LINES, MOST_STANDING = 5, 5
LINE_CHARS, QUERY_CHARS = 300, 200
LACKING = "this clone lacks the beginning: what it begins with was learned then or before"
Text = Annotated[str, typer.Argument(metavar="TEXT", help="Its words; '-' reads stdin.")]
Offset = Annotated[int, typer.Option(min=0, help="Go on behind so many rows, as `next` says.")]
Only = Annotated[list[str] | None, typer.Option(metavar="PATH", help="Only this file or folder.")]


def when(ctx: typer.Context, text: Text, path: Only = None, offset: Offset = 0) -> Reply:
    """Say when something was learned, when it went again, and since when it is known."""
    run: Run = ctx.obj
    words = _words(text)
    with history.looked_at(run.commits.git) as past:
        telling = Telling(run)
        found = learning.events(past, telling, words, memory=run.workspace.memory)
        found = [each for each in found if not path or any(_is_in(p, path) for p, _ in each.rows)]
        touched = dict.fromkeys(p for each in found for p, _ in each.gained)
        here = dict.fromkeys([*touched, *(p for p in past.git.changed() if telling.covers(p))])
        stands = [row for row in places.standing(run, telling, here, words) if not path or _is_in(row[0], path)]
        whole = not past.is_shallow
    rows = [_event(each) for each in found]
    shown, more = states.paged(run, rows, offset)
    first = next((row for row in rows if row["change"] == learning.LEARNED), None)
    keys: dict[str, Any] = {
        "query": clip(words, QUERY_CHARS),
        "known": bool(stands),
        "since": _since(found) if stands else None,
        "first": first,
        "events": shown,
        "count": len(rows),
        **more,
        "stands": [_row(p, row) for p, row in stands[:MOST_STANDING]],
        "standsCount": len(stands),
        "whole": whole,
    }
    if not whole:
        run.warnings.append(LACKING)
    return _told(run, "when", keys)


def where(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="TEXT|FILE:LINE", help="A line's words, or where it stands.")],
    offset: Offset = 0,
) -> Reply:
    """Say where a line comes from: the commit, by whose leave, and what was said in the session it was taken from."""
    run: Run = ctx.obj
    words = _words(what)
    with history.looked_at(run.commits.git) as past:
        telling = Telling(run)
        parted = blame.PLACE.fullmatch(words)
        if parted and telling.covers(parted[1]) and run.workspace.exists(parted[1]):
            rows = telling.rows(parted[1], places.now(run, parted[1]), titles=True)
            found = [(parted[1], row) for row in rows if row.number == int(parted[2])]
        else:
            found = list(places.standing(run, telling, places.files(past, telling), words))
    if not found:
        raise NotFound("no line of the memory has these words now", hint="koog history when TEXT, koog search")
    told = [
        {**_row(p, row), "origin": places.origin(run, p, row.number), "heard": places.heard(run, row)}
        for p, row in found[offset : offset + MOST_LINES]
    ]
    more = states.following(run, len(found), offset + len(told))
    return _told(run, "where", {"query": clip(words, QUERY_CHARS), "lines": told, "count": len(found), **more})


def diff(
    ctx: typer.Context,
    since: Annotated[str, typer.Argument(metavar="FROM", help="A day, a time, 1w, a tag, a branch, a commit.")],
    until: Annotated[str, typer.Argument(metavar="[TO]", help="Likewise; default: the last commit.")] = moments.NOW,
    path: Only = None,
    offset: Offset = 0,
) -> Reply:
    """Say what has changed in what is known between two points: in words, line by line, and as a diff."""
    run: Run = ctx.obj
    with history.looked_at(run.commits.git) as past:
        begun, end = moments.point(run, past, since), moments.point(run, past, until)
        keys = states.between(run, past, begun, end, path, offset=offset)
        _warn_of_lacking(run, past, begun, end)
    _warn_of_waiting(run, until)
    return _told(run, "diff", keys)


def learned(
    ctx: typer.Context,
    since: Annotated[
        str | None, typer.Option(metavar="DAY|1w", help="From then on. Default: since the day began.")
    ] = None,
    path: Only = None,
    offset: Offset = 0,
) -> Reply:
    """Say what was learned today, or since a day."""
    run: Run = ctx.obj
    with history.looked_at(run.commits.git) as past:
        begun = _begun(run, past, since)
        end = moments.point(run, past, moments.NOW)
        keys = states.between(run, past, begun, end, path, gone=False, offset=offset)
        _warn_of_lacking(run, past, begun)
    _warn_of_waiting(run, moments.NOW)
    del keys["diff"]
    return _told(run, "learned", keys)


def show(
    ctx: typer.Context,
    then: Annotated[str, typer.Argument(metavar="WHEN", help="A day, a time, 1w, a tag, a branch, a commit.")],
    path: Annotated[
        str | None, typer.Argument(metavar="[PATH]", help="A file as it was; default: which there were.")
    ] = None,
    about: Annotated[str | None, typer.Option(metavar="TEXT", help="Only lines with all of these words.")] = None,
    offset: Offset = 0,
) -> Reply:
    """Say what was known at a point of the past: which files, one of them, or all lines about something."""
    run: Run = ctx.obj
    with history.looked_at(run.commits.git) as past:
        point = moments.point(run, past, then)
        _warn_of_lacking(run, past, point)
        keys = states.known(run, past, point, path=path, about=about, offset=offset)
    return _told(run, "show", keys)


def snapshot(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="What it is called; without: the tags that are due.")
    ] = None,
    before: Annotated[bool, typer.Option("--before", help="Before a major change: memory/before/NAME.")] = False,
    message: Annotated[str | None, typer.Option(metavar="TEXT", help="What it is for.")] = None,
) -> Reply:
    """Commit what waits and tag it as memory/milestone/NAME; without a name take the daily and weekly tags due."""
    run: Run = ctx.obj
    if name is None and (before or message is not None):
        raise UsageError("what is it called?", hint="koog history snapshot NAME --before")
    return Reply("koog.history.snapshot/1", **snapshots.taken(run, name, before=before, message=message))


# --- what is told


def _told(run: Run, word: str, keys: dict[str, Any]) -> Reply:
    reply = Reply(f"koog.history.{word}/1", **keys)
    if run.human:
        reply.view = getattr(views, word)(keys)
    return reply


def _words(text: str) -> str:
    words = " ".join(text_or_stdin(text, what="TEXT").split())
    if len(words) < LEAST:
        raise UsageError(f"{words!r} stands everywhere", hint="koog history when 'file-based memory'")
    return words


def _begun(run: Run, past: History, since: str | None) -> moments.Point:
    """Return the point before a day, or whatever else was named. Raises UsageError, NotFound."""
    day = run.today if since is None or since == moments.TODAY else since
    if clock.parse_day(day):
        moment = moments.begin_of(day, run.zone)
        return moments.Point(past.at(moment), day)
    return moments.point(run, past, day)


def _warn_of_lacking(run: Run, past: History, *points: moments.Point) -> None:
    """Say that a point lies before what this clone has, where it does: what was known then nobody can tell here."""
    if past.is_shallow and any(each.commit is None for each in points):
        run.warnings.append(LACKING)


def _warn_of_waiting(run: Run, until: str) -> None:
    """Say that what stands there now is not committed yet, where it is: git knows nothing of it."""
    git = run.commits.git
    telling = Telling(run)
    waiting = [path for path in git.changed() if telling.covers(path)] if git and until == moments.NOW else []
    if waiting:
        run.warnings.append(f"{len(waiting)} files are not committed yet, and not in this: koog backup")


def _since(found: list[Event]) -> str | None:
    """Return since when the words have stood somewhere without a break."""
    many, since = 0, None
    for each in found:
        before, many = many, many + len(each.gained) - len(each.lost)
        since = each.ts if before <= 0 < many else since
    return since


def _event(found: Event) -> dict[str, Any]:
    path, row = found.rows[0]
    return {
        "change": found.change,
        "ts": found.ts,
        "commit": found.made.sha[:12],
        **_row(path, row),
        "from": found.lost[0][0] if found.change == learning.MOVED else None,
        "lines": len(found.rows),
        "actor": found.made.actor,
        "session": found.made.session or None,
    }


def _row(path: str, row: Row) -> dict[str, Any]:
    told = {"path": path, "line": row.number, "section": row.section, "text": clip(row.text, LINE_CHARS)}
    return {**told, "source": row.source}


def _is_in(path: str, wanted: list[str]) -> bool:
    return states.is_in(path, wanted)
