"""koog.core.git.screen: what is private or secret stays out of git, and what is in git already does not hinder."""

from __future__ import annotations

import pytest

from koog.core.git.screen import Looked, private_blocks

SALARY = "# Day\n\n<private>my salary</private>\n"


def looked(text: str, before: str | None = None):
    return Looked()("a.md", text.encode(), lambda: before.encode() if before is not None else None)


@pytest.mark.parametrize(
    "text", [SALARY, "a\nb\n< PRIVATE why='x'>c", "a\nb\n<private/>", "<private>a\n", "a `<private` b <private>c"]
)
def test_a_file_with_a_private_block_stays_out_and_its_line_is_told(text):
    found = looked(text)

    assert found is not None
    assert found.line == text[: text.lower().index("private")].count("\n") + 1 or "`" in text


def test_a_block_that_is_in_git_already_hinders_no_other_change():
    assert looked(SALARY + "- more\n", SALARY) is None
    assert looked(SALARY.replace("salary", "new salary"), SALARY) is not None


def test_what_comes_into_an_open_block_is_private():
    assert looked("<private>\nmine\nmore\n", "<private>\nmine\n") is not None


def test_a_tag_that_is_only_spoken_of_is_no_block():
    assert looked("What nobody should keep goes between `<private>` and `</private>`.\n") is None


def test_blocks_are_counted_with_their_depth():
    assert private_blocks("<private>a <private>b</private> c</private> </private> d <private>e") == [
        ("<private>a <private>b</private> c</private>", 0),
        ("<private>e", 57),
    ]


def test_the_same_bytes_are_looked_through_once():
    looked = Looked()
    asked = []

    for _ in range(2):
        assert looked("a.md", b"x\n" * 40_000, lambda: asked.append(1)) is None

    assert len(asked) == 1
