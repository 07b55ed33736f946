"""Lines of other projects, in a workspace that took every session before: found, labelled, moved out.  [design §3]

whose it is   a line or a raw block says so itself (sessions/labels.py), or the session that it names does: the
              hosts are asked for their sessions, and nothing of them is read
labelled      what the workspace takes and did not say so
moved         what it does not take, into memory/meta/other-projects.md: a person's to read, neither indexed nor told
left alone    whatever names no session that a host still has, or one whose folder is gone: it counts as its file does

Nothing is moved before somebody has said what the workspace takes: by default that is its own project alone, and so
it would be for one that was moved away from its entry.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

from koog.core.errors import Busy
from koog.core.files import outside
from koog.core.files.door import Door
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.run import Run
from koog.observe import observations
from koog.playbook import document, stack
from koog.sessions import audience, labels, place, taken
from koog.sessions.find import PLACES, find
from koog.sessions.labels import Label
from koog.sessions.place import OPENCLAW, UNKNOWN, Place
from koog.sessions.taken import Taking
from koog.sessions.turn import Reader, Session

NAME = "meta/other-projects.md"
OBSERVATIONS = "observations.md"
HEAD = """\
# Of other projects

What stood in this workspace and was said in projects that it does not take. koog neither searches nor tells this file:
take from it what you need, then delete it.
"""
RAW_BEGIN = compiled(r"<!-- koog:raw ((?:\w+=\S* )+)-->")
RAW_END = "<!-- /koog:raw -->"
SOURCE = compiled(r"(?<=\s)dc:source=(\S*)")
DAY = compiled(observations.DATE)
ENDS_DAY = compiled(r"#|<!-- koog:raw ")  # what is of no day: another heading, what waits for an engine
Sessions = Callable[[], Mapping[str, Session]]  # session key → session


class Piece(NamedTuple):
    """A line with what is indented below it, or a raw block.

    number       of its first line, from 1
    rows         its lines, without their ends
    label        as it says itself, or as its OpenClaw session's key does
    session      the key of the session that it names, "" for none
    is_labelled  whether it says its project itself
    """

    number: int
    rows: tuple[str, ...]
    label: Label
    session: str
    is_labelled: bool


class Found(NamedTuple):
    """A piece, whose it is, and whether the workspace takes that.

    is_known   False where the session that it names is gone, or its folder: whose it is cannot be told
    """

    piece: Piece
    label: Label
    is_taken: bool
    is_known: bool = True

    @property
    def is_strange(self) -> bool:
        """Return whether it is of a project that is not taken."""
        return self.is_known and not self.is_taken


# --- finding


def files(run: Run) -> list[str]:
    """Return the files whose lines say where they were said."""
    return [run.workspace.in_memory(name) for name in (OBSERVATIONS, document.NAME)]


def found(run: Run, text: str, sessions: Sessions) -> list[Found]:
    """Return what of a file has to be labelled or moved, in its order."""
    taking, listed = taken.of(run), _listed(run)
    return [one for piece in pieces(text) if (one := _judged(piece, taking, sessions, listed))]


def _listed(run: Run) -> frozenset[str]:
    """Return the projects for which the operator lists files of the workspace: what is mined of them names them."""
    return frozenset(map(audience.meant, run.settings.get("paths.projects")))


def is_said(run: Run) -> bool:
    """Return whether somebody has said what the workspace takes."""
    taking = taken.of(run)
    return run.settings.workspace_id is not None and bool(taking.sources or taking.include)


def strangers(run: Run) -> int:
    """Return how many lines and blocks say themselves that they are of projects that are not taken."""
    texts = (run.workspace.text(path) or "" for path in files(run))
    return sum(one.is_strange for text in texts for one in found(run, text, dict))


def sessions_of(run: Run) -> Sessions:
    """Return the function that lists every host's sessions, once and only when somebody asks."""
    known: dict[str, Session] = {}
    is_read = False

    def ask() -> Mapping[str, Session]:
        nonlocal is_read
        if not is_read:
            stores = [*_everywhere(), *taken.readers(run)]
            known.update((session.key, session) for reader in stores for session in reader.sessions())
            is_read = True
        return known

    return ask


def _everywhere() -> list[Reader]:
    return find(taken.AUTO, env=os.environ, home=Path(os.path.expanduser("~")))  # noqa: PTH111  never raises without a home


def pieces(text: str) -> Iterator[Piece]:
    """Yield the lines and raw blocks that say, or whose session says, where they were said."""
    rows = text.split("\n")
    at = 0
    while at < len(rows):
        piece = _raw(rows, at) or _line(rows, at)
        if piece:
            yield piece
        at += len(piece.rows) if piece else 1


def _raw(rows: Sequence[str], at: int) -> Piece | None:
    begin = RAW_BEGIN.fullmatch(rows[at])
    end = next((i for i in range(at, len(rows)) if rows[i] == RAW_END), None) if begin else None
    if begin is None or end is None:
        return None
    values = dict(pair.split("=", 1) for pair in begin[1].split())
    session = unquote(values.get("session", ""))
    label = labels.of_values(values, source=f"{values.get('session', '')}#")
    return Piece(at + 1, tuple(rows[at : end + 1]), label, session, "project" in values)


def _line(rows: Sequence[str], at: int) -> Piece | None:
    source, label = SOURCE.search(rows[at]), labels.of_line(rows[at])
    if "<!--" not in rows[at] or not (source or label.project):
        return None
    end = at + 1
    while end < len(rows) and rows[end][:1] in (" ", "\t") and rows[end].strip() and "dc:" not in rows[end]:
        end += 1
    session = unquote(source[1].partition("#")[0]) if source else ""
    return Piece(at + 1, tuple(rows[at:end]), label, session, "dc:project=" in rows[at])


def _judged(piece: Piece, taking: Taking, sessions: Sessions, listed: frozenset[str]) -> Found | None:
    """Return what is to become of a piece, None where it is as it should be, or names nobody."""
    is_taken = bool(piece.label.project) and _takes(taking, piece, listed)
    if is_taken and piece.is_labelled:
        return None
    session = sessions().get(piece.session) if piece.session else None
    if session and not _is_there(session.place) and not taking.names(session.place):
        session = None
    if piece.is_labelled:
        is_taken = session is not None and taking.covers(session.host, session.place)
        return None if is_taken else Found(piece, piece.label, is_taken=False)
    if session:
        return Found(piece, taken.label(taking, session.place), taking.takes(session))
    if is_taken or not (piece.label.project or piece.session.partition("/")[0] in PLACES):
        return None
    return Found(piece, piece.label, is_taken=False, is_known=bool(piece.label.project))


def _is_there(at: Place) -> bool:
    """Return whether a session's project can be told: of a folder that is gone the repository is not known."""
    if place.is_agent(at.project):
        return True
    return at.project != UNKNOWN and outside.exists(at.folder)


def _takes(taking: Taking, piece: Piece, listed: frozenset[str]) -> bool:
    """Return whether the workspace takes the project of a label, by whichever of the hosts it may be."""
    at = piece.label.place
    if at.project in listed and not taking.excludes(at):
        return True
    host = piece.session.partition("/")[0]
    kind = (OPENCLAW,) if place.is_agent(at.project) else ("claude", "codex")
    hosts = (host,) if host in PLACES else kind
    return any(taking.covers(name, at) for name in hosts) or _names_within(taking, at)


def _names_within(taking: Taking, at: Place) -> bool:
    """Return whether a folder in a project is named: what was said there is labelled with the whole project."""
    paths = (outside.real(os.path.expanduser(p)) for p in taking.include if p[:1] in "~/")  # noqa: PTH111
    return not taking.excludes(at) and any(path.startswith(f"{at.project}/") for path in paths)


# --- mending


def mend(run: Run) -> None:
    """Label what is taken and move what is known to be another project's, in one transaction.

    Where nobody has said what the workspace takes, nothing is moved. Raises WorkspaceError, Busy.
    """
    sessions, moves = sessions_of(run), is_said(run)
    with run.workspace.writing() as door:
        moved: list[tuple[str, Found]] = []
        for path in files(run):
            text = door.text(path) or ""
            here = [one for one in found(run, text, sessions) if one.is_taken or (moves and one.is_known)]
            _put(
                door, path, text, mended(text, here), summary="lines have their project, those of others are moved out"
            )
            moved += [(path, one) for one in here if not one.is_taken]
        if moved:
            path = run.workspace.in_memory(NAME)
            text = door.text(path) or ""
            _put(door, path, text, with_moved(text, moved, day=run.today), summary=f"{len(moved)} moved out")
            stack.stage(door)


def _put(door: Door, path: str, before: str, after: str, *, summary: str) -> None:
    """Stage a text in the place of the one that was looked at: what is moved leaves one file for another."""

    def edit(text: str) -> str:
        if text != before:
            raise Busy(f"{path} was changed meanwhile", hint="koog doctor --fix, again")
        return after

    door.edit(path, edit, summary=summary)


def mended(text: str, here: Iterable[Found]) -> str:
    """Return a file's text with labels where they were missing and without what is not taken."""
    rows: list[str | None] = [*text.split("\n")]
    for one in here:
        first = one.piece.number - 1
        if one.is_taken:
            rows[first] = labelled(one)[0]
            continue
        rows[first : first + len(one.piece.rows)] = [None] * len(one.piece.rows)
        if RAW_BEGIN.fullmatch(one.piece.rows[0]) and first and rows[first - 1] == "":
            rows[first - 1] = None
    _drop_empty_days(rows)
    return "\n".join(row for row in rows if row is not None)


def _drop_empty_days(rows: list[str | None]) -> None:
    """Take out the `Date:` headings below which something was taken out and nothing is left."""
    for at in [i for i, row in enumerate(rows) if row is not None and DAY.match(row)]:
        end, is_emptied = at + 1, False
        while end < len(rows) and not (rows[end] or "").strip():
            is_emptied = is_emptied or rows[end] is None
            end += 1
        follows = rows[end] if end < len(rows) else None
        if is_emptied and (follows is None or DAY.match(follows) or ENDS_DAY.match(follows)):
            before = next((row for row in reversed(rows[:at]) if row is not None), None)
            rows[at:end] = [None] * (end - at)
            if end == len(rows) and before != "":
                rows[-1] = ""  # the text's last line has its end


def labelled(one: Found) -> list[str]:
    """Return a piece's lines, the first of them with its label."""
    first, *rest = one.piece.rows
    if one.piece.is_labelled:
        return [first, *rest]
    values = labels.values(one.label)
    if RAW_BEGIN.fullmatch(first):
        told = "".join(f"{name}={value} " for name, value in values)
        return [first.removesuffix("-->") + told + "-->", *rest]
    told = "".join(f" dc:{name}={value}" for name, value in values)
    return [SOURCE.sub(lambda source: source[0] + told, first, count=1), *rest]


def with_moved(text: str, moved: Iterable[tuple[str, Found]], *, day: str) -> str:
    """Return the file of what was moved out, with more of it behind what is there: a section for each project."""
    sections: dict[str, dict[str, list[str]]] = {}
    for path, one in moved:
        heading = f"## {one.label.project}" + (f" ({one.label.group})" if one.label.is_group else "")
        sections.setdefault(heading, {}).setdefault(path, []).extend(labelled(one))
    text = text or HEAD
    for heading, parts in sections.items():
        told = "\n\n".join(f"From {path}, moved on {day}:\n\n" + "\n".join(rows) for path, rows in parts.items())
        text = _into(text, heading, told)
    return text


def _into(text: str, heading: str, told: str) -> str:
    """Return the text with more at the end of a section, which is made where there is none."""
    rows = text.rstrip("\n").split("\n")
    if heading not in rows:
        return "\n".join([*rows, "", heading, "", told, ""])
    start = rows.index(heading)
    end = next((i for i in range(start + 1, len(rows)) if rows[i].startswith("## ")), len(rows))
    body = "\n".join(rows[:end]).rstrip("\n")
    after = rows[end:]
    return "\n".join([body, "", told, *(["", *after] if after else []), ""])
