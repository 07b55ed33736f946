"""The scene of the matrix: two workspaces, three hosts, four projects, two agents, a group and a channel.

Each place says four kinds of sentence, each with a word that is said nowhere else:

    decision  what was decided there: told in its own project only
    rule      about the person: told in other projects where `context.otherProjects` is `rules`
    code      a rule that names code: never told elsewhere
    name      a rule that names somebody: never told elsewhere

The files of the workspaces have words of their own.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from tests.told.ground import Machine, succeeded


class Place(NamedTuple):
    """What one place says: the words by which it is known, and its rule about the person as it is said."""

    decision: str
    rule: str
    code: str
    name: str
    rule_said: str

    @property
    def said(self) -> tuple[str, ...]:
        return (
            f"I decided that the {self.decision} release ships on Friday.",
            self.rule_said,
            f"Always run `make {self.code}` before anything is merged.",
            f"Always ask {self.name} before you answer a customer.",
        )

    @property
    def words(self) -> set[str]:
        return {self.decision, self.rule, self.code, self.name}


PLACES = {
    # in the workspaces' own folders
    "own1": Place("zebrafin", "adverbs", "mkzebra", "Zoltan", "Please always answer me without any adverbs."),
    "own2": Place("quokkam", "emojis", "mkquokka", "Quentin", "Never send me any emojis."),
    # in projects: a repository; a worktree of one; a folder below it; a plain folder; a repository under NDA
    "harbor": Place("marlinox", "nickname", "mkmarlin", "Mirabel", "Please always address me by my nickname."),
    "worktree": Place("ibexal", "semicolons", "mkibex", "Ingrid", "Never use semicolons when you write to me."),
    "below": Place("tapirox", "bulleted", "mktapir", "Tobias", "I prefer that you reply with bulleted points."),
    "orchard": Place("okapine", "riddle", "mkokapi", "Ottilie", "Always explain things to me with a riddle."),
    "quarry": Place("narwhalo", "haiku", "mknarwhal", "Norbert", "Please always speak to me in a haiku."),
    # OpenClaw's agents
    "main": Place("lemurine", "limericks", "mklemur", "Lorenzo", "I prefer that you answer me in limericks."),
    "ops": Place("condoran", "gloomiest", "mkcondor", "Clemens", "Always tell me the gloomiest part first."),
    # what was said in a group and a channel
    "telegram": Place("gannetol", "rhymes", "mkgannet", "Gregor", "Please always answer me in rhymes."),
    "discord": Place("dugongal", "proverbs", "mkdugong", "Dietmar", "Never answer me with proverbs."),
}
TELEGRAM, DISCORD = "telegram:group:-100123", "discord:channel:42"
GROUPS = {"telegram": TELEGRAM, "discord": DISCORD}

# What lies in the first workspace's files: path → word. All of it is the person's own; of these, IDENTITY may be told
# in a group.
IDENTITY = {"SOUL.md": "soulwort", "IDENTITY.md": "identiwort"}
FILES = {
    "MEMORY.md": "memowort",
    "memory/MEMORY.md": "innerwort",
    "memory/core/x.md": "corewort",
    "USER.md": "userwort",
    "TOOLS.md": "toolwort",
    "memory/2026-02-28.md": "todaywort",
    "memory/2026-02-27-notes.md": "notewort",
    "memory/favorites.md": "favowort",
    "archive/copy.md": "copywort",
    "knowledge/journal/2026-02-28.md": "journalwort",
    "knowledge/memory/MEMORY.md": "knowlwort",
    "knowledge/people/anna.md": "peoplewort",
    "knowledge/identity/user.md": "kindwort",
    "modules/herbs/patterns.md": "modulwort",
    "notes/plain.md": "plainwort",
    "HEARTBEAT.md": "heartwort",
}
LOWER = {"memory.md": "lowerwort"}  # the same file as MEMORY.md on some machines: read for leaks alone
PLAYBOOK_OWN = "playwort"  # a line of the playbook without a project: the workspace's own
PLAYBOOK = {"harbor": ("harbwort", "couplets"), "quarry": ("quarwort", "sonnets")}  # a pattern and a preference of each
TOPIC = "topicwort"

WORKSPACES = {"one": "mind", "two": "ops-mind"}


@dataclass
class Scene:
    machine: Machine
    one: Path
    two: Path
    harbor: Path
    lantern: Path
    worktree: Path
    orchard: Path
    quarry: Path

    @property
    def folders(self) -> dict[str, Path]:
        """Place → the folder it was said in."""
        return {
            "own1": self.one,
            "own2": self.two,
            "harbor": self.harbor,
            "worktree": self.worktree,
            "below": self.lantern / "src/deep",
            "orchard": self.orchard,
            "quarry": self.quarry,
        }

    @property
    def projects(self) -> dict[str, str]:
        """Place → its project."""
        found = {name: str(folder) for name, folder in self.folders.items()}
        found |= {"worktree": str(self.lantern), "below": str(self.lantern)}
        return (
            found
            | {"main": "openclaw/main", "ops": "openclaw/ops"}
            | {"telegram": "openclaw/main", "discord": "openclaw/ops"}
        )

    def label(self, place: str) -> str:
        """Return how a project is told beside a line: its last part, an agent by its whole name."""
        project = self.projects[place]
        return project if project.startswith("openclaw/") else os.path.basename(project)  # noqa: PTH119


def machine(place: Path) -> Scene:
    """Make the folders, workspaces and agents; nobody has said anything."""
    made = Machine(place)
    one, two = made.workspace("mind"), made.workspace("ops-mind")
    lantern = made.repository("work/lantern")
    (lantern / "src/deep").mkdir(parents=True)
    scene = Scene(
        made,
        one,
        two,
        harbor=made.repository("work/harbor"),
        lantern=lantern,
        worktree=made.worktree(lantern, "trees/lantern-fix"),
        orchard=made.folder("notes/orchard"),
        quarry=made.repository("work/quarry"),
    )
    made.agents(main=one, ops=two)
    for ws in (one, two):  # all that is told has room
        made.operator(ws, "context.memoryKb", 40)
        made.operator(ws, "context.journalKb", 20)
        made.operator(ws, "context.tokenBudget", 20000)
    return scene


def say(scene: Scene, *places: str) -> None:
    """Let places say what they say, each at its host."""
    made, folders = scene.machine, scene.folders
    for place in places or PLACES:
        said = PLACES[place].said
        if place in ("own1", "harbor", "worktree", "quarry"):
            made.claude(folders[place], *said)
        elif place in ("own2", "below", "orchard"):
            made.codex(folders[place], *said, ordinal=place == "orchard")
        elif place == "main":
            made.openclaw("main", "agent:main:main", *said, chat_type="direct", cwd=scene.one)
        elif place == "ops":
            made.openclaw("ops", "agent:ops:main", *said, store="sqlite", chat_type="direct", cwd=scene.two)
        elif place == "telegram":
            made.openclaw("main", f"agent:main:{TELEGRAM}:topic:7", *said, chat_type="group", cwd=scene.one)
        else:
            key = f"agent:ops:{DISCORD}:thread:9"
            made.openclaw("ops", key, *said, store="sqlite", chat_type="channel", cwd=scene.two)


def files(scene: Scene) -> None:
    """Put words of their own into the first workspace's files; some lead to others."""
    made, ws = scene.machine, scene.one
    for path, word in {**LOWER, **FILES, **IDENTITY}.items():
        made.put(ws, path, f"# Notes\n\n- The {word} release was kept for the person alone.\n")
    (ws / "AGENTS.md").symlink_to("MEMORY.md")  # a group is told AGENTS.md, and never what this one leads to
    (ws / "knowledge/identity").mkdir(parents=True, exist_ok=True)
    os.link(ws / "USER.md", ws / "knowledge/identity/agents.md")
    subscribed = ["MEMORY.md", "./memory/core/x.md", "archive/copy.md", "USER.md"]
    rows = "".join(f"  - {path}\n" for path in subscribed)
    made.put(
        ws,
        "topics/releases.md",
        f"---\nid: releases\ntriggers: [release, releases]\nsubscriptions:\n{rows}---\n\n# Releases\n\nThe {TOPIC}.\n",
    )
    rows = [f"- The {PLAYBOOK_OWN} release needs a changelog (score: 0.8)"]
    wanted = []
    for place, (pattern, preference) in PLAYBOOK.items():
        label = f"<!-- dc:project={quote(scene.projects[place], safe='/:@.,+~')} -->"
        came = f"<!-- from: memory/2026-02-27-notes.md:3 --> {label}"
        rows.append(f"- The {pattern} release needs a rehearsal (score: 0.8) {came}")
        wanted.append(f"- I prefer that you answer me in {preference} {came}")
    made.put(
        ws,
        "memory/sinain-playbook.md",
        "<!-- mining-index:  -->\n\n# Sinain Playbook\n\n## Established\n\n" + "\n".join(rows) + "\n\n## Patterns\n\n"
        "## Preferences\n\n" + "\n".join(wanted) + "\n\n## Observing\n\n"
        "<!-- effectiveness: outputs=0,positive=0,negative=0,neutral=0,rate=0 -->\n",
    )


def take(scene: Scene) -> None:
    """Say in the operator's file who takes what: orchard, ops and the channel are named by both, quarry by none."""
    made = scene.machine
    made.operator(scene.one, "observe.sources", ["openclaw", "claude", "codex"])
    made.operator(
        scene.one,
        "observe.projects",
        {
            "include": ["~/work/**", str(scene.orchard), "openclaw/*"],
            "exclude": [str(scene.quarry)],
        },
    )
    made.operator(scene.one, "observe.groups", [TELEGRAM, DISCORD])
    made.operator(scene.two, "observe.sources", ["openclaw", "codex"])
    made.operator(scene.two, "observe.projects", {"include": [str(scene.orchard), "openclaw/ops"], "exclude": []})
    made.operator(scene.two, "observe.groups", ["discord:*"])


def observe(scene: Scene) -> None:
    for ws in (scene.one, scene.two):
        succeeded(scene.machine.koog(ws, "observe"))


def whole(place: Path) -> Scene:
    """Return the scene with everything said and observed."""
    scene = machine(place)
    say(scene)
    take(scene)
    observe(scene)
    files(scene)
    succeeded(scene.machine.koog(scene.one, "playbook", "build"))
    succeeded(scene.machine.koog(scene.one, "index"))
    succeeded(scene.machine.koog(scene.two, "index"))
    return scene
