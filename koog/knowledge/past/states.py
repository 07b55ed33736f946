"""What was known at one point of the past, and what two points have differently, as replies tell it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from koog.audit import merge3
from koog.core import clock
from koog.core.clip import clip, fitting
from koog.core.errors import NotFound
from koog.knowledge.past import turning
from koog.knowledge.past.learning import GONE, composed
from koog.knowledge.past.telling import Telling, folded
from koog.knowledge.past.turning import Sides, Turned

if TYPE_CHECKING:
    from koog.audit.history import History, Touch
    from koog.core.run import Run
    from koog.knowledge.past.moments import Point

ROWS_CHARS, DIFF_CHARS, TEXT_CHARS, LINE_CHARS = 4000, 2500, 7000, 300
FILES_CHARS, MOST_FILES = 1800, 30


def between(
    run: Run,
    past: History,
    old: Point,
    new: Point,
    paths: Sequence[str] | None,
    *,
    gone: bool = True,
    offset: int = 0,
) -> dict[str, Any]:
    """Return what two points have differently, as the reply's keys.

    gone     also what is known no longer
    offset   behind how many lines the reply goes on
    """
    telling = Telling(run)
    touched = _touched(past, telling, old, new, paths)
    texts = {each.path: _texts(past, telling, each) for each in touched}
    sides = [
        Sides(
            each.path,
            telling.rows(each.path, past.content(each.before)),
            telling.rows(each.path, past.content(each.after)),
        )
        for each in touched
    ]
    found = turning.turned(sides)
    if any(map(turning.may_be_carried, found)):
        found = turning.carried(found, _journal(past, telling, old, new))
    found = [each for each in found if gone or each.change != GONE]
    rows, more = paged(run, [_row(each) for each in found], offset)
    stat = [row for path, (before, after) in texts.items() if (row := _stat(path, before, after))]
    parts = [turning.diff(path, before, after) for path, (before, after) in texts.items()]
    counts = turning.counted(found)
    return {
        "from": _point(past, old),
        "to": _point(past, new),
        "words": turning.in_words(counts, len({each.path for each in found})),
        "counts": counts,
        "lines": rows,
        **more,
        "files": fitting(stat, chars=FILES_CHARS) if stat else [],
        "fileCount": len(stat),
        "diff": _cut(run, "\n".join(part for part in parts if part), DIFF_CHARS),
    }


def known(
    run: Run, past: History, then: Point, *, path: str | None, about: str | None, offset: int = 0
) -> dict[str, Any]:
    """Return what was known at a point, as the reply's keys. Raises NotFound for a file that there was not.

    offset   behind how many lines or files the reply goes on
    """
    telling = Telling(run)
    files = past.files(then.commit) if then.commit else {}
    told = {name: blob for name, blob in files.items() if telling.covers(name)}
    if path is not None:
        named = path.removeprefix("./")
        told = {name: blob for name, blob in told.items() if is_in(name, [named])}
        if not told:
            raise NotFound(f"there was no {path} then", hint=f"koog history show {then.named}")
    keys: dict[str, Any] = {"then": _point(past, then), "path": path, "about": about, "text": None, "lines": []}
    if about is not None:
        wanted = [composed(word) for word in folded(about).split()]
        rows = [
            {"path": name, "line": row.number, "section": row.section, "text": clip(row.text, LINE_CHARS)}
            for name, blob in told.items()
            for row in telling.rows(name, past.content(blob))
            if all(word in composed(row.words) for word in wanted)
        ]
        shown, more = paged(run, rows, offset)
        return {**keys, "lines": shown, "files": [], "count": len(rows), **more}
    if path is not None and list(told) == [path.removeprefix("./")]:
        text = telling.text(path, past.content(next(iter(told.values()))))
        left = text.split("\n")[offset:]
        part = _cut(run, "\n".join(left), TEXT_CHARS)
        more = following(run, offset + len(left), offset + part.count("\n") + 1)
        return {**keys, "text": part, "files": [], "count": text.count("\n"), **more}
    rows = [{"path": name, "lines": n} for name, blob in told.items() if (n := _many(past, telling, name, blob))]
    shown, more = paged(run, rows, offset)
    return {**keys, "files": shown, "count": len(rows), **more}


def paged(run: Run, rows: Sequence[dict[str, Any]], offset: int) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the rows behind the first `offset` ones, as many as fit, and what the reply says of those behind them."""
    shown = fitting(rows[offset:], chars=ROWS_CHARS)
    return shown, following(run, len(rows), offset + len(shown))


def following(run: Run, many: int, behind: int) -> dict[str, Any]:
    """Return how many of so many rows are left behind some, and the offset that goes on with them."""
    if behind >= many:
        return {"more": 0, "next": None}
    run.meta_extra["truncated"] = True
    return {"more": many - behind, "next": behind}


def is_in(path: str, wanted: Sequence[str]) -> bool:
    """Return whether a path is one of some files, or lies in one of some folders.

    >>> is_in("knowledge/people/ana.md", ["knowledge/"]), is_in("knowledge2/a.md", ["knowledge"])
    (True, False)
    """
    return any(path == each or path.startswith(f"{each.rstrip('/')}/") for each in wanted)


def _touched(past: History, telling: Telling, old: Point, new: Point, paths: Sequence[str] | None) -> list[Touch]:
    if new.commit is not None:
        found = past.between(old.commit, new.commit)
    else:  # back to before there was anything
        begun = past.between(None, old.commit) if old.commit is not None else []
        found = [each._replace(before=each.after, after=None) for each in begun]
    return [each for each in found if telling.covers(each.path) and (not paths or is_in(each.path, paths))]


def _journal(past: History, telling: Telling, old: Point, new: Point) -> dict[str, str]:
    """Return source → the file of the journal that had it then; or that has it now, where that is a day's own."""
    then = past.files(old.commit) if old.commit else {}
    now = past.files(new.commit) if new.commit else {}
    days = {path: blob for path, blob in now.items() if not turning.is_digest(path)}
    found = dict[str, str]()
    for path, blob in dict.fromkeys([*then.items(), *days.items()]):
        if turning.is_journal(path) and telling.covers(path):
            for row in telling.rows(path, past.content(blob)):
                for source in (row.source or "").split(";"):
                    found.setdefault(source, path)
    return found


def _texts(past: History, telling: Telling, touch: Touch) -> tuple[str, str]:
    """Return a file's text before and after, as it is told; rows that are not told take no room."""
    both: list[str] = []
    for name in (touch.before, touch.after):
        rows = telling.text(touch.path, past.content(name)).split("\n")
        both.append("".join(f"{row}\n" for row in rows if row.strip()))
    return both[0], both[1]


def _many(past: History, telling: Telling, path: str, blob: str) -> int:
    return len(telling.rows(path, past.content(blob)))


def _stat(path: str, before: str, after: str) -> dict[str, Any] | None:
    """Return how many lines of a file come and go, None where nothing of it is told otherwise."""
    if before == after:
        return None
    added, removed = merge3.counted(before.encode("utf-8", "replace"), after.encode("utf-8", "replace"))
    return {"path": path, "added": added, "removed": removed}


def _row(found: Turned) -> dict[str, Any]:
    return {
        "change": found.change,
        "path": found.path,
        "section": found.row.section,
        "text": clip(found.row.text, LINE_CHARS),
        "was": clip(found.was, LINE_CHARS) or None,
        "from": found.came or None,
        "source": found.row.source,
    }


def _point(past: History, point: Point) -> dict[str, Any]:
    """Return a point with the commit that it is, and when that was made."""
    if point.commit is None:
        return {"named": point.named, "commit": None, "ts": None}
    seconds = int(past.git.ask("log", "-1", "--no-show-signature", "--format=%ct", point.commit, "--"))
    return {"named": point.named, "commit": point.commit[:12], "ts": clock.iso(clock.of_epoch(seconds))}


def _cut(run: Run, text: str, chars: int) -> str:
    """Return a text cut at a line, so that it takes no more than so much of a reply."""
    size = len(json.dumps(text))
    if size <= chars:
        return text
    run.meta_extra["truncated"] = True
    head = text[: chars * len(text) // size]
    return head.rpartition("\n")[0] or head
