"""memory/meta/pending-memories.md: what waits for a person's or the main agent's word.  [moltbot §13]

Agents propose here what they may not write themselves. The heartbeat and the observer put here what is shaped like an
instruction: a note or a tool's output may hold the words of a web page, and a page must not be able to write the
agent's rules.

    <!-- koog: 17 proposals so far, waiting: #3 #17 -->

says which numbers are taken for good: of a committed or rejected one no later proposal has the number. Where the
comment is lost with the file, or an older file comes back, the same is known from the state root (proposals.json).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core import proposal_conflicts as conflicts
from koog.core import proposal_form as form
from koog.core.files.door import Door
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.proposal_form import Draft, Entry

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot

NAME = "meta/pending-memories.md"
STATE, LOCK = "proposals", "proposals.lock"  # in the state root
HEADER = "# Pending Memory Proposals\n\n<!-- Sub-agents append proposals here. Main agent reviews and commits. -->\n"
OWN = "koog"  # who proposes what the heartbeat and the observer have held back
LEDGER = r"<!-- koog: (\d{1,9}) proposals so far, waiting:((?: #\d{1,9})*) -->"
LEAP = (
    100_000  # numbers at once: so many proposals nobody has made between two looks, and a file that says so is forged
)


@dataclass(frozen=True)
class Proposal:
    """One text that was held back and where it was found (`file:line`)."""

    content: str
    source: str | None = None


class Ledger(NamedTuple):
    """Which numbers are taken.

    waiting   those that still stand in the file; None where nobody has noted that
    made      number and digest of those that koog itself wrote for whom they are from
    """

    highest: int = 0
    waiting: frozenset[int] | None = None
    made: frozenset[tuple[int | None, str]] = frozenset()


class Settled(NamedTuple):
    """A file whose proposals have each a number of their own, and their conflicts marked on both sides."""

    text: str
    entries: list[Entry]
    ledger: Ledger


NONE = Ledger()


def stage(door: Door, proposals: Sequence[Proposal], *, command: str, when: datetime) -> None:
    """Stage new proposals, numbered under the lock, so that two writers never take one number. Repeats are left out."""
    if proposals:
        path = door.workspace.in_memory(NAME)
        known = noted(door.workspace.state_root)
        summary = f"{len(proposals)} instruction-shaped finding(s) for review"
        door.edit(path, lambda text: added(text, proposals, command=command, when=when, known=known), summary=summary)


def added(text: str, proposals: Sequence[Proposal], *, command: str, when: datetime, known: Ledger = NONE) -> str:
    """Return the file with what was held back and does not stand there yet."""
    drafts = []
    for each in proposals:
        trigger = f"koog {command}: shaped like an instruction" + (f", found at {each.source}" if each.source else "")
        drafts.append(Draft(form.key(each.content), OWN, clock.iso(when), trigger, "procedural", confidence=form.LOW))
    return with_drafts(text, drafts, known=known)[0]


def with_drafts(
    text: str,
    drafts: Sequence[Draft],
    *,
    known: Ledger = NONE,
    against: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, list[tuple[int, bool]]]:
    """Return the file with some more proposals; of each its number and whether it is new.

    against   content → ids of the memories that it does not go with
    """
    text, entries, ledger = settled(text or HEADER, known)
    standing = {(e.author, form.key(e.content)): e.number or 0 for e in entries if e.is_waiting}
    given: list[tuple[int, bool]] = []
    for draft in drafts:
        same = (form.key(draft.author), form.key(form.tidy(draft.content)))
        if same not in standing:
            standing[same] = ledger.highest + 1
            ledger = Ledger(ledger.highest + 1, (ledger.waiting or frozenset()) | {ledger.highest + 1})
            text = text.rstrip("\n") + "\n\n" + form.block(ledger.highest, draft)
            given.append((ledger.highest, True))
        else:
            given.append((standing[same], False))
    if not any(is_new for _, is_new in given):
        return text, given
    marks = {n: against.get(d.content, ()) for d, (n, is_new) in zip(drafts, given, strict=True) if against and is_new}
    return settled(text, known, against=marks).text, given


def settled(text: str, known: Ledger = NONE, *, against: Mapping[int, Sequence[str]] | None = None) -> Settled:
    """Return the file with a number for each proposal that has none, or a taken one, and with conflicts marked.

    known     what the state root says of the numbers
    against   number → ids of memories that it does not go with, where that was looked at anew

    A proposal is compared with the others when it gets its number: later its marks say what was found.
    """
    entries = form.read(text)
    found = ledger_of(text)
    if found and found.highest > known.highest + LEAP:
        found = None
    is_noted = found is not None
    ledger = found or known
    given = _numbers(entries, ledger, known, is_noted=is_noted)
    highest = max(ledger.highest, known.highest, *given, 0)
    pairs = conflicts.found(entries, given, known=ledger.waiting or frozenset())
    rows = text.split("\n")
    for entry, number in sorted(zip(entries, given, strict=True), key=lambda pair: -pair[0].start):
        kept = [each for each in entry.others if not each.startswith("#")]
        told = list(against[number]) if against and number in against else kept
        others = [*(f"#{n}" for n in sorted(pairs.get(number, ()))), *told] if entry.is_waiting else []
        _mark(rows, entry, number, others)
    made = _with_ledger("\n".join(rows), Ledger(highest, frozenset(given))) if entries or is_noted else text
    return Settled(made, form.read(made), Ledger(highest, frozenset(given)))


def _numbers(entries: Sequence[Entry], ledger: Ledger, known: Ledger, *, is_noted: bool) -> list[int]:
    """Return a number of its own for each proposal. Of two with one number that koog wrote keeps it, else the first.

    ledger   what the file says, which any hand may have written, or what the state root does: known
    """
    highest = max(ledger.highest, known.highest)
    if not is_noted and ledger.waiting is None:  # nobody has counted yet: the numbers hold as they stand
        highest = max(highest, *(number for number in form.numbers(entries) if number <= LEAP), 0)
    own = {each.number for each in entries if _is_as_written(each, known)}
    taken: set[int] = set()
    given: list[int] = []
    for entry in entries:
        number = entry.number or 0
        is_known = ledger.waiting is None or number in ledger.waiting
        is_known = is_known and (known.waiting is None or number > known.highest or number in known.waiting)
        is_anothers = number in own and not _is_as_written(entry, known)
        if (
            not number
            or number in taken
            or is_anothers
            or not (number == highest + 1 or (number <= highest and is_known))
        ):
            number = highest + 1
        highest = max(highest, number)
        taken.add(number)
        given.append(number)
    return given


def _is_as_written(entry: Entry, known: Ledger) -> bool:
    return (entry.number, digest(entry, entry.store)) in known.made if known.made else False


def _mark(rows: list[str], entry: Entry, number: int, others: Sequence[str]) -> None:
    """Write an entry's number and conflicts into its rows; one that is as it should be keeps every byte."""
    if others or entry.others or (entry.is_waiting and entry.status == form.CONFLICT):
        told = form.status_row(entry, others)
        begin, end = entry.rows.get(form.STATUS.lower(), (entry.end, entry.end))
        if entry.value(form.STATUS) != told.partition(": ")[2]:
            rows[begin:end] = [told]
    rows[entry.head] = form.heading(entry, rows[entry.head], number, others)


def with_status(text: str, number: int, status: str) -> str:
    """Return a file in which one proposal has this status."""
    entry = next((e for e in form.read(text) if e.number == number), None)
    if entry is None:
        return text
    rows = text.split("\n")
    begin, end = entry.rows.get(form.STATUS.lower(), (entry.end, entry.end))
    values = {**entry.values, form.STATUS.lower(): status}
    rows[begin:end] = [form.status_row(replace(entry, values=values), entry.others)]
    return "\n".join(rows)


# --- which numbers are taken


def ledger_of(text: str) -> Ledger | None:
    """Return what a file says of its numbers, None where it says nothing."""
    found = compiled(LEDGER).search(text)
    if not found:
        return None
    return Ledger(int(found[1]), frozenset(int(each[1:]) for each in found[2].split()))


def _with_ledger(text: str, ledger: Ledger) -> str:
    waiting = "".join(f" #{n}" for n in sorted(ledger.waiting or ()))
    told = f"<!-- koog: {ledger.highest} proposals so far, waiting:{waiting} -->"
    if compiled(LEDGER).search(text):
        return compiled(LEDGER).sub(lambda _: told, text, count=1)
    if text.startswith(HEADER):
        return f"{HEADER}{told}\n{text.removeprefix(HEADER)}"
    entries = form.read(text)
    rows = text.split("\n")
    at = entries[0].start if entries else len(rows) - 1
    rows[at:at] = [told, ""]
    return "\n".join(rows)


def noted(state_root: StateRoot | None) -> Ledger:
    """Return what the state root says of the numbers, nothing for a koog that sees none. Raises WorkspaceError."""
    value = state_root.get(STATE) if state_root else None
    if not isinstance(value, dict) or not isinstance(value.get("highest"), int):
        return NONE
    waiting = value.get("waiting")
    numbers = frozenset(n for n in waiting if isinstance(n, int)) if isinstance(waiting, list) else None
    made = frozenset((int(n), d) for n, d in made_here(state_root).items() if n.isdecimal())
    return Ledger(value["highest"], numbers, made)


def made_here(state_root: StateRoot | None) -> dict[str, str]:
    """Return number → digest of the proposals that koog itself wrote for whom they are from."""
    value = state_root.get(STATE) if state_root else None
    made = value.get("made") if isinstance(value, dict) else None
    return {str(k): str(v) for k, v in made.items()} if isinstance(made, dict) else {}


def note(
    state_root: StateRoot | None, text: str, *, made: Mapping[int, str] | None = None, apart: int | None = None
) -> None:
    """Keep in the state root which numbers a file has, and which proposals koog has just written into it.

    apart   the number of one that somebody has put off: it goes to no store by itself, whatever the file says later
    """
    ledger = ledger_of(text)
    if state_root is None or ledger is None:
        return
    with state_root.locked(LOCK):
        highest = max(ledger.highest, noted(state_root).highest)
        waiting = sorted(ledger.waiting or ())
        known = {**made_here(state_root), **{str(n): d for n, d in (made or {}).items()}}
        kept = {n: d for n, d in known.items() if int(n) in waiting and int(n) != apart}
        state_root.put(STATE, {"highest": highest, "waiting": waiting, "made": kept})


def told(entries: Sequence[Entry]) -> str:
    """Return in one line what waits for somebody's word, "" for nothing.

    >>> told(settled("## Proposal #1\\n- **Content**: a\\n").entries)
    '1 proposal waits for review: koog review list'
    """
    waits = [each for each in entries if each.is_waiting]
    if not waits:
        return ""
    apart = sum(bool(each.others) for each in waits)
    many = "1 proposal waits" if len(waits) == 1 else f"{len(waits)} proposals wait"
    return f"{many} for review{f' ({apart} in conflict)' if apart else ''}: koog review list"


# --- a person's word for one


def word_id(number: int) -> str:
    """Return what a person says to approve a proposal: `approve proposal-3`."""
    return f"proposal-{number}"


def digest(entry: Entry, store: str) -> str:
    """Return the digest of all that is approved: what, whose, and where it goes."""
    from koog.core import approval

    told = (entry.author, entry.content, store, ",".join(entry.entities), str(entry.is_core_worthy), entry.confidence)
    return approval.digest("proposal", *told)
