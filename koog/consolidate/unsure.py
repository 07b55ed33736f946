"""What the router was unsure of is looked at again, with what is known by now.  [moltbot §8.2, §10.3]

It is an episode of low confidence. Where it names somebody who has an entity by now and says what holds of him, it goes
there. What an agent proposed, and nobody has to decide, goes to its store; the others are asked about.  [moltbot §13.1]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

from koog.consolidate.about import Subjects
from koog.consolidate.drafts import Drafts
from koog.consolidate.matters import Matter
from koog.consolidate.plan import Operation, Question
from koog.consolidate.survey import Said, Survey
from koog.core import proposal_form as form
from koog.core import proposals
from koog.core.text import trust, worth
from koog.core.text.statement import Statement
from koog.core.text.voices import AGENT, NOTE, PERSON, USER
from koog.memory import remember_rules, router
from koog.memory.names import mentions
from koog.memory.store import episodes, ids
from koog.memory.store import line as lines
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC
from koog.memory.store.procedures import Procedure

SURE = 0.5  # that it is a fact
ABOUT = 1.5  # a known name that the line is about, by a half (about.py)
SHOWN_CHARS = 200


def moved(survey: Survey, found: Sequence[Matter], drafts: Drafts) -> Iterator[Operation]:
    """Yield the episodes of low confidence that are facts of an entity that is known by now."""
    subjects = Subjects(survey)
    for matter in found:
        if len(matter.lines) > 1:
            continue
        said = matter.lines[0]
        if said.confidence != episodes.LOW or said.id not in survey.memories:
            continue
        named = [subject for subject, main in subjects.named(said) if main >= ABOUT and subject.id in survey.entities]
        if len(named) == 1 and _is_fact(survey, said):
            why = "the router was unsure; it is about somebody who is known by now"
            yield drafts.fact(named[0].id, named[0].name, [said], reason=why, confidence=episodes.LOW, weight=0.6)


def _is_fact(survey: Survey, said: Said) -> bool:
    if not worth.is_kept(Statement(text=said.text, role=USER, trust=PERSON)):
        return False
    odds = router.rate(said.text, mentions.found(said.text), today=survey.today).odds
    return odds[SEMANTIC] >= SURE


# --- proposals


def processed(survey: Survey, drafts: Drafts, day: date) -> Iterator[Operation]:
    """Yield the proposals of agents that nobody has to decide."""
    for each in survey.proposals:
        if not needs_word(each) and not each.others and (made := _made(survey, each, drafts, day)) is not None:
            yield made


def needs_word(entry: form.Entry) -> bool:
    """Return whether only a person can say yes to a proposal: `koog review` is for that."""
    kind = trust.PATTERN if entry.store in (CORE, PROCEDURAL) or entry.is_core_worthy else "fact"
    told = (entry.content, *entry.entities)
    is_order = any(trust.verdict(each, AGENT, register=NOTE, kind=kind) != trust.TAKEN for each in told)
    return entry.author == proposals.OWN or is_order or trust.steers(entry.content)


def _made(survey: Survey, entry: form.Entry, drafts: Drafts, day: date) -> Operation | None:
    text, number = lines.words(entry.content), entry.number
    confidence = entry.confidence if entry.confidence in episodes.CONFIDENCES else episodes.LOW
    who = form.key(entry.author) or "nobody"
    more: dict[str, Any] = {"reason": f"proposed by {who}", "confidence": confidence, "weight": 1.6, "proposal": number}
    said = [Said(f"#{number}", text, day.isoformat())]
    if not text or number is None:
        return None
    if entry.store == PROCEDURAL:
        trigger = remember_rules.trigger(text)
        name = ids.slug(trigger)[:60].strip("-") or ids.of_words(text)
        return drafts.procedure(Procedure(name, trigger, tuple(remember_rules.steps(text))), said, **more)
    if entry.store in (EPISODIC, ""):
        return drafts.episode(text, **more)
    if entry.store == SEMANTIC and (subject := _subject(survey, entry, text)) is not None:
        return drafts.fact(*subject, said, **more)
    return None


def _subject(survey: Survey, entry: form.Entry, text: str) -> tuple[str, str] | None:
    """Return the entity that a proposal is about, id and name."""
    if not entry.entities:
        found = Subjects(survey).named(Said("", text, ""))
        return next(((s.id, s.name) for s, _ in found), None)
    named = entry.entities[0]
    if ids.is_entity(named):
        kind, _, rest = named.partition("--")
        id_ = named if kind in ids.ENTITY_TYPES else ids.entity(mentions.CONCEPT, rest)
        known = survey.entities.get(id_)
        return id_, known.label if known else rest.replace("-", " ")
    if not ids.slug(named):
        return None
    meant = survey.names.meant(named, mentions.CONCEPT, about=(text,))
    return (meant.id or ids.entity(mentions.CONCEPT, named)), named


def asked(survey: Survey) -> Iterator[Question]:
    """Yield what a person is asked about proposals."""
    for each in survey.proposals:
        shown = lines.words(each.content)[:SHOWN_CHARS]
        if each.others:
            told = f"Proposal #{each.number} (“{shown}”) is in conflict with {', '.join(each.others)}. Which is right?"
            yield Question("", told, (f"#{each.number}",), f"#{each.number} {shown}")
        elif needs_word(each):
            told = f"Proposal #{each.number} waits for your word: koog review show {each.number}"
            yield Question("", told, (f"#{each.number}",), f"#{each.number} {shown}")
