"""The branch's upstream, read as data: where a person's own `git push` would go.  [design.md §4 "Git"]"""

from __future__ import annotations

from koog.core.git.local_config import LocalConfig
from koog.core.git.refs import is_safe
from koog.core.named import NamedTuple


class Upstream(NamedTuple):
    """Where a branch goes.

    remote    the remote's name
    url       its address for pushes
    ref       the branch there: refs/heads/…
    tracking  where the repository remembers what the remote had, None where it does not
    """

    remote: str
    url: str
    ref: str
    tracking: str | None


def of(branch: str | None, local: LocalConfig) -> Upstream | None:
    """Return the upstream of a branch, None without one, or with several addresses."""
    remote, ref = local.get(f"branch.{branch}.remote"), local.get(f"branch.{branch}.merge")
    if not branch or not remote or remote == "." or not ref or not ref.startswith("refs/heads/") or not is_safe(ref):
        return None
    urls = local.all(f"remote.{remote}.pushurl") or local.all(f"remote.{remote}.url")
    if len(urls) != 1:
        return None
    tracking = f"refs/remotes/{remote}/{ref.removeprefix('refs/heads/')}"
    return Upstream(remote, urls[0], ref, tracking if is_safe(tracking) else None)


def remotes(local: LocalConfig) -> list[str]:
    """Return the names of the remotes."""
    keys = [key for key, _ in local.rows if key.startswith("remote.") and key.endswith((".url", ".pushurl"))]
    return list(dict.fromkeys(key.removeprefix("remote.").rpartition(".")[0] for key in keys))
