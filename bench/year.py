"""A year of koog in an hour: does the playbook get better by feedback, and does the cost of a tick stay flat?

    python -m bench.year [--seed 1] [--pairs 24] [--ticks 6] [--held-out] [--processes]
                         [--only] [--svg bench/year.svg]

A made world (`year_notes.py`) writes daily notes; koog ticks with `--now` and the built-in engine; an agent follows
the playbook when an occasion comes, logs what it said, and the host measures what came of it (`feedback --scores`).
The playbook is judged from outside, by the words planted in the notes. Prints one JSON line and draws the SVG.
References in the same run: koog without any scores, and a keeper of the newest 46 mined lines.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from bench.year_chart import Line, chart
from bench.year_notes import Occasion, World, world
from koog.heartbeat import mine_rules
from koog.heartbeat.notes import Note

ROOT = Path(__file__).resolve().parent.parent
PLAYBOOK = "memory/sinain-playbook.md"
EFFECTIVE = "memory/sinain-playbook-effective.md"
TAGS = re.compile(r"\s*(?:\(score:[^)]*\)|\[(?:since|deferred|error-prevention)[^\]]*\]|<!--.*?-->)")
NAIVE_LINES = 46  # bullets that fit beside four headings
SAMPLE_DAYS = 30
MORNING, AFTERNOON, EVENING = "11:15", "16:15", "20:50"
IDLE = ("22:00",)
ACTIVE = ("09:00", "12:00", "14:00", "17:00", "19:30")
SETTLED_DAYS = 7  # a directive looks back so far

Koog = Callable[..., dict[str, Any]]


class Sample(NamedTuple):
    """The playbook and the folder on one day."""

    day: int
    lines: int
    true: int
    false: int
    ms: float
    memory_kb: int
    git_kb: int
    files: int


class Year(NamedTuple):
    """What became of one arm: samples, what koog told, and the directive of each tick beside the one it should have."""

    samples: list[Sample]
    kept: dict[int, tuple[frozenset[str], frozenset[str]]]  # day → names of the true and of the false that stand
    counts: Counter[str]
    directives: list[tuple[int, str, str]]  # (day, koog's, by the scores that the host gave)
    most_lines: int


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=24, help="True patterns, and as many false ones.")
    parser.add_argument("--ticks", type=int, default=6, help="A day, 2 to 6; the last is idle.")
    parser.add_argument("--held-out", action="store_true", help="The wordings that were not looked at.")
    parser.add_argument("--processes", action="store_true", help="A process a command instead of calls.")
    parser.add_argument("--only", action="store_true", help="Without the references.")
    parser.add_argument("--svg", type=Path)
    options = parser.parse_args()
    made = world(seed=options.seed, pairs=options.pairs, held_out=options.held_out)
    with tempfile.TemporaryDirectory() as name:
        koog = in_processes if options.processes else in_this_process
        home(Path(name))
        arms = {"koog": simulate(Path(name) / "a", made, koog=koog, ticks=options.ticks)}
        if not options.only:
            arms["noFeedback"] = simulate(Path(name) / "b", made, koog=koog, ticks=min(2, options.ticks), scores=False)
            arms["newest"] = newest(made)
    if options.svg:
        options.svg.write_text(plot(made, arms), "utf-8")
    told = {"bench": "year", "seed": options.seed, "heldOut": options.held_out, "days": len(made.seasons)}
    print(json.dumps({**told, **{n: figures(y, made) for n, y in arms.items()}}, separators=(",", ":")))


# --- one arm ---


def simulate(folder: Path, made: World, *, koog: Koog, ticks: int = 6, scores: bool = True) -> Year:
    """Run a world day by day in a new workspace.

    koog     (folder, *argv, now=ISO) → the line
    ticks    a day, the last one idle
    scores   whether the host says what it measured
    """
    start(folder, made, koog)
    year = Year([], {}, Counter(), [], 0)
    host = Host(made)
    ms: list[float] = []
    for n in range(len(made.seasons)):
        for line, took in day(folder, made, n, koog=koog, ticks=ticks, host=host if scores else None):
            ms.append(took)
            count(year, line, n, host.directive(n))
        year.kept[n] = standing = stand(bullets(folder / PLAYBOOK), made)
        year = year._replace(most_lines=max(year.most_lines, content(folder / PLAYBOOK)))
        if n % SAMPLE_DAYS == SAMPLE_DAYS - 1 or n == len(made.seasons) - 1:
            year.samples.append(sample(folder, n, standing, ms))
            ms = []
    return year


def start(folder: Path, made: World, koog: Koog) -> None:
    folder.mkdir()
    subprocess.run(["git", "-C", str(folder), "init", "-q", "-b", "main"], check=True)
    koog(folder, "init", str(folder), now=f"{made.day(0)}T00:00:00Z")


def day(
    folder: Path, made: World, n: int, *, koog: Koog, ticks: int, host: Host | None
) -> Iterator[tuple[dict[str, Any], float]]:
    """Let one day pass; yield each tick's line and its milliseconds."""
    today = made.day(n).isoformat()
    first, second = (made.notes[n] + ((), ()))[:2]
    moments = [*ACTIVE[: max(0, ticks - 1)], *IDLE]
    plan = [("08:30", first), (AFTERNOON, made.occasions[n][1]), ("15:30", second), (MORNING, made.occasions[n][0])]
    events: list[tuple[str, Any]] = [*plan, *((m, None) for m in moments), (EVENING, "scores")]
    for clock, what in sorted(events, key=lambda e: e[0]):
        now = f"{today}T{clock}:00Z"
        if clock in moments:
            kind = "--idle" if clock in IDLE or not made.notes[n] else "--active"
            started = time.perf_counter()
            line = koog(folder, "tick", kind, now=now)
            if host and line["output"]:
                host.heard(n, line["tickId"], " ".join(map(str, line["output"].values())))
            yield line, (time.perf_counter() - started) * 1000
        elif what == "scores":
            if host and (measured := host.measured()):
                koog(folder, "feedback", "--scores", json.dumps(measured), now=now)
        elif isinstance(what, Occasion):
            if advise(folder, what, koog=koog, now=now, quote=clock == MORNING) and host:
                host.scored(n, now, what.score)
        elif what:
            write(folder, *what)


def write(folder: Path, name: str, text: str) -> None:
    with (folder / "memory" / name).open("a", encoding="utf-8") as file:
        file.write(text)


def advise(folder: Path, occasion: Occasion, *, koog: Koog, now: str, quote: bool) -> bool:
    """Let the agent follow the playbook: log advice if a line says what the occasion is about.

    quote   in the line's words; else in the agent's own
    """
    lines = [line for line in bullets(folder / EFFECTIVE) if occasion.planted.plant.said_in(line)]
    if not lines:
        return False
    words = occasion.words.replace(occasion.said, lines[0]) if quote else occasion.words
    entry = {
        "ts": now,
        "tickId": now,
        "sessionHistorySummary": "Worked on what the day brought.",
        "actionsConsidered": [{"action": "skip", "chosen": True, "reason": "advice instead"}],
        "feedbackScores": None,
        "output": {"suggestion": words, "insight": "It rests on the playbook."},
    }
    koog(folder, "log", "--entry", json.dumps(entry), now=now)
    return True


class Host:
    """What measures outputs: by the world's truth, never by koog's files."""

    def __init__(self, made: World) -> None:
        self.made = made
        self.given: list[tuple[int, str, float]] = []  # (day, tickId, score)
        self.waiting: dict[str, float] = {}

    def scored(self, n: int, tick: str, score: float) -> None:
        self.given.append((n, tick, score))
        self.waiting[tick] = score

    def heard(self, n: int, tick: str, text: str) -> None:
        """Measure what koog itself said: by the patterns that it names, nothing much when it names none."""
        about = [p for p in self.made.planted if p.plant.said_in(text)]
        failed = self.made.seasons[n] == "bad" and any(not p.true for p in about)
        self.scored(n, tick, -0.5 if failed else 0.5 if any(p.true for p in about) else 0.05)

    def measured(self) -> dict[str, float]:
        """Return what was not told yet."""
        told, self.waiting = self.waiting, {}
        return told

    def directive(self, n: int) -> str:
        """Return what sinain §4.4 makes of the scores told in the seven days before."""
        recent = [s for d, tick, s in self.given if n - SETTLED_DAYS < d <= n and tick not in self.waiting]
        if len(recent) < 5:
            return "insufficient_data"
        rate = sum(s > 0.2 for s in recent) / len(recent)
        return "aggressive_prune" if rate < 0.4 else "stability" if rate > 0.7 else "normal"


# --- what a person would see ---


def bullets(path: Path) -> list[str]:
    """Return the lines of a playbook without their tags; a deferred one is set aside and says nothing."""
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [TAGS.sub("", line)[2:].strip() for line in lines if line.startswith("- ") and "[deferred:" not in line]


def content(path: Path) -> int:
    lines = re.sub(r"<!--.*?-->", "", path.read_text("utf-8"), flags=re.DOTALL).splitlines()
    return sum(1 for line in lines if line.strip() and not line.startswith("# "))


def stand(lines: list[str], made: World) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of the true and of the false patterns that a line says."""
    found = [p for p in made.planted if any(p.plant.said_in(line) for line in lines)]
    return frozenset(p.plant.name for p in found if p.true), frozenset(p.plant.name for p in found if not p.true)


def count(year: Year, line: dict[str, Any], n: int, expected: str) -> None:
    """Add what a tick's line tells.

    expected   the directive that the host's own scores make
    """
    changes = line["changes"] or {}
    year.counts.update({key: len(changes.get(key, ())) for key in ("added", "pruned", "promoted")})
    acts = line["staleItemActions"]
    year.counts["deferred"] += sum(a.startswith("deferred after") for a in acts)
    year.counts["deferredDropped"] += sum(a.startswith("dropped") for a in acts)
    year.counts["degraded"] += bool(line["degraded"])
    year.counts["ticks"] += 1
    year.directives.append((n, line["curateDirective"], expected))


def sample(folder: Path, n: int, standing: tuple[frozenset[str], frozenset[str]], ms: list[float]) -> Sample:
    sizes = {p: p.stat().st_size for p in folder.rglob("*") if p.is_file()}
    git = sum(size for p, size in sizes.items() if ".git" in p.parts)
    memory = sum(size for p, size in sizes.items() if "memory" in p.relative_to(folder).parts[:1])
    files = sum(".git" not in p.parts for p in sizes)
    true, false = (len(names) for names in standing)
    lines = content(folder / PLAYBOOK)
    return Sample(n, lines, true, false, round(statistics.median(ms), 1), memory // 1024, git // 1024, files)


def newest(made: World) -> Year:
    """Return the year of a keeper that appends everything mined and keeps the newest lines."""
    lines: list[str] = []
    year = Year([], {}, Counter(), [], 0)
    for n, written in enumerate(made.notes):
        for name, text in written:
            given = mine_rules.MineInput("\n".join(f"- {line}" for line in lines), (Note(name, name[:10], text),))
            mined = mine_rules.answer(given)
            lines += [row["text"] for kind in ("newPatterns", "preferences") for row in mined[kind]]
        lines = lines[-NAIVE_LINES:]
        year.kept[n] = standing = stand(lines, made)
        year = year._replace(most_lines=max(year.most_lines, len(lines)))
        if n % SAMPLE_DAYS == SAMPLE_DAYS - 1 or n == len(made.notes) - 1:
            true, false = (len(names) for names in standing)
            year.samples.append(Sample(n, len(lines), true, false, 0.0, 0, 0, 0))
    return year


# --- the figures ---


def figures(year: Year, made: World) -> dict[str, Any]:
    after_bad = len(made.seasons) - made.seasons[::-1].index("bad") - 1
    agreed = sum(koog == expected for _, koog, expected in year.directives)
    return {
        "afterBad": shares(year, made, after_bad),
        "yearEnd": shares(year, made, len(made.seasons) - 1),
        "mostLines": year.most_lines,
        "counts": dict(year.counts),
        "directiveAsScored": round(agreed / len(year.directives), 3) if year.directives else None,
        "directives": by_season(year, made),
        "samples": [list(s) for s in year.samples],
    }


def shares(year: Year, made: World, n: int) -> dict[str, Any]:
    """Return what stands at the end of a day.

    trueStand   the share of the true patterns that were first noted two weeks before or earlier
    trueStayed  the share of the true ones that ever stood until then
    falseGone   the share, gone by now, of the false ones that ever stood until then
    measure     true ones minus false ones that stand
    """
    due = {p.plant.name for p in made.planted if p.true and p.since <= n - 14}
    true, false = year.kept[n]
    stood, ever = ({name for d, names in year.kept.items() if d <= n for name in names[which]} for which in (0, 1))
    return {
        "trueNoted": len(due),
        "trueStand": round(len(true & due) / len(due), 3) if due else None,
        "trueStayed": round(len(true & stood) / len(stood), 3) if stood else None,
        "falseStood": len(ever),
        "falseGone": round(1 - len(false) / len(ever), 3) if ever else None,
        "measure": len(true) - len(false),
    }


def by_season(year: Year, made: World) -> list[dict[str, Any]]:
    """Return the share of each directive in each season, without the week in which the window still looks back."""
    found, at = [], 0
    while at < len(made.seasons):
        end = next((n for n in range(at, len(made.seasons)) if made.seasons[n] != made.seasons[at]), len(made.seasons))
        seen = Counter(d for n, d, _ in year.directives if at + SETTLED_DAYS <= n < end)
        total = seen.total()
        found.append(
            {"season": made.seasons[at], "from": at, **{d: round(c / total, 2) for d, c in seen.most_common()}}
        )
        at = end
    return found


def plot(made: World, arms: dict[str, Year]) -> str:
    """Return the SVG of the arms: what stands day by day above, what koog's tick costs month by month below."""
    most = 50.0
    upper = [
        _curve("koog: true stand", arms["koog"], 0, "#2a7f3b"),
        _curve("koog: false stand", arms["koog"], 1, "#b3261e"),
    ]
    for name, label in (("noFeedback", "no scores"), ("newest", "newest 46")):
        if name in arms:
            colours = ("#8cc29a", "#e2a39d") if name == "noFeedback" else ("#9aa0a6", "#c9b458")
            upper += [_curve(f"{label}: true", arms[name], 0, colours[0], dashed=True)]
            upper += [_curve(f"{label}: false", arms[name], 1, colours[1], dashed=True)]
    samples = arms["koog"].samples
    upper.append(Line("playbook lines", [(s.day, s.lines) for s in samples], most, "#333333"))
    slowest = 2 * max(s.ms for s in samples)
    largest = max(s.git_kb for s in samples)
    lower = [
        Line("ms per tick (left axis)", [(s.day, s.ms) for s in samples], slowest, "#1f4e9c"),
        Line(f".git, full = {largest // 1024} MB", [(s.day, s.git_kb) for s in samples], largest, "#7a5195", True),
        Line("memory/, the same scale", [(s.day, s.memory_kb) for s in samples], largest, "#c26a1b", True),
    ]
    return chart(made.seasons, upper, lower)


def _curve(label: str, year: Year, which: int, colour: str, *, dashed: bool = False) -> Line:
    return Line(label, [(n, len(names[which])) for n, names in sorted(year.kept.items())], 50.0, colour, dashed)


# --- koog as a function ---


def home(folder: Path) -> None:
    """Keep the bench away from the person's settings and keys."""
    for name in [n for n in os.environ if n.startswith(("KOOG_", "GIT_"))]:
        del os.environ[name]
    told = {"HOME": folder, "XDG_CONFIG_HOME": folder / "config", "XDG_STATE_HOME": folder / "state"}
    os.environ.update({**{k: str(v) for k, v in told.items()}, "PYTHONPATH": str(ROOT), "GIT_CONFIG_NOSYSTEM": "1"})
    (folder / ".gitconfig").write_text("[user]\n\tname = Bench\n\temail = bench@example.invalid\n")


def in_this_process(folder: Path, *argv: str, now: str) -> dict[str, Any]:
    """Run one command by koog's own entry; stop the bench when it fails."""
    from koog.cli import main as koog

    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = koog(["--workspace", str(folder), "--engine", "builtin", "--now", now, *argv])
    if code:
        raise SystemExit(f"{argv}: {out.getvalue()}{err.getvalue()}")
    line: dict[str, Any] = json.loads(out.getvalue())
    return line


def in_processes(folder: Path, *argv: str, now: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "koog", "--workspace", str(folder), "--engine", "builtin", "--now", now, *argv]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    line: dict[str, Any] = json.loads(done.stdout)
    return line


if __name__ == "__main__":
    main()
