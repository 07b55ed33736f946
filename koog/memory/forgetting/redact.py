"""A file's bytes without certain words, whatever its format: Markdown, JSON, JSON lines, a hook's event. Pure."""

from __future__ import annotations

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Mapping, Sequence
from re import IGNORECASE, escape
from typing import Any

from koog.core.files import atomic, jsonfiles
from koog.core.forgotten import DELETED
from koog.core.lazy_regex import compiled, personal
from koog.core.named import NamedTuple
from koog.core.text.tombstone import Marked, joined, mark
from koog.core.text.tombstone import words as words_of

KEY = b"here"  # marks that are made and looked for in one run, and kept nowhere
MOST_COVERED = 0.8  # of a row's words: what says more than a word or two beside them stays
FACT = "fact"  # its id has the entity's in it
OF_ROW = ("id", "old", "by")  # what a row is about, in a log of koog's
ID = r"(?<![\w-])(?:[a-z]+:)?[^\W_](?:[\w.:-]*\w)?"  # an id, or a name as ids have it
ENTITY = r"[^\W\d_]+--\w(?:[\w.-]*\w)?"
FIELD = r"[A-Za-z_][A-Za-z0-9_]*"
# Letters that are written otherwise than they are compared, and what nobody sees within a word, as bytes and as JSON
# has it: a file with any of these is looked through, whatever else it holds.
ODD = re.compile(
    rb"\xc2\xad|\xe2\x80[\x8b-\x8f]|\xe2\x81\xa0|\xef\xbc[\x90-\x99\xa1-\xba]|\xef\xbd[\x81-\x9a]"
    rb"|\\u(?:00(?:ad|3[0-9]|[46][1-9a-f]|[57][0-9a])|200[b-f]|2060|ff[1-5])"
)
NUL_WITHIN = 1024  # bytes by which a file is known to be no text


class Ids(NamedTuple):
    """Ids that are to stand nowhere, and the names of files: of each what takes its place.

    gone   those whose rows go, where a row is about one of them
    put    where an id is known by its mark alone: what takes its place, or the same
    living  ids of other entities: a name within one of them stays
    """

    marks: Mapping[str, str] = {}
    gone: frozenset[str] = frozenset()
    put: Callable[[str], str] | None = None
    living: frozenset[str] = frozenset()

    @property
    def pattern(self) -> str:
        """Return what finds them, as part of no other: person--ana is not person--ana-lee."""
        found = "|".join(map(escape, sorted(self.marks, key=len, reverse=True)))
        return rf"(?:(?<![\w-])|(?<=\\[nrt]))(?:{found})(?![\w-])" if found else ""

    def cut(self, text: str) -> str:
        """Return a text with marks in their places."""
        if put := self.put:
            text = compiled(ID).sub(lambda found: put(found[0]), text)
        if not self.marks:
            return text
        marks = {id_.lower(): mark for id_, mark in self.marks.items()}
        return personal(self.pattern, IGNORECASE).sub(lambda found: marks.get(found[0].lower(), DELETED), text)

    def without(self, text: str, spans: Iterable[tuple[int, int]]) -> str:
        """Return a text without some spans of it: an id goes whole, or stays if it is another's."""
        left, at = list[str](), 0
        for start, end in joined(spans):
            if start < at:
                continue
            first, last = _id_around(text, start, end)
            if text[first:last].lower() in self.living:
                continue
            left += [text[at:first], DELETED if last > first else text[first:start]]
            at = last if last > first else end
        return "".join((*left, text[at:]))

    def are_of(self, value: Any) -> bool:
        """Return whether a value is one of them, or a row about one: of a fact its entity counts."""
        if isinstance(value, dict):
            return any(isinstance(value.get(name), str) and self.are_of(value[name]) for name in OF_ROW)
        if not isinstance(value, str):
            return False
        if self.put and value and self.put(value) != value:
            return True
        kind, _, name = value.partition(":")
        return value in self.gone or (kind == FACT and name.rpartition(":")[0] in self.gone)


class Words(NamedTuple):
    """What is to stand nowhere.

    marked    the words of what was remembered, as they are known again anywhere
    names     further words that somebody has named, wherever they stand
    needles   of each text a word of it in lower case: a file without any of them need not be looked through
    ids       by which it is called
    is_own    whether a file is koog's own: what its fields are called stays, since koog reads it by that
    """

    marked: Marked
    names: Marked
    needles: Sequence[bytes] = ()
    ids: Ids = Ids()
    is_own: bool = True

    @classmethod
    def of(cls, phrases: Sequence[str], named: Sequence[str], ids: Ids = Ids()) -> Words:  # noqa: B008  it is frozen
        """Return them. phrases: of what was remembered; named: further ones"""
        marks, names = ([found for text in some if (found := mark(text, KEY))] for some in (phrases, named))
        given = [text for text in (*phrases, *named) if words_of(text)]
        needles = [max((w.said for w in words_of(text) if w.said.isascii()), key=len, default="") for text in given]
        needles += [each.lower() if each.isascii() else "" for each in ids.marks]
        known = [each.encode() for each in needles] if all(needles) else []
        return cls(Marked(marks, KEY), Marked(names, KEY, anywhere=True), known, ids)

    def may_stand_in(self, data: bytes) -> bool:
        """Return whether a file may hold them: most hold none of their words."""
        lower = data.lower()
        return not self.needles or any(each in lower for each in self.needles) or ODD.search(lower) is not None

    def stand_in(self, text: str) -> bool:
        return self.cut(text) != text

    def cut(self, text: str) -> str:
        """Return a text without them; a row of which little else is left is empty."""
        text = self.marked.without(self.ids.cut(text), gap="", most=MOST_COVERED)
        return self.ids.without(text, self.names.spans(text)) if self.names else text


def _id_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the entity's id begins and ends in which a name stands; nothing, before the name, in no id."""
    first, last = start, end
    while first and (text[first - 1].isalnum() or text[first - 1] in "-_"):
        first -= 1
    if text[first - 1 : first] == "\\" and text[first : first + 1] in ("n", "r", "t"):
        first += 1  # of a line break as JSON within a text has it
    while last < len(text) and (text[last].isalnum() or text[last] in "-_."):
        last += 1
    found = compiled(ENTITY).fullmatch(text[first:last].rstrip(".-").removesuffix(".md"))
    return (first, first + found.end()) if found and first + found.end() >= end else (start, start)


def redacted(data: bytes, words: Words) -> bytes:
    """Return a file's bytes without the words; one that is no text is left as it is."""
    if not is_text(data):
        return data
    text = atomic.decode(data)
    left = _of_json(text, words) if text[:1] in "{[" else _of_rows(text, words)
    return data if left == text else atomic.encode(left, like=data)


def holds(data: bytes, words: Words) -> bool:
    """Return whether a file holds the words: also one that is no text."""
    if is_text(data):
        return words.may_stand_in(data) and redacted(data, words) != data
    if not words.may_stand_in(data.replace(b"\0", b"")):
        return False
    return any(words.stand_in(data.decode(each, "replace")) for each in ("utf-8", "utf-16-le", "utf-16-be"))


def is_text(data: bytes) -> bool:
    """Return whether a file is read as text: one of UTF-16 is not."""
    return b"\0" not in data[:NUL_WITHIN] and not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))


def _of_json(text: str, words: Words) -> str:
    """Return a text of JSON, or of lines of it, without the words; what is none is cut as any text."""
    try:
        value = jsonfiles.loads(text)
    except ValueError:
        return _of_rows(text, words)
    if words.ids.are_of(value):
        return ""
    left = _value(value, words)
    if left == value:
        return text
    return jsonfiles.pretty(left) if "\n" in text.strip() else jsonfiles.line(left) + text[len(text.rstrip("\n")) :]


def _of_rows(text: str, words: Words) -> str:
    """Return a text without the words; rows in it that are JSON, as turns that wait for an engine, by their values."""
    rows = (_row(row, words) if row[:1] in ("{", "[") else row for row in text.split("\n"))
    return words.cut("\n".join(row for row in rows if row is not None))


def _row(row: str, words: Words) -> str | None:
    """Return a row without the words, None for one that is about what is gone."""
    try:
        value = jsonfiles.loads(row)
    except ValueError:
        return words.cut(row)
    if words.ids.are_of(value):
        return None
    left = _value(value, words)
    return row if left == value else jsonfiles.line(left)


def _value(value: Any, words: Words) -> Any:
    if isinstance(value, str):
        return words.cut(value)
    if isinstance(value, list):
        return [_value(each, words) for each in value if not words.ids.are_of(each)]
    if isinstance(value, dict):
        return {_key(key, words): _value(each, words) for key, each in value.items() if not words.ids.are_of(key)}
    return value


def _key(key: str, words: Words) -> str:
    return key if words.is_own and compiled(FIELD).fullmatch(key) else words.cut(key)
