"""koog/core/text/markdown.py: blocks for the index, pieces for who reads what people wrote."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text import markdown
from koog.core.text.markdown import BULLET, CODE, FENCE, HEADING, QUOTE, TEXT, blocks, headings, pieces

FENCES = [
    ("~~~\n```\n- use MySQL\n```\n~~~", "a `~~~` fence holds ```"),
    ("````\n```\n- use MySQL\n```\n````", "a longer fence holds a shorter one"),
    ("```py title\n# a\n\n- use MySQL\n```", "a fence holds headings, blanks and bullets"),
    ("```\n    ```\n- use MySQL\n```", "a mark indented by four closes nothing"),
    ("- ```\n  - use MySQL\n  ```", "a fence begins in a list item"),
    ("1. Run:\n\n   ~~~sh\n   - use MySQL\n   ~~~", "a fence stands below a list item"),
    ("> ```\n> - use MySQL\n> ```", "a fence stands in a quotation"),
    ("- > - use MySQL", "a list item quotes"),
    ("Text:\n\n    - use MySQL", "indented code"),
    ("```\n``` a\n- use MySQL\n```", "a mark with words behind it closes nothing"),
]
ROW = st.sampled_from(
    [
        "",
        "  ",
        "# Plan",
        "We ship on",
        "we ship.",
        "- a",
        "  - [x] b",
        "1. c",
        "• d",
        "> q",
        "> - q",
        "```",
        "~~~",
        "````py",
        "    code",
        "\tcode",
        "| a |",
        "a | b",
        "--- | ---",
        "---",
        "===",
        "今天发布",
        "user: hi",
        "- ```",
        "> ```",
        "[ ] e",
    ]
)


def said(text: str) -> list[tuple[str, str, int]]:
    return [(p.kind, p.text, p.line) for p in pieces(text)]


@pytest.mark.parametrize(("quoted", "why"), FENCES)
def test_quoted_code_is_never_prose_and_what_follows_is_not_swallowed(quoted: str, why: str) -> None:
    text = f"Before it.\n\n{quoted}\n\nThe real rule stands here."
    own = [p for p in pieces(text) if p.kind in ("prose", "bullet")]
    assert not any("MySQL" in p.text for p in own), why
    assert own[0].text == "Before it." and own[-1].text == "The real rule stands here.", why


def test_code_on_one_row_of_a_paragraph_opens_no_fence() -> None:
    assert said("```make``` builds it.\nTests follow.") == [
        ("prose", "```make``` builds it.", 1),
        ("prose", "Tests follow.", 2),
    ]


@pytest.mark.parametrize(
    ("row", "mark", "done"),
    [
        ("- a b", "-", False),
        ("* a b", "*", False),
        ("+ a b", "+", False),
        ("• a b", "•", False),
        ("1. a b", "1.", False),
        ("2) a b", "2)", False),
        ("- [ ] a b", "-", False),
        ("3. [x] a b", "3.", True),
        ("- [X] a b", "-", True),
        ("- **a** [b](https://x.org/y_z)", "-", False),
        ("[x] a b", "", True),
    ],
)
def test_every_kind_of_bullet(row: str, mark: str, done: bool) -> None:
    (piece,) = pieces(row)
    assert (piece.kind, piece.text, piece.mark, piece.is_done) == ("bullet", "a b", mark, done)


def test_bullets_have_a_depth_and_a_heading() -> None:
    found = list(pieces("# A\n- a\n    - b\n        1. c\n    - d\n- e\n\nProse\n\n## B ##\n- f"))
    assert [(p.text, p.depth, p.heading) for p in found] == [
        *[("a", 0, "A"), ("b", 1, "A"), ("c", 2, "A"), ("d", 1, "A"), ("e", 0, "A")],
        *[("Prose", 0, "A"), ("f", 0, "B")],
    ]


def test_plain_lines_are_thoughts_of_their_own() -> None:
    text = "We use Postgres for the queue\nTests run on Fridays\nuser: no tabs\nassistant: ok\n今天发布\n周五测试"
    assert [p.text for p in pieces(text)] == text.split("\n")


@pytest.mark.parametrize(
    "text",
    [
        "The retention job for staging is owned by the platform team, and since\nlast Tuesday it prunes snapshots",
        "We moved the nightly export to the\nOslo region",
        "Die Freigabe macht der Betrieb, und die\nAbnahme folgt am Freitag",
        "- Use tabs\n  in every file",
        "Ask Fatima,\nBen or Chloé",
    ],
)
def test_a_wrapped_sentence_is_one(text: str) -> None:
    assert len(list(pieces(text))) == 1


def test_a_wrapped_chinese_sentence_is_joined_without_a_blank() -> None:
    row = "我们决定从下个月开始把所有夜间导出任务都迁移到新的集群上运行因为旧的集群"
    assert [p.text for p in pieces(f"{row}\n成本太高。")] == [f"{row}成本太高。"]


def test_a_whole_note() -> None:
    text = "---\ntitle: x\n---\nTitle\n===\n> So\n> it goes\n\n| a |\n|---|\n\na | b\n--|--\n1 | 2\n\n***\nEnd."
    assert said(text) == [
        ("head", "---\ntitle: x\n---", 1),
        ("quote", "So it goes", 6),
        ("table", "| a |\n|---|", 9),
        ("table", "a | b\n--|--\n1 | 2", 12),
        ("prose", "End.", 17),
    ]
    assert list(pieces(text))[-1].heading == "Title"


def test_lines_are_counted_from_the_first_one() -> None:
    assert [(p.kind, p.line) for p in pieces("---\na\n---\n- b", first_line=7)] == [("prose", 8), ("bullet", 10)]


@given(st.lists(ROW, max_size=30))
def test_each_piece_stands_on_its_line_and_nothing_is_told_twice(rows: list[str]) -> None:
    numbered = [f"{row} w{n}" if any(map(str.isalpha, row)) else row for n, row in enumerate(rows, 1)]
    found = list(pieces("\n".join(numbered)))
    assert [p.line for p in found] == sorted({p.line for p in found})
    for piece in found:
        first = next((word for word in piece.text.split() if word[:1] == "w" and word[1:].isdigit()), None)
        if first and f"w{piece.line}" in numbered[piece.line - 1] and piece.kind not in ("code", "table", "head"):
            assert first == f"w{piece.line}"
    told = " ".join(p.text for p in found).split() + " ".join({p.heading for p in found}).split()
    words = [f"w{n}" for n, row in enumerate(rows, 1) if row and any(map(str.isalpha, row)) and row != "# Plan"]
    assert all(told.count(word) >= 1 for word in words)


@given(st.text() | st.lists(ROW).map("\n".join))
def test_blocks_cover_every_row_once_and_any_text_is_read(text: str) -> None:
    rows = text.split("\n")
    taken = [at for _, start, stop in blocks(rows) for at in range(start, stop)]
    assert taken == sorted(set(taken))
    assert all(not rows[at].strip() for at in set(range(len(rows))) - set(taken))
    for piece in pieces(text):
        assert piece.kind in ("prose", "bullet", "quote", "code", "table", "head")


@given(st.lists(st.text("#-*> 1.|\t=aD:`\n", max_size=9).map(lambda row: row.replace("\n", "")), max_size=12))
def test_headings_are_those_of_the_blocks(rows: list[str]) -> None:
    plain = [row.replace("```", "") for row in [*rows, "# " + "long" * 80, "## end"]]

    assert headings(plain) == [start for kind, start, _ in blocks(plain) if kind == HEADING]


def test_blocks_know_quotations_and_indented_code() -> None:
    rows = "a\n\n    b\n\n- c\n\n    d\n\n        e\n> f\n> g\n~~~\n```\n~~~\nh".split("\n")
    assert [kind for kind, _, _ in blocks(rows)] == [TEXT, CODE, BULLET, TEXT, CODE, QUOTE, FENCE, TEXT]


HOSTILE = [
    " ",
    "`",
    "```\n",
    "- ```\n",
    "- ",
    ">",
    "> ",
    " >",
    "#",
    "|",
    "*",
    "_",
    "_a",
    "~",
    "[",
    "[a](",
    "-",
    "=",
    "a\n",
    "- a\n",
]


@pytest.mark.wide(11)
@pytest.mark.parametrize(
    "unit", [*HOSTILE, "a | b\n", "--|\n", "<", "1. ", "**a", "\t", "> a\n", "`a", "~~a", "[[a|", "。", "A\n"]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    begun = time.process_time()
    list(pieces(unit * (100_000 // len(unit))))
    assert time.process_time() - begun < 2.4


def test_the_name_of_a_heading_keeps_its_sign() -> None:
    assert markdown.KIND.match("# C#") and [p.heading for p in pieces("# C#\na")] == ["C#"]
