"""Two accounts of one thing: two weights of one foam, who pays for the skylight, how the ropes are greased. Pure.

Both are another source's. Then one of three tells that they answer one question:

    values   each gives another value of one kind, and they share so much that both are about one thing
    doubt    the newer says of itself that nobody knows which is right
    words    somebody says the one, some paper has the other, and both share more than one rare word
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import permutations, product
from math import fsum, log

from koog.consolidate import hearsay, matters, telling, value_words, values
from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.compare import common
from koog.core.text.says import (
    NUMBERS,
    bare,
    is_of_letter,
    is_of_paper,
    is_of_source,
    says,
)
from koog.sessions.labels import Label

TAKES_BACK = frozenset(("moved", "wrong", "rather", "over"))
THINGS = 2  # that both speak of
TWO = 2  # lines that have the word: these, and no other
SURE = 0.95  # weight of what two lines share, from which on they are about one thing
BESIDE = 0.42  # of the word that stands beside both values
CLOSE = 0.8  # the same, where the values are words that are said of many things
MOST_OF = 0.6  # of what a sentence speaks of, which the other speaks of as well
ALONE = 1.4  # where no value differs
LEAST = 0.7  # of all: two lines that share less are not looked at
FEW = 3  # lines that have a word which tells of what they are
RARE, DENIED = 0.75, 1.7  # of what one denies and the other has; of all that both speak of then
OPEN = 1.2  # where only a doubt tells that something is open
DUTY = 0.84  # of a must that another denies: few lines speak of one
MANY = 200  # lines of a memory in which a word of two lines tells as much as one can
MOST_LINES = 60  # that have a word by which two are found
TIMES = (
    "<month",
    "<day>",
    "<week>",
    "<year>",
    "<minute>",
    "<hour>",
    "<rhythm",
    "<letter>",
    "<call>",
    "<email>",
    "<message>",
)
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
LIKE = (
    r"\b(?:sounds?|looks?|smells?|feels?|tastes?|ran|runs) like [^.,;!?]*"
    r"|\b(?:klingt|sieht aus|riecht|schmeckt|läuft) wie [^.,;!?]*"
    r"|\b(?:suena|huele|sabe|parece) (?:como|a) [^.,;!?]*|\b(?:sonne|sent) comme [^.,;!?]*"
)
KNOWN = frozenset(
    "the this that these those our my his her their your der die das dem den el la los las mi mis le les mon ma mes ce"
    " notre nos nuestro nuestra".split()
)
# Who tells what is so now tells news: "the date is now the 26th".
IS_NOW = (
    r"(?i)\b(?:is|are|['’]s) now\b|\b(?:ist|sind|liegt|kostet) (?:jetzt|nun)\b|\bahora (?:es|son|está)\b"
    r"|\b(?:es|son|está) ahora\b|\b(?:est|sont) (?:maintenant|désormais)\b|现在(?:是|改)|今は[^。、]{1,20}(?:です|だ)\b"
)
CLASS = ("<", "#")  # how an idea begins that is of many words, or a number
DOUBT = (
    r"\b(?:which (?:one|of (?:them|the two|these)|paper|date|version|figure|is)\b[^.?!]{0,30}\b(?:right|true|counts"
    r"|holds|applies"
    r"|correct|believe)|which (?:one )?(?:counts|holds|applies|is (?:right|true|it))|who(?:'s| is| of them is) right"
    r"|who to (?:believe|trust|go by)"
    r"|who (?:do|should|am) (?:i|we) (?:to )?(?:listen to|believe|trust|go by)|(?:don't|doesn't|didn't) (?:match"
    r"|agree|tally|add up)"
    r"|not what (?:i|we)(?:'ve| have|'d| had| was| were)? \w+"
    r"|not what (?:(?:the|my|our) )?(?:[^\W_]+ ){1,3}(?:told|tells|said|says|wrote)"
    r"|contradict\w*|conflict(?:s|ing)?|(?:says"
    r"|has it) otherwise"
    r"|either [^.!?]{2,40}(?:'s| is| are) wrong or"
    r"|one of (?:them|(?:the|those|these) two) (?:is|must be|has to be) wrong"
    r"|was (?:stimmt|gilt) (?:nun|jetzt|denn|da)|wer hat (?:nun |denn )?recht|wem (?:soll|kann) (?:ich"
    r"|man) (?:da )?glauben"
    r"|(?:hat|haben)(?: mir| uns)? [^.?!]{0,30}\banders (?:gesagt|erzählt)|no es lo que (?:me|nos) (?:dij|cont)\w+"
    r"|pas ce que [^.?!]{0,30}(?:m'a|nous a|m'ont) (?:dit|écrit)"
    r"|welche[rs]?\b[^.?!]{0,20} (?:gilt|stimmt)|widersprechen|widerspr[iu]ch\w*|passt nicht zusammen"
    r"|quién tiene razón|a quién (?:le )?(?:hago caso|creo)|cuál (?:vale|es (?:la|el) buen[oa]|de los dos|de las dos)"
    r"|no (?:coincide|cuadra)n?|contradice\w*|qui (?:a raison|croire)|(?:lequel|laquelle) (?:est|croire|vaut|compte)"
    r"|ne (?:colle|correspond)(?:ent)? pas|pas ce qu'on m'a dit|contredi\w+)\b"
    r"|到底(?:哪|谁|听)|谁(?:说的)?对|听谁的|对不上|说的不一样|矛盾|不一致|ど(?:っち|ちら)が(?:正し|本当)|食い違|話が違"
)


class Counts(NamedTuple):
    """In how many texts of a label each word stands, and how many texts a label has."""

    words: Counter[tuple[Label, str]]
    texts: Counter[Label]

    def weight(self, label: Label, word: str) -> float:
        """Return how much it tells that two lines share a word: 1 where it stands in these two and in no other.

        In a memory of few lines less: there each word is of few.
        """
        size = max(self.texts[label], matters.USUAL)
        most = log(max(size, MANY) / TWO)
        return log(size / max(self.words[label, word], TWO)) / most * common().get(word, 1.0)


def found(lines: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield every two lines by which two sources tell otherwise of one thing, in order of time; one label each."""
    once = {(each.label, each.text): each for each in sorted(lines, key=lambda s: (s.day, s.id), reverse=True)}
    count = counted(once.values())
    by_word: dict[tuple[Label, str], list[Said]] = defaultdict(list)
    for each in reversed(once.values()):
        if telling.claims(each.text):
            for key in _words(each):
                by_word[key].append(each)
    weights: dict[tuple[Said, Said], float] = defaultdict(float)
    for (label, word), having in by_word.items():
        if len(having) <= MOST_LINES:
            for at, newer in enumerate(having):
                for older in having[:at]:
                    weights[older, newer] += count.weight(label, word)
    pairs = [pair for pair, weight in weights.items() if weight >= LEAST and pair[0].day < pair[1].day]
    told = [pair for pair in pairs if (_give_two(*pair, count) or _tell_alone(*pair, count)) and _is_later(*pair)]
    yield from told
    settled = {each.id for pair in told for each in pair}
    doubted: dict[str, list[tuple[float, Said, Said]]] = defaultdict(list)
    for older, newer in pairs:
        if is_doubt(newer.text) and newer.id not in settled and _is_later(older, newer):
            doubted[newer.id].append((_weight(older, newer, count), older, newer))
    for rows in doubted.values():
        weight, older, newer = max(rows, key=lambda row: (row[0], row[1].day, row[1].id))
        if weight >= OPEN:
            yield older, newer


def counted(lines: Iterable[Said]) -> Counts:
    """Return in how many texts of a label each word stands."""
    once = {(each.label, each.text): each for each in lines}
    words = Counter(word for each in once.values() for word in _words(each))
    return Counts(words, Counter(label for label, _ in once))


def _words(each: Said) -> set[tuple[Label, str]]:
    said = says(each.text)
    return {(each.label, word) for word in said.ideas | said.names}


def differs(older: Said, newer: Said, count: Counts) -> bool:
    """Return whether two lines are two accounts of one thing. count: in how many lines of a label a word stands"""
    if not (telling.claims(older.text) and telling.claims(newer.text)) or not _is_later(older, newer):
        return False
    is_open = is_doubt(newer.text) and _weight(older, newer, count) >= OPEN
    return is_open or _give_two(older, newer, count) or _tell_alone(older, newer, count)


def _is_later(older: Said, newer: Said) -> bool:
    """Return whether a line is another source's than an older one, in other words."""
    is_other = older.day < newer.day and says(older.text).words != says(newer.text).words
    return is_other and not is_of_one(older.text, newer.text)


@lru_cache(maxsize=4096)
def is_doubt(text: str) -> bool:
    """Return whether a line says that nobody knows which of two holds."""
    return compiled(DOUBT).search(says(text).text) is not None


def _give_two(older: Said, newer: Said, count: Counts) -> bool:
    """Return whether two sources give two values of one thing, each beside something that both speak of."""
    apart = list(values.apart(telling.without_questions(older.text), telling.without_questions(newer.text)))
    if not is_doubt(newer.text) and compiled(IS_NOW).search(newer.text):
        return False
    whole = _things(older.text) & _things(newer.text)
    if _is_new(older, newer):
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
                if are_numbered(one.whole, two.whole):
                    continue
                is_whole = a.kind in values.RIGHTS or _names_nothing(one.own) or _names_nothing(two.own)
                texts = (one.whole, two.whole) if is_whole else (one.own, two.own)
                # Of where something is from, two places are no two things.
                if a.kind != values.ORIGIN and are_two(*texts, is_date=a.kind in values.DATES):
                    continue
                near = (_things(texts[0]) & _things(texts[1]) | unit) - parts
                if whole - parts - unit and _is_of_one_thing(near, (whole | unit) - parts, newer, a.kind, count):
                    return True
    return False


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


def _is_new(older: Said, newer: Said) -> bool:
    """Return whether a line tells that there is a new one of what both speak of."""
    shared = _things(older.text) & _things(newer.text)
    return not shared.isdisjoint(_new(newer.text) - _new(older.text))


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


def _denies(one: str, two: str, newer: Said, count: Counts) -> bool:
    """Return whether one of two sentences denies what the other says, and they share most of what they speak of."""
    a, b = says(one), says(two)
    if (a.denials > 0) == (b.denials > 0):
        return False
    for ours, theirs, few in (
        (_things(one), _things(two), 0),
        (_things(_claim(one)), _things(_claim(two)), THINGS),  # a short claim shares most of itself by chance
    ):
        shared = ours & theirs
        is_most = len(shared) >= MOST_OF * min(len(ours), len(theirs)) and len(shared) > few
        if is_most and not (a.denied | b.denied).isdisjoint(shared):
            return fsum(count.weight(newer.label, each) for each in shared) >= OPEN
    return False


def _denies_it(one: telling.Claim, two: telling.Claim, newer: Said, count: Counts) -> bool:
    """Return whether one of two claims denies the very thing that the other has, beside more that both speak of."""
    a, b = says(one.own), says(two.own)
    if (a.denials > 0) == (b.denials > 0) or are_two(one.own, two.own) or are_numbered(one.whole, two.whole):
        return False
    denier, other = (a, b) if a.denials else (b, a)
    denied = denier.denied & _things(one.own) & _things(two.own) - other.denied
    weights = {word: count.weight(newer.label, word) for word in _things(one.whole) & _things(two.whole)}
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
    return telling.is_written(sentence) and len(_things(told)) < THINGS


def _is_of_one_thing(near: Set[str], whole: Set[str], newer: Said, kind: str, count: Counts) -> bool:
    """Return whether two lines are about one thing. near, whole: what they share beside their values, and at all"""
    weights = {word: count.weight(newer.label, word) for word in whole}
    least = DUTY if kind in values.RIGHTS else SURE
    # A thing has many years: when it was made, bought, sold. What passed and what failed may be parts of one matter.
    beside = SURE if kind == values.YEAR else CLOSE if kind in values.OF_KINDS else BESIDE
    if fsum(weights.values()) < least or max((weights[word] for word in near), default=0.0) < beside:
        return False
    return bool(whole)


def _weight(older: Said, newer: Said, count: Counts) -> float:
    return fsum(count.weight(newer.label, each) for each in _things(older.text) & _things(newer.text))


@lru_cache(maxsize=4096)
def _things(text: str) -> frozenset[str]:
    """Return what a text speaks of, without the words for telling it, and without months and spans of time."""
    found = hearsay.things(says(text))
    return frozenset(
        w
        for w in found
        if not (w.startswith(TIMES) or w in value_words.UNIT_OF or hearsay.is_for_telling(w) or is_of_paper(w))
    )


def _tell_alone(older: Said, newer: Said, count: Counts) -> bool:
    """Return whether somebody says and some paper has what is about one thing, though no value differs."""
    if says(newer.text).cues & TAKES_BACK or values.agree(older.text, newer.text) or _is_new(older, newer):
        return False
    for one, two in product(telling.claims(older.text), telling.claims(newer.text)):
        if not ((one.is_said and telling.has_paper(two)) or (telling.has_paper(one) and two.is_said)):
            continue
        if are_numbered(one.whole, two.whole) or are_two(one.own, two.own, is_alone=True):
            continue
        near = _things(_itself(one.own)) & _things(_itself(two.own))
        whole = _things(_itself(one.whole)) & _things(_itself(two.whole))
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
    plain = (_things(one) & _things(two)) - ours - theirs
    if not ours & theirs or (ours - theirs and theirs - ours):
        return False
    return all(_last(ours & theirs, text) > _last(plain, text) for text in (one.casefold(), two.casefold()))


def _last(words: Set[str], text: str) -> int:
    """Return where the last of some words stands, -1 for none."""
    return max(map(text.rfind, words), default=-1)


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
            found |= named & hearsay.called([each.casefold() for each in words[max(0, at - 1) : at + 2]])
    return frozenset(filter(hearsay.tells, found))


def _is_other(source: frozenset[str]) -> bool:
    """Return whether a source is none who speaks of himself."""
    return not any(map(matters.is_speaker, source))
