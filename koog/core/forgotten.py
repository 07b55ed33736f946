"""memory/meta/forgotten.jsonl: what a person has forgotten, and what keeps it from coming back.  [moltbot §8.3]

    {"ts":"2026-02-05T10:00:00Z","op":"forget","id":"fact:person--ana:0a1b2c3d","batch":"f-1a2b3c","key":"9f2c41d0",
     "words":[[5,"…","…"]],"sources":["…"]}

    forget   the memory is archived: who reads leaves it out
    restore  it is back, and its tombstone is gone
    lift     its tombstone is gone, since the person had it remembered anew; the old memory stays where it is
    delete   it is gone for good; its tombstone stays. `id` is `gone:` and a keyed digest: an id may be a name. `names`
             are digests as `words` are, of what went wherever it stood: no door asks for them, since others may be
             called so; who brings texts of the past back leaves them out

It holds no words. `words` are keyed digests of runs of words (core/text/tombstone.py); the key lies in the state root,
so that nobody who has the file alone can try words on it. `sources` name where something was heard, an entry of a
session, and need no key. So a clone on another machine still hides what is forgotten, and takes nothing from the same
entries again; the same words it cannot know, and `koog doctor` says so. The last word on an id counts, whatever order
the lines of two clones were merged in.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from koog.core.errors import WorkspaceError
from koog.core.files import jsonfiles, keyed
from koog.core.files.tree import FORGOTTEN
from koog.core.named import NamedTuple
from koog.core.text.tombstone import Mark, Marked, mark, reference

if TYPE_CHECKING:
    from koog.core.files.tree import Tree
    from koog.core.files.workspace import Workspace

FORGET, RESTORE, LIFT, DELETE = OPS = ("forget", "restore", "lift", "delete")
FILE = FORGOTTEN
KEY, FIELD = "forgotten-key", "key"  # in the state root
MEMO = "core/forgotten"
GONE = (FORGET, DELETE)
DELETED = "gone"  # of the id of what was deleted for good
BY_STATUS = ("episode", "entity", "procedure", "vault")  # kinds whose files stay as they are


class Row(NamedTuple):
    """One line. key: by what the key of its words is known"""

    ts: str
    op: str
    id: str
    batch: str = ""
    key: str = ""
    words: tuple[Mark, ...] = ()
    sources: tuple[str, ...] = ()
    names: tuple[Mark, ...] = ()


class Hidden(frozenset[str]):
    """Ids of what nobody is told. What was deleted for good is known by the mark of its id, so `in` knows it too."""

    key: bytes | None = None

    @classmethod
    def of(cls, ids: Iterable[str], key: bytes | None) -> Hidden:
        found = cls(ids)
        found.key = key if any(id_.startswith(f"{DELETED}:") for id_ in found) else None
        return found

    def __contains__(self, id_: object) -> bool:
        if super().__contains__(id_):
            return True
        return self.key is not None and isinstance(id_, str) and super().__contains__(mark_of(self.key, id_))


class Forgotten:
    """What holds now.

    hidden   ids of what nobody is told: an entity's stands for all that is known of it
    unknown  how many tombstones have a key that this koog does not have
    """

    def __init__(self, rows: Sequence[Row], key: bytes | None) -> None:
        last, stones = dict[str, Row](), dict[str, Row]()
        for row in sorted(rows, key=lambda row: row.ts):  # of one second as they stand
            if key and row.op == RESTORE:  # remembered anew under the id that it had
                for known in (last, stones):
                    known.pop(mark_of(key, row.id), None)
            if row.op == LIFT:
                stones.pop(row.id, None)
                continue
            last[row.id] = row
            stones.pop(row.id, None)
            if row.op in GONE:
                stones[row.id] = row
        self.rows = rows
        self.last = last
        self.stones = stones
        self.key = key
        self.hidden = Hidden.of((id_ for id_, row in last.items() if row.op in GONE), key)

    def standing(self, id_: str) -> Row | None:
        """Return the last word on a memory, None where there is none; of what was deleted for good too."""
        return self.last.get(id_) or (self.last.get(mark_of(self.key, id_)) if self.key else None)

    @cached_property
    def marked(self) -> Marked:
        """Return the words that are to stay away, as far as this koog can know them."""
        known = known_by(self.key)
        key = self.key or b""
        return Marked((each for row in self.stones.values() if row.key == known for each in row.words), key)

    @cached_property
    def _sources(self) -> frozenset[str]:
        return frozenset(each for row in self.stones.values() for each in row.sources)

    @cached_property
    def deleted(self) -> tuple[Row, ...]:
        """Return the lines of what is deleted for good and was not remembered anew, as far as this koog can know it."""
        known = known_by(self.key)
        rows = (row for row in self.last.values() if row.op == DELETE)
        return tuple(row for row in rows if known and row.key in ("", known))

    @property
    def unknown(self) -> int:
        known = known_by(self.key)
        return sum(bool(row.words) and row.key != known for row in self.stones.values())

    def __bool__(self) -> bool:
        return bool(self.hidden or self.stones)

    def holds(self, text: str, *, sources: Iterable[str] = ()) -> bool:
        """Return whether something was forgotten: the one question at every door by which memory comes in.

        sources   where it was heard, as an observation's comment has it
        """
        if not self.stones:
            return False
        if self._sources and any(reference(each) in self._sources for each in sources if each):
            return True
        return self.marked.holds(text)

    def shown(self, text: str) -> str:
        """Return a text without what is forgotten, no row lost: what a prompt and a reply may have of it."""
        return self.marked.without(text) if self.stones else text

    def lifted(self, text: str) -> list[str]:
        """Return the ids whose tombstones a text would fall under."""
        known = known_by(self.key)
        return [
            id_
            for id_, row in self.stones.items()
            if row.key == known and Marked(row.words, self.key or b"").holds(text)
        ]


NOTHING = Forgotten((), None)


def of(tree: Tree) -> Forgotten:
    """Return what is forgotten in a workspace; a file that cannot be read is a warning, and hides nothing.

    For who only reads: it is kept for as long as the file is the same.
    """
    path = tree.in_memory(FILE)
    try:
        state = tree.state(path)
        known = tree.memo.get(MEMO)
        if known is not None and state is not None and known[0] == state:
            found: Forgotten = known[1]
            return found
        text = tree.text(path)
    except WorkspaceError as e:
        tree.warnings.append(e.message)
        return NOTHING
    if text is None:
        return NOTHING
    made = Forgotten(read(text), known_key(tree))
    tree.memo[MEMO] = (state, made)
    return made


def read(text: str) -> list[Row]:
    """Return a file's lines; one that was cut off, or that a newer koog wrote, is left out."""
    return [row for line in text.split("\n") if line.strip() and (row := _row(line))]


def _row(line: str) -> Row | None:
    with suppress(ValueError, TypeError, KeyError):
        value = jsonfiles.loads(line)
        if value["op"] in OPS and isinstance(value["id"], str) and isinstance(value["ts"], str):
            words = tuple(Mark(int(size), str(anchor), str(whole)) for size, anchor, whole in value.get("words", ()))
            sources = tuple(map(str, value.get("sources", ())))
            told = (str(value.get("batch", "")), str(value.get("key", "")))
            names = tuple(Mark(int(size), str(anchor), str(whole)) for size, anchor, whole in value.get("names", ()))
            return Row(value["ts"], value["op"], value["id"], *told, words, sources, names)
    return None


def line(row: Row) -> str:
    """Return a line as it is written, with its line end."""
    value: dict[str, Any] = {"ts": row.ts, "op": row.op, "id": row.id}
    if row.batch:
        value["batch"] = row.batch
    if row.words or row.names:
        value["key"] = row.key
    for name, marks in (("words", row.words), ("names", row.names)):
        if marks:
            value[name] = [list(each) for each in marks]
    if row.sources:
        value["sources"] = list(row.sources)
    return jsonfiles.line(value) + "\n"


class Said(NamedTuple):
    """What a tombstone is made of.

    texts     the words of a memory, and those of the lines that they came from
    sources   where it was heard
    names     what went with it wherever it stood
    """

    texts: Iterable[str]
    sources: Iterable[str] = ()
    names: Iterable[str] = ()


def stone(key: bytes, *, ts: str, op: str, id: str, batch: str, said: Said) -> Row:
    """Return the line that archives a memory, with its tombstone."""
    words, names = (
        dict.fromkeys(each for text in some if (each := mark(text, key))) for some in (said.texts, said.names)
    )
    heard = dict.fromkeys(reference(each) for each in said.sources if each)
    return Row(ts, op, id, batch, known_by(key), tuple(words), tuple(heard), tuple(names))


def mark_of(key: bytes, id_: str) -> str:
    """Return what stands for the id of what was deleted for good: an entity's id is its name."""
    return f"{DELETED}:{keyed.digest(key, id_.encode('utf-8', 'surrogatepass'))[:16]}"


# --- the key


def known_by(key: bytes | None) -> str:
    """Return by what a key is known, "" for none; it tells nothing of it."""
    return reference(key.hex())[:8] if key else ""


def known_key(tree: Tree) -> bytes | None:
    """Return the key, None where there is none: then words cannot be known.

    It lies in the state root, or in `.koog/` for a koog that sees none.
    """
    with suppress(WorkspaceError, ValueError, TypeError, KeyError):
        value = tree.state_root.get(KEY) if tree.state_root else None
        data = None if value else tree.own.read(f"{KEY}.json")
        value = value or (jsonfiles.loads(data) if data else None)
        return bytes.fromhex(value[FIELD]) if value else None
    return None


def key_of(workspace: Workspace) -> bytes:
    """Return the key, made at the first call; only under the write lock. Raises WorkspaceError."""
    if found := known_key(workspace):
        return found
    made = os.urandom(32)
    if workspace.dry_run:
        return made
    if workspace.state_root:
        workspace.state_root.put(KEY, {FIELD: made.hex()})
    else:
        workspace.cache(f"{KEY}.json", jsonfiles.pretty({FIELD: made.hex()}))
    return made


def hides(hidden: frozenset[str], id_: str) -> bool:
    """Return whether a memory that stands in its file is archived: by its status, or its entity's.

    Any other is archived by no longer standing there: who has it remembered anew may be told of it.

    >>> hides(frozenset({"entity:person--ana", "core:0a1b2c3d"}), "fact:person--ana:0a1b2c3d")
    True
    """
    kind, _, name = id_.partition(":")
    of = f"entity:{name.rpartition(':')[0]}" if kind == "fact" else id_
    return of in hidden and (kind == "fact" or kind in BY_STATUS)
