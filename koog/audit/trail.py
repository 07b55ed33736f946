"""How a memory came to stand where it does: what reflections wrote, reworded, moved or put away of it.  [moltbot §12.7]

A line is known elsewhere by the same words, and by what stands behind it: of what it was made, what it replaces, by
what it was replaced. Back from it and on from it all of these are followed, and never back again: two facts that were
made of one saying are two matters. Which reflection it was the log of accesses tells, else the commit it came with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from koog.audit import blame, log
from koog.audit.log import Wanted
from koog.consolidate.plan_rows import CHANGED, OF
from koog.core.clip import clip
from koog.core.files import jsonfiles
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.memory.fading import accesses
from koog.memory.fading.accesses import ACCESS, ARCHIVE, WRITE, Access
from koog.memory.store import changes, ids
from koog.memory.store import line as lines

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.memory.forgetting.targets import Target

MOST = 8  # memories that are told
SHOWN_CHARS = 120
ACTOR = r"reflection:(r-\d{3,12})"
WHY = rf"reflection (r-\d{{3,12}})(?:{CHANGED})?"
DID = {WRITE: "wrote", ACCESS: "linked", ARCHIVE: "archived"}
ENDED, MOVED, SAID = "ended", "moved", "said"
IN_FILE = ("wrote", "linked", ENDED, MOVED)  # what is archived stays as it stands in its file


class Step(NamedTuple):
    """What was done to one memory.

    did         said: no reflection; wrote, moved, ended, linked, archived: what one did
    reflection  which one, None for none
    entry       the last line of the audit log that tells of it
    """

    id: str
    path: str
    line: int
    text: str
    did: str
    at: str
    reflection: str | None
    entry: Mapping[str, Any] | None


class _Links:
    """How the memories of a workspace hang together, by their ids."""

    def __init__(self, run: Run, every: Sequence[Target]) -> None:
        self.of = {each.id: each for each in reversed(every)}
        rows = {path: (run.workspace.text(path) or "").split("\n") for path in {each.path for each in every}}
        self.values = {
            id_: lines.read(rows[each.path][each.line - 1 + (each.kind == ids.EPISODE)]).values
            for id_, each in self.of.items()
        }
        self.same: dict[str, list[str]] = defaultdict(list)
        self.back: dict[str, list[str]] = defaultdict(list)
        self.on: dict[str, list[str]] = defaultdict(list)
        for id_, each in self.of.items():
            if each.kind != ids.ENTITY:
                self.same[ids.of_words(each.text)].append(id_)
        for id_, values in self.values.items():
            for older in (*_listed(values.get(OF)), *_listed(values.get(lines.REPLACES))):
                self._link(older, id_)
            for newer in _listed(values.get(lines.BY)):
                self._link(id_, newer)
        later = changes.of(run)
        for id_ in later.rows.keys() & self.of.keys():
            if replaced := later.replaced(id_):
                self._link(id_, replaced.by)

    def _link(self, older: str, newer: str) -> None:
        if older in self.of and newer in self.of:
            self.back[newer].append(older)
            self.on[older].append(newer)

    def around(self, id_: str) -> list[Target]:
        """Return a memory with all from which it comes, and all that has come of it."""
        found = dict.fromkeys((*self._reached(id_, self.back), *self._reached(id_, self.on)))
        return [self.of[each] for each in found][:MOST]

    def _reached(self, id_: str, links: Mapping[str, Sequence[str]]) -> Iterable[str]:
        found = dict[str, None]()
        waiting = [id_]
        while waiting:
            each = waiting.pop(0)
            if each not in found and each in self.of:
                found[each] = None
                twins = () if self.of[each].kind == ids.ENTITY else self.same[ids.of_words(self.of[each].text)]
                waiting += [*twins, *links.get(each, ())]
        return found


def of(run: Run, target: Target, every: Sequence[Target]) -> list[dict[str, Any]]:
    """Return what was done to a memory, and to all that it comes from or became, the earliest first."""
    links = _Links(run, every)
    around = links.around(target.id)
    logged: dict[str, list[Access]] = defaultdict(list)
    for access in accessed(run):
        logged[access.id].append(access)
    found = [step for each in around for step in _steps(run, each, links.values[each.id], logged[each.id])]
    return [step._asdict() for step in sorted(found, key=lambda step: step.at)]


def accessed(run: Run) -> Iterator[Access]:
    """Yield all that the log of accesses has."""
    tree = run.workspace
    folder = tree.in_memory(accesses.FOLDER)
    for path in (tree.in_memory(accesses.FILE), *(f"{folder}/{name}" for name in tree.names(folder, ".jsonl"))):
        yield from accesses.read(tree.text(path) or "").accesses


def _steps(run: Run, target: Target, values: Mapping[str, str], logged: Sequence[Access]) -> Iterator[Step]:
    """Yield what was done to one memory: by reflections, and how it came there where it was none."""
    slept = {(DID[each.op], name): each.at for each in logged if each.op in DID and (name := _reflection(each))}
    for (did, name), at in slept.items():
        yield _step(run, target, did, at, name)
    is_past = lines.UNTIL in values
    if not any(did == DID[WRITE] for did, _ in slept):
        made = _origin(run, target, is_first=is_past)
        did = SAID if made is None else MOVED if target.kind == ids.EPISODE else DID[WRITE]
        yield _step(run, target, did, next((e.at for e in logged if e.op == WRITE), target.at), made)
    if is_past and target.kind == ids.FACT:
        yield _step(run, target, ENDED, values[lines.UNTIL], _origin(run, target, is_first=False))


def _step(run: Run, target: Target, did: str, at: str, reflection: str | None) -> Step:
    wanted = Wanted(actor=f"reflection:{reflection}", file=target.path)
    found = log.entries(run.workspace, wanted) if reflection and did in IN_FILE else iter(())
    entry = next((log.told(each) for each in found), None)
    return Step(target.id, target.path, target.line, clip(target.text, SHOWN_CHARS), did, at, reflection, entry)


def _reflection(access: Access) -> str | None:
    """Return the reflection that an access is of."""
    with suppress(ValueError):
        found = compiled(WHY).fullmatch(str(jsonfiles.loads(access.raw).get("why")))
        return found[1] if found else None
    return None


def _origin(run: Run, target: Target, *, is_first: bool) -> str | None:
    """Return the reflection with whose commit a line came, or was changed last. is_first: where its words came"""
    if is_first:
        actor = blame.first_with(run, target.path, target.text).actor
    else:
        data = run.workspace.read(target.path) or b""
        number = min(target.line + (target.kind == ids.EPISODE), len(data.splitlines()))
        actor = next((each.actor for each in blame.origins(run, target.path, data, number)), None) if data else None
    found = compiled(ACTOR).fullmatch(actor or "")
    return found[1] if found else None


def _listed(told: str | None) -> list[str]:
    return [each for each in (told or "").split(";") if each]
