"""What a hook sets off and does not wait for: a process of its own that ends by itself.  [design §2; sinain §3]

    order = {"root", "event", "deadline"}                      digest what waits in the spool for this workspace
            {"event", "deadline", "run", "summary", …}         where there is no spool: what koog/host/orders.py found
            {"told", "said", "late", "cut"}                    as the hook came: what the host said went on, or the
                                                               answer was cut; what waits is digested as well

One JSON object on stdin. It has a session and a process group of its own and holds none of the host's pipes, but for
a host's words that are late. At its deadline the kernel's timer interrupts the whole group, as ^C would: each koog in
it ends the git that it has started. What is left of the group some seconds later is killed. It prints nothing: what
fails is noted in `failures.jsonl`, which `koog status` and `koog doctor` show.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from koog.core.errors import Busy, KoogError, LLMUnavailable, WorkspaceError
from koog.core.files import jsonfiles, spool
from koog.core.run import Run
from koog.host import arrival, digest, given, orders
from koog.sessions import audience

CUT = "no answer within"  # how the note of a cut answer begins, for `koog doctor`
SECONDS = 300.0  # an observation with a slow model, and its retries
PASSED = ("config_file", "engine", "now_text", "memory_dir", "modules_dir")  # the shared options
PATIENCE = 0.8  # of the deadline, for a lock that somebody holds
GRACE_SECONDS = 10.0  # between the interrupt and the kill: git gets some to let go of its locks
LEFT_SECONDS = 60.0  # that a command waits, its line printed, for what killed hooks left: a scheduler ends it with it


def start(run: Run, *, event: str, deadline: float = SECONDS, **order: Any) -> None:
    """Hand an order to a process that outlives this one; under `--dry-run` to nobody.

    Where the event is in the spool, that process takes it from there. Raises KoogError, WorkspaceError.
    """
    came = arrival.current()
    if run.dry_run or (came and came.late):  # who listens to the rest of the host's words does this as well
        return
    told: dict[str, Any] = {"event": event, "deadline": deadline}
    if came and not digest.is_outside(run.root):
        came.drop()
    if came and came.stored:
        told |= {"root": str(run.root)}
    else:
        options = {name: getattr(run, name) for name in PASSED}
        told |= {"run": {"folder": str(run.root), **options}, **order}
    _start(run.root, event, told)
    if came:
        came.started = True


def take_up(run: Run) -> int | None:
    """Have digested what killed hooks left of this workspace; return the process that does it, None for nothing."""
    if run.dry_run or not digest.waits(run.root):
        return None
    return _start(run.root, "left", {"root": str(run.root), "event": "left", "deadline": SECONDS})


def wait_for(pid: int) -> None:
    """Wait until it has ended, but not for ever."""
    until = time.monotonic() + LEFT_SECONDS
    with suppress(ChildProcessError):
        while time.monotonic() < until and os.waitpid(pid, os.WNOHANG) == (0, 0):
            time.sleep(0.05)


def _start(root: Path, event: str, order: dict[str, Any]) -> int:
    try:
        return arrival.start(event, str(root), order)
    except ValueError as e:
        raise KoogError(str(e)) from None
    except OSError as e:
        raise WorkspaceError(f"no process for it: {e.strerror}") from None


# --- the process


def main() -> None:
    """Carry out the order on standard input."""
    order = jsonfiles.loads(sys.stdin.buffer.read())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a host's shell may have it ignored
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, order.get("deadline", SECONDS))
    if "run" in order:
        _carry_out(order)
    elif "told" in order:
        _as_it_came(order)
    else:
        _digest(Path(order["root"]), f"hook {order['event']}", deadline=order["deadline"])


def _carry_out(order: dict[str, Any]) -> None:
    command = f"hook {order['event']}"
    run = Run(**order["run"], command=command, trigger=f"koog {command}", actor="system:hook")
    try:
        run.workspace.lock_wait_s = order["deadline"] * PATIENCE  # nobody waits for this process
        orders.carry_out(run, order)
        run.finish()
    except KeyboardInterrupt:
        digest.note(run, _too_slow(order["deadline"], is_asking=bool(order.get("commands"))))
    except KoogError as e:
        digest.note(run, e)
    except Exception as e:
        digest.note(run, KoogError(f"{type(e).__name__}: {e}"))


def _as_it_came(order: dict[str, Any]) -> None:
    """Do what a hook could not do any more: hear the host to its end, note a cut answer, keep words, digest."""
    event = _heard(order)
    try:
        told = digest.understood(event)
    except KoogError:
        return  # nobody's workspace
    deadline = _seconds(event)
    signal.setitimer(signal.ITIMER_REAL, deadline)
    if order["cut"]:
        digest.note(told.run, WorkspaceError(f"{CUT} {order['cut']:g} s, so the host went on without it"))
    if told.name in arrival.PROMPTS:
        _take_words(told)
        _grant_wishes(told)
    if told.name == "prompt-build" and order["cut"]:
        _make_text(told)
    if told.name in arrival.SPOOLED:
        _digest(told.run.root, told.run.command, deadline=deadline, also=event if event.data else None)


def _take_words(told: digest.Told) -> None:
    """Keep what the person approved in a prompt whose hook had no time for it."""
    from koog.host import words

    try:
        words.take(told.run, told.call)
    except KoogError as e:
        digest.note(told.run, e)


def _grant_wishes(told: digest.Told) -> None:
    """Remember what a prompt asks for whose hook had no time for it, or was cut while it was at it."""
    try:
        if order := told.order():
            orders.carry_out(told.run, order)
            told.run.finish()
    except KoogError as e:
        digest.note(told.run, e)


def _make_text(told: digest.Told) -> None:
    """Make the text that a hook had no time for: the session's next turn finds it."""
    from koog.host import frozen

    run, call = told.run, told.call
    try:
        is_meant = not audience.of_place(run, call.place, host=call.host).is_nobody
        if call.host == given.OPENCLAW and call.is_told and is_meant:
            frozen.of_turn(run, call)
    except KoogError as e:
        digest.note(run, e)
    except KeyboardInterrupt:
        digest.note(run, _too_slow(_seconds(told.event), is_asking=False))


def _heard(order: dict[str, Any]) -> spool.Event:
    """Return the event, with the words that come late; in the spool, where that takes it."""
    told, said = order["told"], (order["said"] or "").encode("latin-1")
    if order["late"]:
        said, is_whole = arrival.read_from(arrival.LATE_FD, seconds=arrival.LATE_SECONDS, begun=said)
        os.close(arrival.LATE_FD)
        event = spool.event_of(told["name"], told, said if is_whole else b"")
        if event.data and arrival.Arrival(event.argv).event in arrival.SPOOLED:
            arrival.store(event)
        return event
    return spool.event_of(told["name"], told, said)


def _seconds(event: spool.Event) -> float:
    """Return the deadline that a hook was called with."""
    try:
        return min(3600.0, max(1.0, float(arrival.parse(event.argv)[1]["--deadline"])))
    except (KeyError, ValueError):
        return SECONDS


def _digest(root: Path, command: str, *, deadline: float, also: spool.Event | None = None) -> None:
    run = Run(folder=str(root), command=command)
    try:
        digest.digest(root, wait_s=deadline * PATIENCE, also=also)
    except KeyboardInterrupt:
        if digest.waits(root):  # it may have been somebody else's, who has done it
            digest.note(run, _too_slow(deadline, is_asking=command.rpartition(" ")[2] in orders.COMMANDS))
    except Busy as e:
        if digest.waits(root):
            digest.note(run, e)
    except KoogError as e:
        digest.note(run, e)
    except Exception as e:
        digest.note(run, KoogError(f"{type(e).__name__}: {e}"))


def _too_slow(deadline: float, *, is_asking: bool) -> KoogError:
    slow = LLMUnavailable if is_asking else WorkspaceError  # only those commands ask a model
    return slow(f"did not end within {deadline:g} s")


def _interrupt(*_: object) -> None:
    """Interrupt the group at the deadline, or this process alone where the group is somebody else's."""
    signal.signal(signal.SIGALRM, _end)
    signal.setitimer(signal.ITIMER_REAL, GRACE_SECONDS)
    if os.getpgrp() != os.getpid():
        raise KeyboardInterrupt
    os.killpg(0, signal.SIGINT)


def _end(*_: object) -> None:
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    main()
