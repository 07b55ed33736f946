"""Which phrases of a sentence are wishes to the memory, and where they stand.  [moltbot §8.1, §14]

What is quoted, code or handed over is blotted out before. A phrase counts where its clause begins, behind "please" and
its like or behind "could you"; what anybody else says, remembers or is to write is no wish.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import ownwords
from koog.memory.trigger import trigger_words
from koog.memory.trigger.trigger_words import BEFORE, Rule, word

Span = tuple[int, int]

MOST_CHARS = 4000  # of a sentence in which phrases are looked for
LEAD_CHARS = 100  # that are looked at before a phrase
BLOT = "\0"
# Parts of a text that are another's words, or none: each is closed by its own mark.
QUOTED = (
    r"`[^`\n]{1,1000}`|“[^“”]{1,1500}”|„[^„“”]{1,1500}[“”]|«[^«»]{1,1500}»|‹[^‹›]{1,1500}›|「[^「」]{1,1500}」"
    r"|『[^『』]{1,1500}』|‘[^‘’\n]{1,300}’(?!\w)|(?<![\w\"])\"[^\"]{1,1500}\"(?!\w)"
    r"|(?<![\w'])'(?=\w)(?:[^'\n]|(?<=\w)'(?=\w)){1,300}'(?!\w)"
)


class Phrase(NamedTuple):
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


def unquoted(text: str, told: str) -> str:
    """Return a thought in which what is quoted, handed over or code is blotted out, of whatever length it is."""
    spans = [mark.span() for mark in compiled(QUOTED).finditer(text)] + ownwords.quoted(text)
    parts, behind = list[str](), 0
    for start, end in sorted(spans):
        if end > behind:
            parts += (told[behind : max(start, behind)], BLOT * (end - max(start, behind)))
            behind = end
    return "".join((*parts, told[behind:]))


def phrases(rules: Sequence[Rule], told: str, span: Span, offset: int, most: int) -> list[Phrase | None]:
    """Return the phrases of a sentence in their order, none within another; None stands for one that is no wish."""
    start = span[0] - offset
    end = min(span[1] - offset, start + MOST_CHARS)
    tried = trigger_words.of(told[start:end], rules)
    matches = [(m, rule) for rule in tried for m in islice(rule.compiled().finditer(told, start, end), most)]
    matches.sort(key=lambda each: (each[0].start(), -each[0].end()))
    found, behind = list[Phrase | None](), 0
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
        found.append(Phrase(rule, offset + at, offset + m.end(), what, asked, bool(groups.get("own"))))
        behind = m.end()
    return found


def _is_told(before: str) -> bool:
    """Return whether what stands before a phrase says that somebody else says it, or that it is a draft."""
    if not before.strip():
        return False
    return bool(word("REPORTS").search(before)) or ownwords.announces(before) or ownwords.asks_for_draft(before)
