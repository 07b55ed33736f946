"""The laws of condensing, whichever engine asks: what an operation on numbered lines does, or why it does nothing.

    merge    lines that say the same become one, which keeps every number, name, day and "not" of them
    rewrite  a line in fewer of its own words, which keeps these
    drop     a line goes: for a newer one that takes its place, or because the period need not tell it
    promote  a line goes where it belongs: `decisions` or `lessons` of MEMORY.md, or its `project`

Lines of one project or group are put to an engine on their own, so none is joined with another's. An answer that leaves
less than the loss cap is refused whole; what went into another line, or for a newer one, is no loss.
[design §4; autopoiesis §8.4]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from koog.core.errors import Refused
from koog.core.named import NamedTuple
from koog.core.refused import Refusal, refusal
from koog.core.text import compare, measures
from koog.core.text.says import says
from koog.core.text.untrusted import clean
from koog.knowledge.condensing import gathering
from koog.knowledge.condensing.gathering import Said
from koog.observe import reflection_laws

MERGE, REWRITE, DROP, PROMOTE = "merge", "rewrite", "drop", "promote"
TO = ("decisions", "lessons", "project")
WEEK, MONTH = "week", "month"
SHARED = 0.4  # of the words of two lines that are joined: of what shares fewer nobody knows that it says the same
LEAST = {WEEK: 0.5, MONTH: 0.2}  # of the words: what an answer must leave


class Went(NamedTuple):
    """One line that the period's file does not have as it was said. to: where it went, "" where it stays where it is"""

    said: Said
    to: str
    why: str


@dataclass
class Outcome:
    """What operations leave of some lines."""

    kept: list[Said] = field(default_factory=list)
    went: list[Went] = field(default_factory=list)
    promoted: list[tuple[str, Said]] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)


def applied(operations: Sequence[Mapping[str, Any]], lines: Sequence[Said], *, period: str) -> Outcome:
    """Return what is left of lines, numbered from 1, of a week or a month. Raises Refused.

    Merges come first, then what goes; each line is touched once.
    """
    work = _Work(list(lines))
    rank = {MERGE: 0, DROP: 1, REWRITE: 2, PROMOTE: 3}
    for operation in sorted(operations, key=lambda each: rank[each["op"]]):
        numbers = list(dict.fromkeys(operation.get("lines") or []))
        if not numbers or not all(1 <= n <= len(lines) for n in numbers):
            work.out.refused.append(refusal(f"{operation['op']} {numbers}", "no such lines"))
        elif any(n - 1 in work.touched for n in numbers):
            work.refuse(numbers[0] - 1, f"{operation['op']}: it was changed by another operation")
        else:
            getattr(work, operation["op"])(operation, [n - 1 for n in numbers])
    work.out.kept = [each for n, each in enumerate(work.now) if each is not None]
    before, least = words(lines), LEAST[period]
    after = words([*work.out.kept, *(said for _, said in work.out.promoted)]) + work.elsewhere
    if after < least * before:
        raise Refused(f"condense: the answer would leave {after} words of {before}: under {least:.0%}")
    return work.out


def words(found: Sequence[Said]) -> int:
    return sum(len(each.text.split()) for each in found)


class _Work:
    """The lines under edit. elsewhere: words of lines that went into another one, or for a newer one"""

    def __init__(self, lines: list[Said]) -> None:
        self.lines, self.out = lines, Outcome()
        self.now: list[Said | None] = list(lines)
        self.touched = set[int]()
        self.elsewhere = 0

    def refuse(self, at: int, why: str) -> None:
        self.out.refused.append(refusal(self.lines[at].text, why))

    def merge(self, operation: Mapping[str, Any], found: list[int]) -> None:
        """Let one line stand for several: the fullest one, or an engine's words where they lose nothing."""
        parts = [self.lines[n] for n in found]
        asked = _worded(operation)
        home = max(found, key=lambda n: (len(self.lines[n].text), n))
        text = asked if asked and is_made_of(asked, parts) else self.lines[home].text
        joined = [n for n in found if not self._apart(text, n)]
        if len(joined) < 2:
            self.refuse(found[0], "merge: no two of them say the same")
            return
        home = home if home in joined else max(joined, key=lambda n: (len(self.lines[n].text), n))
        those = [self.lines[n] for n in joined]
        made = gathering.joined(self.lines[home], text, those)
        self.touched.update(joined)
        for n in joined:
            if n != home:
                self.out.went.append(Went(self.lines[n], "", "says the same as another line"))
                self.now[n] = None
                self.elsewhere += words([self.lines[n]])
        self.now[home] = made

    def _apart(self, text: str, at: int) -> str:
        """Return why a line cannot be joined with others of whom a text is told, "" where it can."""
        old = self.lines[at].text
        if text == old:
            return ""
        lost = reflection_laws.lost(text, old)
        return lost or ("" if measures.overlap(text, old) >= SHARED else reflection_laws.APART)

    def drop(self, operation: Mapping[str, Any], found: list[int]) -> None:
        why = " ".join(clean(str(operation.get("reason") or "")).split()) or "not worth its room"
        newer = operation.get("newer")
        for n in found:
            self.touched.add(n)
            self.now[n] = None
            self.out.went.append(Went(self.lines[n], "", why))
            if newer and 1 <= newer <= len(self.lines) and newer - 1 not in found and self._replaces(n, newer - 1):
                self.elsewhere += words([self.lines[n]])

    def _replaces(self, old: int, new: int) -> bool:
        """Return whether a line can stand for an older one: it was not said before it, and speaks of the same."""
        a, b = self.lines[old], self.lines[new]
        kind = compare.compare(a.text, b.text, same_voice=a.trust == b.trust).kind
        return a.day <= b.day and kind not in (compare.DISTINCT, compare.UNRELATED)

    def rewrite(self, operation: Mapping[str, Any], found: list[int]) -> None:
        (at, *more) = found
        text, old = _worded(operation), self.lines[at]
        why = "it is of several lines" if more else "" if text else "it has no text"
        why = why or ("" if len(text) < len(old.text) else "not shorter")
        why = why or ("" if is_made_of(text, [old]) else "says what the line does not say")
        if why := why or reflection_laws.lost(text, old.text):
            self.refuse(at, f"rewrite: {why}")
            return
        self.touched.add(at)
        self.now[at] = old.saying(text)
        self.out.went.append(Went(old, "", "told in fewer words"))

    def promote(self, operation: Mapping[str, Any], found: list[int]) -> None:
        for at in found:
            said = self.now[at]
            if operation.get("to") not in TO or said is None:
                self.refuse(at, "promote: no such place")
                continue
            self.touched.add(at)
            self.now[at] = None
            self.out.promoted.append((operation["to"], said))


def _worded(operation: Mapping[str, Any]) -> str:
    return " ".join(clean(str(operation.get("text") or "")).split())


def is_made_of(text: str, lines: Sequence[Said]) -> bool:
    """Return whether a text has no word, number or "not" that none of its lines has."""
    own = set(measures.stems(text))
    theirs = {stem for each in lines for stem in measures.stems(each.text)}
    is_denied = says(text).denials and not any(says(each.text).denials for each in lines)
    return bool(own) and own <= theirs and not is_denied
