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
says in its comment when and where it was said (`dc:day`, `dc:source`, `dc:project` …). A line without a day there is a
person's: it stays where it is when the file is made anew. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from koog.core import clock
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.core.text import frontmatter, sentences
from koog.core.text.voices import PERSON
from koog.knowledge import documents, journal
from koog.knowledge.condensing import gathering
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.condensing.periods import Month, Week
from koog.memory.store import line as lines
from koog.memory.store.line import Line
from koog.memory.store.sections import Section, Sections
from koog.sessions.labels import NONE

WEEKLY, MONTHLY = "weekly", "monthly"
OF_WEEK, OF_MONTH = "journal_week", "journal_month"


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
        words = without_stop(each.text) if digest.by_days else f"{each.day}: {each.text}"
        raw = Line(words, each.label, each.values).raw
        left = journal.put(left, "", _number(each.day, digest.name) if digest.by_days else topic, raw)
    return left


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


def _without_koogs(text: str) -> str:
    """Return a digest without koog's lines, and without the headings below which nothing is left."""
    found = Sections(text, "")
    whole = Section("", -1, len(found.rows))
    gone = set[int]()
    for item in found.items_of(whole):
        if documents.DAY in lines.read(item.text).values:
            gone.update(range(item.row, item.end))
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
