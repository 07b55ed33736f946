"""Is every change of a month of reflections explained by `why` and `audit log`?  One JSON line.

    python bench/nights.py ../shared/corpus/locomo/conversation-*.json [--days 30] [--missed]

The talks of some conversations are told day by day, one session of each a day; every third night `consolidate run` as
cron calls it; on the next morning a person decides: eight reflections, of which two are approved whole, three in parts
(some of it by number, all but some, some with changed words), two rejected, and one approved and taken back. Whole
processes, `--now`.

applied     operations that were applied and not taken back
standing    of them those of which the stores have what they wrote, at the end
why         of them those of which `why TEXT` names the reflection: at the end, when later ones have reworded and moved
audited     of them those of which `audit log` has a line of the reflection for the file
takenBack   operations that were taken back, of which nothing is left in the stores and `audit log` has a line
rejected    operations that were rejected, of which nothing stands in the stores
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
BEGIN = datetime(2026, 3, 2, tzinfo=UTC)
EVERY = 3  # days of which one night is a reflection's
LEAST_WORDS = 6  # of a saying that is told
WHOLE, ONLY, REJECT, EXCEPT, BACK, EDIT = "whole", "only", "reject", "except", "back", "edit"
DECIDED = (WHOLE, ONLY, REJECT, EXCEPT, BACK, EDIT, REJECT, WHOLE)
PARTLY = (ONLY, EXCEPT, EDIT)
WORDED = ("core", "fact", "oppose", "replace")  # whose words a person may change
Row = dict[str, Any]


class Done(NamedTuple):
    """One operation, and what became of it."""

    reflection: str
    row: Row
    words: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("talk", type=Path, nargs="+")
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--missed", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        month = Month(Path(scratch))
        month.lived([json.loads(each.read_text("utf-8"))["sessions"] for each in given.talk], given.days)
        print(json.dumps({"bench": "nights", **month.proved(missed=given.missed)}))


class Month:
    """A workspace, and a person who decides on its reflections."""

    def __init__(self, scratch: Path) -> None:
        config = scratch / "home/config/koog"
        config.mkdir(parents=True)
        (config / "config.json").write_text('{"approval": "relayed", "engine": "builtin"}')
        (scratch / "home/.gitconfig").write_text("[user]\n\tname = Bench\n\temail = bench@example.invalid\n")
        own = {
            "HOME": f"{scratch}/home",
            "XDG_CONFIG_HOME": f"{scratch}/home/config",
            "XDG_STATE_HOME": f"{scratch}/state",
        }
        self.env = {**os.environ, **own, "PYTHONPATH": str(ROOT)}
        self.folder, self.now = scratch / "workspace", BEGIN
        self.folder.mkdir()
        self.waiting, self.outcomes = list(DECIDED), list[tuple[str, str]]()
        self.done: list[Done] = []
        self.back: list[Done] = []
        self.rejected: list[Done] = []
        self.koog("init", str(self.folder))

    def koog(self, *argv: str, may_fail: bool = False, given: str = "") -> Row:
        """Run koog as a process of its own."""
        command = [sys.executable, "-m", "koog", "--workspace", str(self.folder), "--now", self.now.isoformat(), *argv]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, input=given, check=False)
        line: Row = json.loads(done.stdout)
        if not (line["ok"] or may_fail):
            raise RuntimeError(f"{' '.join(argv)}: {line['error']}")
        return line

    def lived(self, talks: Sequence[Sequence[Row]], days: int) -> None:
        """Tell a session of each talk a day; each night a reflection, each morning what a person says to it."""
        for n in range(days):
            day = BEGIN + timedelta(days=n)
            for at, sessions in enumerate(talks):
                told = [" ".join(turn["text"].split()) for turn in sessions[n % len(sessions)]["turns"]]
                told = [each for each in told if len(each.split()) >= LEAST_WORDS]
                self.now = day + timedelta(hours=9 + at)
                lines = "\n".join(json.dumps({"text": each}) for each in told)
                self.koog("remember", "--batch", "-", may_fail=True, given=lines)
            if (n + 1) % EVERY:
                continue
            self.now = day + timedelta(days=1, hours=3)
            made = self.koog("consolidate", "run", "--trigger", "scheduled", may_fail=True)
            self.now += timedelta(hours=5)
            if made.get("id") and made.get("operations"):
                self.decided(made["operations"])

    def shown(self) -> tuple[Row, list[Row]]:
        rows, offset = list[Row](), 0
        while offset is not None:
            plan = self.koog("consolidate", "show", "--offset", str(offset))
            rows += plan["operations"]
            offset = plan["next"]
        return plan, rows

    def decided(self, count: int) -> None:
        """Say to a reflection what a person does: what is next of those, and of a single operation no part."""
        how = next((each for each in self.waiting if (each in PARTLY) <= (count > 1)), None)
        if how is None:
            return
        self.waiting.remove(how)
        plan, rows = self.shown()
        id_, every = plan["id"], [row["id"] for row in rows]
        self.outcomes.append((id_, how))
        if how == REJECT:
            self.koog("consolidate", "reject", id_, "--why", "I would rather not")
            self.rejected += [Done(id_, row, words(row)) for row in rows]
            return
        half, changed = ",".join(every[: len(every) // 2]), dict[str, str]()
        argv = ["consolidate", "approve", id_, "--confirm", plan["digest"]]
        argv += {ONLY: ["--only", half], EXCEPT: ["--except", half]}.get(how, [])
        if how == EDIT:
            first = next((row for row in rows if row["kind"] in WORDED and row["after"]), None)
            last = rows[-1] if first is not rows[-1] else rows[0]
            changed = {first["id"]: f"{words(first)} (so I say)"} if first else {}
            file = self.folder.parent / "edit.json"
            file.write_text(json.dumps([{"id": key, "text": text} for key, text in changed.items()]))
            argv += ["--edit", str(file), "--except", last["id"]]
        done = self.koog(*argv)
        gone = [*done["rejected"], *done["waiting"]]
        if done["waiting"]:
            self.koog("consolidate", "reject", id_, "--why", "the rest not")
        applied = [Done(id_, row, changed.get(row["id"], words(row))) for row in rows if row["id"] in done["applied"]]
        self.rejected += [Done(id_, row, words(row)) for row in rows if row["id"] in gone]
        if how == BACK:
            self.taken_back(id_)
            self.back += applied
        else:
            self.done += applied

    def taken_back(self, id_: str) -> None:
        shown = self.koog("rollback", "session", id_)
        self.koog("rollback", "session", id_, *shown["confirm"].split())

    def proved(self, *, missed: bool) -> Row:
        """Return of how many operations the stores, `why` and the log tell what became of them."""
        self.now += timedelta(days=1)
        figures: Row = {"decided": self.outcomes, "applied": len(self.done)}
        for name, holds in (("standing", self.stands), ("why", self.is_explained), ("audited", self.is_audited)):
            failed = [each for each in self.done if not holds(each)]
            figures[name] = len(self.done) - len(failed)
            for each in failed if missed else ():
                print(f"no {name}: {each.reflection} {each.row['kind']} {each.words}", file=sys.stderr)
        figures["takenBack"] = [len(self.back), sum(self.is_gone(e) and self.is_reverted(e) for e in self.back)]
        figures["rejected"] = [len(self.rejected), sum(self.is_gone(e) for e in self.rejected)]
        return figures

    def stands(self, done: Done) -> bool:
        return done.row["kind"] == "archive" or any(done.words in text for text in self.texts())

    def is_explained(self, done: Done) -> bool:
        """Return whether `why` names the reflection, asked by the words alone; of a link, by whose it is."""
        row = done.row
        asked = (
            row["target"]
            if row["kind"] == "relation"
            else row["sources"][0]
            if row["kind"] == "archive"
            else done.words
        )
        asked = f"entity:{asked}" if row["kind"] == "relation" else asked
        told = self.koog("why", asked, may_fail=True)
        return any(step["reflection"] == done.reflection for step in told.get("trail", ()))

    def is_audited(self, done: Done) -> bool:
        found = self.koog("audit", "log", "--actor", f"reflection:{done.reflection}", "--limit", "500")["entries"]
        return done.row["kind"] == "archive" or any(entry["file"] == done.row["file"] for entry in found)

    def is_reverted(self, done: Done) -> bool:
        found = self.koog("audit", "log", "--action", "REVERT", "--limit", "500")["entries"]
        return done.row["kind"] == "archive" or any(entry["file"] == done.row["file"] for entry in found)

    def is_gone(self, done: Done) -> bool:
        """Return whether no store has a row as the operation would have written it, unless a later one wrote it."""
        later = {each.words for each in self.done}
        mark = f"{done.words} <!--"
        return done.words in later or not any(mark in text and "dc:of=" in text for text in self.rows())

    def texts(self) -> Iterator[str]:
        for path in [self.folder / "MEMORY.md", *(self.folder / "memory").rglob("*.md")]:
            if path.exists() and "meta" not in path.parts:
                yield path.read_text("utf-8")

    def rows(self) -> Iterator[str]:
        return (row for text in self.texts() for row in text.split("\n"))


def words(row: Row) -> str:
    """Return the words that an operation writes, else those that it takes away."""
    told = row["after"] or row["before"] or ""
    return str(told).partition(" <!--")[0].removeprefix("- ")


if __name__ == "__main__":
    main()
