"""How a pattern's score moves: by feedback on what cites it, by being seen again or contradicted.  [sinain §8.2]

Each scored output and each observation counts once; what was counted is kept in
cursors.json, so that curating twice moves nothing twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.text.compare import JOINS, compare
from koog.core.text.measures import about
from koog.heartbeat.effectiveness import NEGATIVE, POSITIVE
from koog.heartbeat.operations import says
from koog.heartbeat.sightings import Sighting
from koog.playbook import origin
from koog.playbook.item import Item

STEP = 0.1
CONTRADICTED = -2  # steps: one clear observation against a pattern weighs as much as two outputs about it
HARSH = 2  # where most outputs fail, those that failed weigh double
UNSCORED = 0.5
SIGHTED_MOST = 0.7  # repetition makes a pattern known, only outcomes make it better than that
ROUTINE_MOST = 0.5  # and a mined reading stays routine, however often it is noted
DISPROVED = 0.3  # a mined guard against errors that fell so low by evidence guards nothing
# What makes a line a pattern to act by and not a fact that the note keeps anyway.
CUE = compiled(
    r"\b(?:decision|decided|chose|chosen|agreed|switch(?:ed|ing)? (?:to|from)|instead of|because|since .{3,40},"
    r"|lesson|learned|root cause|turned out|fix(?:ed|es)?|solved|workaround|prevent\w*|avoid|never|always|only|must"
    r"|every|whenever|when .{3,60},|if .{3,60},|works? better|faster|prefers?|wants?|likes?|no longer|from now on)\b"
    r"|→|=>",
    re.IGNORECASE,
)
FADES_DAYS, FADES, FADED_MOST = 28, 0.05, 0.2  # what a line weighs less for each four weeks without a sighting
UNPROVEN_DAYS = 14  # so long a line may wait for its first evidence before a bad season takes it


@dataclass(frozen=True)
class Heard:
    """One output's text and its score, from -1 to 1."""

    text: str
    score: float


def moved(
    found: Item,
    *,
    heard: Sequence[Heard],
    seen_again: Sequence[str],
    contradicted: Sequence[str] = (),
    sighted: Sequence[Sighting] = (),
    harsh: bool = False,
) -> Item:
    """Return the bullet with its score moved.

    sighted   what the notes say about a line, by code; `seen_again`: mined texts that may repeat it
    harsh     most outputs fail: one that failed takes two tenths

    A tenth up or down for each good or bad output about it, a tenth up for each day it is
    noted again (to 0.7: repetition alone makes no pattern better), two tenths down when an
    observation contradicts it: a high score protects a pattern from being removed, not from
    being wrong. A newer sighting becomes its source, so that its age counts from there.
    """
    steps = 0
    for output in heard:
        if about(output.text, found.text):
            steps += (output.score > POSITIVE) - (output.score < NEGATIVE) * (HARSH if harsh else 1)
    about_it = [s for s in sighted if s.text == found.text]
    against = any(says(line, found.text) for line in contradicted) or any(not s.holds for s in about_it)
    steps += CONTRADICTED * against
    places = sorted((s.day, s.source) for s in about_it if s.holds)
    times = len({day for day, _ in places}) + sum(compare(found.text, text).kind in JOINS for text in seen_again)
    if not steps and not times:
        return found
    base = (UNSCORED if found.score is None else found.score) + steps * STEP
    most = ROUTINE_MOST if found.source and is_routine(found.text) else SIGHTED_MOST
    base = max(base, min(most, base + times * STEP))
    is_newer = bool(places) and places[-1][0] > origin.day(found.source)
    return replace(found.scored(round(base, 2)), source=places[-1][1] if is_newer else found.source)


def is_routine(text: str) -> bool:
    """Return whether a text is a reading of the day and no pattern: a figure, and no cue that it is to be acted by."""
    return bool(re.search(r"\d", text)) and not CUE.search(text)


def worth(found: Item, *, today: date | None) -> float:
    """Return what a bullet weighs today: its score, less for each four weeks since a note said it last.

    Computed from the date of its source, and written nowhere, so that it never compounds. A line
    without a source, which a person wrote, does not fade.
    """
    score = UNSCORED if found.score is None else found.score
    days = age(found, today=today)
    return round(score - min(FADED_MOST, FADES * (days // FADES_DAYS)), 2)


def age(found: Item, *, today: date | None) -> int:
    """Return the days since a note said it last, 0 without a source."""
    day = clock.parse_day(origin.day(found.source))
    return max(0, (today - day).days) if day and today else 0


def protected(found: Item) -> bool:
    """Return whether the first two laws keep it: a guard against errors, or a high score.

    The tag holds, and so does what a person wrote. A line that was mined and only reads like a guard
    holds until the evidence has turned: it came with more than this score.
    """
    disproved = found.source is not None and found.score is not None and found.score <= DISPROVED
    return found.error_prevention or found.high_scoring or (found.prevents_errors and not disproved)
