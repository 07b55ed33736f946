"""Whether a text presses: words, capitals and exclamation marks.  Pure.  [autopoiesis §4.2 sentiment shift]"""

from __future__ import annotations

import re

from koog.core.lazy_regex import compiled
from koog.core.text.markdown import without_code
from koog.core.text.sentiment import NOTABLE, valence

LOOKED_AT = 20_000  # characters
PRESSING = (
    r"\b(?P<word>urgent(?:ly|e|es)?|asap|a\.s\.a\.p|emergency|immediately|right (?:now|away)|at once|critical"
    r"|sev[ -]?[01]|p0|(?:it|this|everything|prod\w*|the site) (?:is|'s) (?:down|on fire)|drop everything"
    r"|time[- ]critical|dringend(?:e[rsnm]?)?|eilt|sofort|notfall|umgehend|urgence|d'urgence|tout de suite|urgentemente"
    r"|cuanto antes|de inmediato|subito|con urgenza|spoed|pilne|brådskande|срочно|немедленно)\b"
)
CALM = r"(?:\b(?:not|isn't|no|never|without|nothing|nicht|kein\w*|pas|sin|non|niet)\b|n't)[^.,;:!?\n]{0,20}$"
MARKS = r"!{3,}|[!?]*(?:!\?|\?!)[!?]*|\?{3,}|！{2,}|\U0001f6a8|\u203c\ufe0f?"
SENTENCE_END = r"(?<=[.!?…。！？\n])\s*(?=\S)"
LOUD_WORD = r"\b[^\W\d_]{4,}\b"  # shorter ones are mostly abbreviations
LOUD_WORDS = 3
LOUD_SHARE = 0.75


def signs(text: str) -> list[str]:
    """Return what in a text presses, as it stands there; [] for a calm one. Code and links do not count.

    >>> signs("URGENT: prod is down!!!"), signs("this is not urgent, thanks")
    (['URGENT', 'prod is down', '!!!'], [])
    """
    text = without_code(text[:LOOKED_AT])
    calm = compiled(CALM, re.IGNORECASE)
    found = [
        m["word"]
        for m in compiled(PRESSING, re.IGNORECASE).finditer(text)
        if not calm.search(text, max(0, m.start() - 30), m.start())
    ]
    begins = 0
    for mark in compiled(MARKS).finditer(text):
        # "thanks, that's great!!!" is glad, not in a hurry; what a former sentence said does not count.
        said = compiled(SENTENCE_END).split(text[begins : mark.start()])[-1]
        if valence(said) < NOTABLE:
            found.append(mark[0][:10])
        begins = mark.end()
    words = compiled(LOUD_WORD).findall(text)
    loud = [word for word in words if word.isupper()]
    if len(loud) >= LOUD_WORDS and len(loud) >= LOUD_SHARE * len(words):
        found.append(" ".join(loud[:LOUD_WORDS]))
    return list(dict.fromkeys(found))
