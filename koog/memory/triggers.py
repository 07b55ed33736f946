"""What of a message asks the memory for something: to remember, to forget, to look up.  [moltbot §8.1, §14]

    detect    a message → its triggers, each with its content

Only what the person says himself and as a wish counts: nothing that is quoted, fenced, pasted, denied or told of
others. The phrases stand in triggers.txt. Pure and linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from koog.core.lazy_regex import compiled
from koog.core.text import ownwords, sentences
from koog.memory import trigger_words
from koog.memory.own_thoughts import Message, read
from koog.memory.trigger_words import (
    AFTER, ALONE, BEFORE, FORGET, PIN, REFLECT, REMEMBER, SCRATCH, SEARCH, Rule, word,
)  # fmt: skip

Span = tuple[int, int]

LEAD_CHARS = 100  # that are looked at before a phrase
STOPS = " \t\r\n,;:.!?…，；：。！？、｡–—-"
# Parts of a text that are another's words, or none: each is closed by its own mark.
QUOTED = (
    r"`[^`\n]{1,1000}`|“[^“”]{1,1500}”|„[^„“”]{1,1500}[“”]|«[^«»]{1,1500}»|‹[^‹›]{1,1500}›|「[^「」]{1,1500}」"
    r"|『[^『』]{1,1500}』|‘[^‘’\n]{1,300}’(?!\w)|(?<![\w\"])\"[^\"]{1,1500}\"(?!\w)"
    r"|(?<![\w'])'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)"
)
MEMORY = r"(?i)memor|mémoire|speicher|gedächtnis|记忆|記憶"


class Trigger(NamedTuple):
    """A wish to the memory.

    kind      remember, pin, forget, scratch (what this session stored last), search, reflect
    phrase    the words that say so: text[start:end]
    content   what is to be remembered, forgotten or looked up, as it was written; "" where the phrase needs none
    """

    kind: str
    phrase: str
    content: str
    start: int
    end: int


class _Phrase(NamedTuple):
    """A phrase in a sentence, by its places in the message.

    what      the content, where the phrase has it inside
    is_asked  it is a request: "could you …?"
    is_own    it names the agent's own memory
    """

    rule: Rule
    start: int
    end: int
    what: Span | None
    is_asked: bool
    is_own: bool


def detect(text: str) -> tuple[Trigger, ...]:
    """Return the triggers of a message, in their order.

    >>> [(t.kind, t.content) for t in detect("Thanks! Please remember that we use pnpm. Forget about yarn, ok?")]
    [('remember', 'we use pnpm'), ('forget', 'yarn')]
    >>> detect("I can't remember that"), detect("> remember that")
    ((), ())
    """
    rules = trigger_words.of(text.replace("’", "'"))
    return tuple(_triggers(text, read(text), rules)) if rules else ()


def _triggers(text: str, message: Message, rules: Sequence[Rule]) -> Iterator[Trigger]:
    message = message._replace(text=text.replace("’", "'"))  # of one length: the places hold in both
    behind = 0  # what stands before it is a content already
    last: Span | None = None  # the sentence before
    for n, thought in enumerate(message.thoughts):
        told = message.text[thought.start : thought.end].replace("\n", " ")
        tried = trigger_words.of(told, rules)
        quoted = _quoted(text[thought.start : thought.end]) if tried else []
        for at, sentence in sentences.split(told):
            span = (thought.start + at, thought.start + at + len(sentence))
            if tried:
                found = _phrases(tried, told, (at, at + len(sentence)), thought.start, quoted)
                for i, phrase in enumerate(found):
                    if phrase.start < behind:
                        continue
                    around = (found[i - 1].end if i else span[0], found[i + 1].start if i + 1 < len(found) else span[1])
                    kind, content = _content(message, phrase, n, around, last)
                    if content is None or _is_idle(message.text, phrase, kind, content, around[1]):
                        continue
                    behind = max(behind, content[1], phrase.end)
                    start, end = phrase.start, phrase.end
                    yield Trigger(kind, text[start:end], text[content[0] : content[1]], start, end)
            last = span


# --- phrases


def _quoted(told: str) -> list[Span]:
    """Return the parts of a thought that are quoted, handed over or code, of whatever length."""
    return [mark.span() for mark in compiled(QUOTED).finditer(told)] + ownwords.quoted(told)


def _phrases(rules: Sequence[Rule], told: str, span: Span, offset: int, quoted: Sequence[Span]) -> list[_Phrase]:
    """Return the phrases of a sentence that are wishes, in their order, none within another."""
    start, end = span
    tried = trigger_words.of(told[start:end], rules)
    matches = [(m, rule) for rule in tried for m in rule.compiled().finditer(told, start, end)]
    matches.sort(key=lambda each: (each[0].start(), -each[0].end()))
    found, behind = list[_Phrase](), 0
    for m, rule in matches:
        at = m.start()
        if at < behind or any(begin <= at < stop for begin, stop in quoted):
            continue
        before = told[max(start, at - LEAD_CHARS) : at]
        lead = word("LEAD_WIDE" if rule.is_wide else "LEAD").search(before if at - start <= LEAD_CHARS else f"x{before}")
        if (lead is None and rule.where != BEFORE) or _is_told(before):
            continue
        groups = m.groupdict()
        inside = next((name for name in ("what", "what2") if groups.get(name)), "")
        what = (offset + m.start(inside), offset + m.end(inside)) if inside else None
        asked = bool(lead and lead["frame"])
        found.append(_Phrase(rule, offset + at, offset + m.end(), what, asked, bool(groups.get("own"))))
        behind = m.end()
    return found


def _is_told(before: str) -> bool:
    """Return whether what stands before a phrase says that somebody else says it, or that it is a draft."""
    if not before.strip():
        return False
    return bool(word("REPORTS").search(before)) or ownwords.announces(before) or ownwords.asks_for_draft(before)


# --- contents


def _content(message: Message, phrase: _Phrase, n: int, around: Span, last: Span | None) -> tuple[str, Span | None]:
    """Return the kind of a trigger and where its content is; None where there is nothing it could be about."""
    kind, where, none = phrase.rule.kind, phrase.rule.where, (phrase.end, phrase.end)
    if where == ALONE:
        return kind, none
    if phrase.what:
        return _kind(message.text, kind, _bare(message.text, phrase.what))
    after = _after(message.text, phrase, kind, around[1])
    before = _before(message.text, phrase, around[0])
    first, second = (before, after) if where == BEFORE else (after, before)
    if kind in (FORGET, SCRATCH):
        return _forgotten(message.text, phrase, first, last)
    if kind in (SEARCH, REFLECT):
        found = first if _says(message.text, first) else None
        return kind, found or (none if kind == REFLECT else None)
    if _says(message.text, first):
        return kind, first
    thought = message.thoughts[n]
    if compiled(r"[:：][\s*_]*\Z").search(message.text[phrase.start : thought.end]) and around[1] >= thought.end - 2:
        return kind, message.following(n)
    if _says(message.text, second):
        return kind, second
    return kind, last or message.preceding(n)


def _kind(text: str, kind: str, span: Span) -> tuple[str, Span | None]:
    if kind == FORGET and word("JUST_SAID").fullmatch(text, *span):
        return SCRATCH, (span[1], span[1])
    return kind, span if _says(text, span) else None


def _forgotten(text: str, phrase: _Phrase, span: Span, last: Span | None) -> tuple[str, Span | None]:
    if _says(text, span) and not word("JUST_SAID").fullmatch(text, *span):
        return FORGET, span
    if phrase.rule.where == BEFORE and not phrase.rule.is_wide and last:
        return FORGET, last
    return SCRATCH, (phrase.end, phrase.end)


def _says(text: str, span: Span) -> bool:
    """Return whether a content is one: more than a word that points back."""
    start, end = span
    return start < end and not word("POINTING").fullmatch(text, start, end)


def _after(text: str, phrase: _Phrase, kind: str, until: int) -> Span:
    start = phrase.end
    if intro := word("INTRO").match(text, start, until):
        start = intro.end()
    cut = word("CLAUSE" if kind in (FORGET, SCRATCH) else "GOES_ON").search(text, start, until)
    return _bare(text, (start, cut.start() if cut else until))


def _before(text: str, phrase: _Phrase, since: int) -> Span:
    start, end = since, phrase.start
    if phrase.rule.kind in (FORGET, SEARCH):
        start = max((m.end() for m in word("CLAUSE").finditer(text, start, end)), default=start)
    if opening := word("OPENING").match(text, start, end):
        start = opening.end()
    ending = word("ENDING_WIDE" if phrase.rule.is_wide else "ENDING").search(text, max(start, end - LEAD_CHARS), end)
    return _bare(text, (start, ending.start() if ending else end))


def _bare(text: str, span: Span) -> Span:
    """Return a content without what only ends the sentence: marks, thanks, an emphasis that is not closed in it."""
    start, end = span
    while start < end and text[start] in STOPS:
        start += 1
    while True:
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
    for mark in "**", "__", "*", "_":
        if text.startswith(mark, start, end) and text.count(mark, start, end) % 2:
            start += len(mark)
    while start < end and text[start].isspace():
        start += 1
    return start, end


def _is_closed(content: str, mark: str) -> bool:
    opening = {")": "(", "）": "（"}.get(mark)
    return opening in content if opening else content.count(mark) % 2 == 0


def _is_idle(text: str, phrase: _Phrase, kind: str, content: Span, until: int) -> bool:
    """Return whether a wish is none to the memory: a question, a kind word, a program's memory, only for the moment."""
    words = text[content[0] : content[1]]
    rest = text[phrase.end : until]
    if kind in (REMEMBER, PIN, FORGET, REFLECT) and not phrase.is_asked and phrase.rule.lang != "ja":
        is_last = content[1] >= until - 12 or content[1] <= phrase.start
        if is_last and rest.rstrip(" *_)\"”»").endswith(("?", "？")) and not word("TAG_QUESTION").search(rest):
            return True
    if kind == REMEMBER and word("SOCIAL").match(words):
        return True
    if kind == FORGET and word("FOR_NOW").search(words):
        return True
    is_programs = kind == PIN or (kind == FORGET and compiled(MEMORY).search(text[phrase.start : phrase.end]))
    return bool(is_programs and not phrase.is_own and word("OF_PROGRAMS").search(words))
