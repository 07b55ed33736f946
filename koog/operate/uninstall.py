"""koog uninstall: koog out of a host's settings and off the schedule, as if it had never been there.  [design §4]

Reads   what `init --host` has noted in the state root and beside it; the host's settings; the crontab, the systemd
        units, launchd's plists
Writes  the host's settings without koog's entries, the operator's config without what `init --host` and
        `cron install --key-file` added; the crontab, $XDG_CONFIG_HOME/systemd/user/koog-*,
        ~/Library/LaunchAgents/koog-*
Asks    nothing

Where nobody changed a file meanwhile it is byte for byte what it was, and gone where koog had made it. Where somebody
did, exactly koog's own entries are cut out of it, and what a person made of them is left and named. The workspace
itself stays: it is the memory.
"""

from __future__ import annotations

import shlex
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import nearest, operator
from koog.core.errors import KoogError, UsageError
from koog.core.files import outside, spool
from koog.core.files.workspace import is_workspace
from koog.core.reply import Reply
from koog.core.run import Run
from koog.host import digest, openclaw_back
from koog.host.take_back import Back, take_back
from koog.operate import adoption, cron, installed_record, keyfile, registered

HOSTS = ("claude", "codex", "openclaw")
CRON = "cron"


def uninstall(
    ctx: typer.Context,
    folder: Annotated[
        str | None, typer.Argument(metavar="[DIR]", help="A workspace, also one that is gone. Default: this one.")
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="openclaw|claude|codex", help="Take koog out of this program's settings.")
    ] = None,
    schedule: Annotated[bool, typer.Option("--cron", help="Take the workspace off cron, systemd and launchd.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Out of every host, and off the schedule.")] = False,
) -> Reply:
    """Take back what `init --host` and `cron install` put outside the workspace; the memory stays."""
    run: Run = ctx.obj
    if host not in (None, *HOSTS):
        raise UsageError(f"--host {host!r}", hint="one of " + ", ".join(HOSTS))
    if not (host or schedule or every):
        raise UsageError("uninstall what?", hint="--host openclaw|claude|codex, --cron or --all")
    if every and (host or schedule):
        raise UsageError("--all is every host and the schedule", hint="--all alone")
    if folder is not None:
        if not folder.strip():
            raise UsageError("DIR is empty", hint="a variable that is not set?")
        run.root = _named(Path(outside.real(folder)))
    run.state_root = registered.kept(run)  # the agent writes the workspace's config: broken, it keeps nobody in
    names = HOSTS if every else (host,) if host else ()
    with registered.alone(run):
        leaving, roots = installed_record.Leaving(run), [run.root, *adoption.former(run)]
        backs = {name: _host(run, name, leaving, roots) for name in names}
        if schedule or every:
            backs[CRON] = _schedule(run, roots)
    rows = [{"from": name, "did": back.did, "left": back.left} for name, back in backs.items()]
    steps = [step for back in backs.values() for step in back.next]
    steps += [f"koog uninstall {shlex.quote(str(was))} --all  # it lay there" for was in adoption.left_behind(run)]
    if every:
        steps.append(_kept(run))
    return Reply(
        "koog.uninstall/1",
        workspace=str(run.root),
        changed=any(back.did for back in backs.values()),
        taken=rows,
        next=steps,
    )


def _named(folder: Path) -> Path:
    """Return the workspace that a folder is, or that lies in it among a person's notes; one that is gone as well."""
    return folder if is_workspace(folder) else nearest.within(folder) or folder


def _host(run: Run, name: str, leaving: installed_record.Leaving, roots: list[Path]) -> Back:
    """Take koog out of a host, and its sessions out of the operator's entry; a host that fails hinders no other.

    roots   where the workspace lies and lay
    """
    again = f"koog uninstall {shlex.quote(str(run.root))} --host {name}"
    try:
        if name == "openclaw":
            back = openclaw_back.take_back(run.root, state=run.state_root, dry_run=run.dry_run)
        else:
            backs = [
                take_back(name, root=root, lines=installed_record.lines(run, name, root), dry_run=run.dry_run)
                for root in roots
            ]
            back = _joined(backs)
    except KoogError as e:
        return _failed(e, again)
    if name == "openclaw" and back.left:
        return back  # until its plugin is gone, whose sessions are read is still to be told
    try:
        did, left = leaving.take_back(name, stays=back.stays)
    except KoogError as e:
        failed = _failed(e, again)
        return back._replace(left=[*back.left, *failed.left], next=[*back.next, *failed.next])
    return Back(back.did + did, back.left + left, back.next)


def _joined(backs: list[Back]) -> Back:
    """Return what was done in several folders as one; what is said of each of them is said once."""
    parts = ([back.did for back in backs], [back.left for back in backs], [back.next for back in backs])
    did, left, steps = ([*dict.fromkeys(chain.from_iterable(part))] for part in parts)
    return Back(did, left, steps, any(back.stays for back in backs))


def _failed(e: KoogError, again: str) -> Back:
    """Return what is said of what could not be done: the way to mend it comes before the second try."""
    return Back([], [e.message], [*([e.hint] if e.hint else []), again])


def _schedule(run: Run, roots: list[Path]) -> Back:
    """Take the workspace off its schedule, and the name of the key's file out of the operator's entry."""
    again = f"koog uninstall {shlex.quote(str(run.root))} --cron"
    try:
        found = [row for root in roots for row in cron.taken_back(run, str(root)).items()]
    except KoogError as e:
        return _failed(e, again)
    did = [f"{kind}: took out {len(text.splitlines())} lines" for kind, text in found]
    try:
        named, left = keyfile.take_back(run)
    except KoogError as e:
        return _failed(e, again)._replace(did=did)
    return Back([*did, *named], left, [])


def _kept(run: Run) -> str:
    """Say what is left of koog once it is out everywhere."""
    places: list[Any] = [run.root] if outside.is_folder(run.root) else []
    with suppress(KoogError):
        if entry := operator.entry(run.root):
            places.append(f"workspaces.{entry.id} in {operator.path()}")
    if not run.state_root and not is_workspace(run.root):
        return f"{run.root} is no workspace" if places else f"there is no folder {run.root}"
    if run.state_root:
        places.append(run.state_root.path)
    if digest.waits(run.root):
        places.append(f"{spool.path()}, where what hooks told waits for koog recover")
    return f"the memory stays, with koog's own state: {', '.join(map(str, places))}"
