"""What waits in the spool for a workspace, digested once and in order.  [design §4]

    quick   a run's line, a sync: one after the other under a lock, as they came; a retry is told after its failure
    long    other koog commands: those of the same kind together, under no lock; each event is claimed meanwhile

An event leaves the spool when what it asked for has ended. Who is killed before leaves it there, one attempt older;
after ATTEMPTS it is put aside and noted for `koog status`.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from koog.core import failures, nearest, reply
from koog.core.errors import Busy, KoogError, NotFound, UsageError, WorkspaceError
from koog.core.files import outside, tree
from koog.core.files.spool import Event, Spool, path
from koog.core.run import Run
from koog.host import arrival, given, orders, whose
from koog.sessions import audience

if TYPE_CHECKING:
    from koog.core.files.spool import Claim
    from koog.host.given import Given

ATTEMPTS = 5
LOCK = "spool"  # of a workspace, beside its write lock
AT_ONCE = 100  # events that are claimed by one process, each an open file
PLACES = {"--config": "config_file", "--memory-dir": "memory_dir", "--modules-dir": "modules_dir"}


@dataclass
class Told:
    """An event of this workspace, understood.

    claim   None for one that no spool has taken
    """

    event: Event
    name: str
    run: Run
    call: Given
    claim: Claim | None = None

    def order(self) -> dict[str, Any] | None:
        """Return what is to be done, None where the workspace is not meant."""
        at = self.call.place
        if whose.is_told_by_settings(self.run, self.call):
            return None
        if audience.of_place(self.run, at, host=self.call.host).is_nobody:
            return None
        return orders.order(self.run, self.name, self.call, at, env=self.event.env)


def understood(event: Event) -> Told:
    """Return whose an event is and what it says, as koog/host/hook.py finds both. Raises KoogError."""
    words, options = arrival.parse(event.argv)
    name, around = words[1] if len(words) > 1 else "", event.cwd or "/"
    call = given.parse(event.data, host=options.get("--host"), here=around)
    command = f"hook {name}"
    run = Run(engine=options.get("--engine"), now_text=options.get("--now"), command=command)
    run.trigger, run.actor = f"koog {command}", "system:hook"
    for option, field in PLACES.items():
        if value := options.get(option):
            setattr(run, field, str(Path(around, value)))
    run.root = _root(call, named=options.get("--workspace") or event.env.get("KOOG_WORKSPACE"))
    run.folder = str(run.root) if "--workspace" in options else None
    return Told(event, name, run, call)


def _root(call: Given, *, named: str | None) -> Path:
    """Return the workspace, as whose.py finds it for a call. Raises UsageError, NotFound."""
    root = nearest.named(Path(call.here or "", named)) if named else whose.of_session(call)
    if root is None:
        raise NotFound("no workspace is meant")
    if not tree.has_own(root):
        raise UsageError(f"{root.name!r} is no workspace of koog's")
    return root


def waits(root: Path) -> bool:
    """Return whether an event of this workspace waits, and nobody is at work on it."""
    try:
        with Spool() as spool:
            return is_outside(root) and any(_is_of(root, event) for event in spool.events())
    except OSError:
        return False


def is_outside(root: Path) -> bool:
    """Return whether the spool is not in the workspace, where it is none: XDG_STATE_HOME may be anybody's choice."""
    return not Path(outside.real(path())).is_relative_to(root)


def _is_of(root: Path, event: Event) -> bool:
    try:
        return understood(event).run.root == root
    except Exception:  # a bug in koog: one event that nobody understands keeps no other from being digested
        return False


def _is_wanted(event: Event) -> bool:
    """Return whether an event may still be digested: a config that is broken is mended one day."""
    try:
        understood(event)
    except (NotFound, UsageError):
        return False
    except KoogError:
        return True
    except Exception:  # as in _is_of
        return False
    return True


def digest(root: Path, *, wait_s: float, also: Event | None = None) -> None:
    """Digest what waits for a workspace.

    wait_s   for whoever else does the same, and for the workspace's writers
    also     an event that no spool has taken

    Raises Busy for somebody who does not let go of the workspace, WorkspaceError.
    """
    with ExitStack() as held:
        spool = _opened(root, held)
        with _first(root).workspace.locked(LOCK, wait_s=wait_s, what="the spool"):
            told = [*_claimed(root, spool, held), *_unspooled(root, spool, also)]
            if spool:
                spool.sweep(_is_wanted)  # not what is claimed
            found = [(each, order) for each in told if (order := _order(each))]
            for each, order in found:
                if not order.get("commands"):
                    _try([each], order, wait_s=wait_s)
        commands: dict[tuple[tuple[str, ...], ...], list[Told]] = {}
        for each, order in found:
            if order.get("commands"):
                commands.setdefault(tuple(map(tuple, order["commands"])), []).append(each)
        run = set[tuple[str, ...]]()  # what several events ask for is done once
        for wanted, those in commands.items():
            left = [list(argv) for argv in wanted if argv not in run]
            run.update(wanted)
            _try(those, {"commands": left}, wait_s=wait_s)


def _opened(root: Path, held: ExitStack) -> Spool | None:
    try:
        return held.enter_context(Spool()) if is_outside(root) else None
    except OSError:
        return None


def _first(root: Path) -> Run:
    run = Run(folder=str(root))
    run.root = root
    return run


def _claimed(root: Path, spool: Spool | None, held: ExitStack) -> Iterable[Told]:
    """Yield the events of this workspace, oldest first, each this process's until the end."""
    if spool is None:
        return
    for event in [each for each in spool.events() if _is_of(root, each)][:AT_ONCE]:
        if claim := spool.claim(event.name):
            held.enter_context(claim)
            told = understood(claim.event)
            told.claim = claim
            if event.attempts < ATTEMPTS or not _put_aside(told.run, claim):
                yield told


def _put_aside(run: Run, claim: Claim) -> bool:
    with suppress(OSError):
        note(run, WorkspaceError(f"given up after {ATTEMPTS} attempts: {path()}/aside/{claim.event.name}"))
        claim.put_aside()
        return True
    return False


def _unspooled(root: Path, spool: Spool | None, also: Event | None) -> Iterable[Told]:
    if also and _is_of(root, also) and not (spool and also.id in spool.ids()):
        yield understood(also)


def _order(told: Told) -> dict[str, Any] | None:
    """Return what an event asks for; one that asks for nothing, or is a wrong call, is done with."""
    try:
        found = told.order()
    except KoogError as e:
        if not isinstance(e, UsageError | NotFound):
            note(told.run, e)  # a config that is broken is mended one day
            return None
        found = None
    except Exception as e:
        _count(told)
        note(told.run, KoogError(f"{type(e).__name__}: {e}"))
        return None
    if not found:
        _done([told])
    return found


def _try(those: list[Told], order: dict[str, Any], *, wait_s: float) -> None:
    """Carry out what these events ask for."""
    run, event = those[-1].run, those[-1].event
    claims = [told.claim for told in those if told.claim]
    try:
        for each in those:
            _count(each)
        run.workspace.lock_wait_s = wait_s
        orders.carry_out(run, order, id_=f"event:{event.id}", when=_when(run, event))
        run.finish()
    except Busy as e:  # nothing is wrong with it
        for claim in claims:
            with suppress(OSError):
                claim.uncount()
        note(run, e)
        return
    except KoogError as e:
        note(run, e)
        return
    except Exception as e:
        note(run, KoogError(f"{type(e).__name__}: {e}"))
        return
    _done(those)


def _count(told: Told) -> None:
    if told.claim:
        with suppress(OSError):  # a full disk: it may be tried once more than that
            told.claim.count()


def _when(run: Run, event: Event) -> datetime:
    return run.now if run.now_text else datetime.fromtimestamp(event.at, UTC)


def _done(those: list[Told]) -> None:
    for each in filter(None, (told.claim for told in those)):
        with suppress(OSError):  # it is digested once more, with the same outcome
            each.remove()


def note(run: Run, error: KoogError) -> None:
    """Note a failure for `koog status`: a busy workspace too, since nobody was told who could try again."""
    noted = WorkspaceError(error.message) if isinstance(error, Busy) else error
    failures.record(run.root, noted, command=run.command, message=reply.told(error.message), now=run.now)
