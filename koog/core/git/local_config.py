"""A repository's own configuration, read as data: what it may say to koog's git, and what it may not.  [design.md §4]

Whoever can write `.git/config` can name programs there, and other places. Nothing of
it counts but the keys that say how the repository is stored, where its branch is
pushed and who its owner is.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path

from koog.core.errors import WorkspaceError
from koog.core.git.fenced import Fenced
from koog.core.git.process import checked, run
from koog.core.named import NamedTuple

LIMIT = 1024 * 1024
FORMATS = {"objectformat", "partialclone", "worktreeconfig", "preciousobjects", "noop", "refstorage"}
FORMATS |= {"relativeworktrees", "submodulepathconfig"}
COUNT = frozenset(
    (
        *"core.filemode core.ignorecase core.symlinks core.autocrlf core.eol core.precomposeunicode".split(),
        *"core.protecthfs core.protectntfs core.checkstat core.trustctime core.bigfilethreshold".split(),
        *"core.sparsecheckout core.sparsecheckoutcone index.sparse extensions.objectformat".split(),
        *"user.name user.email author.name author.email committer.name committer.email".split(),
    )
)
# What runs a program, or leads elsewhere.
DANGEROUS = (
    r"filter\..+|include(if\..+)?\.path|core\.(sshcommand|askpass|fsmonitor|hookspath|gitproxy|alternaterefscommand"
    r"|attributesfile|excludesfile|worktree)|url\..+\.(push)?insteadof|remote\..+\.(receivepack|uploadpack|proxy|vcs)"
    r"|credential\..+|http\..+|hook\..+|diff\..+\.(command|textconv)|merge\..+\.driver|gpg\.(.+\.)?program"
    r"|gc\.recentobjectshook|lfs\..+|protocol\..+|push\.(gpgsign|pushoption)|ssh\.variant"
)


class LocalConfig(NamedTuple):
    """The configuration of one repository.

    rows  every key, its section and name in small letters, with its value; of two the later counts
    """

    rows: tuple[tuple[str, str], ...] = ()

    def get(self, key: str) -> str | None:
        """Return the last value of a key, None when nothing gives it one."""
        return next((value for name, value in reversed(self.rows) if name == key), None)

    def all(self, key: str) -> list[str]:
        return [value for name, value in self.rows if name == key]

    def is_on(self, key: str, *, default: bool) -> bool:
        """Return whether a key that is true or false is true."""
        value = self.get(key)
        return default if value is None else value.lower() not in ("false", "no", "off", "0")

    @property
    def format(self) -> str:
        """Return the hash that names the repository's objects. Raises WorkspaceError for a form koog does not know."""
        for key, value in self.rows:
            if key.startswith("extensions.") and key.removeprefix("extensions.") not in FORMATS:
                raise WorkspaceError(f"the repository is stored in a form that koog does not know: {key}={value}")
        if (self.get("extensions.refstorage") or "files") != "files":
            hint = "git refs migrate --ref-format=files"
            raise WorkspaceError("the repository keeps its branches in a reftable, which koog cannot write", hint=hint)
        found = self.get("extensions.objectformat") or "sha1"
        if found not in ("sha1", "sha256"):
            raise WorkspaceError(f"the repository is stored in a form that koog does not know: {found}")
        return found

    @property
    def ignored(self) -> list[str]:
        """Return the names of the keys that koog does not honour although they would have an effect."""
        return list(dict.fromkeys(key for key, _ in self.rows if re.fullmatch(DANGEROUS, key, re.DOTALL)))

    def text(self, storage: Path) -> str:
        """Return the configuration that counts, as a file. storage: where git-lfs keeps this repository's files."""
        rows = [(key, value) for key, value in self.rows if key in COUNT]
        extended = any(key.startswith("extensions.") for key, _ in rows)
        # A shared part of an index lies beside it, where koog's git does not write.
        fixed = [("core.repositoryformatversion", "1" if extended else "0"), ("core.bare", "false")]
        fixed += [
            ("core.splitindex", "false"),
            ("core.logallrefupdates", "false"),
            ("gc.auto", "0"),
            ("lfs.storage", str(storage)),
        ]
        return "".join(
            f"[{key.partition('.')[0]}]\n\t{_name(key)} = {_quoted(value)}\n" for key, value in [*fixed, *rows]
        )


def read(own: Fenced, common: Fenced) -> tuple[bytes, bytes]:
    """Return the bytes of a repository's configuration, and of this working tree's part of it."""
    return common.read("config", limit=LIMIT) or b"", own.read("config.worktree", limit=LIMIT) or b""


@lru_cache(maxsize=16)
def parse(raw: tuple[bytes, ...]) -> LocalConfig:
    """Return what configuration files say, by git's own reading of them. Raises WorkspaceError for broken ones."""
    rows: list[tuple[str, str]] = []
    for data in raw:
        if not data.strip():
            continue
        done = run(Path("/"), "config", "--file", "-", "--no-includes", "--null", "--list", stdin=data)
        for entry in os.fsdecode(checked(done)).split("\0")[:-1]:
            key, equals, value = entry.partition("\n")
            rows.append((key, value if equals else "true"))
    return LocalConfig(tuple(rows))


def _name(key: str) -> str:
    return key.rpartition(".")[2]


def _quoted(value: str) -> str:
    for plain, written in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(plain, written)
    return f'"{value}"'
