"""Which decisions and lessons MEMORY.md has: of all that are known those that weigh most, as far as there is room.  [§8.4]

The others stand in reference/decisions.md and lessons.md by their days, and may come back. So it comes to the same
whenever this is done, and in whatever order they were said. A line of a person's own hand stays where it is. Pure.
"""  # noqa: E501  the first line is the module's own

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from koog.core.named import NamedTuple
from koog.core.text import compare, tokens, trust
from koog.core.text.measures import content_words
from koog.core.text.voices import PERSON, TALK
from koog.knowledge import core_sections, documents, filing, layout
from koog.knowledge.condensing import gathering, promotion
from koog.knowledge.core_sections import BESIDE, ORDER, SECTIONS, Caps
from koog.knowledge.layout import MEMORY, Layout
from koog.memory.store import core_memory
from koog.memory.store import line as lines
from koog.memory.store.entry import Entry
from koog.memory.store.line import Line
from koog.sessions.labels import NONE

LATER = 1e-6  # what a line weighs more than one of the same matter that was said before it
LEAST_WORDS = 3  # of a line that tells something by itself
FRAME = 8  # lines that two sections take which are not there yet


class Held(NamedTuple):
    """One line of koog's own of the two sections: the file that has it, and its words as they are written, dated."""

    entry: Entry
    path: str
    raw: str

    @property
    def order(self) -> tuple[str, str]:
        return self.entry.day, self.raw


class Settled(NamedTuple):
    """The files' texts afterwards, by their paths; which lines have left MEMORY.md, each with where it went."""

    texts: Mapping[str, str]
    left: tuple[tuple[Entry, str], ...]


def settled(texts: Mapping[str, str], where: Layout, caps: Caps, *, theirs: Collection[str] = ()) -> Settled:
    """Return MEMORY.md and the two files beside it as they are to be.

    texts    as they are, "" for none
    theirs   bullets as they are written that have become a person's: they stay where they are
    """
    stock = {title: _with_struck(list(_stock(texts, where, title, theirs))) for title in SECTIONS}
    chosen = _chosen(_bare(texts[MEMORY], stock), [each for found in stock.values() for each in found], caps, theirs)
    done = {MEMORY: texts[MEMORY]}
    left = list[tuple[Entry, str]]()
    for title, found in stock.items():
        path = where.beside(title)
        here = [each for each in found if id(each) in chosen]
        there = [each for each in found if id(each) not in chosen]
        newest = max((each.entry.day for each in found), default="")
        done[MEMORY] = _laid(done[MEMORY], MEMORY, title, here, theirs, begun=core_memory.new(caps.tokens))
        begun = layout.new("reference", title=BESIDE[title], today=newest)
        laid = _laid(texts[path], path, title, there, theirs, begun=begun)
        done[path] = documents.with_updated(laid, newest) if there else laid
        left += [(each.entry, path) for each in there if each.path == MEMORY]
    return Settled(done, tuple(left))


def stands(texts: Mapping[str, str], text: str, day: str) -> str | None:
    """Return which of some files has a line of koog's own in these words of that day, None for none."""
    for path, whole in texts.items():
        if any(each.text == text and each.day == day for each in documents.entries(whole, path, *SECTIONS)):
            return path
    return None


def _stock(texts: Mapping[str, str], where: Layout, title: str, theirs: Collection[str]) -> Iterator[Held]:
    for path in (MEMORY, where.beside(title)):
        for each in documents.entries(texts[path], path, title):
            if _is_koogs(each, theirs):
                yield Held(each, path, _dated(each))


def _dated(entry: Entry) -> str:
    """Return a line as MEMORY.md has it, with its day in front."""
    if entry.text != entry.line.text or not entry.day:
        return entry.item.text
    values = {name: value for name, value in entry.line.values.items() if name != documents.DAY}
    return Line(f"{entry.day}: {entry.text}", entry.line.label, values).raw


def _with_struck(found: list[Held]) -> list[Held]:
    """Return lines with those crossed out that a newer one replaces, by the first that does, whichever file each is in.

    What was crossed out when fewer of them were known is looked at again: so it comes to the same whenever it is done.
    """
    gone = dict[int, int]()
    for i, j in compare.candidates([each.entry.text for each in found]):
        old, new = sorted((i, j), key=lambda n: found[n].order)
        a, b = found[old].entry, found[new].entry
        if a.line.label != b.line.label or a.day == b.day:
            continue
        is_first = old not in gone or found[new].order < found[gone[old]].order
        if is_first and compare.compare(a.text, b.text).kind == compare.SUPERSEDES:
            gone[old] = new
    made = list(found)
    for old, new in gone.items():
        entry = found[old].entry
        if not entry.line.is_past or entry.line.values[lines.UNTIL] >= found[new].entry.day:
            made[old] = _with(made[old], **{lines.UNTIL: found[new].entry.day, lines.BY: _hash(found[new])})
            told = {*filter(None, made[new].entry.line.values.get(lines.REPLACES, "").split(";")), _hash(found[old])}
            made[new] = _with(made[new], **{lines.REPLACES: ";".join(sorted(told))})
    return made


def _with(held: Held, **told: str) -> Held:
    """Return a line with more said in its comment; crossed out where it says until when it held."""
    raw = lines.marked(held.raw, strikes=True, **told)
    return held._replace(raw=raw, entry=held.entry._replace(line=lines.read(raw)))


def _hash(held: Held) -> str:
    return lines.read(held.raw).hash


# --- what weighs most


def _chosen(bare: str, stock: Sequence[Held], caps: Caps, theirs: Collection[str]) -> set[int]:
    """Return which lines are to stand in MEMORY.md. bare: its text without them"""
    whole = core_memory.size(bare or core_memory.new(caps.tokens), caps.tokens)
    room = min(caps.sections - core_sections.used(bare), caps.tokens - whole.tokens) * tokens.UNITS
    rows = caps.lines - whole.lines - FRAME
    found = list[Held]()
    weights = _weights(may := sorted(filter(_may, stock), key=lambda one: one.order))
    for each in sorted(may, key=lambda one: (-weights[id(one)], one.order)):
        cost = tokens.cost(f"- {each.raw}\n")
        if cost <= room and rows > 0:
            found.append(each)
            room, rows = room - cost, rows - 1
    while found and core_sections.is_over(_trial(bare, found, caps, theirs), caps):
        found.pop()
    return set(map(id, found))


def _weights(stock: Sequence[Held]) -> dict[int, float]:
    """Return what each line weighs: what was said later of the same matter more than what was said before it.

    So an agent is not told of a thing as it was without what has been said of it since. stock: by days
    """
    found = {id(each): promotion.weight(each.entry) for each in stock}
    pairs = compare.followed([each.entry.text for each in stock], lambda i, j: stock[i].entry.day < stock[j].entry.day)
    for old, new in sorted(pairs, key=lambda pair: pair[1]):
        found[id(stock[new])] = max(found[id(stock[new])], found[id(stock[old])] + LATER)
    return found


def _trial(bare: str, found: Sequence[Held], caps: Caps, theirs: Collection[str]) -> str:
    text = bare
    for title in SECTIONS:
        here = [each for each in found if each.entry.section.casefold() == title.casefold()]
        text = _laid(text, MEMORY, title, here, theirs, begun=core_memory.new(caps.tokens))
    return text


def _may(held: Held) -> bool:
    """Return whether a line may stand in MEMORY.md, by which an agent goes: what its person said of its own project."""
    line = held.entry.line
    if line.is_past or line.label != NONE or line.values.get(gathering.TRUST, PERSON) != PERSON:
        return False
    if len(content_words(held.entry.text)) < LEAST_WORDS:
        return False  # "no need": of what is not to be told
    return trust.verdict(held.entry.text, PERSON, register=TALK, kind=trust.PATTERN) == trust.TAKEN


# --- in their files


def _bare(text: str, stock: Mapping[str, Sequence[Held]]) -> str:
    return documents.without(text, [e.entry for found in stock.values() for e in found if e.path == MEMORY])


def _laid(text: str, path: str, title: str, wanted: Sequence[Held], theirs: Collection[str], *, begun: str) -> str:
    """Return a file that has of koog's own lines of a section these, by their days. begun: a new file's text"""
    rows = [each.raw for each in sorted(wanted, key=lambda each: each.order)]
    mine = [each for each in documents.entries(text, path, title) if _is_koogs(each, theirs)]
    if [each.item.text for each in mine] == rows:
        return text
    left = documents.without(text, mine)
    if not rows:
        return left
    made = documents.with_line(left or begun, path, title, "\n- ".join(rows), order=ORDER)
    return core_sections.with_count(made, max(each.entry.day for each in wanted)) if path == MEMORY else made


def _is_koogs(entry: Entry, theirs: Collection[str]) -> bool:
    """Return whether a bullet is koog's, in one row, and no person has put it otherwise."""
    return filing.is_koogs(entry) and entry.item.end == entry.item.row + 1 and entry.item.text not in theirs
