"""How soon does a folder of somebody's notes answer, and does it stay as it was?

    python bench/vaults.py [--seed 7] [--only obsidian] [--engine builtin]

Three folders are made from a seed: an Obsidian vault of 300 notes, a flat folder of 10,000, a docs repository with
code. In each koog is set up twice, beside the notes and with `init --into _koog`, and asked for a fact that stands in
one note; then every command that works on notes runs once, as whole processes. Looked at afterwards: each file of
the person's (bytes, time, mode), what was committed, what lies at the top. Prints one JSON line. The reference is
`grep -r` for a rare word of the answer, in the same run.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NOW = "2026-02-28T12:00:00Z"
SECONDS, COMMANDS = 20.0, 3  # to the first answer
INTO = "_koog"
KOOGS = {".gitignore", ".koog", ".git", "HEARTBEAT.md", "SKILL.md", "koog-config.json", "memory", "modules"}
TOPICS = (
    "the greenhouse,the accordion,the tax return,the cargo bike,the choir,the attic,the importer,the map tiles".split(
        ","
    )
)
DOINGS = "needs a new seal,waits for a reply,is done since Tuesday,was slower than planned,cost 240 euros".split(",")
PEOPLE = "Mara Öztürk,Jonas Weber,Zoë Brandt,Émile Roux,Ana López,Søren Holm".split(",")
QUESTION, WORD = "Which valve did the plumber close under the stairs?", "quatrefoil"
FACT = f"The plumber closed the {WORD} valve under the stairs, and nobody may open it before May."
# What works on notes, called once each after the first answer.
REST = [
    ["status"],
    ["index"],
    ["startup"],
    ["compile", "--message", QUESTION],
    ["mine"],
    ["topic", "list"],
    ["module", "list"],
    ["observe"],
    ["tick", "--idle"],
    ["backup", "--no-push"],
    ["doctor"],
]
Write = Callable[[str, str], None]


class Vault(NamedTuple):
    """One folder of notes: what is in it, where the fact stands, from which folder in it koog is called."""

    make: Callable[[random.Random, Write], None]
    answer: str
    below: str
    is_repository: bool = False


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--engine", choices=["builtin"], default="builtin")
    parser.add_argument("--only", choices=sorted(VAULTS))
    options = parser.parse_args()
    found = {}
    for name, vault in VAULTS.items():
        if options.only in (None, name):
            with tempfile.TemporaryDirectory(prefix="vaults-") as folder:
                found[name] = measured(vault, Path(folder).resolve(), options.seed, options.engine)
    every = [mode for row in found.values() for mode in row["modes"].values()]
    is_met = all(mode["answered"] and mode["seconds"] <= SECONDS for mode in every)
    is_clean = not any(mode["changed"] or mode["theirsCommitted"] or mode["stray"] or mode["failed"] for mode in every)
    goal = {"commands": COMMANDS, "seconds": SECONDS, "met": is_met and is_clean}
    print(json.dumps({"bench": "vaults", "seed": options.seed, "goal": goal, "vaults": found}, separators=(",", ":")))
    sys.exit(0 if goal["met"] else 1)


def measured(vault: Vault, folder: Path, seed: int, engine: str) -> dict[str, Any]:
    made = folder / "made"
    files = 0

    def write(name: str, text: str) -> None:
        nonlocal files
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        os.utime(path, (1_700_000_000 + files, 1_700_000_000 + files))
        files += 1

    vault.make(random.Random(seed), write)
    notes = sum(1 for _ in made.rglob("*.md"))
    if vault.is_repository:
        for argv in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "theirs"]):
            git(made, *argv)
    modes = {}
    for mode, options in (("plain", []), ("into", ["--into", INTO])):
        copy = folder / mode / "vault"
        shutil.copytree(made, copy, symlinks=True)
        modes[mode] = Course(vault, copy, folder / f"home-{mode}", engine).figures(options)
    return {"files": files, "notes": notes, "modes": modes}


class Course:
    """One folder of notes, in which koog is set up and used."""

    def __init__(self, vault: Vault, folder: Path, home: Path, engine: str) -> None:
        self.vault, self.folder, self.engine = vault, folder, engine
        self.head = git(folder, "rev-parse", "HEAD").strip() if vault.is_repository else ""
        home.mkdir()
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("KOOG_", "OPENROUTER_"))}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)
        self.env = {**kept, "HOME": str(home), "PYTHONPATH": str(ROOT), "GIT_CONFIG_GLOBAL": os.devnull}
        self.env |= {f"XDG_{name}_HOME": f"{home}/{name}" for name in ("CONFIG", "STATE", "CACHE")}

    def figures(self, options: list[str]) -> dict[str, Any]:
        is_into, before, tops = bool(options), dict(self.theirs()), self.top()
        initial, init_s = self.koog("init", ".", *options)
        answer, search_s = self.koog("search", QUESTION, cwd=self.folder / self.vault.below)
        again, again_s = self.koog("search", QUESTION)
        grep_s = self.grep()
        lines = {" ".join(argv[:2] if argv[1:] and argv[0] in ("topic", "module") else argv[:1]): argv for argv in REST}
        rest = {name: self.koog(*argv, cwd=self.folder / self.vault.below) for name, argv in lines.items()}
        after = dict(self.theirs())
        stray = {name for name in self.top() - tops if name not in ({INTO} if is_into else KOOGS)}
        return {
            "commands": 2,
            "seconds": round(init_s + search_s, 2),
            "initS": round(init_s, 2),
            "searchS": round(search_s, 2),
            "againS": round(again_s, 2),
            "grepS": round(grep_s, 3),
            "answered": self.is_answer(answer) and self.is_answer(again),
            "notesFound": initial.get("notes", {}).get("files"),
            "backup": initial.get("backup"),
            "changed": sum(1 for name in before.keys() | after.keys() if before.get(name) != after.get(name)),
            "theirsCommitted": len(self.theirs_committed(set(before))),
            "stray": sorted(stray),
            "failed": [name for name, (line, _) in rest.items() if not line.get("ok")]
            + ([] if rest["doctor"][0].get("healthy") else ["doctor: not healthy"]),
            "restS": round(sum(seconds for _, seconds in rest.values()), 2),
            "tickS": round(rest["tick"][1], 2),
        }

    def top(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()}

    def koog(self, *argv: str, cwd: Path | None = None) -> tuple[dict[str, Any], float]:
        """Run koog; return its line and how many seconds it took."""
        command = [sys.executable, "-m", "koog", "--now", NOW, "--engine", self.engine, *argv]
        started = time.perf_counter()
        done = subprocess.run(command, cwd=cwd or self.folder, env=self.env, capture_output=True, check=False)
        seconds = time.perf_counter() - started
        try:
            line = json.loads(done.stdout)
        except ValueError:
            line = {"ok": False}
        if not line["ok"]:
            print(" ".join(argv), done.stdout.decode()[:500], done.stderr.decode()[-500:], file=sys.stderr)
        return line, seconds

    def grep(self) -> float:
        started = time.perf_counter()
        command = ["grep", "-rIl", "--include=*.md", WORD, "."]
        subprocess.run(command, cwd=self.folder, stdout=subprocess.DEVNULL, check=False)
        return time.perf_counter() - started

    def is_answer(self, line: dict[str, Any]) -> bool:
        """Return whether the first hit is the note, cited so that a person finds the line."""
        hit = next(iter(line.get("hits", [])), None)
        if hit is None or hit["path"] != self.vault.answer or hit["weak"]:
            return False
        lines = (self.folder / hit["path"]).read_text().split("\n")
        return any(WORD in lines[number - 1] for number in range(hit["lines"][0], hit["lines"][1] + 1))

    def theirs(self) -> Iterator[tuple[str, tuple[str, int, int]]]:
        """Yield each file of the person's: its digest, time and mode."""
        for path in self.folder.rglob("*"):
            name = path.relative_to(self.folder).as_posix()
            top = name.partition("/")[0]
            # What koog is told to make; in a folder that had none of these names before.
            if path.is_file() and top not in (INTO, *(KOOGS - {".gitignore"})) and not self.is_koogs(name):
                info = path.stat()
                yield name, (hashlib.sha256(path.read_bytes()).hexdigest(), info.st_mtime_ns, info.st_mode)

    def is_koogs(self, name: str) -> bool:
        """Return whether koog made the one file of its own that a person may have, too."""
        return name == ".gitignore" and not self.vault.is_repository

    def theirs_committed(self, theirs: set[str]) -> set[str]:
        """Return the files of the person's that are in a commit which was made since."""
        found: set[str] = set()
        for top, prefix in ((self.folder, ""), (self.folder / INTO, f"{INTO}/")):
            if (top / ".git").exists():
                since = [f"^{self.head}"] if self.head and not prefix else []
                named = git(top, "log", "--format=", "--name-only", "-z", "HEAD", *since)
                found |= {prefix + name.strip("\n") for name in named.split("\0")}
        return found & theirs


def git(folder: Path, *argv: str) -> str:
    who = ("-c", "user.name=Somebody", "-c", "user.email=somebody@example.invalid")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull}
    done = subprocess.run(["git", "-C", str(folder), *who, *argv], env=env, capture_output=True, text=True, check=True)
    return done.stdout


# --- the three folders


def sentence(dice: random.Random) -> str:
    return f"{dice.choice(TOPICS).capitalize()} {dice.choice(DOINGS)}, says {dice.choice(PEOPLE)}."


def text(dice: random.Random, title: str, *, lines: int) -> str:
    rows = [f"- {sentence(dice)}" if dice.random() < 0.4 else sentence(dice) for _ in range(lines)]
    return "\n".join([f"# {title}", "", *rows, f"[[{dice.choice(PEOPLE)}]] #{dice.choice('abc')}", ""])


def obsidian(dice: random.Random, write: Write) -> None:
    """Write 300 notes as they lie in an Obsidian vault, and what else lies there."""
    for number in range(120):
        day = date(2026, 2, 28) - timedelta(days=number)
        write(f"Daily/{day}.md", text(dice, str(day), lines=6))
    for name in PEOPLE:
        write(f"People/{name}.md", text(dice, name, lines=4))
    for number in range(60):
        write(f"Projects/Größe {number:02}/Überblick & Plan.md", text(dice, f"Plan {number}", lines=12))
    for number in range(107):
        write(f"Zettel/2025{number:04} – Idee (v{number}).md", text(dice, f"Idee {number}", lines=8))
    write("Haus/Keller.md", f"# Keller\n\n{sentence(dice)}\n\n{FACT}\n")
    for number in range(4):
        write(f"Inbox {number}.md", text(dice, f"Inbox {number}", lines=3))
    for name in ("Tag", "Projekt"):
        write(f"Templates/{name}.md", "# {{title}}\n\n- {{date}}\n")
    write(".obsidian/app.json", '{"alwaysUpdateLinks": true}\n')
    write(".obsidian/workspace.json", "{}\n")
    write(".obsidian/plugins/dataview/README.md", f"# Dataview\n\n{WORD} is a word of this plugin, too.\n")
    write(".trash/Old.md", f"The {WORD} valve is where it always was.\n")
    for number in range(20):
        write(f"attachments/Bild {number}.png", f"\x89PNG{dice.random()}\x00\x01")


def flat(dice: random.Random, write: Write) -> None:
    """Write 10,000 notes into one folder."""
    for number in range(9999):
        write(f"{number:05} {dice.choice(TOPICS).removeprefix('the ')}.md", text(dice, f"Note {number}", lines=6))
    write("Rohre im Flur.md", f"# Rohre im Flur\n\n{FACT}\n")


def docs(dice: random.Random, write: Write) -> None:
    """Write a repository of code with its documentation."""
    for name in ("README.md", "CHANGELOG.md", "AGENTS.md"):
        write(name, text(dice, name.removesuffix(".md").capitalize(), lines=20))
    for number in range(200):
        write(f"src/app/part_{number % 12}/module_{number}.py", f'"""{sentence(dice)}"""\n\nVALUE = {number}\n')
        write(f"docs/{'guide' if number % 2 else 'reference'}/page-{number}.md", text(dice, f"Page {number}", lines=15))
    for number in range(30):
        write(f"docs/adr/{number:04}-decision.md", text(dice, f"Decision {number}", lines=10))
    for number in range(8):
        write(f"packages/p{number}/README.md", text(dice, f"Package {number}", lines=8))
    write("docs/guide/installation.md", f"# Installation\n\n{sentence(dice)}\n\n{FACT}\n")
    write("archive/2019/notes.md", text(dice, "2019", lines=10))
    for number in range(150):
        write(f"node_modules/lib{number}/README.md", f"# lib{number}\n\nA {WORD} for programs.\n")
    write(".gitignore", "node_modules/\n")
    write(".github/workflows/ci.yml", "on: push\n")


VAULTS = {
    "obsidian": Vault(obsidian, "Haus/Keller.md", "Projects"),
    "flat": Vault(flat, "Rohre im Flur.md", "."),
    "docs": Vault(docs, "docs/guide/installation.md", "src/app", is_repository=True),
}

if __name__ == "__main__":
    main()
