"""koog prune: what leaves a file lies in archive/, and comes back as it was."""

from __future__ import annotations

import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.knowledge.core_sections import Caps
from koog.knowledge.pruning import core_prune, eviction, shelf
from koog.knowledge.pruning.shelf import Leaving
from koog.memory.store import core_memory
from koog.memory.store.sections import Section, Sections
from tests.conftest import git, registered
from tests.knowledge.talks import tell

NOW = ("--now", "2026-06-01T12:00:00Z")
OLD, YOUNG = date(2026, 2, 20), date(2026, 5, 20)
PERSON = "---\ntype: person\nname: Ana\nupdated: {day}\n---\n\n# Ana\n\n## Context\n"


@pytest.fixture(autouse=True)
def home(workspace: Path) -> None:
    registered(workspace)


def of_koog(workspace: Path, path: str) -> None:
    """Commit a file as koog does."""
    git(workspace, "add", "-A")
    words = "[EDIT] x — y\n\nActor: skill:koog\nApproval: auto\nTrigger: koog test"
    git(workspace, "-c", "user.name=koog", "-c", "user.email=koog@localhost", "commit", "-qm", words, "--", path)


def prune(koog, *more, code=0):
    found, line = koog(*NOW, "prune", *more)
    assert found == code, line
    return line


def put(workspace: Path, path: str, text: str) -> Path:
    file = workspace / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def tree(workspace: Path) -> dict[str, bytes]:
    found = [*(workspace / "knowledge").rglob("*.md"), *(workspace / "archive").rglob("*.md"), workspace / "MEMORY.md"]
    return {p.relative_to(workspace).as_posix(): p.read_bytes() for p in found if p.exists()}


def person(day: date, *lines: str) -> str:
    rows = lines or (f"{day}: moved to Bergen <!-- dc:source=s1:3 -->",)
    return PERSON.format(day=day) + "".join(f"- {row}\n" for row in rows)


# --- journals


def test_a_day_older_than_ninety_lies_in_the_archive_as_it_was(koog, workspace):
    edge = date(2026, 6, 1) - timedelta(days=90)
    texts = {
        day: put(workspace, f"knowledge/journal/{day}.md", f"- said on {day}\r\n").read_bytes() for day in (OLD, edge)
    }

    line = prune(koog, "--journals")

    assert line["moved"] == [{"from": f"knowledge/journal/{OLD}.md", "to": f"archive/journal/{OLD}.md"}]
    assert (workspace / f"archive/journal/{OLD}.md").read_bytes() == texts[OLD]
    assert (workspace / f"knowledge/journal/{edge}.md").exists()


def test_how_many_days_stay_is_a_setting(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_KNOWLEDGE_JOURNAL_DAYS", "7")
    put(workspace, f"knowledge/journal/{YOUNG}.md", "- a\n")
    put(workspace, "knowledge/journal/notes.md", "- mine\n")

    assert prune(koog, "--journals")["movedCount"] == 1
    assert (workspace / "knowledge/journal/notes.md").exists()


def test_a_day_that_comes_a_second_time_takes_no_other_ones_place(koog, workspace):
    put(workspace, f"archive/journal/{OLD}.md", "- first\n")
    put(workspace, f"knowledge/journal/{OLD}.md", "- second\n")

    line = prune(koog, "--journals")

    assert line["moved"][0]["to"] == f"archive/journal/{OLD}~2.md"
    assert (workspace / f"archive/journal/{OLD}.md").read_text("utf-8") == "- first\n"


# --- eviction


@pytest.mark.parametrize(
    ("age", "references", "stale"),
    [(30, 0, False), (31, 0, True), (92, 1, False), (93, 1, True), (124, 5, False), (125, 5, True)],
)
def test_a_file_is_stale_by_age_and_by_how_often_it_came_up(age, references, stale):
    assert eviction.is_stale(age, references, decay=0.05, below=0.01, days=30) is stale


def test_a_file_nobody_has_spoken_of_lies_in_the_archive_and_its_row_leaves_the_list(koog, workspace):
    put(workspace, "knowledge/people/ana.md", person(OLD))
    put(workspace, "knowledge/people/bo.md", person(YOUNG).replace("Ana", "Bo"))
    put(
        workspace,
        "knowledge/people/_index.md",
        "---\ntype: person_index\n---\n\n# People\n\n- **Ana** — x\n- **Bo** — y\n",
    )

    line = prune(koog, "--evict")

    assert [row["from"] for row in line["moved"]] == ["knowledge/people/ana.md"]
    left = (workspace / "knowledge/people/_index.md").read_text("utf-8")
    assert "**Bo**" in left and "**Ana**" not in left


def test_constants_of_eviction_are_settings(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_KNOWLEDGE_EVICT_DECAY", "0.0001")
    put(workspace, "knowledge/people/ana.md", person(OLD))

    assert prune(koog, "--evict")["movedCount"] == 0


def test_a_file_with_a_line_that_a_person_has_put_otherwise_stays(koog, workspace):
    file = put(workspace, "knowledge/people/ana.md", person(OLD))
    of_koog(workspace, "knowledge/people/ana.md")
    assert prune(koog, "--dry-run", "--evict")["movedCount"] == 1

    row = next(row for row in file.read_text("utf-8").split("\n") if "dc:source" in row)
    file.write_text(file.read_text("utf-8").replace(row, row.replace(" <!--", ", I saw it myself <!--")), "utf-8")

    assert prune(koog, "--evict")["movedCount"] == 0
    git(workspace, "commit", "-qam", "mine")
    assert prune(koog, "--evict")["movedCount"] == 0


@pytest.mark.parametrize("more", ["- my own line\n", "\nSome prose of mine.\n", "  - a remark below it\n"])
def test_a_file_with_something_of_a_persons_own_stays(koog, workspace, more):
    put(workspace, "knowledge/people/ana.md", person(OLD) + more)

    assert prune(koog, "--evict")["movedCount"] == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Context\n", "## Context: call before you visit\n"),
        ("# Ana\n", "# Ana, my sister\n"),
        ("\n---\n", "\nborn: 1970\n---\n"),
    ],
)
def test_a_file_with_a_heading_or_a_head_of_a_persons_own_stays(koog, workspace, old, new):
    put(workspace, "knowledge/people/ana.md", person(OLD).replace(old, new, 1))

    assert prune(koog, "--evict")["movedCount"] == 0


def test_a_file_of_whom_the_reader_may_not_hear_is_counted_and_not_named(koog, workspace):
    theirs = f"{OLD}: moved to Bergen <!-- dc:source=s1:3 dc:project=/srv/other dc:scope=private -->"
    put(workspace, "knowledge/people/ana.md", person(OLD, theirs))
    put(workspace, "knowledge/people/bo.md", person(OLD).replace("Ana", "Bo"))

    line = prune(koog, "--evict")

    assert (line["movedCount"], [each["from"] for each in line["moved"]]) == (2, ["knowledge/people/bo.md"])


@pytest.mark.parametrize(
    "subscriptions",
    [
        "\n  - knowledge/procedures/ship.md",
        " [knowledge/procedures/ship.md]",
        ' ["knowledge/procedures/ship.md", a.md]',
    ],
)
def test_a_file_that_a_topic_subscribes_to_stays(koog, workspace, subscriptions):
    put(workspace, "knowledge/procedures/ship.md", person(OLD))
    put(workspace, "topics/ship.md", f"---\ntype: topic\nsubscriptions:{subscriptions}\n---\n# Ship\n")

    assert prune(koog, "--evict")["movedCount"] == 0


# --- MEMORY.md


def decision(n: int, day: date = OLD) -> str:
    return f"- {day}: We decided on the {n}th thing in the long hall of the house <!-- dc:source=s:{n} -->\n"


def test_over_its_cap_core_memory_loses_koogs_own_lines_and_keeps_a_persons(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_KNOWLEDGE_MEMORY_LINES", "40")
    text = (
        core_memory.new(3000) + "\n## Key Decisions\n- mine: never sell the boat\n" + "".join(map(decision, range(40)))
    )
    put(workspace, "MEMORY.md", text)

    line = prune(koog, "--memory")

    left = (workspace / "MEMORY.md").read_text("utf-8")
    assert not line["memory"]["over"] and left.count("\n") <= 40
    assert "never sell the boat" in left
    kept = (workspace / "archive/memory/MEMORY.md").read_text("utf-8")
    assert all(f"the {n}th thing" in left + kept for n in range(40))


@pytest.mark.parametrize("is_committed", [False, True])
def test_a_line_that_a_person_has_put_otherwise_stays_in_core_memory(koog, workspace, monkeypatch, is_committed):
    monkeypatch.setenv("KOOG_KNOWLEDGE_MEMORY_LINES", "40")
    text = core_memory.new(3000) + "\n## Key Decisions\n" + "".join(map(decision, range(40)))
    file = put(workspace, "MEMORY.md", text)
    of_koog(workspace, "MEMORY.md")
    file.write_text(text.replace("the 3th thing in the long hall", "the third thing AND the attic, I insist,"), "utf-8")
    if is_committed:
        git(workspace, "commit", "-qam", "mine")

    prune(koog, "--memory")

    left = file.read_text("utf-8")
    assert "the attic, I insist," in left and left.count("\n") <= 40


def test_a_file_that_is_a_persons_own_stays_over_its_cap_and_the_reply_says_so(koog, workspace):
    text = core_memory.new(3000) + "- a line of my own\n" * 250
    put(workspace, "MEMORY.md", text)

    line = prune(koog, "--memory")

    assert line["memory"]["over"] and line["count"] == 0
    assert (workspace / "MEMORY.md").read_text("utf-8") == text


def test_what_was_replaced_goes_before_what_another_file_says_and_that_before_the_rest():
    rows = [
        "2026-02-01: We pay Ana by card <!-- dc:source=s:1 -->",
        "2026-02-02: We pay the roofer in two parts <!-- dc:source=s:2 -->",
        "~~2026-02-03: We pay in cash~~ (until 2026-02-05) <!-- dc:source=s:3 dc:to=2026-02-05 -->",
    ]
    text = core_memory.new(3000) + "\n## Key Decisions\n" + "".join(f"- {row}\n" for row in rows)
    room = text.count("\n")

    going = [
        core_prune.going(text, Caps(3000, room - n), elsewhere=["We pay the roofer in two parts"]) for n in (0, 1, 2)
    ]

    assert [len(each) for each in going] == [0, 1, 2]
    assert [each.why for each in going[2]] == [core_prune.REPLACED, core_prune.ELSEWHERE]


# --- and back


def test_all_of_the_archive_back_is_what_there_was(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_KNOWLEDGE_MEMORY_LINES", "40")
    put(workspace, "MEMORY.md", core_memory.new(3000) + "\n## Key Decisions\n" + "".join(map(decision, range(40))))
    put(workspace, f"knowledge/journal/{OLD}.md", "- a\n")
    put(workspace, "knowledge/people/ana.md", person(OLD))
    put(workspace, "knowledge/people/_index.md", "# People\n\n- **Ana** — x\n")
    before = tree(workspace)
    prune(koog)
    assert tree(workspace) != before

    foretold, done = prune(koog, "--dry-run", "--restore", "archive"), prune(koog, "--restore", "archive")

    assert tree(workspace) == before
    assert not any(row["text"].startswith("- ") or "dc:" in row["text"] for row in done["went"]) and done["went"]
    assert all(foretold[key] == done[key] for key in ("went", "count", "moved", "movedCount"))


def test_what_a_person_puts_back_stays_and_is_listed_again(koog, workspace):
    put(workspace, "knowledge/people/ana.md", person(OLD))
    put(workspace, f"knowledge/journal/{OLD}.md", "- a\n")
    listed = "---\ntype: person_index\n---\n\n# People\n\n- **Ana** — x\n- **Bo** — y\n"
    index = put(workspace, "knowledge/people/_index.md", listed)
    prune(koog)
    assert "Ana" not in index.read_text("utf-8")

    foretold = prune(koog, "--dry-run", "--restore", "archive/people/ana.md")
    line = prune(koog, "--restore", "archive/people/ana.md")
    prune(koog, "--restore", f"archive/journal/{OLD}.md")

    assert index.read_text("utf-8") == listed and not (workspace / "archive/people/_index.md").exists()
    assert [row["text"] for row in line["went"]] == ["Ana"] and foretold["went"] == line["went"]
    assert prune(koog)["movedCount"] == 0
    assert koog("--now", "2026-09-20T12:00:00Z", "prune")[1]["movedCount"] == 2


def test_what_a_newer_line_replaces_is_crossed_out_where_it_lies(koog, workspace):
    """The file that was put away is found, too, and its old deadline would be told as one that holds."""
    later = ("--now", "2026-08-02T12:00:00Z")
    tell(koog, [("user", "Project Atlas is built on Postgres. The Atlas deadline is 2026-04-01.")])
    koog("--now", "2026-03-11T12:00:00Z", "extract")
    koog("--now", "2026-08-01T12:00:00Z", "prune", "--evict")
    kept = workspace / "archive/projects/atlas/progress.md"
    assert "- The Atlas deadline is 2026-04-01." in kept.read_text("utf-8")

    tell(koog, [("user", "The Atlas deadline is 2026-06-30.")], session="ses_2", hour=11)
    code, line = koog(*later, "extract")
    found = koog(*later, "search", "Atlas deadline")[1]["hits"]

    assert code == 0, line
    assert "- ~~The Atlas deadline is 2026-04-01.~~ (until 2026-03-10)" in kept.read_text("utf-8")
    (old,) = (hit for hit in found if hit["path"] == "archive/projects/atlas/progress.md")
    assert [(each["by"], each["on"]) for each in old["replaced"]] == [(None, "2026-03-10")]


def test_a_file_comes_back_with_the_lines_that_left_it_before(koog, workspace):
    put(workspace, "knowledge/people/ana.md", person(OLD))
    kept = shelf.put_away("# Ana\n- x\n", "", [Leaving("Ana", 1, 2)], of="knowledge/people/ana.md", today="2026-02-20")[
        1
    ]
    put(workspace, "archive/people/ana.md", kept)
    prune(koog)
    assert (workspace / "archive/people/ana~2.md").exists()

    foretold = prune(koog, "--dry-run", "--restore", "archive/people")
    prune(koog, "--restore", "archive/people")

    assert (foretold["count"], foretold["movedCount"]) == (1, 1)
    assert "- x\n" in (workspace / "knowledge/people/ana.md").read_text("utf-8")


def test_of_two_files_of_one_name_the_one_that_stays_is_told_of(koog, workspace):
    for name in (f"{OLD}", f"{OLD}~2"):
        put(workspace, f"archive/journal/{name}.md", f"- {name}\n")

    line = prune(koog, "--restore", "archive/journal")

    assert line["movedCount"] == 1
    assert line["_meta"]["warnings"] == [
        f"archive/journal/{OLD}~2.md stays: knowledge/journal/{OLD}.md comes back from another file"
    ]


def test_a_line_comes_back_below_its_heading_whatever_stands_in_its_row_now():
    text = "---\na: 1\n---\n\n# T\n\n## One\n- a\n- b\n\n## Two\n- c\n"
    left, kept = shelf.put_away(
        text, "", [Leaving("One", 8, 9), Leaving("Two", 11, 12)], of="MEMORY.md", today="2026-05-01"
    )
    for now in (
        "---\na: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\n---\n\n## Two\nx\n\n## One\n\n",
        "# T\n\n## one\n" + "- mine\n" * 20,
        "",
    ):
        made = shelf.put_back(now, kept)[0]
        one, two = Sections(made, "").body("One"), Sections(made, "").body("Two")
        assert ("- b" in one, "- c" in two, "- b" in two) == (True, True, False), made
    assert shelf.put_back(left, kept) == (text, "")
    assert shelf.put_back("", kept.replace("dc:row=8 ", f"dc:row={'8' * 5000} "))[0].count("- c") == 1


def test_a_line_comes_back_below_the_title_that_a_person_has_renamed(koog, workspace):
    put(workspace, "knowledge/people/ana.md", person(OLD))
    index = put(workspace, "knowledge/people/_index.md", "---\na: 1\n---\n\n# People\n\n- **Ana** — x\n")
    prune(koog)
    left = index.read_text("utf-8")
    assert "Ana" not in left
    index.write_text(left.replace("# People", "# Whom I know"), "utf-8")

    prune(koog, "--restore", "archive/people")

    assert index.read_text("utf-8") == "---\na: 1\n---\n\n# Whom I know\n\n- **Ana** — x\n"


def test_a_renamed_heading_is_known_by_those_beside_it_and_one_that_has_gone_is_made_again_as_it_was():
    text = "# T\n\n## One\n- a\n- b\n\n## Two\n- c\n\n## Three\n- d\n"
    gone = [Leaving("One", 4, 5), Leaving("Two", 7, 8)]
    left, kept = shelf.put_away(text, "", gone[1:], of="f.md", today="2026-05-01")
    left, kept = shelf.put_away(left, kept, gone[:1], of="f.md", today="2026-05-02")

    assert shelf.put_back(left.replace("## Two", "## Zwei"), kept) == (text.replace("## Two", "## Zwei"), "")
    without_two = left.replace("## Two\n\n", "")
    assert shelf.put_back(without_two, kept)[0] == "# T\n\n## One\n- a\n- b\n\n## Three\n- d\n\n## Two\n- c\n"
    last_instead = f"{without_two}\n## Four\n- e\n"
    assert shelf.put_back(last_instead, kept)[0].endswith("- d\n\n## Four\n- e\n\n## Two\n- c\n")
    both = left.replace("## Two", "## Zwei").replace("## Three", "## Drei")
    assert shelf.put_back(both, kept)[0].endswith("## Zwei\n\n## Drei\n- d\n\n## Two\n- c\n")

    titled, two = "# T\n\n- a\n- b\n", [Leaving("T", 2, 3), Leaving("T", 3, 4)]
    left, kept = shelf.put_away(titled, "", two[1:], of="f.md", today="2026-05-01")
    left, kept = shelf.put_away(left, kept, two[:1], of="f.md", today="2026-05-02")
    assert shelf.put_back("mine\n\n", kept)[0] == "mine\n\n# T\n- b\n- a\n"
    assert shelf.put_back("# U\n\n# V\n", kept)[0] == "# U\n\n# V\n\n# T\n- a\n- b\n"


def test_a_persons_text_below_a_rule_stays_in_the_archive():
    text = "# T\n\n## One\n- a\n"
    left, kept = shelf.put_away(text, "", [Leaving("One", 3, 4)], of="MEMORY.md", today="2026-05-01")
    kept = kept.replace("\n\n## 2026", "\n\nmy own\n\n---\n\n## 2026")

    assert "my own" in shelf.put_back(left, kept)[1]


def test_what_was_forgotten_does_not_come_back(koog, workspace):
    put(workspace, "knowledge/reference/gate.md", "# Gate\n\n- The gate code of the yard is zanzibar\n")
    (match,) = koog(*NOW, "forget", "the gate code of the yard")[1]["matches"]
    koog(*NOW, "forget", "--confirm", match["id"])
    put(workspace, "archive/reference/yard.md", "- The gate code of the yard is zanzibar\n  so he said\n- Two doors\n")

    prune(koog, "--restore", "archive")

    assert (workspace / "knowledge/reference/yard.md").read_text("utf-8") == "- Two doors\n"


def test_a_name_that_is_taken_is_not_overwritten(koog, workspace):
    put(workspace, f"knowledge/journal/{OLD}.md", "- a\n")
    prune(koog, "--journals")
    put(workspace, f"knowledge/journal/{OLD}.md", "- b\n")

    line = prune(koog, "--restore", f"archive/journal/{OLD}.md", code=5)

    assert line["error"]["code"] == "refused"
    assert (workspace / f"knowledge/journal/{OLD}.md").read_text("utf-8") == "- b\n"


@pytest.mark.parametrize("named", ["archive/nothing.md", "../x", "knowledge", ""])
def test_what_the_archive_has_not_is_not_found(koog, named):
    assert prune(koog, "--restore", named, code=4)["error"]["code"] == "not_found"


def test_dry_run_says_what_would_go_where_and_writes_nothing(koog, workspace):
    put(workspace, f"knowledge/journal/{OLD}.md", "- a\n")
    before = tree(workspace)

    line = prune(koog, "--dry-run")

    assert line["moved"][0]["to"] == f"archive/journal/{OLD}.md"
    assert tree(workspace) == before


def test_the_second_time_nothing_goes(koog, workspace):
    put(workspace, f"knowledge/journal/{OLD}.md", "- a\n")
    put(workspace, "knowledge/people/ana.md", person(OLD))
    prune(koog)
    before = tree(workspace)

    line = prune(koog)

    assert (line["count"], line["movedCount"]) == (0, 0)
    assert tree(workspace) == before


def test_a_line_of_another_project_is_counted_and_not_told(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_KNOWLEDGE_MEMORY_LINES", "20")
    theirs = "- 2026-02-01: Oracle in Hades <!-- dc:source=s:1 dc:project=/srv/other dc:scope=private -->\n"
    put(workspace, "MEMORY.md", core_memory.new(3000) + "\n## Key Decisions\n" + theirs * 9)

    line = prune(koog, "--memory")

    assert line["elsewhere"] == line["count"] > 0
    assert line["went"] == []


ROW = st.sampled_from(
    ["- a b c", "- d e <!-- dc:source=s:1 -->", "  more", "* x", "", "## Two", "text", "1. n\r", "- ~~z~~"]
)


@given(st.lists(ROW, max_size=14), st.lists(st.sets(st.integers(0, 9)), min_size=1, max_size=3))
def test_lines_that_were_put_away_in_any_batches_come_back_where_they_stood(rows, batches):
    text = "\n".join(["# T", *rows, ""])
    left, kept = text, ""
    for wanted in batches:
        found = Sections(left, "")
        items = list(found.items_of(Section("", -1, len(found.rows))))
        above = [next((s.title for s in found.sections[::-1] if s.row < item.row), "") for item in items]
        leaving = [Leaving(above[n], item.row, item.end) for n, item in enumerate(items) if n in wanted]
        left, kept = shelf.put_away(left, kept, leaving, of="f.md", today="2026-05-01")

    back, rest = shelf.put_back(left, kept)

    assert (back, rest) == (text, "")


def test_a_line_comes_back_above_a_second_heading_of_the_titles_name():
    text = "# U\n- line 1\n# U\n"

    left, kept = shelf.put_away(text, "", [Leaving("U", 1, 2)], of="MEMORY.md", today="2026-05-01")

    assert shelf.put_back(left, kept) == (text, "")


def test_many_lines_come_back_in_no_more_time_than_so_many():
    def seconds(n: int) -> float:
        text = "# T\n\n## One\n" + "".join(f"- line {k}\n" for k in range(n))
        leaving = [Leaving("One", 3 + k, 4 + k) for k in range(n)]
        left, kept = shelf.put_away(text, "", leaving, of="MEMORY.md", today="2026-05-01")
        begun = time.process_time()
        assert shelf.put_back(left, kept) == (text, "")
        return time.process_time() - begun

    assert min(seconds(4000) for _ in range(3)) < 24 * min(seconds(500) for _ in range(3))  # without what disturbs one
