"""The built-in answer to `synthesize`: say something only when two things meet  [sinain §4.7].

A suggestion needs something open right now and a line that answers it; an insight needs
two observations of different days and sources that meet in a cause, a topic, an hour or
a rare word. Both are sentences around quotations, each with its date or file. Either one
missing, or only repeats left: skip, and say what was read and what was not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, NamedTuple, TypedDict

from koog.core.similarity import WORD, cosine, document_frequency, jaccard, overlap, stems
from koog.heartbeat.signal_rules import MENDED, PLAYBOOK_FLOOR, Trouble, clauses, open_step, remedy, same, troubles
from koog.playbook.extract_rules import clip, log_sentences, patterns, sentences

REPEAT = 0.6  # sinain §4.7 "would repeat": more of its words than this in a recent output
SUGGESTION_CHARS, INSIGHT_CHARS = 215, 280  # under 500 together (§4.7); what is longer is not offered, never cut
QUOTE_CHARS, PLACE_CHARS, WORD_CHARS = 70, 40, 20  # so that two quotes with their sources fit
NAMED_FILES = 12  # in a skip reason
SAME_HOUR = 1  # ticks are half an hour apart: the same time of day, give or take a tick
RATE_STEP = 0.15  # of 5 to 10 outputs a week, one alone moves the rate by 0.1 to 0.2
RESTATED = 0.5  # Jaccard: above it two observations say the same and connect nothing
RARE_IN, RARE_AMONG = 2, 10  # a word is rare when just two of at least ten observations have it
MAX_OBSERVATIONS, MAX_CANDIDATES = 600, 60
DATE = re.compile(r"\d{4}-\d\d-\d\d")
HOUR = re.compile(r"^\d{4}-\d\d-\d\d[T ](\d\d):\d\d")
AFTER = re.compile(r"\b(?:after|when|while|during|following|whenever)\s+(?P<cause>[^,.;]{3,60})", re.IGNORECASE)


@dataclass(frozen=True)
class SynthesizeInput:
    playbook: str
    logs: tuple[dict[str, Any], ...]  # the last 3 days, newest first
    recent_outputs: tuple[dict[str, str], ...]  # {"ts", "suggestion", "insight"}, newest first
    changes: dict[str, Any]  # the curator's {added, pruned, promoted} of this tick
    notes: tuple[tuple[str, str], ...] = ()  # (path, text) of the last days' daily notes
    examined: tuple[str, ...] = ()  # every path that was read


class SynthesizeAnswer(TypedDict):
    skip: bool
    skipReason: str | None
    suggestion: str | None
    insight: str | None


class Observation(NamedTuple):
    """One sentence that somebody wrote down, with its day, its place and (from a log) its hour in UTC."""

    text: str
    day: str  # YYYY-MM-DD
    source: str  # a note's path, or "log TIMESTAMP"
    hour: int | None = None

    def cited(self) -> str:
        place = "log" if self.source.startswith("log ") else self.source[-PLACE_CHARS:]
        where = place if self.day in place else f"{self.day}, {place}"
        return f"“{clip(self.text.rstrip('.'), QUOTE_CHARS)}” ({where})"


def answer(given: SynthesizeInput) -> SynthesizeAnswer:
    """Return a suggestion and an insight of together under 500 characters, or the reason for neither."""
    seen = observations(given)
    now = [s for log in given.logs[:1] for s in log_sentences(log)]
    said = [text for output in given.recent_outputs if isinstance(output, dict)
            for key in ("suggestion", "insight") if isinstance(text := output.get(key), str)]  # fmt: skip
    suggested = fitting(suggestions(given.playbook, now, seen), SUGGESTION_CHARS)
    suggestion = first_new(suggested, said)
    insights = fitting(connections(given, seen), INSIGHT_CHARS)
    insight = first_new(insights, [*said, suggestion] if suggestion else said)
    if suggestion and insight:
        return {"skip": False, "skipReason": None, "suggestion": suggestion, "insight": insight}
    reason = skip_reason(given, seen, lacks=[
        lack("suggestion", suggestion, suggested, "no playbook line, open step or fix meets the latest session"),
        lack("insight", insight, insights, "no two observations of different days share a cause or a rare word"),
    ])  # fmt: skip
    return {"skip": True, "skipReason": reason, "suggestion": None, "insight": None}


def fitting(candidates: Iterable[str], chars: int) -> list[str]:
    return [c for c in islice(candidates, MAX_CANDIDATES) if len(c) <= chars]


def first_new(candidates: Iterable[str], said: Sequence[str]) -> str | None:
    """Return the first candidate that no recent output says already."""
    return next((c for c in candidates if all(overlap(c, text) <= REPEAT for text in said)), None)


def lack(part: str, chosen: str | None, candidates: Sequence[str], missing: str) -> str:
    if chosen:
        return ""
    return f"{part}: {f'all {len(candidates)} found repeat recent outputs' if candidates else missing}"


def skip_reason(given: SynthesizeInput, seen: Sequence[Observation], *, lacks: Iterable[str]) -> str:
    """Return what was missing and what was read, file by file."""
    counted = f"playbook lines: {len(patterns(given.playbook))}, ticks: {len(given.logs)}, observations: {len(seen)}"
    more = len(given.examined) - NAMED_FILES
    files = ", ".join(given.examined[:NAMED_FILES]) or "no files"
    files += f" and {more} more" if more > 0 else ""
    return f"{'; '.join(filter(None, lacks))} (examined: {files}; {counted})"


def observations(given: SynthesizeInput) -> list[Observation]:
    """Return what logs and notes recorded, newest first; entries without a date cannot be placed and are left out."""
    out = []
    for log in given.logs:
        ts = log.get("ts") if isinstance(log, dict) else None
        day, hour = (DATE.match(ts), HOUR.match(ts)) if isinstance(ts, str) else (None, None)
        if day:
            said = dict.fromkeys(log_sentences(log))
            out += [Observation(s, day[0], f"log {ts}", int(hour[1]) if hour else None) for s in said]
    for path, text in given.notes:
        day = DATE.search(path)
        if day:
            out += [Observation(s, day[0], path) for s in sentences(text)]
    return sorted(out, key=lambda o: o.day, reverse=True)[:MAX_OBSERVATIONS]


# --- what would help now ---


def suggestions(playbook: str, now: Sequence[str], seen: Sequence[Observation]) -> Iterator[str]:
    """Yield what the records hold against the latest session's troubles, then its open steps, then its topic."""
    current = troubles([c for s in now for c in clauses(s)])
    for trouble in current:
        if fix := earlier_fix(trouble, now, seen):
            yield f"On “{clip(trouble.clause, QUOTE_CHARS)}”: what helped before was {fix.cited()}."
        if line := remedy(trouble, playbook):
            yield f"On “{clip(trouble.clause, QUOTE_CHARS)}” the playbook says: “{clip(line, QUOTE_CHARS)}”."
    yield from open_steps(seen)
    lines = [p.text for p in patterns(playbook) if not p.deferred]
    scored = sorted(((cosine(" ".join(now), line), -i) for i, line in enumerate(lines)), reverse=True)
    for score, i in scored:
        if score >= PLAYBOOK_FLOOR:
            yield f"The playbook has a line for the latest session: “{clip(lines[-i], 2 * QUOTE_CHARS)}”."


def earlier_fix(trouble: Trouble, now: Sequence[str], seen: Sequence[Observation]) -> Observation | None:
    """Return an earlier observation that reports the same trouble as mended, and by what."""
    for o in seen:
        if o.text in now or not MENDED.search(o.text):
            continue
        reported = troubles([MENDED.sub(" failed ", o.text)])  # read the repair as the failure it repaired
        by_name = bool(trouble.name) and trouble.name in o.text.lower()
        if (by_name or any(same(trouble, t) for t in reported)) and re.search(r"\b(?:by|with|after|to)\b", o.text):
            return o
    return None


def open_steps(seen: Sequence[Observation]) -> Iterator[str]:
    """Yield the steps somebody left open and nobody reported as taken since, newest first."""
    for o in seen:
        for clause in clauses(o.text):
            step, cues = open_step(clause)
            if cues and len(stems(step)) > 1 and not any(is_done(step, later) for later in seen if later.day >= o.day):
                where = o.source if o.day in o.source and not o.source.startswith("log ") else f"log of {o.day}"
                yield f"Still open: “{clip(o.text.rstrip('.'), 2 * QUOTE_CHARS)}” ({where[-PLACE_CHARS:]})."


def is_done(step: str, later: Observation) -> bool:
    """Tell whether a later sentence says the step was taken: its words again, and leaves nothing open itself."""
    return overlap(step, later.text) > REPEAT and not any(open_step(c)[1] for c in clauses(later.text))


# --- what belongs together ---


def connections(given: SynthesizeInput, seen: Sequence[Observation]) -> Iterator[str]:
    """Yield pairs of distinct observations, the most telling kind first."""
    yield from returning_errors(seen)
    yield from deferred_again(given.playbook, seen)
    yield from foreseen(given.changes, seen)
    yield from moved_rate(given.logs)
    yield from rare_words(seen)


def apart(a: Observation, b: Observation) -> bool:
    return a.day != b.day and a.source != b.source


def returning_errors(seen: Sequence[Observation]) -> Iterator[str]:
    """Yield errors of two days that also share their hour or what they came after; recurring alone is no news."""
    failed = [(o, t) for o in seen for t in troubles(clauses(o.text))]
    for (new, t), (old, u) in combinations(failed, 2):
        if not apart(new, old) or not same(t, u):
            continue
        if cause := shared_cause(new.text, old.text):
            yield f"Twice the same after {cause}: {old.cited()} and {new.cited()}."
        elif new.hour is not None and old.hour is not None and abs(new.hour - old.hour) <= SAME_HOUR:
            hours = f"{old.hour:02}h and {new.hour:02}h UTC"
            yield f"Same error, same time of day ({hours}): {old.cited()} and {new.cited()}."


def shared_cause(a: str, b: str) -> str | None:
    """Return what both texts say came before, in the words of the first."""
    for x in AFTER.finditer(a):
        for y in AFTER.finditer(b):
            if overlap(x["cause"], y["cause"]) > REPEAT:
                return clip(x["cause"].strip(), 40)
    return None


def deferred_again(playbook: str, seen: Sequence[Observation]) -> Iterator[str]:
    """Yield playbook items that were put off while their topic came up again."""
    for p in patterns(playbook):
        for o in seen if p.deferred else ():
            if o.day > (p.deferred or "") and cosine(p.text, o.text) >= PLAYBOOK_FLOOR:
                yield f"Put off on {p.deferred}: “{clip(p.text, QUOTE_CHARS)}”, yet it is back: {o.cited()}."


def foreseen(changes: dict[str, Any], seen: Sequence[Observation]) -> Iterator[str]:
    """Yield patterns added now that would have answered a failure of an earlier day.

    Today is the day of the newest observation. A pattern that restates the failure was
    mined from it and shows nothing new.
    """
    added = changes.get("added") if isinstance(changes, dict) else None
    today = seen[0].day if seen else ""
    for text in [t for t in added if isinstance(t, str)] if isinstance(added, list) else []:
        for o in seen:
            match = o.day < today and any(remedy(t, f"- {text}") for t in troubles(clauses(o.text)))
            if match and jaccard(text, o.text) < RESTATED:
                yield f"Learned {today}: “{clip(text, QUOTE_CHARS)}”. It fits an earlier failure: {o.cited()}."


def moved_rate(logs: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield a change of the playbook with the effectiveness before it and now, when that moved."""
    points = [log for log in logs if isinstance(log, dict) and isinstance(log.get("ts"), str) and is_rate(log)]
    for log in points[1:]:
        before, after = log["effectivenessRate"], points[0]["effectivenessRate"]
        day, today = log["ts"][:10], points[0]["ts"][:10]
        changed = changed_lines(log.get("playbookChanges"))
        if changed and day != today and abs(after - before) >= RATE_STEP:
            yield f"The playbook’s rate was {before:.2f} on {day}, when it {changed[0]}, and is {after:.2f} on {today}."


def changed_lines(changes: object) -> list[str]:
    """Return the curator's changes as phrases, additions first; any shape is read."""
    kinds = [(kind, changes.get(kind)) for kind in ("added", "promoted", "pruned")] if isinstance(changes, dict) else []
    return [f"{kind} “{clip(text, QUOTE_CHARS)}”" for kind, texts in kinds if isinstance(texts, list)
            for text in texts if isinstance(text, str)]  # fmt: skip


def is_rate(log: dict[str, Any]) -> bool:
    rate = log.get("effectivenessRate")
    return isinstance(rate, (int, float)) and not isinstance(rate, bool) and 0 <= rate <= 1


def rare_words(seen: Sequence[Observation]) -> Iterator[str]:
    """Yield pairs that share words which no other observation has: two at least, or one that is a name."""
    if len(seen) < RARE_AMONG:
        return
    frequency = document_frequency(o.text for o in seen)
    holders: dict[str, list[int]] = {}
    for i, o in enumerate(seen):
        for word in sorted(set(stems(o.text))):
            if frequency[word] == RARE_IN:
                holders.setdefault(word, []).append(i)
    shared: dict[tuple[int, int], list[str]] = {}
    for word, (i, j) in holders.items():
        if apart(seen[i], seen[j]) and jaccard(seen[i].text, seen[j].text) < RESTATED:
            shared.setdefault((i, j), []).append(word)
    for (i, j), words in sorted(shared.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        terms = [surface(word, seen[i].text) for word in words]
        if len(terms) > 1 or is_name(terms[0]):
            both = " and ".join(terms[:2])
            yield f"{both} came up twice in different places: {seen[j].cited()} and {seen[i].cited()}."


def surface(root: str, text: str) -> str:
    """Return the word of a text that has this stem, as it is written there."""
    return next((clip(word, WORD_CHARS) for word in WORD.findall(text) if stems(word) == [root]), root)


def is_name(word: str) -> bool:
    """Tell whether a word is written as a name or code: NullPointer, ENOSPC, webpack.config.js, v12."""
    return bool(re.search(r"[A-Z].*[A-Z]|[a-z]\d|\w[._/]\w", word))
