"""The names of thousands of entities as koog keeps them: one text of which a question reads the rows that it is about.

    {"version":6,"sum":1234567890,"mark":"…","keys":"| atlas =1| ana ruíz =0|","wide":10,"linked":[1],"entities":{
    "person--ana-ruiz":[…],
    "project--atlas":[…]
    }}

    render   rows → the text
    Kept     the text → the names that have some words, the row of an id, all rows

In `keys` all names stand as names are looked up, each with the number of its row, from 0; from `wide` on those with
other than ASCII. `linked` are rows with relations. Rows are in the order of their files' names. `sum` is of all that
stands behind it: a file that is not synced may have lost a part where nobody looks. Pure.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any
from zlib import crc32

from koog.core.files import jsonfiles

VERSION = 6
HEAD = f'{{"version":{VERSION},"sum":'
BEGIN = len(HEAD) + 10  # of what the checksum, of ten digits, is of
Row = list[Any]  # size, ctime_ns, inode, label, names, relations, names as they are looked up
LINKS, KEYED = 5, 6
SUFFIX = ".md"


def render(mark: str, rows: Mapping[str, Row]) -> str:
    """Return the text. mark: as Kept has it; rows: in the order of their files' names"""
    keyed = [(key, n) for n, row in enumerate(rows.values()) for key in dict.fromkeys(row[KEYED]) if key]
    plain, wide = ("".join(f"| {k} ={n}" for k, n in keyed if k.isascii() == is_plain) for is_plain in (True, False))
    head = {
        "mark": mark,
        "keys": f"{plain}{wide}|",
        "wide": len(plain),
        "linked": [n for n, row in enumerate(rows.values()) if row[LINKS]],
    }
    lines = ",\n".join(f"{jsonfiles.line(id_)}:{jsonfiles.line(row)}" for id_, row in rows.items())
    text = f',{jsonfiles.line(head)[1:-1]},"entities":{{\n{lines}\n}}}}'
    return f"{HEAD}{_sum(text)}{text}"


def rows(text: str, *, is_own: bool) -> dict[str, Row]:
    """Return all rows of a text; {} for one that this koog has not written.

    is_own   nobody but koog writes there: of another text only what looks like a row is one
    """
    try:
        value = jsonfiles.loads(text or "{}")
    except ValueError:
        return {}
    found = value.get("entities") if isinstance(value, dict) and value.get("version") == VERSION else None
    if not isinstance(found, dict):
        return {}
    return found if is_own else {id_: row for id_, row in found.items() if _is_row(row)}


def _is_row(row: object) -> bool:
    if not isinstance(row, list) or len(row) != 7 or any(type(each) is not list for each in row[4:]):
        return False
    is_named = set(map(type, row[:3])) == {int} and set(map(type, (row[3], *row[4], *row[KEYED]))) == {str}
    return is_named and len(row[4]) == len(row[KEYED]) and all(map(_is_link, row[LINKS]))


def _is_link(row: object) -> bool:
    if not isinstance(row, list) or len(row) not in (6, 9) or type(row[0]) is not int:
        return False
    return set(map(type, row[1:])) == {str}


def opened(text: str) -> Kept | None:
    """Return the rows of a text to be read one by one, None where this koog has not written it."""
    try:
        return Kept(text)
    except (ValueError, KeyError):
        return None


class Kept:
    """A text that koog has written, of which what is asked for is read.

    mark   what differs once one of the files is another one; "" where they have to be looked at
    keys   all names
    """

    def __init__(self, text: str) -> None:
        """Raises ValueError, KeyError for another text."""
        head, *self._lines = text.split("\n")
        if head[:BEGIN] != f"{HEAD}{_sum(text[BEGIN:])}" or self._lines.pop() != "}}":
            raise ValueError("not the names that this koog keeps")
        if self._lines == [""]:  # there is no row
            self._lines = []
        value = jsonfiles.loads(f"{head}}}}}")
        self.mark: str = value["mark"]
        self.keys: str = value["keys"]
        self._wide: int = value["wide"]
        self._linked: list[int] = value["linked"]

    def __len__(self) -> int:
        return len(self._lines)

    def row(self, id_: str) -> Row | None:
        """Return the row of an id, None where there is none."""
        said = jsonfiles.line(id_)
        at = bisect_left(self._lines, f"{said[1:-1]}{SUFFIX}", key=_name)
        if at == len(self._lines) or not self._lines[at].startswith(f"{said}:"):
            return None
        return self.at(at)[1]

    def having(self, words: Collection[str], *, wide: bool) -> Iterator[tuple[int, str]]:
        """Yield the names that have one of some words, each with the number of its row, as names are looked up.

        wide   and those with other than ASCII, whatever they have
        """
        keys = self.keys
        for word in words:
            said, at = f" {word} ", 0
            while (at := keys.find(said, at)) >= 0:
                first, at = keys.rindex("|", 0, at + 1), keys.index("|", at)
                yield _of_key(keys[first + 1 : at])
        if wide:
            yield from map(_of_key, filter(None, keys[self._wide :].split("|")))

    def kind(self, number: int) -> str:
        """Return the type of the entity of a row."""
        line = self._lines[number]
        return line[1 : line.index("--")]

    def linked(self) -> Iterator[tuple[str, Row]]:
        """Yield the rows that have relations."""
        return map(self.at, self._linked)

    def every(self) -> Iterable[tuple[str, Row]]:
        """Return all rows in their order."""
        found: dict[str, Row] = jsonfiles.loads(f"{{{''.join(self._lines)}}}")
        return found.items()

    def at(self, number: int) -> tuple[str, Row]:
        """Return the id and the row of a number."""
        found: dict[str, Row] = jsonfiles.loads(f"{{{self._lines[number].removesuffix(',')}}}")
        return next(iter(found.items()))


def _sum(text: str) -> str:
    """Return the checksum of a text, as a number of ten digits."""
    return str(10**9 + crc32(text.encode("utf-8", "surrogateescape")))


def _name(line: str) -> str:
    """Return the name of the file of a row: by these they are in order."""
    return line[1 : line.index('"', 1)] + SUFFIX


def _of_key(text: str) -> tuple[int, str]:
    said, _, number = text.rpartition("=")
    return int(number), said.strip()
