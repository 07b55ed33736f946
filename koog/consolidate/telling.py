"""Who says so: the sentences of a line by which somebody else, or some paper, claims something. Pure.

A claim is passed on by a word for saying whose subject is not the speaker ("the rep says", "she is adamant"), or it is
a paper's, which has it ("the lease puts it on the tenant", "Clause 9: …", "on the plate stands 1965"). A paper that is
only handled claims nothing: "put the sheet on the wall".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import replies, sentences
from koog.core.text.pairs import IS
from koog.core.text.says import (
    NUMBERS,
    has_wide_voice,
    is_of_letter,
    is_of_paper,
    is_of_source,
    is_of_sureness,
    is_what_papers_do,
    says,
)
from koog.memory.store.ids import ARTICLES, INDEFINITE

SOURCE = "source"
PIECE = r"[^\W_]+(?:-[^\W_]+)*(?:'(?!s\b)[^\W_]+)?|[!?;:]"  # "invitation's" is an invitation
STOPS = frozenset("!?;")
REACH = 9  # words behind a paper in which it is told what it has
PEOPLE = frozenset(("kin", "sex"))
SAID_WORDS = 2
LONGEST_HEAD = 5  # words before a colon that say who says so
BEFORE = 5  # words before a paper, of which one may say that something is on it
ON = frozenset("on in inside under per by to auf im in laut unter en sobre según sur dans sous selon".split())
IN_IT = frozenset((before, it) for before in ("in", "on", "inside") for it in ("it", "them", "ihm", "ihr")) | {
    ("steht", "darin"),
    ("steht", "drin"),
}
THERE = frozenset("there there's gibt hay ahí il-y-a voici".split())
BY = frozenset("according laut gemäß zufolge según selon".split())  # at whose word, before it
SPEAKER = frozenset("i we you i've we've i'd we'd i'll i'm ich wir du ihr sie yo nosotros tú je j nous tu vous".split())
SHE = frozenset("sie der die er".split())
SHE_SAYS = frozenset("sagt sagte meint meinte schreibt schrieb erzählt erzählte behauptet behauptete".split())
SPOKEN_TO = frozenset("me us mir uns".split())
PERSONS = frozenset("he she he's she's er él ella elle".split())
NOT_SAYING = frozenset(("to", "by", "zu", "for"))
AND = frozenset(("and", "und", "y", "et"))
SAYS = frozenset("says said states stated dit dice".split())  # of what papers do, what people do as well
TEACHES = frozenset("told explained talked walked taught texted erklärt gezeigt erzählt conté expliqué raconté".split())
WRITES = frozenset("write writes wrote written schreibt schrieb geschrieben escribe escribió escrito écrit".split())
PLEASE = frozenset("please pls bitte".split())
MAKES = frozenset(
    "wrote writing made drafted typed put set drew filled updated schrieb geschrieben gemacht escribí rédigé".split()
)  # what the speaker does with a paper of his own
# Of whom is told that he spoke, and not what he said.
SAID_NOTHING = (
    r"\b(?:says?|said|sagte?|hat|dijo|dit) (?:(?:an?|one|two|no|hardly a|ein\w*|kein\w*|una?|une?|pas un) )?"
    r"(?:word|words|thing|sentence|goodbye|hello|nothing|thanks|wort|satz|nichts|palabra|frase|nada|mot|phrase|rien)\b"
)
ASKED = r"[^.!?。！？]*[?？]"
# Numbered, "1 of 2" is not; or one after the other.
STEPS = r"(?:^|\s)1[.)]?\s(?!(?:of|von|de|sur)\s)[\s\S]+\s2[.)]?\s|[:：](?:[^.!?,;、，；]+[,;、，；]){4}"
LISTED = r",(?: ?[^\s.!?,;:]+(?: [^\s.!?,;:]+){0,3},){3}"  # things one after the other, without a word that says so


class Claim(NamedTuple):
    """A sentence that passes something on.

    whole     with the one before it, which may say of what, and by whom
    is_said   somebody says it; is_written: some paper has it
    """

    own: str
    whole: str
    is_said: bool
    is_written: bool


@lru_cache(maxsize=4096)
def claims(text: str) -> tuple[Claim, ...]:
    """Return the sentences of a line that pass on what somebody or some paper says.

    >>> [each.own for each in claims("I rang the diocese. The man there said gutters are theirs. I am glad.")]
    ['The man there said gutters are theirs.']
    >>> claims("Told Kim that the gutters are ours"), claims("Put the sheet on the wall")
    ((), ())
    """
    stated = without_questions(text)
    if compiled(STEPS).search(stated) or any(map(_is_asked_for, _sentences(stated))):
        return ()  # how something is done, and what is to be done, is nobody's claim
    found = list[Claim]()
    before, heard, is_paper = "", (False, False), False
    for own in _sentences(stated):
        pieces = _pieces(own)
        is_list = compiled(LISTED).search(own) is not None  # "wool, wax, an ice pack, the letter, tape"
        voices = (is_said(own), is_written(own) and not MAKES.issuperset(pieces[:1]) and not is_list)
        if _is_own_word(pieces):
            before, heard, is_paper = own, (False, False), False
            continue
        voices = voices if any(voices) else (is_headed(own),) * 2
        if any(voices) or (any(heard) and (is_paper or SPEAKER.isdisjoint(pieces[:1]))):
            found.append(Claim(own, f"{before} {own}".strip(), *(voices if any(voices) else heard)))
        has_paper = any(map(is_of_paper, pieces)) and not MAKES.issuperset(pieces[:1])
        is_paper = has_paper and is_of_paper(pieces[0])  # "Mail from the school. We pay half"
        before, heard = own, (voices[0], has_paper)
    return tuple(found)


def has_paper(claim: Claim) -> bool:
    """Return whether some paper has a claim, and not somebody of whom the sentence before tells that he read one."""
    return claim.is_written and (is_written(claim.own) or PERSONS.isdisjoint(_pieces(claim.own)[:1]))


def without_questions(text: str) -> str:
    """Return a text without what it asks."""
    return compiled(ASKED).sub("", text)


@lru_cache(maxsize=8192)
def is_said(sentence: str) -> bool:
    """Return whether somebody other than the speaker says what a sentence tells."""
    if says(sentence).wide:
        return SOURCE in says(sentence).cues
    pieces = _pieces(compiled(SAID_NOTHING, re.I).sub("", sentence))
    for at, word in enumerate(pieces):
        before = pieces[max(0, at - 2) : at]
        if word in SHE_SAYS and not SHE.isdisjoint(before[-1:]):
            return True  # "sie sagt" is she, "sie sagen" may be you; "der" is he before a verb
        if not SPEAKER.isdisjoint(before):
            continue
        if is_of_sureness(word) and at:
            return True
        is_of_paper_alone = is_of_paper(word) or word == "written" or (is_what_papers_do(word) and word not in SAYS)
        if before and before[-1] in AND and word in TEACHES and SPOKEN_TO.isdisjoint(pieces[at + 1 : at + 2]):
            continue  # "ran by feel and told Kim": the speaker did
        behind = pieces[at + 1 : at + 4]
        if word in WRITES and not INDEFINITE.isdisjoint(behind[:1]) and not any(map(is_of_paper, behind)):
            continue  # "wrote a song"
        if is_of_paper_alone or not (is_of_source(word) or is_of_letter(word) or word in BY):
            continue
        if not before:
            if word[-1] == "s" or word in BY or not SPOKEN_TO.isdisjoint(pieces[at + 1 : at + 2]):
                return True  # "Says it is due"; who begins by "told" has told it himself
            continue
        if (
            before[-1] not in ARTICLES
            and before[-1] not in NOT_SAYING
            and not (compiled(IS).fullmatch(before[-1]) and word[-3:] != "ing")
        ):
            return True
    return False


@lru_cache(maxsize=8192)
def is_headed(sentence: str) -> bool:
    """Return whether a sentence begins by who or what says it, in a few words before a colon.

    >>> is_headed("mrs dunmore at property management: that's the owner's job"), is_headed("I need: eggs")
    (True, False)
    """
    head, _, said = sentence.partition(": ")
    pieces = _pieces(head)
    if len(_pieces(said)) < SAID_WORDS or not 0 < len(pieces) <= LONGEST_HEAD or pieces[0] in SPEAKER | TEACHES | MAKES:
        return False
    return not PEOPLE.isdisjoint(says(pieces[0]).kinds)


@lru_cache(maxsize=8192)
def is_written(sentence: str) -> bool:
    """Return whether some paper has what a sentence tells."""
    if says(sentence).wide:
        return has_wide_voice(sentence)
    pieces = _pieces(sentence)
    for at, word in enumerate(pieces):
        if is_of_paper(word) and not _is_counted(pieces[max(0, at - 1) : at]):
            behind = _to_stop(pieces[at + 1 : at + 1 + REACH])
            if ":" in behind or any(map(is_what_papers_do, behind)) or (behind and behind[0].isdigit()):
                return True
            is_head = at < SAID_WORDS and ":" in _to_stop(pieces[at + 1 :])  # however long it tells whose letter it is
            if is_head or not IN_IT.isdisjoint(pairwise(behind)):
                return True
            if not (ON | THERE).isdisjoint(pieces[max(0, at - BEFORE) : at]):
                return True
    return False


def _sentences(text: str) -> list[str]:
    return [each for row in text.splitlines() for _, each in sentences.split(row)]


def _is_counted(before: Sequence[str]) -> bool:
    """Return whether a number stands before a word: "ten minutes" are no minutes of a meeting."""
    return bool(before) and (before[0].isdigit() or before[0] in NUMBERS)


def _to_stop(pieces: Sequence[str]) -> Sequence[str]:
    return next((pieces[:at] for at, each in enumerate(pieces) if each in STOPS), pieces)


@lru_cache(maxsize=8192)
def _pieces(sentence: str) -> tuple[str, ...]:
    return tuple(compiled(PIECE).findall(sentence.casefold().replace("’", "'")))


def _is_own_word(pieces: Sequence[str]) -> bool:
    """Return whether the speaker tells somebody something himself."""
    if not pieces:
        return False
    if not SPOKEN_TO.isdisjoint(pieces[1:2]):
        return False  # "Told me so": somebody told the speaker
    return pieces[0] in TEACHES or any(one in SPEAKER and other in TEACHES for one, other in pairwise(pieces))


def _is_asked_for(text: str) -> bool:
    """Return whether the speaker asks for something; "please book" at the end of a letter is the letter's."""
    if is_written(text) or is_headed(text):
        return not PLEASE.isdisjoint(_pieces(text)[:1])
    return not PLEASE.isdisjoint(_pieces(text)) or (replies.asks(text) and not replies.is_standing_wish(text))
