"""Whose what a line tells is: the speaker's, somebody's by name, or somebody's by what he is to another. Pure.

    of           a line, and what of it is asked after → the holder; None where nobody can tell
    before       the same for words that begin at a place in it
    are_two      whether two holders are surely not the same
    tells_other  whether a line denies another thing than an older one says

"My son is no longer allergic" says nothing of the speaker's own allergies, and "Ana's sister lives in Faro" not where
Ana lives. Six languages; what somebody is to another stands in holder.txt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from koog.core import shipped
from koog.core.lazy_regex import compiled, personal
from koog.core.named import NamedTuple
from koog.core.text import first_person, negation
from koog.core.text.says import KIND, MOST_CHARS, NUMBER, says
from koog.core.text.signs import may_be_wide

SPEAKER, NAMED, KIN, THIRD = "speaker", "named", "kin", "third"
CLAUSE = r"[.;!?:。；！？：，、—–]\s*|,\s+|\s-\s|\b(?:and|but|und|aber|y|pero|et|mais|so)\b(?!\s+(?:i|ich|yo|moi)\b)"
OF_US = r"my|our|mein\w{0,2}|unser\w{0,2}|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos"
GERMAN = 1  # among the languages of the table
# What stands before the word for what somebody is to another; English, German, Spanish, French.
WHOSE = (
    r"my|our|his|her|their|your",
    r"mein\w{0,2}|unser\w{0,2}|sein\w{0,2}|ihr\w{0,2}|dein\w{0,2}",
    r"mis?|nuestr[oa]s?|sus?|tus?",
    r"mon|ma|mes|notre|nos|son|sa|ses|leurs?|ton|ta|tes",
)
THE = ("the", "die|der|das|dem|den", "el|la|los|las", "le|la|les")
OF_NAME = ("of", "von|des", "de|del", "de|du")  # "the sister of Ana"
# "the kids": the speaker's; "the doctor" is whoever that is.
AT_HOME = frozenset(("child", "dog", "cat", "pet"))
PART = r"[^\W\d_a-zß-öø-ÿ][\w-]*"
NAMES = rf"{PART}(?: {PART})*"
SPEAKS = (
    r"(?<![\w’'])(?:i|we|i['’](?:m|ve|d|ll)|we['’](?:re|ve|d|ll)|ich|wir|yo|nosotr[oa]s|je|nous)\b"
    r"|(?<![\w’'])on(?= (?:a (?:\w+ )?\w+é|est|va)\b)"
    r"|(?<![\w’'])j['’]|(?<![\w’'])(?:the )?user\b|(?:我|咱)们?|[私僕俺]|うち"
    r"|(?<![\w’'])(?:soy|estoy|tengo|vivo|vivimos|trabajo|uso|tomo|somos|estamos|tenemos|padezco|sufro"
    r"|(?:me|nos) (?:mud(?:é|amos)|gusta|he|hemos)|he (?=\w+[ai]do\b))\b"
)
# "our flat", "my number": what is his and nobody.
MINE = rf"(?<![\w’'])(?:{OF_US})\s+(?=\w)"
# Whoever that is to the speaker: a body, a diet and a home are somebody's, and not a thing's. "my godson is vegan"
A_PERSONS = (
    rf"(?<![\w’'])(?:{OF_US})\s+(?P<who>[^\W\d_]+(?:[- ][^\W\d_]+)?)(?:\s+(?-i:{PART}))?\s+"
    r"(?:(?:['’]s|is|are|was|ist|sind|war|es|está|era|est|était|n['’]est)\s+"
    r"(?:(?:no longer|not|now|also|still|nicht mehr|nicht|jetzt|auch|noch|ya no|no|ahora|también|plus|pas|maintenant"
    r"|aussi)\s+)*(?:allerg|alérgic|vegan|végan|végét|vegetari|pregnan|schwanger|embaraz|enceinte|diab|zucker|coeliac"
    r"|celiac|zöliak|celíac|cœliaque)"
    r"|(?:has|have|had|just|ha|hat|a)?\s*(?:moved|relocated|lives?|living|wohnt|lebt|zieht|zog|vive|se (?:ha )?mud"
    r"|habite|déménag|ya no vive|n['’]habite)|ist (?:\w+ ){0,4}gezogen)"
)
HE = (
    r"(?<![\w’'])(?:he|she|er|él|ella|elle|il(?! y a\b| faut\b)|his|her|sein\w{0,2}"
    r"|sie(?=\s(?:ist|war|hat|hatte|wird|mag|isst|nimmt|trinkt|verträgt|braucht|wohnt|lebt|arbeitet)\b)"
    r")\b(?!['’]s\b(?=\w))|[他她]们?|彼女?"
)
WITH_I = r"\s*(?:(?:and|und|y|et)\s+(?:i|me|ich|yo|moi)\b|[和跟]我|と[私僕])"
# Who stands behind one of these is with somebody, or has something: it is not said of him.
BEHIND = (
    r"\b(?:with|from|to|for|of|by|at|about|like|than|mit|von|bei|für|zu|zum|zur|con|para|por|avec|chez|pour|par|as)"
    r"\s+(?:the\s+)?\Z|[和跟与给为]\Z"
)
REPORTS = (
    r"\b(?:says?|said|told (?:me|us)|thinks?|confirm(?:s|ed)|wrote|writes|believes?|sagte?|meint(?:e)?|schreibt|schrieb"
    r"|dice|dijo|confirmó|cree|dit|écrit|confirme|pense)\b(?: that| dass| que)?|说|によると"
)
RELATIVE = r"\s*(?:who|that|which|whose|die|der|das|que|quien|qui)\b"
# "is our treasurer", "is the new coach": who is who, and not what somebody is like.
IS_WHO = (
    r"(?:\s*,)?\s*(?:['’]s|is|was|ist|war|es|era|est|était|heißt|se llama|s['’]appelle|is called)"
    r"(?:\s+(?:no longer|not|now|also|nicht mehr|nicht|jetzt|ya no|ahora|plus|maintenant))*\s+"
)
A_ROLE = rf"(?:(?:{OF_US}|the|der|die|das|el|la|le|l['’])\b)"
A_NAME = rf"(?-i:(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? )?{PART})"
# Who does something to a thing is told as who does it: the thing is whoever's it was. "My boss moved the meeting"
DOES = (
    r"\s+(?!(?:is|are|was|were|['’]s|not|no|lives?|works?|goes|takes|likes?|loves?|hates?|eats?|drinks?|drives?|has"
    r"|ist|sind|war|wohnt|arbeitet|geht|nimmt|mag|isst|es|son|está|vive|trabaja|va|toma|est|habite|travaille|prend)\b)"
    r"(?:\w+\s+){1,2}?(?<!\bin )(?<!\bto )(?<!\bat )(?<!\bon )(?<!\bfrom )(?<!\bof )(?<!\bby )(?<!\bwith )(?<!\bfor )"
    rf"(?:the|us|me|it|them|den|die|das|uns|mich|mir|el|la|los|las|le|les|{OF_US})\b|[^。]{0, 40}(?:把|を)"
)
MOVES = frozenset(("moved", "settled"))  # as says.py has what tells that something was put elsewhere
REACH = 60  # characters before a word in which it is said whose he is


class Holder(NamedTuple):
    """Whose something is.

    kind       SPEAKER, NAMED, KIN, or THIRD: somebody who is "she" and no more
    names      the words of his name, in lower case; of SPEAKER that of who is told to be something to him
    relation   of KIN, what he is: "sister"; of SPEAKER what that is
    owner      of KIN, to whom, as `names`; none: to the speaker, or to somebody who is not named
    """

    kind: str
    names: frozenset[str] = frozenset()
    relation: str = ""
    owner: frozenset[str] = frozenset()


class _Found(NamedTuple):
    start: int
    end: int
    holder: Holder | None  # None: of whom nobody can tell whether it is his
    is_role: bool = False  # it is said who he is to the speaker


def of(
    text: str, about: Iterable[str] = (), *, people: Iterable[str] = (), is_by_itself: bool = False
) -> Holder | None:
    """Return whose the part of a line is that has most of some ideas; None where nobody can tell.

    about         ideas, as says.py has them; none: the first part that is somebody's
    people        the names of people in it
    is_by_itself  it is told of a thing, whoever the parts before it are of ("Ben rang, the choir is dissolved"), and
                  is his who does something to it: "Ben quit the choir" says nothing of Ana's

    >>> of("My son is no longer allergic to cats").relation, of("I live with my son").kind
    ('son', 'speaker')
    >>> of("Ana's sister lives in Faro", people=["Ana"]).owner, of("The server is slow")
    (frozenset({'ana'}), None)
    """
    text = first_person.own(text[:MOST_CHARS])
    parts = list(_parts(text))
    wanted = frozenset(about)
    shares = [len(wanted & says(text[start:end]).ideas) for start, end in parts]
    best = max(range(len(parts)), key=lambda n: (shares[n], -n), default=0)
    found = _found(text, people, is_doing=is_by_itself)
    if not parts:
        return None
    held = _of_part(text, parts, best, found, reach=1 if is_by_itself else len(parts))
    if held is None and not any(shares):
        return next((each for n in range(len(parts)) if (each := _of_part(text, parts, n, found))), None)
    return held


def before(text: str, at: int, *, people: Iterable[str] = ()) -> Holder | None:
    """Return whose the words are that begin at a place in a line: who stands before them.

    >>> before("Ben has Ana's old number; his new number is 12345", 29, people=["Ana", "Ben"]).names
    frozenset({'ben'})
    """
    first = max(0, at - MOST_CHARS)
    text, at = text[first : at + MOST_CHARS], at - first
    parts = [(start, min(end, at + 1)) for start, end in _parts(text) if start <= at]
    found = [each for each in _found(text, people) if each.start <= at]
    return _of_part(text, parts, len(parts) - 1, found, is_last=True)


def are_two(one: Holder | None, other: Holder | None) -> bool:
    """Return whether two holders are surely not the same.

    >>> are_two(of("I'm vegan"), of("My brother is vegan")), are_two(of("Mum is vegan"), of("my mother is vegan"))
    (True, False)
    """
    if one is None or other is None or one == other or one.names & other.names:
        return False
    if one.relation and one.relation == other.relation and SPEAKER in (one.kind, other.kind):
        return False
    if SPEAKER in (one.kind, other.kind):
        return one.kind != other.kind
    if THIRD in (one.kind, other.kind):
        return False
    if one.kind == other.kind == KIN:
        is_another = one.owner and other.owner and not one.owner & other.owner
        return bool(is_another) or one.relation != other.relation or bool(one.names and other.names)
    if one.kind == other.kind:
        return True
    kin, named = (one, other) if one.kind == KIN else (other, one)
    return bool(kin.names or kin.owner & named.names)


def folded(name: str) -> frozenset[str]:
    """Return the words of a name, as a holder has them."""
    return frozenset(compiled(r"\w+").findall(name.casefold()))


def names_him(text: str, holder: Holder | None, *, people: Iterable[str] = ()) -> bool:
    """Return whether a line names a holder, and not only whoever is something to him.

    >>> ana = Holder(NAMED, frozenset({"ana"}))
    >>> names_him("Ben leads it now, not Ana", ana), names_him("Ana's son leads it", ana)
    (True, False)
    """
    if holder is None or not holder.names:
        return False
    kin = [(start, end) for start, end, each in _kin(text, list(people)) if not each.names & holder.names]
    places = (match for match in compiled(r"\w+").finditer(text) if match[0].casefold() in holder.names)
    return any(not any(start <= match.start() < end for start, end in kin) for match in places)


def relation(word: str) -> str:
    """Return what somebody is to another who is called so, in a language that is written with blanks; "" for nothing.

    >>> relation("Schwester"), relation("treasurer")
    ('sister', '')
    """
    return next((known[word.lower()] for known in _table()[0] if word.lower() in known), "")


def tells_other(older: str, newer: str) -> bool:
    """Return whether a line denies something else than what an older one says, and says nothing else of that.

    >>> tells_other("I live in Zurich", "I no longer live in Bern")
    True
    >>> tells_other("I live in Bern", "I no longer live in Bern")
    False
    """
    older, newer = older[:MOST_CHARS], newer[:MOST_CHARS]
    if not negation.is_denied(newer):
        return False
    a = says(older)
    if a.denials:
        return False
    held = a.ideas | set(a.words)
    parts = [newer[start:end] for start, end in _parts(newer)]
    denied = [part for part in parts if negation.is_denied(part)]
    if any(_telling(part) & held for part in parts if part not in denied):
        return False
    b = says(newer).ideas
    is_left = any(not _has(b, idea) for idea in a.ideas)
    return is_left and bool(denied) and not any(_denies(part, older, held) for part in denied)


def _denies(part: str, older: str, held: Iterable[str]) -> bool:
    """Return whether what a clause denies is what an older line has: the names behind its "no", else its last word."""
    found = says(part)
    if found.wide:
        words = [word for word in found.words if not word.startswith("<")]
        return not words or sum(_has(held, word) for word in words) > len(words) / 2
    behind = part[max(match.end() for match in compiled(negation.SAYS_NO).finditer(part)) :]
    told = says(f", {behind}") if says(behind).words else found
    if told is not found:
        names = [name for name in compiled(PART).findall(behind) if not says(name).kinds]
        if names:
            return any(name.casefold() in older.casefold() for name in names)
    words = [word for word, mark in zip(told.words, told.marks, strict=True) if mark not in (NUMBER, KIND)]
    words = words or list(told.words)
    return not words or _has(held, words[-1])


def _telling(part: str) -> frozenset[str]:
    """Return the ideas of a clause without whoever it is about."""
    found = says(part)
    return found.ideas - {"<self>"} - (found.names | found.maybe if len(found.words) > 1 else frozenset())


def _has(ideas: Iterable[str], word: str) -> bool:
    """Return whether a word, or one that begins as it does, is among some ideas."""
    return any(word == each or (len(word) > 4 < len(each) and word[:5] == each[:5]) for each in ideas)


def _parts(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the clauses of a text begin and end."""
    start = 0
    for match in compiled(CLAUSE, re.IGNORECASE).finditer(text):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _of_part(
    text: str,
    parts: list[tuple[int, int]],
    n: int,
    found: list[_Found],
    *,
    is_last: bool = False,
    reach: int = MOST_CHARS,
) -> Holder | None:
    """Return of whom a clause is told: who stands in it, else in the clauses before it.

    is_last   of several in it the last one is meant, and not the first
    reach     clauses that are looked at
    """
    for at in range(n, max(n - reach, -1), -1):
        start, end = parts[at]
        if report := compiled(REPORTS, re.IGNORECASE).search(text, start, end):
            start = report.end() if any(report.end() <= each.start < end for each in found) else start
        here = [each for each in found if start <= each.start < end]
        told = [each for each in here if not _is_beside(text, each)] or here
        if not told:
            continue
        one = told[-1] if is_last and at == n else told[0]
        held = one.holder._replace(kind=SPEAKER) if one.holder and one.is_role and at == n else one.holder
        if at < n and compiled(RELATIVE, re.IGNORECASE).match(text, parts[at + 1][0]):
            return here[-1].holder
        if held and held.kind == THIRD and at > 0:
            others = [each.holder for each in found if each.start < start and each.holder]
            return next((each for each in others if each.kind in (NAMED, KIN)), held)
        return held
    return None


def _is_beside(text: str, found: _Found) -> bool:
    return compiled(BEHIND, re.IGNORECASE).search(text, max(0, found.start - 12), found.start) is not None


def _found(text: str, people: Iterable[str], *, is_doing: bool = False) -> list[_Found]:
    """Return who is told in a text, and where, in its order. is_doing: who does something to a thing has it"""
    found = list[_Found]()
    taken = bytearray(len(text) + 1)

    def take(start: int, end: int, holder: Holder) -> None:
        if 1 in taken[start:end]:
            return
        taken[start:end] = b"\1" * (end - start)
        if compiled(WITH_I, re.IGNORECASE).match(text, end):
            holder = Holder(SPEAKER)
        is_role = holder.kind in (KIN, NAMED) and _is_who(text, end, holder)
        does = compiled(DOES, re.IGNORECASE).match(text, end)
        if does and holder.kind == SPEAKER:  # "I read the paper" is told of him all the same
            behind = compiled(CLAUSE, re.IGNORECASE).search(text, end)
            does = does if says(text[start : behind.start() if behind else None]).cues & MOVES else None
        found.append(_Found(start, end, None if does and not (is_role or is_doing) else holder, is_role))

    names = sorted(people, key=len, reverse=True)
    for start, end, holder in _kin(text, names):
        take(start, end, holder)
    for name in names:
        for match in personal(re.escape(name), re.IGNORECASE).finditer(text):
            take(match.start(), match.end(), Holder(NAMED, folded(name)))
    for match in compiled(A_PERSONS, re.IGNORECASE).finditer(text):
        take(match.start(), match.end("who"), Holder(KIN, relation=match["who"].lower()))
    for pattern, kind in ((SPEAKS, SPEAKER), (MINE, SPEAKER), (HE, THIRD)):
        for match in compiled(pattern, re.IGNORECASE).finditer(text):
            take(match.start(), match.end(), Holder(kind))
    return sorted(found, key=lambda each: each.start)


def _is_who(text: str, end: int, holder: Holder) -> bool:
    """Return whether a line says who somebody is to the speaker: "my dentist is Dr. Hahn", "Ana is our treasurer"."""
    is_ = compiled(IS_WHO, re.IGNORECASE).match(text, end)
    if is_ is None:
        return False
    wanted = A_ROLE if holder.kind == NAMED else A_NAME
    return compiled(wanted, re.IGNORECASE).match(text, is_.end()) is not None


def _kin(text: str, people: list[str]) -> Iterator[tuple[int, int, Holder]]:
    """Yield where somebody is told by what he is to another."""
    west, east, own = _table()
    if may_be_wide(text):
        yield from _kin_east(text, people, east, own)
    for match in compiled(r"[^\W\d_]+(?:-[^\W\d_]+)*").finditer(text):
        word = match[0].lower()
        for at, known in enumerate(west):
            if word in known:
                yield from _kin_at(text, match.start(), match.end(), at, known[word], is_own=word in own)


def _kin_at(
    text: str, start: int, end: int, at: int, relation: str, *, is_own: bool
) -> Iterator[tuple[int, int, Holder]]:
    """Yield the words around one that says what somebody is to another, where they say to whom."""
    has = at == GERMAN and text[end - 1] == "s"  # "Omas Asthma": what follows is hers
    named = None if has else compiled(rf",? ({NAMES})").match(text, end)
    stop, names = (named.end(), folded(named[1])) if named else (end, frozenset())

    def ahead(pattern: str, flags: int = re.IGNORECASE) -> re.Match[str] | None:
        """Return what stands before the word, and perhaps another: "my little sister"."""
        return compiled(rf"{pattern}\s+(?:(?!(?:{OF_US})\b)[\w-]+\s+)?\Z", flags).search(
            text, max(0, start - REACH), start
        )

    whose = ahead(rf"(?<![\w’'])(?:{WHOSE[at]})")
    owned = ahead(rf"({NAMES})(?:['’]s?|(?<=[a-zäöüß])s)", 0)
    of_name = compiled(rf"\s+(?:{OF_NAME[at]})\s+({NAMES})").match(text, end)
    the = ahead(rf"(?<![\w’'])(?:{THE[at]})")
    of_some = ahead(r"(?<![\w’'])the\s+[\w-]+['’]s")
    if of_some:
        yield of_some.start(), stop, Holder(KIN, names, relation)
    elif owned and not whose:
        yield owned.start(), stop, Holder(KIN, names, relation, folded(owned[1]) | folded(owned[1].removesuffix("s")))
    elif the and of_name:
        yield the.start(), of_name.end(), Holder(KIN, frozenset(), relation, folded(of_name[1]))
    elif whose:
        yield whose.start(), stop, Holder(KIN, names, relation)
    elif is_own or (the and relation in AT_HOME):
        yield the.start() if the else start, stop, Holder(KIN, names, relation)


def _kin_east(
    text: str, people: list[str], known: dict[str, str], own: frozenset[str]
) -> Iterator[tuple[int, int, Holder]]:
    """Yield the same of Chinese and Japanese: 我儿子, 安娜的妹妹, 息子は."""
    every = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    names = "|".join(map(re.escape, people)) or r"(?!)"
    mine = r"(?P<own>[我咱]们?家?的?|[私僕俺](?:たち)?の|うちの)"
    whose = rf"(?:{mine}|(?P<name>{names})(?:さん|ちゃん|君)?[的の]?|(?P<his>[他她]的?|彼女?の))?"
    for match in personal(rf"{whose}(?P<kin>{every})").finditer(text):
        is_told = match["own"] or match["name"] or match["his"]
        begins = not match.start() or not compiled(r"\w").match(text, match.start() - 1)
        if is_told or (match["kin"] in own and begins):
            owner = folded(match["name"] or "")
            yield match.start(), match.end(), Holder(KIN, relation=known[match["kin"]], owner=owner)


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[dict[str, str], ...], dict[str, str], frozenset[str]]:
    """Return word → relation of each western language, and of the eastern ones; and the words that alone are his."""
    west: tuple[dict[str, str], ...] = ({}, {}, {}, {})
    east, own = dict[str, str](), set[str]()
    for line in shipped.text(shipped.PACKAGE / "core/text/holder.txt").splitlines():
        if line.startswith("#"):
            continue
        relation, _, rest = line.partition(" ")
        columns = [[word.replace("_", " ") for word in each.split()] for each in rest.split(";")]
        if relation == "own":
            own.update(word for each in columns for word in each)
            continue
        for found, words in zip((*west, east, east), columns, strict=True):
            found.update((word, relation) for word in words if word not in found)
    return west, east, frozenset(own)
