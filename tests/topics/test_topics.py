"""Topic files: what is accepted, what is told of what is not, and the cache of what was parsed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from koog.core.errors import NotFound, WorkspaceError
from koog.core.files.workspace import Workspace
from koog.topics import topics
from koog.topics.topic_file import Topic, parse
from koog.topics.topic_yaml import lift

FROM_THE_DESIGN = """---
type: topic
triggers:
  - type: webhook
    source: email
    event: new_message
  - type: pattern
    match: "email|inbox|mail"
    scope: input
subscriptions:
  - knowledge/procedures/email-workflow.md
  - knowledge/people/_index.md
activation: gated          # auto | gated | manual
priority: high             # low | medium | high | critical
max_context_kb: 4
---

# Email Triage

## Instructions

When a new email arrives:
1. Classify: urgent / actionable / informational / spam

## Context Notes

- Use USER.md for tone and preferences
"""
WATCHERS_OF_THE_DESIGN = """---
triggers:
  # Tier 1: Pattern match
  - type: pattern
    match: "email|inbox|mail"
    scope: input              # input | output | both

  # Tier 1: Webhook
  - type: webhook
    source: email
    event: new_message

  # Tier 1: Cron
  - type: cron
    schedule: "0 8 * * *"    # Daily at 08:00

  # Tier 2: Similarity threshold override
  similarity_threshold: 0.2   # Default 0.15

  # Tier 3: Gated activation
  activation: manual          # auto (skip gate) | gated (LLM confirmation) | manual (user only)
---
""".replace("\n\n", "\n  \n")  # its empty lines are not quite empty


def topic(front: str, body: str = "What to do.") -> Topic:
    found = parse(f"---\n{front}\n---\n{body}\n", path="topics/mail.md")
    assert isinstance(found, Topic), found
    return found


def faults(front: str) -> list[tuple[int, str]]:
    """Return (line, message) of what is wrong with a frontmatter; its first line is the file's second."""
    found = parse(f"---\n{front}\n---\nbody\n", path="topics/mail.md")
    assert not isinstance(found, Topic)
    assert {p.file for p in found} == {"topics/mail.md"}
    return [(p.line, p.message) for p in found]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("ws/topics", "ws/.koog"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "ws"


def put(folder: Path, name: str, front: str = "type: topic", body: str = "What to do.") -> Path:
    path = folder / "topics" / name
    path.write_text(f"---\n{front}\n---\n{body}\n", "utf-8")
    return path


# --- what is accepted


def test_the_designs_own_example_is_a_topic():
    found = parse(FROM_THE_DESIGN, path="topics/email-triage.md")

    assert isinstance(found, Topic)
    assert (found.name, found.title, found.activation, found.priority) == (
        "email-triage",
        "Email Triage",
        "gated",
        "high",
    )
    assert found.max_context_kb == 4
    assert found.subscriptions == ("knowledge/procedures/email-workflow.md", "knowledge/people/_index.md")
    assert [(t.type, t.line, t.scope) for t in found.triggers] == [("webhook", 4, "both"), ("pattern", 7, "input")]
    assert (found.triggers[0].source, found.triggers[0].event) == ("email", "new_message")
    assert found.triggers[1].match == ("email|inbox|mail",)
    assert found.description.startswith("When a new email arrives: 1. Classify")


def test_the_lines_of_the_instructions_are_those_of_the_file():
    found = parse(FROM_THE_DESIGN, path="topics/email-triage.md")

    assert isinstance(found, Topic)
    lines = FROM_THE_DESIGN.split("\n")
    assert "\n".join(lines[found.body_line - 1 : found.end_line]) == found.instructions


def test_threshold_and_activation_among_the_triggers_are_the_topics_own():
    found = parse(WATCHERS_OF_THE_DESIGN, path="topics/mail.md")

    assert isinstance(found, Topic)
    assert [t.type for t in found.triggers] == ["pattern", "webhook", "cron"]
    assert [t.line for t in found.triggers] == [4, 9, 14]
    assert (found.similarity_threshold, found.activation) == (0.2, "manual")


@given(st.lists(st.sampled_from(["triggers:", "  - type: urgency", "    scope: input", "  a: 1", "b: 2", "", "# c"])))
def test_lifting_keys_keeps_every_line_and_its_words(lines):
    assert [line.strip() for line in lift(lines)] == [line.strip() for line in lines]


def test_a_topic_has_defaults_for_all_it_does_not_say():
    found = topic("tags:")

    assert (found.name, found.title, found.triggers) == ("mail", "mail", ())
    assert (found.activation, found.priority, found.similarity) == ("gated", "medium", "tfidf")
    assert (found.max_context_kb, found.similarity_threshold, found.sentiment, found.tags) == (None, None, None, ())


def test_what_a_topic_says_of_itself_wins_over_its_file():
    found = topic("name: post\ndescription: All\n  mail\nupdated: 2026-02-16T18:00:00Z", "# Letters\n\nText.")

    assert (found.name, found.title, found.description) == ("post", "Letters", "All mail")
    assert found.updated == "2026-02-16T18:00:00+00:00"


def test_a_trigger_looks_for_one_thing_or_several():
    found = topic("triggers:\n  - {type: keyword, match: deploy}\n  - {type: glob, match: ['*.py', '*.pyi']}")

    assert [t.match for t in found.triggers] == [("deploy",), ("*.py", "*.pyi")]


# --- what is not


@pytest.mark.parametrize(
    ("front", "line", "message"),
    [
        ("priority: hihg", 2, "'hihg' is not one of ['low', 'medium', 'high', 'critical']"),
        ("type: topic\nprority: high", 3, "unknown key 'prority', did you mean 'priority'?"),
        ("type: journal", 2, "'journal' is not one of ['topic']"),
        ("type: topic\ntype: topic", 3, "the key 'type' stands here a second time"),
        ("similarity_threshold: 2", 2, "2 is greater than the maximum of 1"),
        ("sentiment: angry", 2, "'angry' is not negative, positive, any, or a number from -1 to 1"),
        ("subscriptions:\n  - ok.md\n  - ../secrets.md", 4, "'../secrets.md' is not a path inside the workspace"),
        ("subscriptions: [/etc/passwd]", 2, "'/etc/passwd' is not a path inside the workspace"),
        ("name: a/b", 2, "'a/b' is not a name"),
        ("triggers: 5", 2, "5 is not of type 'array'"),
        ("triggers:\n  - pattern", 3, "'pattern' is not of type 'object'"),
        ("triggers:\n  - match: x", 3, "a trigger has a type: pattern, glob"),
        ("triggers:\n  - type: patern\n    match: x", 3, "no trigger type 'patern', did you mean 'pattern'?"),
        ("triggers:\n  - type: urgency\n  - type: pattern", 4, "a pattern trigger needs 'match'"),
        ("triggers:\n  - type: webhook\n    event: x", 3, "a webhook trigger needs 'source'"),
        ("triggers:\n  - type: cron", 3, "a cron trigger needs 'schedule'"),
        ("triggers:\n  - type: pattern\n    match: x\n    scop: input", 5, "'scop', did you mean 'scope'?"),
        ("triggers:\n  - type: pattern\n    match: x\n    scope: out", 5, "'out' is not one of ['input', 'output'"),
        ("triggers:\n  - type: pattern\n    match: 'a('", 4, "the pattern does not compile: missing )"),
        ("triggers:\n  - type: pattern\n    match: '(?<=a+)b'", 4, "look-behind requires fixed-width pattern"),
        ("triggers:\n  - type: glob\n    match: '[z-a].py'", 4, "the glob does not compile"),
        ("triggers:\n  - type: cron\n    schedule: '0 25 * * *'", 4, "hour: '25' is not from 0 to 23"),
        (
            "triggers:\n  - type: language\n    match:\n      - de\n      - germann",
            6,
            "'germann' is known, did you mean",
        ),
        ("triggers:\n  - type: language\n    match: no", 4, "False is not of type 'string' (to YAML yes, no"),
        ("type: topic\ntags: [a", 4, "no YAML: did not find expected"),
        ("- type", 2, "the frontmatter is no list of keys and values"),
        ("updated: 2026-13-45", 2, "no YAML: month must be in 1..12"),
        ("tags: !!python/object:os.system x", 2, "no YAML: could not determine a constructor"),
        ("tags: &a [*a]", 2, "more than 5000 values"),
        ("tags: " + "[" * 40_000, 2, "more than 200 brackets are open"),
        ("tags:\n  " + "- " * 300 + "x", 3, "more than 200 levels on one line"),
        ("type: topic\ntags: \x00", 2, "no YAML: ReaderError"),
        ("description: \udc80", 2, "no YAML: UnicodeEncodeError"),
    ],
)
def test_a_fault_is_told_with_its_line(front, line, message):
    (found,) = faults(front)

    assert found[0] == line
    assert message in found[1]


def test_every_fault_of_a_file_is_told_at_once():
    found = faults("priority: x\ntriggers:\n  - type: pattern\n  - type: cron\n    schedule: daily\ncolour: red")

    assert [line for line, _ in found] == [2, 7, 4, 6]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a topic begins with frontmatter"),
        ("# Mail\n", "a topic begins with frontmatter"),
        ("---\ntype: topic\n", "no closing ---"),
        ("---\n" + "tags: [x]\n" * 9000 + "---\n", "more than 50000 characters of frontmatter"),
    ],
)
def test_a_file_without_frontmatter_says_so(text, message):
    (found,) = parse(text, path="topics/x.md")

    assert (found.line, message in found.message) == (1, True)


PIECES = st.sampled_from(
    [
        "triggers:",
        "\n",
        "  - ",
        "type",
        ": ",
        "pattern",
        "match",
        "'",
        '"',
        "[",
        "]",
        "{",
        "}",
        "&a",
        "*a",
        "|",
        ">",
        "---",
        "#",
        "!!set",
        "<<",
        "é",
        "\t",
        "\x85",
        "0",
        "?",
        ",",
        "keyword",
        "activation: auto",
    ]
)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join))
@example("match: [[")
@example("[\x85\x85\x85triggers:")
@example("<<: *a")
@example("? {a: 1}\n: 2")
def test_any_frontmatter_is_a_topic_or_has_problems_with_lines_of_the_file(front):
    text = f"---\n{front}\n---\nbody\n"

    found = parse(text, path="topics/x.md")

    if not isinstance(found, Topic):
        assert found
        assert all(1 <= p.line <= text.count("\n") + 1 for p in found)


# --- the folder


def test_one_bad_topic_hides_no_other(folder):
    put(folder, "a.md", "prority: high")
    put(folder, "b.md")
    (folder / "topics/c.md").write_bytes(b"---\n\xff\xfe\x00---\n")
    (folder / "topics/d.md").symlink_to("/etc/hostname")
    (folder / "topics/e.md").symlink_to("e.md")
    (folder / "topics/f.md").write_text("x" * 300_000)
    (folder / "topics/g.md").mkdir()

    found = topics.load(Workspace(root=folder))

    assert [t.name for t in found.topics] == ["b"]
    assert [p.file for p in found.problems] == [f"topics/{name}.md" for name in "acdefg"]


def test_indexes_and_other_files_are_no_topics(folder):
    for name in ("_index.md", "README.md", ".hidden.md", "notes.txt"):
        (folder / "topics" / name).write_text("not a topic")

    assert topics.load(Workspace(root=folder)) == topics.Topics([], [])


def test_a_workspace_without_topics_has_none(tmp_path):
    assert topics.load(Workspace(root=tmp_path)) == topics.Topics([], [])


def test_two_topics_of_one_name_are_told_and_the_first_file_has_it(folder):
    put(folder, "a.md", "name: mail\ndescription: first")
    put(folder, "mail.md")

    found = topics.load(Workspace(root=folder))

    assert [(t.name, t.path) for t in found.topics] == [("mail", "topics/a.md")]
    assert found.problems == [topics.Problem("topics/mail.md", 1, "topics/a.md has the name 'mail' already")]


def test_a_topic_is_found_by_its_name_and_the_nearest_is_offered():
    known = [topic("name: deployment"), topic("name: mail")]

    assert topics.named(known, "mail") is known[1]
    with pytest.raises(NotFound, match="no topic 'deploment'") as told:
        topics.named(known, "deploment")
    assert told.value.hint == "did you mean 'deployment'?"


# --- the cache


def test_what_was_parsed_is_the_same_when_it_comes_from_the_cache(folder):
    (folder / "topics/triage.md").write_text(FROM_THE_DESIGN)
    put(folder, "bad.md", "prority: high")
    put(folder, "full.md", "sentiment: -0.4\nkeywords: [a, b]\nmax_context_kb: 1.5\ntriggers:\n  - {type: urgency}")

    first = topics.load(Workspace(root=folder))
    again = topics.load(Workspace(root=folder))

    assert (folder / ".koog/topics.json").exists()
    assert again == first


def test_the_cache_is_really_read_and_a_changed_file_is_parsed_again(folder):
    path = put(folder, "a.md")
    put(folder, "b.md")
    topics.load(Workspace(root=folder))
    cache = folder / ".koog/topics.json"
    cache.write_text(cache.read_text().replace("What to do.", "What the cache says."))
    os.utime(path, ns=(time.time_ns(), time.time_ns()))

    found = topics.load(Workspace(root=folder))

    assert [t.instructions for t in found.topics] == ["What to do.", "What the cache says."]


def test_a_topic_that_is_gone_leaves_the_cache_too(folder):
    put(folder, "a.md").unlink()
    put(folder, "b.md")
    topics.load(Workspace(root=folder))
    (folder / "topics/b.md").unlink()

    assert topics.load(Workspace(root=folder)).topics == []
    assert json.loads((folder / ".koog/topics.json").read_text())["files"] == {}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"version": 1}', '{"version": 1, "files": {"topics/a.md": [[1], {}]}}']
)
def test_a_cache_that_is_none_costs_time_and_nothing_else(folder, text):
    put(folder, "a.md")
    (folder / ".koog/topics.json").write_text(text)

    assert [t.name for t in topics.load(Workspace(root=folder)).topics] == ["a"]


def test_a_dry_run_leaves_no_cache(folder):
    put(folder, "a.md")

    topics.load(Workspace(root=folder, dry_run=True))

    assert not (folder / ".koog/topics.json").exists()


# --- what YAML and a folder may hold and JSON may not


@pytest.mark.parametrize(
    "front",
    [
        "max_context_kb: .inf",
        "max_context_kb: .NaN",
        f"max_context_kb: {'9' * 40}",
        "similarity_threshold: .nan",
        'name: "two\\n"',
        "max_context_kb: 1.0e+300",
    ],
)
def test_a_number_that_is_none_and_a_name_that_ends_in_a_line_break_are_told_with_their_line(workspace, front):
    (workspace / "topics").mkdir()
    (workspace / "topics/odd.md").write_text(f"---\ntype: topic\n{front}\n---\n\n# Odd\n")

    loaded = topics.load(Workspace(workspace))

    assert loaded.topics == []
    assert [(problem.file, problem.line) for problem in loaded.problems] == [("topics/odd.md", 3)]


@pytest.mark.parametrize(
    "data",
    [
        "---\ntype: topic\n---\n\n# Café\n".encode("latin-1"),
        b'---\ntype: topic\ndescription: "half \\ud83d"\n---\n\n# Half\n',
    ],
)
def test_a_topic_that_is_not_utf_8_hides_no_other_and_is_kept_in_the_cache(workspace, data):
    (workspace / "topics").mkdir()
    (workspace / "topics/old.md").write_bytes(data)
    (workspace / "topics/new.md").write_text("---\ntype: topic\n---\n\n# New\n")

    first, second = topics.load(Workspace(workspace)), topics.load(Workspace(workspace))

    assert [topic.name for topic in first.topics] in (["new", "old"], ["new"])
    assert first == second and (workspace / ".koog/topics.json").exists()
    assert all(problem.file == "topics/old.md" for problem in first.problems)


def test_a_file_whose_name_is_not_utf_8_is_a_problem_and_one_of_two_lines_has_a_name_of_one(workspace):
    (workspace / "topics").mkdir()
    text = b"---\ntype: topic\n---\n\n# Named\n"
    Path(os.fsdecode(bytes(workspace) + b"/topics/\xff.md")).write_bytes(text)
    (workspace / "topics/two\nlines.md").write_bytes(text)

    loaded = topics.load(Workspace(workspace))

    assert [topic.name for topic in loaded.topics] == ["two lines"]
    assert [problem.file for problem in loaded.problems] == ["topics/\ufffd.md"]


def test_a_topic_that_is_a_link_is_read_where_it_stays_inside(tmp_path):
    (tmp_path / "ws/topics").mkdir(parents=True)
    (tmp_path / "ws/kept").mkdir()
    good = "---\nname: {}\ntriggers:\n  - type: keyword\n    keywords: [metro]\n---\n\n# Metro\n"
    (tmp_path / "ws/kept/in.md").write_text(good.format("in"))
    (tmp_path / "out.md").write_text(good.format("out"))
    (tmp_path / "ws/topics/in.md").symlink_to("../kept/in.md")
    (tmp_path / "ws/topics/out.md").symlink_to(tmp_path / "out.md")

    found = topics.load(Workspace(root=tmp_path / "ws", dry_run=True))

    assert "out" not in [topic.name for topic in found.topics]
    assert [p.file for p in found.problems if "leads outside" in p.message] == ["topics/out.md"]
    assert not [p for p in found.problems if p.file == "topics/in.md" and "leads" in p.message]


def test_a_folder_of_topics_that_leads_outside_is_an_error(tmp_path):
    (tmp_path / "ws").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "ws/topics").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(WorkspaceError, match="leads outside"):
        topics.load(Workspace(root=tmp_path / "ws", dry_run=True))
