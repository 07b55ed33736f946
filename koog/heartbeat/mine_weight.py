"""Arithmetic: how much one sentence of a note is worth keeping, and as what.  [sinain §4.5]

A sentence has a *kind* when its words carry a cue ("decided", "my favourite", "root cause") and a
*weight*: the strength of that cue, plus what makes it specific (numbers, names, dates, technical
words), minus what makes it talk (praise, "you", words that fit every day).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from koog.core.text.measures import stems
from koog.heartbeat.contradiction import STANDING
from koog.heartbeat.mine_cues import (
    CUES,
    FIRST,
    HABIT,
    HEADINGS,
    LIFE,
    NUMBER,
    OCCASION,
    PEOPLE,
    PROPER,
    TECHNICAL,
    TIME,
    TITLE,
    WHEN,
    Cue,
    Kind,
)
from koog.heartbeat.mine_talk import (
    CAUSE,
    CONDUCT,
    DIRECTIVE,
    FOUND,
    HYPOTHETICAL,
    INTENTION,
    INTERJECTIONS,
    ONE_OCCASION,
    OUTCOME,
    OUTING,
    POINTS_AWAY,
    RECURRENCE,
    REGULAR,
    SECOND,
    SOFT,
    STRANGER,
    TALK,
    TALK_START,
    VAGUE,
)
from koog.heartbeat.note_lines import Statement

KEEP_FROM = 2.7  # weights below say too little to be remembered
DANGLING = 2.0  # taken off a sentence that leans on one we cannot quote
HEADED = 0.7  # or, in notes by hand, that only its heading explains
KEEP_WISH_FROM = 2.4  # a liking is short by nature: "the kids love nature"
ASSISTANT_SHARE = 0.6  # an assistant's chatter counts this much of a person's words
MIN_WORDS, MAX_WORDS = 4, 70
PER_ROOT = 0.2  # for each word of substance beyond the second, up to the eighth

# Taken off for what makes words talk rather than content.
OFF_TALK, OFF_SECOND, OFF_POINTING, OFF_HYPOTHETICAL, OFF_NOBODY = 0.9, 0.8, 0.7, 0.4, 0.4
OFF_VAGUE, OFF_OUTING, OFF_INTENTION, OFF_ONCE = 1.2, 0.8, 0.8, 2.0
OFF_SOFT, SOFT_SHARE = 1.2, 0.4  # the share of everyday words from which it counts
# Who writes a line into a log by hand has already judged it: names and numbers are cue enough.
NOTED, NOTED_SPECIFICITY = Cue("fact", 1.4, re.compile("")), 0.8
TALKED_DECISION = 2.0  # "I decided to go out" is no resolution of a project


WISHES = tuple(sorted((cue for cue in CUES if cue.kind == "preference"), key=lambda cue: -cue.weight))
OTHERS = tuple(sorted((cue for cue in CUES if cue.kind != "preference"), key=lambda cue: -cue.weight))


@dataclass(frozen=True)
class Weighed:
    kind: Kind
    weight: float


def is_kept(weighed: Weighed) -> bool:
    """Return whether a sentence says enough to be mined."""
    return weighed.weight >= (KEEP_WISH_FROM if weighed.kind == "preference" else KEEP_FROM)


class Trimmer:
    """Takes the interjections and vocatives off a sentence.

    names   the note's speakers, with the short forms people use for them

    >>> Trimmer(["Mel"])("Yeah, Mel, I painted that lake last year, Mel!")
    'I painted that lake last year!'
    """

    def __init__(self, names: Iterable[str]) -> None:
        who = "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or r"(?!)"
        self.lead = re.compile(
            rf"(?:(?:{INTERJECTIONS})(?:,? (?:{who}))?|(?:{who}))\s*(?:[,!.…]|--?|–|—)+\s*", re.IGNORECASE
        )
        self.tail = re.compile(rf",? \b(?:{who})(?=[.!]*$)")

    def __call__(self, text: str) -> str:
        out = text
        for _ in range(4):  # "Yeah, well, Mel, so, …": nobody stacks more
            match = self.lead.match(out)
            if not match or match.end() == len(out):
                break
            out = out[match.end() :]
        out = self.tail.sub("", out)
        return out if out == text else out[:1].upper() + out[1:]


def weigh(text: str, said: Statement) -> Weighed | None:
    """Return what a trimmed sentence is and how much it weighs, or None for talk and noise."""
    words = text.split()
    if said.trace:
        return Weighed("error", 2.0)
    if not MIN_WORDS <= len(words) <= MAX_WORDS or text.rstrip("\"”' ").endswith("?") or _is_filler(words):
        return None
    if TALK_START.match(text) or DIRECTIVE.search(text) or (not said.speaker and _is_log_remark(text)):
        return None
    every_root = set(stems(text))
    roots = every_root - SOFT - TIME
    if len(roots) < 2:
        return None
    specific = specificity(text)
    found = _cue(text, said, specific)
    if found is None:
        return None
    soft = len(every_root & SOFT) / len(every_root)
    off = _talk(text, said, soft=soft) + _passing(text, said, found.kind)
    weight = found.weight + specific + PER_ROOT * (min(len(roots), 8) - 2) - off
    return Weighed(found.kind, weight * (ASSISTANT_SHARE if said.speaker == "assistant" else 1.0))


def specificity(text: str) -> float:
    """Return from 0 up to about 4 how specific a sentence is: dates, numbers, names, technical and life words."""
    score = 0.6 if WHEN.search(text) else 0.0
    score += min(0.8, 0.4 * len(NUMBER.findall(text)))
    score += min(0.8, 0.4 * len(proper_names(text)))
    score += 0.4 if TITLE.search(text) else 0.0
    score += min(0.9, 0.3 * len(TECHNICAL.findall(text)))
    score += 0.5 if PEOPLE.search(text) else 0.0
    return score + min(0.8, 0.4 * len(set(LIFE.findall(text))))


def proper_names(text: str) -> list[str]:
    """Return the capitalised words inside a sentence that name somebody or something, no days and months."""
    found = PROPER.findall(text)
    return [name for name in found if not name.startswith(("I'", "I’")) and set(stems(name)) - TIME]


def _cue(text: str, said: Statement, specific: float) -> Cue | None:
    """Return the cue that says what the sentence is; a heading such as "Decisions" counts as one.

    A liking or habit wins over a mere event, unless the sentence tells of one occasion
    ("we loved the concert last night"); decisions, errors and lessons win over both.
    """
    heading = said.heading.lower()
    headed = [cue for word, cue in HEADINGS.items() if word in heading]
    if not said.speaker and specific >= NOTED_SPECIFICITY:
        headed.append(NOTED)
    wish = None if STRANGER.match(text) else _strongest(WISHES, text, said, headed)
    other = _strongest(OTHERS, text, said, headed)
    if wish is HABIT and not said.speaker and not FIRST.search(text):
        wish, other = None, max(replace(HABIT, kind="fact"), other or NOTED, key=lambda cue: cue.weight)
    if wish is None or other is None:
        return wish or other
    if other.weight > max(wish.weight, 2.5) or (wish.weight < 2.5 and OCCASION.search(text)):
        return other
    return wish


def _strongest(cues: tuple[Cue, ...], text: str, said: Statement, headed: Iterable[Cue]) -> Cue | None:
    """Return the heaviest cue of one sort that the words or the heading give.

    cues   heaviest first, so that the search ends at the first that is found
    """
    named = said.is_named()
    found = next((cue for cue in cues if cue.pattern.search(text) and not (named and _is_shop_talk(cue, text))), None)
    if found and named and found.kind == "decision":
        found = replace(found, weight=TALKED_DECISION)
    wishes = cues is WISHES
    above = [cue for cue in headed if (cue.kind == "preference") == wishes]
    return max([*([found] if found else []), *above], key=lambda cue: cue.weight, default=None)


def _is_shop_talk(cue: Cue, text: str) -> bool:
    """Return whether a cue of the workshop stands in everyday words: "make sure to rest", "it all turned out fine"."""
    if cue.kind == "lesson":
        return not FIRST.search(text)
    return cue.kind in ("fix", "error") and not TECHNICAL.search(text) and not FIRST.search(text)


def _talk(text: str, said: Statement, *, soft: float) -> float:
    """Return how much to take off because the words are conversation rather than content.

    soft   the share of words that fit any day, 0 to 1
    """
    off = OFF_TALK * len(TALK.findall(text))
    off += OFF_HYPOTHETICAL if HYPOTHETICAL.search(text) else 0.0
    if said.is_named() or said.speaker == "assistant":
        off += OFF_SECOND if SECOND.search(text) else 0.0
        off += 0.0 if FIRST.search(text) or PEOPLE.search(text) else OFF_NOBODY
    off += OFF_POINTING if POINTS_AWAY.search(text) else 0.0
    return off + OFF_SOFT * max(0.0, soft - SOFT_SHARE)


def _passing(text: str, said: Statement, kind: Kind) -> float:
    """Return how much to take off because what is told passes: an outing, an intention, one more failure."""
    once = kind != "preference" and not HABIT.pattern.search(text)
    off = OFF_OUTING if once and OUTING.search(text) else 0.0
    if not said.speaker:
        return off + (OFF_ONCE if kind in ("fact", "error") and _is_one_more(text) else 0.0)
    off += OFF_VAGUE if said.is_named() and VAGUE.search(text) else 0.0
    open_end = kind == "event" and INTENTION.search(text) and not WHEN.search(text) and not LIFE.search(text)
    return off + (OFF_INTENTION if open_end else 0.0)


def _is_one_more(text: str) -> bool:
    """Return whether a log's line tells of one occasion or one more, and neither why nor what holds from now on."""
    ticked = RECURRENCE.search(text) or (ONE_OCCASION.search(text) and not WHEN.search(text))
    return bool(ticked) and not STANDING.search(text) and not CAUSE.search(text)


def _is_log_remark(text: str) -> bool:
    """Return whether a line of a log tells what its writer did or ticked off, and nothing that was found."""
    if CONDUCT.search(text) and not FOUND.search(text):
        return True
    return bool(OUTCOME.search(text) and ONE_OCCASION.search(text)) and not REGULAR.search(text)


def _is_filler(words: list[str]) -> bool:
    """Return whether a long sentence says the same few words over and over."""
    return len(words) > 12 and len({re.sub(r"\d+", "", word.lower()) for word in words}) < len(words) * 0.35
