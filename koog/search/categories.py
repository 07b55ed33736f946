"""What a file is, by its path alone: identity, memory, journal and so on.  [autopoiesis §7.2, design §3]

Paths are cited ones: relative to the workspace, and `raw/conversations/…` for transcripts. Pure.
"""

from __future__ import annotations

import re
from functools import cache

from koog.core.named import NamedTuple

SUFFIX = ".md"
CONVERSATIONS = "raw/conversations"
REFERENCE = "reference"  # what has no category of its own
CATEGORIES = tuple(
    "identity memory journal project person procedure reference topic conversation observation playbook module "
    "episode entity vault".split()
)
OF_ROOT: dict[str, str | None] = {
    "MEMORY.md": "memory",
    **dict.fromkeys("SOUL.md IDENTITY.md USER.md AGENTS.md TOOLS.md".split(), "identity"),
    # How a host is to call koog: nothing that answers a question, and the whole of every question's words.
    **dict.fromkeys("HEARTBEAT.md HEARTBEAT.koog.md SKILL.md SKILL.koog.md".split(), None),
}
OF_KNOWLEDGE = {
    "identity": "identity",
    "memory": "memory",
    "journal": "journal",
    "projects": "project",
    "people": "person",
    "procedures": "procedure",
    "topics": "topic",
    "conversations": "conversation",
}
OF_MEMORY = {"procedures": "procedure", "episodes": "episode", "graph": "entity", "vault": "vault"}
OF_MEMORY_FILE: dict[str, str | None] = {
    "observations.md": "observation",
    "favorites.md": "observation",
    "sinain-playbook.md": "playbook",
    "sinain-playbook-effective.md": None,  # repeats the playbook and the modules
}
OF_MODULE: dict[str, str | None] = {"patterns.md": "module", "guidance.md": "module"}
NOT_OF_MEMORY = ("meta", "playbook-archive", "playbook-logs", "observation-backups")
DAILY = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")


def category(path: str, *, memory: str = "memory", modules: str = "modules") -> str | None:
    """Return what the file of a cited path is, None when it is not covered.

    >>> category("memory/2026-02-28-nas.md"), category("archive/journal/2024.md"), category("modules/rn/notes.md")
    ('journal', 'journal', None)
    """
    folder, _, name = path.rpartition("/")
    if not name.endswith(SUFFIX) or name[0] == ".":
        return None
    rule = _rule(folder, memory, modules)
    if name in rule.names:
        return rule.names[name]
    return "journal" if rule.other == REFERENCE and rule.is_memory and DAILY.match(name) else rule.other


class Rule(NamedTuple):
    """What the files of one folder are: those of some names, and all others; None is not covered.

    is_memory   the daily notes are among them
    """

    names: dict[str, str | None]
    other: str | None
    is_memory: bool = False


@cache  # thousands of files lie in a few folders
def _rule(folder: str, memory: str, modules: str) -> Rule:
    parts = folder.split("/")
    if any(part.startswith(".") for part in parts):
        return Rule({}, None)
    if not folder:
        return Rule(OF_ROOT, REFERENCE)
    if f"{folder}/".startswith(f"{CONVERSATIONS}/"):
        return Rule({}, "conversation")
    if f"{folder}/".startswith(f"{memory}/"):
        return _of_memory(folder.removeprefix(memory).strip("/"))
    if f"{folder}/".startswith(f"{modules}/"):
        is_module = folder.count("/") == modules.count("/") + 1
        return Rule(OF_MODULE, None) if is_module else Rule({}, None)
    return Rule({}, _of_knowledge(parts))


def _of_memory(inside: str) -> Rule:
    """Return the rule of memory/ itself ("") or of a folder in it."""
    first = inside.partition("/")[0]
    if first in NOT_OF_MEMORY:
        return Rule({}, None)
    return Rule({} if inside else OF_MEMORY_FILE, OF_MEMORY.get(first, REFERENCE), is_memory=True)


def _of_knowledge(parts: list[str]) -> str | None:
    """Return what lies in a folder of knowledge/, topics/ or archive/; an archive keeps the kind of what it holds."""
    if parts[0] == "topics":
        return "topic"
    if parts[0] not in ("knowledge", "archive"):
        return None
    kinds = parts[1:]
    if parts[0] == "knowledge" and kinds[:1] == ["archive"]:
        kinds = kinds[1:]
    return OF_KNOWLEDGE.get(kinds[0], REFERENCE) if kinds else REFERENCE
