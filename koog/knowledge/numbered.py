"""Steps that a person numbers, in one line or in rows, as one statement: each of them alone says too little.

    To release:              →  To release: 1. tag the commit 2. run make ship
    1. tag the commit
    2. run make ship

Pure.  [autopoiesis §8.3 "procedures"]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.statement import Statement
from koog.core.text.voices import PERSON
from koog.sessions.turn import Turn

ROW = r"\s*(?P<number>\d{1,2})[.)]\s+(?P<step>\S.*)"
INSIDE = r"(?:^|[\s:：])\(?(\d{1,2})[.)]\s"
LEAD_CHARS = 160


class Steps(NamedTuple):
    """Numbered rows of a turn: their first and last row, that of what leads in among them, and their words."""

    first: int
    last: int
    text: str


def joined(said: Sequence[Statement], turns: Sequence[Turn]) -> list[Statement]:
    """Return statements with those that are numbered steps joined. A statement's turn counts from 1."""
    found = _in_lines(said)
    for number, turn in enumerate(turns, 1):
        for steps in _in_rows(turn.text):
            found = _in_place(found, steps, number)
    return found


def _in_place(said: Sequence[Statement], steps: Steps, turn: int) -> list[Statement]:
    """Return statements with one for some rows in the place of those that stand in them: all have to be his own."""
    there = [e for e in said if e.turn == turn and steps.first <= e.line <= steps.last]
    if not there or any(each.trust != PERSON for each in there):
        return list(said)
    whole = replace(there[0], text=steps.text, line=steps.first)
    gone = {id(each) for each in there[1:]}
    return [whole if each is there[0] else each for each in said if id(each) not in gone]


def _in_rows(text: str) -> Iterable[Steps]:
    """Yield the runs of rows that are numbered from 1, each with the row that leads in."""
    rows = text.split("\n")
    at = 0
    while at < len(rows):
        steps = list[str]()
        while (row := _row(rows, at + len(steps))) and int(row[0]) == len(steps) + 1:
            steps.append(row[1])
        if len(steps) > 1:
            lead = rows[at - 1].strip() if at else ""
            has_lead = bool(lead) and len(lead) <= LEAD_CHARS
            listed = " ".join(f"{n}. {step}" for n, step in enumerate(steps, 1))
            yield Steps(at + (not has_lead), at + len(steps), f"{lead} {listed}" if has_lead else listed)
        at += max(1, len(steps))


def _row(rows: Sequence[str], at: int) -> tuple[str, str] | None:
    found = compiled(ROW).fullmatch(rows[at]) if at < len(rows) else None
    return (found["number"], found["step"].strip()) if found else None


def _in_lines(said: Sequence[Statement]) -> list[Statement]:
    """Return statements with a sentence that begins with the next number joined to the one before it."""
    found = list[Statement]()
    for each in said:
        last = found[-1] if found else None
        if last and last.turn == each.turn and last.trust == each.trust == PERSON and _goes_on(last.text, each.text):
            found[-1] = replace(last, text=f"{last.text} {each.text}")
        else:
            found.append(each)
    return found


def _goes_on(before: str, text: str) -> bool:
    begins, numbers = compiled(INSIDE).match(text), compiled(INSIDE).findall(before)
    return begins is not None and bool(numbers) and int(begins[1]) == int(numbers[-1]) + 1
