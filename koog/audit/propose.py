"""koog propose: what an agent that may not write wants to be remembered.  [moltbot §13.2, §13.7]

Reads   memory/meta/pending-memories.md; what is remembered, for conflicts with it
Writes  memory/meta/pending-memories.md, which numbers are taken (in the state root); in auto mode what `review auto`
        writes
Asks    nothing

The same content from the same agent is one proposal as long as it waits.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from koog.audit import committing, pending
from koog.core import clock, forgotten, proposals
from koog.core import proposal_form as form
from koog.core.errors import Refused, UsageError
from koog.core.files.record import Cause
from koog.core.proposal_form import Draft, Entry
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.core.text.untrusted import clean, visible
from koog.sessions import audience, roles

MOST_CHARS = 4000  # of one content; a text for the vault may have more
VAULT_CHARS = 64_000
TRIGGER_CHARS = 200


class Store(StrEnum):
    """form.STORES, as Typer wants them."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"
    VAULT = "vault"
    CORE = "core"


class Confidence(StrEnum):
    """form.CONFIDENCES, as Typer wants them."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


def propose(
    ctx: typer.Context,
    said: Annotated[
        str | None, typer.Argument(metavar="[CONTENT|-]", help="What to remember; '-' reads stdin.")
    ] = None,
    content: Annotated[str | None, typer.Option("--content", metavar="TEXT|-", help="The same, as an option.")] = None,
    store: Annotated[Store, typer.Option(help="Where it would belong.")] = Store.SEMANTIC,
    entities: Annotated[str, typer.Option(metavar="A,B", help="What it is about, the first of all.")] = "",
    confidence: Annotated[Confidence, typer.Option(help="How sure it is.")] = Confidence.MEDIUM,
    core_worthy: Annotated[bool, typer.Option("--core-worthy", help="It belongs into MEMORY.md as well.")] = False,
    set_off: Annotated[str, typer.Option("--trigger", metavar="TEXT", help="What set it off.")] = "auto-detect",
) -> Reply:
    """Propose a memory to the main agent; the same content from the same agent is one proposal."""
    run: Run = ctx.obj
    if audience.current(run).is_nobody:
        raise Refused("this workspace is not for this project: nothing is proposed here")
    draft = Draft(
        form.tidy(clean(visible(_told(said, content)))),
        run.agent or roles.main(run),
        clock.iso(run.now),
        _line(set_off)[:TRIGGER_CHARS] or "auto-detect",
        store.value,
        tuple(filter(None, (_line(each).strip("[] ") for each in entities.split(",")))),
        confidence.value,
        core_worthy,
    )
    if not draft.content:
        raise UsageError("there is nothing to remember in it", hint="private blocks, comments and secrets are left out")
    most = VAULT_CHARS if draft.store == form.STORES[3] else MOST_CHARS
    if len(draft.content) > most:
        raise UsageError(f"one proposal has at most {most} characters", hint="--store vault, or in parts")
    if forgotten.of(run.workspace).holds(draft.content):
        raise Refused("this was forgotten, and does not come back by itself", hint="the user asks for it anew")
    found, is_new = put(run, draft)
    committed = committing.auto(run, only=found.number).committed if _is_auto(run) and not run.dry_run else []
    settled = pending.look(run)
    return Reply(
        "koog.propose/1",
        **pending.row(run, found) | ({"byHand": False} if is_new else {}),
        created=is_new,
        committed=committed[0] if committed else None,
        waiting=sum(each.is_waiting for each in settled.entries),
        path=pending.path(run),
    )


def put(run: Run, draft: Draft) -> tuple[Entry, bool]:
    """Put a proposal into the file; return it as it stands there, and whether it is new."""
    against = {draft.content: [each.id for each in pending.opposed(run, draft.content, draft.entities)]}
    told: list[tuple[str, int, bool]] = []
    actor = f"subagent:{run.agent}" if run.agent else f"bot:{draft.author}"
    run.act_as(actor, trigger="koog propose")  # without the words: they must be forgettable
    cause = Cause(actor, "pending", "koog propose")
    run.workspace.cause = cause
    path = pending.path(run)
    with run.workspace.writing() as door:
        known = proposals.noted(run.state_root)

        def edit(text: str) -> str:
            made, [(number, is_new)] = proposals.with_drafts(text, [draft], known=known, against=against)
            told[:] = [(made, number, is_new)]
            return made

        made = edit(door.text(path) or "")
        others = next(each.others for each in form.read(made) if each.number == told[0][1])
        summary = f"proposal #{told[0][1]} from {draft.author}"
        summary += f", in conflict with {', '.join(others)}" if others else ""
        door.edit(path, edit, summary=summary)
        pending.name(door, "PROPOSE", summary)
    made, number, is_new = told[0]
    found = next(each for each in form.read(made) if each.number == number)
    if not run.dry_run:
        proposals.note(run.state_root, made, made={number: proposals.digest(found, found.store)} if is_new else None)
    return found, is_new


def _is_auto(run: Run) -> bool:
    return bool(run.settings.get("memory.reviewMode") == pending.AUTO)


def _told(said: str | None, content: str | None) -> str:
    """Return the content, given as argument or as option."""
    given = [each for each in (said, content) if each is not None]
    if len(given) != 1:
        raise UsageError("the content is told once, as argument or by --content", hint='koog propose "Ana likes tea"')
    return text_or_stdin(given[0], what="CONTENT")


def _line(text: str) -> str:
    return form.key(clean(visible(text)))
