"""Tier 1: which triggers of which topics a text sets off.  [autopoiesis §4.1, §4.2, §4.3]

A thousand topics are asked in under a millisecond: a word is looked up among the text's words,
and a pattern is asked, and compiled, only when a sequence of letters that it cannot do
without stands in the text (prefilter.py). No match is lost by it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from koog.core.named import NamedTuple
from koog.topics.topic_file import Topic, Trigger
from koog.topics.triggers import links
from koog.topics.triggers.events import CRON, WEBHOOK, Event, read_event
from koog.topics.triggers.kinds import (
    KEYWORD,
    MENTION,
    SIDES,
    WORD,
    Search,
    has_edges,
    has_other_name,
    inflected,
    needed,
    searches,
    why_not,
)
from koog.topics.triggers.literals import fold
from koog.topics.triggers.message import Message, clip
from koog.topics.triggers.prefilter import Prefilter
from koog.topics.triggers.stopwatch import Stopwatch, TooLong

__all__ = ["Event", "Fired", "Matched", "Matcher", "TimedOut", "corrections", "read_event"]


class Fired(NamedTuple):
    """A trigger that fired: which of its topic's, and what it matched, on one short line."""

    number: int
    type: str
    what: str

    @property
    def is_exact(self) -> bool:
        """Return whether what matched is a link, a file or a person: what is meant by it needs no likeness of words."""
        return self.type in ("url", "glob", MENTION) or (self.type == "pattern" and links.is_whole(self.what))


class TimedOut(NamedTuple):
    """A trigger that was stopped or not tried; it counts as not matched."""

    topic: str
    number: int
    message: str


class Rule(NamedTuple):
    """A trigger with its topic and its place there."""

    topic: str
    number: int
    trigger: Trigger


class Matched:
    """What one message set off."""

    def __init__(self, message: Message) -> None:
        self.fired: dict[str, list[Fired]] = {}
        self.timed_out: list[TimedOut] = []
        self._message = message

    def why(self, topic: Topic) -> list[str]:
        """Return a brief line for each trigger of a topic: what it found, or why it found nothing."""
        found = {fired.number: fired.what for fired in self.fired.get(topic.name, ())}
        stopped = {late.number: late.message for late in self.timed_out if late.topic == topic.name}
        return [
            f"{trigger.type}: "
            + (f"found {found[i]!r}" if i in found else stopped.get(i) or why_not(trigger, self._message))
            for i, trigger in enumerate(topic.triggers)
        ]


class Matcher:
    """The triggers of many topics, ready for many messages."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self._rules = [Rule(topic.name, i, t) for topic in topics for i, t in enumerate(topic.triggers)]
        self._topics = {topic.name: topic for topic in topics}
        self._searches: dict[int, list[Search]] = {}
        self._on_event: list[int] = []
        self._by_word: dict[str, list[tuple[int, str]]] = {}
        literals: dict[int, tuple[str, ...]] = {}
        for number, (_, _, trigger) in enumerate(self._rules):
            if trigger.type in (WEBHOOK, CRON):
                self._on_event.append(number)
            elif trigger.type in (KEYWORD, MENTION) and all(map(has_edges, trigger.match)):
                for entry in trigger.match:
                    folded = fold(entry.strip())
                    word = max(WORD.findall(folded), key=len)
                    inflects = trigger.type == KEYWORD and folded.split()[-1] == word
                    for form in inflected(word) if inflects else [word]:
                        settled = entry if form == word else form
                        alone = word == folded and trigger.type == KEYWORD
                        self._by_word.setdefault(form, []).append((number, settled if alone else ""))
            else:
                literals[number] = needed(trigger)
        self._prefilter = Prefilter(literals)

    def match(self, text: str, direction: str, event: Event | None = None) -> Matched:
        """Return what a text on its way in ("input") or out ("output"), or an event, sets off.

        Webhook and cron triggers fire on an event alone, never on what is said at that time.
        """
        message = Message(text, direction, event)
        matched = Matched(message)
        with Stopwatch() as watch:
            for number, word in sorted(self._candidates(message).items()):
                topic, at, trigger = self._rules[number]
                if trigger.scope not in ("both", direction):
                    continue
                try:
                    what = word or self._found(number, message, watch)
                except TooLong as e:
                    matched.timed_out.append(TimedOut(topic, at, str(e)))
                    continue
                if what is not None:
                    matched.fired.setdefault(topic, []).append(Fired(at, trigger.type, clip(what)))
        return matched

    def _candidates(self, message: Message) -> dict[int, str]:
        """Return the triggers to ask, by number, each with the single word that settles it or ""."""
        found = dict.fromkeys(self._on_event if message.event else (), "")
        if message.text:
            found |= dict.fromkeys(self._prefilter.candidates(message.folded), "")
            for word in self._by_word.keys() & set(WORD.findall(message.folded)):
                for number, settled in self._by_word[word]:
                    found[number] = found.get(number) or settled
        return found

    def _found(self, number: int, message: Message, watch: Stopwatch) -> str | None:
        topic, _, trigger = self._rules[number]
        if trigger.type in SIDES:
            return SIDES[trigger.type](trigger, message)
        if number not in self._searches:
            self._searches[number] = searches(trigger)
        for pattern, side, tame in self._searches[number]:
            text: str = getattr(message, side)
            if trigger.type == MENTION:
                found = next((m for m in pattern.finditer(text) if not self._is_another(topic, message, m)), None)
            else:
                found = watch.search(pattern, text, tame=tame) if text else None
            if found and trigger.type == "pattern" and (names := f"{message.links}\n{message.paths}".strip()):
                whole = watch.search(pattern, names, tame=tame)
                if whole and links.is_whole(whole[0]):
                    return whole[0]
            if found:
                # Letters keep their places when they are folded: what was written is what is told.
                return message.text[found.start() : found.end()] if side == "folded" else found[0]
        return None

    def _is_another(self, topic: str, message: Message, found: re.Match[str]) -> bool:
        """Return whether a first name is that of somebody whose other name the topic never writes."""
        other = has_other_name(message, found)
        return bool(other) and fold(other) not in WORD.findall(fold(self._topics[topic].said))


def corrections(topics: Sequence[Topic], text: str) -> list[tuple[str, str, str]]:
    """Return (topic, hint, what matched) of the output triggers that an agent's text sets off.  [§4.3]

    A trigger that watches output only, or has a hint, corrects; without a hint the topic's title is it.
    """
    by_name = {topic.name: topic for topic in topics if any(map(_corrects, topic.triggers))}
    matched = Matcher(list(by_name.values())).match(text, "output")
    return [
        (name, trigger.correction_hint or by_name[name].title, fired.what)
        for name, all_fired in matched.fired.items()
        for fired in all_fired
        if _corrects(trigger := by_name[name].triggers[fired.number])
    ]


def _corrects(trigger: Trigger) -> bool:
    return trigger.scope == "output" or bool(trigger.correction_hint)
