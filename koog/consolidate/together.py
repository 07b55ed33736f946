"""Entities that are spoken of together, again and again, are linked.  [moltbot §10.3, phase 3]"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from koog.consolidate.drafts import Drafts
from koog.consolidate.plan import Operation
from koog.consolidate.survey import Said, Survey
from koog.core.lazy_regex import compiled
from koog.memory import remember_rules
from koog.memory.store import episodes

DAYS = 3  # on which two are spoken of in one line
MOST_OF_ONE = 6  # entities of a line: more are a list
RELATES = "relates-to"


def proposed(survey: Survey, drafts: Drafts) -> Iterator[Operation]:
    """Yield the relations that entities seem to have."""
    linked = {frozenset((edge.start, edge.to)) for entity in survey.entities.values() for edge in entity.edges}
    found: dict[frozenset[str], list[Said]] = defaultdict(list)
    for said in (*survey.episodes, *survey.facts.values()):
        named = sorted({*_named(survey, said), *([said.entity] if said.entity else ())})
        if 1 < len(named) <= MOST_OF_ONE:
            for two in combinations(named, 2):
                found[frozenset(two)].append(said)
    for pair, lines in found.items():
        own = [each for each in lines if each.label == lines[-1].label]
        days = len({each.day for each in own})
        if days >= DAYS and pair not in linked:
            start, relation, to = _told(survey, pair, own)
            more = {"reason": f"spoken of together on {days} days", "weight": 0.8 + min(days, 20) / 20}
            sure = episodes.MEDIUM if relation != RELATES else episodes.LOW
            yield drafts.relation(start, relation, to, own[-8:], confidence=sure, **more)


def _named(survey: Survey, said: Said) -> list[str]:
    """Return the entities that have files which a line links to or names."""
    linked = [id_ for id_ in said.entities if id_ in survey.entities]
    if not linked and not said.entity:
        return []
    return [*linked, *(id_ for id_ in survey.names.within(said.text).values() if id_ in survey.entities)]


def _told(survey: Survey, pair: frozenset[str], lines: list[Said]) -> tuple[str, str, str]:
    """Return how two entities are linked, as the newest line tells that has a word for it between their names."""
    one, other = sorted(pair, key=lambda id_: (not id_.startswith("person--"), id_))
    for said in reversed(lines):
        places = sorted((at, id_) for id_ in pair if (at := _place(survey, id_, said.text)) is not None)
        if len(places) == 2:
            between = said.text[places[0][0] : places[1][0]]
            for relation, cue in remember_rules.RELATION:
                if compiled(cue).search(between):
                    return places[0][1], relation, places[1][1]
    return one, RELATES, other


def _place(survey: Survey, id_: str, text: str) -> int | None:
    """Return where a text names an entity."""
    low = text.casefold()
    found = [low.find(name.casefold()) for name in survey.entities[id_].names]
    return min((at for at in found if at >= 0), default=None)
