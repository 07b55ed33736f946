"""What was observed goes to the stores of the memory, in the step in which it is written.  [moltbot §9.1, §12.3]"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from koog.core.text.observation import OF_USER
from koog.core.text.voices import AGENT, PERSON
from koog.memory import detected
from koog.memory.detected import Heard
from koog.observe.observations import HIGH_FROM, MEDIUM_FROM, Observation
from koog.sessions import audience, place
from koog.sessions.place import Place

if TYPE_CHECKING:
    from koog.core.files.door import Door
    from koog.core.run import Run
    from koog.sessions.labels import Label

HEARD_OF = (PERSON, AGENT)  # what a tool or a page says is nobody's memory


def stage(run: Run, door: Door, fresh: Sequence[Observation], label: Label) -> int:
    """Stage what is worth remembering of new observations; return how many things are new in the stores.

    label   where they were heard

    What is light stays an observation, and fades as one.
    """
    heard = [
        Heard(o.text.removeprefix(OF_USER), o.day, o.time, o.source, o.trust == PERSON, o.importance >= HIGH_FROM)
        for o in fresh
        if o.importance >= MEDIUM_FROM and o.trust in HEARD_OF
    ]
    project = label.project or place.project(str(run.home))
    return detected.stage(run, door, heard, who=audience.reader(run, Place(project, label.scope, label.group)))
