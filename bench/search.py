"""The search index over 10,000 notes and 100,000 passages: built, refreshed, asked; beside raw FTS5 in the same run.

    python bench/search.py [--notes 10000] [--rounds 5]

Notes are generated, the same ones each time: words by Zipf's law, as long as real notes' passages. Whole processes,
without vectors, by turns with one that puts the same passages into a plain FTS5 table. Then the index gets vectors and
is asked: cold by turns with `koog module stack`, warm in one process. Prints one JSON line.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VOCABULARY = 20_000
WORDS = (8, 40)  # of a passage; the mean of the passages of the demo's notes is 15, of LoCoMo's turns 23, of prose 38
FOLDERS = 100
PER_NOTE = 10  # passages
COLD = 20  # questions, each in a process of its own


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--generate", metavar="DIR", help="Only write the notes there, and their passages as JSON.")
    args = parser.parse_args()
    if args.generate:
        listed = generate(Path(args.generate) / "workspace", args.notes)
        (Path(args.generate) / "passages.json").write_text(json.dumps(listed), "utf-8")
        return
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "XDG_CONFIG_HOME": f"{folder}/config",
            "XDG_STATE_HOME": f"{folder}/state",
            "KOOG_SEARCH_EMBEDDING": "none",
        }
        env.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, like any installed package
        # In a process of its own: what this one holds would be counted as its children's memory.
        generating = [sys.executable, __file__, "--notes", str(args.notes), "--generate", folder]
        subprocess.run(generating, check=True)
        line = measured(Path(folder), env, args.rounds)
        line |= asked(Path(folder), env | {"KOOG_SEARCH_EMBEDDING": "auto"}, args.queries)
        print(json.dumps(line, separators=(",", ":")))


def generate(workspace: Path, notes: int) -> list[str]:
    """Write the notes of a workspace, as old as an hour, and return their passages."""
    (workspace / ".koog").mkdir(parents=True)
    draw = random.Random(1)
    speak = speaker(draw)
    before = time.time() - 3600
    found: list[str] = []
    for number in range(notes):
        file = workspace / f"knowledge/projects/p{number % FOLDERS:02}/note-{number:05}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        parts = [speak(draw.randint(*WORDS)) for _ in range(PER_NOTE)]
        rows = [f"# {speak(3)}"]
        for at in range(0, PER_NOTE, 3):
            bullets = [f"- {part}" for part in parts[at : at + 2]]
            rows += ["", f"## {speak(2)}", "", *bullets, "", *parts[at + 2 : at + 3]]
        file.write_text("\n".join(rows) + "\n", "utf-8")
        os.utime(file, (before, before))
        found += parts
    return found


def speaker(draw: random.Random) -> Callable[[int], str]:
    """Return what makes a text of so many words; the commoner a word, the shorter, as in any language."""
    first, second = "b c d f g h k l m n p r s t v w st tr pl".split(), "a e i o u an er on".split()
    syllables = [a + b for a in first for b in second]
    made = {"".join(draw.choices(syllables, k=draw.choice((1, 2, 2, 3, 3, 4)))) for _ in range(2 * VOCABULARY)}
    words = sorted(made, key=lambda word: (len(word), word))[:VOCABULARY]
    weights = list(itertools.accumulate(1 / (rank + 2) for rank in range(len(words))))
    return lambda count: " ".join(draw.choices(words, cum_weights=weights, k=count))


def measured(folder: Path, env: dict[str, str], rounds: int) -> dict[str, Any]:
    """Return the figures: medians over the rounds, in seconds and MiB."""
    workspace = folder / "workspace"
    koog = [sys.executable, "-m", "koog", "--workspace", str(workspace)]
    note = workspace / "knowledge/projects/p07/note-00007.md"
    commands: dict[str, Sequence[str]] = {
        "raw FTS5": [sys.executable, "-c", RAW, str(folder / "passages.json")],
        "module stack": [*koog, "module", "stack"],
        "index --full": [*koog, "index", "--full"],
        "index, nothing changed": [*koog, "index"],
        "index, one changed": [*koog, "index"],
    }
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in commands}
    for number in range(rounds):
        for name, command in commands.items():
            if name.endswith("one changed"):
                note.write_text(f"{note.read_text('utf-8')}\n- changed {number}\n", "utf-8")
            runs[name].append(process(command, env))
    table = {
        name: {key: round(statistics.median(run[key] for run in found), 3) for key in found[0]}
        for name, found in runs.items()
    }
    _, start, full, nothing, one = ([run["cpu"] for run in found] for found in runs.values())
    inside = [run["inside"] for run in runs["raw FTS5"]]
    return {
        "bench": "search",
        "rounds": rounds,
        "seconds": table,
        # Of both without the start of the process.
        "ofRawThroughput": middle(a / (b - c) for a, b, c in zip(inside, full, start, strict=True)),
        "oneChangedTimesNothing": middle(a / b for a, b in zip(one, nothing, strict=True)),
        "bytes": (workspace / ".koog/index.db").stat().st_size,
        "goals": {
            "ofRawThroughput": 0.5,
            "fullSeconds": 2.0,
            "fullMb": 60,
            "oneChangedTimesNothing": 1.5,
            "coldQueryRatio": 1.5,
            "warmHybridMsP50": 15,
        },
    }


def asked(folder: Path, env: dict[str, str], queries: int) -> dict[str, Any]:
    """Return what a question costs where the index has vectors: in a process of its own, and in one that goes on."""
    koog = [sys.executable, "-m", "koog", "--workspace", str(folder / "workspace")]
    process([*koog, "index"], env)
    draw = random.Random(3)
    texts = json.loads((folder / "passages.json").read_text("utf-8"))
    questions = [" ".join(draw.sample(draw.choice(texts).split(), 6)) for _ in range(queries)]
    starts, ratios = [], []
    for question in questions[:COLD]:
        start = process([*koog, "module", "stack"], env)["wall"]
        cold = process([*koog, "search", question], env)["wall"]
        starts.append(cold)
        ratios.append(cold / start)
    told = subprocess.run(
        [sys.executable, "-c", WARM, str(folder), json.dumps(questions)], env=env, capture_output=True, check=True
    )
    return {
        "coldQuerySeconds": round(statistics.median(starts), 3),
        "coldQueryRatio": middle(ratios),
        **json.loads(told.stdout),
    }


def middle(values: Iterable[float]) -> float:
    return round(statistics.median(values), 2)


def process(command: Sequence[str], env: dict[str, str]) -> dict[str, float]:
    """Return what a process took: wall and processor seconds, largest memory in MiB, and what it says of itself."""
    started = time.perf_counter()
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE) as running:
        assert running.stdout is not None
        said = running.stdout.read()
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
    assert running.returncode == 0, said
    cpu = usage.ru_utime + usage.ru_stime
    found = {"wall": time.perf_counter() - started, "cpu": cpu, "mb": usage.ru_maxrss / 1024}
    return found | ({"inside": float(said)} if command[1] == "-c" else {})


# `find` looks at the files first, and reads what it shows; `rank` is the query alone. FTS5: an OR of the same words.
WARM = """
import json, statistics, sys, time
import apsw
from koog.core.run import Run
from koog.search import find, retrieval
folder, questions = sys.argv[1], json.loads(sys.argv[2])
def p50(ask):
    took = []
    for question in questions:
        started = time.perf_counter()
        ask(question)
        took.append(time.perf_counter() - started)
    return round(1000 * statistics.median(took), 1)
run = Run(folder=folder + "/workspace")
said = {"warmFindMsP50": p50(lambda question: find.find(run, question))}
with find.opened(run) as (index, _):
    assert index.embedder, index.without
    for mode in ("hybrid", "keyword", "vector"):
        said[f"warm{mode.capitalize()}MsP50"] = p50(lambda question: retrieval.rank(index, question, mode=mode))
db = apsw.Connection(":memory:")
db.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='porter unicode61')")
db.executemany("INSERT INTO plain VALUES (?)", ((text,) for text in json.load(open(folder + "/passages.json"))))
sql = "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10"
said["warmRawMsP50"] = p50(lambda question: db.execute(sql, (" OR ".join(question.split()),)).fetchall())
print(json.dumps(said))
"""

# One column, one transaction, the index's tokenizer; the passages are in memory before the clock starts.
RAW = """
import json, os, sys, tempfile, time
import apsw
rows = list(enumerate(json.load(open(sys.argv[1], encoding="utf-8")), 1))
with tempfile.TemporaryDirectory() as folder:
    db = apsw.Connection(os.path.join(folder, "raw.db"))
    started = time.process_time()
    db.execute("CREATE VIRTUAL TABLE plain USING fts5(text, tokenize='porter unicode61')")
    with db:
        db.executemany("INSERT INTO plain(rowid, text) VALUES (?, ?)", rows)
    print(time.process_time() - started)
"""


if __name__ == "__main__":
    main()
