"""A line without what carries nothing: a filler, a greeting, the lead of a sentence, a label said twice.  [§8.4]

Only what is known to say nothing is left out; everything else stays, word for word and in its order: who reads the line
takes from it what was meant, and no list says all the ways in which a few words turn a sentence ("maybe", "in staging",
"just kidding"). Of a turn a sentence goes only where it greets, thanks or agrees before anything is said, and no other
begins with what points back to it. Nothing is cut within quotation marks or brackets, nor behind a question. Six
languages. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from koog.core.lazy_regex import compiled
from koog.core.text import cues, leaning, sentences, weigher
from koog.core.text.measures import content_words
from koog.core.text.observation import OF_AGENT
from koog.core.text.voices import TALK, USER
from koog.knowledge.condensing.gathering import Said
from koog.observe import reflection_laws

CLAUSE = ",;，；、"
WIDE = 0x2E80  # from here on, words are written without blanks
LEAST_WORDS = 3  # of a sentence that says something without its lead
# What stands between commas, or in front of one, and says nothing; no word that could be one of several ("honestly").
FILLERS = (
    r"(?:as |like )?you (?:all )?know|you see|by the way|btw|fyi|as (?:i|we) (?:said|mentioned)(?: before)?"
    r"|to be (?:honest|frank)|i (?:must|have to|gotta|got to) (?:say|admit)|needless to say|um+|uh+"
    r"|wei(?:ß|ss)t du|wissen sie|wie du weißt|übrigens|na ja|naja|tja|ehrlich gesagt|wie gesagt|ähm?"
    r"|(?:ya|como) sabes|por cierto|pues|a decir verdad|como (?:te )?(?:dije|decía)"
    r"|tu (?:sais|vois)|vous (?:savez|voyez)|comme tu sais|au fait|eh bien|enfin bref|à vrai dire"
    r"|comme (?:je l['’]ai )?dit|euh"
    r"|你知道(?:的|吗)?|对了|说实话|老实说|顺便说一下|嗯+|啊|ご存知のように|そういえば|ちなみに|正直に?言うと|えっと|あのー?|まあ|ええと"
)
# Among leads and assents: with these somebody may say that he does not mean it, or that it is so of him, too.
MEANT = (
    r"\b(?:right|sure(?: thing)?|ha(?:ha)*|of course|true|agreed?|exactly|definitely|absolutely|totally|actually|too"
    r"|same|klar|genau|stimmt|recht|auch|claro|acuerdo|razón|también|bien sûr|accord|raison|aussi)\b|[哈对同]"
    r"|\b(?:great|cool|nice|awesome|bueno)\s*,"  # "Cool, dry places"
)
JOINING = r"\A(?:and|und|y|et),?\s+"
TWICE = r"([(\[]\s*([^\W\d_]{3,})\s*:\s*)(?:[^\W\d_]+ )?\2\w* (?:of |von |vom |de |d['’])"  # "(photo: a photo of"
REPLY = r"\A(?:→\s+)+(?=[^→\s]*\w)"  # in front of an answer whose question is not told
QUOTES, OPENING, CLOSING = '"“”„«»「」『』', "(（[", ")）]"


def shortened(said: Said) -> str:
    """Return a line without what carries nothing.

    >>> shortened(Said("people", "Wow! We went to a shelter in March, you know, and it felt good.", "2026-04-01"))
    'We went to a shelter in March, and it felt good.'
    >>> shortened(Said("people", "Just so you know, we moved to Bergen, maybe.", "2026-04-01"))
    'Just so you know, we moved to Bergen, maybe.'
    """
    lead = OF_AGENT if said.text.startswith(OF_AGENT) else ""
    text = said.text.removeprefix(lead)
    while True:
        steps = (step(text) for step in (_plain, _without_nothing))
        made = next((each for each in steps if each != text and not reflection_laws.lost(lead + each, said.text)), "")
        if not made:
            return lead + text
        text = made


def _plain(text: str) -> str:
    """Return a text without the sign of an answer, and without what a label says twice."""
    return compiled(REPLY).sub("", text if _is_quoting(text) else compiled(TWICE, re.I).sub(r"\1", text))


def _is_quoting(text: str) -> bool:
    return not set(QUOTES).isdisjoint(text)


def _without_nothing(text: str) -> str:
    """Return a text without sentences and parts of them that say nothing."""
    found = sentences.split(text)
    kept, begins = list[str](), True
    for n, (at, sentence) in enumerate(found):
        end = found[n + 1][0] if n + 1 < len(found) else len(text)
        gap = text[at + len(sentence) : end]
        follows = found[n + 1][1] if n + 1 < len(found) else ""
        if begins and follows and _is_nothing(sentence) and not _points_back(follows):
            continue
        is_answer = n > 0 and found[n - 1][1].rstrip()[-1:] in "?？"
        begins = False
        kept.append((sentence if is_answer or _is_quoting(text) else _cut(sentence)) + gap)
    return "".join(kept).strip()


def _is_nothing(sentence: str) -> bool:
    """Return whether a sentence with which a turn begins only greets, thanks or likes what another said."""
    says_nothing = cues.says_nothing(sentence) and not compiled(MEANT, re.I).search(sentence)
    kept = weigher.weigh(sentence, register=TALK, role=USER).keep if says_nothing else 1.0
    return kept < weigher.threshold(TALK)


def _points_back(sentence: str) -> bool:
    return leaning.points_back(sentence) or leaning.goes_on(sentence)


def _cut(sentence: str) -> str:
    """Return a sentence without its lead, and without the fillers between its commas."""
    return _without_lead(_without_fillers(sentence))


def _without_lead(sentence: str) -> str:
    """Return a sentence without what it begins with and says nothing, nor joins it to the one before.

    A name stays behind it: at the beginning of a sentence any word has a capital, and no reader would know it for one.
    """
    rest = compiled(JOINING, re.I).sub("", cues.without_lead(sentence))
    left = sentence[len(sentence) - len(rest) :]
    if left == sentence or len(content_words(left)) < LEAST_WORDS:
        return sentence
    if compiled(MEANT, re.I).search(sentence[: len(sentence) - len(left)]):
        return sentence
    if left[0].isupper() and not compiled(r"I\b").match(left):
        return sentence
    return _begun(left)


def _begun(text: str) -> str:
    """Return a text as a sentence begins; an iPhone stays one."""
    return text[0].upper() + text[1:] if text.split(maxsplit=1)[0].islower() else text


def _without_fillers(sentence: str) -> str:
    parts = list(_clauses(sentence))
    left = [part for part in parts if not compiled(rf"(?:{FILLERS})\W*", re.I).fullmatch(part)]
    if len(left) == len(parts) or not left or len(content_words(left[0])) == 0:
        return sentence
    text = "".join(left).rstrip()
    if left[-1] is not parts[-1]:  # the last one had the end of the sentence
        text = text.rstrip(CLAUSE) + compiled(r"\W*\Z").findall(parts[-1])[0].strip()
    return text if left[0] is parts[0] else _begun(text)


def _clauses(sentence: str) -> Iterator[str]:
    """Yield what stands between the commas of a sentence, each with what is behind it; those in brackets end none."""
    begin = depth = 0
    for at, char in enumerate(sentence):
        depth += (char in OPENING) - (char in CLOSING)
        if begin <= at and char in CLAUSE and depth <= 0 and sentence[at + 1 :].strip():
            behind = at + 1
            while sentence[behind].isspace():
                behind += 1
            if behind > at + 1 or ord(char) > WIDE:
                yield sentence[begin:behind]
                begin = behind
    yield sentence[begin:]
