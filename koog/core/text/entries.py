"""The sections of a file, and of a day's episodes which entry each is, by its id. Pure.  [moltbot §4, §9.3]"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from koog.core.lazy_regex import compiled
from koog.core.text.markdown import HEADING, blocks

TITLE = r"(#{1,2})[ \t]+(.*?)[ \t#]*"
TIME = r"((?:[01]?\d|2[0-3]):[0-5]\d)(?:[ \t]*\|.*|[ \t]*)"

Span = tuple[int, int]  # a row from 0, and the one behind the last


def of_day(text: str, day: str) -> Iterator[tuple[str, Span]]:
    """Yield the entries of a day's file with their ids: `episode:DATE:HH:MM[:n]`, the n-th of that minute from 2."""
    count = Counter[str]()
    for title, span in sections(text):
        bare = compiled(r"[ \t]*<!--((?:(?!-->).)*)-->").sub("", title).strip()
        if head := compiled(TIME).fullmatch(bare):
            time = head[1].zfill(5)
            count[time] += 1
            yield f"episode:{day}:{time}" + (f":{count[time]}" if count[time] > 1 else ""), span


def sections(text: str) -> Iterator[tuple[str, Span]]:
    """Yield the headings of two `#`, each with its rows up to the next one of one or two."""
    rows = [row.rstrip("\r") for row in text.split("\n")]
    found = [
        (start, seen)
        for kind, start, _ in blocks(rows)
        if kind == HEADING and (seen := compiled(TITLE).fullmatch(rows[start]))
    ]
    ends = [start for start, _ in found[1:]] + [len(rows)]
    for (start, seen), end in zip(found, ends, strict=False):
        if seen[1] == "##":
            yield seen[2], (start, end)
