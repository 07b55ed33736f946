"""koog graph: whom and what is remembered, and how they are linked.  [moltbot §6, §11.2]

Reads   memory/graph/ and decay scores: of that what the reader may see
Writes  nothing; export puts a text that is too long for the line into .koog/exported/
Asks    nothing

    show     an entity: its facts, its relations, its neighbours
    path     the shortest way from one entity to another
    export   all of it as dot, Mermaid or JSON
    check    links that lead nowhere, circles, relations that nobody defined, names of two, with file and line
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.core import forgotten
from koog.core.clip import clip, fitting
from koog.core.errors import NotFound, UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.text.untrusted import clean
from koog.memory.answering import drawing, question
from koog.memory.answering.gather import Gatherer
from koog.memory.answering.items import CATEGORY
from koog.memory.names import known
from koog.memory.store import entities, graph_index, health, ids, stores
from koog.memory.store.memories import SEMANTIC
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.memory.answering.items import Item
    from koog.memory.names.entries import Link, Name
    from koog.memory.names.known import Known

FACTS_CHARS, EDGES_CHARS, TEXT_CHARS = 4500, 2500, 300
INLINE_CHARS = 8000
MOST_STEPS = 6
MOST_NAMED = 5
EXPORTED, KEPT = "exported", 10  # a folder of .koog, and files in it


class Form(StrEnum):
    """What export writes."""

    DOT = "dot"
    MERMAID = "mermaid"
    JSON = "json"


Which = Annotated[
    str, typer.Argument(metavar="ENTITY", help="An id or a name: person--ana, Ana; or one of its facts'.")
]


def show(ctx: typer.Context, entity: Which) -> Reply:
    """Show an entity: what is known of it, how it is linked, and with whom."""
    run: Run = ctx.obj
    names, reader = _opened(run)
    entry = _one(reader, names, entity)
    path = run.workspace.in_memory(entities.path(entry.id))
    facts = reader.of(path, CATEGORY[SEMANTIC])
    links = reader.graph.of(entry.id)
    rows = fitting((_fact(each) for each in facts), chars=FACTS_CHARS)
    edges = fitting((_edge(run, link, of) for _, of, link in links), chars=EDGES_CHARS)
    if len(rows) < len(facts) or len(edges) < len(links):
        run.meta_extra["truncated"] = True
    return Reply(
        "koog.graph.show/1",
        id=entry.id,
        type=entry.type,
        label=entry.label,
        names=list(entry.names),
        path=path,
        facts=rows,
        edges=edges,
        neighbours=sorted({other for other, _, _ in links} - {entry.id})[:100],
        counts={"facts": len(facts), "edges": len(links)},
    )


def path(
    ctx: typer.Context,
    start: Annotated[str, typer.Argument(metavar="A", help="An id or a name.")],
    end: Annotated[str, typer.Argument(metavar="B", help="An id or a name.")],
    steps: Annotated[int, typer.Option(min=1, max=20, help="No longer way than this.")] = MOST_STEPS,
) -> Reply:
    """Find the shortest way from one entity to another along relations, in either direction."""
    run: Run = ctx.obj
    names, reader = _opened(run)
    ends = [_one(reader, names, each).id for each in (start, end)]
    way = reader.graph.path(ends[0], ends[1], steps)
    return Reply(
        "koog.graph.path/1",
        **{"from": ends[0], "to": ends[1]},
        found=way is not None,
        length=len(way) if way is not None else None,
        steps=[_edge(run, link, of) | {"reaches": at} for at, of, link in way or ()],
    )


def export(
    ctx: typer.Context,
    form: Annotated[Form, typer.Argument(metavar="dot|mermaid|json", help="What to write.")],
) -> Reply:
    """Export the graph as the reader may see it."""
    run: Run = ctx.obj
    names, reader = _opened(run)
    nodes = [each for each in names.entries.values() if reader.tells(each.id)]
    known_ids = {each.id for each in nodes}
    links = {
        (link.start, link.relation, link.to): link
        for each in nodes
        for _, _, link in reader.graph.of(each.id)
        if {link.start, link.to} <= known_ids
    }
    text = drawing.FORMS[form.value](nodes, [links[key] for key in sorted(links)])
    return Reply(
        "koog.graph.export/1",
        form=form.value,
        entities=len(nodes),
        edges=len(links),
        text=text if len(text) <= INLINE_CHARS else None,
        out=None if len(text) <= INLINE_CHARS else _kept(run, text, form.value),
    )


def check(ctx: typer.Context) -> Reply:
    """Look for what is broken in the graph, with file and line."""
    run: Run = ctx.obj
    audience.own(run)
    hidden = forgotten.of(run.workspace).hidden
    texts = {
        at: text
        for at, text in stores.texts(run, entities.FOLDER)
        if not forgotten.hides(hidden, f"{ids.ENTITY}:{stores.name_of(at)}")
    }
    found = [entities.read(text, id_, at) for at, text in texts.items() if ids.is_entity(id_ := stores.name_of(at))]
    vocabulary = run.workspace.text(run.workspace.in_memory(graph_index.RELATIONS)) or graph_index.VOCABULARY
    troubles = [*health.of_graph(found, texts), *health.of_relations(found, vocabulary)]
    rows = fitting({"path": t.path, "line": t.line, "message": t.message, "error": t.is_error} for t in troubles)
    if len(rows) < len(troubles):
        run.meta_extra["truncated"] = True
    return Reply("koog.graph.check/1", sound=not troubles, entities=len(found), problems=rows, total=len(troubles))


def _opened(run: Run) -> tuple[Known, Gatherer]:
    names = known.load(run)
    return names, Gatherer(run, names)


def _one(reader: Gatherer, names: Known, told: str) -> Name:
    """Return the entity that an id or a name means. Raises NotFound, and UsageError for a name of several."""
    id_ = ids.parse(told).entity if told.startswith(f"{ids.FACT}:") else told.removeprefix(f"{ids.ENTITY}:")
    if id_ in names.entries and reader.tells(id_):
        return names.entries[id_]
    meant = [names.entries[each.id] for each in question.named_in(told, names)]
    found = [each for each in meant if reader.tells(each.id)]
    if not found:
        raise NotFound(f"nobody and nothing that is known is called {clip(told, 80)!r}", hint="koog graph export json")
    if len(found) > 1:
        which = ", ".join(each.id for each in found[:MOST_NAMED])
        raise UsageError(f"{clip(told, 80)!r} may be {which}", hint="name it by its id")
    return found[0]


def _fact(item: Item) -> dict[str, Any]:
    return {
        "id": item.id,
        "section": item.kind or entities.SUMMARY,
        "text": clip(clean(item.text), TEXT_CHARS),
        "line": item.line,
        "from": item.day or None,
        "until": item.until or None,
        "replacedBy": item.by or None,
    }


def _edge(run: Run, link: Link, of: Name) -> dict[str, Any]:
    return {
        "from": link.start,
        "relation": link.relation,
        "to": link.to,
        "confidence": link.confidence,
        "since": link.first or None,
        "path": run.workspace.in_memory(entities.path(of.id)),
        "line": link.line,
    }


def _kept(run: Run, text: str, form: str) -> str | None:
    """Put a text that is too long for the line into a file of `.koog/`; return its path, None under `--dry-run`."""
    from hashlib import blake2b

    if run.dry_run:
        run.warnings.append(f"dry run: the text of {len(text)} characters is too long for the line and was not written")
        return None
    suffix = {"mermaid": "mmd"}.get(form, form)
    return run.workspace.cache_among(
        EXPORTED, f"{blake2b(text.encode(), digest_size=8).hexdigest()}.{suffix}", text, keep=KEPT
    )
