"""A note → what people wrote in it, sentence by sentence: who says it, under which heading, where.  [sinain §4.5]

Notes come from hosts, agents and hands: a transcript (`user: …`, `- **Caroline**: …`), bullets under headings, plain
prose. What a machine put there is left out: code, JSON, tables, tool output, session headers, heartbeat polls, stack
traces down to their last error line. What is quoted is told as such.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.text import bullets, frontmatter, leaning, markdown, sentences
from koog.core.text.markdown import Piece
from koog.core.text.statement import Statement
from koog.core.text.untrusted import visible
from koog.core.text.voices import AGENT, ASSISTANT, NOTE, QUOTED, TOOL, USER

MAX_SENTENCE = 600  # characters; a longer run without a full stop is a dump, not a sentence
NEAR = 8  # sentences before one that goes on with what its speaker said
AHEAD = 20  # rows in which the next sentence is looked for: links make them longer than their words
ROLES = {"user": USER, "human": USER, "me": USER, "assistant": ASSISTANT, "ai": ASSISTANT, "agent": ASSISTANT}
MACHINES = frozenset(("tool", "system", "toolresult", "tool_result", "function"))
# What stands before a colon in a note and is nobody's name.
LABELS = frozenset(
    """
    action actions background bug cause changed changes conclusion context date decided decision decisions done error
    errors example fact failed failure findings fix fixed fixes follow-up followup goal goals host idea important info
    issue key learned lesson lessons link model next note notes outcome plan plans preference preferences problem
    question reason reminder resolution result root session setup solution solved source status summary symptom tip
    title todo topic update version warning why workaround
    achtung beschluss entscheidung fehler fakt frage grund hinweis idee lösung notiz offen problem regel termin ursache
    ziel decisión error hecho idea meta nota objetivo pendiente regla solución causa décision erreur règle remarque
    objectif solution tâche but rappel
    """.split()
)
LABEL = (
    r"(?:\*\*|__)?([^\W\d_][\w.'’-]{0,29}(?: [^\W\d_][\w.'’-]{0,29})?)"
    r"(?:(?:\*\*|__)\s?[:：]|[:：](?:\*\*|__)|:(?=\s)|：)\s*(?=\S)"
)
CLOCK = r"\[?\d{1,2}:\d{2}(?::\d{2})?(?: ?[apAP][mM])?\]?(?: UTC)?\s*(?:[-–—:|]\s*)?(?=\D)"
TAGS = r"(?:\[(?!\s|\d{1,2}:)[^\[\]{}\"\n]{1,30}\][ \t]*|【[^【】\n]{1,20}】\s*)+(?=[^\s:(])"
FIRST_PERSON = (
    r"(?i)(?<!\w)(?:I|I['’]\w+|my|me|we|we['’]\w+|our|ich|wir|mein\w*|unser\w*|je|j['’]\w+|mon|ma|mes|nous|notre|yo|mis?"
    r"|nosotr[oa]s|nuestr[oa]s?)(?!\w)|我|咱|私|僕|俺"
)
METADATA = r"(?i)\s*[-*]\s+\*\*(?:Session Key|Session ID|Source|Reason|Model|Channel|Host)\*\*:"
MACHINE_LINE = r"""(?x)\s*(?:
      [{}\])]                                        # JSON, closing brackets
    | \[\s*(?:[{"'\[\]]|$|tool|OpenClaw|system\b|media)   # arrays, markers of the host
    | <<<|</?[a-z][\w-]*[ >]|"[^"]{1,60}"\s*:        # fences of the host, XML, JSON members
    | \$\s|>>>\s|\+\+\+\s|@@\s                       # shells and diffs
    | at\s\S+[(:]|File\s"|Traceback|\.\.\.\s\d+\smore|[\^~\s]+$|Caused\sby:\s*$   # stack frames
    | HEARTBEAT_OK|NO_REPLY|Read\sHEARTBEAT
    | \[?\d{4}-\d\d-\d\d[T\x20][\d:.,]+Z?\]?\s+\[?(?:DEBUG|INFO|TRACE|WARN|ERROR)   # log lines
    )"""
ECHO = r"(?i)(?:Echo:|Tool said:|\[tool|<tool)"
TOOL_ERROR = r"(?:npm ERR!|npm error|error TS\d+:|error\[E\d+\]:|fatal: |ld: |make: \*\*\*)\s*\S"
ERROR_LINE = r"\s*(?:[\w.]*(?:Error|Exception)\b|npm ERR!|E[A-Z]{4,}\b|(?:error|fatal|panic)\b[:\[(])"
PHOTO = r"(?i)\s*\((?:photo|image|picture|attachment):[^)]*\)?"

Row = tuple[int, str]  # the file's line, its words


@dataclass
class _Turn:
    """Rows that one voice wrote: user, assistant, a machine's name, a person's name, "" for the note's own voice."""

    voice: str = ""
    rows: list[Row] = field(default_factory=list)
    errors: list[Row] = field(default_factory=list)  # what tools reported in between

    def take(self, number: int, row: str) -> None:
        """Take a row in; of what a machine wrote there the last error alone."""
        bullet = bullets.parse(row)
        body = bullet.text if bullet else row.strip()
        if compiled(TOOL_ERROR).match(_bare(body)):
            self.errors = [(number, _bare(body))]  # a tool repeats itself over many lines
            row = ""
        elif compiled(METADATA).match(row) or compiled(MACHINE_LINE).match(body):
            row = ""
        self.rows.append((number, row))


@dataclass(frozen=True)
class _Origin:
    """What the statements of a note have in common."""

    path: str
    day: str
    project: str
    scope: str

    def statement(self, text: str, voice: str, *, kind: str = "", trace: bool = False, **where: Any) -> Statement:
        role = ROLES.get(voice, USER if voice else NOTE)
        trust = QUOTED if kind == "quote" else TOOL if trace else AGENT
        return Statement(
            text,
            role,
            trust,
            speaker="" if voice in ROLES else voice,
            source=self.path,
            day=self.day,
            project=self.project,
            scope=self.scope,
            trace=trace,
            **where,
        )


def of_note(
    text: str, *, path: str, first_line: int = 1, day: str = "", project: str = "", scope: str = ""
) -> list[Statement]:
    """Return the sentences of a note in their order. Linear in the length of the note.

    first_line   the file's line with which the text begins

    >>> [(s.text, s.role, s.line) for s in of_note("# Day\\nuser: Ship it. Today!\\n\\n## Ports\\n- 80", path="n.md")]
    [('Ship it.', 'user', 2), ('Today!', 'user', 2), ('80', 'note', 5)]
    """
    origin = _Origin(path, day, project, scope)
    found: list[Statement] = []
    heading, n = "", 0
    for turn in _turns(_rows(visible(text), first_line)):
        if turn.voice in MACHINES:
            continue
        own: list[Statement] = []
        above: dict[int, str] = {}  # depth → the bullet that others stand under
        # What begins with line 2 has no frontmatter: it was left out before.
        for piece in markdown.pieces("\n".join(row for _, row in turn.rows), first_line=2):
            heading, n = _bare(piece.heading) or heading, n + 1
            above = {depth: text for depth, text in above.items() if piece.kind == "bullet" and depth < piece.depth}
            under = tuple(above.values())[-1:]
            own += _of_piece(origin, turn, piece, turn_number=n, heading=heading, under=under)
            above[piece.depth] = piece.text
        for line, error in turn.errors:
            n += 1
            own.append(origin.statement(error, turn.voice, trace=True, line=line, turn=n, heading=heading))
        found += sorted(own, key=lambda s: s.line) if turn.errors else own
    return _leaning(found)


def _of_piece(
    origin: _Origin, turn: _Turn, piece: Piece, *, turn_number: int, heading: str, under: tuple[str, ...]
) -> Iterator[Statement]:
    """Yield the sentences of a piece; of code its last error line, of tables nothing.

    under   the bullet that it stands under
    """
    at = piece.line - 2
    where: dict[str, Any] = {"turn": turn_number, "heading": heading}
    if piece.kind == "code":
        errors = [
            (line, row.strip())
            for line, row in turn.rows[at : at + piece.text.count("\n") + 1]
            if compiled(ERROR_LINE).match(row)
        ]
        for line, error in errors[-1:]:
            yield origin.statement(error, turn.voice, trace=True, line=line, **where)
    elif piece.kind in ("prose", "bullet", "quote"):
        text = " ".join(compiled(PHOTO).sub("", _bare(piece.text)).split())
        begins, column = True, 0
        for _, sentence in sentences.split(text):
            at, column = _place_of(turn.rows, at, column, sentence)
            if len(sentence) <= MAX_SENTENCE:
                yield origin.statement(
                    sentence, turn.voice, kind=piece.kind, line=turn.rows[at][0], leans=under if begins else (), **where
                )
            at, column = _behind(turn.rows, at, column, len(sentence))
            begins = False


def _place_of(rows: Sequence[Row], at: int, column: int, sentence: str) -> tuple[int, int]:
    """Return the row and column where a sentence begins, from a place on; an empty row ends its paragraph."""
    begin = sentence[:12]
    for n in range(at, min(at + AHEAD, len(rows))):
        found = rows[n][1].find(begin, column if n == at else 0)
        if found >= 0:
            return n, found
        if n > at and not rows[n][1].strip():
            break
    return at, column


def _behind(rows: Sequence[Row], at: int, column: int, chars: int) -> tuple[int, int]:
    """Return the place so many characters on: a sentence ends there or, when it is marked up, behind it."""
    while at + 1 < len(rows) and column + chars >= len(rows[at][1].rstrip()):
        chars -= max(0, len(rows[at][1]) - column) + 1
        at, column = at + 1, 0
        if chars <= 0:
            return at, 0
    return at, column + max(chars, 0)


def _leaning(found: Sequence[Statement]) -> list[Statement]:
    """Return the statements, each with the one before it where it answers that or points back to it."""
    out: list[Statement] = []
    for each in found:
        before = out[-1] if out else None
        if before and not (before.trace or each.trace or each.leans) and _needs(before, each):
            further = before.leans[-1:] if before.turn == each.turn else ()
            out.append(replace(each, leans=(*further, before.text)))
        elif not each.leans and leaning.goes_on(each.text) and (earlier := _said_before(out, each)):
            out.append(replace(each, leans=(earlier,)))
        else:
            out.append(each)
    return out


def _said_before(found: Sequence[Statement], each: Statement) -> str:
    """Return what the same voice said last under the same heading, "" for nothing near, and for a question."""
    voice = (each.role, each.speaker, each.heading)
    own = (s.text for s in reversed(found[-NEAR:]) if (s.role, s.speaker, s.heading) == voice and not s.trace)
    text = next(own, "")
    return "" if text.endswith(("?", "？")) else text


def _needs(before: Statement, each: Statement) -> bool:
    """Return whether a sentence answers another voice's question, or points back within what one voice says."""
    asks = before.text.endswith(("?", "？"))
    if (before.role, before.speaker) != (each.role, each.speaker):
        return asks and each.role != NOTE and before.heading == each.heading
    return not asks and before.turn == each.turn and leaning.points_back(each.text)


# --- who speaks


def _rows(text: str, first_line: int) -> list[Row]:
    """Return numbered rows without frontmatter; a turn that the host wrote as a JSON string is opened up."""
    rows = [row.rstrip("\r") for row in text.split("\n")]
    start = frontmatter.read(rows).lines if first_line == 1 else 0
    out: list[Row] = []
    for number, row in enumerate(rows[start:], first_line + start):
        role, colon, said = row.partition(": ")
        if colon and role.lower() in ROLES and len(said) > 1 and said[0] == '"' and said[-1] == '"':
            try:
                said = str(json.loads(said))
            except ValueError:  # the host cuts long turns, also in the middle of an escape
                said = said[1:-1].replace("\\n", "\n")
            out += [(number, each) for each in f"{role}: {said}".split("\n")]
        else:
            out.append((number, row))
    return out


def _turns(rows: Sequence[Row]) -> Iterator[_Turn]:
    """Yield the rows voice by voice: `user:` holds until the next voice or heading, a named line only for itself."""
    labels = [_label(row) for _, row in rows]
    apart = _apart([said if label else row for (_, row), (label, said) in zip(rows, labels, strict=True)])
    names = _names(labels)
    turn, holds = _Turn(), False
    for i, ((number, row), (label, said)) in enumerate(zip(rows, labels, strict=True)):
        if i in apart and not (label and said.startswith(("```", "~~~"))):
            turn.rows.append((number, row))
            continue
        bullet, voice = bullets.parse(row), _voice(label, said, names)
        is_over = row.startswith("#") or (not holds and (not row.strip() or bool(bullet and not bullet.indent)))
        if voice or (turn.voice and is_over):
            yield turn
            turn = _Turn(voice)
            holds = voice in ROLES.values() or voice in MACHINES or not bullet
        turn.take(number, said if voice else row)
    yield turn


def _apart(rows: list[str]) -> frozenset[int]:
    """Return the rows of code, tables and quotations: nobody's label stands there."""
    kinds = (markdown.FENCE, markdown.CODE, markdown.TABLE, markdown.QUOTE)
    return frozenset(n for kind, start, stop in markdown.blocks(rows) if kind in kinds for n in range(start, stop))


def open_fence(rows: Sequence[str]) -> str:
    """Return the row that opens a code fence which none of these rows closes, "" without one.

    >>> open_fence(["~~~ sh", "```"]), open_fence(["user: ```", "make", "```"])
    ('~~~ sh', '')
    """
    said = [_label(row)[1] if "```" in row or "~~~" in row else row for row in rows]
    if not any(map(str.strip, said)):
        return ""
    kind, start, stop = markdown.blocks([*said, "behind"])[-1]
    return said[start] if kind == markdown.FENCE and stop > len(said) else ""


def _label(row: str) -> tuple[str, str]:
    """Return the word before a row's colon ("" without one) and what follows, list mark and clock time taken off."""
    bullet = bullets.parse(row)
    body = _bare(bullet.text if bullet else row.strip())
    match = compiled(LABEL).match(body)
    return (match[1], body[match.end() :]) if match else ("", row)


def _bare(text: str) -> str:
    """Return a line's words without the tags and the time of day in front of them.

    >>> _bare("[infra] 09:14 - Metro died")
    'Metro died'
    """
    if text[:1] in "[【":
        text = text[front.end() :] if (front := compiled(TAGS).match(text)) else text
    if text[:1] in "[0123456789":
        text = text[front.end() :] if (front := compiled(CLOCK).match(text)) else text
    return text


def _names(labels: Sequence[tuple[str, str]]) -> frozenset[str]:
    """Return the labels that are people: used twice or more, or once before words in the first person."""
    seen: Counter[str] = Counter()
    for label, said in labels:
        if label and not label[0].islower() and not LABELS & set(label.lower().split()):
            seen[label] += 2 if compiled(FIRST_PERSON).match(said) else 1
    return frozenset(label for label, n in seen.items() if n > 1)


def _voice(label: str, said: str, names: frozenset[str]) -> str:
    """Return who speaks on a row, "" when it does not say; output that is echoed is a tool's."""
    low = label.lower()
    voice = ROLES.get(low) or (low if low in MACHINES else label if label in names else "")
    return "tool" if voice and compiled(ECHO).match(said) else voice
