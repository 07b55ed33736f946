"""Which observations are told behind a newer one, since the two may be one matter at two times.  Pure.

`reflect` lets two such lines name each other, and keeps both. Told apart, an old value reads like one that holds; told
in one line, the newer first, who reads it sees what it has become.  [openclaw-memory, Layer 4]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from koog.core.text.says import says
from koog.observe import reflection_laws
from koog.observe.observations import Observation

MOST = 3  # that one line takes along
Named = tuple[tuple[object, ...], object]  # what a line is known by, and a place that it names


def behind(lines: Mapping[int, Observation]) -> dict[int, list[int]]:
    """Return place → the places of the older lines that are told behind the line there, the newest first.

    None is told behind one of another voice or project. What is over MOST is told for itself.
    """
    known = {o.place for o in lines.values()}
    against = {n: [place for place in o.against if place in known] for n, o in lines.items()}
    newest: dict[Named, list[int]] = {}  # of the lines of one place that name another, those heard last
    for n in sorted(lines, key=lambda n: _heard(lines[n]), reverse=True):
        own = _own(lines[n])
        for place in against[n]:
            named = newest.setdefault((own, place), [])
            if not named or _heard(lines[n]) == _heard(lines[named[0]]):
                named.append(n)
    found: dict[int, list[int]] = {}
    tops: dict[int, int] = {}
    for n in sorted(lines, key=lambda n: (*_heard(lines[n]), n), reverse=True):
        if named := _named(lines[n], against[n], newest, lines):
            over = named[0] if len(named) == 1 else _nearest(n, named, lines)
            tops[n] = tops.get(over, over)
            found.setdefault(tops[n], []).append(n)
    return {top: below[:MOST] for top, below in found.items()}


def _named(
    o: Observation, against: Sequence[str], newest: Mapping[Named, list[int]], lines: Mapping[int, Observation]
) -> list[int]:
    """Return the lines that were heard last of those that follow one: the two name each other."""
    here, *voice = _own(o)
    found = [newest.get(((place, *voice), here), []) for place in against]
    found = [named for named in found if named and reflection_laws.older(o, lines[named[0]])]
    last = max((_heard(lines[named[0]]) for named in found), default=None)
    return [n for named in found if _heard(lines[named[0]]) == last for n in named]


def _own(o: Observation) -> tuple[object, ...]:
    """Return what a line is known by: its place, its voice, its project."""
    return o.place, o.trust, o.label


def _heard(o: Observation) -> tuple[str, str]:
    return o.day, o.time


def _nearest(n: int, named: Sequence[int], lines: Mapping[int, Observation]) -> int:
    """Return which of several lines that were heard at once shares most with a line."""
    ideas = says(lines[n].text).ideas
    return max(named, key=lambda m: (len(ideas & says(lines[m].text).ideas), -m))
