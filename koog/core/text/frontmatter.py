"""The YAML head of a Markdown file.  [autopoiesis §2.3; design §4 "one reading"]

    read            a title, a day and tags, by a scan of the lines: never an error
    without         the text behind it: the head tells of the file, and who wrote it is not whom it is about
    parse, render   all of it, as YAML has it, and back

A YAML reader takes longer to import than the whole index to refresh, and refuses a head
that a person has got slightly wrong: `read` passes over what is no plain `key: value`. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

LONGEST_HEAD = 400  # lines; without an end by then, what begins with --- is no head
WIDEST = 10**9  # columns: a value is never wrapped
KEYED = compiled(r"([A-Za-z_][\w-]*):(?:[ \t]+(.*))?$")
LISTED = compiled(r"[ \t]*-[ \t]+(.*)")
ISO_DAY = compiled(r"\d{4}-\d\d-\d\d(?!\d)")
TITLES = ("title",)  # wins over the text's first heading
NAMES = ("topic", "name")  # taken when there is no such heading
WHEN = ("date", "started")  # says when it was
CHANGED = ("updated", "created", "ended")  # says when it was written, which is second best


class Head(NamedTuple):
    """What a note's head says.

    title    "" when it has none; `name` is what may stand for one
    day      ISO day of what is told, None when unknown
    changed  ISO day on which it was written
    lines    how many lines the head takes, its two marks included; 0 without one
    """

    title: str = ""
    name: str = ""
    day: str | None = None
    changed: str | None = None
    tags: tuple[str, ...] = ()
    lines: int = 0


NO_HEAD = Head()


def read(rows: Sequence[str]) -> Head:
    """Return what the head of a note says; NO_HEAD when it has none, or one that never ends."""
    end = lines(rows, most=LONGEST_HEAD)
    if not end:
        return NO_HEAD
    values, tags = _values(rows[1 : end - 1])
    return Head(
        title=_first(values, TITLES),
        name=_first(values, NAMES),
        day=_first_day(values, WHEN),
        changed=_first_day(values, CHANGED),
        tags=tags,
        lines=end,
    )


def without(text: str) -> str:
    """Return a text without its head; whole where it is nothing else, or has none.

    >>> without("---\\nauthor: Bob\\n---\\nAtlas is a build server")
    'Atlas is a build server'
    """
    rows = text.lstrip().split("\n")
    end = lines(rows, most=LONGEST_HEAD)
    if not end or not all(
        KEYED.match(row) or LISTED.match(row) or row[:1] in ("", " ", "#") for row in rows[1 : end - 1]
    ):
        return text
    return "\n".join(rows[end:]) if any(row.strip() for row in rows[end:]) else text


@lru_cache(4096)  # the same few days stand in thousands of lines
def day(text: str) -> str | None:
    """Return the first ISO day of a text, None when there is none that a calendar has.

    >>> day("since 2026-02-28T09:00Z"), day("2026-02-30")
    ('2026-02-28', None)
    """
    found = ISO_DAY.search(text)
    if not found:
        return None
    try:
        date.fromisoformat(found[0])
    except ValueError:
        return None
    return found[0]


def parse(text: str) -> tuple[dict[str, Any], str]:
    """Return the values of a file's head, {} without one, and the text behind it. Raises ValueError for broken YAML.

    >>> parse("---\\ntitle: Plan\\ntags: [a, b]\\n---\\nText\\n")
    ({'title': 'Plan', 'tags': ['a', 'b']}, 'Text\\n')
    """
    rows = text.split("\n")
    if not (end := lines(rows)):
        return {}, text
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    try:
        values = YAMLHandler().load("\n".join(rows[1 : end - 1]))
    except (yaml.YAMLError, RecursionError) as e:
        raise ValueError(f"the frontmatter is no YAML: {e}") from None
    if not isinstance(values, dict | None):
        raise ValueError("the frontmatter is no list of keys and values")
    return values or {}, "\n".join(rows[end:])


def render(values: dict[str, Any], body: str) -> str:
    """Return a file with these values as its head, in their order; `parse` gives both back.

    >>> render({"title": "Plan"}, "Text\\n")
    '---\\ntitle: Plan\\n---\\nText\\n'
    """
    if not values:
        return f"---\n---\n{body}" if lines(body.split("\n")) else body
    from frontmatter.default_handlers import YAMLHandler

    head = YAMLHandler().export(values, sort_keys=False, width=WIDEST)
    return f"---\n{head}\n---\n{body}"


def lines(rows: Sequence[str], *, most: int | None = None) -> int:
    """Return how many lines the head takes, its two marks included; 0 when there is none, or no end among the first."""
    if not rows or rows[0].rstrip() != "---":
        return 0
    for number, row in enumerate(rows[1:most], 2):
        if row.rstrip() in ("---", "..."):
            return number
    return 0


def _values(rows: Sequence[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the plain values by their keys, and the tags, which may be a list over several lines."""
    values: dict[str, str] = {}
    listed: list[str] = []
    key = ""
    for row in rows:
        if keyed := KEYED.match(row):
            key = keyed[1].lower()
            values.setdefault(key, _plain(keyed[2] or ""))
        elif key == "tags" and (item := LISTED.match(row)):
            listed.append(_plain(item[1]))
    inline = [_plain(tag) for tag in values.get("tags", "").strip("[]").split(",")]
    return values, tuple(filter(None, [*inline, *listed]))


def _plain(value: str) -> str:
    """Return a value without its quotes and without a comment behind it."""
    value = value.strip()
    if value[:1] in ("'", '"') and value.endswith(value[0]) and len(value) > 1:
        return value[1:-1]
    return value.partition(" #")[0].rstrip()


def _first(values: dict[str, str], keys: Sequence[str]) -> str:
    return next((values[key] for key in keys if values.get(key)), "")


def _first_day(values: dict[str, str], keys: Sequence[str]) -> str | None:
    return next((found for key in keys if (found := day(values.get(key, "")))), None)
