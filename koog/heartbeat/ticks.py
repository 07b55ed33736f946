"""memory/playbook-logs/YYYY-MM-DD.jsonl: what each tick saw and did.  [sinain §4.2, §6; design §5]

Three kinds of line: an entry (no `_type`), `{"_type":"output","tickId",…}` that
`synthesize` adds to an entry after the gate, and `{"_type":"score","tickId",…}` that
`feedback --scores` keeps. Other kinds, malformed lines and older shapes are seen in
the wild; they are passed over or read as what they mean, never mistaken for ticks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from koog.core import clock
from koog.core.files import jsonfiles
from koog.core.files.workspace import Workspace
from koog.core.named import NamedTuple

FOLDER = "playbook-logs"
HISTORY_DAYS = 30  # long enough for three actions on a stale item with a week between them

KEYS: dict[str, Any] = {
    "ts": None,
    "tickId": None,
    "idle": False,
    "sessionHistorySummary": "",
    "signals": [],
    "actionsConsidered": [],
    "spawnOutcome": None,
    "feedbackScores": None,
    "effectivenessRate": None,
    "effectivenessAlert": False,
    "curateDirective": None,
    "minedSources": [],
    "miningFindings": None,
    "playbookChanges": None,
    "staleItemActions": [],
    "output": None,
    "skipped": False,
    "skipReason": None,
}

STEP_CHARS = 40
MOST_LINES = 3000  # of one day: three times what a tick every five minutes leaves; what ran wild is read from its end
ACTIONS = ("sessions_spawn", "telegram_tip")


class Log(NamedTuple):
    """The ticks of some days, newest first, with their outputs and scores joined by tickId."""

    entries: tuple[dict[str, Any], ...]
    scores: dict[str, float]
    files: tuple[str, ...] = ()


def path_for(workspace: Workspace, moment: datetime) -> str:
    """Return the log file of a moment, by its UTC day."""
    return workspace.in_memory(f"{FOLDER}/{clock.iso(moment)[:10]}.jsonl")


def read(workspace: Workspace, *, now: datetime, days: int) -> Log:
    """Return the ticks of the last days, found by file name, so that old logs cost nothing."""
    paths = files(workspace, now=now, days=days)
    parts = [kept(workspace, path) for path in paths]
    return joined(parts, since=now - timedelta(days=days), until=now, files=tuple(paths))


def files(workspace: Workspace, *, now: datetime, days: int) -> list[str]:
    """Return the log files of the last days, oldest first."""
    first, last = clock.iso(now - timedelta(days=days))[:10], clock.iso(now)[:10]
    folder = workspace.in_memory(FOLDER)
    names = workspace.names(folder, ".jsonl")
    return [f"{folder}/{name}" for name in names if first <= name.removesuffix(".jsonl") <= last]


class Sorted(NamedTuple):
    """The rows of one file by their kind: ticks in the contract's shape, outputs and scores by tickId."""

    entries: list[dict[str, Any]]
    outputs: dict[str, dict[str, str] | None]
    scores: dict[str, float]
    failed: set[str]  # ticks whose synthesis failed: their own entries stood in the log before it began
    is_whole: bool = True  # False where there are more lines than are read


EMPTY = Sorted([], {}, {}, set())


def join(
    found: list[dict[str, Any]],
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    files: tuple[str, ...] = (),
) -> Log:
    """Sort rows into ticks, outputs and scores, and join them."""
    return joined([_sorted(found)], since=since, until=until, files=files)


def kept(workspace: Workspace, path: str) -> Sorted:
    """Return a file's newest rows, read once a process while it does not change: every step of a tick asks for them."""
    state = workspace.state(path)
    known = workspace.memo.get(path)
    if known is None or state is None or known[0] != state:
        text = workspace.text(path) or ""
        last = newest(text)
        known = (state, _sorted(rows(last), is_whole=len(last) == len(text)))
        workspace.memo[path] = known
    return known[1]


def _sorted(found: list[dict[str, Any]], *, is_whole: bool = True) -> Sorted:
    into = Sorted([], {}, {}, set(), is_whole)
    for row in found:
        kind = row.get("_type")
        if kind == "output":
            tick = str(row.get("tickId"))
            into.outputs[tick] = _output(row.get("output"))
            (into.failed.add if row.get("failed") else into.failed.discard)(tick)  # done again, it may have worked
        elif kind == "score" and type(row.get("compositeScore")) in (int, float):  # True is no score
            into.scores[str(row.get("tickId"))] = max(-1.0, min(1.0, float(row["compositeScore"])))
        elif kind in (None, "tick") and (entry := normalize(row)):
            into.entries.append(entry)
    return into


def joined(
    parts: Sequence[Sorted],
    *,
    since: datetime | None = None,
    until: datetime | None = None,
    files: tuple[str, ...] = (),
) -> Log:
    """Join ticks with the outputs and scores that any file has for them; newest first."""
    outputs = {tick: output for part in parts for tick, output in part.outputs.items()}
    scores = {tick: score for part in parts for tick, score in part.scores.items()}
    failed = {tick for part in parts for tick in part.failed if not outputs.get(tick)}
    inside = [
        {
            **e,
            "output": outputs.get(e["tickId"]) or e["output"],
            "degraded": [*e["degraded"], *(["synthesize"] if e["tickId"] in failed else [])],
        }
        for part in parts
        for e in part.entries
        if _within(e["ts"], since, until)
    ]
    inside.sort(key=lambda e: str(e["ts"]), reverse=True)
    return Log(tuple(inside), scores, files)


def normalize(row: dict[str, Any]) -> dict[str, Any] | None:
    """Return an entry with the contract's keys and types, from any shape seen in the wild; None when it is no tick.

    Read as well: string signals; `recommendedAction` in place of `actionsConsidered`;
    `playbookChanges.changes` nested; an entry without `feedbackScores` or `tickId`.
    Beside the contract's keys it has `degraded`, the steps that failed.
    """
    moment = clock.parse(row.get("ts"))
    if moment is None:
        return None
    entry = {key: _like(row.get(key), default) for key, default in KEYS.items()}
    entry["ts"] = clock.iso(moment)
    entry["tickId"] = str(row.get("tickId") or entry["ts"])
    entry["signals"] = [s for s in map(signal, entry["signals"]) if s]
    entry["actionsConsidered"] = [a for a in entry["actionsConsidered"] if isinstance(a, dict)]
    if not entry["actionsConsidered"] and isinstance(row.get("recommendedAction"), dict):
        entry["actionsConsidered"] = [_older_action(row["recommendedAction"])]
    changes = row.get("playbookChanges")
    if isinstance(changes, dict) and isinstance(changes.get("changes"), dict):
        entry["playbookChanges"] = changes["changes"]
    entry["output"] = _output(row.get("output"))
    told = row.get("degraded")
    entry["degraded"] = [step[:STEP_CHARS] for step in told if isinstance(step, str)] if isinstance(told, list) else []
    for key in ("feedbackScores", "playbookChanges"):
        entry[key] = entry[key] if isinstance(entry[key], dict) else None
    return entry


def signal(value: Any) -> dict[str, str] | None:
    """Return `{description, priority}` of a signal that may be a bare string; None when it is neither."""
    if isinstance(value, str) and value.strip():
        return {"description": value.strip(), "priority": "medium"}
    if isinstance(value, dict) and isinstance(value.get("description"), str):
        priority = value.get("priority")
        return {
            "description": value["description"],
            "priority": priority if priority in ("high", "medium", "low") else "medium",
        }
    return None


def chosen(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the Phase 2 actions that a tick really took."""
    return [a for a in entry["actionsConsidered"] if a.get("chosen") and a.get("action") in ACTIONS]


def task_of(action: dict[str, Any]) -> str:
    """Return what an action was about; entries of before `task` have it in their reason."""
    return str(action.get("task") or action.get("reason") or "")


def text_of(entry: dict[str, Any]) -> str:
    """Return what a tick saw, as one text: its summary and its signals."""
    return " ".join([str(entry["sessionHistorySummary"]), *(s["description"] for s in entry["signals"])])


def window(entries: Sequence[dict[str, Any]], *, least: int) -> list[dict[str, Any]]:
    """Return the newest entries, newest first: `least` of them, and all of the quarter day that the last of them is of.

    A window that begins with each tick anew would make every prompt begin anew; this
    one begins at the same entry for six hours, and a provider's cache holds it.
    """
    if len(entries) <= least:
        return list(entries)
    first = _quarter(str(entries[least - 1]["ts"]))
    return [e for n, e in enumerate(entries) if n < least or _quarter(str(e["ts"])) == first]


def _quarter(ts: str) -> str:
    return f"{ts[:10]} {int(ts[11:13]) // 6}"


def receipt(row: dict[str, Any]) -> str:
    """Return the receipt of a logged entry: its tickId and a hash of its line as koog writes it."""
    from hashlib import sha256  # most readers of a log issue no receipt

    return f"{row['tickId']}#{sha256(jsonfiles.line(row).encode()).hexdigest()[:12]}"


def newest(text: str) -> str:
    """Return a log's last MOST_LINES lines; all of a log that has no more."""
    parts = text.rsplit("\n", MOST_LINES + 1)  # one more: a log ends with a line end
    return text[len(parts[0]) + 1 :] if len(parts) > MOST_LINES + 1 else text


def rows(text: str) -> list[dict[str, Any]]:
    """Return the JSON objects of a log, malformed lines left out."""
    found = []
    for line in text.split("\n"):
        try:
            row = jsonfiles.loads(line) if line.strip("\0 \r\t") else None
        except (ValueError, UnicodeEncodeError):
            continue  # a torn line, or one that another program wrote badly
        if isinstance(row, dict):
            found.append(row)
    return found


def _within(ts: str, since: datetime | None, until: datetime | None) -> bool:
    moment = clock.parse(ts)
    return moment is not None and (since is None or moment >= since) and (until is None or moment <= until)


def _like(value: Any, default: Any) -> Any:
    """Return the value when it has the default's kind, else the default (lists are fresh ones)."""
    if isinstance(default, list):
        return value if isinstance(value, list) else []
    if isinstance(default, (str, bool)):
        return value if isinstance(value, type(default)) else default
    return value


def _older_action(action: dict[str, Any]) -> dict[str, Any]:
    return {
        "action": action.get("action"),
        "chosen": action.get("action") in ACTIONS,
        "spawnId": action.get("spawnId"),
        "reason": str(action.get("task") or ""),
    }


def _output(value: Any) -> dict[str, str] | None:
    if not isinstance(value, dict) or value.get("skip"):
        return None
    found = {k: v.strip() for k in ("suggestion", "insight") if isinstance(v := value.get(k), str) and v.strip()}
    return {"suggestion": found.get("suggestion", ""), "insight": found.get("insight", "")} if found else None
