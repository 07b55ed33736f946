"""A person's word: the one function that decides whether there is one.  [design §4 "A person's word"]

What needs a person's word (an imported module, a new push address, a repository that was changed) takes it from
one of three sources, in this order:

    terminal   the command itself was typed in a terminal, by nobody's agent
    grant      a hook saw "approve ID" in the person's own turn (core/grants.py); good once, for what ID was then
    relayed    the operator's file says `approval: relayed`: the agent's call counts

A koog that does not see the state root takes none: whoever runs there may be the agent in its sandbox. None of the
three holds against an agent that has a shell outside a sandbox, as the same user: it can do all that the person can.
"""

from __future__ import annotations

import os
import sys
from datetime import datetime
from typing import TYPE_CHECKING

from koog.core import clock, grants, operator
from koog.core.errors import Refused
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot
    from koog.core.run import Run

TERMINAL, GRANT, RELAYED = "terminal", "grant", "relayed"
# What hosts set in the shells that they give their agents, and where that was seen. A person's own shell has none.
AGENT_SHELLS = (
    "OPENCLAW_SHELL",  # OpenClaw 2026.9.6's exec tool, with a terminal and without: https://docs.openclaw.ai/tools/exec
    "CLAUDECODE",  # Claude Code 2.1.197's shell tool, and its hooks: https://code.claude.com/docs/en/env-vars
    "CODEX_THREAD_ID",  # Codex's shell tool: https://developers.openai.com/codex/environment-variables
    "CODEX_SANDBOX",  # the same, sandboxed
    "CODEX_SANDBOX_NETWORK_DISABLED",  # the same, without network
    "GEMINI_CLI",  # Gemini CLI: https://google-gemini.github.io/gemini-cli/docs/tools/shell.html
    "CURSOR_AGENT",  # Cursor's agent: https://docs.rs/crate/ai_env
    "AI_AGENT",  # Claude Code 2.1.197 and others that follow it
)
NO_STATE_ROOT = "this koog does not see the workspace's state root, so it takes no approval"


class Approval(NamedTuple):
    """A person's word, and how it came: terminal, grant or relayed."""

    how: str

    @property
    def column(self) -> str:
        """Return the approval as the audit line and the commit have it.  [moltbot §12.3, §12.4]"""
        return RELAYED if self.how == RELAYED else "approved"


def digest(*parts: str | None) -> str:
    """Return the SHA-256 of what is to be approved; None, a part that is not there, differs from an empty one."""
    from hashlib import sha256  # what most commands do not pay for

    found = sha256()
    for part in parts:
        data = b"" if part is None else part.encode("utf-8", "surrogateescape")
        found.update(b"-" if part is None else b"%d:%b" % (len(data), data))
    return found.hexdigest()


def require(
    run: Run, *, id: str, digest: str, what: str, command: str, state_root: StateRoot | None = None, keep: bool = False
) -> Approval:
    """Return the person's word, and note it as the approval of what this run changes from now on.

    id          what the person says: `approve ID`
    digest      of all that is approved: what changes it needs a new word
    what        the thing in words: "module 'rn', which was imported"
    command     what a person runs in a terminal
    state_root  where the grants lie; default: the run's
    keep        do not use a grant up: `use_up` does, once it is done

    Raises Refused that names the three ways, WorkspaceError, Busy. Under `--dry-run` no grant is used up.
    """
    root = state_root or run.state_root
    if root is None:
        hint = f"a person runs, outside the agent's sandbox: {command} (koog init makes the state root)"
        raise Refused(f"{what} needs a person's word: {NO_STATE_ROOT}", hint=hint)
    found = word(run, id=id, digest=digest, state_root=root, keep=keep)
    if found is None:
        hint = (
            f"a person runs in a terminal: {command}; or says in a chat of their own, on a line of its own: "
            f"approve {id}; or lets the agent's call count: approval: relayed in {operator.path()}"
        )
        raise Refused(f"{what} needs a person's word", hint=hint)
    run.approval = found.column
    if opened := run.__dict__.get("workspace"):
        opened.cause = opened.cause._replace(approval=found.column)
    return found


def word(run: Run, *, id: str, digest: str, state_root: StateRoot | None = None, keep: bool = False) -> Approval | None:
    """Return a person's word for this very thing, None when there is none. Raises WorkspaceError, Busy."""
    root = state_root or run.state_root
    if root is None:
        return None
    if at_terminal():
        return Approval(TERMINAL)
    if grants.use(root, id=id, digest=digest, now=moment(run), keep=keep or run.dry_run):
        return Approval(GRANT)
    return by_agent(run)


def by_agent(run: Run) -> Approval | None:
    """Return the word that an agent's call is, where the operator lets it count; None where he does not."""
    return Approval(RELAYED) if run.settings.get("approval") == RELAYED else None


def use_up(run: Run, *, id: str, digest: str) -> None:
    """Take away the grant that was kept while what it is for was done. Raises WorkspaceError, Busy."""
    if run.state_root and not run.dry_run:
        grants.use(run.state_root, id=id, digest=digest, now=moment(run))


def by_hand(run: Run) -> None:
    """Note a person's leave for what this run changes from now on, where it was typed at a terminal."""
    if at_terminal():
        run.approval = Approval(TERMINAL).column
        if opened := run.__dict__.get("workspace"):
            opened.cause = opened.cause._replace(approval=run.approval)


def at_terminal() -> bool:
    """Return whether a person has typed this command: at a terminal, and in no shell of an agent's."""
    return not any(name in os.environ for name in AGENT_SHELLS) and _is_terminal(sys.stdin) and _is_terminal(sys.stderr)


def moment(run: Run) -> datetime:
    """Return the time by which a grant is young: `--now` makes it later, never earlier, since the agent may pass it."""
    return max(run.now, clock.parse_now(None))


def _is_terminal(stream: object) -> bool:
    try:
        return os.isatty(stream.fileno())  # type: ignore[attr-defined]  # None, or something in its place
    except (AttributeError, OSError, ValueError):
        return False
