"""koog forget and koog why: listed, archived, brought back to the byte; told by id and by nothing else."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from koog.core.view import Section
from koog.memory import forget_view
from tests.conftest import Koog

pytestmark = pytest.mark.usefixtures("workspace")
NOW = ("--now", "2026-03-05T10:00:00Z")
CODE = "the locker code is zanzibar quartz 77"


def kept(koog: Koog, text: str, *more: str) -> str:
    code, line = koog(*NOW, "remember", text, "--explicit", *more)
    assert code == 0, line
    return str(line["id"])


def one_of_each(koog: Koog) -> dict[str, str]:
    """Remember one thing in each store; return store → id."""
    return {
        "core": kept(koog, CODE, "--store", "core"),
        "episodic": kept(koog, "Mara and Leo chose the hybrid approach for the planner", "--store", "episodic"),
        "semantic": kept(koog, "Ana has two cats called Miro and Zora", "--store", "semantic", "--entity", "Ana"),
        "procedural": kept(koog, "To ship the app: tag it, push the tag, tell Mara", "--store", "procedural"),
        "vault": kept(koog, "Roses are red and violets are seldom really blue", "--store", "vault"),
    }


def files() -> dict[str, bytes]:
    """Return the files that a person sees, without koog's own records of what it did."""
    found = (Path(top) / name for top, _, names in os.walk(".") for name in names)
    mine = (p for p in found if not {".git", ".koog"} & set(p.parts) and "meta" not in p.parts)
    # How often an entity was accessed is told in its file now and then: that is no part of what is remembered.
    return {str(path): re.sub(rb"Access count: \d+", b"", path.read_bytes()) for path in mine}


def scores() -> dict[str, tuple[float, str]]:
    entries = json.loads(Path("memory/meta/decay-scores.json").read_text())["entries"]
    return {id_: (row["current_score"], row["status"]) for id_, row in entries.items()}


# --- listed


def test_a_wish_lists_what_it_may_mean_and_changes_nothing(koog: Koog) -> None:
    ids = one_of_each(koog)
    before = {**files(), "git": Path(".git/HEAD").read_bytes()}

    code, line = koog(*NOW, "forget", "forget about the locker code")

    (found,) = line["matches"]
    assert (code, found["id"], found["store"], line["total"]) == (0, ids["core"], "core", 1)
    assert (found["path"], found["text"]) == ("MEMORY.md", CODE)
    assert Path("MEMORY.md").read_text().split("\n")[found["line"] - 1] == f"- {CODE}"
    assert found["changes"] == [
        {"id": ids["core"], "path": "MEMORY.md", "line": found["line"], "what": "the line goes"}
    ]
    assert line["command"] == f"koog forget --confirm {ids['core']}"
    assert line["_meta"]["changes"] == []
    assert before == {**files(), "git": Path(".git/HEAD").read_bytes()}


@pytest.mark.parametrize(
    ("query", "store"),
    [
        ("the hybrid approach", "episodic"),
        ("cats", "semantic"),
        ("how to ship the app", "procedural"),
        ("violets", "vault"),
        ("zanzibar", "core"),
    ],
)
def test_each_store_is_looked_through(koog: Koog, query: str, store: str) -> None:
    ids = one_of_each(koog)

    _, line = koog(*NOW, "forget", query)

    assert [row["id"] for row in line["matches"]] == [ids[store]]


@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ("drop what I told you about that lighting designer, turned out badly", "designer"),
        ("vergiss bitte die Sache mit dem Fahrrad", "Fahrrad"),
        ("olvida lo que te conté sobre la bicicleta de Marta", "bicicleta"),
        ("oublie ce que j'ai dit sur le vélo", "vélo"),
        ("把关于自行车的事都忘了", "自行车"),
        ("forget my cousin and the loan", "cousin"),
    ],
)
def test_a_wish_in_many_words_and_any_language_means_one_thing(koog: Koog, wish: str, told: str) -> None:
    for text in (
        "Met a lighting designer at WORM, Babs Kuiper, who does small rigs",
        "Das Fahrrad vom Nachbarn steht seit Mai bei uns im Keller",
        "La bicicleta de Marta está en el taller de la esquina",
        "Le vélo de Julie a disparu devant la gare",
        "小李的自行车停在公司楼下",
        "Lent cousin Julián three million, back by June he swears",
        "Babs is late on Fridays, and I told her mother",
    ):
        kept(koog, text, "--store", "episodic")

    _, line = koog(*NOW, "forget", wish)

    assert told in line["matches"][0]["text"]
    assert line["total"] <= 3


def test_the_name_of_an_entity_means_all_that_is_known_of_it(koog: Koog) -> None:
    fact = one_of_each(koog)["semantic"]

    _, line = koog(*NOW, "forget", "Ana")

    (found,) = line["matches"]
    assert (found["id"], [change["id"] for change in found["changes"]]) == (
        "entity:person--ana",
        ["entity:person--ana", fact],
    )


def test_what_says_the_same_elsewhere_goes_with_it(koog: Koog) -> None:
    text = "Ana is allergic to peanuts and carries an epipen"
    fact = kept(koog, text, "--store", "semantic", "--entity", "Ana")
    core = kept(koog, text, "--store", "core")
    Path("memory/observations.md").write_text(
        f"# Observations\n\nDate: 2026-03-04\n\n- 🔴 09:14 {text} <!-- dc:type=fact -->\n- 🟢 10:00 Mara called\n"
    )
    Path("memory/sinain-playbook.md").write_text(
        f"# Sinain Playbook\n\n## Patterns\n- {text} (score: 0.7) [since: 2026-03-04]\n- Ask before a release\n"
    )

    _, listed = koog(*NOW, "forget", fact)
    _, line = koog(*NOW, "forget", "--confirm", fact)

    assert {change["path"] for change in listed["matches"][0]["changes"]} == {
        "memory/graph/entities/person--ana.md",
        "MEMORY.md",
        "memory/observations.md",
        "memory/sinain-playbook.md",
    }
    assert {fact, core} < set(line["archived"])
    assert [path for path, data in files().items() if text.encode() in data] == ["memory/graph/entities/person--ana.md"]
    assert b"Mara called" in files()["memory/observations.md"]


def test_nothing_is_found_by_words_that_nobody_said(koog: Koog) -> None:
    one_of_each(koog)

    code, line = koog(*NOW, "forget", "the sailing boat in Brest")

    assert (code, line["matches"], line["total"], line["command"]) == (0, [], 0, None)


# --- archived


def test_what_is_archived_has_the_score_0_and_stands_in_no_list(koog: Koog) -> None:
    ids = one_of_each(koog)
    every = [*ids.values(), "entity:person--ana"]

    code, line = koog(*NOW, "forget", "--confirm", *every)

    assert (code, set(line["archived"])) == (0, set(every))
    assert set(scores().values()) == {(0.0, "archived")}
    assert koog(*NOW, "decay", "show")[1]["memories"] == []
    assert "person--ana" not in Path("memory/graph/index.md").read_text()
    assert CODE not in Path("MEMORY.md").read_text()
    entity = Path("memory/graph/entities/person--ana.md").read_text()
    assert entity.index("## Archived") < entity.index("~~Ana has two cats called Miro and Zora~~ (archived 2026-03-05)")
    assert "Mara and Leo chose" in Path("memory/episodes/2026-03-05.md").read_text()


def test_the_audit_log_names_ids_and_who_did_it_and_no_words(koog: Koog) -> None:
    ids = one_of_each(koog)

    koog(*NOW, "forget", CODE)
    koog(*NOW, "forget", "--confirm", ids["core"], ids["semantic"])

    log = Path("memory/meta/audit.log").read_text()
    rows = [row for row in log.splitlines() if "bot:trigger-forget" in row]
    assert any("ARCHIVE" in row and "MEMORY.md" in row and ids["core"] in row for row in rows)
    tombstones = Path("memory/meta/forgotten.jsonl").read_text()
    for word in ("zanzibar", "locker", "cats", "Miro"):
        assert word not in log
        assert word not in tombstones


def test_a_memory_that_is_forgotten_stays_so_at_later_decay_runs(koog: Koog) -> None:
    ids = one_of_each(koog)
    koog(*NOW, "forget", "--confirm", ids["episodic"], ids["vault"])

    koog("--now", "2026-06-05T10:00:00Z", "decay", "run")

    assert (scores()[ids["episodic"]], scores()[ids["vault"]]) == ((0.0, "archived"), (0.0, "archived"))


@pytest.mark.parametrize("index", [True, False])
def test_search_finds_no_archived_thing(koog: Koog, index: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = one_of_each(koog)
    other = kept(koog, "Mara and Leo chose the blue approach for the garden", "--store", "episodic")
    koog(*NOW, "index")
    koog(*NOW, "forget", "--confirm", *ids.values())
    if not index:
        shutil.rmtree(".koog")
        Path(".koog").symlink_to("nowhere")

    found = [hit["text"] for query in ("zanzibar", "hybrid", "cats", "ship", "violets") for hit in hits(koog, query)]

    assert not [text for text in found if any(w in text for w in ("zanzibar", "hybrid", "cats", "ship the", "violets"))]
    assert other != ids["episodic"]
    assert [hit["text"] for hit in hits(koog, "blue approach for the garden")][:1] == [
        "Mara and Leo chose the blue approach for the garden"
    ]


def hits(koog: Koog, query: str) -> list[dict[str, str]]:
    code, line = koog(*NOW, "search", query)
    assert code == 0, line
    found: list[dict[str, str]] = line["hits"]
    return found


def test_the_words_are_told_nowhere_else_either(koog: Koog) -> None:
    """A host's own note and the talk hold them too: koog edits neither, and tells neither."""
    ids = one_of_each(koog)
    Path("memory/2026-03-04.md").write_text(f"# Day\n\n- He said that {CODE}, and that the lift is broken again.\n")
    koog(*NOW, "forget", "--confirm", ids["core"])

    told = [
        koog(*NOW, *call)[1] for call in (("startup",), ("search", "locker lift"), ("compile", "--message", "lift"))
    ]

    assert all("zanzibar" not in json.dumps(line) for line in told)
    assert "lift is broken again" in json.dumps(told[0])
    assert CODE in Path("memory/2026-03-04.md").read_text()


# --- brought back


def test_undo_brings_everything_back_to_the_byte(koog: Koog) -> None:
    one_of_each(koog)
    kept(koog, "Ana speaks Portuguese", "--store", "semantic", "--entity", "Ana")
    ids = [each["id"] for each in koog(*NOW, "decay", "show")[1]["memories"]]
    koog(*NOW, "decay", "run")
    before, standing = files(), scores()

    koog(*NOW, "forget", "--confirm", *ids)
    during = files()
    code, line = koog(*NOW, "forget", "--undo")

    assert (code, set(ids) <= set(line["restored"])) == (0, True)
    assert during != before
    assert {path: data for path, data in files().items() if before[path] != data} == {}
    assert scores() == standing
    assert koog(*NOW, "search", "zanzibar")[1]["hits"][0]["path"] == "MEMORY.md"


def test_one_of_several_comes_back_by_its_id_and_the_others_stay_away(koog: Koog) -> None:
    ids = one_of_each(koog)
    second = kept(koog, "Ana speaks Portuguese at home", "--store", "semantic", "--entity", "Ana")
    koog(*NOW, "forget", "--confirm", ids["semantic"], second, ids["core"])

    _, line = koog(*NOW, "forget", "--undo", ids["semantic"])

    entity = Path("memory/graph/entities/person--ana.md").read_text()
    assert line["restored"] == [ids["semantic"]]
    assert entity.index("- Ana has two cats called Miro and Zora") < entity.index("## Archived")
    assert entity.index("## Archived") < entity.index("~~Ana speaks Portuguese at home~~")
    assert CODE not in Path("MEMORY.md").read_text()


def test_what_a_person_has_written_meanwhile_stays(koog: Koog) -> None:
    ids = one_of_each(koog)
    koog(*NOW, "forget", "--confirm", ids["core"], ids["semantic"])
    for name in ("MEMORY.md", "memory/graph/entities/person--ana.md"):
        Path(name).write_text(Path(name).read_text().replace("# ", "# My ", 1) + "\nMy own line.\n")

    koog(*NOW, "forget", "--undo")

    for name, text in (("MEMORY.md", CODE), ("memory/graph/entities/person--ana.md", "Ana has two cats")):
        now = Path(name).read_text()
        assert now.startswith("# My ")
        assert "My own line.\n" in now
        assert f"- {text}" in now


def test_forgotten_twice_is_forgotten_once_and_what_is_not_there_is_told(koog: Koog) -> None:
    id_ = one_of_each(koog)["core"]

    _, first = koog(*NOW, "forget", "--confirm", id_)
    code, second = koog(*NOW, "forget", "--confirm", id_)
    missing = koog(*NOW, "forget", "--confirm", "core:00000000")
    back = koog(*NOW, "forget", "--undo", "core:00000000")

    assert (first["archived"], code, second["archived"], second["_meta"]["changes"]) == ([id_], 0, [], [])
    assert (missing[1]["error"]["code"], back[1]["error"]["code"]) == ("not_found", "not_found")


def test_a_dry_run_says_what_would_go_and_leaves_it(koog: Koog) -> None:
    id_ = one_of_each(koog)["core"]
    before = files()

    _, line = koog(*NOW, "--dry-run", "forget", "--confirm", id_)

    assert (line["archived"], files()) == ([id_], before)
    assert not Path("memory/meta/forgotten.jsonl").exists()


@pytest.mark.parametrize(
    "call", [(), ("--confirm",), ("--confirm", "the code"), ("--confirm", "--undo", "core:00000000")]
)
def test_a_wrong_call_is_told(koog: Koog, call: tuple[str, ...]) -> None:
    assert koog("forget", *call)[1]["error"]["code"] == "usage"


# --- who may


def test_another_agent_forgets_nothing_and_may_ask_why(koog: Koog) -> None:
    id_ = one_of_each(koog)["core"]

    code, line = koog(*NOW, "--agent", "scout", "forget", "--confirm", id_)
    why, told = koog(*NOW, "--agent", "scout", "why", id_)

    assert (code, line["error"]["code"], why, told["id"]) == (5, "refused", 0, id_)
    assert CODE in Path("MEMORY.md").read_text()


def test_nobody_lists_or_forgets_what_he_may_not_be_told(koog: Koog, monkeypatch: pytest.MonkeyPatch) -> None:
    id_ = one_of_each(koog)["core"]
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("KOOG_SESSION_KEY", "agent:main:telegram:group:-1001")

    listed = koog(*NOW, "forget", "zanzibar")[1]
    gone = koog(*NOW, "forget", "--confirm", id_)[1]
    why = koog(*NOW, "why", id_)[1]

    assert (listed["matches"], gone["error"]["code"], why["error"]["code"]) == ([], "not_found", "not_found")
    assert CODE in Path("MEMORY.md").read_text()


# --- why


def test_why_tells_from_where_a_memory_came_and_what_nobody_knows(koog: Koog) -> None:
    id_ = one_of_each(koog)["semantic"]

    code, line = koog(*NOW, "why", id_)

    assert (code, line["id"], line["path"], line["status"]) == (
        0,
        id_,
        "memory/graph/entities/person--ana.md",
        "active",
    )
    assert (line["word"], line["model"]) == ("the user asked for it", "builtin")
    assert (line["origin"]["actor"], line["written"]["ts"]) == ("bot:trigger-remember", NOW[1])
    assert line["entries"][0]["summary"] == f"remembered entity:person--ana, {id_}"
    assert "in which session it was said" in line["unknown"]
    assert line["_meta"]["changes"] == []


def test_why_tells_what_took_its_place(koog: Koog) -> None:
    old = kept(koog, "Ana lives in Berlin", "--store", "semantic", "--entity", "Ana")
    new = kept(koog, "Ana lives in Lisbon now", "--store", "semantic", "--entity", "Ana", "--replaces", old)

    before, after = koog(*NOW, "why", old)[1], koog(*NOW, "why", new)[1]

    assert (before["replacedBy"], before["until"], after["replaces"], after["since"]) == (
        [new],
        "2026-03-05",
        [old],
        "2026-03-05",
    )


def test_why_finds_a_memory_by_its_words_and_an_archived_one_by_its_id_only(koog: Koog) -> None:
    id_ = one_of_each(koog)["core"]
    assert koog(*NOW, "why", "the locker code")[1]["id"] == id_
    koog(*NOW, "forget", "--confirm", id_)

    by_words, by_id = koog(*NOW, "why", "the locker code")[1], koog(*NOW, "why", id_)[1]

    assert by_words["error"]["code"] == "not_found"
    assert (by_id["status"], by_id["text"], by_id["forgotten"]) == ("archived", CODE, {"ts": NOW[1], "op": "forget"})


def test_why_tells_the_entry_of_the_session_in_which_something_was_observed(koog: Koog) -> None:
    row = "- 🔴 09:14 Deploys go out on Tuesdays <!-- dc:type=rule dc:source=claude/3f#a1 dc:trust=person -->"
    Path("memory/observations.md").write_text(f"# Observations\n\nDate: 2026-03-04\n\n{row}\n")

    _, line = koog(*NOW, "why", "deploys on tuesdays")

    assert (line["store"], line["heard"], line["word"]) == (
        "observation",
        ["claude/3f#a1"],
        "the person said it",
    )


def test_what_one_session_taught_is_forgotten_together(koog: Koog) -> None:
    text = "# Observations\n\nDate: 2026-03-04\n\n"
    text += "- 🔴 09:14 Deploys go out on Tuesdays <!-- dc:type=rule dc:source=claude/3f2a#a1 -->\n"
    text += "- 🔴 09:15 Mara leads the mobile team <!-- dc:type=fact dc:source=claude/3f2a#a2 -->\n"
    text += "- 🟢 09:15 The garden needs water <!-- dc:type=fact dc:source=claude/9999#a2 -->\n"
    Path("memory/observations.md").write_text(text)

    _, listed = koog(*NOW, "forget", "--session", "3f2a")
    koog(*NOW, "forget", "--session", "claude/3f2a", "--confirm")
    left = Path("memory/observations.md").read_text()
    koog(*NOW, "forget", "--undo")

    assert [row["text"] for row in listed["matches"]] == ["Deploys go out on Tuesdays", "Mara leads the mobile team"]
    assert ("Tuesdays" in left, "Mara" in left, "garden" in left) == (False, False, True)
    assert Path("memory/observations.md").read_text() == text


def test_two_at_once_are_one(koog: Koog) -> None:
    id_ = one_of_each(koog)["semantic"]
    command = [sys.executable, "-m", "koog", *NOW, "forget", "--confirm", id_]

    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [json.loads(each.communicate()[0]) for each in both]

    assert [line["ok"] for line in told] == [True, True]
    assert sorted(len(line["archived"]) for line in told) == [0, 1]
    assert Path("memory/meta/forgotten.jsonl").read_text().count(id_) == 1
    assert Path("memory/graph/entities/person--ana.md").read_text().count("Miro") == 1


def test_who_was_forgotten_is_no_name_and_no_way_in_the_graph(koog: Koog) -> None:
    kept(
        koog,
        "Bruno Keller works with Ana Ruiz",
        "--store",
        "semantic",
        "--entity",
        "Bruno Keller",
        "--edge",
        "knows:Ana Ruiz",
    )
    bruno = next(each.stem for each in Path("memory/graph/entities").glob("*bruno-keller.md"))
    assert "Bruno" in json.dumps(koog(*NOW, "recall", "Who is Bruno?")[1])

    koog(*NOW, "forget", "--confirm", f"entity:{bruno}")

    asked = [koog(*NOW, *call) for call in (("recall", "Who is Bruno?"), ("recall", "Who knows Ana Ruiz?"))]
    asked += [koog(*NOW, "graph", *call) for call in (("show", "Bruno"), ("export", "json"))]
    told = json.dumps([line for _, line in asked]).replace("Who is Bruno?", "").replace("show Bruno", "")
    assert "Bruno Keller" not in told
    assert bruno not in told


def test_what_nobody_asked_for_brings_no_forgotten_person_back(koog: Koog) -> None:
    kept(koog, "Bruno Keller works at Acme", "--store", "semantic", "--entity", "Bruno Keller")
    bruno = next(each.stem for each in Path("memory/graph/entities").glob("*bruno-keller.md"))
    koog(*NOW, "forget", "--confirm", f"entity:{bruno}")

    tea = ("remember", "Bruno Keller likes tea", "--store", "semantic", "--entity", "Bruno Keller")
    code, line = koog(*NOW, *tea)
    again, _ = koog(*NOW, *tea, "--explicit")

    assert (code, line["error"]["code"], again) == (5, "refused", 0)


def test_the_very_words_of_one_thing_mean_no_other(koog: Koog) -> None:
    kept(koog, "Ana Ruiz lives in Lisbon", "--store", "semantic", "--entity", "Ana Ruiz")
    kept(koog, "Ana Ruiz is allergic to peanuts", "--store", "semantic", "--entity", "Ana Ruiz")
    kept(koog, "Ana Schmidt is allergic to cats", "--store", "semantic", "--entity", "Ana Schmidt")

    _, line = koog(*NOW, "forget", "Ana Ruiz is allergic to peanuts")

    assert line["matches"] and all("peanuts" in each["text"] for each in line["matches"])


def test_of_one_thing_in_two_stores_both_come_back(koog: Koog) -> None:
    fact = kept(koog, "Ana Ruiz is allergic to peanuts", "--store", "semantic", "--entity", "Ana Ruiz", "--explicit")
    away = koog(*NOW, "forget", "--confirm", fact)[1]["archived"]

    _, line = koog(*NOW, "forget", "--undo", fact)

    assert sorted(line["restored"]) == sorted(away)
    assert "peanuts" in json.dumps(koog(*NOW, "recall", "peanuts", "--brief")[1])


# --- what was forgotten leaves nothing behind; a wish that is vague


def test_a_relation_that_one_fact_alone_told_goes_with_it_and_comes_back(koog: Koog) -> None:
    ana = ("--store", "semantic", "--entity", "Ana Ruiz")
    fact = kept(koog, "Ana Ruiz secretly works at Seelotse", *ana, "--edge", "works-at:Seelotse")
    kept(koog, "Ana Ruiz knows Bruno Keller", *ana, "--edge", "knows:Bruno Keller")
    path = next(Path("memory/graph/entities").glob("*ana-ruiz.md"))
    before = path.read_text()

    koog(*NOW, "forget", "--confirm", fact)
    without = koog(*NOW, "graph", "show", path.stem)[1]
    koog(*NOW, "forget", "--undo", fact)

    assert [edge["relation"] for edge in without["edges"]] == ["knows"]
    assert re.sub(r"count: \d+", "", path.read_text()) == re.sub(r"count: \d+", "", before)


def test_a_line_of_a_knowledge_file_is_listed_goes_and_comes_back(koog: Koog) -> None:
    path = Path("knowledge/projects/atlas/notes.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# Atlas\n\n## Notes\n- The gate code of the yard is zanzibar\n- The yard has two doors\n")
    before = path.read_text()

    (found,) = koog(*NOW, "forget", "the gate code")[1]["matches"]
    koog(*NOW, "forget", "--confirm", found["id"])
    without = path.read_text()
    koog(*NOW, "forget", "--undo", found["id"])

    assert (found["store"], found["path"], found["line"]) == ("knowledge", str(path), 4)
    assert ("zanzibar" in without, "two doors" in without, path.read_text()) == (False, True, before)


def test_what_lies_in_the_archive_is_listed_and_goes_and_comes_back(koog: Koog) -> None:
    path = Path("archive/journal/2025-02-16.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "# Day\n\n- The gate code of the yard is zanzibar\n  and nobody else knows it\n- The yard has two doors\n"
    )
    before = path.read_text()

    (found,) = koog(*NOW, "forget", "the gate code of the yard")[1]["matches"]
    koog(*NOW, "forget", "--confirm", found["id"])
    without = path.read_text()
    koog(*NOW, "forget", "--undo", found["id"])

    assert (found["path"], "zanzibar" in without, path.read_text()) == (str(path), False, before)
    places = koog(*NOW, "forget", "--hard", found["id"])[1]["places"]
    assert str(path) in [each["path"] for each in places]


def test_links_that_lead_in_a_circle_end(koog: Koog) -> None:
    note = Path("knowledge/reference/x.md")
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text("# X\n\n- The dirigible password is swordfish\n")
    Path("knowledge/reference/round").symlink_to(".")

    (row,) = koog(*NOW, "forget", "dirigible password")[1]["matches"]

    assert row["path"] == str(note)
    assert len(row["changes"]) == 1


def test_whoever_is_named_is_meant_and_nobody_else(koog: Koog) -> None:
    kept(koog, "Onyeka's probation is over on 31 May, I want to pay him 52k", "--store", "episodic")
    kept(koog, "The spare key is with Frau Nitzsche from number 14", "--store", "episodic")

    _, line = koog(*NOW, "forget", "please drop the number I gave you for Onyeka's pay")

    assert ["Onyeka" in each["text"] for each in line["matches"]] == [True]


def test_of_whom_much_is_known_only_what_has_more_of_the_wish_is_meant(koog: Koog) -> None:
    for text in ("Jonas Bakker is our babysitter", "Jonas Bakker has football on Mondays", "Jonas Bakker turned 18"):
        kept(koog, text, "--store", "semantic", "--entity", "Jonas Bakker")
    kept(koog, "Jonas was 40 minutes late on Friday, third time now", "--store", "episodic")

    _, line = koog(*NOW, "forget", "forget that I complained about Jonas Bakker being late")

    assert ["late" in each["text"] for each in line["matches"]] == [True]


def test_of_a_name_all_that_the_rest_of_the_wish_may_mean_is_listed(koog: Koog) -> None:
    kept(koog, "Babak is allergic to nuts", "--store", "episodic")
    kept(koog, "Babak is out for two weeks, he is seeing a therapist", "--store", "episodic")

    _, line = koog(*NOW, "forget", "Forget what I told you about why Babak was off sick")

    assert "therapist" in json.dumps(line["matches"])


def test_what_is_only_near_is_told_apart_and_the_command_leaves_it_out(koog: Koog) -> None:
    said = ("remember", "Dinner with Jakob last night, he is my oldest friend", "--store", "episodic")
    dinner = koog("--now", "2026-03-01T10:00:00Z", *said)[1]["id"]
    money = kept(koog, "I borrowed 250 euros from Jakob for new brakes", "--store", "episodic")

    _, line = koog(*NOW, "forget", "forget about the money from Jakob, that's sorted")
    _, every = koog(*NOW, "forget", "forget everything about Jakob and the money")

    assert ([e["id"] for e in line["matches"]], [e["id"] for e in line["near"]]) == ([money], [dinner])
    assert line["command"] == f"koog forget --confirm {money}"
    assert {e["id"] for e in every["matches"]} == {money, dinner}


def test_another_agent_is_told_who_forgets(koog: Koog) -> None:
    _, line = koog(*NOW, "--agent", "scout", "forget", "the locker code")

    assert "propose" not in line["error"]["hint"]
    assert "koog --agent scout recall" in line["error"]["hint"]


def test_a_person_is_shown_what_would_go_and_what_went(koog: Koog) -> None:
    id_ = one_of_each(koog)["core"]

    listed = forget_view.sections(koog(*NOW, "forget", "the locker code")[1])
    done = forget_view.sections(koog(*NOW, "forget", "--confirm", id_)[1])

    texts = [[cell.text for section in view for row in section.rows for cell in row] for view in (listed, done)]
    assert {CODE, "the line goes: MEMORY.md:" + str(_row_of(listed)), f"koog forget --confirm {id_}"} <= set(texts[0])
    assert {id_, f"koog forget --undo {id_}"} <= set(texts[1])


def _row_of(view: list[Section]) -> int:
    place = next(cell.text for section in view for row in section.rows for cell in row if cell.text.startswith("MEM"))
    return int(place.partition(":")[2])


# --- why, of one fact


def test_why_tells_of_a_fact_when_it_was_written_itself(koog: Koog) -> None:
    ana = ("--store", "semantic", "--entity", "Ana Ruiz", "--explicit")
    koog("--now", "2026-01-10T09:00:00Z", "remember", "Ana Ruiz plays the cello", *ana)
    later = kept(koog, "Ana Ruiz is allergic to peanuts", *ana)

    assert koog(*NOW, "why", later)[1]["written"]["ts"] == NOW[1]


def test_why_tells_of_a_struck_line_with_what_it_came(koog: Koog) -> None:
    ana = ("--store", "semantic", "--entity", "Ana Ruiz", "--explicit")
    _, old = koog("--now", "2026-01-10T09:00:00Z", "remember", "Ana Ruiz lives in Berlin", *ana)
    kept(koog, "Ana Ruiz lives in Lisbon now", *ana, "--replaces", old["id"])

    line = koog(*NOW, "why", old["id"])[1]

    assert line["origin"]["ts"] == "2026-01-10T09:00:00Z"
    assert line["written"]["ts"] == "2026-01-10T09:00:00Z"


def test_why_says_that_it_guesses(koog: Koog) -> None:
    id_ = one_of_each(koog)["core"]

    by_id, by_words, nearest = (
        koog(*NOW, "why", what)[1] for what in (id_, "zanzibar quartz", "quartz code, zanzibar")
    )

    assert [line["matched"] for line in (by_id, by_words, nearest)] == ["id", "words", "nearest"]
    assert [bool(line["_meta"].get("warnings")) for line in (by_id, by_words, nearest)] == [False, False, True]


@pytest.mark.parametrize("words", ["garden", "gate", "The gate", "jardín"])
def test_why_finds_a_memory_by_a_word_that_is_only_a_kind_of_thing(koog: Koog, words: str) -> None:
    koog(*NOW, "remember", "The garden gate is green since May. El jardín también.", "--store", "episodic")

    code, line = koog(*NOW, "why", words)

    assert code == 0 and "garden gate" in line["text"]
