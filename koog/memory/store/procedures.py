"""memory/procedures/NAME.md: how something is done here.  [moltbot §7]

    # how-to-deploy.md

    <!-- Type: procedure | Learned: 2026-01-25 | Last used: 2026-01-30 -->
    <!-- Decay score: 0.85 | Access count: 3 -->

    ## Trigger
    When user asks to deploy, push to production, or ship.

    ## Steps
    1. Run test suite first
    ## Notes
    ## Learned From
    - Episode 2026-01-25 14:30

Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.store import entities, ids
from koog.memory.store import line as lines
from koog.memory.store.change import NOTHING, Change
from koog.memory.store.line import Line
from koog.memory.store.memories import PROCEDURAL, Memory
from koog.memory.store.sections import Sections
from koog.sessions import labels
from koog.sessions.labels import Label

FOLDER = "procedures"  # in the memory folder
TRIGGER, STEPS, NOTES, LEARNED_FROM = ORDER = ("Trigger", "Steps", "Notes", "Learned From")
LEARNED, USED = "Learned", "Last used"
STEP = r"(?:^|\s)\(?\d{1,2}[.)]\s+"


class Procedure(NamedTuple):
    """A procedure as it is told: when it is called for, its steps in order."""

    name: str
    trigger: str
    steps: tuple[str, ...]


def path(name: str) -> str:
    """Return a procedure's file in the memory folder."""
    return f"{FOLDER}/{name}.md"


def new(procedure: Procedure, *, today: str, label: Label, learned: str = "", change: Change = NOTHING) -> str:
    """Return a new procedure's file. learned: from what: `Episode 2026-01-25 14:30`; change: beside what it stands"""
    told = labels.comment(label)
    trigger = change.told(Line(procedure.trigger, label))
    text = (
        f"# {procedure.name}.md\n\n<!-- Type: procedure | {LEARNED}: {today} | {USED}: {today} -->\n"
        f"<!-- {entities.SCORE}: 1.00 | {entities.ACCESSES}: 1 -->\n\n"
        f"## {TRIGGER}\n{trigger.raw}\n\n## {STEPS}\n"
    )
    end = f" {told}" if told else ""
    text += "".join(f"{n}. {step}{end}\n" for n, step in enumerate(procedure.steps, 1))
    return text + (f"\n## {LEARNED_FROM}\n- {learned}{end}\n" if learned else "")


def steps(text: str, file: str) -> list[str]:
    """Return the steps that a procedure's file has."""
    return [lines.read(item.text).text for item in Sections(text, file).items(STEPS)]


def called_for(text: str, file: str) -> str:
    """Return when a procedure is called for, as its file has it."""
    return lines.read(Sections(text, file).body(TRIGGER).replace("\n", " ")).text


def is_title_told(title: str, told: Sequence[str]) -> bool:
    """Return whether steps begin with what they are called: what was told without a head is called by its first clause.

    >>> is_title_told("Tag it", ["tag it, then push the tag"]), is_title_told("To deploy", ["tag it", "push the tag"])
    (True, False)
    """
    said, begun = (compiled(r"\w+").findall(text.casefold()) for text in (title, " ".join(told)))
    return bool(said) and begun[: len(said)] == said


def memory(text: str, name: str, file: str) -> Memory:
    """Return a procedure as one memory."""
    found = Sections(text, file)
    trigger = lines.read(found.body(TRIGGER).replace("\n", " "))
    fields = entities.read(text, name, file).fields
    told = steps(text, file)
    said = " ".join(filter(None, (*(() if is_title_told(trigger.text, told) else (trigger.text,)), *told)))
    return Memory(f"{ids.PROCEDURE}:{name}", PROCEDURAL, said or name, file, 1, fields.get(LEARNED, ""), trigger.label)


def split(text: str) -> Sequence[str]:
    """Return the steps in a text that numbers them: "1. … 2. …"; () for one that does not.

    >>> split("1. tag it 2. push the tag 3. tell Mara")
    ['tag it', 'push the tag', 'tell Mara']
    """
    parts = compiled(STEP).split(text)
    return [part.strip(" ;,.") for part in parts[1:] if part.strip(" ;,.")] if len(parts) > 2 else ()
