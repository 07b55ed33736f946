"""What must not enter git although its name says nothing: secrets, and what is marked as private.  [design.md §4]"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from koog.core.files.atomic import decode
from koog.core.git.working import Left

LARGE = 64 * 1024  # characters; a smaller file is looked through faster than git tells what is new in it
KEPT = 64  # files that are remembered as looked through, for the next commit of a tick


class Looked:
    """Looks through the bytes of files, each content once."""

    def __init__(self) -> None:
        self.clean: set[bytes] = set()

    def __call__(self, _: str, data: bytes, before: Callable[[], bytes | None]) -> Left | None:
        """Return why a file's bytes must not be committed, None when they may; `before` gives HEAD's."""
        mark = sha256(data).digest()
        if mark in self.clean:
            return None
        text = decode(data)
        found = _secret(text, before) or _private(text, before)
        if found is None and len(self.clean) < KEPT:
            self.clean.add(mark)
        return found


def _secret(text: str, before: Callable[[], bytes | None]) -> Left | None:
    from koog.core.text.secrets import find_secrets

    if not find_secrets(_new_lines(text, before)) or not (found := find_secrets(text)):
        return None
    return Left(f"looks like a secret ({found[0].kind})", _line(text, found[0].start))


def _private(text: str, before: Callable[[], bytes | None]) -> Left | None:
    """Look for a private block that HEAD's version has not: koog writes none, and keeps none of somebody else's."""
    blocks = private_blocks(text)
    if not blocks:
        return None
    known = {block for block, _ in private_blocks(decode(before() or b""))}
    at = next((start for block, start in blocks if block not in known), None)
    return None if at is None else Left("has a <private> block", _line(text, at))


def private_blocks(text: str) -> list[tuple[str, int]]:
    """Return each <private> block and where it starts; depth is counted, unclosed means to the end.

    A tag between backticks is only spoken of.

    >>> private_blocks("a <private>b <private>c</private> d</private> `<private>` e <private>f")
    [('<private>b <private>c</private> d</private>', 2), ('<private>f', 60)]
    """
    from koog.core.text.untrusted import PRIVATE

    found, depth, start = [], 0, -1
    for tag in PRIVATE.finditer(text) if "private" in text.lower() else ():
        if text[tag.start() - 1 : tag.start()] == "`" == text[tag.end() : tag.end() + 1]:
            continue
        if tag["close"]:
            depth -= depth > 0
            if not depth and start >= 0:
                found.append((text[start : tag.end()], start))
                start = -1
            continue
        if not depth:
            start = tag.start()
        depth += 1
    if depth:
        found.append((text[start:], start))
    return found


def _new_lines(text: str, before: Callable[[], bytes | None]) -> str:
    """Return a text, of a large one only the lines that HEAD's version lacks: what is in git was looked through."""
    if len(text) < LARGE or (known := before()) is None:
        return text
    earlier = set(decode(known).split("\n"))
    return "\n".join(line for line in text.split("\n") if line not in earlier)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
