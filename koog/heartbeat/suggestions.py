"""What would help now: an answer to the session's troubles, a date just ahead, a step left open.  [sinain §4.7]

Every suggestion says what to do and quotes who said so. Without a trouble in the session
only a date or an open step is worth a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice

from koog.core.text.measures import cosine, jaccard
from koog.heartbeat import synthesize_cues as cues
from koog.heartbeat.observations import SUBJECT_SHARED, Observation, about, is_after, is_akin, quote, reported
from koog.heartbeat.signal_cues import MENDED
from koog.heartbeat.troubles import Trouble, clauses, is_advice, is_culprit, remedy, same, troubles
from koog.heartbeat.upcoming import EVE_DAYS, Due, after, deadlines, forgotten, parsed, tells_done, today_of
from koog.playbook.texts import patterns

RESTATED = 0.5  # Jaccard: above it so little is in one alone that it does not answer the other, whatever it says
TOPIC_FLOOR = 0.4  # cosine of the session with a rule that applies to it
MOST = 8  # steps that are looked for: a message has room for three
IN_TIME = "Make time for what is "
TELLING = 5  # letters
SOON_DAYS = 2  # what is due then comes before what has no date


def suggestions(playbook: str, seen: Sequence[Observation]) -> Iterator[str]:
    """Yield suggestions, the most pressing first."""
    now = [o for o in seen if o.now]
    today = today_of(seen)
    urgent = list(pressing(seen))
    due_now = [text for text in urgent if text.startswith(IN_TIME)]
    yield from due_now
    failed = [(trouble, o) for o in now for trouble in reported(o)]
    for trouble, o in failed:
        yield from against(trouble, o, playbook=playbook, seen=seen)
    yield from (text for text in urgent if text not in due_now)
    due = deadlines([o for o in seen if not o.now], today)
    soon = [d for d in due if today and (d.day - today).days <= SOON_DAYS]
    yield from (text for d in soon if today and (text := in_time(d, today)) not in urgent)
    yield from (in_time(d, today) for d in due[len(soon) :] if today)
    if not failed:
        yield from rules_that_apply(" ".join(o.text for o in now), playbook)


def pressing(seen: Sequence[Observation]) -> Iterator[str]:
    """Yield what is said now or too late: what is due today or tomorrow, then the steps that were forgotten."""
    today = today_of(seen)
    due = [d for d in deadlines([o for o in seen if not o.now], today) if today and (d.day - today).days <= EVE_DAYS]
    yield from (in_time(d, today) for d in due if today)
    told = {d.what for d in due}
    yield from (
        f"Take the step left open: {o.cited(130)}." for o in islice(forgotten(seen, today), MOST) if o not in told
    )


def against_the_clock(suggestion: str, seen: Sequence[Observation]) -> Iterator[str]:
    """Yield what joins a thing that a suggestion calls due today or tomorrow with the day: the last word on it, or
    that there was none and what is under way instead. What was noted today nobody has left lying."""
    today = today_of(seen)
    for due in deadlines([o for o in seen if not o.now], today):
        o = due.what
        if not today or in_time(due, today) != suggestion or (parsed(o.day) == today != due.day):
            continue
        later = [other for other in after(o, seen) if is_on(other, o) and jaccard(other.text, o.text) < RESTATED]
        yield from (f"The last word on it: {other.cited()}." for other in later[:1])
        now = sorted((other for other in seen if other.now), key=lambda other: tells_done(other.text))
        yield from (f"No word on it since {o.day}; this tick is about {other.cited()}." for other in now)


def is_on(other: Observation, o: Observation) -> bool:
    """Tell whether an observation is on the same matter, by words long enough to be of the matter in any language."""
    return len({word for word in about(other.text) & about(o.text) if len(word) >= TELLING}) >= SUBJECT_SHARED


def in_time(due: Due, today: date) -> str:
    return f"{IN_TIME}{due.when(today)}: {due.what.cited(110)}."


def against(trouble: Trouble, o: Observation, *, playbook: str, seen: Sequence[Observation]) -> Iterator[str]:
    """Yield what the records hold against a trouble: what mended it, what runs beside it, when it was fine, a rule."""
    named = quote(trouble.clause, 70)
    if fix := earlier_fix(trouble, seen):
        yield f"{named}: do what helped before, {fix.cited()}."
    for clock, other in neighbours(o, seen):
        yield f"{named}: look first at what else runs at {clock}, {other.cited()}."
    if fine := fine_before(o, seen):
        yield f"{named}: check first what changed since {fine.cited()}; the hour is another."
    if (line := remedy(trouble, playbook)) and jaccard(line, trouble.clause) < RESTATED:
        yield f"{named}. From the playbook: {quote(line, 120)}."


def earlier_fix(trouble: Trouble, seen: Sequence[Observation]) -> Observation | None:
    """Return an earlier observation that reports the same trouble as mended, and by what."""
    for o in seen:
        if o.now or not re.search(MENDED, o.text) or not re.search(r"\b(?:by|with|after)\b \w", o.text):
            continue
        failed = troubles([re.sub(MENDED, " failed ", o.text)])  # read the repair as the failure it repaired
        if (trouble.name and trouble.name in o.text.lower()) or any(same(trouble, t) for t in failed):
            return o
    return None


def fine_before(o: Observation, seen: Sequence[Observation]) -> Observation | None:
    """Return an earlier observation that the same thing went well at another clock time, None without any."""
    failed_at = set(re.findall(cues.CLOCK, o.text))
    for earlier in seen:
        fine_at = set(re.findall(cues.CLOCK, earlier.text))
        changed = failed_at and fine_at and not failed_at & fine_at
        if changed and is_after(o, earlier) and re.search(cues.FINE, earlier.text) and is_akin(o, earlier):
            return earlier
    return None


def neighbours(o: Observation, seen: Sequence[Observation]) -> Iterator[tuple[str, Observation]]:
    """Yield what else runs by itself at a clock time that an observation names."""
    for clock in clocks(o.text):
        for other in seen:
            runs = re.search(cues.SCHEDULED, other.text) and clock in clocks(other.text)
            # By its text alone: a note about the failure names its neighbours under one heading.
            itself = len(about(o.text) & about(other.text)) >= SUBJECT_SHARED
            if runs and other.source != o.source and not itself and not troubles(clauses(other.text)):
                yield clock, other


def clocks(text: str) -> list[str]:
    """Return the times of day that a text names, noon and midnight among them.

    >>> clocks("502 at noon, and at 09:30")
    ['09:30', '12:00']
    """
    named = [clock for words, clock in cues.CLOCK_WORDS.items() if re.search(words, text)]
    return [*re.findall(cues.CLOCK, text), *named]


def rules_that_apply(session: str, playbook: str) -> Iterator[str]:
    """Yield playbook lines that tell what to do in what the session is about."""
    lines = [
        p.text for p in patterns(playbook) if not p.deferred and is_advice(p.text) and not is_culprit(session, p.text)
    ]
    scored = sorted(((cosine(session, line), -i) for i, line in enumerate(lines)), reverse=True)
    for score, i in scored:
        if score >= TOPIC_FLOOR and all(jaccard(c, lines[-i]) < RESTATED for c in clauses(session)):
            yield f"A rule for what is under way: {quote(lines[-i], 140)} (playbook)."
