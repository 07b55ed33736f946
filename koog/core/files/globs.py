"""Patterns of paths as the operator's file has them: `*` within a name, `**` across folders, `?`. Pure."""

from __future__ import annotations

import os
import re
from functools import cache

from koog.core.files import outside
from koog.core.lazy_regex import compiled

MAGIC = compiled(r"[*?\[]")


@cache
def _translated(pattern: str) -> re.Pattern[str]:
    out, i = [], 0
    while i < len(pattern):
        if pattern[i:] == "/**":
            out.append("(?:/.*)?")  # the folder itself, too
            break
        if pattern.startswith("**/", i):
            out.append("(?:.*/)?")
            i += 3
        elif pattern.startswith("**", i):
            out.append(".*")
            i += len(pattern[i:]) - len(pattern[i:].lstrip("*"))  # stars in a row mean no more: never `.*.*`
        else:
            out.append({"*": "[^/]*", "?": "[^/]"}.get(pattern[i]) or re.escape(pattern[i]))
            i += 1
    return re.compile("".join(out), re.DOTALL)


@cache
def _with_inner(pattern: str) -> re.Pattern[str]:
    """Return what a pattern, and whatever lies in a folder that it fits, looks like."""
    return re.compile(f"(?:{_translated(pattern).pattern})(?:/.*)?", re.DOTALL)


def fits(pattern: str, path: str) -> bool:
    """Return whether a pattern fits a path, or a folder that the path lies in.

    >>> fits("knowledge/acme", "knowledge/acme/a.md"), fits("memory/*.md", "memory/a/b.md"), fits("**", "x")
    (True, False, True)
    """
    pattern = pattern.rstrip("/") or pattern
    if not path.startswith("/"):  # a workspace's, of which there are thousands
        return _with_inner(pattern).fullmatch(path) is not None
    found = _translated(pattern)
    if found.fullmatch(path):
        return True
    return any(found.fullmatch(path, 0, i) for i, c in enumerate(path) if c == "/" and i)


def fits_folder(pattern: str, real: str) -> bool:
    """Return whether a pattern of the operator's fits a real path, or a folder that it lies in; `~` is the home."""
    return fits(_real(os.path.expanduser(pattern)), real)  # noqa: PTH111  never raises without a home


@cache
def _real(whole: str) -> str:
    """Return a pattern with the links in its plain beginning resolved: it is held against real paths."""
    magic = MAGIC.search(whole)
    plain = whole if magic is None else whole[: whole.rfind("/", 0, magic.start()) + 1]
    if not os.path.isabs(plain) or "\0" in plain:  # noqa: PTH117  any text
        return whole
    return f"{outside.real(plain).rstrip('/')}/{whole[len(plain) :]}" if magic else outside.real(plain)
