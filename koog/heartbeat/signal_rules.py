"""The built-in answer to `signal`: what the summary itself says, counted  [sinain §4.3].

Four detectors read the summary clause by clause: errors that came back, a user in a
loop, a next step left open, a topic that is new here. Each counts its evidence, and the
count is the confidence (`CONFIDENCE`); the strongest detector names the action, always
in the summary's own words. What a clause denies or reports as mended does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from koog.core.clip import clip
from koog.core.named import NamedTuple
from koog.core.text import dates
from koog.core.text.measures import jaccard, stems
from koog.heartbeat import signal_cues as cues
from koog.heartbeat.synthesize_cues import PROMISE, UNITS
from koog.heartbeat.troubles import clauses, count_of, is_mend, remedy, same, troubles
from koog.playbook.texts import RUNTIMES, log_sentences

# Confidence by number of sightings: 1, 2, 3, 4 or more. From 0.5 on `signal` acts (design §5), so one
# sighting of an error or a topic is a signal but no action, while a step that the user named is one.
CONFIDENCE = {
    "error": (0.3, 0.7, 0.8, 0.9),  # a sighting: each clause, each "again", each recent log; a playbook line
    "stuck": (0.5, 0.65, 0.75, 0.85),  # each cue: "stuck", "tried … again", "still failing", a tick without progress
    "step": (0.6, 0.75, 0.8, 0.8),  # each cue on the same step: named, and due today or tomorrow
    "topic": (0.3, 0.5, 0.6, 0.7),  # each mention; put to use +1, explored on purpose +2
}
ACT_FROM = 0.5
TASK_CHARS = 200
MAX_SIGNALS = 8
STUDIED = 1  # what a mention weighs that somebody asks or reads about
CALENDAR = frozenset((*dates.WEEKDAYS, *dates.MONTHS, *dates.NEAR))
SAME_TICK = 0.7  # Jaccard of two summaries: above it they differ by a word or two, which is no progress in any case


@dataclass(frozen=True)
class SignalInput:
    playbook: str
    recent_logs: tuple[dict[str, Any], ...]  # the last 3, newest first
    session_summary: str


class Signal(TypedDict):
    description: str
    priority: str  # high | medium | low


class Action(TypedDict):
    action: str  # sessions_spawn | telegram_tip | skip
    task: str | None
    confidence: float


class SignalAnswer(TypedDict):
    signals: list[Signal]
    recommendedAction: Action


class Finding(NamedTuple):
    """A signal with what it would have the agent do."""

    signal: Signal
    action: Action
    place: int


def answer(given: SignalInput) -> SignalAnswer:
    """Return the signals by priority, then by place in the summary, and the best action on them."""
    parts = clauses(given.session_summary)
    logs = [log_sentences(log) for log in given.recent_logs]
    found = [
        *errors(parts, logs=logs, playbook=given.playbook),
        *stuck(given.session_summary, parts, logs=given.recent_logs),
        *steps(parts),
        *topics(parts, known=[given.playbook, *(s for log in logs for s in log)]),
    ]
    rank = {"high": 0, "medium": 1, "low": 2}
    ordered = sorted(found, key=lambda f: (rank[f.signal["priority"]], f.place))[:MAX_SIGNALS]
    sure = [f for f in found if f.action["confidence"] >= ACT_FROM]
    loop = [f for f in sure if f.action["task"] and f.action["task"].startswith("Debug: ")]
    # Who tries in vain needs help before what he tries it on is looked into; else the first of the surest.
    best = max(loop or found, key=lambda f: f.action["confidence"], default=None)
    if best is None or best.action["confidence"] < ACT_FROM:
        best_action = skip(best.action["confidence"] if best else 0.0)
    else:
        best_action = best.action
    return {"signals": [f.signal for f in ordered], "recommendedAction": best_action}


def skip(confidence: float) -> Action:
    return {"action": "skip", "task": None, "confidence": confidence}


def confidence(kind: str, sightings: int) -> float:
    """Return the confidence of so many sightings, at least 1, from the table.

    >>> [confidence("error", n) for n in (1, 2, 9)]
    [0.3, 0.7, 0.9]
    """
    row = CONFIDENCE[kind]
    return row[min(sightings, len(row)) - 1]


def finding(kind: str, *, label: str, text: str, task: str, sightings: int, place: int, priority: str) -> Finding:
    """Return a finding; a task of kind "step" is a tip, all others are work for a subagent."""
    action = "telegram_tip" if kind == "step" else "sessions_spawn"
    signal: Signal = {"description": f"{label}: {clip(text, TASK_CHARS)}", "priority": priority}
    return Finding(
        signal, {"action": action, "task": clip(task, TASK_CHARS), "confidence": confidence(kind, sightings)}, place
    )


# --- errors that came back ---


def errors(parts: Sequence[str], *, logs: Sequence[Sequence[str]], playbook: str) -> list[Finding]:
    """Return a finding per error; one that the playbook knows becomes a tip which quotes it."""
    earlier = [troubles([c for s in log for c in clauses(s)]) for log in logs]
    found = []
    for t in troubles(parts):
        count = t.sightings + sum(any(same(t, old) for old in log) for log in earlier)
        follows = t.place and (re.match(cues.EACH, t.clause) or re.match(cues.PRONOUN, t.clause))
        told = f"{parts[t.place - 1].rstrip('.')}; {t.clause}" if follows else t.clause  # "each time it fails": what?
        label, priority = (f"Error seen {count} times", "high") if count > 1 else ("Error seen once", "medium")
        line = remedy(t, playbook)
        shown = finding("error", label=label, text=told, task=f"Find root cause for: {told}",
                        sightings=count + bool(line), place=t.place, priority=priority)  # fmt: skip
        if line:
            tip = f"Playbook: “{clip(line, TASK_CHARS)}” (for: {clip(t.clause, 80)})"
            shown.action.update({"action": "telegram_tip", "task": tip})
        found.append(shown)
    return found


# --- a user in a loop ---


def stuck(summary: str, parts: Sequence[str], *, logs: Sequence[dict[str, Any]]) -> list[Finding]:
    """Return at most one finding: all cues of a loop in one summary are about one loop."""
    loops = [i for i, c in enumerate(parts) if (is_loop(c) or is_vain(parts, i)) and not is_left(parts[i + 1 :])]
    tries: dict[str, list[int]] = {}
    for i, clause in enumerate(parts):
        for target in re.findall(cues.TARGET, clause) if re.search(cues.ATTEMPT, clause) else []:
            tries.setdefault(target.strip("`").lower(), []).append(i)
    loops += [places[-1] for places in tries.values() if len(places) >= 3 or (len(places) == 2 and loops)]
    loops += [0] * unchanged_ticks(summary, logs)
    if not loops:
        return []
    first = min(loops)
    clause = parts[first]
    about = clause
    before = parts[first - 1] if first and not re.search(cues.REPAIRED, parts[first - 1]) else ""
    if before and troubles([before]):
        about = before  # what is wrong; what was tried in vain is not to be tried again
    elif before:
        about = f"{clip(before.rstrip('.'), TASK_CHARS // 2)}; {clause}"  # "That circle ran four times now": which?
    elif first + 1 < len(parts) and len(clause) < TASK_CHARS // 2:
        about = f"{clause} {parts[first + 1]}"
    return [
        finding(
            "stuck",
            label="Stuck",
            text=clause,
            task=f"Debug: {re.sub(cues.SUBJECT, '', about)}",
            sightings=len(loops),
            place=first,
            priority="high",
        )
    ]


def is_vain(parts: Sequence[str], place: int) -> bool:
    """Tell whether a clause tells of attempts, and it or one beside it that they changed nothing."""
    tried = re.search(cues.RETRIED, parts[place]) or len(re.findall(cues.CHANGES, parts[place])) > 1
    around = parts[max(place - 1, 0) : place + 3]
    return bool(tried) and any(re.search(cues.NO_EFFECT, c) for c in around) and not any(map(is_mend, around))


def is_left(rest: Sequence[str]) -> bool:
    """Tell whether what follows a loop says how it ended."""
    return any(
        (re.search(cues.REPAIRED, c) or re.search(cues.DECIDED, c) or re.search(cues.WORKED, c))
        and not re.search(cues.NOT_MENDED, c)
        for c in rest
    )


def is_loop(clause: str) -> bool:
    """Tell whether a clause says that the same thing is being tried in vain."""
    if re.search(cues.NOT_STUCK, clause) or is_mend(clause) or re.search(cues.DECIDED, clause):
        return False
    clause = re.sub(cues.THING, " ", clause)
    if re.search(cues.STUCK, clause):
        return True
    retried = re.search(cues.RETRIED, clause)
    counted = [count_of(m["n"]) or 3 for m in re.finditer(cues.TRIES, clause)]
    if retried and (re.search(cues.TRIED_AGAIN, clause) or max(counted, default=0) > 2):
        return True
    steps_ = re.findall(cues.CHANGES, clause)
    return len(steps_) > 3 or (len(steps_) > 2 and bool(re.search(cues.UNDONE, clause)))


def unchanged_ticks(summary: str, logs: Iterable[object]) -> int:
    """Return how many cues the last ticks give: 0 unless two busy ones in a row read like this one."""
    if re.search(cues.PROGRESS, summary) or re.search(cues.QUIET, summary) or len(stems(summary)) < 4:
        return 0
    alike = 0
    for log in logs:
        said = log.get("sessionHistorySummary") if isinstance(log, dict) and not log.get("idle") else None
        if not isinstance(said, str) or jaccard(summary, said) < SAME_TICK:
            break
        alike += 1
    return alike if alike >= 2 else 0


# --- a next step left open ---


def steps(parts: Sequence[str]) -> list[Finding]:
    """Return a finding per clause that names a step still to take, a due date, or a test not run again."""
    found = []
    for place, clause in enumerate(parts):
        step, count = open_step(clause)
        if count and not any(re.search(cues.REPAIRED, c) for c in parts[max(place - 2, 0) : place]):
            words = step.removeprefix("Due: ").removeprefix("Open: ")
            if place and (
                re.match(cues.PRONOUN, words)
                or len(words.split()) < 3
                or (
                    re.search(cues.LEFT, clause, re.IGNORECASE) and len(clause) + len(parts[place - 1]) < TASK_CHARS - 8
                )
            ):  # "It is due tomorrow", "not pushed": what?
                step = f"{parts[place - 1].rstrip('.')}; {clause}"
            found.append(finding("step", label="Next step", text=clause, task=step, sightings=count, place=place,
                                 priority="high" if is_due(clause) else "medium"))  # fmt: skip
    return found + untested(parts)


def open_step(clause: str) -> tuple[str, int]:
    """Return the step that a clause leaves open, in its own words, and by how many cues; 0 when none.

    >>> open_step("Still need to push the branch.")
    ('Push the branch', 1)
    """
    if re.search(cues.NO_STEP, clause) or re.search(cues.EXPECTED, clause):
        return "", 0
    due = is_due(clause)
    for pattern, form in cues.STEPS:
        match = re.search(pattern, clause)
        if match and not re.search(cues.REPAIRED, clause[: match.start()]):  # what was wrong, and is told of a repair
            named = match.groupdict().get("step") or clause
            step = (clause if re.search(cues.POINTS_BACK, named) else named).strip(" .,:;-!")
            return capital(form.format(step)), 2 if due else 1
    return (f"Due: {clause.strip(' .')}", 2) if due and not re.search(cues.PROGRESS, clause) else ("", 0)


def is_due(clause: str) -> bool:
    """Tell whether a clause names something that ends, is promised or is to be handed in just ahead.

    >>> is_due("The quote is due on Friday"), is_due("Lunch on Friday"), is_due("The contract must go back by tomorrow")
    (True, False, True)
    """
    soon = re.search(cues.DUE_DAY, clause)
    owed = re.search(PROMISE, clause) and (soon or re.search(cues.DUE_WEEKDAY, clause))
    ends = re.search(cues.ENDS, clause) and re.search(cues.DUE_WEEKDAY, clause)
    return bool(owed or ends or (soon and re.search(cues.DUE, clause)))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def untested(parts: Sequence[str]) -> list[Finding]:
    """Return a finding when a test failed, something was changed after it, and nothing was run since."""
    for place, clause in enumerate(parts):
        rest = parts[place + 1 :]
        failing = re.search(cues.FAILED_TEST, clause) and re.search(cues.FAILURE, re.sub(cues.DENIED, " ", clause))
        if failing and any(re.search(cues.EDITED, c) for c in rest) and not any(re.search(cues.RERUN, c) for c in rest):
            return [finding("step", label="Test not run since the change", text=clause, task=f"Run it again: {clause}",
                            sightings=1, place=place, priority="medium")]  # fmt: skip
    return []


# --- a topic that is new here ---


def topics(parts: Sequence[str], *, known: Sequence[str]) -> list[Finding]:
    """Return a finding per technical term or explored subject that neither playbook nor recent logs hold."""
    weights: dict[str, tuple[str, int, int]] = {}
    gone = given_up(parts)
    for place, clause in enumerate(parts):
        if (
            re.search(cues.EXPECTED, clause)
            or re.search(cues.HANDLED, clause)
            or re.search(cues.DECIDED, clause)
            or re.search(cues.DECIDED, " ".join(parts[place + 1 : place + 2]))
        ):
            continue
        for name, weight in [*mentions(clause), *studied(parts, place)]:
            shown, total, first = weights.get(name.lower(), (name, 0, place))
            if name.lower() not in gone and not is_day(name):
                weights[name.lower()] = (shown, total + weight, first)
    heard = f" {' '.join(stem for text in known for stem in stems(text))} "
    return [
        finding("topic", label="New topic", text=name, task=f"Research {name}", sightings=total, place=place,
                priority="medium" if total > 2 else "low")
        for name, total, place in weights.values()
        if stems(name) and f" {' '.join(stems(name))} " not in heard
    ]  # fmt: skip


def studied(parts: Sequence[str], place: int) -> list[tuple[str, int]]:
    """Return the thing that somebody is about to learn of: the first name where he says so, else right before.

    It weighs more where nothing has come of it yet.
    """
    clause = parts[place]
    if not re.search(cues.STUDY, clause) or re.search(cues.EXPLORED, clause):
        return []
    gone = given_up(parts)
    unsure = any(re.search(cues.UNSURE, c) for c in parts[place : place + 4])
    for text in (clause, *reversed(parts[max(place - 2, 0) : place])):
        for name in names(text):
            is_called = re.search(rf"{cues.CALLED}{re.escape(name)}", text)
            if name.lower() not in gone and not is_day(name) and (is_called or is_term(name, text)):
                return [(name, 3 if unsure else STUDIED)]
    return []


def names(clause: str) -> Iterator[str]:
    """Yield what a clause names, first what it introduces, then what is written as no plain word is."""
    forms = (
        rf"{cues.CALLED}(?P<name>[\w.+#-]+)",
        rf"{cues.INTRODUCED}(?P<name>{cues.ODD}|{cues.NAMED})",
        rf"(?P<name>{cues.ODD})",
        rf"(?<=[\w,:] )(?P<name>{cues.NAMED})(?!['’]s)",
    )
    for form in forms:
        for match in re.finditer(form, clause):
            if match["name"].lower() not in cues.NO_TOPIC:
                yield match["name"].rstrip(".")


def given_up(parts: Sequence[str]) -> set[str]:
    """Return the names, in small letters, of what is being dropped or replaced."""
    gone = set()
    for clause in parts:
        gone |= {match["name"].lower().rstrip(".,") for match in re.finditer(cues.INSTEAD, clause)}
        if dropped := re.search(cues.GIVEN_UP, clause):
            study = re.search(cues.STUDY, clause)
            told = clause[: study.start()] if study and study.start() > dropped.start() else clause
            gone |= {name.lower() for name in re.findall(rf"\b{cues.NAMED}|{cues.ODD}", told)}
    return gone


def is_day(name: str) -> bool:
    """Tell whether a name is of the calendar: a meeting that was moved to Thursday is no topic."""
    return any(word.lower().rstrip("s.,") in CALENDAR for word in name.split()[:1])


def mentions(clause: str) -> list[tuple[str, int]]:
    """Return the terms of a clause with their weight: 3 explored, 2 weighed, 1 put to use or merely named."""
    found: dict[str, int] = {}
    for form, weight in ((cues.EXPLORED, 3), (cues.WEIGHED, 2), (cues.USED, 1)):
        for match in re.finditer(form, clause):
            found.setdefault(match["name"].strip(".,-/"), weight)
    for match in re.finditer(cues.CAMEL, clause):
        if not any(match[0] in name for name in found):
            found[match[0]] = 1
    return [(name, weight) for name, weight in found.items() if is_term(name, clause)]


def is_term(name: str, clause: str) -> bool:
    """Tell whether a name can be looked up: no error, no file, no filler; plain words only where studied."""
    words = name.split()
    if not words or words[0].lower() in cues.NO_TOPIC | UNITS or re.search(cues.ERROR_NAME, name):
        return False
    if re.search(cues.FILE_NAME, name) and name.lower().removesuffix(".js") not in RUNTIMES:
        return False
    return bool(re.search(r"[A-Z\d]|\w[.-]\w", name)) or bool(re.search(cues.STUDIED, clause))
