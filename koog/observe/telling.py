"""What a command may tell of the lines it has written or changed: what their reader may hear, and nothing else.

An agent that observes works in one project, and what it is answered stands in that project's session.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from koog.core.run import Run
from koog.observe import observations
from koog.observe.observations import Observation
from koog.sessions import audience
from koog.sessions.audience import Audience, Seen
from koog.sessions.labels import Label

T = TypeVar("T")


def lines(run: Run, found: Sequence[Observation]) -> list[str]:
    """Return the observations' lines that the run's reader may hear.

    Those of other projects come with the projects' names, and without comments, which hold paths.
    """
    if not found:
        return []
    who, path = audience.current(run), _path(run)
    told = [(observations.written(o), behind(who, o, path)) for o in found]
    return [row.partition(" <!--")[0] + name if name else row for row, name in told if name is not None]


def texts(run: Run, found: Sequence[tuple[Label, T]]) -> list[T]:
    """Return those of the texts that the run's reader may hear, whatever they are."""
    heard = labels_heard(run, {label for label, _ in found})
    return [text for label, text in found if label in heard]


def labels_heard(run: Run, labels: Iterable[Label]) -> set[Label]:
    """Return the labels of which the run's reader may hear everything."""
    known = set(labels)
    if not known:
        return known
    who, path = audience.current(run), _path(run)
    return {label for label in known if who.line(label, path) is not Seen.HIDDEN}


def behind(who: Audience, o: Observation, path: str) -> str | None:
    """Return what stands behind an observation that is told to somebody: its project's name, ""; None: it is not.

    path   the observations' file
    """
    return _mark(who, o.label, path, who.line(o.label, path, text=o.text, kind=o.type))


def behind_text(who: Audience, label: Label, path: str) -> str | None:
    """Return the same for a text that is no observation."""
    return _mark(who, label, path, who.line(label, path))


def _mark(who: Audience, label: Label, path: str, seen: Seen) -> str | None:
    if seen is Seen.HIDDEN:
        return None
    return audience.mark(who.name_of(label, path)) if seen is Seen.NAMED else ""


def _path(run: Run) -> str:
    return run.workspace.in_memory(observations.NAME)
