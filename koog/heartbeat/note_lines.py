"""Format: a daily note → the sentences people wrote in it, each with its speaker and line.  [sinain §4.5, §8]

Daily notes come from hosts, agents and hands: a transcript (`user: …`, `- **Caroline**: …`), bullets
under headings, plain prose. What a machine put there is left out: code, JSON, tables, tool output,
session headers, heartbeat polls, stack traces down to their last error line.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from koog.core.text.untrusted import visible
from koog.heartbeat.notes import Note

MAX_SENTENCE = 600  # characters; a longer run without a full stop is a dump, not a sentence

ROLES = {
    "user": "user",
    "human": "user",
    "me": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "agent": "assistant",
}
MACHINES = frozenset({"tool", "system", "toolresult", "tool_result", "function"})
# A bold or capitalised word before a colon is a speaker only when it is not one of these.
LABELS = frozenset(
    """
    action actions background bug cause changed changes conclusion context date decided decision decisions done error
    errors example fact failed failure findings fix fixed fixes follow-up followup goal goals host idea important info
    issue key learned lesson lessons link model next note notes outcome plan plans preference preferences problem
    question reason reminder resolution result root session setup solution solved source status summary symptom tip
    title todo topic update version warning why workaround
    """.split()
)

LIST_MARK = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
CLOCK = re.compile(r"\[?\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?\]?(?: UTC)?\s*(?:[-–—:|]\s*)?(?=\D)", re.IGNORECASE)
LABEL = re.compile(
    r"(?:\*\*|__)?([A-Za-z][\w.'’-]{0,29}(?: [A-Z][\w.'’-]{0,29})?)(?:(?:\*\*|__)\s?:|:(?:\*\*|__)|:)\s+(?=\S)"
)
FENCE = re.compile(r"\s*(?:[-*+]\s+)?(`{3,}|~{3,})")
HEADING = re.compile(r"#{1,6}\s+(.*)")
METADATA = re.compile(r"\s*[-*]\s+\*\*(?:Session Key|Session ID|Source|Reason|Model|Channel|Host)\*\*:", re.IGNORECASE)
MACHINE_LINE = re.compile(
    r"""\s*(?:
      [{}\])|]                                    # JSON, closing brackets, tables
    | \[\s*(?:[{"'\[\]]|$|tool|OpenClaw|system|media)   # arrays, markers of the host
    | <<<|</?[a-z][\w-]*[ >]|"[^"]{1,60}"\s*:      # fences of the host, XML, JSON members
    | \$\s|>>>\s|\+\+\+\s|@@\s                     # shells and diffs
    | at\s\S+[(:]|File\s"|Traceback|\.\.\.\s\d+\smore|[\^~\s-]+$|Caused\sby:\s*$   # stack frames
    | HEARTBEAT_OK|NO_REPLY|Read\sHEARTBEAT|(?:---|===|\*\*\*)\s*$
    | \d{4}-\d\d-\d\d[T ][\d:.,]+Z?\s+\[?(?:DEBUG|INFO|TRACE|WARN)   # log lines
    )""",
    re.VERBOSE,
)
ECHO = re.compile(r"(?:Echo:|Tool said:|\[tool|<tool)", re.IGNORECASE)
TOOL_ERROR = re.compile(r"(?:npm ERR!|npm error|error TS\d+:|error\[E\d+\]:|fatal: |ld: |make: \*\*\*)\s*\S")
ERROR_LINE = re.compile(r"\s*(?:[\w.]*(?:Error|Exception)\b|npm ERR!|E[A-Z]{4,}\b|(?:error|fatal|panic)\b[:\[(])")
SENTENCE_END = re.compile(r"[.!?…]{1,8}[\"”’)\]*]{0,4}\s+(?=[\"“(\[`*#@]?[A-Z0-9`])")
ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|Dr|Mr|Mrs|Ms|St|No|Jr|Sr|ca|cf|incl|min|max)|\b[A-Z])\.\s+$"
)
PHOTO = re.compile(r"\s*\((?:photo|image|picture|attachment):[^)]*\)?", re.IGNORECASE)
LINK = re.compile(r"!?\[([^\]\n]{1,200})\]\([^)\s]{1,500}\)")
EMPHASIS = re.compile(r"(?<![\w`])(?:\*\*|__)(?=\S)|(?<=\S)(?:\*\*|__)(?![\w`])")


@dataclass(frozen=True)
class Statement:
    """One sentence of a note.

    speaker   "user", "assistant", a name, or "" for the note's own voice
    line      the file's line number where the sentence begins
    turn      counts bullets, paragraphs and turns: equal for the sentences of one
    heading   the text of the nearest heading above, or ""
    trace     the last error line of a code block or stack trace
    """

    text: str
    speaker: str
    line: int
    turn: int
    heading: str = ""
    trace: bool = False

    def is_named(self) -> bool:
        """Return whether a person talks here under a name: talk between people, not notes or a session."""
        return self.speaker not in ("", "user", "assistant")


@dataclass
class _Block:
    speaker: str
    heading: str
    trace: bool = False
    lines: list[tuple[int, str]] = field(default_factory=list)


def statements(note: Note) -> list[Statement]:
    """Return the sentences of a note in their order. Linear in the length of the note."""
    lines = list(_unquoted(visible(note.text), note.first_line))
    found = []
    for turn, block in enumerate(_Reader(_speakers(lines)).blocks(lines)):
        for line, text in block.lines if block.trace else _sentences(block.lines):
            found.append(Statement(text, block.speaker, line, turn, block.heading, block.trace))
    return found


def _unquoted(text: str, first_line: int) -> Iterator[tuple[int, str]]:
    """Yield numbered lines; a turn that the host wrote as a JSON string (`user: "…\\n…"`) is opened up."""
    lines = text.split("\n")
    start = _after_frontmatter(lines) if first_line == 1 else 0
    for number, line in enumerate(lines[start:], first_line + start):
        role, colon, said = line.rstrip("\r").partition(": ")
        if colon and role.lower() in ROLES and len(said) > 1 and said[0] == '"' and said[-1] == '"':
            try:
                said = str(json.loads(said))
            except ValueError:  # the host cuts long turns, also in the middle of an escape
                said = said[1:-1].replace("\\n", "\n")
            first, *rest = said.split("\n")
            yield number, f"{role}: {first}"
            yield from ((number, each) for each in rest)
        else:
            yield number, line.rstrip("\r")


def _after_frontmatter(lines: list[str]) -> int:
    if lines[0].strip() != "---":
        return 0
    return next((i + 1 for i, line in enumerate(lines[1:200], 1) if line.strip() == "---"), 0)


def _label(line: str) -> tuple[str, str]:
    """Return a line's label ("" without one) and the rest, list mark and clock time taken off."""
    body = _body(line)
    match = LABEL.match(body)
    return (match[1], body[match.end() :]) if match else ("", body)


def _body(line: str) -> str:
    mark = LIST_MARK.match(line)
    rest = line[mark.end() :] if mark else line.strip()
    return CLOCK.sub("", rest, count=1) if rest[:1] in "[0123456789" and CLOCK.match(rest) else rest


def _speakers(lines: list[tuple[int, str]]) -> frozenset[str]:
    """Return the labels that are people: used twice or more, or once before words in the first person."""
    seen: Counter[str] = Counter()
    for _, line in lines:
        label, rest = _label(line)
        if label and label[0].isupper() and label.split()[0].lower() not in LABELS:
            seen[label] += 2 if re.match(r"(?:I|My|We)\b", rest) else 1
    return frozenset(label for label, n in seen.items() if n > 1)


class _Reader:
    """Groups lines into bullets, paragraphs and turns; what a machine wrote is skipped."""

    def __init__(self, speakers: frozenset[str]) -> None:
        self.speakers = speakers
        self.fence = ""  # the mark that opened the code block we are in
        self.error: tuple[int, str] | None = None  # the last error line seen in it
        self.heading = ""
        self.speaker = ""
        self.in_turn = False  # `user:` holds until the next speaker; a named bullet only for itself
        self.block = _Block("", "")

    def blocks(self, lines: list[tuple[int, str]]) -> Iterator[_Block]:
        for number, line in lines:
            yield from (self._code if self.fence or FENCE.match(line) else self._prose)(number, line)
        yield from self._done()

    def _done(self) -> Iterator[_Block]:
        if self.block.lines:
            yield self.block
            self.block = _Block("", self.heading)

    def _code(self, number: int, line: str) -> Iterator[_Block]:
        mark = FENCE.match(line)
        if not self.fence and mark:
            self.fence, self.error = mark[1], None
        elif mark and mark[1].startswith(self.fence):
            self.fence = ""
            if self.error and self.speaker not in MACHINES:
                yield from self._done()
                yield _Block(self.speaker, self.heading, trace=True, lines=[self.error])
        elif ERROR_LINE.match(line):
            self.error = (number, line.strip())

    def _prose(self, number: int, line: str) -> Iterator[_Block]:
        title, bullet, body = HEADING.match(line), LIST_MARK.match(line), _body(line)
        named, said = ("", "") if title else self._named(line)
        tool_error = TOOL_ERROR.match(body)
        if title or named or bullet or not body or (self.block.trace and not tool_error):
            yield from self._done()
        if title:
            self.heading, self.speaker, self.in_turn = _body(title[1]).strip("*_ "), "", False
        elif named:
            self.speaker, self.in_turn = named, named in ROLES.values() or named in MACHINES or not bullet
            self._take(number, said)
        elif METADATA.match(line) or MACHINE_LINE.match(body) or _is_code(line, self.block):
            return
        elif tool_error:
            if not self.block.trace:
                yield from self._done()
            # A tool repeats itself over many lines: the last one counts.
            self.block = _Block(self.speaker, self.heading, trace=True, lines=[(number, body)])
        elif body:
            if bullet and not self.in_turn and not line[:1].isspace():
                self.speaker = ""
            self._take(number, body)
        elif not self.in_turn:
            self.speaker = ""

    def _named(self, line: str) -> tuple[str, str]:
        """Return who speaks on this line, "" when it does not say, and the words; echoed output is a tool's."""
        label, said = _label(line)
        low = label.lower()
        named = ROLES.get(low) or (low if low in MACHINES else label if label in self.speakers else "")
        return ("tool" if named and ECHO.match(said) else named), said

    def _take(self, number: int, text: str) -> None:
        if self.speaker in MACHINES or not text or MACHINE_LINE.match(text):
            return
        if not self.block.lines:
            self.block = _Block(self.speaker, self.heading)
        self.block.lines.append((number, text))


def _is_code(line: str, block: _Block) -> bool:
    """Return whether an unmarked line is indented so far, outside of any bullet, that Markdown calls it code."""
    return line.startswith(("    ", "\t")) and not block.lines and not LIST_MARK.match(line)


def _sentences(lines: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the sentences of one block, each with the line where it begins."""
    text = " ".join(line for _, line in lines)
    starts = [0, *accumulate(len(line) + 1 for _, line in lines)]
    begin = 0
    for end in [*(match.end() for match in SENTENCE_END.finditer(text)), len(text)]:
        if end < len(text) and ABBREVIATION.search(text[max(begin, end - 12) : end]):
            continue
        sentence = _clean(text[begin:end]) if end - begin <= MAX_SENTENCE else ""
        if sentence:
            yield lines[min(bisect_right(starts, begin), len(lines)) - 1][0], sentence
        begin = end


def _clean(text: str) -> str:
    """Return a sentence without photos, link targets and emphasis marks, white space made single."""
    return " ".join(EMPHASIS.sub("", LINK.sub(r"\1", PHOTO.sub("", text))).split())
