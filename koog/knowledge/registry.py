"""Which extractors there are: koog's own, and those of installed packages.  [autopoiesis §8.3]

A package names its extractors under the entry point group `koog.extractors`. One that cannot be loaded, or is no
extractor, is left out with a warning; none takes the name of another.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from koog.core.errors import UsageError
from koog.core.lazy_regex import compiled
from koog.knowledge.extractor import Extractor
from koog.knowledge.placing import EXTRACTORS

GROUP = "koog.extractors"
NAME = r"[a-z][a-z0-9-]{0,40}"
FLUSHED = ("decisions", "lessons", "journal")  # what is saved before a host compacts its session  [autopoiesis §6.4]


def every(warnings: list[str]) -> dict[str, Extractor]:
    """Return name → extractor, koog's own first. warnings: takes why one of a package's is left out"""
    found: dict[str, Extractor] = {
        name: import_module(f"koog.knowledge.extractors.{name}").EXTRACTOR for name in EXTRACTORS
    }
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            made = _extractor(point.load())
        except Exception as e:  # a package's own code: whatever it raises
            warnings.append(f"{GROUP}: {point.name} cannot be loaded: {type(e).__name__}: {e}")
            continue
        if wrong := _problem(made, found):
            warnings.append(f"{GROUP}: {point.name} is left out: {wrong}")
        else:
            found[made.name] = made
    return found


def chosen(named: str | None, warnings: list[str]) -> list[Extractor]:
    """Return the extractors of `--extractors a,b`, all without it. Raises UsageError for a name that there is not."""
    known = every(warnings)
    wanted = list(known) if named is None else [name.strip() for name in named.split(",") if name.strip()]
    if not wanted:
        raise UsageError("--extractors is empty", hint=f"--extractors {','.join(known)}")
    if unknown := [name for name in wanted if name not in known]:
        raise UsageError(f"no extractor {unknown[0]!r}", hint="one of " + ", ".join(known))
    return [known[name] for name in dict.fromkeys(wanted)]


def _extractor(loaded: Any) -> Any:
    """Return an extractor; where a class is named, one of it."""
    return loaded() if isinstance(loaded, type) else loaded


def _problem(made: Any, known: dict[str, Extractor] | Sequence[str]) -> str:
    """Return why something is no extractor that can be used, "" when it is one."""
    name, version = getattr(made, "name", None), getattr(made, "version", None)
    if not isinstance(name, str) or not compiled(NAME).fullmatch(name):
        return "it has no name"
    if name in known:
        return f"{name} is another one's name"
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        return "its version is no number from 1"
    return "" if callable(getattr(made, "extract", None)) else "it cannot extract"
