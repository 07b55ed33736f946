"""What is left of a year, and of everyday talk, when days became weeks and weeks months?  One JSON line.

    python -m bench.condense year YEAR.json [--missed] [--keep DIR] [--embedding none|encoder]
    python -m bench.condense locomo ../shared/corpus/locomo

year    YEAR.json has `sayings` [{at, text}], `facts` [{must, q}] that hold at `now`, `outdated` [{old, new, q}].
        What was said on a day is a session; at 23:00 `condense monthly`, `tick` and `index` run, on Sundays `prune`,
        with --now and the built-in engine. At the end each question is put to `compile` and to `recall`.
        A fact is found where for each list in `must` an alternative stands in the text. An outdated one is told as
        current where an `old` stands in a line that is not crossed out and no `new` is told. `coreMost` is the most
        that MEMORY.md had of its cap of tokens on any day. Growth: the median of the last twenty days beside the
        first twenty, whole processes, by their CPU time: other work on the machine hardly lengthens it. --embedding
        is `search.embedding`, of a year that was kept of its questions alone.
locomo  as bench.knowledge has it, extracted, condensed and pruned when every month is over and every day old: `kept` is
        the share of the evidence that has a line in knowledge/, MEMORY.md or an entity, `size` their text by the talk.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any

from bench import knowledge
from bench.knowledge import Session
from bench.locomo_workspace import ADVERSARIAL, conversations
from bench.year import home, in_processes, in_this_process
from koog.core.clock import parse
from koog.core.run import Run
from koog.core.text import tokens
from koog.knowledge import condense, documents
from koog.knowledge.pruning.pruner import Pruner
from koog.knowledge.sources import parse as sources_of

GOALS = {
    "year": {"compile": 0.90, "recall": 0.90, "outdated": 0.05, "coreMost": 1.0, "growth": 1.3},
    "locomo": {"kept": 0.50, "size": 0.10},
}
COMMANDS = {"day": ("condense", "monthly"), "tick": ("tick",), "index": ("index",)}
SAMPLE = 20  # days with something said, about a month of work
SUNDAY = 6
CAP = 3000  # tokens of MEMORY.md
ENCODING = 20  # questions
OUT = "compiled.md"
GONE = re.compile(r"~~.*?~~")


def year(path: Path, *, missed: bool, keep: Path | None, embedding: str) -> dict[str, Any]:
    """Live through a year, then ask; a year that was kept is only asked."""
    life = json.loads(path.read_text("utf-8"))
    with TemporaryDirectory() as folder:
        root = keep or Path(folder)
        root.mkdir(exist_ok=True)
        home(root)
        os.environ["KOOG_SEARCH_EMBEDDING"] = embedding
        grown, core = ({}, [0]) if (root / "ws").exists() else live(root, life)
        if embedding == "encoder":
            encode(root / "ws", life["now"])
        asked = {name: answers(root / "ws", life, name, missed=missed) for name in ("compile", "recall")}
        made = Counter(p.parent.name for p in (root / "ws").rglob("*.md") if "journal" in p.parts)
    facts, outdated = ({n: found[at] for n, found in asked.items()} for at in (0, 1))
    return {
        "embedding": embedding,
        "days": len({each["at"][:10] for each in life["sayings"]}),
        **{name: round(fmean(found), 3) for name, found in facts.items()},
        **{f"outdated{name.title()}": round(fmean(found), 3) for name, found in outdated.items()},
        "coreMost": round(max(core) / CAP, 3),
        "growth": {name: round(median(ms[-SAMPLE:]) / median(ms[:SAMPLE]), 2) for name, ms in grown.items()},
        "ms": {name: round(median(ms[-SAMPLE:])) for name, ms in grown.items()},
        "journals": dict(made),
    }


def live(root: Path, life: Mapping[str, Any]) -> tuple[dict[str, list[float]], list[int]]:
    """Say what was said, day by day; return how long each command took, and how many tokens MEMORY.md had."""
    ws = root / "ws"
    ws.mkdir()
    subprocess.run(["git", "-C", str(ws), "init", "-q", "-b", "main"], check=True)
    in_this_process(ws, "init", str(ws), now=life["sayings"][0]["at"])
    by_day: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for each in life["sayings"]:
        by_day[each["at"][:10]].append(each)
    ms, core, lived = defaultdict[str, list[float]](list), list[int](), list[date]()
    day, last = date.fromisoformat(min(by_day)), date.fromisoformat(life["now"][:10])
    while day <= last:
        if told := by_day.get(day.isoformat()):
            at = parse(told[0]["at"]) or datetime.min
            knowledge.write(root, Session(f"ses_{day:%Y%m%d}", at, [("user", each["text"]) for each in told]))
            is_timed = not SAMPLE <= len(lived) < len(by_day) - SAMPLE
            lived.append(day)
            for name, command in COMMANDS.items():
                begun = children()
                (in_processes if is_timed else in_this_process)(ws, *command, now=f"{day}T23:00:00Z")
                if is_timed:
                    ms[name].append(1000 * (children() - begun))
        if day.weekday() == SUNDAY:
            in_this_process(ws, "prune", now=f"{day}T23:30:00Z")
        text = (ws / "MEMORY.md").read_text("utf-8") if (ws / "MEMORY.md").exists() else ""
        core.append(tokens.estimate(text))
        day += timedelta(days=1)
    return dict(ms), core


def encode(ws: Path, now: str) -> None:
    """Have everything encoded before a question counts, as a year of ticks would: each one goes on for a moment."""
    in_this_process(ws, "index", now=now)
    for _ in range(ENCODING):
        in_this_process(ws, "recall", "anything?", now=now)


def children() -> float:
    """Return how many CPU seconds the processes that this one has waited for have taken."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def answers(ws: Path, life: Mapping[str, Any], command: str, *, missed: bool) -> tuple[list[bool], list[bool]]:
    """Return of each fact whether it is found, and of each outdated one whether it is told as current."""
    now = life["now"]
    facts, stale = list[bool](), list[bool]()
    for fact in life["facts"]:
        text = ask(ws, command, fact["q"], now)
        facts.append(holds(text, fact["must"]))
        if missed and not facts[-1]:
            print(f"{command}: {fact['id']} {fact['q']}", file=sys.stderr)
    for each in life["outdated"]:
        text = ask(ws, command, each["q"], now)
        is_old = any(old.casefold() in GONE.sub("", text).casefold() for old in each["old"])
        stale.append(is_old and not holds(text, each["new"]))
        if missed and stale[-1]:
            print(f"{command}: {each['id']} {each['q']}", file=sys.stderr)
    return facts, stale


def ask(ws: Path, command: str, question: str, now: str) -> str:
    """Return what a command tells of a question."""
    if command == "compile":
        line = in_this_process(ws, "compile", "--message", question, "--out", OUT, now=now)
        return (ws / line["out"]).read_text("utf-8")
    return json.dumps(in_this_process(ws, "recall", question, now=now), ensure_ascii=False)


def holds(text: str, must: Sequence[Sequence[str]]) -> bool:
    low = text.casefold()
    return all(any(alternative.casefold() in low for alternative in each) for each in must)


def locomo(folder: Path) -> dict[str, Any]:
    """Measure everyday talk whose questions have known evidence."""
    kept, before, sizes = list[bool](), list[bool](), Counter[str]()
    begun = time.perf_counter()
    for conversation in conversations(folder).values():
        ids: dict[str, tuple[str, int]] = {}
        sessions = list(knowledge.sessions(conversation, ids))
        with TemporaryDirectory() as place:
            run, places, size = knowledge.told(Path(place), sessions)
            first = turns(run.root, places)
            last = max(each.at for each in sessions)
            later = Run(folder=place + "/ws", engine="builtin", now_text=(last + timedelta(days=120)).isoformat())
            condense.work(later, condense.MONTHLY, deadline_s=100_000)
            Pruner(later).journals()
            then = turns(run.root, places)
            sizes.update(talk=size["talk"], text=sum(map(knowledge.shown, knowledge.files(run.root).values())))
        asked = [q for q in conversation["questions"] if q["category"] != ADVERSARIAL]
        evidence = [ids[turn] for q in asked for turn in q["evidence"] if turn in ids]
        kept += [turn in then for turn in evidence]
        before += [turn in first for turn in evidence]
    return {
        "evidence": len(kept),
        "kept": round(fmean(kept), 3),
        "extracted": round(fmean(before), 3),
        "size": round(sizes["text"] / sizes["talk"], 3),
        "seconds": round(time.perf_counter() - begun, 1),
    }


def turns(workspace: Path, places: Mapping[tuple[str, int], int]) -> set[tuple[str, int]]:
    """Return the turns of which a line stands in the knowledge files."""
    found = set[tuple[str, int]]()
    for path, text in knowledge.files(workspace).items():
        for entry in documents.entries(text, path):
            told = sources_of(entry.line.values.get(documents.SOURCE, ""))
            found |= {(s.session, places[s.session, s.line]) for s in told if (s.session, s.line) in places}
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=tuple(GOALS))
    parser.add_argument("path", type=Path)
    parser.add_argument("--keep", type=Path, help="the workspace stays there, and is used again where it is there")
    parser.add_argument("--missed", action="store_true", help="what was not found, on stderr")
    parser.add_argument("--embedding", default="auto")
    given = parser.parse_args()
    if given.what == "year":
        found = year(given.path, missed=given.missed, keep=given.keep, embedding=given.embedding)
    else:
        found = locomo(given.path)
    line = {"bench": f"condense {given.what}", **found, "goals": GOALS[given.what]}
    print(json.dumps(line, separators=(",", ":")))


if __name__ == "__main__":
    main()
