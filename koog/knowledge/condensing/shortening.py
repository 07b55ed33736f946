"""A line in fewer of its own words: that part of it which tells most for its length.  [autopoiesis §8.4]

A sentence of it, or what of a sentence says something by itself: it begins where the sentence does, or with who or
what it speaks of. No number, name, day or "not" is lost, no condition, and nothing is cut within quotation marks or
brackets. Of a sentence that turns on a part of it ("I used to think that", "but", "when") nothing is cut. Six
languages. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import date

from koog.core.lazy_regex import compiled
from koog.core.text import cues, sentences
from koog.core.text.measures import content_words
from koog.core.text.observation import OF_AGENT
from koog.knowledge.condensing import value
from koog.knowledge.condensing.gathering import Said
from koog.observe import reflection_laws

CLAUSE = ",;—–，；、"
WIDE = 0x2E80  # from here on, words are written without blanks, and without capitals
LEAST_WORDS = 3  # of a part that says something
# With which a part begins that tells of whom or what it speaks, where its sentence has begun before.
SUBJECT = (
    r"[^\W\d_]+['’](?:s|re|ve|m|ll|d)\b"
    r"|(?:i|we|you|he|she|it|they|my|our|your|his|her|its|their|the|an?|this|these|those|there|one|some|nobody|everyone"
    r"|ich|wir|du|er|sie|es|man|mein\w*|unser\w*|ihre?|seine?|der|die|das|eine?|diese[rs]?"
    r"|yo|nosotros|tú|él|ella|ellos|mis?|nuestr[oa]s?|el|los?|las?|un[ao]?|est[eao]s?"
    r"|je|nous|tu|vous|il|elle|on|ils|elles|mon|ma|mes|notre|nos|le|les|une?|cet?|cette|ces)(?![\w-])|[jl]['’]"
)
CONDITION = (
    r"\b(?:if|unless|except|only|provided|as long as|in case|otherwise|until|till"
    r"|wenn|falls|sofern|außer|nur|solange|sonst|bis|si|a menos|salvo|excepto|s[oó]lo|siempre que|hasta|en caso"
    r"|sauf|à moins|seulement|pourvu|tant que|sinon|jusqu['’]\w+|en cas)\b"
    r"|如果|要是|除非|只要|只有|否则|直到|もし|場合|だけ|限り|まで|なら|たら|れば"
)
# A sentence that only says when the one before it holds.
LIMITS = (
    r"\W*(?:but )?(?:(?:only|unless|except|provided|otherwise|nur|außer|es sei denn|sonst|solo|sólo|salvo|excepto"
    r"|a menos|sauf|seulement|à moins|sinon)\b|除非|只有|否则|ただし|但し)"
)
# What is thought, dreamt, joked or only nearly so, what holds at one time alone, and what takes back: there a sentence
# says something else without a part of it.
TURNS = (
    r"\b(?:used to|thought|think|believed?|imagin\w+|pretend\w*|jok(?:e|es|ed|ing)|dream\w*|dreamt|wish\w*|almost"
    r"|nearly|lied|rumou?r\w*|supposed\w*|as if|before|after|when|whenever|once|as soon as|while|but|though|although"
    r"|however|instead|yet"
    r"|dachte\w*|glaub\w+|fast|beinahe|traum|geträumt|spaß|witz|gelogen|gerücht|bevor|nachdem|als|sobald|aber|doch"
    r"|obwohl|sondern|ohne"
    r"|pens(?:aba|é|ábamos)|cre(?:o|ía|í)|casi|soñ\w+|broma|mentira|antes|cuando|en cuanto|después|pero|aunque|sino"
    r"|pens(?:ais|ait|é)|cro(?:is|yais|yait)|failli|presque|rêv\w+|rire|blague|mensonge|avant|quand|lorsque|dès|après"
    r"|mais|bien que)\b"
    r"|以为|觉得|差点|开玩笑|梦|之前|之后|的时候|但|虽然|思った|思って|ほとんど|冗談|夢|前に|後で|とき|けど|しかし|でも"
)
TWICE = r"([(\[]\s*([^\W\d_]{3,})\s*:\s*)(?:[^\W\d_]+ )?\2\w* (?:of |von |vom |de |d['’])"  # "(photo: a photo of"
QUOTES, OPENING, CLOSING = '"“”„«»「」『』', "(（[", ")）]"
JOINING = r"\A(?:and|but|und|aber|y|pero|et|mais),?\s+"
REPLY = r"\A(?:→\s+)+(?=[^→\s]*\w)"  # in front of an answer whose question is not told


def shortened(said: Said) -> str:
    """Return that part of a line which tells most for its length and loses nothing.

    >>> shortened(Said("people", "Wow! We went to a shelter in March, you know, and it felt good.", "2026-04-01"))
    'We went to a shelter in March'
    >>> shortened(Said("people", "We go to the shelter in March, unless it rains.", "2026-04-01"))
    'We go to the shelter in March, unless it rains.'
    """
    day, lead = date.fromisoformat(said.day), OF_AGENT if said.text.startswith(OF_AGENT) else ""
    plain = lead + _plain(said.text.removeprefix(lead))
    text = said.text if reflection_laws.lost(plain, said.text) else plain
    while True:  # of what was cut another part may be left out
        found = [lead + _plain(part) for part in _parts(text.removeprefix(lead))]
        whole = [part for part in found if len(part) < len(text) and not reflection_laws.lost(part, said.text)]
        best = max([text, *whole], key=lambda part: value.value(part, said.trust, day))
        if best == text:
            return text
        text = best


def _plain(text: str) -> str:
    """Return a text without the sign of an answer, and without what a label says twice."""
    return compiled(REPLY).sub("", text if _is_quoting(text) else compiled(TWICE, re.I).sub(r"\1", text))


def _is_quoting(text: str) -> bool:
    return not set(QUOTES).isdisjoint(text)


def _parts(text: str) -> Iterator[str]:
    """Yield the sentences of a text, and what of each says something by itself."""
    found = [sentence for _, sentence in sentences.split(text)]
    if any(compiled(LIMITS, re.I).match(sentence) for sentence in found[1:]):
        return
    for sentence in found:
        if not _is_quoting(sentence):
            whole = _without_lead(sentence)
            yield from (part for part in (whole, *_of_sentence(whole)) if _is_closed(part))
        elif sum(map(sentence.count, QUOTES)) % 2 == 0:  # each begins and ends in it
            yield sentence


def _of_sentence(sentence: str) -> Iterator[str]:
    """Yield what of a sentence says something by itself, and does not need the rest to hold."""
    if compiled(TURNS, re.I).search(sentence):
        return
    told = [each for each in _clauses(sentence) if _tells(each)]
    left = " ".join(told).rstrip(CLAUSE + " ")
    conditions = _conditions(sentence)
    for part in (left, *_halves(left)):
        if _tells(part) and _has_subject(part, sentence) and _conditions(part) == conditions:
            yield part


def _halves(text: str) -> Iterator[str]:
    """Yield what stands before and behind each "and" of a text, where both of it say something."""
    for joint in compiled(cues.CONNECTIVE).finditer(text):
        one, other = text[: joint.start()], text[joint.end() :]
        if _tells(one) and _tells(other):
            yield from (one, other)


def _without_lead(sentence: str) -> str:
    """Return a sentence without what it begins with and says nothing, nor joins it to the one before.

    A name stays behind it: at the beginning of a sentence any word has a capital, and no reader would know it for one.
    """
    rest = compiled(JOINING, re.I).sub("", cues.without_lead(sentence))
    left = sentence[len(sentence) - len(rest) :]
    if not _tells(left) or (left[0].isupper() and not compiled(r"I\b").match(left)):
        return sentence
    return left[0].upper() + left[1:] if left.split()[0].islower() else left  # an iPhone stays one


def _has_subject(part: str, sentence: str) -> bool:
    """Return whether a part of a sentence begins with it, or with whom or what it speaks of."""
    return sentence.startswith(part) or _is_subject(part)


def _is_subject(text: str) -> bool:
    first = next((char for char in text if char.isalnum()), " ")
    is_subject = first.isupper() or ord(first) >= WIDE or compiled(rf"\W*(?:{SUBJECT})", re.I).match(text)
    return bool(is_subject)


def _conditions(text: str) -> Counter[str]:
    return Counter(each.casefold() for each in compiled(CONDITION, re.I).findall(text))


def _is_closed(text: str) -> bool:
    """Return whether each bracket of a text begins and ends in it."""
    return all(text.count(a) == text.count(b) for a, b in zip(OPENING, CLOSING, strict=True))


def _tells(text: str) -> bool:
    return len(content_words(text)) >= LEAST_WORDS


def _clauses(text: str) -> list[str]:
    """Return what stands between the commas of a sentence, each with the one behind it; those in brackets end none."""
    found, begin, depth = list[str](), 0, 0
    for at, char in enumerate(text):
        depth += (char in OPENING) - (char in CLOSING)
        if char in CLAUSE and depth <= 0 and (at + 1 == len(text) or text[at + 1].isspace() or ord(char) > WIDE):
            found.append(text[begin : at + 1].strip())
            begin = at + 1
    return [*found, text[begin:].strip()]
