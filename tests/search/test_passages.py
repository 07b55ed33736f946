"""A text in passages: what is one, what stands beside it, and that its lines are the file's."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from koog.core.text.markdown import FENCE
from koog.core.text.untrusted import strip_private
from koog.search import passages
from koog.search.cutting import LONGEST, pieces
from tests.conftest import examples

TRANSCRIPT = """---
session_id: ses_a1b2c3d4
started: 2026-02-16T18:45:00Z
topic: autopoiesis restructuring
tags: [coding, git]
---

# Restructuring

## 18:45 — user
Read all open issues.

## 18:45 — agent [memory]
> [tool:exec] gh issue list → 12 results

Here are all 12:

1. Migrate the memory
2. Serialize conversations

### Plan
First the oldest.

## Afterwards
Nobody speaks here.
"""


def cut(text: str, path: str = "knowledge/reference/a.md") -> list[passages.Passage]:
    return passages.cut(text, path=path).passages


def texts(text: str) -> list[str]:
    return [passage.text for passage in cut(text)]


def test_a_bullet_with_its_continuation_a_paragraph_a_fence_and_a_table_are_passages():
    lists = "# T\n\n- one\n  goes on\n- two\n\nA paragraph\nof two lines.\n"
    code = "```py\n# no heading\n\nx = 1\n```\n| a | b |\n| 1 | 2 |\n"

    found = cut(lists + code)

    assert [(p.line, p.end, p.text) for p in found] == [
        (3, 4, "- one\n  goes on"),
        (5, 5, "- two"),
        (7, 8, "A paragraph\nof two lines."),
        (9, 13, "```py\n# no heading\n\nx = 1\n```"),
        (14, 15, "| a | b |\n| 1 | 2 |"),
    ]


def test_a_short_turn_is_one_passage_and_knows_its_speaker():
    document = passages.cut(TRANSCRIPT, path="raw/conversations/2026/02/16/1845-ses_a1b2c3d4-x.md")

    told = [(p.line, p.end, p.speaker, p.heading, p.section) for p in document.passages]
    assert told == [
        (11, 11, "user", "Restructuring", 1),
        (14, 19, "agent", "Restructuring", 1),
        (22, 22, "agent", "Restructuring › Plan", 2),
        (25, 25, "", "Restructuring › Afterwards", 3),
    ]
    assert (document.title, document.date, document.tags) == ("Restructuring", "2026-02-16", ("coding", "git"))


def test_a_long_turn_is_cut_at_its_blocks():
    turn = "## 18:45 — user\n" + "\n\n".join(f"Paragraph {n} " + "word " * 40 for n in range(4))

    found = cut(turn)

    assert len(found) == 4
    assert {passage.speaker for passage in found} == {"user"}


@pytest.mark.parametrize(
    ("heading", "speaker"),
    [
        ("## 18:45 — user", "user"),
        ("### 9:05:01 - Ana Maria", "Ana Maria"),
        ("## 1:56 pm – Bo [memory]", "Bo"),
        ("## 10:00 - 11:00 meeting", ""),
        ("## 09:15 — the deploy broke because of a port", ""),
        ("## Ratio 18:45", ""),
    ],
)
def test_a_time_and_a_name_open_a_turn(heading, speaker):
    assert [passage.speaker for passage in cut(f"{heading}\nwords\n")] == [speaker]


def test_headings_above_are_the_path_and_a_deeper_one_ends_with_its_parent():
    text = "# T\n## A\n### Deep\nx\n## B\ny\n# Second\nz\n"

    assert [passage.heading for passage in cut(text)] == ["T › A › Deep", "T › B", "Second"]


@pytest.mark.parametrize(
    ("text", "title", "heading"),
    [
        ("words", "a", "a"),
        ("## H\nwords", "a", "a › H"),
        ("---\nname: Ana\n---\nwords", "Ana", "Ana"),
        ("---\nname: Ana\n---\n# Ana Lima\nwords", "Ana Lima", "Ana Lima"),
        ("---\ntitle: The note\n---\n# Other\nwords", "The note", "The note › Other"),
        ("---\ntitle: the note\n---\n# The Note\nwords", "the note", "The Note"),
        ("#hashtag words", "a", "a"),
    ],
)
def test_the_title_is_the_heads_or_the_first_headings_or_the_files(text, title, heading):
    document = passages.cut(text, path="knowledge/a.md")

    assert (document.title, document.passages[0].heading) == (title, heading)


def test_a_heading_with_nothing_under_it_is_a_passage():
    assert texts("# T\n## A\n## B\n### Deep\nx\n## C\n") == ["## A", "x", "## C"]


def test_the_day_comes_from_the_bullet_the_heading_the_line_above_or_the_path():
    text = "- one\n## 2026-02-16\n- two\n- 2026-01-02: three\n- 2026-02-31: no such day\nDate: 2026-03-01\n- four\n"

    found = cut(text, "memory/2026-02-24-nas.md")

    days = ["2026-02-24", "2026-02-16", "2026-01-02", "2026-02-16", "2026-03-01"]
    assert [passage.date for passage in found] == days
    assert found[-1].section != found[-2].section


def test_a_long_paragraph_is_cut_at_sentences():
    sentences = [f"Sentence number {n} has some words in it." for n in range(60)]

    found = texts(" ".join(sentences))

    assert len(found) > 3
    assert all(len(text) <= LONGEST and text.endswith(".") for text in found)
    assert " ".join(found) == " ".join(sentences)


def test_long_code_is_cut_at_lines_and_each_piece_says_which():
    rows = ["```", *(f"    call_number_{n}(with_some, arguments)" for n in range(60)), "```"]

    found = cut("\n".join(rows))

    assert len(found) > 3
    assert (found[0].line, found[-1].end) == (1, len(rows))
    assert all(a.end + 1 == b.line for a, b in pairwise(found))


def test_a_text_without_blanks_is_cut_all_the_same():
    assert [len(piece) for _, _, piece in pieces("x" * 1500, kind=FENCE)] == [600, 600, 300]


def test_private_blocks_and_koogs_own_text_are_left_out_and_the_lines_stay():
    data = b"one\n\n<private>\nsecret plan\n</private>\n\n<!-- koog:startup -->\nold news\n<!-- /koog -->\n\ntwo\n"

    found = cut(passages.decoded(data))

    assert [(passage.line, passage.text) for passage in found] == [(1, "one"), (11, "two")]


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\n- one\r\n- two\r\n",
        b"---\ntitle: T\n---\n- one\n- two\n",
    ],
)
def test_a_bom_and_carriage_returns_change_nothing(data):
    document = passages.cut(passages.decoded(data), path="a.md")

    assert document.title == "T"
    assert [(passage.line, passage.text) for passage in document.passages] == [(4, "- one"), (5, "- two")]


def test_bytes_that_are_not_utf8_are_replaced():
    assert texts(passages.decoded(b"caf\xe9 au lait\n")) == ["caf\ufffd au lait"]


@pytest.mark.parametrize(
    "head",
    [
        "---\n",
        "---\ntitle: never closed\n",
        "---\n: : :\n\t- [\n---\n",
        "---\ntags: [a, \n  - b\n---\n",
        "---\ndate: yesterday\n---\n",
        "---\n---\n",
    ],
)
def test_a_malformed_head_is_no_error(head):
    assert texts(f"{head}\nwords below\n")[-1] == "words below"


LINES = """
# Title
## Two
### 18:45 — user
####### seven
##
#
- a bullet
  - nested
* star
1. first
words of a line
more words. And more.
    indented
```
```py
~~~
| a | b |
|---|---|
---
...
title: T
Date: 2026-02-28
Date: 2026-02-28 and more
> quoted
- 2026-02-03: then
<!-- note -->
日本語の文。
!!!
"""
LONG = ["\u2028 x", "long " * 200, "x" * 1300, "- " + "A sentence. " * 80, "# " + "h" * 400]
ROWS = st.sampled_from([*LINES.split("\n"), "  ", *LONG])


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(ROWS, max_size=25))
@example(["---", "title: T", "---", "```", "x"])
def test_every_passage_lies_in_its_lines_and_every_line_in_a_passage(rows):
    document = passages.cut("\n".join(rows), path="memory/2026-02-28.md")

    at = 0
    for passage in document.passages:
        assert passage.text in "\n".join(rows[passage.line - 1 : passage.end])
        assert len(passage.text) <= LONGEST
        assert passage.line > at or (passage.line == at and len(rows[at - 1]) > LONGEST)  # a line that was cut
        at = passage.end
    covered = {line for passage in document.passages for line in range(passage.line, passage.end + 1)}
    head = head_lines(rows)
    for number, row in enumerate(rows, 1):
        is_content = number > head and re.search(r"\w", row) and not re.match(r"#{1,6}[ \t]+\S|Date: [\d-]+$", row)
        assert number in covered or not is_content


def head_lines(rows: list[str]) -> int:
    """Return how many lines the YAML head takes."""
    ends = [n for n, row in enumerate(rows[1:], 2) if row in ("---", "...")]
    return ends[0] if rows and rows[0] == "---" and ends else 0


@settings(max_examples=examples(100), deadline=None)
@given(st.text(alphabet=st.sampled_from("ab .!?。\n\t-#`|<>/private "), max_size=1500))
def test_any_text_is_cut_in_order_and_within_its_lines(text):
    rows = strip_private(text).split("\n")

    found = cut("\n".join(rows))

    assert [p.line for p in found] == sorted(p.line for p in found)
    assert all(p.text in "\n".join(rows[p.line - 1 : p.end]) for p in found)


@pytest.mark.parametrize("row", ["x", "a b. ", "- ", "#", "# x\n", "```\n", "|", "<private", "\n\n", "- a\n"])
def test_a_large_text_of_anything_is_cut(row):
    text = row * (300_000 // len(row))

    found = cut(passages.decoded(text.encode()))

    assert all(len(passage.text) <= LONGEST for passage in found)


ENTRIES = [("Anna", "I moved to Lisbon"), ("Bo", "How lovely"), ("Anna", "The flat is small"), ("Bo", "And the sea?")]


@pytest.mark.parametrize(
    "heading",
    [
        "## {time}",
        "## 2:{n}5 PM",
        "### [{time}]",
        "### {name}",
        "## **{name}**:",
        "## {name} ({time})",
        "### {time} {name}",
    ],
)
def test_a_time_or_a_name_over_each_entry_is_no_section_of_its_own(heading):
    rows = [f"{heading.format(time=f'14:{n}5', name=name, n=n)}\n{text}\n" for n, (name, text) in enumerate(ENTRIES)]

    found = cut("# Session\n\nThey meet.\n" + "".join(rows) + "## Afterwards\nNobody speaks.\n")

    assert [(p.line, p.text) for p in found[1:-1]] == [(5 + 2 * n, text) for n, (_, text) in enumerate(ENTRIES)]
    assert [(p.section, p.heading) for p in found] == [(1, "Session")] * 5 + [(2, "Session › Afterwards")]
    is_named = "{name}" in heading
    assert [p.speaker for p in found[1:-1]] == [name if is_named else "" for name, _ in ENTRIES]


def test_who_speaks_once_between_those_who_speak_often_has_a_turn_too():
    found = cut("# S\n## Anna\na\n## Bo\nb\n## Anna\nc\n## Dora\nd\n## Anna\ne\n")

    assert [(p.speaker, p.section) for p in found] == [(name, 1) for name in ("Anna", "Bo", "Anna", "Dora", "Anna")]


@pytest.mark.parametrize(
    "text",
    [
        "# S\n## Anna\na\n## Bo\nb\n## Carol\nc\n",
        "# S\n" + "".join(f"## Week {n}\n### Done\n- a\n- b\n### Next\n- c\n- d\n" for n in range(4)),
        "# S\n## 14:05 the deploy broke because of a port\na\n## 15:00 - 16:00\nb\n## Ratio 18:45\nc\n",
    ],
)
def test_headings_that_tell_what_stands_under_them_are_sections(text):
    found = cut(text)

    assert all(p.heading.count("›") and not p.speaker for p in found)
    assert len({p.section for p in found}) == len({p.heading for p in found})


def test_a_turns_own_headings_and_a_heading_user_make_nobody_speak():
    inside = "".join(f"### user\nword {n}\n### 14:0{n}\nmore {n}\n" for n in range(3))

    assert {p.speaker for p in cut(f"# S\n## 18:45 — agent\nx\n{inside}")} == {"agent"}
    assert {p.speaker for p in cut(f"# S\n{inside}")} == {""}


def test_names_between_labelled_lines_stay_sections_so_that_no_hit_shows_them():
    line = "- 🔴 09:14 the zebra {n} <!-- dc:type=fact dc:source=claude/p/s#a1 dc:project=shop -->"
    found = cut("# S\n" + "".join(f"### Anna\n{line.format(n=n)}\n" for n in range(3)))

    assert len({p.section for p in found}) == 3


def test_a_named_turns_photo_belongs_to_it_and_its_bullets_stay_apart():
    rest = "### Bo\n- one\n- two\n### Anna\nx\n### Bo\ny\n### Anna\nz\n"

    found = cut(f"# S\n### Anna\nLook\n> [photo: a boat]\n{rest}")

    assert [(p.line, p.end, p.speaker) for p in found[:3]] == [(3, 4, "Anna"), (6, 6, "Bo"), (7, 7, "Bo")]
