"""The parts of README.md that the code already says: commands, folders, exit codes, protected keys.

    python -m docs.generate            write them
    python -m docs.generate --check    exit 1 when the file says something else

Each stands between `<!-- begin NAME -->` and `<!-- end NAME -->`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from inspect import getdoc
from pathlib import Path

from koog.cli import COMMANDS
from koog.core import config, errors

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
HEADER = {kind: re.compile(rf"^{kind} +(.+(?:\n {{8}}.+)*)$", re.MULTILINE) for kind in ("Reads", "Writes", "Asks")}
VERBS = re.compile(r"([a-z-]+(?:, [a-z-]+)*): (.+)")  # a clause of a header line that some of the file's commands share
TREE_ROW = re.compile(r"^ +(?:[├└]── )?(\w+) +\d+  (.+)$", re.MULTILINE)


def commands() -> Iterator[tuple[str, str]]:
    """Yield (`module list`, `koog.playbook.module:list_modules`) for every command, in the order of the screen."""
    for name, target in COMMANDS.items():
        if isinstance(target, str):
            yield name, target
        else:
            yield from ((f"{name} {inner}", it) for inner, it in target.items())


def map_table() -> str:
    """Return slice | commands | subject."""
    slices: dict[str, list[str]] = {}
    for name, target in commands():
        slices.setdefault(target.split(".")[1], []).append(f"`{name}`")
    rows = ((name, " ".join(them), _subject(ROOT / "koog" / name / "__init__.py")) for name, them in slices.items())
    return _table("part | commands | what for", rows)


def command_table() -> str:
    """Return command | what it does | reads | writes | asks, from the docstrings."""
    rows = []
    for name, target in commands():
        module, function = target.split(":")
        code = import_module(module)
        sentence = (getdoc(getattr(code, function)) or "").split("\n")[0]
        header = {kind: HEADER[kind].search(code.__doc__ or "") for kind in HEADER}
        told = [share(found[1], name.split()[-1]) if found else "" for found in header.values()]
        rows.append((f"`{name}`", sentence, *told))
    return _table("command | what it does | reads | writes | asks", rows)


def share(text: str, verb: str) -> str:
    """Return what a header line says of one command of its file: `export: a bundle; import: modules/`."""
    clauses = [VERBS.match(clause) or (clause, "", clause) for clause in " ".join(text.split()).split("; ")]
    own = [clause[2] for clause in clauses if not clause[1] or verb in clause[1].split(", ")]
    return "; ".join(own) or "nothing"


def folder_table() -> str:
    """Return folder | what is in it, for the packages of koog."""
    folders = sorted(path.parent for path in ROOT.glob("koog/**/__init__.py"))
    return _table("folder | what is in it", ((f"`{_from_root(f)}/`", _subject(f / "__init__.py")) for f in folders))


def exit_table() -> str:
    """Return exit code | error code | retry | meaning, from the tree in koog/core/errors.py."""
    meaning = dict(TREE_ROW.findall(errors.__doc__ or ""))
    kinds: list[type[errors.KoogError]] = [errors.KoogError, *errors.KoogError.__subclasses__()]
    rows = [("0", "–", "–", "use the line")]
    rows += [(str(k.exit_code), f"`{k.code}`", "yes" if k.retryable else "no", meaning[k.__name__]) for k in kinds]
    return _table("exit | `error.code` | retry | meaning", rows)


def protected_keys() -> str:
    """Return the keys that a workspace's own config may not set."""
    return ", ".join(f"`{key}`" for key in config.PROTECTED)


PARTS: dict[str, Callable[[], str]] = {
    "map": map_table,
    "commands": command_table,
    "folders": folder_table,
    "exits": exit_table,
    "protected": protected_keys,
}


def rendered(text: str) -> str:
    """Return the README with every part as the code says it today. Raises ValueError for a missing marker."""
    for name, part in PARTS.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise ValueError(f"README.md: not one pair of markers for {name!r}")
        text = "\n".join((text.partition(begin)[0] + begin, part(), end + text.partition(end)[2]))
    return text


def main() -> int:
    now = README.read_text("utf-8")
    then = rendered(now)
    if "--check" in sys.argv[1:]:
        if now != then:
            sys.stderr.write("README.md is behind the code: python -m docs.generate\n")
        return int(now != then)
    README.write_text(then, "utf-8")
    return 0


def _subject(path: Path) -> str:
    """Return the first line of a module's docstring, without running the module."""
    text = (ast.get_docstring(ast.parse(path.read_text("utf-8"))) or "").split("\n")[0]
    return re.sub(r" +\[.*\]", "", text)  # the section of the specification is for those who edit the code


def _from_root(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _table(head: str, rows: Iterable[Sequence[str]]) -> str:
    columns = head.split(" | ")
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|").replace("<", "\\<") for cell in line) + " |" for line in lines
    )


if __name__ == "__main__":
    sys.exit(main())
