"""A person's own turn that says `approve ID` becomes a grant: which turns are the person's.  [design §4]

Whose words a host's call carries:

OpenClaw      the plugin's prompt-build: a turn with `trigger: user` in a private session (sessions/place.py says which
              those are) of the person's own, of the owner where it tells
Claude Code   UserPromptSubmit, which also comes for what the model has scheduled and for other sessions' messages:
              the grant names the transcript, which says later who typed it (core/grants.py)
              https://code.claude.com/docs/en/hooks#userpromptsubmit
Codex         UserPromptSubmit of the root agent; a subagent's has an `agent_id` (openai/codex pull request 22882)
              codex-rs/hooks/schema/generated/user-prompt-submit.command.input.schema.json
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from koog.core import approval, grants
from koog.host import given, waiting
from koog.sessions import place

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.host.given import Given

LOCK_SECONDS = 0.3  # the host is not kept waiting
# Of the private sessions those that a person speaks in: the agent's own, and those with one other party. Not HTTP APIs.
PERSONAL = re.compile(r"agent:[^:]+:(?:main|(?:[^:]+:){0,2}(?:direct|dm):.+)")
IN_HOOKS = ("CLAUDECODE", "AI_AGENT")  # what Claude Code 2.1.197 sets for its hooks as well
AGENTS_OWN = "_agent"  # how AI_AGENT ends in the shell of Claude Code's agent; in its hooks it ends in _harness


def take(run: Run, call: Given) -> list[str]:
    """Put a grant into the state root for each id that this turn approves and that waits; return them.

    Raises WorkspaceError, Busy.
    """
    said = approved(call)
    if not said or run.state_root is None or run.dry_run:
        return []
    found = {id_: digest for id_, digest in waiting.waiting(run).items() if id_ in said}
    if found:
        grants.give(run.state_root, found, now=approval.moment(run), witness=_witness(call), wait_s=LOCK_SECONDS)
    return list(found)


def approved(call: Given) -> list[str]:
    """Return the ids that the person at the other end approves, [] where it may be anybody else who speaks."""
    prompt = call.payload.get("prompt")
    if not isinstance(prompt, str) or "approve" not in prompt.lower() or not is_own_turn(call):
        return []
    from koog.core.text import consent

    if call.host != given.OPENCLAW:
        return consent.approved(prompt)
    from koog.sessions.openclaw_records import typed

    return consent.approved(typed(prompt))


def is_own_turn(call: Given) -> bool:
    """Return whether the person himself speaks in a prompt, in a session of his own."""
    if not call.is_persons or _in_agents_shell():
        return False
    if call.host == given.OPENCLAW:
        key = call.session_key or ""
        owner = call.payload.get("senderIsOwner")
        is_private = not place.group(key, call.chat) and bool(PERSONAL.fullmatch(key))
        return call.text("trigger") == "user" and is_private and owner is not False
    if call.text("hook_event_name") != "UserPromptSubmit" or call.text("source") not in (None, "user"):
        return False
    return call.host == given.CODEX or _witness(call) is not None


def _witness(call: Given) -> dict[str, str] | None:
    """Return where Claude Code will have written down who typed this prompt, None where it does not say."""
    if call.host != given.CLAUDE:
        return None
    file, prompt = call.text("transcript_path"), call.text("prompt_id")
    return {"file": file, "prompt": prompt} if file and prompt else None


def _in_agents_shell() -> bool:
    """Return whether an agent has called the hook from a shell of its own, in place of its host."""
    shells = (name for name in approval.AGENT_SHELLS if name not in IN_HOOKS)
    return any(name in os.environ for name in shells) or os.environ.get("AI_AGENT", "").endswith(AGENTS_OWN)
