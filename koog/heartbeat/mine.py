"""koog mine: what do the unmined daily notes tell?  [sinain §4.5, design §5]

Reads   memory/YYYY-MM-DD*.md that are new or have grown, the playbook, devmatrix-summary.md
Writes  cursors.json, the playbook's mining-index, the effective playbook, pending-memories.md
Asks    the `memory_miner` route, once per 12,000 characters
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import typer

from koog.core import proposals
from koog.core.files.door import Door
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.task import Task
from koog.core.text.directives import is_directive
from koog.core.text.measures import stems
from koog.core.text.untrusted import clean
from koog.heartbeat import cursors, findings, mine_rules, reading, sightings
from koog.heartbeat.findings import QUOTED
from koog.heartbeat.mine_rules import MineInput
from koog.heartbeat.notes import Note
from koog.heartbeat.operations import one_line
from koog.heartbeat.reading import Part
from koog.playbook import document, stack
from koog.playbook.texts import patterns

FILES = 2  # sinain §4.5: up to two unmined files a tick
CALLS = 6  # parts a tick mines; a longer file goes on at the next
LISTS = ("newPatterns", "contradictions", "preferences")
LIST_ITEMS = 12  # with that many of one kind a tick has mined enough; what is left waits for the next
INDEX_DAYS = 7
GROUNDED = 0.5  # share of a mined line's words that a line of the note must hold
CONTEXT = "devmatrix-summary.md"

TASK = Task(
    file=Path(__file__),
    route="memory_miner",
    rules=mine_rules.answer,
    render=lambda given: {
        "playbook": given.playbook,
        "context": given.context,
        "notes": "\n\n".join(_numbered(note) for note in given.notes),
    },
)


@dataclass
class Mined:
    """What was found, with its evidence row beside each text."""

    findings: list[str] = field(default_factory=list)
    lists: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in LISTS})
    evidence: list[dict[str, Any]] = field(default_factory=list)
    proposals: list[proposals.Proposal] = field(default_factory=list)
    cursors: dict[str, dict[str, Any]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)  # path → date, of files that were looked into
    again: list[sightings.Sighting] = field(default_factory=list)  # playbook lines that the notes repeat
    remaining: int = 0


def mine(ctx: typer.Context) -> Reply:
    """Mine up to two unmined daily notes for patterns, preferences and contradictions."""
    run: Run = ctx.obj
    return Reply("koog.mine/1", **work(run))


def work(run: Run) -> dict[str, Any]:
    """Mine and note what was mined; return the reply's keys. Nothing is written when a call fails."""
    workspace = run.workspace
    today = run.now.astimezone(run.zone).date()
    known = cursors.parse(workspace.text(workspace.in_memory(cursors.NAME)))["mine"]["files"]
    waiting = reading.unread(workspace, known, today=today, warnings=run.warnings)
    picked = reading.pick(waiting, most=FILES)
    found = Mined(remaining=len(waiting) - len(reading.empty(waiting)) - len(picked))
    for item in reading.empty(waiting):
        found.cursors[item.path] = reading.cursor(item.data, len(item.data))
    _ask(run, [part for item in picked for part in reading.parts(item)], found)
    if found.cursors:
        _write(run, found, today=today)
    return _keys(found)


def _ask(run: Run, waiting: list[Part], found: Mined) -> None:
    """Ask part by part, small files together, as far as one tick goes."""
    workspace = run.workspace
    playbook = stack.effective(workspace)
    lines = [p.text for p in patterns(playbook)]
    context = clean(workspace.text(workspace.in_memory(CONTEXT)) or "")[: reading.PART_CHARS]
    for _ in range(CALLS):
        if not waiting or any(len(rows) >= LIST_ITEMS for rows in found.lists.values()):
            break  # what does not fit any more is mined at the next tick, not lost
        parts = _together(waiting)
        del waiting[: len(parts)]
        given = MineInput(playbook=playbook, notes=tuple(p.note for p in parts), context=context)
        answer = run.ask(TASK, given)
        _take(answer.value, parts, found, grounded=answer.engine == "builtin")
        for part in parts:
            found.cursors[part.note.path] = part.cursor
            found.sources[part.note.path] = part.note.date
            found.again += sightings.find(part.note, lines)
    found.remaining += len({p.note.path for p in waiting})


def _together(waiting: list[Part]) -> list[Part]:
    size = 0
    taken: list[Part] = []
    for part in waiting:
        size += len(part.note.text)
        if taken and size > reading.PART_CHARS:
            break
        taken.append(part)
    return taken


def _take(value: dict[str, Any], parts: list[Part], found: Mined, *, grounded: bool) -> None:
    """Keep what stands in the notes; set aside what is shaped like an instruction."""
    notes = {part.note.path: part.note for part in parts}
    if value["findings"].strip():
        found.findings.append(one_line(value["findings"]))
    for kind in LISTS:
        for row in value[kind]:
            text = one_line(row["text"])
            note = notes.get(row["file"])
            line = row["line"] if note and grounded else _place(text, note, row["line"])
            if not text or note is None or line is None:
                continue
            # A contradiction quotes both sides and becomes no pattern: curate holds what it brings to the same gate.
            if is_directive(text) and not (kind == "contradictions" and QUOTED.match(text)):
                found.proposals.append(proposals.Proposal(text, f"{note.path}:{line}"))
            elif text not in found.lists[kind]:
                place = {"file": note.path, "line": line, "date": note.date, "trust": _trust(note, line)}
                found.evidence.append({"kind": kind, "index": len(found.lists[kind]), **place})
                found.lists[kind].append(text)


def _place(text: str, note: Note | None, line: int) -> int | None:
    """Return the line that a model's finding rests on: the cited one, else the most alike; None when none does.

    A model that invents is caught here: what no line of the note says is not mined.
    Of a contradiction only the observation has to stand in the note.
    """
    if note is None:
        return None
    quoted = findings.QUOTED.match(text)
    words = set(stems(quoted["text"] if quoted else text))
    needed = max(1.0, GROUNDED * len(words))
    lines = note.text.split("\n")
    held = [len(words & set(stems(each))) for each in lines]
    at = line - note.first_line
    if 0 <= at < len(lines) and held[at] >= needed:
        return line
    best = max(range(len(lines)), key=held.__getitem__)
    if held[best] >= needed:
        return best + note.first_line
    near = set(stems(" ".join(lines[max(0, at - 1) : at + 2]))) if 0 <= at < len(lines) else set()
    return line if len(words & near) >= needed else None  # a sentence may run over lines


def _trust(note: Note, line: int) -> str:
    """Return who is behind a line: user, agent, tool, or the note's writer."""
    text = note.text.split("\n")[line - note.first_line].strip().lower()
    for mark, trust in (("user:", "user"), ("assistant:", "agent"), ("tool:", "tool"), ("[tool", "tool")):
        if text.lstrip("-*> ").startswith(mark):
            return trust
    return "note"


def _write(run: Run, found: Mined, *, today: date) -> None:
    workspace = run.workspace

    def note_cursors(text: str) -> str:
        value = cursors.parse(text)
        value["mine"]["files"] |= found.cursors
        if found.findings or any(found.lists.values()):
            rows = {"evidence": found.evidence, "seenAgain": sightings.rows(found.again)}
            value["mine"]["pending"].append({**_found(found), **rows})
        return cursors.render(value)

    days = sorted(set(found.sources.values()), reverse=True)
    names = ", ".join(Path(p).name for p in found.sources)
    with workspace.writing() as door:
        door.edit(workspace.in_memory(cursors.NAME), note_cursors, summary=f"mined {names or 'empty notes'}")
        if days:
            _index(door, days, today=today)
        proposals.stage(door, found.proposals, command="mine", when=run.now)
        stack.stage(door)


def _index(door: Door, days: list[str], *, today: date) -> None:
    """Add the days to the playbook's mining-index and drop those older than a week."""
    oldest = (today - timedelta(days=INDEX_DAYS)).isoformat()

    def change(text: str) -> str:
        text = text or document.EMPTY
        kept = sorted({d for d in [*document.mining_index(text), *days] if d >= oldest}, reverse=True)
        return document.set_comment(text, document.MINING_INDEX, ",".join(kept), at_end=False)

    door.edit(door.workspace.in_memory(document.NAME), change, summary="mining index")


def _keys(found: Mined) -> dict[str, Any]:
    return {
        **_found(found),
        "minedSources": [Path(p).name for p in found.sources],
        "evidence": found.evidence,
        "proposals": [p.content for p in found.proposals],
        "remaining": found.remaining,
    }


def _found(found: Mined) -> dict[str, Any]:
    """Return the four outputs of sinain §4.5; all of them go to the curator."""
    return {"findings": " ".join(found.findings), **found.lists}


def _numbered(note: Note) -> str:
    rows = [f"{n}: {line}" for n, line in enumerate(note.text.split("\n"), note.first_line)]
    return "\n".join([f"File {note.path} of {note.date}", *rows])
