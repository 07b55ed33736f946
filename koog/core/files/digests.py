"""`digests.json` in the state root: what koog last left in each file that it wrote.  [design §4 "One boundary"]

    {"memory/sinain-playbook.md": [2117, "9f2c…"], …}       path → size in bytes, SHA-256

What differs from that was written by somebody else: a person, another program, a koog
in a sandbox, which does not see the state root. `ledgers.json` is the same for the logs
that grow without the write lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from koog.core.files import atomic, jsonfiles, raw_root

if TYPE_CHECKING:
    from koog.core.files.record import Applied
    from koog.core.files.roots import Spot
    from koog.core.files.state_root import StateRoot

NAME, LEDGERS = "digests", "ledgers"
Mark = list[int | str]  # size, SHA-256
Marks = Mapping[str, Mark]


def mark(data: bytes) -> Mark:
    """Return by what koog knows a file's content again."""
    return [len(data), sha256(data).hexdigest()]


def load(state_root: StateRoot, name: str = NAME) -> Marks:
    """Return path → mark; {} when there is none yet. Raises WorkspaceError for what cannot be read.

    A command asks some ten times for the thousands of marks of ten years.
    """
    state, held = state_root.state(name), state_root.memo.get(name)
    if held and state is not None and held[0] == state:
        found: Marks = held[1]
        return found
    value = state_root.get(name)
    found = value if isinstance(value, dict) else {}
    state_root.memo[name] = state, found
    return found


def is_own(state_root: StateRoot, path: str, data: bytes) -> bool:
    """Return whether a content is what koog itself left in a file."""
    return mark(data) in (load(state_root).get(path), load(state_root, LEDGERS).get(path))


def written(state_root: StateRoot) -> list[str]:
    """Return the paths of every file that koog wrote, sorted."""
    return sorted(load(state_root).keys() | load(state_root, LEDGERS).keys())


def begins(data: bytes, known: Mark) -> bool:
    """Return whether a content begins with the one that is known."""
    size = known[0]
    return isinstance(size, int) and len(data) >= size and mark(data[:size]) == known


def following(known: Mapping[str, Mark], applied: Sequence[Applied]) -> Marks:
    """Return the marks after some changes, transcripts left out: there nobody but koog writes. Pure."""
    marks = dict(known)
    for change, _, after, _ in applied:
        if raw_root.is_cited(change.path):
            continue
        if change.to:
            if (moved := marks.pop(change.path, None)) is not None:
                marks[change.to] = moved
        elif after is None:
            marks.pop(change.path, None)
        else:
            marks[change.path] = mark(after)
    return marks


def text(marks: Marks) -> bytes:
    """Return the file's bytes."""
    return jsonfiles.pretty(dict(sorted(marks.items()))).encode()


def learn(state_root: StateRoot, contents: Mapping[str, bytes]) -> None:
    """Take contents as known: a commit has taken what somebody else wrote. Only under the write lock."""
    for name in (NAME, LEDGERS):
        marks = load(state_root, name)
        new = {path: mark(data) for path, data in contents.items() if (path in marks) or name == NAME}
        if new and any(marks.get(path) != value for path, value in new.items()):
            state_root.put(name, {**marks, **new})


def append(state_root: StateRoot, spot: Spot, path: str, line: bytes) -> None:
    """Append to a log that grows without the write lock; it stays koog's own while only koog writes to it."""
    with state_root.locked("ledgers.lock"):
        marks = load(state_root, LEDGERS)
        before = atomic.content(spot)
        # The write lock's own digest knows it after what was old in it has moved to an archive.
        is_ours = before is None or mark(before) in (marks.get(path), load(state_root).get(path))
        atomic.append(spot, line)
        if is_ours:
            state_root.put(LEDGERS, {**marks, path: mark(atomic.content(spot) or b"")})
