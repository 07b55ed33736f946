"""Where the knowledge files lie, and what a new one begins with.  [autopoiesis §2.2, §2.3]

    knowledge/journal/2026-02-16.md              what happened that day, by topic
    knowledge/projects/_active.md                the projects that are worked on
    knowledge/projects/SLUG/{context,progress,notes}.md
    knowledge/people/_index.md, SLUG.md          how somebody is to be spoken with, and what there was with them
    knowledge/procedures/SLUG.md                 how something is done
    knowledge/reference/SLUG.md                  what is known of the rest
    knowledge/reference/{decisions,lessons}.md   of no project, and with no room or place in MEMORY.md
    MEMORY.md                                    its sections `Key Decisions` and `Lessons Learned`

A person's own folders for people, projects and reference, as `paths.notes` names them, take the place of these. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence

from koog.core.files.own_notes import OwnNotes
from koog.core.lazy_regex import compiled
from koog.core.named import NamedTuple
from koog.knowledge import documents

ROOT = "knowledge"
JOURNAL, PROJECTS, PEOPLE, PROCEDURES, REFERENCE, IDENTITY = (
    "journal",
    "projects",
    "people",
    "procedures",
    "reference",
    "identity",
)
FOLDERS = (IDENTITY, JOURNAL, PROJECTS, PEOPLE, PROCEDURES, REFERENCE)
ACTIVE, INDEX = "_active.md", "_index.md"
CONTEXT, PROGRESS, NOTES = "context.md", "progress.md", "notes.md"
MEMORY = "MEMORY.md"
STATE, DECISIONS, STACK = OF_CONTEXT = ("Current State", "Key Decisions", "Stack")
DONE, NEXT, BLOCKERS = OF_PROGRESS = ("Done", "Next", "Blockers")
COMMUNICATION, HISTORY = OF_PERSON = ("Communication", "Context")
LESSONS = "Lessons Learned"
WHEN, STEPS, REMARKS = OF_PROCEDURE = ("When", "Steps", "Notes")
FACTS, ACCUMULATED = "Facts", "Notes"
OF_CATEGORY = {
    "person": PEOPLE,
    "project": PROJECTS,
    "reference": REFERENCE,
}  # a category of paths.notes → whose folder it takes

# type → its sections in their order
SECTIONS: dict[str, Sequence[str]] = {
    "project_context": OF_CONTEXT,
    "project_progress": OF_PROGRESS,
    "project_notes": (ACCUMULATED,),
    "person": OF_PERSON,
    "procedure": OF_PROCEDURE,
    "reference": (FACTS,),
}


class Layout(NamedTuple):
    """Which folder each kind of knowledge has."""

    people: str
    projects: str
    procedures: str
    reference: str
    journal: str

    def project(self, slug: str, name: str) -> str:
        """Return a file of a project."""
        return f"{self.projects}/{slug}/{name}"

    def beside(self, section: str) -> str:
        """Return the file of what a section of MEMORY.md cannot have."""
        return f"{self.reference}/{'decisions' if section == DECISIONS else 'lessons'}.md"

    def kind(self, path: str) -> str:
        """Return the type of a knowledge file by its path, "" for any other file.

        >>> of(OwnNotes()).kind("knowledge/projects/apollo/progress.md")
        'project_progress'
        """
        folder, _, name = path.rpartition("/")
        if path == MEMORY:
            return "memory"
        if folder.startswith(f"{self.projects}/") and name in (CONTEXT, PROGRESS, NOTES):
            return f"project_{name.removesuffix('.md')}"
        if name in (ACTIVE, INDEX):
            return {self.projects: "project_index", self.people: "person_index"}.get(folder, "")
        kinds = {self.people: "person", self.procedures: "procedure", self.reference: "reference"}
        return "journal" if folder == self.journal else kinds.get(folder, "")


def of(own: OwnNotes) -> Layout:
    """Return where knowledge lies beside a person's own notes."""
    taken = {OF_CATEGORY[category]: folder for category, folder in _folders(own) if category in OF_CATEGORY}
    plain = {name: taken.get(name, f"{ROOT}/{name}") for name in FOLDERS}
    return Layout(plain[PEOPLE], plain[PROJECTS], plain[PROCEDURES], plain[REFERENCE], plain[JOURNAL])


def _folders(own: OwnNotes) -> list[tuple[str, str]]:
    """Return category and folder of the globs that name a whole folder; of several of one category the last one."""
    found = []
    for category, globs in reversed(own.globs):
        bare = [glob.rstrip("/").removesuffix("/**").removesuffix("/*").removesuffix("/*.md") for glob in globs]
        found += [(category, folder) for folder in reversed(bare) if folder and not compiled(r"[*?]").search(folder)]
    return found


# --- new files


def new(kind: str, *, title: str, today: str, **values: object) -> str:
    """Return a new file of a type: its head and its title; sections are made when something is to stand in them."""
    head = {"type": kind, **values, "updated": today}
    heading = "" if kind == "journal" else f"\n# {title}\n"
    if kind == "journal":
        head = {"type": kind, **values}
        heading = f"\n## {title}\n"
    return documents.head(head) + heading


def active(today: str, rows: Sequence[str] = ()) -> str:
    """Return the list of active projects."""
    return _listed("project_index", "Active Projects", today, rows)


def index(today: str, rows: Sequence[str] = ()) -> str:
    """Return the list of the people that are known."""
    return _listed("person_index", "People", today, rows)


def _listed(kind: str, title: str, today: str, rows: Sequence[str]) -> str:
    return new(kind, title=title, today=today) + ("\n" + "".join(f"{row}\n" for row in rows) if rows else "")


def laid_out(layout: Layout, today: str) -> dict[str, str]:
    """Return path → text of what a workspace with knowledge files begins with."""
    return {f"{layout.projects}/{ACTIVE}": active(today), f"{layout.people}/{INDEX}": index(today)}
