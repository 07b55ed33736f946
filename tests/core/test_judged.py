"""What was judged before is not judged again, as long as the same judges ask the same."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from koog.core import judged, shipped

# What the judges need of others in core/text is no judgement: names, units, line breaks, what a house taught.
NO_JUDGES = {"voices.py", "bullets.py", "taught.py", "secrets.py"}


def run(state, *, dry_run=False):
    return SimpleNamespace(state_root=state, dry_run=dry_run)


def asked(given, *rows, answer=True):
    """Return the rows that had to be judged, and what was answered."""
    seen = []
    with judged.kept(given):
        answers = [judged.is_held(lambda row=row: (seen.append(row), answer)[1], row, "agent") for row in rows]
    return seen, answers


@pytest.mark.parametrize("answer", [True, False])
def test_a_row_is_judged_once_and_its_answer_stays(sealed, answer):
    assert asked(run(sealed), "a", "b", "a", answer=answer) == (["a", "b"], [answer] * 3)
    assert asked(run(sealed), "b", "c", answer=answer) == (["c"], [answer] * 2)
    assert asked(run(sealed), "a", "b", answer=not answer) == ([], [answer] * 2)


def test_what_else_is_asked_of_a_row_is_another_question(sealed):
    with judged.kept(run(sealed)):
        assert judged.is_held(lambda: True, "a", "agent")
        assert not judged.is_held(lambda: False, "a", "quoted")


def test_other_judges_judge_anew(sealed, monkeypatch):
    asked(run(sealed), "a")
    monkeypatch.setattr(judged, "_judges", lambda: b"other weights")

    assert asked(run(sealed), "a", answer=False) == (["a"], [False])


def test_nothing_is_kept_without_a_state_root_in_a_dry_run_or_outside_the_block(sealed):
    assert asked(run(None), "a", "a")[0] == ["a", "a"]
    asked(run(sealed, dry_run=True), "a")
    judged.is_held(lambda: True, "a", "agent")

    assert not (sealed.path / judged.FILE).exists()


def test_the_text_of_a_row_is_not_kept(sealed):
    asked(run(sealed), "Ana's alarm code is 4711")

    assert "4711" not in (sealed.path / judged.FILE).read_text()


@pytest.mark.parametrize("content", [b"\xff\xfe\n", b"+\n-\n\n"])
def test_a_list_that_is_damaged_answers_nothing(sealed, content):
    (sealed.path / judged.FILE).write_bytes(content)

    assert asked(run(sealed), "a", answer=False) == (["a"], [False])


def test_all_that_judges_is_told_apart():
    folder, found, new = shipped.PACKAGE / "core/text", set(), {"trust.py"}
    while new:
        name = new.pop()
        found.add(name)
        for node in ast.walk(ast.parse((folder / name).read_text())):
            if isinstance(node, ast.ImportFrom) and node.module == "koog.core.text":
                new |= {f"{each.name}.py" for each in node.names} - found - NO_JUDGES
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("koog.core.text."):
                new |= {f"{node.module.rpartition('.')[2]}.py"} - found - NO_JUDGES

    assert found <= set(judged.JUDGES)
