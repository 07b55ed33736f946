"""memory/graph/entities/TYPE--NAME.md: what is known of one person, project, thing.  [moltbot §6.2]

    # person--alex

    <!-- Type: person | Created: 2026-01-15 | Last updated: 2026-02-02 -->
    <!-- Decay score: 0.95 | Access count: 14 | Pinned: no -->
    <!-- Label: Alex Moreau | Aliases: Lex; al -->

    ## Summary
    ## Facts
    - Lives in Lisbon <!-- dc:from=2026-03-04 dc:replaces=fact:person--alex:0a1b2c3d -->
    - ~~Lives in Berlin~~ (until 2026-03-04) <!-- dc:to=2026-03-04 dc:by=fact:person--alex:99aabbcc -->
    ## Timeline
    - 2026-01-15: …
    ## Open Questions
    ## Relations
    - Develops: [[project--moltbot-memory]] <!-- dc:from=2026-01-15 dc:confidence=high -->

Sections are made when something is to stand in them. The third comment is koog's own: names by which it is called.
Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.store import ids
from koog.memory.store import line as lines
from koog.memory.store.entry import Item
from koog.memory.store.episodes import LINK
from koog.memory.store.line import Line
from koog.memory.store.memories import SEMANTIC, Memory
from koog.memory.store.sections import Sections
from koog.sessions import labels
from koog.sessions.labels import NONE, Label

FOLDER = "graph/entities"  # in the memory folder
SUMMARY, FACTS, TIMELINE, QUESTIONS, RELATIONS, ARCHIVED = ORDER = (
    "Summary",
    "Facts",
    "Timeline",
    "Open Questions",
    "Relations",
    "Archived",
)
FIELD = r"[ \t]*([A-Z][a-z]+(?: [a-z]+)*):[ \t]*(.*?)[ \t]*"
HEAD = r"(?m)^<!--((?:(?!-->).)*)-->[ \t]*\r?$"
TYPE, CREATED, UPDATED = "Type", "Created", "Last updated"
SCORE, ACCESSES, PINNED = "Decay score", "Access count", "Pinned"
LABEL, ALIASES = "Label", "Aliases"


class Fact(NamedTuple):
    """One line of an entity: under which heading, its words, where it stands."""

    entity: str
    section: str
    line: Line
    item: Item

    @property
    def id(self) -> str:
        return f"{ids.FACT}:{self.entity}:{self.line.hash}"


class Edge(NamedTuple):
    """One relation of an entity, as its own file says it.

    relation   a word of relations.md, or what a person wrote
    first      YYYY-MM-DD on which it was first seen, "" unknown
    label      where it was said
    """

    start: str
    relation: str
    to: str
    confidence: str = "medium"
    first: str = ""
    label: Label = NONE


class Entity(NamedTuple):
    """One entity's file, read."""

    id: str
    path: str
    sections: Sections
    fields: dict[str, str]

    @property
    def type(self) -> str:
        return self.fields.get(TYPE) or self.id.partition("--")[0]

    @property
    def label(self) -> str:
        return self.fields.get(LABEL) or self.id.partition("--")[2].replace("-", " ").title()

    @property
    def aliases(self) -> tuple[str, ...]:
        """Return the other names by which it is called."""
        return tuple(filter(None, (name.strip() for name in self.fields.get(ALIASES, "").split(";"))))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.label, *self.aliases, self.id.partition("--")[2].replace("-", " "))))

    @property
    def is_pinned(self) -> bool:
        return self.fields.get(PINNED, "").lower() in ("yes", "true")

    def facts(self, *sections: str) -> Iterator[Fact]:
        """Yield the lines of some sections; by default of those that say what holds."""
        for title in sections or (FACTS, TIMELINE, QUESTIONS):
            for item in self.sections.items(title):
                if (read := lines.read(item.text)).text:
                    yield Fact(self.id, title, read, item)

    @property
    def edges(self) -> Iterator[Edge]:
        """Yield its relations in this direction; those told from the other end are of that one's file as well."""
        for item in self.sections.items(RELATIONS):
            yield from edges_of(self.id, item.text)

    @property
    def place(self) -> Label:
        """Return where all of it was said, so that no other place is told its name; NONE where it is the workspace's.

        A line without a label makes it the workspace's own, and so does a summary.
        """
        if self.sections.body(SUMMARY).strip():
            return NONE
        return labels.joint([*(fact.line.label for fact in self.facts()), *(edge.label for edge in self.edges)])


# relation → how it is told from the other end, where seed §6.3 has a word for that
INVERSE = {"uses": "used-by", "part-of": "contains", "preceded-by": "followed-by"}
BACK = {back: name for name, back in INVERSE.items()} | {"developed-by": "develops", "superseded-by": "supersedes"}


def edges_of(id_: str, raw: str) -> Iterator[Edge]:
    """Yield what one line of an entity's relations says."""
    read = lines.read(raw)
    name, sign, rest = read.text.partition(":")
    told = relation(name) if sign else "relates-to"
    confidence, first = read.values.get("confidence", "medium"), read.values.get(lines.SINCE, "")
    for link in compiled(LINK).findall(rest if sign else read.text):
        to = link.strip().removesuffix(".md").rpartition("/")[2]
        if told in BACK:
            yield Edge(to, BACK[told], id_, confidence, first, read.label)
        else:
            yield Edge(id_, told, to, confidence, first, read.label)


def relation(name: str) -> str:
    """Return a relation as relations.md spells it.

    >>> relation("Developed by"), relation("uses")
    ('developed-by', 'uses')
    """
    return "-".join(compiled(r"\w+").findall(name.casefold().replace("_", " ")))


def told(name: str) -> str:
    """Return a relation as an entity's file says it.

    >>> told("decided-on")
    'Decided on'
    """
    return name.replace("-", " ").capitalize()


def path(id_: str) -> str:
    """Return an entity's file in the memory folder."""
    return f"{FOLDER}/{id_}.md"


def read(text: str, id_: str, file: str) -> Entity:
    """Return an entity by its file's text."""
    fields: dict[str, str] = {}
    for comment in compiled(HEAD).findall(text):
        found = [compiled(FIELD).fullmatch(part) for part in comment.split("|")]
        if all(found):
            for each in found:
                if each:
                    fields.setdefault(each[1], each[2])
    return Entity(id_, file, Sections(text, file), fields)


def new(id_: str, *, label: str, today: str, aliases: Sequence[str] = ()) -> str:
    """Return a new entity's file."""
    kind = id_.partition("--")[0]
    text = (
        f"# {id_}\n\n<!-- {TYPE}: {kind} | {CREATED}: {today} | {UPDATED}: {today} -->\n"
        f"<!-- {SCORE}: 1.00 | {ACCESSES}: 1 | {PINNED}: no -->\n"
    )
    return text + _names(label, aliases) + "\n"


def _names(label: str, aliases: Sequence[str]) -> str:
    known = "; ".join(_field(name) for name in aliases)
    return f"<!-- {LABEL}: {_field(label)}{f' | {ALIASES}: {known}' if known else ''} -->\n"


def _field(text: str) -> str:
    """Return a text as it may stand between the signs of a comment."""
    return " ".join(text.replace("|", "/").replace(";", ",").replace("--", "-").replace(">", "").split())


def with_field(text: str, name: str, value: str) -> str:
    """Return an entity's file with another value in one of its comments; where no comment names it, as it was."""
    for comment in compiled(HEAD).finditer(text):
        parts = comment[1].split("|")
        for at, part in enumerate(parts):
            found = compiled(FIELD).fullmatch(part)
            if found and found[1] == name:
                parts[at] = f" {name}: {value} "
                return f"{text[: comment.start(1)]}{'|'.join(parts)}{text[comment.end(1) :]}"
    return text


def with_alias(text: str, entity: Entity, name: str) -> str:
    """Return an entity's file with another name by which it is called."""
    if name.casefold() in (known.casefold() for known in entity.names):
        return text
    if ALIASES in entity.fields:
        return with_field(text, ALIASES, "; ".join((*entity.aliases, _field(name))))
    if LABEL in entity.fields:
        return with_field(text, LABEL, f"{entity.label} | {ALIASES}: {_field(name)}")
    return with_comment(text, _names(entity.label, (name,))[len("<!-- ") : -len(" -->\n")])


def with_comment(text: str, words: str) -> str:
    """Return an entity's file with one comment more, below those that it has."""
    rows = text.split("\n")
    at = max((n + 1 for n, row in enumerate(rows[:12]) if row.startswith(("<!--", "# "))), default=0)
    return "\n".join((*rows[:at], f"<!-- {words} -->", *rows[at:]))


def memory(entity: Entity, words: str) -> Memory:
    """Return an entity as one memory. words: what it is told with"""
    created = entity.fields.get(CREATED, "")
    return Memory(f"{ids.ENTITY}:{entity.id}", SEMANTIC, words, entity.path, 1, created, entity.place, entity.is_pinned)
