"""koog mine: what do the unmined daily notes tell?  [sinain §4.5, design §5]

Reads   memory/YYYY-MM-DD*.md that are new or have grown, the playbook, devmatrix-summary.md
Writes  cursors.json, the playbook's mining-index, the effective playbook, pending-memories.md
Asks    the `memory_miner` route, once per 12,000 characters; notes of two projects never in one question
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import typer

from koog.core import proposals
from koog.core.files import atomic
from koog.core.files.door import Door
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.task import Task
from koog.core.text.directives import is_directive
from koog.core.text.measures import stems
from koog.core.text.untrusted import clean
from koog.heartbeat import cursors, findings, mine_rules, reading, sightings, whose
from koog.heartbeat.findings import QUOTED
from koog.heartbeat.mine_rules import MineInput
from koog.heartbeat.notes import Note
from koog.heartbeat.operations import one_line
from koog.heartbeat.reading import Part, Unread
from koog.heartbeat.whose import OWN
from koog.playbook import document, stack
from koog.playbook.texts import patterns
from koog.sessions import audience, labels
from koog.sessions.audience import Seen
from koog.sessions.labels import Label

FILES = 2  # sinain §4.5: up to two unmined files a tick
CALLS = 6  # parts a tick mines; a longer file goes on at the next
LISTS = ("newPatterns", "contradictions", "preferences")
LIST_ITEMS = 12  # with that many of one kind a tick has mined enough; what is left waits for the next
INDEX_DAYS = 7
GROUNDED = 0.5  # share of a mined line's words that a line of the note must hold
CONTEXT = "devmatrix-summary.md"
LEFT = "left"  # in a cursor: whose the note is, which was not mined because this workspace does not learn from them

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
class Found:
    """What was found in the notes of one label, with its evidence row beside each text."""

    findings: list[str] = field(default_factory=list)
    lists: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in LISTS})
    evidence: list[dict[str, Any]] = field(default_factory=list)
    again: list[sightings.Sighting] = field(default_factory=list)  # playbook lines that the notes repeat

    def keys(self) -> dict[str, Any]:
        """Return the four outputs of sinain §4.5; all of them go to the curator."""
        return {"findings": " ".join(self.findings), **self.lists}


@dataclass
class Mined:
    """What was found, label by label, and how far the notes were read."""

    found: dict[Label, Found] = field(default_factory=dict)
    proposals: dict[Label, list[proposals.Proposal]] = field(default_factory=dict)
    cursors: dict[str, dict[str, Any]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)  # path → date, of files that were looked into
    told: list[str] = field(default_factory=list)  # those of them that are the own project's
    remaining: int = 0

    def is_enough(self) -> bool:
        return any(len(rows) >= LIST_ITEMS for each in self.found.values() for rows in each.lists.values())


@dataclass(frozen=True)
class Waiting:
    """The notes that are not mined yet, newest first.

    full   those with something to mine
    done   path → cursor of those with nothing in them, and of those that this workspace does not learn from
    """

    full: list[Unread]
    done: dict[str, dict[str, Any]]


def mine(ctx: typer.Context) -> Reply:
    """Mine up to two unmined daily notes for patterns, preferences and contradictions."""
    run: Run = ctx.obj
    return Reply("koog.mine/1", **work(run))


def work(run: Run) -> dict[str, Any]:
    """Mine and note what was mined; return the reply's keys. Nothing is written when a call fails."""
    workspace = run.workspace
    audience.own(run)
    known = cursors.parse(workspace.text(workspace.in_memory(cursors.NAME)))["mine"]["files"]
    found = waiting(run, known, warnings=run.warnings)
    picked = reading.pick(found.full, most=FILES)
    mined = Mined(remaining=len(found.full) - len(picked), cursors=found.done)
    _ask(run, [part for item in picked for part in reading.parts(item)], mined)
    if mined.cursors:
        _write(run, mined, today=run.now.astimezone(run.zone).date())
    return _keys(mined)


def waiting(run: Run, files: dict[str, Any], *, warnings: list[str]) -> Waiting:
    """Return the notes to mine, each with whose it is. files, warnings: as `reading.unread` takes them"""
    own, today = audience.own(run), run.now.astimezone(run.zone).date()

    def again(cursor: dict[str, Any]) -> bool:
        left = cursor.get(LEFT)
        return isinstance(left, dict) and whose.is_taken(run, whose.of_row(left))

    unread = reading.unread(run.workspace, files, today=today, warnings=warnings, again=again)
    done = {item.path: reading.cursor(item.data, len(item.data)) for item in reading.empty(unread)}
    full = []
    for item in unread:
        label = whose.label_of(own, item.path, atomic.decode(item.data))
        if item.path not in done and whose.is_taken(run, label):
            full.append(replace(item, label=label))
        elif item.path not in done:
            done[item.path] = {**reading.cursor(item.data, len(item.data)), LEFT: whose.as_row(label)}
    return Waiting(full, done)


def _ask(run: Run, waiting: list[Part], mined: Mined) -> None:
    """Ask part by part, small files of one label together, as far as one tick goes."""
    beside = {OWN: _beside(run, OWN)}
    for _ in range(CALLS):
        if not waiting or mined.is_enough():
            break  # what does not fit any more is mined at the next tick, not lost
        parts = _together(waiting)
        del waiting[: len(parts)]
        label = parts[0].label
        if label not in beside:
            beside[label] = _beside(run, label)
        given = replace(beside[label], notes=tuple(p.note for p in parts))
        answer = run.ask(TASK, given)
        _take(answer.value, parts, mined, grounded=answer.engine == "builtin")
        lines = [p.text for p in patterns(given.playbook)]
        for part in parts:
            mined.cursors[part.note.path] = part.cursor
            mined.sources[part.note.path] = part.note.date
            mined.told += [part.note.path] if label == OWN else []
            mined.found[label].again += sightings.find(part.note, lines)
    mined.remaining += len({p.note.path for p in waiting})


def _beside(run: Run, label: Label) -> MineInput:
    """Return what is shown beside the notes of a label, without notes: of the playbook what their project said itself.

    What another project has said already is no repeat here, and contradicts nothing here.
    """
    workspace, who = run.workspace, audience.of_label(run, label)
    path = workspace.in_memory(CONTEXT)
    context = workspace.text(path) if who.file(path) is Seen.TOLD else ""
    return MineInput(
        playbook=stack.effective_for(workspace, who, others=False),
        notes=(),
        context=clean(context or "")[: reading.PART_CHARS],
    )


def _together(waiting: list[Part]) -> list[Part]:
    size = 0
    taken: list[Part] = []
    for part in waiting:
        size += len(part.note.text)
        if taken and (size > reading.PART_CHARS or part.label != taken[0].label):
            break
        taken.append(part)
    return taken


def _take(value: dict[str, Any], parts: list[Part], mined: Mined, *, grounded: bool) -> None:
    """Keep what stands in the notes; set aside what is shaped like an instruction."""
    label = parts[0].label
    notes = {part.note.path: part.note for part in parts}
    found = mined.found.setdefault(label, Found())
    if value["findings"].strip():
        found.findings.append(one_line(value["findings"]))
    for listed in LISTS:
        for row in value[listed]:
            text = one_line(row["text"])
            note = notes.get(row["file"])
            line = row["line"] if note and grounded else _place(text, note, row["line"])
            kind = _kind(listed, text, label)
            if not text or note is None or line is None or kind is None:
                continue
            # A contradiction quotes both sides and becomes no pattern: curate holds what it brings to the same gate.
            if is_directive(text) and not (kind == "contradictions" and QUOTED.match(text)):
                shown = f"{text} {labels.comment(label)}".rstrip()
                proposed = mined.proposals.setdefault(label, [])
                proposed.append(proposals.Proposal(shown, f"{note.path}:{line}"))
            elif text not in found.lists[kind]:
                place = {"file": note.path, "line": line, "date": note.date, "trust": _trust(note, line)}
                found.evidence.append({"kind": kind, "index": len(found.lists[kind]), **place})
                found.lists[kind].append(text)


def _kind(listed: str, text: str, label: Label) -> str | None:
    """Return the list that a text goes into; None for what is not kept.

    What strangers say in a group is a fact of the group: nobody's preference, no order, and against no line.
    """
    if not label.is_group:
        return listed
    return None if listed == "contradictions" or is_directive(text) else "newPatterns"


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


def _write(run: Run, mined: Mined, *, today: date) -> None:
    workspace = run.workspace

    def note_cursors(text: str) -> str:
        value = cursors.parse(text)
        value["mine"]["files"] |= mined.cursors
        for label, found in mined.found.items():
            if found.findings or any(found.lists.values()):
                rows = {"evidence": found.evidence, "seenAgain": sightings.rows(found.again)}
                value["mine"]["pending"].append({**found.keys(), **rows, **whose.as_row(label)})
        return cursors.render(value)

    days = sorted(set(mined.sources.values()), reverse=True)
    names = ", ".join(Path(p).name for p in mined.sources)
    with workspace.writing() as door:
        door.edit(workspace.in_memory(cursors.NAME), note_cursors, summary=f"mined {names or 'empty notes'}")
        if days:
            _index(door, days, today=today)
        proposed = [each for rows in mined.proposals.values() for each in rows]
        proposals.stage(door, proposed, command="mine", when=run.now)
        stack.stage(door)


def _index(door: Door, days: list[str], *, today: date) -> None:
    """Add the days to the playbook's mining-index and drop those older than a week."""
    oldest = (today - timedelta(days=INDEX_DAYS)).isoformat()

    def change(text: str) -> str:
        text = text or document.EMPTY
        kept = sorted({d for d in [*document.mining_index(text), *days] if d >= oldest}, reverse=True)
        return document.set_comment(text, document.MINING_INDEX, ",".join(kept), at_end=False)

    door.edit(door.workspace.in_memory(document.NAME), change, summary="mining index")


def _keys(mined: Mined) -> dict[str, Any]:
    """Return the reply's keys: what the notes of other projects and of groups tell is not for whoever called."""
    found = mined.found.get(OWN, Found())
    return {
        **found.keys(),
        "minedSources": [Path(p).name for p in dict.fromkeys(mined.told)],
        "evidence": found.evidence,
        "proposals": [p.content for p in mined.proposals.get(OWN, [])],
        "remaining": mined.remaining,
    }


def _numbered(note: Note) -> str:
    rows = [f"{n}: {line}" for n, line in enumerate(note.text.split("\n"), note.first_line)]
    return "\n".join([f"File {note.path} of {note.date}", *rows])
