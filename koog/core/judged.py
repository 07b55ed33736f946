"""What koog has judged before of the rows that it shows: most of them were shown yesterday, too.  [design §4]

A row costs about a millisecond to judge. Whether it was held back is kept in the state root, where no agent writes,
under a digest of the row, of what it was asked, and of all that judges: other weights judge anew. Without a state root
nothing is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from koog.core import shipped
from koog.core.errors import WorkspaceError

if TYPE_CHECKING:
    from koog.core.run import Run

FILE = "judged"  # in the state root: a line a row, its digest and the answer
MOST_BYTES = 400_000  # of it: ten thousand rows; the older half goes
HELD, SHOWN = "-", "+"
DIGEST_BYTES = 16
# What judges, in core/text: when one of them changes, nothing of what was judged counts.
JUDGES = (
    *("trust.py", "directives.py", "negation.py", "untrusted.py", "weigher.py", "features.py", "signs.py"),
    *("perils.py", "kinds.py", "notes_of.py", "of_self.py", "weigher.bin", "signs.txt", "perils.txt"),
)


class _Known:
    """The lines of FILE, and those that are to be added; None where nobody keeps them."""

    lines: set[str] | None = None
    added: list[str] = []  # noqa: RUF012  of the process


@contextmanager
def kept(run: Run) -> Iterator[None]:
    """Judge no row again that was judged before, and keep what is judged in this block. A dry run keeps nothing."""
    state = run.state_root
    if state is None or _Known.lines is not None:
        yield
        return
    with suppress(WorkspaceError, ValueError):
        _Known.lines = set(state.noted(FILE))
    try:
        yield
    finally:
        added, _Known.lines, _Known.added = _Known.added, None, []
    if added and not run.dry_run:
        with suppress(WorkspaceError):  # the next one judges them again
            state.note(FILE, "\n".join(added), limit=MOST_BYTES)


def is_held(judge: Callable[[], bool], *asked: str) -> bool:
    """Return what `judge` says of a row, without asking it where that is known.

    asked   the row and all that the answer depends on
    """
    known = _Known.lines
    if known is None:
        return judge()
    digest = blake2b("\0".join(asked).encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES, key=_judges())
    key = digest.hexdigest()
    if key + HELD in known or key + SHOWN in known:
        return key + HELD in known
    answer = judge()
    line = key + (HELD if answer else SHOWN)
    known.add(line)
    _Known.added.append(line)
    return answer


@lru_cache(maxsize=1)
def _judges() -> bytes:
    """Return a digest of all that judges."""
    found = blake2b(digest_size=32)
    for name in JUDGES:
        found.update(shipped.data(shipped.PACKAGE / "core/text" / name))
    return found.digest()
