"""What no operation may do, whichever engine proposes it.  [moltbot §10.2 to §10.4; design §5]

1. It lies in a store, in the file of what it is about; nothing else of the workspace is touched.
2. It rests on memories that are there; what it says, they say: no number and no name of its own.
3. It brings nothing together that was said in two places, and MEMORY.md holds what is the workspace's own alone.
4. It gives nobody orders, has no secret in it, and says nothing that was forgotten.
5. What is pinned, was used in the last thirty days, or is newer than what holds, is not archived; nor does what harms somebody give way.
6. It could be applied at once, by itself and beside all others of its night; whatever is approved, MEMORY.md keeps its cap.
"""  # noqa: E501  one law a line

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from koog.consolidate import forms, overtaken, plan_rows
from koog.consolidate.plan import ARCHIVE, CORE, FACT, OPPOSE, PROCEDURE, RELATION, REPLACE, Operation
from koog.consolidate.survey import UNUSED_DAYS, Survey
from koog.core import forgotten
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import kinds, trust
from koog.core.text.says import says
from koog.core.text.voices import AGENT, NOTE
from koog.memory.fading import relevance
from koog.memory.store import line as lines
from koog.memory.store import procedures
from koog.memory.store.memories import CORE as CORE_STORE
from koog.memory.store.memories import VAULT
from koog.sessions.labels import NONE

if TYPE_CHECKING:
    from koog.core.run import Run

MOST_CHARS = 600  # of one line
OF_HEALTH = "it is of somebody's health: only his own word takes it back"
ORDER = "it reads like an order to whoever reads it"
MARKS = "#>*+-=~`| "  # with which a line begins that is more than a sentence
PROCEDURE_CHARS = 6000
MAY_GO = (relevance.DORMANT, relevance.ARCHIVED)


class Refused(NamedTuple):
    """An operation that is not proposed, and why."""

    op: Operation
    why: str


def check(op: Operation, survey: Survey, memory: Callable[[str], str], *, is_grounded: bool) -> str:
    """Return why an operation must not be proposed or applied, "" where nothing is wrong with it by itself.

    is_grounded   its words were taken from its sources as they stand: no need to compare them
    """
    found = forms.problem(op, memory) or _sources(op, survey)
    if found:
        return found
    if op.kind == ARCHIVE:
        return next(filter(None, (_archived(id_, survey) for id_ in op.sources)), "")
    if op.kind in (REPLACE, OPPOSE) and not (op.kind == OPPOSE and op.name) and op.target not in survey.facts:
        return f"there is no {op.target}"
    if op.kind == CORE and op.before is not None and op.target not in survey.core_lines:
        return f"there is no {op.target}"
    if op.kind in (REPLACE, CORE) and kinds.is_of_health(op.before or ""):
        return OF_HEALTH
    return _labels(op, survey) or _words(op, survey, is_grounded=is_grounded)


def sentence(run: Run, text: str) -> str:
    """Return what a model says beside its operations, as it may be told: one line, and no heading; "" for an order.

    A secret in it is left out, and so is all of it where it says what was forgotten.
    """
    said = lines.words(text).lstrip(MARKS)
    is_fair = trust.verdict(said, AGENT, register=NOTE, kind="fact") == trust.TAKEN and not trust.steers(said)
    return said if is_fair and not forgotten.of(run.workspace).holds(said) else ""


def _sources(op: Operation, survey: Survey) -> str:
    if op.proposal is not None:
        return "" if any(each.number == op.proposal for each in survey.proposals) else f"#{op.proposal} waits no more"
    if not op.sources:
        return "it names no source"
    for each in op.sources:
        if each not in survey.every and each not in survey.memories:
            return f"there is no {each[:80]}"
        if forgotten.hides(survey.hidden, each):
            return "it rests on what was forgotten"
    return ""


def _archived(id_: str, survey: Survey) -> str:
    memory, entry = survey.memories.get(id_), survey.scores.get(id_)
    if memory is None or entry is None or memory.store in (VAULT, CORE_STORE):
        return f"{id_[:80]} is nothing that is archived"
    if entry["pinned"]:
        return f"{id_} is pinned"
    if kinds.is_of_health(memory.text):
        return OF_HEALTH
    if id_ in overtaken.by(survey):
        return f"{id_} is newer than a line that holds"
    days = survey.unused_days(id_)
    if days is None or days < UNUSED_DAYS:
        return f"{id_} was used {days} days ago"
    if entry["current_score"] == relevance.FORGOTTEN:
        return f"{id_} is archived already"
    return "" if entry["status"] in MAY_GO else f"{id_} is {entry['status']}: nothing says that it can go"


def _labels(op: Operation, survey: Survey) -> str:
    """Return whether it mixes places: what it says is of where its sources are of."""
    found = {survey.every[each].label for each in op.sources if each in survey.every}
    if op.kind == REPLACE and op.after is None:
        return "" if len(found) < 2 else "it brings together what was said in different places"
    if op.target in survey.facts:
        found.add(survey.facts[op.target].label)
    if len(found) > 1 or (found and found != {op.label}):
        return "it brings together what was said in different places"
    return "MEMORY.md is the workspace's own" if op.kind == CORE and op.label != NONE else ""


def _words(op: Operation, survey: Survey, *, is_grounded: bool) -> str:
    if op.after is None:
        return ""
    rows = op.after.split("\n")
    is_whole = op.kind == PROCEDURE
    if len(op.after) > (PROCEDURE_CHARS if is_whole else MOST_CHARS + 400) or (len(rows) > 1 and not is_whole):
        return "it is too long for one line"
    said = [plan_rows.line(row).text for row in rows]
    if any(lines.words(text) != " ".join(text.split()) for text in said if text and not text.startswith("#")):
        return "it has a secret or something hidden in it"
    kind = trust.PATTERN if op.kind in (CORE, PROCEDURE) else "fact"
    if any(trust.verdict(text, AGENT, register=NOTE, kind=kind) != trust.TAKEN for text in said if text):
        return ORDER
    if forgotten.of(survey.run.workspace).holds("\n".join(said)):
        return "it says what was forgotten"
    if is_grounded or op.proposal is not None or op.kind == RELATION:
        return ""
    own = [procedures.called_for(op.after, op.file), *procedures.steps(op.after, op.file)] if is_whole else said
    return next(filter(None, (_own(text, op, survey) for text in own)), "")


def _own(text: str, op: Operation, survey: Survey) -> str:
    """Return what a line says that none of its sources says: a number, a name, a word that nobody used."""
    told = [survey.every[each].text for each in op.sources if each in survey.every]
    told += [survey.memories[each].text for each in op.sources if each in survey.memories]
    low, theirs, new = " ".join(told).casefold(), [says(each) for each in told], says(text)
    if own := sorted(new.numbers.keys() - set().union(*(each.numbers.keys() for each in theirs))):
        return f"{own[0]!r} is in none of its sources"
    names = [name for name in new.names | new.maybe if name.partition("'")[0] not in low]
    if op.target in survey.entities:  # what is known by this name may be called by it
        names = [name for name in names if name not in op.name.casefold()]
    elif op.kind == FACT:
        names += [word for word in compiled(r"\w+").findall(op.name.casefold()) if word not in low]
    if names:
        return f"{sorted(names)[0]!r} is in none of its sources"
    shared = new.ideas & frozenset[str]().union(*(each.ideas for each in theirs))
    return "" if not new.ideas or len(shared) * 2 >= len(new.ideas) else "its sources say something else"
