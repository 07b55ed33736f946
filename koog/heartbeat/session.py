"""What a tick can see without an agent: the state of the session, and whether anybody is there.  [sinain §6.2 Setup]"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from datetime import time as clock_time
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files import daily
from koog.core.run import Run
from koog.core.text import talk, trust
from koog.core.text.notes import of_note
from koog.core.text.voices import NOTE, PERSON
from koog.heartbeat import cursors, foreign, observed, reading, whose
from koog.heartbeat.spoken import AHEAD, Said, Spoken
from koog.observe import mined
from koog.observe.observations import Observation
from koog.playbook.texts import NOTHING_NEW, NOTHING_YET
from koog.sessions import audience
from koog.sessions.labels import Label

SENTENCES = 8  # of what was written and observed, the latest; and so many of what was said
CHARS = 1500
TAIL_CHARS = 4000  # of each note of today, at its end: the latest stands there
NEWEST = 6  # notes: those of today and of the last days, slug files included
KNOWN_TICKS = 48  # a day of half-hour ticks
ENDS = (".", "!", "?", ":", "…", "。", "！", "？", "：")
FIRST = timedelta(hours=24)  # what was observed so long before the first tick is of its session


def summary(run: Run, earlier: Sequence[dict[str, Any]], spoken: Spoken) -> str:
    """Return a session summary: what notes, observations and the user say that no tick has summed up yet.

    earlier   normalized ticks, newest first

    What an earlier tick already told is left out: told again it would look like an
    error that came back, or like a user who is stuck. What was said in another project,
    or by strangers in a group, is none of this session's; nor is what a tool or a quotation
    says, or what tries to steer who reads it.
    """
    summaries = [e["sessionHistorySummary"] for e in earlier[:KNOWN_TICKS]]
    known = " ".join(summaries)
    seen = _observed(run, since=clock.parse(earlier[0]["ts"]) if earlier else None)
    written = _latest([*_since(_noted(run), summaries), *([observed.said(o)] for o in seen)], known)
    said = _new(_talk(run, spoken.said, {o.source for o in seen}), known)
    if told := [*written, *said[-SENTENCES:]]:
        while len(told) > 1 and sum(map(len, told)) + len(told) > CHARS:
            del told[0]
        return " ".join(told)[-CHARS:]
    if earlier:
        return f"{NOTHING_NEW} since the last tick, {earlier[0]['ts']}."
    days = [*_told_days(run), *(o.day for o in _own(run))]
    return f"{NOTHING_NEW} today: what is written last is of {max(days)}." if days else NOTHING_YET


def _new(texts: Iterable[str], known: str) -> list[str]:
    return [_ended(text) for text in dict.fromkeys(texts) if text not in known]


def _latest(turns: Iterable[Sequence[str]], known: str) -> list[str]:
    """Return what is new in the latest of some bullets, each whole: cut off, its rest would tell something else."""
    rows, seen = list[list[str]](), set[str]()
    for turn in turns:
        if fresh := [text for text in _new(turn, known) if text not in seen]:
            rows.append(fresh[-SENTENCES:])
            seen.update(fresh)
    first, size = len(rows), 0
    while first and size < SENTENCES:
        first -= 1
        size += len(rows[first])
    return [" ".join(row) for row in rows[first:]]


def _since(notes: Iterable[list[list[str]]], summaries: Sequence[str]) -> list[list[str]]:
    """Return the bullets of the notes without those above what a tick told that had no room for more.

    Those had been written then; told now, they would look like news.
    """
    notes = list(notes)
    for summary in summaries:
        told = [[n for n, turn in enumerate(note) if any(text in summary for text in turn)] for note in notes]
        if sum(map(len, told)) >= SENTENCES or len(summary) > CHARS // 2:
            notes = [note[at[0] :] if at else note for note, at in zip(notes, told, strict=True)]
    return [turn for note in notes for turn in note]


def _noted(run: Run) -> Iterator[list[list[str]]]:
    """Yield the last bullets and paragraphs of each of today's notes of the own project, sentence by sentence."""
    today = [(path, day) for path, day in reversed(_notes(run)) if day == run.today]
    ends = [(foreign.Rows(_of_own(run, path)).tail(TAIL_CHARS), path, day) for path, day in today]
    for end, path, day in ends:
        turns = (list(turn) for _, turn in groupby(of_note(end, path=path, day=day), key=attrgetter("turn")))
        yield [[each.text for each in turn if _is_sessions(each.text, each.trust)] for turn in turns]


def _of_own(run: Run, path: str) -> str:
    """Return what stands in a note of the own project, "" for others'; sessions that are observed are left out."""
    text = reading.told(run.workspace.text, path, run.warnings)
    is_own = text and whose.label_of(audience.own(run), path, text) == whose.OWN
    return foreign.left(run, text, to_be=True) if text and is_own else ""


def _told_days(run: Run) -> list[str]:
    return [day for path, day in _notes(run) if foreign.said(_of_own(run, path)).strip()]


def _is_sessions(text: str, who: str) -> bool:
    """Return whether a line tells of the session: it goes on from tick to tick and into prompts."""
    if who in trust.SECONDHAND:
        return False
    return trust.verdict(text, who, register=NOTE, kind=trust.SHOWN) == trust.TAKEN


def _observed(run: Run, *, since: datetime | None) -> list[Observation]:
    """Return what was observed in the own project since the last tick, or today and not mined since."""
    begin, marks = since or run.now - FIRST, _mined(run) if since else set()
    own = [o for o in _own(run) if _is_sessions(o.text, o.trust)]
    is_todays = (o.day == run.today and mined.mark(o) not in marks for o in own)
    return [o for o, new in zip(own, is_todays, strict=True) if new or ((at := _moment(run, o)) and at >= begin)]


def _mined(run: Run) -> set[str]:
    """Return the marks of the observations that were mined; none where nobody can tell: mine says why."""
    try:
        value = cursors.parse(run.workspace.text(run.workspace.in_memory(cursors.NAME)))
    except WorkspaceError:
        return set()
    return mined.marks(value["mine"]["files"].get(observed.path_in(run.workspace)))


def _own(run: Run) -> list[Observation]:
    """Return the observations of the own project and of the one that its files are at home in, but those to come."""
    found = observed.lines(run, warnings=run.warnings)
    return [line.seen for line in found if line.seen.day <= run.today and _is_own(run, line.label)]


def _is_own(run: Run, label: Label) -> bool:
    return whose.is_home(run, label, observed.path_in(run.workspace))


def _talk(run: Run, said: Sequence[Said], observed_in: set[str]) -> list[str]:
    """Return the sentences of what the user said in the own project, but for turns that an observation tells of."""
    own = [each for each in said if _is_own(run, each.label) and each.source not in observed_in]
    turns = [talk.Said(each.turn.role, each.turn.text, each.source, each.turn.at) for each in own]
    return [each.text for each in talk.of_turns(turns) if each.trust == PERSON]


def idle(run: Run, spoken: Spoken) -> bool:
    """Return whether the newest activity is older than `heartbeat.idleMinutes`.

    Activity is what the user said in a session, and a daily note that was written to: not one that the host makes of
    a session. Under a `--now` before the files' own times, a note of that day counts as activity.
    """
    limit = timedelta(minutes=run.settings.get("heartbeat.idleMinutes"))
    seen = [_moment(run, line.seen) for line in observed.lines(run, warnings=[]) if _is_users(line)]
    heard = [at for at in (spoken.at, *seen) if at and at <= run.now + AHEAD]
    if heard and run.now - max(heard) <= limit:
        return False
    files = [(path, day) for path, day in _notes(run) if not _is_kept_session(run, path)]
    told = (reading.told(run.workspace.modified, path, run.warnings) for path, _ in files)
    times = [datetime.fromtimestamp(t, UTC) for t in told if t]
    newest = max(times, default=None)
    if newest is None:
        return True
    if newest > run.now + AHEAD:
        return not any(day == run.today for _, day in files)
    return run.now - newest > limit


def _is_users(line: observed.Line) -> bool:
    return not line.label.is_group and bool(line.seen.source) and line.seen.trust == PERSON


def _is_kept_session(run: Run, path: str) -> bool:
    text = reading.told(run.workspace.text, path, [])
    return text is not None and foreign.is_told_elsewhere(run, text)


def _moment(run: Run, o: Observation) -> datetime | None:
    """Return when an observation was made, None without a day and a time that are some."""
    day = clock.parse_day(o.day)
    try:
        return datetime.combine(day, clock_time.fromisoformat(o.time), run.zone) if day and o.time else None
    except ValueError:
        return None


def tick_id(now: datetime, taken: set[str]) -> str:
    """Return the tick's id: its time, with a number when that second has a tick already."""
    base, found, number = clock.iso(now), clock.iso(now), 1
    while found in taken:
        number += 1
        found = f"{base}-{number}"
    return found


def _notes(run: Run) -> list[tuple[str, str]]:
    """Return (path, date) of the newest notes up to today, newest first."""
    dated = ((note.path, note.day) for note in daily.every(run.workspace) if note.day <= run.today)
    return list(islice(dated, NEWEST))


def _ended(text: str) -> str:
    return text if text.endswith(ENDS) else text + "."
