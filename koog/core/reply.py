"""The one line that every command prints.  [style.md §3.2]"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from koog.core.errors import KoogError

if TYPE_CHECKING:
    from koog.core.view import Section

RESERVED = ("ok", "error", "_meta")
MESSAGE_CHARS = 500  # of an error: it quotes what it was given, which may be a megabyte or a key


class Reply:
    """What a command returns: its schema's name and the flat keys that the caller reads.

    view   what `--human` shows in place of the generic tables, None for those
    """

    view: Sequence[Section] | None = None

    def __init__(self, schema: str, /, **keys: Any) -> None:
        clash = [k for k in keys if k in RESERVED]
        if clash:
            raise ValueError(f"{schema}: reserved keys {clash}")
        self.schema = schema
        self.keys = keys


class Stream:
    """What a command returns that goes on: whole objects, each printed as a line of its own when it comes.

    They are made by `success` and `failure`; an error that the iterator raises is the last line.
    """

    def __init__(self, lines: Iterator[dict[str, Any]]) -> None:
        self.lines = lines


class HostReply(Reply):
    """What a host's hook returns: one JSON object in the host's own form, printed as it is.  [design §2]"""

    def __init__(self, answer: dict[str, Any], /) -> None:
        super().__init__("koog.hook/1", **answer)


def success(reply: Reply, meta: dict[str, Any]) -> dict[str, Any]:
    """Return the whole object of a command that did its work."""
    return {"ok": True, **reply.keys, "_meta": {"schema": reply.schema, **meta}}


def failure(error: KoogError, meta: dict[str, Any]) -> dict[str, Any]:
    """Return the whole object of a command that failed: what, the next command, and whether to try again."""
    return {
        "ok": False,
        "error": {
            "code": error.code,
            "message": told(error.message),
            "hint": error.hint,
            "retryable": error.retryable,
        },
        "_meta": {"schema": "koog.error/1", **meta},
    }


def told(message: str) -> str:
    """Return an error's words as they may be shown: short, and without a secret or private block that they quote."""
    from koog.core.text.untrusted import clean  # only failures pay for it

    return clean(message[: 4 * MESSAGE_CHARS])[:MESSAGE_CHARS]


def line(value: dict[str, Any]) -> str:
    """Return the object as one line of ASCII, compact, never with NaN.

    ASCII, because U+2028 and U+0085 are line breaks to many readers, and a line
    that some reader splits is two lines.
    """
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    if "\\ud" in text:  # a letter of two halves, or half of one: a byte that was not UTF-8, which strict readers refuse
        halves = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        whole = halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        text = json.dumps(json.loads(whole), ensure_ascii=True, separators=(",", ":"))
    return text
