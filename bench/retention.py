"""How much of what is worth remembering survives `observe`, and `observe` and `reflect`?  One JSON line.

    python -m bench.retention --seed 1
    python -m bench.retention --seed 1 --missed     # the missed sayings of the seen set, on stderr

Two sets of sayings, bench/retention_facts.txt and bench/retention_heldout.txt, each filled twice by the seed: some 220
facts that are worth a 🔴 line (decisions, preferences, rules, deadlines, numbers), some that are worth a line, and
three turns of talk about nothing, or of a tool's output, for each. They are spread over two weeks, written as sessions
in OpenClaw's file format, and koog runs as a user would run it, with the built-in engine.

survives    one line of observations.md holds all that the saying marks with [ ]: names, days, numbers
noise       share of the lines in which no planted fact stands
red         share of the 🔴-worthy facts whose line is 🔴
redLines    🔴 lines before `reflect --force`, and the share of them that stand after it, as they were or within another
reference   in the same run, on the same turns: a filter of keywords, which takes a turn whole
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from koog.core.text.measures import content_words
from koog.observe import observations

HERE = Path(__file__).parent
SETS = {"seen": "retention_facts.txt", "heldOut": "retention_heldout.txt"}
RED = ("decision", "preference", "rule", "deadline", "number")
TALK = ("chatter", "tool")
FILLS = 2
DAYS = 14
END = datetime(2026, 2, 28, 20, 0, tzinfo=UTC)
SESSION = "{:08x}-0000-4000-8000-000000000000"
GOAL = {"afterObserve": 0.85, "redLinesStand": 1.0, "noise": 0.3}

ADJECTIVES = "Amber Brisk Copper Dusty Early Fallow Gentle Hollow Ivory Jolly Keen Lunar Mossy North Opal".split()
NOUNS = (
    "Heron Falcon Lantern Anchor Meadow Harbor Kettle Ridge Comet Orchard Piston Quarry Saddle Thicket Wharf".split()
)
SLOTS: dict[str, list[str]] = {
    "person": "Mika Lena Jonas Priya Tomas Aisha Bruno Carla Dimitri Elena Farid Greta Hugo Ines Kofi".split(),
    "tool": "Postgres Kafka Redis Terraform Grafana Bazel Ansible Sentry Figma Notion Docker Pulumi Linear".split(),
    "city": "Lisbon Bergen Graz Turin Porto Ghent Malmo Lyon Basel Krakow Leipzig Tartu Bilbao Cork".split(),
    "feature": "search export billing login sync chat import upload calendar alerts".split(),
    "food": "peanuts oysters cilantro olives shrimp aubergine".split(),
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "month": "April May June July August September October".split(),
    "time": "8:30 9:15 10:45 11:30 13:00 14:30 16:00 17:45 18:30".split(),
    "date": [f"{month} {day}" for month in ("March", "April", "May", "June") for day in range(2, 29)],
    "money": [f"${n}" for n in (45, 120, 350, 900, 1500, 4200, 18000)],
    "port": [str(n) for n in range(2100, 9800, 37)],
    "n": [str(n) for n in range(2, 29)],
}

# The reference: what somebody writes in ten minutes.
KEYWORDS = re.compile(
    r"(?i)\b(?:always|never|must|prefers?|like|don't|decided|decision|we'll|going with|agreed|chose|deadline|due|until"
    r"|by (?:mon|tues|wednes|thurs|fri|satur|sun)day|remember|remind|rule|please|budget|port|birthday|from now on)\b"
)


class Fact(NamedTuple):
    kind: str
    keys: tuple[str, ...]
    saying: str

    def stands_in(self, text: str) -> bool:
        low = plain(text)
        return all(plain(key) in low for key in self.keys)


class Said(NamedTuple):
    role: str
    text: str


def plain(text: str) -> str:
    return " ".join(text.casefold().replace("’", "'").split())


def sayings(name: str) -> dict[str, list[str]]:
    """Return kind → sayings of one set."""
    found: dict[str, list[str]] = {}
    kind = ""
    for line in (HERE / SETS[name]).read_text("utf-8").splitlines():
        if line.startswith("## "):
            kind = line[3:]
        elif line.strip() and (
            not line.startswith("#") or line.startswith("# {")
        ):  # a tool's output may have a heading
            found.setdefault(kind, []).append(line)
    return found


def filled(saying: str, project: str, chance: random.Random) -> str:
    values = {name: chance.choice(pool) for name, pool in SLOTS.items()}
    return re.sub(r"\{(\w+)\}", lambda m: project if m[1] == "project" else values[m[1]], saying)


def conversation(name: str, seed: int) -> tuple[list[Said], list[Fact]]:
    """Return the turns of two weeks, in order, and the facts in them."""
    chance = random.Random(f"{name} {seed}")
    texts = sayings(name)
    projects = [f"{a} {b}" for a in ADJECTIVES for b in NOUNS] * 3
    chance.shuffle(projects)
    told, facts = [], []
    for kind in (k for k in texts if k not in TALK):
        for saying in texts[kind] * FILLS:
            marked = filled(saying, projects.pop(), chance)
            facts.append(Fact(kind, tuple(re.findall(r"\[([^\]]*)\]", marked)), saying))
            told.append(with_talk(re.sub(r"[\[\]]", "", marked), texts, chance))
    chance.shuffle(told)
    turns = []
    for fact in told:
        turns.append(fact)
        for _ in range(3):
            turns.append(talk(texts, projects[0], chance))
    return turns, facts


def with_talk(fact: str, texts: dict[str, list[str]], chance: random.Random) -> Said:
    """Return a turn with a fact, one of three with small talk before or after it."""
    role, text = ("assistant", fact[1:]) if fact.startswith("@") else ("user", fact)
    small = [c for c in texts["chatter"] if not c.startswith("@") and "{" not in c]
    if role == "user" and chance.random() < 1 / 3:
        extra = chance.choice(small)
        end = "" if text[-1] in ".!?" else "."
        text = f"{extra}. {text}" if chance.random() < 0.5 else f"{text}{end} {extra}"
    return Said(role, text)


def talk(texts: dict[str, list[str]], project: str, chance: random.Random) -> Said:
    if chance.random() < 0.15:
        output = filled(chance.choice(texts["tool"]).replace('{"', '{ "'), project, chance)
        return Said("tool", output.replace("\\n", "\n"))
    text = filled(chance.choice(texts["chatter"]), project, chance)
    return Said("assistant", text[1:]) if text.startswith("@") else Said("user", text)


def store(turns: list[Said], folder: Path) -> None:
    """Write the turns as OpenClaw's 2026.7 files, a session a day."""
    sessions = folder / "agents/main/sessions"
    sessions.mkdir(parents=True)
    each = -(-len(turns) // DAYS)
    index: dict[str, Any] = {}
    for day in range(DAYS):
        begin = END - timedelta(days=DAYS - 1 - day, hours=11)
        rows = list(records(SESSION.format(day), turns[day * each : (day + 1) * each], begin))
        last = day == DAYS - 1
        name = f"{SESSION.format(day)}.jsonl" + ("" if last else f".reset.{begin:%Y-%m-%d}T23-00-00.000Z")
        (sessions / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        index = {
            "agent:main:main": {
                "sessionId": SESSION.format(day),
                "sessionFile": str(sessions / name),
                "updatedAt": int(END.timestamp() * 1000),
                "chatType": "direct",
            }
        }
    (sessions / "sessions.json").write_text(json.dumps(index), "utf-8")


def records(session: str, turns: list[Said], at: datetime) -> Iterator[dict[str, Any]]:
    stamp = at.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    yield {"type": "session", "version": 3, "id": session, "timestamp": stamp, "cwd": "/home/node"}
    parent = None
    for n, turn in enumerate(turns):
        at += timedelta(seconds=40)
        entry = f"{int(session[:8], 16):03x}{n:05x}"
        yield {
            "type": "message",
            "id": entry,
            "parentId": parent,
            "timestamp": at.strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "message": {**message(turn, entry), "timestamp": int(at.timestamp() * 1000)},
        }
        parent = entry


def message(turn: Said, entry: str) -> dict[str, Any]:
    if turn.role == "user":
        return {"role": "user", "content": turn.text}
    content = [{"type": "text", "text": turn.text}]
    if turn.role == "assistant":
        return {"role": "assistant", "content": content, "provider": "fake", "model": "fake-1", "stopReason": "stop"}
    code = re.match(r"exit (\d+)\n", turn.text)
    details = {"status": "completed", "exitCode": int(code[1]) if code else 0, "durationMs": 41}
    call = {"toolCallId": f"call_{entry}", "toolName": "exec", "isError": False}
    return {"role": "toolResult", **call, "content": content, "details": details}


def koog(workspace: Path, *argv: str, now: datetime) -> dict[str, Any]:
    """Run koog as a process; return its line. Raises SystemExit when it fails."""
    options = ["--workspace", str(workspace), "--engine", "builtin", "--now", now.isoformat()]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("KOOG_", "OPENCLAW_"))}
    environment["PYTHONPATH"] = str(HERE.parent)
    command = [sys.executable, "-m", "koog", *options, *argv]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    line: dict[str, Any] = json.loads(done.stdout)
    if not line["ok"]:
        raise SystemExit(f"koog {argv[0]}: {line['error']}")
    return line


def measure(name: str, seed: int, *, missed: bool) -> dict[str, Any]:
    """Return the figures of one set."""
    turns, facts = conversation(name, seed)
    with tempfile.TemporaryDirectory() as scratch:
        workspace, state = Path(scratch, "ws"), Path(scratch, "state")
        (workspace / "memory").mkdir(parents=True)
        (workspace / ".koog").mkdir()
        store(turns, state)
        started = time.perf_counter()
        begin = (END - timedelta(days=DAYS + 1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        koog(workspace, "observe", "--source", str(state), "--since", begin, now=END)
        seconds = time.perf_counter() - started
        after_observe = read(workspace)
        reflected = koog(workspace, "reflect", "--force", now=END)
        after_reflect = read(workspace)
    if missed:
        tell_missed(facts, after_observe)
    return {
        **figures(facts, after_observe),
        "afterReflect": share(facts, after_reflect),
        **red_lines(after_observe, after_reflect),
        "words": [reflected["wordsBefore"], reflected["wordsAfter"]],
        "observeSeconds": round(seconds, 2),
        "turns": len(turns),
        "reference": reference(turns, facts),
    }


def read(workspace: Path) -> list[observations.Observation]:
    path = workspace / "memory" / observations.NAME
    return observations.observations(path.read_text("utf-8") if path.exists() else "")


def figures(facts: list[Fact], lines: list[observations.Observation]) -> dict[str, Any]:
    red = [f for f in facts if f.kind in RED]
    found = [f for f in red if any(f.stands_in(o.text) for o in lines)]
    marked = [f for f in red if any(f.stands_in(o.text) for o in lines if o.mark == observations.HIGH)]
    of_kind = Counter(f.kind for f in red)
    stands = Counter(f.kind for f in found)
    return {
        "facts": len(facts),
        "redWorthy": len(red),
        "afterObserve": round(len(found) / len(red), 4),
        "red": round(len(marked) / len(red), 4),
        "kinds": {kind: round(stands[kind] / n, 3) for kind, n in of_kind.items()},
        "lines": len(lines),
        "noise": noise(facts, [o.text for o in lines]),
    }


def share(facts: list[Fact], lines: list[observations.Observation]) -> float:
    red = [f for f in facts if f.kind in RED]
    return round(sum(any(f.stands_in(o.text) for o in lines) for f in red) / len(red), 4)


def noise(facts: list[Fact], texts: list[str]) -> float | None:
    if not texts:
        return None
    return round(sum(not any(f.stands_in(text) for f in facts) for text in texts) / len(texts), 4)


def red_lines(before: list[observations.Observation], after: list[observations.Observation]) -> dict[str, Any]:
    """Return how many 🔴 lines there were, and the share that stands in a 🔴 line after the reflection."""
    red = [o.text for o in before if o.mark == observations.HIGH]
    left = [o.text for o in after if o.mark == observations.HIGH]
    stand = sum(any(content_words(text) <= content_words(t) for t in left) for text in red)
    return {"redLines": len(red), "redLinesStand": round(stand / len(red), 4) if red else None}


def reference(turns: list[Said], facts: list[Fact]) -> dict[str, Any]:
    kept = [t.text for t in turns if t.role != "tool" and KEYWORDS.search(t.text)]
    red = [f for f in facts if f.kind in RED]
    found = sum(any(f.stands_in(text) for text in kept) for f in red)
    return {"afterObserve": round(found / len(red), 4), "lines": len(kept), "noise": noise(facts, kept)}


def tell_missed(facts: list[Fact], lines: list[observations.Observation]) -> None:
    for fact in facts:
        if not any(fact.stands_in(o.text) for o in lines):
            print(f"{fact.kind}: {fact.saying}", file=sys.stderr)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--missed", action="store_true")
    given = options.parse_args()
    sets = {name: measure(name, given.seed, missed=given.missed and name == "seen") for name in SETS}
    print(json.dumps({"bench": "retention", "seed": given.seed, "sets": sets, "goal": GOAL}))


if __name__ == "__main__":
    main()
