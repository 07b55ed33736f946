"""init --hooks: what git itself looks at when a person or an agent commits.  [autopoiesis §3.5]

    pre-commit    MEMORY.md has at most 200 lines, a transcript has frontmatter, a topic has triggers
    post-commit   the index is brought up to date, in the background

Transcripts that lie beside the workspace are a repository of their own, which gets a pre-commit, too.

They are never the only guard: koog's own commits run no hook, and its own laws hold without them. A hook that a person
has stays as it is; koog's then lies beside it, under a name of its own. Where core.hooksPath names another folder, git
never looks at koog's: that folder is the person's, or is committed, so a person is told and nothing is put there.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from koog.core.errors import Refused
from koog.core.files.atomic import decode
from koog.core.git import conversations
from koog.core.git.fenced import Fenced
from koog.core.git.repository import Git
from koog.core.run import Run

FOLDER = "hooks"
MARK = "# koog: made by koog init --hooks, and replaced by it"
MANY_SHARE = 0.9  # of the lines that MEMORY.md may have: from there on the hook warns
PRE_COMMIT = r"""#!/bin/sh
%(mark)s
# What is looked at is what is staged, not what lies in the folder.
status=0
for f in MEMORY.md knowledge/memory/MEMORY.md; do
  if ! git diff --cached --quiet --diff-filter=d -- "$f"; then
    lines=$(git show ":./$f" | wc -l)
    if [ "$lines" -gt %(most)d ]; then
      echo "ERROR: $f has $lines lines, and may have %(most)d: take some out before you commit" >&2
      status=1
    elif [ "$lines" -gt %(many)d ]; then
      echo "WARNING: $f has $lines lines (cap: %(most)d)" >&2
    fi
  fi
done
git diff --cached --name-only --diff-filter=d -z --relative -- \
  'conversations/*.md' 'raw/conversations/*.md' 'knowledge/*.md' 'topics/*.md' |
  tr '\0\n' '\n?' | while IFS= read -r f; do
    first=$(git show ":./$f" 2>/dev/null | head -n 1)
    case "$f" in
      conversations/* | raw/conversations/*)
        [ "$first" = "---" ] || { echo "ERROR: $f has no frontmatter" >&2; exit 1; } ;;
      topics/*) git show ":./$f" | grep -q '^triggers:' || echo "WARNING: $f has no triggers" >&2 ;;
      *) [ "$first" = "---" ] || echo "WARNING: $f has no frontmatter" >&2 ;;
    esac
  done || status=1
exit $status
"""
POST_COMMIT = r"""#!/bin/sh
%(mark)s
# The index takes in what has changed; whoever commits does not wait for it.
(%(koog)s index >/dev/null 2>&1 </dev/null &)
exit 0
"""
HOOKS = {"pre-commit": PRE_COMMIT, "post-commit": POST_COMMIT}


def put(run: Run, program: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """Put the hooks into the workspace's repository; return a row for each, and what is left for a person to do.

    Raises Refused where there is no repository of the workspace's own, WorkspaceError.
    """
    git = Git.find(run.root, state=run.state_root)
    if git is None or git.place.top != run.root:
        raise Refused("git's hooks are of a repository, and the workspace has none of its own", hint="koog init")
    rows, following = _put(run, git, list(HOOKS), program)
    run.workspace.make_raw()
    if raw := conversations.find(run.workspace, make=True):
        more, words = _put(run, raw, ["pre-commit"], program)
        return rows + more, following + words
    return rows, following


def _put(run: Run, git: Git, names: Sequence[str], program: Sequence[str]) -> tuple[list[dict[str, Any]], list[str]]:
    folder = Fenced(git.place.common)
    shown = ".git" if git.place.top == run.root else str(git.place.common)
    rows, following, texts = list[dict[str, Any]](), list[str](), _texts(run, program)
    for name in names:
        text = texts[name]
        present = folder.read(f"{FOLDER}/{name}")
        target = name if present is None or MARK in decode(present) else f"koog-{name}"
        path = f"{FOLDER}/{target}"
        is_same = folder.read(path) == text.encode()
        if not is_same:
            folder.make(FOLDER)
            folder.put(path, text.encode(), mode=0o777)
        rows.append({"name": name, "path": f"{shown}/{path}", "changed": not is_same})
        if target != name:
            following.append(f"the hook {name} is yours and stays: let it call {shown}/{path}")
    if elsewhere := git.hooks_elsewhere():
        calls = " and ".join(f"{shown}/{FOLDER}/{name}" for name in names)
        following.append(f"git runs the hooks of {elsewhere} (core.hooksPath) alone: let those there call {calls}")
    return rows, following


def _texts(run: Run, program: Sequence[str]) -> dict[str, str]:
    """Return name → text of the hooks."""
    most = int(run.settings.get("knowledge.memoryLines"))
    koog = shlex.join([*program, "--workspace", str(run.root)])
    told = {"mark": MARK, "most": most, "many": int(most * MANY_SHARE), "koog": koog}
    return {name: text % told for name, text in HOOKS.items()}
