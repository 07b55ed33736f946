"""What the extractors have in common: a row of an answer as a change, and where the file lies that it is for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from koog.core.clip import clip
from koog.core.lazy_regex import compiled
from koog.core.task import Task
from koog.knowledge.extractor import REMEMBER, Asking, KnowledgeChange, Talk
from koog.knowledge.placing import Placed
from koog.knowledge.subjects import USER, About
from koog.memory import remember_rules
from koog.memory.names.mentions import PERSON, PROJECT
from koog.memory.store import ids
from koog.observe import material

ROUTE = "knowledge_extractor"
GENERAL, PEOPLE_TOPIC, OPEN = "general", "people", "open"  # topics of the journal
MOST_KNOWN = 60  # names that a prompt lists
NAME_CHARS, NAME_WORDS, TOPIC_WORDS = 60, 6, 4


def asking(
    file: str,
    rules: Callable[[Talk], dict[str, Any]],
    changes: Callable[[dict[str, Any], Talk], Iterable[KnowledgeChange]],
    *,
    rows: str,
) -> Asking:
    """Return the extractor of a module: it is called so, and its prompt and schema are the module's siblings.

    rows   the answer's key
    """
    task = Task(
        file=Path(file),
        route=ROUTE,
        rules=rules,
        render=lambda given: {
            "known": known(given),
            "before": material.told(given.before),
            "turns": material.numbered(given.turns),
        },
    )
    return Asking(task.name, 1, task, rows, changes)


def line(row: dict[str, Any], content: str, *, kind: str) -> KnowledgeChange:
    """Return a row of an answer as a change that has no place yet."""
    return KnowledgeChange(
        "",
        "append",
        "",
        " ".join(content.split()),
        row["turn"] or 0,
        tuple(row.get("with") or ()),
        kind,
        row["importance"],
        row["confidence"],
        line=row["line"] if isinstance(row.get("line"), int) else 1,
    )


def named(told: str, given: Talk) -> str:
    """Return what somebody or something is called, as a row has it, "" where that is no name, or none that was told.

    A model that does not know a name writes a sentence in its place, or one of its own: no file is called so.
    """
    words = compiled(r"[^\W_]+").findall(told.casefold())
    if len(told) > NAME_CHARS or len(words) > NAME_WORDS:
        return ""
    turns = (turn.text for turn in (*given.before, *given.turns))
    known = (USER, given.project, *given.projects.values(), *given.names.within(told))
    said = "\n".join((*turns, *known)).casefold()
    return " ".join(told.split()) if any(word in said for word in words) else ""


def open_(told: KnowledgeChange, given: Talk, topic: str) -> KnowledgeChange:
    """Return a change as a line of the day's journal, where nobody can tell which file it is for."""
    return told._replace(path=given.layout.journal, section=topic, is_dated=False)


def fact(told: KnowledgeChange, name: str, kind: str) -> KnowledgeChange:
    """Return a change as a fact of an entity, in the memory's own file."""
    return told._replace(action=REMEMBER, section="Facts", entity=name, of=kind, is_dated=False)


def of_project(given: Talk, name: str, file: str, section: str, told: KnowledgeChange) -> KnowledgeChange | None:
    """Return a change as a line of a project's file, None where it is of no project."""
    name = named(name, given)
    if not (found := project_slug(given, name)):
        return None
    title = given.projects.get(found, name)
    return told._replace(path=given.layout.project(found, file), section=section, title=title, head={"project": found})


def project_slug(given: Talk, name: str) -> str:
    """Return the folder of a project by its name, one that is there already where it is called so, too."""
    wanted = ids.slug(name)
    meant = given.names.meant(name, PROJECT).id if wanted else None
    known = meant.removeprefix(f"{PROJECT}--") if meant and meant.startswith(f"{PROJECT}--") else ""
    return wanted if wanted in given.projects or not known else known


def project(about: About) -> str:
    """Return the name of the project that a statement is of, "" for none."""
    return about.project.name if about.project else ""


def person(given: Talk, name: str) -> str:
    """Return how the file of a person is called, as the memory calls the person."""
    meant = given.names.meant(name, PERSON).id
    return meant.removeprefix(f"{PERSON}--") if meant and meant.startswith(f"{PERSON}--") else ids.slug(name)


def slug(name: str) -> str:
    """Return a name as a file may be called."""
    return ids.slug(name)[:NAME_CHARS].strip("-")


def heading(topic: str, given: Talk) -> str:
    """Return the heading of the journal for a topic: a project, or a few words; what has more is no topic."""
    found = slug(topic)
    is_short = len(compiled(r"[^\W_]+").findall(topic)) <= TOPIC_WORDS
    return found if found and (is_short or found in given.projects or found == slug(given.project)) else GENERAL


def topic(found: Placed) -> str:
    """Return under which topic of the journal a statement stands."""
    if found.about.project and (found.about.is_named or found.about.person is None):
        return found.about.project.slug
    return PEOPLE_TOPIC if found.about.person else GENERAL


def steps(text: str) -> dict[str, Any]:
    """Return a way to do something as its name, when it is called for, and its steps: one where nothing parts them."""
    found = remember_rules.steps(text, marks=(remember_rules.ARROW,))
    name = compiled(r"[,.;:，。；：、]").split(text)[0].strip()
    return {"name": clip(name, NAME_CHARS).rstrip("…"), "when": "", "steps": found if len(found) > 1 else [text]}


def known(given: Talk) -> str:
    """Return the names that a prompt lists: of projects, people and things, those that are named in the turns."""
    said = "\n".join(turn.text for turn in given.turns)
    rows = [f"project: {name}" for name in given.projects.values()]
    rows += [f"{id_.partition('--')[0]}: {name}" for name, id_ in given.names.within(said).items()]
    rows += [f"the session's project: {given.project}"] if given.project else []
    return "\n".join(list(dict.fromkeys(rows))[:MOST_KNOWN])
