"""The phrases of triggers.txt: by which a person has something remembered, forgotten or looked up.  [moltbot §8.1, §14]

    of        a text → the rules that may match in it
    word      a named part of the grammar

Of the file only its rows are read; a pattern is compiled when a text has one of its stems.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from koog.core import shipped
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

REMEMBER, FORGET, SEARCH, REFLECT, SCRATCH, PIN = "remember", "forget", "search", "reflect", "scratch", "pin"
AFTER, INSIDE, BEFORE, ALONE = "after", "inside", "before", "alone"
WIDE = ("zh", "ja")  # written without blanks
PART = re.compile(r"@([A-Z_]+)@")


class Rule(NamedTuple):
    """A phrase, and where its content stands.

    where   after: behind it; inside: in its group `what`; before: in front of it; alone: it has none
    stems   of which a text has one, in lower case, or the pattern is not tried
    """

    lang: str
    kind: str
    where: str
    stems: tuple[str, ...]
    pattern: str

    @property
    def is_wide(self) -> bool:
        return self.lang in WIDE

    def compiled(self) -> re.Pattern[str]:
        return _compiled(self.pattern if self.is_wide else rf"(?<![\w'@#$/\\.!-])(?:{self.pattern})(?!\w)")


def of(text: str, rules: Iterable[Rule] | None = None) -> list[Rule]:
    """Return those rules of which a text has a stem.

    >>> [rule.kind for rule in of("let's reflect on it")]
    ['reflect']
    """
    low = text.lower()
    if rules is not None:
        return [rule for rule in rules if any(stem in low for stem in rule.stems)]
    every = _read()[0]
    return [every[at] for at in sorted({at for stem, at in _stems() if stem in low})]


def word(name: str) -> re.Pattern[str]:
    """Return a named part of the grammar, such as LEAD: what may stand before a phrase."""
    return _compiled(_read()[1][name])


def asks(text: str) -> bool:
    """Return whether words say nothing: they only greet, ask, thank.

    >>> asks("Could you please "), asks("Ana is here. ")
    (True, False)
    """
    return any(word(name).fullmatch(text) for name in ("ASKING", "LEAD_WIDE", "ENDING_WIDE"))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern in which a blank is any white space."""
    parts = _read()[1]
    while PART.search(pattern):
        pattern = PART.sub(lambda part: parts[part[1]], pattern)
    return compiled(pattern.replace(" ", r"\s+"), re.I)


@cache
def _stems() -> list[tuple[str, int]]:
    """Return every stem with the number of its rule."""
    return [(stem, at) for at, rule in enumerate(_read()[0]) for stem in rule.stems]


@cache
def _read() -> tuple[tuple[Rule, ...], dict[str, str]]:
    rules, parts = list[Rule](), dict[str, str]()
    lang = head = ""
    for row in shipped.rows(shipped.PACKAGE / "memory/trigger/triggers.txt"):
        if row.startswith("=="):
            lang = row.strip("= ")
        elif row.startswith("    "):
            said, _, stems = head.partition(":")
            kind, where = said.split()
            rules.append(Rule(lang, kind, where, tuple(stem.strip() for stem in stems.split("|")), row.strip()))
        elif row and not row.startswith("#"):
            name, _, pattern = row.partition(" = ")
            head, parts = row, parts | {name: pattern} if pattern else parts
    return tuple(rules), parts
