"""modules/module-registry.json and modules/<id>/manifest.json, checked by schema.  [sinain §5.2, §5.3]"""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from koog.core import schema
from koog.core.errors import NotFound, Refused, UsageError, WorkspaceError
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace
from koog.core.lazy_regex import compiled
from koog.playbook import trust

SCHEMA = Path(__file__).with_name("registry.schema.json")
NAME = "module-registry.json"
ID = compiled(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
EMPTY: dict[str, Any] = {"version": 1, "modules": {}}


def check_id(module_id: str) -> str:
    """Return the id. Raises UsageError for one that could lead out of the modules folder."""
    if not ID.fullmatch(module_id):
        raise UsageError(f"module id {module_id!r}", hint="lower-case letters, digits and single words joined by '-'")
    return module_id


def parse(text: str | None, *, path: str) -> dict[str, Any]:
    """Return the registry of a file's text, empty when there is no file. Raises WorkspaceError naming the fault."""
    if text is None or not text.strip():
        return {"version": 1, "modules": {}}
    return _checked(text, path=path, kind="registry")


def load(workspace: Workspace) -> dict[str, Any]:
    """Return the workspace's registry."""
    path = workspace.in_modules(NAME)
    return parse(workspace.text(path), path=path)


def manifest(workspace: Workspace, module_id: str) -> dict[str, Any]:
    """Return one module's manifest. Raises NotFound when the module has none, WorkspaceError when it is malformed."""
    path = workspace.in_modules(f"{check_id(module_id)}/manifest.json")
    text = workspace.text(path)
    if text is None:
        raise NotFound(f"no module {module_id!r}", hint="koog module list")
    found = _checked(text, path=path, kind="manifest")
    if found["id"] != module_id:
        raise WorkspaceError(f"{path}: id {found['id']!r} is not the folder's name")
    return found


def unregistered(workspace: Workspace, known: dict[str, Any]) -> list[str]:
    """Return the folders with a manifest that the registry does not name."""
    names = [n for n in workspace.folders(workspace.modules) if ID.fullmatch(n) and n not in known["modules"]]
    return [n for n in names if workspace.exists(workspace.in_modules(f"{n}/manifest.json"))]


def active(registry: dict[str, Any]) -> list[tuple[str, int]]:
    """Return (id, priority) of the active modules, highest priority first; equals by id."""
    found = [(k, int(v["priority"])) for k, v in registry["modules"].items() if v["status"] == "active"]
    return sorted(found, key=lambda m: (-m[1], m[0]))


def rows(workspace: Workspace) -> list[dict[str, Any]]:
    """Return the active modules as replies show them, highest priority first."""
    found = load(workspace)
    known = trust.known(workspace)
    return [
        {"id": name, "priority": priority, "approval": known.standing(workspace, name, found["modules"][name])}
        for name, priority in active(found)
    ]


def check_free(workspace: Workspace, module_id: str, *, force: bool) -> None:
    """Raise Refused for an id that is taken: without `--force`, and for a locked module in any case."""
    entry = load(workspace)["modules"].get(check_id(module_id))
    on_disk = workspace.exists(workspace.in_modules(f"{module_id}/manifest.json"))
    if (entry and entry.get("locked")) or (on_disk and manifest(workspace, module_id)["locked"]):
        raise Refused(f"module {module_id!r} is locked: nothing replaces it")
    taken = entry is not None or on_disk
    if taken and not force:
        raise Refused(f"module {module_id!r} exists", hint="--force replaces it, or take another id")


def triggered(found: dict[str, Any], text: str) -> bool:
    """Return whether a module's triggers occur in a text: a keyword as a word, or a file that fits a pattern.

    A pattern is held against a file's name and against its path; one without an
    extension or a folder, such as Dockerfile, against every word.
    """
    triggers = found.get("triggers", {})
    low = text.lower()
    if any(re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", low) for word in triggers.get("keywords", [])):
        return True
    # Each run of such letters is looked at once: without the guard a text of one long word takes quadratic time.
    named = dict.fromkeys(word.strip(".") for word in re.findall(r"(?<![\w./-])[\w./-]+", text))
    return any(
        fnmatch(name, pattern) or fnmatch(name.rsplit("/", 1)[-1], pattern)
        for pattern in triggers.get("filePatterns", [])
        for name in named
        if "." in name or "/" in name or not set("*?[") & set(pattern)
    )


def _checked(text: str, *, path: str, kind: str) -> dict[str, Any]:
    try:
        value = jsonfiles.loads(text)
    except ValueError as e:
        raise WorkspaceError(f"{path}: {e}", hint="mend the JSON") from None
    if wrong := schema.problem(value, schema.definition(SCHEMA, kind)):
        raise WorkspaceError(f"{path}: {wrong}", hint="mend the file by sinain §5.2, §5.3")
    return dict(value)
