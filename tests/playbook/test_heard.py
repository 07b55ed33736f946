"""What of a playbook a reader may hear: his project's lines, and of others' what the operator lets through."""

from __future__ import annotations

from dataclasses import replace

import pytest

from koog.playbook import heard
from koog.sessions.audience import Audience
from koog.sessions.place import GROUP

PATH = "memory/sinain-playbook.md"
HARBOR = "<!-- from: memory/2026-02-27-harbor.md:3 --> <!-- dc:project=/srv/harbor dc:scope=private -->"
STRANGERS = "<!-- dc:project=openclaw/main dc:scope=group dc:group=telegram:group:-100 -->"
BOOK = f"""<!-- mining-index: 2026-02-27 -->

# Ana's playbook

## Patterns
- The zebrafin release needs a changelog (score: 0.8)
- The marlin release needs a rehearsal (score: 0.8) {HARBOR}
- The gannet release is on Friday {STRANGERS}

## Preferences
- I prefer short answers (score: 0.5) {HARBOR}
"""
OWN = Audience(projects=frozenset({"/ws", "openclaw/main"}), is_own=True, own=frozenset({"/ws", "openclaw/main"}))
READER = replace(OWN, projects=frozenset({"/srv/harbor"}), is_own=False)
WORDS = "zebrafin marlin gannet short".split()


def told(who, *, text=BOOK, **more):
    return heard.part(text, PATH, who, **more)


def words(who, **more):
    return " ".join(word for word in WORDS if word in told(who, **more))


@pytest.mark.parametrize(
    ("others", "own", "harbor"),
    [
        ("none", "zebrafin", "marlin short"),
        ("rules", "zebrafin short", "marlin short"),
        ("all", "zebrafin marlin short", "zebrafin marlin short"),
    ],
)
def test_each_reader_hears_his_own_lines_and_what_is_let_through(others, own, harbor):
    assert words(replace(OWN, others=others)) == own
    assert words(replace(READER, others=others)) == harbor
    assert words(replace(OWN, others=others), others=False) == "zebrafin"


def test_a_line_of_another_project_ends_with_its_name_and_has_no_path():
    text = told(replace(OWN, others="all"))

    assert "- The marlin release needs a rehearsal (score: 0.8) [project: harbor]" in text.split("\n")
    assert "/srv" not in text and "2026-02-27-harbor" not in text


def test_a_text_without_labels_is_told_as_it_is():
    text = "\n".join(line for line in BOOK.split("\n") if "dc:" not in line)

    assert told(OWN, text=text) == text


def test_another_projects_reader_is_told_no_heading_comment_or_prose_of_a_person():
    lines = [line for line in told(READER).split("\n") if line]

    assert lines == [
        "## Patterns",
        f"- The marlin release needs a rehearsal (score: 0.8) {HARBOR}",
        "## Preferences",
        f"- I prefer short answers (score: 0.5) {HARBOR}",
    ]


def test_who_may_hear_no_line_is_told_no_heading_either():
    assert told(replace(READER, projects=frozenset({"/srv/quarry"}), others="none")) == ""


def test_what_a_group_said_is_told_in_that_group_and_no_rule_in_private():
    group = replace(OWN, projects=frozenset({"openclaw/main"}), scope=GROUP, group="telegram:group:-100")

    assert words(group) == "gannet"
    assert words(replace(group, group="telegram:group:-200")) == ""
    assert "gannet" not in told(replace(OWN, others="all"))


def test_a_line_separator_inside_a_bullet_does_not_part_it_from_its_label():
    assert told(replace(OWN, others="none"), text=f"- The marlin\u2028release {HARBOR}\n") == ""
