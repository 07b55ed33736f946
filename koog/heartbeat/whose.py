"""Whose a note is, and what was mined from it: the own project's, another one's, a group's.  [design §7]

Another project's is a note that `paths.projects` lists for it; a group's is one that OpenClaw made of its conversation.
"""

from __future__ import annotations

from typing import Any

from koog.core.run import Run
from koog.heartbeat import ticks
from koog.sessions import audience, labels, place, taken
from koog.sessions.audience import Audience, Seen
from koog.sessions.labels import Label
from koog.sessions.notes import group_of_note

OWN = labels.NONE


def label_of(own: Audience, path: str, text: str) -> Label:
    """Return the label of what stands in a note, OWN for what is of the workspace's own project."""
    found = own.label_of(path)
    group = group_of_note(text)
    if not group:
        return found
    return Label(found.project or _agent(own), place.GROUP, group)


def _agent(own: Audience) -> str:
    """Return the name of the own agent: a group is one of its conversations."""
    return min((name for name in own.own if place.is_agent(name)), default=f"{place.OPENCLAW}/main")


def of_line(own: Audience, label: Label, path: str) -> Label:
    """Return the label of a line that has one of its own, as of a note: OWN for what is of the own project.

    path   the line's file: what has no label is of its project
    """
    if label.is_group:
        return Label(label.project or _agent(own), place.GROUP, label.group)
    if label == OWN:
        return own.label_of(path)
    return OWN if own.line(label, path) is Seen.TOLD else label


def own_rows(own: Audience, path: str, text: str) -> str:
    """Return a note without the lines that say of themselves that they are another project's or a group's.

    Its line breaks stay.
    """
    if "dc:scope=" not in text and "dc:project=" not in text:
        return text
    rows = ((row, labels.of_line(row)) for row in text.split("\n"))
    return "\n".join("" if label != OWN and of_line(own, label, path) != OWN else row for row, label in rows)


def is_taken(run: Run, label: Label) -> bool:
    """Return whether what has a label is learned from: of an unlisted group it is not, nor of an excluded project."""
    if label.is_group and not taken.of(run).lists(label.group, project=label.project):
        return False
    return not audience.of_label(run, label).is_nobody


def is_home(run: Run, label: Label, path: str) -> bool:
    """Return whether what has a label is the own project's, or of the one that a file is at home in: then it is told.

    path   where it is written down
    """
    return label == OWN or audience.own(run).is_home(label, path)


def as_row(label: Label) -> dict[str, Any]:
    """Return a label as JSON keeps it beside what was mined; nothing for the own project's."""
    return {} if label == OWN else {**label._asdict(), "group": label.group or None}


def of_row(row: dict[str, Any]) -> Label:
    """Return the label that JSON keeps; OWN for a row without one."""
    project, group = row.get("project"), row.get("group")
    is_group = row.get("scope") == place.GROUP
    return Label(
        project if isinstance(project, str) else "",
        place.GROUP if is_group else place.PRIVATE,
        group if is_group and isinstance(group, str) else "",
    )


def hears_ticks(run: Run) -> bool:
    """Return whether the reader is told what the ticks saw and did: they are the own project's, whatever is listed."""
    who = audience.current(run)
    is_own = who.is_own and not who.is_group and not who.is_nobody
    return is_own or who.file(ticks.path_for(run.workspace, run.now)) is Seen.TOLD
