"""The operator's file: which workspaces there are, and what holds for one of them alone.  [design §7]

    {"git": {…}, "workspaces": {"4f2a90c1d3e7": {"path": "/srv/agent", "git": {"push": true}}}}

It is the one place that names a workspace: the id is random, and with the folder's real
path it says which state root is this workspace's. `koog init` writes it; what a person
wrote there stays byte for byte.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

from koog.core.errors import ConfigError, WorkspaceError
from koog.core.files import host, jsonedit, jsonfiles, outside
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

NAME = "config.json"
WORKSPACES = "workspaces"
LOCK = "operator.lock"
NOTES_ROOT = "notesRoot"  # in `paths` of a workspace's entry
ABOVE = compiled(r"\.\.(/\.\.)*")  # a workspace lies in the folder of its notes, so that both move together


class Entry(NamedTuple):
    """One workspace as the operator's file has it. values: its own keys over the general ones."""

    id: str
    path: Path
    values: dict[str, Any]

    @property
    def notes_root(self) -> Path | None:
        """Return the folder whose notes are a person's while koog's files lie in one below it; None elsewhere."""
        named = _at(self.values, f"paths.{NOTES_ROOT}")
        is_above = isinstance(named, str) and ABOVE.fullmatch(named)
        return Path(os.path.normpath(self.path / named)) if is_above else None


def folder() -> Path:
    """Return the folder of the operator's own config, outside every workspace."""
    try:
        return host.config_home() / "koog"
    except RuntimeError:  # a container's random user: nobody has that home, and so no config
        return Path("/.config/koog")


def path() -> Path:
    """Return the operator's own config file."""
    return folder() / NAME


def entries(values: dict[str, Any]) -> list[Entry]:
    """Return the workspaces that a config names."""
    found = values.get(WORKSPACES)
    rows = found.items() if isinstance(found, dict) else ()
    return [
        Entry(id_, Path(row["path"]), {k: v for k, v in row.items() if k != "path"})
        for id_, row in rows
        if isinstance(row, dict) and isinstance(row.get("path"), str)
    ]


def entry(root: Path) -> Entry | None:
    """Return the entry of a workspace's folder, None when nobody has called `koog init` there, or it was moved."""
    return among(_values(_text()), root)


def all_entries() -> list[Entry]:
    """Return every workspace that the operator's file names. Raises ConfigError."""
    return entries(_values(_text()))


def general() -> dict[str, Any]:
    """Return what the operator's file says of every workspace. Raises ConfigError."""
    return {key: value for key, value in _values(_text()).items() if key != WORKSPACES}


def among(values: dict[str, Any], root: Path) -> Entry | None:
    """Return the entry of a workspace's folder in a config."""
    real = outside.real(root)
    return next((e for e in entries(values) if str(e.path) == real), None)


def register(root: Path) -> str:
    """Give a folder an id, where it has none; return it. Raises ConfigError, WorkspaceError, Busy."""
    real = outside.real(root)
    try:
        real.encode("utf-8")
    except UnicodeEncodeError:
        raise WorkspaceError("the folder's name is no UTF-8, so no config can name it") from None
    with host.locked(LOCK):
        if found := entry(root):
            return found.id
        id_ = os.urandom(6).hex()
        _put((WORKSPACES, id_), {"path": real})
    return id_


def remember(root: Path, dotted: str, value: Any) -> None:
    """Set one key of a workspace's entry. Raises ConfigError, NotFound's hint for a folder without one."""
    remember_all(root, {dotted: value})


def remember_all(root: Path, values: Mapping[str, Any]) -> None:
    """Set keys of a workspace's entry: all or none, should koog be killed here. Raises as `remember`."""
    with host.locked(LOCK):
        keys = (WORKSPACES, _registered(root).id)
        each = [((*keys, *dotted.split(".")), value) for dotted, value in values.items()]
        _edit(lambda text: reduce(lambda text, one: _with(text, *one), each, text))


def extend(root: Path, dotted: str, values: Iterable[str]) -> None:
    """Add to a list of a workspace's entry what is not in it; an entry without it goes on from the general list.

    Raises ConfigError as `remember`, and for what is no list.
    """
    with host.locked(LOCK):
        found = _registered(root)
        keys = (WORKSPACES, found.id, *dotted.split("."))
        own = _at(found.values, dotted)
        known = _at(general(), dotted) or [] if own is None else own
        if not isinstance(known, list):
            raise ConfigError(f"{NAME}: {'.'.join(keys)}: no list", hint="mend the JSON")
        new = [value for value in dict.fromkeys(values) if value not in known]
        if own is None and new:
            _put(keys, [*known, *new])
        elif new:
            _edit(lambda text: reduce(lambda text, value: jsonedit.add(text, keys, value), new, text))


def standing(root: Path, dotted: Iterable[str]) -> dict[str, str | None]:
    """Return those of these objects and lists that a workspace's entry has, and what stands in the empty ones.

    Raises ConfigError as `remember`.
    """
    above = (WORKSPACES, _registered(root).id)
    text = (_text() or "").removeprefix("\ufeff")
    found = {key: (*above, *key.split(".")) for key in dotted}
    return {key: jsonedit.blanks(text, path) for key, path in found.items() if jsonedit.find(text, path)}


def withdraw(root: Path, dotted: str, values: Collection[str], *, had: Mapping[str, str | None]) -> list[str]:
    """Take values out of a list of a workspace's entry, and with the last one what did not stand there before.

    had   what did, as `standing` has told it

    Returns those that were taken. Raises ConfigError as `remember`.
    """
    with host.locked(LOCK):
        known = _at(_registered(root).values, dotted)
        rows = [*enumerate(known)] if isinstance(known, list) else []
        gone = [(number, value) for number, value in rows if value in values]
        for number, _ in reversed(gone):
            _take(root, (*dotted.split("."), number), had)
    return [value for _, value in gone]


def withdraw_key(root: Path, dotted: str, *, had: Mapping[str, str | None]) -> None:
    """Take a key out of a workspace's entry, as `withdraw` takes a value. Raises KeyError when there is none."""
    with host.locked(LOCK):
        _take(root, (*dotted.split("."),), had)


def _take(root: Path, path: jsonedit.Path, had: Mapping[str, str | None]) -> None:
    above = (WORKSPACES, _registered(root).id)
    stood: dict[jsonedit.Path, str | None] = {(*above, *key.split(".")): inside for key, inside in had.items()}
    _edit(lambda text: jsonedit.take(text, (*above, *path), had=stood))


def _registered(root: Path) -> Entry:
    found = entry(root)
    if found is None:
        raise ConfigError("this folder has no entry in the operator's config", hint=f"koog init {root}")
    return found


def _at(values: dict[str, Any], dotted: str) -> Any:
    """Return what stands at a dotted path, None where the path ends."""
    found: Any = values
    for part in dotted.split("."):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def move(id_: str, root: Path) -> None:
    """Say where a workspace lies now. Raises ConfigError."""
    with host.locked(LOCK):
        _put((WORKSPACES, id_, "path"), outside.real(root))


def _put(keys: tuple[str, ...], value: Any) -> None:
    """Set a value in the operator's file; what else stands there stays byte for byte."""
    _edit(lambda text: _with(text, keys, value))


def _edit(change: Callable[[str], str]) -> None:
    """Change the text of the operator's file; a byte order mark before it stays. Raises ConfigError."""
    file = _file()

    def whole(present: str | None) -> str:
        text = (present or "").removeprefix("\ufeff")
        return (present or "")[: len(present or "") - len(text)] + change(text)

    try:
        host.edit(file.parent, file.name, whole)
    except WorkspaceError as e:
        raise ConfigError(e.message, hint=e.hint) from None


def _with(text: str, keys: tuple[str, ...], value: Any) -> str:
    """Return the file's text with a value. Raises ConfigError for what is no object on the way to it."""
    found: Any = _values(text)
    for number, key in enumerate(keys):
        if not isinstance(found, dict):
            raise ConfigError(f"{NAME}: {'.'.join(keys[:number])}: no object", hint="mend the JSON")
        found = found.get(key, {})
    if not text.strip():
        text = "{}\n"
    have = max(n for n in range(len(keys) + 1) if n == 0 or jsonedit.find(text, keys[:n]))
    if have == len(keys):
        return jsonedit.replace(text, keys, value)
    for key in reversed(keys[have + 1 :]):
        value = {key: value}
    return jsonedit.add(text, keys[:have], value, key=keys[have])


def _file() -> Path:
    """Return the file itself: a person may keep it elsewhere, and a link here."""
    return Path(outside.real(path()))


def _text() -> str | None:
    file = _file()
    try:
        return host.read(file.parent, file.name)
    except WorkspaceError as e:
        raise ConfigError(e.message, hint=e.hint) from None


def _values(text: str | None) -> dict[str, Any]:
    """Return the file's value. Raises ConfigError for what koog could not write back."""
    said = (text or "").removeprefix("\ufeff")
    try:
        value = jsonfiles.loads(said) if said.strip() else {}
        json.dumps(value)
    except ValueError as e:
        raise ConfigError(f"{NAME}: {e}", hint="mend the JSON") from None
    if not isinstance(value, dict):
        raise ConfigError(f"{NAME}: no object", hint="mend the JSON")
    return value
