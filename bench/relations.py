"""What does `reflect` do with two lines whose relation somebody has labelled?  One JSON line.

    python -m bench.relations --pairs FILE
    python -m bench.relations --pairs FILE --tree ../elsewhere --missed     # what was done otherwise, on stderr

A pair is older, newer, relation, lang. Each is a file of two 🔴 lines, two weeks apart, of one project, reflected upon
with the built-in engine.

same, adds    one of the two is left; of adds the newer one
supersedes    the newer one is left
lost          share of the distinct and unrelated pairs of which only one is left
opposed       the same of the pairs that contradict each other; linked: share of them that name each other
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from bench.statements import ROOT, SHARED, Place, read, share

ROW = "- 🔴 09:00 User: {text} <!-- dc:type=fact dc:importance=8 dc:date={day} dc:source=claude/p/{n}#a -->\n"
BOTH = ("distinct", "unrelated", "contradicts")


def reflected(place: Place, pair: dict[str, Any]) -> tuple[bool, bool, bool]:
    """Return whether the older line is left, whether the newer one is, and whether they are linked."""
    days = (("2026-02-20", pair["older"]), ("2026-03-06", pair["newer"]))
    path = place.ws / "memory/observations.md"
    path.write_text(
        "\n".join(f"Date: {day}\n\n{ROW.format(day=day, text=text, n=n)}" for n, (day, text) in enumerate(days)),
        "utf-8",
    )
    place.koog("reflect", "--force")
    left = path.read_text("utf-8")
    older, newer = (f"User: {pair[which]} <!--" in left for which in ("older", "newer"))
    return older, newer, " dc:against=" in left


def measure(place: Place, pairs: list[dict[str, Any]], *, missed: bool) -> dict[str, Any]:
    found: dict[str, list[bool]] = defaultdict(list)
    for pair in pairs:
        relation = pair["relation"]
        older, newer, is_linked = reflected(place, pair)
        is_right = older != newer if relation == "same" else newer and not older
        if relation in BOTH:
            is_right = older and newer
        found[relation].append(is_right)
        if relation == "contradicts":
            found["linked"].append(is_linked)
        if missed and not is_right:
            print(f"{relation}: {pair['older']} | {pair['newer']} | left: {older} {newer}", file=sys.stderr)
    shown = {name: share(found[name]) for name in ("same", "adds", "supersedes", "linked")}
    lost = [not right for right in found["distinct"] + found["unrelated"]]
    opposed = [not right for right in found["contradicts"]]
    return {"ok": True, "pairs": len(pairs), **shown, "lost": share(lost), "opposed": share(opposed)}


def main() -> None:
    parser = argparse.ArgumentParser(description="What does reflect do with two lines whose relation is labelled?")
    parser.add_argument("--pairs", type=Path, default=SHARED / "relations_dev.jsonl")
    parser.add_argument("--tree", type=Path, default=ROOT, help="whose koog")
    parser.add_argument("--missed", action="store_true", help="what was done otherwise, on stderr")
    args = parser.parse_args()
    sys.path.insert(0, str(args.tree.resolve()))
    os.environ["PYTHONPATH"] = str(args.tree.resolve())  # else what is installed would be measured
    run = importlib.import_module("tests.warm").run
    with tempfile.TemporaryDirectory() as scratch:
        print(json.dumps(measure(Place(Path(scratch), run), read(args.pairs), missed=args.missed)))


if __name__ == "__main__":
    main()
