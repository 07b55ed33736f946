"""Roles that one at a time has: the treasurer of the rowing club, head of the nursery. Pure.

    of         a line → the roles that it says somebody has
    is_handed  whether a newer line says that another has the very role now that an older one gives to somebody

"The", "our", a head, a lead and an owner tell that there is one. What many can be or have, a member, a teacher, the
keys, is no role; nor is what somebody was, will be, may be or wants to be. Six languages.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import holder, negation, slots
from koog.core.text.says import says

CLAUSE = r"[.!?;:,()。！？；：，、—–\n]|\b(?:and|but|und|aber|y|pero|et|mais)\b"
DET = r"(?:the|our|my|de[rnm]|die|das|unser\w{0,2}|mein\w{0,2}|el|la|nuestr[oa]|mi|le|notre|mon|ma)\s"
NEW = r"(?:new|neue[nrs]?|nuev[oa]|nouve(?:au|l|lle))"
NOW = r"(?:now|jetzt|nun|ahora|ya|maintenant|désormais)"
HEAD = (
    r"(?:head|lead|leader|chair|chairman|chairwoman|chief|owner|leiter(?:in)?|vorsitzende[rn]?|inhaber(?:in)?"
    r"|jef[ea]|director[a]?|president[ea]|dueñ[oa]|directeur|directrice|présidente?|propriétaire)"
    r" (?:of|von|de[rs]?|du|del)\s"
)
STARTS = (
    r"(?:start(?:s|ed)|began|begins|takes over|took over|was (?:elected|appointed|made)|fängt|angefangen|empieza|empezó"
    r"|commence)"
)
AS = r"\s(?:[^\W_]+\s){0,3}(?:as|als|como|comme)\s"
RUNS = r"(?:runs|leads|manages|heads|chairs|leitet|führt|dirige|lleva|gère)"
IS, WAS = r"(?:is|['’]s|ist|es|est)", r"(?:was|war|era|fue|était|fut)"
# Who has it stands before the verb, in German behind it as well: "Ab Mai ist Herr Lauber die neue Verwalterin".
ROLES = (
    rf"(?i:\s*{IS}\s(?:{NOW}\s)?(?:{DET}(?:{NEW}\s)?|(?={HEAD})))(?P<what>.+)",
    rf"(?i:\s{STARTS}{AS}(?!an?\s|ein|una?\s|une\s)(?:{DET})?(?:{NEW}\s)?)(?P<what>.+)",
    rf"(?i:\s{RUNS}\s(?:{NOW}\s)?{DET})(?P<what>.+)",
)
HAD = rf"(?i:\s{WAS}\s(?:{DET}|(?={HEAD})))(?P<what>.+)"
TURNED = rf"(?i:\bist\s)(?P<who>(?:[A-ZÀ-Þ][\w.-]*\s){{1,3}})(?i:(?:{NOW}\s)?{DET}(?:{NEW}\s)?)(?P<what>.+)"
HANDED = (
    rf"(?i:\s(?:hands|handed|passes|passed|gives|gave)\s{DET})(?P<what>.+?)\s(?:over|on) to\s(?P<who>.+)",
    rf"(?i:\sübergibt\s{DET})(?P<what>.+?)\san\s(?P<who>.+)",
    rf"(?i:\s(?:cede|traspasa)\s{DET})(?P<what>.+?)\sa\s(?P<who>.+)",
    rf"(?i:\s(?:passe|cède|confie)\s{DET})(?P<what>.+?)\sà\s(?P<who>.+)",
)
WIDE = (
    r"(?P<who>[^，。、]{1,20}?)(?:现在|如今)?负责(?P<what>[^，。、]+)",
    r"(?P<who>[^，。、]{1,20}?)(?:现在|如今)?是(?P<what>[^，。、]+的新?[^，。、]*(?:长|主任|经理|老板|负责人|主席))",
    r"(?P<who>[^，。、]{1,20}?)[はが](?P<what>[^，。、]+の[^，。、]*(?:長|代表|責任者|主任))(?:です|だ|に)",
)
# What says since when, and is no part of what the role is.
SINCE = (
    r"(?i)\b(?:now|since|until|till|from|as of|starting|this|last|next|jetzt|nun|seit|ab|desde|a partir|ahora|depuis"
    r"|dès|à partir|maintenant|désormais)\b.*"
)
IS_NEW = (
    rf"(?i)\b(?:{NEW}|{NOW}|{STARTS}|since|seit|ab|desde|depuis|dès|à partir|a partir|as (?:of|from)|from)\b"
    r"|从.{1,8}起|新|接任|现在|如今|から|就任"
)
ALSO = (
    r"(?i)\b(?:also|too|as well|both|another|second|together|jointly|auch|ebenfalls|beide|zusammen|también|además"
    r"|juntos|aussi|également|ensemble)\b"
)
HE = r"(?i)\W*(?:s?he|who|er|sie|él|ella|quien|il|elle|qui)\b"
ONE = frozenset(
    ("boss", "landlord", "doctor")
)  # what people are to each other, as holder.py calls it, and one alone is


class Role(NamedTuple):
    """A role that somebody has.

    who   the words of whoever has it
    what  what it is; of a wide script the words themselves
    left  who has it no more, by what the line says
    is_past  who has it had it once
    """

    who: frozenset[str]
    what: frozenset[str]
    left: frozenset[str] = frozenset()
    is_past: bool = False


@lru_cache(maxsize=8192)
def of(text: str) -> tuple[Role, ...]:
    """Return the roles that a line says somebody has.

    >>> [sorted(each.what) for each in of("Ada is the treasurer of the choir, Ben is a member")]
    [['<choir>', 'treasur']]
    >>> of("Ada has the keys"), of("Ada wants to be the treasurer"), of("Ada was the treasurer")[0].is_past
    ((), (), True)
    """
    return tuple(_of(text))


def is_handed(older: str, newer: str) -> bool:
    """Return whether a line says that another has a role now which an older one gives to somebody.

    >>> is_handed("Ada is the treasurer of the choir", "Since May Ben is the treasurer of the choir")
    True
    >>> is_handed("Ada is the treasurer of the choir", "Since May Ben is the treasurer of the club")
    False
    """
    is_new = compiled(IS_NEW).search(newer) is not None
    for one in of(older):
        for two in of(newer):
            if one.what != two.what or one.is_past or two.is_past:
                continue
            if two.left & one.who or (is_new and _are_others(one, two, older, newer)):
                return True
    return False


def are_two(older: str, newer: str) -> bool:
    """Return whether each of two lines says of somebody else that he has another role, or had the same one once.

    >>> are_two("Ada is the treasurer of the choir", "Since May Ben is the treasurer of the club")
    True
    """
    ours, theirs = of(older), of(newer)
    return bool(ours and theirs) and all(
        one.who.isdisjoint(two.who) and (one.what != two.what or one.is_past or two.is_past)
        for one in ours
        for two in theirs
    )


def _are_others(one: Role, two: Role, older: str, newer: str) -> bool:
    """Return whether each of two lines names somebody for a role whom the other does not name at all."""
    if says(older).wide or says(newer).wide:
        return not any(each in newer for each in one.who) and not any(each in older for each in two.who)
    a, b = says(older), says(newer)
    return bool(one.who - b.ideas) and one.who.isdisjoint(two.who) and bool(two.who - a.ideas)


def _of(text: str) -> Iterator[Role]:
    named = frozenset[str]()
    for clause in compiled(CLAUSE).split(text.replace("-", " ")):
        who = _names(clause)
        if not (compiled(ALSO).search(clause) or compiled(slots.UNSURE).search(clause) or negation.is_denied(clause)):
            yield from _of_clause(clause, named)
        named = who or named


def _of_clause(clause: str, named: frozenset[str]) -> Iterator[Role]:
    """Yield the roles of a clause. named: who the clauses before it name"""
    for pattern in WIDE:
        if match := compiled(pattern).search(clause):
            if not match["who"].endswith(("也", "も", "不")):
                yield Role(frozenset({match["who"]}), frozenset({match["what"].replace("的新", "的")}))
            return
    for pattern in HANDED:
        if match := compiled(pattern).search(clause):
            yield Role(_names(match["who"]), _what(match["what"]), _names(clause[: match.start()]) or named)
            return
    for pattern in (TURNED, *ROLES, HAD):
        if match := compiled(pattern).search(clause):
            who = _names(match["who"] if pattern == TURNED else clause[: match.start()])
            who = who or (named if compiled(HE).match(clause) else frozenset())
            if who and (what := _what(match["what"])) and not _are_many(match["what"]):
                yield Role(who, what, is_past=pattern == HAD)
            return


def _are_many(text: str) -> bool:
    """Return whether somebody may have several of whoever is called so: friends, sisters, neighbours."""
    found = {holder.relation(word) for word in compiled(r"[^\W\d_]+").findall(text)}
    return not found <= ONE | {""}


def _names(text: str) -> frozenset[str]:
    found = says(text)
    return found.names | found.maybe


def _what(text: str) -> frozenset[str]:
    return says(compiled(SINCE).sub("", text)).ideas
