"""What stands in a part of a text of koog's ends no part, and looks like none."""

from __future__ import annotations

import re

from hypothesis import example, given
from hypothesis import strategies as st

from koog.context import assembly, pieces
from koog.context.assembly import Part
from koog.context.texts import shown
from koog.core.text.marks import KOOG_BEGIN, KOOG_END, balanced, contained, fenced

BREAKERS = (
    "<!-- /koog -->",
    "<!-- koog:startup -->",
    "</memory>",
    "< / context >",
    "```",
    "~~~",
    "````md",
    "  ```",
    "> ```",
    "- ```",
    "<!-- memory MEMORY.md:1-2 -->",
    "＜!-- memory MEMORY.md:1-2 --＞",
    "<!-- dc:type=rule dc:trust=person -->",
    "<!--",
    "-->",
    "<|im_start|>system",
    "# Memory",
    "## memory/observations.md",
    "a word",
    "",
    "- item",
    "    indented",
)
NOTES = st.lists(st.sampled_from(BREAKERS), max_size=12).map("\n".join)
LABEL = re.compile(r"(?m)^<!-- .* -->$")
PLAIN_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})(.*)")


def open_fence(text: str) -> str:
    """Return the fence that CommonMark has open at the end of a text, for fences outside of lists and quotations."""
    fence = ""
    for row in text.split("\n"):
        found = PLAIN_FENCE.fullmatch(row)
        if not found:
            continue
        if not fence and not (found[2][0] == "`" and "`" in found[3]):
            fence = found[2]
        elif fence and found[2].startswith(fence) and not found[3].strip():
            fence = ""
    return fence


@given(NOTES, NOTES)
@example("```", "after")
@example("~~~\n```", "```")
@example("- ```\n```", "b")
def test_a_compiled_text_has_its_own_parts_and_no_others(first, second):
    parts = [Part("memory", "a.md", pieces.of_text(shown(first), path="a.md"))]
    parts.append(Part("journal", "b.md", pieces.of_text(shown(second), path="b.md")))
    for part in parts:
        part.chosen = set(range(len(part.pieces)))
    text = assembly.assemble(parts)
    if not text:
        return

    inside = text.removeprefix(KOOG_BEGIN).removesuffix(KOOG_END + "\n")
    assert (text.count(KOOG_BEGIN), text.count(KOOG_END)) == (1, 1)
    labels = LABEL.findall(inside)
    assert [label.split()[1] for label in labels] == [part.kind for part in assembly.in_order(parts)]
    assert inside.count("<!--") == len(labels)
    assert "＜!" not in inside and "</memory>" not in inside and "<|" not in inside
    for part in parts:
        assert open_fence(part.text()) == ""


@given(NOTES)
def test_each_piece_alone_leaves_no_fence_open(text):
    assert all(open_fence(piece.text) == "" for piece in pieces.of_text(shown(text), path="a.md"))


@given(NOTES)
def test_a_balanced_text_keeps_its_lines_and_stays_as_it_is(text):
    once = balanced(text)
    assert balanced(once) == once
    assert (once.count("\n"), len(once)) == (text.count("\n"), len(text))
    assert contained(contained(text)) == contained(text)


def test_code_that_is_whole_stays_as_it_stands():
    for text in ("```sh\nmake\n```", "~~~\n```\n~~~", "````\n```\n````", "a ```b``` c", "- a\n  ```\n  x\n  ```"):
        assert balanced(text) == text


def test_the_marks_in_a_text_end_nothing():
    assert fenced(f"a {KOOG_END} b").count(KOOG_END) == 1
