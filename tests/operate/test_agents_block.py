"""koog init --agents: what AGENTS.md says of the memory.  [moltbot §13.5, §14]"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.cli import COMMANDS
from koog.core.proposal_form import FIELDS
from koog.core.text import tokens
from koog.operate import agents_block as block


@given(st.text().map(lambda text: text.replace("\r", "")))
def test_put_in_and_taken_away_a_file_is_as_it_was(text):
    once = block.added(text)

    assert text in once
    assert block.added(once) == once
    assert block.without(once) == text


def test_it_is_short_and_its_commands_exist():
    told = block.added("")

    named = {tuple(words.split()) for words in re.findall(r"`koog (?:--agent \S+ )?([a-z]+(?: [a-z-]+)?)", told)}
    assert tokens.estimate(told) <= block.MOST_TOKENS
    for first, *rest in named:
        assert first in COMMANDS
        assert isinstance(COMMANDS[first], str) or rest[0] in COMMANDS[first]
    assert all(f"**{field}**" in told for field in FIELDS)


def test_what_a_person_wrote_behind_it_stays_and_an_older_one_is_updated_in_its_place():
    older = f"# Mine\n{block.BEGIN}\nwords of an older koog\n{block.KOOG_END}\nAfter.\n"

    now = block.added(older)

    assert now.startswith(f"# Mine\n{block.BEGIN}\n## Memory") and now.endswith(f"{block.KOOG_END}\nAfter.\n")
    assert block.without(now) == "# Mine\nAfter.\n"


@pytest.mark.parametrize(
    ("files", "options", "path"),
    [
        ({}, (), "AGENTS.md"),
        ({"AGENTS.md": "a\n", "CLAUDE.md": "c\n"}, (), "AGENTS.md"),
        ({"CLAUDE.md": "c\n"}, (), "CLAUDE.md"),
        ({"CLAUDE.md": "@AGENTS.md\n"}, ("--host", "claude"), "AGENTS.md"),
        ({"AGENTS.md": "a\n"}, ("--host", "claude"), "CLAUDE.md"),
        ({"AGENTS.md": "a"}, ("--host", "codex"), "AGENTS.md"),
    ],
    ids=str,
)
def test_it_stands_where_the_host_reads_it(files, options, path, workspace, koog):
    for name, text in files.items():
        (workspace / name).write_text(text)

    code, line = koog("init", ".", *options, "--agents")

    assert (code, line["agents"]) == (0, [{"path": path, "action": "created"}])
    assert block.BEGIN in (workspace / path).read_text()
    assert koog("init", ".", *options, "--agents")[1]["agents"] == [{"path": path, "action": "unchanged"}]
    assert koog("init", ".", "--agents", "--remove")[1]["agents"] == [{"path": path, "action": "removed"}]
    assert {name: (workspace / name).read_text() for name in files} == files
    assert (workspace / path).exists() is (path in files)
    assert koog("init", ".", "--agents", "--remove")[1]["agents"] == []


def test_half_a_block_is_left_to_the_person(workspace, koog):
    text = f"# Mine\n{block.BEGIN}\nwords\n"
    (workspace / "AGENTS.md").write_text(text)

    assert koog("init", ".", "--agents")[1]["error"]["code"] == "refused"
    assert (workspace / "AGENTS.md").read_text() == text


def test_remove_alone_is_a_wrong_call(workspace, koog):
    assert koog("init", ".", "--remove")[0] == 2
