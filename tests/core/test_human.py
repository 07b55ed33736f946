"""`--human`: the same reply for a person at a terminal."""

from __future__ import annotations

import pytest

from koog.core.human import show

VALUE = {
    "ok": True,
    "path": "memory/a.md",
    "nothing": None,
    "none": [],
    "list": ["one", "two"],
    "nested": {"avg": 0.5, "high": ["x"]},
    "rows": [{"id": "rn", "priority": 80}, {"id": "base", "active": True}],
    "_meta": {
        "schema": "koog.test/1",
        "changes": [{"action": "EDIT", "path": "memory/a.md", "summary": "one [bold]more[/bold] line"}],
        "warnings": ["written, not committed"],
    },
}


@pytest.fixture
def shown(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")

    def run(value) -> str:
        show(value)
        return capsys.readouterr().out

    return run


def test_keys_lists_and_rows_are_all_there_and_none_of_it_is_json(shown):
    out = shown(VALUE)

    lines = [line.split() for line in out.splitlines()]
    assert ["path", "memory/a.md"] in lines
    assert ["nothing", "–"] in lines
    assert ["none", "–"] in lines
    assert ["•", "two"] in lines
    assert ["│", "rn", "│", "80", "│", "–", "│"] in lines
    assert "avg: 0.5" in out
    assert not set(out) & set("{}\"'")
    assert "_meta" not in out
    assert "koog.test/1" not in out


def test_changes_and_warnings_follow_as_lines(shown):
    out = shown(VALUE)

    assert "[EDIT] memory/a.md — one [bold]more[/bold] line\n" in out
    assert "warning: written, not committed\n" in out


def test_a_failure_is_two_lines_what_and_what_next(shown):
    error = {"code": "not_found", "message": "no module 'nope'", "hint": "koog module list", "retryable": False}

    assert shown({"ok": False, "error": error}) == "not_found: no module 'nope'\ntry: koog module list\n"
    assert shown({"ok": False, "error": {**error, "hint": None}}) == "not_found: no module 'nope'\n"


@pytest.mark.parametrize("text", ["\x1b[31mred", "\x1b]0;title\x07", "bell\x07", "back\x08", "\x9b31m", "cr\rover"])
def test_no_note_can_drive_the_terminal(shown, text):
    """What is shown comes from files that anybody may have written."""
    places = [
        {"ok": True, "text": text},
        {"ok": True, "list": [text], "dict": {"a": text}, "rows": [{"a": text}]},
        {"ok": True, "_meta": {"changes": [{"action": "EDIT", "path": text, "summary": text}], "warnings": [text]}},
        {"ok": False, "error": {"code": "bug", "message": text, "hint": text, "retryable": False}},
    ]

    for value in places:
        out = shown(value)

        assert all(c == "\n" or c.isprintable() for c in out), out


def test_bytes_that_are_no_text_are_shown_as_well_as_they_can_be(shown):
    out = shown({"ok": True, "text": b"caf\xe9 latte".decode("utf-8", "surrogateescape")})

    assert "caf" in out
    assert " latte" in out
    out.encode()


def test_a_line_break_in_a_text_stays_one(shown):
    out = shown({"ok": True, "text": "one\ntwo"})

    assert [line.split() for line in out.splitlines()] == [["text", "one"], ["two"]]
