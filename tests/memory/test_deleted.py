"""koog forget --hard: no byte of the words in any file but git's objects; the log verifies; a kill is finished."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Koog
from tests.test_every_moment import run

NOW = ("--now", "2026-03-05T10:00:00Z")
WORD = "zanzibarquartz"
FACT = f"The locker code of the gym is {WORD} seventy seven"


@pytest.fixture
def full(koog: Koog, sealed: Any, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace in which the words stand wherever koog, a host or a person put them; return the folder around it."""
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    for store in ("core", "episodic", "semantic", "vault"):
        more = ("--entity", "gym") if store == "semantic" else ()
        assert koog(*NOW, "remember", FACT, "--explicit", "--store", store, *more)[0] == 0
    assert koog(*NOW, "remember", "Mara leads the mobile team", "--explicit", "--store", "core")[0] == 0
    rows = f"- 🔴 09:14 {FACT} <!-- dc:type=fact dc:source=claude/3f#a1 -->\n- 🟢 09:15 Mara called\n"
    raw = '<!-- koog:raw session=claude/3f from=a2 to=a2 -->\n{"id":"a2","at":"2026-03-04T09:15:00Z","role":"user",'
    raw += f'"text":"Hello.\\n{FACT}","origin":"user"}}\n<!-- /koog:raw -->\n'
    files = {
        "memory/observations.md": f"# Observations\n\nDate: 2026-03-04\n\n{rows}\n{raw}",
        "memory/observation-backups/observations-2026-03-01-101010.md": f"# Observations\n\n{rows}",
        "memory/sinain-playbook.md": f"# Sinain Playbook\n\n## Patterns\n- {FACT} (score: 0.7)\n- Ask first\n",
        "memory/sinain-playbook-effective.md": f"# Effective\n\n- {FACT}\n",
        "memory/playbook-archive/sinain-playbook-2026-03-01-1010.md": f"- {FACT}\n- Ask first\n",
        "memory/playbook-logs/2026-03-04.jsonl": json.dumps({"ts": "x", "output": {"insight": f"{FACT}!"}}) + "\n",
        "memory/2026-03-04.md": f"# Day\n\n- He said: {FACT.upper()}.\n- The lift is broken.\n",
        "memory/session-summaries.jsonl": json.dumps({"summary": f"They spoke. {FACT}. Then lunch."}) + "\n",
        "memory/meta/audit-archive.md": f"- {FACT}\n",
        "memory/meta/pending-memories.md": f"# Pending\n\n**Content:** {FACT}\n",
        "knowledge/people/mara.md": f"Mara knows it: {FACT}\n",
        ".koog/structured.json": json.dumps({"x": FACT}),
        ".koog/recovered/MEMORY.md.17": f"- {FACT}\n",
    }
    for name, text in files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    transcript = workspace.with_name("ws-raw") / "conversations/2026/03/04.md"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(f"# 2026-03-04\n\n## 09:14 — user\n\nPlease remember: {FACT}.\n\n## 09:15 — agent\n\nDone.\n")
    transcript.chmod(0o444)
    told = sealed.path / "told"
    told.mkdir()
    (told / "9f.json").write_text(json.dumps({"at": "2026-03-04T09:00:00Z", "text": FACT}))
    (sealed.path / "failures.log").write_text(json.dumps({"message": f"no: {FACT}"}) + "\n")
    spool = sealed.path.parent / "spool"
    spool.mkdir()
    event = f"{17:020d}-0a1b2c3d.0"
    (spool / event).write_text(json.dumps({"argv": []}) + "\n" + json.dumps({"prompt": f"remember {FACT}"}))
    assert koog(*NOW, "search", WORD)[1]["hits"]
    return workspace.parent


def holding(folder: Path, word: str = WORD) -> list[str]:
    """Return the files that hold a word in any case and any of JSON's spellings, but git's objects."""
    found = []
    for path in folder.rglob("*"):
        is_read = path.is_file() and not path.is_symlink() and "objects" not in path.parts
        if is_read and word.encode() in path.read_bytes().lower():
            found.append(str(path.relative_to(folder)))
    return sorted(found)


def ids_of(koog: Koog) -> list[str]:
    return [row["id"] for row in koog(*NOW, "forget", FACT)[1]["matches"]]


def test_no_byte_of_it_is_left_but_in_the_objects_of_git(koog: Koog, full: Path) -> None:
    before = holding(full)
    found = ids_of(koog)

    code, line = koog(*NOW, "forget", "--hard", "--confirm", *found)

    assert (code, set(found) <= set(line["deleted"])) == (0, True)
    assert len(before) > 15
    assert holding(full) == []
    assert {place["path"] for place in line["places"]} >= {
        "MEMORY.md",
        "memory/2026-03-04.md",
        "memory/observation-backups/observations-2026-03-01-101010.md",
        "raw/conversations/2026/03/04.md",
        ".koog/index.db",
        "state/told/9f.json",
    }
    assert WORD not in json.dumps(line)
    assert any("filter-repo" in row["command"] for row in line["notCleaned"])
    assert any(".git/logs, .git/index" in row["what"] and "reflog" in row["command"] for row in line["notCleaned"])
    assert WORD in subprocess.run(["git", "log", "-p", "--all"], capture_output=True, text=True, check=True).stdout


def test_what_stands_beside_it_stays(koog: Koog, full: Path) -> None:
    koog(*NOW, "forget", "--hard", "--confirm", *ids_of(koog))

    for name, text in {
        "MEMORY.md": "- Mara leads the mobile team",
        "memory/observations.md": "- 🟢 09:15 Mara called",
        "memory/2026-03-04.md": "- The lift is broken.",
        "memory/sinain-playbook.md": "- Ask first",
        "memory/session-summaries.jsonl": "Then lunch.",
    }.items():
        assert text in Path(name).read_text(), name
    transcript = full / "ws-raw/conversations/2026/03/04.md"
    assert (transcript.stat().st_mode & 0o777, "Done." in transcript.read_text()) == (0o444, True)
    assert koog(*NOW, "search", "mobile team")[1]["hits"][0]["path"] == "MEMORY.md"
    assert koog(*NOW, "doctor")[0] in (0, 1)


def test_the_log_still_verifies_and_the_chain_has_both_digests(koog: Koog, full: Path, sealed: Any) -> None:
    koog(*NOW, "forget", "--hard", "--confirm", *ids_of(koog))

    _, verified = koog(*NOW, "audit", "verify")
    records = [row.split() for row in (sealed.path / "chain.log").read_text().splitlines()]

    assert (verified["verdict"], verified["found"]) == ("intact", [])
    noted = [row for row in records if row[0] == "r"]
    assert len(noted) > 10
    assert all(len(row[2]) == 32 and (row[4] == "-" or len(row[4]) == 32) and row[2] != row[4] for row in noted)
    log = Path("memory/meta/audit.log").read_text()
    assert any("| EDIT    | raw/conversations/2026/03/04.md |" in row for row in log.splitlines())


def test_words_that_stand_in_the_log_itself_go_too_and_it_verifies(koog: Koog, full: Path) -> None:
    (Path("memory/graph/entities") / f"person--{WORD}.md").write_text(f"# person--{WORD}\n\n## Facts\n- Sings\n")
    koog(*NOW, "pin", f"entity:person--{WORD}")
    (Path("memory/graph/entities") / f"person--{WORD}.md").unlink()
    koog(*NOW, "audit", "log")
    assert WORD in Path("memory/meta/audit.log").read_text()

    code, _ = koog(*NOW, "forget", "--hard", "--confirm", *ids_of(koog), "--words", WORD)

    assert code == 0
    assert WORD not in Path("memory/meta/audit.log").read_text()
    assert koog(*NOW, "audit", "verify")[1]["verdict"] == "intact"


def test_without_confirm_it_lists_where_the_words_stand_and_changes_nothing(koog: Koog, full: Path) -> None:
    before = holding(full)

    _, line = koog(*NOW, "forget", "--hard", *ids_of(koog))
    _, dry = koog(*NOW, "--dry-run", "forget", "--hard", "--confirm", *ids_of(koog))

    assert {p["path"] for p in line["places"]} >= {"MEMORY.md", "raw/conversations/2026/03/04.md"}
    assert [p["path"] for p in dry["places"]] == [p["path"] for p in line["places"]]
    assert holding(full) == before
    assert "--hard --confirm" in line["command"]


def test_it_needs_a_persons_word(koog: Koog, full: Path, sealed: Any) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "person"}))
    before = holding(full)

    code, line = koog(*NOW, "forget", "--hard", "--confirm", *ids_of(koog))

    (id_,) = sealed.get("deletions")
    assert (code, line["error"]["code"], f"approve {id_}" in line["error"]["hint"]) == (5, "refused", True)
    assert holding(full) == before


def test_what_was_archived_is_deleted_by_its_id_and_does_not_come_back(koog: Koog, full: Path) -> None:
    found = ids_of(koog)
    koog(*NOW, "forget", "--confirm", *found)

    code, _ = koog(*NOW, "forget", "--hard", "--confirm", *found)
    undone = koog(*NOW, "forget", "--undo", *found)[1]
    again = koog(*NOW, "remember", FACT, "--store", "episodic")[1]
    why = koog(*NOW, "why", found[0])[1]

    assert (code, undone["error"]["code"], again["error"]["code"]) == (0, "refused", "refused")
    assert (why["status"], why["text"]) == ("deleted", None)
    assert holding(full) == []


def test_the_ids_of_the_entries_behind_a_deleted_one_hold(koog: Koog, sealed: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("KOOG_APPROVAL", "relayed")
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    first = koog(*NOW, "remember", FACT, "--store", "episodic", "--tags", WORD)[1]["id"]
    second = koog(*NOW, "remember", "Mara leads the mobile team", "--store", "episodic")[1]["id"]

    koog(*NOW, "forget", "--hard", "--confirm", first)

    assert koog(*NOW, "why", second)[1]["text"] == "Mara leads the mobile team"
    assert WORD not in Path("memory/episodes/2026-03-05.md").read_text()


def test_words_that_are_named_go_wherever_they_stand(koog: Koog, full: Path) -> None:
    Path("memory/2026-03-03.md").write_text(f"- the one with {WORD} in it\n- another line\n")

    koog(*NOW, "forget", "--hard", "--confirm", *ids_of(koog), "--words", WORD)

    assert holding(full) == []
    assert "another line" in Path("memory/2026-03-03.md").read_text()


def test_a_deletion_that_was_killed_is_finished_by_the_next_koog(koog: Koog, full: Path, sealed: Any) -> None:
    """The state root says what is to go: so a kill at any moment behind that leaves nothing half done."""
    what = {"ids": ids_of(koog), "phrases": [FACT], "named": [], "since": NOW[1]}
    sealed.put("deleting", what)

    koog(*NOW, "status")

    assert holding(full) == []
    assert sealed.get("deleting") is None
    assert koog(*NOW, "audit", "verify")[1]["verdict"] == "intact"


def test_a_deletion_that_somebody_is_at_is_left_to_him(koog: Koog, full: Path, sealed: Any) -> None:
    """What is to go stands in one place: two at once would each take the other's for their own."""
    ids, before = ids_of(koog), holding(full)
    sealed.put("deleting", {"ids": ids, "phrases": [FACT], "named": [], "since": NOW[1]})

    with sealed.locked("deleting.lock"):
        koog(*NOW, "status")
        assert holding(full) != []
        assert sealed.get("deleting") is not None
    koog(*NOW, "status")

    assert before
    assert holding(full) == []


def test_killed_at_any_moment_nothing_is_gone_or_the_next_koog_finishes_it(
    koog: Koog, full: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    command = (*NOW, "forget", "--hard", "--confirm", *ids_of(koog))
    kept = tmp_path_factory.mktemp("kept") / "copy"
    shutil.copytree(full, kept, symlinks=True)
    before = [path for path in holding(full) if "index.db" not in path]
    _, moments, _ = run(*command)
    seen = set[str]()

    for at in range(1, moments, max(1, moments // 14)):
        restored(kept, full)
        code, _, _ = run(*command, at=at)
        assert code == -9
        assert koog(*NOW, "status")[0] == 0
        left = [path for path in holding(full) if "index.db" not in path]
        assert left in ([], before), (at, moments, left)
        assert koog(*NOW, "audit", "verify")[1]["verdict"] == "intact"
        seen.add("before" if left else "after")

    assert seen == {"before", "after"}


def restored(kept: Path, folder: Path) -> None:
    """Make a folder what its copy is; the workspace is the current folder, so it stays the same one."""
    for name in ("ws", "ws-raw", "home"):
        for path in sorted((folder / name).rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        shutil.copytree(kept / name, folder / name, symlinks=True, dirs_exist_ok=True)


def test_names_of_files_that_carry_the_words_are_told(koog: Koog, full: Path) -> None:
    path = full / "ws/memory" / f"{'-'.join(FACT.lower().replace(',', '').split()[:4])}.md"
    path.write_text("# Nothing else\n")

    _, line = koog(*NOW, "forget", "--hard", *ids_of(koog))

    commands = {each["what"]: each["command"] for each in line["notCleaned"]}
    assert commands[f"the name of memory/{path.name}"].startswith(f"git mv -- memory/{path.name} NAME")
