"""Loose objects into one pack, when months of commits have piled them up.  [design.md §4 "Git"]

`git gc` would do it, with the programs that a repository's configuration names. Nothing
is thrown away here: what no branch leads to is packed with the rest, and git's own gc,
when a person runs it, decides about that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from koog.core.errors import WorkspaceError
from koog.core.git.fenced import Fenced
from koog.core.git.process import ask
from koog.core.lazy_regex import compiled

PER_FOLDER = 27  # git's own estimate: that many in one of 256 folders means 6,700 objects
LOOSE = compiled(r"[0-9a-f]{38}(?:[0-9a-f]{24})?")


def pack_when_many(top: Path, store: Fenced, own: Fenced, env: Mapping[str, str]) -> None:
    """Pack a repository's loose objects where there are many; leave all as it is when git cannot."""
    try:
        if len(store.names("17")) <= PER_FOLDER:
            return
        names = _loose(store)
        command = ("pack-objects", "--quiet", "--non-empty", "--window=10", str(own.path / "objects/pack"))
        said = ask(top, *command, stdin="".join(f"{name}\n" for name in names).encode(), env=env, extra_s=600.0)
        pack = f"pack-{said.decode().strip()}"
        if store.info("pack") is None:
            store.make("pack")
        for end in (".pack", ".idx"):  # the index last: git believes in a pack that has one
            data = own.read(f"objects/{pack}{end}")
            if data is None:
                raise WorkspaceError(f"no {pack}{end}")
            store.put(f"pack/{pack}{end}", data, mode=0o444)
        for name in names:
            store.remove(f"{name[:2]}/{name[2:]}")
    except WorkspaceError:
        return  # more files than need be, and nothing worse
    finally:
        _clear(own)


def _loose(store: Fenced) -> list[str]:
    folders = [f"{number:02x}" for number in range(256)]
    return [folder + name for folder in folders for name in store.names(folder) if LOOSE.fullmatch(name)]


def _clear(own: Fenced) -> None:
    for name in own.names("objects"):
        if name.startswith("pack-"):
            own.remove(f"objects/{name}")
