"""A Markdown text in passages: the small pieces that are searched, ranked and cited by their lines.  [autopoiesis §7]

A passage is a turn of a conversation, a bullet with the lines that go on with it, a
paragraph, a fenced block or a table; what is longer than cutting.LONGEST is cut at
sentences, code and tables at lines. Small pieces are found better than whole sections,
and what a piece needs to be understood stands beside it: its headings, who spoke, and
the day. No passage holds lines of two labels (search/labelled.py).

Lines are counted from 1 and end with "\\n", as editors and git count them. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from koog.core.files.atomic import BOM
from koog.core.named import NamedTuple
from koog.core.text import frontmatter
from koog.core.text.markdown import DAY, HEADING, QUOTE, TEXT, Block, blocks
from koog.core.text.marks import blanked
from koog.core.text.untrusted import strip_private
from koog.search import labelled, shelved
from koog.search.categories import SUFFIX
from koog.search.cutting import LONGEST, beginning, pieces
from koog.search.labelled import NOTHING, Said
from koog.search.origins import USER

SEPARATOR = " › "
# 18:45 — agent [memory]; a name has three words at most, a longer text is a heading like any other
TIME = r"\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?(?: UTC| ?Z)?"
NAME = r"[^\W\d]\S{0,39}(?: \S{1,40}){0,2}?"
TURN = re.compile(rf"{TIME}\s*[—–-]+\s*({NAME})\s*(?:\[[^\]]*\])?$", re.IGNORECASE)
STAMP = rf"[(\[]?{TIME}[)\]]?"
ONLY_TIME = re.compile(STAMP, re.IGNORECASE)
NAMED = re.compile(rf"(?:{STAMP}[\s,—–-]+)?({NAME})(?:[\s,—–-]+{STAMP})?", re.IGNORECASE)  # Anna; Anna (14:05)
MARKS = "*_: "
ANY, PROSE = frozenset(range(DAY + 2)), frozenset((TEXT, QUOTE))
OFTEN = 3  # headings of one name
BEGIN = re.compile(r"\W*(?:(\d{4}-\d\d-\d\d)(?!\d)|\w)")  # - 2026-02-14: what was decided that day
PATH_DAY = re.compile(r"(?:^|/)(\d{4})[-/_.](\d\d)[-/_.](\d\d)(?!\d)")


class Passage(NamedTuple):
    """One piece of a text.

    line, end  its first and last line, from 1; pieces of one long line share that line
    section    ordinal in the file of the heading it stands under, 0 above the first; a turn belongs to what it is in
    heading    "Title › H2 › H3"
    speaker    who spoke, by a heading such as `## 18:45 — user` or `### Anna` over every few lines, else ""
    date       ISO day, None when nothing tells it
    said       whose it is, where its lines say so
    """

    line: int
    end: int
    section: int
    heading: str
    speaker: str
    date: str | None
    text: str
    said: Said = NOTHING


class Document(NamedTuple):
    """One file: what its head, its first heading or its path tells, and its passages in order."""

    title: str
    date: str | None
    tags: tuple[str, ...]
    lines: int
    passages: list[Passage]


# Plain tuples: of the ten thousand notes' forty thousand headings, named ones take a fiftieth of the whole time.
Heading = tuple[int, str, str | None]  # level, title, who speaks under it: None when it opens no turn, "" for nobody
Above = tuple[int, str, int, str | None]  # a heading that passages stand under: level, path, section, day
Headings = dict[int, Heading]  # by their rows
new_tuple = tuple.__new__  # makes a Passage in half the time of its own call


def decoded(data: bytes) -> str:
    """Return a file's text as passages are cut from it, line for line the file's own.

    Of a very long file it is the beginning. Private blocks and what koog itself has put there are left out; bytes that
    are not UTF-8 become U+FFFD. Who shows a passage's lines takes them from here.
    """
    text = beginning(data).removeprefix(BOM).decode("utf-8", "replace")
    text = text.replace("\r\n", "\n") if "\r" in text else text
    left = strip_private(text)
    return blanked(left if left is text else labelled.kept(text, left))


def cut(text: str, *, path: str, said: Mapping[int, Said] | None = None) -> Document:
    """Return the passages of a text.

    path   where it lies, as it is cited: its name may tell the day, and stand for a title
    said   whose its rows are, where they are no more in the text; by default as they say themselves
    """
    text = shelved.blanked(text, shelved.archived(path, text))
    rows = text.split("\n")
    said = labelled.rows(text, path=path) if said is None else said
    head = frontmatter.read(["" if at in said else row for at, row in enumerate(rows)] if said else rows)
    found = blocks(rows, head.lines)
    if said:  # a labelled heading is no heading of others' lines
        found = [
            (TEXT, start, stop) if kind == HEADING and start in said else (kind, start, stop)
            for kind, start, stop in found
        ]
    headings = {start: _heading(rows[start]) for kind, start, _ in found if kind == HEADING}
    is_transcript = any(speaker for _, _, speaker in headings.values())
    if len(headings) >= OFTEN and not is_transcript and not said:  # a name between labelled lines is not told with them
        headings |= _by_name(rows, found, headings)
    first = next((title for level, title, speaker in headings.values() if level == 1 and speaker is None), "")
    title = head.title or first or head.name or _stem(path)
    date = head.day or path_day(path) or head.changed
    if any(speaker for _, _, speaker in headings.values()):
        found = _turns_whole(rows, found, headings, of=ANY if is_transcript else PROSE)
    if said:
        found = _apart(found, said)
    under = _Under(title, date, titled=bool(head.title))
    return Document(
        title, date, head.tags, len(rows) - (not rows[-1]), list(_passages(rows, found, headings, said, under=under))
    )


def _apart(found: Sequence[Block], said: Mapping[int, Said]) -> list[Block]:
    """Return the blocks, those in which the label changes cut there."""
    return [
        (kind, first, last)
        for kind, start, stop in found
        for first, last in (labelled.runs(said, start, stop) if stop - start > 1 else [(start, stop)])
    ]


def _passages(
    rows: Sequence[str], found: Sequence[Block], headings: Headings, said: Mapping[int, Said], *, under: _Under
) -> Iterator[Passage]:
    """Yield the passages of the blocks."""
    section, above, speaker, day = 0, under.title, "", under.date
    for at, (kind, start, stop) in enumerate(found):
        if kind == HEADING:
            section, above, speaker, day = under.enter(headings[start])
            if not _is_bare(found, headings, at):
                continue
        elif kind == DAY:
            section, day = under.next_section(), frontmatter.day(rows[start]) or day
            continue
        text = rows[start] if stop - start == 1 else "\n".join(rows[start:stop])
        begin = BEGIN.match(text)
        if begin is None:  # a rule or a lone bracket says nothing
            continue
        date = (frontmatter.day(begin[1]) or day) if begin.lastindex and kind <= QUOTE else day
        own = said.get(start, NOTHING) if said else NOTHING
        if own is not NOTHING:
            text = labelled.bare(text)
        if len(text) <= LONGEST:
            yield new_tuple(Passage, (start + 1, stop, section, above, speaker, date, text, own))
            continue
        for first, last, part in pieces(text, kind=kind):
            yield Passage(start + 1 + first, start + 1 + last, section, above, speaker, date, part, own)


def head(passage: Passage) -> str:
    """Return what of a passage is searched beside its text: its headings, who spoke, and the day.

    Of a labelled one only the day: what stands above it is the file's, and may be told to others than the line.
    """
    if passage.said is not NOTHING:
        return passage.date or ""
    words = passage.heading.replace(SEPARATOR, " ")
    return f"{words} {passage.speaker} {passage.date or ''}" if passage.speaker or passage.date else words


def embedded(passage: Passage) -> str:
    """Return the text of which a passage's vector is made: its own, below its nearest heading if it has no label."""
    if passage.said is not NOTHING:
        return passage.text
    return f"{passage.heading.rpartition(SEPARATOR)[2]}\n{passage.text}"


def path_day(path: str) -> str | None:
    """Return the day that a path names.

    >>> path_day("memory/2026-02-24-nas.md"), path_day("raw/conversations/2026/02/16/1845-x.md"), path_day("a/b.md")
    ('2026-02-24', '2026-02-16', None)
    >>> path_day("journals/2026_02_28.md")
    '2026-02-28'
    """
    found = PATH_DAY.search(path)
    return frontmatter.day("-".join(found.groups())) if found else None


def _stem(path: str) -> str:
    stem = path.rpartition("/")[2].removesuffix(SUFFIX)
    return stem.encode("utf-8", "replace").decode("utf-8")  # a name may be any bytes, a title is text


def _heading(row: str) -> Heading:
    title = row.lstrip("#")
    level = len(row) - len(title)
    title = title.strip()
    if title.endswith("#"):
        title = title.rstrip("#").rstrip() or title
    if title[0].isdigit() or title[0] in "([*_":
        if turn := TURN.match(title):
            return level, title, turn[1]
        if ONLY_TIME.fullmatch(title.strip(MARKS)):
            return level, title, ""
    return level, title, None


def _by_name(rows: Sequence[str], found: Sequence[Block], headings: Headings) -> Headings:
    """Return the headings that are a speaker's name, over what is said: they come again and again.

    A name does so at one level in one section, or over one short paragraph each time: `### Done` over the lists of
    each week is none. Who speaks once speaks among those, over one short paragraph. A name gives its words to nobody
    whom they make trusted.
    """
    names = {
        at: named[1]
        for at, (_, title, speaker) in headings.items()
        if speaker is None and (named := NAMED.fullmatch(title.strip(MARKS)))
    }
    many = Counter((headings[at][0], name.casefold()) for at, name in names.items())
    if max(many.values(), default=0) <= 1:
        return {}
    short = _over_one_paragraph(rows, found)
    places: dict[tuple[int, int], list[int]] = {}  # (the heading above, level) → those that stand there
    above: list[int] = []
    for at, (level, _, speaker) in headings.items():
        while above and headings[above[-1]][0] >= level:
            above.pop()
        if speaker is None:
            places.setdefault((above[-1] if above else -1, level), []).append(at)
            above.append(at)
    wordy = Counter((headings[at][0], names[at].casefold()) for at in names if at in short)
    often = {key for key, times in many.items() if times >= OFTEN}
    speak = {
        at for at in names if (key := (headings[at][0], names[at].casefold())) in often and wordy[key] == many[key]
    }
    for siblings in places.values():
        here = Counter(names[at].casefold() for at in siblings if at in names)
        repeated = [at for at in siblings if at in names and here[names[at].casefold()] > 1]
        is_talk = len(siblings) >= OFTEN and all(at in names and at in short for at in siblings)
        speak.update(at for at in repeated if is_talk or (headings[at][0], names[at].casefold()) in often)
        told = [at for at in siblings if at in speak]
        if told:
            speak.update(repeated)
            speak.update(at for at in siblings if at in names and at in short and told[0] < at < told[-1])
    return {at: (*headings[at][:2], "" if names[at].lower() == USER else names[at]) for at in sorted(speak)}


def _over_one_paragraph(rows: Sequence[str], found: Sequence[Block]) -> set[int]:
    """Return the headings over one short paragraph, and a quote below it."""
    short: set[int] = set()
    at, inside = -1, list[Block]()
    for block in (*found, (HEADING, -1, -1)):
        if block[0] != HEADING:
            inside.append(block)
            continue
        kinds = [kind for kind, _, _ in inside]
        if kinds in ([TEXT], [TEXT, QUOTE]) and _length(rows, inside) <= LONGEST:
            short.add(at)
        at, inside = block[1], []
    return short


def _length(rows: Sequence[str], inside: Sequence[Block]) -> int:
    return sum(len(row) + 1 for row in rows[inside[0][1] : inside[-1][2]])


def _turns_whole(rows: Sequence[str], found: Sequence[Block], headings: Headings, *, of: frozenset[int]) -> list[Block]:
    """Return the blocks with those of each turn made one, where the whole turn is short enough for a passage.

    of   the kinds of blocks that are made one
    """
    out: list[Block] = []
    inside: list[Block] = []
    speaks = False
    for block in (*found, (HEADING, -1, -1)):
        if block[0] != HEADING:
            inside.append(block)
            continue
        is_whole = speaks and len(inside) > 1 and all(kind in of for kind, _, _ in inside)
        if is_whole and _length(rows, inside) <= LONGEST:
            inside = [(TEXT, inside[0][1], inside[-1][2])]
        out += [*inside, block]
        inside = []
        speaks = block[1] >= 0 and bool(headings[block[1]][2])
    return out[:-1]


def _is_bare(found: Sequence[Block], headings: Headings, at: int) -> bool:
    """Return whether a heading is all there is: no text and no deeper heading stands under it, and it opens no turn."""
    level, _, speaker = headings[found[at][1]]
    if at + 1 < len(found):
        kind, start, _ = found[at + 1]
        if kind != HEADING or headings[start][0] > level:
            return False
    return speaker is None


Place = tuple[int, str, str, str | None]  # section, headings, speaker, day


class _Under:
    """What the next passage stands under: its headings, the turn and the day."""

    def __init__(self, title: str, date: str | None, *, titled: bool) -> None:
        """`titled`: the note's head has given the title, which then stands above a first heading that differs."""
        self.title, self.date, self.titled = title, date, titled
        self.above: list[Above] = []
        self.speaker, self.turn_level = "", 0  # the level of the heading that opened the turn
        self.sections = 0

    def enter(self, heading: Heading) -> Place:
        """Take in a heading; return what stands under it."""
        level, title, speaker = heading
        above = self.above
        while above and above[-1][0] >= level:
            above.pop()
        if speaker is not None:
            if speaker or not self.speaker or level <= self.turn_level:  # a time inside a turn is said by who speaks
                self.speaker, self.turn_level = speaker, level
        else:
            if level <= self.turn_level:
                self.speaker, self.turn_level = "", 0
            day = frontmatter.day(title) if "-" in title else None
            day = day or (above[-1][3] if above else self.date)
            above.append((level, self._path(level, title), self.next_section(), day))
        if not above:
            return 0, self.title, self.speaker, self.date
        _, path, section, day = above[-1]
        return section, path, self.speaker, day

    def next_section(self) -> int:
        """Count a section and return its number."""
        self.sections += 1
        return self.sections

    def _path(self, level: int, title: str) -> str:
        if self.above:
            return f"{self.above[-1][1]}{SEPARATOR}{title}"
        if level == 1 and (not self.titled or title.casefold() == self.title.casefold()):
            return title
        return f"{self.title}{SEPARATOR}{title}"
