"""MEMORY.md: what is always in the agent's context, in four blocks under a cap.  [moltbot §4, autopoiesis §2.4]

A line of a person's own hand, and a block of his own, stay as they are and count towards the caps.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from koog.core.named import NamedTuple
from koog.core.text import bullets, tokens
from koog.memory.store import ids
from koog.memory.store import line as lines
from koog.memory.store.entry import Item
from koog.memory.store.line import Line
from koog.memory.store.memories import CORE, Memory
from koog.memory.store.sections import Sections

FILE = "MEMORY.md"
IDENTITY, CONTEXT, PERSONA, CRITICAL = "identity", "context", "persona", "critical"
TITLES = {IDENTITY: "Identity", CONTEXT: "Active Context", PERSONA: "Persona", CRITICAL: "Critical Facts"}
BUDGETS = {IDENTITY: 500, CONTEXT: 1000, PERSONA: 500, CRITICAL: 1000}  # tokens
SAYS = {
    IDENTITY: "Who is the user? What matters most about them?",
    CONTEXT: "What's happening RIGHT NOW? Current projects, open decisions.",
    PERSONA: "How should I behave with this user?",
    CRITICAL: "Things I must NEVER forget, even if they haven't come up recently.",
}
MOST_LINES, MANY_LINES = 200, 180
FIRST_OUT = (CONTEXT, PERSONA, IDENTITY)  # which block gives way first; what is pinned does not
NEW = "# MEMORY.md — Core Memory\n\n<!-- TOKEN BUDGET: ~{most:,} tokens. Rewritten during reflection. -->\n"


class Entry(NamedTuple):
    """One line of MEMORY.md: its block ("" for a section of the person's own), its words, where it stands."""

    block: str
    line: Line
    item: Item

    @property
    def id(self) -> str:
        return f"{ids.CORE}:{self.line.hash}"


def new(most: int) -> str:
    """Return an empty MEMORY.md. most: its cap in tokens"""
    blocks = (
        f"\n## {TITLES[block]}\n<!-- ~{budget:,} tokens — {SAYS[block]} -->\n" for block, budget in BUDGETS.items()
    )
    return NEW.format(most=most) + "".join(blocks)


def entries(found: Sections) -> Iterator[Entry]:
    """Yield every bullet of every section, in order."""
    blocks = {title.casefold(): block for block, title in TITLES.items()}
    for section in found.sections:
        block = blocks.get(section.title.casefold(), "")
        for item in found.items_of(section):
            if (read := lines.read(item.text)).text:
                yield Entry(block, read, item)


def memories(text: str, path: str = FILE) -> list[Memory]:
    """Return what MEMORY.md remembers."""
    return [
        Memory(
            each.id,
            CORE,
            each.line.text,
            path,
            each.item.row + 1,
            each.line.values.get(lines.SINCE, ""),
            each.line.label,
            each.block == CRITICAL,
        )
        for each in entries(Sections(text, path))
    ]


def added(text: str, block: str, line: Line, *, most: int) -> str:
    """Return MEMORY.md with a line more in a block; made where there is none. most: tokens. Raises WorkspaceError."""
    found = Sections(text or new(most), FILE)
    return found.with_item(TITLES[block], line.raw, order=tuple(TITLES.values()))


def moved(text: str, entry: Entry, block: str) -> str:
    """Return MEMORY.md with a line in another block: its comments and the rows below it as a person wrote them."""
    rows = Sections(text, FILE).rows[entry.item.row : entry.item.end]
    bullet = bullets.parse(rows[0])
    words = "\n".join(rows)[len(bullet.lead) if bullet else 0 :]
    return Sections(without(text, [entry]), FILE).with_item(TITLES[block], words, order=tuple(TITLES.values()))


def find(text: str, hash_: str) -> Entry | None:
    """Return the line of an id's figures."""
    return next((each for each in entries(Sections(text, FILE)) if each.line.hash == hash_), None)


class Size(NamedTuple):
    """How large a MEMORY.md is, and its caps."""

    tokens: int
    lines: int
    most: int

    @property
    def is_over(self) -> bool:
        return self.tokens > self.most or self.lines > MOST_LINES

    @property
    def told(self) -> str:
        """Return what is said of one that is over its cap."""
        over = [f"{self.tokens:,} of {self.most:,} tokens"] if self.tokens > self.most else []
        over += [f"{self.lines} of {MOST_LINES} lines"] if self.lines > MOST_LINES else []
        return " and ".join(over)


@lru_cache(maxsize=4)  # where room is made, the same text is asked for three times
def size(text: str, most: int) -> Size:
    """Return how large a text is beside its cap in tokens."""
    return Size(tokens.estimate(text), text.count("\n") + (not text.endswith("\n")), most)


def to_prune(text: str, most: int, *, keep: str = "") -> list[Entry]:
    """Return the lines to take out so that the caps hold: the oldest of the least lasting block first, no pinned one.

    keep   the figures of the line for which room is made
    """
    found, gone = list(entries(Sections(text, FILE))), list[Entry]()
    for block in FIRST_OUT:
        for each in (e for e in found if e.block == block and e.line.hash != keep):
            if not size(without(text, gone), most).is_over:
                return gone
            gone.append(each)
    return gone


def without(text: str, gone: list[Entry]) -> str:
    """Return the text without some of its lines."""
    for each in sorted(gone, key=lambda e: -e.item.row):
        text = Sections(text, FILE).without(each.item)
    return text
