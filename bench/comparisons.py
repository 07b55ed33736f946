"""What does koog make of two lines: same, more, in its place, opposed, or two things?  One JSON line.

    python bench/comparisons.py
    python bench/comparisons.py --pairs FILE --tree ../elsewhere --through reflect
    python bench/comparisons.py --missed     # what was judged otherwise than by hand, on stderr

Without --through, `compare` is asked directly: `found` is the share of each relation that it names, `joined` of same
and adds those of which it says that one of the two can go. `wrong` is the share of the distinct, unrelated and
contradicting pairs that it would join or replace, which must stay below 2%; `languages` has what is rightly joined or
replaced, and wrongly. `reference` is the rule that was there before: at least 75% of all stems in common.

With --through reflect, each pair is a file of two observations of one mark, the older line's on one day and the newer's
on the next, through the command line of the koog in --tree with the built-in engine: `gone` is the share of each
relation of which one line was dropped or both were joined, `olderGone` of which the older one was.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from statements import Place

ROOT = Path(__file__).resolve().parent.parent
RELATIONS = ("same", "adds", "supersedes", "contradicts", "distinct", "unrelated")
SUPERSEDES = "supersedes"
ONE_GOES = ("same", "adds", SUPERSEDES)
JACCARD = 0.75
DAYS = ("2026-03-09", "2026-03-10")
COMMENT = "<!-- dc:type=fact dc:importance=5 dc:date={day} dc:confidence=0.9 dc:source=claude/p/s#{n} -->"


def share(flags: list[bool]) -> float | None:
    return round(sum(flags) / len(flags), 3) if flags else None


def of(rows: list[dict[str, Any]], found: list[str]) -> dict[str, list[str]]:
    """Return relation by hand → what was found."""
    by: dict[str, list[str]] = defaultdict(list)
    for row, kind in zip(rows, found, strict=True):
        by[row["relation"]].append(kind)
    return by


def figures(rows: list[dict[str, Any]], found: list[str]) -> dict[str, Any]:
    by = of(rows, found)
    stand = [kind for name in RELATIONS[3:] for kind in by[name]]
    told: dict[str, Any] = {
        "found": {name: share([kind == name for kind in by[name]]) for name in RELATIONS},
        "joined": {name: share([kind in ONE_GOES[:2] for kind in by[name]]) for name in ONE_GOES[:2]},
        "wrong": share([kind in ONE_GOES for kind in stand]),
        "wrongBy": {name: share([kind in ONE_GOES for kind in by[name]]) for name in RELATIONS[3:]},
        "languages": {},
    }
    for lang in sorted({row["lang"] for row in rows}):
        here = [(row["relation"], kind) for row, kind in zip(rows, found, strict=True) if row["lang"] == lang]
        wanted = [(name, kind) for name, kind in here if name in ONE_GOES]
        right = [kind in ONE_GOES and (kind == SUPERSEDES) == (name == SUPERSEDES) for name, kind in wanted]
        told["languages"][lang] = [
            share(right),
            share([kind in ONE_GOES for name, kind in here if name not in ONE_GOES]),
        ]
    return told


def reflected(rows: list[dict[str, Any]], run: Callable[..., Any]) -> dict[str, Any]:
    """Return what `koog reflect` did with each pair as a file of two lines."""
    gone: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder, "place"), run)
        file = place.ws / "memory/observations.md"
        for row in rows:
            lines = (row["older"], row["newer"])
            text = "# Observations\n"
            for n, (day, line) in enumerate(zip(DAYS, lines, strict=True)):
                text += f"\nDate: {day}\n\n- 🟡 09:14 {line} {COMMENT.format(day=day, n=n)}\n"
            file.write_text(text, "utf-8")
            place.koog("reflect")
            after = [line.text for line in place.observations()]
            gone.append("" if len(after) == len(lines) else "newer" if row["older"] in after else "older")
    by = of(rows, gone)
    return {
        "gone": {name: share([bool(which) for which in by[name]]) for name in RELATIONS},
        "olderGone": {name: share([which == "older" for which in by[name]]) for name in RELATIONS},
        "wrong": share([bool(which) for name in RELATIONS[3:] for which in by[name]]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="What does koog make of two lines?")
    parser.add_argument("--tree", type=Path, default=ROOT, help="whose koog")
    parser.add_argument("--pairs", type=Path, default=ROOT / "data/comparisons.jsonl")
    parser.add_argument("--through", choices=("compare", "reflect"), default="compare")
    parser.add_argument("--missed", action="store_true", help="what was judged otherwise than by hand, on stderr")
    args = parser.parse_args()
    sys.path.insert(0, str(args.tree.resolve()))
    os.environ["PYTHONPATH"] = str(args.tree.resolve())  # else what is installed would be measured
    rows = [json.loads(line) for line in args.pairs.read_text("utf-8").splitlines() if line.strip()]
    told: dict[str, Any] = {"ok": True, "pairs": len(rows)}
    if args.through == "reflect":
        told |= reflected(rows, importlib.import_module("tests.warm").run)
    else:
        compare = importlib.import_module("koog.core.text.compare").compare
        jaccard = importlib.import_module("koog.core.text.measures").jaccard
        found = [compare(row["older"], row["newer"]).kind for row in rows]
        told |= figures(rows, found)
        told["reference"] = figures(
            rows, ["same" if jaccard(row["older"], row["newer"]) >= JACCARD else "distinct" for row in rows]
        )
        for row, kind in zip(rows, found, strict=True):
            if args.missed and kind != row["relation"]:
                print(f"{row['relation']} taken for {kind}: {row['older']} | {row['newer']}", file=sys.stderr)
    print(json.dumps(told, ensure_ascii=False))


if __name__ == "__main__":
    main()
