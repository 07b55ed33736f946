"""koog audit blame: who wrote a file, or one line of it.  [moltbot §12.7]

Reads   git's history of the file; memory/meta/audit.log and its months
Writes  memory/meta/audit.log: a `manual` line for what was changed outside koog
Asks    nothing
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Annotated, Any

import typer

from koog.audit import log
from koog.audit.log import Wanted
from koog.audit.notice import notice
from koog.core import clock
from koog.core.errors import NotFound, UsageError
from koog.core.files import auditlog
from koog.core.files.auditlog import Entry
from koog.core.git.repository import Git
from koog.core.named import NamedTuple
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.view import DIM, STRONG, Cell, Section

PLACE = re.compile(r"(.+?):([1-9]\d*)")
HEAD = re.compile(r"([0-9a-f]{40,64}) (\d+) (\d+)")
RECENT = 5  # entries of the audit log
TRAILERS = ("Actor", "Approval", "Trigger")


class Origin(NamedTuple):
    """The commit that a line came with; all None for one that no commit has."""

    commit: str | None
    ts: str | None
    subject: str | None
    actor: str | None
    approval: str | None
    trigger: str | None


NOBODY = Origin(None, None, None, None, None, None)


def blame(
    ctx: typer.Context,
    place: Annotated[str, typer.Argument(metavar="FILE[:LINE]", help="USER.md, or USER.md:12.")],
) -> Reply:
    """Say who wrote a file's lines, or one line, by whose leave and when, and what the log says of the file last."""
    run: Run = ctx.obj
    notice(run)
    path, number = _place(run, place)
    data = run.workspace.read(path)
    if data is None:
        raise NotFound(f"there is no {path}", hint="koog audit log --file PATH tells of files that are gone")
    lines = data.decode("utf-8", "surrogateescape").splitlines()
    if number is not None and number > len(lines):
        raise UsageError(f"{path} has {len(lines)} lines")
    found = origins(run, path, data, number) if lines else []
    counted = Counter((o.actor or "nobody yet", o.approval) for o in found)
    keys: dict[str, Any] = {
        "path": path,
        "line": number,
        "text": lines[number - 1] if number else None,
        "origin": found[0]._asdict() if number and found and found[0].commit else None,
        "by": [{"actor": a, "approval": b, "lines": n} for (a, b), n in counted.most_common()],
        "entries": [
            log.told(e) for _, e in zip(range(RECENT), log.entries(run.workspace, Wanted(file=path)), strict=False)
        ],
    }
    reply = Reply("koog.audit.blame/1", **keys)
    if run.human:
        reply.view = _view(keys)
    return reply


def _place(run: Run, place: str) -> tuple[str, int | None]:
    parted = PLACE.fullmatch(place)
    if parted and not run.workspace.exists(place):
        return parted[1], int(parted[2])
    return place, None


def origins(run: Run, path: str, data: bytes, number: int | None) -> list[Origin]:
    """Return where each line came from, by git; NOBODY for lines that no commit has."""
    lines = data.splitlines()
    wanted = range(number - 1, number) if number else range(len(lines))
    git = Git.find(run.workspace.root, state=run.state_root)
    head = git.head() if git else None
    committed = git.at_head(path) if git and head else None
    if git is None or head is None or not committed:
        return [NOBODY for _ in wanted]
    place = {i: i for i in wanted}
    if committed != data:
        parts = SequenceMatcher(None, committed.splitlines(), lines, autojunk=False).get_matching_blocks()
        place = {b + i: a + i for a, b, size in parts for i in range(size) if b + i in wanted}
    span = ["-L", f"{place[number - 1] + 1},+1"] if number and number - 1 in place else []
    said = git.ask("blame", "--porcelain", *span, head, "--", git.prefix + path) if place else b""
    found = [m for line in said.decode("utf-8", "replace").split("\n") if (m := HEAD.match(line))]
    commits = {int(m[3]) - 1: m[1] for m in found}
    known = {commit: _origin(run, git, path, commit) for commit in dict.fromkeys(commits.values())}
    return [known[commits[place[i]]] if i in place and place[i] in commits else NOBODY for i in wanted]


def first_with(run: Run, path: str, words: str) -> Origin:
    """Return the commit with which some words came into a file, however their line was changed since."""
    git = Git.find(run.workspace.root, state=run.state_root)
    if git is None or (head := git.head()) is None or not words:
        return NOBODY
    said = git.ask("log", "--no-show-signature", "--format=%H", f"-S{words}", head, "--", git.prefix + path)
    found = said.decode("ascii", "replace").split()
    return _origin(run, git, path, found[-1]) if found else NOBODY


def _origin(run: Run, git: Git, path: str, commit: str) -> Origin:
    said = git.ask("log", "-1", "--no-show-signature", "--format=%ct%x00%an%x00%s%x00%b", commit, "--").decode(
        "utf-8", "replace"
    )
    seconds, author, subject, body = said.split("\0", 3)
    found = {key: value for key, _, value in (line.partition(": ") for line in body.splitlines()) if key in TRAILERS}
    ts = clock.iso(clock.of_epoch(int(seconds)))
    if not _is_borne_out(run, path, found, ts[:16]):
        found = {}
    return Origin(
        commit[:12], ts, subject, found.get("Actor", f"git:{author}"), found.get("Approval"), found.get("Trigger")
    )


def _is_borne_out(run: Run, path: str, said: Mapping[str, str], minute: str) -> bool:
    """Return whether the audit log has what a commit claims: anybody can commit that a person has approved something.

    What is older than the log, whose lines went into a digest, is believed.
    """
    claim = (said.get("Actor", ""), said.get("Approval", ""))
    if claim[1] in auditlog.OWN_LEAVE:
        return True
    every = log.entries(run.workspace, Wanted(file=path))
    return any((e.actor, e.approval) == claim and e.ts[:16] <= minute for e in every) or minute < _begins(run)


def _begins(run: Run) -> str:
    """Return the minute of the log's first line, "" for an empty log."""
    for name in auditlog.files(run.workspace):
        if data := run.workspace.files.read(name, limit=auditlog.LIMIT):
            first = auditlog.parse(data.partition(b"\n")[0].decode("utf-8", "surrogateescape"))
            return first.ts[:16] if first else ""
    return ""


def _view(keys: dict[str, Any]) -> list[Section]:
    by = [
        [Cell(row["actor"], STRONG), Cell(row["approval"] or "–"), Cell(f"{row['lines']} lines", DIM)]
        for row in keys["by"]
    ]
    found = [Section(keys["path"], by)]
    if origin := keys["origin"]:
        whose = f"{origin['actor']} ({origin['approval'] or '–'}), {origin['ts']}, commit {origin['commit']}"
        told = [whose, origin["subject"] or "", origin["trigger"] or ""]
        rows = [[Cell(keys["text"] or "", STRONG)], *([Cell(text, DIM)] for text in told if text)]
        found.append(Section(f"line {keys['line']}", rows))
    last = [
        row for entry in keys["entries"] for row in log.rows(Entry(*(entry[n] for n in Entry._fields)), by_day=False)
    ]
    return [*found, Section("Last changes", last, whole=(0, 1))]
