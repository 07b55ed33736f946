"""What a person asks the memory for in his own turn: remembered at once, and the agent is told what and where.

    remember, pin      stored by the built-in router; a pin among the critical facts
    forget, scratch    nothing is forgotten here: what matches is listed, with the command, for the agent to ask about
    search             the agent is told how to look

Whose turn it is words.py says. A workspace that somebody else writes to is not waited for: the detached process
remembers then (koog/host/orders.py), and the next turn finds it.  [moltbot §8.1; design §2]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from koog.core.clip import clip
from koog.core.errors import Busy, KoogError
from koog.core.text.marks import fenced
from koog.host import given, words

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.host.given import Given
    from koog.memory.trigger.triggers import Trigger

KEPT = ("remember", "pin")
LOCK_SECONDS = 0.2  # the host is not kept waiting
MOST_LISTED = 5
SHOWN_CHARS = 160
LATER = "is being remembered: another koog writes to the memory just now"


def prompt_of(call: Given) -> str:
    """Return what a person has typed in his own turn, "" where it may be anybody else who speaks."""
    prompt = call.payload.get("prompt")
    if not isinstance(prompt, str) or not prompt.strip() or not words.is_own_turn(call):
        return ""
    if call.host != given.OPENCLAW:
        return prompt
    from koog.sessions.openclaw_records import typed

    return typed(prompt)


def of(call: Given) -> tuple[Trigger, ...]:
    """Return what a call's prompt asks the memory for."""
    from koog.memory.trigger import triggers

    return triggers.detect(prompt_of(call))


def grant(run: Run, call: Given) -> tuple[str, bool]:
    """Do what the prompt asks for; return what the agent is told, "" for nothing, and whether something has to wait.

    Raises KoogError.
    """
    found = of(call)
    if not found or run.dry_run:
        return "", False
    told, waits = list[str](), False
    kept = [each for each in found if each.kind in KEPT and each.content]
    if kept:
        run.workspace.lock_wait_s = LOCK_SECONDS
        try:
            told += remembered(run, kept, word=is_certain(call), session=session_of(call))
        except Busy:
            waits = True
            told += [f"- {_quoted(each)} {LATER}" for each in kept]
    told += [line for each in found for line in _looked_up(run, each)]
    return (fenced("\n".join(("What the user asked the memory for:", *told))) if told else ""), waits


def is_certain(call: Given) -> bool:
    """Return whether the words are surely the person's: Claude Code gives what its model scheduled in the same form."""
    return call.host != given.CLAUDE


def session_of(call: Given) -> str:
    """Return a call's session as observations name it, "" where the host does not say."""
    named = call.text("session_id", "sessionId")
    if not named:
        return ""
    return "/".join((call.host, *([call.agent or "main"] if call.host == given.OPENCLAW else []), named))


def remembered(run: Run, found: Sequence[Trigger], *, word: bool, session: str = "") -> list[str]:
    """Store what is to be remembered; return a line for each thing: where it is, or why it is not kept.

    session   in which it was said
    """
    from koog.memory import remember
    from koog.memory.wanted import Wanted

    told = []
    for each in found:
        wanted = Wanted(each.content, explicit=True, heard=session)
        if each.kind == "pin":
            wanted = wanted._replace(store="core", block="critical")
        try:
            (kept,), _ = remember.store_all(run, [wanted], word=word, asks=False)
        except Busy:
            raise
        except KoogError as e:
            told.append(f"- {_quoted(each)} is not remembered: {e.message}")
            continue
        state = "is remembered" if kept.stored.created else "was known already"
        place = f"{kept.stored.path} ({kept.stored.id})"
        more = f", in place of {', '.join(kept.stored.replaced)}" if kept.stored.replaced else ""
        told.append(f"- {_quoted(each)} {state} in {place}{more}")
    return told


def _looked_up(run: Run, each: Trigger) -> list[str]:
    """Return what is said of a wish that changes nothing here."""
    if each.kind == "search":
        return [f"- {_quoted(each)}: look with koog recall before you answer"]
    if each.kind not in ("forget", "scratch"):
        return []
    from koog.memory import matching

    found = matching.like(run, each.content) if each.kind == "forget" else matching.latest(run)
    if not found:
        return [f"- nothing is remembered that {_quoted(each)} could mean; nothing was forgotten"]
    rows = [f"  - {m.id} {m.path}:{m.line} “{clip(m.text, SHOWN_CHARS)}”" for m in found[:MOST_LISTED]]
    asked = "what was stored last" if each.kind == "scratch" else _quoted(each)
    then = f"koog forget --confirm {' '.join(m.id for m in found[:MOST_LISTED])}"
    return [f"- {asked} is to be forgotten. Nothing was: ask the user which of these is meant, then {then}", *rows]


def _quoted(each: Trigger) -> str:
    return f"“{clip(' '.join((each.content or each.phrase).split()), SHOWN_CHARS)}”"
