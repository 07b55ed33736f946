"""How long a command takes to start, beside bare Python in the same run: `koog module stack`, `koog feedback`.

    python bench/startup.py [--runs 40]

Whole processes, in turn, so that a machine that slows down slows both; prints one JSON line.
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

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=40)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_CONFIG_HOME": f"{folder}/config",
            "XDG_STATE_HOME": f"{folder}/state",
        }
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, like any installed package
        koog = [sys.executable, "-m", "koog"]
        subprocess.run([*koog, "init", folder], env=env, stdout=subprocess.DEVNULL, check=True)
        commands = {
            "python": [sys.executable, "-c", "pass"],
            "typer": [sys.executable, "-c", TYPER],
            "module stack": [*koog, "--workspace", folder, "module", "stack"],
            "feedback": [*koog, "--workspace", folder, "--engine", "builtin", "feedback"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for round_number in range(runs + 1):
            for name, command in commands.items():
                started = time.perf_counter()
                subprocess.run(command, env=env, stdout=subprocess.DEVNULL, check=True)
                if round_number:  # the first round warms the disk's cache
                    times[name].append(time.perf_counter() - started)
    print(json.dumps(figures(times), separators=(",", ":")))


def figures(times: dict[str, list[float]]) -> dict[str, object]:
    """Return medians in milliseconds and, for each command, the median of its ratio to bare Python round by round."""
    ratio = {
        name: round(statistics.median(a / b for a, b in zip(values, times["python"], strict=True)), 2)
        for name, values in times.items()
    }
    return {
        "bench": "startup",
        "runs": len(times["python"]),
        "medianMs": {name: round(statistics.median(v) * 1000, 1) for name, v in times.items()},
        "timesPython": ratio,
        "goal": 6.0,
    }


# Typer's own floor: an app of one command that does nothing.
TYPER = """
import typer
app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
@app.callback()
def top(ctx: typer.Context): pass
@app.command()
def nothing(ctx: typer.Context): pass
app(["nothing"], standalone_mode=False)
"""

if __name__ == "__main__":
    main()
