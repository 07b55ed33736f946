"""What a sync may do to a file that stands in the workspace already.  Pure.  [sinain §3.3, §7.4]

always-overwrite   HEARTBEAT.md, SKILL.md; .json, .sh and .txt of the scripts; a module's manifest.json
deploy-once        .py, .md and whatever else the scripts have; module-registry.json, patterns.md and whatever
                   else the modules have: the agent owns it once it is there
"""

from __future__ import annotations

from enum import StrEnum


class Policy(StrEnum):
    ALWAYS_OVERWRITE = "always-overwrite"
    DEPLOY_ONCE = "deploy-once"


class Action(StrEnum):
    """What became of one file.

    unchanged, kept   it stands as the source has it: of an overwritten kind, of one that is deployed once
    drift             deployed once, and different from the source since
    """

    CREATED = "created"
    OVERWRITTEN = "overwritten"
    KEPT = "kept"
    UNCHANGED = "unchanged"
    DRIFT = "drift"
    REFUSED = "refused"


OVERWRITTEN_SCRIPTS = (".json", ".sh", ".txt")
MANIFEST = "manifest.json"


def of_script(path: str) -> Policy:
    """Return the policy of a file in the scripts' folder.

    >>> [of_script(p).value for p in ("koog-config.json", "tick.py", "git_backup.sh", "Makefile")]
    ['always-overwrite', 'deploy-once', 'always-overwrite', 'deploy-once']
    """
    return Policy.ALWAYS_OVERWRITE if path.endswith(OVERWRITTEN_SCRIPTS) else Policy.DEPLOY_ONCE


def of_module(path: str) -> Policy:
    """Return the policy of a file in the modules' folder, by its path in there.

    >>> [of_module(p).value for p in ("rn/manifest.json", "rn/patterns.md", "module-registry.json", "rn/x.json")]
    ['always-overwrite', 'deploy-once', 'deploy-once', 'deploy-once']
    """
    parts = path.split("/")
    return Policy.ALWAYS_OVERWRITE if len(parts) == 2 and parts[1] == MANIFEST else Policy.DEPLOY_ONCE


def action(policy: Policy, *, present: str | None, wanted: str) -> Action:
    """Return what happens to a file.

    present   its text in the workspace, None when there is none; an empty file stands, too
    """
    if present is None:
        return Action.CREATED
    same = present == wanted
    if policy is Policy.ALWAYS_OVERWRITE:
        return Action.UNCHANGED if same else Action.OVERWRITTEN
    return Action.KEPT if same else Action.DRIFT
