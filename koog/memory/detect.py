"""koog detect: what of a message asks the memory for something.  [moltbot §8.1, §14]

Reads   nothing but the message
Writes  nothing: `remember` stores what was found, and nothing is forgotten by finding it
Asks    nobody

    remember, pin      the content is to be stored; pin: for good
    forget             what is stored about the content is to go: `koog forget` lists it; scratch: what was stored last
    search, reflect    the content is to be looked up; the memory is to be looked through
"""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from koog.core.clip import clip
from koog.core.errors import UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.memory.trigger import triggers
from koog.memory.trigger.triggers import Trigger

LINE_CHARS = 9000  # of the reply that triggers may take
PHRASE_CHARS, CONTENT_CHARS, LEAST_CHARS = 200, 4000, 100


def detect(
    ctx: typer.Context,
    text: Annotated[str | None, typer.Option(metavar="TEXT|-", help="A message of the user; '-' reads stdin.")] = None,
) -> Reply:
    """Say what in a message is to be remembered, forgotten or looked up."""
    run: Run = ctx.obj
    if text is None:
        raise UsageError("--text is needed", hint='koog detect --text "remember that …"')
    found = triggers.detect(text_or_stdin(text, what="--text"))
    told = _fitting(found)
    if len(told) < len(found) or any(row["clipped"] for row in told):
        run.meta_extra["truncated"] = True
    return Reply("koog.detect/1", triggers=told, found=len(found))


def _fitting(found: tuple[Trigger, ...]) -> list[dict[str, Any]]:
    """Return the first triggers that fit into the line, contents cut where they are long."""
    rows, left = list[dict[str, Any]](), LINE_CHARS
    for trigger in found:
        row = _row(trigger, min(left, CONTENT_CHARS))
        if row is None:
            break
        rows.append(row)
        left -= len(json.dumps(row)) + 1
    return rows


def _row(trigger: Trigger, chars: int) -> dict[str, Any] | None:
    """Return a trigger in so many characters of JSON; None where it does not fit even when it is cut."""
    for most in (len(trigger.content), CONTENT_CHARS, 1000, 300, LEAST_CHARS):
        content = clip(trigger.content, most)
        row = {
            "kind": trigger.kind,
            "phrase": clip(trigger.phrase, PHRASE_CHARS),
            "content": content,
            "start": trigger.start,
            "end": trigger.end,
            "clipped": content != trigger.content,
        }
        if len(json.dumps(row)) <= chars:
            return row
    return None
