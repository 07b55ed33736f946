"""Zstandard, by whichever package is here: the standard library has it from Python 3.14 on, `zstandard` brings it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

Unpack = Callable[[bytes], bytes]


@cache
def unpacker() -> Unpack | None:
    """Return the function that unpacks a frame, None when nothing here can."""
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]

        unpack: Unpack = zstd.decompress
    except ImportError:
        try:
            import zstandard
        except ImportError:
            return None

        def unpack(data: bytes) -> bytes:
            # A frame need not say how long its content is; a stream does not mind.
            with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as unpacked:
                return unpacked.read()

    return unpack


def stream(file: Any) -> Any:
    """Return what reads a compressed file as it was. Raises ImportError when nothing here can."""
    try:
        from compression import zstd

        return zstd.ZstdFile(file)
    except ImportError:
        import zstandard

        return zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
