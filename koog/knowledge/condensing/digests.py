"""What is left of a week and of a month: knowledge/journal/weekly/ and monthly/.  [autopoiesis §8.1, §8.4]

    ---                                                ---
    type: journal_week                                 type: journal_month
    week: 2026-W07                                     month: 2026-02
    from: 2026-02-09                                   from: 2026-02-02
    to: 2026-02-15                                     to: 2026-03-01
    wrote: [b41c07d2, "02ce14aa"]                      wrote: [b41c07d2]
    ---                                                ---

    ## 2026-W07                                        ## 2026-02

    ### autopoiesis                                    ### 12
    - 2026-02-12: Files are the truth <!-- … -->       - Files are the truth <!-- … -->

A week goes by topics, as a day does; a month by days, which takes less room than a day in front of each line: by their
number alone, those of the month before or behind with that ("01-31"). There a line's full stop is left out. Each line
says in its comment when and where it was said (`dc:day`, `dc:source`, `dc:project` …), and by `dc:words` how koog wrote
it. What a person has put otherwise, moved, or written right below is his, as is whatever else stands there: it stays as
and where it is when the file is made anew. `wrote` names what koog has told there: what of it is koog's no more, a
person has changed or taken out, and it is not told again. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import bullets, frontmatter, markdown
from koog.core.text.voices import PERSON
from koog.knowledge import documents, journal
from koog.knowledge.condensing import gathering
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.condensing.periods import Month, Week
from koog.memory.store import comments
from koog.memory.store import line as lines
from koog.memory.store.line import Line
from koog.memory.store.sections import Section, Sections
from koog.sessions.labels import NONE

WEEKLY, MONTHLY = "weekly", "monthly"
OF_WEEK, OF_MONTH = "journal_week", "journal_month"
WORDS = "words"  # in a line's comment: by what is known again how koog wrote it
WROTE = "wrote"  # in the head: the marks of what koog has told
NAME = r"\d{4}-(?:W\d\d|\d\d)"
MARKS = ("- ", "* ", "+ ")  # with which a line begins: some editors put another one


class Digest(NamedTuple):
    """One file: where it lies, what its head says, and whether its lines go by days."""

    path: str
    head: Mapping[str, object]
    name: str
    by_days: bool = False


def of_week(folder: str, week: Week) -> Digest:
    """Return the file of a week. folder: the journal's"""
    head = {"type": OF_WEEK, "week": week.name, "from": week.first.isoformat(), "to": week.last.isoformat()}
    return Digest(f"{folder}/{WEEKLY}/{week.name}.md", head, week.name)


def of_month(folder: str, month: Month) -> Digest:
    """Return the file of a month."""
    head = {"type": OF_MONTH, "month": month.name, "from": month.first.isoformat(), "to": month.last.isoformat()}
    return Digest(f"{folder}/{MONTHLY}/{month.name}.md", head, month.name, by_days=True)


# --- what stands there


@dataclass
class Part:
    """A heading of a digest, and what stands below it.

    title   "" for what stands above the first heading
    head    its row as it stands, "" for none
    rows    koog's lines, by what they say, and a person's rows, in their order
    """

    title: str = ""
    head: str = ""
    rows: list[Said | str] = field(default_factory=list)

    @property
    def is_own(self) -> bool:
        """Return whether a person has written below it."""
        return any(isinstance(row, str) and row.strip() for row in self.rows)

    @property
    def is_koogs(self) -> bool:
        """Return whether koog alone has written below it: such a heading goes with its last line."""
        return not self.is_own and any(isinstance(row, Said) for row in self.rows)


@dataclass
class File:
    """A digest as it stands: what is above koog's part of it, that, what is below, and what koog told once."""

    above: list[str]
    parts: list[Part]
    below: list[str]
    wrote: frozenset[str]
    shown: dict[Said, str]

    @property
    def koogs(self) -> Iterator[Said]:
        return (row for part in self.parts for row in part.rows if isinstance(row, Said))

    @property
    def has_own(self) -> bool:
        above = [row for row in self.above[frontmatter.lines(self.above) :] if row.strip()]
        is_framed = any(map(str.strip, self.below)) or any(not row.startswith("## ") for row in above)
        return is_framed or any(part.is_own for part in self.parts)

    @property
    def withdrawn(self) -> frozenset[str]:
        """Return the marks of what koog told there and a person has changed or taken out."""
        return self.wrote.difference(*(each.origins for each in self.koogs))


def _read(text: str, path: str = "") -> File:
    file = Sections(text, path)
    shown = [row.rstrip("\r") for row in file.rows]
    begin = frontmatter.lines(shown)
    named = next((each for each in file.sections if compiled(NAME).fullmatch(each.title)), None)
    first, end = (named.row + 1, named.end) if named else (begin, len(shown) - (shown[-1] == ""))
    hidden = comments.hidden(shown)
    heads = {
        start: journal.topic(shown[start])
        for kind, start, _ in markdown.blocks(shown)
        if kind == markdown.HEADING and first <= start < end and start not in hidden
    }
    found = {item.row: item.end for item in file.items_of(Section("", first - 1, end))}
    parts, told = [Part()], dict[int, Said]()
    for at in range(first, end):
        title = heads.get(at)
        if title is not None:
            parts.append(Part(title, file.rows[at]))
        elif found.get(at) == at + 1 and (said := _koogs(shown[at], parts[-1].title, path)):
            told[at] = said
            parts[-1].rows.append(said)
        else:
            parts[-1].rows.append(file.rows[at])
    rows = {said: file.rows[at] for at, said in told.items()}
    for part in parts:
        part.rows = list(_with_what_is_below(part.rows, rows))
    wrote = documents.listed(text, WROTE) or [
        each for part in parts for row in part.rows if isinstance(row, str) for each in _marks(row)
    ]
    return File(file.rows[:first], parts, file.rows[end:], frozenset(wrote), rows)


def _koogs(row: str, title: str, path: str) -> Said | None:
    """Return what a row under a heading says, None for one that is not as koog wrote it."""
    raw = row[len(MARKS[0]) :]
    line = lines.read(raw) if row.startswith(MARKS) else None
    if line is None or not clock.parse_day(line.values.get(documents.DAY, "")):
        return None
    values = {name: value for name, value in line.values.items() if name != WORDS}
    bare = Line(line.text, line.label, values)
    # An older koog signed the words alone, and one before that nothing.
    is_older = line.values.get(WORDS) in (None, gathering.mark(line.text))
    is_as_written = is_older or raw == _signed(bare, title).raw
    return _said(line, title, path) if is_as_written else None


def _said(line: Line, title: str, path: str) -> Said:
    told = line.values.get
    trust = told(gathering.TRUST, PERSON)
    day, source, of = told(documents.DAY, ""), told(documents.SOURCE, ""), told(gathering.OF, "")
    return Said(title, lines.bare(line.text), day, line.label, trust, source, path, of)


def _signed(line: Line, title: str) -> Line:
    """Return a line that says how it was written, and under which heading."""
    return line.with_values(**{WORDS: gathering.mark(title, line.raw)})


def _with_what_is_below(rows: Sequence[Said | str], written: Mapping[Said, str]) -> Iterator[Said | str]:
    """Yield rows with those of koog's lines as a person's right below which he has written: they belong together.

    A line of koog's that he has put otherwise is a line by itself.
    """
    found, is_own = list[Said | str](), False
    for row in reversed(rows):
        if isinstance(row, Said):
            found.append(written[row] if is_own else row)
            is_own = False
        else:
            found.append(row)
            is_own = not (row.startswith(MARKS) and _marks(row)) and (is_own or bool(row.strip()))
    return reversed(found)


def _marks(row: str) -> frozenset[str]:
    """Return of what koog told a person's row was made."""
    bullet = bullets.parse(row.rstrip("\r"))
    line = lines.read(bullet.text) if bullet else None
    return _said(line, "", "").origins if line and documents.DAY in line.values else frozenset()


def read(text: str, path: str) -> list[Said]:
    """Return the lines of a digest that are as koog wrote them, in their order."""
    return list(_read(text, path).koogs)


def has_own(text: str) -> bool:
    """Return whether a digest has something that koog did not write."""
    return _read(text).has_own


def untold(text: str, found: Iterable[Said]) -> list[Said]:
    """Return lines but those that koog has told in a digest, and that a person has changed or taken out there."""
    gone = _read(text).withdrawn
    return [each for each in found if not gone.issuperset(each.origins)]


# --- what is to stand there


def written(text: str, digest: Digest, found: Sequence[Said]) -> str:
    """Return a digest's text with these lines in the place of those that koog wrote before; "" for one without any."""
    name = f"## {digest.name}"
    begun = [*documents.head(digest.head).split("\n"), name]
    file = _read(text) if text else File(begun, [Part()], [], frozenset(), {})
    gone = file.withdrawn
    told = [each for each in found if not gone.issuperset(each.origins)]
    if not told and not gone and not file.has_own:
        return ""
    blocks = [file.above, *_laid(file, _by_titles(told, digest)), file.below]
    made = "\n\n".join("\n".join(block) for block in map(_trimmed, blocks) if block) + "\n"
    marks = sorted(gone.union(*(each.origins for each in told)))
    return documents.with_head(made, **{WROTE: marks}) if marks or WROTE in documents.values(made) else made


def _by_titles(found: Sequence[Said], digest: Digest) -> dict[str, list[str]]:
    """Return the headings, each with its lines as they are written."""
    own = {each.topic for each in found if each.label == NONE}
    made = dict[str, list[str]]()
    for each in found:
        topic = each.topic if each.topic in own else gathering.GENERAL  # what others call something is theirs to hear
        title = _number(each.day, digest.name) if digest.by_days else topic
        words = gathering.without_stop(each.text) if digest.by_days else f"{each.day}: {each.text}"
        rows = made.setdefault(title, [])
        rows.append(f"- {_signed(Line(words, each.label, each.values), title).raw}")
    return made


def _laid(file: File, made: Mapping[str, Sequence[str]]) -> Iterator[list[str]]:
    """Yield the parts of a digest: its new lines, and between them what a person wrote, below what stood above it."""
    known, beside = dict[str, Part](), dict[str, list[Part]]()
    at = ""
    for part in file.parts:
        if part.title in made and part.title not in known:
            known[part.title], at = part, part.title
        elif not part.is_koogs:
            beside.setdefault(at, []).append(part)
    for title in ("", *made):
        if title:
            part = known.get(title, Part(title, f"### {title}"))
            yield [part.head, *_mixed(part, made[title], file.shown)]
        for each in beside.get(title, ()):
            yield [*filter(None, [each.head]), *_mixed(each, (), {})]


def _mixed(part: Part, new: Sequence[str], shown: Mapping[Said, str]) -> Iterator[str]:
    """Yield a part's new lines, and a person's rows each behind that of koog's lines which stood above it."""
    stays, above = set(new), ""
    own = dict[str, list[str]]()
    for row in part.rows:
        if isinstance(row, str):
            own.setdefault(above, []).append(row)
        elif shown.get(row, "").rstrip("\r") in stays:
            above = shown[row].rstrip("\r")
    for row in ("", *new):
        yield from [row] if row else []
        rows = own.pop(row, [])
        yield from rows if any(map(str.strip, rows)) else []


def _trimmed(rows: Sequence[str]) -> list[str]:
    """Return rows without the empty ones at both ends."""
    full = [n for n, row in enumerate(rows) if row.strip()]
    return list(rows[full[0] : full[-1] + 1]) if full else []


def _number(day: str, month: str) -> str:
    """Return how a month calls a day: by its number, one of another month with that.

    >>> _number("2026-02-12", "2026-02"), _number("2026-03-01", "2026-02")
    ('12', '03-01')
    """
    return day.removeprefix(f"{month}-") if day.startswith(month) else day[len("2026-") :]
