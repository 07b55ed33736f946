"""What a large memory costs.

    python bench/memory.py [--only decay] [--entries 100000] [--accesses 1000] [--runs 5] [--things 10000]
                           [--edges 100000]

decay   100,000 entries, the lines of a busy day in the log: read, reckoned for the next day, rendered. Reference: the
        same file by the standard library, `json.loads` and `json.dumps` with its indent. `runMs` is a whole run beside
        it: lock, journal, both files on disk, without git and without reading the stores.
        Milliseconds of CPU.
batch   10,000 things in one `koog remember --batch`, each with its store, 300 entities, built-in engine. Reference: the
        same lines appended to the same files one by one, and one `git commit`. Whole processes, by turns.
one     One `koog remember`, built-in engine, commit included. Reference: `koog module priority`, which commits too.
years   `koog remember` and `koog startup` after ten years, 20 memories a day and 3,000 entities. Reference: the same
        after the first month. Whole processes, by turns.
recall  `koog recall` after the same ten years. Reference: `koog search` of the same question in the same workspace.
        Whole processes, by turns, neither of which has to take anything in. `cpuRatio`: by their CPU time.
forget  `koog forget QUERY`, --confirm of what it lists and --undo, with about --entries memories, 20 a day. Whole
        processes.
graph   100,000 relations of 20,000 entities: two steps around one of them, when the graph has been read. `loadMs`: what
        reading it costs a process whose cache knows every file. Reference: a walk over a plain dict of the same.

Prints one JSON line.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import memory_life
from koog.core.clock import iso
from koog.core.run import Run
from koog.memory import decay
from koog.memory.answering.traversal import Graph
from koog.memory.fading import accesses, decay_scores, reckoning
from koog.memory.names import known
from koog.memory.store import entities, episodes, ids
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.memory.store.memories import CORE, EPISODIC, PROCEDURAL, SEMANTIC, Memory
from koog.memory.store.sections import Sections

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
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
    parser.add_argument("--things", type=int, default=10_000)
    parser.add_argument("--edges", type=int, default=100_000)
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


def batched(given: argparse.Namespace) -> dict[str, object]:
    """Return what many things in one batch cost, beside plain appends of their lines with one commit."""
    rows = list(memory_life.things(random.Random(16), given.things, names=memory_life.entities(300)))
    ours, plain = list[float](), list[float]()
    for _ in range(given.runs):
        with tempfile.TemporaryDirectory() as place:
            env, ws = environment(place), Path(place, "ws")
            koog(env, ws, "init", str(ws))
            batch = Path(place, "batch.jsonl")
            batch.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
            seconds, said = wall(env, koog_at(ws, "remember", "--batch", str(batch)))
            ours.append(seconds)
            seconds, _ = wall(env, [sys.executable, "-c", APPENDS, str(batch), place])
            plain.append(seconds)
    told = json.loads(said)
    return {
        "things": given.things,
        "created": told["count"],
        "batchMs": round(statistics.median(ours) * 1000),
        "appendsMs": round(statistics.median(plain) * 1000),
        "ratio": round(statistics.median(a / b for a, b in zip(ours, plain, strict=True)), 2),
        "goal": 3.0,
    }


def once(given: argparse.Namespace) -> dict[str, object]:
    """Return what one `remember` costs, beside another command that writes and commits."""
    with tempfile.TemporaryDirectory() as place:
        env, ws = environment(place), Path(place, "ws")
        koog(env, ws, "init", str(ws))
        shutil.copytree(ROOT / "modules/react-native-dev", ws / "modules/react-native-dev")
        koog(env, ws, "module", "activate", "react-native-dev")

        def turn(n: int) -> tuple[float, float]:
            at = NOW + timedelta(minutes=n)
            ours, _ = wall(env, koog_at(ws, "remember", f"We met {memory_life.WHO[n % 16]} in hall {n}", now=at))
            other, _ = wall(env, koog_at(ws, "module", "priority", "react-native-dev", str(51 + n % 49), now=at))
            return ours, other

        return compared("remember", "modulePriority", turns(turn, given.runs)) | {"goal": 1.3}


def years(given: argparse.Namespace) -> dict[str, object]:
    """Return what ten years of memories cost a `remember` and a `startup`, beside one month."""
    dice = random.Random(16)
    with tempfile.TemporaryDirectory() as place:
        env = environment(place)
        folders = {
            name: lived(env, Path(place, name), dice, days=days, names=memory_life.entities(count))
            for name, days, count in (("month", 30, 30), ("years", 3650, 3000))
        }
        found: dict[str, object] = {}
        for what in ("remember", "startup"):

            def turn(n: int, what: str = what) -> tuple[float, float]:
                argv = (
                    ("startup",) if what == "startup" else ("remember", f"We met {dice.choice(memory_life.WHO)} in {n}")
                )
                of = {
                    name: wall(env, koog_at(ws, *argv, now=NOW + timedelta(minutes=n)))[0]
                    for name, ws in folders.items()
                }
                return of["years"], of["month"]

            found[what] = compared("years", "month", turns(turn, given.runs))
    return {**found, "goal": 1.5}


def recalling(given: argparse.Namespace) -> dict[str, object]:
    """Return what a `recall` costs after ten years, beside a search of the same."""
    dice = random.Random(18)
    names = memory_life.entities(3000)
    with tempfile.TemporaryDirectory() as place:
        env = environment(place)
        ws = lived(env, Path(place, "years"), dice, days=3650, names=names)
        wall(env, koog_at(ws, "index"))

        def turn(_: int) -> tuple[float, float]:
            did = f"Who {dice.choice(memory_life.DID)} {dice.choice(memory_life.WHAT)}?"
            asked = dice.choice((did, f"What does {dice.choice(names)} use?"))
            before = cpu_s()
            ours, _ = wall(env, koog_at(ws, "recall", asked, "--brief"))
            between = cpu_s()
            other, _ = wall(env, koog_at(ws, "search", asked))
            ratios.append((between - before) / (cpu_s() - between))
            return ours, other

        ratios = list[float]()
        found = compared("recall", "search", turns(turn, given.runs))
    found["cpuRatio"] = round(statistics.median(ratios), 2)
    return {**found, "goal": 1.5}


def forgetting(given: argparse.Namespace) -> dict[str, object]:
    """Return what it costs to list, archive and bring back a memory of many."""
    dice = random.Random(18)
    with tempfile.TemporaryDirectory() as place:
        env = environment(place)
        ws = lived(env, Path(place, "years"), dice, days=given.entries // 20, names=memory_life.entities(3000))
        wall(env, koog_at(ws, "index"))
        rows = []
        for n in range(given.runs + 1):
            at = NOW + timedelta(minutes=n)
            wish = f"what {dice.choice(memory_life.WHO)} did with {dice.choice(memory_life.WHAT)}"
            listed, said = wall(env, koog_at(ws, "forget", wish, now=at))
            id_ = json.loads(said)["matches"][0]["id"]
            away, _ = wall(env, koog_at(ws, "forget", "--confirm", id_, now=at))
            rows.append((listed, away, wall(env, koog_at(ws, "forget", "--undo", id_, now=at))[0]))
    names = ("listMs", "confirmMs", "undoMs")
    return {name: round(statistics.median(row[n] for row in rows[1:]) * 1000) for n, name in enumerate(names)} | {
        "entries": given.entries
    }


def graph(given: argparse.Namespace) -> dict[str, object]:
    """Return what two steps in a large graph cost."""
    dice = random.Random(18)
    every = [f"concept--thing-{n}" for n in range(given.edges // 5)]
    to = {id_: dice.sample(every, 5) for id_ in every}
    with tempfile.TemporaryDirectory() as place:
        os.environ |= {"KOOG_GIT_COMMIT": "off", "XDG_CONFIG_HOME": place, "XDG_STATE_HOME": place}
        folder = Path(place, "ws/memory/graph/entities")
        folder.mkdir(parents=True)
        Path(place, "ws/.koog").mkdir()
        for id_, others in to.items():
            rows = "".join(f"- Uses: [[{other}]]\n" for other in others)
            (folder / f"{id_}.md").write_text(f"# {id_}\n\n## Relations\n{rows}", "utf-8")
        known.load(Run(folder=str(Path(place, "ws")), now_text=iso(NOW)))  # fills the cache
        load_ms, names = timed(lambda: known.load(Run(folder=str(Path(place, "ws")), now_text=iso(NOW))))
    links_ms, walked = timed(lambda: Graph(names.entries))
    links_ms += timed(lambda: walked.links)[0]
    both: dict[str, set[str]] = {id_: set(others) for id_, others in to.items()}
    for id_, others in to.items():
        for other in others:
            both[other].add(id_)
    starts = dice.sample(every, 50)
    ours = [timed(lambda at=at: walked.around([at], 2))[0] for at in starts]
    plain = [timed(lambda at=at: {c for b in both[at] for c in both[b]})[0] for at in starts]
    return {
        "edges": sum(map(len, to.values())),
        "entities": len(every),
        "loadMs": round(load_ms),
        "linksMs": round(links_ms),
        "twoHopsMs": round(statistics.median(ours), 2),
        "twoHopsMostMs": round(max(ours), 2),
        "plainMs": round(statistics.median(plain), 3),
        "goalMs": 50,
    }


def lived(env: dict[str, str], ws: Path, dice: random.Random, *, days: int, names: list[str]) -> Path:
    """Return a workspace after so many days: what koog would have written, and one run that knows of it."""
    koog(env, ws, "init", str(ws), now=NOW - timedelta(days=days))
    koog(env, ws, "remember", "The memory begins", "--store", "episodic", now=NOW - timedelta(days=days))
    files: dict[str, str] = {}
    logged = list[str]()
    for ago in range(days, 0, -1):
        at = NOW - timedelta(days=ago)
        day = f"{at:%Y-%m-%d}"
        told = [Episode(day, f"{8 + n // 2:02}:{n % 2 * 30:02}", Line(memory_life.happened(dice))) for n in range(14)]
        files[f"episodes/{day}.md"] = episodes.header(day) + "".join(f"\n{each.raw}" for each in told)
        for _ in range(6):
            name = dice.choice(names)
            id_ = ids.entity("project", name)
            path = entities.path(id_)
            if path not in files:
                files[path] = entities.new(id_, label=name, today=day)
            made = Sections(files[path], path)
            files[path] = made.with_item(entities.FACTS, memory_life.fact(dice, name), order=entities.ORDER)
            logged.append(
                accesses.line(iso(at), f"{ids.ENTITY}:{id_}", op="write", store=SEMANTIC, base=0.7, why="remember")
            )
    files["meta/access.jsonl"] = "".join(logged[-120:])  # since the last tick; what was before lies in the scores
    for name, text in files.items():
        path = ws / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    koog(env, ws, "decay", "run")
    git = ["git", "-C", str(ws), "-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
    subprocess.run([*git, "add", "-A"], env=env, check=True)
    subprocess.run([*git, "commit", "-qm", "what was remembered"], env=env, check=True)
    return ws


def turns(turn: Callable[[int], tuple[float, float]], runs: int) -> list[tuple[float, float]]:
    """Return what each turn took, without the first one, which warms the caches."""
    return [turn(n) for n in range(runs + 1)][1:]


def compared(ours: str, other: str, both: list[tuple[float, float]]) -> dict[str, object]:
    return {
        f"{ours}Ms": round(statistics.median(a for a, _ in both) * 1000),
        f"{other}Ms": round(statistics.median(b for _, b in both) * 1000),
        "ratio": round(statistics.median(a / b for a, b in both), 2),
    }


# Each line at the end of the file where its store keeps it, and one commit.
APPENDS = """
import json, pathlib, subprocess, sys
root = pathlib.Path(sys.argv[2], "plain")
for at, row in enumerate(open(sys.argv[1], encoding="utf-8")):
    row = json.loads(row)
    name = {"episodic": "2026-02-28", "semantic": row.get("entity"), "core": "MEMORY"}.get(row["store"], str(at))
    path = root / row["store"] / f"{name}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"- {row['text']}\\n")
git = ["git", "-C", str(root), "-c", "user.name=bench", "-c", "user.email=bench@example.invalid"]
for what in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "appended"]):
    subprocess.run([*git, *what], check=True)
"""


def environment(place: str) -> dict[str, str]:
    """Return what a process of koog sees that touches nothing of the machine's."""
    env = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "KOOG_ENGINE": "builtin",
        "HOME": place,
        "XDG_CONFIG_HOME": f"{place}/config",
        "XDG_STATE_HOME": f"{place}/state",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    for name in ("PYTHONDONTWRITEBYTECODE", "KOOG_GIT_COMMIT"):
        env.pop(name, None)
    return env


def koog_at(ws: Path, *argv: str, now: datetime = NOW) -> list[str]:
    where = [] if argv[0] == "init" else ["--workspace", str(ws)]
    return [sys.executable, "-m", "koog", *where, "--now", iso(now), *argv]


def koog(env: dict[str, str], ws: Path, *argv: str, now: datetime = NOW) -> None:
    wall(env, koog_at(ws, *argv, now=now))


def wall(env: dict[str, str], command: list[str]) -> tuple[float, str]:
    """Return how many seconds a whole process takes, and what it says."""
    begun = time.perf_counter()
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return time.perf_counter() - begun, done.stdout


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


def cpu_s() -> float:
    """Return the CPU time of the processes that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = time.process_time()
    done = work()
    return (time.process_time() - begun) * 1000, done


FIGURES: dict[str, Callable[[argparse.Namespace], dict[str, object]]] = {
    "decay": decaying,
    "batch": batched,
    "one": once,
    "years": years,
    "recall": recalling,
    "forget": forgetting,
    "graph": graph,
}


if __name__ == "__main__":
    main()
