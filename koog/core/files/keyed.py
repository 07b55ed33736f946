"""HMAC-SHA-256 of many short texts with one key: what the key alone decides is hashed once, not for each text.

A whole log is verified by two of these for each line, so that they are most of what it costs.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import _Hash

BLOCK = 64  # bytes that SHA-256 takes at once; a longer key is hashed first, as RFC 2104 says


def digest(key: bytes, text: bytes) -> str:
    """Return the HMAC-SHA-256 of a text, in hex.

    >>> digest(b"key", b"The quick brown fox jumps over the lazy dog")[:16]
    'f7bc83f430538424'
    """
    inner, outer = _begun(key)
    inner, outer = inner.copy(), outer.copy()
    inner.update(text)
    outer.update(inner.digest())
    return outer.hexdigest()


@lru_cache(maxsize=8)
def _begun(key: bytes) -> tuple[_Hash, _Hash]:
    """Return the inner and the outer hash, each with the key in it and nothing else."""
    whole = (sha256(key).digest() if len(key) > BLOCK else key).ljust(BLOCK, b"\0")
    return sha256(bytes(byte ^ 0x36 for byte in whole)), sha256(bytes(byte ^ 0x5C for byte in whole))
