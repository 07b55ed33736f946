"""What a line says is over, and which older lines speak of it: a plan, a club, a way of doing things. Pure.

A project is given up in one line and was spoken of in many, with which that line often shares its name and nothing
else. So its name does, if it is the very thing that the line says is over (things.py): who gives up the trip to Bergen
lives there all the same. What is said of one ends nothing of another's (the gate), and what is denied or passing is no
end.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from math import log

from koog.consolidate import matters, things
from koog.consolidate.survey import Said
from koog.consolidate.things import Thing
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import negation, slots
from koog.core.text.says import says
from koog.memory.store import gate

OVER = "over"
WIDE_PART = 0.5  # of a thing's pairs of letters, in a script without blanks, which an older line has
FEWER = 2  # of the lines that may share a word of any matter, a half may share the name of what is over
SENTENCES = r"[^.!?。！？]*[.!?。！？]*"
CLAUSE = r"[.!?;:,。！？；：，、—–]|\s-\s"  # "lock-up" is one word
# What tells an end besides the words of compare.txt, which stand alone: a sentence turns on these. Of what is before:
OF_IT = (
    r"\b(?:(?:fell|fallen|falls) through(?! (?:the|an?|my|his|her)\b)"
    r"|(?:is|are|was|were) (?:closing|folding|shutting|winding up)(?: down| for good| at the end)|(?:gone|went) under"
    r"|(?:comes?|came|coming) to an end|won't (?:happen|go ahead)|(?:not|isn't|aren't) (?:happening|going ahead)"
    r"|off the table|(?:is|are) (?:over|history|done)(?= (?:on|from|at the end|for good)\b|[.,;!]|\Z)"
    r"|signed off for good|it's a no|(?:(?:is|was|were|got|has|have) )?(?:disbanded|dissolved)"
    r"|(?:wurde |ist |wird )?(?:abgelehnt|abgeblasen|eingestampft|geplatzt|aufgelöst)|vom tisch|ins wasser gefallen"
    r"|wird nichts|macht (?:dicht|zu)(?=[.,;!]|\Z)|gibt es nicht mehr|no sale adelante|se (?:ha acabado|acaba|terminó)"
    r"|(?:fue |ha sido |quedó )(?:rechazad|denegad|descartad|disuelt)[oa]s?|se ha disuelto"
    r"|(?:a été |est )(?:refusée?|rejetée?|enterrée?|abandonnée?|dissoute?)s?|(?:tombée?|est) à l'eau|ne se fera pas"
    r"|c'est fini(?=[.,;!]|\Z)|expired|ended(?! up)|closed down|discontinued|entfällt|fällt aus|weggefallen"
    r"|n'existe plus)(?!\w)"
)
# Of what follows:
OF_OBJECT = (
    r"\b(?:(?:got|getting) rid of|unsubscribed from|part(?:ed|ing) (?:ways )?with|said goodbye to|pulled out of"
    r"|dropped out of|backed out of|pulled the plug on|gave up on|given up on"
    r"|(?:moved|switched|went|gone) away from|sold(?= (?:the|my|our)\b)|di(?:mos)? de baja"
    r"|vend(?:í|imos)(?= (?:el|la|mi|nuestr[oa])\b)|mis fin à|tiré un trait sur)(?!\w)"
)
# Of either: "the greenhouse was turned down", "she turned down the job". Of German, what stands before it.
OF_EITHER = (
    r"\b(?:(?:got |gets |was |were |been |is |are )?(?:turned down|rejected|shelved|knocked back|voted down)"
    r"|abbestellt|abgemeldet|dichtgemacht|stecker gezogen|verkauft|désabonnée?)(?!\w)"
)
WIDE_ENDS = r"被拒|泡汤|搁置|不办了|没通过|退订|注销|卖掉|却下|見送り|没になった|取り下げ|退会|手放し|解散"
# What looks like an end: "a dead thing", "we ended up on the grass", "the power is off till three".
NO_ENDS = (
    r"(?i)\bended up\b|\b(?:a|an|the|my|our|his|her|some)\s+(?:\w+\s+)?(?:dead|retired|removed|deleted"
    r"|abandoned)\s+[^\W\d_]+|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bdead\b"
    r"|\bdropped (?:me|us|him|her|them|off|by|in|to)\b|\bdead (?:at|since|on)\b|\bis off(?=:)|\bran out of\b"
    r"|\bis off (?:to|on|sick|work|for|today|this|again|at|by|from)\b|\bstopped (?:in|at|by|for|on|to)\b"
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
    r"|by mistake|aus versehen|por error|par erreur"
    r"|appointment|train|bus|flight|ferry|termin|zug|flug|cita|tren|vuelo|rendez-vous|rdv|vol)\b"
    r"|今天|今晚|这周|预约|今日|今夜|今週|予約"
    r"|\b(?:plan|idea|proposal|motion|request|bid|offer|move|vorschlag|antrag|propuesta|proposition) "
    r"(?:to|zu[rm]?|de|d['’])\s*(?:end|close|cancel|scrap|drop|stop|sell|shut|terminate|kündig|schließ|verkauf|cerrar"
    r"|cancelar|vender|fermer|annuler|vendre)"
)
IT = r"(?i)\b(?:i|we|it|that|this|they|ich|wir|es|er|sie|das|lo|j['’]|nous|elle|il)\b"  # the clause before says what
UNTIL = r"(?i)\b(?:until|till|bis|hasta|jusqu\w*)\b|まで"  # it goes on then
# The thing, and no plan to end one.
A_PLAN = r"(?i)\b(?:the|an?|my|our|this|that) (?:\w+ )?plans?\b|\bplan (?=(?:is|was|got)\b)"
# Who leaves a firm works there no more; what else is left may be left for an hour.
QUITS = (
    r"\b(?i:left|quit|resigned from|handed in my notice at|kündigte bei|verlassen habe ich|he dejado|dejé|ai quitté"
    r"|quitté)\s+(?i:the\s)?",
    r"\b(?i:bei)\s+(?=[A-ZÀ-Þ][\w-]*\s(?:gekündigt|aufgehört))",
)
NAME = r"(?P<name>[A-ZÀ-Þ][\w&.-]*(?:\s[A-ZÀ-Þ][\w&-]*)*)"
LEAVES_EAST = r"从(?P<name>[^，。]{2,8}?)(?:离职|辞职)|(?P<kana>[\u30a0-\u30ff\u3400-\u9fff]{2,10})を(?:退職|辞め)"


class Ending(NamedTuple):
    """A line, and the older ones that speak of what it says is over."""

    newer: Said
    older: tuple[Said, ...]


def found(lines: Sequence[Said]) -> Iterator[Ending]:
    """Yield which lines are ended by which, in order of time; of one label each."""
    by_label: dict[object, list[Said]] = defaultdict(list)
    for each in sorted(lines, key=lambda s: (s.day, s.id)):
        by_label[each.label].append(each)
    for group in by_label.values():
        ending = [each for each in group if over(each.text) or left(each.text)]
        if ending:
            names = _Names(group)
            yield from (Ending(each, older) for each in ending if (older := names.ended(each)))


@lru_cache(maxsize=8192)
def over(text: str) -> tuple[Thing, ...]:
    """Return what each clause says is over; of one that names nothing, what the clause before it names.

    >>> [sorted(each.own) for each in (*over("The hull studio is dead"), *over("Zeiltas: I've given up on it."))]
    [['hull', 'studi'], ['zeilta']]
    >>> over("The hull studio is not dead"), over("We almost gave up the hull studio")
    ((), ())
    """
    if not _may_end(text):
        return ()
    found = list[Thing]()
    before = things.NOTHING
    lasting = "".join(each for each in compiled(SENTENCES).findall(text) if not compiled(PASSING).search(each))
    for clause in compiled(CLAUSE).split(compiled(NO_ENDS).sub(" ", lasting)):
        place = _place(clause)
        if place is None:
            before = things.named(clause) or before
            continue
        rest = f"{clause[: place.start]} {clause[place.end :]}"
        said = rest if says(clause).wide else clause[: place.start]  # a denial stands before what it denies
        if negation.is_denied(said) or _is_unsure(rest) or compiled(UNTIL).search(rest):
            continue
        thing = things.object_of(clause, place)
        if thing is None and compiled(IT).search(rest) and not things.named(rest):
            thing = before
        if thing := _without_relations(thing or things.NOTHING):
            found.append(thing)
            before = thing
    return tuple(found)


def _may_end(text: str) -> bool:
    return OVER in says(text).cues or any(compiled(each, re.I).search(text) for each in (*ENDS_OF, WIDE_ENDS))


ENDS_OF = {OF_IT: things.SUBJECT, OF_OBJECT: things.OBJECT, OF_EITHER: things.EITHER}


def _place(clause: str) -> things.Place | None:
    """Return where a clause says that something is over, and on which side of it stands what is."""
    for pattern, side in ENDS_OF.items():
        if match := compiled(pattern, re.I).search(clause):
            return things.Place(match.start(), match.end(), side)
    if match := compiled(WIDE_ENDS).search(clause):
        return things.Place(match.start(), match.end(), things.EITHER)
    return things.place(clause, OVER)


def _is_unsure(text: str) -> bool:
    """Return whether a clause tells a wish or a thought."""
    return compiled(slots.UNSURE).search(compiled(A_PLAN).sub(" ", text)) is not None


def _without_relations(thing: Thing) -> Thing:
    """Return of a membership, a contract or a box whose it is, where that is told."""
    own = thing.own - _relations()
    if own:
        return thing._replace(own=own)
    return Thing(thing.of) if thing.of - _relations() else thing


@cache
def _relations() -> frozenset[str]:
    return frozenset[str]().union(*(says(word).ideas for word in RELATIONS.split()))


@lru_cache(maxsize=8192)
def left(text: str) -> frozenset[str]:
    """Return by what firms are called that somebody has left, by what a line says.

    >>> left("I have left Siemens"), left("I almost left Siemens"), left("I left the key at home")
    (frozenset({'siemens'}), frozenset(), frozenset())
    """
    found = set[str]()
    for clause in compiled(CLAUSE).split(text):
        for pattern in (*(f"{each}{NAME}" for each in QUITS), LEAVES_EAST):
            match = compiled(pattern).search(clause)
            if match and not (negation.is_denied(clause[: match.start()]) or _is_unsure(clause[: match.start()])):
                found.add((match["name"] or match["kana"]).casefold())
    return frozenset(found)


def _are_of_him(thing: Thing, older: Said, newer: Said) -> bool:
    """Return whether a thing seems to be somebody of whom both lines tell: who is off, or done, has not ended."""
    return thing.is_who and all(
        thing.own <= frozenset[str]().union(*map(things.ideas, gate.people(e.text))) for e in (older, newer)
    )


class _Names:
    """What the lines of one label speak of, by the words that few of them have."""

    def __init__(self, lines: Sequence[Said]) -> None:
        texts = {each.text for each in lines}
        count = Counter(idea for text in texts for idea in says(text).ideas | things.ideas(text))
        most = matters.most(len(texts))
        size = max(len(texts), matters.USUAL)
        self.telling = {idea for idea, n in count.items() if n <= most and not matters.is_speaker(idea)}
        self.weights = {idea: log(size / n) + 0.1 for idea, n in count.items() if n <= most // FEWER}
        self.index: dict[str, list[Said]] = defaultdict(list)
        self.at_work: dict[str, list[Said]] = defaultdict(list)
        for each in lines:
            for idea in things.ideas(each.text) & self.weights.keys():
                self.index[idea].append(each)
            for slot in slots.told(each.text):
                if slot.slot == slots.WORK:
                    self.at_work[slot.value.casefold()].append(each)

    def ended(self, newer: Said) -> tuple[Said, ...]:
        """Return the older lines that speak of what a line says is over."""
        ended = {each.id: each for thing in over(newer.text) for each in self._of(thing, newer)}
        for name in left(newer.text):
            held = (each for each in self.at_work.get(name, ()) if gate.is_surely_of_one(each.text, newer.text))
            ended |= {each.id: each for each in held if each.day < newer.day}
        return tuple(ended.values())

    def _of(self, thing: Thing, newer: Said) -> Iterator[Said]:
        near = {each.id: each for idea in thing.own for each in self.index.get(idea, ()) if each.day < newer.day}
        for each in near.values():
            is_told = any(thing.own & other.own for other in over(each.text))
            is_meant = self._is_meant(each, newer, thing) and not is_told
            if (
                is_meant
                and not _are_of_him(thing, each, newer)
                and gate.opens(each.text, newer.text, thing.own | thing.of)
            ):
                yield each

    def _is_meant(self, older: Said, newer: Said, thing: Thing) -> bool:
        """Return whether a line has all of what is over, and a part of what tells which; of a class, something more."""
        has = things.ideas(older.text)
        if says(newer.text).wide:
            shared = thing.own & has & self.telling
            return len(shared) >= WIDE_PART * len(thing.own) and (len(shared) > 1 or shared == thing.own)
        if not thing.own <= has or (thing.of and thing.of.isdisjoint(has)):
            return False
        shared = says(older.text).ideas & says(newer.text).ideas & self.telling
        return things.is_named(thing.own) or len(shared) > len(thing.own)
