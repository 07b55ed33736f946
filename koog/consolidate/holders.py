"""Who has a role now, and which older lines say of another that he has it. Pure.

What a role is, and when it goes to another, is said by core/text/roles.py, and asked at the gate of all that replace.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from koog.consolidate.endings import Ending
from koog.consolidate.survey import Said
from koog.core.text import roles
from koog.memory.store import gate


def found(lines: Sequence[Said]) -> Iterator[Ending]:
    """Yield which lines give a role to one who has it no more by a newer line, in order of time; of one label each."""
    index: dict[object, list[Said]] = defaultdict(list)
    for newer in sorted(lines, key=lambda s: (s.day, s.id)):
        had = {(newer.label, each.what) for each in roles.of(newer.text)}
        held = {each.id: each for role in had for each in index[role] if each.day < newer.day}
        ended = [each for each in held.values() if roles.is_handed(each.text, newer.text)]
        if older := tuple(each for each in ended if gate.opens(each.text, newer.text)):
            yield Ending(newer, older)
        for role in had:
            index[role].append(newer)
