"""Who finds what: hidden passages take no places, are not counted, and change nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.run import Run
from koog.search import database, find, retrieval, sources, visible
from koog.search.visible import Within
from koog.sessions import audience, labels
from koog.sessions.labels import Label
from tests.conftest import Koog, registered
from tests.search.test_labelled import row

SHOP = "/srv/shop"
ROOM = Label("openclaw/main", "group", "telegram:group:-100")
OBSERVATIONS = "memory/observations.md"
Reader = Callable[[Run], object]


def observe(folder: Path, *rows: str) -> None:
    (folder / OBSERVATIONS).write_text("# Observations\n\nDate: 2026-02-27\n\n" + "\n".join(rows) + "\n")


def config(folder: Path, **keys: Any) -> None:
    registered(folder, **keys)


def lines(line: dict[str, Any]) -> list[str]:
    return [text for hit in line["hits"] for text in hit["text"].split("\n")]


def texts(line: dict[str, Any]) -> str:
    return "\n".join(lines(line))


@pytest.fixture(params=["index", "files"])
def searched(request: pytest.FixtureRequest, koog: Koog, monkeypatch: pytest.MonkeyPatch) -> Koog:
    """koog search by words, with its index and without one."""
    if request.param == "files":
        monkeypatch.setattr(database, "reader", lambda place: (_ for _ in ()).throw(database.Unusable("absent")))
        monkeypatch.setattr(
            "koog.search.indexing.update", lambda *a, **k: (_ for _ in ()).throw(database.Unusable("x"))
        )
    return lambda *argv: koog(*argv, "--mode", "keyword")


@pytest.fixture
def mixed(workspace: Path) -> Path:
    """Lines of the own project, of another one and of a group, under `none`."""
    config(workspace, context_otherProjects="none")
    shutil.rmtree(workspace / "modules")
    observe(
        workspace,
        row("the zebra release ships on Friday", Label(os.path.realpath(workspace))),
        row("the zebra release of theirs is cancelled", Label(SHOP)),
        row("Please always answer me in rhymes, not as a zebra", Label(SHOP), "rule"),
        row("I prefer short answers", Label(SHOP), "preference"),
        row("I prefer a zebra in `src/zebra.py`", Label(SHOP), "preference"),
        row("the zebra meeting is on Monday", ROOM),
        "- an own zebra line by hand",
    )
    return workspace


# --- who finds what


def test_of_another_project_nothing_is_found_and_counted(searched, mixed):
    _, line = searched("search", "zebra short answers", "--limit", "50")

    assert "Friday" in texts(line) and "by hand" in texts(line)
    assert not [word for word in ("cancelled", "rhymes", "short", "src/") if word in str(line["hits"])]
    assert line["total"] == 2 and {hit["project"] for hit in line["hits"]} == {None}


def test_a_group_of_the_own_agent_is_found_as_a_groups(searched, mixed, monkeypatch):
    state = mixed.parent / "openclaw"
    state.mkdir()
    (state / "openclaw.json").write_text(f'{{"agents": {{"entries": {{"main": {{"workspace": "{mixed}"}}}}}}}}')
    monkeypatch.setenv("OPENCLAW_STATE_DIR", str(state))

    _, line = searched("search", "zebra meeting Monday", "--limit", "50")

    (hit,) = [hit for hit in line["hits"] if "meeting" in hit["text"]]
    assert (hit["scope"], hit["project"]) == ("group", None)
    assert {hit["scope"] for hit in line["hits"]} == {"group", "private"}


def test_rules_tells_only_rules_about_the_person_and_whose_they_are(searched, mixed):
    config(mixed, context_otherProjects="rules")

    _, line = searched("search", "zebra short answers rhymes", "--limit", "50")

    (hit,) = [hit for hit in line["hits"] if hit["project"]]
    assert hit["text"].endswith(" [project: shop]") and "short answers" in hit["text"]
    assert (hit["project"], hit["scope"], line["total"]) == (SHOP, "private", 3)


def test_all_tells_everything_with_its_project_and_nothing_excluded(searched, mixed):
    config(mixed, context_otherProjects="all")
    _, everything = searched("search", "zebra short answers", "--limit", "50")
    config(mixed, observe_projects={"include": [], "exclude": [SHOP]})
    _, excluded = searched("search", "zebra short answers", "--limit", "50")
    _, wished = searched("search", "zebra short answers", "--limit", "50", "--project", "all")
    _, itself = searched("search", "zebra short answers", "--limit", "50", "--project", SHOP)

    theirs = [hit for hit in everything["hits"] if hit["project"] == SHOP]
    assert "cancelled" in texts(everything) and "src/zebra.py" in texts(everything)
    assert theirs and all(hit["text"].endswith(" [project: shop]") for hit in theirs)
    for line in (excluded, wished, itself):
        assert "cancelled" not in texts(line) and "short answers" not in texts(line)
    assert itself["hits"] == [] and itself["total"] == 0


def test_a_project_is_told_its_own_and_nothing_of_the_workspaces(searched, mixed):
    (mixed / "memory/2026-02-27.md").write_text("# Zebra day\n\n- The zebra was fed\n")

    _, line = searched("search", "zebra observations", "--limit", "50", "--project", SHOP)
    _, everything = searched("search", "zebra", "--limit", "50", "--project", "all")

    assert {hit["project"] for hit in line["hits"]} == {SHOP} and "[project:" not in str(line["hits"])
    assert "Friday" not in texts(line) and "fed" not in texts(line) and "cancelled" in texts(line)
    assert {hit["heading"] for hit in line["hits"]} == {""}
    assert "fed" in texts(everything) and "cancelled" in texts(everything)


def test_a_heading_of_the_own_project_leads_nobody_else_to_a_line_under_it(searched, mixed):
    page = f"# Quokka salaries\n\n- the zebra line {labels.comment(Label(SHOP))}\n"
    (mixed / "knowledge").mkdir()
    (mixed / "knowledge/page.md").write_text(page)

    _, line = searched("search", "--mode", "keyword", "quokka salaries", "--project", SHOP)

    assert (line["hits"], line["total"]) == ([], 0)


@pytest.mark.parametrize(("project", "code"), [("", 2), (" ", 2), ("nobody", 0)])
def test_a_wrong_project_is_an_error_and_an_unknown_one_finds_nothing(koog, mixed, project, code):
    ended, line = koog("search", "zebra", "--project", project)

    assert ended == code and (code or line["hits"] == [])


def test_neighbours_of_two_labels_are_two_hits(koog, mixed):
    config(mixed, context_otherProjects="all")

    _, line = koog("search", "zebra release", "--limit", "50")

    for hit in line["hits"]:
        told = (mixed / hit["path"]).read_text().split("\n")[hit["lines"][0] - 1 : hit["lines"][1]]
        assert len({labels.of_line(text) for text in told}) == 1


def test_a_long_labelled_line_is_one_passage_of_its_words_alone(searched, workspace):
    config(workspace, context_otherProjects="none")
    project = "/srv/" + "quokka-" * 30
    words = "the zebra release is on Friday, as everybody here has agreed to; " * 6
    observe(workspace, row(words.strip(), Label(project)))

    _, line = searched("search", "zebra release", "--project", project)
    _, other = searched("search", "quokka private dc", "--project", project)

    (hit,) = line["hits"]
    assert (hit["text"], line["total"], other["total"]) == (f"- 🔴 09:14 {words.strip()}", 1, 0)


def test_each_line_of_a_hit_of_another_project_says_so_and_a_clipped_one_too(koog, workspace):
    config(workspace, context_otherProjects="all")
    observe(workspace, *(row(f"the zebra release number {n}", Label(SHOP)) for n in range(3)))

    _, line = koog("search", "zebra release number", "--mode", "keyword", "--category", "observation")
    observe(workspace, row("the zebra release is far away and late. " * 30, Label(SHOP)))
    _, clipped = koog("search", "zebra release", "--limit", "40", "--mode", "keyword", "--category", "observation")

    (hit,) = line["hits"]
    assert hit["lines"] == [5, 7]
    assert hit["text"].split("\n") == [f"- 🔴 09:14 the zebra release number {n} [project: shop]" for n in range(3)]
    assert all(hit["text"].endswith(" [project: shop]") for hit in clipped["hits"])
    assert any(hit["clipped"] for hit in clipped["hits"])


# --- places


def test_what_is_hidden_takes_no_places(koog, workspace):
    config(workspace, context_otherProjects="none")
    own = Label(os.path.realpath(workspace))
    theirs = [row(f"zebra zebra zebra {n}", Label(SHOP)) for n in range(200)]
    observe(workspace, *theirs, row("a zebra at the far end", own), *theirs)

    for mode in ("keyword", "hybrid", "vector"):
        _, line = koog("search", "zebra", "--limit", "1", "--mode", mode, "--category", "observation")
        assert "far end" in texts(line) and (line["total"], len(line["hits"])) == (1, 1), mode
        _, line = koog("search", "zebra", "--limit", "1", "--mode", mode)
        assert "far end" in texts(line), mode
    _, line = koog("search", "zebra", "--limit", "1", "--raw")
    assert "far end" in texts(line) and line["total"] == 1


def test_a_hidden_line_lends_its_neighbours_nothing(koog, workspace):
    config(workspace, context_otherProjects="none")
    observe(workspace, "- an own line", row("the quokka was sold", Label(SHOP)), "- another own line")

    _, line = koog("search", "quokka sold", "--mode", "keyword")

    assert (line["hits"], line["total"]) == ([], 0)


VISIBLE = "zebra lion tiger boat river Friday".split()
HIDDEN = "zebra lion panda vendor salary harbor".split()
said = st.lists(st.sampled_from(VISIBLE), min_size=1, max_size=6).map(" ".join)


@settings(max_examples=25)
@given(
    rows=st.lists(st.tuples(st.booleans(), said), min_size=1, max_size=12),
    others=st.lists(st.lists(st.sampled_from(HIDDEN), min_size=1, max_size=6).map(" ".join), min_size=12, max_size=12),
    query=st.lists(st.sampled_from([*VISIBLE, *HIDDEN]), min_size=1, max_size=5).map(" ".join),
    mode=st.sampled_from(["keyword", "hybrid", "vector"]),
)
def test_what_hidden_lines_say_changes_nothing(tmp_path_factory, rows, others, query, mode):
    """The same file twice, with other words in the lines that the reader may not see: the same answer."""
    answers = []
    for words in (None, others):
        folder = tmp_path_factory.mktemp("ws")
        (folder / ".koog").mkdir()
        (folder / "memory").mkdir()
        told = [text if is_own else (words[at] if words else text) for at, (is_own, text) in enumerate(rows)]
        observe(
            folder, *(row(text, Label("" if is_own else SHOP)) for (is_own, _), text in zip(rows, told, strict=True))
        )
        run = Run(folder=str(folder), now_text="2026-02-28T12:00:00Z")
        who = audience.current(run)
        audience.use(run, audience.replace(who, others="none"))
        found = find.find(run, query, mode=mode)
        answers.append((found.total, [(hit.line, hit.lines, round(hit.score, 9), hit.text) for hit in found.hits]))

    assert answers[0] == answers[1]
    assert answers[0][0] <= sum(is_own for is_own, _ in rows)


# --- files


@pytest.mark.parametrize(
    ("listed", "own", "theirs"),
    [
        ({}, {"diary", "plan"}, set()),
        ({SHOP: ["knowledge/shop/**"]}, {"diary"}, {"plan"}),
        ({".": ["**"], SHOP: ["**"]}, {"diary", "plan"}, {"diary", "plan"}),
        ({"*": ["knowledge/shop"]}, {"diary", "plan"}, {"plan"}),
    ],
    ids=["unlisted", "one", "all of both", "everybody"],
)
def test_a_file_is_found_where_it_is_listed(searched, workspace, listed, own, theirs):
    config(workspace, context_otherProjects="none", paths_projects=listed)
    (workspace / "knowledge/shop").mkdir(parents=True)
    (workspace / "knowledge/shop/plan.md").write_text("# Plan\n\n- The zebra plan\n")
    (workspace / "memory/2026-02-27.md").write_text("- The zebra diary\n")

    for reader, expected in (((), own), (("--project", SHOP), theirs)):
        _, line = searched("search", "zebra", *reader)
        assert {word for word in ("diary", "plan") if word in texts(line)} == expected, reader
        assert line["total"] == len(expected)


def test_transcripts_are_files_like_others(searched, workspace):
    folder = workspace.parent / "ws-raw/conversations/2026/02/16"
    folder.mkdir(parents=True)
    (folder / "1845-s-talk.md").write_text("# Talk\n\n## 18:45 — user\nZebras are striped\n")
    config(workspace, context_otherProjects="none")

    _, own = searched("search", "zebras")
    _, other = searched("search", "zebras", "--project", SHOP)

    assert "striped" in texts(own) and other["total"] == 0


@pytest.mark.parametrize("how", ["file", "folder"])
def test_a_link_in_a_listed_place_leads_to_no_file_that_is_not_listed(searched, workspace, how):
    config(workspace, context_otherProjects="none", paths_projects={SHOP: ["knowledge/shop/**"]})
    (workspace / "private").mkdir()
    (workspace / "private/diary.md").write_text("# Diary\n\n- The zebra diary\n")
    (workspace / "knowledge/shop").mkdir(parents=True)
    if how == "file":
        (workspace / "knowledge/shop/x.md").symlink_to("../../private/diary.md")
    else:
        (workspace / "knowledge/shop/more").symlink_to("../../private")

    _, own = searched("search", "zebra")
    _, line = searched("search", "zebra", "--project", SHOP)

    assert (line["hits"], line["total"]) == ([], 0)
    assert own["total"] == 0  # under that name it is the shop's, under its own the workspace's: nobody's


# --- the index


def test_labels_are_kept_with_the_passages_and_go_with_them(koog, mixed):
    koog("index")
    place = mixed / ".koog" / database.NAME

    def kept() -> list[tuple[object, ...]]:
        sql = 'SELECT project, scope, "group" FROM labelled ORDER BY id'
        with apsw.Connection(str(place)) as db:
            return list(db.execute(sql))

    before = kept()
    observe(mixed, row("one line", Label(SHOP)), "- own")
    _, line = koog("index")

    assert line["rebuilt"] is None
    assert (SHOP, "private", "") in before and ("openclaw/main", "group", "telegram:group:-100") in before
    assert kept() == [(SHOP, "private", "")]


def test_an_index_of_the_version_before_labels_is_built_anew(koog, mixed):
    koog("index")
    with apsw.Connection(str(mixed / ".koog" / database.NAME)) as db:
        db.execute("DROP TABLE labelled")
        db.execute("ALTER TABLE files DROP COLUMN own")
        db.pragma("user_version", 1)

    _, line = koog("search", "zebra", "--limit", "50", "--mode", "keyword")

    assert line["refreshed"]["rebuilt"] == "older" and line["total"] == 2
    assert "cancelled" not in texts(line)


def test_few_hidden_are_left_out_and_many_leave_those_that_are_told(workspace):
    who = audience.Audience(frozenset({"/o"}), is_own=True, own=frozenset({"/o"}), others="none")
    db = apsw.Connection(":memory:")
    db.execute(database.SCHEMA.read_text("utf-8"))
    file = "INSERT INTO files VALUES (?, 1, ?, 'memory', '', NULL, '[]', 0, 0, 0, x'', 0, 0, 0, ?, 3, NULL, NULL)"
    db.executemany(file, [(1, "a.md", 1), (2, "b.md", 4)])
    db.executemany(
        "INSERT INTO passages VALUES (?, ?, 1, 1, 0, '', '', NULL, 1, 0)", [(n, 1 + n // 4) for n in range(1, 7)]
    )
    assert visible.within(db, who, total=6) is None

    db.execute("INSERT INTO labelled VALUES (2, '/x', 'private', '', '', ''), (5, '/o', 'private', '', '', '')")
    listed = audience.replace(who, files=(("/x", ("b.md",)),))

    assert visible.within(db, who, total=6) == Within(None, frozenset({2}), 6)
    assert visible.within(db, listed, total=6) == Within(frozenset({1, 3, 5}), frozenset(), 6)
    assert visible.within(db, audience.replace(who, is_nobody=True), total=6) == Within(frozenset(), frozenset(), 6)
    assert len(Within(None, frozenset({2}), 6)) == 5
    assert Within(None, frozenset({2}), 6).among({1, 2, 3}) == Within(frozenset({1, 3}), frozenset(), 6)


def test_a_scan_knows_what_links_lead_to(workspace):
    (workspace / "private/deep").mkdir(parents=True)
    (workspace / "private/deep/a.md").write_text("a")
    (workspace / "private/b.md").write_text("b")
    (workspace / "knowledge").mkdir()
    (workspace / "knowledge/in").symlink_to("../private")
    (workspace / "private/deep/up.md").symlink_to("../../SOUL.txt.md")
    (workspace / "SOUL.txt.md").write_text("c")

    scan = sources.scan(sources.Roots(Path(os.path.realpath(workspace))))

    assert scan.own_name("knowledge/in/deep/a.md") == "private/deep/a.md"
    assert scan.own_name("knowledge/in/b.md") == "private/b.md"
    assert scan.own_name("knowledge/inn.md") == "knowledge/inn.md"


def test_of_many_hidden_as_many_of_each_stripe_count_as_without_any():
    stripes, each = 8, 3
    found = [*range(0, 80, stripes), *range(1, 80)]

    assert retrieval._of_each_stripe(found) == [0, 8, 16, *(id for id in range(1, 24) if id % stripes)]
    assert len(retrieval._of_each_stripe(found)) == stripes * each
    assert retrieval._of_each_stripe([id for id in found if id % stripes != 5 or id < 20]) == []
