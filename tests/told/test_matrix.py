"""Who may see what: each reader, through each reading command, against the table below.

A word that is told although the table does not have it is a leak; one that is not told although the table has it is
memory that went empty. What may be told and need not be is named, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

import pytest

from tests.boundary.ground import Called
from tests.conftest import NEW_EXAMPLES
from tests.told import scene as scenes
from tests.told.ground import (
    claude_given,
    codex_given,
    least_answer,
    openclaw_given,
    requests,
    succeeded,
    told,
    words_in,
)
from tests.told.scene import (
    DISCORD,
    FILES,
    IDENTITY,
    LOWER,
    PLACES,
    PLAYBOOK,
    PLAYBOOK_OWN,
    TELEGRAM,
    TOPIC,
    WORKSPACES,
    Scene,
)

MODES = ("none", "rules", "all")
STARTUP = ("startup", "--dry-run", "--budget", "20000")
MESSAGE = "which release ships, and how do I want to be answered?"

# What each workspace takes in: quarry is excluded by one and named by none.
TAKEN = {
    "one": "own1 harbor worktree below orchard main ops telegram discord",
    "two": "own2 orchard ops discord",
}
# Reader → whose places it sees whole, in `none` and in every other mode. A group's are seen in private as facts.
SEES = {
    "one": {
        "own": "own1 main telegram",
        "harbor": "harbor",
        "worktree": "worktree below",
        "below": "worktree below",
        "orchard": "orchard",
        "quarry": "",
        "main": "own1 main telegram",
        "ops": "ops discord",
        "telegram": "telegram",
        "thread of telegram": "telegram",
        "discord": "discord",
        "thread of discord": "discord",
        "another group": "",
        "group": "",
    },
    "two": {
        "own": "own2 ops discord",
        "harbor": "",
        "orchard": "orchard",
        "ops": "own2 ops discord",
        "main": "",
        "discord": "discord",
        "telegram": "",
        "group": "",
    },
}
GROUP_KEYS = {
    "telegram": ("main", f"agent:main:{TELEGRAM}"),
    "thread of telegram": ("main", f"agent:main:{TELEGRAM}:topic:7"),
    "discord": ("ops", f"agent:ops:{DISCORD}"),
    "thread of discord": ("ops", f"agent:ops:{DISCORD}:thread:9"),
    "another group": ("main", "agent:main:telegram:group:-100999"),
}
AGENTS = {"main": ("main", "agent:main:main"), "ops": ("ops", "agent:ops:main")}
READERS = [(ws, reader) for ws, readers in SEES.items() for reader in readers]
PRIVATE = [(ws, reader) for ws, reader in READERS if reader not in (*GROUP_KEYS, "group")]
SHARED = [(ws, reader) for ws, reader in READERS if reader in (*GROUP_KEYS, "group")]
EACH_KIND = {("one", name) for name in "own harbor quarry telegram".split()}
OWN = {("one", "own"), ("one", "main"), ("two", "own"), ("two", "ops")}

FILE_WORDS = {*FILES.values(), *IDENTITY.values(), *LOWER.values(), PLAYBOOK_OWN, TOPIC}
PLAYBOOK_WORDS = {word for pair in PLAYBOOK.values() for word in pair}
EVERYTHING = {w for place in PLACES.values() for w in place.words} | FILE_WORDS | PLAYBOOK_WORDS


@dataclass
class Expected:
    """What a reader is told: each of `must`, none but those and what is in `may`.

    named   word → the project's names, of which one stands in its line
    """

    must: set[str] = field(default_factory=set)
    may: set[str] = field(default_factory=set)
    named: dict[str, tuple[str, ...]] = field(default_factory=dict)


# Projects that the workspace is not for: excluded, or no `include` fits. A person who names one may hear the rules.
NOT_FOR = {("one", "quarry"), ("two", "harbor"), ("two", "main")}


def expected(scene: Scene, ws: str, reader: str, mode: str) -> Expected:
    """Return what the table says of observations."""
    found = Expected()
    seen = SEES[ws][reader].split()
    for place in seen:
        words = PLACES[place]
        if place not in scenes.GROUPS:
            found.must |= words.words
        else:  # what was said there is a fact; whether somebody's order there is one is the observer's affair
            found.must.add(words.decision)
            found.may |= words.words
    if (ws, reader) in SHARED or mode == "none":
        return found
    for place in TAKEN[ws].split():
        if place in seen:
            continue
        words = PLACES[place]
        if place in scenes.GROUPS:  # the contract names private lines: others' groups may be told by `all`
            found.may |= words.words if mode == "all" else set()
            continue
        told_here = {words.rule} if mode == "rules" else words.words
        if (ws, reader) in NOT_FOR:
            found.may |= told_here
        else:
            found.must |= told_here
        found.named |= dict.fromkeys(told_here, names_of(scene, ws, place))
    return found


def names_of(scene: Scene, ws: str, place: str) -> tuple[str, ...]:
    """Return how a place is told: an agent's word is remembered as the workspace's own where that is its own."""
    own = (WORKSPACES[ws],) if place in SEES[ws]["own"].split() else ()
    return scene.label(place), *own


def with_files(scene: Scene, ws: str, reader: str, mode: str) -> Expected:
    """Return the same with what the files and the playbook of the first workspace add; no file must be told whole."""
    found = expected(scene, ws, reader, mode)
    if ws == "two" or (ws, reader) in SHARED:
        found.may |= set(IDENTITY.values()) if (ws, reader) in SHARED else set()
        return found
    if (ws, reader) in OWN or mode == "all":  # with `all` an unlisted file may be told, with the project's name
        found.may |= FILE_WORDS
    elif reader != "quarry":
        found.may |= set(IDENTITY.values())  # who the agent is: nothing of the person's, and unlisted
    pattern, preference = PLAYBOOK["harbor"]
    if reader == "harbor" or mode == "all":
        found.may |= {pattern, preference}
    elif mode == "rules":
        found.may.add(preference)
        found.named[preference] = names_of(scene, ws, "harbor")
    return found


def check(scene: Scene, text: str, wanted: Expected, *, whole: bool = True) -> None:
    """Compare what a command told with the table. whole: it tells everything that is to be told."""
    seen = words_in(text, EVERYTHING)
    leaked = {word: _line(text, word) for word in seen - wanted.must - wanted.may}
    assert not leaked, f"leaked: {leaked}"
    if whole:
        assert wanted.must <= seen, f"went empty: {sorted(wanted.must - seen)}"
    for word, names in wanted.named.items():
        for row in _told_rows(text):
            if word.lower() in row.lower():
                assert any(f"[project: {name}]" in row for name in names), row


def _told_rows(text: str) -> list[str]:
    """Return the rows of lines that were told: headings with the line below, no question, no file's name."""
    found: list[str] = []
    for row in text.splitlines():
        if row.lstrip().startswith(("query:", "matches:", "source:", "path:", "<!-- ")):
            continue
        if found and found[-1].rpartition("\n")[2].startswith("#"):
            found[-1] += f"\n{row}"
        else:
            found.append(row)
    return found


def _line(text: str, word: str) -> str:
    return next(row for row in text.splitlines() if word.lower() in row.lower())[:200]


# --- how each reader asks


def where(scene: Scene, ws: str, reader: str) -> Path:
    return {"own": root(scene, ws), **scene.folders}.get(reader, root(scene, ws))


def root(scene: Scene, ws: str) -> Path:
    return scene.one if ws == "one" else scene.two


def named(scene: Scene, ws: str, reader: str) -> str:
    """Return the project as `--project` takes it."""
    if reader in AGENTS:
        return f"openclaw/{reader}"
    return scene.projects.get(reader, str(root(scene, ws)))


def hooked(scene: Scene, ws: str, reader: str) -> Iterator[str]:
    """Yield what each host's hook tells this reader at its session's first prompt."""
    folder, made = root(scene, ws), scene.machine
    if reader in (*AGENTS, *GROUP_KEYS):
        agent, key = {**AGENTS, **GROUP_KEYS}[reader]
        yield made.hook(folder, "prompt-build", "openclaw", openclaw_given(folder, key, agent))
        yield made.hook(folder, "prompt-build", "openclaw", openclaw_given(folder, key, agent, nested=True))
        return
    cwd = where(scene, ws, reader)
    yield made.hook(folder, "session-start", "claude", claude_given(cwd), cwd=cwd)
    yield made.hook(folder, "session-start", "codex", codex_given(cwd), cwd=cwd)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return scenes.whole(tmp_path_factory.mktemp("matrix"))


@pytest.fixture(params=MODES, scope="module")
def mode(request: pytest.FixtureRequest, spoken: Scene) -> str:
    for ws in (spoken.one, spoken.two):
        spoken.machine.operator(ws, "context.otherProjects", request.param)
    return str(request.param)


@pytest.fixture
def scene(spoken: Scene, mode: str, request: pytest.FixtureRequest) -> Scene:
    asked = request.node.callspec.params
    if mode != "none" and (asked["ws"], asked["reader"]) not in EACH_KIND and not NEW_EXAMPLES:
        pytest.skip("every reader is tried in `none`; KOOG_EXAMPLES=new tries them all in each mode")
    return spoken


# --- the matrix


def test_what_was_observed_went_where_the_config_says(spoken):
    for ws, places in TAKEN.items():
        text = spoken.machine.observations(root(spoken, ws))
        taken = set(places.split())
        for name, place in PLACES.items():
            assert (place.decision in text) == (name in taken), (ws, name)
            assert name in taken or not words_in(text, place.words), (ws, name)


def test_every_line_says_whose_it_is(spoken):
    text = spoken.machine.observations(spoken.one)
    for place in TAKEN["one"].split():
        [row] = [row for row in text.splitlines() if PLACES[place].decision in row]
        project = "." if place == "own1" else spoken.projects[place]  # the own project's name stays when it is moved
        assert f" dc:project={project} " in row, row
        group = scenes.GROUPS.get(place)
        assert (f" dc:scope=group dc:group={group} " if group else " dc:scope=private ") in row, row
        assert row.index("dc:source=") < row.index("dc:project=") < row.index("dc:scope="), row


@pytest.mark.parametrize(("ws", "reader"), [*PRIVATE, *SHARED])
def test_hook(ws, reader, scene, mode):
    if reader == "group":
        return  # a hook always has a key
    if (ws, reader) in NOT_FOR:
        assert [text for text in hooked(scene, ws, reader) if text] == []
    for text in hooked(scene, ws, reader):  # a coding host takes 10,000 characters: not everything with `all`
        check(scene, text, with_files(scene, ws, reader, mode), whole=mode != "all")


@pytest.mark.parametrize(("ws", "reader"), PRIVATE)
def test_startup(ws, reader, scene, mode):
    wanted = with_files(scene, ws, reader, mode)
    if reader not in AGENTS:
        called = scene.machine.koog(root(scene, ws), *STARTUP, cwd=where(scene, ws, reader))
        check(scene, told(succeeded(called)), wanted)
    called = scene.machine.koog(root(scene, ws), *STARTUP, "--project", named(scene, ws, reader))
    check(scene, told(succeeded(called)), wanted)


@pytest.mark.parametrize(("ws", "reader"), PRIVATE)
def test_compile(ws, reader, scene, mode):
    wanted = with_files(scene, ws, reader, mode)
    ask = ("compile", "--message", MESSAGE, "--explain")
    words, cwd = ask, where(scene, ws, reader)
    if reader in AGENTS:
        words, cwd = (*ask, "--session", AGENTS[reader][1]), None
    for argv, folder in [(words, cwd), ((*ask, "--project", named(scene, ws, reader)), None)]:
        check(scene, compiled(scene, ws, *argv, cwd=folder), wanted)


@pytest.mark.parametrize(("ws", "reader"), SHARED)
def test_compile_in_a_group(ws, reader, scene, mode):
    key = "group" if reader == "group" else GROUP_KEYS[reader][1]

    text = compiled(scene, ws, "compile", "--message", MESSAGE, "--session", key, "--explain")

    wanted = with_files(scene, ws, reader, mode)
    if ws == "one":
        wanted.must |= set(IDENTITY.values())
    check(scene, text, wanted)


def compiled(scene: Scene, ws: str, *argv: str, cwd: Path | None = None) -> str:
    """Return what a compilation told, also where its text is too long for the line."""
    called = succeeded(scene.machine.koog(root(scene, ws), *argv, cwd=cwd))
    line = called.line
    text = (root(scene, ws) / line["out"]).read_text("utf-8") if line["text"] is None and line["out"] else ""
    return f"{told(called)}\n{text}"


# Each question holds the words of many lines, to find whatever could leak.
QUESTIONS = {
    "decisions": " ".join(f"{place.decision} {place.rule}" for place in PLACES.values()),
    "names": " ".join(f"{place.code} {place.name}" for place in PLACES.values()),
    "files": " ".join(sorted(FILE_WORDS | PLAYBOOK_WORDS)),
}


@pytest.mark.parametrize(("ws", "reader"), PRIVATE)
def test_search(ws, reader, scene, mode):
    wanted = with_files(scene, ws, reader, mode)
    project = ("--project", named(scene, ws, reader))
    ways = [(project, None)] if reader in AGENTS else [(project, None), ((), where(scene, ws, reader))]
    own = [PLACES[place].decision for place in SEES[ws][reader].split()]
    for argv, cwd in ways:
        for question in QUESTIONS.values():
            called = scene.machine.koog(root(scene, ws), "search", question, "--limit", "60", *argv, cwd=cwd)
            check(scene, hits_of(succeeded(called)), wanted, whole=False)
        others = [] if (ws, reader) in NOT_FOR else [*sorted(wanted.named)[:1], *sorted(wanted.named)[-1:]]
        for word in [*own, *others]:
            called = scene.machine.koog(root(scene, ws), "search", word, "--limit", "3", *argv, cwd=cwd)
            assert word in hits_of(succeeded(called)), f"went empty: {word}"


def hits_of(called: Called) -> str:
    """Return a search's hits, each line with the project that its hit ends with: the question itself is no answer."""
    line = called.line
    rows = []
    for hit in line["hits"]:
        end = re.search(r" \[project: [^\]]+\]$", hit["text"])
        project = end[0] if end else ""
        rows += [f"{row}{project}" for row in (hit["heading"], *hit["text"].splitlines(), hit["path"])]
    return "\n".join([*rows, *line["_meta"].get("warnings", [])])


def test_a_hit_says_its_project_and_scope(spoken):
    spoken.machine.operator(spoken.one, "context.otherProjects", "all")

    hits = {}
    for place in ("own1", "harbor", "orchard", "ops", "main"):
        called = spoken.machine.koog(spoken.one, "search", PLACES[place].decision, "--category", "observation")
        hits[place] = succeeded(called).line["hits"]

    for place, found in hits.items():
        assert found, place
        assert found[0]["project"] == (None if place in ("own1", "main") else spoken.projects[place])
        assert found[0]["scope"] == "private"


def test_all_projects_are_told_at_a_persons_wish_but_for_those_excluded(spoken):
    spoken.machine.operator(spoken.one, "context.otherProjects", "none")
    private = [place for place in TAKEN["one"].split() if place not in scenes.GROUPS]
    everything = {word for place in private for word in PLACES[place].words}
    foreign = {word: spoken.label(p) for p in private if p not in ("own1", "main") for word in PLACES[p].words}

    texts = {
        "startup": told(succeeded(spoken.machine.koog(spoken.one, *STARTUP, "--project", "all"))),
        "compile": compiled(spoken, "one", "compile", "--message", MESSAGE, "--project", "all"),
    }

    for text in texts.values():
        assert everything <= words_in(text, EVERYTHING)
        assert not words_in(text, PLACES["quarry"].words | set(PLAYBOOK["quarry"]))
        for word, project in foreign.items():
            assert all(f"[project: {project}]" in row for row in _told_rows(text) if word in row)


def test_a_group_is_told_nothing_more_by_a_wish_for_all_projects(spoken):
    for key in ("group", GROUP_KEYS["telegram"][1]):
        ask = ("compile", "--message", MESSAGE, "--session", key, "--project", "all")
        called = spoken.machine.koog(spoken.one, *ask)
        allowed = set(IDENTITY.values()) | PLACES["telegram"].words
        assert words_in(told(called), EVERYTHING) <= allowed


# --- what is written, and what is asked


def one_readers(text: str, scene: Scene) -> bool:
    """Return whether some reader of the first workspace may see all of a text, by what `none` tells."""
    seen = words_in(text, EVERYTHING)
    return any(seen <= (wanted := with_files(scene, "one", reader, "none")).must | wanted.may for reader in SEES["one"])


def model(llm: object) -> dict[str, str]:
    return {
        "KOOG_ENGINE": "llm",
        "KOOG_PROVIDER_BASE_URL": llm.url,  # type: ignore[attr-defined]
        "KOOG_PROVIDER_API_KEY_ENV": "null",
    }


COMMANDS: dict[str, tuple[str, ...]] = {
    "mine": ("mine",),
    "tick": ("tick", "--session-summary", "the release failed again, because of the changelog", "--active"),
    "signal": ("signal", "--session-summary", "the release failed again, because of the changelog"),
    "curate": ("curate",),
    "feedback": ("feedback",),
    "extract": ("module", "extract", "shipping", "--domain", "how releases are shipped"),
    "reflect": ("reflect", "--force"),
    "observe": ("observe",),
    "recover": ("recover",),
}
NAMES_OF_CHANGED = ("path: ", "summary: score of ")  # what a tick keeps up is the workspace's, whosever words are in it
NEXT = "I decided that the next {} release ships on Monday."


@pytest.fixture
def strict(spoken: Scene) -> Iterator[Scene]:
    """The scene where nothing of another project is told, put back afterwards."""
    with spoken.machine.restored():
        for ws in (spoken.one, spoken.two):
            spoken.machine.operator(ws, "context.otherProjects", "none")
        yield spoken


@pytest.mark.parametrize("name", COMMANDS)
def test_no_request_holds_what_no_one_reader_may_see(name, strict, llm):
    if name in ("observe", "recover"):
        strict.machine.claude(strict.harbor, NEXT.format("bluejay"))
        strict.machine.codex(strict.orchard, NEXT.format("kestrel"), ordinal=True)
        strict.machine.openclaw("ops", "agent:ops:direct:p", NEXT.format("osprey"), store="sqlite")
    llm.always(least_answer)

    called = strict.machine.koog(strict.one, *COMMANDS[name], **model(llm))

    assert called.code in (0, 3, 4, 5), called  # what the least answer comes to is not asked here
    asked = requests(llm)
    if name in ("mine", "tick", "extract", "reflect", "observe", "recover"):
        assert asked, "nothing was asked, so nothing was tried"
    for text in asked:
        assert one_readers(text, strict), sorted(words_in(text, EVERYTHING))
    quarry = PLACES["quarry"].words | set(PLAYBOOK["quarry"])
    assert not [text for text in asked if words_in(text, quarry)]
    new = [words_in(text, ("bluejay", "kestrel", "osprey")) for text in asked]
    assert all(len(found) <= 1 for found in new), new


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_writes_and_replies_holds_nothing_of_another_project(name, strict):
    """Replies of the built-in engine, and what it adds to the files that are told without a project's name."""
    ws = strict.one
    before = playbook_of(ws)

    called = strict.machine.koog(ws, *COMMANDS[name])

    own = with_files(strict, "one", "own", "none")
    shown = "\n".join(row for row in told(succeeded(called)).splitlines() if not row.startswith(NAMES_OF_CHANGED))
    assert words_in(shown, EVERYTHING) <= own.must | own.may
    added = [row for row in playbook_of(ws) if row not in before and "dc:project=" not in row]
    assert words_in("\n".join(added), EVERYTHING) <= own.must | own.may


PAST = [
    ("history", "learned"),
    ("history", "diff", "1w"),
    ("history", "when", "release"),
    ("history", "where", "release"),
    ("history", "show", "now", "--about", "release"),
    ("status",),
]


def test_what_tells_the_past_or_the_state_has_no_other_projects_words(strict, subtests):
    """An episode's tags and an entity's name stand in headings and paths, a critical file's words in an alert."""
    # Whoever the workspace is for may know which files it has changed.
    calls = [*product(PAST, ("own", "harbor", "quarry")), (("audit", "log"), "quarry")]
    for argv, reader in calls:
        with subtests.test(argv=argv, reader=reader):
            more = {} if reader == "own" else {"CLAUDECODE": "1"}

            called = strict.machine.koog(strict.one, *argv, cwd=where(strict, "one", reader), **more)

            assert called.code in (0, 4), called  # who is told nothing of it finds nothing
            wanted = with_files(strict, "one", reader, "none")
            assert words_in(told(called), EVERYTHING) <= wanted.must | wanted.may


def playbook_of(ws: Path) -> list[str]:
    rows: list[str] = []
    for name in ("sinain-playbook.md", "sinain-playbook-effective.md"):
        rows += (ws / "memory" / name).read_text("utf-8").splitlines()
    return rows


def test_reflecting_joins_nothing_of_two_projects_and_keeps_whose_each_line_is(strict, llm):
    """Two projects said nearly the same: one question for each, and no answer may join them."""
    for folder in (strict.harbor, strict.quarry, strict.lantern):
        strict.machine.claude(folder, "We use the staging cluster in Lisbon for load tests.")
    succeeded(strict.machine.koog(strict.one, "observe"))
    before = labels(strict.machine.observations(strict.one))
    llm.always(least_answer)

    succeeded(strict.machine.koog(strict.one, "reflect", "--force", **model(llm)))
    succeeded(strict.machine.koog(strict.one, "reflect", "--force"))

    after = labels(strict.machine.observations(strict.one))
    assert {"lantern", "harbor"} <= {Path(p).name for text, p in after if "Lisbon" in text}
    assert set(after) <= set(before)


def labels(text: str) -> list[tuple[str, str]]:
    """Return (what is told, project) of each labelled line."""
    found = []
    for row in text.splitlines():
        if project := re.search(r" dc:project=(\S+)", row):
            found.append((row.partition("<!--")[0].strip(), project[1]))
    return found


def test_the_same_words_said_in_two_projects_are_both_projects_own(strict):
    """What one project has is no repeat for another: it would be empty there."""
    said = "I decided that the linter is ruff, in every build."
    strict.machine.claude(strict.harbor, said)
    succeeded(strict.machine.koog(strict.one, "observe"))
    strict.machine.codex(strict.orchard, said)
    strict.machine.claude(strict.one, said)
    succeeded(strict.machine.koog(strict.one, "observe"))

    for reader in ("harbor", "orchard", "own"):
        for text in hooked(strict, "one", reader):
            assert "the linter is ruff" in text, reader


def test_session_summaries_say_project_and_scope(strict):
    import json

    ws, made = strict.one, strict.machine
    ended = {"success": True, "durationMs": 10, "messageCount": 2, "toolCallCount": 0}
    calls = [
        ("claude", claude_given(strict.worktree, "s-a", "Stop"), str(strict.lantern), "private", None),
        ("openclaw", {**openclaw_given(ws, "agent:ops:main", "ops"), **ended, "runId": "r-b"}, "openclaw/ops",
         "private", None),
        ("openclaw", {**openclaw_given(ws, GROUP_KEYS["telegram"][1], "main"), **ended, "runId": "r-c"},
         "openclaw/main", "group", TELEGRAM),
    ]  # fmt: skip
    for host, given, project, scope, group in calls:
        path = ws / "memory/session-summaries.jsonl"
        before = len(path.read_text().splitlines()) if path.exists() else 0
        succeeded(made.koog(ws, "hook", "agent-end", "--host", host, stdin=given))
        row = json.loads(appeared(path, before))
        assert (row["project"], row["scope"], row["group"]) == (project, scope, group)
        assert list(row)[-3:] == ["project", "scope", "group"]


def appeared(path: Path, before: int) -> str:
    """Return a file's next line, which a process of its own writes."""
    import time

    for _ in range(1000):
        rows: Iterable[str] = path.read_text().splitlines() if path.exists() else []
        if len(rows := list(rows)) > before:
            return rows[-1]
        time.sleep(0.02)
    raise AssertionError(f"nothing was written to {path.name}")
