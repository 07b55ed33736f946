"""Which playbook lines a note says again, or tried in vain.  [sinain §4.5 "cross-referencing", §8.2]

A miner reports what the playbook does not say yet, so that what it does say would never be
heard of again: a line that a note repeats is found here, in code, whoever mined the note.
A note that is about a line and tells that it did not work, or holds no longer, speaks against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from koog.core.text import notes
from koog.core.text.measures import refills, stems
from koog.core.text.statement import QUOTED, Statement
from koog.heartbeat.notes import Note
from koog.playbook import origin

if TYPE_CHECKING:
    from koog.heartbeat.contradiction import Claim

SAYS = 0.5  # share of the shorter text's words that both have
LEAST_SHARED = 3  # and so many words: two in common are a coincidence
# What English says of something that was tried and did not work, beside a plain denial.
IN_VAIN = re.compile(
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
    from koog.heartbeat.contradiction import claim  # curate reads sightings and needs none of this

    known = [claim(text) for text in playbook]
    found = {}
    for said in notes.of_note(note.text, path=note.path, first_line=note.first_line, day=note.date):
        is_told = not said.trace and said.trust != QUOTED and not said.text.endswith(("?", "？"))
        if is_told and (line := _meant(said, known)):
            observed = claim(said.text)
            vain = bool(IN_VAIN.search(observed.text)) != bool(IN_VAIN.search(line.text))
            if vain or observed.denied == line.denied:  # a bare "not" may turn the sentence or stand beside it
                found[line.text] = Sighting(
                    line.text, origin.cited(f"{note.path}:{said.line}", note.day_at(said.line)), not vain
                )
    return list(found.values())


def rows(found: Iterable[Sighting]) -> list[dict[str, Any]]:
    """Return sightings as cursors.json keeps them beside what was mined."""
    return [each._asdict() for each in found]


def read(pending: Iterable[dict[str, Any]]) -> tuple[Sighting, ...]:
    """Return the sightings of what was mined and not yet curated, each once."""
    given = [row for each in pending for row in (each.get("seenAgain") or []) if isinstance(row, dict)]
    told = [(row.get("text"), row.get("source"), row.get("holds") is not False) for row in given]
    return tuple(dict.fromkeys(Sighting(t, s, h) for t, s, h in told if isinstance(t, str) and isinstance(s, str)))


def _meant(said: Statement, known: Sequence[Claim]) -> Claim | None:
    """Return the line that a statement is about, the nearest.

    None when none is near, or their numbers differ, or what they say in the same words is of two things.
    """
    roots = frozenset(stems(said.text))
    shared = [(len(roots & line.roots) / max(1, min(len(roots), len(line.roots))), n) for n, line in enumerate(known)]
    share, n = max(shared, default=(0.0, 0))
    if share < SAYS or len(roots & known[n].roots) < LEAST_SHARED:
        return None
    a, b = ({root for root in each if root[0].isdigit()} for each in (roots, known[n].roots))
    return None if (a - b and b - a) or refills(said.text, known[n].text) else known[n]
