"""What a rollback would do, file by file, before anything is done.  [moltbot §12.8]

What koog changed is taken back; what a person, or another program, wrote since stays, unless the file is named. What
was deleted for good does not come back: its file is not made again, and in others its words are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from koog.audit import findings, merge3, tick_lines
from koog.core import approval, forgotten
from koog.core.errors import WorkspaceError
from koog.core.files import auditlog
from koog.core.model import usage
from koog.core.named import NamedTuple
from koog.memory.fading import accesses, decay_scores
from koog.memory.forgetting import again, archive
from koog.memory.store import entities, graph_index, procedures

if TYPE_CHECKING:
    from koog.audit.history import History, Made
    from koog.core.run import Run

RESTORE, REMOVE, CREATE, MERGE, KEEP = "restore", "remove", "create", "merge", "keep"
# What tells of the past is not taken back, nor what says which lines were read: they would come in again.
CURSORS = "meta/cursors.json"
# A reflection that was taken back does not wait again, and the log of them tells that it was there.
# What somebody forgot stays so, with what its --undo needs: `koog forget --undo` alone brings it back.
EXEMPT = (
    auditlog.NAME,
    "meta/audit-archive.md",
    usage.FILE,
    CURSORS,
    "meta/transcripts.json",
    forgotten.FILE,
    archive.FILE,
    "meta/reflection-log.md",
    "meta/pending-reflection.json",
    "meta/pending-reflection.md",
)
SCORED = (entities.FOLDER, procedures.FOLDER)  # in whose heads koog writes what it reckons:
RECKONED = (rb"(?m)^<!-- Decay score: .*-->\r?$", rb"Last updated: \d{4}-\d\d-\d\d")


class Row(NamedTuple):
    """One file: what becomes of it, and its contents now and then (None: no file).

    why   of KEEP, and what of its contents then does not come back; "" else
    """

    path: str
    action: str
    present: bytes | None
    target: bytes | None
    why: str = ""


class Plan(NamedTuple):
    """All of it. what: in words, for the log."""

    what: str
    rows: list[Row]

    @property
    def changes(self) -> list[Row]:
        return [row for row in self.rows if row.action != KEEP]

    @property
    def id(self) -> str:
        """Return what the plan is confirmed by: another one, once a file differs or is to become another."""
        parts = [f"{r.path}\0{r.action}\0{_text(r.present)}\0{_text(r.target)}" for r in self.rows]
        return approval.digest(self.what, *parts)[:12]


def of_file(run: Run, history: History, path: str, commit: str) -> Plan:
    """Return the plan that makes one file what it was in a commit, whoever has changed it since."""
    target = history.content(history.files(commit).get(path))
    row = _row(run, path, _read(run, path), target)
    rows = _without_deleted(run, [row])
    return Plan(f"{path} to {commit[:12]}", [row for row in rows if row.present != row.target or row.action == KEEP])


def of_commits(
    run: Run, history: History, taken: Sequence[Made], *, what: str, also: Sequence[str], tick: str | None = None
) -> Plan:
    """Return the plan that takes commits back.

    taken   newest first
    also    files whose later changes go too
    tick    whose lines of the log of ticks go: its id, "" for that of each commit; None for whatever was logged
    """
    steps: dict[str, list[tuple[bytes | None, bytes | None]]] = {}
    for made in taken:
        for touch in made.touched:
            if _is_exempt(run, touch.path):
                continue
            after, before = history.content(touch.after), history.content(touch.before)
            if tick is not None and _is_ticks(run, touch.path):
                before = tick_lines.before(made, after, before, tick=tick)
            if _is_accesses(run, touch.path) and not made.is_rollback:
                before = _unused(after, before, _lost(run, history, made))
            steps.setdefault(touch.path, []).append((after, before))
    cursors = run.workspace.in_memory(CURSORS)
    brought = [(t.after, t.before, made.is_rollback) for made in taken for t in made.touched if t.path == cursors]
    rows = [_without_findings(run, history, brought)]
    made_anew = {run.workspace.in_memory(name) for name in (decay_scores.FILE, graph_index.INDEX)}
    for path, backwards in sorted(steps.items()):
        if run.workspace.is_critical(path) and path not in also:
            rows.append(_kept(run, path, "a critical file: only when it is named by --also"))
            continue
        present = _read(run, path)
        if path in also:
            rows.append(_row(run, path, present, backwards[-1][1]))
        elif (row := _taken_back(run, path, present, backwards)).action != KEEP or path not in made_anew:
            rows.append(row)
    rows = _without_deleted(run, rows)
    return Plan(what, [row for row in rows if row.present != row.target or row.action == KEEP])


def of_time(run: Run, history: History, commit: str | None, *, what: str, also: Sequence[str]) -> Plan:
    """Return the plan that brings the workspace back to a commit; what others wrote since stays."""
    since = history.commits(history.head, *([f"^{commit}"] if commit else []))
    theirs = {touch.path for made in since if not made.is_koogs for touch in made.touched}
    then = history.files(commit) if commit else {}
    now = history.files(history.head)
    differing = {path for path in then.keys() | now.keys() if then.get(path) != now.get(path)}
    uncommitted = {path for _, path in history.git.status()}
    plain = [p for p in sorted(differing) if p not in theirs | uncommitted or p in also]
    cursors = run.workspace.in_memory(CURSORS)
    rows = [_without_findings(run, history, [(now.get(cursors), then.get(cursors), False)])]
    for path in plain:
        if _is_exempt(run, path):
            continue
        if run.workspace.is_critical(path) and path not in also:
            rows.append(_kept(run, path, "a critical file: only when it is named by --also"))
        else:
            rows.append(_row(run, path, _read(run, path), history.content(then.get(path))))
    rest = [made for made in since if made.is_koogs]
    mixed = {touch.path for made in rest for touch in made.touched} & (theirs | uncommitted) - set(also)
    narrowed = [m._replace(touched=tuple(t for t in m.touched if t.path in mixed)) for m in rest]
    rows = _without_deleted(run, rows) + of_commits(run, history, narrowed, what=what, also=()).rows
    told = [row for row in rows if row.present != row.target or row.action == KEEP]
    return Plan(what, sorted(told, key=lambda row: row.path))


def _without_findings(run: Run, history: History, brought: Sequence[tuple[str | None, str | None, bool]]) -> Row:
    """Return what becomes of the cursors: what was brought to be curated goes with those who brought it.

    brought   the file after and before each change, the newest first, and whether that was a rollback
    """
    path = run.workspace.in_memory(CURSORS)
    present = text = _read(run, path)
    for after, before, is_undo in brought:
        text = findings.without(text, after=history.content(after), before=history.content(before), is_undo=is_undo)
    return _row(run, path, present, text)


def _taken_back(
    run: Run, path: str, present: bytes | None, backwards: Sequence[tuple[bytes | None, bytes | None]]
) -> Row:
    """Take a file's changes back one by one, the newest first, out of what it is now."""
    text = present
    is_merged = False
    for base, theirs in backwards:
        if text == base:
            text = theirs
            continue
        if text is None or base is None:
            why = "it is gone already" if text is None else "somebody has made it again since"
            return _kept(run, path, why)
        result = merge3.merged(base, text, theirs or b"")
        if result is None and path.startswith(tuple(run.workspace.in_memory(f"{each}/") for each in SCORED)):
            result = merge3.merged(_as_now(base, text), text, _as_now(theirs or b"", text))
        if result is None and _is_ticks(run, path) and text.startswith(base):
            result = (theirs or b"") + text[len(base) :]  # it grows by the line: what came since stands behind
        if result is None:
            return _kept(run, path, "the same lines were changed since by somebody else")
        is_merged = True
        text = None if theirs is None and not result.strip() else result
    row = _row(run, path, present, text)
    return row._replace(action=MERGE) if is_merged and row.action == RESTORE else row


def _as_now(then: bytes, present: bytes) -> bytes:
    """Return a text with the score and the day in its head that it has now: these are reckoned, and nobody's change."""
    for head in RECKONED:
        if now := re.search(head, present):
            there = re.search(head, then)
            then = then[: there.start()] + now[0] + then[there.end() :] if there else then
    return then


def _lost(run: Run, history: History, made: Made) -> set[bytes]:
    """Return the lines that a commit took out of a log of accesses: it has moved them to their month."""
    touched = [touch for touch in made.touched if _is_accesses(run, touch.path)]
    rows = [[set((history.content(name) or b"").splitlines()) for name in (t.before, t.after)] for t in touched]
    return set().union(*(before - after for before, after in rows))


def _unused(after: bytes | None, before: bytes | None, lost: set[bytes]) -> bytes | None:
    """Return a log of accesses as a commit left it, without the accesses that it brought."""
    known = lost | set((before or b"").splitlines())
    kept = [row for row in (after or b"").splitlines(keepends=True) if row.rstrip(b"\n") in known]
    return b"".join(kept) if kept or before is not None else None


def _row(run: Run, path: str, present: bytes | None, target: bytes | None) -> Row:
    try:
        run.workspace.check(path)
    except WorkspaceError as e:
        return Row(path, KEEP, present, present, e.message)
    action = CREATE if present is None else REMOVE if target is None else RESTORE
    return Row(path, action, present, target)


def _without_deleted(run: Run, rows: Sequence[Row]) -> list[Row]:
    """Return the rows without what was deleted for good: of the past a history has it."""
    known = again.known(run)
    return [_whole_or_not(known, row) for row in rows] if known else list(rows)


def _whole_or_not(known: again.Again, row: Row) -> Row:
    if row.action == KEEP or row.target is None:
        return row
    kept = Row(known.words.cut(row.path), KEEP, row.present, row.present)
    if row.present is None and known.is_a_deleted_ones(row.path):
        return kept._replace(why=again.GONE)
    left = known.without(row.target)
    if left is None:
        return kept._replace(why=again.NO_TEXT)
    return row if left == row.target else row._replace(target=left, why=again.WITHOUT)


def _kept(run: Run, path: str, why: str) -> Row:
    present = _read(run, path)
    return Row(path, KEEP, present, present, why)


def _read(run: Run, path: str) -> bytes | None:
    try:
        return run.workspace.read(path)
    except WorkspaceError:
        return None


def _is_exempt(run: Run, path: str) -> bool:
    memory = run.workspace.in_memory
    return path in map(memory, EXEMPT) or path.startswith((memory(f"{auditlog.MONTHS}/"), memory("meta/usage/")))


def _is_ticks(run: Run, path: str) -> bool:
    return tick_lines.is_a_days(run.workspace.in_memory(tick_lines.FOLDER), path)


def _is_accesses(run: Run, path: str) -> bool:
    memory = run.workspace.in_memory
    return path == memory(accesses.FILE) or path.startswith(memory(f"{accesses.FOLDER}/"))


def _text(data: bytes | None) -> str:
    from hashlib import sha256

    return "-" if data is None else sha256(data).hexdigest()
