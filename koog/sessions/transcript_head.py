"""What stands above a transcript: of which session it is, when that was, what it cost, whose it is.  [autopoiesis §2.1]

YAML; koog/knowledge/transcripts/format.py writes it. Nothing is raised: what is wrong is told by its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import frontmatter
from koog.sessions import labels
from koog.sessions.labels import Label
from koog.sessions.place import GROUP, PRIVATE

EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
LINES = 1000  # of the head of a session that changed many files
LABELLED = ("project", "scope", "group")


class Head(NamedTuple):
    """What stands in a transcript's frontmatter.

    session            the host's id of it
    ended              None while the session lasts
    knowledge_changes  what was changed in the workspace meanwhile: path, action, summary
    label              whose it is
    source             host, agent and session, as cursors name it; "" for one that was told by command
    """

    session: str = ""
    started: datetime = EARLIEST
    ended: datetime | None = None
    model: str = ""
    channel: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    tokens_in: int = 0
    tokens_out: int = 0
    knowledge_changes: tuple[dict[str, str], ...] = ()
    label: Label = labels.NONE
    source: str = ""


class Problem(NamedTuple):
    """What cannot be read as it should: a line from 1, and why."""

    line: int
    why: str


def label_of(text: str) -> Label:
    """Return whose a transcript is, by a look at its first lines; NONE where it says nothing of it."""
    rows = text.split("\n", LINES)[:LINES]
    size = frontmatter.lines(rows)
    found = [compiled(r"(project|scope|group): (.*)").fullmatch(row) for row in rows[1 : max(size - 1, 0)]]
    return _label({each[1]: unquoted(each[2]) for each in found if each})


def unquoted(value: str) -> str:
    """Return a value of the frontmatter's as format.py has written it."""
    if not value.startswith('"'):
        return value.strip()
    import json

    try:
        return str(json.loads(value))
    except ValueError:
        return value.strip('"')


def parse(rows: list[str]) -> tuple[Head, int, list[Problem]]:
    """Return what the frontmatter says, how many lines it takes, and what is wrong with it."""
    problems: list[Problem] = []
    size = frontmatter.lines(rows)
    try:
        values = frontmatter.parse("\n".join([*rows[:size], ""]))[0] if size else {}
    except ValueError as e:
        values = {}
        problems.append(Problem(1, str(e)))
    if not size:
        problems.append(Problem(1, "no frontmatter"))
    elif not problems:
        problems += [Problem(1, f"no {key}") for key in ("session_id", "started") if not values.get(key)]
        problems += [
            Problem(1, f"{k} is no time") for k in ("started", "ended") if values.get(k) and not _moment(values[k])
        ]
    return _read_head(values), size, problems


def _read_head(values: Mapping[str, Any]) -> Head:
    def said(key: str) -> str:
        value = values.get(key)
        return "" if value is None else str(value)

    tags, changes = values.get("tags"), values.get("knowledge_changes")
    return Head(
        session=said("session_id"),
        started=_moment(values.get("started")) or EARLIEST,
        ended=_moment(values.get("ended")),
        model=said("model"),
        channel=said("channel"),
        topic=said("topic"),
        tags=tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
        tokens_in=_count(values.get("tokens_in")),
        tokens_out=_count(values.get("tokens_out")),
        knowledge_changes=tuple(_texts(row) for row in changes if isinstance(row, dict))
        if isinstance(changes, list)
        else (),
        label=_label({key: said(key) for key in LABELLED}),
        source=said("source"),
    )


def _label(values: Mapping[str, str]) -> Label:
    scope = GROUP if values.get("scope") == GROUP else PRIVATE
    return Label(values.get("project", ""), scope, values.get("group", "") if scope == GROUP else "")


def _moment(value: Any) -> datetime | None:
    if isinstance(value, datetime):  # YAML's own
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC)
    return clock.parse(value)


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _texts(row: Mapping[Any, Any]) -> dict[str, str]:
    return {str(key): str(value) for key, value in row.items()}
