"""koog why: where a memory comes from, on whose word it stands, what took its place, and who saw it last.  [moltbot §12.7]

Reads   the stores, observations.md, the playbook, the lines of knowledge/; the log of accesses, memory/meta/forgotten.jsonl, memory/meta/usage.jsonl, memory/meta/audit.log and its months; git's history of the line
Writes  nothing
Asks    nothing

What is archived is told by its id, and by that alone. What nobody has noted is said to be unknown.
"""  # noqa: E501  the header's lines are the table's cells

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.audit import blame, contradictory, log, trail
from koog.audit.blame import NOBODY, Origin
from koog.audit.log import Wanted
from koog.consolidate.plan_rows import CHANGED
from koog.core import forgotten
from koog.core.clip import clip
from koog.core.errors import NotFound, UsageError
from koog.core.files import jsonfiles
from koog.core.model import usage
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.stdin import text_or_stdin
from koog.core.text import observation
from koog.memory.answering import standing
from koog.memory.answering.items import Item
from koog.memory.fading.accesses import ACCESS, WRITE, Access
from koog.memory.forgetting import archive, matches, targets
from koog.memory.forgetting.targets import Target
from koog.memory.names import spelling
from koog.memory.pin import STORE_OF
from koog.memory.store import changes, entities, episodes, ids, stores
from koog.memory.store import line as lines
from koog.playbook import item, origin

if TYPE_CHECKING:
    from koog.core.run import Run

SHOWN_CHARS, OTHERS, RECENT = 1000, 5, 5
BY_ID, BY_WORDS, NEAREST = "id", "words", "nearest"  # by what it was found
MODELS = {"remember": "memory_router", "observe": "observe", "curate": "curate"}  # command → its task in the ledger


class Told(NamedTuple):
    """What the line itself says, wherever it stands.

    values   of its comment
    trust    who is behind it, "" where nothing says so
    source   the FILE:LINE that it was taken from
    kind     explicit, conversation, reflection: of an episode
    """

    values: Mapping[str, str]
    trust: str = ""
    source: str = ""
    kind: str = ""


def why(
    ctx: typer.Context,
    what: Annotated[str, typer.Argument(metavar="ID|TEXT", help="A memory's id, or its words.")],
) -> Reply:
    """Say from where a memory came, by whose word, what replaced it and who saw it last."""
    run: Run = ctx.obj
    wanted = text_or_stdin(what, what="ID|TEXT").strip()
    if not wanted:
        raise UsageError("why what?", hint="koog why core:1a2b3c4d")
    every = targets.every(run, archived=targets.is_id(wanted))
    found = _found(run, wanted, every)
    if not found:
        return Reply("koog.why/1", **_gone(run, wanted))
    target = found[0]
    matched = _matched(target, wanted)
    if matched == NEAREST:
        run.warnings.append("no memory has these words as they stand: this is the nearest, which may be another matter")
    others = list(dict.fromkeys(each.id for each in found[1:] if each.id != target.id))[:OTHERS]
    keys = _keys(run, target) | {"trail": trail.of(run, target, every)}
    return Reply("koog.why/1", **keys, matched=matched, others=others)


def _found(run: Run, wanted: str, every: Sequence[Target]) -> list[Target]:
    """Return what an id or some words mean, the likeliest first; what is archived by its id only.

    Of one saying that stands in several stores it is where it is known for good.
    """
    if targets.is_id(wanted):
        run.is_by_id = True
        return targets.chosen(every, [targets.parse(wanted)])
    # A word that is only a kind of thing ("garden") tells no two lines apart, but may be all that is asked with.
    found = matches.like(every, wanted).every or [each for each in every if _has(each, wanted)]
    if not found:
        raise NotFound("nothing that is remembered has these words", hint="koog search, or the id of a memory")
    said = ids.of_words(found[0].text)
    return sorted(found, key=lambda each: (ids.of_words(each.text) != said, each.kind == ids.EPISODE))


def _matched(target: Target, wanted: str) -> str:
    """Return by what a memory was found."""
    if targets.is_id(wanted):
        return BY_ID
    return BY_WORDS if _has(target, wanted) else NEAREST


def _has(target: Target, wanted: str) -> bool:
    """Return whether the words stand in a memory as they are asked for."""
    words = spelling.key(wanted)
    return bool(words) and f" {words} " in f" {spelling.key(target.text)} "


def _keys(run: Run, target: Target) -> dict[str, Any]:
    row = (run.workspace.text(target.path) or "").split("\n")[target.line - 1]
    said = _told(run, target, row)
    logged = sorted(_accesses(run, target), key=lambda each: each.at)
    made = _origin(run, target, is_struck=lines.UNTIL in said.values or lines.SHELVED in said.values)
    written = _written(target, said.values.get(lines.SINCE, ""), logged, made)
    heard = [*target.sources, *([said.source] if said.source else [])]
    model = _model(run, target, written)
    word = _word(made, said, written)
    seen = [each for each in logged if each.op == ACCESS]
    later = changes.of(run).replaced(target.id)
    keys = {
        "id": target.id,
        "store": target.store,
        "text": clip(target.text, SHOWN_CHARS),
        "path": target.path,
        "line": target.line,
        "status": _status(run, target),
        "forgotten": _forgotten(run, target.id),
        "since": said.values.get(lines.SINCE) or target.at or None,
        "until": said.values.get(lines.UNTIL) or (later.day if later else None),
        "heard": heard,
        "trust": said.trust or None,
        "word": word or None,
        "written": _access(written) if written else None,
        "model": model,
        "origin": made._asdict() if made.commit else None,
        "replaces": _listed(run, target, said.values.get(lines.REPLACES)),
        "replacedBy": _listed(run, target, said.values.get(lines.BY) or (later.by if later else None)),
        "against": contradictory.beside(run, target, said.values),
        "seen": _access(seen[-1]) if seen else None,
        "timesSeen": len(seen),
        "entries": _entries(run, target.id),
    }
    return keys | {"unknown": list(_unknown(keys, logged=bool(logged), target=target))}


def _gone(run: Run, wanted: str) -> dict[str, Any]:
    """Return what is known of a memory that stands nowhere any more. Raises NotFound."""
    id_ = targets.parse(wanted)
    kept = archive.kept_in(run.workspace.text(run.workspace.in_memory(archive.FILE)) or "")
    told = archive.told_in(run, [each for each in kept if each.id == id_])
    mine = [each for each in kept if each.id in told]
    standing = _forgotten(run, id_)
    if standing is None or (kept and not told and any(each.id == id_ for each in kept)):
        raise NotFound(f"there is no {id_}", hint="koog forget QUERY, koog search")
    text = "\n".join(
        targets.said(row) or row for each in mine for hunk in each.hunks for row in hunk.gone if row.strip()
    )
    empty = dict.fromkeys(("since", "until", "trust", "word", "written", "model", "origin", "seen"))
    return {
        **empty,
        "id": id_,
        "store": STORE_OF.get(id_.partition(":")[0], id_.partition(":")[0]),
        "text": clip(text, SHOWN_CHARS) or None,
        "path": mine[0].path if mine else None,
        "line": None,
        "status": "deleted" if standing["op"] == forgotten.DELETE else "archived",
        "forgotten": standing,
        "heard": [],
        "replaces": [],
        "replacedBy": [],
        "against": [],
        "timesSeen": 0,
        "entries": _entries(run, id_),
        "matched": BY_ID,
        "trail": [],
        "unknown": ["it stands in no file any more, so nothing tells where it was heard"],
        "others": [],
    }


def _told(run: Run, target: Target, row: str) -> Told:
    """Return what stands behind a memory's words, by what kind of line it is."""
    if target.kind == targets.OBSERVATION:
        values = seen.values if (seen := observation.read(row)) else {}
        return Told(values, observation.behind(target.text, values, source=values.get("source", "")))
    if target.kind == targets.PLAYBOOK:
        source = found.source if (found := item.parse(row)) and found.source else ""
        return Told({}, source.partition(origin.BY)[2], source.partition(origin.BY)[0])
    if target.kind == ids.EPISODE:
        text = run.workspace.text(target.path) or ""
        read = episodes.read(text, stores.day_of(target.path), target.path)
        entry = next(each for each in read if each.id == target.id)
        return Told(entry.line.values, kind=entry.source)
    return Told(lines.read(row).values)


def _accesses(run: Run, target: Target) -> Iterator[Access]:
    """Yield what the log has of a memory; of a fact what it has of its entity, which is what fades."""
    wanted = {target.id}
    if target.kind == ids.FACT:
        wanted.add(f"{ids.ENTITY}:{ids.parse(target.id).entity}")
    yield from (each for each in trail.accessed(run) if each.id in wanted)


def _written(target: Target, since: str, logged: Sequence[Access], made: Origin) -> Access | None:
    """Return the access by which a memory was written; of a fact, whose entity is what is logged, that of its moment.

    since   the day from which the fact's line says it is known
    """
    writes = [each for each in logged if each.op == WRITE]
    if target.kind != ids.FACT:
        return writes[0] if writes else None
    of_day = [each for each in writes if each.at[:10] == since]
    of_moment = [each for each in writes if each.at == made.ts]
    return of_moment[0] if of_moment else of_day[0] if len(of_day) == 1 else None


def _access(each: Access) -> dict[str, Any]:
    return {"ts": each.at, "why": _why(each) or None, "base": each.base}


def _why(each: Access) -> str:
    """Return why a memory was seen or written, as the log says it; "" where it says nothing."""
    with suppress(ValueError):
        return str(jsonfiles.loads(each.raw).get("why") or "")
    return ""


def _origin(run: Run, target: Target, *, is_struck: bool) -> Origin:
    """Return the commit that a memory's line came with. An episode's words stand below its heading.

    is_struck   the row was changed since by what took its place, and so its words are looked for
    """
    if is_struck:
        return blame.first_with(run, target.path, target.text)
    data = run.workspace.read(target.path) or b""
    number = target.line + (target.kind == ids.EPISODE)
    found = blame.origins(run, target.path, data, min(number, len(data.splitlines()))) if data else []
    return found[0] if found else NOBODY


def _model(run: Run, target: Target, written: Access | None) -> str | None:
    """Return which model was asked in the call that wrote it, by the ledger; `builtin` where a call asked none."""
    if written is None:
        return None
    for raw in (run.workspace.read(run.workspace.in_memory(usage.FILE)) or b"").splitlines():
        if written.at.encode() in raw:
            with suppress(ValueError):
                value = jsonfiles.loads(raw)
                if value.get("ts") == written.at and value.get("command") in MODELS and value.get("ok"):
                    return str(value.get("model"))
    return "builtin" if target.store not in targets.LINES else None


def _word(made: Origin, said: Told, written: Access | None) -> str:
    """Return on whose word it is remembered."""
    if (made.actor or "").startswith("reflection:") and written and _why(written).endswith(CHANGED):
        return "a person approved it with changes"
    if made.approval == "approved":
        return "a person approved it"
    if (made.actor or "").startswith("bot:commit-from:"):
        return f"{(made.actor or '').removeprefix('bot:commit-from:')} proposed it"
    if said.kind == episodes.EXPLICIT or made.actor == "bot:trigger-remember":
        return "the user asked for it"
    if made.actor == "manual" or (made.actor or "").startswith("git:"):
        return "a person wrote the line"
    if said.trust:
        return {"person": "the person said it", "agent": "an agent said it"}.get(said.trust, f"it is {said.trust}")
    if written and written.base is not None:
        return "the user asked for it" if written.base == 1.0 else "an agent kept it unasked"
    return ""


def _status(run: Run, target: Target) -> str | None:
    """Return how it stands with decay; None for a line that does not fade."""
    hidden = forgotten.of(run.workspace).hidden
    if forgotten.hides(hidden, target.id) or target.section == entities.ARCHIVED:
        return "archived"
    if target.store in targets.LINES:
        return None
    item = Item(target.id, target.store, target.text, target.path, target.line, target.label, target.at)
    return standing.of(run, [item])[target.id].told


def _forgotten(run: Run, id_: str) -> dict[str, Any] | None:
    row = forgotten.of(run.workspace).standing(id_)
    return {"ts": row.ts, "op": row.op} if row and row.op in forgotten.GONE else None


def _entries(run: Run, id_: str) -> list[dict[str, Any]]:
    """Return the last lines of the audit log that name it."""
    return [log.told(each) for each in islice(log.entries(run.workspace, Wanted(query=id_)), RECENT)]


def _listed(run: Run, target: Target, told: str | None) -> list[str]:
    return changes.told(run, filter(None, (told or "").split(";")), target.path)


def _unknown(keys: Mapping[str, Any], *, logged: bool, target: Target) -> Iterator[str]:
    """Yield what nobody has noted."""
    if not keys["heard"]:
        yield "in which session it was said"
    if keys["word"] is None:
        yield "on whose word it is remembered"
    if keys["origin"] is None:
        yield "who wrote the line: no commit has it"
    if target.store not in targets.LINES and not logged:
        yield "when it was written and who saw it: the log of accesses does not name it"
    elif keys["seen"] is None:
        yield "who saw it: nobody has noted that it was used"
    if keys["model"] is None:
        yield "which model or rule wrote it down"
