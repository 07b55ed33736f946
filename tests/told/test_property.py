"""Whatever was said where, and whatever the config says: each reader is told exactly what the rule gives.

The rule is written anew below, from the contract's words alone. Everything goes through files and the command line; one
machine serves many examples, with its sessions and observations made anew for each.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from tests.conftest import NEW_EXAMPLES
from tests.told.ground import Machine, claude_given, openclaw_given, succeeded, told, words_in

# An example costs seconds: a red one is looked at as it was found, unless somebody asks for more.
PHASES = tuple(Phase) if NEW_EXAMPLES else (Phase.explicit, Phase.generate)

PATHS = {"mind": "mind", "harbor": "work/harbor", "lantern": "work/lantern", "orchard": "notes/orchard"}
FOLDERS = {  # where a session works → the project it is of
    "mind": "mind",
    "harbor": "harbor",
    "lantern": "lantern",
    "lantern/src": "lantern",
    "worktree": "lantern",
    "orchard": "orchard",
}
AGENTS = ("main", "ops")
OWN = {"mind", "openclaw/main"}
GROUPS = ("telegram:group:-100", "discord:channel:42")
SUFFIXES = ("", ":topic:7", ":thread:9")
HOSTS = ("openclaw", "claude", "codex")
PATTERNS = ("~/work/*", "~/work/harbor", "~/notes/**", "~/trees/*", "~/nowhere", "openclaw/*", "openclaw/ops")

# A word for each session; the sentence about the person has none of a project in it.
DECISIONS = "zebrafin marlinox ibexal okapine narwhalo lemurine".split()
RULES = {
    "adverbs": "Please always answer me without any adverbs.",
    "nickname": "Please always address me by my nickname.",
    "semicolons": "Never use semicolons when you write to me.",
    "riddle": "Always explain things to me with a riddle.",
    "limericks": "I prefer that you answer me in limericks.",
    "gloomiest": "Always tell me the gloomiest part first.",
}


@dataclass(frozen=True)
class Said:
    """One session. where: a folder of FOLDERS, or (agent, group or None, suffix)."""

    host: str
    where: str | tuple[str, str | None, str]

    @property
    def project(self) -> str:
        return FOLDERS[self.where] if isinstance(self.where, str) else f"openclaw/{self.where[0]}"

    @property
    def group(self) -> str | None:
        return None if isinstance(self.where, str) else self.where[1]


@dataclass(frozen=True)
class Config:
    sources: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    groups: tuple[str, ...]
    others: str


SESSIONS = st.one_of(
    st.builds(Said, st.sampled_from(["claude", "codex"]), st.sampled_from(sorted(FOLDERS))),
    st.builds(
        Said,
        st.just("openclaw"),
        st.tuples(st.sampled_from(AGENTS), st.sampled_from([None, None, *GROUPS]), st.sampled_from(SUFFIXES)),
    ),
)
CONFIGS = st.builds(
    Config,
    sources=st.lists(st.sampled_from(HOSTS), unique=True, max_size=3).map(tuple),
    include=st.lists(st.sampled_from(PATTERNS), unique=True, max_size=2).map(tuple),
    exclude=st.lists(st.sampled_from(PATTERNS), unique=True, max_size=1).map(tuple),
    groups=st.sampled_from([(), ("*",), ("telegram:*",), ("discord:channel:42",), ("agent:ops:*",)]),
    others=st.sampled_from(["none", "rules", "all"]),
)


# --- the rule


def matches(said: Said, pattern: str) -> bool:
    """A pattern of paths matches the project or the session's folder, and all below; one of agents the agent."""
    if pattern.startswith("openclaw/"):
        return fnmatchcase(said.project, pattern)
    if not isinstance(said.where, str):
        return False
    folder = {"lantern/src": "work/lantern/src", "worktree": "trees/lantern-fix"}.get(said.where, PATHS.get(said.where))
    return any(below(f"~/{path}", pattern) for path in (folder, PATHS[said.project]))


def below(path: str, pattern: str) -> bool:
    parts = path.split("/")
    return any(fnmatchcase("/".join(parts[:n]), pattern) for n in range(1, len(parts) + 1)) or (
        pattern.endswith("/**") and f"{path}/".startswith(pattern[:-2])
    )


def taken(said: Said, config: Config) -> bool:
    if any(matches(said, pattern) for pattern in config.exclude):
        return False
    if said.group is not None:
        key = f"agent:{said.where[0]}:{said.group}"
        if not any(fnmatchcase(said.group, g) or fnmatchcase(key + said.where[2], g) for g in config.groups):
            return False
    if said.project in OWN:
        return not config.sources or said.host in config.sources
    if said.host not in config.sources:
        return False
    of_kind = [p for p in config.include if p.startswith("openclaw/") == (said.host == "openclaw")]
    return not of_kind or any(matches(said, pattern) for pattern in of_kind)


def sees(reader: str, group: str | None, said: Said) -> bool:
    """A reader of a project, or of a group (then `reader` is the agent's project)."""
    own = reader == said.project or {reader, said.project} <= OWN
    if group is not None:
        return own and said.group == group
    return own


def is_for(reader: str, config: Config) -> bool:
    """Return whether the workspace is for a project: in another one nothing is told by a hook."""
    agent = reader.removeprefix("openclaw/")
    there = Said("openclaw", (agent, None, "")) if agent != reader else Said("claude", reader)
    return taken(there, config) or there.project in OWN


def expected(sessions: list[Said], config: Config, reader: str, group: str | None) -> tuple[set[str], set[str]]:
    """Return the words that are told, and those that may be besides."""
    must: set[str] = set()
    may: set[str] = set()
    for said, decision, rule in zip(sessions, DECISIONS, RULES, strict=False):
        if not taken(said, config):
            continue
        if sees(reader, group, said):
            here = must if group or is_for(reader, config) else may  # of a project only a worktree may be listed
            here.add(decision)
            (may if said.group else here).add(rule)  # a group's order is a fact, or nothing
        elif group is None and said.group is None:
            elsewhere = {"none": set(), "rules": {rule}, "all": {rule, decision}}[config.others]
            (must if is_for(reader, config) else may).update(elsewhere)
        elif said.group is not None and (group == said.group or (group is None and config.others == "all")):
            may |= {rule, decision}  # another agent heard the same group; `all` may tell what groups said
    return must, may


# --- the machine


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    made = Machine(tmp_path_factory.mktemp("property"))
    ws = made.workspace("mind")
    for name in ("work/harbor", "work/lantern"):
        made.repository(name)
    made.folder("work/lantern/src")
    made.folder("notes/orchard")
    made.worktree(made.home / "work/lantern", "trees/lantern-fix")
    made.agents(main=ws, ops=made.folder("ops"))
    made.operator(ws, "context.memoryKb", 40)
    return made


def folder(machine: Machine, where: str) -> Path:
    names = {**PATHS, "lantern/src": "work/lantern/src", "worktree": "trees/lantern-fix"}
    return machine.home / names[where]


def anew(machine: Machine, sessions: list[Said], config: Config) -> Path:
    """Let the sessions be said and observed under this config, in place of those before."""
    ws = machine.home / "mind"
    for path in (machine.home / ".claude/projects", machine.home / ".codex/sessions", machine.state / "agents"):
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir(parents=True)
    for name in ("memory/observations.md", "memory/meta/cursors.json"):
        (ws / name).unlink(missing_ok=True)
    machine.operator(ws, "observe.sources", list(config.sources))
    machine.operator(ws, "observe.projects", {"include": list(config.include), "exclude": list(config.exclude)})
    machine.operator(ws, "observe.groups", list(config.groups))
    machine.operator(ws, "context.otherProjects", config.others)
    for number, (said, decision, rule) in enumerate(zip(sessions, DECISIONS, RULES, strict=False)):
        texts = (f"I decided that the {decision} release ships on Friday.", RULES[rule])
        if isinstance(said.where, str):
            write = machine.claude if said.host == "claude" else machine.codex
            write(folder(machine, said.where), *texts)
            continue
        agent, group, suffix = said.where
        key = f"agent:{agent}:{group}{suffix}" if group else f"agent:{agent}:direct:p{number}"
        machine.openclaw(agent, key, *texts, store=("files", "sqlite")[agent == "ops"])
    succeeded(machine.koog(ws, "observe"))
    return ws


def readers(machine: Machine, ws: Path) -> dict[tuple[str, str | None], str]:
    """Return (project, group) → what it is told at its start."""
    found: dict[tuple[str, str | None], str] = {}
    for name in PATHS:
        cwd = folder(machine, name)
        found[name, None] = machine.hook(ws, "session-start", "claude", claude_given(cwd), cwd=cwd)
    for agent in AGENTS:
        given: dict[str, Any] = openclaw_given(ws, f"agent:{agent}:main", agent)
        found[f"openclaw/{agent}", None] = machine.hook(ws, "prompt-build", "openclaw", given)
        for group in GROUPS:
            key = f"agent:{agent}:{group}:thread:1"
            called = machine.koog(ws, "compile", "--message", "what ships?", "--session", key)
            found[f"openclaw/{agent}", group] = told(succeeded(called))
    return found


MIXED = [
    Said("claude", "mind"),
    Said("codex", "worktree"),
    Said("claude", "orchard"),
    Said("openclaw", ("main", None, "")),
    Said("openclaw", ("ops", "telegram:group:-100", ":topic:7")),
    Said("openclaw", ("ops", None, "")),
]


@settings(max_examples=60 if NEW_EXAMPLES else 4, phases=PHASES)
@given(sessions=st.lists(SESSIONS, min_size=1, max_size=6), config=CONFIGS)
@example(sessions=MIXED, config=Config((), (), (), (), "rules"))
@example(sessions=MIXED, config=Config(HOSTS, (), (), ("*",), "none"))
@example(sessions=MIXED, config=Config(HOSTS, (), ("~/notes/**",), ("telegram:*",), "rules"))
@example(sessions=MIXED, config=Config(HOSTS, ("~/trees/*", "openclaw/ops"), (), ("agent:ops:*",), "all"))
def test_each_reader_is_told_what_the_rule_gives(sessions, config, machine):
    words = {*DECISIONS, *RULES}
    ws = anew(machine, sessions, config)

    for (reader, group), text in readers(machine, ws).items():
        must, may = expected(sessions, config, reader, group)
        seen = words_in(text, words)
        assert must <= seen, ("went empty", reader, group, must - seen)
        assert seen <= must | may, ("leaked", reader, group, seen - must - may)
    observed = words_in(machine.observations(ws), DECISIONS)
    assert observed == {d for s, d in zip(sessions, DECISIONS, strict=False) if taken(s, config)}


# Each name of something: a sentence with one of them is of that project, whatever else it says.
TAILS = [" of `build.sh`", " in src/main.py", " at https://a.example/x", " with Zoltan", " of harbor", " of camelCase"]


@settings(max_examples=40 if NEW_EXAMPLES else 3, phases=PHASES)
@given(rules=st.lists(st.sampled_from(sorted(RULES)), min_size=1, max_size=4, unique=True), data=st.data())
def test_a_rule_that_names_something_of_a_project_is_not_told_elsewhere(rules, data, machine):
    tails = [data.draw(st.sampled_from(["", *TAILS])) for _ in rules]
    said = [RULES[rule].rstrip(".") + tail + "." for rule, tail in zip(rules, tails, strict=True)]
    ws = anew(machine, [], Config(("claude",), (), (), (), "rules"))
    machine.claude(folder(machine, "harbor"), *said)
    succeeded(machine.koog(ws, "observe"))
    observed = words_in(machine.observations(ws), rules)

    text = machine.hook(ws, "session-start", "claude", claude_given(folder(machine, "orchard")))

    assert words_in(text, rules) == {rule for rule, tail in zip(rules, tails, strict=True) if not tail} & observed
