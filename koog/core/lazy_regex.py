"""Regular expressions that are compiled at first use, and by one process for those that follow.

To compile what one command looks for takes a fifth of its time. What `re` makes of a pattern is a list of numbers
that its engine takes: it is kept (files/kept_code.py) for the same Python, and where this has no such list, or takes
none, a pattern is compiled as ever.
"""

from __future__ import annotations

import re
import sys
from array import array
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from koog.core.files import kept_code

WIDE = "\u3040-\u30ff\u3400-\u9fff"  # kana and Chinese characters, within a set: "[^\\W{WIDE}]"
FIRST = "\u2e80"  # below it no text has any of a script that is written without blanks
NUMBERS = "I"  # the type in which the engine has its codes
ENOUGH = 500  # numbers that are new: to make them takes as long as to write the file
MOST_PERSONAL = 512  # patterns of names: a process that lives long meets ever more of them
MOST = 3_000  # patterns that are kept: what an older koog looked for goes one day

_new: dict[str, tuple[bytes, list[Any]]] = {}


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile one of koog's own patterns at first use: most commands never look for most of these."""
    try:
        return _taken(pattern, int(flags)) or _made(pattern, int(flags))
    except Exception:  # another Python's `re`; what is wrong with a pattern is told by the next line
        return re.compile(pattern, flags)


@lru_cache(maxsize=MOST_PERSONAL)
def personal(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile what is made of somebody's words, such as a name: what may be forgotten one day is kept nowhere."""
    return re.compile(pattern, flags)


def for_text(pattern: str, text: str) -> re.Pattern[str]:
    """Compile a pattern that will search one text, which may leave its wide characters out where the text has none.

    A set that counts thousands of them in takes as long to compile as all else that is looked for in a line.

    >>> for_text(f"[{WIDE}]", "word").search("word"), for_text(rf"[^\\W{WIDE}]+", "des mots").match("des mots")[0]
    (None, 'des')
    """
    return compiled(pattern if max(text, default="") >= FIRST else pattern.replace(WIDE, WIDE[0]))


def keep() -> None:
    """Keep what this process had to compile, where that is worth a file."""
    if sum(len(code) for code, _ in _new.values()) < ENOUGH * array(NUMBERS).itemsize:
        return
    old = kept_code.read(_system())
    all_ = {key: whole for key in old.rows if (whole := old.get(key))} | _new
    kept_code.write(_system(), all_ if len(all_) <= MOST else _new)
    _new.clear()


@cache
def _kept() -> kept_code.Kept:
    return kept_code.read(_system())


@cache
def _system() -> str:
    """Return what a code is good for. Raises AttributeError where `re` has none."""
    engine = import_module("_sre")
    if array(NUMBERS).itemsize != engine.CODESIZE:
        raise AttributeError("no type of this size")
    return f"{sys.implementation.name} {sys.version} {sys.byteorder} {engine.MAGIC} {engine.CODESIZE}"


def _key(pattern: str, flags: int) -> str:
    """Return a pattern as JSON can have it; a digest of it would cost a command the import of OpenSSL."""
    return f"{flags} {pattern.encode('unicode_escape').decode('ascii')}"


def _taken(pattern: str, flags: int) -> re.Pattern[str] | None:
    """Return a pattern from what was kept, None where it is not there, not whole, or no code: it is made anew."""
    found = _kept().get(_key(pattern, flags))
    if found is None:
        return None
    try:
        code, (all_flags, groups, names) = found
        return _engine(pattern, all_flags, array(NUMBERS, code).tolist(), groups, names)
    except Exception:  # whatever lies in a file that somebody else has written
        return None


def _made(pattern: str, flags: int) -> re.Pattern[str]:
    """Compile as `re.compile` does, and remember what came of it. Raises what it raises, and AttributeError."""
    compiler = import_module("re._compiler")
    tree = import_module("re._parser").parse(pattern, flags)
    code, state = compiler._code(tree, flags), tree.state
    more = [int(flags | state.flags), state.groups - 1, dict(state.groupdict)]
    _new[_key(pattern, flags)] = (array(NUMBERS, code).tobytes(), more)
    return _engine(pattern, more[0], code, *more[1:])


def _engine(pattern: str, flags: int, code: list[int], groups: int, names: dict[str, int]) -> re.Pattern[str]:
    """Return what the engine makes of a code, which it looks through first. Raises RuntimeError for one it cannot."""
    named: list[str | None] = [None] * (groups + 1)
    for name, at in names.items():
        named[at] = name
    made: re.Pattern[str] = import_module("_sre").compile(pattern, flags, code, groups, names, tuple(named))
    return made
