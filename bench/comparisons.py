"""What does koog make of two lines: same, more, in its place, opposed, or two things?  One JSON line.

    python bench/comparisons.py
    python bench/comparisons.py --pairs FILE --tree ../elsewhere
    python bench/comparisons.py --missed     # what was judged otherwise than by hand, on stderr

`found` is the share of each relation that `compare` names, `joined` of same and adds those of which it says that one of
the two can go. `wrong` is the share of the distinct, unrelated and contradicting pairs that it would join or replace;
`languages` has what is rightly joined or replaced, and wrongly. `reference` is the rule that was there before: at least
75% of all stems in common. What `reflect` does with such pairs, bench/relations.py tells.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RELATIONS = ("same", "adds", "supersedes", "contradicts", "distinct", "unrelated")
SUPERSEDES = "supersedes"
ONE_GOES = ("same", "adds", SUPERSEDES)
JACCARD = 0.75


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


def main() -> None:
    parser = argparse.ArgumentParser(description="What does koog make of two lines?")
    parser.add_argument("--tree", type=Path, default=ROOT, help="whose koog")
    parser.add_argument("--pairs", type=Path, default=ROOT / "data/comparisons.jsonl")
    parser.add_argument("--missed", action="store_true", help="what was judged otherwise than by hand, on stderr")
    args = parser.parse_args()
    sys.path.insert(0, str(args.tree.resolve()))
    os.environ["PYTHONPATH"] = str(args.tree.resolve())  # else what is installed would be measured
    rows = [json.loads(line) for line in args.pairs.read_text("utf-8").splitlines() if line.strip()]
    told: dict[str, Any] = {"ok": True, "pairs": len(rows)}
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
