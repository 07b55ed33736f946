"""How long does one tick take, and does it grow with the years behind it?

    python bench/tick.py [--rounds 7] [--engine builtin|llm]

Two workspaces with the same last month: one has nothing before it, the other five
years of daily notes, logs and archives, moved into dated folders as a tick would
have. Each round runs one active and one idle tick in each, by turns, as whole
processes with `--now`; `llm` asks a model on loopback that answers at once. Prints
one JSON line. The reference is bare Python, in the same rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.fakes.model import FakeModel  # noqa: E402  the checkout is not installed

NOW = datetime(2026, 2, 28, 12, tzinfo=UTC)
TICKS_A_DAY = 48
TOPICS = "the importer,the watcher,the nightly backup,the map tiles,the login test,the release build,search".split(",")
DOINGS = "was slow again,failed once with ETIMEDOUT,is fixed since the cache was cleared,needs a review".split(",")
QUIET = {
    "signal": {"signals": [], "recommendedAction": {"action": "skip", "task": None, "confidence": 0.1}},
    "mine": {"findings": "", "newPatterns": [], "contradictions": [], "preferences": []},
    "feedback": {"interpretation": "Nothing yet."},
    "curate": {"operations": []},
    "synthesize": {"skip": True, "skipReason": "nothing"},
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--engine", choices=["builtin", "llm"], default="builtin")
    parser.add_argument("--years", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, FakeModel() as model:
        model.always(lambda request: QUIET[request["body"]["response_format"]["json_schema"]["name"]])
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "KOOG_ENGINE": options.engine,
            "XDG_CONFIG_HOME": f"{folder}/config",
            "XDG_STATE_HOME": f"{folder}/state",
        }
        env |= {
            "KOOG_PROVIDER_BASE_URL": model.url,
            "KOOG_PROVIDER_API_KEY_ENV": "null",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        month = made(Path(folder) / "month", days=31, env=env)
        years = made(Path(folder) / "years", days=365 * options.years, env=env)
        print(json.dumps({"bench": "tick", "engine": options.engine, **measured(month, years, options.rounds, env)}))


def made(folder: Path, *, days: int, env: dict[str, str]) -> Path:
    """Make a workspace with so many days of notes and logs behind it, and one tick done."""
    koog(folder, "init", str(folder), moment=NOW - timedelta(days=days), env=env)
    chance = random.Random(1)
    for ago in range(days, 0, -1):
        day = NOW - timedelta(days=ago)
        (folder / f"memory/{day:%Y-%m-%d}.md").write_text("".join(f"- {line}\n" for line in note(chance)))
        old = ago > 45
        logs = folder / "memory/playbook-logs" / (f"{day:%Y-%m}" if old else "")
        archive = folder / "memory/playbook-archive" / (f"{day:%Y-%m}" if old else "")
        for place in (logs, archive):
            place.mkdir(parents=True, exist_ok=True)
        rows = [entry(day.replace(hour=n // 2, minute=n % 2 * 30), chance) for n in range(TICKS_A_DAY)]
        (logs / f"{day:%Y-%m-%d}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (archive / f"sinain-playbook-{day:%Y-%m-%d}-2200.md").write_text("# Playbook\n" + "- a line as it was\n" * 40)
    subprocess.run(["git", "-C", str(folder), "add", "-A"], check=True, env=env)
    who = ["-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
    subprocess.run(["git", "-C", str(folder), *who, "commit", "-qm", "history"], check=True, env=env)
    mined(folder, env)
    return folder


def mined(folder: Path, env: dict[str, str]) -> None:
    """Take all notes for mined, as years of ticks would have left them."""
    from hashlib import sha256

    path = folder / "memory/meta/cursors.json"
    notes = {f"memory/{p.name}": p.read_bytes() for p in sorted((folder / "memory").glob("2*.md"))}
    files = {name: {"bytes": len(data), "sha256": sha256(data).hexdigest()} for name, data in notes.items()}
    path.write_text(json.dumps({"version": 1, "mine": {"files": files, "pending": []}, "curate": {"counted": []}}))
    koog(folder, "tick", "--idle", moment=NOW - timedelta(hours=1), env=env)


def note(chance: random.Random) -> list[str]:
    lines = [f"{chance.choice(TOPICS)} {chance.choice(DOINGS)} (run {chance.randrange(10_000)})" for _ in range(8)]
    return [*lines, f"Decided to pin {chance.choice(TOPICS)} because build {chance.randrange(10_000)} broke without it"]


def entry(moment: datetime, chance: random.Random) -> dict[str, Any]:
    """Return a log entry of an ordinary tick, about 1.5 kB."""
    ts = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    said = {"suggestion": f"Look at {chance.choice(TOPICS)} first", "insight": f"It {chance.choice(DOINGS)}, twice"}
    step = {"status": "ok", "code": None, "message": None, "engine": "builtin", "tokens": 0, "ms": 12}
    return {
        "ts": ts,
        "tickId": ts,
        "idle": moment.hour < 8,
        "sessionHistorySummary": ". ".join(note(chance)[:4]),
        "signals": [{"description": f"{chance.choice(TOPICS)} {chance.choice(DOINGS)}", "priority": "medium"}],
        "actionsConsidered": [{"action": "skip", "chosen": True, "spawnId": None, "task": None, "reason": "no-signal"}],
        "spawnOutcome": None,
        "feedbackScores": {"avg": None, "high": [], "low": [], "scored": []},
        "output": said if chance.random() < 0.1 else None,
        "steps": [{"step": name, **step} for name in ("backup", "signal", "mine", "feedback", "curate")],
        "degraded": [],
    }


def measured(month: Path, years: Path, rounds: int, env: dict[str, str]) -> dict[str, Any]:
    """Return the medians: whole processes in ms, and how the two workspaces compare."""
    seconds: dict[str, list[float]] = {}
    for number in range(rounds):
        moment = NOW + timedelta(minutes=30 * number)
        for name, folder in (("month", month), ("years", years)):
            (folder / f"memory/{moment:%Y-%m-%d}-{number}.md").write_text(f"- the importer needs round {number}\n")
            for kind in ("active", "idle"):
                at = moment if kind == "active" else moment + timedelta(minutes=5)
                started = time.perf_counter()
                koog(folder, "tick", f"--{kind}", moment=at, env=env)
                seconds.setdefault(f"{name}.{kind}", []).append(time.perf_counter() - started)
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True, env=env)
        seconds.setdefault("python", []).append(time.perf_counter() - started)
    found = {name: round(statistics.median(values) * 1000, 1) for name, values in seconds.items()}
    ratios = {k: round(found[f"years.{k}"] / found[f"month.{k}"], 2) for k in ("active", "idle")}
    files = {
        name: sum(1 for p in f.rglob("*") if ".git" not in p.parts) for name, f in (("month", month), ("years", years))
    }
    return {"rounds": rounds, "medianMs": found, "yearsToMonth": ratios, "files": files}


def koog(folder: Path, *argv: str, moment: datetime, env: dict[str, str]) -> dict[str, Any]:
    now = moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    where = [] if argv[0] == "init" else ["--workspace", str(folder)]
    command = [sys.executable, "-m", "koog", *where, "--now", now, *argv]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    line: dict[str, Any] = json.loads(done.stdout)
    return line


if __name__ == "__main__":
    main()
