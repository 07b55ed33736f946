"""memory/observations.md as a source of the miner: its lines that were not mined yet, and whose each is.  [design §5]

Each is mined once, by its mark in the cursor (observe/mined.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from koog.core.errors import WorkspaceError
from koog.core.files.workspace import Workspace
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.core.text.untrusted import clean
from koog.core.text.voices import ASSISTANT, USER
from koog.heartbeat import whose
from koog.heartbeat.notes import Note, Told
from koog.heartbeat.reading import PART_CHARS, Part
from koog.observe import mined, observations
from koog.observe.observations import Observation
from koog.sessions import audience
from koog.sessions.labels import Label

MEMO = "heartbeat/observed"
SPEAKERS = {"User: ": USER, "Agent: ": ASSISTANT, "Group: ": ""}  # as observed → as a note has it


class Line(NamedTuple):
    """An observation, the number of its line in the file, and whose it is."""

    number: int
    seen: Observation
    label: Label


class Unmined(NamedTuple):
    """What is to be mined, and the cursor that stands without it: None where it stands already."""

    parts: list[Part]
    cursor: dict[str, Any] | None


def path_in(workspace: Workspace) -> str:
    return workspace.in_memory(observations.NAME)


def lines(run: Run, *, warnings: list[str]) -> list[Line]:
    """Return the observations in their order; [] with a warning when the file cannot be read."""
    own, path = audience.own(run), path_in(run.workspace)
    try:
        found = _read(run.workspace, path)
    except WorkspaceError as e:
        warnings.append(e.message)
        return []
    labels = [seen.label for _, seen in found]
    whose_is = {label: whose.of_line(own, label, path) for label in set(labels)}
    return [Line(n, seen, whose_is[label]) for (n, seen), label in zip(found, labels, strict=True)]


def _read(workspace: Workspace, path: str) -> list[tuple[int, Observation]]:
    """Return the observations by line, read once a process as long as the file does not change: a tick asks often."""
    state = workspace.state(path)
    known: tuple[Any, list[tuple[int, Observation]]] | None = workspace.memo.get(MEMO)
    if known is None or state is None or known[0] != state:
        rows = enumerate(observations.lines(clean(workspace.text(path) or "")), 1)
        known = workspace.memo[MEMO] = (state, [(n, row.seen) for n, row in rows if row.seen])
    return known[1]


def unmined(run: Run, known: Any, *, warnings: list[str]) -> Unmined:
    """Return the lines that were not mined, in parts for one call each; what is not learned from waits.

    known   the cursor of cursors.json
    """
    found = lines(run, warnings=warnings)
    taken = {label: whose.is_taken(run, label) for label in {line.label for line in found}}
    marks = mined.marks(known)
    fresh = [line for line in found if taken[line.label] and mined.mark(line.seen) not in marks]
    stands = {mark for line in found if (mark := mined.mark(line.seen)) in marks}
    settled = mined.cursor(stands) if found and stands != marks else None
    parts = []
    for label, own in _by_label(fresh):
        for cut in _cut(own):
            stands |= {mined.mark(line.seen) for line in cut}
            parts.append(Part(_note(path_in(run.workspace), cut), mined.cursor(stands), label))
    return Unmined(parts, settled)


def said(o: Observation) -> str:
    """Return an observation's words without its speaker."""
    speaker = next((s for s in SPEAKERS if o.text.startswith(s)), "")
    return o.text.removeprefix(speaker)


def _by_label(found: Iterable[Line]) -> list[tuple[Label, list[Line]]]:
    """Return the lines label by label, the own project's first."""
    rows: dict[Label, list[Line]] = {}
    for line in found:
        rows.setdefault(line.label, []).append(line)
    return sorted(rows.items(), key=lambda row: row[0] != whose.OWN)


def _cut(found: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines in parts that one call can hold."""
    taken: list[Line] = []
    size = 0
    for line in found:
        apart = line.number - taken[-1].number if taken else 0
        size += len(line.seen.text) + apart
        if taken and size > PART_CHARS:
            yield taken
            taken, size = [], len(line.seen.text)
        taken.append(line)
    if taken:
        yield taken


def _note(path: str, found: Sequence[Line]) -> Note:
    """Return observations as a note: each in the file's own line, what is not to be read blank."""
    first, last = found[0].number, found[-1].number
    rows = [""] * (last - first + 1)
    for line in found:
        rows[line.number - first] = _row(line.seen)
    told = {line.number: _told(line.seen) for line in found}
    return Note(path, max(line.seen.day for line in found), "\n".join(rows), first, told)


def _told(o: Observation) -> Told:
    return Told(o.day, o.time, o.mark, o.trust, o.type, _voice(o), said(o))


def _row(o: Observation) -> str:
    speaker = f"{voice}: " if (voice := _voice(o)) else ""
    return f"- {f'{o.time} ' if o.time else ''}{speaker}{said(o)}"


def _voice(o: Observation) -> str:
    return next((voice for begin, voice in SPEAKERS.items() if o.text.startswith(begin)), "")
