"""The text measures that rules share. Pure: text in, numbers out, no state.

Every measure works on *stems*: lower-cased words without stopwords, cut by a light
suffix rule, so that "cleared the caches" and "clear cache" meet. It is a ranking
aid, not linguistics: a wrong stem costs a point of similarity, never an answer.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.text import words

WORD = words.WORD

STOPWORDS = frozenset(
    """
    a about above after again all also am an and any are aren't as at be because been before being below between
    both but by can can't could couldn't did didn't do does doesn't doing don't down during each few for from
    further had has have having he he'd he'll he's her here hers him his how i i'd i'll i'm i've if in into is
    isn't it it's its itself just let's me more most my no nor not now of off on once only or other our out over
    own same she she's should so some such than that that's the their theirs them then there these they they're
    this those through to too under until up us very was wasn't we we'd we'll we're we've were what what's when
    where which while who whom why will with would you you'd you'll you're you've your yours
    我们 你们 他们 我的 你的 这个 那个 一个 可以 就是 是的 です ます まし した して する いる ある こと これ それ
    """.split()
)

REPEAT = 0.6  # of the shorter text's words: more is a repeat  [sinain §4.3, §4.7]
ABOUT, LEAST_SHARED = 0.5, 3  # of them, and so many: two in common are a coincidence
SUFFIXES = ("ations", "ation", "ingly", "edly", "ings", "ing", "ies", "ied", "ed", "es", "ly", "s")


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Return a lower-case word without its common English ending.

    >>> [stem(w) for w in ("caches", "cleared", "clearing", "entries", "is", "css")]
    ['cach', 'clear', 'clear', 'entry', 'is', 'css']
    """
    word = word.lower().replace("’", "'").removesuffix("'s")
    for suffix in SUFFIXES:
        if not word.endswith(suffix) or len(word) - len(suffix) < 3 or word.endswith(("ss", "us", "is")):
            continue
        root = word[: -len(suffix)]
        if suffix in ("ies", "ied"):
            return root + "y"
        if suffix == "es" and not root.endswith(("s", "x", "z", "ch", "sh")):
            return root + "e"
        if suffix in ("ed", "ing") and len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz":
            return root[:-1]
        return root
    return word


def stems(text: str) -> list[str]:
    """Return the content words of a text as stems, in order, repeats kept.

    >>> stems("Clearing the Metro caches fixed it")
    ['clear', 'metro', 'cach', 'fix']
    >>> stems("每周五发布")
    ['每周', '周五', '五发', '发布']
    """
    out = []
    for word in words.tokens(text):
        low = word.lower().replace("’", "'")
        if low in STOPWORDS or len(low) < 2:
            continue
        root = stem(low)
        out.append(root.removesuffix("e") if len(root) > 4 else root)
    return out


def normal(text: str) -> str:
    """Return a text by which the same words are the same, whatever their case, blanks and full stops.

    >>> normal("Deploys go  out on Tuesdays.") == normal("deploys go out on tuesdays")
    True
    """
    return " ".join(text.casefold().replace("’", "'").split()).rstrip(".!… ")


def numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text as they are written, without what merely belongs to a word ("utf8", "v2" is one).

    >>> sorted(numbers("port 5432, at 10:30 or 3.5 % on the x86"))
    ['10:30', '3.5', '5432']
    """
    return frozenset(compiled(r"(?<![a-zà-ÿ0-9_])(?<!\d[.,:])v?(\d+(?:[.,:]\d+)*)", re.IGNORECASE).findall(text))


@lru_cache(maxsize=4096)  # a tick compares the same few hundred texts with one another
def content_words(text: str) -> frozenset[str]:
    """Return the distinct content words of a text as stems."""
    return frozenset(stems(text))


def overlap(a: str, b: str) -> float:
    """Return the share of the shorter text's distinct stems that the other has, 0 to 1.

    Symmetric, and 1.0 when one text restates part of the other. Two texts without content words: 0.0.

    >>> overlap("restart the metro bundler", "metro bundler: restart it with a clean cache")
    1.0
    """
    left, right = content_words(a), content_words(b)
    if not left or not right:
        return 0.0
    return len(left & right) / min(len(left), len(right))


def jaccard(a: str, b: str) -> float:
    """Return shared stems over all stems, 0 to 1: strict where `overlap` is generous.

    >>> jaccard("metro cache", "metro bundler cache")
    0.6666666666666666
    """
    left, right = content_words(a), content_words(b)
    return len(left & right) / len(left | right) if left or right else 0.0


def repeats(a: str, b: str) -> bool:
    """Return whether a reader has heard it before: most of the shorter text's words stand in the other.

    The "word overlap" of the repeat rules, for what is sent, asked for or done: the same advice with another number is
    a repeat to whoever reads it. Whether two lines say the same is for core/text/compare.py.
    """
    return overlap(a, b) > REPEAT


def about(text: str, line: str) -> bool:
    """Return whether a text is about what a line says, for or against it: half of the shorter one's words, and three.

    >>> about("Clearing the Metro cache did nothing after a rename", "Clear the Metro cache after a rename")
    True
    """
    shared = len(content_words(text) & content_words(line))
    return shared >= LEAST_SHARED and overlap(text, line) >= ABOUT


def document_frequency(texts: Iterable[str]) -> Counter[str]:
    """Return in how many of the texts each stem occurs."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen.update(content_words(text))
    return seen


def cosine(a: str, b: str, *, frequency: Counter[str] | None = None, documents: int = 0) -> float:
    """Return the TF-IDF cosine of two texts, 0 to 1.

    frequency, documents   from `document_frequency` over the collection; without
                           them every stem weighs the same

    >>> round(cosine("metro cache stale", "stale cache in metro"), 3)
    1.0
    """

    def vector(text: str) -> dict[str, float]:
        return {
            word: (1 + math.log(n)) * (math.log((documents + 1) / (frequency[word] + 1)) + 1 if frequency else 1)
            for word, n in Counter(stems(text)).items()
        }

    left, right = vector(a), vector(b)
    norm = math.sqrt(sum(v * v for v in left.values()) * sum(v * v for v in right.values()))
    if not norm:
        return 0.0
    return min(1.0, sum(v * right.get(word, 0.0) for word, v in left.items()) / norm)
