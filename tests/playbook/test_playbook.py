"""koog playbook show."""

from __future__ import annotations


def test_show_tells_where_the_playbook_stands_and_how_it_came_about(koog, sample):
    koog("curate", "--now", "2026-02-28T20:00:00Z")

    _, line = koog("playbook", "show", "--history", "5")

    assert line["which"] == "base"
    assert "Keyset pagination" in line["text"]
    assert [h["actor"] for h in line["history"]] == ["skill:koog", None]
    assert line["history"][0]["subject"].startswith("[EDIT] memory/sinain-playbook.md")
    assert line["effectiveness"].startswith("outputs=")


def test_long_text_is_paged(koog, workspace):
    text = "".join(f"- line {n} of a long playbook\n" for n in range(600))
    (workspace / "memory/sinain-playbook.md").write_text(text)

    pieces, offset = [], 0
    while offset is not None:
        _, line = koog("playbook", "show", "--offset", str(offset))
        pieces.append(line["text"])
        offset = line["nextOffset"]

    assert "".join(pieces) == text
    assert len(pieces) > 1


def test_a_workspace_without_a_playbook_shows_an_empty_one(koog):
    code, line = koog("playbook", "show", "--history", "3")

    assert (code, line["text"], line["lines"], line["history"]) == (0, "", 0, [])


def test_the_effective_playbook_has_no_private_block_and_no_secret_and_a_block_left_open_hides_only_its_source(
    koog, workspace
):
    secret = "sk-ant-abcdefghijklmnopqrstuvwxyz012345"
    (workspace / "modules/base-behaviors/patterns.md").write_text("- of the module\n<private>the vault\n")
    base = workspace / "memory/sinain-playbook.md"
    base.write_text(f"- of the base\n- <private>the safe</private> {secret}\n")

    koog("playbook", "build")

    text = (workspace / "memory/sinain-playbook-effective.md").read_text()
    assert "- of the module" in text and "- of the base" in text
    assert not [hidden for hidden in ("vault", "safe", secret) if hidden in text]
    assert secret in base.read_text()
