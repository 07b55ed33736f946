"""What a line says is over, and which older lines speak of it: a plan, a club, a way of doing things. Pure.

A project is given up in one line and was spoken of in many, with which that line often shares its name and nothing
else. So one word does, if it is the very thing that the line says is over and few others have it. Where older lines
share different things with it, those count that share most; where even these have nothing in common, nobody can tell.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence, Set
from functools import cache, lru_cache
from math import log

from koog.consolidate import matters
from koog.consolidate.survey import Said
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.says import Says, says

OVER = "over"
WORD = r"[^\W_]+(?:['’-][^\W_]+)*"
LONGEST = 4  # words of which one is told to be over: "pulled the plug on"
PART = 0.5  # of what it calls the thing, which an older line has
NEAR = 0.7  # of what the nearest older line shares: so much shares one that is meant too
FEWER = 2  # of the lines that may share a word of any matter, a half may share the name of what is over
NUMBER = "#"
CLAUSE = r"[.!?;:,。！？；：，、—–]|\s-\s"  # "lock-up" is one word
# What tells an end besides the words of compare.txt, which stand alone: a sentence turns on these.
ENDS = (
    r"\b(?:(?:got |gets |was |were |been |is |are )?(?:turned down|rejected|shelved|knocked back|voted down)"
    r"|(?:fell|fallen|falls) through|(?:is|are|was|were) (?:closing|folding|shutting|winding up)(?: down| for good)?"
    r"|(?:wound|packed) (?:it )?(?:up|in)\b|(?:gone|went) under|(?:comes?|came|coming) to an end"
    r"|call(?:ed|ing)? it a day|won't (?:happen|go ahead)|(?:not|isn't|aren't) (?:happening|going ahead)|off the table"
    r"|(?:is|are) (?:over|history)(?=[.,;!]|\Z)|signed off (?:for good|altogether)|it's a no"
    r"|(?:got|getting) rid of|unsubscribed from|part(?:ed|ing) (?:ways )?with|said goodbye to|pulled out of"
    r"|(?:moved|switched|went|gone) away from|sold(?= (?:the|my|our)\b)"
    r"|(?:wurde |ist |wird )?(?:abgelehnt|abgeblasen|eingestampft|geplatzt)|abbestellt|abgemeldet|dichtgemacht"
    r"|vom tisch|ins wasser gefallen|wird nichts|macht (?:dicht|zu)|(?:den )?stecker gezogen|habe? .{0,30}verkauft"
    r"|(?:fue |ha sido |quedó )?(?:rechazad[oa]|denegad[oa]|descartad[oa])s?|no sale adelante"
    r"|se (?:ha acabado|acaba|terminó)|di(?:mos)? de baja|vend(?:í|imos)(?= (?:el|la|mi|nuestr[oa])\b)"
    r"|(?:a été |est )?(?:refusée?|rejetée?|enterrée?|abandonnée?)s?|(?:tombée?|est) à l'eau|ne se fera pas"
    r"|c'est fini|désabonnée?|mis fin à|tiré un trait sur"
    r")(?!\w)|被拒|泡汤|黄了|搁置|不办了|没通过|退订|注销|卖掉|却下|見送り|没になった|取り下げ|退会|手放し"
)
# Said of what stands before it, not done to what follows.
IS = r"(?i)(?:got|gets|was|were|been|is|are|wurde|ist|wird|fue|ha sido|quedó|a été|est)\s"
OBJECT = (
    r"\s+(?:(?:the|an?|my|our|your|his|her|their|this|that|any|all|both|de[rnm]|die|das|mein\w*|unser\w*|el|las?|los"
    r"|mis?|nuestr\w+|les?|mon|ma|notre)\s|[A-ZÀ-Þ])"
)
NAME = r"[A-ZÀ-Þ][\w'&-]+"
NAMED_DONE = (
    rf"(?<![^\W_])(?P<name>{NAME}(?: {NAME})?) (?:is|are) done(?= (?:on|from|at the end|for good|with)\b|[.,;:!]|\Z)"
)
# What looks like an end: "a dead thing", "we ended up on the grass", "the power is off till three".
NO_ENDS = (
    r"(?i)\bended up\b|\b(?:a|an|the|my|our|his|her|some)\s+(?:\w+\s+)?(?:dead|retired|removed|deleted"
    r"|abandoned)\s+[^\W\d_]+"
    r"|\bdropped (?:me|us|him|her|them|off|by|in|to)\b|\bdead (?:at|since|on)\b|\bis off(?=:)"
    r"|\bis off (?:till|until|to|on|sick|work|for|today|this|again|at)\b"
)
# What one has with a company or a house: said to be over with its name, it ends what is told of that name.
RELATIONS = (
    "membership member subscription contract account plan policy course class trial order lease mandate booking box"
)
RELATIONS += " mitgliedschaft abo vertrag konto kurs abonnement contrat compte suscripción contrato cuenta curso cuota"
# One time of a thing that goes on: an appointment called off, an early closing, a break; and an end that is refused.
PASSING = (
    r"(?i)\b(?:(?:clos\w+|shut\w*|cancell?ed|off|abgesagt|geschlossen|zu|cerrad[oa]|cancelad[oa]|ferm\w+|annulée?)"
    r"(?: early)? (?:today|tonight|this (?:week|morning|afternoon|evening|once)|heute|diese woche|hoy"
    r"|esta (?:noche|tarde|semana|mañana)|aujourd['’]hui|ce soir|cette semaine)"
    r"|(?:closing|closes|closed|shuts?) early|for the (?:summer|winter|holidays|weekend)|back (?:in|on|next|from)"
    r"|appointment|termin|cita|rendez-vous|rdv)\b|今天|今晚|这周|预约|今日|今夜|今週|予約"
    r"|\b(?:plan|idea|proposal|motion|request|bid|offer|move|vorschlag|antrag|propuesta|proposition) "
    r"(?:to|zu[rm]?|de|d['’])\s*(?:end|close|cancel|scrap|drop|stop|sell|shut|terminate|kündig|schließ|verkauf|cerrar"
    r"|cancelar|vender|fermer|annuler|vendre)"
)
CLASS = ("<", NUMBER)  # how an idea begins that is of many words, or a number: many things are of such a one


class Ending(NamedTuple):
    """A line, and the older ones that speak of what it says is over."""

    newer: Said
    older: tuple[Said, ...]


def found(lines: Sequence[Said], among: Collection[str]) -> Iterator[Ending]:
    """Yield which lines are ended by which of all lines, in order of time; of one label each.

    among   ids of those that may be ended: an episode that says more of the same hides no fact
    """
    by_label: dict[object, list[Said]] = defaultdict(list)
    for each in sorted(lines, key=lambda s: (s.day, s.id)):
        by_label[each.label].append(each)
    for group in by_label.values():
        ending = [each for each in group if any(over(each.text))]
        if ending:
            names = _Names(group, among)
            yield from (Ending(each, older) for each in ending if (older := names.ended(each)))


def over(text: str) -> tuple[frozenset[str], ...]:
    """Return what each clause says is over; of one that names nothing, what the clause before it names.

    >>> [sorted(each) for each in (*over("The hull studio is dead"), *over("Zeiltas: I've given up on it."))]
    [['hull', 'studi'], ['zeilta']]
    """
    return _over(text)


@lru_cache(maxsize=8192)
def _over(text: str) -> tuple[frozenset[str], ...]:
    if compiled(PASSING).search(text):
        return ()
    if not (OVER in says(text).cues or compiled(ENDS, re.I).search(text) or compiled(NAMED_DONE).search(text)):
        return ()
    found = list[frozenset[str]]()
    before = frozenset[str]()
    for clause in compiled(CLAUSE).split(compiled(NO_ENDS).sub(" ", text)):
        read = says(clause)
        own = _named_by(read)
        if done := compiled(NAMED_DONE).search(clause):
            own = _named_by(says(done["name"]))
        elif end := compiled(ENDS, re.I).search(clause):
            before_it, behind = clause[: end.start()], clause[end.end() :]
            is_active = compiled(OBJECT).match(behind) and not compiled(IS).match(end[0])  # "she turned down the job"
            own = _named_by(says(before_it))
            own = own if _plain(own) and not is_active else _named_by(says(behind))
        elif OVER in read.cues:
            own -= _telling(clause)
        else:
            before = _plain(own) or before
            continue
        thing = _plain(own)
        if thing & (read.names | read.maybe) - _relations():
            thing -= _relations()
        found.append(thing or frozenset(each for each in own if not each.startswith(NUMBER)) if own else before)
        before = thing or before
    return tuple(filter(None, found))


def _named_by(read: Says) -> frozenset[str]:
    own = frozenset(each for each in read.ideas if not matters.is_speaker(each))
    return own | {f"{NUMBER}{each}" for each in read.numbers}


@cache
def _relations() -> frozenset[str]:
    return frozenset[str]().union(*(says(word).ideas for word in RELATIONS.split()))


def _plain(ideas: frozenset[str]) -> frozenset[str]:
    return frozenset(each for each in ideas if not each.startswith(CLASS))


def _telling(clause: str) -> frozenset[str]:
    """Return what the words stand for by which a clause tells that something is over."""
    words = compiled(WORD).findall(clause)
    at: set[int] = set()
    for size in range(1, LONGEST + 1):
        for start in range(len(words) - size + 1):
            run = range(start, start + size)
            if at.isdisjoint(run) and OVER in says(" ".join(words[start : start + size])).cues:
                at.update(run)
    return frozenset[str]().union(*(says(words[each]).ideas for each in at))


class _Names:
    """What the lines of one label speak of, by the words that few of them have."""

    def __init__(self, lines: Sequence[Said], among: Collection[str]) -> None:
        texts = {each.text for each in lines}
        count = Counter(idea for text in texts for idea in says(text).ideas)
        most = matters.most(len(texts))
        size = max(len(texts), matters.USUAL)
        self.telling = {idea for idea, n in count.items() if n <= most and not matters.is_speaker(idea)}
        self.weights = {idea: log(size / n) + 0.1 for idea, n in count.items() if n <= most // FEWER}
        self.index: dict[str, list[Said]] = defaultdict(list)
        for each in lines:
            if each.id in among:
                for idea in says(each.text).ideas & self.weights.keys():
                    self.index[idea].append(each)

    def ended(self, newer: Said) -> tuple[Said, ...]:
        """Return the older lines that speak of what a line says is over."""
        ended = dict[str, Said]()
        for thing in over(newer.text):
            ended |= {each.id: each for each in self._of(thing, newer)}
        return tuple(ended.values())

    def _of(self, thing: frozenset[str], newer: Said) -> list[Said]:
        shared: dict[str, set[str]] = defaultdict(set)
        lines: dict[str, Said] = {}
        for idea in thing:
            for each in self.index.get(idea, ()):
                if each.day < newer.day and not any(idea in ended for ended in over(each.text)):
                    shared[each.id].add(idea)
                    lines[each.id] = each
        heft = {
            id_: sum(self.weights[idea] for idea in sorted(ideas))
            for id_, ideas in shared.items()
            if self._is_meant(lines[id_], newer, ideas, thing)
        }
        near = [id_ for id_ in heft if heft[id_] >= NEAR * max(heft.values())]
        is_one = bool(near) and bool(set.intersection(*(shared[id_] for id_ in near)))
        return [lines[id_] for id_ in near] if is_one else []

    def _is_meant(self, older: Said, newer: Said, ideas: Set[str], thing: frozenset[str]) -> bool:
        """Return whether a line has all of what is over, or a part and something else in common; of a class, both."""
        shared = says(older.text).ideas & says(newer.text).ideas & self.telling
        if not _plain(thing):
            return len(ideas) == len(thing) < len(shared)
        return len(ideas) == len(thing) or (len(ideas) >= PART * len(thing) and len(_plain(shared)) > 1)
