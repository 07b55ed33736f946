"""What somebody may want to be forgotten by a few words, and all that says the same.  [moltbot §8.3]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from koog.core.text.says import Says, says
from koog.core.text.tombstone import Marked, mark
from koog.core.text.tombstone import words as words_of
from koog.memory.forgetting import targets
from koog.memory.forgetting.targets import LINES, Target
from koog.memory.names import known
from koog.memory.store import entities, ids
from koog.memory.trigger import triggers

LEAST = 0.5  # of the wish's ideas
KEY = b"here"  # marks that are made and looked for in one call, and kept nowhere


class Match(NamedTuple):
    """One thing that would go.

    same   what else says the same, and would go with it
    """

    target: Target
    same: list[Target]


def wished(text: str) -> str:
    """Return what is to be forgotten: the words behind "forget about", where they are told with it."""
    found = [each.content for each in triggers.detect(text) if each.kind == "forget" and each.content]
    return found[0] if len(found) == 1 else text


def like(every: Sequence[Target], query: str) -> list[Target]:
    """Return what a wish may mean, the most alike first; of an entity that it names all, instead of line by line."""
    wanted = _ideas(says(query))
    entities_named = {each.id for each in every if each.kind == ids.ENTITY and _names(each, query)}
    names = {each.id.partition(":")[2]: each.text for each in every if each.kind == ids.ENTITY}
    first = {word.said for word in words_of(query)}
    rated = list[tuple[float, int, Target]]()
    exact = Marked(filter(None, [mark(query, KEY)]), KEY)
    for at, each in enumerate(every):
        if each.kind == ids.FACT and f"{ids.ENTITY}:{_entity(each)}" in entities_named:
            continue
        if each.id in entities_named or exact.holds(each.text):
            rated.append((-1.0, at, each))
        elif each.kind != ids.ENTITY and wanted and (share := _share(each, names, wanted, first)) >= LEAST:
            rated.append((-share, at, each))
    return [each for _, _, each in sorted(rated, key=lambda row: row[:2])]


def _share(each: Target, names: dict[str, str], wanted: frozenset[str], first: set[str]) -> float:
    text = f"{names.get(_entity(each), '')} {each.text}" if each.kind == ids.FACT else each.text
    if text.isascii() and not _may_share(text, first):
        return 0.0
    return len(wanted & _ideas(says(text))) / len(wanted)


def _may_share(text: str, first: set[str]) -> bool:
    """Return whether two texts have the beginning of a word in common: most have none, and are not read."""
    heads = {word[:4] for word in first}
    return any(word.said[:4] in heads for word in words_of(text))


def _ideas(found: Says) -> frozenset[str]:
    return found.ideas | found.names | found.maybe


def _names(entity: Target, query: str) -> bool:
    """Return whether a wish is the name of an entity, and no more."""
    wanted = known.key(query)
    return bool(wanted) and any(known.key(name) == wanted for name in entity.text.split("; "))


def _entity(each: Target) -> str:
    return ids.Id(each.kind, each.id.partition(":")[2]).entity


def with_same(every: Sequence[Target], chosen: Sequence[Target]) -> list[Match]:
    """Return each thing with what goes with it: of an entity all that is known of it; what says the same elsewhere."""
    texts = {each.id: each.phrases for each in chosen}
    marks = {id_: Marked(filter(None, (mark(t, KEY) for t in found)), KEY) for id_, found in texts.items()}
    whole = Marked(filter(None, (mark(text, KEY) for found in texts.values() for text in found)), KEY)
    near = [each for each in every if whole.holds(each.text)]
    found = []
    for each in chosen:
        of = each.id.partition(":")[2]
        inner = [e for e in every if each.kind == ids.ENTITY and e.kind == ids.FACT and _entity(e) == of]
        alike = [e for e in near if e.kind != ids.ENTITY and _is_all_said(e, marks[each.id])] if inner == [] else []
        more = {(e.id, e.path, e.line): e for e in (*inner, *alike) if e.id != each.id}
        found.append(Match(each, list(more.values())))
    return found


def _is_all_said(each: Target, marked: Marked) -> bool:
    """Return whether a text says little else."""
    return not marked.without(each.text).strip()


def everything(found: Sequence[Match]) -> list[Target]:
    """Return all that goes, each thing once."""
    every = {(e.id, e.path, e.line): e for match in found for e in (match.target, *match.same)}
    return list(every.values())


def would(each: Target) -> str:
    """Return what would become of one thing."""
    if each.kind == ids.FACT:
        return f"moves to ## {entities.ARCHIVED}"
    if each.kind in (ids.CORE, *LINES):
        return "the line goes"
    return "is hidden, the file stays"


def known_ids(every: Sequence[Target], named: Sequence[str]) -> tuple[list[Target], list[str]]:
    """Return the things of some ids, and the ids of which there is none."""
    found = targets.chosen(every, named)
    there = {each.id for each in found}
    return found, [id_ for id_ in named if id_ not in there]
