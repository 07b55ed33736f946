"""Draw mined lines to be judged by a reader, and print them as one JSON line.

    python bench/mined_sample.py [--seed 7] [--count 40] WORKSPACE…

Runs the built-in miner over each workspace note by note, oldest first, as the heartbeat would: what
was mined before is the playbook, so that repeats show up as what they are; what is shaped like an
order goes to a person instead, as `koog mine` does it. The lines are drawn without replacement from
all of them; the same notes and seed give the same draw.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from pathlib import Path

from koog.core.text.directives import is_directive
from koog.core.text.untrusted import clean
from koog.heartbeat.mine_rules import MineInput, answer
from koog.heartbeat.notes import Note

DAILY = re.compile(r"(\d{4}-\d{2}-\d{2})(?:-.+)?\.md")
KINDS = ("newPatterns", "preferences", "contradictions")


def mined(workspace: Path) -> list[dict[str, object]]:
    """Return every line mined from a workspace's daily notes, in the order of the notes."""
    lines: list[dict[str, object]] = []
    playbook: list[str] = []
    for path in sorted((workspace / "memory").glob("*.md")):
        name = DAILY.fullmatch(path.name)
        if not name:
            continue
        note = Note(f"memory/{path.name}", name[1], clean(path.read_text(encoding="utf-8")))
        found = answer(MineInput(playbook="\n".join(f"- {text}" for text in playbook), notes=(note,)))
        for kind in KINDS:
            kept = [line for line in found[kind] if not is_directive(line["text"])]  # type: ignore[literal-required]
            lines += [{"kind": kind, **line, "workspace": workspace.name} for line in kept]
            playbook += [line["text"] for line in kept if kind != "contradictions"]
    return lines


def main() -> int:
    """Draw and print."""
    parser = argparse.ArgumentParser(description="Draw mined lines to be judged by a reader.")
    parser.add_argument("workspace", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--count", type=int, default=40)
    args = parser.parse_args()
    began = time.process_time()
    lines = [line for workspace in args.workspace for line in mined(workspace)]
    seconds = time.process_time() - began
    drawn = random.Random(args.seed).sample(lines, min(args.count, len(lines)))
    counts = {kind: sum(line["kind"] == kind for line in lines) for kind in KINDS}
    print(json.dumps({"ok": True, "mined": counts, "cpuSeconds": round(seconds, 2), "seed": args.seed, "drawn": drawn}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
