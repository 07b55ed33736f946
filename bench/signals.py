"""Does a tick do what a good colleague would: the right action, a message in time?  One JSON line.

    python bench/signals.py --summaries FILE --week FILE
    python bench/signals.py --summaries FILE --rows odd --missed      # what went wrong, on stderr
    python bench/signals.py --week FILE --tree ../elsewhere

A row of the summaries: id, expected (spawn:cause | spawn:research | spawn:debug | tip | skip), what the task has to
name ("a/b,c": a or b, and c), what it must not, the summary; tab-separated. All are asked in one workspace whose last
tick had an error's cause looked for, so that the daily minimum is met.

right       share of the summaries whose action is the expected one and names what it has to; kinds: of each kind
actions     share whose action alone is right

The week: lives of ticks ({"week": {"ticks": […]}}), each with the lines that were added to the notes, the summary, and
what would be useful, is due or would be wrong, as groups of words: all groups, one word of each.

said        actions and messages
useful      share of those said that hold something useful at this tick, or due at it or at one of the coming day
wrong       share that hold something wrong
unsaid      share of the due things that the tick didn't say, nor any other before it
missed      share of the useful things that the tick didn't say
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bench.statements import NOW, ROOT, Place, share

KINDS = {"Find root cause": "spawn:cause", "Research": "spawn:research", "Debug": "spawn:debug"}
EARLIER = "Find root cause for: ECONNRESET"
ALL, ODD, EVEN = "all", "odd", "even"


def kind_of(action: dict[str, Any]) -> str:
    """Return an action as the summaries' second column has it; "spawn" for a task of no such kind."""
    if action["action"] != "sessions_spawn":
        return "tip" if action["action"] == "telegram_tip" else "skip"
    return next((kind for start, kind in KINDS.items() if action["task"].startswith(start)), "spawn")


def names(text: str, must: str, mustnot: str) -> bool:
    """Return whether a text names what it has to, one alternative of each, and nothing that it must not."""
    low = text.casefold()
    needed = [[word.strip().casefold() for word in group.split("/")] for group in must.split(",") if group.strip()]
    banned = [word.strip().casefold() for word in mustnot.replace("/", ",").split(",") if word.strip()]
    return all(any(word in low for word in group) for group in needed) and not any(word in low for word in banned)


def summaries(place: Place, rows: Sequence[list[str]], *, missed: bool) -> dict[str, Any]:
    taken = {"action": "sessions_spawn", "chosen": True, "task": EARLIER, "spawnId": "s1"}
    entry: dict[str, Any] = {"tickId": "t1", "sessionHistorySummary": "ECONNRESET came back.", "feedbackScores": None}
    entry["actionsConsidered"] = [taken]
    hours = timedelta(hours=2)
    place.koog("--now", (NOW - hours).isoformat(), "log", "--entry", "-", stdin=json.dumps(entry).encode())
    right: dict[str, list[bool]] = defaultdict(list)
    acted: list[bool] = []
    for name, expected, must, mustnot, summary in rows:
        action = place.koog("signal", "--session-summary", "-", stdin=summary.encode())["recommendedAction"]
        acted.append(kind_of(action) == expected)
        right[expected].append(acted[-1] and names(action["task"] or "", must, mustnot))
        if missed and not right[expected][-1]:
            print(f"{name} {expected} [{must}] -> {kind_of(action)}: {action['task']} | {summary}", file=sys.stderr)
    every = [value for values in right.values() for value in values]
    kinds = {kind: share(values) for kind, values in sorted(right.items())}
    return {"rows": len(every), "right": share(every), "actions": share(acted), "kinds": kinds}


# --- a week


def said_of(reply: dict[str, Any]) -> list[str]:
    """Return what a tick says: its action's task, its message."""
    task = reply["recommendedAction"]["task"] if reply["recommendedAction"]["action"] != "skip" else None
    output = reply["output"]
    return [text for text in (task, output and f"{output['suggestion']} {output['insight']}") if text]


def holds(text: str, thing: dict[str, Any]) -> bool:
    low = text.casefold()
    return all(any(word.casefold() in low for word in group) for group in thing["words"])


def after(at: str) -> str:
    return (datetime.fromisoformat(at) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def week(place: Place, ticks: Sequence[dict[str, Any]], *, missed: bool) -> dict[str, list[bool]]:
    found: dict[str, list[bool]] = {"useful": [], "wrong": [], "unsaid": [], "missed": []}
    heard: list[str] = []
    for tick in ticks:
        due = [thing for other in ticks if tick["at"] <= other["at"] < after(tick["at"]) for thing in other["due"]]
        for name, added in tick["notes"].items():
            with (place.ws / "memory" / name).open("a", encoding="utf-8") as note:
                note.write(added.rstrip("\n") + "\n")
        reply = place.koog("--now", tick["at"], "tick", "--active", "--session-summary", "-",
                           stdin=tick["summary"].encode())  # fmt: skip
        texts = said_of(reply)
        heard += texts
        for text in texts:
            found["useful"].append(any(holds(text, thing) for thing in (*tick["useful"], *due)))
            found["wrong"].append(any(holds(text, thing) for thing in tick["wrong"]))
        found["unsaid"] += [not any(holds(text, thing) for text in heard) for thing in tick["due"]]
        found["missed"] += [not any(holds(text, thing) for text in texts) for thing in tick["useful"]]
        if missed:
            _tell({**tick, "due": due}, texts, heard, reply["skipReason"])
    return found


def _tell(tick: dict[str, Any], texts: Iterable[str], heard: Sequence[str], why: str | None) -> None:
    print(f"== {tick['at']}" + (f" ({why})" if why else ""), file=sys.stderr)
    for text in texts:
        marks = [mark for mark in ("useful", "due", "wrong") if any(holds(text, thing) for thing in tick[mark])]
        print(f"   {'+'.join(marks) or 'neither'}: {text}", file=sys.stderr)
    for mark in ("useful", "due"):
        for thing in tick[mark]:
            if not any(holds(text, thing) for text in (heard if mark == "due" else texts)):
                print(f"   not said, {mark}: {thing['what']}", file=sys.stderr)


def weeks(make: Any, lives: dict[str, Any], *, missed: bool) -> dict[str, Any]:
    found: dict[str, list[bool]] = defaultdict(list)
    for life in lives.values():
        for name, values in week(make(), life["ticks"], missed=missed).items():
            found[name] += values
    ticks = sum(len(life["ticks"]) for life in lives.values())
    return {"ticks": ticks, "said": len(found["useful"]), **{name: share(values) for name, values in found.items()}}


def read(path: Path, rows: str = ALL) -> list[list[str]]:
    table = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line.strip()]
    return table if rows == ALL else table[0 if rows == ODD else 1 :: 2]


def main() -> None:
    parser = argparse.ArgumentParser(description="Does a tick do what a good colleague would?")
    parser.add_argument("--summaries", type=Path, help="summaries with what is to be done on each")
    parser.add_argument("--rows", choices=(ALL, ODD, EVEN), default=ALL, help="of the summaries")
    parser.add_argument("--week", type=Path, help="ticks with what is useful, due and wrong at each")
    parser.add_argument("--tree", type=Path, default=ROOT, help="whose koog")
    parser.add_argument("--missed", action="store_true", help="what went wrong, on stderr")
    args = parser.parse_args()
    sys.path.insert(0, str(args.tree.resolve()))
    os.environ["PYTHONPATH"] = str(args.tree.resolve())  # else what is installed would be measured
    run = importlib.import_module("tests.warm").run
    with tempfile.TemporaryDirectory() as scratch:
        count = iter(range(1000))
        found: dict[str, Any] = {"ok": True}

        def make() -> Place:
            return Place(Path(scratch, str(next(count))), run)

        if args.summaries:
            found["summaries"] = summaries(make(), read(args.summaries, args.rows), missed=args.missed)
        if args.week:
            found["week"] = weeks(make, json.loads(args.week.read_text("utf-8")), missed=args.missed)
        print(json.dumps(found))


if __name__ == "__main__":
    main()
