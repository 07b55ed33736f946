"""Does a text that somebody worded anew stand in what was said?  [sinain §4.5, design §4]

What a model paraphrased is found, what it made up is caught. A paraphrase keeps the numbers, the names and a good part
of the words, or their beginnings: "w/" may become "with", and "mtgs" "meetings". What it says beyond that is its own,
and nobody else's word. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from koog.core.lazy_regex import compiled
from koog.core.text import negation
from koog.core.text.measures import content_words, stems
from koog.core.text.statement import AGENT, PERSON

GROUNDED = 0.4  # share of a text's words that what it rests on must hold: a model may word it shorter
LEAST = 2  # words, where a text has that many: one in common is a coincidence
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


def row(text: str, rows: Sequence[str], cited: int) -> int | None:
    """Return which row, from 0, a text rests on: the cited one, else the most alike; None when none does.

    >>> row("Standup moved to 9:30", ["- lunch", "- moved our standup, 09:30 now"], 0)
    1
    """
    whole = "\n".join(rows)
    if not _numbers(compiled(DATE).sub("", text)) <= _numbers(whole):
        return None
    words = content_words(text)
    # A name is not made up by half.
    needed = max(min(LEAST, len(words)) or 1, GROUNDED * len(words) + _unknown_names(text, whole))
    have = [held(words, content_words(each)) for each in rows]
    if 0 <= cited < len(rows) and have[cited] >= needed:
        return cited
    best = max(range(len(rows)), key=have.__getitem__)
    if have[best] >= needed:
        return best
    if not (0 <= cited < len(rows) and rows[cited].strip()):
        return None
    near = frozenset[str]().union(*map(content_words, rows[max(0, cited - 1) : cited + 2]))  # a sentence runs over rows
    return cited if held(words, near) >= needed else None


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
