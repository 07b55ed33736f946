"""koog mine: what do the unmined daily notes and observations tell?  [sinain §4.5, design §5]

Reads   memory/YYYY-MM-DD*.md and knowledge/journal/ as far as they are new, observations.md, the playbook,
        devmatrix-summary.md
Writes  cursors.json, the playbook's mining-index, the effective playbook, pending-memories.md
Asks    the `memory_miner` route, once per 12,000 characters; notes of two projects never in one question
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from koog.core import forgotten, proposals, spans
from koog.core.errors import LLMUnavailable
from koog.core.files import atomic
from koog.core.files.door import Door
from koog.core.refused import MOST, Refusal, refusal
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.task import Answer, Task
from koog.core.text import taught, trust, weigher
from koog.core.text.untrusted import clean
from koog.core.text.voices import AGENT, NOTE
from koog.heartbeat import cursors, foreign, grounding, mine_rules, observed, reading, sightings, whose
from koog.heartbeat.findings import QUOTED
from koog.heartbeat.mine_rules import MineInput
from koog.heartbeat.notes import Note
from koog.heartbeat.operations import one_line
from koog.heartbeat.reading import LEFT, Part, Unread
from koog.heartbeat.whose import OWN
from koog.playbook import document, origin, stack
from koog.playbook.texts import patterns
from koog.sessions import audience, labels
from koog.sessions.audience import Seen
from koog.sessions.labels import Label

FILES = 2  # sinain §4.5: up to two unmined files a tick
CALLS = 6  # parts a tick mines; a longer file goes on at the next
LISTS = ("newPatterns", "contradictions", "preferences")
LIST_ITEMS = 40  # with that many of one kind a tick has mined enough; what is left waits for the next
SHOWN = 30  # of each list in the reply; all of them wait for the curator
TOGETHER = 12  # findings that wait in one row: the curator takes whole rows
DEADLINE_S = 300.0
INDEX_DAYS = 7
CONTEXT = "devmatrix-summary.md"
AGAIN, TRIES = "again", 3  # in a cursor: how many answers were mostly dropped; of the last one what stands is all

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
    left: int = 0  # lines that are not taken, by who is behind them or by the harm in them
    refused: list[Refusal] = field(default_factory=list)  # every row that is neither here nor a proposal

    def keys(self) -> dict[str, Any]:
        """Return the four outputs of sinain §4.5; all of them go to the curator."""
        return {"findings": " ".join(self.findings), **self.lists}

    def rows(self) -> list[dict[str, Any]]:
        """Return what waits for the curator, some findings a row, each with its evidence."""
        found = self.all()
        rows = []
        for at in range(0, max(1, len(found)), TOGETHER):
            part = Found(findings=self.findings if not at else [], again=self.again if not at else [])
            part.take(found[at : at + TOGETHER])
            rows.append({**part.keys(), "evidence": part.evidence, "seenAgain": sightings.rows(part.again)})
        return rows

    def without(self, files: Set[str]) -> Found:
        """Return what was found in other files than these."""
        if not files:
            return self
        left = Found(again=[each for each in self.again if _file(each.source) not in files])
        left.take((e, text) for e, text in self.all() if e["file"] not in files)
        return left

    def all(self) -> list[tuple[dict[str, Any], str]]:
        return [(e, self.lists[e["kind"]][e["index"]]) for e in self.evidence]

    def take(self, found: Iterable[tuple[dict[str, Any], str]]) -> None:
        for evidence, text in found:
            self.add(evidence["kind"], text, {k: v for k, v in evidence.items() if k not in ("kind", "index")})

    def refuse(self, text: str, reason: str) -> None:
        self.refused.append(refusal(text, reason))

    def add(self, kind: str, text: str, place: dict[str, Any]) -> None:
        self.evidence.append({"kind": kind, "index": len(self.lists[kind]), **place})
        self.lists[kind].append(text)


@dataclass
class Mined:
    """What was found, label by label, and how far the notes were read."""

    found: dict[Label, Found] = field(default_factory=dict)
    proposals: dict[Label, list[proposals.Proposal]] = field(default_factory=dict)
    cursors: dict[str, dict[str, Any]] = field(default_factory=dict)
    sources: dict[str, str] = field(default_factory=dict)  # path → date, of files that were looked into
    told: list[str] = field(default_factory=list)  # those of them that whoever called is told of
    remaining: int = 0

    def is_enough(self) -> bool:
        return any(len(rows) >= LIST_ITEMS for each in self.found.values() for rows in each.lists.values())


@dataclass(frozen=True)
class Waiting:
    """What is not mined yet.

    full      the notes with something to mine, newest first
    done      path → cursor of those with nothing in them, and of those that this workspace does not learn from
    observed  the observations
    """

    full: list[Unread]
    done: dict[str, dict[str, Any]]
    observed: list[Part]

    @property
    def is_empty(self) -> bool:
        return not self.full and not self.observed


def mine(
    ctx: typer.Context,
    deadline: Annotated[float, typer.Option(help="Seconds after which no further part begins.")] = DEADLINE_S,
) -> Reply:
    """Mine observations and up to two unmined daily notes for patterns, preferences and contradictions."""
    run: Run = ctx.obj
    spans.check_deadline(deadline, usual=DEADLINE_S)
    run.asker.until = time.monotonic() + deadline
    return Reply("koog.mine/1", **work(run))


def work(run: Run) -> dict[str, Any]:
    """Mine and note what was mined; return the reply's keys. Nothing is written when a call fails.

    Past the asker's deadline no further part begins; what is left waits.
    """
    workspace = run.workspace
    audience.own(run)
    weigher.using(taught.of(workspace, run.warnings))
    known = cursors.parse(workspace.text(workspace.in_memory(cursors.NAME)))["mine"]["files"]
    found = waiting(run, known, warnings=run.warnings)
    picked = reading.pick(found.full, most=FILES)
    mined = Mined(remaining=len(found.full) - len(picked), cursors=found.done)
    noted = [
        part for item in picked for part in islice(reading.parts(item), CALLS + 1)
    ]  # one more tells that it goes on
    _ask(run, reading.mixed(found.observed, noted), mined, known)
    if mined.cursors:
        _write(run, mined, known, today=run.now.astimezone(run.zone).date())
    return _keys(run, mined)


def waiting(run: Run, files: dict[str, Any], *, warnings: list[str]) -> Waiting:
    """Return what to mine, each with whose it is. files, warnings: as `reading.unread` takes them"""
    own, today = audience.own(run), run.now.astimezone(run.zone).date()

    def again(cursor: dict[str, Any]) -> bool:
        left = cursor.get(LEFT)
        return isinstance(left, dict) and whose.is_taken(run, whose.of_row(left))

    unread = reading.unread(run.workspace, files, today=today, warnings=warnings, again=again)
    done = {item.path: reading.cursor(item.data, len(item.data)) for item in reading.empty(unread)}
    full = []
    for item in unread:
        text = atomic.decode(item.data)
        if foreign.waits(run, text):
            continue  # what was not observed in the end is read here
        if foreign.is_settled(run, text, item.begin):
            done[item.path] = reading.cursor(item.data, len(item.data))
            continue
        label = whose.label_of(own, item.path, text)
        if item.path not in done and whose.is_taken(run, label):
            said = whose.own_rows(own, item.path, foreign.left(run, text, item.begin))
            full.append(replace(item, label=label, text=said))
        elif item.path not in done:
            done[item.path] = {**reading.cursor(item.data, len(item.data)), LEFT: whose.as_row(label)}
    path = observed.path_in(run.workspace)
    lines = observed.unmined(run, files.get(path), warnings=warnings)
    return Waiting(full, done | ({path: lines.cursor} if lines.cursor else {}), lines.parts)


def _ask(run: Run, waiting: list[Part], mined: Mined, known: dict[str, Any]) -> None:
    """Ask part by part, small files of one label together, as far as one tick goes. known: the cursors"""
    beside = {OWN: _beside(run, OWN)}
    gone = forgotten.of(run.workspace)
    waiting[:] = [replace(each, note=replace(each.note, text=gone.shown(each.note.text))) for each in waiting]
    for _ in range(CALLS):
        if not waiting or mined.is_enough() or _is_late(run):
            break  # what does not fit any more is mined at the next tick, not lost
        parts = _together(waiting)
        label = parts[0].label
        if label not in beside:
            beside[label] = _beside(run, label)
        given = replace(beside[label], notes=tuple(p.note for p in parts))
        try:
            answer = run.ask(TASK, given)
        except LLMUnavailable:
            if mined.sources and _is_late(run):
                break  # the deadline came in the middle of a call; what came before it is kept
            raise
        del waiting[: len(parts)]
        if not _take(_without_forgotten(answer, gone), parts, mined):
            waiting[:] = _again(run, parts, waiting, mined, known)
            continue
        lines = [p.text for p in patterns(given.playbook)]
        for part in parts:
            mined.cursors[part.note.path] = part.cursor
            mined.sources[part.note.path] = part.note.date
            mined.told += [part.note.path] if _is_told(run, label) else []
            mined.found[label].again += sightings.find(part.note, lines)
    mined.remaining += len({p.note.path for p in waiting})


def _again(run: Run, parts: list[Part], waiting: list[Part], mined: Mined, known: dict[str, Any]) -> list[Part]:
    """Leave the cursors of parts where they stand: most of the answer about them was dropped. Return what waits still.

    After a third such answer they move on: what a model cannot say must not keep it from all that follows.
    """
    stuck = set[str]()
    for part in parts:
        path = part.note.path
        at = mined.cursors.get(path) or known.get(path) or {}
        times = at.get(AGAIN, 0)
        if isinstance(times, int) and times + 1 < TRIES:
            mined.cursors[path] = {**at, AGAIN: times + 1}
            stuck.add(path)
        else:
            mined.cursors[path], mined.sources[path] = part.cursor, part.note.date
    names = ", ".join(dict.fromkeys(Path(part.note.path).name for part in parts))
    then = "they are asked about again" if stuck else f"after {TRIES} such answers they count as mined"
    run.warnings.append(f"most of an answer about {names} was refused: {then}")
    mined.remaining += len(stuck)
    return [part for part in waiting if part.note.path not in stuck]


def _file(source: str) -> str:
    return origin.place(source).rpartition(":")[0]


def _is_late(run: Run) -> bool:
    left = run.asker.left_s()
    return left is not None and left <= 0


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


def _take(answer: Answer, parts: list[Part], mined: Mined) -> bool:
    """Keep what stands in the notes; set aside what only a person may decide about. Return whether most was readable.

    What the built-in engine found is the notes' own words, on the lines that it names.
    """
    label = parts[0].label
    notes = {part.note.path: grounding.Lines(part.note) for part in parts}
    found = mined.found.setdefault(label, Found())
    found.refused += answer.refused
    kept: dict[str, list[Any]] = {name: [] for name in LISTS}
    unread, grounded = len(answer.refused), answer.engine == "builtin"
    rows = [(listed, row) for listed in LISTS for row in answer.value[listed]]
    for listed, row in rows:
        text = one_line(row["text"])
        kind = _kind(listed, text, label)
        if not text or kind is None:
            found.refuse(text, "orders in a group" if text else "no text")
            continue
        stands = (notes[row["file"]], row["line"]) if grounded else _stands(text, row, notes)
        if stands is None:
            unread += 1
            found.refuse(text, "no line of the notes says so")
            continue
        lines, line = stands
        decided = lines.verdict(text, line, kind)
        # What only a person may decide is proposed in its own words, not beside the line that it is against.
        if kind == "contradictions" and decided == trust.PERSON_FIRST and QUOTED.match(text):
            decided = trust.LEFT
        if decided == trust.PERSON_FIRST:
            shown = f"{text} {labels.comment(label)}".rstrip()
            proposed = mined.proposals.setdefault(label, [])
            proposed.append(proposals.Proposal(shown, f"{lines.note.path}:{line}"))
        elif decided == trust.LEFT:
            found.left += 1
            found.refuse(f"{lines.note.path}:{line}", "no person's word, or it seems harmful")
        elif text in found.lists[kind]:
            found.refuse(text, "said twice")
        else:
            found.add(kind, text, lines.place(text, line))
            kept[kind].append({**row, "text": text, "line": line})
    told = answer.value["findings"]
    found.findings += _summed_up(told, [part.note for part in parts], kept, grounded=grounded)
    return 2 * unread <= len(rows) + len(answer.refused)


def _without_forgotten(answer: Answer, gone: forgotten.Forgotten) -> Answer:
    """Return an answer without what was forgotten, in whatever words an engine has it."""
    kept = {name: [row for row in answer.value[name] if not gone.holds(row["text"])] for name in LISTS}
    return answer._replace(value={**answer.value, **kept, "findings": gone.shown(answer.value["findings"])})


def _stands(text: str, row: dict[str, Any], notes: dict[str, grounding.Lines]) -> tuple[grounding.Lines, int] | None:
    """Return the note and the line that a model's row rests on."""
    paths, cited = grounding.cited(row.get("file"), row.get("line"), notes)
    for path in paths:
        if (line := grounding.place(text, notes[path].note, cited)) is not None:
            return notes[path], line
    return None


def _summed_up(told: str, notes: list[Note], kept: dict[str, list[Any]], *, grounded: bool) -> list[str]:
    """Return the sentences about what was kept: the rules' count that alone, and a model's must not steer."""
    if grounded:
        return [mine_rules.findings(notes, kept["newPatterns"], kept["preferences"], kept["contradictions"])]
    told = one_line(told)
    is_taken = trust.verdict(told, AGENT, register=NOTE, kind=trust.SHOWN) == trust.TAKEN
    return [told] if told and is_taken else []


def _kind(listed: str, text: str, label: Label) -> str | None:
    """Return the list that a text goes into; None for what is not kept.

    What strangers say in a group is a fact of the group: nobody's preference, no order, and against no line.
    """
    if not label.is_group:
        return listed
    return None if listed == "contradictions" or trust.steers(text) else "newPatterns"


def _write(run: Run, mined: Mined, known: dict[str, Any], *, today: date) -> None:
    """Note what was mined. known: the cursors that it was read by; what another has mined meanwhile waits there"""
    workspace = run.workspace

    def note_cursors(text: str) -> str:
        value = cursors.parse(text)
        files = value["mine"]["files"]
        moved = {path for path in mined.cursors if files.get(path) != known.get(path)}
        files |= {path: cursor for path, cursor in mined.cursors.items() if path not in moved}
        for label, every in mined.found.items():
            found = every.without(moved)
            if found.findings or any(found.lists.values()):
                value["mine"]["pending"] += [{**row, **whose.as_row(label)} for row in found.rows()]
        return cursors.render(value)

    notes = {day for path, day in mined.sources.items() if path != observed.path_in(workspace)}
    days = sorted(notes, reverse=True)
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


def _is_told(run: Run, label: Label) -> bool:
    return whose.is_home(run, label, observed.path_in(run.workspace))


def _keys(run: Run, mined: Mined) -> dict[str, Any]:
    """Return the reply's keys: of what the notes of other projects and of groups tell, whoever called has the count."""
    found, elsewhere = Found(), 0
    for label, each in mined.found.items():
        if not _is_told(run, label):
            elsewhere += len(each.evidence)
            continue
        found.findings += each.findings
        found.left += each.left
        found.refused += each.refused
        found.take(each.all())
    if found.left:
        found.findings.append(mine_rules.left(found.left))
    if any(len(rows) > SHOWN for rows in found.lists.values()) or len(found.refused) > MOST:
        run.meta_extra["truncated"] = True
    return {
        **found.keys(),
        **{name: rows[:SHOWN] for name, rows in found.lists.items()},
        "minedSources": [Path(p).name for p in dict.fromkeys(mined.told)],
        "evidence": [row for row in found.evidence if row["index"] < SHOWN],
        "refused": found.refused[:MOST],
        "proposals": [p.content for label, rows in mined.proposals.items() if _is_told(run, label) for p in rows],
        "elsewhere": elsewhere,
        "remaining": mined.remaining,
    }


def _numbered(note: Note) -> str:
    lines = list(enumerate(note.text.split("\n"), note.first_line))
    if note.told:  # of many days, and with gaps
        rows = [f"{n}: {line} ({note.told[n].mark} {note.told[n].day})" for n, line in lines if n in note.told]
    else:
        rows = [f"{n}: {line}" for n, line in lines]
    return "\n".join([f"File {note.path} of {note.date}", *rows])
