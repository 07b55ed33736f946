"""What a quiet heartbeat leaves in git: a week of ticks in which nothing is said and nothing changes.

    python bench/quiet.py [--ticks 336]

Two fresh workspaces, made by `koog init`: one as shipped, and as the reference one with `git.restHours` 0, where each
tick is a commit. Whole processes with `--now`, thirty minutes apart. Prints one JSON line: commits, what `.git` takes
on the disk (blocks), and how long a tick took.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
START = datetime(2026, 2, 2, 0, 5, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ticks", type=int, default=336)
    ticks = parser.parse_args().ticks
    with tempfile.TemporaryDirectory() as place:
        shipped = week(Path(place, "shipped"), ticks)
        each = week(Path(place, "each"), ticks, KOOG_GIT_REST_HOURS="0")
    print(json.dumps({"bench": "quiet", "ticks": ticks, "shipped": shipped, "everyTickACommit": each}))


def week(place: Path, ticks: int, **settings: str) -> dict[str, Any]:
    """Run the ticks in a new workspace; return what they left. Raises RuntimeError for one that failed."""
    place.mkdir()
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("KOOG_", "OPENROUTER_", "GIT_"))}
    homes = {"HOME": place, "XDG_CONFIG_HOME": place / "config", "XDG_STATE_HOME": place / "state"}
    env = {**kept, **{k: str(v) for k, v in homes.items()}, "PYTHONPATH": str(ROOT), **settings}
    root, times = place / "workspace", []
    koog(env, "init", str(root), "--now", START.isoformat())
    for number in range(1, ticks + 1):
        began = time.perf_counter()
        now = START + timedelta(minutes=30 * number)
        koog(env, "tick", "--workspace", str(root), "--now", now.isoformat())
        times.append(time.perf_counter() - began)
    count = subprocess.run(
        ["git", "-C", str(root), "rev-list", "--count", "HEAD"], env=env, capture_output=True, check=True
    )
    blocks = sum(path.lstat().st_blocks for path in (root / ".git").rglob("*"))
    return {
        "commits": int(count.stdout),
        "gitMb": round(blocks * 512 / 1e6, 2),
        "tickMs": round(statistics.median(times) * 1000),
    }


def koog(env: dict[str, str], *argv: str) -> None:
    done = subprocess.run([sys.executable, "-P", "-m", "koog", *argv], env=env, capture_output=True, check=False)
    line = json.loads(done.stdout)
    if not line["ok"] or line.get("degraded"):
        raise RuntimeError(line)


if __name__ == "__main__":
    main()
