"""A member put into a JSON text or taken out, with everything else left byte for byte: the text is a person's.  Pure.

What `take` takes out again, it leaves as it was before `add`, if `blanks` was asked before: where an object or list
was empty, `add` closes it up, and only the caller can keep what stood in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from koog.core.named import NamedTuple

BLANKS = " \t\r\n"
DECODER = json.JSONDecoder()
Path = tuple[str | int, ...]  # the keys and numbers that lead to a value
Had = Mapping[Path, str | None]  # objects and lists that stood there, and what stood in those that were empty


class Place(NamedTuple):
    """Where a value stands: text[start:end]. key: its name in an object, its number in a list."""

    key: str | int
    start: int
    end: int


def children(text: str, start: int) -> Iterator[Place]:
    """Yield the values of the object or list that begins at `start`; of a text that is JSON."""
    is_object = text[start] == "{"
    at, number = _skip(text, start + 1), 0
    while text[at] not in "}]":
        key: str | int = number
        if is_object:
            key, at = DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        _, end = DECODER.raw_decode(text, at)
        yield Place(key, at, end)
        at, number = _skip(text, end), number + 1
        if text[at] == ",":
            at = _skip(text, at + 1)


def find(text: str, path: Sequence[str | int]) -> Place | None:
    """Return where the value at a path stands, None when there is none. Of equal keys the last one counts."""
    start = _skip(text, 0)
    place = Place("", start, DECODER.raw_decode(text, start)[1])
    for key in path:
        inner = children(text, place.start) if text[place.start] in "{[" else iter(())
        found = [child for child in inner if child.key == key]
        if not found:
            return None
        place = found[-1]
    return place


def replace(text: str, path: Sequence[str | int], value: Any) -> str:
    """Return the text with another value at a path. Raises KeyError when there is none."""
    place = _found(text, path)
    return text[: place.start] + json.dumps(value, ensure_ascii=False) + text[place.end :]


def add(text: str, path: Sequence[str | int], value: Any, *, key: str | None = None) -> str:
    """Return the text with a value added at the end of the object (with a key) or list at a path.

    It is indented as the text is, or by two spaces. Raises KeyError when there is nothing at the path.
    """
    place = _found(text, path)
    inside = list(children(text, place.start))
    outer, step = _indent(text, place.start), _step(text)
    new = json.dumps(value, ensure_ascii=False, indent=step).replace("\n", "\n" + outer + step)
    named = f"{json.dumps(key, ensure_ascii=False)}: {new}" if key is not None else new
    line = f"\n{outer}{step}{named}"
    if inside:
        return text[: inside[-1].end] + "," + line + text[inside[-1].end :]
    return text[: place.start + 1] + line + f"\n{outer}" + text[place.end - 1 :]


def remove(text: str, path: Sequence[str | int], *, inside: str = "") -> str:
    """Return the text without the member at a path, and without the comma that stood for it.

    inside   what then stands in the object or list, if it was its only member

    Raises KeyError when there is none.
    """
    gone, around = _found(text, path), _found(text, path[:-1])
    members = list(children(text, around.start))
    number = members.index(gone)
    if len(members) == 1:
        return text[: around.start + 1] + inside + text[around.end - 1 :]
    if number:
        return text[: members[number - 1].end] + text[gone.end :]
    first, second = _skip(text, around.start + 1), _skip(text, _skip(text, gone.end) + 1)
    return text[:first] + text[second:]


def take(text: str, path: Path, *, had: Had) -> str:
    """Return the text without the member at a path, nor what is left empty around it and did not stand there before.

    Raises KeyError when there is none.
    """
    text = remove(text, path, inside=had.get(path[:-1]) or "")
    while (path := path[:-1]) and path not in had and blanks(text, path) is not None:
        text = remove(text, path, inside=had.get(path[:-1]) or "")
    return text


def blanks(text: str, path: Sequence[str | int]) -> str | None:
    """Return what stands in the empty object or list at a path, None for one that has members or is not there."""
    place = find(text, path)
    if place is None or text[place.start] not in "{[" or any(True for _ in children(text, place.start)):
        return None
    return text[place.start + 1 : place.end - 1]


def standing(text: str, paths: Sequence[Path]) -> dict[Path, str | None]:
    """Return those of these objects and lists that stand in a text, as `take` wants them."""
    return {path: blanks(text, path) for path in paths if find(text, path)}


def _found(text: str, path: Sequence[str | int]) -> Place:
    place = find(text, path)
    if place is None:
        raise KeyError(*path)
    return place


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANKS:
        at += 1
    return at


def _indent(text: str, at: int) -> str:
    """Return the blanks that the line of this place begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """Return the text's own step of indent: what the first indented line has."""
    for line in text.split("\n"):
        if (bare := line.lstrip(" \t")) and bare != line and bare.strip():
            return line[: len(line) - len(bare)]
    return "  "
