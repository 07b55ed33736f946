"""A transcript as an extraction reads it: what person and agent said, turn by turn.  [autopoiesis §2.1, §8.3]

Tools' lines, attachments, memory operations and what programs said to the agent are left out: of them nothing is known
but one line, and nobody's word stands behind it. A turn's id is its line in the transcript.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from koog.core.errors import WorkspaceError
from koog.core.files import raw_root
from koog.knowledge.transcripts import listing
from koog.knowledge.transcripts.listing import Listed
from koog.observe import material
from koog.sessions import taken, transcript
from koog.sessions.labels import NONE, Label
from koog.sessions.transcript import AGENT, SAID, USER
from koog.sessions.turn import Turn

if TYPE_CHECKING:
    from koog.core.files.roots import Root
    from koog.core.run import Run
    from koog.observe.material import Part

ROLES = {USER: "user", AGENT: "assistant"}
SUFFIX = ".md"


@dataclass(frozen=True)
class Read:
    """One transcript.

    path     as it is cited: raw/conversations/…
    label    where it was said; NONE for the workspace's own project
    project  the name of the project that the session worked in, "" for the workspace's own
    turns    what was said in it
    head     how many lines stand above what was said: more once it has ended
    """

    path: str
    session: str
    started: datetime
    has_ended: bool
    label: Label
    project: str
    turns: tuple[Turn, ...]
    head: int = 0


class Lines:
    """At which line of its transcript each piece of a long turn begins; told of one part after another."""

    def __init__(self, read: Read) -> None:
        self.rows = {turn.id: turn.text.split("\n") for turn in read.turns if len(turn.text) > material.PART_CHARS}
        self.at: dict[str, int] = {}

    def of(self, part: Part) -> Part:
        """Return a part whose turns have the line at which they begin as their id."""
        return part._replace(turns=tuple(map(self._of, part.turns)))

    def _of(self, turn: Turn) -> Turn:
        if (rows := self.rows.get(turn.id)) is None:
            return turn
        first, *others = turn.text.split("\n")
        words, after = material.unmarked(first), self.at.get(turn.id, 0)
        begins = next((n for n in range(after, len(rows)) if words and words in rows[n]), after)
        self.at[turn.id] = begins + len(others)
        return turn._replace(id=str(int(turn.id) + begins))


def listed(run: Run) -> list[Listed]:
    """Return the transcripts that there are, the oldest first."""
    return listing.every(run.workspace)[::-1]


def ended(run: Run, found: Iterable[Listed]) -> list[Listed]:
    """Return those of some transcripts whose session has ended."""
    return [each for each in found if listing.has_ended(run.workspace, each)]


def read(run: Run, path: str) -> Read | None:
    """Return a transcript, None for a file that is none. Raises WorkspaceError."""
    text = run.workspace.text(path)
    if text is None:
        return None
    found = transcript.read(text)
    if not found.head.session:
        return None
    label = found.head.label
    own = taken.of(run).own
    is_own = label.project in ("", *own) and not label.is_group
    turns = tuple(
        Turn(str(each.line), each.at, ROLES[each.role], each.text, each.role)
        for each in found.turns
        if each.kind == SAID and each.role in ROLES
    )
    name = "" if is_own or "/" not in label.project else label.project.rstrip("/").rpartition("/")[2]
    return Read(
        path,
        found.head.session,
        found.head.started,
        found.head.ended is not None or raw_root.has_ended(run.workspace.transcripts.info(raw_root.inner(path))),
        NONE if is_own else label,
        name,
        turns,
        text[: found.body].count("\n"),
    )


def below(root: Root, folder: str) -> Iterator[str]:
    """Yield the Markdown files below a folder."""
    try:
        entries = root.entries(folder)
    except (OSError, WorkspaceError):
        return
    for entry in entries:
        name = f"{folder}/{entry.name}"
        if entry.is_folder:
            yield from below(root, name)
        elif entry.is_file and entry.name.endswith(SUFFIX):
            yield name
