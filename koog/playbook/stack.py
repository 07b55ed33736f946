"""Active modules and the base playbook, merged into the effective one.  [sinain §3.4, §5.6]

Every koog command computes the effective playbook from its sources; the file
`sinain-playbook-effective.md` is written for readers outside koog, each time a
source changes. So a stale file can never win over a newer base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from koog.core.files.workspace import Workspace
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.playbook import document, registry, trust

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.sessions.audience import Audience

SOURCE = r"<!--(?=\s*(?:module-stack|module|guidance|base-playbook)\b)"
APPROVE = "koog module activate {} --approve"


class Layer(NamedTuple):
    """One active module's share."""

    id: str
    priority: int
    patterns: str
    guidance: str = ""


def merge(layers: Sequence[Layer], base: str) -> str:
    """Return the effective playbook: the stack's header, each module's patterns, the base.  [sinain §3.4]

    layers   highest priority first

    >>> print(merge([Layer("rn", 80, "- metro")], "- base").strip())
    <!-- module-stack: rn(80) -->
    <!-- module: rn (priority 80) -->
    - metro
    <!-- base-playbook -->
    - base
    """
    names = ", ".join(f"{layer.id}({layer.priority})" for layer in layers)
    parts = [f"<!-- module-stack: {names} -->\n"]
    for layer in layers:
        parts.append(f"<!-- module: {layer.id} (priority {layer.priority}) -->\n{_inside(layer.patterns)}")
        if layer.guidance.strip():
            parts.append(f"<!-- guidance: {layer.id} -->\n{_inside(layer.guidance)}")
    parts.append(f"<!-- base-playbook -->\n{_inside(base)}")
    return "".join(parts)


def effective(source: Workspace | Door) -> str:
    """Return the effective playbook as the sources stand now (through a door: as they are staged).

    It is what readers outside koog and models see, so each source comes without its secrets
    and private blocks; source by source, so that one left open in a module hides no base.
    """
    return _merged(source, merged(source), lambda _, text: text)


def effective_for(source: Workspace | Door, who: Audience, *, others: bool = True) -> str:
    """Return what of the effective playbook a reader may be told: what prompts and the built-in rules read.

    others   also the lines of other projects that he may be told, each with its project's name
    """
    from koog.playbook import heard
    from koog.sessions.audience import Seen

    def part(path: str, text: str) -> str:
        return heard.part(text, path, who, others=others)

    workspace = source if isinstance(source, Workspace) else source.workspace
    unheard = (Seen.HIDDEN,) if others else (Seen.HIDDEN, Seen.NAMED)
    known = [row for row in merged(source) if who.file(workspace.in_modules(f"{row[0]}/patterns.md")) not in unheard]
    return _merged(source, known, part)


def _merged(source: Workspace | Door, known: Sequence[tuple[str, int]], part: Callable[[str, str], str]) -> str:
    """Return the effective playbook of these modules and the base.

    part   (path, clean text) → what is left of a source
    """
    from koog.core.text.untrusted import clean  # not for `module stack`, which only needs the order

    workspace = source if isinstance(source, Workspace) else source.workspace

    def read(path: str) -> str:
        return part(path, clean(source.text(path) or ""))

    layers = [
        Layer(
            id=name,
            priority=priority,
            patterns=read(workspace.in_modules(f"{name}/patterns.md")),
            guidance=read(workspace.in_modules(f"{name}/guidance.md")),
        )
        for name, priority in known
    ]
    return merge(layers, read(workspace.in_memory(document.NAME)))


def merged(source: Workspace | Door) -> list[tuple[str, int]]:
    """Return (id, priority) of the active modules that may speak, highest priority first.

    One that came from elsewhere may once a person has approved it as it is; until then a warning says so.
    """
    workspace = source if isinstance(source, Workspace) else source.workspace
    path = workspace.in_modules(registry.NAME)
    found = registry.parse(source.text(path), path=path)
    known = trust.known(workspace)
    stack = registry.active(found)
    silent = [name for name, _ in stack if known.standing(source, name, found["modules"][name]) == trust.NEEDED]
    workspace.warnings += [
        f"module {name!r} is left out of the playbook: imported, and not approved as it is now ({APPROVE.format(name)})"
        for name in silent
    ]
    return [(name, priority) for name, priority in stack if name not in silent]


def stage(door: Door) -> None:
    """Stage the effective playbook; to be called after whatever changes a source."""
    text = effective(door)
    door.write(door.workspace.in_memory(document.EFFECTIVE), text, summary="rebuilt from modules and base")


def _inside(text: str) -> str:
    """Return a source's text, ended, that begins no other source: such a comment in it is none any more."""
    text = compiled(SOURCE).sub("<! --", text)
    return text if text.endswith("\n") or not text else text + "\n"
