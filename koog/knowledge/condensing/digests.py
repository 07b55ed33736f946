"""What is left of a week and of a month: knowledge/journal/weekly/ and monthly/.  [autopoiesis §8.1, §8.4]

    ---                                                ---
    type: journal_week                                 type: journal_month
    week: 2026-W07                                     month: 2026-02
    from: 2026-02-09                                   from: 2026-02-02
    to: 2026-02-15                                     to: 2026-03-01
    ---                                                ---

    ## 2026-W07                                        ## 2026-02

    ### autopoiesis                                    ### 12
    - 2026-02-12: Files are the truth <!-- … -->       - Files are the truth <!-- … -->

A week goes by topics, as a day does; a month by days, which takes less room than a day in front of each line: by their
number alone, those of the month before or behind with that ("01-31"). There a line's full stop is left out. Each line
says in its comment when and where it was said (`dc:day`, `dc:source`, `dc:project` …), and by `dc:words` in which words
koog wrote it. A line without a day there is a person's, and so is one of koog's that he has put otherwise or written
below: it stays as it is when the file is made anew. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import bullets, frontmatter, sentences
from koog.core.text.voices import PERSON
from koog.knowledge import documents, journal
from koog.knowledge.condensing import gathering
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.condensing.periods import Month, Week
from koog.memory.store import line as lines
from koog.memory.store.entry import Item
from koog.memory.store.line import Line
from koog.memory.store.sections import Section, Sections
from koog.sessions.labels import NONE

WEEKLY, MONTHLY = "weekly", "monthly"
OF_WEEK, OF_MONTH = "journal_week", "journal_month"
WORDS = "words"  # in a line's comment: by what the words that koog wrote are known again


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


def written(text: str, digest: Digest, found: Sequence[Said]) -> str:
    """Return a digest's text with these lines in the place of those that koog wrote before; "" for one without any."""
    left = _without_koogs(text) if text else ""
    if not found and not left.strip():
        return ""
    left = left or documents.head(digest.head) + f"\n## {digest.name}\n"
    own = {each.topic for each in found if each.label == NONE}
    for each in found:
        topic = each.topic if each.topic in own else gathering.GENERAL  # what others call something is theirs to hear
        words = _words(each, digest)
        raw = Line(words, each.label, {**each.values, WORDS: _mark(words)}).raw
        left = journal.put(left, "", _number(each.day, digest.name) if digest.by_days else topic, raw)
    return left


def untold(text: str, digest: Digest, found: Sequence[Said]) -> list[Said]:
    """Return lines but those that a person tells in his own way in a digest: what koog made of them has become his."""
    file, sources, marks = Sections(text, ""), set[str](), set[str]()
    for item in _items(file):
        if not _is_koogs(file, item):
            values = _line(file, item).values
            sources.update(filter(None, values.get(documents.SOURCE, "").split(";")))
            marks.add(values.get(WORDS, ""))
    return [
        each
        for each in found
        if not (each.source and sources.issuperset(each.source.split(";"))) and _mark(_words(each, digest)) not in marks
    ]


def _words(said: Said, digest: Digest) -> str:
    """Return a line's words as a digest has them."""
    return without_stop(said.text) if digest.by_days else f"{said.day}: {said.text}"


def _mark(words: str) -> str:
    """Return eight figures for some words, marks and case among them."""
    return blake2b(" ".join(words.split()).encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()


def without_stop(text: str) -> str:
    """Return a line without its full stop; dots, an abbreviation's or another mark stay.

    >>> [without_stop(text) for text in ("It rained.", "We open at 9 a.m.", "And then...", "下雨了。")]
    ['It rained', 'We open at 9 a.m.', 'And then...', '下雨了']
    """
    return text[:-1] if compiled(r".*[^.。\s][.。]").fullmatch(text) and sentences.ends(text) else text


def _number(day: str, month: str) -> str:
    """Return how a month calls a day: by its number, one of another month with that.

    >>> _number("2026-02-12", "2026-02"), _number("2026-03-01", "2026-02")
    ('12', '03-01')
    """
    return day.removeprefix(f"{month}-") if day.startswith(month) else day[len("2026-") :]


def read(text: str, path: str) -> list[Said]:
    """Return the lines that koog wrote into a digest, in their order."""
    found = list[Said]()
    for topic, line in gathering.bullets(text, path):
        day = line.values.get(documents.DAY, "")
        if clock.parse_day(day):
            source = line.values.get(documents.SOURCE, "")
            trust = line.values.get(gathering.TRUST, PERSON)
            found.append(Said(topic, lines.bare(line.text), day, line.label, trust, source, path))
    return found


def has_own(text: str) -> bool:
    """Return whether a digest has something that koog did not write."""
    return bool(_without_koogs(text))


def _items(found: Sections) -> Iterator[Item]:
    return found.items_of(Section("", -1, len(found.rows)))


def _line(found: Sections, item: Item) -> Line:
    """Return what the first row of a bullet is."""
    bullet = bullets.parse(found.rows[item.row].rstrip("\r"))
    return lines.read(bullet.text if bullet else item.text)


def _is_koogs(found: Sections, item: Item) -> bool:
    """Return whether a bullet of a digest is koog's, as koog wrote it: in one row, and in these words."""
    line = _line(found, item)
    is_one_row = item.end == item.row + 1
    return documents.DAY in line.values and is_one_row and line.values.get(WORDS) in (None, _mark(line.text))


def _without_koogs(text: str) -> str:
    """Return a digest without koog's lines, and without the headings below which nothing is left."""
    found = Sections(text, "")
    gone = {item.row for item in _items(found) if _is_koogs(found, item)}
    rows = [row for n, row in enumerate(found.rows) if n not in gone]
    kept = list[str]()
    for n, row in enumerate(rows):
        if row.startswith("### ") and not _has_body(rows, n):
            while kept and not kept[-1].strip():
                kept.pop()
            continue
        kept.append(row)
    body = [row for row in kept[frontmatter.lines(kept) :] if row.strip()]
    return "\n".join(kept) if body[body[:1] != [] and body[0].startswith("## ") :] else ""


def _has_body(rows: Sequence[str], head: int) -> bool:
    for row in rows[head + 1 :]:
        if row.startswith("#"):
            return False
        if row.strip():
            return True
    return False
