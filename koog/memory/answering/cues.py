"""The cues of cues.txt: what a question asks for, and by what a line shows that it gives it.  [moltbot §11.1]

    asked     a question → its kinds, and the text without the words that only ask
    gives     whether a line shows that it gives what a kind asks for

Of the file only its rows are read; a pattern is compiled when a text has one of its stems.
"""

from __future__ import annotations

import re
from functools import cache

from koog.core import shipped
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

ASKS, GIVES, POLITE = "asks", "gives", "polite"


class Cue(NamedTuple):
    """A row of the file. stems: of which a text has one, in lower case, or the pattern is not tried"""

    sort: str
    kind: str
    stems: tuple[str, ...]
    pattern: str

    def compiled(self) -> re.Pattern[str]:
        return compiled(self.pattern, re.IGNORECASE)


def asked(text: str) -> tuple[frozenset[str], str]:
    """Return the kinds that a question shows, and its text with blanks for the words that show them.

    >>> asked("When did we choose Postgres?")
    (frozenset({'when'}), '     did we choose Postgres?')
    >>> sorted(asked("What's the latest on Atlas")[0]), sorted(asked("为什么选择Postgres")[0])
    (['latest'], ['why'])
    """
    plain = text.replace("’", "'")
    found = [cue for cue in _of(plain, ASKS) if cue.compiled().search(plain)]
    rest = plain
    for cue in (*found, *_of(plain, POLITE)):
        rest = cue.compiled().sub(lambda words: " " * len(words[0]), rest)
    return frozenset(cue.kind for cue in found), rest


def gives(kind: str, line: str) -> bool:
    """Return whether a line shows by its words that it gives what a kind asks for.

    >>> gives("why", "We moved to Postgres because of the locks"), gives("why", "We moved to Postgres")
    (True, False)
    """
    plain = line.replace("’", "'")
    return any(cue.kind == kind and cue.compiled().search(plain) for cue in _of(plain, GIVES))


def _of(text: str, sort: str) -> list[Cue]:
    """Return the cues of a sort of which a text has a stem."""
    low = text.lower()
    return [cue for cue in _read() if cue.sort == sort and any(stem in low for stem in cue.stems)]


@cache
def _read() -> tuple[Cue, ...]:
    found, head = list[Cue](), ""
    for row in shipped.rows(shipped.PACKAGE / "memory/answering/cues.txt"):
        if row.startswith("    "):
            said, _, stems = head.partition(":")
            sort, _, kind = said.partition(" ")
            found.append(Cue(sort, kind, tuple(stems.strip().split("|")), row.strip().replace(" ", r"\s+")))
        elif row and not row.startswith(("#", "==")):
            head = row
    return tuple(found)
