"""How koog gets out of a host: what `init --host` wrote into the person's settings is taken out again.

Of a file of settings exactly the hooks of one workspace go; with the last of them goes what koog had made around them,
down to the file and its folders. Nothing that a person changed is touched: it is named.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from koog.core.errors import KoogError, WorkspaceError
from koog.core.files import host, outside
from koog.core.named import NamedTuple
from koog.core.shipped import shipped
from koog.core.shipped import text as text_of
from koog.host import footprint, hook_lines, install, whose
from koog.host.footprint import Before
from koog.host.hook_lines import Cut
from koog.sessions import agents


class Back(NamedTuple):
    """What was taken back, what a person has to see to, and the commands that only he can run.

    stays   whether hooks of koog's are left in the settings, as a person has changed them
    """

    did: list[str]
    left: list[str]
    next: list[str]
    stays: bool = False


def take_back(name: str, *, root: Path, lines: Collection[str] | None, dry_run: bool) -> Back:
    """Take koog's hooks for a workspace out of Claude Code or Codex.

    lines   the hooks as koog wrote them, None where nobody has noted that

    Raises WorkspaceError, Busy from the files' writing, and for settings that cannot be read: nothing has changed then.
    """
    file, steps = install.settings_file(name), list[str]()
    with footprint.alone(dry_run=dry_run):
        before, was = footprint.of(file), agents.config(file)
        did, left, text = _hooks(file, name, root, lines, before=before, dry_run=dry_run)
        stays = bool(left)
        # By what is noted, too: an uninstall that was killed may have cut the hooks out and come no further.
        is_known = bool(did or before) and not left
        is_last = is_known and not hook_lines.lines(json.loads(text or install.EMPTY), name)
        try:
            if name == "claude" and (is_last or not hook_lines.lines(was, name)):
                told, more = _skill(is_known=is_last, dry_run=dry_run)
                did, left = did + told, left + more
            if is_last and before:  # after the skill, which may lie in the same folder
                did += _closed(file, before, text, dry_run=dry_run)
        except WorkspaceError as e:  # what was done before it is told all the same, and the next uninstall ends it
            left, steps = [*left, e.message], [f"koog uninstall {shlex.quote(str(root))} --host {name}"]
    known = install.plugin() if name == "claude" and not _is_read_elsewhere(root) else None
    others = [each for each in footprint.files(file.name) if hook_lines.of(agents.config(each), name, root)]
    others = [each for each in others if each != file]
    left += [f"{each}: calls koog, too, from another folder of settings" for each in others]
    steps += [_elsewhere(name, each, root) for each in others]
    return Back(did, left, steps + ([f"claude plugin uninstall {known}"] if known else []), stays or bool(others))


def _is_read_elsewhere(root: Path) -> bool:
    """Return whether another workspace reads Claude Code's sessions, for which its plugin stays."""
    with suppress(KoogError):
        return any(each != root and outside.is_folder(each) for each in whose.reading_workspaces("claude"))
    return False


def _elsewhere(name: str, file: Path, root: Path) -> str:
    """Return the command that takes koog out of a host whose settings lie in another folder."""
    folder, place = shlex.quote(str(file.parent)), shlex.quote(str(root))
    return f"{install.SETTINGS[name][0]}={folder} koog uninstall {place} --host {name}"


def _hooks(
    file: Path, name: str, root: Path, lines: Collection[str] | None, *, before: Before | None, dry_run: bool
) -> tuple[list[str], list[str], str | None]:
    """Cut the hooks out; return (what was done, what is left, the text without them: None where there is no file)."""
    found = [Cut("", [], [])]

    def change(text: str | None) -> str:
        found[0] = hook_lines.cut(text or install.EMPTY, name, root, had=before.had if before else {}, lines=lines)
        return found[0].text

    text: str | None = None
    try:
        text = host.read(file.parent, file.name)
        if text:
            change(text)
        if found[0].gone and not dry_run:
            host.edit(file.parent, file.name, change)
    except (ValueError, RecursionError, WorkspaceError) as e:
        if isinstance(e, WorkspaceError):
            is_free = not install.in_settings(name, root)  # a link, say, into which koog has never written
        else:
            is_free = before is None and hook_lines.CALLED.format(name=name) not in (text or "")
        if is_free:
            return [], [], None
        way = "let koog write" if isinstance(e, WorkspaceError) else "mend"
        by_hand = f"{way} {file}, or take out of it the hooks that end with --workspace {root}"
        raise WorkspaceError(f"{file} is left alone: {e}", hint=by_hand) from None
    did = [f"{file}: took out the hooks {', '.join(found[0].gone)}"] if found[0].gone else []
    left = [f"{file}: the hook {event} was changed since and stays" for event in found[0].left]
    return did, left, found[0].text if text else text


def _closed(file: Path, before: Before, text: str | None, *, dry_run: bool) -> list[str]:
    """End with a file in which nothing of koog's is left; return what was done."""
    is_empty = text == install.EMPTY
    if is_empty and before.was == footprint.MISSING:
        return _removed(file, before, dry_run=dry_run)
    if not dry_run:
        if is_empty and before.was == footprint.BLANK:
            host.write(file.parent, file.name, "")
        _forgotten(file, before)
    return []


def _skill(*, is_known: bool, dry_run: bool) -> tuple[list[str], list[str]]:
    """Remove the skill if it is as koog wrote it; return (what was done, what is left). Raises WorkspaceError, Busy.

    is_known   koog was installed here, so a skill of koog's that nobody has noted is its
    """
    file = install.skill_file()
    before = footprint.of(file)
    try:
        present = host.read(file.parent, file.name)
    except WorkspaceError as e:
        return [], [f"{file} is left alone: {e.message}"]
    is_koogs = before.was != footprint.THERE if before else is_known and present is not None
    if not is_koogs:
        return [], []
    wrote = footprint.digest(text_of(shipped(f"skills/{install.SKILL}") / file.name))
    if present is not None and footprint.digest(present) not in (wrote, before.digest if before else None):
        return [], [f"{file}: was changed since and stays"]
    return _removed(file, before or Before(footprint.MISSING), dry_run=dry_run), []


def _removed(file: Path, before: Before, *, dry_run: bool) -> list[str]:
    """Remove a file of koog's, and the folders that it made for it and that are empty; return what was done."""
    if dry_run:
        return [f"{file}: removed"] if outside.is_file(file) else []
    gone = [file] if host.remove(file.parent, file.name) else []
    return [f"{each}: removed" for each in (*gone, *_forgotten(file, before))]


def _forgotten(file: Path, before: Before) -> list[Path]:
    """Keep nothing of a file any more, last of all: what is killed before is done again; return the folders removed."""
    host.remove_half(file.parent, file.name)
    gone = host.clear(before.folders)
    footprint.forget(file)
    return gone
