"""doctor: whether the hooks of Claude Code and Codex come, and come once.

Codex skips a hook that nobody has trusted, and says nothing; both programs can be told to run none. What tells of it:
a session that began after koog was installed and after the last hook came. That a hook came, koog/host/whose.py notes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from koog.core import clock
from koog.core.errors import KoogError
from koog.core.files import jsonfiles, outside
from koog.core.run import Run
from koog.host import install, whose
from koog.operate import installed_record
from koog.operate.finding import INFO, WARN, Finding
from koog.operate.installed_for import NAMES

CHECK = "hooks"
SESSIONS = {"claude": ("projects", "*/*.jsonl"), "codex": ("sessions", "**/rollout-*.jsonl")}
WHY = {
    "claude": "hooks are switched off there, or koog is not found",
    "codex": "Codex skips hooks that nobody has trusted, and says nothing",
}
HOW = {"claude": "claude, then /hooks", "codex": "codex, then /hooks (codex exec: --dangerously-bypass-hook-trust)"}
ONCE = "the plugin is silent, and nothing is told twice"
LATEST = 20  # sessions that are looked at
HEAD = 256 * 1024  # bytes of a session in which its beginning is told
GRACE = timedelta(seconds=60)  # a hook at a session's start comes before its first line, and one may be on its way


def hooks(run: Run) -> Iterator[Finding]:
    """Look at the hooks that are installed for this workspace."""
    plugin = install.plugin()
    for name in SESSIONS:
        own = install.in_settings(name, run.root)
        if own and plugin and name == "claude":
            file, message = str(install.settings_file(name)), f"{plugin} and settings.json both call koog here: {ONCE}"
            yield Finding(CHECK, INFO, message, file, command=f"claude plugin uninstall {plugin}")
        if own:
            yield from _skipped(run, name)
        elif plugin and name == "claude":
            yield from _plugins(run)


def _plugins(run: Run) -> Iterator[Finding]:
    """Look at the plugin's hooks, where they alone call koog: they are for the workspaces that read its sessions."""
    reading = {outside.real(root) for root in whose.reading_workspaces("claude")}
    others = reading - {str(run.root)}
    if str(run.root) not in reading:
        return
    if not others:
        yield from _skipped(run, "claude")
    elif not os.environ.get("KOOG_WORKSPACE"):
        message = f"the plugin is for none where this workspace and {', '.join(sorted(others))} read the same project"
        yield Finding(CHECK, INFO, message, command=f"export KOOG_WORKSPACE={shlex.quote(str(run.root))}")


def _skipped(run: Run, name: str) -> Iterator[Finding]:
    """Yield the latest session that ran without koog's hooks."""
    try:
        came = whose.last_came(run, name)
    except KoogError:
        return
    if run.state_root is None:
        return  # nothing is noted here
    heard, at = clock.parse(came), clock.parse(installed_record.installed_at(run, name))
    since = max([when for when in (heard and heard + GRACE, at) if when], default=_changed(install.settings_file(name)))
    began = max((when for when in _began(name, since) if since < when < run.now - GRACE), default=None)
    if began:
        message = f"the {NAMES[name]} session of {clock.iso(began)} ran without koog's hooks: {WHY[name]}"
        yield Finding(CHECK, WARN, message, str(install.settings_file(name)), command=HOW[name])


def _began(name: str, since: datetime) -> Iterator[datetime]:
    """Yield when the latest sessions of a host began, of those that were written to since."""
    folder, pattern = SESSIONS[name]
    found = [(_changed(path), path) for path in outside.matching(install.settings_file(name).parent / folder, pattern)]
    for changed, path in sorted(found, reverse=True)[:LATEST]:
        if changed > since and (when := _beginning(path)):
            yield when


def _beginning(path: Path) -> datetime | None:
    """Return when a session began, None for a subagent's, and for what cannot be told."""
    try:
        with outside.opened(path) as file:
            head = file.read(HEAD)
    except OSError:
        return None
    for line in head.split(b"\n"):
        try:
            row = jsonfiles.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and (when := clock.parse(row.get("timestamp"))):
            return None if _is_subagents(row) else when
    return None


def _is_subagents(row: dict[str, Any]) -> bool:
    payload = row.get("payload")
    return row.get("isSidechain") is True or (isinstance(payload, dict) and isinstance(payload.get("source"), dict))


def _changed(path: Path) -> datetime:
    info = outside.info(path)
    return datetime.fromtimestamp(info.st_mtime if info else 0, UTC)
