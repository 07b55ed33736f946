"""koog audit verify: is the audit log what koog wrote, and git where koog left it?  [moltbot §12, design §4]

Reads   memory/meta/audit.log and its months; chain.log, chain.key and chain-head.json of the state root; git's HEAD
Writes  nothing
Asks    nothing
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import typer

from koog.audit import comparison
from koog.audit.comparison import FORGED, TRUNCATION, Found
from koog.core.errors import WorkspaceError
from koog.core.files import auditlog, chain
from koog.core.files.chain import Record
from koog.core.git.repository import Git
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.view import BAD, DIM, GOOD, PLAIN, STRONG, WARN, Cell, Section

INTACT, UNSEALED, TAMPERED, UNKNOWN = "intact", "unsealed", "tampered", "unknown"
REMOVED, ROLLBACK, RESET, CHAIN = "removed", "rollback", "git-reset", "chain"
UNPROVED = (
    "what was done by somebody who can read the state root: the key lies there",
    "who wrote the lines that are unsealed",
    "that state root, log and repository were not all put back to one earlier moment",
)
WORDS = {
    comparison.EDIT: "lines were changed",
    FORGED: "actor or approval is not what koog wrote",
    comparison.DELETION: "lines are gone",
    comparison.INSERTION: "lines were put in",
    comparison.DUPLICATION: "lines were copied to another place",
    comparison.REORDER: "lines stand in another order",
    TRUNCATION: "lines at the end are gone",
    REMOVED: "the log is gone",
    ROLLBACK: "the log and the files that it names were put back to an earlier state",
    RESET: "git's history was put back, or replaced, since koog's last commit",
    CHAIN: "the chain itself is not as koog left it",
}


class Verified(NamedTuple):
    """What was found: see the reply's schema."""

    verdict: str
    lines: int
    sealed: int
    unsealed: int
    found: list[Found]
    segments: list[dict[str, Any]]


def verify(ctx: typer.Context) -> Reply:
    """Say whether the audit log is what koog wrote: what was changed, cut, put in, and from which number on."""
    run: Run = ctx.obj
    done = look(run)
    keys: dict[str, Any] = {
        "verdict": done.verdict,
        "lines": done.lines,
        "sealed": done.sealed,
        "unsealed": done.unsealed,
        "firstBad": done.found[0].number if done.found else None,
        "found": [{"kind": f.kind, "number": f.number, "lines": f.lines, "says": WORDS[f.kind]} for f in done.found],
        "segments": done.segments,
        "unproved": list(UNPROVED),
    }
    reply = Reply("koog.audit.verify/1", **keys)
    if run.human:
        reply.view = _view(done)
    return reply


def look(run: Run) -> Verified:
    """Verify the log of a run's workspace. Raises WorkspaceError for a state root that cannot be read."""
    state = run.state_root
    texts = _lines(run)
    data = state.root.read(chain.NAME, limit=chain.LIMIT) if state else None
    key = chain.known_key(state) if state else None
    if state is None or (data is None and key is None):
        return Verified(UNKNOWN, len(texts), 0, len(texts), [], [])
    records = chain.parsed(data or b"")
    broken = chain.broken(key, data or b"") if key else 0
    head = state.get(chain.HEAD)
    if key is None or broken is not None or _is_cut(records, head):
        last = next((r.number for r in reversed(records) if r), 0)
        return Verified(TAMPERED, len(texts), 0, len(texts), [Found(CHAIN, last if broken is None else broken, 1)], [])
    return _compared(run, key, [r for r in records if r], texts, head)


def _lines(run: Run) -> list[bytes]:
    """Return the log's lines as they stand; a link, a folder or a pipe in the place of a file of it holds none."""
    workspace, found = run.workspace, list[bytes]()
    try:
        paths = auditlog.files(workspace)
    except WorkspaceError as e:
        run.warnings.append(e.message)
        paths = [workspace.in_memory(auditlog.NAME)]
    for path in paths:
        try:
            found += auditlog.rows(workspace.files.read(path, limit=auditlog.LIMIT) or b"")
        except WorkspaceError as e:
            run.warnings.append(e.message)
    return found


def _compared(run: Run, key: bytes, records: list[Record], texts: Sequence[bytes], head: Any) -> Verified:
    of_lines = chain.lines(records)
    marks = [chain.mark(key, text) for text in texts]
    compared = comparison.compare(of_lines, marks, lambda i: chain.rest(key, texts[i]))
    found = compared.found
    if of_lines and not texts:
        found = [Found(REMOVED, of_lines[0].number, len(of_lines))]
    elif [one.kind for one in found] == [TRUNCATION] and _files_are_of_then(run, of_lines, texts):
        found = [found[0]._replace(kind=ROLLBACK)]
    if not found:
        alone = [texts[i] for i, record in enumerate(of_lines) if record.kind == chain.FOUND]
        forged = [
            (r.number, texts[i]) for i, r in enumerate(of_lines) if r.kind == chain.FOUND and auditlog.claims(texts[i])
        ]
        behind = [text for text in texts[len(of_lines) :] if auditlog.claims(text)]
        if forged or behind:
            first = forged[0][0] if forged else (of_lines[-1].number if of_lines else 0) + 1
            found = [Found(FORGED, first, len(forged) + len(behind))]
        unsealed = len(alone) + compared.unsealed
    else:
        unsealed = compared.unsealed
    if (number := _reset_after(run, head)) is not None:
        found = [*found, Found(RESET, number, 1)]
    sealed = sum(record.kind == chain.SEALED for record in of_lines)
    verdict = TAMPERED if found else UNSEALED if unsealed else INTACT
    return Verified(verdict, len(texts), sealed, unsealed, found, _segments(records))


def _is_cut(records: Sequence[Record | None], head: Any) -> bool:
    """Return whether the chain lacks the record at which it stood at the last commit."""
    if not isinstance(head, dict):
        return False
    begins = next((r for r in records if r), None)
    if begins and begins.kind == chain.BASE and begins.number >= head.get("number", 0):
        return False
    return not any(r and r.number == head.get("number") and r.mac == head.get("mac") for r in reversed(records))


def _reset_after(run: Run, head: Any) -> int | None:
    """Return after which number git's history lost the commit at which koog had left it, None where it has it."""
    commit = head.get("git") if isinstance(head, dict) else None
    if not isinstance(commit, str):
        return None
    if isinstance(known := head.get("reset"), int):  # koog has gone on since
        return known
    with suppress(WorkspaceError):
        git = Git.find(run.workspace.root, state=run.state_root)
        if git is None or not git.keeps(commit):
            return int(head["number"])
    return None  # or git cannot say: another repository, or one that is broken, and `koog doctor` says so


def _files_are_of_then(run: Run, records: Sequence[Record], texts: Sequence[bytes]) -> bool:
    """Return whether the files too are as the last lines that stand say, and not as they were left."""
    last: dict[str, str] = {}
    for record, text in zip(records, texts, strict=False):
        entry = auditlog.parse(text.decode("utf-8", "surrogateescape"))
        if entry and record.kind == chain.SEALED and record.file != chain.NONE:
            last[entry.file] = record.file
    after = {record.file for record in records[len(texts) :]} - {chain.NONE}
    seen = []
    for path, mark in last.items():
        with suppress(WorkspaceError):
            seen.append(chain.file_mark(run.workspace.read(path)) == mark)
    now = {chain.file_mark(run.workspace.read(path)) for path in last if _reads(run, path)}
    return bool(seen) and all(seen) and not (after & now)


def _reads(run: Run, path: str) -> bool:
    try:
        run.workspace.read(path)
    except WorkspaceError:
        return False
    return True


def _segments(records: Sequence[Record]) -> list[dict[str, Any]]:
    return [
        {"after": r.number, "why": r.rest, "lines": sum(o.kind == chain.ACCEPTED for o in records[i + 1 :])}
        for i, r in enumerate(records)
        if r.kind == chain.SEGMENT
    ]


def _view(done: Verified) -> list[Section]:
    tone = {INTACT: GOOD, UNSEALED: WARN, TAMPERED: BAD, UNKNOWN: WARN}[done.verdict]
    head = [[Cell(f"● {done.verdict}", tone)], [Cell(f"{done.lines} lines, {done.sealed} sealed", DIM)]]
    rows = [
        [Cell(f.kind, STRONG), Cell(WORDS[f.kind], BAD), Cell(f"from number {f.number} on, {f.lines} in all", PLAIN)]
        for f in done.found
    ]
    unproved = Section("What this does not prove", [[Cell(text, DIM)] for text in UNPROVED])
    return [Section("", head), *([Section("Found", rows)] if rows else []), unproved]
