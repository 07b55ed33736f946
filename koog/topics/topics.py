"""topics/*.md: what koog is to know when a situation arises, and what tells of one.  [autopoiesis §2.2]

One bad file hides no other. To parse a thousand files of YAML takes half a second, so what was
parsed is kept in `.koog/topics.json`, by the state of each file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from koog.core.errors import NotFound, WorkspaceError
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace
from koog.core.named import NamedTuple
from koog.topics.topic_file import Problem, Topic, Trigger, nearest, parse

__all__ = ["FOLDER", "Problem", "Topic", "Topics", "Trigger", "load", "named"]

FOLDER = "topics"
FILE_CHARS = 256 * 1024
CACHE = "topics.json"
CACHE_VERSION = 1  # of the rows below; another one is read as an empty cache

State = list[int]
Parsed = Topic | list[Problem]


class Topics(NamedTuple):
    """The topics of a workspace by name, and the problems of the files that are none."""

    topics: list[Topic]
    problems: list[Problem]


def load(workspace: Workspace) -> Topics:
    """Read every topic file, README.md and `_index.md` and its like aside; what is wrong is a problem, no error."""
    known = _remembered(workspace)
    found: dict[str, tuple[State, Parsed]] = {}
    for path, state in _states(workspace):
        kept = known.get(path)
        found[path] = kept if kept and kept[0] == state else (state, _read(workspace, path))
    if {path: state for path, (state, _) in found.items()} != {path: state for path, (state, _) in known.items()}:
        _remember(workspace, found)
    return _unique({path: parsed for path, (_, parsed) in found.items()})


def named(topics: Sequence[Topic], name: str) -> Topic:
    """Return a topic by its name. Raises NotFound."""
    for topic in topics:
        if topic.name == name:
            return topic
    near = nearest(name, [topic.name for topic in topics])
    raise NotFound(f"no topic {name!r}", hint=f"did you mean {near!r}?" if near else "koog topic list")


def _states(workspace: Workspace) -> Iterator[tuple[str, State]]:
    """Yield (path, [inode, bytes, nanoseconds]) of the topic files, sorted; a link counts as what it leads to.

    One that leads outside is among them: to read it is a problem that is told. Raises WorkspaceError.
    """
    for entry in workspace.files.listed(FOLDER):
        if entry.name.endswith(".md") and not entry.name.startswith(("_", ".")) and entry.name != "README.md":
            info = (workspace.files.info(f"{FOLDER}/{entry.name}") if entry.is_link else None) or entry.info
            name = os.fsencode(entry.name).decode("utf-8", "replace")
            yield f"{FOLDER}/{name}", [info.st_ino, info.st_size, info.st_mtime_ns]


def _read(workspace: Workspace, path: str) -> Parsed:
    try:
        text = workspace.text(path)
    except WorkspaceError as e:
        return [Problem(path, 1, e.message)]
    if text is None:
        return [Problem(path, 1, "the file went away while koog read, or its name is not UTF-8")]
    if len(text) > FILE_CHARS:
        return [Problem(path, 1, f"{len(text)} characters are more than a topic has: at most {FILE_CHARS}")]
    return parse(text.encode("utf-8", "replace").decode(), path=path)  # what is not UTF-8 becomes question marks


def _unique(parsed: dict[str, Parsed]) -> Topics:
    topics: dict[str, Topic] = {}
    problems: list[Problem] = []
    for path, found in parsed.items():
        if not isinstance(found, Topic):
            problems += found
        elif found.name in topics:
            problems.append(Problem(path, 1, f"{topics[found.name].path} has the name {found.name!r} already"))
        else:
            topics[found.name] = found
    return Topics([topics[name] for name in sorted(topics)], sorted(problems))


# What was parsed before


def _remembered(workspace: Workspace) -> dict[str, tuple[State, Parsed]]:
    """Return path → (state, what was parsed then); nothing where the cache is missing or anything but a cache."""
    try:
        cache = jsonfiles.loads(workspace.cached(CACHE) or "{}")
        if cache.get("version") != CACHE_VERSION:
            return {}
        return {path: (state, _thawed(rows)) for path, (state, rows) in cache["files"].items()}
    except (WorkspaceError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _remember(workspace: Workspace, found: dict[str, tuple[State, Parsed]]) -> None:
    if workspace.dry_run:
        return
    files = {path: [state, _frozen(parsed)] for path, (state, parsed) in found.items()}
    with suppress(WorkspaceError):  # a folder that koog may only read: the next command parses again
        workspace.cache(CACHE, jsonfiles.line({"version": CACHE_VERSION, "files": files}))


def _frozen(parsed: Parsed) -> dict[str, Any]:
    if isinstance(parsed, Topic):
        triggers = [trigger._asdict() for trigger in parsed.triggers]
        return {"topic": {**parsed._asdict(), "triggers": triggers}}
    return {"problems": [list(problem) for problem in parsed]}


def _thawed(rows: dict[str, Any]) -> Parsed:
    if "problems" in rows:
        return [Problem(*row) for row in rows["problems"]]
    triggers = tuple(Trigger(**_tuples(given)) for given in rows["topic"].pop("triggers"))
    return Topic(**_tuples(rows["topic"]), triggers=triggers)


def _tuples(values: dict[str, Any]) -> dict[str, Any]:
    """Return values with the tuples that JSON has made lists."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in values.items()}
