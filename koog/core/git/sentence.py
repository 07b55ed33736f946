"""What a commit of whatever has gathered is about, as a sentence from the diff.  [autopoiesis §3.2]

    5 lines more and 1 fewer in people/ana, projects/apollo/context and 2 others

It names files and never their words: these must be forgettable, and a commit's message is not. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from koog.core.files.record import BOOKKEEPING
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

SOURCE = r"dc:source=(\S+)"
SESSION = r"(?:^|;|%3B)([^;:%]+):\d+"
NAMED = 3  # files
FOLDERS = ("knowledge/", "memory/")
Sides = tuple[bytes | None, bytes | None]


class Told(NamedTuple):
    """What a diff says: the sentence, "" for one of bookkeeping alone, and the sessions that its new lines name."""

    sentence: str
    sessions: Sequence[str]


def of(files: Mapping[str, Sides]) -> Told:
    """Return what some files' bytes before and after say.

    >>> of({"knowledge/people/ana.md": (None, b"# Ana\\n\\n- Likes tea <!-- dc:source=ses_1:4 -->\\n")})
    Told(sentence='1 line more in people/ana', sessions=['ses_1'])
    """
    more, fewer, touched, sessions = 0, 0, list[str](), list[str]()
    for path, (before, after) in files.items():
        if any(part in path for part in BOOKKEEPING) or not path.endswith(".md"):
            continue
        old, new = _lines(before), _lines(after)
        came, went = new - old, old - new
        more, fewer = more + came.total(), fewer + went.total()
        if came or went:
            touched.append(_short(path))
        sessions += [each for row in came for each in _sessions(row)]
    if not touched:
        return Told("", [])
    parts = [f"{more} {'line' if more == 1 else 'lines'} more"] if more else []
    parts += [f"{fewer} fewer" if more else f"{fewer} {'line' if fewer == 1 else 'lines'} fewer"] if fewer else []
    return Told(f"{' and '.join(parts)} in {_listed(touched)}", list(dict.fromkeys(sessions)))


def _lines(data: bytes | None) -> Counter[str]:
    """Return the rows of a file that say something: no head, no heading."""
    rows = (data or b"").decode("utf-8", "replace").split("\n")
    if rows[0].rstrip() == "---" and "---" in (each.rstrip() for each in rows[1:]):
        rows = rows[next(n for n, each in enumerate(rows[1:], 2) if each.rstrip() == "---") :]
    return Counter(row.strip() for row in rows if row.strip() and not row.startswith(("#", "<!--")))


def _sessions(row: str) -> list[str]:
    found = compiled(SOURCE).search(row)
    return compiled(SESSION).findall(found[1]) if found else []


def _short(path: str) -> str:
    for folder in FOLDERS:
        path = path.removeprefix(folder)
    return path.removesuffix(".md")


def _listed(names: Sequence[str]) -> str:
    left = len(names) - NAMED
    if left > 0:
        return f"{', '.join(names[:NAMED])} and {left} {'other' if left == 1 else 'others'}"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
