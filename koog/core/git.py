"""Git: commits that disturb nobody, and a push that cannot hang.  [design.md §4 "Git"; moltbot §12.3]

A commit is HEAD plus exactly the named paths, put together in a private index; the branch
moves only from the commit that was read. The person's own index follows for those paths
alone, and only where it held what HEAD held: what somebody staged stays staged.

Own files, in the git folder because they belong to its index: `koog/lock`, `koog/index`
(while a commit is made) and `koog/behind.json` (what a locked index is still owed).
"""

from __future__ import annotations

import fcntl
import json
import os
import posixpath
import re
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from koog.core.errors import Busy, WorkspaceError

if TYPE_CHECKING:
    import subprocess

    Done = subprocess.CompletedProcess[bytes]

# Of git's variables only those that say how to reach a remote, who commits and which
# config counts are kept: a hook that calls koog exports GIT_DIR, GIT_INDEX_FILE and more.
KEPT_VARIABLES = re.compile(
    r"GIT_(SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS|EXEC_PATH|(SSL|HTTP|PROXY)_\w+|(AUTHOR|COMMITTER)_(NAME|EMAIL)"
    r"|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|(KEY|VALUE)_\d+))"
)
NO_PROMPT = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GCM_INTERACTIVE": "never", "GIT_OPTIONAL_LOCKS": "0"}

QUIET = (
    # update-ref and update-index have hooks, too
    *("-c", f"core.hooksPath={os.devnull}"),
    # a power cut must not leave the branch on an empty object: by itself git does not fsync loose ones
    *("-c", "core.fsync=committed"),
    # line ends that git would convert are no reason to fail
    *("-c", "core.safecrlf=false"),
    *("-c", "i18n.commitEncoding=UTF-8"),
)

UNDER_WAY = {
    "rebase-merge": "a rebase is under way",
    "rebase-apply": "a rebase is under way",
    "MERGE_HEAD": "a merge is under way",
    "CHERRY_PICK_HEAD": "a cherry-pick is under way",
    "REVERT_HEAD": "a revert is under way",
    "sequencer": "a cherry-pick or revert is under way",
    "BISECT_LOG": "a bisect is under way",
}
UNMERGED = {"DD", "AU", "UD", "UA", "DU", "AA", "UU"}

SECRETS = ".env .env.* *.key *.pem *.p12 *.pfx id_rsa id_dsa id_ecdsa id_ed25519 .netrc .git-credentials".split()
SAMPLES = {".env.example", ".env.sample", ".env.template"}
PRIVATE = ".koog .git *.tmp *~ .*.sw? .#*".split()

LOCK_WAIT_S = 10.0
TRIES = 10  # each lost race means that somebody else's commit went through
INDEX_TRIES = 3  # a prompt's `git status` holds the index for milliseconds; a stale lock for ever
LOOSE_PER_FOLDER = 27  # git's own estimate: that many in one of 256 folders means 6,700 objects

FAILURES = {  # what git says: what it means, what to do
    r"\[remote rejected\]": ("the remote refused it", "its own rules decide: a protected branch, a hook"),
    r"\[rejected\]|non-fast-forward|fetch first": (
        "the remote has commits that this branch lacks",
        "git pull --rebase, then push again; koog never forces",
    ),
    r"Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission denied"
    r"|Host key verification failed|error: 40[13]": (
        "the remote did not let koog in",
        "set up a credential helper or an SSH key that works without a prompt",
    ),
    r"does not appear to be a git repository|[Rr]epository .*not found": (
        "there is no repository at the remote's address",
        "git remote -v",
    ),
    r"[Cc]ould not resolve|Connection (refused|timed out|reset)|unable to access|unreachable": (
        "the remote cannot be reached",
        "check the network; the commits stay and go with the next push",
    ),
}


@dataclass(frozen=True)
class Commit:
    """One commit made. `paths`: what it changed, workspace-relative; `short`: the sha's first 10 digits."""

    sha: str
    short: str
    paths: tuple[str, ...]
    warnings: tuple[str, ...] = ()


class Change(NamedTuple):
    """One line of `git diff --raw`. An entry is "mode sha", all zeros where there is none."""

    old: str
    new: str
    kind: str
    path: str


@dataclass(frozen=True)
class Git:
    """One repository that holds the workspace.

    top      the repository's working tree
    git_dir  this working tree's git folder (a linked worktree has its own)
    objects  its object store, shared by all working trees
    prefix   the workspace inside the repository: "" or "folder/"

    Every method raises WorkspaceError when git will not do it.
    """

    top: Path
    git_dir: Path
    objects: Path
    prefix: str

    @classmethod
    def find(cls, folder: Path) -> Git | None:
        """Return the repository around an existing folder, or None when there is none."""
        questions = ("--show-toplevel", "--absolute-git-dir", "--git-path", "objects", "--show-prefix")
        done = _run(folder, "rev-parse", *questions)
        if done.returncode and b"not a git repository (or any" in done.stderr:
            return None
        answers = os.fsdecode(_checked(done)).split("\n")
        if len(answers) != len(questions):  # one is an option's argument, and the last line is empty
            raise WorkspaceError("git: a line break in the name of the workspace's folder")
        top, git_dir, objects, prefix, _ = answers
        return cls(top=Path(top), git_dir=Path(git_dir), objects=folder / objects, prefix=prefix)

    @classmethod
    def init(cls, folder: Path) -> Git:
        """Make an existing folder a repository with the branch main, and see that it has an identity."""
        _checked(_run(folder, "init", "--quiet", "--initial-branch=main"))
        made = cls.find(folder)
        if made is None:
            raise WorkspaceError(f"git init left no repository in {folder}")
        for key, value in made._missing_identity().items():
            made._ask("config", "--local", f"user.{key}", value)
        return made

    @property
    def workspace(self) -> Path:
        return self.top / self.prefix

    def ignores(self, folder: Path) -> bool:
        """Return whether this repository ignores a folder inside it, and so would never commit what is there."""
        return self._git("check-ignore", "--quiet", "--", str(folder)).returncode == 0

    def hindrance(self) -> str | None:
        """Return why koog must not commit now, or None. A branch without commits is no hindrance."""
        return self._under_way() or (None if self.branch() else "detached HEAD")

    def branch(self) -> str | None:
        """Return the current branch's name, also before its first commit; None when HEAD is detached."""
        return self._tip()[0]

    def head(self) -> str | None:
        """Return the sha of HEAD, or None before the first commit."""
        return self._tip()[1]

    def last_commit(self) -> datetime | None:
        """Return the committer date of HEAD in UTC, or None before the first commit."""
        if self.head() is None:
            return None
        seconds = self._ask("log", "-1", "--no-show-signature", "--format=%ct", "HEAD", "--")
        return datetime.fromtimestamp(int(seconds), UTC)

    def _tip(self) -> tuple[str | None, str | None]:
        """Return the current branch's name and HEAD's sha."""
        done = self._git("rev-parse", "HEAD", "--symbolic-full-name", "HEAD")
        if done.returncode:  # no commit yet
            done = self._git("symbolic-ref", "--quiet", "HEAD")
        *sha, ref = os.fsdecode(done.stdout).split() or [""]
        branch = ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else None
        return branch, sha[0] if sha else None

    def _under_way(self) -> str | None:
        return next((why for name, why in UNDER_WAY.items() if (self.git_dir / name).exists()), None)

    # --- commit

    def commit(self, paths: Sequence[str], *, message: str, when: datetime) -> Commit | None:
        """Commit these paths as they are on disk now, nothing else; None when none differs from HEAD.

        paths  workspace-relative files, also deleted ones; ignored files, secrets by name,
               `.koog/`, temp files and folders are left out
        when   aware; both the author's and the committer's date

        Runs no hook, editor or signature. A person who commits meanwhile is built upon.
        Raises Busy when another koog has been committing for 10 s, ValueError for a naive date.
        """
        if when.tzinfo is None:
            raise ValueError("when: a time without a zone")
        wanted, warnings = self._wanted(paths)
        text = message.replace("\0", "").encode(errors="replace").decode()
        with self._alone():
            for attempt in range(TRIES):
                time.sleep(0.02 * attempt)
                branch, base = self._tip()
                if hindrance := self._under_way() or (None if branch else "detached HEAD"):
                    raise WorkspaceError(f"nothing committed: {hindrance}", hint="finish it, or go back to a branch")
                tree, changes = self._tree(base, wanted)
                if not changes:
                    self._follow(tree, changes)
                    return None
                sha = self._write_commit(tree, base, message=text, when=when)
                owed = self._follow(tree, changes)
                log = f"commit: {text.partition(chr(10))[0]}"
                moved = self._git("update-ref", "-m", log, f"refs/heads/{branch}", sha, base or "")
                if moved.returncode == 0:
                    self._tidy()
                    names = tuple(c.path.removeprefix(self.prefix) for c in changes)
                    return Commit(sha=sha, short=sha[:10], paths=names, warnings=(*warnings, *owed))
        raise WorkspaceError(f"the branch did not move: {_words(moved.stderr)}", hint="is a *.lock file left in .git?")

    def _wanted(self, paths: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the repository-relative paths that may be committed, and a warning per secret left out."""
        wanted, warnings = [], []
        for path in dict.fromkeys(posixpath.normpath(p) for p in paths):
            if path.startswith(("/", "../")) or path in ("..", ".") or "\0" in path:
                raise WorkspaceError(f"not a path inside the workspace: {path!r}")
            if is_secret(path):
                warnings.append(f"left out of git: {path} has a secret's name")
            elif not is_private(path) and not _is_folder(self.workspace / path):
                wanted.append(self.prefix + path)
        return wanted, warnings

    def _tree(self, base: str | None, wanted: Sequence[str]) -> tuple[str, list[Change]]:
        """Write the tree that is `base` with the wanted paths as on disk; return it and what it changes."""
        index = self._own / "index"
        for left_over in self._own.glob("index*"):
            left_over.unlink()
        env = {"GIT_INDEX_FILE": str(index)}
        self._ask("read-tree", base or "--empty", env=env)
        # "./", because check-ignore takes a name that starts with ":" for a pattern.
        asked = [f"./{path}" for path in wanted]
        done = self._git("check-ignore", "-z", "--stdin", stdin=_joined(asked), env=env)
        ignored = set(_split(_checked(done, allowed=(0, 1))))
        names = _joined([path for path in wanted if f"./{path}" not in ignored])
        self._ask("update-index", "--add", "--remove", "--replace", "-z", "--stdin", stdin=names, env=env)
        # --missing-ok: in a partial clone, looking for HEAD's other blobs would fetch them.
        tree = self._ask("write-tree", "--missing-ok", env=env).decode().strip()
        index.unlink(missing_ok=True)
        before = base or self._ask("hash-object", "-t", "tree", "--stdin").decode().strip()
        return tree, _changes(self._ask("diff-tree", "-r", "--raw", "-z", "--no-renames", before, tree))

    def _follow(self, tree: str, changes: Sequence[Change]) -> list[str]:
        """Bring the person's index up to `tree` for the changed paths; return a warning if it is locked.

        This comes before the branch moves: a crash in between leaves the change staged.
        The other way round the index would hold its undoing, ready for a person's next commit.
        What a locked index refuses is remembered, as the entry it held, for the next commit.
        """
        behind = self._behind()
        expected = {*((c.path, c.old) for c in changes), *behind.items()}
        if not expected:
            return []
        options = ("--cached", "--raw", "-z", "--no-renames", "--ita-invisible-in-index")
        staged = [c for c in _changes(self._ask("diff-index", *options, tree)) if c.kind != "U"]
        fixes = [f"{c.old}\t{c.path}" for c in staged if (c.path, c.new) in expected]
        refused = self._update_index(fixes) if fixes else None
        self._remember({c.path: c.old for c in changes} | behind if refused else {})
        return [f"git's index is not up to date until the next commit: {refused}"] if refused else []

    def _update_index(self, entries: Sequence[str]) -> str | None:
        """Set entries of the person's index; return git's words when it refuses."""
        for attempt in range(INDEX_TRIES):
            time.sleep(0.03 * attempt)
            done = self._git("update-index", "-z", "--index-info", stdin=_joined(entries))
            if done.returncode == 0:
                return None
        return _words(done.stderr)

    def _write_commit(self, tree: str, base: str | None, *, message: str, when: datetime) -> str:
        date = f"@{int(when.timestamp())} {when.strftime('%z')[:5]}"
        env = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        text = message.rstrip("\n").encode() + b"\n"
        parent = ("-p", base) if base else ()
        command = ("-c", "user.useConfigOnly=true", "commit-tree", "--no-gpg-sign", tree, *parent)
        done = self._git(*command, stdin=text, env=env)
        if done.returncode:  # asked only now, because nearly everybody has an identity
            done = self._git(*command, stdin=text, env={**self._own_identity(), **env})
        return _checked(done).decode().strip()

    def _own_identity(self) -> dict[str, str]:
        """Return the variables that fill in what neither the environment nor a config says."""
        missing = self._missing_identity().items()
        ours = {f"GIT_{role}_{key.upper()}": value for key, value in missing for role in ("AUTHOR", "COMMITTER")}
        return {name: os.environ.get(name) or value for name, value in ours.items()}

    def _missing_identity(self) -> dict[str, str]:
        """Return the parts of user.name and user.email that no config gives, with koog's own values."""
        done = self._git("config", "-z", "--get-regexp", r"^user\.(name|email)$")
        configured = dict(entry.partition("\n")[::2] for entry in _split(_checked(done, allowed=(0, 1))))
        ours = {"name": "koog", "email": "koog@localhost"}
        return {key: value for key, value in ours.items() if not configured.get(f"user.{key}")}

    def _tidy(self) -> None:
        """Let git pack loose objects, as `git commit` would: plumbing never does, and months of it add up."""
        with suppress(OSError):
            if len(list((self.objects / "17").iterdir())) > LOOSE_PER_FOLDER:
                self._git("gc", "--auto", "--quiet")

    # --- koog's own files in the git folder

    @property
    def _own(self) -> Path:
        return self.git_dir / "koog"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold off other koogs: two of them would take each other's index entries for a person's."""
        deadline = time.monotonic() + LOCK_WAIT_S
        try:
            self._own.mkdir(exist_ok=True)
            with (self._own / "lock").open("ab") as lock:
                while not _locked(lock.fileno()):
                    if time.monotonic() > deadline:
                        raise Busy("another koog is committing", hint="try again")
                    time.sleep(0.02)
                yield
        except OSError as e:
            raise WorkspaceError(f"git folder: {e}") from e

    def _behind(self) -> dict[str, str]:
        """Return path → entry of what the index held when koog last could not update it."""
        try:
            return dict(json.loads((self._own / "behind.json").read_bytes()))
        except (FileNotFoundError, ValueError):
            return {}

    def _remember(self, entries: Mapping[str, str]) -> None:
        behind = self._own / "behind.json"
        if entries:
            fresh = self._own / "behind.json.new"
            fresh.write_text(json.dumps(entries))
            fresh.replace(behind)
        else:
            behind.unlink(missing_ok=True)

    # --- state

    def changed(self) -> list[str]:
        """Return the workspace's files that `git status` lists: modified, deleted, new; not ignored ones."""
        return [path for _, path in self._status()]

    def conflicted(self) -> list[str]:
        """Return the changed files that git calls unmerged or that hold a whole set of conflict markers."""
        return [p for code, p in self._status() if code in UNMERGED or has_conflict_markers(self.workspace / p)]

    def _status(self) -> list[tuple[str, str]]:
        """Return (two-letter code, workspace-relative path); repositories inside this one are skipped."""
        options = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all")
        lines = _split(_checked(_run(self.workspace, *QUIET, "status", *options, "--", ".")))
        return [(line[:2], line[3:].removeprefix(self.prefix)) for line in lines if not line.endswith("/")]

    def unpushed(self, remote: str) -> int | None:
        """Count the commits that the remote-tracking branch lacks; all, when it does not exist yet.

        None when there is no such remote, or no branch to compare.
        """
        branch, head = self._tip()
        if branch is None or not self._has_remote(remote):
            return None
        if head is None:
            return 0
        tracking = f"refs/remotes/{remote}/{branch}"
        known = self._git("rev-parse", "--quiet", "--verify", tracking).returncode == 0
        return int(self._ask("rev-list", "--count", "HEAD", *([f"^{tracking}"] if known else []), "--"))

    def _has_remote(self, remote: str) -> bool:
        return remote in os.fsdecode(self._ask("remote")).splitlines()

    # --- push

    def push(self, remote: str, *, timeout_s: float) -> None:
        """Push the current branch to its own name at the remote; never force, never ask.

        The repository's pre-push hook does run: git-lfs uploads its files there.
        Whatever still runs after `timeout_s` seconds is ended with all its children.
        """
        branch, head = self._tip()
        if branch is None or head is None:
            raise WorkspaceError("nothing to push: " + ("no commit yet" if branch else "detached HEAD"))
        if not self._has_remote(remote):
            raise WorkspaceError(f"no remote named {remote!r}", hint=f"git remote add {remote} URL")
        ref = f"refs/heads/{branch}"
        options = ("--porcelain", "--no-signed", "--recurse-submodules=no")
        args = ("git", "-C", str(self.top), "push", *options, "--", remote, f"{ref}:{ref}")
        code, said = _run_limited(args, env={**_environment(), **self._ssh()}, timeout_s=timeout_s)
        if code is None:
            raise WorkspaceError(
                f"push to {remote!r} was cut off after {timeout_s:g} s",
                hint="check the network; the commits stay and go with the next push",
            )
        if code:
            raise _push_error(remote, said)

    def _ssh(self) -> dict[str, str]:
        """Return what makes OpenSSH fail instead of asking; another program is left as it is."""
        command = (
            os.environ.get("GIT_SSH_COMMAND") or os.fsdecode(self._git("config", "core.sshCommand").stdout).strip()
        )
        if not command and "GIT_SSH" in os.environ:
            return {}
        words = (command or "ssh").split()
        return {"GIT_SSH_COMMAND": f"{' '.join(words)} -o BatchMode=yes"} if Path(words[0]).name == "ssh" else {}

    # --- git itself

    def _git(self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
        return _run(self.top, *QUIET, *args, stdin=stdin, env=env)

    def _ask(self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        return _checked(self._git(*args, stdin=stdin, env=env))


def is_secret(path: str) -> bool:
    """Say whether a path's name, or a folder's on the way, is one that secrets have.

    >>> [is_secret(p) for p in ("a/.ENV", ".env.local", ".env.example", "x.pem", "notes/keys.md")]
    [True, True, False, True, False]
    """
    return any(part not in SAMPLES and _matches(part, SECRETS) for part in path.lower().split("/"))


def is_private(path: str) -> bool:
    """Say whether a path is derived or temporary: nobody's memory.

    >>> [is_private(p) for p in (".koog/index.db", "memory/x.md~", "memory/.x.md.swp", "memory/x.md")]
    [True, True, True, False]
    """
    return any(_matches(part, PRIVATE) for part in path.lower().split("/"))


def has_conflict_markers(path: Path) -> bool:
    """Say whether a text file has lines of <<<<<<<, ======= and >>>>>>> in this order; False for links and binaries."""
    expected = [re.compile(rb"<{7}( |\r?$)"), re.compile(rb"={7}\r?$"), re.compile(rb">{7}( |\r?$)")]
    try:
        if path.is_symlink() or not path.is_file():
            return False
        with path.open("rb") as lines:
            for line in lines:
                if b"\0" in line:
                    return False
                if expected[0].match(line) and not expected[1:]:
                    return True
                if expected[0].match(line):
                    del expected[0]
    except OSError as e:
        raise WorkspaceError(f"cannot read {path.name}: {e.strerror}") from e
    return False


def redacted(text: str) -> str:
    """Return text without the name and password in any URL.

    >>> redacted("fatal: https://me:pass@word@host/x.git and ssh://git@host:22/y")
    'fatal: https://***@host/x.git and ssh://***@host:22/y'
    """
    return re.sub(r"(?<=://)[^/\s]*@", "***@", text)


def _environment() -> dict[str, str]:
    """Return the caller's environment without what points git elsewhere or lets it ask."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or KEPT_VARIABLES.fullmatch(k)}
    kept.pop("SSH_ASKPASS", None)
    return {**kept, **NO_PROMPT}


def _run(folder: Path, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> Done:
    import subprocess

    try:
        return subprocess.run(
            ["git", "-C", str(folder), *args],
            input=stdin,
            capture_output=True,
            env={**_environment(), **(env or {})},
            check=False,
        )
    except FileNotFoundError:
        raise WorkspaceError("git is not installed", hint="install git") from None
    except (OSError, ValueError) as e:  # ValueError: a NUL in an argument
        raise WorkspaceError(f"git cannot be started: {e}") from e


def _checked(done: Done, *, allowed: Sequence[int] = (0,)) -> bytes:
    """Return what git printed; raise WorkspaceError with its words when it failed."""
    if done.returncode not in allowed:
        owner = b"dubious ownership" in done.stderr
        raise WorkspaceError(
            f"git: {_words(done.stderr) or f'ended with {done.returncode}'}",
            hint="git config --global --add safe.directory FOLDER" if owner else None,
        )
    return done.stdout


def _run_limited(args: Sequence[str], *, env: Mapping[str, str], timeout_s: float) -> tuple[int | None, bytes]:
    """Run a command in a process group of its own; return its exit code and all it said.

    The code is None when it was ended after `timeout_s`. Output goes to a file: an ssh
    that stays behind for the next connection would keep a pipe open for ever.
    """
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as said:
        try:
            process = subprocess.Popen(
                args, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
            )
        except OSError as e:
            raise WorkspaceError(f"git cannot be started: {e}") from e
        try:
            code: int | None = process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            _end_group(process)
            code = None
        except BaseException:  # ^C reaches only our own group
            _end_group(process)
            raise
        said.seek(0)
        return code, said.read()


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process and all of its group; git gets a second to remove its lock files."""
    import subprocess

    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(1)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _push_error(remote: str, said: bytes) -> WorkspaceError:
    words = _words(said)
    for pattern, (meaning, hint) in FAILURES.items():
        if re.search(pattern, words):
            return WorkspaceError(f"push to {remote!r}: {meaning} ({words})", hint=hint)
    return WorkspaceError(f"push to {remote!r} failed: {words}", hint=f"git push {remote}")


def _words(said: bytes) -> str:
    """Return what git said on one line, printable, without credentials, at most 400 characters."""
    lines = redacted(os.fsdecode(said)).splitlines()
    text = "; ".join(line.strip() for line in lines if line.strip() and not line.startswith("hint:"))
    return "".join(c if c.isprintable() else " " for c in text)[:400]


def _changes(raw: bytes) -> list[Change]:
    fields = _split(raw)
    out = []
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        old_mode, new_mode, old_sha, new_sha, kind = head.removeprefix(":").split(" ")
        out.append(Change(old=f"{old_mode} {old_sha}", new=f"{new_mode} {new_sha}", kind=kind, path=path))
    return out


def _joined(names: Sequence[str]) -> bytes:
    return b"".join(os.fsencode(name) + b"\0" for name in names)


def _split(raw: bytes) -> list[str]:
    return [os.fsdecode(name) for name in raw.split(b"\0") if name]


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
