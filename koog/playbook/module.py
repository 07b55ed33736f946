"""koog module: which domain expertise is merged into the effective playbook.  [sinain §5]

Reads   modules/
Writes  activate: modules/module-registry.json, the effective playbook, what a person approved (in the state root);
        suspend, priority: modules/module-registry.json, the effective playbook;
        guidance: modules/<id>/guidance.md, the effective playbook
Asks    nothing
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from koog.core import approval, clock
from koog.core.errors import NotFound, Refused, UsageError
from koog.core.files import jsonfiles
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.playbook import registry, trust
from koog.playbook import stack as merged
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.core.approval import Approval
    from koog.core.files.door import Door

Id = Annotated[str, typer.Argument(help="The module's id, its folder's name.")]
GUIDANCE_CHARS = 4000


def list_modules(ctx: typer.Context) -> Reply:
    """List all modules, registered or not."""
    run: Run = ctx.obj
    found, known = registry.load(run.workspace), trust.known(run.workspace)
    entries = {**found["modules"], **dict.fromkeys(registry.unregistered(run.workspace, found))}
    rows = [_row(name, entry, known.standing(run.workspace, name, entry)) for name, entry in entries.items()]
    return Reply("koog.module.list/1", modules=rows)


def activate(
    ctx: typer.Context,
    module_id: Id,
    priority: Annotated[int | None, typer.Option(help="Merge order; higher comes first.")] = None,
    approve: Annotated[bool, typer.Option("--approve", help="Of an imported module: a person wants it so.")] = False,
) -> Reply:
    """Merge a module's patterns into the effective playbook; an imported one on a person's word."""
    run: Run = ctx.obj
    manifest = registry.manifest(run.workspace, module_id)
    if priority is not None:
        _check_priority(manifest, priority)

    def change(modules: dict[str, Any]) -> None:
        entry = modules.setdefault(module_id, new_entry(manifest))
        if priority is not None:
            entry["priority"] = priority
        if entry["status"] != "active":
            entry |= {"status": "active", "activatedAt": clock.iso(run.now)}
        if digest:
            entry[trust.KEY] = digest

    with run.workspace.writing() as door:
        digest, word = _approved(run, module_id, asked=approve)
        changed = _stage(door, change, summary=f"activated {module_id}")
    entry = registry.load(run.workspace)["modules"][module_id]
    return Reply(
        "koog.module.activate/1",
        id=module_id,
        changed=changed,
        priority=entry["priority"],
        approvedBy=word.how if word else None,
        stack=registry.rows(run.workspace),
    )


def suspend(ctx: typer.Context, module_id: Id) -> Reply:
    """Take a module's patterns out of the effective playbook; its files stay."""
    run: Run = ctx.obj
    registry.check_id(module_id)

    def change(modules: dict[str, Any]) -> None:
        entry = _registered(modules, module_id)
        if entry.get("locked") or registry.manifest(run.workspace, module_id)["locked"]:
            raise Refused(f"module {module_id!r} is locked: always active", hint="koog module info " + module_id)
        entry["status"] = "suspended"

    changed = _change(run, change, summary=f"suspended {module_id}")
    return Reply("koog.module.suspend/1", id=module_id, changed=changed, stack=registry.rows(run.workspace))


def priority(
    ctx: typer.Context, module_id: Id, value: Annotated[int, typer.Argument(help="Within its range.")]
) -> Reply:
    """Change a module's place in the stack."""
    run: Run = ctx.obj
    _check_priority(registry.manifest(run.workspace, module_id), value)

    def change(modules: dict[str, Any]) -> None:
        _registered(modules, module_id)["priority"] = value

    changed = _change(run, change, summary=f"priority of {module_id} is {value}")
    return Reply(
        "koog.module.priority/1", id=module_id, changed=changed, priority=value, stack=registry.rows(run.workspace)
    )


def stack(ctx: typer.Context) -> Reply:
    """Show the active modules, highest priority first."""
    run: Run = ctx.obj
    return Reply("koog.module.stack/1", stack=registry.rows(run.workspace))


def info(ctx: typer.Context, module_id: Id) -> Reply:
    """Show a module's manifest, its registry entry and how many pattern lines it has."""
    run: Run = ctx.obj
    audience.own(run)
    manifest = registry.manifest(run.workspace, module_id)
    patterns = run.workspace.text(run.workspace.in_modules(f"{module_id}/patterns.md"))
    guidance_text = run.workspace.text(run.workspace.in_modules(f"{module_id}/guidance.md"))
    entry = registry.load(run.workspace)["modules"].get(module_id)
    return Reply(
        "koog.module.info/1",
        id=module_id,
        manifest=manifest,
        registry=entry,
        approval=trust.known(run.workspace).standing(run.workspace, module_id, entry),
        patternLines=sum(1 for line in (patterns or "").splitlines() if line.strip()),
        hasGuidance=bool(guidance_text and guidance_text.strip()),
    )


def guidance(
    ctx: typer.Context,
    module_id: Id,
    set_text: Annotated[
        str | None, typer.Option("--set", metavar="TEXT|-", help="Replace it; '-' reads stdin.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Take it away.")] = False,
) -> Reply:
    """Show or set how the agent is to use a module: words that join its patterns in the effective playbook."""
    run: Run = ctx.obj
    audience.own(run)
    registry.manifest(run.workspace, module_id)
    if set_text is not None and clear:
        raise UsageError("--set and --clear exclude one another")
    path = run.workspace.in_modules(f"{module_id}/guidance.md")
    changed = False
    if set_text is not None or clear:
        new = "" if clear else _guidance(text_or_stdin(set_text or "", what="--set"))
        with run.workspace.writing() as door:
            changed = door.edit(path, lambda _: new, summary=f"guidance of {module_id}")
            merged.stage(door)
    return Reply("koog.module.guidance/1", id=module_id, guidance=run.workspace.text(path) or "", changed=changed)


def new_entry(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return the registry entry of a module that comes in: suspended, at its default priority."""
    return {
        "status": "suspended",
        "priority": manifest["priority"]["default"],
        "activatedAt": None,
        "lastTriggered": None,
        "locked": manifest["locked"],
    }


def register(door: Door, module_id: str, entry: dict[str, Any], *, summary: str) -> None:
    """Stage a registry entry and the effective playbook that follows from it."""

    def change(text: str) -> str:
        value = registry.parse(text, path=path)
        value["modules"][module_id] = entry
        return jsonfiles.pretty(value)

    path = door.workspace.in_modules(registry.NAME)
    door.edit(path, change, summary=summary)
    merged.stage(door)


def _change(run: Run, change: Callable[[dict[str, Any]], None], *, summary: str) -> bool:
    with run.workspace.writing() as door:
        return _stage(door, change, summary=summary)


def _stage(door: Door, change: Callable[[dict[str, Any]], None], *, summary: str) -> bool:
    """Stage a change of the registry, and the effective playbook that follows from it."""
    path = door.workspace.in_modules(registry.NAME)

    def edit(text: str) -> str:
        value = registry.parse(text, path=path)
        before = jsonfiles.line(value)
        change(value["modules"])
        return text if jsonfiles.line(value) == before else jsonfiles.pretty(value)

    changed = door.edit(path, edit, summary=summary)
    merged.stage(door)
    return changed


def _approved(run: Run, module_id: str, *, asked: bool) -> tuple[str | None, Approval | None]:
    """Return the digest of an imported module as a person approved it, and their word where it needed a new one.

    Of a module of the workspace's own there is neither. Raises Refused without `--approve`, or without a word.
    """
    entry = registry.load(run.workspace)["modules"].get(module_id)
    standing = trust.known(run.workspace).standing(run.workspace, module_id, entry)
    if standing is None:
        return None, None
    digest = trust.digest(run.workspace, module_id)
    if standing == trust.APPROVED:
        return digest, None
    what, command = f"module {module_id!r}, which was imported,", merged.APPROVE.format(module_id)
    if not asked:
        folder = run.workspace.in_modules(module_id)
        raise Refused(f"{what} needs a person's word", hint=f"a person reads {folder}/, then: {command}")
    word = approval.require(run, id=module_id, digest=digest, what=what, command=command)
    trust.approve(run.workspace, module_id, digest)
    return digest, word


def _registered(modules: dict[str, Any], module_id: str) -> dict[str, Any]:
    if module_id not in modules:
        raise NotFound(f"module {module_id!r} is not registered", hint=f"koog module activate {module_id}")
    entry: dict[str, Any] = modules[module_id]
    return entry


def _check_priority(manifest: dict[str, Any], value: int) -> None:
    low, high = manifest["priority"]["range"]
    if not low <= value <= high:
        raise Refused(f"priority {value} is outside {manifest['id']}'s range {low} to {high}")


def _row(name: str, entry: dict[str, Any] | None, standing: str | None) -> dict[str, Any]:
    keys = ("status", "priority", "activatedAt", "lastTriggered", "locked")
    told = {k: (entry or {}).get(k) for k in keys}
    return {"id": name, "registered": entry is not None, **told, "approval": standing}


def _guidance(text: str) -> str:
    from koog.core.text.untrusted import clean

    text = clean(text).strip()
    if len(text) > GUIDANCE_CHARS:
        raise UsageError(
            f"guidance of {len(text)} characters", hint=f"at most {GUIDANCE_CHARS}: it is read at every tick"
        )
    return f"{text}\n" if text else ""
