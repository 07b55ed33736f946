"""One remembered line: its words, and behind them in a comment where it was said and how long it holds.  [design §3]

    - Lives in Lisbon <!-- dc:from=2026-03-04 dc:replaces=fact:person--alex:0a1b2c3d dc:project=/srv/app dc:scope=private -->
    - ~~Lives in Berlin~~ (until 2026-03-04) <!-- dc:to=2026-03-04 dc:by=fact:person--alex:99aabbcc -->

A person may write the words alone. Pure.
"""  # noqa: E501  the two lines are the format

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import lru_cache

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text.untrusted import clean, visible
from koog.memory.store import ids
from koog.sessions import labels
from koog.sessions.labels import NONE, Label

COMMENT = r"[ \t]*<!--((?:(?!-->).)*)-->"
VALUE = r"(?:^|\s)dc:([a-z]+)=(\S*)"
GONE = r"~~(.+)~~ \((?:until|bis|hasta|jusqu'au|archived) \d{4}-\d\d-\d\d\)"
OF_LABEL = ("project", "scope", "group")
SINCE, UNTIL, REPLACES, BY, AGAINST = "from", "to", "replaces", "by", "against"
CONFIDENCE = "confidence"
DAY = "day"  # when it was said, where no date stands in front of its words
DATED = r"(\d{4}-\d\d-\d\d): +"
SOURCE = "source"  # session:line of a transcript, of a line that was made from one; several with ";" between
HEARD = "heard"  # session#entry in which it was said, where nobody asked for it to be remembered
OPPOSED = "opposed"  # the figures of the words that it does not go with, though somebody decided that both stay
SHELVED, SECTION = "archived", "section"  # the day on which it was forgotten, and under which heading it stood

KEPT = 8192  # lines that are not read twice: whoever goes through a year meets the same ones again and again


class Line(NamedTuple):
    """One remembered line.

    text    its words, without marks and comments
    label   where it was said
    values  what else its comment says: from, to, replaces, by, against and whatever another koog wrote there
    """

    text: str
    label: Label = NONE
    values: Mapping[str, str] = {}

    @property
    def hash(self) -> str:
        return ids.of_words(self.text)

    @property
    def is_past(self) -> bool:
        """Return whether it was replaced: it is kept and says until when it held."""
        return UNTIL in self.values

    def opposes(self, other: Line) -> bool:
        """Return whether somebody decided that both stay, though they do not go together."""
        return OPPOSED in self.values and self.values[OPPOSED] == other.hash

    def with_values(self, **values: str) -> Line:
        """Return it with more said of it."""
        return Line(self.text, self.label, {**self.values, **values})

    @property
    def words(self) -> str:
        """Return its words as they are written: crossed out where it does not hold any more, or was forgotten."""
        if self.is_past:
            return f"~~{self.text}~~ (until {self.values[UNTIL]})"
        return f"~~{self.text}~~ (archived {self.values[SHELVED]})" if SHELVED in self.values else self.text

    @property
    def comment(self) -> str:
        """Return what stands behind its words, "" where there is nothing to say."""
        told = [f"dc:{name}={labels.quoted(value)}" for name, value in self.values.items()]
        told += [f"dc:{name}={value}" for name, value in labels.values(self.label)]
        return f"<!-- {' '.join(told)} -->" if told else ""

    @property
    def raw(self) -> str:
        """Return it as it is written."""
        return f"{self.words} {self.comment}".rstrip()


@lru_cache(maxsize=KEPT)
def read(raw: str) -> Line:
    """Return the line that a bullet's words are.

    >>> read("~~Lives in Berlin~~ (until 2026-03-04) <!-- dc:to=2026-03-04 -->").text
    'Lives in Berlin'
    """
    from urllib.parse import unquote

    values = dict(v for found in compiled(COMMENT).findall(raw) for v in compiled(VALUE).findall(found))
    text = compiled(COMMENT).sub("", raw).strip()
    if past := compiled(GONE).fullmatch(text):
        text = past[1]
    more = {name: unquote(value) for name, value in values.items() if name not in OF_LABEL}
    return Line(text, labels.of_line(raw), more)


def marked(raw: str, *, strikes: bool, **more: str) -> str:
    """Return a bullet's words with more said in its comment; what a person has put in comments stays.

    What it stands against already it goes on to stand against.

    strikes   cross out what does not hold any more: not where it goes on in other rows
    """
    found = read(raw)
    if AGAINST in more and (before := found.values.get(AGAINST)):
        more[AGAINST] = ";".join(dict.fromkeys([*before.split(";"), *more[AGAINST].split(";")]))
    found = found.with_values(**more)
    own = [each[0].strip() for each in compiled(COMMENT).finditer(raw) if "dc:" not in each[0]]
    words = found.words if strikes else compiled(COMMENT).sub("", raw).strip()
    return " ".join(filter(None, (words, *own, found.comment)))


@lru_cache(maxsize=1024)
def words(text: str) -> str:
    """Return what may be remembered, on one line: no comment, no secret, no private block."""
    return " ".join(clean(visible(text)).replace("~~", "").split())


def dated(text: str) -> tuple[str, str]:
    """Return the date in front of a line's words, "" for none, and the words.

    >>> dated("2026-02-16: Files are the source of truth")
    ('2026-02-16', 'Files are the source of truth')
    """
    found = compiled(DATED).match(text)
    return (found[1], text[found.end() :]) if found else ("", text)


def bare(text: str) -> str:
    """Return a line's words without the date in front of them."""
    return dated(text)[1]


def said_on(line: Line) -> str:
    """Return on which day a line was said, "" where it does not tell."""
    return dated(line.text)[0] or line.values.get(DAY, "")


def day(text: str) -> date | None:
    """Return the day that a text is, None for any other."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None
