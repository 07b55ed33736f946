"""One sentence → the slots of a hashed vector: its words, runs of letters, signs.  Shared with training (data/)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise, repeat
from zlib import crc32

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import perils, signs

BITS = 16
SLOTS = 1 << BITS
MASK = SLOTS - 1
# How much words, runs and signs count (a sign says the same in every language); then what harm alone is learned from:
# words with one or two between them, classes of perils, pairs of those
SHARES = (1.0, 1.0, 2.0, 1.0, 1.0, 1.0)
COMMON = 3  # the groups that all columns have
ENGLISH, OTHER, HAN, KANA = "english", "other", "han", "kana"  # a sentence's tongue, as far as calibration needs it
KANA_LETTERS = "\u3040-\u30ff"
WIDE = f"{KANA_LETTERS}\u3400-\u9fff\uac00-\ud7af"  # written without blanks
PIECE = r"`[^`]*`|https?://\S+|\d[\d.,:/%-]*|[^\W\d_]+(?:['’][^\W\d_]+)?|[?!？！:→\"“«「]"
# The same for texts that may have wide letters: such large sets take ten times as long to compile as all the rest.
WIDE_PIECE = PIECE.replace("[^\\W\\d_]+(", f"[^\\W\\d_{WIDE}]+(") + f"|[{WIDE}]+"
IS_WIDE = f"[{WIDE}]"
HAS_KANA = f"[{KANA_LETTERS}]"
RUN, PERIL = 7, 3  # so that these fall into other slots than words
MOST_CHARS = 600  # of a sentence: what is longer is no sentence, and a pattern may take the square of it
SIZES = (3, 5, 8, 13, 20)  # words: where a sentence counts as the next longer


def features(text: str, *, register: str, role: str) -> tuple[list[int], ...]:
    """Return the slots of a sentence's words, runs of letters, signs, distant words, perils and pairs of perils."""
    said = _said(text[:MOST_CHARS])
    names = [f"#{said.length}", f"#{role}", f"#{register}", f"#{role} {said.length}"]
    for name in said.shown:
        names += [f"#{name}", f"#{register} {name}", f"#{role} {name}"]
    words = [*said.words, _slot(f"#{register} {said.first}", 0)]
    return words, said.runs, _slots(dict.fromkeys(names)), *said.own


class _Said(NamedTuple):
    """What a sentence has to show, whoever says it where: slots, its first word, the signs in it, its length."""

    words: list[int]
    runs: list[int]
    own: tuple[list[int], list[int], list[int]]
    first: str
    shown: list[str]
    length: str


@lru_cache(maxsize=64)  # the same sentence is weighed in more than one voice
def _said(text: str) -> _Said:
    words, runs, pieces, size = _split(text)
    pairs = [f"{a} {b}" for a, b in pairwise(words)]
    found = list(dict.fromkeys(words)) + pairs
    first = words[0] if words else ""
    if words:
        found += ["^" + first, "^" + " ".join(words[:2]), words[-1] + "$"]
    shown = signs.shapes(text) + signs.told(pieces + pairs)
    length = f"len{sum(size >= step for step in SIZES)}"
    apart = [f"{word}_{after}" for at, word in enumerate(words) for after in words[at + 2 : at + 4]]
    single, double = perils.found(text, words, pieces)
    own = (_slots(apart, PERIL), _slots(single, PERIL), _slots(double, PERIL))
    return _Said(_slots(found), list(runs.values()), own, first, shown, length)


def tongue(text: str) -> str:
    """Return english, other (another language in Latin letters), han (Chinese) or kana (Japanese)."""
    if not (signs.may_be_wide(text) and compiled(IS_WIDE).search(text)):
        return OTHER if signs.is_foreign(text) else ENGLISH
    return KANA if compiled(HAS_KANA).search(text) else HAN


def _split(text: str) -> tuple[list[str], dict[str, int], list[str], float]:
    """Return the words, the runs of letters → their slots, the pieces signs are looked up by, the length in words."""
    words: list[str] = []
    runs: dict[str, int] = {}
    pieces: list[str] = []
    size = 0.0
    for token in compiled(WIDE_PIECE if signs.may_be_wide(text) else PIECE).findall(text):
        if token[0].isdigit():
            words.append("0" * min(4, sum(c.isdigit() for c in token)))
        elif token[0] == "`":
            words.append("`code`")
        elif token[0] >= signs.FIRST_WIDE and compiled(IS_WIDE).match(token):
            size += len(token) / 1.7
            cut = [[token[i : i + n] for i in range(len(token) - n + 1)] for n in (1, 2, 3, 4)]
            pieces += cut[0] + cut[1] + cut[2] + cut[3]
            words += cut[1] or [token]
            ends = ("^" + token[:2], token[-2:] + "$", token[-1] + "$")
            runs.update((run, _slot(run, RUN)) for run in (*cut[0], *cut[2], *ends))
        else:
            low = token.lower().replace("’", "'")
            size += low[0].isalpha()
            words.append(low)
            pieces.append(low)
            runs.update(_runs(low))
    return words, runs, pieces, size


@lru_cache(maxsize=4096)
def _runs(word: str) -> dict[str, int]:
    """Return the runs of letters in a word → their slots."""
    padded = f"<{word}>"
    return {run: _slot(run, RUN) for run in (padded[i : i + 4] for i in range(len(padded) - 3))}


def _slots(names: Iterable[str], seed: int = 0) -> list[int]:
    return list(map(_slot, names, repeat(seed)))


@lru_cache(maxsize=16384)  # the same few words make most of a text
def _slot(name: str, seed: int) -> int:
    return crc32(name.encode("utf-8", "replace"), seed) & MASK
