"""How a change is told: the audit line and the commit message.  [moltbot §12.3, §12.4]"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from koog.core.files import raw_root
from koog.core.named import NamedTuple

# What a command writes beside its real change; it names a commit only when there is nothing else.
BOOKKEEPING = ("/meta/", "/playbook-archive/", "/observation-backups/", "-effective.md")
IDENTITY = frozenset("SOUL.md IDENTITY.md USER.md AGENTS.md TOOLS.md".split())
IDENTITY_FOLDER = "knowledge/identity/"
# A command → the kind of its commits, where that is not `memory`.
VERBS = {
    **dict.fromkeys("extract reconstruct".split(), "extract"),
    **dict.fromkeys("condense prune decay reflect rollback init sync uninstall module audit".split(), "maintenance"),
}
BATCH = "koog remember --batch "  # and a name: what set off the commits of one, which are taken back together
SUBJECT_LIMIT = 120  # characters; git's own tools cut longer subjects


class Cause(NamedTuple):
    """Who changed it, by whose leave, and what set it off."""

    actor: str = "skill:koog"
    approval: str = "auto"
    trigger: str = "koog"


class Change(NamedTuple):
    """One file that one command changed: an action of moltbot §12.4's vocabulary, a path, a sentence.

    to      where a RENAME moved it
    cause   who did it and why; None while it is staged: the command's own
    root    the root under which the paths lie, and so the repository that takes the commit
    """

    action: str
    path: str
    summary: str
    to: str | None = None
    cause: Cause | None = None
    root: str = "workspace"

    @property
    def paths(self) -> tuple[str, ...]:
        """Return every path that differs now."""
        return (self.path, self.to) if self.to else (self.path,)


class Applied(NamedTuple):
    """A change that was made: the file's bytes before and after it, None where there was or is no file.

    A RENAME has neither: the file moved unread. own: whether koog itself had left the file so before; None where
    this koog does not see the state root, and cannot know.
    """

    change: Change
    before: bytes | None
    after: bytes | None
    own: bool | None = None


def audit_line(change: Change, *, cause: Cause, when: datetime, critical: bool) -> str:
    """Return `TIMESTAMP | ACTION | FILE | ACTOR | APPROVAL | SUMMARY`, one line with its line end.

    A `|` or a line break inside a field would forge a field or an entry, so both are escaped.
    """
    summary = f"⚠️ CRITICAL: {change.summary}" if critical else change.summary
    fields = [
        when.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ"),
        f"{change.action:<7}",
        change.path,
        cause.actor,
        f"{cause.approval:<8}",
        summary,
    ]
    return " | ".join(map(_escape, fields)) + "\n"


def commit_message(
    changes: Sequence[Change], *, cause: Cause, critical: bool, kind: str = "", sessions: Sequence[str] = ()
) -> str:
    """Return `[ACTION] FILE — SUMMARY` and the trailers: moltbot's three, then what kind of commit it is.

    Several files: the first one that is no bookkeeping names the commit, the others follow as a list.

    kind       one of TYPES; "": by what changed and by which command
    sessions   the sessions that it is of; beside them the transcript that the command was about
    """
    first = next((c for c in changes if not any(part in c.path for part in BOOKKEEPING)), changes[0])
    rest = [c for c in changes if c is not first]
    more = f" (+{len(rest)})" if rest else ""
    subject = f"[{first.action}] {first.path}{more} — {first.summary}"
    if len(subject) > SUBJECT_LIMIT:
        subject = subject[: SUBJECT_LIMIT - 1] + "…"
    trailers = [f"Actor: {cause.actor}", f"Approval: {cause.approval}", f"Trigger: {cause.trigger}"]
    trailers.append(f"Type: {kind or type_of(changes, cause)}")
    named = [word for word in cause.trigger.split() if raw_root.is_cited(word)]
    trailers += [f"Session: {each}" for each in dict.fromkeys([*named, *sessions])]
    if critical:
        trailers.append("⚠️ CRITICAL FILE CHANGED")
    listed = [f"- [{c.action}] {c.path} — {c.summary}" for c in rest]
    parts = [_one_line(subject), "\n".join(map(_one_line, listed)), "\n".join(map(_one_line, trailers))]
    return "\n\n".join(p for p in parts if p) + "\n"


def type_of(changes: Sequence[Change], cause: Cause) -> str:
    """Return what kind of commit it is, of autopoiesis §3.2's words.

    >>> type_of([Change("EDIT", "USER.md", "")], Cause())
    'identity'
    >>> type_of([Change("EDIT", "MEMORY.md", "")], Cause(trigger="koog decay run"))
    'maintenance'
    """
    verb = cause.trigger.removeprefix("koog ").partition(" ")[0]
    if any(each.path in IDENTITY or each.path.startswith(IDENTITY_FOLDER) for each in changes):
        return "identity"
    return VERBS.get(verb, "memory")


def _escape(field: str) -> str:
    return _one_line(field.replace("\\", "\\\\").replace("|", "\\|"), mark="\\n")


def _one_line(text: str, mark: str = " ") -> str:
    return mark.join(text.splitlines())
