"""koog remember: one thing goes to the store where it will be found again.  [moltbot §8.2]

Reads   MEMORY.md, the day's episodes, the files of the entities that are named
Writes  MEMORY.md, memory/episodes/, memory/graph/entities/, memory/procedures/, memory/vault/: whichever it is for;
        memory/meta/access.jsonl; memory/graph/relations.md with the first entity
Asks    the `memory_router` route, once for each thing without --store

The second time on one day it is the same thing: its id comes back, and nothing is written.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from koog.core import approval, forgotten
from koog.core.errors import Busy, Refused, UsageError, WorkspaceError
from koog.core.lazy_regex import compiled
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.core.task import Task
from koog.core.text import trust
from koog.core.text.statement import AGENT, NOTE, PERSON
from koog.memory import remember_rules
from koog.memory.names import known, mentions
from koog.memory.remember_rules import RouterInput
from koog.memory.store import core_memory, entities, episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, VAULT
from koog.memory.store.procedures import Procedure
from koog.memory.store.writing import Place, Stored, Writer
from koog.memory.trigger import triggers
from koog.sessions import audience
from koog.sessions.labels import NONE, Label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from koog.core.files.door import Door
    from koog.core.forgotten import Forgotten
    from koog.core.task import Answer
    from koog.memory.names.known import Known, Meant

MOST_CHARS = 4000  # of one thing; a text for the vault may have as many as standard input
MOST_OF_IT = 0.6  # of a text: so much is what follows "remember that", else it says other things, too
MOST_IN_REPLY = 100  # rows of a batch
FORGOTTEN_HINT = 'the user asks for it anew: koog remember "…" --explicit'
EXPLICIT, DETECTED, INFERRED = 1.0, 0.7, 0.5  # first relevance  [moltbot §9.1]

TASK = Task(
    file=Path(__file__),
    route="memory_router",
    rules=remember_rules.answer,
    render=lambda given: {
        "content": given.content,
        "entities": "\n".join(f"{id_}: {name}" for name, id_ in given.names.items()),
        "core": given.core,
        "today": given.today.isoformat(),
    },
    writes=False,
)


# What a model may leave out.
UNSAID: dict[str, Any] = {
    "type": "fact",
    "block": None,
    "entities": [],
    "relations": [],
    "tags": [],
    "confidence": episodes.MEDIUM,
    "core_update": False,
    "trigger": None,
    "steps": [],
    "is_held": False,
}


class Store(StrEnum):
    """memories.STORES and `auto`, as Typer wants them."""

    AUTO = "auto"
    CORE = "core"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    VAULT = "vault"


class Block(StrEnum):
    """core_memory.TITLES, as Typer wants them."""

    IDENTITY = "identity"
    CONTEXT = "context"
    PERSONA = "persona"
    CRITICAL = "critical"


class Wanted(NamedTuple):
    """One thing to remember, and what was said of where.

    explicit  the user asked for it
    replaces  the id or the words of what it takes the place of
    edges     (relation, name of an entity) of its entity
    confidence  high, medium or low, where that is known already
    opposes   the words of what it does not go with, though both are to stay
    is_core   it belongs into MEMORY.md as well
    session  the key of the session in which it was said, where that is known
    """

    text: str
    store: str = "auto"
    block: str | None = None
    explicit: bool = False
    replaces: str = ""
    tags: tuple[str, ...] = ()
    entity: str = ""
    edges: tuple[tuple[str, str], ...] = ()
    confidence: str = ""
    opposes: str = ""
    is_core: bool = False
    session: str = ""

    @property
    def values(self) -> dict[str, str]:
        """Return what its line says of where it was said."""
        return {lines.SESSION: self.session} if self.session else {}


class Kept(NamedTuple):
    """What became of it."""

    stored: Stored
    row: dict[str, Any]


def remember(
    ctx: typer.Context,
    text: Annotated[str | None, typer.Argument(metavar="TEXT|-", help="What to remember; '-' reads stdin.")] = None,
    store: Annotated[Store, typer.Option(help="Where to; auto asks the router.")] = Store.AUTO,
    block: Annotated[Block | None, typer.Option(help="Which block of MEMORY.md, with --store core.")] = None,
    replaces: Annotated[str, typer.Option(metavar="ID|LINE", help="What it takes the place of.")] = "",
    explicit: Annotated[bool, typer.Option("--explicit", help="The user asked for it.")] = False,
    tags: Annotated[str, typer.Option(metavar="A,B", help="Subjects to find it by.")] = "",
    entity: Annotated[str, typer.Option(metavar="ID|NAME", help="What it is about, with --store semantic.")] = "",
    edge: Annotated[
        list[str] | None, typer.Option(metavar="REL:TO", help="How that is linked with another; may be repeated.")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Over the cap of MEMORY.md, let lines go to the episodes.")
    ] = False,
    batch: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON lines of such things; '-' reads stdin.")
    ] = None,
) -> Reply:
    """Remember one thing, in the store where it belongs; the same thing twice on one day is one."""
    run: Run = ctx.obj
    one = Wanted(
        text or "",
        store.value,
        block.value if block else None,
        explicit,
        replaces,
        _words(tags),
        entity,
        _edges(edge or []),
    )
    if batch is not None:
        if text is not None:
            raise UsageError("TEXT and --batch are two ways to say what to remember", hint="one of them")
        wanted = read_batch(text_or_stdin("-", what="--batch") if str(batch) == "-" else _file(batch), one)
    elif text is None:
        raise UsageError("remember what?", hint='koog remember "Ana is allergic to peanuts"')
    else:
        wanted = [one._replace(text=text_or_stdin(text, what="TEXT"))]
    kept, engine = store_all(run, wanted, prune=prune)
    rows = [each.row for each in kept]
    first = rows[0] if batch is None else dict.fromkeys(ROW)
    return Reply(
        "koog.remember/1",
        **first,
        engine=engine,
        memories=[] if batch is None else rows[:MOST_IN_REPLY],
        count=sum(row["created"] for row in rows),
        coreTokens=_core_tokens(run),
    )


ROW = (
    "id store path created replaced against block entities relations tags confidence summary type coreId candidates"
).split()


def store_all(
    run: Run,
    wanted: list[Wanted],
    *,
    prune: bool = False,
    word: bool | None = None,
    asks: bool = True,
    actor: str | None = None,
    then: Callable[[Door, list[Kept]], None] | None = None,
    lifts: bool = True,
) -> tuple[list[Kept], str]:
    """Put some things into their stores, in one step; return what became of each, and the engine that was asked.

    word   whether a person stands behind it; None: whether the command was typed in a terminal
    asks   whether a model may be asked where a thing belongs
    actor  who writes it, where that is neither the user nor the command
    then   stages what is to happen in the same step
    lifts  whether what was forgotten comes back where the user asks for it

    Raises Refused for what was forgotten and nobody has asked for anew.
    """
    is_persons = approval.at_terminal() if word is None else word
    who = audience.current(run)
    if who.is_nobody:
        raise Refused("this workspace is not for this project: nothing is remembered here")
    label = Label(min(who.projects), who.scope, who.group) if who.is_group else Label(who.project or "")
    is_asked = any(each.explicit for each in wanted) or is_persons
    usual = "bot:trigger-remember" if is_asked else run.actor
    run.act_as(actor or usual, trigger=f"koog {run.command}")  # without the words: they must be forgettable
    names = known.load(run)
    routed = [_routed(run, each, names, is_persons=is_persons, asks=asks) for each in wanted]
    gone = forgotten.of(run.workspace)
    lifted = [id_ for each, answer in routed for id_ in _lifted(gone, each, answer, lifts and (word or each.explicit))]
    if label.is_group:
        routed = [(each, _of_group(answer)) for each, answer in routed]
    place = Place(
        label if label.project or label.is_group else NONE, run.today, f"{run.now.astimezone(run.zone):%H:%M}"
    )
    with run.workspace.writing() as door:
        writer = Writer(run, door, names, place, hidden=gone.hidden)
        kept = [_kept(writer, each, answer.value, prune=prune) for each, answer in routed]
        writer.flush()
        _revive(run, door, kept, gone, lifted, may=lifts and is_asked)
        if then:
            then(door, kept)
    return kept, routed[0][1].engine if routed else ""


def _lifted(gone: Forgotten, wanted: Wanted, answer: Answer, may: object) -> list[str]:
    """Return the ids of what was forgotten whose words a thing says. Raises Refused where nobody asks for them anew.

    may   whether the user asks for it
    """
    texts = (wanted.text, str(answer.value["summary"]))
    if not any(map(gone.holds, texts)):
        return []
    if not may:
        raise Refused("this was forgotten, and does not come back by itself", hint=FORGOTTEN_HINT)
    return list(dict.fromkeys(id_ for text in texts for id_ in gone.lifted(text)))


def _revive(run: Run, door: Door, kept: list[Kept], gone: Forgotten, lifted: list[str], *, may: bool) -> None:
    """Note that what was forgotten is remembered anew. Raises Refused where it lies in a file that was forgotten."""
    from koog.memory.forgetting import archive

    here = [each.stored for each in kept if each.stored.created or each.stored.store in (VAULT, PROCEDURAL)]
    at = [id_ for stored in here for id_ in (stored.id, _of(stored))]
    revived = list(dict.fromkeys(id_ for id_ in at if id_ in gone.hidden))
    if not may and any(id_.partition(":")[0] in (ids.PROCEDURE, ids.VAULT) for id_ in revived):
        raise Refused("what this belongs to was forgotten, and does not come back by itself", hint=FORGOTTEN_HINT)
    archive.lift(run, door, lifted, revived)


# --- where it belongs


def _routed(run: Run, wanted: Wanted, names: Known, *, is_persons: bool, asks: bool) -> tuple[Wanted, Answer]:
    """Return a thing and the router's answer. Raises UsageError, and Refused for what is not to be remembered."""
    from koog.core.task import Answer, builtin

    wanted = _cleaned(_without_trigger(wanted))
    text = lines.words(wanted.text)
    if not text:
        raise UsageError("there is nothing to remember in it", hint="private blocks, comments and secrets are left out")
    if len(text) > MOST_CHARS and wanted.store != VAULT:
        raise UsageError(f"one thing has at most {MOST_CHARS} characters", hint="--store vault, or in parts")
    if wanted.replaces and ":" in wanted.replaces and wanted.replaces.partition(":")[0] in ids.KINDS:
        ids.parse(wanted.replaces)
    given = RouterInput(
        content=wanted.text if wanted.store in ("auto", VAULT) else text,
        explicit=wanted.explicit or is_persons,
        names={**_of_core(run, text).within(text), **names.within(text)},
        today=date.fromisoformat(run.today),
        store="" if wanted.store == "auto" else wanted.store,
    )
    if asks and wanted.store == "auto":
        given = replace(given, core=run.workspace.text(core_memory.FILE) or "")
        answer = run.ask(TASK, given)
    else:
        answer = Answer(builtin(TASK, given), "builtin")
    value = {**UNSAID, **answer.value}
    value["summary"] = lines.words(value["summary"]) or text
    if answer.engine == "builtin" or wanted.store != "auto":
        value["summary"] = text
    if wanted.store != "auto":
        value |= {"store": wanted.store, "confidence": episodes.HIGH if given.explicit else value["confidence"]}
    if wanted.store == "auto" and wanted.replaces.startswith(f"{ids.CORE}:"):
        value |= {"store": CORE}  # what takes a line's place stands where that stood
    if wanted.block:
        value |= {"block": wanted.block, "store": CORE if wanted.store == "auto" else value["store"]}
    if wanted.confidence:
        value |= {"confidence": wanted.confidence}
    value["core_update"] = value["core_update"] or wanted.is_core
    _check(text, value, is_persons=is_persons, is_routed=wanted.store == "auto")
    for name in (wanted.entity, *wanted.tags, *(each for edge in wanted.edges for each in edge)):
        _check_name(name, is_persons=is_persons)
    return wanted, answer._replace(value=value)


def _without_trigger(wanted: Wanted) -> Wanted:
    """Return a thing without the words that only ask for it to be remembered: "please remember that …"."""
    found = [each for each in triggers.detect(wanted.text) if each.kind in ("remember", "pin") and each.content]
    if len(found) != 1 or len(found[0].content) < MOST_OF_IT * len(wanted.text):
        return wanted
    return wanted._replace(text=found[0].content, explicit=True)


def _cleaned(wanted: Wanted) -> Wanted:
    """Return a thing whose names and tags stand on one line, without comments, secrets and private blocks."""
    edges = tuple((lines.words(relation), lines.words(to)) for relation, to in wanted.edges)
    entity = lines.words(wanted.entity)
    if (wanted.entity and not entity) or not all(map(all, edges)):
        raise UsageError("a name has nothing in it", hint="private blocks, comments and secrets are left out")
    return wanted._replace(tags=_tags(wanted.tags), entity=entity, edges=edges)


def _tags(told: Iterable[str]) -> tuple[str, ...]:
    """Return tags as they may stand in an episode's heading, whose signs are none of theirs."""
    bare = (lines.words(tag).translate(str.maketrans(",|[]", "    ")) for tag in told)
    return tuple(filter(None, (" ".join(tag.split()) for tag in bare)))


def _check_name(name: str, *, is_persons: bool) -> None:
    """Raise Refused for a name that is an order: it is shown beside what is remembered."""
    if name and trust.verdict(name, PERSON if is_persons else AGENT, register=NOTE, kind="fact") != trust.TAKEN:
        raise Refused("a name in it reads like an order to whoever reads it", hint="a shorter name")


def _check(text: str, value: dict[str, Any], *, is_persons: bool, is_routed: bool) -> None:
    """Raise Refused for what would steer who reads it; what an agent says becomes no rule by itself, but an episode.

    Core memory and procedures are what an agent goes by as it stands.
    """
    kind = trust.PATTERN if value["store"] in (CORE, PROCEDURAL) else "fact"
    found = trust.verdict(text, PERSON if is_persons else AGENT, register=NOTE, kind=kind)
    if found == trust.LEFT and is_routed:
        value |= {"store": EPISODIC, "confidence": episodes.LOW, "core_update": False, "is_held": True}
    elif found != trust.TAKEN:
        raise Refused("this reads like an order to whoever reads it", hint="a person remembers it, in a terminal")


def _of_group(answer: Answer) -> Answer:
    """Return where something belongs that was said in a group: core memory is the user's alone."""
    value = dict(answer.value)
    if value["store"] in (CORE, VAULT):
        value |= {"store": EPISODIC}
    return answer._replace(value=value | {"core_update": False})


# --- into its store


def _kept(writer: Writer, wanted: Wanted, answer: dict[str, Any], *, prune: bool) -> Kept:
    """Put one thing into its store, what it is linked with into the graph, and what is always needed into the core."""
    store, text = answer["store"], answer["summary"]
    label = writer.place.label
    meant = _meant(writer, wanted, answer)
    tags = wanted.tags or _tags(answer["tags"])
    source = episodes.EXPLICIT if answer["confidence"] == episodes.HIGH else episodes.TALK
    links = tuple(id_ for _, _, each in meant if (id_ := each.id))
    entry = Episode(
        writer.place.day,
        writer.place.time,
        Line(text, label, wanted.values | _opposed(wanted)),
        answer["type"],
        answer["confidence"],
        tags[:5],
        source,
        links,
    )
    core_id = None
    store, replaces, meant = _corrected(writer, wanted, answer, meant)
    if store == SEMANTIC and not _target(meant):
        store, entry = EPISODIC, entry._replace(confidence=episodes.LOW)
    if store == CORE:
        block = wanted.block or answer["block"] or core_memory.CONTEXT
        stored = writer.core(Line(text, label, wanted.values), block, prune=prune, replaces=replaces)
        answer = answer | {"block": block}
    elif store == SEMANTIC:
        stored = _fact(writer, replaces, meant, text, wanted)
    elif store == PROCEDURAL:
        stored = writer.procedure(_procedure(answer, text), learned=f"Told {entry.day} {entry.time}")
    elif store == VAULT:
        stored = writer.keep(wanted.text)
    else:
        stored = writer.episode(entry)
    if stored.created:
        base = EXPLICIT if source == episodes.EXPLICIT or wanted.explicit else DETECTED
        writer.access(_of(stored), store=stored.store, base=base, why="remember")
        if stored.store == EPISODIC:
            for id_ in links:
                writer.access(f"{ids.ENTITY}:{id_}", store=SEMANTIC, base=None, why="linked")
        if answer["core_update"] and stored.store not in (CORE, VAULT):
            core_id = _into_core(writer, Line(text, label, wanted.values), answer)
    edges = _linked(writer, wanted, answer, meant) if stored.store == SEMANTIC else []
    row = {
        "id": stored.id,
        "store": stored.store,
        "path": stored.path,
        "created": stored.created,
        "replaced": list(stored.replaced),
        "against": list(stored.against),
        "block": answer["block"] if stored.store == CORE else None,
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


def _opposed(wanted: Wanted) -> dict[str, str]:
    return {lines.OPPOSED: ids.of_words(lines.words(wanted.opposes))} if wanted.opposes else {}


def _of(stored: Stored) -> str:
    """Return what fades: of a fact its entity."""
    id_ = ids.parse(stored.id)
    return f"{ids.ENTITY}:{id_.entity}" if id_.kind == ids.FACT else stored.id


def _meant(writer: Writer, wanted: Wanted, answer: dict[str, Any]) -> list[tuple[str, str, Meant]]:
    """Return the entities that a thing names: name, type, which one is meant; the one that was told first."""
    rows = [(str(row["name"]), str(row["type"])) for row in answer["entities"]]
    about = (answer["summary"],)
    found = [
        _person(writer, name, kind, writer.names.meant(name, kind, about=about), answer["summary"])
        for name, kind in rows
    ]
    if not wanted.entity:
        return found
    if ids.is_entity(wanted.entity):
        kind, _, name = wanted.entity.partition("--")
        entry = writer.names.entries.get(wanted.entity)
        told = (entry.label if entry else name.replace("-", " "), kind, known.Meant(wanted.entity))
    else:
        kind = next((k for n, k in rows if known.key(n) == known.key(wanted.entity)), "concept")
        told = (wanted.entity, kind, writer.names.meant(wanted.entity, kind, about=about))
    return [told, *(each for each in found if known.key(each[0]) != known.key(told[0]))]


def _person(writer: Writer, name: str, kind: str, meant: Meant, text: str) -> tuple[str, str, Meant]:
    """Return who is meant where a name alone does not tell: of several the one of whom it is known what is said beside
    the name ("Stefan from accounting"); of none, the one whose whole name stands in MEMORY.md.
    """
    if kind != known.PERSON or meant.id:
        return name, kind, meant
    if meant.is_open:
        beside = set(mentions.beside(text, name))
        fits = [c.id for c in meant.candidates if beside & _words_of(writer, c.id)]
        return name, kind, known.Meant(fits[0]) if len(fits) == 1 else meant
    if len(known.key(name).split()) > 1:
        return name, kind, meant
    core = _of_core(writer.run, name)
    id_ = core.meant(name, kind).id
    return (core.entries[id_].label if id_ else name), kind, meant


def _of_core(run: Run, text: str) -> Known:
    """Return whom and what MEMORY.md names in the lines that share a word with a text, as entities that may come."""
    words = {word for word in known.key(text).split() if len(word) > 1 or not word.isascii()}
    is_east = not text.isascii()
    rows = [
        row
        for row in (run.workspace.text(core_memory.FILE) or "").splitlines()
        if any(each[0].isupper() and each.casefold() in words for each in compiled(known.WORD).findall(row))
        or (is_east and any(word in row for word in words))
    ]
    found: dict[str, known.Name] = {}
    for each in chain.from_iterable(mentions.found(row.lstrip("-*• ")) for row in rows):
        if ids.slug(each.name):
            id_ = ids.entity(each.kind, each.name)
            found[id_] = known.Name(id_, each.name, (each.name,))
    return known.Known(found)


def _words_of(writer: Writer, id_: str) -> set[str]:
    """Return the words of what is known of somebody."""
    return {word for fact in writer.held(id_) for word in known.key(fact.line.text).split()}


def _target(meant: list[tuple[str, str, Meant]]) -> bool:
    """Return whether a fact has somebody or something that it is surely about."""
    return bool(meant) and not meant[0][2].is_open


def _corrected(
    writer: Writer, wanted: Wanted, answer: dict[str, Any], meant: list[tuple[str, str, Meant]]
) -> tuple[str, str, list[tuple[str, str, Meant]]]:
    """Return the store, the id of what gives way ("" for nothing) and the entities: a correction goes where that is.

    Raises NotFound for a line to replace that is not there.
    """
    store, replaces = answer["store"], writer.id_of(wanted.replaces) if wanted.replaces else ""
    if wanted.store != "auto" or answer["is_held"] or wanted.opposes:
        return store, replaces, meant
    if not replaces and store not in (PROCEDURAL, VAULT):
        about = meant[0][2].id if _target(meant) else None
        replaces = writer.corrected(Line(answer["summary"], writer.place.label), about)
    if not replaces:
        return store, "", meant
    return (CORE if replaces.startswith(f"{ids.CORE}:") else SEMANTIC), replaces, _first(meant, writer, replaces)


def _first(meant: list[tuple[str, str, Meant]], writer: Writer, fact: str) -> list[tuple[str, str, Meant]]:
    """Return the entities of a thing, in front the one whose fact it corrects."""
    if fact.startswith(ids.CORE):
        return meant
    id_ = ids.parse(fact).entity
    told = next((each for each in meant if each[2].id == id_), None)
    entry = writer.names.entries[id_]
    return [told or (entry.label, entry.type, known.Meant(id_)), *(each for each in meant if each is not told)]


def _fact(writer: Writer, replaces: str, meant: list[tuple[str, str, Meant]], text: str, wanted: Wanted) -> Stored:
    name, kind, each = meant[0]
    id_ = each.id or ids.entity(kind, name)
    writer.entity(id_, name)
    meant[0] = (name, kind, each._replace(id=id_))
    said = wanted.values | ({lines.CONFIDENCE: wanted.confidence} if wanted.confidence == episodes.LOW else {})
    opposes = ids.of_words(lines.words(wanted.opposes)) if wanted.opposes else ""
    return writer.fact(id_, Line(text, writer.place.label, said), replaces=replaces, opposes=opposes)


def _linked(
    writer: Writer, wanted: Wanted, answer: dict[str, Any], meant: list[tuple[str, str, Meant]]
) -> list[dict[str, Any]]:
    """Link the entity of a fact with the others that it names, and keep what else these are called."""
    _called(writer, answer["summary"], meant)
    start = meant[0][2].id or ""
    of = {known.key(name): (name, kind, each) for name, kind, each in meant}
    wishes = [(rel, to) for rel, to in wanted.edges]
    found = [(str(r["from"]), str(r["relation"]), str(r["to"])) for r in answer["relations"]] if not wishes else []
    rows = []
    for source, relation, target in [*((meant[0][0], rel, to) for rel, to in wishes), *found]:
        ends = [_end(writer, of, name) for name in (source, target)]
        if all(ends) and start in ends:
            writer.edge(str(ends[0]), relation, str(ends[1]), confidence=answer["confidence"])
            rows.append({"from": ends[0], "relation": entities.relation(relation), "to": ends[1]})
    return rows


def _end(writer: Writer, of: dict[str, tuple[str, str, Meant]], name: str) -> str | None:
    """Return the entity at one end of a relation, made where there is none; None where nobody can tell which."""
    told, kind, each = of.get(known.key(name)) or (name, "concept", writer.names.meant(name, "concept"))
    if ids.is_entity(name):
        told, each = name.partition("--")[2].replace("-", " "), known.Meant(name)
    if each.is_open or not ids.slug(told):
        return None
    id_ = each.id or ids.entity(kind, told)
    writer.entity(id_, told)
    return id_


def _called(writer: Writer, text: str, meant: list[tuple[str, str, Meant]]) -> None:
    """Keep the other name that a text gives to an entity: "everybody calls the Planner just Leo"."""
    of = {known.key(name): each.id for name, _, each in meant if each.id}
    for each in mentions.found(text, writer.names.within(text)):
        id_ = of.get(known.key(each.of)) if each.of else None
        if id_ and not writer.names.by_name.get(known.key(each.name)):
            writer.entity(id_, each.name)


def _procedure(answer: dict[str, Any], text: str) -> Procedure:
    trigger = lines.words(answer["trigger"] or "") or text
    steps = tuple(filter(None, (lines.words(step) for step in answer["steps"]))) or (text,)
    name = ids.slug(trigger.removeprefix("When:"))[:60].strip("-") or ids.of_words(text)
    return Procedure(name, trigger, steps)


def _into_core(writer: Writer, line: Line, answer: dict[str, Any]) -> str | None:
    """Put what is always needed into MEMORY.md as well; where it has no room that is said, and all else is kept."""
    try:
        return writer.core(line, answer["block"] or core_memory.CRITICAL).id
    except (Refused, Busy, WorkspaceError) as e:
        writer.run.warnings.append(e.message)
        return None


def _core_tokens(run: Run) -> int:
    text = run.workspace.text(core_memory.FILE) or ""
    return core_memory.size(text, 0).tokens


# --- what is given


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
    tags, edges = value.get("tags", default.tags), value.get("edges", [])
    is_wrong = store not in list(Store) or block not in (None, *Block)
    is_wrong |= not all(isinstance(v, list | tuple) and all(isinstance(each, str) for each in v) for v in (tags, edges))
    is_wrong |= not all(isinstance(value.get(name, ""), str) for name in ("replaces", "entity"))
    if is_wrong:
        raise UsageError(f"--batch line {number}: a value of a wrong kind", hint="koog schema remember")
    return Wanted(
        value["text"],
        store,
        block,
        bool(value.get("explicit", default.explicit)),
        value.get("replaces", default.replaces),
        tuple(tags),
        value.get("entity", default.entity),
        _edges(edges) or default.edges,
    )


def _edges(told: list[str]) -> tuple[tuple[str, str], ...]:
    rows = []
    for each in told:
        relation, sign, to = each.partition(":")
        if not sign or not relation.strip() or not to.strip():
            raise UsageError(f"--edge {each!r}", hint="--edge uses:Redis")
        rows.append((relation.strip(), to.strip()))
    return tuple(rows)


def _words(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (" ".join(word.split()).strip("[]") for word in text.split(","))))


def _file(path: Path) -> str:
    from koog.core.files import outside
    from koog.core.stdin import LIMIT

    try:
        return outside.read(str(path), limit=LIMIT).decode("utf-8-sig")
    except (OSError, ValueError) as e:
        raise UsageError(f"--batch {path}: {getattr(e, 'strerror', None) or 'no UTF-8 text'}") from None
