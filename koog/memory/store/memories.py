"""One thing remembered, whichever store it lies in.  [moltbot §3]"""

from __future__ import annotations

from koog.core.named import NamedTuple
from koog.sessions.labels import NONE, Label

CORE, EPISODIC, SEMANTIC, PROCEDURAL, VAULT = STORES = ("core", "episodic", "semantic", "procedural", "vault")


class Memory(NamedTuple):
    """One thing remembered.

    id       see ids.py
    store    one of STORES
    text     its words
    path     of its file in the workspace
    line     of the file, from 1
    at       when it was written: RFC 3339 in UTC or a day, "" where nobody says so
    label    in which project and group it was said
    pinned   it never fades: a file of the vault, a line of Critical Facts, an entity that says so
    """

    id: str
    store: str
    text: str
    path: str
    line: int
    at: str = ""
    label: Label = NONE
    pinned: bool = False
