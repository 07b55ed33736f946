"""Whether two lines are one source's: who said so the first time says it again, or something else by now. Pure."""

from __future__ import annotations

from functools import lru_cache

from koog.consolidate import hearsay, matters
from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled
from koog.core.text.says import is_of_letter, is_of_paper, is_of_source, says

# Behind these stands who is told, and not who tells.
TO_WHOM = frozenset("tell tells told telling texted emailed mailed phoned informed notified".split())


def is_later(older: Said, newer: Said) -> bool:
    """Return whether a line is another source's than an older one, in other words."""
    is_other = older.day < newer.day and says(older.text).words != says(newer.text).words
    return is_other and not is_of_one(older.text, newer.text)


def is_of_one(text: str, other: str) -> bool:
    """Return whether one source tells both, or whose word the one is stands in the other, by all that he is called.

    >>> is_of_one("Imhof says the hall is free", "Imhof rang, he gives me two weeks")
    True
    >>> is_of_one("Imhof came by, the rent is 400", "Imhof in a tie. The rent goes up to 460, a letter says")
    True
    """
    if says(text).wide or says(other).wide:
        return False  # without blanks nobody can tell which words name the source
    one, two = (hearsay.called(compiled(hearsay.OWNER).findall(each.casefold())) for each in (text, other))
    ours, theirs = (list(filter(_is_other, hearsay.sources(each))) for each in (text, other))
    if not (ours and theirs) and any(map(hearsay.tells, hearsay.opener(text) & hearsay.opener(other))):
        return True
    tells, retells = _tells_it(text), _tells_it(other)
    if not (tells.isdisjoint(retells | hearsay.opener(other)) and retells.isdisjoint(hearsay.opener(text))):
        return True
    if ours and theirs:
        ones, twos = (*ours, hearsay.opener(text)), (*theirs, hearsay.opener(other))
        return any(a <= b for a in ours for b in twos) or any(b <= a for b in theirs for a in ones)
    return any(each <= two for each in ours) or any(each <= one for each in theirs)


@lru_cache(maxsize=4096)
def _tells_it(text: str) -> frozenset[str]:
    """Return who is named beside a word for telling: "me escribió Tomás", "Tomás wrote"."""
    named, found = says(text).names | says(text).maybe, set[str]()
    words = compiled(hearsay.WORD).findall(text)
    for at, word in enumerate(words):
        low = word.casefold()
        if (is_of_letter(low) or is_of_source(low)) and not is_of_paper(low):
            end = at if low in TO_WHOM else at + 2
            found |= named & hearsay.called([each.casefold() for each in words[max(0, at - 1) : end]])
    return frozenset(filter(hearsay.tells, found))


def _is_other(source: frozenset[str]) -> bool:
    """Return whether a source is none who speaks of himself."""
    return not any(map(matters.is_speaker, source))
