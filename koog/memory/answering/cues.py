"""The cues of cues.txt: what a question asks for, and by what a line shows that it gives it.  [moltbot §11.1]

    asked     a question → its kinds, and the text without the words that only ask
    gives     whether a line shows that it gives what a kind asks for

Of the file only its rows are read; a language's pattern is compiled once.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache

from koog.core import shipped

ASKS, GIVES, POLITE = "asks", "gives", "polite"
WIDE = ("zh", "ja")  # written without blanks


def asked(text: str) -> tuple[frozenset[str], str]:
    """Return the kinds that a question shows, and its text with blanks for the words that show them.

    >>> asked("When did we choose Postgres?")
    (frozenset({'when'}), '     did we choose Postgres?')
    >>> sorted(asked("What's the latest on Atlas")[0]), sorted(asked("为什么选择Postgres")[0])
    (['latest'], ['why'])
    """
    plain = text.replace("’", "'")
    kinds = {kind for kind, pattern in _patterns(ASKS) if pattern.search(plain)}
    rest = plain
    for _, pattern in (*_patterns(ASKS), *_patterns(POLITE)):
        rest = pattern.sub(lambda found: " " * len(found[0]), rest)
    return frozenset(kinds), rest


def gives(kind: str, line: str) -> bool:
    """Return whether a line shows by its words that it gives what a kind asks for.

    >>> gives("why", "We moved to Postgres because of the locks"), gives("why", "We moved to Postgres")
    (True, False)
    """
    plain = line.replace("’", "'")
    return any(of == kind and pattern.search(plain) for of, pattern in _patterns(GIVES))


@cache
def _patterns(what: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the patterns of one sort, each with the kind that it is of, of all languages."""
    found: dict[str, list[str]] = defaultdict(list)
    head = ""
    for row in shipped.text(shipped.PACKAGE / "memory/answering/cues.txt").splitlines():
        if row.startswith("    "):
            sort, _, kind = head.partition(" ")
            if sort == what:
                found[kind].append(row.strip())
        elif row and not row.startswith(("#", "==")):
            head = row.strip()
    return tuple(
        (kind, re.compile("|".join(f"(?:{each})" for each in patterns).replace(" ", r"\s+"), re.IGNORECASE))
        for kind, patterns in found.items()
    )
