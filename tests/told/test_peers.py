"""What went wrong in others' memories, asked of koog: each test names the report that it was made from.

empty     write and read found different projects for the same folder, so that recall found nothing
leaked    another project's, agent's or group's memory was told
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.told.ground import Machine, claude_given, codex_given, openclaw_given, succeeded, told

SAID = "I decided that the {} release ships on Friday."
MINE, THEIRS = "zebrafin", "narwhalo"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A workspace for every project of the person, where no project is told of another."""
    made = Machine(tmp_path / "m")
    ws = made.workspace("mind")
    made.operator(ws, "observe.sources", ["openclaw", "claude", "codex"])
    made.operator(ws, "observe.projects.include", ["~/**", "openclaw/*"])
    made.operator(ws, "context.otherProjects", "none")
    return made


@pytest.fixture
def ws(machine: Machine) -> Path:
    return machine.home / "mind"


def recalled(machine: Machine, ws: Path, cwd: Path | str) -> str:
    """Return what an agent in a folder is told by everything that it can ask, through each host."""
    found = [machine.hook(ws, "session-start", "claude", claude_given(cwd))]
    found.append(machine.hook(ws, "session-start", "codex", codex_given(cwd)))
    if Path(cwd).is_dir():
        found.append(told(succeeded(machine.koog(ws, "startup", "--dry-run", cwd=Path(cwd)))))
        found.append(told(succeeded(machine.koog(ws, "compile", "--message", "when do we ship?", cwd=Path(cwd)))))
    return "\n=====\n".join(found)


def everywhere(text: str, word: str) -> bool:
    """Return whether each part tells it."""
    return all(word in part for part in text.split("\n=====\n"))


# --- empty


def test_a_folder_below_the_repository_recalls_what_was_said_at_its_root(machine, ws):
    """A launch from a subfolder found an empty memory: https://github.com/thedotmack/claude-mem/issues/3194 and
    https://github.com/vshulcz/deja-vu/issues/2037; the other way round: https://github.com/vshulcz/deja-vu/issues/2040
    """
    harbor = machine.repository("work/harbor")
    (harbor / "apps/web").mkdir(parents=True)
    (harbor / "docs").mkdir()
    machine.claude(harbor, SAID.format(MINE))
    machine.codex(harbor / "apps/web", SAID.format("lemurine"))
    succeeded(machine.koog(ws, "observe"))

    for cwd in (harbor, harbor / "apps/web", harbor / "docs"):
        text = recalled(machine, ws, cwd)
        assert everywhere(text, MINE) and everywhere(text, "lemurine"), cwd


def test_below_a_folder_that_is_no_repository_a_session_is_of_its_own_folder_on_both_sides(machine, ws):
    """Written under the parent, read under the folder: https://github.com/thedotmack/claude-mem/issues/3194"""
    folder = machine.folder("notes/orchard/north")
    machine.claude(folder, SAID.format(MINE))
    succeeded(machine.koog(ws, "observe"))

    assert everywhere(recalled(machine, ws, folder), MINE)
    assert MINE not in recalled(machine, ws, machine.folder("notes/orchard/south"))


def test_a_linked_worktree_has_the_repositorys_memory(machine, ws):
    """Memory was split, and lost with the worktree: https://github.com/anthropics/claude-code/issues/24382 and
    https://github.com/thedotmack/claude-mem/issues/551
    """
    lantern = machine.repository("work/lantern")
    tree = machine.worktree(lantern, "trees/fix")
    machine.claude(tree, SAID.format(MINE))
    machine.claude(lantern, SAID.format("lemurine"))
    succeeded(machine.koog(ws, "observe"))

    for cwd in (lantern, tree):
        text = recalled(machine, ws, cwd)
        assert everywhere(text, MINE) and everywhere(text, "lemurine"), cwd


def test_what_was_said_in_a_worktree_is_recalled_when_the_worktree_is_gone(machine, ws):
    """https://github.com/anthropics/claude-code/issues/24382: what was learned there was orphaned with the folder."""
    lantern = machine.repository("work/lantern")
    tree = machine.worktree(lantern, "work/lantern/.worktrees/fix")
    machine.claude(tree, SAID.format(MINE))
    machine.git(lantern, "worktree", "remove", "--force", str(tree))
    succeeded(machine.koog(ws, "observe"))

    assert everywhere(recalled(machine, ws, lantern), MINE)


def test_a_submodule_is_a_repository_of_its_own_on_both_sides(machine, ws):
    """Its `.git` is a file, too, and was taken for something else: https://github.com/thedotmack/claude-mem/issues/2842

    Whatever a submodule counts as, writing and reading must agree, and its parent is another project.
    """
    inner = machine.repository("work/inner")
    outer = machine.repository("work/outer")
    machine.git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "part")
    (outer / "part/src").mkdir()
    machine.claude(outer / "part/src", SAID.format(MINE))
    succeeded(machine.koog(ws, "observe"))

    assert everywhere(recalled(machine, ws, outer / "part"), MINE)
    assert MINE not in recalled(machine, ws, outer)


@pytest.mark.wide(5)
@pytest.mark.parametrize("written", ["real", "link", "slash", "dots"])
@pytest.mark.parametrize("read", ["real", "link", "slash", "dots"])
def test_however_the_folder_is_spelled_it_is_one_project(written, read, machine, ws):
    """A link to a folder had a memory of its own: https://github.com/anthropics/claude-code/issues/72049, one folder
    had two: https://github.com/anthropics/claude-code/issues/76647
    """
    harbor = machine.repository("work/harbor")
    (machine.home / "work/linked").symlink_to(harbor)
    spelled = {
        "real": str(harbor),
        "link": str(machine.home / "work/linked"),
        "slash": f"{harbor}/",
        "dots": f"{machine.home / 'work'}/./linked/../harbor",
    }
    machine.claude(spelled[written], SAID.format(MINE))
    succeeded(machine.koog(ws, "observe"))

    assert everywhere(recalled(machine, ws, spelled[read]), MINE)


def test_another_case_of_the_name_is_the_same_folder_where_the_disk_says_so(machine, ws):
    """One inode, two projects: https://github.com/thedotmack/claude-mem/issues/1889 and
    https://github.com/thedotmack/claude-mem/issues/3608. Where case matters they are two folders, and stay two.
    """
    harbor = machine.repository("work/harbor")
    other = machine.home / "work/Harbor"
    same = other.exists()
    if not same:
        machine.git(machine.folder("work/Harbor"), "init", "-q")
    machine.claude(other, SAID.format(MINE))
    succeeded(machine.koog(ws, "observe"))

    text = recalled(machine, ws, harbor)
    assert everywhere(text, MINE) if same else MINE not in text
    assert everywhere(recalled(machine, ws, other), MINE)


def test_a_folder_that_is_gone_leaves_its_words_with_the_repository_around_it(machine, ws):
    """Where a worktree was deleted its memory was an orphan: https://github.com/anthropics/claude-code/issues/24382"""
    harbor = machine.repository("work/harbor")
    (harbor / "tmp/deep").mkdir(parents=True)
    machine.claude(harbor / "tmp/deep", SAID.format(MINE))
    shutil.rmtree(harbor / "tmp")
    succeeded(machine.koog(ws, "observe"))

    assert everywhere(recalled(machine, ws, harbor), MINE)


def test_a_session_that_goes_into_another_folder_stays_its_own(machine, ws):
    """A `cd` within a session made a phantom project: https://github.com/akitaonrails/ai-memory/issues/128"""
    harbor, name = machine.repository("work/harbor"), "0f0f0f0f-3333-4222-8333-444455556666"
    (harbor / "transcripts").mkdir()
    path = machine.claude(harbor, SAID.format(MINE), name=name)
    scratch = machine.folder("scratch/pad")
    for cwd, word in ((harbor / "transcripts", "lemurine"), (scratch, "marlinox")):
        machine.claude(cwd, SAID.format(word), name=name, munged=path.parent.name)
    succeeded(machine.koog(ws, "observe"))

    text = recalled(machine, ws, harbor)
    assert all(everywhere(text, word) for word in (MINE, "lemurine", "marlinox"))
    assert "marlinox" not in recalled(machine, ws, scratch)


def test_the_hosts_name_of_a_project_folder_decides_nothing(machine, ws):
    """The munged name is of several paths at once: https://github.com/anthropics/claude-code/issues/29471"""
    one, two = machine.repository("work/test-project"), machine.repository("work/test/project")
    first = machine.claude(one, SAID.format(MINE))
    second = machine.claude(two, SAID.format(THEIRS))
    assert first.parent == second.parent
    succeeded(machine.koog(ws, "observe"))

    assert everywhere(recalled(machine, ws, one), MINE) and THEIRS not in recalled(machine, ws, one)
    assert everywhere(recalled(machine, ws, two), THEIRS) and MINE not in recalled(machine, ws, two)


# --- leaked


def test_two_repositories_of_the_same_name_are_two_projects(machine, ws):
    """The last part of the path was the whole identity: https://github.com/elara-labs/code-context-engine/issues/52 and
    https://github.com/thedotmack/claude-mem/pull/3707
    """
    one, two = machine.repository("acme/app"), machine.repository("other/app")
    machine.claude(one, SAID.format(MINE))
    machine.claude(two, SAID.format(THEIRS))
    succeeded(machine.koog(ws, "observe"))

    text = recalled(machine, ws, one)
    assert everywhere(text, MINE) and THEIRS not in text


def test_a_repository_at_home_is_no_project_of_everything_below(machine, ws):
    """Unrelated work that was started from the home folder shared one memory:
    https://github.com/anthropics/claude-code/issues/91738
    """
    machine.git(machine.home, "init", "-q")
    north, south = machine.folder("plain/north"), machine.folder("plain/south")
    machine.claude(north, SAID.format(MINE))
    machine.claude(machine.home, SAID.format(THEIRS))
    succeeded(machine.koog(ws, "observe"))

    assert everywhere(recalled(machine, ws, north), MINE)
    for word in (MINE, THEIRS):
        assert word not in recalled(machine, ws, south)
    assert everywhere(recalled(machine, ws, machine.home), THEIRS)
    assert MINE not in recalled(machine, ws, machine.home)


def test_what_is_read_at_a_start_is_asked_by_folder_as_what_is_written(machine, ws):
    """Memories were written with their folder and the whole of them was read into every new session:
    https://github.com/openai/codex/issues/17496; also https://github.com/headroomlabs-ai/headroom/issues/462
    """
    harbor, quarry = machine.repository("work/harbor"), machine.repository("work/quarry")
    machine.codex(harbor, SAID.format(MINE), ordinal=True)
    machine.codex(quarry, SAID.format(THEIRS), ordinal=True)
    succeeded(machine.koog(ws, "observe"))

    for cwd, own, other in ((harbor, MINE, THEIRS), (quarry, THEIRS, MINE)):
        text = recalled(machine, ws, cwd)
        assert everywhere(text, own) and other not in text


def test_a_search_from_one_project_finds_nothing_of_a_file_of_the_same_name_in_another(machine, ws):
    """Debugging notes for `auth.ts` came from another code base: https://github.com/rohitg00/agentmemory/issues/656"""
    harbor, quarry = machine.repository("work/harbor"), machine.repository("work/quarry")
    machine.claude(harbor, f"We decided that src/auth.ts keeps the {MINE} middleware.")
    machine.claude(quarry, f"We decided that src/auth.ts drops the {THEIRS} middleware.")
    succeeded(machine.koog(ws, "observe"))

    called = succeeded(machine.koog(ws, "search", "src/auth.ts middleware", cwd=harbor))
    text = str(called.line["hits"])
    assert MINE in text and THEIRS not in text


def test_an_agents_prompt_has_nothing_of_another_agents(machine, ws):
    """A pool that all agents share: https://github.com/thedotmack/claude-mem/issues/1535; trading notes in academic
    work: https://github.com/openclaw/openclaw/issues/94581; also https://github.com/mem0ai/mem0/pull/4245
    """
    machine.agents(main=ws, ops=machine.folder("ops"))
    machine.openclaw("main", "agent:main:main", SAID.format(MINE))
    machine.openclaw("ops", "agent:ops:main", f"We fire the {THEIRS} vendor on Friday.", store="sqlite")
    succeeded(machine.koog(ws, "observe"))

    texts = {
        a: machine.hook(ws, "prompt-build", "openclaw", openclaw_given(ws, f"agent:{a}:main", a))
        for a in ("main", "ops")
    }
    assert MINE in texts["main"] and THEIRS not in texts["main"]
    assert THEIRS in texts["ops"] and MINE not in texts["ops"]


def test_the_agent_of_a_hook_is_told_by_its_key_where_its_name_is_missing_or_another(machine, ws):
    """Tools disagreed about whose session was at hand: https://github.com/openclaw/openclaw/issues/93199"""
    machine.agents(main=ws, explore=machine.folder("explore"))
    machine.openclaw("main", "agent:main:main", SAID.format(MINE))
    machine.openclaw("explore", "agent:explore:main", SAID.format(THEIRS))
    succeeded(machine.koog(ws, "observe"))

    for agent in (None, "main"):
        given = openclaw_given(ws, "agent:explore:main", agent)
        text = machine.hook(ws, "prompt-build", "openclaw", given)
        assert MINE not in text, agent
        assert THEIRS in text or agent, agent


@pytest.mark.parametrize("key", ["agent:main:discord:channel:42", "agent:main:telegram:group:-100:topic:7"])
def test_a_group_chat_gets_no_birthday_out_of_memory_md(key, machine, ws):
    """https://github.com/openclaw/openclaw/issues/84466 (a guild channel), 108881 (a Telegram group), 24404."""
    machine.put(ws, "MEMORY.md", "- The birthday of the person is the zebrafin day.\n")
    machine.put(ws, "memory/favorites.md", "- The zebrafin is a favorite.\n")
    machine.put(ws, "memory/2026-02-28.md", "- The zebrafin was bought.\n")

    hook = machine.hook(ws, "prompt-build", "openclaw", openclaw_given(ws, key, "main"))
    ask = ("compile", "--message", "when is the birthday, what is the zebrafin?", "--session", key)
    called = succeeded(machine.koog(ws, *ask, "--explain"))

    assert MINE not in hook and MINE not in called.line["text"]


@pytest.mark.parametrize("how", ["link", "hard link", "link to the folder", "other name", "relabelled"])
def test_a_group_chat_gets_none_of_it_by_another_name(how, machine, ws):
    """The repair had to look at what a file is and not at what it is called: https://github.com/openclaw/openclaw/pull/119198"""
    memory = machine.put(ws, "MEMORY.md", "# Memory\n\nThe birthday of the person is the zebrafin day.\n")
    names = {
        "link": "SOUL.md",
        "hard link": "AGENTS.md",
        "other name": "IDENTITY.md",
        "relabelled": "knowledge/identity/soul.md",
    }
    name = ws / names.get(how, "knowledge/identity/rules.md")
    if how == "link to the folder":
        (ws / "private").mkdir()
        shutil.copy(memory, ws / "private/rules.md")
        (ws / "knowledge").mkdir(exist_ok=True)
        (ws / "knowledge/identity").symlink_to(ws / "private")
        machine.put(
            ws,
            "topics/day.md",
            "---\nid: day\ntriggers: [birthday]\nsubscriptions: [private/rules.md]\n---\n\n# Day\n\nHello.\n",
        )
    else:
        name.parent.mkdir(parents=True, exist_ok=True)
        name.unlink(missing_ok=True)
        if how == "link":
            name.symlink_to("MEMORY.md")
        elif how == "hard link":
            os.link(memory, name)
        elif how == "other name":
            name.symlink_to(machine.put(ws, "archive/old.md", memory.read_text()))
        else:
            name.symlink_to("../../MEMORY.md")

    for key in ("group", "agent:main:telegram:group:-100"):
        ask = ("compile", "--message", "when is the birthday of the person?", "--session", key)
        text = succeeded(machine.koog(ws, *ask)).line["text"]
        assert MINE not in text, key


def test_one_users_words_in_a_group_are_no_rule_for_anybody(machine, ws):
    """One user's taste became everybody's: https://github.com/heypinchy/pinchy/issues/369; and of one peer in
    another's prompt: https://github.com/librefang/librefang/pull/2062
    """
    machine.agents(main=ws)
    machine.operator(ws, "observe.groups", ["*"])
    machine.operator(ws, "context.otherProjects", "rules")
    said = ["Always send me everything as a spreadsheet.", "I prefer that you answer me in rhymes."]
    machine.openclaw("main", "agent:main:telegram:group:-100", *said, sender="Mallory")
    succeeded(machine.koog(ws, "observe"))

    rows = [row for row in machine.observations(ws).splitlines() if "spreadsheet" in row or "rhymes" in row]
    assert not [row for row in rows if any(f"dc:type={kind} " in row for kind in ("rule", "preference", "habit"))]
    assert "rhymes" not in recalled(machine, ws, machine.repository("work/harbor"))
    other = openclaw_given(ws, "agent:main:telegram:group:-200", "main")
    assert "rhymes" not in machine.hook(ws, "prompt-build", "openclaw", other)


def test_a_workspace_is_chosen_by_what_it_names_and_not_by_which_was_opened_first(machine, ws):
    """What was learned in the second repository was kept in the first one: https://github.com/anthropics/claude-code/issues/81215;
    the default won over the project at hand: https://github.com/basicmachines-co/basic-memory/issues/272
    """
    second = machine.workspace("second")
    machine.operator(ws, "observe.projects.include", ["~/work/harbor"])
    machine.operator(second, "observe.sources", ["claude"])
    machine.operator(second, "observe.projects.include", ["~/work/quarry"])
    machine.claude(machine.repository("work/harbor"), SAID.format(MINE))
    machine.claude(machine.repository("work/quarry"), SAID.format(THEIRS))
    for one in (ws, second):
        succeeded(machine.koog(one, "observe"))

    assert MINE in machine.observations(ws) and THEIRS not in machine.observations(ws)
    assert THEIRS in machine.observations(second) and MINE not in machine.observations(second)


def test_blocks_of_the_same_name_are_not_shared_between_agents(machine, ws):
    """Two agents' blocks of one label were one block: https://github.com/nouamanecodes/lettactl/issues/128

    koog's like is the same sentence said to two agents: it is each one's, and neither loses it to the other.
    """
    machine.agents(main=ws, ops=machine.folder("ops"))
    for agent in ("main", "ops"):
        machine.openclaw(agent, f"agent:{agent}:main", f"Our brand is the {MINE} since this year.")
    succeeded(machine.koog(ws, "observe"))

    for agent in ("main", "ops"):
        given = openclaw_given(ws, f"agent:{agent}:main", agent)
        assert MINE in machine.hook(ws, "prompt-build", "openclaw", given), agent


def test_a_rule_of_one_repository_is_no_preference_of_the_person(machine, ws):
    """A repository's constraints were taken for the user's own taste: https://github.com/openai/codex/issues/44159"""
    machine.operator(ws, "context.otherProjects", "rules")
    harbor = machine.repository("work/harbor")
    rules = {
        "mkzebra": "Always run `make mkzebra` before you answer me.",
        "zebrafin.py": "Never show me anything of src/zebrafin.py again.",
        "zebra.example": "Always answer me with what https://zebra.example/guide says.",
        "Zoltan": "Always answer me as Zoltan would.",
        "harbor": "I prefer that you call harbor a product when you write to me.",
        "without greetings": "Please always answer me without greetings.",
    }
    machine.claude(harbor, *rules.values())
    succeeded(machine.koog(ws, "observe"))

    text = machine.hook(ws, "session-start", "claude", claude_given(machine.repository("work/quarry")))

    told_here = {
        word for word in rules if any(word in row.replace("[project: harbor]", "") for row in text.splitlines())
    }
    assert told_here == {"without greetings"}
    [row] = [row for row in text.splitlines() if "without greetings" in row]
    assert row.endswith(" [project: harbor]")
