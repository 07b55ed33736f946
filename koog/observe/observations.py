"""memory/observations.md: what was observed, grouped by the user's days.  [seed openclaw-memory, design §3]

    # Observations

    Date: 2026-02-28

    - 🔴 09:14 Deploys go out on Tuesdays only <!-- dc:type=rule dc:importance=9 dc:date=2026-02-28 dc:confidence=0.9 dc:source=openclaw/main/3f#a1 dc:project=openclaw/main dc:scope=private -->

    <!-- koog:raw session=openclaw/main/3f from=a2 to=a9 project=openclaw/main scope=private -->
    {"id":"a2","at":"2026-02-28T09:15:00Z","role":"user","text":"…","origin":"user"}
    <!-- /koog:raw -->

What koog does not change stays byte for byte: lines of a person's own hand, and
observations without the comment, are kept as they stand; so is what stands in a code
fence. A raw block holds turns that
no engine could be asked about; the next `observe` digests and removes it. Both say in
which project they were said, and in which group (sessions/labels.py).
"""  # noqa: E501  the one line is the format

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from urllib.parse import unquote

from koog.core import clock
from koog.core.files import jsonfiles
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import observation
from koog.core.text.untrusted import visible
from koog.observe import fences
from koog.sessions import labels
from koog.sessions.labels import Label
from koog.sessions.turn import Turn

NAME = "observations.md"
HEADER = "# Observations\n"
TYPES = ("decision", "preference", "rule", "goal", "habit", "fact", "event", "context")
HIGH, MEDIUM, LOW = observation.HIGH, observation.MEDIUM, observation.LOW
HIGH_FROM, MEDIUM_FROM = 7, 4  # of ten
OF_MARK = {HIGH: 8, MEDIUM: 5, LOW: 2}  # the importance of a line that a person wrote
ALSO = "also"  # in the comment of a line that was joined: where the others were heard, `;` between them
AGAINST = "against"  # in the comment of a line: the places of those that may not hold beside it, `;` between them
MAX_TEXT = 400  # characters of one observation

DATE = r"(?:#{1,6} +)?(?:\*\*)?Date: *(\d{4}-\d\d-\d\d)(?!\d)"
RAW_BEGIN = r"<!-- koog:raw session=(\S*) from=(\S*) to=(\S*)((?: \w+=\S*)*) -->"
RAW_END = "<!-- /koog:raw -->"
# What a person has taken out of the text: a comment of several lines. One that goes over koog's own is none.
HIDDEN = r"(?m)^[ \t]*<!--(?:(?!<!--|-->)[^\n])*\n(?:(?!<!--|-->)[\s\S])*-->[ \t]*$"


class Observation(NamedTuple):
    """One observed fact.

    day, time    of the user's zone, YYYY-MM-DD and HH:MM; time is "" where a person left it out
    importance   1 to 10; from 7 it is 🔴, from 4 🟡
    confidence   0 to 1
    source       session#entry, "" when unknown
    more         other `dc:` values of its comment, kept as they are; its label is among them
    """

    day: str
    time: str
    text: str
    type: str
    importance: int
    confidence: float
    source: str
    more: tuple[tuple[str, str], ...] = ()

    @property
    def mark(self) -> str:
        return HIGH if self.importance >= HIGH_FROM else MEDIUM if self.importance >= MEDIUM_FROM else LOW

    @property
    def session(self) -> str:
        """Return in which session it was heard, "" when unknown."""
        return self.source.partition("#")[0]

    @property
    def place(self) -> str:
        """Return by what another line names it: where it was heard, or when."""
        return self.source.replace(";", "%3B") or f"{self.day}T{self.time}"

    @property
    def against(self) -> tuple[str, ...]:
        """Return the places of the lines that may not hold beside it."""
        return tuple(dict.fromkeys(filter(None, dict(self.more).get(AGAINST, "").split(";"))))

    @property
    def trust(self) -> str:
        """Return who is behind it, as a Statement has it."""
        return observation.behind(self.text, dict(self.more), source=self.source)

    @property
    def label(self) -> Label:
        """Return where it was said: an older line of OpenClaw's tells its agent by its source."""
        return labels.of_values(dict(self.more), source=self.source)


class Line(NamedTuple):
    """One line of the file: its text with its line end, the day it stands under, what it observes if it does.

    is_fenced   it stands in a closed code fence: shown, and not worked on
    """

    raw: str
    day: str
    seen: Observation | None
    is_fenced: bool = False


class RawBlock(NamedTuple):
    """Turns that wait for an engine.

    first, last   ids of the first and the last entry
    unread        lines in it that are no turn
    raw           the block as it stands in the file
    label         where they were said
    """

    session: str
    first: str
    last: str
    turns: tuple[Turn, ...]
    unread: int
    raw: str
    label: Label


# --- reading


def lines(text: str) -> list[Line]:
    """Return every line of the file; joined, their `raw` is the text itself."""
    found, day = list[Line](), ""
    rows = _rows(text)
    hidden = _hidden(text, rows)
    fenced = fences.fenced(rows, hidden)
    for n, raw in enumerate(rows):
        if n not in hidden and n not in fenced and (header := compiled(DATE).match(raw)):
            day = header[1] if clock.parse_day(header[1]) else ""
        seen = None if n in hidden else _observation(raw.rstrip("\r\n"), day)
        found.append(Line(raw, day, seen, n in fenced))
    return found


def _hidden(text: str, rows: Sequence[str]) -> set[int]:
    """Return the places of the rows that a person has taken out of the text."""
    spans = [match.span() for match in compiled(HIDDEN).finditer(text)] if "<!--" in text else []
    if not spans:
        return set()
    begins = accumulate(map(len, rows), initial=0)
    return {n for n, at in zip(range(len(rows)), begins, strict=False) if any(b <= at < e for b, e in spans)}


def observations(text: str) -> list[Observation]:
    return [line.seen for line in lines(text) if line.seen]


def words(text: str) -> int:
    """Return how many words a reader sees: no comments, no raw blocks. Two letters of a wide script are one.

    >>> words("- 🟡 deploys go out <!-- dc:type=rule -->"), words("毎晩バックアップする")
    (5, 5)
    """
    seen = compiled(rf"{RAW_BEGIN}.*?{re.escape(RAW_END)}|<!--.*?-->", re.DOTALL).sub(" ", text)
    return len(compiled("[\u3040-\u30ff\u3400-\u9fff]{1,2}").sub(" x ", seen).split())


def _observation(raw: str, day: str) -> Observation | None:
    found = observation.read(raw)
    if found is None:
        return None
    mark, time, text, told = found
    kind = told.pop("type", "")
    importance = _number(told.pop("importance", ""), least=1, most=10)
    confidence = _number(told.pop("confidence", ""), least=0, most=1)
    own = Observation(day, "", "", "", round(importance or 0), 0.0, "")
    return Observation(
        day=date if clock.parse_day(date := told.pop("date", day)) else day,
        time=time,
        text=text,
        type=kind if kind in TYPES else "fact",
        # A person who changes the mark of a line means it: the mark wins over the number beside it.
        importance=own.importance if importance is not None and own.mark == mark else OF_MARK[mark],
        confidence=1.0 if confidence is None else confidence,
        source=told.pop("source", ""),
        more=tuple(told.items()),
    )


def _number(text: str, *, least: float, most: float) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if least <= value <= most else None


def _rows(text: str) -> list[str]:
    """Return the lines with their ends; only a line feed ends one, as editors and git see it."""
    rows = [f"{row}\n" for row in text.split("\n")]
    rows[-1] = rows[-1][:-1]
    return rows if rows[-1] else rows[:-1]


# --- writing


def written(o: Observation) -> str:
    """Return an observation's line, without its line end."""
    values = [
        ("type", o.type),
        ("importance", str(o.importance)),
        ("date", o.day),
        ("confidence", f"{o.confidence:g}"),
        ("source", o.source),
        *o.more,
    ]
    comment = " ".join(f"dc:{name}={value}" for name, value in values)
    return f"- {o.mark} {f'{o.time} ' if o.time else ''}{o.text} <!-- {comment} -->"


def plain(text: str) -> str:
    """Return a text as one line that can stand in an observation: no comment, nothing hidden, not too long."""
    line = " ".join(visible(text).replace("-->", "→").replace("<!--", "‹!--").split())
    line = compiled(rf"^(?:[-*] )?(?:{HIGH}|{MEDIUM}|{LOW})\ufe0f? *(?:\d\d:\d\d(?= |$))? *").sub("", line)
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 2].rsplit(" ", 1)[0] + " …"


def source(session: str, entry: str) -> str:
    """Return the `session#entry` of a comment.

    >>> source("claude/my project/7", "a--b")
    'claude/my%20project/7#a-%2Db'
    """
    return f"{labels.quoted(session)}#{labels.quoted(entry)}"


def added(text: str, new: Iterable[Observation]) -> str:
    """Return the text with new lines at the end of their days' groups; a new group stands where its day belongs."""
    for day, group in groupby(sorted(new, key=lambda o: (o.day, o.time)), key=lambda o: o.day):
        text = _into(text or HEADER, day, "".join(f"{written(o)}\n" for o in group))
    return text


def _into(text: str, day: str, block: str) -> str:
    rows = _rows(text)
    fenced = fences.fenced(rows, _hidden(text, rows))
    free = [i for i in range(len(rows)) if i not in fenced]
    starts = [(i, found[1]) for i in free if (found := compiled(DATE).match(rows[i]))]
    own = next((i for i, d in starts if d == day), None)
    if own is not None:
        end = next((i for i in free if i > own and _ends_group(rows[i])), len(rows))
        while not rows[end - 1].strip():
            end -= 1
        before = "".join(rows[:end])
        gap = "\n" if end - 1 == own else ""
        return _ended(before) + gap + block + "".join(rows[end:])
    later = next((i for i, d in starts if d > day), None)
    if later is not None:
        return "".join(rows[:later]) + f"Date: {day}\n\n{block}\n" + "".join(rows[later:])
    return f"{_ended(text)}\nDate: {day}\n\n{block}"


def _ends_group(row: str) -> bool:
    return bool(compiled(DATE).match(row) or compiled(RAW_BEGIN).match(row))


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else text + "\n"


# --- turns that wait


def raw_block(session: str, turns: Sequence[Turn], label: Label = labels.NONE) -> str:
    """Return the marked block that keeps turns until an engine can be asked: one JSON line a turn."""
    named = [("session", session), ("from", turns[0].id), ("to", turns[-1].id)]
    values = [*((name, labels.quoted(value)) for name, value in named), *labels.values(label)]
    marker = f"<!-- koog:raw {' '.join(f'{name}={value}' for name, value in values)} -->"
    body = "".join(f"{turn_line(turn)}\n" for turn in turns)
    return f"{marker}\n{body}{RAW_END}\n"


def raw_blocks(text: str) -> list[RawBlock]:
    """Return the blocks that stand in the file; one that was never ended is none."""
    found = []
    for match in compiled(rf"^{RAW_BEGIN}\n(.*?)^{re.escape(RAW_END)}(?:\n|\Z)", re.DOTALL | re.MULTILINE).finditer(
        text
    ):
        more = dict(pair.split("=", 1) for pair in match[4].split())
        label = labels.of_values(more, source=match[1])
        body = [row for row in match[5].split("\n") if row.strip()]
        turns = [turn for turn in map(turn_of, body) if turn]
        session, first, last = (unquote(match[n]) for n in (1, 2, 3))
        found.append(RawBlock(session, first, last, tuple(turns), len(body) - len(turns), match[0], label))
    return found


def with_raw(text: str, block: str) -> str:
    """Return the text with a raw block at its end; as it is when the block stands there already."""
    if block in text:
        return text
    return f"{_ended(text or HEADER)}\n{block}"


def without_raw(text: str, block: RawBlock, *, left: Sequence[Turn] = ()) -> str:
    """Return the text without one raw block and the blank line before it; as it is when the block is gone.

    left   turns that go on waiting, in a block in its place
    """
    before, found, after = text.partition(block.raw)
    if not found:
        return text
    if left:
        return before + raw_block(block.session, left, block.label) + after
    return (before[:-1] if before.endswith("\n\n") else before) + after


def turn_line(turn: Turn) -> str:
    value = {"id": turn.id, "at": turn.at.isoformat(), "role": turn.role, "text": turn.text, "origin": turn.origin}
    return jsonfiles.line(value).replace("<", "\\u003c")  # so that no text can end the block


def turn_of(row: str) -> Turn | None:
    try:
        value = jsonfiles.loads(row)
    except ValueError:
        return None
    if not isinstance(value, dict) or not all(isinstance(value.get(k), str) for k in ("id", "role", "text", "origin")):
        return None
    at = clock.parse(value.get("at"))
    return Turn(value["id"], at, value["role"], value["text"], value["origin"]) if at else None
