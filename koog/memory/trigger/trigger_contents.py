"""What a phrase is about: where in a message its content stands.  [moltbot §8.1]

Behind the phrase, to the end of its sentence (of what is to be forgotten: of its clause), or the whole block behind a
colon; inside it; or before it, where it only points back: "… – remember that".
"""

from __future__ import annotations

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.trigger.own_thoughts import Message
from koog.memory.trigger.trigger_phrases import LEAD_CHARS, Phrase, Span
from koog.memory.trigger.trigger_words import ALONE, BEFORE, FORGET, PIN, REFLECT, REMEMBER, SCRATCH, SEARCH, word

FOR_NOW_CHARS = 30  # behind a content
ROUNDS = 6  # of taking off what only ends a sentence
STOPS, DASHES = " \t\r\n,;:.!?…，；：。！？、｡", "–—-"
OPENS = r"(?i)\s*(?:[:：,–—-]|(?:that|dass|que|qu')(?!\w))"  # a content behind a phrase that points
MEMORY = r"(?i)memor|mémoire|speicher|gedächtnis|记忆|記憶"


class Around(NamedTuple):
    """What stands around a phrase: its thought's number, its part of the sentence, the sentences before and behind."""

    thought: int
    since: int
    until: int
    last: Span | None
    following: Span | None


def content(message: Message, phrase: Phrase, around: Around) -> tuple[str, Span | None]:
    """Return the kind of a trigger and where its content is; None where there is nothing it could be about."""
    kind, where, none = phrase.rule.kind, phrase.rule.where, (phrase.end, phrase.end)
    if where == ALONE:
        return kind, none
    if phrase.what and (_says(message.text, phrase.what) or kind not in (REMEMBER, PIN)):
        return _kind(message.text, kind, _bare(message.text, phrase.what))
    after = _after(message.text, phrase, kind, around.until)
    before = _before(message.text, phrase, around.since)
    if phrase.what and not compiled(OPENS).match(message.text, phrase.end):
        after = (phrase.end, phrase.end)  # "keep that in mind for Sunday"
    first, second = (before, after) if where == BEFORE else (after, before)
    if kind in (FORGET, SCRATCH):
        return _forgotten(message.text, phrase, first, around.last)
    if kind in (SEARCH, REFLECT):
        found = first if _says(message.text, first) else None
        return kind, found or (none if kind == REFLECT else None)
    if _says(message.text, first):
        return kind, first
    return kind, _pointed(message, phrase, around, second)


def _pointed(message: Message, phrase: Phrase, around: Around, beside: Span) -> Span | None:
    """Return what a phrase points to: the block behind its colon, its own sentence, the one before, the one behind."""
    text, end = message.text, message.thoughts[around.thought].end
    if around.until >= end - 2 and compiled(r"[:：][\s*_]*\Z").search(text[phrase.start : end]):
        return message.following(around.thought)
    if _says(text, beside):
        return beside
    found = _neighbour(text, phrase, around)
    return found if found and _says(text, found) else message.preceding(around.thought)


def _neighbour(text: str, phrase: Phrase, around: Around) -> Span | None:
    """Return the sentence before a phrase's; the one behind it where that was asked, or where none stands before."""
    is_question = text[phrase.end : around.until].rstrip().endswith(("?", "？"))
    first = around.following if phrase.is_asked and is_question else None
    found = first or around.last or around.following
    return _bare(text, found) if found else None


def _kind(text: str, kind: str, span: Span) -> tuple[str, Span | None]:
    if kind == FORGET and word("JUST_SAID").fullmatch(text, *span):
        return SCRATCH, (span[1], span[1])
    return kind, span if _says(text, span) else None


def _forgotten(text: str, phrase: Phrase, span: Span, last: Span | None) -> tuple[str, Span | None]:
    if _says(text, span) and not word("JUST_SAID").fullmatch(text, *span):
        return FORGET, span
    if phrase.rule.where == BEFORE and not phrase.rule.is_wide:  # "that's no longer relevant"
        return (FORGET, _bare(text, last)) if last else (SCRATCH, (phrase.end, phrase.end))
    return SCRATCH, (phrase.end, phrase.end) if span[0] < span[1] else None


def _says(text: str, span: Span) -> bool:
    """Return whether a content is one: more than a word that points back."""
    start, end = span
    return start < end and not word("POINTING").fullmatch(text, start, end)


def _after(text: str, phrase: Phrase, kind: str, until: int) -> Span:
    start = phrase.end
    if intro := word("INTRO").match(text, start, until):
        start = intro.end()
    cut = word("CLAUSE" if kind in (FORGET, SCRATCH) else "GOES_ON").search(text, start, until)
    return _bare(text, (start, cut.start() if cut else until))


def _before(text: str, phrase: Phrase, since: int) -> Span:
    start, end = since, phrase.start
    if phrase.rule.kind in (FORGET, SEARCH):
        end = _bare(text, (start, end))[1]
        start = max((m.end() for m in word("CLAUSE").finditer(text, start, end)), default=start)
    if opening := word("OPENING").match(text, start, end):
        start = opening.end()
    ending = word("ENDING_WIDE" if phrase.rule.is_wide else "ENDING").search(text, max(start, end - LEAD_CHARS), end)
    return _bare(text, (start, ending.start() if ending else end))


def _bare(text: str, span: Span) -> Span:
    """Return a content without what only ends the sentence: marks, thanks, an emphasis that is not closed in it."""
    start, end = span
    while start < end and text[start] in f"{STOPS}{DASHES}":
        start += 1
    for _ in range(ROUNDS):
        before = end
        while end > start and text[end - 1] in STOPS:
            end -= 1
        if tail := word("TAIL").search(text, max(start, end - LEAD_CHARS), end):
            end = max(start, tail.start())
        for mark in "**", "__", "*", "_", ")", "）":
            if text.endswith(mark, start, end) and not _is_closed(text[start:end], mark):
                end -= len(mark)
        if end == before:
            break
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _is_closed(content: str, mark: str) -> bool:
    opening = {")": "(", "）": "（"}.get(mark)
    return opening in content if opening else content.count(mark) % 2 == 0


def is_idle(text: str, phrase: Phrase, kind: str, about: Span, until: int) -> bool:
    """Return whether a wish is none to the memory: a question, a kind word, a program's memory, only for the moment."""
    words = text[about[0] : about[1]]
    rest = text[phrase.end : until]
    if kind in (REMEMBER, PIN, FORGET, REFLECT) and not phrase.is_asked and phrase.rule.lang != "ja":
        is_last = about[1] >= until - 12 or about[1] <= phrase.start
        if is_last and rest.rstrip(' *_)"”»').endswith(("?", "？")) and not word("TAG_QUESTION").search(rest):
            return True
    if kind == REMEMBER and word("SOCIAL").match(words):
        return True
    if kind in (FORGET, SCRATCH) and word("FOR_NOW").search(text, phrase.end, min(until, about[1] + FOR_NOW_CHARS)):
        return True
    is_programs = kind == PIN or (kind == FORGET and compiled(MEMORY).search(text[phrase.start : phrase.end]))
    return bool(is_programs and not phrase.is_own and word("OF_PROGRAMS").search(words))
