"""Who calls: the main agent (or a person), or another agent, which reads and proposes.  [moltbot §13.1]

In this order, the first that names an agent which is not the main one:

    the host        KOOG_SESSION_KEY in a shell of OpenClaw's agent: `agent:ID:…`, and `…:subagent:…` for one that the
                    main agent has started. Whoever works there cannot be another by saying so
    KOOG_AGENT      what started the agent has named it
    --agent NAME    the agent names itself

Nobody named is the main agent, or a person. An agent that has a shell can take all three away: this keeps several
agents' memory in order; what keeps a hostile one out is its sandbox.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from koog.core.errors import KoogError, UsageError
from koog.core.lazy_regex import compiled

if TYPE_CHECKING:
    from koog.core.run import Run

NAME = r"\w[\w.-]{0,63}"
VARIABLE, SHELL, KEY = "KOOG_AGENT", "OPENCLAW_SHELL", "KOOG_SESSION_KEY"
MAIN = "main"
SUBAGENT = "subagent"  # a word of a session's key; and what one is called that nobody has named


def main(run: Run) -> str:
    """Return the main agent's name, by the operator's file; `main` where there is no workspace yet."""
    try:
        return str(run.settings.get("memory.mainAgent"))
    except KoogError:
        return MAIN


def caller(run: Run, *, named: str | None, is_hook: bool = False) -> str | None:
    """Return the agent that calls, None for the main one or a person. Raises UsageError for what is no name.

    named     what --agent says
    is_hook   the host calls, and KOOG_AGENT says where something is said, not who calls
    """
    told = [name for name in (named, None if is_hook else os.environ.get(VARIABLE)) if name]
    for name in told:
        if not compiled(NAME).fullmatch(name):
            raise UsageError(f"{name[:80]!r} is no agent's name", hint="letters, digits, '.', '_' and '-'")
    key = os.environ.get(KEY, "") if SHELL in os.environ else ""
    words = key.lower().split(":")
    if not told and len(words) < 3:
        return None
    run_of = _probe(run)
    first = main(run_of).lower()
    others = [name for name in reversed(told) if name.lower() != first]
    is_agents = len(words) > 2 and words[0] == "agent"
    if is_agents and words[1] != first and compiled(NAME).fullmatch(words[1]) and not _is_alone(run_of, words[1]):
        return words[1]
    if is_agents and SUBAGENT in words[2:]:
        return others[0] if others else SUBAGENT
    return others[0] if others else None


def _probe(run: Run) -> Run:
    """Return a run for looking at the settings only: a command may yet choose another folder."""
    kind = type(run)
    return kind(folder=run.folder, config_file=run.config_file, memory_dir=run.memory_dir, modules_dir=run.modules_dir)


def _is_alone(run: Run, agent: str) -> bool:
    """Return whether one agent of the host has the workspace for itself: where no other works, it is the main one."""
    from koog.sessions import agents, place, taken

    try:
        own = taken.own_names(run.root, agents.folders(env=os.environ, home=Path.home()), home=run.home)
    except (KoogError, RuntimeError):
        return False
    return {name for name in own if place.is_agent(name)} == {f"{place.OPENCLAW}/{agent}"}
