"""What the days of a week have said: the lines of their journals, wherever these lie.  [autopoiesis §8.4]

A day that was put away is read where it lies, so that condensing late finds what condensing on time did. Lines that a
person wrote into a journal are taken as he wrote them. What does not hold any more is left out, and so is what was
forgotten. Pure but for `days`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.text import markdown, sentences
from koog.core.text.voices import PERSON
from koog.knowledge import documents
from koog.knowledge.pruning import shelf
from koog.memory.store import line as lines
from koog.memory.store.line import Line
from koog.memory.store.sections import Section, Sections
from koog.sessions.labels import NONE, Label

if TYPE_CHECKING:
    from koog.core.files.tree import Tree
    from koog.core.forgotten import Forgotten

TRUST = "trust"
OF = "of"  # in a line's comment: marks of the lines that it was made of, where it has other words
GENERAL = "general"
DAY_FILE = r"(\d{4}-\d\d-\d\d)(?:~\d+)?\.md"
HEADING = r"#{1,4}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*"
NO_SOURCE = "hand"  # who stands behind a line of a journal that names no session: nobody knows


@dataclass(frozen=True)
class Said:
    """One line of a journal.

    topic   under which it stands
    text    its words, without the day in front
    trust   who is behind it; NO_SOURCE where the line does not say from which session it is
    source  session:line, several behind one another
    path    the file it is taken from
    of      marks of the lines that it was made of, several behind one another; "" for one as it was said
    """

    topic: str
    text: str
    day: str
    label: Label = NONE
    trust: str = PERSON
    source: str = ""
    path: str = ""
    of: str = ""

    @property
    def origins(self) -> frozenset[str]:
        """Return marks of the lines that it was made of: of itself as it was said."""
        return frozenset(self.of.split(";")) if self.of else frozenset([self._mark])

    @property
    def _mark(self) -> str:
        return mark(self.day, Line("", self.label).comment, without_stop(self.text))

    @property
    def values(self) -> dict[str, str]:
        """Return what its comment says of it."""
        told = {documents.SOURCE: self.source} if self.source else {}
        told |= {} if self.trust == PERSON else {TRUST: self.trust}
        told |= {OF: self.of} if self.of else {}
        return {documents.DAY: self.day, **told}

    def saying(self, text: str) -> Said:
        """Return it in other words."""
        return self if text == self.text else replace(self, text=text, of=";".join(sorted(self.origins)))


def joined(home: Said, text: str, those: Iterable[Said]) -> Said:
    """Return one line for several that say the same. home: the one that it takes its day and topic from"""
    parts = list(those)
    sources = [each for one in parts for each in one.source.split(";") if each]
    of = frozenset[str]().union(*(each.origins for each in parts))
    made = replace(home, text=text, source=";".join(dict.fromkeys(sources)), of="")
    return made if made.origins == of else replace(made, of=";".join(sorted(of)))


def mark(*parts: str) -> str:
    """Return eight figures by which some words are known again, whatever blanks stand between them."""
    return blake2b(
        "\n".join(" ".join(each.split()) for each in parts).encode(errors="surrogatepass"), digest_size=4
    ).hexdigest()


def without_stop(text: str) -> str:
    """Return a line without its full stop; dots, an abbreviation's or another mark stay.

    >>> [without_stop(text) for text in ("It rained.", "We open at 9 a.m.", "And then...", "下雨了。")]
    ['It rained', 'We open at 9 a.m.', 'And then...', '下雨了']
    """
    return text[:-1] if compiled(r".*[^.。\s][.。]").fullmatch(text) and sentences.ends(text) else text


def days(tree: Tree, folder: str) -> dict[str, list[str]]:
    """Return day → the paths of its journals: in the archive, where more was said of it later in several, and here."""
    found = dict[str, list[str]]()
    for place in (shelf.place(folder), folder):
        for name in sorted(tree.names(place, ".md"), key=lambda each: (len(each), each)):
            day = compiled(DAY_FILE).fullmatch(name)
            if day and clock.parse_day(day[1]):
                found.setdefault(day[1], []).append(f"{place}/{name}")
    return dict(sorted(found.items()))


def read(text: str, path: str, day: str, gone: Forgotten) -> list[Said]:
    """Return what a day's journal says, in its order."""
    made = (_said(entry, path, day) for entry in bullets(text, path))
    return [each for each in made if each and not gone.holds(each.text)]


def bullets(text: str, path: str) -> Iterator[tuple[str, Line]]:
    """Yield the bullets of a file, each with the nearest heading above it: also of one without koog's headings."""
    found = Sections(text, path)
    shown = [row.rstrip("\r") for row in found.rows]
    heads = [
        (start, match[1])
        for kind, start, _ in markdown.blocks(shown)
        if kind == markdown.HEADING and (match := compiled(HEADING).fullmatch(shown[start]))
    ]
    title, at = "", 0
    for item in found.items_of(Section("", -1, len(found.rows))):
        while at < len(heads) and heads[at][0] < item.row:
            title, at = heads[at][1], at + 1
        if (read := lines.read(item.text)).text:
            yield title, read


def _said(told: tuple[str, Line], path: str, day: str) -> Said | None:
    """Return a bullet as what was said, None for one that does not hold any more, or of which nothing may be told."""
    topic, line = told
    if line.is_past or lines.SHELVED in line.values:
        return None
    text = lines.words(lines.bare(line.text))
    source = line.values.get(documents.SOURCE, "")
    when = lines.said_on(line)
    trust = line.values.get(TRUST, PERSON if source else NO_SOURCE)
    is_dated = clock.parse_day(when) is not None and len(when) == len(day)
    topic = " ".join(topic.replace("#", " ").split())
    topic = GENERAL if not topic or clock.parse_day(topic) else topic
    return Said(topic, text, when if is_dated else day, line.label, trust, source, path) if text else None


def in_order(found: Iterable[Said]) -> list[Said]:
    """Return lines by the day they were said on; of one day as they stand."""
    return sorted(found, key=lambda each: each.day)
