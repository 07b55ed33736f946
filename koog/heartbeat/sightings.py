"""Which playbook lines a note says again, or tried in vain.  [sinain §4.5 "cross-referencing", §8.2]

A miner reports what the playbook does not say yet, so that what it does say would never be
heard of again: a line that a note repeats is found here, in code, whoever mined the note.
A note that is about a line and tells that it did not work, or holds no longer, speaks against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import notes
from koog.core.text.measures import about, overlap
from koog.core.text.negation import is_denied
from koog.core.text.pairs import seen
from koog.core.text.says import says
from koog.core.text.voices import QUOTED
from koog.heartbeat.notes import Note
from koog.playbook import origin

# What English says of something that was tried and did not work, beside a plain denial.
IN_VAIN = compiled(
    r"\b(?:in vain|to no avail|useless|placebo|coincidence|(?:no|without) (?:use|help|effect|difference|improvement)"
    r"|nothing (?:changed|helped|more)|(?:did|does|do|changed|helps|helped|fixes|fixed) nothing|in spite of|despite"
    r"|regardless|all the same|any(?:way|how)$|(?:is|are) back|came back|turned out (?:wrong|false|untrue)|was a myth"
    r"|gave (?:it |this )?up|given up|no longer|not any ?more|not the (?:cause|reason|culprit)"
    r"|(?:not|n[’']t|never) (?:\w+ )?(?:help|work|fix|solve|change)\w*)\b",
    re.IGNORECASE,
)


class Sighting(NamedTuple):
    """A playbook line's text, the place of a note about it (playbook/origin.py), and whether it says so, too."""

    text: str
    source: str
    holds: bool = True

    @property
    def day(self) -> str:
        """Return the day of the note, YYYY-MM-DD."""
        return origin.day(self.source)


def find(note: Note, playbook: Sequence[str]) -> list[Sighting]:
    """Return the lines of a playbook that a note is about, each with its last place in the note.

    playbook   the texts of its bullets
    """
    found = {}
    for said in notes.of_note(note.text, path=note.path, first_line=note.first_line, day=note.date):
        is_told = not said.trace and said.trust != QUOTED and not said.text.endswith(("?", "？"))
        if is_told and (line := _meant(said.text, playbook)):
            vain = bool(IN_VAIN.search(said.text)) != bool(IN_VAIN.search(line))
            if vain or is_denied(said.text) == is_denied(line):  # a bare "not" may turn the sentence or stand beside it
                found[line] = Sighting(line, origin.cited(f"{note.path}:{said.line}", note.day_at(said.line)), not vain)
    return list(found.values())


def rows(found: Iterable[Sighting]) -> list[dict[str, Any]]:
    """Return sightings as cursors.json keeps them beside what was mined."""
    return [each._asdict() for each in found]


def read(pending: Iterable[dict[str, Any]]) -> tuple[Sighting, ...]:
    """Return the sightings of what was mined and not yet curated, each once."""
    given = [row for each in pending for row in (each.get("seenAgain") or []) if isinstance(row, dict)]
    told = [(row.get("text"), row.get("source"), row.get("holds") is not False) for row in given]
    return tuple(dict.fromkeys(Sighting(t, s, h) for t, s, h in told if isinstance(t, str) and isinstance(s, str)))


def _meant(said: str, known: Sequence[str]) -> str | None:
    """Return the line that a sentence is about, the nearest."""
    nearest = max(known, key=lambda line: overlap(said, line), default="")
    return nearest if is_of(said, nearest) else None


def is_of(text: str, line: str) -> bool:
    """Return whether a text is about what a line says, and not of another thing or with another number in its words."""
    if not about(text, line):
        return False
    between = seen(says(line), says(text))
    return not (between.subject_differs or between.numbers)
