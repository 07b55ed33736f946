"""Where lines stand now, by which commit they came, and what was said in the session that they were taken from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from koog.audit import blame
from koog.core.clip import clip
from koog.core.errors import WorkspaceError
from koog.core.text.untrusted import clean, visible
from koog.knowledge import reading, sources
from koog.knowledge.past.learning import composed, holding
from koog.knowledge.past.telling import Row, folded
from koog.knowledge.transcripts import naming
from koog.sessions import audience
from koog.sessions.audience import Seen

if TYPE_CHECKING:
    from koog.audit.history import History
    from koog.core.run import Run
    from koog.knowledge.past.telling import Telling

SAID_CHARS, MOST_SOURCES = 300, 3


def files(past: History, telling: Telling) -> list[str]:
    """Return the files of the memory that stand there now, committed or not."""
    here = dict.fromkeys([*past.files(past.head), *past.git.changed()])
    return [path for path in here if telling.covers(path)]


def now(run: Run, path: str) -> bytes | None:
    """Return a file as it stands now; None for none, and for one that cannot be read."""
    try:
        return run.workspace.read(path)
    except WorkspaceError as e:
        run.warnings.append(e.message)
        return None


def standing(run: Run, telling: Telling, paths: Iterable[str], words: str) -> Iterator[tuple[str, Row]]:
    """Yield the lines that have some words now, with their files."""
    wanted = composed(folded(words))
    for path in paths:
        data = now(run, path)
        if data and wanted in composed(folded(data.decode("utf-8", "replace"))):
            yield from ((path, row) for row in holding(telling.rows(path, data, titles=True), wanted))


def origin(run: Run, path: str, number: int) -> dict[str, Any] | None:
    """Return the commit that a line came with, None for one that no commit has."""
    data = now(run, path) or b""
    # git counts lines by their line ends alone.
    found = blame.origins(run, path, data, number) if number <= len(data.splitlines()) else []
    return found[0]._asdict() if found and found[0].commit else None


def heard(run: Run, row: Row) -> list[dict[str, Any]]:
    """Return what was said where a line was taken from, as far as the reader may be told that."""
    found, who = list[dict[str, Any]](), audience.current(run)
    for session, line in sources.parse(row.source or "")[:MOST_SOURCES]:
        told: dict[str, Any] = {"session": session, "line": line, "path": None, "ts": None, "role": None, "said": None}
        read = _transcript(run, session)
        if read and who.line(read.label, read.path) is not Seen.HIDDEN:
            told["path"] = read.path
            turn = next((t for t in reversed(read.turns) if int(t.id) <= line), None)
            if turn:
                text = visible(clean(_line(turn.text, line - int(turn.id))))
                told |= {"ts": turn.at.strftime("%Y-%m-%dT%H:%MZ"), "role": turn.role, "said": clip(text, SAID_CHARS)}
        found.append(told)
    return found


def _line(text: str, at: int) -> str:
    """Return one line of what was said, the whole where it has not so many."""
    rows: Sequence[str] = text.split("\n")
    return rows[at] if 0 <= at < len(rows) else text


def _transcript(run: Run, session: str) -> reading.Read | None:
    for each in reading.listed(run):
        if f"-{naming.safe(session)}-" in each.path.rpartition("/")[2]:
            read = reading.read(run, each.path)
            if read and read.session == session:
                return read
    return None
