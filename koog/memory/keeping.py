"""One thing goes into its store, and what it is linked with into the graph.  [moltbot §4 to §7, §8.2]"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from koog.core.errors import Busy, Refused, WorkspaceError
from koog.core.named import NamedTuple
from koog.memory import anew, changing, routing, whom
from koog.memory.store import core_memory, episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.change import Change
from koog.memory.store.drafts import Stored
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT
from koog.memory.store.procedures import Procedure
from koog.memory.store.writing import Writer
from koog.memory.wanted import AUTO, EXPLICIT, Wanted
from koog.memory.whom import Named


class Kept(NamedTuple):
    """What became of it."""

    stored: Stored
    row: dict[str, Any]


def kept(
    writer: Writer,
    wanted: Wanted,
    answer: dict[str, Any],
    *,
    prune: bool,
    earlier: Set[str] | None = None,
    is_barred: Callable[[str], bool] | None = None,
) -> Kept:
    """Put one thing into its store, what it is linked with into the graph, and what is always needed into the core.

    earlier    of one of many, the ids that those before it have put: what others said today and something has replaced
               since is not said anew, what these said is
    is_barred  whether an id is of what was forgotten and does not come back: what belongs there raises Refused
    """
    store, text = answer["store"], answer["summary"]
    label = writer.place.label
    heard = {lines.HEARD: wanted.heard} if wanted.heard else {}
    opposes = ids.of_words(lines.words(wanted.opposes)) if wanted.opposes else ""
    heard |= {lines.OPPOSED: opposes} if opposes else {}
    meant = whom.meant(writer, wanted, answer)
    tags = wanted.tags or routing.tags(answer["tags"])
    source = episodes.EXPLICIT if answer["confidence"] == episodes.HIGH else episodes.TALK
    links = tuple(id_ for _, _, each in meant if (id_ := each.id))
    entry = Episode(
        writer.place.day,
        writer.place.time,
        Line(text, label, heard),
        answer["type"],
        answer["confidence"],
        tags[:5],
        source,
        links,
    )
    core_id, change = None, Change()
    stored = None if earlier is None else _told_before(writer, wanted, entry.line, meant, earlier, prune=prune)
    if not stored:
        store, replaces, meant = _corrected(writer, wanted, answer, meant)
        change = Change() if replaces else _changed(writer, wanted, answer, store, meant)
        if change.facts:
            store, meant = SEMANTIC, whom.first(meant, writer, change.facts[0])
        elif any(change.core):
            store = CORE
        if store == SEMANTIC and not whom.has_target(meant):
            store, entry = EPISODIC, entry._replace(confidence=episodes.LOW)
        stored = _known(writer, wanted, entry.line, meant) if earlier is None else None
    if not stored:
        answer |= {"store": store}
        anew.bar(_file_of(writer, wanted, answer, meant), is_barred)
        stored = _put(writer, wanted, answer, entry, meant, replaces=replaces, change=change, prune=prune)
    if stored.created:
        base = EXPLICIT if source == episodes.EXPLICIT or wanted.explicit else wanted.base
        writer.access(stored.fades, store=stored.store, base=base, why="remember")
        if stored.store == EPISODIC:
            for id_ in links:
                writer.access(f"{ids.ENTITY}:{id_}", store=SEMANTIC, base=None, why="linked")
        change = changing.elsewhere(writer, change, stored, is_asked=not wanted.heard)
        if stored.store not in (CORE, VAULT) and (answer["core_update"] or any(change)):
            in_core = _into_core(writer, Line(text, label, heard), answer, change)
            core_id = in_core.id if in_core else None
            stored = stored.with_more(in_core)
    is_linked = stored.store == SEMANTIC and (stored.created or bool(wanted.edges))
    edges = whom.linked(writer, wanted, answer, meant) if is_linked else []
    row = {
        "id": stored.id,
        "store": stored.store,
        "path": stored.path,
        "created": stored.created,
        "replaced": list(stored.replaced),
        "against": list(stored.against),
        "block": _block(writer, stored) if stored.store == CORE else None,
        "entities": [{"id": each.id, "name": name, "type": kind} for name, kind, each in meant],
        "relations": edges,
        "tags": list(tags[:5]),
        "confidence": entry.confidence,
        "summary": text,
        "type": answer["type"],
        "coreId": core_id,
        "candidates": [
            {"name": n, "id": c.id, "label": c.label, "alike": c.alike} for n, _, m in meant for c in m.candidates
        ],
    }
    return Kept(stored, row)


def _block(writer: Writer, stored: Stored) -> str | None:
    """Return the block in which a line stands: that of what it took the place of, or stands against, where there is."""
    return next((each.block for each in writer.core.entries() if each.id == stored.id), None)


def _file_of(writer: Writer, wanted: Wanted, answer: dict[str, Any], meant: list[Named]) -> str:
    """Return the id of what a thing will lie in, where that is forgotten and comes back as a whole; else ""."""
    if answer["store"] == SEMANTIC:
        return f"{ids.ENTITY}:{_entity(meant[0])}"
    if answer["store"] == PROCEDURAL:
        return f"{ids.PROCEDURE}:{_procedure(answer, answer['summary']).name}"
    return writer.id_in_vault(wanted.text) if answer["store"] == VAULT else ""


def _entity(named: Named) -> str:
    name, kind, each = named
    return each.id or ids.entity(kind, name)


def _put(
    writer: Writer,
    wanted: Wanted,
    answer: dict[str, Any],
    entry: Episode,
    meant: list[Named],
    *,
    replaces: str,
    change: Change,
    prune: bool,
) -> Stored:
    """Put one thing into the store that was chosen for it, and return what became of it."""
    store, line = answer["store"], entry.line
    if store == CORE:
        block = wanted.block or answer["block"] or core_memory.CONTEXT
        stored = writer.core.put(line, block, prune=prune, replaces=replaces, change=change)
        return _with_twins(writer, line, stored, meant)
    if store == SEMANTIC:
        said = {lines.CONFIDENCE: wanted.confidence} if wanted.confidence == episodes.LOW else {}
        return _fact(writer, replaces, meant, line.with_values(**said), change)
    if store == PROCEDURAL:
        made = _procedure(answer, answer["summary"])
        return writer.procedure(made, learned=f"Told {entry.day} {entry.time}", change=change)
    if store == VAULT:
        return writer.keep(wanted.text)
    return writer.episodes.log(entry, change=change)


def _known(writer: Writer, wanted: Wanted, line: Line, meant: list[Named]) -> Stored | None:
    """Return where the very same words have been put today and hold, whatever store is thought of now."""
    if wanted.store != AUTO or wanted.replaces or wanted.opposes:
        return None
    return writer.core.said(line) or _fact_said(writer, line, meant) or writer.episodes.said(line, writer.place.day)


def _fact_said(writer: Writer, line: Line, meant: list[Named]) -> Stored | None:
    facts = (writer.graph.said(each.id, line) for _, _, each in meant if each.id)
    return next(filter(None, facts), None)


def _told_before(
    writer: Writer, wanted: Wanted, line: Line, meant: list[Named], earlier: Set[str], *, prune: bool
) -> Stored | None:
    """Return where the very same words were put today, in the store that is told, though they may hold no more.

    What things before it in the same call have put counts only while it holds: "in Porto", "in Faro", "in Porto".
    What is told to take a line's place was told before only where that line is gone.
    """
    if wanted.opposes or (wanted.replaces and writer.has(wanted.replaces)):
        return None
    found, store = None, wanted.store
    if store in (AUTO, CORE):
        found = writer.core.said(line)
    if not found and store in (AUTO, SEMANTIC):
        past = writer.graph.said_of_any(line)
        is_over = past and past.id in earlier and not writer.graph.holds(past.id)
        found = _fact_said(writer, line, meant) or (None if is_over else past)
    if not found and store in (AUTO, EPISODIC, CORE):  # what gave way in MEMORY.md is an episode, what it let go too
        day = writer.place.day
        past, holds = writer.episodes.said(line, day, past=True), writer.episodes.said(line, day)
        is_there = holds and (store != CORE or prune)
        found = holds if is_there else None if holds or (past and past.id in earlier) else past
    return found


def _corrected(
    writer: Writer, wanted: Wanted, answer: dict[str, Any], meant: list[Named]
) -> tuple[str, str, list[Named]]:
    """Return the store, the id of what gives way ("" for nothing) and the entities: a correction goes where that is.

    Raises NotFound for a line to replace that is not there.
    """
    store, replaces = answer["store"], writer.id_of(wanted.replaces) if wanted.replaces else ""
    if wanted.store != AUTO or answer["is_held"] or wanted.opposes:
        return store, replaces, meant
    if not replaces and store not in (PROCEDURAL, VAULT):
        about = meant[0][2].id if whom.has_target(meant) else None
        replaces = writer.corrected(Line(answer["summary"], writer.place.label), about)
        if replaces.startswith(f"{ids.CORE}:") and changing.is_said_by_another(answer["summary"], meant):
            replaces = ""
    if not replaces:
        return store, "", meant
    return (CORE if replaces.startswith(f"{ids.CORE}:") else SEMANTIC), replaces, whom.first(meant, writer, replaces)


def _changed(writer: Writer, wanted: Wanted, answer: dict[str, Any], store: str, meant: list[Named]) -> Change:
    """Return what a thing changes of what is known, where nobody has said where it belongs."""
    if wanted.store != AUTO or answer["is_held"] or wanted.opposes or store == VAULT:
        return Change()
    if store == PROCEDURAL:  # of what is done one step may be another now, and nothing of it is settled
        return changing.anywhere(writer, answer["summary"], meant).open
    found = changing.found(writer, answer["summary"], meant)
    return found if any(found) else changing.anywhere(writer, answer["summary"], meant)


def _fact(writer: Writer, replaces: str, meant: list[Named], line: Line, change: Change) -> Stored:
    name, kind, each = meant[0]
    id_ = _entity(meant[0])
    writer.graph.entity(id_, name)
    meant[0] = (name, kind, each._replace(id=id_))
    return writer.graph.fact(id_, line, replaces=replaces, change=change)


def _with_twins(writer: Writer, line: Line, stored: Stored, meant: list[Named]) -> Stored:
    """Put a line of core memory with the entities, too, whose facts say what gave way to it."""
    for fact in changing.twins(writer, stored, meant):
        stored = stored.with_more(writer.graph.fact(ids.parse(fact).entity, line, replaces=fact))
    return stored


def _procedure(answer: dict[str, Any], text: str) -> Procedure:
    trigger = lines.words(answer["trigger"] or "") or text
    steps = tuple(filter(None, (lines.words(step) for step in answer["steps"]))) or (text,)
    name = ids.slug(trigger.removeprefix("When:"))[:60].strip("-") or ids.of_words(text)
    return Procedure(name, trigger, steps)


def _into_core(writer: Writer, line: Line, answer: dict[str, Any], change: Change) -> Stored | None:
    """Put what is always needed into MEMORY.md as well; where it has no room that is said, and all else is kept."""
    try:
        return writer.core.put(line, answer["block"] or core_memory.CRITICAL, change=change)
    except (Refused, Busy, WorkspaceError) as e:
        writer.run.warnings.append(e.message)
        return None
