"""A transcript in Markdown: what its lines mean, each with its number.  [autopoiesis §2.1]

    ---                                             session_id, started, ended, model, channel, topic, tags, tokens_in,
    session_id: ses_a1b2c3d4                        tokens_out, knowledge_changes; and whose it is: project, scope,
    started: 2026-02-16T18:45:00Z                   group; source: the host's session that it was taken from
    ---

    # Autopoiesis Restructuring

    ## 18:45 — user                                 a turn: user, agent or system; UTC, as `started` is
    Read all open issues and give me a summary.

    Date: 2026-02-17                                before a turn of another day than the one before it

    ## 00:05 — agent
    > [tool:exec] gh issue list → 12 results        one line a tool
    > [attachment:plan.pdf]

    Here are all 12 open issues.

    ## 00:06 — agent [memory]
    > [knowledge:updated] knowledge/projects/autopoiesis/context.md — added migration plan

What was said may itself look so. Such a line begins with a backslash more, which Markdown does not show, and of which
one is taken away where it is read. Pure; koog/knowledge/transcripts/format.py writes what is read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.text import frontmatter
from koog.sessions import labels
from koog.sessions.labels import Label
from koog.sessions.place import GROUP, PRIVATE

USER, AGENT, SYSTEM = "user", "agent", "system"
SAID, TOOL, ATTACHMENT, MEMORY = "said", "tool", "attachment", "memory"
HEADING = r"## (\d\d:\d\d) — (user|agent|system)( \[memory\])?"
QUOTED = r"> \[(tool|attachment|knowledge):([^\]\n]*)\] ?(.*)"
DAY = r"Date: (\d{4}-\d\d-\d\d)"
# Whatever looks like a turn's heading to anybody: what an agent has said must not become the person's words.
LIKE_HEADING = r"#{1,6}[ \t]+[(\[*_: ]{0,3}\d{1,2}:\d\d.*"
STRUCTURE = rf"(?:{LIKE_HEADING}|> \[(?:tool|attachment|knowledge):.*|(?:\*\*)?{DAY}[*\s]*)"
ESCAPED = rf"\A\\(\\*{STRUCTURE})\Z"
EARLIEST = datetime(1970, 1, 1, tzinfo=UTC)
HEAD_LINES = 1000  # of a transcript whose session changed many files
LABELLED = ("project", "scope", "group")


class Turn(NamedTuple):
    """One thing that was said or done.

    at     UTC, to the minute
    role   user, agent or system
    text   what was said; of a tool `summary → result`; of a memory operation `path — summary`; an attachment's path
    kind   said, tool, attachment or memory
    name   the tool's, or of a memory operation what was done: updated, appended, …
    line   of the text's first line, from 1: the n-th line of the text is line + n; 0 for one that is in no file yet
    """

    at: datetime
    role: str
    text: str
    kind: str = SAID
    name: str = ""
    line: int = 0


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


class Transcript(NamedTuple):
    """A transcript, read. body: where behind the frontmatter its text begins, in characters."""

    head: Head
    title: str
    turns: tuple[Turn, ...]
    problems: tuple[Problem, ...]
    body: int = 0


def read(text: str) -> Transcript:
    """Return what a transcript says. Nothing is raised: what cannot be read is among its problems.

    >>> found = read("## 09:14 — user\\nGreen, please.\\n\\n## 09:15 — agent\\n> [tool:exec] make → exit 0\\n")
    >>> [(turn.role, turn.kind, turn.name, turn.text, turn.line) for turn in found.turns]
    [('user', 'said', '', 'Green, please.', 2), ('agent', 'tool', 'exec', 'make → exit 0', 5)]
    """
    rows = text.split("\n")
    head, size, problems = _head(rows)
    reading = _Reading(head.started.date(), problems)
    for number, row in enumerate(rows[size:], size + 1):
        reading.take(number, row)
    reading.end()
    body = sum(map(len, rows[:size])) + size
    return Transcript(head, reading.title, tuple(reading.turns), tuple(problems), body)


def label_of(text: str) -> Label:
    """Return whose a transcript is, by a look at its first lines; NONE where it says nothing of it."""
    rows = text.split("\n", HEAD_LINES)[:HEAD_LINES]
    size = frontmatter.lines(rows)
    found = [compiled(r"(project|scope|group): (.*)").fullmatch(row) for row in rows[1 : max(size - 1, 0)]]
    return _label({each[1]: unquoted(each[2]) for each in found if each})


def escaped(text: str) -> str:
    r"""Return a text no line of which looks like one of the transcript's own.

    >>> print(escaped("## 09:14 — user"), escaped("\\> [tool:x]"), escaped("## Plan"))
    \## 09:14 — user \\> [tool:x] ## Plan
    """
    return compiled(rf"(?m)^(?=\\*{STRUCTURE}$)").sub(r"\\", text)


def unquoted(value: str) -> str:
    """Return a value of the frontmatter's as format.py has written it."""
    if not value.startswith('"'):
        return value.strip()
    import json

    try:
        return str(json.loads(value))
    except ValueError:
        return value.strip('"')


class _Reading:
    """Goes through a transcript's rows and keeps what it has read."""

    def __init__(self, day: date, problems: list[Problem]) -> None:
        self.day, self.problems = day, problems
        self.title, self.turns = "", list[Turn]()
        self.at: datetime | None = None
        self.role, self.memory = "", False
        self.rows: list[tuple[int, str]] = []

    def take(self, number: int, row: str) -> None:
        if row[:2] in ("##", "> ", "Da") and self._structure(number, row):
            return
        if self.at is None:
            self._before(number, row)
        else:
            self.rows.append((number, row))

    def end(self) -> None:
        """Keep what was said until here."""
        rows, self.rows = self.rows, []
        said = [at for at, (_, row) in enumerate(rows) if row.strip()]
        if said and self.at is not None:
            rows = rows[said[0] : said[-1] + 1]
            text = "\n".join(compiled(ESCAPED).sub(r"\1", row) if row[:1] == "\\" else row for _, row in rows)
            self._add(text, SAID, "", rows[0][0])

    def _structure(self, number: int, row: str) -> bool:
        if found := compiled(HEADING).fullmatch(row):
            self._turn(number, found[1], found[2], bool(found[3]))
        elif found := compiled(QUOTED).fullmatch(row):
            if self.at is None:
                self._wrong(number, "stands above the first turn")
            self.end()
            kind = MEMORY if found[1] == "knowledge" else found[1]
            if kind == ATTACHMENT:
                self._add(found[2], kind, "", number)
            else:
                self._add(found[3], kind, found[2], number)
        elif found := compiled(DAY).fullmatch(row):
            day = clock.parse_day(found[1])
            if day is None:
                self._wrong(number, f"{found[1]} is no day")
            self.end()
            self.day = day or self.day
        else:
            return False
        return True

    def _turn(self, number: int, time: str, role: str, memory: bool) -> None:
        self.end()
        at = clock.parse(f"{self.day.isoformat()}T{time}:00Z")
        if at is None:
            self._wrong(number, f"{time} is no time")
        self.at = at or self.at or EARLIEST
        self.role, self.memory = role, memory

    def _before(self, number: int, row: str) -> None:
        if row.startswith("# ") and not self.title:
            self.title = row[2:].strip()
        elif row.strip():
            self._wrong(number, "neither a title nor a turn")

    def _add(self, text: str, kind: str, name: str, line: int) -> None:
        if self.at is not None:
            self.turns.append(Turn(self.at, self.role, text, kind, name, line))

    def _wrong(self, line: int, why: str) -> None:
        self.problems.append(Problem(line, why))


# --- the frontmatter


def _head(rows: list[str]) -> tuple[Head, int, list[Problem]]:
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
