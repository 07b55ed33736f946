"""What a curator may ask for: operations on numbered lines, each with a reason.  [design §4]

A curator never hands back a document. It sees the body's lines numbered from 1 and
answers with add, rewrite, remove, merge and promote. Each operation is anchored to
the *text* of its lines at once, so that it still finds them when a person has moved
or edited others meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from koog.core.text.grounding import behind
from koog.core.text.measures import jaccard, overlap, stems
from koog.core.text.statement import AGENT, NOTE, PERSON
from koog.core.text.trust import LEFT, PATTERN, PERSON_FIRST, TAKEN, strictest, verdict
from koog.core.text.untrusted import clean, visible
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
GROUNDED = 0.5  # share of an addition's words that one finding, log entry or line must hold
NEW_SCORE = 0.5
ITEM_CHARS = 300
SAME = 0.75  # jaccard of two lines that say the same


@dataclass(frozen=True)
class Operation:
    """One anchored operation.

    lines   whole lines of the body as the curator saw them
    label   the comment of a line that is added: whose it is
    trust   who is behind its text: of the finding that it rests on; an agent where it rests on none
    said    that finding's words, which are judged beside the text: whoever words it anew says the same
    """

    op: str
    lines: tuple[str, ...]
    reason: str
    text: str | None = None
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
    refused: list[dict[str, str]]
    proposals: list[str]


def anchor(
    raw: Sequence[dict[str, Any]], body: Sequence[str], *, label: str = ""
) -> tuple[list[Operation], list[dict[str, str]]]:
    """Return the operations with the text of their lines, and those that name no bullet. label: of added lines"""
    found, refused = [], []
    for given in raw:
        numbers = _numbers(given)
        lines = tuple(body[n - 1] for n in numbers if 1 <= n <= len(body) and item.parse(body[n - 1]))
        least, most = LINES[given["op"]]
        if len(lines) != len(numbers) or not least <= len(lines) <= most:
            refused.append(_no(str(given.get("text") or numbers), f"{given['op']}: no such bullet"))
            continue
        found.append(
            Operation(
                op=given["op"],
                lines=lines,
                reason=given.get("reason") or "",
                text=given.get("text"),
                section=given.get("section"),
                score=given.get("score"),
                source=given.get("source"),
                label=label,
            )
        )
    return found, refused


def attributed(operations: Sequence[Operation], given: Sequence[Finding]) -> list[Operation]:
    """Return the operations with who is behind their texts: the finding that has most of an addition's words is it.

    Of two that have as many it is a person's. What adds something to a person's words is the curator's own.
    """
    known = [(set(stems(each.words)), each) for each in given]
    return [_attributed(operation, known) if operation.text else operation for operation in operations]


def _attributed(operation: Operation, known: Sequence[tuple[set[str], Finding]]) -> Operation:
    words = set(stems(operation.text or ""))
    held = [(len(words & said), each.trust == PERSON, n) for n, (said, each) in enumerate(known)]
    most, _, n = max(held, default=(0, False, 0))
    if most < max(1.0, GROUNDED * len(words)):
        return replace(operation, source=origin.of_agent(operation.source))
    finding = known[n][1]
    who = behind(operation.text or "", finding.words, finding.trust)
    if who != finding.trust:
        return replace(operation, source=origin.of_agent(operation.source))
    return replace(operation, trust=who, said=finding.words)


def grounded(operations: Sequence[Operation], grounds: Sequence[str]) -> tuple[list[Operation], list[dict[str, str]]]:
    """Return the operations without the additions that nothing said, and those.

    grounds   the findings, the logs and the playbook's own lines: what a curator was shown

    What is shaped like an instruction stays in: it becomes a proposal, whoever said it.
    """
    known = [set(stems(text)) for text in grounds]
    kept, refused = [], []
    for operation in operations:
        words = set(stems(operation.text or ""))
        said = any(len(words & ground) >= GROUNDED * len(words) for ground in known)
        if operation.op == "add" and words and not said and operation.verdict != PERSON_FIRST:
            refused.append(_no(operation.text or "", "add: no finding, log entry or line says so"))
        else:
            kept.append(operation)
    return kept, refused


def apply(body: Sequence[str], operations: Sequence[Operation]) -> Applied:
    """Do the operations in order. One that no longer fits the text is refused, never guessed at."""
    done = Applied(list(body), [], [])
    for operation in operations:
        wanted = operation.lines
        if gone := [line for line in wanted if wanted.count(line) > done.body.count(line)]:
            done.refused.append(_no(gone[0], f"{operation.op}: the line changed meanwhile"))
            continue
        {"add": _add, "rewrite": _rewrite, "remove": _remove, "merge": _merge, "promote": _promote}[operation.op](
            done, operation
        )
    return done


def _numbers(given: dict[str, Any]) -> list[int]:
    """Return the line numbers of an operation, each once; an addition has none, whatever it names."""
    if given["op"] == "add":
        return []
    single = [given["line"]] if given.get("line") is not None else []
    return list(dict.fromkeys(given.get("lines") or single))


def section_of(body: Sequence[str], index: int) -> str:
    """Return the heading above a line, without its marks; "" above the first."""
    for line in reversed(body[:index]):
        if line.startswith("## "):
            return line[3:].strip()
    return ""


def insert(body: list[str], line: str, section: str) -> None:
    """Put a line at the end of a section, which is added when it is missing."""
    heads = [i for i, text in enumerate(body) if text.startswith("## ")]
    start = next((i for i in heads if body[i][3:].strip().lower() == section.lower()), None)
    if start is None:
        if body and body[-1].strip():
            body.append("")
        body += [f"## {section}", line]
        return
    end = next((i for i in heads if i > start), len(body))
    while end > start + 1 and not body[end - 1].strip():
        end -= 1
    body.insert(end, line)


def one_line(text: str) -> str:
    """Return a bullet's text from an engine's or a note's: one line, no hidden characters, no secret, no tags.

    Tags are koog's to set: a text that brings its own `(score: 1)` would promote itself.
    """
    bare = " ".join(visible(clean(text)).split()).removeprefix("- ").strip()
    parsed = item.parse(f"- {bare}")
    bare = parsed.text if parsed else bare
    return bare if len(bare) <= ITEM_CHARS else bare[: ITEM_CHARS - 1].rsplit(" ", 1)[0] + "…"


def same(a: str, b: str) -> bool:
    """Return whether two bullets' texts say the same."""
    return a == b or jaccard(a, b) >= SAME


def _add(done: Applied, operation: Operation) -> None:
    text = one_line(operation.text or "")
    if not text:
        done.refused.append(_no("", "add: no text"))
    elif operation.verdict != TAKEN:
        _hold(done, operation, text)
    elif any((i := item.parse(line)) and same(i.text, text) for line in done.body):
        done.refused.append(_no(text, "add: stands already"))
    else:
        score = NEW_SCORE if operation.score is None else operation.score
        new = Item(text=text, score=min(CLAIMED, max(0.0, score)), source=operation.source, label=operation.label)
        insert(done.body, new.render(), _home(done.body, operation.section or ""))


def _hold(done: Applied, operation: Operation, text: str) -> None:
    """Keep a text out: one that steers waits for a person's word, what a tool or a page says is no line by itself."""
    if operation.verdict == LEFT:
        done.refused.append(_no(text, f"{operation.op}: no person's word ({operation.trust})"))
        return
    done.proposals.append(text)
    done.refused.append(_no(text, f"{operation.op}: shaped like an instruction, so it is a proposal for a person"))


def _home(body: Sequence[str], section: str) -> str:
    """Return a section by its name, the default for one that is neither there nor koog's: a heading is text, too."""
    known = {line[3:].strip().lower() for line in body if line.startswith("## ")} | {s.lower() for s in SECTIONS}
    name = section.strip()
    return name if name and name.lower() in known else DEFAULT_SECTION


def _rewrite(done: Applied, operation: Operation) -> None:
    text = one_line(operation.text or "")
    at, old = done.body.index(operation.lines[0]), _bullet(operation.lines[0])
    if not text:
        done.refused.append(_no(text, "rewrite: no text"))
        return
    if operation.verdict != TAKEN:
        _hold(done, operation, text)
        return
    source = operation.source or _source(old, text)
    most = max(CLAIMED, old.score or 0.0)
    score = old.score if operation.score is None else min(most, max(0.0, operation.score))
    done.body[at] = replace(old, text=text, source=source, score=score).render()


def _source(old: Item, text: str) -> str | None:
    """Return where a line comes from that an engine has worded anew: whoever said it said no more than this."""
    return old.source if behind(text, old.text, PERSON) == PERSON else origin.of_agent(old.source)


def _remove(done: Applied, operation: Operation) -> None:
    for line in operation.lines:
        done.body.remove(line)


def _merge(done: Applied, operation: Operation) -> None:
    items = [found for line in operation.lines if (found := item.parse(line))]
    strongest = max(items, key=lambda i: (i.score or 0.0, len(i.text)))
    text = one_line(operation.text or strongest.text)
    if operation.verdict != TAKEN:
        text = strongest.text
    merged = replace(
        strongest,
        text=text,
        source=_source(strongest, text),
        error_prevention=any(i.error_prevention for i in items),
        since=min((i.since for i in items if i.since), default=None),
    )
    first, *others = _places(done.body, operation.lines)
    done.body[first] = merged.render()
    for at in sorted(others, reverse=True):
        del done.body[at]


def _promote(done: Applied, operation: Operation) -> None:
    for line in operation.lines:
        old = _bullet(line)
        if (old.score or 0.0) < EARNED:
            done.refused.append(_no(old.text, f"promote: a score of {EARNED} by feedback or repetition comes first"))
            continue
        done.body.remove(line)
        insert(done.body, old.scored(max(old.score or 0.0, PROMOTED_SCORE)).render(), ESTABLISHED)


def _places(body: Sequence[str], lines: Sequence[str]) -> list[int]:
    """Return where each line stands; equal lines have places of their own."""
    found: list[int] = []
    for line in lines:
        found.append(next(i for i, text in enumerate(body) if text == line and i not in found))
    return found


def _bullet(line: str) -> Item:
    found = item.parse(line)
    if found is None:
        raise ValueError(f"not a bullet: {line!r}")  # anchor lets bullets through only
    return found


def _no(text: str, reason: str) -> dict[str, str]:
    return {"text": text[:200], "reason": reason}


def kept(before: Item, after: Sequence[Item], *, floor: float = 0.6) -> bool:
    """Return whether a bullet stands in another text, as it was or in other words."""
    return any(before.text == i.text or overlap(before.text, i.text) >= floor for i in after)
