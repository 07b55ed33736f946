"""Sleep: what a night costs in a large memory, and what five nights make of half a year.  One JSON line.

    python bench/consolidate.py [--only cost] [--only life] [--life FILE] [--episodes 10000] [--entities 2000]
                                [--missed]

cost    `consolidate run` by the built-in engine over 10,000 episodes and 2,000 entities: seconds, megabytes at most,
        operations. Reference: `recall` in the same workspace, which reads the same stores. Whole processes.
        `again`: the same run once more, when nothing has changed.
life    A life of sayings with planted truths, remembered as they were said; five reflections, evenly spread, each
        approved whole. A truth is known where one line of an entity, a procedure or MEMORY.md that holds has all of
        its words. --missed: what was not, on stderr.

promoted        share of the facts and procedures told again and again that stand in long-term memory
wrong           share of the lines of long-term memory that are trivia, or what does not hold any more
wrongByNights   the same of the lines that a reflection put there or reworded; byNights: how many these are
changed         share of the changed, drifting and dead of which the new stands and the old does not
contradictions  share of the real ones of which a question was raised and both sides stand, in whatever store: an
                episode that is neither archived nor crossed out counts; in longTermOnly each is a line of an entity, a
                procedure or MEMORY.md. falseAlarms: share of the questions raised that are none
archivedUsed    memories archived that were used in the thirty days before
core            share of what always holds that MEMORY.md has; coreTokens: of 3,000
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench import memory_life
from koog.cli import main as koog_main
from koog.consolidate import changing, plan_rows
from koog.memory.fading import accesses, decay_scores, relevance
from koog.memory.store import core_memory, entities, episodes, procedures
from koog.memory.store import line as lines
from koog.memory.store.episodes import Episode
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections

ROOT = Path(__file__).resolve().parent.parent
NOW = datetime(2026, 2, 28, 12, tzinfo=UTC)
NIGHTS = 5
UNUSED_DAYS = 30
AGAIN = ("repeated", "procedure")
WHICH = r"(?m)Which holds: “.*?” or “.*?”\?(?= \(o\d+ keeps both|$)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=("cost", "life"), action="append")
    parser.add_argument("--life", type=Path, action="append", default=[])
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--entities", type=int, default=2_000)
    parser.add_argument("--missed", action="store_true")
    given = parser.parse_args()
    wanted = given.only or ["cost", *(["life"] if given.life else [])]
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as scratch:
        alone(Path(scratch, "home"))
        if "cost" in wanted:
            found["cost"] = cost(Path(scratch, "large"), given)
        for n, path in enumerate(given.life):
            life = json.loads(path.read_text("utf-8"))
            found[f"life {life['life']}"] = lived(Path(scratch, f"life{n}"), life, missed=given.missed)
    print(json.dumps({"bench": "consolidate", **found}))


def alone(home: Path) -> None:
    """Keep the bench away from the person's settings; an agent's word counts."""
    config = home / "config/koog"
    config.mkdir(parents=True)
    (config / "config.json").write_text('{"approval": "relayed", "engine": "builtin", "git": {"commit": "off"}}')
    os.environ |= {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state")}
    (home / ".gitconfig").write_text("[user]\n\tname = Bench\n\temail = bench@example.invalid\n")


def koog(folder: Path, at: datetime, *argv: str) -> dict[str, Any]:
    """Call koog in this process."""
    out = io.StringIO()
    words = ["--workspace", str(folder), "--now", at.isoformat(), "--engine", "builtin", *argv]
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        koog_main(words)
    line: dict[str, Any] = json.loads(out.getvalue())
    if not line["ok"] and line["error"]["code"] == "bug":
        raise RuntimeError(line["error"]["message"])
    return line


# --- what a night costs


def cost(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    folder.mkdir()
    koog(folder, NOW, "init", str(folder))
    large(folder, given.episodes, given.entities)
    found = {}
    for name, argv in (("recall", ["recall", "the river map"]), ("run", ["consolidate", "run"])):
        seconds, megabytes, line = process(folder, argv)
        found[name] = {"seconds": seconds, "megabytes": megabytes}
        if name == "run":
            found[name] |= {"operations": line["operations"], "later": line["later"]}
    seconds, _, line = process(folder, ["consolidate", "run"])
    return {**found, "again": {"seconds": seconds, "skipped": line["skipped"]}}


def process(folder: Path, argv: list[str]) -> tuple[float, float, dict[str, Any]]:
    """Run koog as a process of its own; return its CPU seconds, its megabytes and its line."""
    command = [sys.executable, "-m", "koog", "--workspace", str(folder), "--now", NOW.isoformat(), *argv]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT)
    assert child.stdout
    line = json.loads(child.stdout.read())
    _, _, used = os.wait4(child.pid, 0)
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return round(used.ru_utime + used.ru_stime, 2), round(used.ru_maxrss / unit), line


def large(folder: Path, count: int, many: int) -> None:
    """Write a memory of three years: what happened, and what is known of projects."""
    dice, names = random.Random(7), memory_life.entities(many)
    days: Counter[str] = Counter()
    texts: dict[str, list[str]] = {}
    log = []
    for n in range(count):
        day = (NOW - timedelta(days=1 + n * 900 // count)).date().isoformat()
        days[day] += 1
        minute = f"{8 + days[day] // 60 % 14:02d}:{days[day] % 60:02d}"
        entry = Episode(day, minute, Line(memory_life.happened(dice)))
        texts.setdefault(day, []).append(entry.raw)
        at = f"{day}T{minute}:00Z"
        log.append(accesses.line(at, entry.id, op=accesses.WRITE, store="episodic", base=0.7, why="remember"))
    put(folder / "memory" / episodes.FOLDER, {d: episodes.header(d) + "\n" + "\n".join(t) for d, t in texts.items()})
    made = {}
    for name in names:
        id_ = f"project--{name.lower().replace(' ', '-')}"
        text = entities.new(id_, label=name, today="2025-01-01")
        for _ in range(3):
            row = Line(memory_life.fact(dice, name), values={lines.SINCE: "2025-01-01"}).raw
            text = Sections(text, id_).with_item(entities.FACTS, row, order=entities.ORDER)
        made[id_] = text
    put(folder / "memory" / entities.FOLDER, made)
    (folder / "memory/meta/access.jsonl").write_text("".join(log))


def put(folder: Path, texts: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text)


# --- five nights of half a year


def lived(folder: Path, life: dict[str, Any], *, missed: bool) -> dict[str, Any]:
    folder.mkdir()
    begin, end = datetime.fromisoformat(f"{life['from']}T00:00:00+00:00"), datetime.fromisoformat(life["now"])
    koog(folder, begin, "init", str(folder))
    nights = [begin + (end - begin) * n / NIGHTS for n in range(1, NIGHTS + 1)]
    ids: dict[int, str] = {}
    used: dict[str, date] = {}
    outcome: Counter[str] = Counter()
    asked: list[str] = []
    archived: list[str] = []
    put: Counter[str] = Counter()
    events = [(s["at"], n, s["text"]) for n, s in enumerate(life["sayings"])]
    events += [(f"{u['day']}T23:00:00Z", -1, json.dumps(u["sayings"])) for u in life["used"]]
    events += [(night.strftime("%Y-%m-%dT%H:%M:%SZ"), -2, "") for night in nights]
    for at, n, text in sorted(events):
        moment = datetime.fromisoformat(at)
        if n >= 0:
            ids[n] = str(koog(folder, moment, "remember", text).get("id"))
        elif n == -1:
            for each in json.loads(text):
                used[ids[each]] = moment.date()
                koog(folder, moment, "recall", "--used", ids[each])
        else:
            before = Counter(known(folder)[0])
            gone = slept(folder, moment, outcome, asked)
            put += Counter(known(folder)[0]) - before
            archived += [
                f"{id_} {moment:%F}" for id_ in gone if moment.date() - used.get(id_, date.min) < timedelta(UNUSED_DAYS)
            ]
    return {
        **measured(folder, life, asked, put, missed=missed),
        "archivedUsed": len(archived),
        "operations": dict(outcome),
    }


def slept(folder: Path, at: datetime, outcome: Counter[str], asked: list[str]) -> list[str]:
    """Reflect once and approve all of it; return what was archived."""
    done = koog(folder, at, "consolidate", "run")
    if not done.get("id"):
        return []
    rows, offset = [], 0
    while offset is not None:
        shown = koog(folder, at, "consolidate", "show", "--offset", str(offset))
        rows += shown["operations"]
        offset = shown["next"]
    raised = [
        changing.question(row["before"], plan_rows.shown(row["after"])) for row in rows if row["kind"] == "oppose"
    ]
    told = "\n".join(question["text"] for question in shown["questions"])
    raised += [each.strip() for each in re.findall(WHICH, told)]
    asked += [each for each in dict.fromkeys(raised) if each not in asked]
    outcome.update(row["kind"] for row in rows)
    told = koog(folder, at, "consolidate", "approve", done["id"], "--confirm", shown["digest"])
    outcome.update({"leftOut": len(told["leftOut"])})
    return [id_ for row in rows if row["kind"] == "archive" for id_ in row["sources"]]


def known(folder: Path) -> tuple[list[str], list[str]]:
    """Return the lines of long-term memory that hold, and those of MEMORY.md among them."""
    core_text = (folder / core_memory.FILE).read_text("utf-8")
    core = [each.line.text for each in core_memory.entries(Sections(core_text, core_memory.FILE))]
    found = list(core)
    for path in sorted((folder / "memory" / entities.FOLDER).glob("*.md")):
        read = entities.read(path.read_text("utf-8"), path.stem, path.name)
        found += [fact.line.text for fact in read.facts(entities.FACTS) if not fact.line.is_past]
    for path in sorted((folder / "memory" / procedures.FOLDER).glob("*.md")):
        found.append(procedures.memory(path.read_text("utf-8"), path.stem, path.name).text)
    return found, core


def logged(folder: Path) -> list[str]:
    """Return the episodes that stand, without what was archived or is a line of an entity that was crossed out."""
    gone = set[str]()
    for path in (folder / "memory" / entities.FOLDER).glob("*.md"):
        read = entities.read(path.read_text("utf-8"), path.stem, path.name)
        gone |= {fact.line.text for fact in read.facts() if fact.line.is_past}
    path = folder / "memory" / decay_scores.FILE
    scores = decay_scores.parse(path.read_text("utf-8"), decay_scores.FILE).entries
    found = []
    for path in sorted((folder / "memory" / episodes.FOLDER).glob("*.md")):
        for each in episodes.read(path.read_text("utf-8"), path.stem):
            is_archived = each.id in scores and scores[each.id]["current_score"] == relevance.FORGOTTEN
            if not each.line.is_past and not is_archived and each.line.text not in gone:
                found.append(each.line.text)
    return found


def measured(
    folder: Path, life: dict[str, Any], asked: list[str], put: Counter[str], *, missed: bool
) -> dict[str, Any]:
    found, core = known(folder)
    truths = life["truths"]
    again = {t["id"]: any(has(each, t["must"]) for each in found) for t in truths if t["kind"] in AGAIN}
    always = {t["id"]: any(has(each, t["must"]) for each in core) for t in truths if t["kind"] == "always"}
    wrong = [each for each in found if is_any(each, truths)]
    changed = {
        t["id"]: any(has(each, t["must"]) for each in found) and not any(is_old(each, t) for each in found)
        for t in truths
        if t["kind"] in ("changed", "preference", "dead")
    }
    real = [t for t in truths if t["kind"] == "contradiction" and t["real"]]
    raised = {t["id"]: any(has(a, t["must"]) for a in asked) for t in real}
    every = [*found, *logged(folder)]
    stands = {t["id"]: raised[t["id"]] and is_kept(every, t["must"]) for t in real}
    lasts = {t["id"]: raised[t["id"]] and is_kept(found, t["must"]) for t in real}
    by_nights = list((Counter(found) & put).elements())
    false = [a for a in asked if not any(has(a, t["must"]) for t in real)]
    if missed:
        for name, rows in (("again", again), ("always", always), ("changed", changed), ("contradiction", stands)):
            print(name, [id_ for id_, is_there in rows.items() if not is_there], file=sys.stderr)
        for each in wrong:
            print("wrong:" if each not in by_nights else "wrong, by a night:", each, file=sys.stderr)
        for each in false:
            print("false alarm:", each, file=sys.stderr)
        for each in found:
            print("known:", each, file=sys.stderr)
    text = (folder / core_memory.FILE).read_text("utf-8")
    return {
        "promoted": share(again.values()),
        "wrong": round(len(wrong) / max(len(found), 1), 3),
        "wrongByNights": round(sum(is_any(each, truths) for each in by_nights) / max(len(by_nights), 1), 3),
        "byNights": len(by_nights),
        "changed": share(changed.values()),
        "contradictions": share(stands.values()),
        "longTermOnly": share(lasts.values()),
        "falseAlarms": round(len(false) / max(len(asked), 1), 3),
        "core": share(always.values()),
        "coreTokens": core_memory.size(text, 0).tokens,
        "lines": len(found),
    }


def has(text: str, must: list[list[str]]) -> bool:
    low = text.casefold()
    return all(any(alternative.casefold() in low for alternative in one) for one in must)


def is_kept(found: list[str], must: list[list[str]]) -> bool:
    """Return whether each side of two stands in a line."""
    return all(any(has(each, [side]) for each in found) for side in must)


def is_old(text: str, truth: dict[str, Any]) -> bool:
    """Return whether a line says what does not hold any more, and not what holds."""
    return any(old.casefold() in text.casefold() for old in truth["old"]) and not has(text, truth["must"])


def is_wrong(text: str, truth: dict[str, Any]) -> bool:
    return is_old(text, truth) or (truth["kind"] == "trivia" and has(text, truth["must"]))


def is_any(text: str, truths: list[dict[str, Any]]) -> bool:
    return any(is_wrong(text, truth) for truth in truths)


def share(found: Any) -> float:
    rows = list(found)
    return round(sum(rows) / len(rows), 3) if rows else 0.0


if __name__ == "__main__":
    main()
