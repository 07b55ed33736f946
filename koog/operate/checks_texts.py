"""doctor: the Markdown that koog reads: playbook, notes, proposals, what the host reads.  Pure but for the reading."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from functools import partial

from koog.core import clock, operator, proposals
from koog.core.config import NAME
from koog.core.errors import KoogError
from koog.core.files import daily, found_notes
from koog.core.lazy_regex import compiled
from koog.core.run import Run
from koog.core.shipped import shipped
from koog.core.shipped import text as text_of
from koog.core.text.untrusted import PRIVATE
from koog.operate.finding import ERROR, INFO, WARN, Finding, edit, examined
from koog.operate.json_places import not_utf8
from koog.playbook import document, item, stack

CONFLICT = re.compile(rb"^(?:<{7}|>{7})(?: .*)?\r?$", re.MULTILINE)
NO_TAG = compiled(r"\((?:score):|\[(?:since|deferred):|<!--\s*from:")
NUMBER = compiled(r"^## Proposal #(\d+)", re.MULTILINE)
BESIDE = {"HEARTBEAT.md": "HEARTBEAT.koog.md", "SKILL.md": "SKILL.koog.md"}
SKILL = "skills/sinain-hud"
CONTEXT = "devmatrix-summary.md"


def text(data: bytes, path: str, *, check: str) -> Iterator[Finding]:
    """Yield what is wrong with any text: bytes that are no text, a merge's marks, a private block left open."""
    if bad := not_utf8(data):
        command = f"iconv -f WINDOWS-1252 -t UTF-8 {shlex.quote(path)} | less"
        yield Finding(
            check, WARN, "not UTF-8: these characters are kept, and nobody can read them", path, bad.line, command
        )
    if b"\0" in data:
        message = "NUL bytes: a crash of the machine, or no text at all"
        line = _line(data, data.index(b"\0"))
        yield Finding(check, WARN, message, path, line, edit(path, line))
    if marks := list(CONFLICT.finditer(data)):
        line = _line(data, marks[0].start())
        if len({mark[0][:1] for mark in marks}) == 2:
            message = "conflict markers: a merge is not finished here"
            yield Finding(check, ERROR, message, path, line, edit(path, line))
    if (at := open_private(data.decode("utf-8", "replace"))) is not None:
        yield Finding(
            check, WARN, "a private block is never closed: all that follows is left unread", path, at, edit(path, at)
        )


def _line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


def open_private(told: str) -> int | None:
    """Return the line of the outermost `<private>` that is never closed.

    >>> open_private("a <private>b</private>\\n<private>c")
    2
    """
    opened: list[int] = []
    for tag in PRIVATE.finditer(told):
        if tag["close"]:
            opened = opened[:-1]
        else:
            opened.append(tag.start())
    return told.count("\n", 0, opened[0]) + 1 if opened else None


# --- the playbook


def playbook(run: Run) -> Iterator[Finding]:
    """Look at the base playbook, its modules' texts, and whether the effective one follows them."""
    workspace = run.workspace
    path, limit = workspace.in_memory(document.NAME), run.settings.get("heartbeat.playbookLines")
    if not workspace.exists(path):
        yield Finding("playbook", WARN, "there is no playbook", path, command="koog init .")
    yield from examined(workspace, path, partial(base, limit=limit), check="playbook")
    yield from effective(run)


def base(data: bytes, path: str, *, limit: int) -> Iterator[Finding]:
    """Yield what is malformed in a base playbook. limit: the lines of content that it may have."""
    yield from text(data, path, check="playbook")
    told = data.decode("utf-8", "replace")
    if (line := open_comment(told)) is not None:
        message = "<!-- is never closed: readers see nothing of what follows"
        yield Finding("playbook", ERROR, message, path, line, edit(path, line))
    count = document.content_lines(document.parse(told).body)
    if count > limit:
        message = f"{count} lines of content, {limit} are the limit: the next curation prunes the weakest"
        yield Finding("playbook", WARN, message, path, command="koog curate")
    for key in (document.MINING_INDEX, document.EFFECTIVENESS):
        lines = [n for n, row in enumerate(told.split("\n"), 1) if re.search(rf"<!--\s*{key}\s*:", row)]
        if len(lines) > 1:
            message = f"{key} stands there {len(lines)} times: only the first is read"
            yield Finding("playbook", WARN, message, path, lines[1], edit(path, lines[1]))
    for number, row in enumerate(told.split("\n"), 1):
        for message in tags(row):
            yield Finding("playbook", WARN, message, path, number, edit(path, number))


def open_comment(told: str) -> int | None:
    """Return the line of a comment that nothing closes.

    >>> open_comment("<!-- a -->\\n<!-- b")
    2
    """
    start = told.find("<!--")
    while start >= 0:
        end = told.find("-->", start)
        if end < 0:
            return told.count("\n", 0, start) + 1
        start = told.find("<!--", end)
    return None


def tags(row: str) -> list[str]:
    """Return what is malformed in the tags of one line.

    >>> tags("- use pnpm (score: high) [since: 2026-02-30]")
    ['a tag that cannot be read: (score:', 'since: 2026-02-30 is no day']
    """
    found = item.parse(row)
    if found is None:
        return []
    left = [f"a tag that cannot be read: {tag}" for tag in NO_TAG.findall(found.text)]
    days = {"since": found.since, "deferred": found.deferred}
    left += [f"{name}: {day} is no day" for name, day in days.items() if day and clock.parse_day(day) is None]
    if found.score is not None and not 0 <= found.score <= 1:
        left.append(f"score {found.score:g} lies outside 0 to 1")
    return left


def effective(run: Run) -> Iterator[Finding]:
    """Yield a finding when the effective playbook is not what its sources make."""
    path = run.workspace.in_memory(document.EFFECTIVE)
    try:
        now, written = stack.effective(run.workspace), run.workspace.text(path)
    except KoogError:
        return  # a source cannot be read: it has its own finding
    if written is None or written != now:
        message = (
            "there is no effective playbook"
            if written is None
            else "older than the playbook or the modules it is made of"
        )
        yield Finding("playbook", WARN, message, path, command="koog playbook build", mend="effective")


# --- notes, proposals, and what the host reads


def notes(run: Run) -> Iterator[Finding]:
    """Look at every daily note."""
    for path in (note.path for note in daily.every(run.workspace)):
        yield from examined(run.workspace, path, partial(text, check="notes"), check="notes")
    path = run.workspace.in_memory(CONTEXT)
    yield from examined(run.workspace, path, partial(text, check="notes"), check="notes")
    for top, many in found_notes.uncovered(run.workspace).items():
        message = f"{many} Markdown files below {top}/ are no memory: paths.notes names no pattern for them"
        is_around = run.notes_root is not None  # then the operator's file says what is memory
        file = str(operator.path()) if is_around else NAME
        yield Finding("notes", INFO, message, None if is_around else NAME, command=edit(file))


def pending(run: Run) -> Iterator[Finding]:
    """Look at the proposals that wait for a person."""
    path = run.workspace.in_memory(proposals.NAME)
    yield from examined(run.workspace, path, proposed, check="proposals")


def proposed(data: bytes, path: str) -> Iterator[Finding]:
    """Yield what is wrong with a file of proposals: each has a number of its own."""
    yield from text(data, path, check="proposals")
    told, seen = data.decode("utf-8", "replace"), set()
    for number in NUMBER.finditer(told):
        if number[1] in seen:
            line = told.count("\n", 0, number.start()) + 1
            message = f"proposal #{number[1]} stands there twice"
            yield Finding("proposals", WARN, message, path, line, edit(path, line))
        seen.add(number[1])


def host_files(run: Run) -> Iterator[Finding]:
    """Look at HEARTBEAT.md and SKILL.md, by which the agent learns of koog."""
    for name, beside in BESIDE.items():
        ours = shipped(SKILL) / name
        if not run.workspace.exists(name):
            yield Finding(
                "heartbeat", WARN, "missing: the agent does not learn of koog from it", name, command="koog init ."
            )
            continue
        if run.workspace.exists(beside):
            message = f"koog's own waits in {beside}: take it in, then delete that file"
            yield Finding("heartbeat", WARN, message, name, command=f"cat {beside} >> {name} && rm {beside}")
        yield from examined(run.workspace, name, partial(text, check="heartbeat"), check="heartbeat")
        try:
            differs = run.workspace.text(name) != text_of(ours)
        except KoogError:
            continue  # told above
        if differs:
            command = f"diff {name} {shlex.quote(str(ours))}"
            yield Finding("heartbeat", INFO, "differs from the one that this koog ships", name, command=command)
