"""doctor: the JSON that koog reads: modules, cursors, logs, ledgers.  [sinain §5.2, §5.3, §4.2; moltbot §12.4]"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from koog.core import changes, clock, failures, schema
from koog.core.errors import KoogError, WorkspaceError
from koog.core.files.workspace import PRIVATE
from koog.core.model import engine as model_engine
from koog.core.model import usage
from koog.core.run import Run
from koog.core.text import taught
from koog.heartbeat import cursors, log, ticks
from koog.operate.checks_texts import open_comment, text
from koog.operate.finding import ERROR, INFO, WARN, Finding, edit, examined, few
from koog.operate.json_places import Fault, misfits, parsed
from koog.operate.logs import WEEKS
from koog.operate.logs import files as log_files
from koog.playbook import registry, stack, trust

CURSORS: schema.Schema = {
    "type": "object",
    "properties": {
        "version": {"enum": [1]},
        "mine": {
            "type": "object",
            "properties": {
                "files": {"type": "object", "additionalProperties": {"type": "object"}},
                "pending": {"type": "array", "items": {"type": "object"}},
            },
        },
        "curate": {
            "type": "object",
            "properties": {
                name: {"type": "array", "items": {"type": "string"}} for name in ("counted", "seen", "waiting")
            },
        },
    },
}
AUDIT = "meta/audit.log"
AUDIT_FIELDS = 6  # TIMESTAMP | ACTION | FILE | ACTOR | APPROVAL | SUMMARY
SUMMARIES = "session-summaries.jsonl"

Judge = Callable[[dict[str, Any]], Iterator[tuple[str, str]]]  # a row → (level, message)


def whole(data: bytes, path: str, *, shape: schema.Schema, check: str, command: str | None = None) -> Iterator[Finding]:
    """Yield what is malformed in a JSON file, or does not fit its schema."""
    value, fault = parsed(data)
    for found in [fault] if fault else misfits(data, value, shape):
        yield Finding(check, ERROR, found.message, path, found.line, command or edit(path, found.line))


def rows(data: bytes, path: str, *, judge: Judge, check: str, judged: int | None = None) -> Iterator[Finding]:
    """Yield what is malformed in a file of JSON lines; the judge looks at the good ones, or the newest `judged`."""
    lines = data.split(b"\n")
    first = max(len(lines) - judged, 0) if judged else 0
    for number, line in enumerate(lines, 1):
        if not line.strip(b" \r\t"):
            continue
        command = edit(path, number)
        value, fault = _row(line)
        if fault:
            yield Finding(check, WARN, f"{fault.message}: this line is passed over", path, number, command)
            continue
        for level, message in judge(value) if number > first else ():
            yield Finding(check, level, message, path, number, command)


def _row(line: bytes) -> tuple[Any, Fault | None]:
    if not line.strip(b"\0 \r\t"):
        return None, Fault(None, "NUL bytes, from a crash of the machine")
    value, fault = parsed(line.strip(b"\0 \r\t"))
    if fault is None and not isinstance(value, dict):
        fault = Fault(None, "no JSON object")
    return value, fault


# --- modules


def modules(run: Run) -> Iterator[Finding]:
    """Look at the registry, and at the manifest and the texts of each module."""
    workspace, path = run.workspace, run.workspace.in_modules(registry.NAME)
    if not workspace.exists(path):
        yield Finding("modules", INFO, "no module registry: no module is active", path, command="koog init .")
    shape = schema.definition(registry.SCHEMA, "registry")
    judge = partial(whole, shape=shape, check="modules")
    found = examined(workspace, path, judge, check="modules")
    if workspace.size(path):  # an empty registry is read as one without modules
        yield from found
    try:
        known = registry.load(workspace)
    except KoogError:
        return  # told above
    for name in registry.unregistered(workspace, known):
        yield Finding(
            "modules", INFO, f"module {name!r} is not registered", path, command=f"koog module activate {name}"
        )
    for name in sorted({*known["modules"], *registry.unregistered(workspace, known)}):
        yield from _module(run, name, active=known["modules"].get(name, {}).get("status") == "active")
    yield from _unapproved(run, known["modules"])


def _unapproved(run: Run, entries: Mapping[str, Any]) -> Iterator[Finding]:
    """Look for active modules that came from elsewhere and that nobody has approved as they are."""
    workspace, known = run.workspace, trust.known(run.workspace)
    for name, entry in entries.items():
        if entry.get("status") == "active" and known.standing(workspace, name, entry) == trust.NEEDED:
            changed = "since a person approved it it has changed" if trust.KEY in entry else "no person has approved it"
            message = f"module {name!r} was imported, and {changed}: left out of the playbook"
            manifest = workspace.in_modules(f"{name}/manifest.json")
            yield Finding("modules", WARN, message, manifest, command=stack.APPROVE.format(name))


def _module(run: Run, name: str, *, active: bool) -> Iterator[Finding]:
    workspace = run.workspace
    manifest = workspace.in_modules(f"{name}/manifest.json")
    level, remedy = (ERROR, f"koog module suspend {name}") if active else (INFO, f"ls {workspace.in_modules(name)}")
    if not workspace.exists(manifest):
        yield Finding("modules", level, f"module {name!r} is registered and has no manifest", manifest, command=remedy)
    yield from examined(workspace, manifest, _manifest, check="modules")
    patterns = workspace.in_modules(f"{name}/patterns.md")
    if not workspace.exists(patterns):
        message = f"module {name!r} has no patterns.md: it adds nothing to the playbook"
        yield Finding("modules", WARN if active else INFO, message, patterns, command=remedy)
    for path in (patterns, workspace.in_modules(f"{name}/guidance.md")):
        yield from examined(workspace, path, _layer, check="modules")


def _manifest(data: bytes, path: str) -> Iterator[Finding]:
    shape = schema.definition(registry.SCHEMA, "manifest")
    yield from whole(data, path, shape=shape, check="modules")
    value, _ = parsed(data)
    name = path.split("/")[-2]
    if isinstance(value, dict) and isinstance(value.get("id"), str) and value["id"] != name:
        yield Finding("modules", ERROR, f"id {value['id']!r} is not the folder's name", path, command=edit(path))


def _layer(data: bytes, path: str) -> Iterator[Finding]:
    yield from text(data, path, check="modules")
    line = open_comment(data.decode("utf-8", "replace"))
    if line is not None:
        message = "<!-- is never closed: it hides what follows in the effective playbook"
        yield Finding("modules", ERROR, message, path, line, edit(path, line))


# --- cursors, logs, ledgers


def cursor_file(run: Run) -> Iterator[Finding]:
    """Look at what was mined and counted."""
    path = run.workspace.in_memory(cursors.NAME)
    judge = partial(whole, shape=CURSORS, check="cursors", command=f"git checkout -- {path}")
    if run.workspace.size(path):
        yield from examined(run.workspace, path, judge, check="cursors")


def logs(run: Run) -> Iterator[Finding]:
    """Look at the tick logs of the weeks that anything reads, in both places."""
    shape = schema.definition(log.SCHEMA, "entry")
    first = clock.iso(run.now - timedelta(weeks=WEEKS))[:10]
    for path in log_files(run.workspace, first=first, last=clock.iso(run.now)[:10]):
        judge = partial(_log, judge=partial(entry, shape=shape))
        yield from examined(run.workspace, path, judge, check="logs")


def _log(data: bytes, path: str, *, judge: Judge) -> Iterator[Finding]:
    """Yield what is wrong in one day's log; of one that ran wild only the lines that count are judged."""
    if data.count(b"\n") > ticks.MOST_LINES:
        message = f"more than {ticks.MOST_LINES} lines in a day, of which the newest count: what logs without end?"
        yield Finding("logs", WARN, message, path, None, f"tail -n 3 {path}")
    yield from rows(data, path, judge=judge, check="logs", judged=ticks.MOST_LINES)


def entry(row: dict[str, Any], shape: schema.Schema) -> Iterator[tuple[str, str]]:
    """Yield how a tick's entry differs from the contract; other kinds of line are nobody's business here.

    Keys beyond the contract are no fault: per-step status, tokens and milliseconds stand there too.
    """
    if row.get("_type") not in (None, "tick"):
        return
    if ticks.normalize(row) is None:
        yield WARN, "a tick without a time (ts): it is passed over"
        return
    known = {k: v for k, v in row.items() if k in shape["properties"]}
    if wrong := schema.problem(known, shape):
        yield INFO, f"an older or foreign shape, read as far as it goes: {wrong}"


def ledgers(run: Run) -> Iterator[Finding]:
    """Look at what only grows: the usage ledger, the audit log, the sessions' summaries, the changes, the failures."""
    workspace = run.workspace
    judge = partial(rows, judge=timed, check="ledgers")
    usages = (workspace.in_memory(usage.FILE), *_months(run, usage.FILE))
    for path in (*usages, workspace.in_memory(SUMMARIES)):
        yield from examined(workspace, path, judge, check="ledgers")
    judge_of = partial(rows, judge=_lesson, check="ledgers")
    yield from examined(workspace, workspace.in_memory(taught.FILE), judge_of, check="ledgers")
    judge_of = partial(rows, judge=_change, check="ledgers")
    yield from examined(workspace, workspace.in_memory(changes.FILE), judge_of, check="ledgers")
    yield from _failures(run, judge)
    for path in (workspace.in_memory(AUDIT), *_months(run, AUDIT)):
        yield from examined(workspace, path, audit, check="ledgers")
    cache = f"{PRIVATE}/{model_engine.MODES}"
    judge = partial(whole, shape={"type": "object"}, check="ledgers", command=f"rm {cache}")
    for found in examined(workspace, cache, judge, check="ledgers"):
        yield found._replace(level=INFO)  # it is made again: nothing is lost


def _lesson(value: Any) -> Iterator[tuple[str, str]]:
    if not taught.is_lesson(value):
        yield WARN, "teaches nothing: a text and a type that koog teach knows are needed; this line is passed over"


def _change(value: Any) -> Iterator[tuple[str, str]]:
    if not changes.told_by(value):
        yield WARN, f"leads to no line: ts, old, by and how ({', '.join(changes.HOWS)}) are needed; it is passed over"


def _failures(run: Run, judge: Callable[[bytes, str], Iterator[Finding]]) -> Iterator[Finding]:
    """Look at the failures, which lie in the state root where there is one."""
    workspace = run.workspace
    if workspace.state_root is None:
        yield from examined(workspace, f"{PRIVATE}/{failures.NAME}", judge, check="ledgers")
        return
    path = str(workspace.state_root.path / failures.NAME)
    try:
        told = workspace.jotted(failures.NAME)
    except WorkspaceError as e:
        yield Finding("ledgers", ERROR, e.message, file=path, command=f"ls -l {shlex.quote(path)}")
        return
    yield from few(judge(told.encode("utf-8", "surrogateescape"), path))


def _months(run: Run, name: str) -> list[str]:
    """Return the files of the last twelve months into which a file of lines was moved."""
    stem, suffix = run.workspace.in_memory(name).rsplit(".", 1)
    return [f"{stem}/{month}" for month in run.workspace.names(stem, f".{suffix}")[-12:]]


def timed(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a finding for a row without a time."""
    if clock.parse(row.get("ts")) is None:
        yield INFO, "a line without a time (ts): no day counts it"


def audit(data: bytes, path: str) -> Iterator[Finding]:
    """Yield the lines of an audit log that have not its six fields, or no time."""
    yield from text(data, path, check="ledgers")
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), 1):
        fields = line.rstrip("\r").split(" | ")
        if not line.strip() or line.startswith("#"):
            continue
        command = f"git log -p -- {path}"
        if len(fields) != AUDIT_FIELDS:
            yield Finding("ledgers", WARN, f"{len(fields)} fields, {AUDIT_FIELDS} are an entry", path, number, command)
        elif clock.parse(fields[0].strip()) is None:
            yield Finding("ledgers", WARN, "an entry without a time", path, number, command)
