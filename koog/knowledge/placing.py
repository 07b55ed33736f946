"""Where what was said belongs: the built-in engine's one decision, which all extractors share.  [autopoiesis §8.3]

    decisions    a project's `Key Decisions`; of none MEMORY.md's
    lessons      MEMORY.md's `Lessons Learned`; of one project its notes
    procedures   how something is done: knowledge/procedures/
    people       facts of a person: the entity's file; how to speak with him, and what there was: knowledge/people/
    facts        of a project: what it is made of, how far it is, what is in its way, what is true; else reference/
    journal      what happened, and what nobody can place: it waits there

A statement is placed once, so that no two extractors write it. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import cues, leaning, of_self, replies, sentences, worth
from koog.core.text.measures import content_words
from koog.core.text.observation import OF_AGENT
from koog.core.text.replies import VALUE, YES
from koog.core.text.statement import Statement
from koog.core.text.talk import ON
from koog.core.text.voices import AGENT, PERSON
from koog.knowledge import joy, numbered, rating, whereof
from koog.knowledge.extractor import Talk
from koog.knowledge.subjects import About, Subjects
from koog.memory.names import mentions
from koog.memory.store import procedures
from koog.observe import observe_rules
from koog.observe.observe_rules import ObserveInput
from koog.sessions.turn import Turn

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
A_CHARACTER, LEAST_OF_LONG = 0.0018, 0.26  # what a line of the journal has to weigh more for each of its characters
OF_ASKED = 0.0012  # the same of what the other one asked on about
# By how much a place has to be likelier than the next; what has none waits in the journal. Chosen on three hands' lines
# of data/, each placed by what was learned from all others. A fact's file is harder to tell than that it is one.
AHEAD_BY = {"decision": 0.45, "lesson": 0.4, "procedure": 0.4, "person": 0.5, "event": 0.2, "fact": 0.7}
ONE = 0.4  # the same of "person" where one person is named or meant and nothing else is, or one by the whole name
BINDING = ("decision", "lesson", "procedure")
BINDS = 0.4  # how much what binds must not be lost: with less it is talk ("Always rooting for you"), and waits, too
OPEN = ("fact", "event")  # what may be a project's next step, or in its way
COMING = f"{cues.BLOCKED}|{cues.NEXT}"
LIKED = ("preference", "rule", "habit", "fact")
ASIDE = r"[(（].*[)）]\W*"  # what stands in brackets alone settles nothing, and is no rule by which anything is done
ALONE = 4  # content words of an answer that can be understood without its question


class Placed(NamedTuple):
    """One statement that is worth keeping, and where it belongs.

    extractor   who writes it
    section     of a project or person: one of SECTIONS, COMMUNICATION, HISTORY
    is_sure     whether it is known whom or what it is about
    also        the turns of what it leans on
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
    also: tuple[int, ...] = ()

    @property
    def row(self) -> dict[str, object]:
        """Return what every row of an answer has."""
        return {
            "turn": self.said.turn,
            "line": self.said.line,
            "with": list(self.also),
            "type": self.kind,
            "importance": self.importance,
            "confidence": self.confidence,
        }


@lru_cache(maxsize=2)  # six extractors read the same piece one after another
def placed(given: Talk) -> tuple[Placed, ...]:
    """Return what a piece of talk holds that is worth keeping, each with its place."""
    heard = observe_rules.said(ObserveInput(given.turns, "", given.zone, given.before))
    said = whereof.told(numbered.joined(heard, given.turns))
    subjects, before, asked = Subjects(given, said), _before(said), _asked_on(given.turns)
    found = (_placed(each, subjects.about(of), given, _leaned(each, said), before[id(of)]) for each, of in _told(said))
    return tuple(each for each in found if _is_worth_its_room(each, is_asked=each.said.turn in asked))


def _is_worth_its_room(found: Placed, *, is_asked: bool) -> bool:
    """Return whether what nobody can place weighs enough for its length: the journal is in every prompt of its day.

    is_asked   whether the other one asked on: what was said mattered to somebody
    """
    a_character = OF_ASKED if is_asked else A_CHARACTER
    text = found.said.text if whereof.is_change_alone(found.said) else found.text  # its name makes it no worse
    return found.is_sure or worth.worth(found.said) - a_character * len(text) >= LEAST_OF_LONG


def _asked_on(turns: Sequence[Turn]) -> set[int]:
    """Return the turns behind which the other one asks something."""
    return {
        n
        for n, (one, other) in enumerate(pairwise(turns), 1)
        if one.role != other.role and any(replies.is_question(text) for _, text in sentences.split(other.text))
    }


def _before(said: Sequence[Statement]) -> dict[int, str]:
    """Return what stands before each statement in its turn, "" before a turn's first one."""
    pairs = zip(said, (None, *said), strict=False)
    return {id(each): last.text if last and last.turn == each.turn else "" for each, last in pairs}


def _told(said: Sequence[Statement]) -> list[tuple[Statement, Statement]]:
    """Return what is worth keeping, each with the statement it was made of.

    What a person only says on about an agent's words stands by itself, and so do these: neither is the other's answer.
    What only says that it was heard is left out, and what it was said to stands for itself.
    """
    kept = [each for each in observe_rules.worth_telling(said) if each.leans or not cues.says_nothing(each.text)]
    known, found = {id(each) for each in kept}, list[tuple[Statement, Statement]]()
    for each in kept:
        if not _only_says_on(each):
            found.append((each, each))
            continue
        alone, is_nothing = replace(each, leans=(), reply="", to=""), cues.says_nothing(each.text)
        before = [e for e in _leaned(each, said) if e.turn > 0 and id(e) not in known]
        before = [e for e in before if is_nothing or worth.is_kept(e)]
        is_kept = not is_nothing and worth.is_kept(alone)
        if not (before or is_kept or is_nothing):
            found.append((each, each))
            continue
        known |= {id(e) for e in before}
        found += [(e, e) for e in before]
        found += [(alone, each)] if is_kept else []
    return found


def _only_says_on(said: Statement) -> bool:
    """Return whether an answer settles nothing: neither a question nor a proposal is what it says yes to."""
    if said.reply == YES:
        return not (replies.asks(said.leans[-1]) or replies.proposes(said.leans[-1]))
    return said.reply == ON


def _leaned(said: Statement, others: Sequence[Statement]) -> list[Statement]:
    """Return the statements of other turns that one leans on."""
    before = [each for each in others if each.turn < said.turn]
    return [each for each in before if any(each.text in lean for lean in said.leans)]


def of(given: Talk, extractor: str) -> list[Placed]:
    """Return what one extractor is to write of a piece of talk."""
    return [each for each in placed(given) if each.extractor == extractor]


def _placed(said: Statement, about: About, given: Talk, leaned: Sequence[Statement], before: str) -> Placed:
    alone = _alone(said)
    row = observe_rules.observed(alone, dated=False)
    is_bare = said.trust != AGENT or not (
        alone.leans or of_self.is_of_self(said.text)
    )  # its comment says whose word it is
    text = row["text"].removeprefix(OF_AGENT if said.trust == AGENT else "User: ") if is_bare else row["text"]
    found = Placed(said, text, row["type"], row["importance"], row["confidence"], JOURNAL, about)
    if alone.leans:
        found = found._replace(also=tuple(dict.fromkeys(each.turn for each in leaned if each.turn > 0)))
    if len(procedures.split(said.text)) > 1:
        return found._replace(extractor=PROCEDURES)
    if compiled(ASIDE).fullmatch(said.text):
        return found._replace(is_sure=False)
    rated = rating.rate(said.text, said.role, mentions.found(said.text), today=given.today, before=before)
    match _best(said, about, rated):
        case "decision":
            return found._replace(extractor=DECISIONS, kind="decision" if said.trust == PERSON else found.kind)
        case "lesson":
            return found._replace(extractor=LESSONS)
        case "procedure":
            return found._replace(extractor=PROCEDURES)
        case "person" if about.person:
            return found._replace(extractor=PEOPLE, section=_of_person(found))
        case "fact" if about.project and about.is_named:
            return found._replace(extractor=FACTS, section=_section(found))
        case "fact" if about.things:
            return found._replace(extractor=FACTS)
        case "event":
            return found
    return found._replace(is_sure=False)


def _best(said: Statement, about: About, rated: rating.Rated) -> str:
    """Return what a statement is, "" where nothing is sure."""
    if itself := _names_itself(said):
        return itself
    best = rated.best
    is_sure = rated.lead >= AHEAD_BY[best] and (best != "person" or about.person is not None)
    if about.project and about.is_named and (best in OPEN or not is_sure) and cues.has(COMING, said.text):
        return "fact"
    if is_sure and best in BINDING and (said.weighed.must < BINDS or joy.is_joy(said.text)):
        return ""
    if is_sure:
        return "person" if best == "fact" and about.is_main else best
    is_one = about.person is not None and (about.is_alone or " " in about.person.name)
    return "person" if is_one and rated.odds["person"] >= ONE else ""


def _names_itself(said: Statement) -> str:
    """Return what a person's sentence calls itself at its beginning: a lesson, or "" for most."""
    at = cues.place(cues.LESSON, said.text)
    return "lesson" if said.trust == PERSON and at is not None and at < rating.FIRST_CHARS else ""


def _alone(said: Statement) -> Statement:
    """Return a statement without what is not needed to understand it: an answer's question, the words that lead in."""
    leans = tuple(each for each in said.leans if not cues.says_nothing(each))
    said = replace(said, leans=leans) if leans else replace(said, leans=(), reply="", to="")
    if said.reply and len(content_words(said.text)) >= ALONE and not leaning.points_back(said.text):
        return replace(said, text=cues.without_lead(said.text), leans=(), reply="", to="")
    if said.reply == VALUE:
        *_, (_, asked) = sentences.split(said.leans[-1])
        said = replace(said, leans=(*said.leans[:-1], asked))
    return replace(said, text=cues.without_lead(said.text))


def _of_person(found: Placed) -> str:
    """Return whether something says how to speak with somebody, is true of him, or was once."""
    if cues.has(cues.COMMUNICATION, found.said.text) and found.kind in LIKED:
        return COMMUNICATION
    return HISTORY if found.kind in ("event", "goal", "context", "decision") else TRUE


def _section(found: Placed) -> str:
    """Return which part of what is known of a project a statement belongs to."""
    text = found.said.text
    for section, cue in ((BLOCKED, cues.BLOCKED), (DONE, cues.DONE), (NEXT, cues.NEXT), (STACK, cues.STACK)):
        if cues.has(cue, text):
            return section
    return NEXT if found.kind == "goal" else STATE if found.kind in ("event", "context") else TRUE
