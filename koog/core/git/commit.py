"""One commit object, and whose names are on it.  [design.md §4 "Git"]"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import datetime

from koog.core.named import NamedTuple

OURS = {"name": "koog", "email": "koog@localhost"}
CRUD = "".join(map(chr, range(33))) + ".,:;<>\"\\'"


class Commit(NamedTuple):
    """One commit made.

    short  the sha's first 10 digits
    kinds  workspace path → what became of it: A(dded), M(odified), D(eleted)
    base   the sha of the one that it was made upon, None for the first
    """

    sha: str
    short: str
    kinds: dict[str, str]
    warnings: tuple[str, ...] = ()
    base: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(self.kinds)


class Person(NamedTuple):
    """A name and an address as they stand in a commit."""

    name: str
    email: str

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"


def person(settings: Mapping[str, str], role: str) -> Person:
    """Return who git would say it is as `author` or `committer`, koog's own words where nobody said it.

    settings  git's configuration: key → value
    """
    said = {
        key: os.environ.get(f"GIT_{role.upper()}_{key.upper()}")
        or settings.get(f"{role}.{key}")
        or settings.get(f"user.{key}")
        or ""
        for key in OURS
    }
    return Person(*(_clean(said[key]) or ours for key, ours in OURS.items()))


def missing(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the parts of user.name and user.email that no configuration gives, with koog's own values."""
    return {key: value for key, value in OURS.items() if not settings.get(f"user.{key}")}


def actor(name: str) -> Person:
    """Return koog's part that made a change, such as skill:koog, as an author."""
    return Person(_clean(name) or OURS["name"], OURS["email"])


def commit_bytes(
    tree: str, parent: str | None, *, author: Person, committer: Person, message: str, when: datetime
) -> bytes:
    """Return the commit object."""
    date = f"{int(when.timestamp())} {when.strftime('%z')[:5]}"
    lines = [f"tree {tree}", *([f"parent {parent}"] if parent else [])]
    lines += [f"author {author} {date}", f"committer {committer} {date}", ""]
    text = message.replace("\0", "").rstrip("\n")
    return "\n".join([*lines, text, ""]).encode(errors="replace")


def _clean(text: str) -> str:
    """Return a name as git cleans it: without what would end it or its line."""
    return re.sub(r"[<>\n\0]", "", text).strip(CRUD).encode(errors="replace").decode()
