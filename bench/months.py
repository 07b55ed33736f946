"""Run koog over the months of a workspace's daily notes, as cron would have: two idle ticks after each note's day.

    python bench/months.py WORKSPACE [--active]

The ticks are whole processes with `--now`; prints one JSON line with what was mined,
what the playbook became and how long a tick took. The workspace is changed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DAY = re.compile(r"(\d{4}-\d\d-\d\d).*\.md")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("workspace", type=Path)
    parser.add_argument("--active", action="store_true", help="One active tick on each day, too.")
    options = parser.parse_args()
    folder = options.workspace.resolve()
    days = sorted({m[1] for p in (folder / "memory").glob("*.md") if (m := DAY.fullmatch(p.name))})
    koog(folder, "init", str(folder), now=f"{days[0]}T00:00:00Z")
    ticks: list[dict[str, Any]] = []
    seconds: list[float] = []
    for day in days:
        moments = [("20:00", "--active")] if options.active else []
        for clock, kind in [*moments, ("22:00", "--idle"), ("22:30", "--idle")]:
            started = time.perf_counter()
            ticks.append(koog(folder, "tick", kind, now=f"{day}T{clock}:00Z"))
            seconds.append(time.perf_counter() - started)
    print(json.dumps(figures(folder, days, ticks, seconds), separators=(",", ":")))


def koog(folder: Path, *argv: str, now: str) -> dict[str, Any]:
    """Run one command; stop the bench when it fails."""
    command = [sys.executable, "-m", "koog", "--workspace", str(folder), "--engine", "builtin", "--now", now, *argv]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    line: dict[str, Any] = json.loads(done.stdout)
    return line


def figures(folder: Path, days: list[str], ticks: list[dict[str, Any]], seconds: list[float]) -> dict[str, Any]:
    changes = [t["changes"] for t in ticks if t["changes"]]
    playbook = (folder / "memory/sinain-playbook.md").read_text("utf-8")
    return {
        "bench": "months",
        "days": len(days),
        "from": days[0],
        "to": days[-1],
        "ticks": len(ticks),
        "degraded": sum(bool(t["degraded"]) for t in ticks),
        "notesMined": len({n for t in ticks for n in t["minedSources"]}),
        "added": sum(len(c["added"]) for c in changes),
        "pruned": sum(len(c["pruned"]) for c in changes),
        "promoted": sum(len(c["promoted"]) for c in changes),
        "outputs": sum(t["output"] is not None for t in ticks),
        "playbookLines": sum(1 for line in playbook.splitlines() if line.startswith("- ")),
        "medianTickSeconds": round(statistics.median(seconds), 3),
    }


if __name__ == "__main__":
    main()
