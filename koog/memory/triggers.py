"""What of a message asks the memory for something: to remember, to forget, to look up.  [moltbot §8.1, §14]

    detect    a message → its triggers, each with its content

Only what the person says himself and as a wish counts: nothing that is quoted, fenced, pasted, denied or told of
others. The phrases stand in triggers.txt. Pure and linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from koog.core.lazy_regex import compiled
from koog.memory import trigger_words
from koog.memory.trigger_words import (
    ALONE,
    BEFORE,
    FORGET,
    PIN,
    REFLECT,
    REMEMBER,
    SCRATCH,
    SEARCH,
    Rule,
    word,
)  # fmt: skip

if TYPE_CHECKING:
    from koog.memory.own_thoughts import Message

Span = tuple[int, int]

MOST = 200  # phrases of a message that are looked at: no person types more
MOST_CHARS = 4000  # of a sentence in which phrases are looked for
BLOT = "\0"
FOR_NOW_CHARS = 30  # behind a content
LEAD_CHARS = 100  # that are looked at before a phrase
STOPS, DASHES = " \t\r\n,;:.!?…，；：。！？、｡", "–—-"
# Parts of a text that are another's words, or none: each is closed by its own mark.
QUOTED = (
    r"`[^`\n]{1,1000}`|“[^“”]{1,1500}”|„[^„“”]{1,1500}[“”]|«[^«»]{1,1500}»|‹[^‹›]{1,1500}›|「[^「」]{1,1500}」"
    r"|『[^『』]{1,1500}』|‘[^‘’\n]{1,300}’(?!\w)|(?<![\w\"])\"[^\"]{1,1500}\"(?!\w)"
    r"|(?<![\w'])'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)"
)
OPENS = r"(?i)\s*(?:[:：,–—-]|(?:that|dass|que|qu')(?!\w))"  # a content behind a phrase that points
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


class _Around(NamedTuple):
    """What stands around a phrase: its thought's number, its part of the sentence, the sentences before and behind."""

    thought: int
    since: int
    until: int
    last: Span | None
    following: Span | None


def detect(text: str) -> tuple[Trigger, ...]:
    """Return the triggers of a message, in their order.

    >>> [(t.kind, t.content) for t in detect("Thanks! Please remember that we use pnpm. Forget about yarn, ok?")]
    [('remember', 'we use pnpm'), ('forget', 'yarn')]
    >>> detect("I can't remember that"), detect("> remember that")
    ((), ())
    """
    rules = trigger_words.of(text.replace("’", "'"))
    if not rules:
        return ()
    from koog.memory.own_thoughts import read  # which most messages do not need

    return tuple(_triggers(text, read(text), rules))


def _triggers(text: str, message: Message, rules: Sequence[Rule]) -> Iterator[Trigger]:
    from koog.core.text import sentences

    message = message._replace(text=text.replace("’", "'"))  # of one length: the places hold in both
    behind = 0  # what stands before it is a content already
    last: Span | None = None  # the sentence before
    left = MOST
    for n, thought in enumerate(message.thoughts):
        told = message.text[thought.start : thought.end].replace("\n", " ")
        tried = trigger_words.of(told, rules)
        own = _unquoted(text[thought.start : thought.end], told) if tried else told
        spans = [(thought.start + at, thought.start + at + len(each)) for at, each in sentences.split(told)]
        for span, following in zip(spans, [*spans[1:], None], strict=True):
            found = _phrases(tried, own, span, thought.start, left) if tried else []
            left -= len(found)
            wishes = [phrase for phrase in found if phrase]
            ends = [*(phrase.start for phrase in wishes[1:]), span[1]]
            for phrase, until in zip(wishes, ends, strict=False):  # without wishes there is one end too many
                if phrase.start < behind:
                    continue
                around = _Around(n, max(span[0], behind), until, last, following)
                kind, content = _content(message, phrase, around)
                if content is None or _is_idle(message.text, phrase, kind, content, until):
                    continue
                behind = max(behind, content[1], phrase.end)
                start, end = phrase.start, phrase.end
                yield Trigger(kind, text[start:end], text[content[0] : content[1]], start, end)
            last = span
            if left <= 0:
                return


# --- phrases


def _unquoted(text: str, told: str) -> str:
    """Return a thought in which what is quoted, handed over or code is blotted out, of whatever length it is."""
    from koog.core.text import ownwords

    spans = [mark.span() for mark in compiled(QUOTED).finditer(text)] + ownwords.quoted(text)
    parts, behind = list[str](), 0
    for start, end in sorted(spans):
        if end > behind:
            parts += (told[behind : max(start, behind)], BLOT * (end - max(start, behind)))
            behind = end
    return "".join((*parts, told[behind:]))


def _phrases(rules: Sequence[Rule], told: str, span: Span, offset: int, most: int) -> list[_Phrase | None]:
    """Return the phrases of a sentence in their order, none within another; None stands for one that is no wish."""
    start = span[0] - offset
    end = min(span[1] - offset, start + MOST_CHARS)
    tried = trigger_words.of(told[start:end], rules)
    matches = [(m, rule) for rule in tried for m in islice(rule.compiled().finditer(told, start, end), most)]
    matches.sort(key=lambda each: (each[0].start(), -each[0].end()))
    found, behind = list[_Phrase | None](), 0
    for m, rule in matches[:most]:
        at = m.start()
        if at < behind:
            continue
        before = told[max(start, at - LEAD_CHARS) : at]
        lead = word("LEAD_WIDE" if rule.is_wide else "LEAD").search(
            before if at - start <= LEAD_CHARS else f"x{before}"
        )
        if (lead is None and rule.where != BEFORE) or _is_told(before):
            found.append(None)
            continue
        groups = m.groupdict()
        inside = next((name for name in ("what", "what2") if groups.get(name)), "")
        what = (offset + m.start(inside), offset + m.end(inside)) if inside else None
        asked = bool((lead and lead["frame"]) or word("FRAMES").match(m[0]))
        found.append(_Phrase(rule, offset + at, offset + m.end(), what, asked, bool(groups.get("own"))))
        behind = m.end()
    return found


def _is_told(before: str) -> bool:
    """Return whether what stands before a phrase says that somebody else says it, or that it is a draft."""
    if not before.strip():
        return False
    from koog.core.text import ownwords

    return bool(word("REPORTS").search(before)) or ownwords.announces(before) or ownwords.asks_for_draft(before)


# --- contents


def _content(message: Message, phrase: _Phrase, around: _Around) -> tuple[str, Span | None]:
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


def _pointed(message: Message, phrase: _Phrase, around: _Around, beside: Span) -> Span | None:
    """Return what a phrase points to: the block behind its colon, its own sentence, the one before, the one behind."""
    text, end = message.text, message.thoughts[around.thought].end
    if around.until >= end - 2 and compiled(r"[:：][\s*_]*\Z").search(text[phrase.start : end]):
        return message.following(around.thought)
    if _says(text, beside):
        return beside
    found = _neighbour(text, phrase, around)
    return found if found and _says(text, found) else message.preceding(around.thought)


def _neighbour(text: str, phrase: _Phrase, around: _Around) -> Span | None:
    """Return the sentence before a phrase's; the one behind it where that was asked, or where none stands before."""
    is_question = text[phrase.end : around.until].rstrip().endswith(("?", "？"))
    first = around.following if phrase.is_asked and is_question else None
    found = first or around.last or around.following
    return _bare(text, found) if found else None


def _kind(text: str, kind: str, span: Span) -> tuple[str, Span | None]:
    if kind == FORGET and word("JUST_SAID").fullmatch(text, *span):
        return SCRATCH, (span[1], span[1])
    return kind, span if _says(text, span) else None


def _forgotten(text: str, phrase: _Phrase, span: Span, last: Span | None) -> tuple[str, Span | None]:
    if _says(text, span) and not word("JUST_SAID").fullmatch(text, *span):
        return FORGET, span
    if phrase.rule.where == BEFORE and not phrase.rule.is_wide:  # "that's no longer relevant"
        return (FORGET, _bare(text, last)) if last else (SCRATCH, (phrase.end, phrase.end))
    return SCRATCH, (phrase.end, phrase.end) if span[0] < span[1] else None


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
        if is_last and rest.rstrip(' *_)"”»').endswith(("?", "？")) and not word("TAG_QUESTION").search(rest):
            return True
    if kind == REMEMBER and word("SOCIAL").match(words):
        return True
    if kind in (FORGET, SCRATCH) and word("FOR_NOW").search(text, phrase.end, min(until, content[1] + FOR_NOW_CHARS)):
        return True
    is_programs = kind == PIN or (kind == FORGET and compiled(MEMORY).search(text[phrase.start : phrase.end]))
    return bool(is_programs and not phrase.is_own and word("OF_PROGRAMS").search(words))
