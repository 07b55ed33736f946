"""What does `startup` tell of a life in which things change: the new value, the old one, what stayed?  One JSON line.

    python bench/life.py [--life FILE]
    python bench/life.py --tree ../elsewhere --missed     # what was told otherwise, on stderr

A row of the file is a life: sessions (date, turns of a user and an agent), corrections (old_words, new_words: what
each of the two is known by), unchanged facts (words). Each session is one of Claude Code; after each `observe` and
`reflect --force` run with the built-in engine, a day after the last `startup` does.

newTold      share of the corrections of which one line of the startup text has all words of the new value
oldTold      of the old value, and not of the new one: a line that says "B, not A" tells B
right        the new one is told and the old one is not
observed     the new value stands in observations.md after all: what is not can't be told
unchanged    share of the unchanged facts of which one line of observations.md has all words; before: without reflection
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.statements import ROOT, Place, Said, share

APART = timedelta(minutes=2)


def live(place: Place, sessions: list[dict[str, Any]], *, reflects: bool) -> tuple[list[str], list[str]]:
    """Observe the sessions one after the other; return the lines of the startup text and of observations.md."""
    at = datetime.now(UTC)
    for n, session in enumerate(sessions):
        at = datetime.fromisoformat(session["date"]).replace(hour=9, tzinfo=UTC)
        turns = [Said(turn["role"], turn["text"], f"s{n}") for turn in session["turns"]]
        place.session(f"{n:08x}-0000-4000-8000-00000000001f", turns, at, apart=APART)
        evening = ("--now", (at + timedelta(hours=12)).isoformat())
        since = (at - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        place.koog(*evening, "observe", "--source", "claude", "--since", since)
        if reflects:
            place.koog(*evening, "reflect", "--force")
    told = place.put_out("--now", (at + timedelta(days=1)).isoformat(), "startup")
    return told.splitlines(), [line.text for line in place.observations()]


def has(lines: Iterable[str], words: list[str], *, without: list[str] | None = None) -> bool:
    """Return whether one line has all of the words, and not all of some others."""
    return any(_all(line, words) and not (without and _all(line, without)) for line in lines)


def _all(line: str, words: list[str]) -> bool:
    low = " ".join(line.casefold().replace("’", "'").split())
    return all(" ".join(word.casefold().split()) in low for word in words)


def measure(make: Any, lives: list[dict[str, Any]], *, missed: bool) -> dict[str, Any]:
    found: dict[str, list[Any]] = defaultdict(list)
    for life in lives:
        for name, values in lived(make, life, missed=missed).items():
            found[name] += values
    corrections = len(found["right"])
    return {
        "ok": True,
        "lives": len(lives),
        "corrections": corrections,
        **{name: share(v) for name, v in found.items()},
    }


def lived(make: Any, life: dict[str, Any], *, missed: bool) -> dict[str, list[bool]]:
    """Return of each correction, and of each unchanged fact, what holds."""
    startup, seen = live(make(), life["sessions"], reflects=True)
    _, before = live(make(), life["sessions"], reflects=False)
    new = [has(startup, each["new_words"]) for each in life["corrections"]]
    old = [has(startup, each["old_words"], without=each["new_words"]) for each in life["corrections"]]
    kept = [has(seen, each["words"]) for each in life["unchanged"]]
    stood = [has(before, each["words"]) for each in life["unchanged"]]
    if missed:
        for each, is_new, is_old in zip(life["corrections"], new, old, strict=True):
            if not is_new or is_old:
                what = "both" if is_new else "old" if is_old else "neither"
                print(f"{what}: {each['old']} | {each['new']}", file=sys.stderr)
        for each, is_kept, stands in zip(life["unchanged"], kept, stood, strict=True):
            if stands and not is_kept:
                print(f"lost: {each['fact']}", file=sys.stderr)
    return {
        "newTold": new,
        "oldTold": old,
        "right": [is_new and not is_old for is_new, is_old in zip(new, old, strict=True)],
        "observed": [has(before, each["new_words"]) for each in life["corrections"]],
        "unchanged": kept,
        "unchangedBefore": stood,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="What does startup tell of a life in which things change?")
    parser.add_argument("--life", type=Path, default=ROOT / "data/lives.jsonl")
    parser.add_argument("--tree", type=Path, default=ROOT, help="whose koog")
    parser.add_argument("--missed", action="store_true", help="what was told otherwise, on stderr")
    args = parser.parse_args()
    sys.path.insert(0, str(args.tree.resolve()))
    os.environ["PYTHONPATH"] = str(args.tree.resolve())  # else what is installed would be measured
    run = importlib.import_module("tests.warm").run
    with tempfile.TemporaryDirectory() as scratch:
        count = iter(range(1000))
        text = args.life.read_text("utf-8")
        lives = [json.loads(text)] if args.life.suffix == ".json" else [json.loads(row) for row in text.splitlines()]
        print(json.dumps(measure(lambda: Place(Path(scratch, str(next(count))), run), lives, missed=args.missed)))


if __name__ == "__main__":
    main()
