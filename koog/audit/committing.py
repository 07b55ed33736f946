"""Proposals go to the stores, or away, in one step with the file that they stood in.  [moltbot §13.3, §13.6, §13.7]

One proposal is one step: its memory, the file without it, the audit lines. Killed before, it waits as it did; after,
it is stored. What an agent or a person has changed in it meanwhile stops it (Busy).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from koog.audit import pending
from koog.core import approval, proposals
from koog.core import proposal_form as form
from koog.core.errors import Busy, KoogError, NotFound, Refused
from koog.core.named import NamedTuple
from koog.core.proposal_form import CONTENT, Entry
from koog.memory.remember import store_all
from koog.memory.store import ids, stores
from koog.memory.store import line as lines
from koog.memory.wanted import Wanted
from koog.sessions import roles

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.proposals import Settled
    from koog.core.run import Run
    from koog.memory.keeping import Kept

MOST_WHY = 120  # characters of why something was rejected


class Auto(NamedTuple):
    """What went to the stores by itself, and of the others why not."""

    committed: list[dict[str, Any]]
    left: list[dict[str, Any]]


def commit(run: Run, number: int, *, store: str = "", over: Sequence[str] = ()) -> dict[str, Any]:
    """Put a proposal into its store; return its row.

    store   another one than it suggests
    over    what it is right against: numbers of proposals, which are rejected; ids of memories, whose place it takes

    Raises NotFound, Refused, Busy.
    """
    settled = pending.look(run)
    entry = pending.one(settled, number)
    losers = [pending.one(settled, int(each)) for each in over if each.isdecimal()]
    memories = [each for each in over if not each.isdecimal()]
    _check_open(run, settled, entry, over)
    store = store or entry.store
    is_persons = _word(run, [entry], store)
    wanted = _in_place(_wanted(entry, store), memories)

    def then(door: Door, kept: list[Kept]) -> None:
        told = f"accepted proposal #{number}: {kept[0].stored.id}"
        pending.name(door, "COMMIT", told)
        more = "".join(f"; rejected #{each.number}, #{number} was chosen" for each in losers)
        _leave(run, door, [entry, *losers], summary=told + more, action="COMMIT")

    return _stored(run, [entry], [wanted], then, word=is_persons)[0]


def keep_both(run: Run, number: int, other: str) -> list[dict[str, Any]]:
    """Store both sides of a conflict, of low confidence and linked as contradictory; return their rows.

    other   the number of another proposal, or the id of a memory

    Raises NotFound, Refused, Busy.
    """
    settled = pending.look(run)
    entries = [pending.one(settled, number)]
    if other.isdecimal():
        entries.append(pending.one(settled, int(other)))
        texts = [entries[1].content, entries[0].content]
    else:
        texts = [_memory(run, other)]
    if len({each.number for each in entries}) < len(entries):
        raise Refused("a proposal is in no conflict with itself", hint="koog review list")
    is_persons = _word(run, entries, "")
    about = next((each.entities[:1] for each in entries if each.entities), ())
    if not about and other.startswith(f"{ids.FACT}:"):
        about = (ids.parse(other).entity,)
    wanted = [
        _wanted(each, each.store, about=about)._replace(confidence=form.LOW, opposes=text)
        for each, text in zip(entries, texts, strict=True)
    ]

    def then(door: Door, kept: list[Kept]) -> None:
        named = " and ".join(f"#{each.number}" for each in entries)
        stored = ", ".join(each.stored.id for each in kept)
        told = f"accepted {named} as contradictory: {stored}"
        pending.name(door, "COMMIT", told)
        _leave(run, door, entries, summary=told, action="COMMIT")

    return _stored(run, entries, wanted, then, word=is_persons)


def auto(run: Run, *, only: int | None = None) -> Auto:
    """Commit what may go to the stores by itself; what a person or the main agent has to decide stays."""
    committed, left = list[dict[str, Any]](), list[dict[str, Any]]()
    made = proposals.made_here(run.state_root)
    for entry in pending.waiting(run):
        settled, number = pending.look(run), entry.number or 0
        if only not in (None, number):
            continue
        why = pending.hindrance(run, settled, entry, made)
        if not why:
            try:
                committed.append(commit(run, number))
                continue
            except (Refused, Busy, NotFound) as e:
                why = e.message
        left.append({"id": number, "from": entry.author, "why": why})
    return Auto(committed, left)


def reject(run: Run, number: int, *, why: str) -> Entry:
    """Take a proposal away. Raises NotFound, Busy."""
    entry = pending.one(pending.look(run), number)
    told = lines.words(why)[:MOST_WHY]
    _as_reviewer(run)
    with run.workspace.writing() as door:
        _leave(run, door, [entry], summary=f"rejected proposal #{number} — {told}", action="REJECT")
    _note(run)
    return entry


def defer(run: Run, number: int) -> Entry:
    """Leave a proposal to whoever is asked later: the user, or the next consolidation. Raises NotFound, Busy."""
    entry = pending.one(pending.look(run), number)
    known = proposals.noted(run.state_root)
    _as_reviewer(run)

    def edit(text: str) -> str:
        return proposals.with_status(proposals.settled(text, known).text, number, form.DEFERRED)

    with run.workspace.writing() as door:
        door.edit(pending.path(run), edit, summary=f"deferred proposal #{number}")
    _note(run, apart=number)
    return pending.one(pending.look(run), number) if not run.dry_run else entry


# --- steps


def _in_place(wanted: Wanted, memories: Sequence[str]) -> Wanted:
    """Return a thing as it takes the place of the first of these memories whose place can be taken."""
    told = [each for each in map(ids.parse, memories) if each.kind in (ids.FACT, ids.CORE)]
    if not told:
        return wanted
    replaces = f"{told[0].kind}:{told[0].name}"
    if told[0].kind == ids.CORE:
        return wanted._replace(store="core", replaces=replaces, entity="", edges=())
    return wanted._replace(store="semantic", replaces=replaces, entity=told[0].entity)


def _wanted(entry: Entry, store: str, *, about: Sequence[str] = ()) -> Wanted:
    named = entry.entities or tuple(about)
    is_graph = store in ("", "semantic") and bool(named)
    return Wanted(
        entry.content,
        store or "auto",
        entity=named[0] if is_graph else "",
        edges=tuple(("relates-to", each) for each in named[1:]) if is_graph else (),
        confidence=entry.confidence,
        is_core=entry.is_core_worthy and store != "core",
    )


def _check_open(run: Run, settled: Settled, entry: Entry, over: Sequence[str]) -> None:
    """Raise Refused where it is in conflict with something that nobody has decided."""
    rivals = [each.removeprefix("#") for each in pending.rivals(run, settled, entry)]
    open_ones = [each for each in dict.fromkeys(rivals) if each not in over]
    if not open_ones:
        return
    told = ", ".join(f"#{each}" if each.isdecimal() else each for each in open_ones)
    one = f"koog review commit {entry.number} " + " ".join(f"--over {each}" for each in (*over, *open_ones))
    hint = f"{one}; or koog review keep-both {entry.number} {open_ones[0]}; or koog review defer {entry.number}"
    raise Refused(f"proposal #{entry.number} is in conflict with {told}", hint=hint)


def _word(run: Run, entries: Sequence[Entry], store: str) -> bool:
    """Return whether a person stands behind it, where one has to; raises Refused where one has to and does not."""
    _as_reviewer(run)
    found = approval.at_terminal()
    for entry in entries:
        target = store or entry.store
        if why := pending.needs_word(run, entry, target):
            n = entry.number or 0
            command = f"koog review commit {n}" + (f" --store {store}" if store not in ("", entry.store) else "")
            what = f"proposal #{n} of {entry.author or 'nobody'} ({why})"
            digest = proposals.digest(entry, target)
            approval.require(run, id=proposals.word_id(n), digest=digest, what=what, command=command)
            found = True
    return found


def _as_reviewer(run: Run) -> None:
    """Act as the main agent, by a person's leave where one has typed the command."""
    run.approval = "approved" if approval.at_terminal() else "auto"
    run.act_as(f"bot:{roles.main(run)}", trigger=f"koog {run.command}")
    run.workspace.cause = run.workspace.cause._replace(approval=run.approval)


def _stored(
    run: Run,
    entries: Sequence[Entry],
    wanted: list[Wanted],
    then: Callable[[Door, list[Kept]], None],
    *,
    word: bool,
) -> list[dict[str, Any]]:
    authors = dict.fromkeys(form.key(each.author).replace("|", "") or "nobody" for each in entries)
    kept, _ = store_all(run, wanted, word=word, actor=f"bot:commit-from:{'+'.join(authors)}", then=then, lifts=False)
    _note(run)
    return [
        {
            "proposal": entry.number,
            "from": entry.author,
            **{
                name: each.row[name] for name in ("id", "store", "path", "created", "replaced", "against", "confidence")
            },
        }
        for entry, each in zip(entries, kept, strict=True)
    ]


def _leave(run: Run, door: Door, gone: Sequence[Entry], *, summary: str, action: str) -> None:
    """Stage the file without some proposals. Whose words have changed since they were read stops it."""
    known = proposals.noted(run.state_root)
    words = {each.number: each.values.get(CONTENT.lower(), "") for each in gone}

    def edit(text: str) -> str:
        settled = proposals.settled(text, known)
        found = [each for each in settled.entries if each.number in words]
        if {each.number: each.content for each in found} != words:
            raise Busy("the proposal has changed meanwhile", hint="koog review list")
        return proposals.settled(form.without(settled.text, found), known).text

    door.edit(pending.path(run), edit, summary=summary, action=action)


def _note(run: Run, *, apart: int | None = None) -> None:
    """Keep which numbers are taken where no agent can change it; a state root that fails stops nothing."""
    if run.dry_run:
        return
    try:
        proposals.note(run.state_root, run.workspace.text(pending.path(run)) or "", apart=apart)
    except KoogError as e:
        run.warnings.append(e.message)


def _memory(run: Run, id_: str) -> str:
    """Return the words of what is remembered. Raises NotFound, UsageError."""
    told = ids.parse(id_)
    if told.kind == ids.FACT:
        for entity in stores.graph(run):
            if entity.id == told.entity:
                for fact in entity.facts():
                    if fact.id == id_ and not fact.line.is_past:
                        return fact.line.text
    else:
        for each in stores.every(run):
            if each.id == id_:
                return each.text
    raise NotFound(f"there is no {id_}", hint="koog search")
