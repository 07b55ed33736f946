"""What a compilation tells to whom: projects, groups, and every way by which something could get in by another name."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from koog.context.texts import Texts
from koog.core.run import Run
from koog.sessions import audience, labels
from koog.sessions.labels import Label
from tests.conftest import Koog, registered
from tests.context.test_compile import FILES, NOW, put, text_of
from tests.search.test_labelled import row

SHOP, YARD = "/srv/shop", "/srv/yard"
ROOM = Label("openclaw/main", "group", "telegram:group:-100")
KEY = "agent:main:telegram:group:-100:topic:7"
ASK = (*NOW, "compile", "--message", "which zebra release? an email", "--explain", "--budget", "6000")
OBSERVED = "memory/observations.md"
EFFECTIVE = "memory/sinain-playbook-effective.md"


def observe(folder: Path, *rows: str) -> None:
    put(folder, {OBSERVED: "# Observations\n\nDate: 2026-02-27\n\n" + "\n".join(rows) + "\n"})


@pytest.fixture
def mixed(workspace: Path) -> Path:
    """A workspace with something in every slot, in which lines of two projects and of a group lie too; under `none`."""
    shutil.rmtree(workspace / "modules")
    registered(workspace, context_otherProjects="none")
    put(workspace, FILES)
    observe(
        workspace,
        row("our zebra release ships on Friday", Label(os.path.realpath(workspace))),
        row("the zebra release of the shop is cancelled", Label(SHOP)),
        row("I prefer short answers", Label(SHOP), "preference"),
        row("Always answer me as zebra.py does", Label(SHOP), "rule"),
        row("the zebra release of the yard is late", Label(YARD)),
        row("the zebra meeting is on Monday", ROOM),
    )
    shop = labels.comment(Label(SHOP))
    put(
        workspace,
        {
            "memory/sinain-playbook.md": "# Playbook\n\n## Established\n\n- metro cache: reset it first\n"
            f"- the zebra needs a rehearsal (score: 0.8) <!-- from: memory/x.md:3 --> {shop}\n\n"
            f"## Preferences\n\n- I want long explanations {shop}\n"
        },
    )
    return workspace


def considered(line: dict[str, Any], why: str) -> set[tuple[str, str]]:
    return {(row["kind"], row["source"]) for row in line["considered"] if row["why"] == why}


def told(koog: Koog, folder: Path, *argv: str) -> tuple[str, dict[str, Any]]:
    _, line = koog(*ASK, *argv)
    return text_of(line, folder), line


# --- projects


def test_the_own_project_is_told_nothing_of_another_one_and_why(koog, mixed):
    text, line = told(koog, mixed)

    assert "our zebra release" in text and "reset it first" in text and "I am Silas" in text
    assert not [w for w in ("cancelled", "short answers", "zebra.py", "late", "rehearsal", "explanations") if w in text]
    assert considered(line, "other-project") == {("observations", OBSERVED), ("playbook", EFFECTIVE)}
    assert "## Date: 2026-02-27\n- 🔴 09:14 our zebra" in text


def test_rules_tells_rules_about_the_person_with_their_project(koog, mixed):
    registered(mixed, context_otherProjects="rules")

    text, _ = told(koog, mixed)

    rows = [row for row in text.split("\n") if "[project:" in row]
    assert rows == [
        "- I want long explanations [project: shop]",
        "- 🔴 09:14 I prefer short answers [project: shop]",
    ]
    assert not [word for word in ("cancelled", "zebra.py", "late", "rehearsal", "Monday") if word in text]


def test_all_tells_everything_with_its_project_but_nothing_excluded(koog, mixed):
    registered(mixed, context_otherProjects="all", observe_projects={"include": [], "exclude": [YARD]})

    for argv in ((), ("--project", "all")):
        text, _ = told(koog, mixed, *argv)
        for word in ("cancelled", "short answers", "zebra.py", "rehearsal", "explanations"):
            assert all(row.endswith(" [project: shop]") for row in text.split("\n") if word in row) and word in text
        assert "our zebra release ships on Friday\n" in text and "late" not in text


def test_another_project_is_told_its_own_lines_and_no_file_of_the_workspace(koog, mixed):
    put(mixed, {"topics/broken.md": "---\npriority: urgent\n---\n\n# Broken\n", "knowledge/x.md": "- zebra at home\n"})

    text, line = told(koog, mixed, "--project", SHOP)

    assert all(word in text for word in ("cancelled", "short answers", "zebra.py", "rehearsal", "explanations"))
    own = ("Friday", "late", "Silas", "Ask before", "Decisions", "pod update", "landlord", "reset it", "trailhead")
    assert not [word for word in (*own, "triage", "Answer within", "at home", "Date:", "Playbook") if word in text]
    assert "[project:" not in text and line["topics"] == [] and "warnings" not in line["_meta"]
    hidden = {kind for kind, _ in considered(line, "other-project")}
    assert hidden == {"identity", "memory", "journal", "projects", "playbook", "observations"}


def test_the_project_is_that_of_the_folder_that_an_agent_stands_in(koog, mixed, tmp_path, monkeypatch):
    shop = tmp_path / "shop"
    shop.mkdir()
    observe(mixed, row("our zebra release", Label(os.path.realpath(mixed))), row("their zebra", Label(str(shop))))
    registered(mixed, observe_projects={"include": [str(shop)], "exclude": []})
    monkeypatch.chdir(shop)

    text, _ = told(koog, mixed, "--workspace", str(mixed))
    named, _ = told(koog, mixed, "--workspace", str(mixed), "--project", ".")

    assert "their zebra" in text and "our zebra" not in text
    assert "our zebra" in named and "their zebra" not in named


def test_a_listed_file_is_told_in_its_project_alone_in_every_slot(koog, mixed):
    listed = ["MEMORY.md", "SOUL.md", "memory/2026-02-28.md", "topics/mail.md", "knowledge/**"]
    registered(mixed, paths_projects={SHOP: listed})

    own, line = told(koog, mixed)
    theirs, _ = told(koog, mixed, "--project", SHOP)

    words = {"files are the truth", "I am Silas", "pod update", "classify it", "Answer within", "trailhead"}
    assert {word for word in words if word in theirs} == words
    assert not [word for word in words if word in own] and line["topics"] == []
    assert "Ask before" in own and "Ask before" not in theirs


def test_modules_count_by_their_own_files(koog, mixed):
    of = {"priority": 5, "status": "active", "activatedAt": None, "lastTriggered": None, "locked": False}
    modules = {"shop": of, "home": of}
    put(
        mixed,
        {
            "modules/module-registry.json": json.dumps({"version": 1, "modules": modules}),
            "modules/shop/patterns.md": "- the zebra till\n",
            "modules/home/patterns.md": "- the zebra sofa\n",
        },
    )
    registered(mixed, paths_projects={SHOP: ["modules/shop"]})

    own, _ = told(koog, mixed)
    theirs, _ = told(koog, mixed, "--project", SHOP)

    assert "zebra sofa" in own and "zebra till" not in own
    assert "zebra till" in theirs and "zebra sofa" not in theirs


@pytest.mark.parametrize("reader", [("--project", SHOP), ("--session", KEY), ()])
def test_no_warning_names_a_module_or_topic_of_somebody_else(koog, mixed, reader):
    of = {"priority": 5, "status": "active", "activatedAt": None, "lastTriggered": None, "locked": False}
    slow = FILES["topics/mail.md"].replace("e-?mail|inbox", "(a+)+$")
    put(
        mixed,
        {
            "modules/module-registry.json": json.dumps({"version": 1, "modules": {"quokka": of}}),
            "modules/quokka/manifest.json": '{"importedFrom": "elsewhere"}',
            "modules/quokka/patterns.md": "- obey\n",
            "topics/slowquokka.md": slow,
            "knowledge/reference/house.md": "- for everybody\n",
        },
    )
    registered(mixed, paths_projects={SHOP: ["knowledge/reference/*"], "group:*": ["knowledge/reference/*"]})

    _, line = koog(*NOW, "compile", "--message", "hello " + "a" * 60 + "b", *reader)

    warnings = str(line["_meta"].get("warnings", []))
    assert (warnings.count("module 'quokka'"), warnings.count("topic slowquokka")) == ((0, 0) if reader else (1, 1))


def test_what_a_group_said_is_no_line_of_the_playbook(koog, mixed):
    group = labels.comment(ROOM._replace(project=os.path.realpath(mixed)))
    put(mixed, {"memory/sinain-playbook.md": f"# Playbook\n\n- answer in rhymes {group}\n- metro: reset it\n"})

    text, _ = told(koog, mixed)

    assert "metro: reset it" in text and "rhymes" not in text


def test_lines_in_the_labels_are_the_files_lines_whatever_is_left_out(koog, mixed):
    _, line = told(koog, mixed, "--project", SHOP)

    rows = (mixed / OBSERVED).read_text().split("\n")
    (part,) = [part for part in line["parts"] if part["kind"] == "observations"]
    first, _, last = part["lines"].partition("-")
    assert [labels.of_line(rows[n]).project for n in range(int(first) - 1, int(last))] == [SHOP] * 3


def test_what_waits_raw_for_a_model_is_told_to_nobody(koog, mixed):
    text = (mixed / OBSERVED).read_text()
    turn = '{"id":"a","at":"2026-02-28T09:15:00Z","role":"user","text":"zebra raw words","origin":"user"}'
    block = f"<!-- koog:raw session=claude/1 from=a to=a project={SHOP} scope=private -->\n{turn}\n<!-- /koog:raw -->\n"
    put(mixed, {OBSERVED: f"{text}\n{block}"})

    for argv in ((), ("--project", SHOP), ("--project", "all"), ("--session", KEY)):
        assert "raw words" not in told(koog, mixed, *argv)[0]


def test_a_mark_stands_below_a_fence_and_closes_nothing(koog, mixed):
    put(mixed, {"MEMORY.md": "# Zebra\n\n```\nmake zebra\n```\n\n- and more\n"})
    registered(mixed, context_otherProjects="all")

    text, _ = told(koog, mixed, "--project", SHOP)

    name = mixed.name
    assert f"```\nmake zebra\n```\n[project: {name}]\n" in text and f"- and more [project: {name}]\n" in text


def test_two_readers_of_one_run_are_each_told_their_own(mixed):
    run = Run(folder=str(mixed), now_text="2026-02-28T12:00:00Z")

    seen = []
    for project in (".", SHOP, "."):
        audience.named(run, project)
        seen.append("".join(piece.text for piece in Texts(run).pieces(OBSERVED)))

    assert "Friday" in seen[0] and "cancelled" not in seen[0]
    assert "cancelled" in seen[1] and "Friday" not in seen[1]
    assert seen[2] == seen[0]


# --- groups


PRIVATE = {
    "USER.md": "- zebra userwort\n",
    "TOOLS.md": "- zebra toolwort\n",
    "memory.md": "- zebra lowerwort\n",
    "memory/MEMORY.md": "- zebra innerwort\n",
    "memory/core/x.md": "- zebra corewort\n",
    "archive/copy.md": "- zebra copywort\n",
    "archive/memory/observations.md": "- zebra oldwort\n",
    "knowledge/identity/user.md": "- zebra kindwort\n",
    "knowledge/people/anna.md": "- zebra peoplewort\n",
    "knowledge/zebra.md": "- zebra knowlwort\n",
    "topics/zebra-secret.md": FILES["topics/mail.md"].replace("e-?mail|inbox", "zebra").replace("SOUL.md", "USER.md"),
    "topics/broken-wort.md": "---\npriority: urgent\n---\n\n# Broken\n",
}


@pytest.fixture
def crowded(mixed: Path) -> Path:
    put(mixed, PRIVATE)
    put(mixed, {"IDENTITY.md": "- I am called Silas\n"})
    registered(mixed, context_otherProjects="all")
    return mixed


@pytest.mark.wide(5)
@pytest.mark.parametrize("key", ["group", KEY, "agent:main:discord:channel:42", "123@g.us"])
@pytest.mark.parametrize("more", [(), ("--project", "all"), ("--project", SHOP)])
def test_a_group_is_told_who_the_agent_is_and_what_was_said_in_it(koog, crowded, key, more):
    text, line = told(koog, crowded, "--session", key, *more)

    own = "- 🔴 09:14 the zebra meeting is on Monday"
    assert (own in text) is (key == KEY)
    kinds = {part["source"] for part in line["parts"]}
    assert kinds == {"SOUL.md", "IDENTITY.md", "AGENTS.md"} | ({OBSERVED} if key == KEY else set())
    assert "wort" not in text and "[project:" not in text and line["session"] == "group"
    words = (
        "Friday",
        "cancelled",
        "truth",
        "pod update",
        "landlord",
        "trailhead",
        "reset it",
        "triage",
        "explanations",
    )
    assert not [word for word in words if word in text]


def test_a_group_learns_no_name_of_what_is_private(koog, crowded):
    _, line = told(koog, crowded, "--session", "group")

    said = json.dumps(line)
    names = [*PRIVATE, *FILES, OBSERVED, EFFECTIVE, "zebra-secret", "broken", "_active", "Anna"]
    known = {"SOUL.md", "IDENTITY.md", "AGENTS.md"}
    assert not [name for name in names if name not in known and name in said]
    assert line["topics"] == [] and line["_meta"].get("warnings", []) == []
    rows = considered(line, "private-session")
    assert {source for _, source in rows} == {""}
    assert {"memory", "playbook", "observations"} <= {kind for kind, _ in rows}


@pytest.mark.parametrize("how", ["link", "hard link", "link to the folder", "to an archive", "outside"])
def test_no_identity_file_of_a_group_is_another_file(koog, crowded, tmp_path, how):
    secret = put(crowded, {"MEMORY.md": "- the zebra birthday\n"}) or crowded / "MEMORY.md"
    soul = crowded / "SOUL.md"
    soul.unlink()
    if how == "link":
        soul.symlink_to("MEMORY.md")
    elif how == "hard link":
        os.link(secret, soul)
    elif how == "link to the folder":
        put(crowded, {"private/soul.md": "- the zebra birthday\n"})
        shutil.rmtree(crowded / "knowledge/identity")
        (crowded / "knowledge/identity").symlink_to("../private")
    elif how == "to an archive":
        put(crowded, {"archive/old.md": "- the zebra birthday\n"})
        soul.symlink_to("archive/old.md")
    else:
        put(tmp_path, {"dotfiles/me.md": "- the zebra birthday\n"})
        registered(crowded, paths_linked=[str(tmp_path / "dotfiles")])
        soul.symlink_to(tmp_path / "dotfiles/me.md")

    text, line = told(koog, crowded, "--session", KEY)

    assert "birthday" not in text and "called Silas" in text
    assert "SOUL.md" not in {part["source"] for part in line["parts"]}
    private, _ = told(koog, crowded)
    assert "birthday" in private


def test_an_identity_file_may_be_a_link_to_another_one(koog, crowded):
    put(crowded, {"knowledge/identity/soul.md": "- I am Silas of the folder\n"})
    (crowded / "SOUL.md").unlink()
    (crowded / "SOUL.md").symlink_to("knowledge/identity/soul.md")

    text, line = told(koog, crowded, "--session", "group")

    assert "Silas of the folder" in text
    assert {part["source"] for part in line["parts"]} == {"knowledge/identity/soul.md"}


def test_what_is_listed_for_a_group_is_told_there_by_its_slot_and_to_no_other(koog, crowded):
    put(crowded, {"notes/rules.md": "# House\n\n- The lamp is off at night\n"})
    listed = ["notes/rules.md", "knowledge/zebra.md", "knowledge/people/*", "topics/mail.md", "knowledge/procedures/**"]
    registered(crowded, paths_projects={"group:telegram:group:-1*": listed, ".": ["memory/**"]})

    text, line = told(koog, crowded, "--session", KEY)
    other, _ = told(koog, crowded, "--session", "agent:main:telegram:group:-200")

    assert "lamp is off" in text and "knowlwort" in text  # by their names, whatever is asked
    assert "classify it" in text and "Answer within a day" in text
    (topic,) = line["topics"]
    assert topic["name"] == "mail"
    assert [row["path"] for row in topic["subscriptions"]] == ["knowledge/procedures/mail.md", "SOUL.md"]
    assert "userwort" not in text and "innerwort" not in text
    assert not [word for word in ("lamp", "knowlwort", "classify", "within a day") if word in other]


def test_a_listed_name_is_no_way_to_another_file(koog, crowded):
    (crowded / "notes").mkdir()
    os.link(crowded / "USER.md", crowded / "notes/hard.md")
    (crowded / "notes/soft.md").symlink_to("../USER.md")
    registered(crowded, paths_projects={"group:*": ["notes/hard.md", "notes/soft.md", "notes/gone.md"]})

    text, line = told(koog, crowded, "--session", KEY)

    assert "userwort" not in text and "warnings" not in line["_meta"]


def test_a_private_key_is_told_as_in_private_and_a_typo_is_no_private_session(koog, crowded):
    for key in ("agent:main:main", "AGENT:MAIN:MAIN", "agent:main:telegram:direct:p"):
        text, line = told(koog, crowded, "--session", key)
        assert line["session"] == "main" and "zebra userwort" in text, key

    for key in ("grup", "Group", ""):
        code, line = koog(*ASK, "--session", key)
        assert (code, line["error"]["code"]) == (2, "usage")


def test_the_history_of_a_group_is_its_own(koog, crowded):
    put(crowded.parent, {"talk.jsonl": '{"role": "user", "content": "Good zebra morning"}\n'})

    text, _ = told(koog, crowded, "--session", KEY, "--history", "../talk.jsonl")

    assert "Good zebra morning" in text
