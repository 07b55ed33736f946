"""One file's text with what an extraction brings: edits of its rows, by what each new line is to those that stand.

    same, or says less     nothing is written
    adds                   a line of koog's own is worded anew
    supersedes             a line of koog's own is crossed out, with the day until which it held; the new one is added
    contradicts            both stay, and each names the other

A line of a person's own hand is never touched. Whatever an engine answers, no more than half of a file's lines are
crossed out or worded anew at once.  [design §4 "one reading"]
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from koog.core.named import NamedTuple
from koog.core.text import compare as comparing
from koog.core.text import measures
from koog.core.text.compare import ADDS, CONTRADICTS, SAME, SUPERSEDES
from koog.core.text.edits import Edit, Edits, Refused, Slot
from koog.core.text.says import says
from koog.knowledge import again, documents
from koog.knowledge.layout import STEPS
from koog.memory.store import ids
from koog.memory.store import line as lines
from koog.memory.store.entry import Entry
from koog.memory.store.line import Line
from koog.sessions.labels import Label

STRIKE, REWRITE, MARK = "strike", "rewrite", "mark"
KNOWN, MANY = "said already", "it would change too many lines at once"
MOST_AGAINST = 3  # lines that one names as opposed
FEW = 4  # lines of koog's own that may all change at once
MOST = 0.5  # of more of them
MANY_LINES = 60  # from which on not each is compared with each
NEAREST = 12  # of many that stand, with which a new one is compared: a file that grows takes no longer
FILES = 64  # whose lines are not indexed twice


@dataclass(frozen=True)
class Told(Edit):
    """An edit of one row. raw: what it becomes"""

    raw: str = ""


class New(NamedTuple):
    """A line that a file is to hold: where, when it was said, and what its comment tells."""

    section: str
    text: str
    day: str
    label: Label
    values: tuple[tuple[str, str], ...]
    is_dated: bool

    def line(self, **more: str) -> Line:
        """Return it as it is written: the date in front of it, or in its comment."""
        words = f"{self.day}: {self.text}" if self.is_dated else self.text
        day = {} if self.is_dated else {documents.DAY: self.day}
        return Line(words, self.label, {**day, **dict(self.values), **more})


class Filed(NamedTuple):
    """What became of one file: its text, which of the new lines are in it, and why the others are not."""

    text: str
    added: tuple[New, ...]
    refused: tuple[Refused, ...]


Put = Callable[[str, str, str, str], str]


def filed(text: str, path: str, new: Sequence[New], *, order: Sequence[str] = (), put: Put | None = None) -> Filed:
    """Return a file with some lines more.

    order   its sections, as they follow one another
    put     puts a line under its heading: text, path, heading, line → text
    """
    place = put or partial(documents.with_line, order=order)
    added, refused = list[New](), list[Refused]()
    standing = documents.entries(text, path)
    near = Near([each.text for each in new], [each.text for each in standing], of=path)
    spent = 0
    for each in new:
        edits, why, values = _edits(text, path, each, near)
        changed = sum(edit.op != MARK for edit in edits)
        if why or (changed and spent + changed > _may_change(standing)):
            refused.append(Refused(each.text, why or MANY))
            continue
        spent += changed
        text = _applied(text, edits) if edits else text
        if not any(edit.op == REWRITE for edit in edits):
            text = place(text, path, each.section, each.line(**values).raw)
        added.append(each)
    return Filed(text, tuple(added), tuple(refused))


def crossed_out(text: str, path: str, new: Sequence[New]) -> str:
    """Return a file that takes none of some new lines, with those of koog's own crossed out that they replace."""
    near = Near([each.text for each in new], [each.text for each in documents.entries(text, path)], of=path)
    for each in new:
        text = _applied(text, [edit for edit in _edits(text, path, each, near)[0] if edit.op == STRIKE])
    return text


def replacing(text: str, path: str, new: Sequence[New]) -> list[New]:
    """Return which of some new lines are to cross out one of koog's own that stands in a file."""
    standing = [each.text for each in documents.entries(text, path)] if new else []
    near = Near([each.text for each in new], standing, of=path)
    return [each for each in new if any(edit.op == STRIKE for edit in _edits(text, path, each, near)[0])]


def _may_change(standing: Sequence[Entry]) -> int:
    """Return how many lines of a file may be crossed out or worded anew at once."""
    return max(FEW, int(sum(map(is_koogs, standing)) * MOST))


def is_koogs(entry: Entry) -> bool:
    """Return whether a line is one that an extraction wrote."""
    return documents.SOURCE in entry.line.values


class Near:
    """Which new lines may say something of one another, or of those that stand: of many not each is held against each.

    Those that stand are not held against one another.
    """

    def __init__(self, new: Sequence[str], standing: Sequence[str] = (), *, of: str = "") -> None:
        """of: where they stand, so that of a place that has grown only what is new is read"""
        texts = [*standing, *new]
        self._near: dict[str, set[str]] | None = None
        if len(texts) > MANY_LINES:
            found = comparing.candidates(texts, since=len(standing), nearest=NEAREST, kept=_kept(of))
            self._near = {text: {text} for text in new}
            for i, j in found:
                self._near[texts[j]].add(texts[i])
                if i >= len(standing):
                    self._near[texts[i]].add(texts[j])

    def to(self, new: str) -> Collection[str] | None:
        """Return the lines that may say something of a new one, None for all of them."""
        return self._near and self._near[new]


@lru_cache(maxsize=FILES)
def _kept(_of: str) -> comparing.Index:
    """Return the index of a place's lines, as it was left the last time."""
    return comparing.Index()


def is_known(text: str, others: Iterable[str], near: Near | None = None) -> bool:
    """Return whether one of some lines says all that a text says."""
    may = near.to(text) if near else None
    return any(_relation(other, text) == SAME for other in others if may is None or other in may)


def is_told_twice(text: str, day: str, other: str, other_day: str) -> bool:
    """Return whether two lines are of one day, and say the same in two languages."""
    return bool(day) and day == other_day and again.is_said_again(text, other, day=day)


def _edits(text: str, path: str, new: New, near: Near) -> tuple[list[Told], str, dict[str, str]]:
    """Return the edits of the rows that stand, why a new line is not added, and what its comment says of them."""
    edits, against = list[Told](), list[str]()
    made, may = new.line(), near.to(new.text)
    for old in documents.entries(text, path):
        if (may is not None and old.text not in may) or old.line.is_past or old.line.label != new.label:
            continue
        if _are_steps(old, new) and ids.of_words(old.text) != ids.of_words(new.text):
            continue
        is_later = bool(old.day) and old.day > new.day
        kind = _relation(new.text, old.text) if is_later else _relation(old.text, new.text)
        if kind == SAME or is_told_twice(old.text, old.day, new.text, new.day):
            return [], KNOWN, {}
        if is_later and kind in (ADDS, SUPERSEDES):
            return [], KNOWN, {}
        if old.section != new.section:
            continue  # what a project is made of is not put right by what was decided of it
        if not is_koogs(old):
            if kind in (SUPERSEDES, CONTRADICTS, ADDS):
                against.append(old.line.hash)
        elif kind == ADDS and not edits:
            values = {**old.line.values, documents.SOURCE: _sources(old, new)}
            words = Line(made.text if lines.bare(old.line.text) != old.line.text else new.text, new.label, values)
            edits.append(_edit(REWRITE, text, old, words.raw))
        elif kind in (SUPERSEDES, ADDS):
            raw = lines.marked(old.item.text, strikes=True, **{lines.UNTIL: new.day, lines.BY: made.hash})
            edits.append(_edit(STRIKE, text, old, raw))
        elif kind == CONTRADICTS and len(against) < MOST_AGAINST:
            against.append(old.line.hash)
            edits.append(
                _edit(MARK, text, old, lines.marked(old.item.text, strikes=False, **{lines.AGAINST: made.hash}))
            )
    if any(edit.op == REWRITE for edit in edits):
        edits = [edit for edit in edits if edit.op == REWRITE]
    edits = _nearest(edits, new)
    struck = [ids.of_words(edit.reason) for edit in edits if edit.op == STRIKE]
    values = {lines.REPLACES: ";".join(struck)} if struck else {}
    return edits, "", values | ({lines.AGAINST: ";".join(against)} if against else {})


def _are_steps(old: Entry, new: New) -> bool:
    """Return whether two lines are steps of one list: "tag the commit" and "push the tag" are two, however alike."""
    source = dict(new.values).get(documents.SOURCE)
    return old.section == new.section == STEPS and old.line.values.get(documents.SOURCE) == source


def _nearest(edits: list[Told], new: New) -> list[Told]:
    """Return the edits with those lines crossed out alone that are most like the new one: it is a new value of one."""
    likeness = {id(edit): measures.overlap(lines.bare(edit.reason), new.text) for edit in edits if edit.op == STRIKE}
    most = max(likeness.values(), default=0.0)
    return [edit for edit in edits if likeness.get(id(edit), most) == most]


def _sources(old: Entry, new: New) -> str:
    """Return the sources of a line that now says more: of the older and of the newer."""
    found = [*old.line.values[documents.SOURCE].split(";"), dict(new.values)[documents.SOURCE]]
    return ";".join(dict.fromkeys(found))


def _edit(op: str, text: str, old: Entry, raw: str) -> Told:
    """Return an edit of a line's first row; one that goes on in other rows keeps these."""
    row = text.split("\n")[old.item.row]
    return Told(op, (row,), reason=old.line.text, raw=raw)


def _applied(text: str, edits: Sequence[Told]) -> str:
    """Return a text whose rows were edited; all other rows stay byte for byte."""
    rows = text.split("\n")
    named = {row for edit in edits for row in edit.lines}
    places = [at for at, row in enumerate(rows) if row in named]
    told = Edits.of((rows[at], rows[at]) for at in places)
    told.apply(edits, dict.fromkeys((STRIKE, REWRITE, MARK), lambda edit, slots: _put(told, edit, slots)))
    for at, row in zip(places, told.now, strict=True):  # none of these laws takes a row out
        rows[at] = row
    return "\n".join(rows)


def _put(rows: Edits[str], edit: Told, slots: list[Slot[str]]) -> None:
    for slot in slots:
        lead = slot.now[: len(slot.now) - len(slot.now.lstrip())]
        end = "\r" if slot.now.endswith("\r") else ""
        rows.put(edit, slot, f"{lead}- {edit.raw}{end}")


def _relation(older: str, newer: str) -> str:
    if ids.of_words(older) == ids.of_words(newer):
        return SAME
    if not says(older).ideas & says(newer).ideas:
        return comparing.UNRELATED
    return comparing.compare(older, newer).kind


def texts(text: str, path: str) -> list[str]:
    """Return what a file says, line by line, as far as it still holds."""
    return [each.text for each in documents.entries(text, path) if lines.UNTIL not in each.line.values]
