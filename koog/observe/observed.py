"""What one run of `observe` has found, and how it gets on disk: observations and cursor in one step.  [design §5]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from koog.core import proposals
from koog.core.errors import Busy
from koog.core.named import NamedTuple
from koog.core.refused import Refusal, refusal
from koog.core.run import Run
from koog.observe import cursors, observations, remembering, repeats
from koog.observe.judgement import Judged
from koog.observe.observations import Observation, RawBlock
from koog.sessions.labels import Label
from koog.sessions.turn import Cursor, Turn


@dataclass
class Found:
    """What one run has read and written."""

    sessions: list[dict[str, Any]] = field(default_factory=list)
    turns: int = 0
    added: list[Observation] = field(default_factory=list)
    duplicates: int = 0
    proposals: list[tuple[Label, str]] = field(default_factory=list)
    refused: list[tuple[Label, Refusal]] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    digested: int = 0
    remaining: int = 0


class Place(NamedTuple):
    """Where a session's observing stands.

    cursor, done   as cursors.json has them: the reader's cursor, the last turn behind it that was observed too
    """

    key: str
    cursor: Cursor | None
    done: str | None


def write(run: Run, new: Judged, place: Place, to: Place, *, exact: bool, found: Found) -> None:
    """Put observations and cursor on disk. Raises Busy when somebody else has moved the cursor meanwhile.

    exact   only the same words are a repeat
    """

    def move(text: str) -> str:
        observed = cursors.part(text)
        if (cursors.session(observed, place.key), cursors.partly(observed, place.key)) != (place.cursor, place.done):
            raise Busy(f"{place.key} was observed by another koog meanwhile", hint="try again")
        return text if to == place else cursors.moved(text, place.key, to.cursor, done=to.done)

    _put(run, new, move=move, exact=exact, found=found)


def digest(run: Run, new: Judged, block: RawBlock, *, left: Sequence[Turn], exact: bool, found: Found) -> None:
    """Put the observations of a raw block in its place, and what is left of it when not all of it was answered."""
    _put(run, new, settle=lambda text: observations.without_raw(text, block, left=left), exact=exact, found=found)
    found.digested += not left
    found.turns += len(block.turns) - len(left)
    if block.unread:
        found.unknown["raw"] += block.unread


def _put(
    run: Run,
    new: Judged,
    *,
    move: Callable[[str], str] | None = None,
    settle: Callable[[str], str] | None = None,
    exact: bool,
    found: Found,
) -> None:
    """Write what is news, move the cursor, settle what waited raw: all of it or nothing."""
    fresh: list[Observation] = []

    def add(text: str) -> str:
        nonlocal fresh
        fresh = repeats.news(new.observations, observations.observations(text), exact=exact)
        return observations.added(settle(text) if settle else text, fresh)

    memory = run.workspace.in_memory
    with run.workspace.writing() as door:
        if move:
            door.edit(memory(cursors.NAME), move, summary="observed")
        if new.observations or settle:
            door.edit(memory(observations.NAME), add, summary=f"{len(new.observations)} observation(s)")
        proposals.stage(door, new.proposals, command="observe", when=run.now)
        remembering.stage(run, door, fresh, new.label)
    found.added += fresh
    found.duplicates += len(new.observations) - len(fresh)
    found.proposals += [(new.label, p.content) for p in new.proposals]
    kept = set(map(id, fresh))
    known = [refusal(o.text, "said already") for o in new.observations if id(o) not in kept]
    found.refused += [(new.label, row) for row in (*new.refused, *known)]
