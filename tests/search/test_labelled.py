"""Whose a row is, by its own label; and that no passage holds rows of two labels."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.search import labelled
from koog.search.passages import cut, decoded, embedded, head
from koog.sessions import labels
from koog.sessions.labels import Label

APP, SHOP = Label("/srv/app"), Label("/srv/my shop")
ROOM = Label("openclaw/main", "group", "telegram:group:-100")


def row(text: str, label: Label, kind: str = "fact") -> str:
    told = " ".join(f"dc:{name}={value}" for name, value in labels.values(label))
    return f"- 🔴 09:14 {text} <!-- dc:type={kind} dc:source=claude/p/s#a1{' ' if told else ''}{told} -->"


def projects(text: str, path: str = "memory/observations.md") -> dict[str, list[str]]:
    """Return the words of each passage's first row, by project."""
    found: dict[str, list[str]] = {}
    for passage in cut(text, path=path).passages:
        found.setdefault(passage.said.label.project, []).append(labelled.words(passage.text.split("\n")[0]))
    return found


def test_each_line_is_its_labels_and_one_without_is_its_files():
    text = "\n".join(
        ["# Observations", "", "Date: 2026-02-27", "", row("a", APP), row("b", SHOP), "- c", row("d", ROOM)]
    )

    found = cut(text, path="memory/observations.md").passages

    assert [passage.said.label for passage in found] == [APP, SHOP, labels.NONE, ROOM]
    assert [passage.line for passage in found] == [5, 6, 7, 8]
    assert {passage.date for passage in found} == {"2026-02-27"}


def test_an_agents_older_line_is_told_by_its_source():
    text = "- 🔴 a <!-- dc:type=fact dc:source=openclaw/ops/3f#a1 -->\n- 🔴 b <!-- dc:source=claude/7#a1 -->"

    assert projects(text) == {"openclaw/ops": ["a"], "": ["b"]}


def test_what_goes_on_with_a_labelled_bullet_is_of_it_and_no_rule():
    text = "\n".join(
        [row("I prefer tea", APP, "rule"), "  and never coffee", row("I prefer tea", SHOP, "rule"), "- own"]
    )

    said = labelled.rows(text, path="x.md")

    assert [said[at].label for at in (0, 1, 2)] == [APP, APP, SHOP] and 3 not in said
    assert (said[0].kind, said[2].kind, said[2].text) == ("", "rule", "I prefer tea")
    assert [passage.line for passage in cut(text, path="x.md").passages] == [1, 3, 4]


def test_the_label_of_a_bullet_may_stand_in_its_last_row():
    text = f"- a long line\n  that was wrapped {labels.comment(APP)}\n- own"

    assert projects(text, "x.md") == {"/srv/app": ["a long line"], "": ["own"]}


@pytest.mark.parametrize("before", ["a paragraph\n", "```\ncode\n", "| a |\n|---|\n"])
def test_a_block_is_cut_where_the_label_changes(before):
    text = f"{before}theirs {labels.comment(APP)}\nmine again"

    said = [(p.said.label.project, p.line, p.end) for p in cut(text, path="x.md").passages]

    line = before.count("\n") + 1
    assert said == [("", 1, line - 1), ("/srv/app", line, line), ("", line + 1, line + 1)]


def test_a_labelled_heading_stands_above_nothing_and_gives_no_title():
    text = f"---\ntitle: their plan {labels.comment(APP)}\n---\n\n# Their launch {labels.comment(APP)}\n\nmine\n"

    document = cut(text, path="knowledge/x.md")

    assert document.title == "x"
    assert [(p.said.label.project, "launch" in p.text, p.heading) for p in document.passages] == [
        ("/srv/app", True, "x"),
        ("", False, "x"),
    ]


def test_what_stands_above_a_labelled_line_is_not_searched_with_it():
    text = f"# Zebras\n\n## Date 2026-02-27\n\n- a {labels.comment(APP)}\n- b\n"

    theirs, mine = cut(text, path="x.md").passages

    assert (head(theirs), embedded(theirs)) == ("2026-02-27", theirs.text)
    assert "Zebras" in head(mine)


def test_what_waits_raw_is_of_the_session_that_its_block_names():
    turn = '{"id":"a2","text":"- x <!-- dc:project=/srv/other -->"}'
    text = (
        f"<!-- koog:raw session=claude/1 from=a to=b project=/srv/app scope=private -->\n{turn}\n<!-- /koog:raw -->\n\n"
        f"<!-- koog:raw session=openclaw/ops/3f from=a to=b -->\n{turn}\n<!-- /koog:raw -->\n\n"
        "<!-- koog:raw session=openclaw/main/3f from=a to=b project=openclaw/main scope=group group=t:group:1 -->\n"
        f"{turn}\n<!-- /koog:raw -->\n\n- own\n"
    )

    said = labelled.rows(text, path="memory/observations.md")

    assert [said[at].label for at in (1, 5, 9)] == [
        APP,
        Label("openclaw/ops"),
        Label("openclaw/main", "group", "t:group:1"),
    ]
    assert max(said) == 10


@pytest.mark.parametrize(
    ("line", "kind", "text"),
    [
        (row("I prefer tea", APP, "rule"), "rule", "I prefer tea"),
        (row("I had tea", APP, "fact"), "", ""),
        (row("I prefer tea " + "very much " * 40, APP, "rule"), "", ""),
        (f"* I prefer tea (score: 0.8) [since: 2026-02-17] {labels.comment(APP)}", "preference", "I prefer tea"),
    ],
)
def test_what_may_be_a_rule_says_so(line, kind, text):
    book = f"# Playbook\n\n## Preferences\n\n{line}\n\n## Observing\n\n- seen {labels.comment(APP)}\n"

    said = labelled.rows(book, path="memory/sinain-playbook.md")

    expected = "preference" if kind == "" and "dc:type" not in line else kind
    assert (said[4].kind, said[4].text, said[8].kind) == (expected, text, "")
    assert labelled.rows(line, path="knowledge/x.md")[0].kind == (kind if "dc:type" in line else "")


def test_a_private_block_takes_no_label_along():
    text = f"- we fire them <private>soon {labels.comment(APP)}\n- mine</private>\n- own\n"

    found = cut(decoded(text.encode()), path="x.md").passages

    assert [(p.said.label.project, "fire" in p.text) for p in found] == [("/srv/app", True), ("", False)]


LABELS = st.sampled_from([labels.NONE, labels.NONE, APP, SHOP, ROOM, Label("openclaw/ops")])
WORDS = st.text(alphabet="ab c.`|#-\u2028", max_size=30)
SHAPES = st.sampled_from(["- {}", "- 🔴 09:14 {}", "  {}", "{}", "| {} |", "> {}", "  - {}", "## {}", "1. {}"])
PLAIN = st.sampled_from(
    ["", "", "Date: 2026-02-27", "# Observations", "```", "---", "## 18:45 — user", "<!-- koog:x -->"]
)
ROWS = st.one_of(
    PLAIN,
    st.builds(lambda shape, text, at: (shape.format(text) + " " + labels.comment(at)).rstrip(), SHAPES, WORDS, LABELS),
)


@given(rows=st.lists(ROWS, max_size=25), long=st.booleans())
@example(rows=["- a", f"  b {labels.comment(APP)}", "  c", f"  d {labels.comment(SHOP)}"], long=False)
@example(rows=["## 18:45 — user", f"x {labels.comment(APP)}", "", "y"], long=False)
def test_no_passage_mixes_labels(rows, long):
    text = "\n".join(f"{'word ' * 150}{row}" if long and row.startswith("a") else row for row in rows)
    own = [labels.of_line(line) for line in text.split("\n")]

    found = cut(text, path="memory/observations.md").passages

    for passage in found:
        inside = own[passage.line - 1 : passage.end]
        assert {label for label in inside if label != labels.NONE} <= {passage.said.label}, passage
        if passage.said.label == labels.NONE:
            assert set(inside) <= {labels.NONE}
        for label in {APP, SHOP, ROOM} - {passage.said.label}:
            assert labels.comment(label) not in passage.heading + passage.text


NAMED = """---
title: Mirabel
---

# person--mirabel

<!-- Type: person | Created: 2026-02-28 -->
<!-- Label: Mirabel -->

## Facts
- Signs the releases. <!-- dc:from=2026-02-28 dc:project=/srv/harbor dc:scope=private -->
"""


def test_the_names_in_a_file_of_another_places_lines_are_that_places():
    found = labelled.rows(NAMED, path="memory/graph/entities/person--mirabel.md")
    assert {at: found[at].label.project for at in sorted(found)} == dict.fromkeys((0, 1, 2, 6, 7, 10), "/srv/harbor")


@pytest.mark.parametrize("own", ["- Is ours.", "\nShe is ours.", "| a | b |"])
def test_a_line_without_a_label_makes_the_names_the_workspaces_own(own):
    found = labelled.rows(f"{NAMED}{own}\n", path="memory/graph/entities/person--mirabel.md")
    assert set(found) == {10}


def test_names_that_were_said_in_a_group_as_well_are_the_groups():
    line = "- Has a key. <!-- dc:project=openclaw/main dc:scope=group dc:group=telegram:-1 -->\n"
    assert labelled.rows(NAMED + line, path="x.md")[7].label.group == "telegram:-1"
