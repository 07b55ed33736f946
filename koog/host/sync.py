"""koog sync: the agent's instructions, scripts and modules, brought from a source folder.  [sinain §3.2–§3.4]

Reads   the source; HEARTBEAT.md, SKILL.md, sinain-koog/, modules/, memory/sinain-playbook.md
Writes  HEARTBEAT.md, SKILL.md, sinain-koog/, modules/, the effective playbook, each by its policy (sinain §3.3)
Asks    nothing

The plugin did this before each agent start. What comes in is text from outside: a module's is treated like an
imported one's, a script with something like a secret in it does not come, and no manifest unlocks a locked module.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import approval, schema
from koog.core.errors import KoogError, UsageError, WorkspaceError
from koog.core.files import jsonfiles, outside
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.text.secrets import find_secrets, redact_secrets
from koog.core.text.trust import steers
from koog.core.text.untrusted import strip_private, visible, without_hidden
from koog.host import sources
from koog.host.policies import MANIFEST, Action, Policy, action, of_module, of_script
from koog.host.sources import SCRIPTS, Found, Places
from koog.playbook import document, registry, stack

FOLDERS = ("", "playbook-archive", "playbook-logs")  # of the memory folder  [sinain §3.2, 6]
BACKUP_SCRIPT = f"{SCRIPTS}/git_backup.sh"
SHOWN = 40  # files in the reply, those first that a person looks for
INSTRUCTIONS = 20
TOLD_FIRST = (Action.REFUSED, Action.DRIFT, Action.OVERWRITTEN, Action.CREATED, Action.UNCHANGED, Action.KEPT)


class Item(NamedTuple):
    """One file on its way in.

    path       in the workspace
    text       as it would be written, None when it is refused
    redacted   secrets that were taken out of it
    """

    path: str
    policy: Policy
    text: str | None
    refused: str | None = None
    redacted: int = 0


class Deployed(NamedTuple):
    """What a sync did: (file, action, lines only here, lines only in the source), and whether the playbook changed."""

    files: list[tuple[Item, Action, int, int]]
    playbook: bool


def sync(
    ctx: typer.Context,
    source: Annotated[str, typer.Option("--source", metavar="DIR", help="HEARTBEAT.md, SKILL.md, modules/ and so on.")],
) -> Reply:
    """Bring instructions, scripts and modules from a folder; what the agent owns by now stays, and drift is shown."""
    run: Run = ctx.obj
    folder = Path(source)
    if outside.real(folder) == str(run.root):
        raise UsageError("--source is the workspace itself")
    approval.by_hand(run)
    done = deploy(run, sources.places(folder))
    rows = [_row(*each) for each in sorted(done.files, key=lambda each: TOLD_FIRST.index(each[1]))]
    counts = Counter(each[1] for each in done.files)
    return Reply(
        "koog.sync/1",
        source=outside.real(folder),
        files=rows[:SHOWN],
        truncated=len(rows) > SHOWN,
        counts={each.value: counts[each] for each in Action},
        drift=[item.path for item, became, *_ in done.files if became is Action.DRIFT][:SHOWN],
        playbook={"path": run.workspace.in_memory(document.EFFECTIVE), "changed": done.playbook},
        unregistered=registry.unregistered(run.workspace, registry.load(run.workspace)),
        instructions=_instructions(run, done),
    )


def deploy(run: Run, places: Places) -> Deployed:
    """Bring what there is, in the seed's order, as one change of the workspace and one commit."""
    items = list(_items(run, places))
    with run.one_commit():  # the script's mode is part of the same commit
        with run.workspace.writing() as door:
            files = [_stage(run, door, item) for item in items]
            stack.stage(door)
        if not run.dry_run:
            became_new = (Action.CREATED, Action.OVERWRITTEN)
            _make_executable(run, [item for item, became, *_ in files if became in became_new])
            for name in FOLDERS:
                run.workspace.make_folder(run.workspace.in_memory(name).rstrip("/"))
    playbook = any(c.path == run.workspace.in_memory(document.EFFECTIVE) for c in run.workspace.changes)
    return Deployed(files, playbook)


def _items(run: Run, places: Places) -> Iterator[Item]:
    for name, file in (("HEARTBEAT.md", places.heartbeat), ("SKILL.md", places.skill)):
        if file:
            yield _text(sources.one(file, name), name, Policy.ALWAYS_OVERWRITE)
    for found in sources.files(places.scripts) if places.scripts else ():
        path = f"{SCRIPTS}/{found.path}"
        yield (_text if path.endswith(".md") else _script)(found, path, of_script(path))
    for found in sources.files(places.modules) if places.modules else ():
        yield _module_file(run, found)


def _text(found: Found, path: str, policy: Policy) -> Item:
    """Return a Markdown file: without private blocks, secrets and characters that nobody sees."""
    if found.text is None:
        return Item(path, policy, None, found.refused)
    shown = without_hidden(strip_private(found.text))
    return Item(path, policy, redact_secrets(shown), redacted=len(find_secrets(shown)))


def _script(found: Found, path: str, policy: Policy) -> Item:
    """Return a program or its data, as it is: with something taken out it would be another one."""
    if found.text is not None and find_secrets(found.text):
        return Item(path, policy, None, "holds something like a secret")
    return Item(path, policy, found.text, found.refused)


def _module_file(run: Run, found: Found) -> Item:
    path, policy = run.workspace.in_modules(found.path), of_module(found.path)
    folder, _, name = found.path.partition("/")
    if found.text is None:
        return Item(path, policy, None, found.refused)
    if found.path == registry.NAME:
        return Item(path, policy, *_checked(found.text, "registry"))
    if not name:
        return Item(path, policy, None, "neither the registry nor in a module's folder")
    if not registry.ID.fullmatch(folder):
        return Item(path, policy, None, f"{folder!r} is no module's id")
    if name == MANIFEST:
        return _manifest(run, path, folder, found.text)
    if not name.endswith(".md"):
        return _script(found, path, policy)
    shown = visible(strip_private(found.text))
    return Item(path, policy, redact_secrets(shown), redacted=len(find_secrets(shown)))


def _manifest(run: Run, path: str, module_id: str, text: str) -> Item:
    """Return a module's manifest; one that is locked here stays locked, whatever the source says."""
    policy = Policy.ALWAYS_OVERWRITE
    checked, refused = _checked(text, "manifest")
    if checked is None:
        return Item(path, policy, None, refused)
    value = jsonfiles.loads(checked)
    if value["id"] != module_id:
        return Item(path, policy, None, f"id {value['id']!r} is not the folder's name")
    if not value["locked"] and _is_locked(run, module_id):
        checked = jsonfiles.pretty(value | {"locked": True})
    return Item(path, policy, checked)


def _checked(text: str, kind: str) -> tuple[str | None, str | None]:
    """Return (text, None) of JSON that fits its schema and holds no secret, else (None, why not)."""
    try:
        value = jsonfiles.loads(text)
    except ValueError as e:
        return None, f"no JSON: {e}"
    wrong = schema.problem(value, schema.definition(registry.SCHEMA, kind))
    if wrong or find_secrets(text):
        return None, wrong or "holds something like a secret"
    return text, None


def _is_locked(run: Run, module_id: str) -> bool:
    try:
        entry = registry.load(run.workspace)["modules"].get(module_id, {})
        return bool(entry.get("locked")) or bool(registry.manifest(run.workspace, module_id)["locked"])
    except KoogError:
        return False  # there is none, or one that is to be replaced because it cannot be read


def _stage(run: Run, door: Any, item: Item) -> tuple[Item, Action, int, int]:
    """Stage one file; what stands in its way in the workspace refuses it alone."""
    if item.text is None:
        return item, Action.REFUSED, 0, 0
    text = item.text
    try:
        run.workspace.check(item.path)
        present = door.text(item.path)
    except WorkspaceError as e:
        return item._replace(text=None, refused=e.message), Action.REFUSED, 0, 0
    became = action(item.policy, present=present, wanted=text)
    if became is Action.OVERWRITTEN:
        door.write(item.path, text, summary="synced from its source")
    elif became is Action.CREATED:
        # Somebody may make the file at this very moment: what is deployed once is then theirs.
        once = item.policy is Policy.DEPLOY_ONCE
        door.edit(item.path, lambda now: now or text if once else text, summary="synced from its source")
    here, there = _only(present or "", text) if became is Action.DRIFT else (0, 0)
    return item, became, here, there


def _only(present: str, wanted: str) -> tuple[int, int]:
    """Return how many lines stand only here, and how many only in the source."""
    here, there = Counter(present.splitlines()), Counter(wanted.splitlines())
    return (here - there).total(), (there - here).total()


def _make_executable(run: Run, written: list[Item]) -> None:
    if any(item.path == BACKUP_SCRIPT for item in written):
        run.workspace.chmod(BACKUP_SCRIPT, 0o755)  # [sinain §3.2, 3]


def _instructions(run: Run, done: Deployed) -> list[str]:
    """Return the lines of newly deployed modules that order the agent about: for a person to read."""
    modules = run.workspace.in_modules("")
    new = [i for i, became, *_ in done.files if became is Action.CREATED and i.path.startswith(modules)]
    lines = (line.strip() for i in new if i.path.endswith(".md") for line in (i.text or "").splitlines())
    return [line[:200] for line in lines if steers(line)][:INSTRUCTIONS]


def _row(item: Item, became: Action, here: int, there: int) -> dict[str, Any]:
    return {
        "path": item.path,
        "policy": item.policy.value,
        "action": became.value,
        "linesHere": here,
        "linesInSource": there,
        "redacted": item.redacted,
        "reason": item.refused,
    }
