"""Where what was said belongs: the built-in engine's one decision, which all extractors share.  [autopoiesis §8.3]

    decisions    a project's `Key Decisions`; of none MEMORY.md's
    lessons      MEMORY.md's `Lessons Learned`; of one project its notes
    procedures   how something is done: knowledge/procedures/
    people       facts of a person: the entity's file; how to speak with somebody, and what there was: knowledge/people/
    facts        of a project: what it is made of, how far it is, what is in its way, what is true of it; else reference/
    journal      what happened, and what nobody can place: it waits there

A statement is placed once, so that no two extractors write it. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from koog.core.text import cues, leaning
from koog.core.text.measures import content_words
from koog.core.text.observation import OF_AGENT
from koog.core.text.statement import AGENT, PERSON, Statement
from koog.knowledge.extractor import Talk
from koog.knowledge.subjects import About, Subject, Subjects
from koog.memory import router
from koog.memory.names import mentions
from koog.memory.store import procedures
from koog.memory.store.memories import PROCEDURAL
from koog.observe import observe_rules
from koog.observe.observe_rules import ObserveInput

DECISIONS, LESSONS, PROCEDURES, PEOPLE, FACTS, JOURNAL = EXTRACTORS = (
    "decisions",
    "lessons",
    "procedures",
    "people",
    "facts",
    "journal",
)
STATE, STACK, DONE, NEXT, BLOCKED, TRUE = SECTIONS = ("state", "stack", "done", "next", "blocked", "fact")
COMMUNICATION, HISTORY = "communication", "context"
HOW = 0.5  # how sure the router has to be that something is a way to do it
ALONE = 4  # content words of an answer that can be understood without its question


class Placed(NamedTuple):
    """One statement that is worth keeping, and where it belongs.

    extractor   who writes it
    section     of a project or person: one of SECTIONS, COMMUNICATION, HISTORY
    is_sure     whether it is known whom or what it is about
    """

    said: Statement
    text: str
    kind: str
    importance: int
    confidence: float
    extractor: str
    about: About
    section: str = TRUE
    is_sure: bool = True

    @property
    def row(self) -> dict[str, object]:
        """Return what every row of an answer has."""
        return {
            "turn": self.said.turn,
            "line": self.said.line,
            "type": self.kind,
            "importance": self.importance,
            "confidence": self.confidence,
        }


@lru_cache(maxsize=2)  # six extractors read the same piece one after another
def placed(given: Talk) -> tuple[Placed, ...]:
    """Return what a piece of talk holds that is worth keeping, each with its place."""
    said = observe_rules.said(ObserveInput(given.turns, "", given.zone, given.before))
    subjects = Subjects(given, said)
    return tuple(_placed(each, subjects.about(each), given) for each in observe_rules.worth_telling(said))


def of(given: Talk, extractor: str) -> list[Placed]:
    """Return what one extractor is to write of a piece of talk."""
    return [each for each in placed(given) if each.extractor == extractor]


def _placed(said: Statement, about: About, given: Talk) -> Placed:
    row = observe_rules.observed(_alone(said))
    text = row["text"] if row["text"].startswith(OF_AGENT) else row["text"].removeprefix("User: ")
    found = Placed(said, text, row["type"], row["importance"], row["confidence"], JOURNAL, about)
    if said.trust not in (PERSON, AGENT):
        return found
    if _is_procedure(said, given):
        return found._replace(extractor=PROCEDURES)
    if found.kind == "decision":
        return found._replace(extractor=DECISIONS, is_sure=about.project is not None)
    if _is_lesson(found):
        return found._replace(extractor=LESSONS)
    if about.person and _is_of_person(found):
        section = (
            COMMUNICATION if cues.has(cues.COMMUNICATION, said.text) and found.kind in LIKED else _of_person(found)
        )
        return found._replace(extractor=PEOPLE, section=section)
    if about.project:
        return _of_project(found)
    if about.things and found.kind in ("fact", "rule", "habit"):
        return found._replace(extractor=FACTS)
    return found._replace(is_sure=False)


LIKED = ("preference", "rule", "habit", "fact")


def _alone(said: Statement) -> Statement:
    """Return an answer without what it answers where it says all of it itself."""
    from dataclasses import replace

    if said.reply and len(content_words(said.text)) >= ALONE and not leaning.points_back(said.text):
        return replace(said, leans=(), reply="", to="")
    return said


def _is_procedure(said: Statement, given: Talk) -> bool:
    """Return whether a statement tells how something is done: by steps, or because the router is sure."""
    if len(procedures.split(said.text)) > 1:
        return True
    named = mentions.found(said.text)
    rated = router.rate(said.text, named, today=given.today)
    return rated.best == PROCEDURAL and rated.sure >= HOW and not cues.has(cues.LESSON, said.text)


def _is_lesson(found: Placed) -> bool:
    """Return whether something was learned: an error with what ended it, a rule, or what calls itself a lesson."""
    if found.said.trust != PERSON:
        return False
    return found.said.type == "fix" or cues.has(cues.LESSON, found.said.text) or found.kind == "rule"


def _is_of_person(found: Placed) -> bool:
    """Return whether a statement is about a person rather than about the project that is spoken of."""
    about = found.about
    if about.person and about.person.name == "User":
        return found.kind in ("fact", "preference", "habit", "event", "goal") and not about.is_named
    return not (about.is_named and found.kind in ("goal", "fact") and _section(found) != TRUE)


def _of_person(found: Placed) -> str:
    """Return whether something is true of a person, or was once."""
    return HISTORY if found.kind in ("event", "goal", "context", "decision") else TRUE


def _of_project(found: Placed) -> Placed:
    return found._replace(extractor=FACTS, section=_section(found), is_sure=found.about.is_named)


def _section(found: Placed) -> str:
    """Return which part of what is known of a project a statement belongs to."""
    text = found.said.text
    for section, cue in ((BLOCKED, cues.BLOCKED), (DONE, cues.DONE), (NEXT, cues.NEXT), (STACK, cues.STACK)):
        if cues.has(cue, text):
            return section
    return NEXT if found.kind == "goal" else STATE if found.kind in ("event", "context") else TRUE


def named(about: About) -> Sequence[Subject]:
    """Return all that a statement names, what it is most about first."""
    return tuple(each for each in (about.project, about.person, *about.things) if each)
