"""What of a talk is worth remembering, as what, and how much.  [design §4 "one reading", seed openclaw-memory]

A sentence is weighed by what it says; an answer by what it answers as well, because "50" weighs nothing alone. What
structure tells goes before the weigher: a question asks, a value that was asked for is settled, a correction matters.
"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled
from koog.core.text import kinds, replies, sentences, weigher
from koog.core.text.measures import content_words
from koog.core.text.replies import NO, VALUE, YES
from koog.core.text.statement import Statement
from koog.core.text.talk import ON
from koog.core.text.voices import AGENT, PERSON, TALK, USER

KINDS = {"error": "fact", "fix": "fact", "task": "goal", "lesson": "rule", "deadline": "goal"}
AGENTS = ("decision", "fact", "event", "goal")  # the rest only a person's own word can be
LEAST, RED, AGENT_MOST = 3, 7, 6  # importance: just above the line; never to be lost; of what only an agent said
GRAVE = ("rule", "decision", "goal")  # types of which more must never be lost
TOLD = ("fact", "event", "habit")  # types that bind nobody
OF_A_PERSON = ("rule", "preference", "decision", "goal")
STRICTER = 0.12  # over the weigher's own line
SURE, SUREST, SURELY = 0.15, 0.35, 0.85  # what being one of those adds; what being it so surely does
ORDERED = 0.1  # what a sentence adds that says by its words that it holds from now on
EASIER, HARDER = -0.28, 0.16  # beside the weigher's own bar
DATED = 0.2  # so much less of it what names a day needs
LIKED = 0.85  # what surely is a person's preference and weighs as much is what he wants each time
ASKED = 0.3  # so much less an answer may weigh when it was asked for
HIGH, HIGHEST = 0.8, 0.92
WISHED = 0.9  # what a standing wish is worth
REFUSED, RULED = 0.75, 0.5  # the least must of a question that says what shall hold; of one that surely is a rule
LEFT_OUT = 0.3  # of one that asks for something to be left out
ABOVE = 0.08  # so little over the line is just above it
MUCH = 0.3  # so much less than its must a sentence weighs at least
NOD_CHARS = 8  # of a question behind a comma that asks for a nod alone
NAMED = 2  # words that say what to remember: "remember that!" says nothing
LIGHT, TRIFLE = 0.2, 0.06  # what weighs so little may be lost without harm; so little, whatever else it weighs
# How an order begins that holds each time; "never seen that" tells, and a past form follows.
FORBIDS = (
    r"\W*(?:(?:please|bitte|por favor|merci de|pls)[,\s]+)?(?:(?:never|always)(?! (?:mind|again|seen|heard|had|been|got"
    r"|knew|thought|\w+ed)\b) \w+ (?!of\b)\w+|(?:nie(?:mals)?|immer) \w+|(?:nunca(?! se sabe)|jamás|siempre) \w+"
    r"|(?:ne jamais|jamais|toujours) \w+|(?:绝不|绝对不|永远|千万别|不要再|禁止|必须|決して|絶対に?|必ず))"
)
# "Remember that …", said to who keeps the memory: what follows, or in Japanese what stands before it.
REMEMBER = (
    r"\W*(?:[^\W\d_]{1,8}[,!]\s+){0,2}(?:(?:and|also|so|und|auch|y|et|aussi)\s+)?"
    r"(?:(?:please|pls|bitte|por favor|s'il (?:te|vous) pla[iî]t|(?P<asked>(?:can|could) you|kannst du|puedes"
    r"|tu peux))[,\s]+)*"
    r"(?:(?:(?:always |do )?remember|keep in mind|bear in mind|don['’]?t forget)(?:(?= (?:the|we|our|my|your|it|i|to"
    r"|(?-i:[A-Z])\S*)\b)(?! the (?:time|days?)\b)|[,:]| that\b)"
    r"|(?:(?:take |make )?a? ?note|for the record)(?:[,:]| that\b)"
    r"|(?:merke?n?|notiere?n?|behalte?n?|denke?n?|vergiss|vergessen)\b[^,:.]{0,20}[,:]"
    r"|(?:recuerda|recuérdame|recuerde|apunta|anota|acuérdate de|ten en cuenta|no olvides)(?:[,:]| que\b)"
    r"|(?:retiens|retenez|note|notez|souviens-toi|n['’]oublie[sz]? pas|garde en tête)(?:[,:]| bien\b)?"
    r"(?:[,:]| qu(?:e\b|['’]))"
    r"|请?(?:帮我|你)?(?:记住|记一下|记下来?|牢记|别忘了|不要忘记)[，,：:]?)\s*(?P<rest>\S.*)"
    r"|(?P<before>.{6,}?)(?:って|と|を|は|のを|こと(?:を|は)?)?、?(?:覚えて(?:おいて|ください|て|いて)|覚えといて"
    r"|記憶して|メモして|忘れないで)[^。]{0,8}[。!！]*\Z"
)
# What is said of anything at all, and holds of nothing.
SAYING = (
    r"\b(?:(?:ist|is) (?:ja |halt |eben |immer |auch |doch )*so (?:eine|ne|'ne) sache\b"
    r"|so ist das (?:halt|eben|nun mal)\b|(?:that's|such is) life\b"
    r"|it is what it is\b|así es la vida\b|es lo que hay\b|c'est (?:comme ça|la vie)\b)"
    r"|就是这么回事|そういうもの(?:だ|です)"
)
# Words that are cited in a sentence: what they order is not ordered here.
CITED = r"(?<!\w)[\"“„«「『'‘][^\"”“»」』'’]{5,}[\"”“»」』'’](?!\w)|\"[^\"]{5,}\""


def worth(said: Statement) -> float:
    """Return how likely a careful person would write a sentence of a talk down, 0 to 1."""
    if said.trust not in (PERSON, AGENT):
        return 0.0
    if said.reply:
        return _of_reply(said)
    if is_wish(said) or is_to_remember(said):
        return max(_alone(said), WISHED)
    if replies.asks(said.text) or replies.is_doubt(said.text) or (said.trust == AGENT and replies.intends(said.text)):
        return 0.0
    return 0.0 if compiled(SAYING, re.I).search(said.text) else _alone(said)


def is_wish(said: Statement) -> bool:
    """Return whether a person's question asks for nothing but says what shall hold from now on."""
    if said.trust != PERSON:
        return False
    if replies.is_standing_wish(said.text) or replies.is_wish_of_manner(said.text):
        return True
    if replies.is_refusing_wish(said.text):
        return said.weighed.must >= LEFT_OUT
    bar = RULED if said.type == "rule" else REFUSED
    return not said.reply and replies.asks(said.text) and said.weighed.must >= bar


def is_to_remember(said: Statement) -> bool:
    """Return whether a person asks for a thing to be remembered, and says what."""
    if said.trust != PERSON or not (found := compiled(REMEMBER, re.I | re.S).match(said.text)):
        return False
    if found["rest"] and not found["asked"] and _is_question(said.text):
        return False  # "remember that time in Paris?"
    return len(content_words(found["rest"] or found["before"])) >= NAMED


def _is_question(text: str) -> bool:
    """Return whether a text is a question, and not only asks for a nod at its end ("…, ok?")."""
    _, comma, last = text.replace("，", ",").rpartition(",")
    return text.rstrip().endswith(("?", "？")) and not (comma and len(last.strip()) <= NOD_CHARS)


def line() -> float:
    """Return the least worth of what is remembered."""
    return weigher.threshold(TALK) + STRICTER


def is_kept(said: Statement) -> bool:
    """Return whether a sentence of a talk is worth remembering."""
    return worth(said) >= line()


def kind(said: Statement) -> str:
    """Return what it is: the type of an observation."""
    found = KINDS.get(said.type, said.type)
    if found == "fact":
        found = kinds.by_cue(said.text)
    if said.trust == AGENT:
        return found if found in AGENTS else "fact"
    if found == "fact" and is_wish(said):
        return "rule"
    if said.reply == NO and not replies.is_question(said.leans[-1]):
        before = kinds.by_cue(said.leans[-1])
        found = found if before == "fact" else before  # it puts that right
    is_settled = said.reply in (YES, NO, VALUE) and replies.leaves_open(said.leans[-1]) and not _refuses(said)
    says_more = found == "preference" and said.reply == VALUE
    return "decision" if is_settled and found in ("fact", "habit", "preference") and not says_more else found


def _refuses(said: Statement) -> bool:
    """Return whether an answer says no and nothing else: all stays as it is."""
    return said.reply == NO and (found := replies.reply(said.text, asked=said.leans[-1])) is not None and not found.rest


def importance(said: Statement) -> int:
    """Return how important it is, 1 to 10: 7 and more must never be lost, 3 and less is just above the line."""
    must = said.weighed.must
    if said.reply:
        must = max(must, _together(said, said.leans[-1]).must)
    over = worth(said) - line()
    if said.trust == AGENT:
        return AGENT_MOST if must >= weigher.red() else LEAST if over < ABOVE else 5
    is_settled = (said.reply in (YES, NO) and over >= ABOVE) or compiled(kinds.OF_HEALTH, re.I).search(said.told)
    if (
        is_wish(said)
        or is_to_remember(said)
        or is_settled
        or _orders(said)
        or (must >= _bar(said) and not compiled(CITED).search(said.text))
    ):
        return RED + (must >= HIGH) + (must >= HIGHEST)
    if said.type == "preference" and said.weight >= LIKED and not said.reply:
        return RED
    if kind(said) in GRAVE or said.reply:
        return 5
    is_light = must < TRIFLE or (must < LIGHT and over < ABOVE)  # a week later it is gone
    return LEAST if is_light and kind(said) in TOLD else 5


def _bar(said: Statement) -> float:
    """Return from which `must` on a person's sentence must never be lost: less for a rule, or what names a day."""
    from koog.core.text import dates

    found = kind(said)
    bar = weigher.red() + (EASIER if found in GRAVE else HARDER)
    return bar - DATED if found != "habit" and dates.has_day(said.text) else bar


def _alone(said: Statement) -> float:
    """Return what a sentence weighs; a person's rule, wish or decision that is surely one weighs more."""
    weight = said.weight
    if replies.explains(said.text):  # what is told behind it takes nothing from it
        first = sentences.split(said.text)[0][1]
        weight = max(weight, weigher.weigh(first, register=said.register, role=said.role).keep)
    if said.trust != PERSON:
        return weight
    ordered = ORDERED if kinds.by_cue(said.text) == "rule" else 0.0
    if _orders(said):
        return max(weight, WISHED)
    must = said.weighed.must - MUCH
    sure = SUREST if said.weighed.confidence >= SURELY else SURE
    return min(1.0, max(weight, must) + (sure if said.type in OF_A_PERSON else ordered))


def _orders(said: Statement) -> bool:
    """Return whether a person's sentence begins as an order does that holds each time."""
    found = said.trust == PERSON and said.type == "rule" and kinds.by_cue(said.text) == "rule"
    return found and compiled(FORBIDS, re.I).match(said.text) is not None


def _of_reply(said: Statement) -> float:
    """Return what an answer is worth, with what it answers."""
    asked, bar = said.leans[-1], line()
    together = _together(said, asked).keep
    found = replies.reply(said.text, asked=asked)
    if said.reply == ON or found is None:
        return max(together, bar if said.reply == NO else 0.0)
    more = content_words(found.rest)
    if found.rest and not (said.reply == YES and more and more <= content_words(asked)):
        # Neither yes nor no to an offer, nor one of two: it is another wish.
        fits = said.reply == NO or not replies.is_offer(asked)
        settles = said.reply == NO or (fits and replies.is_short(said.text) and content_words(asked))
        settles = settles or (fits and said.reply == VALUE and together >= bar - ASKED)
        return max(_alone(said), together, bar if settles and said.reply != YES else 0.0)
    *_, (_, question) = sentences.split(asked)
    offered = question if replies.is_offer(question) else asked
    proposed = weigher.weigh(_plain(offered), register=TALK, role=USER).keep
    if found.firm < 2 and replies.is_offer(asked):
        return proposed if found.firm and proposed >= bar else 0.0
    return max(proposed, bar if found.firm > 1 else 0.0)


def _together(said: Statement, asked: str) -> weigher.Weighed:
    return weigher.weigh(f"{_plain(asked)}: {said.text}", register=TALK, role=USER)


def _plain(question: str) -> str:
    return question.rstrip("?？ ")
