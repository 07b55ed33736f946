"""The built-in answer to the topic gate: is the message about the topic, or does it only use its words?  [§5]

A topic comes here when its pattern has matched, so that its words are there is known.
What is weighed is how they are used, clause by clause: words in a clause that denies
them do not count; a second word of the topic, a request and a cry of alarm speak for
it; a clause that tells what is over, or only where somebody is, speaks against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest

from koog.core.lazy_regex import compiled, personal
from koog.core.named import NamedTuple
from koog.core.text.measures import WORD, content_words, stems
from koog.core.text.sentences import split
from koog.core.text.sentiment import NOTABLE, valence

NAMED_CHARS = 200  # of what the patterns matched: `.*` matches the whole message, and names nothing
ENOUGH = 1.0  # the weight from which on the answer is yes
ANOTHER_NAME, MOST_NAMES = 1.0, 2  # each further word of the name or the pattern
ANOTHER_WORD, MOST_WORDS = 0.8, 3  # each word of the description or the instructions
ASKED, ASKED_NEARBY = 1.0, 0.5  # in the same clause; in another one of the sentence
ALARMED = 1.0
ARRIVED = 1.0
NOTED = 1.0  # "dinner for two, no meat": a few words without a verb are a request
IN_PASSING = -1.2
OF_SOMETHING_ELSE = -0.5  # "an email field": the word only says what kind of thing another one is

CLAUSES = r"[,;:]\s+|\s+[-–—]+\s+|\s+\b(?:but|although|though|because|instead)\b\s*"
# Before the topic's word: whoever says so wants nothing of it.
DENIED = (
    r"\b(?:not?|never|don'?t|doesn'?t|won'?t|isn'?t|aren'?t|wasn'?t|needn'?t|shouldn'?t|nothing|neither|nor|without|skip"
    r"|stop|ignore|forget|leave|unrelated|instead of|rather than|apart from|except|besides|aside from|nobody asked)\b"
)
# "is it not better to", "why don't we", "if not": not a denial of what follows.
NO_DENIAL = r"\bwhy (?:don'?t|not)\b|\bif not\b|\b(?:not|no) (?:sure|idea|longer works?)\b|\b(?:do|does|did) not work\b"
ASKS = (
    r"^(?:and |then |now |also |so |please )*(?:add|answer|approve|archive|book|build|change|check|classify|compare"
    r"|cook|create|debug|delete|deploy|draft|explain|file|find|fix|go|have a look|help|investigate|list|look|make"
    r"|merge|migrate|move|open|order|organi[sz]e|plan|post|prepare|publish|read|remind|rename|reply|research|respond"
    r"|review|roll|run|schedule|search|send|set|show|sort|start|suggest|summari[sz]e|tell|test|triage|update|walk"
    r"|write)\b"
    r"|\b(?:can|could|would|will) (?:you|i|we)\b|\bplease\b|\bhelp\b|\bhow (?:do|does|can|could|should|to)\b"
    r"|^(?:and |then |so )?(?:why|how|what|which|who|when|where)(?:'s|'re)? (?:am|are|can|could|d(?:id|o|oes)|ha[ds]"
    r"|have|is|may|should|was|were|will|would)\b"
    r"|\bshould (?:i|we|it)\b|\b(?:i|we)(?:'d like| would like| need| want| have to| must)\b|\blet'?s\b|\?\W*$"
)
SHOUTS = r"!!|\b[A-Z]{5,}\b"  # in the case that it has
ALARMS = (
    r"\b(?:urgent|asap|immediately|broken|fail(?:s|ed|ing|ure)?|crash\w*|cancell?ed|delayed|overdue|missing|lost|stuck"
    r"|wrong|emergency|on fire|overwhelmed|nobody can|everything is|(?:is|are) down|since (?:\d|this|today))\b"
)
ARRIVALS = (
    r"\bnew \w+ (?:from|by|at)\b|\b(?:unread|incoming|arrived|received|came in|(?:i|we)(?:'ve)? (?:just )?got"
    r"|reports?)\b"
)
PASSING = (
    r"\b(?:by the way|btw|speaking of|reminds? me|already|yesterday|last (?:night|week|month|year)|finished|completed"
    r"|settled|is done|was (?:lovely|great|nice|fine)|ago)\b"
    r"|\b(?:i|we)(?:'m| am|'re| are| was| were) (?:at|on|in) (?:the |a |my |our )?\w+$"
    r"|^(?:after|before|during) \w+ (?:i|we)\b"
)
SUBJECT = r"(?i)\b(?:do|does|did)(?: (?:an?|my|our|that|the|this|your))? [\w./-]*$"  # of a question: a verb follows
NOTE_WORDS = 8
PERSONAL = frozenset("am are did had has have he i is it said says she they was we were will you".split())
NOT_A_NOUN = r"(?:[^s]s|ed|ing|ly)$"
NO_NOUN = frozenset(
    "again came first gets got here later looks needs now overnight please ran soon there today together tomorrow"
    " tonight too took went".split()
)


class GateInput(NamedTuple):
    """One message beside one topic.

    matched   what the topic's patterns matched, as it stands in the message
    message   its beginning: what the gate sees of it
    """

    topic: str
    description: str
    instructions: str
    matched: tuple[str, ...]
    message: str


class Clause(NamedTuple):
    """A clause, and the sentence that it stands in."""

    text: str
    sentence: str


def answer(given: GateInput) -> str:
    """Return "yes" or "no"."""
    named = " ".join(given.matched)[:NAMED_CHARS]
    names = _roots(f"{given.topic.replace('-', ' ').replace('_', ' ')} {named}")
    about = content_words(f"{given.description} {given.instructions}") - names
    message = given.message.replace("’", "'")
    every = clauses(message)
    naming = [clause for clause in every if _places(clause.text, names)]
    live = [clause for clause in naming if _used(clause.text, names)]
    if naming and not live:
        return "no"
    live = live or every  # a pattern may match what is no word: a language, the beginning of a link
    weight = _weight_of_words(message, live, names=names, about=about)
    if not naming and _is_within_words(message, given.matched):
        return "yes" if round(weight, 6) >= ENOUGH else "no"
    weight += max((_weight_of_clause(clause, names=names, about=about) for clause in live), default=0.0)
    return "yes" if round(weight, 6) >= ENOUGH else "no"


def clauses(text: str) -> list[Clause]:
    """Return a text's clauses in order.

    >>> [c.text for c in clauses("It is down, help! Thanks")]
    ['It is down', 'help!', 'Thanks']
    """
    sentences = [sentence for row in text.splitlines() for _, sentence in split(row)]
    return [Clause(c, s) for s in sentences for c in compiled(CLAUSES).split(s) if c and c.strip()]


def _used(clause: str, names: frozenset[str]) -> bool:
    """Return whether one of the words stands in the clause with nothing before it that denies it."""
    low = compiled(NO_DENIAL).sub(lambda m: "_" * len(m[0]), clause.lower())
    denied = compiled(DENIED).search(low)
    return any(denied is None or at < denied.start() for at in _places(clause, names))


def _is_within_words(message: str, matched: Iterable[str]) -> bool:
    """Return whether what matched are only the later parts of other words: "redeploy" is not what "deploy" names."""
    begins = [personal(rf"(?<!\w){re.escape(each)}", re.IGNORECASE).search(message) for each in matched if each]
    within = [each for each in matched if each and each.lower() in message.lower()]
    return bool(within) and not any(begins)


def _places(clause: str, names: frozenset[str]) -> list[int]:
    return [m.start() for m in WORD.finditer(clause) if _roots(m[0]) & names]


def _roots(text: str) -> frozenset[str]:
    """Return a text's words as stems; stopwords too, because a pattern may look for "down"."""
    return frozenset((stems(m[0]) or [m[0].lower()])[0] for m in WORD.finditer(text))


def _weight_of_words(message: str, live: list[Clause], *, names: frozenset[str], about: frozenset[str]) -> float:
    """Return what the number of the topic's words is worth: its names where they are used, the others anywhere."""
    used = _roots(" ".join(c.text for c in live)) & names
    others = content_words(message) & about
    return ANOTHER_NAME * min(max(len(used) - 1, 0), MOST_NAMES) + ANOTHER_WORD * min(len(others), MOST_WORDS)


def _weight_of_clause(clause: Clause, *, names: frozenset[str], about: frozenset[str]) -> float:
    """Return what is said with the topic's word: a request, an alarm, something that is over."""
    weight = 0.0
    low = clause.text.strip().lower()
    if compiled(ASKS).search(low):
        weight += ASKED
    elif any(compiled(ASKS).search(part.text.strip().lower()) for part in clauses(clause.sentence)):
        weight += ASKED_NEARBY
    shouted = compiled(SHOUTS).search(clause.sentence) and valence(clause.sentence) < NOTABLE
    if shouted or compiled(ALARMS).search(clause.sentence.lower()):
        weight += ALARMED
    if compiled(ARRIVALS).search(low):
        weight += ARRIVED
    if _is_note(clause.sentence, names=names):
        weight += NOTED
    if compiled(PASSING).search(low):
        weight += IN_PASSING
    if _says_what_kind(clause.text, names=names, about=about):
        weight += OF_SOMETHING_ELSE
    return weight


def _is_note(sentence: str, *, names: frozenset[str]) -> bool:
    """Return whether a sentence is a few words that begin with one of the topic's and say of nobody what they do."""
    words = [m[0].lower() for m in WORD.finditer(sentence)]
    return bool(words) and len(words) <= NOTE_WORDS and bool(_roots(words[0]) & names) and not PERSONAL & set(words)


def _says_what_kind(clause: str, *, names: frozenset[str], about: frozenset[str]) -> bool:
    """Return whether each of the topic's words is followed at once by a noun that the topic does not know.

    A word in -s, -ed, -ing or -ly is taken for a verb or an adverb, without a dictionary; but two words with a capital
    each, "Terraforming Mars", are the name of something else.
    """
    words = list(WORD.finditer(clause))
    kinds = []
    for word, after in zip_longest(words, words[1:]):
        if not _roots(word[0]) & names:
            continue
        is_subject = compiled(SUBJECT).search(clause[: word.start()]) is not None
        next_to_it = after is not None and clause[word.end() : after.start()] == " "
        noun = stems(after[0]) if after is not None and next_to_it else []
        both = after is not None and word.start() > 0 and word[0].istitle() and after[0].istitle()
        other = (
            after is not None and (compiled(NOT_A_NOUN).search(after[0]) or after[0].lower() in NO_NOUN) and not both
        )
        kinds.append(bool(noun) and not other and not is_subject and not set(noun) & (names | about))
    return bool(kinds) and all(kinds)
