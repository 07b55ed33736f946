"""Where a conversation belongs: its project, and who hears it.  [design §3, §6]

One function for what the hosts keep and for what they give to hooks, so that what is written under a project is
found under it.

    Claude Code, Codex   the repository around the session's folder, else the folder; always private
    OpenClaw             `openclaw/AGENT`; private or a group by the session's key, as its own
                         src/sessions/session-chat-type-base.ts and src/routing/session-key.ts in
                         https://github.com/openclaw/openclaw spell it, older spellings included

A key of no private form that is known counts as a group's: rather one private session too few than a stranger's words
as the user's.
"""

from __future__ import annotations

import os
import re
from functools import cache

from koog.core.files import outside
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple

PRIVATE, GROUP = "private", "group"
UNKNOWN = "unknown"  # the project of a session whose records name no folder, the group of one whose key is missing
OPENCLAW = "openclaw"
GROUPS, DIRECT = {"group", "channel", "room", "supergroup", "space"}, {"direct", "dm"}
# What begins a key of a session that one person has with the agent, in the host's own windows; and those of no person.
OWN_WINDOWS = set("main dashboard tui webchat cli explicit control-ui".split())
OF_NOBODY = set("cron hook subagent acp".split())
LEGACY_GROUP = r"(?:whatsapp:)?[^:]+@(?:g\.us|broadcast|newsletter)|discord:(?:[^:]+:)?guild-[^:]+:channel-[^:]+"
PLACES_OF_KIND = 3  # KIND:ID, CHANNEL:KIND:ID, CHANNEL:ACCOUNT:KIND:ID
LINK_BYTES = 4096  # of a `.git` file


class Place(NamedTuple):
    """Where a conversation belongs.

    project   the real path of a folder, `openclaw/AGENT`, or UNKNOWN
    scope     PRIVATE or GROUP
    group     the group's name, "" in private: the key behind the agent, without a thread
    folder    the real path of the folder that the session works in, "" where none is told
    """

    project: str
    scope: str = PRIVATE
    group: str = ""
    folder: str = ""

    @property
    def is_group(self) -> bool:
        return self.scope == GROUP


NOWHERE = Place(UNKNOWN)


def of(
    host: str, *, folder: str | None = None, agent: str | None = None, key: str | None = None, chat: str | None = None
) -> Place:
    """Return where a session belongs.

    folder   the folder that it works in
    agent    OpenClaw's agent; by default the one in the key
    key      OpenClaw's session key
    chat     the kind of chat that OpenClaw itself tells: direct, group, channel
    """
    real = _real(folder or "")
    if host != OPENCLAW:
        return Place(project(real) if real else UNKNOWN, folder=real)
    name = group(key, chat)
    agent = (agent or agent_of(key) or "main").lower()
    return Place(f"{OPENCLAW}/{agent}", GROUP if name else PRIVATE, name, real)


def _real(folder: str) -> str:
    """Return the real path of a folder, "" for what no folder is called, and another system's path as it is."""
    try:
        os.fsencode(folder)
    except UnicodeEncodeError:
        return ""
    return "" if "\0" in folder else outside.real(folder) if folder.startswith("/") else folder


def agent_of(key: str | None) -> str | None:
    """Return the agent of a session key, None where it names none.

    >>> agent_of("agent:ops:telegram:group:-100"), agent_of("group:-100")
    ('ops', None)
    """
    words = (key or "").split(":")
    return words[1] or None if len(words) > 2 and words[0].lower() == "agent" else None


def group(key: str | None, chat: str | None = None) -> str:
    """Return the name of the group or channel that a session is in, "" for a private one.

    >>> group("agent:main:telegram:group:-100123:topic:7"), group("agent:main:discord:direct:42")
    ('telegram:group:-100123', '')
    """
    told = (chat or "").lower()
    if not key:
        return UNKNOWN if told in GROUPS else ""
    name = _without_thread(_scoped(key.strip().lower()))
    words = name.split(":")
    kinds = {word for word in words[:PLACES_OF_KIND] if word in GROUPS | DIRECT}
    if kinds & GROUPS or told in GROUPS or compiled(LEGACY_GROUP).fullmatch(name):
        return name or UNKNOWN
    private = kinds or told in DIRECT or words[0] in OWN_WINDOWS | OF_NOBODY or (len(words) == 1 and name not in OPEN)
    return "" if private else name or UNKNOWN


def channel(key: str | None) -> str:
    """Return the channel over which people write in a session, by OpenClaw's key; "" for its own windows.

    >>> channel("agent:main:telegram:direct:42"), channel("agent:main:main")
    ('telegram', '')
    """
    words = _scoped((key or "").strip().lower()).split(":")
    return words[0] if len(words) > 1 and words[0] not in GROUPS | DIRECT | OWN_WINDOWS | OF_NOBODY else ""


OPEN = {"global", UNKNOWN, ""}  # one conversation for whoever writes; a key that says nothing


def _scoped(key: str) -> str:
    """Return a key without the agent that it begins with."""
    return key.split(":", 2)[2] if agent_of(key) else key


def _without_thread(name: str) -> str:
    """Return a key without the thread or topic in it: it is of the same group."""
    found = compiled(r":(?:thread|topic):|:heartbeat$").search(name)
    return name[: found.start()] if found else name


# --- projects


@cache
def project(folder: str) -> str:
    """Return the project of a folder: the repository around it, else the folder itself, as a real path.

    A linked worktree is of its repository's main one, so that work on a branch is no other project. A repository at
    the person's home or above it holds settings, and not what is worked on in there. A folder that is gone (a worktree
    that was removed) counts by what is left of its path.
    """
    real = outside.real(folder)
    home = outside.real(os.path.expanduser("~"))  # noqa: PTH111  never raises without a home
    above = real
    while above != os.path.dirname(above) and above != home and not _holds(above, home):  # noqa: PTH120  any text
        if root := _repository(above):
            return root
        above = os.path.dirname(above)  # noqa: PTH120
    return real


def _holds(folder: str, inner: str) -> bool:
    return inner == folder or inner.startswith(f"{folder.rstrip('/')}/")


def _repository(folder: str) -> str | None:
    """Return the root of the repository whose working tree begins in a folder, None where none does."""
    place = os.path.join(folder, ".git")  # noqa: PTH118
    if outside.is_folder(place):
        return folder if outside.exists(os.path.join(place, "HEAD")) else None  # noqa: PTH118
    if not outside.is_file(place):
        return None
    git = _pointed(place, prefix="gitdir:", base=folder)
    common = _pointed(os.path.join(git, "commondir"), prefix="", base=git) if git else None  # noqa: PTH118
    if git is None or common is None or not _is_worktree(git, common, place):
        return folder  # a submodule, or a repository that is kept apart
    return os.path.dirname(common) if os.path.basename(common) == ".git" else common  # noqa: PTH119, PTH120


def _is_worktree(git: str, common: str, place: str) -> bool:
    """Return whether a repository knows this working tree as its own: any file can claim to be one of it."""
    back = _pointed(os.path.join(git, "gitdir"), prefix="", base=git)  # noqa: PTH118
    return os.path.dirname(git) == os.path.join(common, "worktrees") and back == outside.real(place)  # noqa: PTH118, PTH120


def _pointed(file: str, *, prefix: str, base: str) -> str | None:
    """Return the real path that one of git's small files names, None where it names none."""
    try:
        text = outside.read(file, limit=LINK_BYTES).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return None
    named = text.removeprefix(prefix).strip()
    return outside.real(os.path.join(base, named)) if text.startswith(prefix) and named else None  # noqa: PTH118


def is_agent(project: str) -> bool:
    """Return whether a project is an agent of OpenClaw's, or a pattern of some."""
    return project.startswith(f"{OPENCLAW}/")


def short(project: str) -> str:
    """Return a project's name as it is told: the last part of its path.

    >>> short("/srv/src/app"), short("openclaw/ops")
    ('app', 'openclaw/ops')
    """
    return project if project.startswith(f"{OPENCLAW}/") else project.rstrip("/").rpartition("/")[2] or project


def cwd_of(line: bytes) -> str | None:
    """Return the folder in the beginning of a record that is too long to be read whole."""
    found = re.search(rb'"cwd":\s?"((?:[^"\\]|\\.)*)"', line)
    return found[1].decode("utf-8", "replace") if found else None
