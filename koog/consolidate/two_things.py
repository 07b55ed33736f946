"""Whether two lines speak of two things of one kind: of weekdays and of Sundays, of berth 3 and of berth 5. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from itertools import permutations

from koog.consolidate import hearsay, shared, value_words, values
from koog.core.lazy_regex import compiled
from koog.core.text.says import NUMBERS, bare, says

OF_WHICH = frozenset("weekday month season part colour order pole height side reach size pace place inside".split())
DATES_OF = frozenset(("weekday", "month"))
OTHERWISE = frozenset(("order", "part", "colour", "side"))
DURING = r"\b(?:during|throughout|while|während|durante|mientras|pendant)\b"
PLACED = r"\b(?:in|at|for|near|to|bei|nach|für|en|para|à|pour)\s([A-ZÀ-Þ][\w'-]+)"
# What tells one thing of a kind from another: berth 3, site B, room no. 4. A count of something is none.
MEASURED = rf"(?:{value_words.MONEYS}|{'|'.join(map(re.escape, sorted(value_words.MEASURES)))})"
NUMBERED = (
    r"(?<![^\W_])(?P<kind>[^\W\d_]{2,}) (?:(?:no|nr|núm|num)\.? ?|n[°º] ?|number |nummer |número |numéro |# ?)?"
    rf"(?P<which>\d{{1,3}}[a-z]?|[A-HJ-Z]|(?i:{'|'.join(NUMBERS)}))"
    rf"(?![\w%°'’-]|[.,:/]\d)(?! ?(?i:{MEASURED})(?![^\W_]))",
    r"(?P<which>\d{1,3}|[A-Z]|[一二三四五六七八九十])(?:号|號|番)(?P<kind>[\u3040-\u9fff])",
)
# Something new, of which nobody has told before: "a new contract"; "the new contract" may be the one others tell of.
NEW = (
    r"(?:(?P<the>[^\W\d_]+) )?(?<![^\W_])(?:new|neue[rsmn]?|nuev[oa]s?|nouve(?:au|aux|l|lle|lles))"
    r" (?P<what>[^\W_]+(?: [^\W_]+){0,2})"
    r"|(?:签|换|买|订)了?[一份个台张]*新的?(?P<wide>[\u3400-\u9fff]{2,4})|新しい(?P<kana>[\u3040-\u9fff]{2,4})を"
)
KNOWN = frozenset(
    "the this that these those our my his her their your der die das dem den el la los las mi mis le les mon ma mes ce"
    " notre nos nuestro nuestra".split()
)


def are_two(one: str, two: str, *, is_date: bool = False, is_alone: bool = False) -> bool:
    """Return whether each of two sentences says of which it speaks: of weekdays and of Sundays, of Olten and of Aarau.

    is_date   the values are days themselves, of which weekdays and months are a part
    is_alone  there are no values: a name, or the second of some, may be what both tell otherwise
    """
    a, b = says(one), says(two)
    kinds = OF_WHICH - DATES_OF if is_date else OF_WHICH - OTHERWISE if is_alone else OF_WHICH
    if any(a.kinds[kind].isdisjoint(b.kinds[kind]) for kind in a.kinds.keys() & b.kinds.keys() & kinds):
        return True
    for (x, _), (y, text) in permutations(((a, one), (b, two))):
        if not is_date and "part" in x.kinds and "weekday" in y.kinds:
            return True  # of weekdays, of Sundays
        if "reach" in x.kinds and compiled(DURING, re.I).search(text):
            return True  # after the trial, during the trial
    ours, theirs = (_of_whom(each) if not is_alone else _placed(each) for each in (one, two))
    if are_numbered(one, two):
        return True
    return bool(ours and theirs) and ours.isdisjoint(theirs)


def are_numbered(one: str, two: str) -> bool:
    """Return whether each of two texts has another number or letter behind a word of one kind.

    >>> are_numbered("Berth 3 is 5.2 metres", "berth 5 is silting"), are_numbered("It took 3 days", "It took 5 days")
    (True, False)
    """
    ours, theirs = _numbered(one), _numbered(two)
    return any(ours[kind].isdisjoint(theirs[kind]) for kind in ours.keys() & theirs.keys())


@lru_cache(maxsize=4096)
def _numbered(text: str) -> dict[frozenset[str], set[str]]:
    """Return the numbers and letters that stand behind each word of a text, and tell which one is meant."""
    found = defaultdict[frozenset[str], set[str]](set)
    text = bare(text)
    for figure in (pattern for _, patterns in values.FIGURES for pattern in patterns):
        text = compiled(figure, re.I).sub(".", text)
    for pattern in NUMBERED:
        for match in compiled(pattern).finditer(text):
            word, which = match["kind"].casefold(), match["which"].casefold()
            kind = says(word).ideas or frozenset(word if says(word).wide else ())
            if kind and not hearsay.is_for_telling(word):
                found[kind].add(str(NUMBERS.get(which, which)))
    return dict(found)


def is_of_a_new_one(older: str, newer: str) -> bool:
    """Return whether a line tells that there is a new one of what both speak of."""
    both = shared.things(older) & shared.things(newer)
    return not both.isdisjoint(_new(newer) - _new(older))


@lru_cache(maxsize=4096)
def _new(text: str) -> frozenset[str]:
    """Return what a text says that there is a new one of."""
    found = frozenset[str]()
    for match in compiled(NEW).finditer(bare(text).casefold()):
        if match["the"] not in KNOWN:
            found |= says(match["what"] or match["wide"] or match["kana"]).ideas
    return found


@lru_cache(maxsize=4096)
def _of_whom(text: str) -> frozenset[str]:
    """Return the names that a sentence has besides those of its source, and what stands behind "in" and the like."""
    tellers = hearsay.opener(text).union(*hearsay.sources(text))
    return frozenset(each for each in (_placed(text) | says(text).names) - tellers if hearsay.tells(each))


def _placed(text: str) -> frozenset[str]:
    """Return what stands behind "in" and the like with a capital."""
    return frozenset[str]().union(*(says(each).ideas for each in compiled(PLACED).findall(text)))
