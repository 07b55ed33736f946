"""What a large memory costs.

    python bench/memory.py [--only decay] [--entries 100000] [--accesses 1000] [--runs 5]

decay   100,000 entries, the lines of a busy day in the log: read, reckoned for the next day, rendered. Reference: the
        same file by the standard library, `json.loads` and `json.dumps` with its indent. `runMs` is a whole run beside
        it: lock, journal, both files on disk, without git and without reading the stores.

Milliseconds of CPU. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from koog.core.clock import iso
from koog.core.run import Run
from koog.memory import accesses, decay, decay_scores, reckoning
from koog.memory.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, Memory

T = TypeVar("T")
NOW = datetime(2026, 2, 28, 12, tzinfo=UTC)
SHARES = {EPISODIC: 0.7, SEMANTIC: 0.25, PROCEDURAL: 0.04, CORE: 0.01}
NAMES = {
    EPISODIC: "episode:{}",
    SEMANTIC: "entity:concept--thing-{}",
    PROCEDURAL: "procedure:p-{}",
    CORE: "core:{:08x}",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=FIGURES, action="append")
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--accesses", type=int, default=1_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    print(json.dumps({"bench": "memory", **{name: FIGURES[name](given) for name in given.only or FIGURES}}))


def decaying(given: argparse.Namespace) -> dict[str, object]:
    """Return what it costs to reckon many entries anew."""
    dice = random.Random(16)
    memories = ten_years(dice, given.entries)
    with tempfile.TemporaryDirectory() as place:
        os.environ |= {"KOOG_GIT_COMMIT": "off", "XDG_CONFIG_HOME": place, "XDG_STATE_HOME": place}
        root = Path(place, "ws")
        (root / "memory/meta").mkdir(parents=True)
        first = Run(folder=str(root), now_text=iso(NOW))
        decay.work(first, memories)
        text = (root / "memory/meta/decay-scores.json").read_text("utf-8")
        log = "".join(
            accesses.line(iso(NOW), each.id, op="access", store=each.store, why="linked")
            for each in dice.choices(memories, k=given.accesses)
        )
        (root / "memory/meta/access.jsonl").write_text(log, "utf-8")
        next_day = Run(folder=str(root), now_text=iso(NOW + timedelta(days=1)))
        by, workspace = reckoning.Present.of(next_day), next_day.workspace

        def recompute() -> str:
            found = reckoning.reckon(workspace, memories, by)
            decay.transitions(found.known.entries, found.entries)
            return decay_scores.render(found.entries, by.now)

        both = [(timed(lambda: json.dumps(json.loads(text), indent=2)), timed(recompute)) for _ in range(given.runs)]
        whole, _ = timed(lambda: decay.work(next_day, memories))
    plain, ours = (statistics.median(each[side][0] for each in both) for side in (0, 1))
    return {
        "entries": given.entries,
        "accesses": given.accesses,
        "megabytes": round(len(text) / 1e6, 1),
        "recomputeMs": round(ours),
        "plainJsonMs": round(plain),
        "ratio": round(statistics.median(b[1][0] / b[0][0] for b in both), 2),
        "runMs": round(whole),
        "goalMs": 1000,
    }


def ten_years(dice: random.Random, count: int) -> list[Memory]:
    """Return what was remembered in ten years, of each store its share."""
    stores = dice.choices(list(SHARES), list(SHARES.values()), k=count)
    days = sorted(NOW - timedelta(days=dice.randrange(3650), minutes=dice.randrange(1440)) for _ in stores)
    return [
        Memory(
            NAMES[store].format(f"{at:%Y-%m-%d:%H:%M}:{n + 2}" if store == EPISODIC else n), store, "", "", 1, iso(at)
        )
        for n, (store, at) in enumerate(zip(stores, days, strict=True))
    ]


def timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    done = work()
    return (time.process_time() - begun) * 1000, done


FIGURES: dict[str, Callable[[argparse.Namespace], dict[str, object]]] = {"decay": decaying}


if __name__ == "__main__":
    main()
