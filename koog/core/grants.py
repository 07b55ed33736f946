"""grants.json: what a person has approved in a turn of their own, until it is used.  [design §4 "A person's word"]

    [{"id": "rn", "digest": "9f…", "ts": "2026-11-21T10:00:00Z", "witness": {"file": "/…/8c5e.jsonl", "prompt": "5a…"}}]

It lies in the state root, which no agent can write. A grant holds for one id and one digest, once, for some days. One
with a witness holds only if the host's own transcript says that a person typed it: see `_witnessed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from koog.core import clock
from koog.core.errors import WorkspaceError
from koog.core.files import host, jsonfiles
from koog.core.text import consent

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot

NAME = "grants"
LOCK = "grants.lock"
DAYS = 3  # an agent acts on the same day; over a weekend is enough
MOST = 50  # the newest stay


def give(
    root: StateRoot,
    approved: Mapping[str, str],
    *,
    now: datetime,
    witness: Mapping[str, str] | None = None,
    wait_s: float = 10.0,
) -> None:
    """Add a grant for each id → digest, in place of the id's older one. Raises WorkspaceError, Busy."""
    more = {"witness": dict(witness)} if witness else {}
    new = [{"id": id_, "digest": digest, "ts": clock.iso(now), **more} for id_, digest in approved.items()]
    with root.locked(LOCK, wait_s=wait_s):
        kept = [row for row in _young(root, now) if row["id"] not in approved]
        root.put(NAME, [*kept, *new][-MOST:])


def use(root: StateRoot, *, id: str, digest: str, now: datetime, keep: bool = False) -> bool:
    """Return whether there is a grant for this, and take it away, except to `keep` it. Raises WorkspaceError, Busy."""
    found = [row for row in _young(root, now) if _is_for(row, id, digest) and _witnessed(row)]
    if not found or keep:
        return bool(found)
    with root.locked(LOCK):
        rows = _young(root, now)
        root.put(NAME, [row for row in rows if row not in found])
    return any(row in rows for row in found)  # or another koog was quicker


def _young(root: StateRoot, now: datetime) -> list[dict[str, Any]]:
    """Return the grants that have not expired."""
    found = root.get(NAME)
    rows = [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []
    since = now - timedelta(days=DAYS)
    return [row for row in rows if (ts := clock.parse(row.get("ts"))) and ts > since and isinstance(row.get("id"), str)]


def _is_for(row: dict[str, Any], id_: str, digest: str) -> bool:
    return bool(row["id"] == id_ and row.get("digest") == digest)


def _witnessed(row: dict[str, Any]) -> bool:
    """Return whether the transcript has a turn of this prompt that a person typed, and that says so.

    Claude Code calls its hook for prompts that the model has scheduled and for other sessions' messages too, with
    nothing in the call that tells (anthropics/claude-code issue 94675). Its transcript tells, but is written
    after the hook (both seen in 2.1.197): so it is read when the grant is used.
    """
    witness = row.get("witness")
    if not isinstance(witness, dict):
        return True
    path, prompt = Path(str(witness.get("file"))), str(witness.get("prompt"))
    try:
        text = host.read(path.parent, path.name) or ""
    except WorkspaceError:
        return False
    return any(_says(line, prompt, row["id"]) for line in text.split("\n") if prompt in line)


def _says(line: str, prompt: str, id_: str) -> bool:
    try:
        record = jsonfiles.loads(line.encode("utf-8", "surrogateescape"))
    except ValueError:
        return False
    if not isinstance(record, dict) or record.get("type") != "user" or record.get("promptId") != prompt:
        return False
    if record.get("isMeta") or record.get("isSidechain") or record.get("promptSource") != "typed":
        return False
    message, origin = record.get("message"), record.get("origin")
    content = message.get("content") if isinstance(message, dict) else None
    typed = isinstance(origin, dict) and origin.get("kind") == "human"
    return typed and id_ in consent.approved(_words(content))


def _words(content: Any) -> str:
    """Return a message's text: a string, or the first block of text, which is what was typed."""
    if isinstance(content, str):
        return content
    blocks = (
        [b["text"] for b in content if isinstance(b, dict) and isinstance(b.get("text"), str)]
        if isinstance(content, list)
        else []
    )
    return blocks[0] if blocks else ""
