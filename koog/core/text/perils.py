"""What a sentence touches that may do harm: a safeguard, a key, an owner, silence… and which of it is denied.

Shared with training (data/). A class stands for the same thing in six languages; what two of them in one sentence are
worth is learned: "waived" beside "check", "silence" beside "consent". perils.txt
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from koog.core import shipped
from koog.core.named import NamedTuple

BEFORE = 3  # words before one that may deny it
NEAR = (2, 4)  # letters of Chinese and Japanese before and after
DENY = frozenset(
    "not no never nobody none without nothing nor neither cannot nicht kein keine keinen keiner keinem nie niemand "
    "niemals ohne nichts nunca nadie sin ni ne pas jamais personne sans rien n'est n'a plus".split()
)
DENY_WIDE = ("不", "没", "無", "无", "别", "未", "ない", "なし", "ず", "ません", "なく")
WIDE = "\u3040"  # the letters from here on are written without blanks


class Table(NamedTuple):
    """The words of perils.txt: whole ones, how others begin, and pairs: first → second, class; longest: in chars."""

    whole: dict[str, tuple[str, ...]]
    begun: dict[str, tuple[str, ...]]
    pairs: dict[str, tuple[tuple[str, str], ...]]
    longest: int


def found(text: str, words: Sequence[str], pieces: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the names of the classes, each also with whether it is denied, and those of every two of them.

    words   of the sentence, in small letters; pieces: its short runs of Chinese and Japanese letters among others
    """
    seen: set[tuple[str, bool]] = set()
    for at, word in enumerate(words):
        if word[0] < WIDE and (classes := _classes(word, words[at + 1] if at + 1 < len(words) else "")):
            is_denied = any(each in DENY or each.endswith("n't") for each in words[max(0, at - BEFORE) : at])
            seen.update((name, is_denied) for name in classes)
    whole = table().whole
    for piece in pieces:
        if piece[0] >= WIDE and piece in whole:
            is_denied = _is_denied(text, piece)
            seen.update((name, is_denied) for name in whole[piece])
    names = sorted({name for name, _ in seen})
    single = [*names, *(f"{name} {'denied' if is_denied else 'said'}" for name, is_denied in sorted(seen))]
    return single, [f"{first} {second}" for first, second in combinations(names, 2)]


def _classes(word: str, following: str) -> tuple[str, ...]:
    names = _of_word(word)
    if pairs := table().pairs.get(word):
        names += tuple(name for start, name in pairs if following.startswith(start))
    return names


@lru_cache(maxsize=4096)
def _of_word(word: str) -> tuple[str, ...]:
    known = table()
    names = known.whole.get(word, ())
    for size in range(2, min(len(word), known.longest) + 1):
        names += known.begun.get(word[:size], ())
    return names


def _is_denied(text: str, piece: str) -> bool:
    at = text.find(piece)
    end = at + len(piece)
    around = f"{text[max(0, at - NEAR[0]) : max(0, at)]} {text[end : end + NEAR[1]]}"
    return any(each in around for each in DENY_WIDE)


@lru_cache(maxsize=1)
def table() -> Table:
    """Return the words of perils.txt."""
    whole: dict[str, tuple[str, ...]] = {}
    begun: dict[str, tuple[str, ...]] = {}
    pairs: dict[str, tuple[tuple[str, str], ...]] = {}
    for line in shipped.text(shipped.PACKAGE / "core/text/perils.txt").splitlines():
        name, *words = line.split()
        alone = (name,)
        for word in words if name != "#" else ():
            if "_" in word:
                first, _, second = word.partition("_")
                pairs[first] = (*pairs.get(first, ()), (second.rstrip("*"), name))
                continue
            known, key = (begun, word[:-1]) if word[-1] == "*" else (whole, word)
            known[key] = known[key] + alone if key in known else alone
    return Table(whole, begun, pairs, max(map(len, begun)))
