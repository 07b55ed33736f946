"""How long does it take to read all transcripts anew, and in how much memory?  One JSON line.

    python -m bench.reconstruct [--transcripts 1000] [--ratio] [--unread] [--history 10000]

Transcripts are made up: talk of some projects and people over as many days, eight turns each. They are extracted by
`koog extract` (not with --unread), and read anew by `koog reconstruct` in a process of its own, whose time and memory
count. Another is killed (SIGKILL) in the middle and called again: its tree has to be the same. With --ratio half as
many are read anew first, and the CPU times compared: other work on the machine does not lengthen them. --history
measures `koog history when` and `diff` over so many commits instead.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

GOALS = {"megabytes": 150.0, "ratio": 2.1, "same": True}
FIRST = datetime(2023, 1, 2, 9, tzinfo=UTC)
PROJECTS = tuple("Apollo Borealis Cygnus Draco Electra Fornax Gemini Hydra Indus Janus".split())
PEOPLE = tuple("Mara Jonas Lea Tomas Ines Pavel Sofia Henrik Yusuf Aiko Bela Chiara".split())
THINGS = ("the release", "the invoice export", "the search page", "the backup job", "the login form", "the map view")
SAID = (
    ("user", "We decided to move {thing} of {project} to {day}, because {n} customers asked for it."),
    ("agent", "Sure: {project} currently runs on Postgres {m}, and {thing} takes {n} seconds."),
    ("user", "Lesson learned: we should have tested {thing} on a copy, it locked table {n} for {m} minutes."),
    ("user", "{person} is our contact for {thing} now and prefers short mails before {m} o'clock."),
    ("user", "To ship {thing}: 1. tag commit {n} 2. run make ship 3. watch the dashboard for {m} minutes"),
    ("user", "Yesterday {thing} of {project} was down from 9:{m} to 10:{m}, somebody had unplugged rack {n}."),
    ("user", "{project} is blocked: the licence for {n} seats is missing."),
    ("user", "thanks, what's the weather like?"),
)
DAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--transcripts", type=int, default=1000)
    parser.add_argument("--ratio", action="store_true")
    parser.add_argument("--unread", action="store_true", help="nothing was extracted before")
    parser.add_argument("--history", type=int, default=0, metavar="COMMITS")
    args = parser.parse_args()
    with TemporaryDirectory() as place:
        if args.history:
            found = history(Path(place), args.history)
        else:
            found = measured(Path(place), args.transcripts, ratio=args.ratio, unread=args.unread)
    print(json.dumps(found))


def measured(place: Path, many: int, *, ratio: bool, unread: bool) -> dict[str, Any]:
    half = timed(place / "half", many // 2, unread=unread)["cpu"] if ratio else None
    whole = timed(place / "whole", many, unread=unread)
    same = killed(place / "whole", whole)
    told = {
        "transcripts": many,
        "minutes": round(whole["seconds"] / 60, 2),
        "cpuMinutes": round(whole["cpu"] / 60, 2),
        "megabytes": round(whole["megabytes"], 1),
        "same": same,
        "ratio": None if half is None else round(whole["cpu"] / half, 2),
        "changed": whole["words"],
        "goals": GOALS,
    }
    is_in = told["megabytes"] <= GOALS["megabytes"] and same and (half is None or told["ratio"] <= GOALS["ratio"])
    return {**told, "met": is_in}


def timed(home: Path, many: int, *, unread: bool) -> dict[str, Any]:
    """Make a workspace of so many transcripts and reconstruct it; return seconds, memory, what is otherwise."""
    workspace = made(home, many)
    if not unread:
        koog(workspace, "extract", "--deadline", "100000")
    begun = time.monotonic()
    pid = started(workspace, "whole")
    _, status, used = os.wait4(pid.pid, 0)
    seconds = time.monotonic() - begun
    line = json.loads(pid.stdout.read()) if pid.stdout else {}
    if status or not line.get("ok"):
        raise SystemExit(f"reconstruct failed: {line}")
    cpu = used.ru_utime + used.ru_stime
    return {"seconds": seconds, "cpu": cpu, "megabytes": peak(used), "words": line["compared"]["words"]}


def killed(home: Path, whole: dict[str, Any]) -> bool:
    """Reconstruct once more, with a kill in the middle; return whether the tree is the same."""
    workspace = home / "ws"
    running = started(workspace, "cut")
    time.sleep(whole["seconds"] / 2)
    running.send_signal(signal.SIGKILL)
    running.wait()
    koog(workspace, "reconstruct", "--branch", "cut")
    one, other = (git(workspace, "rev-parse", f"extract/{name}^{{tree}}") for name in ("whole", "cut"))
    return one == other


def history(place: Path, commits: int) -> dict[str, Any]:
    """Return how long `history` takes over so many commits, beside git's own search."""
    workspace, rand = made(place, 0), random.Random(1)
    rows, out = dict.fromkeys(PROJECTS, ""), [b"reset refs/heads/main\n\n"]
    base = git(workspace, "rev-parse", "HEAD")
    for n in range(commits):
        project = rand.choice(PROJECTS)
        rows[project] = "\n".join([*rows[project].split("\n")[-200:], f"- {project} line {n} says {rand.random()}"])
        data, when = rows[project].encode(), int(FIRST.timestamp()) + n * 600
        head = f"commit refs/heads/main\ncommitter T <t@example.invalid> {when} +0000\ndata 1\nx\n"
        head += f"from {base}\n" if not n else ""
        path = f"knowledge/projects/{project.lower()}/notes.md"
        out.append(f"{head}M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n\n")
    subprocess.run(["git", "-C", str(workspace), "fast-import", "--quiet", "--force"], input=b"".join(out), check=True)
    git(workspace, "reset", "-q", "--hard")
    git(workspace, "gc", "-q")
    wanted = f"line {commits // 2} says"
    took = {}
    for name, call in (
        ("git", lambda: git(workspace, "log", "--first-parent", f"-S{wanted}", "--oneline")),
        ("when", lambda: koog(workspace, "history", "when", wanted)),
        ("diff", lambda: koog(workspace, "history", "diff", "2023-01-20", "2023-02-20")),
    ):
        begun = time.monotonic()
        call()
        took[name] = round(time.monotonic() - begun, 2)
    return {"commits": commits, "seconds": took}


def made(home: Path, many: int) -> Path:
    """Make a workspace with so many transcripts beside it."""
    workspace = home / "ws"
    home.mkdir(parents=True, exist_ok=True)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        os.environ[name] = str(home / "home")
    subprocess.run([sys.executable, "-m", "koog", "init", str(workspace)], check=True, capture_output=True)
    rand = random.Random(many)
    for n in range(many):
        at = FIRST + timedelta(days=n, hours=rand.randrange(6))
        path = home / f"ws-raw/conversations/{at:%Y/%m/%d}/{at:%H%M}-ses_{n}-talk.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        head = f"---\nsession_id: ses_{n}\nstarted: {at:%Y-%m-%dT%H:%M:%SZ}\n"
        head += f"ended: {at:%Y-%m-%dT%H}:59:00Z\n---\n\n# Talk\n"
        path.write_text(head + "".join(turn(rand, at + timedelta(minutes=m), each) for m, each in enumerate(SAID)))
        path.chmod(0o444)
    return workspace


def turn(rand: random.Random, at: datetime, said: tuple[str, str]) -> str:
    role, text = said
    values = {"n": rand.randrange(2, 900), "m": rand.randrange(10, 50), "day": rand.choice(DAYS)}
    names = {"thing": rand.choice(THINGS), "project": rand.choice(PROJECTS), "person": rand.choice(PEOPLE)}
    return f"\n## {at:%H:%M} — {role}\n{text.format(**values, **names)}\n"


def started(workspace: Path, branch: str) -> subprocess.Popen[str]:
    argv = [sys.executable, "-m", "koog", "reconstruct", "--branch", branch]
    return subprocess.Popen(argv, cwd=workspace, stdout=subprocess.PIPE, text=True)


def koog(workspace: Path, *argv: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "koog", *argv], cwd=workspace, capture_output=True, text=True, check=False
    )
    line: dict[str, Any] = json.loads(done.stdout)
    if not line["ok"]:
        raise SystemExit(f"koog {argv[0]}: {line}")
    return line


def git(folder: Path, *argv: str) -> str:
    return subprocess.run(["git", "-C", str(folder), *argv], capture_output=True, text=True, check=True).stdout.strip()


def peak(used: resource.struct_rusage) -> float:
    """Return the most memory that a process had, in megabytes: in kilobytes on Linux, in bytes on macOS."""
    return used.ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
