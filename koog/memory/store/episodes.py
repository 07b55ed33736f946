"""memory/episodes/DATE.md: what happened, day by day; a file that only grows.  [moltbot §5]

    # 2026-02-02 — Episode Log

    ## 14:30 | decision | confidence:high | tags:[memory, architecture] | source:user-explicit
    Chose the hybrid approach. → [[project--moltbot-memory]] <!-- dc:project=/srv/app dc:scope=private -->

Day and time are the user's. An entry is never edited, so its id holds: of two in one minute the second is …:2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.store import ids
from koog.memory.store import line as lines
from koog.memory.store.line import Line
from koog.memory.store.memories import EPISODIC, Memory
from koog.memory.store.sections import Sections

FOLDER = "episodes"  # in the memory folder
TYPES = ("decision", "fact", "preference", "task", "event", "emotion", "correction")
DELETED = "deleted"  # of an entry that was deleted for good: it keeps its place, and those behind it their ids
HIGH, MEDIUM, LOW = CONFIDENCES = ("high", "medium", "low")
TALK, REFLECTION, EXPLICIT = SOURCES = ("conversation", "reflection", "user-explicit")
HEAD = r"(?P<time>(?:[01]?\d|2[0-3]):[0-5]\d)(?P<more>[ \t]*\|.*|[ \t]*)"
LINKS = r"[ \t]*→((?:[ ,]*\[\[[^\[\]]+\]\])+)[ \t]*\Z"
LINK = r"\[\[([^\[\]|#]+)(?:[|#][^\[\]]*)?\]\]"


class Episode(NamedTuple):
    """One entry.

    day, time    YYYY-MM-DD and HH:MM
    nth          of its minute, from 1
    type         one of TYPES, or what a person wrote there
    entities     ids that it links to
    row          of its heading in the file, from 0
    """

    day: str
    time: str
    line: Line
    type: str = "fact"
    confidence: str = MEDIUM
    tags: tuple[str, ...] = ()
    source: str = ""
    entities: tuple[str, ...] = ()
    nth: int = 1
    row: int = 0

    @property
    def id(self) -> str:
        return f"{ids.EPISODE}:{self.day}:{self.time}" + (f":{self.nth}" if self.nth > 1 else "")

    @property
    def raw(self) -> str:
        """Return it as it is written."""
        head = [f"## {self.time}", self.type, f"confidence:{self.confidence}", f"tags:[{', '.join(self.tags)}]"]
        head += [f"source:{self.source}"] if self.source else []
        linked = f" → {', '.join(f'[[{each}]]' for each in self.entities)}" if self.entities else ""
        text = self.line.text
        # A body that begins as a heading, a fence or a comment does would hide the entries below it.
        safe = f"\\{text}" if text[:1] in "#`~<|>-+*=" else text
        return f"{' | '.join(head)}\n{Line(safe + linked, self.line.label, self.line.values).raw}\n"


def path(day: str) -> str:
    """Return a day's file in the memory folder."""
    return f"{FOLDER}/{day}.md"


def header(day: str) -> str:
    """Return what a day's file begins with."""
    return f"# {day} — Episode Log\n"


class Raw(NamedTuple):
    """An entry as its file has it, of which nothing is read but when it was: of thousands few are wanted.

    more   what stands behind the time in its heading
    body   what stands below that
    """

    day: str
    time: str
    nth: int
    row: int
    more: str
    body: str

    @property
    def entry(self) -> Episode:
        said = lines.read(self.body)
        linked = compiled(LINKS).search(said.text)
        words = said.text[: linked.start()] if linked else said.text
        more = _metadata(self.more)
        return Episode(
            day=self.day,
            time=self.time,
            line=Line(words.removeprefix("\\"), said.label, said.values),
            type=more.pop("", "fact"),
            confidence=more.get("confidence", MEDIUM),
            tags=tuple(filter(None, (tag.strip() for tag in more.get("tags", "").strip("[] ").split(",")))),
            source=more.get("source", ""),
            entities=tuple(compiled(LINK).findall(linked[1])) if linked else (),
            nth=self.nth,
            row=self.row,
        )


def read(text: str, day: str, file: str = "", *, at: int | None = None) -> list[Episode]:
    """Return a day's entries as they stand; what is no entry is left where it is.

    at   a row, from 0: of the entry in which it lies alone
    """
    return [each.entry for each in raw(text, day, file, at=at)]


def raw(text: str, day: str, file: str = "", *, at: int | None = None) -> list[Raw]:
    """Return a day's entries before what they say is read. at: as `read` has it"""
    found, count = list[Raw](), Counter[str]()
    sections = Sections(text, file or path(day))
    for section in sections.sections:
        if at is not None and section.row > at:
            break
        head = compiled(HEAD).fullmatch(lines.read(section.title).text if "<!--" in section.title else section.title)
        if head is None:
            continue
        time = head["time"].zfill(5)
        count[time] += 1
        if at is None or at < section.end:
            body = " ".join(sections.rows[section.row + 1 : section.end]).strip()
            found.append(Raw(day, time, count[time], section.row, head["more"], body))
    return found


def _metadata(text: str) -> dict[str, str]:
    """Return what stands behind the time of a heading: the type under "", the others under their names."""
    found: dict[str, str] = {}
    for part in filter(None, (each.strip() for each in text.split("|"))):
        name, sign, value = part.partition(":")
        if sign:
            found[name.strip().lower()] = value.strip()
        else:
            found.setdefault("", part)
    return found


def memories(entries: Sequence[Episode], file: str) -> Iterator[Memory]:
    """Yield what a day's entries remember."""
    for each in entries:
        if each.type == DELETED and not each.line.text:
            continue
        yield Memory(each.id, EPISODIC, each.line.text, file, each.row + 1, f"{each.day}T{each.time}", each.line.label)
