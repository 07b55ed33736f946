"""Which names never go into a commit: secrets, what is derived or temporary, a person's tools.  [design.md §4 "Git"]"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

SECRETS = ".env .env.* *.key *.pem *.p12 *.pfx id_rsa id_dsa id_ecdsa id_ed25519 .netrc .git-credentials".split()
SAMPLES = {".env.example", ".env.sample", ".env.template"}
PRIVATE = ".koog .git *.tmp *~ .*.sw? .#* .obsidian .trash .stfolder .stversions .ds_store".split()


def is_secret(path: str) -> bool:
    """Say whether a path's name, or a folder's on the way, is one that secrets have.

    >>> [is_secret(p) for p in ("a/.ENV", ".env.local", ".env.example", "x.pem", "notes/keys.md")]
    [True, True, False, True, False]
    """
    return any(part not in SAMPLES and _matches(part, SECRETS) for part in path.lower().split("/"))


def is_private(path: str) -> bool:
    """Say whether a path is derived, temporary or the state of a person's tool: nobody's memory.

    >>> [is_private(p) for p in (".koog/index.db", "memory/x.md~", "Notes/.obsidian/app.json", "memory/x.md")]
    [True, True, True, False]
    """
    return any(_matches(part, PRIVATE) for part in path.lower().split("/"))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
