"""doctor: the transcripts in the raw root: closed where their session has ended, readable, committed as they are."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from koog.core.errors import WorkspaceError
from koog.core.files import raw_root
from koog.core.git import conversations
from koog.core.run import Run
from koog.knowledge.transcripts import format, ledger, listing
from koog.knowledge.transcripts.listing import Listed
from koog.operate.finding import ERROR, INFO, WARN, Finding, edit, few

CHECK = "transcripts"
LOOKED_BYTES = 16 << 20  # of the newest; reading years of them is nothing to wait for
MOST = 5  # files that one kind of finding names


def transcripts(run: Run) -> Iterator[Finding]:
    """Look at every transcript's mode, at what the newest ones say, and at their repository."""
    found = listing.every(run.workspace)
    if not found:
        return
    opened = {each.path for each in ledger.load(run.workspace).open.values()}
    yield from few(_unknown(run, found, opened))
    left = LOOKED_BYTES
    for each in found:
        left -= each.info.st_size
        if left < 0:
            break
        yield from few(_read(run, each))
    yield from _repository(run)


def _unknown(run: Run, found: list[Listed], opened: set[str]) -> Iterator[Finding]:
    """Yield what the ledger and the files do not agree on."""
    there = {each.path for each in found}
    for path in sorted(opened - there):
        yield Finding(CHECK, WARN, "is gone, though its session lasts: what follows begins another", _place(run, path))
    for each in found:
        if each.path not in opened and not listing.has_ended(run.workspace, each):
            yield Finding(CHECK, INFO, "was begun, and nobody goes on with it", _place(run, each.path))


def _read(run: Run, each: Listed) -> Iterator[Finding]:
    place = _place(run, each.path)
    try:
        text = run.workspace.text(each.path) or ""
    except WorkspaceError as e:
        yield Finding(CHECK, ERROR, e.message, place, command=f"ls -l {shlex.quote(place)}")
        return
    transcript = format.read(text)
    for problem in transcript.problems:
        yield Finding(CHECK, WARN, problem.why, place, problem.line, edit(place, problem.line))
    if transcript.head.ended and not each.is_closed:
        why = "has ended, and anybody may write it"
        yield Finding(CHECK, WARN, why, place, 1, f"chmod {raw_root.ENDED:04o} {shlex.quote(place)}")
    if each.is_closed and not transcript.head.ended:
        yield Finding(CHECK, WARN, "is closed, and says not that it has ended", place, 1, edit(place, 1))


def _repository(run: Run) -> Iterator[Finding]:
    git = conversations.find(run.workspace)
    place = str(run.raw)
    if git is None:
        if run.state_root and run.settings.get("git.commit") != "off":
            yield Finding(
                CHECK, WARN, "no repository yet: the next end makes one", place, command="koog transcript end --stale"
            )
        return
    if why := git.hindrance():
        yield Finding(CHECK, WARN, f"nothing is committed: {why}", place, command=f"git -C {shlex.quote(place)} status")
    new, changed = conversations.waiting(run.workspace, git)
    if new:
        told = f"{len(new)} have ended and are in no commit, the first: {new[0]}"
        yield Finding(CHECK, WARN, told, place, command="koog transcript end --stale")
    for path in changed[:MOST]:
        where, name = shlex.quote(place), shlex.quote(raw_root.inner(path))
        told = "is not as it was when its session ended"
        yield Finding(CHECK, ERROR, told, _place(run, path), command=f"git -C {where} diff -- {name}")


def _place(run: Run, path: str) -> str:
    return str(run.raw / raw_root.inner(path))
