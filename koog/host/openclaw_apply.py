"""koog into OpenClaw, by OpenClaw's own program.  [openclaw.md]

One patch of its settings, then the heartbeat's text, by its gateway's cron. What was there before is noted in the
state root first, so that whatever is cut off can be done again, or taken back (openclaw_back.py).
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from koog.core.files import atomic, jsonfiles, outside
from koog.core.files.roots import Root
from koog.core.files.state_root import StateRoot
from koog.core.shipped import data as data_of
from koog.core.shipped import shipped
from koog.host import openclaw, openclaw_program, openclaw_record
from koog.host.install import Installed
from koog.host.openclaw import Plan, Wish
from koog.host.openclaw_program import Failed, Program
from koog.host.openclaw_record import Record, Text

NAME = "openclaw"
PATIENCE_S = (0.0, 1.0, 2.0, 4.0, 8.0)  # until the gateway has made a heartbeat of new settings
RESTART, GATEWAY_RESTART = "Restart the gateway", "openclaw gateway restart"  # what it says, what does it


@dataclass(frozen=True)
class Work:
    """What one call has to do with: the workspace, what is known of OpenClaw, and what there is to say."""

    root: Path
    state: StateRoot | None
    version: tuple[int, ...] | None = None
    did: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def known(self) -> Record:
        """What is noted of this openclaw.json. Raises WorkspaceError."""
        return openclaw_record.of(self.state, str(openclaw.config_file()))

    def note(self, change: Callable[[Record], Record]) -> None:
        """Change what is noted of it. Raises WorkspaceError."""
        text = "there is no state root, so what OpenClaw's settings were is noted nowhere"
        if self.state:
            openclaw_record.put(self.state, str(openclaw.config_file()), change(self.known))
        elif text not in self.warnings:
            self.warnings.append(text)


def install(
    root: Path,
    words: tuple[str, ...],
    *,
    state: StateRoot | None,
    apply: bool,
    dry_run: bool,
    warnings: list[str],
    program: Program | None = None,
) -> Installed:
    """Install koog in OpenClaw, or say how.

    words     what starts koog from anywhere
    warnings  takes what did not work
    program   OpenClaw's; default: as PATH has it

    Raises WorkspaceError from the state root.
    """
    program = program or openclaw_program.find()
    told = _version(program)
    work = Work(root, state, openclaw.version_of(told) or _by_store(), warnings=warnings)
    config = openclaw.settings()
    agent = next(iter(openclaw.agents_here(config, root)), None)
    wanted = openclaw.wishes(config, agent=agent, version=work.version, program=words)
    planned = openclaw.plan(config, wanted, ours=work.known.ours)
    is_done = None
    if apply:
        is_done = _apply(work, program, config, planned, agent=agent, dry_run=dry_run)
    else:
        work.left.extend(_by_hand(work, program, config, planned, agent=agent))
    return Installed(NAME, str(openclaw.config_file()), work.did, work.left, version=told or None, applied=is_done)


def _version(program: Program | None) -> str:
    try:
        found = openclaw.version_of(program.version()) if program else None
    except Failed:
        return ""
    return ".".join(map(str, found)) if found else ""


def _by_store() -> tuple[int, ...] | None:
    """Return the release that the state folder speaks of, where there is no program to ask."""
    return openclaw.FILE_UNTIL if openclaw.keeps_files(openclaw.state_folder()) else None


# --- without --apply


def _by_hand(
    work: Work, program: Program | None, config: dict[str, Any], planned: Plan, *, agent: str | None
) -> list[str]:
    """Return the lines that do what is left, the one that does all of it first."""
    changes = planned.changes
    if program:
        with suppress(Failed):
            changes = _known(work, program, config, changes)
    patch = openclaw.difference(config, openclaw.applied(config, changes))
    lines = [_again(work)]
    if patch:
        lines.append(f"or: echo {shlex.quote(jsonfiles.line(patch))} | openclaw config patch --stdin")
    if agent is None:
        return [_agentless(work), *lines]
    if not openclaw.reads_file(work.version):
        lines.append(_scratch_line(work, program, agent))
    elif patch:
        lines.append("openclaw gateway restart")
    return lines


def _again(work: Work) -> str:
    return f"koog init {shlex.quote(str(work.root))} --host openclaw --apply"


def _agentless(work: Work) -> str:
    folder = shlex.quote(str(work.root))
    return f"no agent of OpenClaw's works in this folder; to make one: openclaw agents add NAME --workspace {folder}"


def _scratch_line(work: Work, program: Program | None, agent: str) -> str:
    job = None
    with suppress(Failed):  # without a gateway nobody knows the id
        job = program.heartbeat(agent) if program else None
    file = shlex.quote(str(work.root / _heartbeat_file(work.root)))
    found = (
        job
        or f'"$(openclaw cron list --all --json | jq -r \'.jobs[]|select(.declarationKey=="heartbeat:{agent}").id\')"'
    )
    return f"openclaw cron scratch {found} --file {file}"


# --- with it


def _apply(
    work: Work, program: Program | None, config: dict[str, Any], planned: Plan, *, agent: str | None, dry_run: bool
) -> bool:
    """Do all of it; return whether that went well."""
    if agent is None:
        work.warnings.append("OpenClaw: no agent of its works in this folder, so nothing was applied")
        work.left.extend([_agentless(work), _again(work)])
        return False
    if program is None:
        work.warnings.append("there is no program openclaw on PATH, so nothing was applied")
        by_hand = _by_hand(work, program, config, planned, agent=agent)
        work.left.extend(["install OpenClaw, or add its folder to PATH", *by_hand])
        return False
    if openclaw.has_includes(config):  # a list that stands in another file would be replaced by koog's
        work.warnings.append("openclaw.json includes other files, which koog does not see, so nothing was applied")
        work.left.extend(["look through this patch, then:", *_by_hand(work, program, config, planned, agent=agent)[1:]])
        return False
    try:
        changes = _known(work, program, config, planned.changes)
        _patch(work, program, config, planned._replace(changes=changes), dry_run=dry_run)
        _speak(work, planned)
        _give_text(work, program, agent, is_new=bool(changes), dry_run=dry_run)
    except Failed as e:
        work.warnings.append(str(e))
        work.left.append(_again(work))
        return False
    return True


def _known(work: Work, program: Program, config: dict[str, Any], changes: list[Wish]) -> list[Wish]:
    """Return the changes whose keys this release knows; the others are left out, and said.

    Raises Failed for a patch that it refuses for another reason.
    """
    while changes:
        unknown = program.check(openclaw.difference(config, openclaw.applied(config, changes)))
        if not unknown:
            break
        known = [wish for wish in changes if not any(wish.path[: len(key)] == key for key in unknown)]
        if len(known) == len(changes):
            raise Failed(f"openclaw config patch: unknown keys {', '.join(map('.'.join, unknown))}")
        names = [".".join(wish.path) for wish in changes if wish not in known]
        work.warnings.append(f"this OpenClaw does not know {', '.join(names)}: left out")
        changes = known
    return changes


def _patch(work: Work, program: Program, config: dict[str, Any], planned: Plan, *, dry_run: bool) -> None:
    """Note what is there, change it, and look whether it holds. Raises Failed."""
    file, changes = openclaw.config_file(), planned.changes
    wants = [wish.path for wish in (*changes, *planned.there)]
    if planned.there:
        work.did.append(f"{file}: {len(planned.there)} settings stand there already")
    if changes and openclaw.has_comments():
        work.warnings.append(f"OpenClaw writes {file.name} anew, without its comments; {file.name}.bak has them")
    if not dry_run:
        work.note(lambda record: record.with_changes(config, changes)._replace(wants=wants))
    if changes and not dry_run:
        said = patched(program, openclaw.difference(config, openclaw.applied(config, changes)))
        after = openclaw.settings()
        if lost := [".".join(wish.path) for wish in changes if not openclaw.holds(openclaw.at(after, wish.path), wish)]:
            raise Failed(f"openclaw config patch: not as it was set: {', '.join(lost)}")
        work.left.extend([GATEWAY_RESTART] if RESTART in said else [])
    if changes:
        work.did.append(f"{file}: set {', '.join('.'.join(wish.path) for wish in changes)}")


def patched(program: Program, patch: dict[str, Any]) -> str:
    """Change the settings; return what the program says. What was cut off may have come through: the caller looks.

    Raises Failed for what has changed nothing.
    """
    before = openclaw.settings()
    try:
        return program.patch(patch)
    except Failed:
        if openclaw.settings() == before:
            raise
        return RESTART


def _speak(work: Work, planned: Plan) -> None:
    """Say what a person has set otherwise, and what of it keeps koog from working."""
    config = openclaw.settings()
    if planned.kept:
        kept = [f"{'.'.join(wish.path)} ({jsonfiles.line(wish.value)})" for wish in planned.kept]
        work.did.append(f"left as they are set, and what koog would set: {', '.join(kept)}")
    denied = openclaw.at(config, openclaw.DENIED)
    if openclaw.at(config, openclaw.PLUGINS_ON) is False or (isinstance(denied, list) and openclaw.PLUGIN_ID in denied):
        work.warnings.append(
            f"OpenClaw's settings forbid the plugin {openclaw.PLUGIN_ID}: plugins.enabled, plugins.deny"
        )


# --- the heartbeat's text


def _give_text(work: Work, program: Program, agent: str, *, is_new: bool, dry_run: bool) -> None:
    """Let the heartbeat say what HEARTBEAT.md says. Raises Failed."""
    may_come = is_new and not dry_run and not openclaw.reads_file(work.version)
    job = _job(program, agent, patience=PATIENCE_S if may_come else PATIENCE_S[:1])
    name = _heartbeat_file(work.root)
    if job is None and openclaw.reads_file(work.version):
        work.did.append(f"heartbeat: this OpenClaw reads {name} itself")
        return
    if job is None:
        raise Failed(f"OpenClaw has no heartbeat of {agent}: openclaw cron list --all")
    kept = Root(work.root).read(name) if outside.is_folder(work.root) else None
    ours = atomic.decode(kept or data_of(shipped(openclaw.HEARTBEAT_FILE)))
    scratch, known = program.scratch(job), work.known.text
    now = scratch.text or ""
    if ours.strip() in now:
        work.did.append(f"heartbeat:{agent}: has HEARTBEAT.md's text already")
        return
    is_koogs = known is not None and known.agent == agent and known.ours in now
    whole = now.replace(known.ours, ours) if known and is_koogs else joined(now, ours)
    earlier = known.earlier if known and is_koogs else scratch.text
    if not dry_run:
        work.note(lambda record: record._replace(text=Text(agent, ours, earlier)))
        program.write_scratch(job, whole, revision=scratch.revision)
        if program.scratch(job).text != whole:
            raise Failed(f"openclaw cron scratch: heartbeat:{agent} has not taken its text")
    below = ", below what stood there" if now.strip() and not is_koogs else ""
    work.did.append(f"heartbeat:{agent}: has HEARTBEAT.md's text{below}")


def _job(program: Program, agent: str, *, patience: tuple[float, ...]) -> str | None:
    """Return the id of an agent's heartbeat, waiting for a gateway that takes its settings up. Raises Failed."""
    for seconds in patience:
        time.sleep(seconds)
        if job := program.heartbeat(agent):
            return job
    return None


def joined(theirs: str | None, ours: str) -> str:
    """Return the text of a heartbeat: a person's own stays above koog's."""
    return f"{theirs.rstrip()}\n\n{ours}" if theirs and theirs.strip() else ours


def _heartbeat_file(root: Path) -> str:
    """Return the file that has koog's text: beside a HEARTBEAT.md that was there before."""
    is_beside = outside.is_folder(root) and Root(root).info("HEARTBEAT.koog.md")
    return "HEARTBEAT.koog.md" if is_beside else "HEARTBEAT.md"
