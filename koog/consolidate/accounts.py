"""Two accounts of one thing: two weights of one foam, who pays for the skylight, how the ropes are greased. Pure.

Both are another source's. Then one of three tells that they answer one question:

    values   each gives another value of one kind, and they share so much that both are about one thing
    doubt    the newer says of itself that nobody knows which is right
    words    somebody says the one, some paper has the other, and both share more than one rare word
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import product
from math import fsum

from koog.consolidate import doubts, hearsay, same_source, shared, telling, two_things, values
from koog.consolidate.doubts import is_doubt
from koog.consolidate.shared import Counts, things
from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled
from koog.core.text.says import says
from koog.sessions.labels import Label

TAKES_BACK = frozenset(("moved", "wrong", "rather", "over"))
THINGS = 2  # that both speak of
SURE = 0.95  # weight of what two lines share, from which on they are about one thing
BESIDE = 0.42  # of the word that stands beside both values
CLOSE = 0.8  # the same, where the values are words that are said of many things
ENOUGH, ENOUGH_YEARS = 1.3, 1.8  # weight of what two lines share, wherever it stands in them
MOST_OF = 0.6  # of what a sentence speaks of, which the other speaks of as well
ALONE = 1.4  # where no value differs
LEAST = 0.7  # of all: two lines that share less are not looked at
FEW = 3  # lines that have a word which tells of what they are
RARE, DENIED = 0.75, 1.7  # of what one denies and the other has; of all that both speak of then
OF_ONE = 1.2  # of what both speak of, where the one denies what the other says
DUTY = 0.84  # of a must that another denies: few lines speak of one
MOST_LINES = 60  # that have a word by which two are found
LIKE = (
    r"\b(?:sounds?|looks?|smells?|feels?|tastes?|ran|runs) like [^.,;!?]*"
    r"|\b(?:klingt|sieht aus|riecht|schmeckt|läuft) wie [^.,;!?]*"
    r"|\b(?:suena|huele|sabe|parece) (?:como|a) [^.,;!?]*|\b(?:sonne|sent) comme [^.,;!?]*"
)
# Who tells what is so now tells news: "the date is now the 26th".
IS_NOW = (
    r"(?i)\b(?:is|are|['’]s) now\b|\b(?:ist|sind|liegt|kostet) (?:jetzt|nun)\b|\bahora (?:es|son|está)\b"
    r"|\b(?:es|son|está) ahora\b|\b(?:est|sont) (?:maintenant|désormais)\b|现在(?:是|改)|今は[^。、]{1,20}(?:です|だ)\b"
)


def found(lines: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield every two lines by which two sources tell otherwise of one thing, in order of time; one label each."""
    once = {(each.label, each.text): each for each in sorted(lines, key=lambda s: (s.day, s.id), reverse=True)}
    count = shared.counted(once.values())
    by_word: dict[tuple[Label, str], list[Said]] = defaultdict(list)
    for each in reversed(once.values()):
        if telling.claims(each.text):
            for key in shared.words_of(each):
                by_word[key].append(each)
    weights: dict[tuple[Said, Said], float] = defaultdict(float)
    for (label, word), having in by_word.items():
        if len(having) <= MOST_LINES:
            for at, newer in enumerate(having):
                for older in having[:at]:
                    weights[older, newer] += count.weight(label, word)
    pairs = [pair for pair, weight in weights.items() if weight >= LEAST and pair[0].day < pair[1].day]
    told = [
        pair for pair in pairs if (_give_two(*pair, count) or _tell_alone(*pair, count)) and same_source.is_later(*pair)
    ]
    yield from told
    settled = {each.id for pair in told for each in pair}
    in_time = sorted(once.values(), key=lambda each: (each.day, each.id))
    yield from (pair for pair in doubts.found(in_time, count) if pair[1].id not in settled)


def differs(older: Said, newer: Said, count: Counts) -> bool:
    """Return whether two lines are two accounts of one thing. count: in how many lines of a label a word stands"""
    if not (telling.claims(older.text) and telling.claims(newer.text)) or not same_source.is_later(older, newer):
        return False
    return doubts.is_of(older, newer, count) or _give_two(older, newer, count) or _tell_alone(older, newer, count)


def _give_two(older: Said, newer: Said, count: Counts) -> bool:
    """Return whether two sources give two values of one thing, each beside something that both speak of."""
    apart = list(values.apart(telling.without_questions(older.text), telling.without_questions(newer.text)))
    if not is_doubt(newer.text) and compiled(IS_NOW).search(newer.text):
        return False
    whole = things(older.text) & things(newer.text)
    if two_things.is_of_a_new_one(older.text, newer.text):
        return False
    for one, two in product(telling.claims(older.text), telling.claims(newer.text)):
        if says(two.own).cues & TAKES_BACK and not is_doubt(newer.text):
            continue
        if _denies(one.own, two.own, newer, count) or _denies_it(one, two, newer, count):
            return True
        for a, b in apart:
            if a in values.given(one.own) and b in values.given(two.own):
                unit = {a.unit} & {b.unit} - values.NO_WORDS
                parts = (a.parts | b.parts) - unit
                if two_things.are_numbered(one.whole, two.whole):
                    continue
                is_whole = a.kind in values.RIGHTS or _names_nothing(one.own) or _names_nothing(two.own)
                texts = (one.whole, two.whole) if is_whole else (one.own, two.own)
                # Of where something is from, two places are no two things.
                if a.kind != values.ORIGIN and two_things.are_two(*texts, is_date=a.kind in values.DATES):
                    continue
                near = (things(texts[0]) & things(texts[1]) | unit) - parts
                if whole - parts - unit and _is_of_one_thing(near, (whole | unit) - parts, newer, a.kind, count):
                    return True
    return False


def _denies(one: str, two: str, newer: Said, count: Counts) -> bool:
    """Return whether one of two sentences denies what the other says, and they share most of what they speak of."""
    a, b = says(one), says(two)
    if (a.denials > 0) == (b.denials > 0):
        return False
    for ours, theirs, few in (
        (things(one), things(two), 0),
        (
            things(_claim(one)),
            things(_claim(two)),
            THINGS,
        ),  # a short claim shares most of itself by chance
    ):
        both = ours & theirs
        is_most = len(both) >= MOST_OF * min(len(ours), len(theirs)) and len(both) > few
        if is_most and not (a.denied | b.denied).isdisjoint(both):
            return fsum(count.weight(newer.label, each) for each in both) >= OF_ONE
    return False


def _denies_it(one: telling.Claim, two: telling.Claim, newer: Said, count: Counts) -> bool:
    """Return whether one of two claims denies the very thing that the other has, beside more that both speak of."""
    a, b = says(one.own), says(two.own)
    if (
        (a.denials > 0) == (b.denials > 0)
        or two_things.are_two(one.own, two.own)
        or two_things.are_numbered(one.whole, two.whole)
    ):
        return False
    denier, other = (a, b) if a.denials else (b, a)
    denied = denier.denied & things(one.own) & things(two.own) - other.denied
    weights = {word: count.weight(newer.label, word) for word in things(one.whole) & things(two.whole)}
    return max((weights[word] for word in denied), default=0.0) >= RARE and fsum(weights.values()) >= DENIED


def _claim(text: str) -> str:
    """Return what a sentence passes on, without who tells it; the sentence where nobody does.

    >>> _claim("A man in the toll office told me our bridge was listed"), _claim("Letter from Ott: it was never listed")
    (' me our bridge was listed', ' it was never listed')
    """
    for match in compiled(hearsay.WORD).finditer(text):
        if hearsay.is_for_telling(match[0].casefold()):
            behind = text[match.end() :]
            _, colon, said = behind.partition(":")
            return said if colon else behind
    return text


def _names_nothing(sentence: str) -> bool:
    """Return whether a paper has little more than a value, so that the sentence before it says of what.

    >>> _names_nothing("Plate behind the grille: installed 2014"), _names_nothing("Plate: the boiler pump is of 2014")
    (True, False)
    """
    told = sentence.partition(": ")[2] or _claim(sentence)
    return telling.is_written(sentence) and len(things(told)) < THINGS


def _is_of_one_thing(near: Set[str], whole: Set[str], newer: Said, kind: str, count: Counts) -> bool:
    """Return whether two lines are about one thing. near, whole: what they share beside their values, and at all"""
    weights = {word: count.weight(newer.label, word) for word in whole}
    least = DUTY if kind in values.RIGHTS else SURE
    # A thing has many years: when it was made, bought, sold. What passed and what failed may be parts of one matter.
    beside = SURE if kind == values.YEAR else CLOSE if kind in values.OF_KINDS else BESIDE
    enough = ENOUGH_YEARS if kind == values.YEAR else ENOUGH
    alike, nearest = fsum(weights.values()), max((weights[word] for word in near), default=0.0)
    return alike >= least and (nearest >= beside or alike >= enough)


def _tell_alone(older: Said, newer: Said, count: Counts) -> bool:
    """Return whether somebody says and some paper has what is about one thing, though no value differs."""
    if (
        says(newer.text).cues & TAKES_BACK
        or values.agree(older.text, newer.text)
        or two_things.is_of_a_new_one(older.text, newer.text)
    ):
        return False
    for one, two in product(telling.claims(older.text), telling.claims(newer.text)):
        if not ((one.is_said and telling.has_paper(two)) or (telling.has_paper(one) and two.is_said)):
            continue
        if two_things.are_numbered(one.whole, two.whole) or two_things.are_two(one.own, two.own, is_alone=True):
            continue
        near = things(_itself(one.own)) & things(_itself(two.own))
        whole = things(_itself(one.whole)) & things(_itself(two.whole))
        named = (says(one.whole).names | says(one.whole).maybe) & (says(two.whole).names | says(two.whole).maybe)
        if _says_alike(one.own, two.own):
            continue
        is_rare = any(count.words[newer.label, each] <= FEW and hearsay.tells(each) for each in near - named)
        if is_rare and len(whole) >= THINGS and fsum(count.weight(newer.label, each) for each in whole) >= ALONE:
            return True
    return False


def _itself(text: str) -> str:
    """Return a text without what something in it is only likened to: "it sounds like the boat"."""
    return compiled(LIKE, re.I).sub("", text)


def _says_alike(one: str, two: str) -> bool:
    """Return whether two sentences end in one name of which both speak, and give no other: it is Ada's, both say."""
    ours, theirs = (says(each).names - hearsay.opener(each) - telling.SPEAKER for each in (one, two))
    plain = (things(one) & things(two)) - ours - theirs
    if not ours & theirs or (ours - theirs and theirs - ours):
        return False
    return all(_last(ours & theirs, text) > _last(plain, text) for text in (one.casefold(), two.casefold()))


def _last(words: Set[str], text: str) -> int:
    """Return where the last of some words stands, -1 for none."""
    return max(map(text.rfind, words), default=-1)
