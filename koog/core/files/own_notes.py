"""A person's own Markdown beside koog's folders: what of it is memory, and the days of a journal.  [design §3]

`paths.journal` has patterns such as `Daily/YYYY-MM-DD.md`, in which YYYY, MM and DD stand for a day and `*` for
anything within a name; `paths.notes` has globs by category. Paths are the workspace's. Nothing here says who is behind
a note: it is data, as the notes in memory/ are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from koog.core import clock
from koog.core.files.globs import MAGIC, fits
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

JOURNAL = "journal"
REPOSITORY = "another repository"
CATEGORIES = ("project", "person", "reference")  # none that an agent goes by as it stands
SUFFIX = ".md"
PARTS = {"YYYY": r"\d{4}", "MM": r"\d\d", "DD": r"\d\d", "*": "[^/]*"}
# A part of a day stands by itself or beside another: COMMUNITY has no month.
TOKEN = compiled(r"(?:(?<![A-Za-z])|(?<=YYYY)|(?<=MM)|(?<=DD))(?:YYYY|MM|DD)(?=YYYY|MM|DD|[^A-Za-z]|$)|\*")
# Folders of tools: thousands of files, none of a person's.
TOOLS = frozenset(
    "node_modules bower_components vendor third_party site-packages venv env target dist build out coverage "
    "__pycache__ Pods DerivedData".split()
)
HOUSE = ("knowledge", "topics", "archive", "raw", "skills")  # koog's own folders, and a host's
PERSONS_AROUND = ("archive", "skills")
# Their files at the top: who the agent is, and how it is to call koog.
HOUSE_FILES = frozenset(
    "MEMORY.md SOUL.md IDENTITY.md USER.md AGENTS.md TOOLS.md "
    "HEARTBEAT.md HEARTBEAT.koog.md SKILL.md SKILL.koog.md".split()
)


class Globs(NamedTuple):
    """The globs of a category, hundreds where a vault has hundreds of folders: most name a folder and no more.

    folders   those that are named so
    above     the folders in which these lie
    others    the globs that are more than that
    """

    folders: frozenset[str]
    above: frozenset[str]
    others: tuple[str, ...]

    @classmethod
    def of(cls, globs: Sequence[str]) -> Globs:
        """Return them sorted by that."""
        bare = [(glob, glob.rstrip("/").removesuffix("/**")) for glob in globs]
        folders = frozenset(folder for _, folder in bare if folder and not re.search(r"[*?]", folder))
        above = frozenset(each for folder in folders for each in _and_above(folder))
        return cls(folders, above, tuple(glob for glob, folder in bare if folder not in folders))

    def fit(self, path: str) -> bool:
        """Return whether one of them fits a path, or a folder that it lies in."""
        return not self.folders.isdisjoint(_and_above(path)) or any(fits(glob, path) for glob in self.others)

    def lead_to(self, folder: str) -> bool:
        """Return whether what one of them fits may lie in a folder, or in one below it."""
        if folder in self.above or not self.folders.isdisjoint(_and_above(folder)):
            return True
        # A glob fits what lies in a folder that it fits, too.
        return any(_leads_to([*glob.rstrip("/").split("/"), "**"], folder, fits) for glob in self.others)


@dataclass(frozen=True)
class OwnNotes:
    """Which of a workspace's files are a person's notes.

    journal   patterns of a day's notes
    globs     (category, globs): the first that fits counts
    """

    journal: tuple[str, ...] = ()
    globs: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def of(cls, journal: Sequence[str], notes: Mapping[str, Sequence[str]]) -> OwnNotes:
        """Return what a config says."""
        return cls(tuple(journal), tuple((category, tuple(globs)) for category, globs in notes.items()))

    def category(self, path: str) -> str | None:
        """Return what a file is, None where nothing says that it is a note.

        >>> notes = OwnNotes.of(["Daily/YYYY-MM-DD.md"], {"person": ["People/**"]})
        >>> [notes.category(path) for path in ("Daily/2026-02-28.md", "People/Ana.md", "Daily/plan.md")]
        ['journal', 'person', None]
        """
        if any(day_of(pattern, path) for pattern in self.journal):
            return JOURNAL
        return next((category for category, globs in self._sorted if globs.fit(path)), None)

    def holds(self, path: str, koogs: frozenset[str]) -> bool:
        """Return whether a file is a note in any case, whatever koog's own folders (`taken`) hold."""
        return path.endswith(SUFFIX) and is_free(path, koogs) and self.category(path) is not None

    def covers(self, folder: str) -> bool:
        """Return whether notes may lie in a folder, or in one below it.

        >>> notes = OwnNotes.of(["Daily/YYYY-MM-DD.md"], {})
        >>> [notes.covers(folder) for folder in ("Daily", "Daily/2026", "Work", "Daily/.trash")]
        [True, False, False, False]
        """
        if is_of_tool(folder):
            return False
        journals = (pattern.split("/")[:-1] for pattern in self.journal)
        if any(_leads_to(parts, folder, _is_day_part) for parts in journals):
            return True
        return any(globs.lead_to(folder) for _, globs in self._sorted)

    def names(self, folder: str) -> bool:
        """Return whether a pattern names a folder, or one in it: another repository's notes may be meant."""
        if any(folder in _and_above(plain(pattern)) for pattern in self.journal):
            return True
        return any(folder in globs.folders or folder in globs.above for _, globs in self._sorted)

    @cached_property
    def _sorted(self) -> list[tuple[str, Globs]]:
        return [(category, Globs.of(globs)) for category, globs in self.globs]


NONE = OwnNotes()


def taken(memory: str, modules: str, *, around: bool = False) -> frozenset[str]:
    """Return the folders at the top in which no person's notes are looked for.

    around   the notes lie around the workspace: taken is only what koog reads under a name of its own
    """
    house = [name for name in HOUSE if not (around and name in PERSONS_AROUND)]
    return frozenset((memory.partition("/")[0], modules.partition("/")[0], *house))


def is_free(path: str, koogs: frozenset[str]) -> bool:
    """Return whether a file or folder lies where a person's notes may: in no folder of koog's or a host's.

    koogs   what `taken` returns
    """
    top, _, inside = path.partition("/")
    if not inside:
        return path not in HOUSE_FILES and path[:1] != "."
    return top not in koogs and not is_of_tool(path)


def is_of_tool(folder: str) -> bool:
    """Return whether a folder, or one that it lies in, is hidden or a tool's."""
    return any(part.startswith(".") or part in TOOLS for part in folder.split("/"))


def whose(names: Collection[str]) -> str | None:
    """Return whose a folder with these names in it is, None where it is a person's: a submodule's .git is a file."""
    if ".git" in names:
        return REPOSITORY
    return None if {".koog", "koog-config.json"}.isdisjoint(names) else "another workspace"


def is_text(name: str) -> bool:
    """Return whether a name is UTF-8: a lone surrogate stands for a byte that is not."""
    return not any("\ud800" <= char <= "\udfff" for char in name)


def day_of(pattern: str, path: str) -> str | None:
    """Return the ISO day of a journal's note, None when the pattern does not fit.

    >>> day_of("journals/YYYY_MM_DD.md", "journals/2026_02_28.md"), day_of("YYYY/YYYY-MM-DD*.md", "2025/2026-02-28.md")
    ('2026-02-28', None)
    """
    found = translated(pattern).fullmatch(path)
    day = f"{found['YYYY']}-{found['MM']}-{found['DD']}" if found else ""
    return day if clock.parse_day(day) else None


def is_journal(pattern: str) -> bool:
    """Return whether a pattern names a day."""
    return {"YYYY", "MM", "DD"} <= set(TOKEN.findall(pattern)) and pattern.endswith(SUFFIX)


@cache
def translated(pattern: str) -> re.Pattern[str]:
    out, at, known = [], 0, set()
    for token in TOKEN.finditer(pattern):
        out.append(re.escape(pattern[at : token.start()]))
        name = token[0]
        out.append(PARTS[name] if name == "*" else f"(?P={name})" if name in known else f"(?P<{name}>{PARTS[name]})")
        known.add(name)
        at = token.end()
    return re.compile("".join(out) + re.escape(pattern[at:]))


def _and_above(path: str) -> list[str]:
    """Return a path and the folders that it lies in."""
    parts = path.split("/")
    return ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def _is_day_part(part: str, name: str) -> bool:
    return translated(part).fullmatch(name) is not None


def _leads_to(parts: Sequence[str], folder: str, fits_name: Callable[[str, str], bool]) -> bool:
    """Return whether a folder is one of those that a pattern goes through, given part by part."""
    names = folder.split("/")
    for part, name in zip(parts, names, strict=False):
        if "**" in part:
            return True
        if not fits_name(part, name):
            return False
    return len(names) <= len(parts)


def plain(pattern: str) -> str:
    """Return the folder before the first part of a pattern that stands for more than itself."""
    magic = min((found.start() for each in (MAGIC, TOKEN) if (found := each.search(pattern))), default=len(pattern))
    return pattern[:magic].rpartition("/")[0]
