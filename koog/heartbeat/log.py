"""koog log: the mandatory gate.  [sinain §6.1, §6.2 Step 4; design §5]

Reads   the logs of 30 days, the module manifests
Writes  one line in memory/playbook-logs/YYYY-MM-DD.jsonl, lastTriggered in the registry
Asks    nothing
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import clock, schema
from koog.core.errors import KoogError, Refused, UsageError
from koog.core.files import jsonfiles
from koog.core.files.door import Door
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import json_or_stdin
from koog.core.text.untrusted import clean
from koog.heartbeat import feedback, spawns, ticks
from koog.playbook import registry

SCHEMA = Path(__file__).with_name("log.schema.json")
HINT = "step 4 of HEARTBEAT.md shows a whole entry"


def log(
    ctx: typer.Context,
    entry: Annotated[str, typer.Option(metavar="JSON|-", help="The tick's log entry; '-' reads stdin.")],
) -> Reply:
    """Log one tick. HEARTBEAT_OK is allowed only with the receipt that this prints."""
    run: Run = ctx.obj
    return Reply("koog.log/1", **close(run, json_or_stdin(entry, what="--entry", hint=HINT)))


def close(run: Run, value: Any) -> dict[str, Any]:
    """Check, append and sync one entry; return the receipt and the reply's other keys.

    The same entry again gets the same receipt and writes nothing.

    Raises UsageError for an entry that is not whole, Refused for another entry
    under a tickId that is taken.
    """
    entry = checked(run, value)
    path = ticks.path_for(run.workspace, clock.parse(entry["ts"]) or run.now)
    late = _timeout(run)
    with run.workspace.writing() as door:
        earlier = _logged(door, run, entry["tickId"])
        if earlier is None:
            entry["spawnOutcome"] = entry["spawnOutcome"] or late
            door.append(path, jsonfiles.line(entry) + "\n", summary=_summary(entry))
            triggered = _trigger(door, run, entry)
        elif _same(earlier.row, entry):
            path, entry, triggered = earlier.path, earlier.row, []
        else:
            raise Refused(f"tick {entry['tickId']} is logged already, with another entry", hint="take a new tickId")
    return {
        "receipt": ticks.receipt(entry),
        "tickId": entry["tickId"],
        "path": path,
        "created": earlier is None,
        "triggered": triggered,
        "heartbeat": "HEARTBEAT_OK",
    }


def checked(run: Run, value: Any) -> dict[str, Any]:
    """Return a whole entry: every key of the contract, signals as objects, no secret in any text."""
    if wrong := schema.problem(value, schema.definition(SCHEMA, "entry")):
        raise UsageError(f"--entry: {wrong}", hint=HINT)
    ts = value.get("ts") or clock.iso(run.now)
    moment = clock.parse(ts)
    if moment is None:
        raise UsageError(f"--entry: ts: {ts!r} is not an ISO 8601 time", hint=HINT)
    if moment > run.now:  # an agent's guess; nothing after this step would find the tick there
        run.warnings.append(f"ts {ts} lies ahead of the clock: logged at {clock.iso(run.now)}")
        ts = clock.iso(run.now)
    if any(a["chosen"] and a["action"] in ticks.ACTIONS and not a.get("task") for a in value["actionsConsidered"]):
        raise UsageError("--entry: a chosen action has no task: repeats and results are known by it", hint=HINT)
    entry = {**ticks.KEYS, **value, "ts": ts, "feedbackScores": _scores(run, value["feedbackScores"])}
    entry["signals"] = [s for s in map(ticks.signal, entry["signals"] or []) if s]
    return dict(_clean(entry))


def _scores(run: Run, told: dict[str, Any] | None) -> dict[str, Any] | None:
    """Return the scores with the outputs that they are of: an average by itself would be taken for the last tick's."""
    return told if told is None or "scored" in told else {**told, "scored": feedback.measure(run).scores["scored"]}


def _timeout(run: Run) -> dict[str, Any] | None:
    """Return the outcome of the oldest spawn that nobody reported on for three ticks.  [sinain §6.3]"""
    late = spawns.track(ticks.read(run.workspace, now=run.now, days=ticks.HISTORY_DAYS).entries).timed_out
    return {"spawnId": late[0].id, "outcome": "timeout"} if late else None


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [_clean(v) for v in value]
    return {k: _clean(v) for k, v in value.items()} if isinstance(value, dict) else value


class Logged(NamedTuple):
    """An entry as it stands in a log file."""

    path: str
    row: dict[str, Any]


def _logged(door: Door, run: Run, tick_id: str) -> Logged | None:
    """Return the entry of a tick from the logs of a month: a call may come again after midnight."""
    # Only lines that hold the id are read as JSON; other programs may write what is not plain with escapes.
    plain = jsonfiles.line(tick_id) if tick_id.isascii() else ""
    for path in reversed(ticks.files(run.workspace, now=run.now, days=ticks.HISTORY_DAYS)):
        text = door.text(path) or ""
        lines = "\n".join(line for line in text.split("\n") if plain in line) if plain in text else ""
        for row in ticks.rows(lines):
            if row.get("tickId") == tick_id and row.get("_type") in (None, "tick"):
                return Logged(path, row)
    return None


def _same(earlier: dict[str, Any], entry: dict[str, Any]) -> bool:
    """Return whether an entry tells what the logged one does, but for what koog itself filled in."""
    told = [{k: _unfilled(v) for k, v in e.items() if k not in ("ts", "spawnOutcome")} for e in (earlier, entry)]
    before, now = earlier.get("spawnOutcome"), entry["spawnOutcome"]
    filled_in = now is None and isinstance(before, dict) and before.get("outcome") == "timeout"
    return told[0] == told[1] and (before == now or filled_in)


def _unfilled(value: Any) -> Any:
    return {k: v for k, v in value.items() if k != "scored"} if isinstance(value, dict) else value


def _trigger(door: Door, run: Run, entry: dict[str, Any]) -> list[str]:
    """Set `lastTriggered` of the active modules whose triggers occur in what the tick saw."""
    workspace = run.workspace
    path = workspace.in_modules(registry.NAME)
    try:
        names = [n for n, _ in registry.active(registry.parse(door.text(path), path=path))]
        seen = ticks.text_of(entry)
        hit = [n for n in names if registry.triggered(registry.manifest(workspace, n), seen)]
    except KoogError as e:
        run.warnings.append(f"module triggers not looked at: {e.message}")
        return []  # a malformed module must not keep the gate open

    def change(text: str) -> str:
        value = registry.parse(text, path=path)
        for name in hit:
            value["modules"][name]["lastTriggered"] = clock.iso(run.now)
        return jsonfiles.pretty(value)

    if hit:
        door.edit(path, change, summary=f"triggered {', '.join(hit)}")
    return hit


def _summary(entry: dict[str, Any]) -> str:
    kind = "idle tick" if entry["idle"] else "tick"
    return f"{kind} {entry['tickId']}"
