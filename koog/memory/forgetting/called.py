"""What deleted things are called, which is to stand nowhere either: their ids, their files' names, their own names.

An entity's id is its name, and a procedure's too. In a record of what was done a keyed mark takes its place, so that
its lines still belong together and say nothing. An entity's names go as words, wherever they stand; one that is an
ordinary word, or another entity's or koog's own too, stays, and is told: who wants it gone says so with --words.
[moltbot §8.3]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from koog.core import forgotten
from koog.memory.forgetting.redact import Ids
from koog.memory.forgetting.targets import Target
from koog.memory.names import known, spelling
from koog.memory.store import entities, ids, procedures, vault
from koog.sessions.person import is_ordinary

if TYPE_CHECKING:
    from koog.core.run import Run

FILES = {ids.ENTITY: entities.FOLDER, ids.PROCEDURE: procedures.FOLDER, ids.VAULT: vault.FOLDER}  # one file each

PERSON = f"{ids.ENTITY}:person--"
# What koog's own files and records are written with: .gitignore, HEARTBEAT.md, the key of every session.
OWN = frozenset(
    {"koog", "git", "claude", "codex", "openclaw", "heartbeat", "heartbeat md", "skill", "skill md", "skills"}
    | {"modules", "memory", "memory md", "agents", "agents md"}
)


def marks(key: bytes, named: Iterable[str], living: Iterable[str] = ()) -> Ids:
    """Return what takes the place of some ids, and of the names of their files. living: the ids of all entities"""
    found, gone = dict[str, str](), set[str]()
    for id_ in named:
        kind, _, name = id_.partition(":")
        found[id_] = mark = forgotten.mark_of(key, id_)
        figures = mark.partition(":")[2]
        gone.add(id_)
        if kind == ids.ENTITY:
            found[name] = f"{forgotten.DELETED}--{figures}"
            gone.add(name)
        elif kind in FILES:
            folder = FILES[kind].rpartition("/")[2]
            found[f"{folder}/{name}.md"] = f"{folder}/{forgotten.DELETED}-{figures}.md"
    return Ids(found, frozenset(gone), living=frozenset(living) - gone)


def is_own(name: str) -> bool:
    """Return whether koog's own files are written with a name, so that it stays even where it is named.

    >>> is_own(".koog/"), is_own("HEARTBEAT.md"), is_own("Koog Lund")
    (True, True, False)
    """
    return spelling.key(name) in OWN


def names(run: Run, chosen: Sequence[Target]) -> tuple[list[str], list[str], list[str]]:
    """Return the names of some things: those that go as words, those that go as lines, those that stay.

    A person's first name alone stays, and so does the family's: others may be called so.
    """
    going = {each.id.partition(":")[2] for each in chosen if each.kind == ids.ENTITY}
    others = [f" {said} " for e in known.load(run).entries.values() if e.id not in going for said in e.keys]
    words, rows, kept = list[str](), list[str](), list[str]()
    persons = {name for each in chosen if each.id.startswith(PERSON) for name in each.text.split("; ")}
    for kind, name in dict.fromkeys(_names(chosen)):
        said = spelling.key(name)
        is_told = said in OWN or all(map(is_ordinary, said.split())) or any(f" {said} " in other for other in others)
        if not said:
            continue
        if not is_told:
            words.append(name)
        elif kind == ids.ENTITY:
            kept.append(name)
        else:
            rows.append(name)
    parts = {spelling.key(part): part for name in reversed(words) if name in persons for part in name.split()}
    own = {spelling.key(name) for name in (*words, *kept)}
    more = [part for said, part in parts.items() if said not in own and not is_ordinary(said)]
    return words, rows, [*kept, *more]


def _names(chosen: Sequence[Target]) -> Iterator[tuple[str, str]]:
    for each in chosen:
        name = each.id.partition(":")[2]
        if each.kind == ids.ENTITY:
            yield from ((ids.ENTITY, said) for said in each.text.split("; "))
        elif each.kind in FILES:
            yield each.kind, name.replace("-", " ")
