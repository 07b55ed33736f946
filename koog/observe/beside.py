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


def behind(lines: Mapping[int, Observation]) -> dict[int, list[int]]:
    """Return place → the places of the older lines that are told behind the line there, the newest first.

    None is told behind one of another voice or project: where the one is not shown, the other must not go with it.
    """
    at: dict[str, list[int]] = {}
    for n, o in lines.items():
        at.setdefault(o.place, []).append(n)
    over: dict[int, int] = {}
    for n, o in lines.items():
        if named := [m for place in o.against for m in at.get(place, ()) if _follows(lines[m], o)]:
            newest = max((lines[m].day, lines[m].time) for m in named)
            named = [m for m in named if (lines[m].day, lines[m].time) == newest]
            over[n] = _nearest(n, named, lines) if len(named) > 1 else named[0]
    found: dict[int, list[int]] = {}
    for n in sorted(over, key=lambda n: (lines[n].day, lines[n].time, n), reverse=True):
        top = over[n]
        while top in over:
            top = over[top]
        found.setdefault(top, []).append(n)
    return {top: below[:MOST] for top, below in found.items()}


def _follows(new: Observation, old: Observation) -> bool:
    is_named = old.place in new.against and reflection_laws.older(old, new)
    return is_named and new.trust == old.trust and new.label == old.label


def _nearest(n: int, named: Sequence[int], lines: Mapping[int, Observation]) -> int:
    """Return which of several lines that were heard at once shares most with a line."""
    ideas = says(lines[n].text).ideas
    return max(named, key=lambda m: (len(ideas & says(lines[m].text).ideas), -m))
