"""What `koog status` says of the way from raw talk to the prompt: five stages, how much, how old, what is due.  [§8.1]

raw        transcripts; due: open ones in which nobody has said anything for hours
extracted  those of which all stands in the files; due: the others
condensed  files of weeks and months; due: weeks and months that are over and not made, or not of their days
indexed    files that a search finds; due: knowledge files that are newer than the index
compiled   texts that sessions were given and that are kept; due: nothing ever is, each is made when it is asked for
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from koog.core import clock
from koog.core.files.roots import Root
from koog.core.files.tree import PRIVATE
from koog.core.run import Run
from koog.host import frozen
from koog.knowledge import reading
from koog.knowledge.condensing import cursor, periods
from koog.knowledge.condensing.condensation import Condensation
from koog.knowledge.condensing.digests import MONTHLY, WEEKLY
from koog.knowledge.layout import MEMORY, ROOT
from koog.knowledge.pruning import shelf

INDEX = "index.db"  # of .koog/


def look(run: Run, raw: dict[str, Any] | None, extracted: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Return a row for each stage. raw, extracted: what status says of transcripts and of knowledge"""
    raw, extracted = raw or {}, extracted or {}
    files, waiting = raw.get("files", 0), extracted.get("waiting", 0)
    return [
        _row(run, "raw", files, clock.parse(raw.get("newest")), raw.get("silent", 0)),
        _row(run, "extracted", max(0, files - waiting), _day(run, extracted.get("newestJournal")), waiting),
        _condensed(run),
        _indexed(run),
        _compiled(run),
    ]


def _condensed(run: Run) -> dict[str, Any]:
    work = Condensation(run, _nobody, until=0.0)
    folder, names = work.layout.journal, list[str]()
    for kind in (WEEKLY, MONTHLY):
        for place in (f"{folder}/{kind}", shelf.place(f"{folder}/{kind}")):
            names += [name.removesuffix(".md") for name in run.workspace.names(place, ".md")]
    weeks = [week for week in map(periods.named, cursor.load(run.workspace).weeks) if week]
    newest = max((week.last.isoformat() for week in weeks), default=None)
    due = len(work.due_weeks()) + len(work.due_months()) + work.is_review_due()
    return _row(run, "condensed", len(names), _day(run, newest), due)


def _nobody(_: object) -> Any:
    raise AssertionError("status asks nobody")


def _indexed(run: Run) -> dict[str, Any]:
    at = run.workspace.cached_at(INDEX)
    if at is None:
        return _row(run, "indexed", 0, None, 0)
    many = 0
    with suppress(ImportError):
        from koog.search import database

        with suppress(database.Unusable):
            db = database.reader(run.root / PRIVATE / INDEX)
            many = int(db.execute("SELECT count(*) FROM files").get or 0)
            db.close()
    built = clock.of_epoch(at)
    newer = sum(
        _changed(run.workspace.files, path) > built for path in [*reading.below(run.workspace.files, ROOT), MEMORY]
    )
    return _row(run, "indexed", many, built, newer)


def _compiled(run: Run) -> dict[str, Any]:
    root = run.state_root.root if run.state_root else None
    moments = [_changed(root, f"{frozen.FOLDER}/{each.name}") for each in root.entries(frozen.FOLDER)] if root else []
    return _row(run, "compiled", len(moments), max(moments, default=None), 0)


def _changed(root: Root, path: str) -> datetime:
    info = root.info(path)
    return clock.of_epoch(info.st_mtime if info else 0)


def _day(run: Run, day: object) -> datetime | None:
    found = clock.parse_day(day) if isinstance(day, str) else None
    return datetime(found.year, found.month, found.day, tzinfo=run.zone) if found else None


def _row(run: Run, stage: str, count: int, newest: datetime | None, due: int) -> dict[str, Any]:
    age = max(0, int((run.now - newest).total_seconds() // 60)) if newest else None
    return {
        "stage": stage,
        "count": count,
        "newest": clock.iso(newest) if newest else None,
        "ageMinutes": age,
        "due": due,
    }
