"""koog teach: what a sentence is worth to this house, said by an example.  [design §4 "one reading"]

Reads   memory/taught.jsonl
Writes  memory/taught.jsonl: a line for the example; deleting the line undoes it
Asks    nothing
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from koog.core import approval, clock
from koog.core.errors import Refused, UsageError
from koog.core.reply import Reply
from koog.core.run import Run
from koog.core.stdin import text_or_stdin
from koog.core.text import taught, weigher
from koog.core.text.secrets import find_secrets
from koog.core.text.taught import AGENT, PERSON, Lesson
from koog.core.text.untrusted import visible
from koog.core.text.voices import NOTE, TALK, USER

MOST_CHARS = 500  # of one sentence
HARMFUL = 0.5
REGISTERS = ((TALK, USER), (NOTE, NOTE))


class Kind(StrEnum):
    """taught.TYPES, as Typer wants them."""

    RULE = "rule"
    PREFERENCE = "preference"
    DECISION = "decision"
    GOAL = "goal"
    HABIT = "habit"
    FACT = "fact"
    EVENT = "event"
    ERROR = "error"
    FIX = "fix"
    NOISE = "noise"


def teach(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT|-", help="One sentence as it is said here; '-' reads stdin.")],
    kind: Annotated[Kind, typer.Option("--type", help="What it is; noise is not worth keeping.")],
) -> Reply:
    """Teach by an example what is worth keeping in this house, and as what; or that it is noise."""
    run: Run = ctx.obj
    by = PERSON if approval.at_terminal() else AGENT
    lesson = Lesson(_sentence(text_or_stdin(text, what="TEXT")), kind.value, by)
    weigher.using(known := taught.of(run.workspace, run.warnings))
    before = _weighed(lesson.text)
    _check(lesson, by)
    weigher.using(known)
    if changed := all(each not in (lesson, lesson._replace(by=PERSON)) for each in known):
        at = clock.iso(run.now)
        with run.workspace.writing() as door:
            path = run.workspace.in_memory(taught.FILE)
            door.edit(path, lambda now: taught.with_lesson(now, lesson, by=by, at=at), summary=f"taught: {lesson.type}")
        weigher.using((*(each for each in known if each.text != lesson.text), lesson)[-taught.MOST :])
    keys = {"text": lesson.text, "type": lesson.type, "by": by, "changed": changed}
    return Reply("koog.teach/1", **keys, before=before, after=_weighed(lesson.text))


def _sentence(text: str) -> str:
    """Return the example on one line. Raises UsageError for none, for a long text, and for a credential."""
    found = " ".join(visible(text).split())
    if not found or len(found) > MOST_CHARS:
        raise UsageError(
            f"an example is one sentence of 1 to {MOST_CHARS} characters",
            hint='koog teach "We never deploy on Fridays" --type rule',
        )
    if find_secrets(found):
        raise UsageError("the example holds a credential", hint="leave it out: what counts are the words around it")
    return found


def _check(lesson: Lesson, by: str) -> None:
    """Raise Refused for what only a person may teach: an attack as worth keeping, a rule that is to be forgotten."""
    if by == PERSON:
        return
    weigher.using(())  # as it was shipped: else each lesson would open the door for the next
    seen = [weigher.weigh(lesson.text, register=register, role=role) for register, role in REGISTERS]
    if lesson.type != taught.NOISE and weigher.harm(lesson.text) >= HARMFUL:
        raise Refused("this reads like an instruction to do harm", hint="a person teaches it, in a terminal")
    if lesson.type == taught.NOISE and max(each.must for each in seen) >= weigher.red():
        raise Refused("this reads like something that must not be lost", hint="a person teaches it, in a terminal")


def _weighed(text: str) -> dict[str, Any]:
    """Return what is made of a sentence, said in talk and in a note."""
    found = {}
    for register, role in REGISTERS:
        seen = weigher.weigh(text, register=register, role=role)
        kept = seen.keep >= weigher.threshold(register)
        found[register] = {"kept": kept, "keep": round(seen.keep, 2), "type": seen.type}
    return found
