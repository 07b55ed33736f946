"""What `koog startup` tells whom: projects, groups, and the notes that OpenClaw made of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from koog.core.run import Run
from koog.observe import observations, startup
from koog.observe.observations import Observation
from koog.sessions import audience, labels, place
from koog.sessions.place import Place
from tests.conftest import registered
from tests.fakes.sessions import turns

NOW = ("--now", "2026-02-28T12:00:00Z")
HARBOR, QUARRY = Place("/srv/work/harbor"), Place("/srv/work/quarry")
GROUP = place.of("openclaw", key="agent:main:telegram:group:-100")
OTHER_GROUP = place.of("openclaw", key="agent:main:telegram:group:-200")
LINES = {  # word → where it was said, its type, what was said
    "anchors": (HARBOR, "decision", "The anchors release ships on Friday"),
    "limericks": (HARBOR, "preference", "User: I prefer that you answer me in limericks"),
    "Zoltan": (HARBOR, "rule", "Always ask Zoltan before you answer me"),
    "minds": (Place(""), "fact", "The minds are open"),
    "gannets": (GROUP, "fact", "Group: The gannets fly"),
    "dugongs": (OTHER_GROUP, "fact", "Group: The dugongs swim"),
}


@pytest.fixture
def mind(workspace: Path) -> Path:
    """A workspace of OpenClaw's main agent with lines, waiting turns, favorites and notes of several places."""
    (Path(os.environ["HOME"]) / ".openclaw").mkdir()
    (Path(os.environ["HOME"]) / ".openclaw/openclaw.json").write_text(
        json.dumps({"agents": {"entries": {"main": {"workspace": str(workspace)}}}})
    )
    found = [
        Observation("2026-02-28", "09:00", text, kind, 8, 1.0, f"s#{n}", labels.values(labels.of_place(at)))
        for n, (at, kind, text) in enumerate(LINES.values())
    ]
    text = observations.added("", found)
    for name, at in (("harboraw", HARBOR), ("ownraw", Place("")), ("groupraw", GROUP)):
        text += "\n" + observations.raw_block(f"x/{name}", turns(f"{name} waits"), labels.of_place(at))
    memory = workspace / "memory"
    (memory / "observations.md").write_text(f"{text}\nA handwritten row\n")
    (memory / "favorites.md").write_text("# Favorites\n\n- The favowort\n")
    (memory / "2026-02-28.md").write_text("- The todaywort\n")
    (memory / "2026-02-28-chat.md").write_text(note("agent:main:telegram:group:-100", "notewort"))
    (memory / "2026-02-27-talk.md").write_text(note("agent:main:main", "talkwort"))
    return workspace


def note(key: str, word: str) -> str:
    return f"# Session: 2026-02-28 09:00:00 UTC\n\n- **Session Key**: {key}\n\nuser: the {word}\n"


WORDS = [*LINES, "harboraw", "ownraw", "groupraw", "handwritten", "favowort", "todaywort", "notewort", "talkwort"]
FILES = {"handwritten", "favowort", "todaywort", "talkwort"}
OWN = {"minds", "ownraw", "gannets", "dugongs", "groupraw", *FILES}
ALL_HARBOR = {"anchors", "limericks", "Zoltan", "harboraw"}


def mode(name: str, **more: Any) -> None:
    path = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    config = json.loads(path.read_text())
    config["context"] = {"otherProjects": name}
    path.write_text(json.dumps(config | more))


def words_in(text: str) -> set[str]:
    return {word for word in WORDS if word in text}


def named(text: str) -> dict[str, str]:
    """Return word → the project's name behind its line."""
    rows = [row.partition(" [project: ") for row in text.splitlines()]
    return {word: name.rstrip("]") for row, mark, name in rows if mark for word in WORDS if word in row}


@pytest.mark.wide(5)
@pytest.mark.parametrize(
    ("reader", "others", "wanted", "marked"),
    [
        (None, "none", OWN, set()),
        (None, "rules", OWN | {"limericks"}, {"limericks"}),
        (None, "all", OWN | ALL_HARBOR, ALL_HARBOR),
        (".", "none", OWN, set()),
        ("openclaw/main", "none", OWN, set()),
        ("/srv/work/harbor", "none", ALL_HARBOR, set()),
        ("/srv/work/harbor", "rules", ALL_HARBOR, set()),
        ("/srv/work/harbor", "all", OWN | ALL_HARBOR, OWN),
        ("/srv/work/quarry", "none", set(), set()),
        ("/srv/work/quarry", "rules", {"limericks"}, {"limericks"}),
        ("all", "none", OWN | ALL_HARBOR, ALL_HARBOR),
    ],
)
def test_each_project_is_told_its_own_and_of_others_what_the_operator_says(reader, others, wanted, marked, koog, mind):
    mode(others)

    code, line = koog(*NOW, "startup", "--budget", "9000", *(("--project", reader) if reader else ()))

    assert code == 0, line
    assert words_in(line["text"]) == wanted
    assert set(named(line["text"])) == marked


def test_the_project_of_the_current_folder_is_the_readers(koog, mind, alone, monkeypatch):
    registered(mind, observe_projects_include=["~/work/*"])
    mode("none")
    folder = alone / "work/harbor"
    folder.mkdir(parents=True)
    path = mind / "memory/observations.md"
    path.write_text(path.read_text().replace("/srv/work/harbor", str(folder)))
    monkeypatch.chdir(folder)

    _, line = koog(*NOW, "--workspace", str(mind), "startup", "--budget", "9000")

    assert words_in(line["text"]) == ALL_HARBOR


def test_files_are_told_where_the_operator_lists_them(koog, mind):
    mode("none", paths={"projects": {"/srv/work/harbor": ["memory/favorites.md"], "*": ["memory/2026-02-28.md"]}})

    _, own = koog(*NOW, "startup", "--budget", "9000")
    _, harbor = koog(*NOW, "startup", "--budget", "9000", "--project", "/srv/work/harbor")

    assert words_in(own["text"]) == OWN - {"favowort"}
    assert words_in(harbor["text"]) == ALL_HARBOR | {"favowort", "todaywort"}
    mode("all")
    assert named(koog(*NOW, "startup", "--budget", "9000")[1]["text"])["favowort"] == "harbor"


def test_an_excluded_projects_lines_are_told_to_nobody(koog, mind):
    registered(mind, observe_projects_exclude=["/srv/work/*"])
    for reader in ("all", "/srv/work/harbor", "."):
        for others in ("rules", "all"):
            mode(others)
            _, line = koog(*NOW, "startup", "--budget", "9000", "--project", reader)
            assert not words_in(line["text"]) & ALL_HARBOR


# --- groups


def heard(mind: Path, at: Place) -> str:
    """Return what a hook of that place tells."""
    run = Run(folder=str(mind), now_text=NOW[1])
    audience.of_place(run, at, host="openclaw")
    return startup.text(run)


@pytest.mark.parametrize("others", ["none", "rules", "all"])
def test_a_group_hears_what_was_said_in_it_and_nothing_else(others, mind):
    mode(others)

    assert words_in(heard(mind, GROUP)) == {"gannets", "groupraw"}
    assert words_in(heard(mind, OTHER_GROUP)) == {"dugongs"}
    assert heard(mind, place.of("openclaw", key="agent:main:telegram:group:-300")) == ""
    assert heard(mind, place.of("openclaw", key="agent:main:pigeon:7")) == ""
    assert "user: groupraw" not in heard(mind, GROUP)
    assert words_in(heard(mind, place.of("openclaw", key="agent:main:main"))) >= OWN


def test_a_file_that_is_listed_for_a_group_is_told_there(mind):
    mode("none", paths={"projects": {"group:telegram:*": ["memory/favorites.md"]}})

    assert words_in(heard(mind, GROUP)) == {"gannets", "groupraw", "favowort"}


def test_a_note_of_a_group_is_loaded_in_private_only_where_the_group_is_listed(koog, mind):
    assert "notewort" not in koog(*NOW, "startup", "--budget", "9000")[1]["text"]

    registered(mind, observe_groups=["telegram:group:-100"])
    assert "notewort" in koog(*NOW, "startup", "--budget", "9000")[1]["text"]

    registered(mind, observe_groups=["telegram:group:-200"])
    assert "notewort" not in koog(*NOW, "startup", "--budget", "9000")[1]["text"]


def test_a_groups_note_is_known_by_its_beginning_however_long_it_is(koog, mind):
    path = mind / "memory/2026-02-28-chat.md"
    path.write_text(path.read_text() + "user: chatter\n" * 9000 + "user: the notewort\n")

    assert "notewort" not in koog(*NOW, "startup", "--budget", "9000")[1]["text"]


# --- what was recovered


def test_what_is_recovered_is_told_as_the_rest_is(koog, mind, alone):
    folder = alone / ".claude/projects/p"
    folder.mkdir(parents=True)
    row = {"type": "user", "uuid": "u", "cwd": "/srv/work/harbor", "timestamp": "2026-02-28T11:00:00Z"}
    said = {"role": "user", "content": "We decided that the harborwort release ships on Friday."}
    (folder / "s.jsonl").write_text(json.dumps({**row, "message": said}) + "\n")
    mode("none")

    _, own = koog(*NOW, "startup", "--dry-run")
    _, harbor = koog(*NOW, "startup", "--dry-run", "--project", "/srv/work/harbor")

    assert (own["recovered"]["mismatch"], own["recovered"]["observed"]) == (True, [])
    assert [("harborwort" in text) for text in harbor["recovered"]["observed"]] == [True]
    assert "older" not in own["recovered"] and own["older"] is None


@pytest.mark.parametrize(("argv", "code"), [(["--project", ""], "usage"), (["--project", " "], "usage")])
def test_a_project_without_a_name_is_a_wrong_call(argv, code, koog, mind):
    assert koog(*NOW, "startup", *argv)[1]["error"]["code"] == code
