"""Phase 4: MEMORY.md as it should be, line by line; its cap holds whatever is approved.  [moltbot §10.3, §4]

What the user says of himself and of how he wants to be answered, and holds however seldom it is said, goes to it; what
was going on and is not spoken of any more leaves it. A line of a person's own section is his.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from koog.consolidate import hearsay, taken_back
from koog.consolidate.drafts import Drafts
from koog.consolidate.matters import Matter, ideas
from koog.consolidate.plan import Operation
from koog.consolidate.survey import UNUSED_DAYS, Said, Survey
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import himself, introduction, kinds, replies, worth
from koog.core.text.of_self import answers, is_of_speaker
from koog.core.text.says import says
from koog.core.text.statement import Statement
from koog.core.text.voices import PERSON, USER
from koog.memory import router, wanted
from koog.memory.fading import relevance
from koog.memory.names import mentions
from koog.memory.store import episodes
from koog.memory.store.core_memory import CONTEXT, CRITICAL, IDENTITY, PERSONA
from koog.sessions.labels import NONE

LASTING = (IDENTITY, PERSONA, CRITICAL)
SURE = 0.55  # that it belongs into one of these
TRIFLE = 0.12  # worth of a line that may be lost
WORTH = 0.6  # of a line that is told in every conversation
MOST_WORDS = 45  # of such a line
MOST = 24  # lines that one night would add


class Rated(NamedTuple):
    """A line that may belong into MEMORY.md. odds: that it does, 0 to 1"""

    said: Said
    block: str
    odds: float


def proposed(survey: Survey, found: Sequence[Matter], drafts: Drafts) -> Iterator[Operation]:
    """Yield what MEMORY.md should have, and what it should not."""
    yield from _stale(survey, drafts)
    rated = sorted(_lasting(survey, found), key=lambda r: -r.odds)
    for each in rated[:MOST]:
        yield drafts.core(
            each.block,
            [each.said],
            reason="it always holds" if each.block != CRITICAL else "it must never be forgotten",
            confidence=episodes.HIGH if each.odds >= 2 * SURE - 0.2 else episodes.MEDIUM,
            weight=2.0 + each.odds,
        )


def _lasting(survey: Survey, found: Sequence[Matter]) -> Iterator[Rated]:
    """Yield of each matter the line that belongs into MEMORY.md, where one does and none is there.

    Who the user is belongs there beside another line of the matter that says something else.
    """
    for matter in found:
        if matter.lines[0].label != NONE:
            continue
        there = [each for each in matter.lines if each.id in survey.core_lines]
        rated = []
        for at, said in enumerate(matter.lines):
            if there and (not _tells_who(said.text) or _is_said(said, there, matter)):
                continue
            each = _rated(survey, said)
            # Of most lines it is soon seen that they are of another; what takes one back is looked for among all.
            if each is not None and not _is_taken_back(said, matter.lines[at + 1 :]):
                rated.append(each)
        if rated:
            yield max(rated, key=lambda r: (round(r.odds, 1), matter.coverage(r.said.text), r.said.day))


def _tells_who(text: str) -> bool:
    return himself.tells_who(text) or himself.tells_whose(text)


def _is_said(said: Said, there: Sequence[Said], matter: Matter) -> bool:
    """Return whether one of some lines says half of what a line says."""
    own = ideas(said.text) & matter.weights.keys()
    heft = sum(matter.weights[idea] for idea in own)
    return any(2 * sum(matter.weights[i] for i in own & ideas(each.text)) >= heft for each in there)


def _is_taken_back(said: Said, newer: Sequence[Said]) -> bool:
    return any(taken_back.supersedes(said, each) for each in newer)


def _rated(survey: Survey, said: Said) -> Rated | None:
    """Return where in MEMORY.md a line belongs, None for one that does not."""
    is_asked = replies.is_standing_wish(said.text) or replies.is_wish_of_manner(said.text)
    is_his = is_asked or is_of_speaker(said.text) or bool(compiled(kinds.OF_HEALTH, re.I).search(said.text))
    is_anothers = answers(said.text) or hearsay.is_told(says(said.text)) or himself.is_anothers(said.text)
    if not is_his or is_anothers or len(said.text.split()) > MOST_WORDS:  # of most lines that is soon seen
        return None
    statement = Statement(text=said.text, role=USER, trust=PERSON)
    is_wish = worth.is_wish(statement)
    if not (is_wish or worth.worth(statement) >= WORTH):
        return None
    odds = _odds(survey, said)
    block = max(LASTING, key=lambda name: odds[name])
    sure = sum(odds[name] for name in LASTING)
    if _tells_who(said.text):
        block, sure = IDENTITY, max(sure, SURE)
    if not (is_of_speaker(said.text) or is_wish or block == CRITICAL) or sure < SURE:
        return None
    return Rated(said, block, sure)


def _odds(survey: Survey, said: Said) -> Mapping[str, float]:
    return router.rate(said.text, mentions.found(said.text), today=survey.today).odds


def _stale(survey: Survey, drafts: Drafts) -> Iterator[Operation]:
    """Yield lines that nobody has spoken of for long: what was going on, and what is of no use in a conversation."""
    for each in survey.core:
        entry, days = survey.scores.get(each.id), survey.unused_days(each.id)
        if not each.block or entry is None or days is None or each.id not in survey.core_lines:
            continue
        said = survey.core_lines[each.id]
        if days < UNUSED_DAYS or entry["pinned"] or entry["base_relevance"] >= wanted.EXPLICIT:
            continue
        if _is_trifle(said):
            why = f"it is of no use in every conversation; not spoken of for {days} days"
            yield drafts.demoted(said, each.block, reason=why, weight=1.1)
        elif each.block == CONTEXT and entry["status"] != relevance.ACTIVE and _is_passing(survey, said):
            yield drafts.demoted(said, CONTEXT, reason=f"not spoken of for {days} days", weight=1.2)


def _is_trifle(said: Said) -> bool:
    """Return whether a line only asked for something, or says next to nothing."""
    statement = Statement(text=said.text, role=USER, trust=PERSON)
    is_wish = worth.is_wish(statement) or replies.is_refusing_wish(said.text) or replies.stops(said.text)
    if is_wish or himself.tells_whose(said.text) or _says_his_name(said.text):
        return False
    return replies.asks(said.text) or worth.worth(statement) < TRIFLE


def _says_his_name(text: str) -> bool:
    """Return whether a line says its speaker's whole name."""
    named = (each.name for each in mentions.found(text) if each.kind == mentions.PERSON)
    return any(" " in name and introduction.names_himself(text, name) for name in named)


def _is_passing(survey: Survey, said: Said) -> bool:
    """Return whether a line tells what was going on.

    What may be of the user himself stays, and what is otherwise since then: it holds until it is otherwise again.
    """
    if _rated(survey, said) is not None or taken_back.tells_change(said.text):
        return False
    odds = _odds(survey, said)
    return odds[CONTEXT] > sum(odds[name] for name in LASTING)
