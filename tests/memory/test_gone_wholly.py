"""koog forget --hard of each kind of memory: neither its words nor its names are left in any file but git's objects."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from koog.memory.store import entities
from tests.conftest import Koog
from tests.memory.test_deleted import holding

NOW = ("--now", "2026-03-05T10:00:00Z")
LATER = ("--now", "2026-03-06T10:00:00Z")
NAMES = {
    "entity": "quillabrand",
    "alias": "brandywhisk",
    "fact": "zanzibarquartz",
    "episode": "morvellaharp",
    "procedure": "tressilfork",
    "core": "ondrablaze",
    "vault": "wickelmoon",
    "session": "fjordpepper",
}


@pytest.fixture
def told(koog: Koog, sealed: Any, workspace: Path) -> dict[str, str]:
    """A workspace that holds one of each kind, in all that koog makes of it; return the ids."""
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    name = NAMES["entity"].capitalize()

    def keep(text: str, *more: str) -> str:
        code, line = koog(*NOW, "remember", text, "--explicit", *more)
        assert code == 0, line
        return str(line["id"])

    found = {
        "fact": keep(f"Ana keeps the {NAMES['fact']} in the drawer", "--store", "semantic", "--entity", "Ana"),
        "episode": keep(f"The {NAMES['episode']} concert was on Friday", "--store", "episodic"),
        "procedure": keep(f"To start the {NAMES['procedure']}, turn the key twice", "--store", "procedural"),
        "core": keep(f"The {NAMES['core']} meeting begins at nine", "--store", "core"),
        "vault": keep(f"The letter about {NAMES['vault']} is in the blue box", "--store", "vault"),
    }
    keep(f"My colleague {name} Lund works with Ana at Otter Labs", "--store", "semantic", "--entity", f"{name} Lund")
    keep(f"{name} Lund now works with Ben at Heron Works", "--store", "semantic", "--entity", f"{name} Lund")
    (path,) = Path("memory/graph/entities").glob(f"*{NAMES['entity']}*")
    read = entities.read(path.read_text(), path.stem, str(path))
    path.write_text(entities.with_alias(path.read_text(), read, NAMES["alias"].capitalize()))
    found["entity"] = f"entity:{path.stem}"
    other = Path("memory/graph/entities/person--ana.md")
    other.write_text(other.read_text() + f"\n## Relations\n- knows: [[{path.stem}]]\n")
    Path("memory/2026-03-04.md").write_text(f"# Day\n\n- Met {name} Lund for lunch.\n- The lift is broken.\n")
    raw = workspace.with_name("ws-raw") / "conversations/2026/03/04.md"
    raw.parent.mkdir(parents=True, exist_ok=True)
    raw.write_text(
        f"# 2026-03-04\n\n## 09:14 — user\n\nAsk {name.upper()}  LUND about it.\n\n## 09:15 — agent\n\nDone.\n"
    )
    seen = f"- 🔴 09:14 The {NAMES['session']} is ripe in May <!-- dc:type=fact dc:source=claude/3f#a1 -->"
    Path("memory/observations.md").write_text(f"# Observations\n\nDate: 2026-03-04\n\n{seen}\n- 🟢 09:15 Mara called\n")
    for id_ in found.values():
        koog(*NOW, "pin", id_)
        koog(*NOW, "unpin", id_)
    koog(*NOW, "recall", f"where does {name} Lund work?", "--used", found["entity"])
    koog(*NOW, "forget", "--confirm", found["fact"])
    koog(*NOW, "forget", "--undo", found["fact"])
    koog(*LATER, "decay", "run")
    koog(*LATER, "consolidate", "run")
    koog(*LATER, "status")
    assert koog(*LATER, "search", NAMES["episode"])[1]["hits"]
    return found


def places(folder: Path, word: str) -> list[str]:
    named = [str(p.relative_to(folder)) for p in folder.rglob(f"*{word}*") if "objects" not in p.parts]
    return [path for path in sorted({*holding(folder, word), *named}) if "/.git/logs/" not in f"/{path}"]


def test_nothing_of_any_kind_is_left_in_words_or_names(
    koog: Koog, told: dict[str, str], workspace: Path, sealed: Any
) -> None:
    folder = workspace.parent
    before = {kind: places(folder, word) for kind, word in NAMES.items()}

    code, line = koog(*LATER, "forget", "--hard", "--confirm", *told.values())
    again, lesson = koog(*LATER, "forget", "--hard", "--confirm", "--session", "claude/3f")

    assert (code, again) == (0, 0), (line, lesson)
    assert all(before.values())
    assert {kind: places(folder, word) for kind, word in NAMES.items()} == {kind: [] for kind in NAMES}
    assert koog(*LATER, "audit", "verify")[1]["verdict"] == "intact"
    stones = [json.loads(row) for row in Path("memory/meta/forgotten.jsonl").read_text().splitlines()]
    assert {row["id"].partition(":")[0] for row in stones if row["op"] == "delete"} == {"gone"}
    noted = [row.split() for row in (sealed.path / "chain.log").read_text().splitlines() if row[:2] == "r "]
    assert all(row[2] != row[4] for row in noted)
    for id_ in told.values():
        assert koog(*LATER, "why", id_)[1]["status"] == "deleted", id_
        assert koog(*LATER, "forget", "--undo", id_)[1]["error"]["code"] == "refused", id_
    assert "The lift is broken." in Path("memory/2026-03-04.md").read_text()
    assert koog(*LATER, "recall", "who is Ana?")[0] == 0


def test_a_name_that_is_an_ordinary_word_stays_until_somebody_says_it(koog: Koog, sealed: Any, workspace: Path) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    said = ("--explicit", "--store", "semantic", "--entity", "garden")
    (found,) = koog(*NOW, "remember", "the garden needs forty bulbs", *said)[1]["entities"]
    note = Path("memory/2026-03-04.md")
    note.write_text("# Day\n\n- We sat in the garden of Mara.\n")

    _, line = koog(*NOW, "forget", "--hard", "--confirm", f"entity:{found['id']}")
    told = [each["command"] for each in line["notCleaned"]]

    assert "the garden of Mara" in note.read_text()
    assert "koog forget --hard --confirm --words garden" in told
    koog(*NOW, "forget", "--hard", "--confirm", "--words", "garden")
    assert places(workspace.parent, "garden") == []


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Jonas Weiß", "JONAS WEISS"),
        ("Jonas Weiß", "Jonas Weiß"),
        ("José Quintero", unicodedata.normalize("NFD", "José Quintero")),
        ("José Quintero", '{"text": "Jos\\u00e9 Quintero"}'),
        ("Zoltan Vexler", r'said {"text": "one\nZoltan Vexler"}'),
    ],
)
def test_a_name_goes_however_it_is_written(koog: Koog, sealed: Any, workspace: Path, name: str, written: str) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    said = ("--explicit", "--store", "semantic", "--entity", name)
    (found,) = (e for e in koog(*NOW, "remember", f"{name} lives in Lugo", *said)[1]["entities"] if e["name"] == name)
    note = Path("memory/2026-03-04.md")
    note.write_text(f"# Day\n\n- Met {written} for lunch.\n")

    assert koog(*NOW, "forget", "--hard", "--confirm", f"entity:{found['id']}")[0] == 0

    left = note.read_text()
    assert name[:3].lower() not in left.lower()
    assert name.rpartition(" ")[2][:3].lower() not in left.lower()


@pytest.mark.parametrize("name", ["Koog", "Claude"])
def test_a_name_with_which_koogs_own_files_are_written_stays_there(
    koog: Koog, sealed: Any, workspace: Path, name: str
) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    said = ("--explicit", "--store", "semantic", "--entity", name)
    id_ = koog(*NOW, "remember", f"{name} lives in Lugo", *said)[1]["id"].partition(":")[2].rpartition(":")[0]
    Path(".gitignore").write_text(".koog/\n")
    seen = "- 🔴 09:14 The gate opens at ten <!-- dc:type=fact dc:source=claude/3f#a1 -->"
    Path("memory/observations.md").write_text(f"# Observations\n\nDate: 2026-03-04\n\n{seen}\n")

    code, line = koog(*NOW, "forget", "--hard", "--confirm", f"entity:{id_}")

    assert code == 0
    assert Path(".gitignore").read_text() == ".koog/\n"
    assert seen in Path("memory/observations.md").read_text()
    assert any(f"the name {name}, wherever it stands: koog's own" in each["what"] for each in line["notCleaned"])
