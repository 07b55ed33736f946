"""koog graph: an entity, a way, the whole of it, what is broken; nobody is told what is not his."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from koog.memory.answering.traversal import Graph
from koog.memory.names.entries import Name
from koog.memory.store import entities, health
from tests.conftest import Koog

pytestmark = pytest.mark.usefixtures("workspace")
ENTITIES = Path("memory/graph/entities")


def entity(id_: str, *relations: str, label: str = "", facts: tuple[str, ...] = ()) -> None:
    """Write an entity's file as a person may have."""
    ENTITIES.mkdir(parents=True, exist_ok=True)
    rows = [f"# {id_}", "", f"<!-- Label: {label or id_.partition('--')[2].title()} -->", "", "## Facts"]
    rows += [*(f"- {fact}" for fact in facts), "", "## Relations", *(f"- {each}" for each in relations)]
    (ENTITIES / f"{id_}.md").write_text("\n".join(rows) + "\n")


def chain(*ids: str) -> None:
    for id_, following in zip(ids, [*ids[1:], ""], strict=True):
        entity(id_, *([f"Uses: [[{following}]]"] if following else []))


def call(koog: Koog, *argv: str, wants: int = 0) -> dict[str, Any]:
    code, line = koog("graph", *argv)
    assert code == wants, line
    return line


def test_an_entity_is_shown_with_facts_relations_and_neighbours(koog: Koog) -> None:
    entity(
        "person--ana", "Develops: [[project--atlas]] <!-- dc:from=2026-01-15 dc:confidence=high -->", facts=("Sings",)
    )
    entity("project--atlas", "Uses: [[tool--redis]]")
    entity("tool--redis")

    line = call(koog, "show", "Ana")

    assert (line["id"], line["label"], line["neighbours"]) == ("person--ana", "Ana", ["project--atlas"])
    assert [(each["text"], each["line"]) for each in line["facts"]] == [("Sings", 6)]
    (edge,) = line["edges"]
    assert edge == {
        "from": "person--ana",
        "relation": "develops",
        "to": "project--atlas",
        "confidence": "high",
        "since": "2026-01-15",
        "path": "memory/graph/entities/person--ana.md",
        "line": 9,
    }


def test_a_relation_is_shown_from_the_other_end_too(koog: Koog) -> None:
    entity("person--ana", "Develops: [[project--atlas]]")
    entity("project--atlas")

    line = call(koog, "show", "project--atlas")

    assert line["neighbours"] == ["person--ana"]
    assert line["edges"][0]["path"].endswith("person--ana.md")


def test_a_changed_file_is_read_anew(koog: Koog) -> None:
    entity("person--ana", "Develops: [[project--atlas]]")
    entity("project--atlas")
    call(koog, "show", "Ana")

    entity("person--ana", "Uses: [[project--atlas]]", "Avoids: [[project--atlas]]")

    assert [each["relation"] for each in call(koog, "show", "Ana")["edges"]] == ["uses", "avoids"]


def test_a_name_of_two_is_an_error_that_names_them(koog: Koog) -> None:
    entity("person--ana-ruiz", label="Ana Ruiz")
    entity("person--ana-lopez", label="Ana Lopez")

    line = call(koog, "show", "Ana", wants=2)

    assert "person--ana-lopez" in line["error"]["message"] and "person--ana-ruiz" in line["error"]["message"]


def test_nobody_is_not_found(koog: Koog) -> None:
    entity("person--ana")

    assert call(koog, "show", "Quentin", wants=4)["error"]["code"] == "not_found"


def test_the_shortest_way_is_found_in_either_direction(koog: Koog) -> None:
    chain("person--a1", "person--b2", "person--c3", "person--d4")
    entity("person--d4", "Uses: [[person--a1]]")

    there, back = call(koog, "path", "person--a1", "person--c3"), call(koog, "path", "person--c3", "person--a1")

    assert (there["found"], there["length"], back["length"]) == (True, 2, 2)
    assert [each["reaches"] for each in there["steps"]] == ["person--b2", "person--c3"]
    assert [each["reaches"] for each in back["steps"]][-1] == "person--a1"


def test_a_way_that_is_too_long_or_none_is_not_found(koog: Koog) -> None:
    chain("person--a1", "person--b2", "person--c3", "person--d4")
    entity("person--e5")

    assert call(koog, "path", "person--a1", "person--d4", "--steps", "2")["found"] is False
    assert call(koog, "path", "person--a1", "person--e5")["found"] is False
    assert call(koog, "path", "person--a1", "person--a1")["length"] == 0


@pytest.mark.parametrize("form", ["dot", "mermaid", "json"])
def test_the_graph_is_exported(koog: Koog, form: str) -> None:
    entity("person--ana", "Develops: [[project--atlas]]", label='Ana "the [one]"')
    entity("project--atlas")

    line = call(koog, "export", form)

    assert (line["entities"], line["edges"], line["out"]) == (2, 1, None)
    expected = {
        "dot": '"person--ana" -> "project--atlas" [label="develops"]',
        "mermaid": 'n0 -->|"develops"| n1',
        "json": '"relation": "develops"',
    }
    assert expected[form] in line["text"]
    if form == "json":
        assert json.loads(line["text"])["entities"][0]["label"] == 'Ana "the [one]"'
    else:
        assert '"the [one]"' not in line["text"]


def test_a_large_graph_is_put_into_a_file(koog: Koog) -> None:
    for n in range(300):
        entity(f"person--somebody-with-a-long-name-{n}")

    line = call(koog, "export", "dot")

    assert line["text"] is None
    assert Path(line["out"]).read_text().count("label=") == 300


def test_what_is_broken_is_told_with_file_and_line(koog: Koog) -> None:
    entity("person--ana", "Uses: [[tool--gone]]", "Befriends: [[person--bo]]", label="Bo")
    entity("person--bo", "Supersedes: [[person--cy]]")
    entity("person--cy", "Supersedes: [[person--bo]]")
    place = "memory/graph/entities/"

    line = call(koog, "check")

    told = {(each["path"].removeprefix(place), each["line"]): each["message"] for each in line["problems"]}
    assert line["sound"] is False
    assert told["person--ana.md", 8] == "links to tool--gone, which has no file"
    assert told["person--ana.md", 9] == "'befriends' is no relation of relations.md"
    assert told["person--ana.md", 3] == "'bo' is a name of person--ana and of person--bo: nobody can tell which"
    assert told["person--bo.md", 8] == "supersedes leads from person--bo back to it"


def test_facts_that_replace_one_another_in_a_circle_are_told(koog: Koog) -> None:
    ana = "fact:person--ana:"
    facts = (
        f"One <!-- dc:replaces={ana}{_hash('Two')} -->".replace("person--", "person-%2D"),
        f"Two <!-- dc:replaces={ana}{_hash('One')} -->".replace("person--", "person-%2D"),
    )
    entity("person--ana", facts=facts)

    (problem,) = call(koog, "check")["problems"]

    assert problem["message"].endswith("replaces what replaces it")
    assert problem["line"] in (6, 7)


def test_each_circle_is_told_once_however_long_it_is() -> None:
    """A look from each entity of a long circle at all others would not end."""
    many, texts = 1500, dict[str, str]()
    for n in range(many):
        text = f"# concept--n{n}\n\n## Relations\n- part-of: [[concept--n{(n + 1) % many}]]\n"
        texts[f"memory/graph/entities/concept--n{n}.md"] = text
    texts["memory/graph/entities/concept--self.md"] = "# concept--self\n\n## Relations\n- part-of: [[concept--self]]\n"
    found = [entities.read(text, path.rpartition("/")[2][:-3], path) for path, text in texts.items()]

    told = [each.message for each in health.of_graph(found, texts)]

    assert told == [f"part-of leads from {name} back to it" for name in ("concept--n0", "concept--self")]


def test_a_sound_graph_has_no_problems(koog: Koog) -> None:
    chain("person--a1", "person--b2")

    assert call(koog, "check") | {"_meta": None} == {
        "ok": True, "sound": True, "entities": 2, "problems": [], "total": 0, "_meta": None,
    }  # fmt: skip


def test_a_group_sees_neither_entities_nor_relations(koog: Koog, monkeypatch: pytest.MonkeyPatch) -> None:
    entity("person--ana", "Develops: [[project--atlas]]", facts=("Sings",))
    entity("project--atlas")
    monkeypatch.setenv("OPENCLAW_SHELL", "exec")
    monkeypatch.setenv("KOOG_SESSION_KEY", "agent:main:telegram:group:-1001")

    code, shown = koog("graph", "show", "person--ana")
    _, exported = koog("graph", "export", "json")

    assert (code, exported["entities"], exported["edges"]) == (4, 0, 0)
    assert "atlas" not in json.dumps([shown, exported]).lower()


# --- the arithmetic of ways


def graph(**to: str) -> Graph:
    names = {
        id_: Name(id_, id_, (id_,), [[1, id_, "uses", other, "medium", ""] for other in others])
        for id_, others in to.items()
    }
    return Graph(names)


def test_what_is_around_has_its_distance() -> None:
    found = graph(a="b", b="c", c="d", d="").around(["a"], 2)

    assert found == {"a": 0, "b": 1, "c": 2}


def test_a_circle_ends() -> None:
    assert graph(a="b", b="a").around(["a"], 2) == {"a": 0, "b": 1}
    assert graph(a="b", b="a").path("a", "z", 20) is None


def _hash(words: str) -> str:
    from koog.memory.store import ids

    return ids.of_words(words)


def test_a_fact_shows_its_entity(koog: Koog) -> None:
    entity("person--ana", facts=("Sings",))

    line = call(koog, "show", f"fact:person--ana:{_hash('Sings')}")

    assert line["id"] == "person--ana"


def test_the_check_names_no_forgotten_one(koog: Koog) -> None:
    entity("person--zebulon", "Uses: [[tool--gone]]")
    koog("forget", "--confirm", "entity:person--zebulon")

    line = call(koog, "check")

    assert (line["entities"], "zebulon" in json.dumps(line)) == (0, False)
