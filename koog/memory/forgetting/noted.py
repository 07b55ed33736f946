"""What the chain notes of a deletion for good: of each file, and of each line of the log, a digest before and after."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING

from koog.core.files import auditlog, chain
from koog.core.files.chain import Record

if TYPE_CHECKING:
    from koog.core.run import Run


def of_file(run: Run, path: str, before: bytes, after: bytes | None) -> Record:
    """Return what the chain notes of one file: its digests before and after, and a keyed one of its path."""
    key = chain.known_key(run.state_root) if run.state_root else None
    mark = chain.mark(key or b"", path.encode("utf-8", "surrogateescape"))[:16]
    return Record(chain.REDACTED, 0, sha256(before).hexdigest()[:32], mark, chain.file_mark(after), "")


def of_lines(run: Run, before: bytes, after: bytes) -> Iterator[Record]:
    """Yield what the chain notes of the lines of the log that read otherwise now."""
    key = chain.known_key(run.state_root) if run.state_root else None
    if key is None:
        return
    for old, new in zip(auditlog.rows(before), auditlog.rows(after), strict=False):
        if old != new:
            yield Record(chain.REDACTED, 0, chain.mark(key, old), chain.rest(key, new), chain.mark(key, new), "")
