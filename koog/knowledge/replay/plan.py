"""What a reconstruction has set out to do, and how far it is: kept in the state root, so that it can go on.

    reconstruct/NAME/plan.json    from which commit, by what, which transcripts, how many are done
    reconstruct/NAME/tree/        a working tree of its own: the memory of that commit, without what transcripts taught

A transcript is through when its last piece is written, in one step. Every few of them the plan says so, and what
cursors.json has of them goes: with a thousand it would be longer than all that is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from koog.core.errors import Refused, UsageError
from koog.core.git.refs import is_safe
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.state_root import StateRoot
    from koog.core.run import Run

FOLDER = "reconstruct"
BRANCH = "refs/heads/extract/"


class Plan(NamedTuple):
    """One reconstruction.

    base      the commit that it is compared with
    started   when it began
    paths     the transcripts, the oldest first; done: so many of them are through
    is_laid   whether the working tree is whole
    engine    which answers: it goes on with the one that it began with
    """

    name: str
    base: str
    started: str
    extractors: tuple[str, ...]
    model: str | None
    paths: tuple[str, ...]
    is_laid: bool = False
    done: int = 0
    engine: str = ""

    @property
    def ref(self) -> str:
        return f"{BRANCH}{self.name}"


def named(name: str) -> str:
    """Return the name of a branch's last part. Raises UsageError."""
    if not compiled(r"[^\W_][\w.+-]{0,63}").fullmatch(name) or not is_safe(f"{BRANCH}{name}"):
        raise UsageError(f"--branch {name!r} is no name of a branch", hint="--branch v2-decisions")
    return name


def state(run: Run) -> StateRoot:
    """Return the state root, in which the working tree lies. Raises Refused for a koog that sees none."""
    if run.state_root is None:
        raise Refused("this workspace has no state root that koog sees here", hint=f"koog init {run.root}")
    return run.state_root


def load(root: StateRoot, name: str) -> Plan | None:
    """Return the plan of a reconstruction under way, None for none."""
    value = root.get(_file(name))
    if not isinstance(value, dict):
        return None
    known: dict[str, Any] = {key: value[key] for key in Plan._fields if key in value}
    return Plan(**known | {key: tuple(known[key]) for key in ("extractors", "paths")})


def keep(root: StateRoot, plan: Plan) -> None:
    root.folder(f"{FOLDER}/{plan.name}")
    root.put(_file(plan.name), plan._asdict())


def drop(root: StateRoot, name: str) -> None:
    """Remove a reconstruction's working tree and plan."""
    root.clear(f"{FOLDER}/{name}")


def _file(name: str) -> str:
    return f"{FOLDER}/{name}/plan"
