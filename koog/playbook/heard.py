"""What of a playbook a reader may hear, line by line: the one place that filters for prompts and rules.  [design §7]

A bullet is of the project in its label's comment; whatever has none is of the project that the file is of.
"""

from __future__ import annotations

import re

from koog.playbook import document, item
from koog.sessions import audience, labels
from koog.sessions.audience import Audience, Seen
from koog.sessions.labels import Label

WISHES = "Preferences"
COMMENT = r"\s*<!--(?:(?!<!--|-->).)*-->"


def part(text: str, path: str, who: Audience, *, others: bool = True) -> str:
    """Return what of a playbook's text, or of a module's, a reader may be told; "" of nothing.

    others   also lines of other projects that he may be told: each with its project's name, and without comments,
             which hold paths
    """
    whole = who.file(path)
    if whole is Seen.TOLD and "dc:" not in text:
        return text
    told, section = [], ""
    lines = text.split("\n")  # a label stands at the end of what the playbook takes for one line
    below = labels.carried(lines, {at: labels.of_line(line) for at, line in enumerate(lines)})
    for at, line in enumerate(lines):
        if line.startswith("## "):
            section = line[3:].strip()
        found = verdict(line, path, who, section=section) if at not in below else _of(below[at], path, who)
        if found is Seen.TOLD or _is_frame(line, whole):
            told.append(line)
        elif found is Seen.NAMED and others and line.strip():
            told.append(named(line, who.name_of(below.get(at, labels.of_line(line)), path)))
    return "\n".join(told) if any(not _is_frame(line, whole) for line in told) else ""


def verdict(line: str, path: str, who: Audience, *, section: str = "") -> Seen:
    """Return what becomes of one line. section: the heading that it stands under"""
    label = labels.of_line(line)
    found = item.parse(line) if label.project else None
    return _of(label, path, who, text=found.text if found else "", kind="preference" if section == WISHES else "")


def _of(label: Label, path: str, who: Audience, *, text: str = "", kind: str = "") -> Seen:
    if label.is_group and not who.is_group:
        return Seen.HIDDEN  # a fact of the group, and nothing to act by
    return who.line(label, path, text=text, kind=kind)


def named(line: str, name: str) -> str:
    """Return a line of another project as it is told: with the project's name, and without comments."""
    bare = re.sub(COMMENT, "", line).rstrip()
    return f"{bare}{audience.mark(name)}" if bare else ""


def _is_frame(line: str, whole: Seen) -> bool:
    """Return whether a line only keeps others apart, in a text that is told in part."""
    return whole is not Seen.TOLD and (not line.strip() or line.removeprefix("## ").strip() in document.SECTIONS)
