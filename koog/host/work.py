"""What a hook sets off and does not wait for: a process of its own that ends by itself.  [design §2; sinain §3]

    order = {"event", "run", "deadline", "summary", "transcript", "sources", "argv"}   one JSON object on stdin

It has a session and a process group of its own and holds none of the host's pipes. At its deadline the kernel's
timer interrupts the whole group, as ^C would: each koog in it ends the git that it has started. What is left of the
group some seconds later is killed. It prints nothing: what fails is noted in `.koog/failures.jsonl`, which `koog
status` and `koog doctor` show.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from koog.core import failures, reply
from koog.core.errors import Busy, KoogError, LLMUnavailable, WorkspaceError
from koog.core.files import jsonfiles
from koog.core.run import Run
from koog.core.shipped import PACKAGE

SECONDS = 300.0  # an observation with a slow model, and its retries
PASSED = ("config_file", "engine", "now_text", "memory_dir", "modules_dir")  # the shared options
PATIENCE = 0.8  # of the deadline, for a lock that somebody holds
RETRY_SECONDS = 3.0  # until an observation is tried again that found another one at work
GRACE_SECONDS = 10.0  # between the interrupt and the kill: git gets some to let go of its locks
ORDER_LIMIT = 60_000  # bytes: what a pipe takes at once, so that handing it over never waits


def start(run: Run, **order: Any) -> None:
    """Hand an order to a process that outlives this one; under `--dry-run` to nobody."""
    if run.dry_run:
        return
    import subprocess

    options = {name: getattr(run, name) for name in PASSED}
    data = jsonfiles.line({"run": {"folder": str(run.root), **options}, **order}).encode()
    if len(data) > ORDER_LIMIT:
        raise KoogError(f"an order of {len(data)} bytes")
    process = subprocess.Popen(
        # Its arguments are for a person who looks at the processes; it reads its order.
        [sys.executable, "-P", "-m", "koog.host.work", str(order["event"]), str(run.root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=run.root,
        env=_environment(),
        start_new_session=True,
    )
    if process.stdin:
        with process.stdin as pipe:
            pipe.write(data)
    process.returncode = 0  # nobody waits for it here, and Popen is not to complain of that


def _environment() -> dict[str, str]:
    """Return the environment in which `-P -m koog` finds this very koog."""
    found = dict(os.environ)
    if PACKAGE.parent.name not in ("site-packages", "dist-packages"):
        found["PYTHONPATH"] = os.pathsep.join(filter(None, (str(PACKAGE.parent), found.get("PYTHONPATH"))))
    return found


def main() -> None:
    """Carry out the order on standard input."""
    order = jsonfiles.loads(sys.stdin.buffer.read())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a host's shell may have it ignored
    signal.signal(signal.SIGALRM, _interrupt)
    signal.setitimer(signal.ITIMER_REAL, order["deadline"])
    run = Run(**order["run"], command=f"hook {order['event']}", trigger=f"koog hook {order['event']}")
    run.actor = "system:hook"
    try:
        _carry_out(run, order)
        run.finish()
    except KeyboardInterrupt:
        slow = LLMUnavailable if order.get("argv") else WorkspaceError  # only those commands ask a model
        _note(run, slow(f"did not end within {order['deadline']:g} s"))
    except KoogError as e:
        _note(run, e)
    except Exception as e:
        _note(run, KoogError(f"{type(e).__name__}: {e}"))


def _note(run: Run, error: KoogError) -> None:
    """Note a failure for `koog status`: a busy workspace too, since nobody was told who could try again."""
    noted = WorkspaceError(error.message) if isinstance(error, Busy) else error
    failures.record(run.root, noted, command=run.command, message=reply.told(error.message), now=run.now)


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


def _carry_out(run: Run, order: dict[str, Any]) -> None:
    run.workspace.lock_wait_s = order["deadline"] * PATIENCE  # nobody waits for this process
    if order.get("summary"):
        from koog.host import runs, summaries

        summary = summaries.Summary(**order["summary"])
        transcript = order.get("transcript")
        summaries.record(run, runs.with_transcript(summary, transcript) if transcript else summary)
    if order.get("sources"):
        from koog.host import sources, sync

        sync.deploy(run, sources.configured(order["sources"], Path(order["state"])))
    if order.get("argv"):
        _koog(order["argv"], run)


def _koog(argv: list[str], run: Run) -> None:
    """Run another koog command to its end, again while another koog is at it; it notes its own failures."""
    import subprocess
    import time

    named = (("--config", run.config_file), ("--engine", run.engine), ("--now", run.now_text))
    options = [word for option, value in named if value for word in (option, value)]
    folders = (("--memory-dir", run.memory_dir), ("--modules-dir", run.modules_dir))
    options += [word for option, value in folders if value for word in (option, value)]
    command = [sys.executable, "-P", "-m", "koog", *argv, "--workspace", str(run.root), *options]
    while True:  # until the deadline
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL)  # its output goes to nobody, as this one's
        try:
            if process.wait() != Busy.exit_code:
                return
        except KeyboardInterrupt:
            process.wait()  # it was interrupted as well, and has git to end
            raise
        time.sleep(RETRY_SECONDS)


if __name__ == "__main__":
    main()
