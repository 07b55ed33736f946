"""What is to be remembered, and what was said of where: one thing, or the lines of a batch.  [moltbot §8.2]"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from koog.core.errors import UsageError
from koog.core.named import NamedTuple
from koog.memory.store.core_memory import TITLES
from koog.memory.store.memories import STORES

AUTO = "auto"
EXPLICIT, DETECTED, INFERRED = 1.0, 0.7, 0.5  # first relevance  [moltbot §9.1]


class Wanted(NamedTuple):
    """One thing to remember, and what was said of where.

    explicit  the user asked for it
    replaces  the id or the words of what it takes the place of
    edges     (relation, name of an entity) of its entity
    confidence  high, medium or low, where that is known already
    opposes   the words of what it does not go with, though both are to stay
    is_core   it belongs into MEMORY.md as well
    base      its first relevance, where nobody asked for it
    heard     session#entry in which it was said, where nobody asked for it
    number    of its line in a batch, from 1
    merges    a name that is like a known one is taken for that one's
    """

    text: str
    store: str = AUTO
    block: str | None = None
    explicit: bool = False
    replaces: str = ""
    tags: tuple[str, ...] = ()
    entity: str = ""
    edges: tuple[tuple[str, str], ...] = ()
    confidence: str = ""
    opposes: str = ""
    is_core: bool = False
    base: float = DETECTED
    heard: str = ""
    number: int = 1
    merges: bool = False


def read_batch(text: str, default: Wanted) -> list[Wanted]:
    """Return the things of a batch. Raises UsageError with the line that is none."""
    from koog.core.files import jsonfiles

    found = []
    for number, row in enumerate(text.split("\n"), 1):
        if not row.strip():
            continue
        try:
            value = jsonfiles.loads(row)
        except ValueError:
            raise UsageError(f"--batch line {number} is no JSON", hint='{"text": "…"}') from None
        if not isinstance(value, dict) or not isinstance(value.get("text"), str):
            raise UsageError(f'--batch line {number} has no "text"', hint='{"text": "…", "store": "semantic"}')
        found.append(_wanted(value, default, number))
    return found


def _wanted(value: dict[str, Any], default: Wanted, number: int) -> Wanted:
    store, block = value.get("store", default.store), value.get("block", default.block)
    tags, linked = value.get("tags", default.tags), value.get("edges", [])
    is_wrong = store not in (AUTO, *STORES) or block not in (None, *TITLES)
    is_wrong |= not all(
        isinstance(v, list | tuple) and all(isinstance(each, str) for each in v) for v in (tags, linked)
    )
    is_wrong |= not all(isinstance(value.get(name, ""), str) for name in ("replaces", "entity"))
    is_wrong |= not all(isinstance(value.get(name, False), bool) for name in ("explicit", "merge"))
    if is_wrong:
        raise UsageError(f"--batch line {number}: a value of a wrong kind", hint="koog schema remember")
    return Wanted(
        value["text"],
        store,
        block,
        value.get("explicit", default.explicit),
        value.get("replaces", default.replaces),
        tuple(tags),
        value.get("entity", default.entity),
        edges(linked, where=f"--batch line {number}: an edge") or default.edges,
        number=number,
        merges=value.get("merge", default.merges),
    )


def edges(told: list[str], *, where: str = "--edge") -> tuple[tuple[str, str], ...]:
    """Return the links that are told as REL:TO. Raises UsageError, which says where one is that is none."""
    rows = []
    for each in told:
        relation, sign, to = each.partition(":")
        if not sign or not relation.strip() or not to.strip():
            raise UsageError(f"{where} {each!r}", hint='--edge uses:Redis; in a batch "edges": ["uses:Redis"]')
        rows.append((relation.strip(), to.strip()))
    return tuple(rows)


def words(text: str) -> tuple[str, ...]:
    """Return what is told with commas between."""
    return tuple(filter(None, (" ".join(word.split()).strip("[]") for word in text.split(","))))


def file(path: Path) -> str:
    """Return the text of a batch. Raises UsageError."""
    from koog.core.files import outside
    from koog.core.stdin import LIMIT

    try:
        return outside.read(str(path), limit=LIMIT).decode("utf-8-sig")
    except (OSError, ValueError) as e:
        raise UsageError(f"--batch {path}: {getattr(e, 'strerror', None) or 'no UTF-8 text'}") from None
