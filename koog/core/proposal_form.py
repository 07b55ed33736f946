"""A proposal as it stands in memory/meta/pending-memories.md.  Pure.  [moltbot §13.2, §13.6]

    ---
    ## Proposal #3 ⚠️ CONFLICT with #4
    - **From**: researcher
    - **Timestamp**: 2026-02-03T10:00:00Z
    - **Trigger**: auto-detect during research task
    - **Suggested store**: semantic
    - **Content**: Project deadline is March 15,
      at noon
    - **Entities**: [project--atlas]
    - **Confidence**: medium
    - **Core-worthy**: no
    - **Status**: conflict — see #4

Agents append such by hand: without a number, with one that is taken, with fields in another order or missing. What is
no heading and no field of a proposal is nobody's to change. What stands in a comment is no proposal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import dedent

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

PENDING, CONFLICT, DEFERRED = "pending", "conflict", "deferred"
WAITING = (PENDING, CONFLICT, DEFERRED)
STORES = ("episodic", "semantic", "procedural", "vault", "core")
HIGH, MEDIUM, LOW = CONFIDENCES = ("high", "medium", "low")
FROM, TIMESTAMP, TRIGGER, STORE, CONTENT, ENTITIES, CONFIDENCE, CORE, STATUS = FIELDS = (
    "From",
    "Timestamp",
    "Trigger",
    "Suggested store",
    "Content",
    "Entities",
    "Confidence",
    "Core-worthy",
    "Status",
)
MOST_DIGITS = 9  # a longer one is nobody's count
HEADING = r"##[ \t]+Proposal(?![\w-])(?P<said>[ \t]*(?:#[ \t]*\w*|\d+(?!\w))?)(?P<more>.*)"
FIELD = r"[-*+][ \t]+\*\*(?P<name>[A-Za-z][A-Za-z -]*?)(?::\*\*|\*\*[ \t]*:)[ \t]*(?P<value>.*?)[ \t\r]*"
MARK = r"[ \t]*⚠️?[ \t]*CONFLICT with (?P<others>[^,\s]+(?:,[ \t]*[^,\s]+)*)"
ENDS = r"#{1,2}[ \t]|-{3,}[ \t\r]*\Z"
COMMENT = r"(?s)<!--.*?-->"


class Draft(NamedTuple):
    """What is proposed, before it has a number."""

    content: str
    author: str
    timestamp: str
    trigger: str
    store: str = "semantic"
    entities: tuple[str, ...] = ()
    confidence: str = MEDIUM
    is_core_worthy: bool = False


@dataclass(frozen=True)
class Entry:
    """One proposal as it stands.

    number     None where it has none that can be read
    others     what its heading says that it is in conflict with: `#4`, the id of a memory
    start      its first row: the `---` above its heading, where there is one
    head       the row of its heading
    end        the row after its last field; what follows is not of it
    rows       field → its row, and the row after its value
    values     field, in lower case → value
    """

    number: int | None
    others: tuple[str, ...]
    start: int
    head: int
    end: int
    rows: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)

    def value(self, name: str) -> str:
        return self.values.get(name.lower(), "")

    @property
    def content(self) -> str:
        return self.value(CONTENT)

    @property
    def author(self) -> str:
        return self.value(FROM)

    @property
    def store(self) -> str:
        """Return the store that is suggested, "" for none that there is."""
        found = self.value(STORE).lower()
        return found if found in STORES else ""

    @property
    def entities(self) -> tuple[str, ...]:
        return tuple(filter(None, (each.strip(" []`\"'") for each in self.value(ENTITIES).split(","))))

    @property
    def confidence(self) -> str:
        """Return high, medium or low; what says nothing is no more than medium."""
        found = self.value(CONFIDENCE).lower()
        return found if found in CONFIDENCES else MEDIUM

    @property
    def is_core_worthy(self) -> bool:
        return self.value(CORE).lower() in ("yes", "true")

    @property
    def status(self) -> str:
        """Return the first word of its status: pending, conflict, deferred, or what somebody wrote there."""
        return (self.value(STATUS).lower().split() or [PENDING])[0].strip("—-:,")

    @property
    def is_waiting(self) -> bool:
        return self.status in WAITING and bool(self.content)


def read(text: str) -> list[Entry]:
    """Return the proposals of a file, in their order.

    >>> two = "## Proposal #2\\n- **Content**: a\\n  b\\n\\n## Proposal\\n- **From**: x\\n"
    >>> [(each.number, each.content) for each in read(two)]
    [(2, 'a\\nb'), (None, '')]
    """
    rows = bare(text).split("\n")
    heads = [at for at, row in enumerate(rows) if row.startswith("## ") and compiled(HEADING).fullmatch(row.rstrip())]
    return [_entry(rows, head, floor) for head, floor in zip(heads, [0, *(h + 1 for h in heads)], strict=False)]


def bare(text: str) -> str:
    """Return a text with its comments emptied, row by row as it was."""
    return compiled(COMMENT).sub(lambda found: "\n" * found[0].count("\n"), text)


def _entry(rows: Sequence[str], head: int, floor: int) -> Entry:
    match = compiled(HEADING).fullmatch(rows[head].rstrip())
    assert match is not None  # noqa: S101  the caller has looked
    told = match["said"].strip(" \t#")
    number = int(told) if told.isdecimal() and told.isascii() and len(told) <= MOST_DIGITS else None
    mark = compiled(MARK).search(match["more"])
    above = next((at for at in range(head - 1, floor - 1, -1) if rows[at].strip()), None)
    start = above if above is not None and compiled(r"-{3,}[ \t\r]*").fullmatch(rows[above]) else head
    found: dict[str, tuple[int, int]] = {}
    values: dict[str, str] = {}
    end = at = head + 1
    while at < len(rows) and not compiled(ENDS).match(rows[at]):
        if one := compiled(FIELD).fullmatch(rows[at]):
            stop = _value_end(rows, at + 1, is_content=one["name"].lower() == CONTENT.lower())
            name = one["name"].strip()
            if name.lower() not in values:  # of two the first counts
                found[name.lower()] = (at, stop)
                values[name.lower()] = _value(one["value"], rows[at + 1 : stop])
            at = end = stop
        elif rows[at].strip() and values:
            break  # somebody's note below it
        else:
            at += 1
    others = tuple(each.strip() for each in mark["others"].split(",")) if mark else ()
    return Entry(number or None, others, start, head, end, found, values)


def _value_end(rows: Sequence[str], at: int, *, is_content: bool) -> int:
    """Return the row after a value that goes on in indented rows.

    is_content   behind blank rows, too, and in rows that are not indented up to a blank one, as Markdown has it
    """
    end = at
    while at < len(rows):
        row = rows[at]
        is_indented = row[:1] in (" ", "\t")
        if not row.strip():
            if not is_content:
                break
        elif is_indented or (is_content and end == at and not _begins(row)):
            end = at + 1
        else:
            break
        at += 1
    return end


def _begins(row: str) -> bool:
    return bool(compiled(ENDS).match(row) or compiled(FIELD).fullmatch(row) or row.startswith("#"))


def _value(first: str, more: Sequence[str]) -> str:
    rest = dedent("\n".join(row.rstrip() for row in more))
    return f"{first}\n{rest}".strip() if rest else first.strip()


def tidy(content: str) -> str:
    """Return a content as it can be written and read back: trimmed lines, and no sign that opens a comment.

    >>> tidy(" a <!-- b\\n\\n\\n    c \\n")
    'a ‹!-- b\\n\\nc'
    """
    rows = [row.rstrip() for row in content.replace("<!--", "‹!--").replace("-->", "--›").strip().splitlines()]
    kept = [row for at, row in enumerate(rows) if row or rows[at - 1]]
    if not kept:
        return ""
    rest = dedent("\n".join(kept[1:]))
    return f"{kept[0].strip()}\n{rest}" if rest else kept[0].strip()


def key(content: str) -> str:
    """Return what two proposals have in common that say the same in the same words."""
    return " ".join(content.split())


def block(number: int, draft: Draft) -> str:
    """Return a proposal as it is written."""
    rows = [
        "---",
        f"## Proposal #{number}",
        _field(FROM, draft.author),
        _field(TIMESTAMP, draft.timestamp),
        _field(TRIGGER, draft.trigger),
        _field(STORE, draft.store),
        f"- **{CONTENT}**: " + tidy(draft.content).replace("\n", "\n  ").replace("\n  \n", "\n\n"),
        _field(ENTITIES, f"[{', '.join(key(each) for each in draft.entities)}]"),
        _field(CONFIDENCE, draft.confidence),
        _field(CORE, "yes" if draft.is_core_worthy else "no"),
        _field(STATUS, PENDING),
    ]
    return "\n".join(rows) + "\n"


def _field(name: str, value: str) -> str:
    return f"- **{name}**: {key(tidy(value))}"


def heading(entry: Entry, row: str, number: int, others: Sequence[str]) -> str:
    """Return the row of a heading with this number and these conflicts; what else somebody wrote there stays."""
    match = compiled(HEADING).fullmatch(row.rstrip())
    assert match is not None  # noqa: S101  an entry's heading
    if entry.number == number and entry.others == tuple(others):
        return row
    more = compiled(MARK).sub("", match["more"])
    mark = f" ⚠️ CONFLICT with {', '.join(others)}" if others else ""
    return f"## Proposal #{number}{mark}{more}" + ("\r" if row.endswith("\r") else "")


def status_row(entry: Entry, others: Sequence[str]) -> str:
    """Return the status of a proposal with these conflicts."""
    told = f"see {', '.join(others)}"
    if entry.status == DEFERRED:
        return f"- **{STATUS}**: {DEFERRED}" + (f" — {CONFLICT}, {told}" if others else "")
    return f"- **{STATUS}**: " + (f"{CONFLICT} — {told}" if others else PENDING)


def without(text: str, gone: Iterable[Entry]) -> str:
    """Return a file without some of its proposals: their rows, and the blank ones behind them."""
    rows = text.split("\n")
    for entry in sorted(gone, key=lambda e: -e.start):
        end = entry.end
        while end < len(rows) - 1 and not rows[end].strip():
            end += 1
        has_blank = entry.start == 0 or not rows[entry.start - 1].strip()
        kept = [] if has_blank else [""]
        rows[entry.start : end] = kept if end < len(rows) - 1 or rows[end:] != [""] else []
    return "\n".join(rows)


def numbers(entries: Iterable[Entry]) -> Iterator[int]:
    """Yield the numbers that can be read."""
    return (e.number for e in entries if e.number)
