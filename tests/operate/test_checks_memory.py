"""`koog doctor` names what a hand broke in the memory's stores: file, line, and what mends it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Koog

pytestmark = pytest.mark.usefixtures("workspace")
HEAD = "<!-- Type: {kind} | Created: 2026-01-01 | Last updated: 2026-01-01 -->\n"


def entity(id_: str, text: str = "", *, title: str | None = None) -> str:
    path = Path(f"memory/graph/entities/{id_}.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# {title or id_}\n\n{HEAD.format(kind=id_.partition('--')[0])}\n{text}")
    return str(path)


def found(koog: Koog) -> list[dict[str, Any]]:
    return [row for row in koog("doctor")[1]["findings"] if row["check"] == "memory"]


def test_what_koog_itself_wrote_has_nothing_to_mend(koog: Koog) -> None:
    for store in ("core", "episodic", "semantic", "procedural", "vault"):
        koog("remember", f"Ana signs the {store} contract", "--store", store, "--entity", "Ana", "--edge", "uses:Ink")

    assert found(koog) == []


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "memory/episodes/2026-01-01.md",
        "memory/graph/entities/person--ana.md",
        "memory/procedures/deploy.md",
        "memory/vault/kept.md",
    ],
)
def test_a_fence_that_nothing_closes_is_named_with_its_line(koog: Koog, path: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("# x\n\n## Facts\n```\nopen\n")

    rows = [row for row in found(koog) if "fence" in row["message"]]

    assert [(row["level"], row["file"], row["line"]) for row in rows] == [("error", path, 4)]
    assert f"+4 {path}" in rows[0]["command"]


STORES = ("MEMORY.md", "memory/graph/entities/person--ana.md")


@pytest.mark.parametrize("path", STORES)
@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        (b"# person--ana\n\n## Facts\n- caf\xe9\n", 4, "UTF-8"),
        (b"# person--ana\n\n## Facts\n- a\0b\n", 4, "NUL"),
        (b"# person--ana\n\n## Facts\n- a\n\n### Home\n- b\n", 6, "### Home"),
        (b"# person--ana\n\n## Facts\n- a <!-- dc:since=2026-01-01\n- b <!-- dc:since=2026-01-02 -->\n", 4, "close"),
        (b"# person--ana\n\n## Facts\n<!-- mine\n- a <!-- dc:since=2026-01-02 -->\n", 4, "close"),
    ],
)
def test_what_a_reader_stumbles_over_is_named_with_its_line(
    koog: Koog, path: str, text: bytes, line: int, told: str
) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(text)

    rows = [row for row in found(koog) if told in row["message"]]

    assert [(row["file"], row["line"]) for row in rows] == [(path, line)]


@pytest.mark.parametrize("path", STORES)
def test_a_persons_comment_of_several_lines_is_none_of_doctors_matters(koog: Koog, path: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(
        "# person--ana\n\n<!-- mine,\nof two lines -->\n\n## Facts\n- a <!-- dc:since=2026-01-02 -->\n"
    )

    assert found(koog) == []


def test_a_core_memory_over_its_caps_says_what_could_go(koog: Koog) -> None:
    Path("MEMORY.md").write_text("## Active Context\n" + "- a line of a person's\n" * 205)

    (row,) = [row for row in found(koog) if "of 200 lines" in row["message"]]
    assert (row["level"], "line 2" in row["message"]) == ("error", True)

    Path("MEMORY.md").write_text("## Active Context\n" + "- x\n" * 185)
    (row,) = [row for row in found(koog) if "of 200 lines" in row["message"]]
    assert row["level"] == "warn"


def test_a_block_that_is_there_twice_or_over_its_budget_is_named(koog: Koog) -> None:
    Path("MEMORY.md").write_text("## Persona\n- a\n\n## Persona\n" + "- " + "many words of it " * 200 + "\n")

    rows = {(row["line"], row["message"][:9]) for row in found(koog)}

    assert (4, "a second ") in rows
    Path("MEMORY.md").write_text("## Persona\n- " + "many words of it " * 200 + "\n")
    (row,) = found(koog)
    assert (row["line"], "500 are meant" in row["message"]) == (1, True)


def test_an_entity_whose_name_and_heading_differ_and_a_file_that_is_none(koog: Koog) -> None:
    entity("person--ana", title="person--bob")
    Path("memory/graph/entities/notes.md").write_text("# n\n")

    rows = {row["file"]: row for row in found(koog)}

    assert "person--bob" in rows["memory/graph/entities/person--ana.md"]["message"]
    assert "TYPE--NAME.md" in rows["memory/graph/entities/notes.md"]["message"]


def test_two_entities_of_one_name_and_links_that_lead_nowhere(koog: Koog) -> None:
    one = entity("person--ana", "<!-- Label: Ana -->\n\n## Relations\n- Uses: [[tool--gone]]\n")
    entity("person--ana-ruiz", "<!-- Label: Ana -->\n")

    messages = [(row["file"], row["line"], row["message"]) for row in found(koog)]

    assert (one, 8, "links to tool--gone, which has no file") in messages
    assert any("nobody can tell which" in message for _, _, message in messages)


def test_a_circle_is_told_once(koog: Koog) -> None:
    names = ["project--a", "project--b", "project--c"]
    for name, to in zip(names, [*names[1:], names[0]], strict=True):
        entity(name, f"## Relations\n- Part of: [[{to}]]\n")

    rows = [row for row in found(koog) if "back to it" in row["message"]]

    assert [(row["file"], row["message"]) for row in rows] == [
        ("memory/graph/entities/project--a.md", "part-of leads from project--a back to it")
    ]


def test_files_of_names_that_no_id_can_have(koog: Koog) -> None:
    for folder, name in (("episodes", "summer.md"), ("procedures", "a b!.md"), ("vault", "x;y.md")):
        Path(f"memory/{folder}").mkdir(parents=True)
        Path(f"memory/{folder}/{name}").write_text("# x\n")

    assert {row["file"] for row in found(koog)} == {
        "memory/episodes/summer.md",
        "memory/procedures/a b!.md",
        "memory/vault/x;y.md",
    }


def test_a_heading_of_an_episode_that_is_none(koog: Koog) -> None:
    Path("memory/episodes").mkdir()
    Path("memory/episodes/2026-01-01.md").write_text("# d\n\n## 25:99 | fact\nx\n")

    (row,) = found(koog)

    assert (row["line"], "begins with a time" in row["message"]) == (3, True)
