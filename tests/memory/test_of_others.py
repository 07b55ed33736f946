"""What was said in another project, beside or below what was said in this one: neither reader is told the other's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Koog

NOW = ("--now", "2026-03-05T10:00:00Z")
OTHER = "dc:project=/srv/other dc:scope=private"
OURS, THEIRS = "The submarine pen is in Kiel harbour", "the periscope of the submarine belongs to Uwe"
FILES = {"MEMORY.md": "## Critical Facts", "knowledge/reference/x.md": "# X\n\n## Notes"}


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("of", ["", " <!-- dc:project=/srv/third dc:scope=private -->"])
def test_a_line_below_another_projects_is_not_told_with_it(koog: Koog, path: str, of: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(f"{FILES[path]}\n- {OURS}{of}\n  - {THEIRS} <!-- {OTHER} -->\n- Mara leads the team\n")
    ours = ("--project", "/srv/third") if of else ()

    for question in ("where is the submarine pen?", "whose is the periscope of the submarine?"):
        assert THEIRS not in json.dumps(koog(*NOW, "recall", question, *ours)[1])
        assert OURS not in json.dumps(koog(*NOW, "recall", question, "--project", "/srv/other")[1])
    assert OURS in json.dumps(koog(*NOW, "recall", "where is the submarine pen?", *ours)[1])
    assert THEIRS in json.dumps(koog(*NOW, "recall", "whose is the periscope?", "--project", "/srv/other")[1])


def test_what_goes_on_with_another_projects_line_is_nobodys_to_forget(koog: Koog) -> None:
    note = Path("knowledge/reference/y.md")
    note.parent.mkdir(parents=True, exist_ok=True)
    note.write_text(f"# Y\n\n- Uwe has a plan <!-- {OTHER} -->\n  - the dirigible password is swordfish\n")

    _, line = koog(*NOW, "forget", "dirigible password")

    assert (line["matches"], line["near"]) == ([], [])
    assert koog(*NOW, "why", "dirigible password")[1]["error"]["code"] == "not_found"


def test_why_names_nobody_of_whom_another_project_alone_speaks(koog: Koog) -> None:
    hidden = "fact:person--fritz-geheim:99aabbcc"
    folder = Path("memory/graph/entities")
    folder.mkdir(parents=True, exist_ok=True)
    past = f"~~Ben has the keys of the barn~~ (until 2026-03-04) <!-- dc:to=2026-03-04 dc:by={hidden} -->"
    tea = f"Ben likes tea <!-- dc:replaces={hidden} dc:against={hidden} -->"
    (folder / "person--ben.md").write_text(f"# person--ben\n\n## Facts\n- {past}\n- {tea}\n")
    other = folder / "person--fritz-geheim.md"
    other.write_text(f"# person--fritz-geheim\n\n## Facts\n- Fritz Geheim has the keys <!-- {OTHER} -->\n")

    told = [koog(*NOW, "why", words)[1] for words in ("Ben has the keys of the barn", "Ben likes tea")]
    other.write_text(other.read_text().replace(OTHER, "dc:since=2026-03-04"))
    (_, then) = (koog(*NOW, "why", words)[1] for words in ("Ben has the keys of the barn", "Ben likes tea"))

    assert [each["replacedBy"] + each["replaces"] + each["against"] for each in told] == [[], []]
    assert (then["replaces"], then["against"]) == ([hidden], [hidden])
