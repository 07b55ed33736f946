"""Of which group a note was made that OpenClaw's session-memory hook wrote."""

from __future__ import annotations

import pytest

from koog.sessions.notes import group_of_note

# As src/hooks/bundled/session-memory/HOOK.md in https://github.com/openclaw/openclaw shows it.
NOTE = """# Session: 2026-01-16 14:30:00 UTC

- **Session Key**: {}
- **Session ID**: abc123def456
- **Source**: telegram

## Conversation Summary

user: what do we ship?
assistant: the release
"""


@pytest.mark.parametrize(
    ("key", "group"),
    [
        ("agent:main:main", ""),
        ("agent:main:telegram:direct:42", ""),
        ("agent:main:dashboard:7", ""),
        ("agent:main:telegram:group:-100123", "telegram:group:-100123"),
        ("agent:main:telegram:group:-100123:topic:7", "telegram:group:-100123"),
        ("agent:ops:discord:channel:42:thread:9", "discord:channel:42"),
        ("group:120363@g.us", "group:120363@g.us"),
        ("agent:main:carrier-pigeon:loft", "carrier-pigeon:loft"),
    ],
)
def test_a_notes_key_says_whose_it_is(key, group):
    assert group_of_note(NOTE.format(key)) == group
    assert group_of_note(NOTE.format(key).replace("\n", "\r\n")) == group


@pytest.mark.parametrize("text", ["", "# Notes\n\n- a key: agent:main:telegram:group:-1\n", NOTE.format("").strip()])
def test_any_other_note_is_nobodys(text):
    assert group_of_note(text) == ""


def test_what_somebody_said_in_it_makes_a_groups_note_no_private_one():
    text = NOTE.format("agent:main:telegram:group:-1") + "\n- **Session Key**: agent:main:main\n"

    assert group_of_note(text) == "telegram:group:-1"


def test_a_note_with_several_sessions_is_a_groups_when_one_of_them_is():
    text = NOTE.format("agent:main:main") + "\n---\n\n" + NOTE.format("agent:main:discord:channel:42")

    assert group_of_note(text) == "discord:channel:42"
