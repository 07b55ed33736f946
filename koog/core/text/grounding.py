"""Does a text that somebody worded anew stand in what was said?  [sinain §4.5, design §4]

What a model paraphrased is found, what it made up is caught. A paraphrase keeps the numbers, the names and a good part
of the words, or their beginnings: "w/" may become "with", and "mtgs" "meetings". What it says beyond that is its own,
and nobody else's word. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set

from koog.core.lazy_regex import compiled
from koog.core.text import negation
from koog.core.text.compare import SAME, compare
from koog.core.text.measures import content_words, stems
from koog.core.text.says import says
from koog.core.text.voices import AGENT, PERSON
from koog.core.text.words import tokens

GROUNDED = 0.4  # share of a text's words that what it rests on must hold: a model may word it shorter
LEAST = 2  # words, where a text has that many: one in common is a coincidence
SHARED = 0.2  # share of a text's words that are rare ones of the row that it cites
COMMON, FEW = 0.3, 2  # share of the rows, and how many of them, that a rare word may stand in
BEGINNING = 4  # letters that two forms of one word share
ENDING = 2  # letters by which one of them is longer, where somebody's own words are wanted
NUMBER = r"\d+(?:[.,:/]\d+)*"
DATE = r"\b\d{4}-\d\d-\d\d\b"  # a model writes "the 7th of next month" out, as it was told to
NAME = r"(?<=[\w,;:)] )[A-ZÀ-Þ][\w’'-]+"  # a capital within a sentence
# How somebody reports: these words are nobody's addition.
FRAME = frozenset(
    stems("user agent assistant decided decides prefers wants said says asked plans likes uses needs noted agreed")
)


def held(words: Iterable[str], have: Set[str]) -> int:
    """Return how many words are among others, or begin as one of those does.

    >>> held(["meet", "budget", "8081"], frozenset(["meets", "8082"]))
    1
    """
    begin = {word[:BEGINNING] for word in have if len(word) >= BEGINNING}
    return sum(word in have or (not word[0].isdigit() and word[:BEGINNING] in begin) for word in words)


def row(text: str, rows: Sequence[str], cited: int | None) -> int | None:
    """Return which row, from 0, a text rests on: the cited one, else the most alike; None when none does.

    The cited row needs no more than the rare words or numbers of it in the text, in whatever language, or to say the
    same; one that nobody cited has to hold a good part of the words. A number or a name is not made up, and what a row
    says is not denied.

    >>> row("Standup moved to 9:30", ["- lunch", "- moved our standup, 09:30 now"], 0)
    1
    """
    whole = "\n".join(rows)
    if not rows or not _numbers(compiled(DATE).sub("", text)) <= _numbers(whole) or _invents_name(text, whole):
        return None
    words = content_words(text)
    needed = max(min(LEAST, len(words)) or 1, GROUNDED * len(words))
    have = [held(words, content_words(each)) for each in rows]
    best = max(range(len(rows)), key=have.__getitem__)
    is_cited = cited is not None and 0 <= cited < len(rows) and bool(rows[cited].strip())
    if is_cited and cited is not None:
        near = "\n".join(rows[max(0, cited - 1) : cited + 2])  # a sentence runs over rows
        if have[cited] >= needed or have[best] < needed:
            is_held = held(words, content_words(near)) >= needed
            stands = is_held or _shares(text, rows[cited], rows) or compare(rows[cited], text).kind == SAME
            return cited if stands and not _opposes(text, near if is_held else rows[cited]) else None
    return best if have[best] >= needed and not _opposes(text, rows[best]) else None


def _shares(text: str, said: str, rows: Sequence[str]) -> bool:
    """Return whether a text has rare words or numbers of a row: such as few other rows have."""
    new, old = says(text), says(said)
    most = max(COMMON * len(rows), FEW)
    counted = Counter(word for each in rows for word in says(each).ideas)
    rare = [word for word in new.ideas & old.ideas if counted[word] <= most]
    weight = sum(map(_weight, rare)) + sum(len(n) > 1 for n in new.numbers.keys() & old.numbers.keys())
    return weight >= max(LEAST, SHARED * sum(map(_weight, new.ideas)))


def _weight(word: str) -> float:
    """Return how much a word tells: a letter of Chinese is half of one."""
    return 0.5 if len(word) == 1 else 1.0


def _opposes(text: str, said: str) -> bool:
    """Return whether a text denies what a row states of the same, or states what it denies.

    >>> _opposes("Tomás never deploys on Fridays", "Tomás is fine with deploying on Fridays")
    True
    """
    new, old = says(text), says(said)
    return _denies(text) != _denies(said) and bool((new.denied ^ old.denied) & new.ideas & old.ideas)


def _denies(text: str) -> bool:
    """Return whether a text has a word that says no: to stop something, or to fail, is none."""
    return not negation.WORDS.isdisjoint(word.lower() for word in tokens(text))


def behind(text: str, said: str, who: str, *, reworded: float = 0.0) -> str:
    """Return who is behind a text that was worded anew: who said what it rests on; of a person's words, an agent where
    it adds something to them.

    reworded   share of its words that may be others, one at least where any may, but no name

    >>> [behind(text, "Deploys on Tuesdays only", "person") for text in ("deploy on Tuesday", "no deploys on Tuesday")]
    ['person', 'agent']
    """
    return AGENT if who == PERSON and _adds(text, said, reworded) else who


def _adds(text: str, said: str, reworded: float) -> bool:
    if reworded:
        text = compiled(DATE).sub("", text)
        words = content_words(text) - FRAME
        more = len(words) - held(words, content_words(said))
        is_more = more > (0 if _unknown_names(text, said) else max(1.0, reworded * len(words)))
    else:
        rest = iter(
            stems(said)
        )  # in the same order: whose name stands first, and what a "never" is about, is said by it
        is_more = not all(any(_is_form(word, each) for each in rest) for word in stems(text) if word not in FRAME)
    is_more = is_more or not _numbers(text) <= _numbers(said)
    return is_more or negation.is_denied(text) != negation.is_denied(said)


def _is_form(one: str, other: str) -> bool:
    """Return whether two words are forms of one: Dienstag, Dienstags; not accept, access or product, production."""
    short, long = sorted((one, other), key=len)
    is_longer = len(short) >= BEGINNING and len(long) - len(short) <= ENDING and not short[0].isdigit()
    return one == other or (is_longer and long.startswith(short))


def _numbers(text: str) -> set[str]:
    """Return the figures of all numbers: 1,902 and 1902 are one, and so are 09:30 and 9:30."""
    return {"".join(c for c in number if c.isdigit()).lstrip("0") for number in compiled(NUMBER).findall(text)}


def _unknown_names(text: str, whole: str) -> int:
    """Return how many names of a text another does not know, not even as the beginning of a word."""
    low = whole.lower()
    return sum(name.lower()[:BEGINNING] not in low for name in compiled(NAME).findall(text))


def _invents_name(text: str, whole: str) -> bool:
    """Return whether a text names somebody or something that another does not: a German noun is no name."""
    low, names = whole.lower(), {name[:BEGINNING] for name in says(text).names}
    told = (name.lower()[:BEGINNING] for name in compiled(NAME).findall(text) if not name.isupper())
    return any(name in names and name not in low for name in told)
