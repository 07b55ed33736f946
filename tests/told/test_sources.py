"""What is read at all: `observe.sources` and `observe.projects`, by the operator alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.told.ground import Machine, claude_given, succeeded, told

WORDS = {"here": "zebrafin", "harbor": "marlinox", "quarry": "narwhalo", "orchard": "okapine", "main": "lemurine"}
SAID = "I decided that the {} release ships on Friday."


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """Claude Code in the workspace, harbor and quarry; Codex in orchard; OpenClaw's agent in a folder of its own."""
    made = Machine(tmp_path_factory.mktemp("sources"))
    ws = made.workspace("mind")
    made.agents(main=made.folder("agent"))
    made.claude(ws, SAID.format(WORDS["here"]))
    made.claude(made.repository("work/harbor"), SAID.format(WORDS["harbor"]))
    made.claude(made.repository("work/quarry"), SAID.format(WORDS["quarry"]))
    made.codex(made.folder("notes/orchard"), SAID.format(WORDS["orchard"]), ordinal=True)
    made.openclaw("main", "agent:main:main", SAID.format(WORDS["main"]))
    (made.home / "shortcut").symlink_to(made.home / "work/harbor")
    return made


@pytest.fixture
def machine(spoken):
    with spoken.restored():
        yield spoken


@pytest.fixture
def ws(machine: Machine) -> Path:
    return machine.home / "mind"


def taken(machine: Machine, ws: Path, *argv: str) -> set[str]:
    """Return whose words were observed."""
    succeeded(machine.koog(ws, "observe", *argv))
    text = machine.observations(ws)
    return {name for name, word in WORDS.items() if word in text}


ALL = set(WORDS)
CASES = {
    # sources, include, exclude → whose words are observed
    "nothing is set": (None, None, None, {"here"}),
    "an empty list of sources": ([], [], [], {"here"}),
    "one host": (["claude"], [], [], {"here", "harbor", "quarry"}),
    "two hosts": (["claude", "codex"], [], [], {"here", "harbor", "quarry", "orchard"}),
    "all hosts": (["openclaw", "claude", "codex"], [], [], ALL),
    "another host": (["codex"], [], [], {"orchard"}),
    "one project": (["claude", "codex"], ["~/work/harbor"], [], {"here", "harbor"}),
    "by its real path": (["claude"], ["{harbor}"], [], {"here", "harbor"}),
    "by a link to it": (["claude"], ["~/shortcut"], [], {"here", "harbor"}),
    "with a slash behind it": (["claude"], ["~/work/harbor/"], [], {"here", "harbor"}),
    "a glob": (["claude", "codex"], ["~/work/*"], [], {"here", "harbor", "quarry"}),
    "a folder above": (["claude", "codex"], ["~/work"], [], {"here", "harbor", "quarry"}),
    "a glob of all below": (["claude", "codex"], ["~/**"], [], {"here", "harbor", "quarry", "orchard"}),
    "one excluded": (["claude"], [], ["~/work/quarry"], {"here", "harbor"}),
    "exclude wins": (["claude"], ["~/work/quarry"], ["~/work/*"], {"here"}),
    "excluded by a glob of its name": (["claude"], ["~/work/**"], ["**/quarry"], {"here", "harbor"}),
    "excluded by a link": (["claude"], [], ["~/shortcut"], {"here", "quarry"}),
    "paths say nothing of agents": (["claude", "openclaw"], ["~/work/harbor"], [], {"here", "harbor", "main"}),
    "agents say nothing of paths": (["claude", "openclaw"], ["openclaw/ops"], [], {"here", "harbor", "quarry"}),
    "an agent by a glob": (["openclaw"], ["openclaw/ma*"], [], {"main"}),
    "an agent excluded": (["openclaw", "codex"], [], ["openclaw/main"], {"orchard"}),
    "a name that only begins so": (["claude"], ["~/work/harb"], [], {"here"}),
    "the workspace itself excluded": (["claude"], [], ["~/mind"], {"harbor", "quarry"}),
}


@pytest.mark.wide(8)
@pytest.mark.parametrize("case", CASES)
def test_what_the_operators_config_says_is_read(case, machine, ws):
    sources, include, exclude, wanted = CASES[case]
    for key, value in (("sources", sources), ("projects.include", include), ("projects.exclude", exclude)):
        if value is not None:
            machine.operator(ws, f"observe.{key}", [item.format(harbor=machine.home / "work/harbor") for item in value])

    assert taken(machine, ws) == wanted


def test_a_folder_may_be_a_source(machine, ws):
    machine.operator(ws, "observe.sources", [str(machine.home / ".codex")])
    machine.operator(ws, "observe.projects.include", ["~/notes/orchard"])

    assert taken(machine, ws) == {"orchard"}


def test_a_source_that_is_asked_for_by_name_is_held_to_the_projects_too(machine, ws):
    machine.operator(ws, "observe.sources", ["claude", "codex"])
    machine.operator(ws, "observe.projects.exclude", ["~/work/quarry", "~/notes/**"])

    assert taken(machine, ws, "--source", "claude") == {"here", "harbor"}
    assert taken(machine, ws, "--source", "codex") == {"here", "harbor"}


def test_a_host_that_is_no_host_is_an_error_that_names_the_key(machine, ws):
    machine.operator(ws, "observe.sources", ["cluade"])

    called = machine.koog(ws, "observe")

    assert called.code != 0 and "observe.sources" in told(called) + called.err


# --- excluded: neither read nor told


def test_what_was_observed_before_its_project_was_excluded_is_told_no_more(machine, ws):
    machine.operator(ws, "observe.sources", ["claude"])
    machine.operator(ws, "context.otherProjects", "all")
    assert "quarry" in taken(machine, ws)
    ask = {
        "startup": ("startup", "--dry-run"),
        "compile": ("compile", "--message", "which narwhalo release?"),
        "search": ("search", "which release?", "--limit", "50"),
        "all": ("startup", "--dry-run", "--project", "all"),
        "itself": ("startup", "--dry-run", "--project", str(machine.home / "work/quarry")),
    }
    before = {name: told(succeeded(machine.koog(ws, *words))) for name, words in ask.items()}
    assert all(WORDS["quarry"] in text for text in before.values())

    machine.operator(ws, "observe.projects.exclude", ["~/work/quarry"])

    for name, words in ask.items():
        text = told(succeeded(machine.koog(ws, *words)))
        assert f"{WORDS['quarry']} release ships" not in text, name
        assert f"{WORDS['harbor']} release ships" in text or name == "itself", name
    given = claude_given(machine.home / "work/quarry")
    assert WORDS["quarry"] not in machine.hook(ws, "session-start", "claude", given)
    assert WORDS["quarry"] in machine.observations(ws)  # it is the person's file: nothing is deleted


def test_what_waits_raw_of_an_excluded_project_is_not_told_and_not_asked_about(machine, ws, llm):
    machine.operator(ws, "observe.sources", ["claude"])
    succeeded(machine.koog(ws, "recover", KOOG_ENGINE="llm", KOOG_PROVIDER_API_KEY_ENV="null"))
    assert WORDS["quarry"] in machine.observations(ws)
    machine.operator(ws, "observe.projects.exclude", ["~/work/quarry"])
    llm.always({"observations": []})

    text = told(succeeded(machine.koog(ws, "startup", "--dry-run", "--project", "all")))
    model = {"KOOG_ENGINE": "llm", "KOOG_PROVIDER_BASE_URL": llm.url, "KOOG_PROVIDER_API_KEY_ENV": "null"}
    succeeded(machine.koog(ws, "observe", **model))

    assert WORDS["quarry"] not in text
    assert WORDS["quarry"] not in json.dumps([request["body"] for request in llm.requests])


# --- whose word it is


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("observe.sources", ["claude", "codex", "openclaw"]),
        ("observe.projects", {"include": ["~/**"], "exclude": []}),
        ("observe.groups", ["*"]),
        ("paths.projects", {"*": ["**"]}),
        ("context.otherProjects", "all"),
    ],
)
def test_the_workspaces_own_file_sets_none_of_them(key, value, machine, ws):
    machine.operator(ws, "observe.projects.exclude", ["~/work/quarry"])
    own = json.loads((ws / "koog-config.json").read_text())
    first, last = key.split(".")
    own.setdefault(first, {})[last] = value
    (ws / "koog-config.json").write_text(json.dumps(own))

    called = succeeded(machine.koog(ws, "observe"))

    assert f"{key}" in called.warned and "only the operator's config may set it" in called.warned
    assert {name for name, word in WORDS.items() if word in machine.observations(ws)} == {"here"}


def test_a_variable_of_the_environment_opens_no_other_project_to_the_agent(machine, ws):
    """What is told is the operator's; a variable is anybody's who starts a command, the agent's shell too."""
    machine.operator(ws, "observe.sources", ["claude"])
    machine.operator(ws, "context.otherProjects", "none")
    taken(machine, ws)

    called = machine.koog(ws, "startup", "--dry-run", KOOG_CONTEXT_OTHER_PROJECTS="all")

    assert called.code != 0 or WORDS["harbor"] not in told(called)


# --- whose a file is


@pytest.mark.wide(4)
@pytest.mark.parametrize(
    ("listed", "readers"),
    [
        ({}, {"mind"}),
        ({"*": ["memory/2026-02-28.md"]}, {"mind", "harbor", "quarry"}),
        ({"{harbor}": ["memory/**"]}, {"harbor"}),
        ({"~/work/harbor": ["memory/2026-*.md"]}, {"harbor"}),
        ({"harbor": ["**"]}, {"harbor"}),
        ({".": ["**"], "harbor": ["**"]}, {"mind", "harbor"}),
        ({"group:*": ["**"]}, {"mind"}),
    ],
    ids=["unlisted", "all", "path", "home", "last part", "own and one", "groups"],
)
def test_a_file_is_told_where_the_operator_lists_it(listed, readers, machine, ws):
    machine.operator(ws, "observe.sources", ["claude"])
    machine.operator(ws, "context.otherProjects", "none")
    machine.operator(
        ws, "paths.projects", {key.format(harbor=machine.home / "work/harbor"): globs for key, globs in listed.items()}
    )
    machine.put(ws, "memory/2026-02-28.md", "- The yarrowort note of the day.\n")

    seen = set()
    for folder in (ws, machine.home / "work/harbor", machine.home / "work/quarry"):
        calls = [
            machine.koog(ws, "startup", "--dry-run", cwd=folder),
            machine.koog(ws, "compile", "--message", "the note of the day", cwd=folder),
            machine.koog(ws, "search", "note of the day", cwd=folder),
        ]
        told_in = {"yarrowort" in told(succeeded(called)) for called in calls}
        assert len(told_in) == 1, (folder, told_in)
        seen |= {folder.name} if told_in.pop() else set()
    assert seen == readers


def test_a_file_listed_for_a_group_is_told_there_and_to_no_other(machine, ws):
    machine.operator(ws, "paths.projects", {"group:telegram:group:-100*": ["notes/rules.md"]})
    machine.put(ws, "notes/rules.md", "# House rules\n\nThe yarrowort is watered on Mondays.\n")
    seen = {}
    for key in ("agent:main:telegram:group:-100123:topic:7", "agent:main:telegram:group:-200", "group"):
        called = machine.koog(ws, "compile", "--message", "when is the yarrowort watered, rules?", "--session", key)
        seen[key] = "watered on Mondays" in told(succeeded(called))

    assert list(seen.values()) == [True, False, False]
