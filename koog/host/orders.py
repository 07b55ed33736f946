"""What an event of a host sets off: found out in a moment, carried out by koog/host/work.py.  [design §2; sinain §3]

order = {"summary", "transcript"}   agent-end: the run's line of session-summaries.jsonl
        {"sources", "state"}        agent-start: a sync from the places that the plugin's config names
        {"wishes"}                  a prompt: what the person asks the memory for
        {"commands"}                the others: other koog commands, one after the other

Before a session's turns are compacted away, and when it ends, its transcript is brought up to date first: what judges
them may fail, and what was said stands there all the same.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from koog.core.errors import Busy
from koog.host import given
from koog.host.arrival import PROMPTS
from koog.sessions import taken

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.host.given import Given
    from koog.sessions.place import Place

COMMANDS = {"pre-compaction": ["observe", "--flush"], "session-start": ["recover"], "session-end": ["observe"]}
# What comes behind it, once the transcript is there: decisions, lessons and journal before a session is compacted away,
# and all of it when it ends.  [autopoiesis §6.4]
EXTRACTS = {"pre-compaction": ["extract", "--flush"], "session-end": ["extract"]}
ON_SESSION_END, ON = "session-end", "knowledge.extractOn"
TRANSCRIBE = ["transcript", "import", "--since", "2d"]  # not years of sessions, because koog was installed today
CONSOLIDATE = ["consolidate", "run", "--trigger", "session-end"]  # once a day; a person approves what it proposes
RETRY_SECONDS = 3.0  # until an observation is tried again that found another one at work


def order(
    run: Run, event: str, call: Given, at: Place, *, env: Mapping[str, str] = os.environ
) -> dict[str, Any] | None:
    """Return what the detached process is to do, None for nothing.

    at    where the session belongs
    env   the variables that the hook was called with
    """
    if event == "agent-end":
        from koog.host import runs

        # What the host names as transcript is only read where the host itself gives no numbers.
        transcript = None if call.host == given.OPENCLAW else call.text("transcript_path")
        return {"summary": runs.told(call).limited(), "transcript": transcript} if call.payload else None
    if event == "agent-start":
        return {"sources": call.sources, "state": _state(call, env)} if call.sources else None
    if event in PROMPTS:
        from koog.host import wishes

        prompt = wishes.prompt_of(call)
        told = {"certain": wishes.is_certain(call), "session": wishes.session_of(call)}
        return {"wishes": prompt, **told} if prompt else None
    command = COMMANDS.get(event)
    is_observed = not at.is_group or taken.of(run).lists(at.group, project=at.project)
    if command is None or not is_observed or not call.is_persons:
        return None
    return {"commands": _with_transcripts(run, event, call, command)}


def _with_transcripts(run: Run, event: str, call: Given, command: list[str]) -> list[list[str]]:
    """Return the commands of an event; without a state root no transcript can be written."""
    if run.state_root is None:
        return [command]
    if event == "session-start":
        return [command, TRANSCRIBE]
    ended = ["--end", call.session] if event == "session-end" and call.session else []
    extracts = [EXTRACTS[event]] if event == "pre-compaction" or run.settings.get(ON) == ON_SESSION_END else []
    sleeps = [CONSOLIDATE] if event == "session-end" else []
    return [[*TRANSCRIBE, *ended], command, *extracts, *sleeps]


def _state(call: Given, env: Mapping[str, str]) -> str:
    """Return OpenClaw's state folder, where the config's relative paths start."""
    named = call.text("stateDir") or env.get("OPENCLAW_STATE_DIR")
    return named or os.path.join(os.path.expanduser("~"), ".openclaw")  # noqa: PTH111, PTH118  never raises


# --- carried out


def carry_out(run: Run, order: dict[str, Any], *, id_: str | None = None, when: datetime | None = None) -> None:
    """Do what is ordered.

    id_    of the event: what a run is known by that its host gives no id, so that its line is written once
    when   the event came, where that is not now
    """
    if order.get("summary"):
        from koog.host import runs, summaries

        summary = summaries.Summary(**order["summary"])
        transcript = order.get("transcript")
        summary = runs.with_transcript(summary, transcript, until=when) if transcript else summary
        summaries.record(run, summary._replace(run_id=summary.run_id or id_), when=when)
    if order.get("sources"):
        from koog.host import sources, sync

        sync.deploy(run, sources.configured(order["sources"], Path(order["state"])))
    if order.get("wishes"):
        from koog.host import wishes
        from koog.memory.trigger import triggers

        found = triggers.detect(order["wishes"])
        kept = [each for each in found if each.kind in wishes.KEPT and each.content]
        session = order.get("session")
        wishes.remembered(
            run, kept, word=bool(order.get("certain")), session=session if isinstance(session, str) else ""
        )
        if any(each.kind == "reflect" for each in found) and order.get("certain"):
            _koog(["consolidate", "run"], run)
    for argv in order.get("commands", ()):
        _koog(argv, run)


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
