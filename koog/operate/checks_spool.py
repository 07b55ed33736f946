"""What `koog doctor` says of the hooks' spool: answers that came too late, events that wait, events given up."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from datetime import timedelta

from koog.core import clock, failures
from koog.core.files import spool
from koog.core.run import Run
from koog.host import digest, work
from koog.operate.finding import INFO, WARN, Finding

RECENT = timedelta(days=7)


def hooks_spool(run: Run) -> Iterator[Finding]:
    """Look at what hosts told hooks: whether they had an answer in time, and whether all of it is digested."""
    found = [row for row in failures.read(run.workspace) if str(row.get("message")).startswith(work.CUT)]
    cut = [row for row in found if (when := clock.parse(row["ts"])) and run.now - when < RECENT]
    if cut:
        message = f"{len(cut)} answers of hooks were cut in seven days, the last of koog {cut[0].get('command')}"
        yield Finding("spool", WARN, f"{message}: {cut[0]['message']}", command="koog status --human")
    if digest.waits(run.root):
        yield Finding("spool", INFO, "events of hooks wait that a killed koog left", command="koog recover")
    for name in spool.aside():
        path = f"{spool.path()}/{spool.ASIDE}/{name}"
        message = f"an event of a hook failed {digest.ATTEMPTS} times and was put aside"
        yield Finding("spool", WARN, message, file=path, command=f"rm {shlex.quote(path)}")
