"""The private file that holds the model's key, where nobody's shell has it: what is wrong with one, and its name.

A schedule is in files that others may read, in the output of `ps` and in mails: no key ever stands in one. The name of
the file stands in the operator's config, which the agent cannot write. What stood there before is kept in the state
root, for `koog uninstall`:

    {"file": PATH, "was": PATH or null, "had": {"provider": BLANKS}}
"""

from __future__ import annotations

import os
import re
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from koog.core import operator
from koog.core.config import KEY_LIMIT
from koog.core.errors import KoogError, NotFound, Refused
from koog.core.files import outside
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.operate.finding import edit

KEY = "provider.apiKeyFile"
NOTED = "keyfile"
ASSIGNED = re.compile(r"(export\s+)?[A-Za-z_][A-Za-z0-9_]*=[^=]")  # a line of a shell's or of an .env


class Fault(NamedTuple):
    """What is wrong with a key's file, and the command that mends it.

    stops   a run does not take the key from it, as it is
    """

    message: str
    command: str
    stops: bool = True


def faults(path: Path, *, roots: list[Path]) -> Iterator[Fault]:
    """Yield what is wrong with a key's file, the gravest first.

    roots   the workspaces, in none of which it may lie
    """
    quoted, found, named = shlex.quote(str(path)), outside.info(path), outside.link_info(path)
    if named is None or found is None:
        yield Fault("no such file", f"install -m 600 /dev/null {quoted}")
        return
    if not stat.S_ISREG(found.st_mode):
        yield Fault("not a regular file", f"ls -l {quoted}")
        return
    if found.st_mode & 0o077:
        yield Fault("others may read it", f"chmod 600 {quoted}")
    try:
        text = outside.read(path, limit=KEY_LIMIT).decode("utf-8").strip()
    except (OSError, UnicodeDecodeError) as e:
        why = e.strerror if isinstance(e, OSError) else "it is no text"
        yield Fault(f"it cannot be read: {why}", f"ls -l {quoted}")
        return
    if not text:
        yield Fault("it is empty", edit(str(path)))
    elif not (text.isascii() and text.isprintable()) or " " in text or ASSIGNED.match(text):
        yield Fault("it holds something else than the key alone", edit(str(path)))
    if found.st_uid != os.geteuid():
        yield Fault("somebody else owns it", f"sudo chown {os.geteuid()} {quoted}", stops=False)
    if inside := next((root for root in roots if _lies_in(path, root)), None):
        message = f"it lies in the workspace {inside}, where the agent reads it and git may keep it"
        yield Fault(message, f"mv {quoted} {shlex.quote(str(operator.folder()))}/", stops=False)
    if stat.S_ISLNK(named.st_mode):
        yield Fault("it is a link, which may lead elsewhere later", f"realpath {quoted}", stops=False)


def _lies_in(path: Path, root: Path) -> bool:
    """Return whether the file, or a part of the way to it, is in a folder: a link there is the agent's to turn."""
    return any(Path(outside.real(place)).is_relative_to(root) for place in (path, *path.parents))


def roots(run: Run) -> list[Path]:
    """Return the workspaces that this person has: this one and those of the operator's config."""
    return list(dict.fromkeys([Path(outside.real(run.root)), *(entry.path for entry in operator.all_entries())]))


def checked(run: Run, named: str) -> Path:
    """Return the absolute path of a file that is fit to hold the key. Raises NotFound, Refused."""
    path = Path(os.path.abspath(os.path.expanduser(named)))  # noqa: PTH100, PTH111  resolve would follow its links
    for fault in faults(path, roots=roots(run)):
        kind = NotFound if fault.message == "no such file" else Refused
        raise kind(f"--key-file {path}: {fault.message}", hint=fault.command)
    return path


def name(run: Run, path: Path) -> bool:
    """Name the file in the workspace's entry of the operator's config; return whether that changed anything.

    Raises ConfigError for a config that cannot be written.
    """
    if run.settings.get(KEY) == str(path):
        return False
    if run.dry_run:
        return True
    _note(run, path)
    operator.remember(run.root, KEY, str(path))
    run.__dict__.pop("settings", None)  # it has been read before
    if (said := run.settings.get(KEY)) != str(path):
        run.warnings.append(f"--config or a variable says otherwise: {KEY} is {said}")
    return True


def _note(run: Run, path: Path) -> None:
    """Keep what the entry said before koog named a file in it; where no state is kept, nothing is."""
    if run.state_root is None:
        return
    own, kept = _own(run), _noted(run)
    if not kept or kept["file"] != own:  # else koog named the one before, too
        kept = {"was": own, "had": operator.standing(run.root, ("provider",))}
    run.state_root.put(NOTED, {**kept, "file": str(path)})


def take_back(run: Run) -> tuple[list[str], list[str]]:
    """Take the file's name out of the workspace's entry; return (what was done, what is left). The file itself stays.

    Raises ConfigError, WorkspaceError, Busy.
    """
    kept, own, config = _noted(run), _own(run), operator.path()
    if not kept or run.state_root is None:
        return [], []
    if own not in (None, kept["file"], kept["was"]):  # what was, stands there again if an uninstall was killed
        return [], [f"{config}: {KEY} was changed since and stays"]
    did = []
    if own == kept["file"]:
        done = "put back " + kept["was"] if kept["was"] else f"took out {own}"
        did = [f"{config}: {KEY}: {done}"]
    if not run.dry_run:
        if did and kept["was"]:
            operator.remember(run.root, KEY, kept["was"])
        elif did:
            operator.withdraw_key(run.root, KEY, had=kept["had"])
        run.state_root.remove(NOTED)
    return did, []


def _noted(run: Run) -> dict[str, Any]:
    """Return what was kept; empty where nothing was, or it cannot be read."""
    try:
        kept = run.state_root.get(NOTED) if run.state_root else None
    except KoogError:
        return {}
    if not isinstance(kept, dict) or not isinstance(kept.get("file"), str):
        return {}
    was, had = kept.get("was"), kept.get("had")
    return {
        "file": kept["file"],
        "was": was if isinstance(was, str) else None,
        "had": had if isinstance(had, dict) else {},
    }


def _own(run: Run) -> str | None:
    """Return the file that the workspace's own entry names."""
    found = operator.entry(run.root)
    provider = found.values.get("provider") if found else None
    file = provider.get("apiKeyFile") if isinstance(provider, dict) else None
    return file if isinstance(file, str) else None
