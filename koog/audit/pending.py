"""What waits in memory/meta/pending-memories.md, read and judged.  [moltbot §13.3, §13.4, §13.6]

eligible   may go to the stores by itself: of high confidence, from an agent that the operator's file trusts, written
           by koog for that agent, in conflict with nothing, no instruction
needs a person's word   what is shaped like an instruction, what was held back for that, and all in manual mode
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from koog.core import proposal_conflicts as conflicts
from koog.core import proposal_form as form
from koog.core import proposals
from koog.core.errors import NotFound
from koog.core.proposal_form import DEFERRED, HIGH, Entry
from koog.core.text import commanding, slots, trust, weigher
from koog.core.text.voices import AGENT, NOTE, TALK, USER
from koog.memory import matching
from koog.memory.store import ids
from koog.memory.store.memories import CORE as CORE_STORE
from koog.memory.store.memories import PROCEDURAL

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.proposal_conflicts import Compared
    from koog.core.proposals import Settled
    from koog.core.run import Run
    from koog.memory.store.memories import Memory

RULE = "rule"  # a type of statements
AUTO, BATCH, MANUAL = "auto", "batch", "manual"  # memory.reviewMode
COMPARED = 20  # memories that share most words with a proposal
SHOWN_CHARS = 300  # of a content in a list


def look(run: Run) -> Settled:
    """Return the file as it will be the next time koog writes it: each proposal has the number that it then has."""
    text = run.workspace.text(path(run)) or ""
    return proposals.settled(text, proposals.noted(run.state_root))


def path(run: Run) -> str:
    return run.workspace.in_memory(proposals.NAME)


def vanished(run: Run, settled: Settled) -> list[int]:
    """Return the numbers of those that waited when koog last wrote the file, and do not any more."""
    there = {each.number for each in settled.entries if each.is_waiting}
    return sorted((proposals.noted(run.state_root).waiting or frozenset()) - there)


def waiting(run: Run) -> list[Entry]:
    """Return the proposals that wait for somebody's word."""
    return [entry for entry in look(run).entries if entry.is_waiting]


def one(settled: Settled, number: int) -> Entry:
    """Return a proposal that waits. Raises NotFound."""
    found = next((e for e in settled.entries if e.number == number and e.is_waiting), None)
    if found is None:
        raise NotFound(f"no proposal #{number} waits", hint="koog review list")
    return found


def opposed(run: Run, content: str, entities: Sequence[str]) -> list[Memory]:
    """Return the memories that cannot hold beside a content: another value, or the contrary."""
    told = conflicts.compared(content, entities)
    words = told.text[: conflicts.COMPARED_CHARS]
    alike = matching.like(run, words, everywhere=True)[:COMPARED]
    found = [each for each in alike if conflicts.differ(_compared(each), told)]
    near = matching.about(run, f"{told.of}: {words}" if told.of else words)  # "Ana moved to Braga" and "Lives in Porto"
    found += [each for each in near if slots.are_apart(each.text, words, of=(_compared(each).of, told.of))]
    return list({each.id: each for each in found}.values())


def rivals(run: Run, settled: Settled, entry: Entry) -> list[str]:
    """Return what a proposal cannot stand beside: `#4`, the id of a memory.

    The others that wait are compared anew: who can write the file can take the marks away.
    """
    own = conflicts.compared(entry.content, entry.entities)
    others = [e for e in settled.entries if e.is_waiting and e.number != entry.number]
    found = [
        f"#{each.number}"
        for each in others
        if f"#{each.number}" in entry.others
        or conflicts.differ(*_in_order(entry, own, each, conflicts.compared(each.content, each.entities)))
    ]
    return [*found, *(each.id for each in opposed(run, entry.content, entry.entities))]


def _in_order(entry: Entry, own: Compared, each: Entry, other: Compared) -> tuple[Compared, Compared]:
    return (other, own) if (each.number or 0) < (entry.number or 0) else (own, other)


def _compared(memory: Memory) -> Compared:
    named = [ids.parse(memory.id).entity] if memory.id.startswith(f"{ids.FACT}:") else []
    return conflicts.compared(memory.text, named)


def shapes(entry: Entry, store: str) -> str:
    """Return why a person has to say yes to it, "" where nobody has to: by its words, not by the mode."""
    if entry.author == proposals.OWN:
        return "held back: shaped like an instruction"
    kind = trust.PATTERN if store in (CORE_STORE, PROCEDURAL) or entry.is_core_worthy else "fact"
    told = (entry.content, *entry.entities)
    if any(trust.verdict(each, AGENT, register=NOTE, kind=kind) != trust.TAKEN for each in told):
        return "reads like an order to whoever reads it"
    is_order = trust.steers(entry.content) or commanding.is_command(entry.content)
    return "shaped like an instruction" if is_order else ""


def needs_word(run: Run, entry: Entry, store: str) -> str:
    """Return why a person has to say yes, "" where nobody has to."""
    by_mode = "memory.reviewMode is manual" if run.settings.get("memory.reviewMode") == MANUAL else ""
    return shapes(entry, store) or by_mode


def is_by_hand(entry: Entry, made: Mapping[str, str]) -> bool:
    """Return whether it is not as koog wrote it for the agent that it names: who did is not known."""
    return made.get(str(entry.number)) != proposals.digest(entry, entry.store)


def hindrance(run: Run, settled: Settled, entry: Entry, made: Mapping[str, str]) -> str:
    """Return why a proposal does not go to the stores by itself, "" for one that does."""
    if told := needs_word(run, entry, entry.store):
        return told
    if _is_rule(entry.content):
        return "reads like a rule: whether it is the person's is nobody else's to say"
    if entry.status == DEFERRED:
        return "deferred"
    if entry.others:
        return f"conflict with {', '.join(entry.others)}"
    if entry.author not in run.settings.get("memory.trustedAgents"):
        return f"{entry.author or 'nobody'} is not in memory.trustedAgents"
    if entry.confidence != HIGH:
        return f"confidence {entry.confidence}"
    if is_by_hand(entry, made):
        return "not as koog wrote it for that agent"
    found = rivals(run, settled, entry)
    return f"conflict with {', '.join(found)}" if found else ""


def _is_rule(content: str) -> bool:
    """Return whether a line of it would be a rule, had the person said it, in whichever language."""
    said = [each for each in content.split("\n") if each.strip()]
    return any(weigher.weigh(each, register=r, role=USER).type == RULE for each in said for r in (NOTE, TALK))


def row(run: Run, entry: Entry, *, whole: bool = False) -> dict[str, Any]:
    """Return a proposal as replies have it."""
    made = proposals.made_here(run.state_root) if run.state_root else None
    content = entry.content
    return {
        "id": entry.number,
        "from": entry.author,
        "ts": entry.value(form.TIMESTAMP) or None,
        "trigger": entry.value(form.TRIGGER) or None,
        "store": entry.store or None,
        "content": content if whole or len(content) <= SHOWN_CHARS else content[: SHOWN_CHARS - 1] + "…",
        "entities": list(entry.entities),
        "confidence": entry.confidence,
        "coreWorthy": entry.is_core_worthy,
        "status": entry.status,
        "conflicts": [int(each[1:]) for each in entry.others if each[1:].isdecimal()],
        "against": [each for each in entry.others if not each.startswith("#")],
        "needsWord": needs_word(run, entry, entry.store) or None,
        "byHand": is_by_hand(entry, made) if made is not None and entry.author != proposals.OWN else None,
    }


def name(door: Door, action: str, summary: str) -> None:
    """Give what a door has staged an action of moltbot §13.7, but for what is kept beside it."""
    meta = door.workspace.in_memory("meta/")
    for staged in door.staged:
        path = staged.change.path
        if not path.startswith(meta) or path.endswith(proposals.NAME):
            staged.change = staged.change._replace(action=action, summary=summary)
