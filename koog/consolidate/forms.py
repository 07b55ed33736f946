"""The form of an operation: a kind, its file, its heading, a line. Whoever writes the plan's file can give it no other.

Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from koog.consolidate.plan import ARCHIVE, CORE, EPISODE, FACT, OPPOSE, PROCEDURE, RELATION, REPLACE, Operation
from koog.core.errors import UsageError
from koog.memory.store import core_memory, entities, episodes, ids, procedures
from koog.memory.store import line as lines
from koog.memory.store.core_memory import TITLES
from koog.memory.store.memories import CORE as CORE_STORE
from koog.memory.store.memories import EPISODIC, PROCEDURAL, SEMANTIC

MOST_NAME = 200  # chars of what an entity is called
STORE_OF = {
    FACT: SEMANTIC,
    REPLACE: SEMANTIC,
    OPPOSE: SEMANTIC,
    RELATION: SEMANTIC,
    PROCEDURE: PROCEDURAL,
    CORE: CORE_STORE,
    EPISODE: EPISODIC,
}


def problem(op: Operation, memory: Callable[[str], str]) -> str:
    """Return what is wrong with an operation's parts, "" for nothing. memory: the memory folder's path of a name"""
    try:
        file, store, anchors = _home(op, memory)
    except UsageError as e:
        return e.message
    if op.file != file:
        return f"{op.file[:80]!r} is not the file of {op.target[:80]}"
    if op.store != store:
        return f"{op.store[:20]!r} is not its store"
    if op.anchor not in anchors:
        return f"{op.anchor[:40]!r} is no place for it"
    if (op.after is None) == (op.kind != ARCHIVE) and not (op.kind in (CORE, REPLACE) and op.before):
        return "it says nothing"
    if op.kind == RELATION and next(entities.edges_of(op.target, op.after or ""), None) is None:
        return "it links nothing"
    if op.name != lines.words(op.name) or len(op.name) > MOST_NAME:
        return "its name is none"
    if op.confidence not in episodes.CONFIDENCES:
        return f"{op.confidence[:20]!r} is no confidence"
    return ""


def _home(op: Operation, memory: Callable[[str], str]) -> tuple[str, str, tuple[str, ...]]:
    """Return the file, the store and the headings that are an operation's by its kind. Raises UsageError."""
    if op.kind in (FACT, RELATION):
        if not ids.is_entity(op.target):
            raise UsageError(f"{op.target[:80]!r} is no entity")
        anchor = entities.RELATIONS if op.kind == RELATION else entities.FACTS
        return memory(entities.path(op.target)), SEMANTIC, (anchor,)
    if op.kind == CORE:
        return core_memory.FILE, CORE_STORE, tuple(TITLES.values())
    if op.kind == EPISODE:
        if not lines.day(op.target):
            raise UsageError(f"{op.target[:80]!r} is no day")
        return memory(episodes.path(op.target)), EPISODIC, ("",)
    id_ = ids.parse(op.target)
    if op.kind == PROCEDURE and id_.kind == ids.PROCEDURE:
        return memory(procedures.path(id_.name)), PROCEDURAL, ("",)
    if op.kind in (REPLACE, OPPOSE) and id_.kind == ids.FACT:
        return memory(entities.path(id_.entity)), SEMANTIC, (entities.FACTS,)
    if op.kind == ARCHIVE:
        return op.file, op.store, (op.anchor,)
    raise UsageError(f"{op.kind} is not for {op.target[:80]!r}")
