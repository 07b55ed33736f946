"""What a curator may ask for: operations on numbered lines, each with a reason.  [design §4]

It sees the body's lines numbered from 1 and answers with add, rewrite, remove, merge and promote; core/text/edits.py
anchors them and does them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from koog.core.refused import Refusal
from koog.core.text import edits, grounding
from koog.core.text.compare import SAME, compare
from koog.core.text.edits import Edit, Edits, Slot
from koog.core.text.trust import LEFT, PATTERN, PERSON_FIRST, TAKEN, strictest, verdict
from koog.core.text.untrusted import clean, visible
from koog.core.text.voices import AGENT, NOTE, PERSON
from koog.heartbeat.findings import Finding
from koog.playbook import document, item, origin
from koog.playbook.item import Item

ESTABLISHED = "Established"
DEFAULT_SECTION = "Patterns"
SECTIONS = document.SECTIONS  # those an engine may add when they are missing
LINES = {"add": (0, 0), "rewrite": (1, 1), "remove": (1, 60), "merge": (2, 60), "promote": (1, 60)}  # least, most
PROMOTED_SCORE = 0.7
EARNED = 0.6  # what a line must have by feedback or repetition before it may be promoted
CLAIMED = 0.55  # the most that an engine may give a line: a score that protects is earned, not claimed
NEW_SCORE = 0.5
ITEM_CHARS = 300


@dataclass(frozen=True)
class Operation(Edit):
    """One anchored operation.

    label   the comment of a line that is added: whose it is
    trust   who is behind its text: of the finding that it rests on; an agent where it rests on none
    said    that finding's words, which are judged beside the text: whoever words it anew says the same
    """

    section: str | None = None
    score: float | None = None
    source: str | None = None
    label: str = ""
    trust: str = AGENT
    said: str = ""

    @property
    def verdict(self) -> str:
        """Return what may become of its text as a line of the playbook, as core/text/trust.py has it."""
        texts = filter(None, (self.text, self.said))
        return strictest(TAKEN, *(verdict(text, self.trust, register=NOTE, kind=PATTERN) for text in texts))


@dataclass
class Applied:
    """The body after the operations, and what was not done."""

    body: list[str]
    refused: list[Refusal]
    proposals: list[str]


def anchor(
    raw: Sequence[Mapping[str, Any]], body: Sequence[str], *, label: str = ""
) -> tuple[list[Operation], list[Refusal]]:
    """Return the operations with the text of their lines, and those that name no bullet. label: of added lines"""
    found, refused = edits.anchor(raw, body, kind=Operation, counts=LINES, what="bullet", is_line=item.parse)
    return [replace(operation, label=label) for operation in found], [_no(*row) for row in refused]


def attributed(operations: Sequence[Operation], given: Sequence[Finding]) -> list[Operation]:
    """Return the operations with who is behind their texts: the finding that an addition rests on is it.

    Of two that hold as much of it it is a person's. What adds something to a person's words is the curator's own.
    """
    known = sorted(given, key=lambda each: each.trust != PERSON)
    return [_attributed(operation, known) if operation.text else operation for operation in operations]


def _attributed(operation: Operation, known: Sequence[Finding]) -> Operation:
    text = operation.text or ""
    n = grounding.row(text, [each.words for each in known], None)
    if n is None or grounding.behind(text, known[n].words, known[n].trust) != known[n].trust:
        return replace(operation, source=origin.of_agent(operation.source))
    return replace(operation, trust=known[n].trust, said=known[n].words)


def grounded(operations: Sequence[Operation], grounds: Sequence[str]) -> tuple[list[Operation], list[Refusal]]:
    """Return the operations without the additions that nothing said, and those.

    grounds   the findings, the logs and the playbook's own lines: what a curator was shown

    What is shaped like an instruction stays in: it becomes a proposal, whoever said it.
    """
    kept, refused = [], []
    for operation in operations:
        is_said = operation.op != "add" or grounding.row(operation.text or "", grounds, None) is not None
        if is_said or operation.verdict == PERSON_FIRST:
            kept.append(operation)
        else:
            refused.append(_no(operation.text or "", "add: no finding, log entry or line says so"))
    return kept, refused


def apply(body: Sequence[str], operations: Sequence[Operation]) -> Applied:
    """Do the operations. One that no longer fits the text is refused, never guessed at."""
    done = _Curated(Edits.of((line, line) for line in body), [])
    laws = {"add": done.add, "rewrite": done.rewrite, "remove": done.remove, "merge": done.merge}
    done.lines.apply(operations, {**laws, "promote": done.promote})
    return Applied(done.lines.now, [_no(*row) for row in done.lines.refused], done.proposals)


def section_of(body: Sequence[str], index: int) -> str:
    """Return the heading above a line, without its marks; "" above the first."""
    for line in reversed(body[:index]):
        if line.startswith("## "):
            return line[3:].strip()
    return ""


def insert(body: list[str], line: str, section: str) -> None:
    """Put a line at the end of a section, which is added when it is missing."""
    at, rows = _room(body, line, section)
    body[at:at] = rows


def _room(body: Sequence[str], line: str, section: str) -> tuple[int, list[str]]:
    heads = [i for i, text in enumerate(body) if text.startswith("## ")]
    start = next((i for i in heads if body[i][3:].strip().lower() == section.lower()), None)
    if start is None:
        gap = [""] if body and body[-1].strip() else []
        return len(body), [*gap, f"## {section}", line]
    end = next((i for i in heads if i > start), len(body))
    while end > start + 1 and not body[end - 1].strip():
        end -= 1
    return end, [line]


def one_line(text: str) -> str:
    """Return a bullet's text from an engine's or a note's: one line, no hidden characters, no secret, no tags.

    Tags are koog's to set: a text that brings its own `(score: 1)` would promote itself.
    """
    bare = " ".join(visible(clean(text)).split()).removeprefix("- ").strip()
    parsed = item.parse(f"- {bare}")
    bare = parsed.text if parsed else bare
    return bare if len(bare) <= ITEM_CHARS else bare[: ITEM_CHARS - 1].rsplit(" ", 1)[0] + "…"


def says(line: str, text: str) -> bool:
    """Return whether a line says all of a text."""
    return line == text or compare(line, text).kind == SAME


@dataclass
class _Curated:
    """The body under edit, and the texts that wait for a person: what each operation does, and when it is refused."""

    lines: Edits[str]
    proposals: list[str]

    def add(self, operation: Operation, _: Sequence[Slot[str]]) -> None:
        text = one_line(operation.text or "")
        if self._is_held(operation, text):
            return
        if any((i := item.parse(line)) and says(i.text, text) for line in self.lines.now):
            self.lines.refuse(operation, text, "stands already")
            return
        score = NEW_SCORE if operation.score is None else operation.score
        new = Item(text=text, score=min(CLAIMED, max(0.0, score)), source=operation.source, label=operation.label)
        self._insert(operation, new, _home(self.lines.now, operation.section or ""))

    def rewrite(self, operation: Operation, found: Sequence[Slot[str]]) -> None:
        text, old = one_line(operation.text or ""), _bullet(found[0].now)
        if self._is_held(operation, text):
            return
        source = operation.source or _source(old, text)
        most = max(CLAIMED, old.score or 0.0)
        score = old.score if operation.score is None else min(most, max(0.0, operation.score))
        self.lines.put(operation, found[0], replace(old, text=text, source=source, score=score).render())

    def remove(self, operation: Operation, found: Sequence[Slot[str]]) -> None:
        for slot in found:
            self.lines.drop(operation, slot)

    def merge(self, operation: Operation, found: Sequence[Slot[str]]) -> None:
        items = [_bullet(slot.now) for slot in found]
        strongest = max(items, key=lambda i: (i.score or 0.0, len(i.text)))
        text = one_line(operation.text or strongest.text) if operation.verdict == TAKEN else strongest.text
        merged = replace(
            strongest,
            text=text,
            source=_source(strongest, text),
            error_prevention=any(i.error_prevention for i in items),
            since=min((i.since for i in items if i.since), default=None),
        )
        self.lines.join(operation, found, found[0], merged.render())

    def promote(self, operation: Operation, found: Sequence[Slot[str]]) -> None:
        for slot in found:
            old = _bullet(slot.now)
            if (old.score or 0.0) < EARNED:
                why = f"a score of {EARNED} by feedback or repetition comes first"
                self.lines.refuse(operation, old.text, why)
                continue
            self.lines.drop(operation, slot)
            self._insert(operation, old.scored(max(old.score or 0.0, PROMOTED_SCORE)), ESTABLISHED)

    def _insert(self, operation: Operation, new: Item, section: str) -> None:
        self.lines.insert(operation, *_room(self.lines.now, new.render(), section))

    def _is_held(self, operation: Operation, text: str) -> bool:
        """Keep a text out: one that steers waits for a person's word, what a tool or a page says is no line."""
        if text and operation.verdict == TAKEN:
            return False
        why = "no text"
        if text and operation.verdict == LEFT:
            why = f"no person's word ({operation.trust})"
        elif text:
            self.proposals.append(text)
            why = "shaped like an instruction, so it is a proposal for a person"
        self.lines.refuse(operation, text, why)
        return True


def _home(body: Sequence[str], section: str) -> str:
    """Return a section by its name, the default for one that is neither there nor koog's: a heading is text, too."""
    known = {line[3:].strip().lower() for line in body if line.startswith("## ")} | {s.lower() for s in SECTIONS}
    name = section.strip()
    return name if name and name.lower() in known else DEFAULT_SECTION


def _source(old: Item, text: str) -> str | None:
    """Return where a line comes from that an engine has worded anew: whoever said it said no more than this."""
    return old.source if grounding.behind(text, old.text, PERSON) == PERSON else origin.of_agent(old.source)


def _bullet(line: str) -> Item:
    found = item.parse(line)
    if found is None:
        raise ValueError(f"not a bullet: {line!r}")  # anchor lets bullets through only
    return found


def _no(text: str, reason: str) -> Refusal:
    return Refusal(text=text[:200], reason=reason)
