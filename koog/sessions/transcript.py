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

from datetime import date, datetime

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.sessions import transcript_head
from koog.sessions.transcript_head import EARLIEST, Head, Problem

USER, AGENT, SYSTEM = "user", "agent", "system"
SAID, TOOL, ATTACHMENT, MEMORY = "said", "tool", "attachment", "memory"
HEADING = r"## (\d\d:\d\d) — (user|agent|system)( \[memory\])?"
QUOTED = r"> \[(tool|attachment|knowledge):([^\]\n]*)\] ?(.*)"
DAY = r"Date: (\d{4}-\d\d-\d\d)"
# Whatever looks like a turn's heading to anybody: what an agent has said must not become the person's words.
LIKE_HEADING = r"#{1,6}[ \t]+[(\[*_: ]{0,3}\d{1,2}:\d\d.*"
STRUCTURE = rf"(?:{LIKE_HEADING}|> \[(?:tool|attachment|knowledge):.*|(?:\*\*)?{DAY}(?:\*|[^\S\n])*)"
ESCAPED = rf"(?m)^\\(\\*{STRUCTURE})$"


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
    head, size, problems = transcript_head.parse(rows)
    reading = _Reading(head.started.date(), problems)
    for number, row in enumerate(rows[size:], size + 1):
        reading.take(number, row)
    reading.end()
    body = sum(map(len, rows[:size])) + size
    return Transcript(head, reading.title, tuple(reading.turns), tuple(problems), body)


def escaped(text: str) -> str:
    r"""Return a text no line of which looks like one of the transcript's own.

    >>> print(escaped("## 09:14 — user"), escaped("\\> [tool:x]"), escaped("## Plan"))
    \## 09:14 — user \\> [tool:x] ## Plan
    """
    return compiled(rf"(?m)^(?=\\*{STRUCTURE}$)").sub(r"\\", text)


def unescaped(text: str) -> str:
    r"""Return a text as it was before `escaped`.

    >>> unescaped(escaped("## 09:14 — user")), unescaped("\\ alone")
    ('## 09:14 — user', '\\ alone')
    """
    return compiled(ESCAPED).sub(r"\1", text) if "\\" in text else text


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
            self._add(unescaped("\n".join(row for _, row in rows)), SAID, "", rows[0][0])

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
