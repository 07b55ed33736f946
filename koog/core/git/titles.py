"""What a commit's title and list say was done: what git shows, in moltbot's words.  [moltbot §12.3, §12.4]"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from koog.core.files.record import Change

VERBS = {"A": "CREATE", "D": "DELETE"}
ONLY_BY = {"CREATE": "A", "DELETE": "D"}  # a verb, and what git must show for it to be true


def once(changes: Sequence[Change]) -> list[Change]:
    """Return one change a file with all that was done to it, in the order in which the files were first touched."""
    seen: dict[str, Change] = {}
    for change in changes:
        earlier = seen.get(change.path)
        told = earlier.summary.split("; ") if earlier else []
        summary = "; ".join(dict.fromkeys([*told, change.summary]))
        action = change.action if earlier is None or earlier.action == change.action else _joined(earlier.action)
        first = earlier or change
        seen[change.path] = first._replace(action=action, summary=summary, to=change.to or first.to)
    return list(seen.values())


def verbs(changes: Sequence[Change], kinds: Mapping[str, str]) -> list[Change]:
    """Return the changes that a commit holds, each with a verb that is true.

    kinds   path → A(dded), M(odified), D(eleted): what git shows; paths beside the changes are only told when
            there is nothing else
    """
    told = []
    for change in changes:
        if change.to and (kinds.get(change.path), kinds.get(change.to)) == ("D", "A"):
            told.append(change)
            continue
        for path in change.paths:
            if path in kinds:
                told.append(change._replace(path=path, to=None, action=_true(change.action, kinds[path])))
    if told:
        return told
    summary = changes[0].summary if changes else ""
    return [Change(_true("APPEND", kind), path, summary) for path, kind in kinds.items()]


def _joined(first: str) -> str:
    return first if first in ("CREATE", "RENAME") else "EDIT"


def _true(action: str, kind: str) -> str:
    if kind in VERBS:
        return VERBS[kind]
    return "EDIT" if action in (*ONLY_BY, "RENAME") else action
