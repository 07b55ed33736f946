"""What a line says of where it was said, written and read again."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from koog.sessions import labels
from koog.sessions.labels import NONE, Label
from koog.sessions.place import GROUP, PRIVATE, UNKNOWN, Place

TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
LABELS = st.one_of(
    st.builds(Label, TEXT, st.just(PRIVATE), st.just(""), st.just(False)),
    st.builds(Label, TEXT, st.just(GROUP), TEXT, st.just(False)),
    st.just(Label("unknown", GROUP, "unknown")),
)


@given(LABELS, st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<>"), max_size=30))
@example(Label("/srv/my app--> <!-- dc:project=/evil"), "a line")
@example(Label("/srv/a", GROUP, "telegram:group:-100 dc:scope=private"), "")
def test_what_is_written_is_read_again(label, text):
    comment = labels.comment(label)

    assert labels.of_line(f"- {text} {comment}") == label
    assert comment.count("-->") == 1 and "\n" not in comment
    assert labels.of_values(dict(labels.values(label))) == label


def test_a_line_that_says_nothing_has_no_label():
    assert labels.values(NONE) == () and labels.comment(NONE) == ""
    assert labels.of_line("- a line <!-- dc:type=rule -->") == labels.of_line("dc:project=/a") == NONE
    assert labels.of_line("- plain") == NONE


def test_the_label_stands_behind_the_source():
    line = "- x <!-- dc:type=rule dc:source=claude/s#e1 dc:project=/srv/my%20app dc:scope=group dc:group=a:group:1 -->"

    assert labels.of_line(line) == Label("/srv/my app", GROUP, "a:group:1")


@pytest.mark.parametrize(
    ("source", "project"),
    [
        ("openclaw/ops/3f#a1", "openclaw/ops"),
        ("openclaw/Ops/3f#a1", "openclaw/ops"),
        ("openclaw/my%20agent/3f#a1", "openclaw/my agent"),
        ("openclaw/3f#a1", ""),
        ("", ""),
    ],
)
def test_an_older_line_of_openclaw_is_its_agents(source, project):
    assert labels.of_line(f"- x <!-- dc:source={source} -->") == Label(project)
    assert labels.of_line(f"- x <!-- dc:source={source} dc:project=/srv/a -->") == Label("/srv/a")


@pytest.mark.parametrize("host", ["claude", "codex"])
def test_an_older_line_of_a_coding_host_is_of_some_project(host):
    found = labels.of_line(f"- x <!-- dc:source={host}/3f#a1 -->")

    assert found.is_heard and not found.project and labels.values(found) == ()
    assert found.stored == (UNKNOWN, PRIVATE, "")


def test_a_comment_of_its_own_behind_another_counts():
    assert labels.of_line("- x <!-- from: memory/a.md:3 --> <!-- dc:project=/srv/a -->").project == "/srv/a"


def test_a_group_belongs_to_a_group_scope_alone():
    assert labels.of_values({"project": "/a", "group": "x"}) == Label("/a", PRIVATE, "")
    assert labels.of_place(Place("openclaw/main", GROUP, "x", "/srv")) == Label("openclaw/main", GROUP, "x")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_quoted_value_has_no_space_and_ends_no_comment(text):
    quoted = labels.quoted(text)

    assert not any(c.isspace() for c in quoted) and "--" not in quoted
    assert unquote(quoted) == text
