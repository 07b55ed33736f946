"""What of a message asks the memory for something: to remember, to forget, to look up.  [moltbot §8.1, §14]

    detect    a message → its triggers, each with its content
    asked     a message that says one thing and asks for it to be remembered → that thing

Only what the person says himself and as a wish counts: nothing that is quoted, fenced, pasted, denied or told of
others. The phrases stand in triggers.txt. Pure and linear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from koog.core.named import NamedTuple
from koog.memory.trigger import trigger_words
from koog.memory.trigger.trigger_words import Rule

MOST = 100  # phrases of a message that are looked at: no person types more
MOST_OF_IT = 0.6  # of a text: so much is what follows "remember that", else it says other things, too
ASKING_CHARS = 100  # of what only asks, before a content or behind it


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
    return tuple(_triggers(text, rules))


def asked(text: str) -> str:
    """Return what a text asks to be remembered, without the words that ask; "" where it says other things before.

    >>> asked("Could you please remember that Ana is vegan?"), asked("Ana is here. Remember: she is vegan, as Bo is.")
    ('Ana is vegan', '')
    >>> asked("Merk dir bitte: Ana ist Veganerin. Also keine Butter in den Kuchen, und auch sonst nichts mit Milch.")
    'Ana ist Veganerin. Also keine Butter in den Kuchen, und auch sonst nichts mit Milch.'
    """
    found = [each for each in detect(text) if each.kind in (trigger_words.REMEMBER, trigger_words.PIN) and each.content]
    if len(found) != 1:
        return ""
    content = found[0].content
    if _only_asks(text, found[0]):
        return content
    at = text.find(content, found[0].end)
    before = text[: found[0].start]
    if at >= 0 and len(before) <= ASKING_CHARS and trigger_words.asks(before.replace("’", "'")):
        return text[at:].strip()  # more follows, of the same
    return content if len(content) >= MOST_OF_IT * len(text) else ""


def _only_asks(text: str, trigger: Trigger) -> bool:
    """Return whether a text has nothing beside a content but words that ask for it to be remembered."""
    at = text.find(trigger.content, trigger.start)
    at = at if at >= 0 else text.rfind(trigger.content, 0, trigger.start)
    (_, first), (second, _) = sorted(((trigger.start, trigger.end), (at, at + len(trigger.content))))
    begin, end = min(trigger.start, at), max(trigger.end, at + len(trigger.content))
    rest = (text[:begin], text[first:second], text[end:])
    return all(len(each) <= ASKING_CHARS and trigger_words.asks(each.replace("’", "'")) for each in rest)


def _triggers(text: str, rules: Sequence[Rule]) -> Iterator[Trigger]:
    from koog.core.text import sentences  # most messages need none of these
    from koog.memory.trigger.own_thoughts import read
    from koog.memory.trigger.trigger_contents import Around, content, is_idle
    from koog.memory.trigger.trigger_phrases import phrases, unquoted

    message = read(text)._replace(text=text.replace("’", "'"))  # of one length: the places hold in both
    behind = 0  # what stands before it is a content already
    last: tuple[int, int] | None = None  # the sentence before
    left = MOST
    for n, thought in enumerate(message.thoughts):
        told = message.text[thought.start : thought.end].replace("\n", " ")
        tried = trigger_words.of(told, rules)
        own = unquoted(text[thought.start : thought.end], told) if tried else told
        tried = [rule for rule in tried if rule.compiled().search(own)]
        spans = [(thought.start + at, thought.start + at + len(each)) for at, each in sentences.split(told)]
        for span, following in zip(spans, [*spans[1:], None], strict=True):
            found = phrases(tried, own, span, thought.start, left) if tried else []
            left -= len(found)
            wishes = [phrase for phrase in found if phrase]
            ends = [*(phrase.start for phrase in wishes[1:]), span[1]]
            for phrase, until in zip(wishes, ends, strict=False):  # without wishes there is one end too many
                if phrase.start < behind:
                    continue
                around = Around(n, max(span[0], behind), until, last, following)
                kind, about = content(message, phrase, around)
                if about is None or is_idle(message.text, phrase, kind, about, until):
                    continue
                behind = max(behind, about[1], phrase.end)
                start, end = phrase.start, phrase.end
                yield Trigger(kind, text[start:end], text[about[0] : about[1]], start, end)
            last = span
            if left <= 0:
                return
