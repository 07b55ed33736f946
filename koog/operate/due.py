"""What waits, since when, and the command that does it. Arithmetic on what status.py has read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Any

from koog.consolidate.triggers import Standing
from koog.core import clock, proposal_form
from koog.core import proposals as waiting
from koog.heartbeat import stale
from koog.heartbeat.reading import Unread
from koog.operate import ledger, words
from koog.operate.finding import edit
from koog.operate.repository import Repository
from koog.playbook import document, item

USUAL = timedelta(minutes=30)
GAPS = 20  # of the newest ticks, for the usual interval
LONG = timedelta(days=7)
TEXT_CHARS = 80

Rows = list[dict[str, Any]]


def interval(moments: Sequence[datetime]) -> timedelta:
    """Return the usual time between two ticks: the median of the newest gaps, never under 30 minutes.

    moments   of the ticks, newest first; a burst by hand is no schedule
    """
    newest = moments[: GAPS + 1]
    gaps = sorted(later - earlier for later, earlier in pairwise(newest))
    return max(USUAL, gaps[len(gaps) // 2]) if gaps else USUAL


def tick(last: datetime | None, usual: timedelta, *, now: datetime) -> Rows:
    """Return the tick that is due: none ever ran, or the last one is older than two usual intervals."""
    if last is None:
        return [_row("tick", None, "no tick has run yet", "koog tick")]
    if now - last <= 2 * usual:
        return []
    every = int(usual.total_seconds() // 60)
    return [_row("tick", last + usual, f"overdue: usually one every {every} min", "koog tick")]


def notes(waiting: Sequence[Unread], *, zone: tzinfo) -> Rows:
    """Return the notes with something that was not mined."""
    if not waiting:
        return []
    oldest = min(waiting, key=lambda u: u.date)
    detail = f"{words.count(len(waiting), 'note')} not mined, the oldest {oldest.path}"
    return [_row("notes", _midnight(oldest.date, zone), detail, "koog mine")]


def findings(pending: Sequence[dict[str, Any]], *, zone: tzinfo) -> Rows:
    """Return what was mined and not curated; a finding waits since the day of its note at the earliest."""
    if not pending:
        return []
    lists = [row["evidence"] for row in pending if isinstance(row.get("evidence"), list)]
    rows = [r for rows in lists for r in rows if isinstance(r, dict)]
    moments = [m for r in rows if (m := _midnight(r.get("date"), zone))]
    detail = f"{words.count(len(rows), 'finding')} of {words.count(len(pending), 'run')} of mine not curated"
    return [_row("findings", min(moments, default=None), detail, "koog curate")]


def items(playbook: str, *, now: datetime) -> Rows:
    """Return the playbook's open problems: those over 7 days, and the others over 48 hours.  [sinain §4.6]"""
    open_since = []
    for line in document.parse(playbook).body:
        found = item.parse(line)
        since = _midnight(found.since, now.tzinfo) if found and not found.deferred else None
        if found and since and now - since >= stale.STALE_AFTER:
            open_since.append((since, found.text))
    long = [i for i in open_since if now - i[0] > LONG]
    short = [i for i in open_since if now - i[0] <= LONG]
    return [*_items(long, "over 7 days"), *_items(short, "over 48 hours")]


def transcripts(found: dict[str, Any] | None) -> Rows:
    """Return the transcripts whose sessions never ended: nobody has said anything in them for hours."""
    if not found or not found["silent"]:
        return []
    detail = f"{words.count(found['silent'], 'transcript')} open, and nothing said for hours"
    return [_row("transcripts", clock.parse(found["openSince"]), detail, "koog transcript end --stale")]


def extraction(found: dict[str, Any] | None) -> Rows:
    """Return the transcripts of which nothing, or not all, stands in the knowledge files yet."""
    if not found or not found["waiting"]:
        return []
    detail = f"{words.count(found['waiting'], 'transcript')} not extracted"
    return [_row("extraction", clock.parse(found["waitingSince"]), detail, "koog extract")]


def condensing(found: Rows) -> Rows:
    """Return the weeks and months that are over and were not made, or not of what their days say now."""
    waiting = next((each["due"] for each in found if each["stage"] == "condensed"), 0)
    if not waiting:
        return []
    detail = f"{words.count(waiting, 'file')} of weeks and months to make"
    return [_row("condensing", None, detail, "koog condense monthly")]


def pruning(lines: int, files: int) -> Rows:
    """Return what is to be put away: lines of MEMORY.md over its caps, days and files that are too old."""
    if not (lines or files):
        return []
    many = [words.count(n, what) for n, what in ((lines, "line"), (files, "file")) if n]
    return [_row("pruning", None, f"{' and '.join(many)} to put away", "koog prune")]


def tags(many: int) -> Rows:
    """Return the daily and weekly tags that were not taken."""
    return [_row("tags", None, f"{words.count(many, 'tag')} to take", "koog history snapshot")] if many else []


def reflection(found: Standing | None, by: str | None) -> Rows:
    """Return the reflection that waits for a person's word, or the one that is due. by: what it is due by"""
    if found and found.waiting:
        detail = f"{found.waiting} waits for your word"
        return [_row("reflection", found.since, detail, "koog --human consolidate show")]
    if found and by:
        detail = f"{by}: {words.count(found.unread, 'episode')} since the last one"
        return [_row("reflection", found.last, detail, "koog consolidate run")]
    return []


def proposals(text: str) -> Rows:
    """Return the proposals that wait for somebody to review them."""
    waits = [each for each in waiting.settled(text).entries if each.is_waiting]
    if not waits:
        return []
    since = min((m for each in waits if (m := clock.parse(each.value(proposal_form.TIMESTAMP)))), default=None)
    detail, _, command = waiting.told(waits).rpartition(": ")
    return [_row("proposals", since, detail, command)]


def repository(found: Repository | None) -> Rows:
    """Return the files that wait for a commit and the commits that wait for a push."""
    rows: Rows = []
    if found and found.uncommitted and not found.resting:
        detail = f"{words.count(found.uncommitted, 'file')} not committed"
        detail += f": {found.hindrance}" if found.hindrance else ""
        rows.append(_row("uncommitted", found.changed, detail, "git status" if found.hindrance else "koog backup"))
    if found and found.kept_out:
        detail = f"{words.count(len(found.kept_out), 'file')} out of git for what looks like a secret"
        rows.append(_row("secrets", None, f"{detail}: {', '.join(found.kept_out[:3])}", edit(found.kept_out[0])))
    if found and found.unpushed:
        detail = f"{words.count(found.unpushed, 'commit')} not pushed to {found.remote}"
        rows.append(_row("unpushed", found.committed, detail, "koog backup"))
    return rows


def budget(found: dict[str, Any] | None) -> Rows:
    """Return the budget that lets no further call through today."""
    if not found or not ledger.used_up(found):
        return []
    return [_row("budget", None, "used up: no model is asked before tomorrow", "koog usage --since 1d")]


def _items(found: Sequence[tuple[datetime, str]], how_long: str) -> Rows:
    if not found:
        return []
    since, text = min(found)
    detail = f"{words.count(len(found), 'item')} open {how_long}, the oldest: {text[:TEXT_CHARS]}"
    return [_row("items", since, detail, "koog tick")]


def _row(what: str, since: datetime | None, detail: str, command: str) -> dict[str, Any]:
    return {"what": what, "since": clock.iso(since) if since else None, "detail": detail, "command": command}


def _midnight(day: object, zone: tzinfo | None) -> datetime | None:
    found = clock.parse_day(day) if isinstance(day, str) else None
    if found is None or not clock.FIRST_YEAR <= found.year <= clock.LAST_YEAR:
        return None
    return datetime(found.year, found.month, found.day, tzinfo=zone)
