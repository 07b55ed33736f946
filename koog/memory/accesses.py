"""memory/meta/access.jsonl: when each memory was written and spoken of; a log that only grows.  [moltbot §9.3, §9.4]

    {"ts":"2026-02-02T14:30:00Z","id":"episode:2026-02-02:14:30","op":"write","store":"episodic","base":1.0,"why":"remember"}

It is the truth about accesses, of which decay-scores.json is made. Lines may stand in any order, and those of two
clones that were merged may be mixed: how they are folded does not depend on it. Pure.
"""  # noqa: E501  the one line is the format

from __future__ import annotations

from koog.core.files import jsonfiles

FILE = "meta/access.jsonl"  # in the memory folder
WRITE, ACCESS, PIN, UNPIN, ARCHIVE, RESTORE = OPS = ("write", "access", "pin", "unpin", "archive", "restore")


def line(at: str, id_: str, *, op: str, store: str, base: float | None = None, why: str) -> str:
    """Return one access as it is written, with its line end.

    at     RFC 3339 in UTC
    base   of a write: the first relevance, 0 to 1
    why    remember, observe, explicit, linked, consolidated, used
    """
    value: dict[str, object] = {"ts": at, "id": id_, "op": op, "store": store}
    if base is not None:
        value["base"] = base
    return jsonfiles.line({**value, "why": why}) + "\n"
