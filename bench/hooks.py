"""How long a host waits for each of koog's hooks, beside bare Python in the same run; prints one JSON line.

    python bench/hooks.py [--runs 20]

Whole processes, in turn, on a workspace with the demo's month that `koog init` has registered. `spooled` is when the
event is on disk, seen from outside; `digested` is when the run's line stands in memory/session-summaries.jsonl.
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
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
EVENTS = "session-start prompt-build prompt-submit agent-start tool-result pre-compaction agent-end session-end".split()
SAID = {
    "host": "openclaw",
    "sessionKey": "agent:main:main",
    "sessionId": "s",
    "prompt": "go on",
    "message": {"role": "toolResult", "content": "ok"},
    "durationMs": 1,
    "success": True,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as place:
        env = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": place, "KOOG_ENGINE": "builtin"}
        env |= {"XDG_CONFIG_HOME": f"{place}/config", "XDG_STATE_HOME": f"{place}/state", "GIT_CONFIG_NOSYSTEM": "1"}
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, like any installed package
        Path(place, ".gitconfig").write_text("[user]\n\tname = B\n\temail = b@example.invalid\n")
        koog = [sys.executable, "-m", "koog"]
        subprocess.run([*koog, "demo", f"{place}/ws"], env=env, stdout=subprocess.DEVNULL, check=True)
        subprocess.run([*koog, "init", f"{place}/ws"], env=env, stdout=subprocess.DEVNULL, check=True)
        times: dict[str, list[float]] = {name: [] for name in ("python", *EVENTS)}
        later: dict[str, list[float]] = {"spooled": [], "digested": []}
        for number in range(runs + 1):
            for name, values in times.items():
                command = [sys.executable, "-c", "pass"] if name == "python" else [*koog, "hook", name]
                taken = answered(command, f"{name}-{number}", cwd=Path(place, "ws"), env=env)
                if number:  # the first round warms the disk's cache
                    values.append(taken)
            told = until_digested([*koog, "hook", "agent-end"], f"seen-{number}", place=Path(place), env=env)
            for name, taken in zip(later, told, strict=True):
                later[name] += [taken] if number else []
    print(json.dumps(figures(times, later), separators=(",", ":")))


def answered(command: list[str], run_id: str, *, cwd: Path, env: dict[str, str]) -> float:
    """Return how long a process takes; what it sets off has ended when the next one is measured."""
    said = json.dumps({**SAID, "runId": run_id, "sessionId": run_id}).encode()
    started = time.perf_counter()
    subprocess.run(command, cwd=cwd, env=env, input=said, capture_output=True, check=True)
    taken = time.perf_counter() - started
    while str(cwd).encode() in subprocess.run(["ps", "-ww", "-eo", "args="], capture_output=True, check=True).stdout:
        time.sleep(0.05)
    return taken


def until_digested(command: list[str], run_id: str, *, place: Path, env: dict[str, str]) -> tuple[float, float]:
    """Return after how long a run's end is on disk as it came, and after how long as a line."""
    spool, lines = place / "state/koog/spool", place / "ws/memory/session-summaries.jsonl"
    started = time.perf_counter()
    process = subprocess.Popen(command, cwd=place / "ws", env=env, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    if process.stdin:
        with process.stdin:
            process.stdin.write(json.dumps({**SAID, "runId": run_id}).encode())
    spooled = digested = 0.0
    while not digested:
        now = time.perf_counter() - started
        spooled = spooled or (now if any(not file.name.startswith(".") for file in spool.glob("*.*")) else 0.0)
        digested = now if lines.exists() and f'"{run_id}"' in lines.read_text() else 0.0
    process.wait()
    return spooled, digested


def figures(times: dict[str, list[float]], later: dict[str, list[float]]) -> dict[str, Any]:
    """Return medians and the slowest in milliseconds, and each median's ratio to bare Python round by round."""
    bare = times["python"]
    return {
        "bench": "hooks",
        "runs": len(bare),
        "medianMs": {name: round(statistics.median(v) * 1000, 1) for name, v in times.items()},
        "slowestMs": {name: round(max(v) * 1000, 1) for name, v in times.items()},
        "timesPython": {
            name: round(statistics.median(a / b for a, b in zip(values, bare, strict=True)), 1)
            for name, values in times.items()
        },
        "laterMs": {name: round(statistics.median(v) * 1000, 1) for name, v in later.items()},
    }


if __name__ == "__main__":
    main()
