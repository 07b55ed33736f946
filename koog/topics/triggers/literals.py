"""What a text must hold for a regular expression to match in it: literals, read off Python's own parse tree.

Tier 1 has a thousand patterns and a millisecond (§4.1), so that a pattern runs only on a
text that holds one of its literals. Whatever the tree shows and this file does not know
adds no literal: then the pattern always runs, and no match is lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from koog.core.named import NamedTuple

LITERALS = 64  # of one pattern; a list longer than this is no filter
FEW = 4  # a repeat up to here multiplies little
OPEN = 10  # one open repeat costs as much as ten choices; two of them, or one within another, are too much


class Needs(NamedTuple):
    """What is known of a pattern before it runs.

    literals   folded; the text holds at least one of them wherever the pattern matches; () when nothing is known
    tame       it has at most one open repeat, of something without choices: no text makes it backtrack for long
    """

    literals: tuple[str, ...]
    tame: bool


def needs(pattern: str) -> Needs:
    """Return what a pattern needs. Raises re.error, OverflowError or RecursionError for one that is none.

    >>> needs(r"\\b(email|inbox|e-?mails?)\\b")
    Needs(literals=('email', 'inbox', 'mail'), tame=True)
    """
    tree = import_module("re._parser").parse(pattern, re.IGNORECASE)
    return Needs(_required(list(tree)) or (), _cost(list(tree), inside=False) < 2 * OPEN)


def fold(text: str) -> str:
    """Return a text in which all that `re.IGNORECASE` takes for the same letter is the same letter, one for one.

    >>> fold("ÉTÉ, ΟΔΟΣ, \\u212aelvin")
    'été, οδος, kelvin'
    """
    if text.isascii():
        return text.lower()
    return text.translate(_first()).lower().translate(_same())


@cache
def _first() -> dict[int, str]:
    """Return the one letter whose lower case is two."""
    return {0x130: "i"}


@cache
def _same() -> dict[int, str]:
    """Return lower-case letter → the one that stands for all that `re` takes for it."""
    extra: dict[int, tuple[int, ...]] = import_module("re._casefix")._EXTRA_CASES
    table: dict[int, str] = {}
    for letter, others in extra.items():
        chosen = min(letter, *others)
        table |= {code: chr(chosen) for code in (letter, *others) if code != chosen}
    return table


def _required(nodes: Sequence[Any]) -> tuple[str, ...] | None:
    """Return the best set of literals of a sequence: the one whose shortest member is longest; None for none."""
    sets: list[tuple[str, ...]] = []
    run = ""
    for op, value in [*nodes, (None, None)]:
        name = str(op)
        if name == "LITERAL":
            run += fold(chr(value))
            continue
        if name in ("AT", "ASSERT", "ASSERT_NOT"):
            continue  # no width: what stands before and after it touches
        if run:
            sets.append((run,))
            run = ""
        if inner := _inner(name, value):
            sets.append(inner)
    return max(sets, key=lambda found: (min(map(len, found)), -len(found)), default=None)


def _inner(name: str, value: Any) -> tuple[str, ...] | None:
    if name == "SUBPATTERN":
        return _required(list(value[3]))
    if name == "ATOMIC_GROUP":
        return _required(list(value))
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _required(list(value[2])) if value[0] else None
    if name == "BRANCH":
        found: dict[str, None] = {}
        for branch in value[1]:
            literals = _required(list(branch))
            if literals is None:
                return None
            found |= dict.fromkeys(literals)
        return tuple(found) if len(found) <= LITERALS else None
    return None


def _cost(nodes: Sequence[Any], *, inside: bool) -> int:
    """Return how much backtracking a pattern can ask for: 1 for a choice, OPEN for a repeat without a near end.

    inside   within a repeat, where each choice is made anew: with length that is exponential
    """
    total = 0
    for op, value in nodes:
        name = str(op)
        if name.endswith("_REPEAT"):
            low, high, body = value
            total += 0 if low == high else 2 * OPEN if inside else OPEN if high > FEW else 1
            total += _cost(list(body), inside=inside or high > FEW)
        elif name == "BRANCH":
            total += 2 * OPEN if inside else 1
            total += sum(_cost(list(branch), inside=inside) for branch in value[1])
        elif name in ("SUBPATTERN", "ATOMIC_GROUP"):
            total += _cost(list(value[3] if name == "SUBPATTERN" else value), inside=inside)
        elif name in ("ASSERT", "ASSERT_NOT"):
            total += _cost(list(value[1]), inside=inside)
        elif name in ("GROUPREF", "GROUPREF_EXISTS"):
            total += 2 * OPEN  # its cost is the text's to choose
    return total
