"""What somebody may want to be forgotten by a few words, and all that says the same.  [moltbot §8.3]"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core import shipped
from koog.core.named import NamedTuple
from koog.core.text.measures import STOPWORDS
from koog.core.text.says import Says, says
from koog.core.text.tombstone import Marked, bare, mark
from koog.core.text.tombstone import words as words_of
from koog.memory.forgetting import targets
from koog.memory.forgetting.meant import NEARLY, Found, Rated, parted
from koog.memory.forgetting.targets import LINES, Target
from koog.memory.names import spelling
from koog.memory.store import entities, ids
from koog.memory.trigger import triggers

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.search.alike import Likeness

WORDS = Path(__file__).with_name("wish_words.txt")
LEAST = 0.5  # of the weight of the wish's ideas that stand anywhere: what few things have weighs most
BESIDE = 0.7  # of the best one's score: what is less alike is not meant
SURE = 0.7  # how sure the search is of what it has found in other words
NEAR = 10  # hits of the search
MOST_LIKENED = 400  # lines that are compared by their meaning, where none has a word of the wish
LEAST_LIKE = 0.3  # of the likest, where no word of the wish stands anywhere: below, nothing is meant
EXACT = -1.5  # the score of what says the very words
MOST_OF_VAGUE = 3  # things that are listed where most of the wish's words are in none of them
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


def like(
    every: Sequence[Target],
    query: str,
    near: Sequence[tuple[str, int, float]] = (),
    likeness: Likeness | None = None,
    *,
    said: str = "",
) -> Found:
    """Return what a wish means, and what is near it; of an entity that it names all, instead of line by line.

    Of a wish that names somebody, what names him is meant, and nothing else; and of that what has more of the wish,
    where anything has.

    said      the whole wish, where `query` is a part of it
    near      what the search finds for it: path, line, how sure; where the wish has other words than what was
              remembered
    likeness  how near in meaning texts are, for a wish of which hardly a word stands anywhere, or no line has most
    """
    entities_named = {each.id for each in every if each.kind == ids.ENTITY and _names(each, query)}
    names = {each.id.partition(":")[2]: each.text for each in every if each.kind == ids.ENTITY}
    lines = [e for e in every if e.kind != ids.ENTITY and f"{ids.ENTITY}:{_entity(e)}" not in entities_named]
    texts = [f"{names.get(_entity(e), '')} {e.text}" if e.kind == ids.FACT else e.text for e in lines]
    wanted = _ideas(says(query)) - _idle()
    held = _held(texts, query, wanted)
    many = Counter(idea for ideas in held for idea in ideas)
    weight = {idea: 1 / many[idea] ** 0.5 for idea in wanted if many[idea]}
    exact, longest = Marked(filter(None, [mark(query, KEY)]), KEY), _longest([query])
    sure = _sure(lines, near)
    rated = [(-2.0, 0, each) for each in every if each.id in entities_named]
    named = _named(query) & weight.keys()
    has_more = any(ideas & named and ideas - named for ideas in held)
    for at, (each, ideas) in enumerate(zip(lines, held, strict=True)):
        if named and not (ideas & named and (ideas - named or not has_more)):
            continue
        share = sum(map(weight.__getitem__, ideas)) / (sum(weight.values()) or 1)
        if _may_have(each.text, longest) and exact.holds(each.text):
            rated.append((EXACT, at, each))
        elif share >= LEAST or each.id in sure:
            rated.append((-share, at, each))
    if any(score == EXACT for score, _, _ in rated):
        rated = [row for row in rated if row[0] == EXACT]  # nothing else is meant
    best = min((score for score, _, _ in rated), default=0.0)
    kept = [row for row in rated if row[0] <= BESIDE * best or row[2].id in sure]
    found = [each for _, _, each in sorted(kept, key=lambda row: (row[0] - sure.get(row[2].id, 0.0), row[1]))]
    # Where most of the wish's words are in none of them, they are guesses.
    is_vague = len(weight) * 2 <= len(wanted) and not entities_named
    if is_vague or not found:
        if likeness and (found or len(lines) <= MOST_LIKENED):
            least = 0.0 if found else LEAST_LIKE
            found = _nearest(found[:MOST_LIKENED] or lines, query, likeness, least=least)[:MOST_OF_VAGUE]
        else:
            found = found[: MOST_OF_VAGUE if weight else 1]  # nothing, where nothing has most of the wish
    ideas_of = {id(each): ideas for each, ideas in zip(lines, held, strict=True)}
    rows = []
    for each in found:
        ideas = ideas_of.get(id(each), wanted)
        rows.append(Rated(each, ideas, sum(map(weight.__getitem__, ideas & weight.keys()))))
    return parted(rows, said or query, query=query, bare=telling(query), names=named, likeness=likeness)


def _named(query: str) -> frozenset[str]:
    """Return the ideas of a wish that are names, or may be."""
    found = says(query)
    return _ideas(found) & (found.names | found.maybe)


def _nearest(found: Sequence[Target], query: str, likeness: Likeness, *, least: float) -> list[Target]:
    """Return those that are nearest to a wish in meaning, the nearest first; all where nobody can tell."""
    said = telling(query)
    near = likeness(said, [each.text for each in found])
    best = max(near, default=0.0)
    if best < least:
        return []
    ranked = sorted(range(len(found)), key=lambda n: -near[n])
    return [found[n] for n in ranked if near[n] >= NEARLY * best]


def searched(run: Run, query: str) -> list[tuple[str, int, float]]:
    """Return what the search finds for a wish: path, line, how sure."""
    from koog.search import find

    hits = find.find(run, telling(query), limit=NEAR).hits
    return [(hit.path, line, hit.confidence or 0.0) for hit in hits for line in hit.matches if not hit.is_weak]


def telling(query: str) -> str:
    """Return a wish without the words that say nothing of what is meant."""
    return " ".join(query[word.start : word.end] for word in words_of(query) if word.said not in _idle()) or query


def _sure(lines: Sequence[Target], near: Sequence[tuple[str, int, float]]) -> dict[str, float]:
    """Return the things of which the search is sure, and how much. The words of an episode stand below its heading."""
    of = dict[tuple[str, int], float]()
    for path, line, sure in near:
        of[path, line] = max(sure, of.get((path, line), 0.0))
    found = ((each.id, of.get((each.path, each.line + (each.kind == ids.EPISODE)), 0.0)) for each in lines)
    return {id_: sure for id_, sure in found if sure >= SURE}


def _longest(runs: Iterable[str]) -> frozenset[str]:
    """Return the longest word of each run of words: a text that holds the run has that one, which is quick to see."""
    return frozenset(max((w.said for w in words_of(bare(run))), key=len, default="") for run in runs)


def _may_have(text: str, words: Iterable[str]) -> bool:
    """Return whether a text may have one of some words, or of their beginnings; False where it surely has none."""
    low = text.lower()
    return not text.isascii() or any(word in low for word in words)


@cache
def _idle() -> frozenset[str]:
    """Return the ideas of words that say nothing of what is meant."""
    rows = [row for row in shipped.text(WORDS).splitlines() if not row.startswith("#")]
    return frozenset(idea for row in rows for word in row.split() for idea in (word, *_ideas(says(word))))


def _held(texts: Sequence[str], query: str, wanted: frozenset[str]) -> list[frozenset[str]]:
    """Return which of the wish's ideas each text has."""
    heads = {word.said[:4] for word in words_of(telling(query)) if word.said not in STOPWORDS}
    heads = heads or {word.said[:4] for word in words_of(query)}
    none = frozenset[str]()
    return [
        wanted & _ideas(says(text))
        if not text.isascii() or (_may_have(text, heads) and any(w.said[:4] in heads for w in words_of(text)))
        else none
        for text in texts
    ]


def _ideas(found: Says) -> frozenset[str]:
    """Return what a text speaks of; not that somebody speaks of himself, or sees, or means all."""
    every = found.ideas | found.names | found.maybe
    return frozenset(idea for idea in every if len(idea) > 1 and (idea[0] != "<" or idea[-2:-1].isdigit()))


def _names(entity: Target, query: str) -> bool:
    """Return whether a wish is the name of an entity, and no more."""
    wanted = spelling.key(query)
    return bool(wanted) and any(spelling.key(name) == wanted for name in entity.text.split("; "))


def _entity(each: Target) -> str:
    return ids.Id(each.kind, each.id.partition(":")[2]).entity


def with_same(every: Sequence[Target], chosen: Sequence[Target]) -> list[Match]:
    """Return each thing with what goes with it: of an entity all that is known of it; what says the same elsewhere."""
    texts = {each.id: each.phrases for each in chosen}
    marks = {id_: Marked(filter(None, (mark(t, KEY) for t in found)), KEY) for id_, found in texts.items()}
    whole = Marked(filter(None, (mark(text, KEY) for found in texts.values() for text in found)), KEY)
    longest = _longest(text for found in texts.values() for text in found)
    near = [each for each in every if _may_have(each.text, longest) and whole.holds(each.text)]
    facts = defaultdict[str, list[Target]](list)
    for each in every if any(each.kind == ids.ENTITY for each in chosen) else ():
        if each.kind == ids.FACT:
            facts[_entity(each)].append(each)
    found = []
    for each in chosen:
        inner = facts[each.id.partition(":")[2]] if each.kind == ids.ENTITY else []
        own = _longest(texts[each.id])
        like = (e for e in near if e.kind != ids.ENTITY and _may_have(e.text, own)) if inner == [] else ()
        alike = [e for e in like if _is_all_said(e, marks[each.id])]
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
