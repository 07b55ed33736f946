"""What was heard in a conversation goes to the stores, though nobody has asked for it.  [moltbot §9.1, §12.3]

By the built-in router, and in the step in which the observations are written: no model is asked under the lock, and a
killed koog has both or neither. What it is not sure of is an episode of low confidence, as with `koog remember`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from koog.core import forgotten
from koog.core.errors import Refused, UsageError
from koog.core.files.record import Cause
from koog.core.named import NamedTuple
from koog.memory import anew, keeping, remember, routing, whom
from koog.memory.names import known
from koog.memory.store import core_memory, episodes, ids
from koog.memory.store.drafts import Place, Stored
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, VAULT
from koog.memory.store.writing import Writer
from koog.memory.wanted import DETECTED, INFERRED, Wanted

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.forgotten import Forgotten
    from koog.core.run import Run
    from koog.sessions.audience import Audience
    from koog.sessions.labels import Label

ACTOR = "bot:auto-detect"  # moltbot §12.3
EARLIEST = "00:00"  # of a day's line that has no time


class Heard(NamedTuple):
    """One thing that was heard.

    day, time     of the user's zone, YYYY-MM-DD and HH:MM; time may be ""
    source        session#entry
    is_persons    the user said it; else the agent did, and it is inferred
    is_important  it may stand in MEMORY.md
    """

    text: str
    day: str
    time: str
    source: str
    is_persons: bool
    is_important: bool


def stage(run: Run, door: Door, heard: Sequence[Heard], *, who: Audience) -> int:
    """Stage what was heard at the door; return how many things are new.

    who   speaks: under his label it is remembered

    What reads like an order, and what has nothing to remember in it, is left out: it stands among the observations.
    """
    if who.is_nobody or not heard:
        return 0
    names, label = known.load(run), who.says
    cause = Cause(ACTOR, "auto", f"koog {run.command}")
    writer = Writer(run, door, names, Place(label, run.today, EARLIEST), cause=cause)
    gone, done = forgotten.of(run.workspace), list[Stored]()
    for each in heard:
        if gone.holds(each.text, sources=[each.source]):
            continue
        base = DETECTED if each.is_persons else INFERRED
        try:
            wanted, answer = routing.routed(
                run,
                remember.TASK,
                Wanted(each.text, base=base, heard=each.source),
                names,
                writer.core.text,
                is_persons=each.is_persons,
                asks=False,
            )
        except (Refused, UsageError):
            continue
        if _is_of_hidden(writer, wanted, answer.value, gone):
            continue
        writer.at(Place(label, each.day, each.time or EARLIEST))
        value = _placed(answer.value, each, label)
        try:
            kept = keeping.kept(writer, wanted, value, prune=False)
        except Refused:  # MEMORY.md is full
            kept = keeping.kept(writer, wanted, value | {"store": EPISODIC}, prune=False)
        done.append(kept.stored)
    writer.flush()
    anew.revive(run, door, [each for each in done if each.store != PROCEDURAL], anew.Back(gone))
    return sum(each.created for each in done)


def _is_of_hidden(writer: Writer, wanted: Wanted, value: dict[str, Any], gone: Forgotten) -> bool:
    """Return whether it names somebody or something that was forgotten: that comes back only where the user asks."""
    return bool(gone.hidden) and any(
        f"{ids.ENTITY}:{each.id}" in gone.hidden for _, _, each in whom.meant(writer, wanted, value)
    )


def _placed(value: dict[str, Any], heard: Heard, label: Label) -> dict[str, Any]:
    """Return where it goes: what nobody asked for is pinned nowhere, and fills MEMORY.md only where it is important.

    What the agent said replaces nothing that a person said, and is no workflow: it is an episode.
    """
    store = value["store"]
    sure = episodes.LOW if value["confidence"] == episodes.LOW else episodes.MEDIUM  # high is what somebody asked for
    placed = {**value, "core_update": False, "confidence": sure}
    if not heard.is_persons:
        return placed | {"store": EPISODIC, "is_held": True}
    if store == VAULT or (store == CORE and (label.project or not heard.is_important)):
        return placed | {"store": EPISODIC}
    if store == CORE and value["block"] == core_memory.CRITICAL:
        return placed | {"block": core_memory.IDENTITY}
    return placed
