"""memory/meta/evolution.md: what has changed in how the user is understood, over all reflections.  [moltbot §10.4]

    # Evolution

    ## Active Threads
    - project--atlas: 3 reflections, r-001 to r-005
    ## Quiet Threads
    ## Revised Assumptions
    - r-004: “Uses Redis” became “Uses Postgres”
    ## Insights
    - r-005: Alex chooses "both/and" over "either/or"
    ## Milestones
    - Reflection #10, 2026-02-12 — First evolution summary: …

A thread is what several reflections learned about. It is written when a reflection is approved, and only then. What a
person writes between stays. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from koog.consolidate import plan_rows, reflection_log
from koog.consolidate.plan import REPLACE, Operation, Plan, number, session
from koog.consolidate.summary import INSIGHTS, LEARNING, THEME, UNDERSTANDING
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.store import line as lines
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections
from koog.sessions.labels import NONE

NAME = "meta/evolution.md"  # in the memory folder
NEW = "# Evolution\n\n<!-- Long-term evolution of understanding. Written when a reflection is approved. -->\n"
THREADS, QUIET, REVISED, INSIGHT, MILESTONES = ORDER = (
    "Active Threads",
    "Quiet Threads",
    "Revised Assumptions",
    "Insights",
    "Milestones",
)
THREAD = r"(\S+): (\d+) reflections?, (r-\d+)(?: to (r-\d+))?"
LEAST = 2  # reflections that learned about a thing, for a thread
QUIET_AFTER = 10  # reflections
MILESTONE = {
    10: "First evolution summary",
    25: "Threads consolidated",
    50: "Major synthesis",
    100: "Deep retrospective",
}
SHOWN = 5  # threads of a summary
MOST_REVISED, SHOWN_CHARS = 10, 160


class Thread(NamedTuple):
    """What several reflections learned about: how many, the first and the last of them."""

    about: str
    times: int
    first: str
    last: str

    @property
    def told(self) -> str:
        until = f" to {self.last}" if self.last != self.first else ""
        return f"{self.about}: {self.times} {'reflection' if self.times == 1 else 'reflections'}, {self.first}{until}"


def threads(text: str, *titles: str) -> list[Thread]:
    """Return the threads of a file; by default those that are active."""
    found = []
    for title in titles or (THREADS,):
        for item in Sections(text, NAME).items(title):
            if seen := compiled(THREAD).match(item.text):
                found.append(Thread(seen[1], int(seen[2]), seen[3], seen[4] or seen[3]))
    return found


def updated(text: str, plan: Plan, applied: Sequence[Operation], log: str, day: str) -> str:
    """Return the file after a reflection was approved. log: reflection-log.md with its entry"""
    text = _with_threads(text or NEW, log)
    for op in applied:
        if op.kind == REPLACE or (op.kind == "core" and op.before and op.after):
            told = f"“{_short(op.before or '')}” became “{_short(plan_rows.shown(op.after or ''))}”"
            text = _added(text, REVISED, Line(f"{plan.id}: {told}", op.label).raw)
    for title in INSIGHTS if plan.engine != "builtin" else (UNDERSTANDING, THEME):  # the rest is a count of the log
        if said := plan.insights.get(title):
            text = _added(text, INSIGHT, f"{plan.id}: {title}: {' '.join(said.split())}")
    for at, name in MILESTONE.items():
        is_there = any(item.text.startswith(f"Reflection #{at},") for item in Sections(text, NAME).items(MILESTONES))
        if plan.number >= at and not is_there:
            if at == 25:
                text = _consolidated(text, plan.number)
            text = _added(text, MILESTONES, f"Reflection #{at}, {day} — {name}: {_milestone(text, log)}")
    return text


def own(text: str) -> str:
    """Return the file without the rows of what was said elsewhere: a model sees it for every project's lines."""
    return "\n".join(row for row in text.split("\n") if lines.read(row.removeprefix("- ")).label == NONE)


def _with_threads(text: str, log: str) -> str:
    """Return the file with the threads as the log has them; those that are quiet stay so until they are spoken of."""
    quiet = {each.about: each for each in threads(text, QUIET)}
    made = []
    for each in of_log(log):
        if each.about in quiet and quiet[each.about].last == each.last:
            continue
        quiet.pop(each.about, None)
        made.append(each)
    return _put(_put(text, THREADS, made), QUIET, list(quiet.values()))


def of_log(log: str) -> list[Thread]:
    """Return what several reflections learned about, the most often first; what was taken back was not learned."""
    seen: dict[str, list[str]] = {}
    for each in reflection_log.read(log):
        if each.outcome == reflection_log.WITHDRAWN:
            seen = {about: [id_ for id_ in told if id_ != each.id] for about, told in seen.items()}
        for about in each.about:
            if each.id not in seen.setdefault(about, []):
                seen[about].append(each.id)
    found = [
        Thread(about, len(told), min(told, key=number), max(told, key=number))
        for about, told in seen.items()
        if len(told) >= LEAST
    ]
    return sorted(found, key=lambda t: (-t.times, t.about))


def _put(text: str, title: str, made: Sequence[Thread]) -> str:
    """Return the file with these threads under a title; rows of a person's own stay."""
    for item in reversed(list(Sections(text, NAME).items(title))):
        if compiled(THREAD).fullmatch(item.text):
            text = Sections(text, NAME).without(item)
    for each in made:
        text = Sections(text, NAME).with_item(title, each.told, order=ORDER)
    return text


def _added(text: str, title: str, row: str) -> str:
    found = Sections(text, NAME)
    if any(item.text == row for item in found.items(title)):
        return text
    return found.with_item(title, row, order=ORDER)


def _consolidated(text: str, at: int) -> str:
    """Return the file with the threads of which nothing was learned for long among the quiet ones."""
    old = session(max(at - QUIET_AFTER, 0))
    active, quiet = threads(text), threads(text, QUIET)
    gone = [each for each in active if number(each.last) < number(old)]
    return _put(_put(text, THREADS, [each for each in active if each not in gone]), QUIET, [*quiet, *gone])


def _milestone(text: str, log: str) -> str:
    """Return what a milestone says: what came back most, what was revised, what became of the reflections."""
    outcome = Counter(each.outcome for each in reflection_log.read(log))
    told = ", ".join(f"{n} {name}" for name, n in sorted(outcome.items()))
    top = ", ".join(each.about for each in threads(text)[:SHOWN]) or "nothing yet"
    revised = len(list(Sections(text, NAME).items(REVISED)))
    return f"{told}; most came back to {top}; {revised} assumptions revised"


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_CHARS else f"{text[: SHOWN_CHARS - 1]}…"


def noticed(log: str, operations: Sequence[Operation]) -> dict[str, str]:
    """Return what the built-in engine says of the reflections so far, heading by heading; nothing where nothing is new.

    It counts, and concludes nothing.
    """
    past = reflection_log.read(log)
    if not past:
        return {}
    outcome = Counter(each.outcome for each in past)
    many, refused = len({e.id for e in past}), dict.fromkeys(why for e in past[::-1] for why in e.refused)
    told = {LEARNING: f"So far {many} reflection{'s'[: many > 1]}: {_counted(outcome)}."}
    if refused:
        told[LEARNING] += " Refused because: " + "; ".join(f"“{why}”" for why in list(refused)[:SHOWN]) + "."
    revised = [op for op in operations if op.kind == REPLACE]
    if revised:
        told[UNDERSTANDING] = f"{len(revised)} of tonight's proposals put right what was understood before."
    again = {each.about: each for each in of_log(log)}
    tonight = [again[name] for name in reflection_log.subjects(operations) if name in again]
    if tonight:
        best = max(tonight, key=lambda t: (t.times, t.about))
        told[THEME] = f"{best.about} comes back: {best.told.partition(': ')[2]}, and tonight again."
    return told


def _counted(outcome: Counter[str]) -> str:
    return ", ".join(f"{n} {name}" for name, n in sorted(outcome.items()))
