"""What became of the spawned subagents, over ticks.  [sinain §6.3]"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from koog.heartbeat import ticks
from koog.heartbeat.effectiveness import spawn_outcome

REPORTED = ("useful", "ignored", "error")  # what an agent says of a spawn
TIMEOUT_TICKS = 3
IGNORED_IN_A_ROW = 3
THRESHOLD, RAISED_THRESHOLD = 0.5, 0.75


@dataclass(frozen=True)
class Spawn:
    """One spawn that no tick has reported on yet; `age` counts the ticks logged after it."""

    id: str
    tick_id: str
    task: str
    age: int


@dataclass(frozen=True)
class Spawns:
    """The state of all spawns before the coming tick.

    awaited     open spawns, oldest first
    timed_out   those without a result for three ticks: the coming tick reports them
    ignored     how many of the latest outcomes in a row were `ignored`
    threshold   the confidence that the next spawn needs
    """

    awaited: tuple[Spawn, ...]
    timed_out: tuple[Spawn, ...]
    ignored: int
    threshold: float


def track(entries: Sequence[dict[str, Any]]) -> Spawns:
    """Return where the spawns stand.

    entries   normalized ticks, newest first

    An outcome that names no spawnId answers the oldest open spawn, as an agent
    reports them in the order in which it looks.
    """
    open_spawns: list[Spawn] = []
    outcomes: list[str] = []
    for i in range(len(entries) - 1, -1, -1):
        entry = entries[i]
        if outcome := spawn_outcome(entry):
            outcomes.append(outcome)
            open_spawns = _closed(open_spawns, _named(entry))
        for action in ticks.chosen(entry):
            if action["action"] == "sessions_spawn":
                spawn_id = str(action.get("spawnId") or entry["tickId"])
                open_spawns.append(Spawn(spawn_id, entry["tickId"], ticks.task_of(action), i))
    ignored = _ignored_in_a_row(outcomes)
    return Spawns(
        awaited=tuple(s for s in open_spawns if s.age < TIMEOUT_TICKS),
        timed_out=tuple(s for s in open_spawns if s.age >= TIMEOUT_TICKS),
        ignored=ignored,
        threshold=RAISED_THRESHOLD if ignored >= IGNORED_IN_A_ROW else THRESHOLD,
    )


def _named(entry: dict[str, Any]) -> str | None:
    told = entry["spawnOutcome"]
    return str(told["spawnId"]) if isinstance(told, dict) and told.get("spawnId") else None


def _closed(open_spawns: list[Spawn], spawn_id: str | None) -> list[Spawn]:
    if spawn_id is None:
        return open_spawns[1:]
    return [s for s in open_spawns if s.id != spawn_id]


def _ignored_in_a_row(outcomes: Sequence[str]) -> int:
    """Return how many of the last outcomes were ignored in a row; only `useful` breaks the row.

    An error or a timeout says nothing about whether the user wants spawns.
    """
    count = 0
    for outcome in reversed(outcomes):
        if outcome == "useful":
            break
        count += outcome == "ignored"
    return count
