"""Turns of a talk → what was said in them, sentence by sentence.  [design §4 "one reading"]

A sentence that answers, agrees or corrects leans on what it answers, and on what that was about; what a turn quotes,
drafts or pastes is nobody's word; what an agent repeats of a person's words is left out. Pure and linear in the length
of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import dates, kinds, leaning, markdown, ownwords, pasted, replies, sentences, trust, weigher
from koog.core.text.kinds import OF_HEALTH
from koog.core.text.measures import content_words
from koog.core.text.replies import NO, YES
from koog.core.text.statement import Statement
from koog.core.text.untrusted import visible
from koog.core.text.voices import AGENT, ASSISTANT, OF_ROLE, PERSON, QUOTED, TALK, TOOL, USER

MAX_SENTENCE = 600  # a longer run without a full stop is a dump
LEANS_CHARS = 280  # of what was said before, that an answer brings along
TOGETHER = 0.8  # of two sentences that each fall under: what they must weigh as one
SAYS = 0.3  # how much a sentence has to weigh, for an answer to bring it along beside the one that it answers
BARE, SHORT, FRAGMENT, JOINED = 2, 4, 2, 4  # content words: of a question that names no subject; of what may point
# back; of half a sentence; behind an "and"
ECHO = 0.5  # share of an agent's words that a person has just said: it repeats them
OLD_AND_NEW = 2  # figures of a sentence that names the wrong one and the right one
STATED, NAMED = 12, 60  # sentences back that a correction may be of; that one may be of which names what is wrong
REASON, FRAGMENT_WORDS = 8, 4  # content words of why, or of what helped; words of half a sentence with all the others
NUMBER, DAY, WEEKDAY, DATE = "number", "day", "weekday", "date"
DAYS = ("th", "st", "nd", "rd", ". ", "日", "号")
TOPIC = 5  # letters of a word that tells what a sentence is about; shorter ones stand in any
NAME = r"(?<=[\w,;:.] )[^\W\d_a-zà-ÿ][\w-]{2,}"  # or a German noun
NOD_CHARS = 8  # of a wide script, with which an agent only says that it heard
ACKNOWLEDGED = 4  # content words of a sentence that only says back a figure or a day
ON = "on"  # a sentence that is about what another said, and neither yes nor no
# What stands for something that was said before, anywhere in a short sentence.
POINTS = (
    r"\b(?:them|that|those|this(?! [^\W\d_]{3})|it|das|diese[nmrs]?|eso|es[oa]s|ça|cela|ceux)\b|[它他她这那]|それ|これ"
)
# With which a question begins that only goes on with the one before: "From the invoice's date?"
WITHIN = (
    r"from|since|until|till|by|as of|for|with|per|and|ab|seit|bis|für|mit|pro|und|ohne|desde|hasta|para|por|con|sin|y"
    r"|depuis|jusqu|dès|pour|avec|sans|par|et"
)
# What speaks of a thing that was named before, behind its subject: "Nadia looks after it".
OF_IT = (
    r"\b(?:(?:after|about|for|of) (?:it|that)|dafür|davon|damit|dazu|darum|de (?:eso|ello|ça|cela)"
    r"|s'en (?:charge|occupe))\b"
)
AND = (
    r"(?:(?:ah|oh|and|ach|哦|あ)[,\s，、]*)?(?:and|but|also|plus|only|und|aber|auch|y|pero|también|et|mais|aussi)\b"
    r"|还有|但"
    r"|而且|あと|でも|また"
)


ONLY = r"(?:only|nur|s[óo]lo|solamente|seulement)\b|只"  # what it leaves out was named before


class Said(NamedTuple):
    """One turn: role user, assistant or tool; source as session#entry; at: when, in the person's own zone."""

    role: str
    text: str
    source: str = ""
    at: datetime | None = None


def of_turns(turns: Sequence[Said]) -> list[Statement]:
    """Return what was said, in its order; `turn` is the place of its turn in the sequence, from 1."""
    talk = _Talk()
    found = list(talk.read(turns))
    return [each for each in found if id(each) not in talk.corrected]


class _Talk:
    """A talk that is being read.

    asked     what an agent said last and nobody has answered
    about     what the person said before that, in whose answer it was said
    thread    the question and answer before, for a question that names no subject
    heard     the words of the person's last turn, and its figures
    stated    what the person has said so far
    corrected ids of those of them that were taken back: what took them back tells them
    nods      what an agent said last only to say that it heard: nothing but a correction is about that
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.about = self.thread = ""
        self.is_drafting = False
        self.heard: frozenset[str] = frozenset()
        self.figures: set[str] = set()
        self.stated: list[Statement] = []
        self.corrected: set[int] = set()
        self.nods: frozenset[str] = frozenset()

    def read(self, turns: Sequence[Said]) -> Iterator[Statement]:
        for n, turn in enumerate(turns, 1):
            if turn.role == USER:
                yield from self._persons(n, turn)
            elif turn.role == ASSISTANT:
                yield from self._agents(n, turn)
            else:
                yield from _sentences(n, turn, is_drafting=False)

    def _persons(self, n: int, turn: Said) -> list[Statement]:
        found = list(_whole(_joined(_sentences(n, turn, is_drafting=False))))
        self.is_drafting = any(ownwords.asks_for_draft(each.text) for each in found)
        own = [i for i, each in enumerate(found) if each.trust == PERSON]
        for i in own:
            if i == own[0] and self.asked:
                is_first = not any(row.strip() for row in turn.text.split("\n")[: found[i].line - 1])
                found[i] = self._answer(found[i], is_first=is_first)
            found[i] = self._corrected(found[i])
        said = [found[i] for i in own]
        if said and not said[0].reply:
            counter = (core := self._heard_of()) and replies.asks(said[0].text)
            self.thread = f"{core} → {said[0].text}" if counter else ""
        if said:
            last = next((each.text for each in reversed(said) if not replies.is_doubt(each.text)), "")
            is_part = _size(last) <= FRAGMENT and not replies.asks(last)
            self.about = "" if replies.is_social(last) or is_part else last
            self.asked = []
        elif found:
            self.about = self.thread = ""  # it only showed something: what follows is about that
        self.stated += said
        self.heard = frozenset().union(*(content_words(each.told) for each in said))
        self.figures = {figure for each in said for _, figure in _values(each.text)}
        return found

    def _agents(self, n: int, turn: Said) -> list[Statement]:
        found = list(_sentences(n, turn, is_drafting=self.is_drafting))
        self.is_drafting = False
        # What is said to a draft is about the draft, and an opening question about nothing yet.
        own = [each for each in found if each.trust == AGENT or replies.is_question(each.text)]
        own = [each for each in own if not (replies.opens(each.text) or _greets(each.text))]
        if found:
            says = (e for e in own if e is own[-1] or replies.is_question(e.text) or e.weight >= SAYS)
            self.asked = [each.text for each in says]
        echoes = {each.text for each in found if self._echoes(each)}
        self.nods = frozenset(text for text in self.asked if text in echoes or _nods(text))
        found = [each for each in found if each.text not in echoes]
        self.stated += found
        return found

    def _heard_of(self) -> str:
        """Return what an agent said last, without what only tells that it heard."""
        return " ".join(_core([text for text in self.asked if text not in self.nods]))

    def _echoes(self, said: Statement) -> bool:
        words = content_words(said.text)
        if not words:
            return False
        figures = {figure for _, figure in _values(said.text)}
        says_back = figures and figures <= self.figures and len(words) <= ACKNOWLEDGED
        return bool(says_back) or len(words & self.heard) >= ECHO * len(words)

    def _answer(self, said: Statement, *, is_first: bool) -> Statement:
        """Return a person's first sentence with what it answers.

        is_first   nothing that was pasted stands before it, which it may be about
        """
        core = " ".join(_core(self.asked))
        found = replies.reply(said.text, asked=core) or _otherwise(said.text, core)
        if found is None or (not found.firm and not replies.proposes(core) and not dates.has_day(core)):
            core = self._heard_of()
            is_on = core and found is None and is_first and _leans(said.text, core)
            return replace(said, leans=(core,), reply=ON, to=AGENT) if is_on else said
        before = self._before(core, found)
        leans = (before, core) if before and len(before) + len(core) <= LEANS_CHARS else (core,)
        if before and found.kind == NO and _size(core) <= 1 and not replies.is_question(core):
            leans = (before,)  # "noted" says nothing
        if found.kind == NO and found.rest:  # it is told: nothing is lost
            self.corrected |= {id(each) for each in self.stated if each.text == before}
        self.thread = f"{core} → {said.text}"
        return replace(said, leans=leans, reply=found.kind, to=AGENT)

    def _before(self, core: str, found: replies.Reply) -> str:
        """Return what was said before a question or proposal that does not stand alone, "" when it does."""
        is_whole = replies.is_question(core) and not compiled(rf"(?:{WITHIN})\b", re.I).match(core)
        if _size(core) < (BARE if is_whole else SHORT) or _points_back(core):
            return self.thread or self.about
        is_own_question = found.firm > 1 and replies.asks(self.about)
        puts_right = found.kind == NO and not replies.is_question(core)
        shared = _topics(self.about) & _topics(core)
        if is_whole and _size(core) > SHORT and len(shared) == 1:  # a word of every day may be the same by chance
            shared = set(compiled(NAME).findall(self.about)) & set(compiled(NAME).findall(core))
        belongs = is_own_question or puts_right or shared
        return self.about if belongs and not self.thread else ""

    def _corrected(self, said: Statement) -> Statement:
        """Return a sentence that puts a figure, a day or a name right, with the statement that held the wrong one."""
        denies = replies.denies(said.text)
        if said.reply or not (denies or replies.corrects(said.text)):
            return said
        near = [each for each in reversed(self.stated[-NAMED:]) if each.turn < said.turn]
        found = self._of_values(said, near)
        if not found and (names := _names(said.text, denies=denies)):
            found = [each for each in near if any(name in each.text for name in names)]
        for each in found[:1]:
            self.corrected.add(id(each))
            return replace(said, leans=(each.told,), reply=NO, to=each.trust)
        return said

    def _of_values(self, said: Statement, near: Sequence[Statement]) -> list[Statement]:
        """Return what a figure or day puts right, the likeliest first: it differs, and is of the same kind."""
        values = _values(said.text)
        kinds = {kind for kind, _ in values}
        last = [each for each in near if each.trust == PERSON][: _size(said.text) <= FRAGMENT]
        held = {id(each): _values(each.text) for each in near}
        near = [each for each in near if held[id(each)] != values and kinds & {kind for kind, _ in held[id(each)]}]
        if kinds == {WEEKDAY}:  # many sentences name one
            near = [each for each in near if _topics(each.text) & _topics(said.text) or each in last]
        # It names the wrong figure itself, or it is of a kind of its own, as days are.
        other = kinds - {NUMBER}
        named = [
            each
            for each in near
            if held[id(each)] & values and (other or held[id(each)] - values or len(values) <= OLD_AND_NEW)
        ]
        alike = sorted(near[:STATED], key=lambda each: -len(_topics(each.text) & _topics(said.text)))
        # Who says "the 8th, not the 18th" has said the 18th: a line with another day is not meant.
        names_both = any(sum(kind == each for kind, _ in values) >= OLD_AND_NEW for each in other)
        return named or (alike if other and not names_both else [])


def _points_back(text: str) -> bool:
    """Return whether a sentence needs the one before it, an "and" in front of it or not."""
    lead = compiled(rf"(?:(?:{AND})[\s,，、]*)+", re.I).match(text)
    text = text[lead.end() :] if lead else text
    return leaning.points_back(text) or (
        _size(text) <= SHORT + FRAGMENT and compiled(OF_IT, re.I).search(text) is not None
    )


def _size(text: str) -> int:
    """Return about how many words with a meaning a text has; two wide characters make one."""
    wide = sum(char >= "\u3040" for char in text)
    return sum(word[0] < "\u3040" for word in content_words(text)) + wide // 2


def _topics(text: str) -> set[str]:
    """Return how the words begin that tell what a text is about: "fitters" and "fitting" alike."""
    return {word[:4] for word in content_words(text) if len(word) >= TOPIC or word[0] >= "\u3040"}


def _names(text: str, *, denies: bool) -> set[str]:
    """Return what a sentence may put right: what it says it is not; all that it names when it begins with a no."""
    wide = compiled(r"不是([^，。、！]{2,6})[，。]|^([^，。、！]{2,6}?)(?:じゃなくて|ではなく)").findall(text)
    named = compiled(NAME).findall(text) if denies else []
    return {*named, *(name for pair in wide for name in pair if name)}


def _nods(text: str) -> bool:
    """Return whether an agent only says that it heard: "Added.", "Verstanden: Mandeln ja." of what it was told."""
    is_short = _size(text) <= 1 or (text[0] >= "\u3040" and len(text) <= NOD_CHARS)
    return is_short and not replies.is_question(text) and not _values(text)


def _greets(text: str) -> bool:
    return replies.is_social(text) and not replies.is_question(text) and _size(text) <= SHORT


def _values(text: str) -> frozenset[tuple[str, str]]:
    """Return the figures and days of a text, each with its kind."""
    figures = compiled(r"(\d+(?:[.,:]\d+)*)(th|st|nd|rd|[月日号%]|\. )?").findall(text)
    words = compiled(r"[^\W\d_]+").findall(text.lower())
    dated = [str(each.day)[5:] for each in dates.found(text, date(2000, 1, 1)) if compiled(r"\d|月").search(each.text)]
    days = {dates.WEEKDAYS.get(word, dates.WEEKDAYS.get(word.removesuffix("s"))) for word in words} - {None}
    return frozenset(
        [
            *((DAY if last in DAYS else last or NUMBER, figure) for figure, last in figures),
            *((DAY, day[3:].lstrip("0")) for day in dated),
            *((WEEKDAY, str(day)) for day in days),
            *((DATE, day) for day in dated),
        ]
    )


def _otherwise(text: str, core: str) -> replies.Reply | None:
    """Return the no of who begins with another figure or day than was stated: "It comes on Tuesdays." – "Mondays." """
    first = compiled(r"\W*([^\s.,;:!?。，！]+(?: ?%)?) ?[.,;!。，！]").match(f"{text}.")
    said, stated = _values(first[1] if first else ""), _values(core)
    is_other = not replies.asks(core) and said - stated and {kind for kind, _ in said} & {kind for kind, _ in stated}
    return replies.Reply(NO, firm=2, rest=text) if is_other else None


def stands_alone(said: Statement) -> bool:
    """Return whether a no to what an agent stated names itself what it is about."""
    if said.to != AGENT or not replies.denies(said.text) or replies.is_question(said.leans[-1]):
        return False
    shares = _topics(said.text) & _topics(said.leans[-1])
    return bool(shares) and _size(said.text) > FRAGMENT and not _points_back(said.text)


def _leans(text: str, core: str) -> bool:
    """Return whether a sentence with which a turn begins is about what another said before it."""
    if replies.is_social(text) or replies.asks(text) or "?" in text:
        return False
    words = _size(text)
    if _points_back(text) or (words <= REASON and _topics(text.split(maxsplit=1)[0]) & _topics(core)):
        return True
    return (
        words <= SHORT
        and compiled(rf"(?<!\w)(?:{AND})" if words <= FRAGMENT else POINTS, re.I).search(text) is not None
    )


def _core(asked: Sequence[str]) -> list[str]:
    """Return what an answer to a turn is about: its last question or sentence, and what belongs to it."""
    if not asked:
        return []
    last = len(asked) - 1
    core = max((i for i, text in enumerate(asked) if replies.is_question(text)), default=last)
    chosen, size = {core}, len(asked[core])
    is_whole = replies.is_question(asked[core]) and _size(asked[core]) >= BARE
    others = [i for i in range(len(asked)) if i != core and not (is_whole and _is_beside(asked[i]))]
    for i in sorted(others, key=lambda i: abs(core - i)):
        if size + len(asked[i]) > LEANS_CHARS:
            break
        chosen.add(i)
        size += len(asked[i])
    return [asked[i] for i in sorted(chosen)]


def _is_beside(text: str) -> bool:
    """Return whether a sentence beside a question would be a rule, or do harm: a yes to the question is none to it."""
    return kinds.is_standing(text) or trust.verdict(text, AGENT, register=TALK, kind="fact") != trust.TAKEN


def _sentences(n: int, turn: Said, *, is_drafting: bool) -> Iterator[Statement]:
    """Yield the sentences of one turn, each with the one before it where it cannot be understood alone."""
    seen = visible(turn.text)
    text, others = ownwords.written(seen), pasted.rows(seen)
    trust = OF_ROLE.get(turn.role, TOOL)
    day = turn.at.date().isoformat() if turn.at else ""
    for piece, is_written in ownwords.own(list(markdown.pieces(text)), chars=len(text), is_drafting=is_drafting):
        is_own = is_written and piece.line not in others
        spans = ownwords.quoted(piece.text)
        for at, sentence in sentences.split(piece.text):
            words = replies.without_tag(compiled(ownwords.BRACKETED).sub(" ", sentence).strip())
            if not 1 <= len(words) <= MAX_SENTENCE:
                continue
            mine = is_own and not ownwords.is_within(at, at + len(sentence), spans)
            mine = mine and not ownwords.is_anothers(words)
            mine = mine and not (turn.role == USER and ownwords.asks_for_draft(words))
            yield Statement(
                words, turn.role, trust if mine or trust == TOOL else QUOTED,
                source=turn.source, line=piece.line, turn=n, heading=piece.heading, day=day,
            )  # fmt: skip


def _joined(found: Iterator[Statement]) -> Iterator[Statement]:
    """Yield a turn's sentences; half a sentence is joined to the one before it, what points back leans on it."""
    held: Statement | None = None
    for each in found:
        if held is None or each.trust != held.trust:
            if held:
                yield held
            held = each
        elif _goes_on(held.text, each.text) and not (held.text.endswith((":", "：")) and each.line > held.line + 1):
            blank = "" if held.text.endswith(("。", "！", "？")) else " "
            held = replace(held, text=f"{held.text}{blank}{each.text}", leans=held.leans)
        else:
            yield held
            leans = (held.text,) if _points_back(each.text) else ()
            held = replace(each, leans=leans)
    if held:
        yield held


def _whole(found: Iterator[Statement]) -> Iterator[Statement]:
    """Yield a person's sentences, two that are only together worth much as one: "It's on May 4! I booked, at noon." """
    held: Statement | None = None
    for each in found:
        if held and held.line == each.line and _is_half(held) and _is_half(each):
            both = replace(held, text=f"{held.text} {each.text}")
            if len(both.text) <= LEANS_CHARS and min(both.weight, both.weighed.must) >= TOGETHER:
                held = both
                continue
        if held:
            yield held
        held = each
    if held:
        yield held


def _is_half(said: Statement) -> bool:
    if said.trust != PERSON or said.leans or replies.asks(said.text) or replies.is_social(said.text):
        return False
    return SAYS <= said.weight < weigher.threshold(TALK) + 0.05


def _goes_on(before: str, text: str) -> bool:
    """Return whether a sentence only goes on with the one before it."""
    if len(before) + len(text) > LEANS_CHARS or replies.is_social(text) or replies.is_question(text):
        return False
    if replies.is_question(before):
        wishes = replies.is_standing_wish(before) or replies.is_refusing_wish(before)
        return wishes or replies.stops(text) or _size(before) <= 1
    words = _size(text)
    bare = replies.reply(before, asked="")
    if bare and bare.kind == NO and not bare.rest:
        return True
    if _size(before) <= 1 and before[:1].isalnum() and not compiled(AND, re.I).match(text):
        return not replies.is_social(before) and bare is None
    if bare and bare.kind == YES and not bare.rest:
        return words <= FRAGMENT or replies.corrects(text)
    if words <= REASON and replies.explains(text):
        return True
    is_on_it = _topics(before) & _topics(text) or compiled(OF_HEALTH, re.I).search(before)
    if words <= SHORT and is_on_it and len(text.split()) <= REASON:
        return True
    if _size(before) <= SHORT and words <= REASON and compiled(ONLY, re.I).match(text):
        return True
    is_half = len(text.split()) <= FRAGMENT_WORDS or _points_back(text)
    return words <= (JOINED if compiled(AND, re.I).match(text) else FRAGMENT * is_half)
