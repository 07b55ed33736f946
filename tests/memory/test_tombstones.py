"""What was forgotten does not come back: by no door, from the same entry or in the same words, and is told nowhere."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from koog.core import forgotten
from koog.core.text.tombstone import Marked, mark
from tests.conftest import Koog
from tests.fakes.model import FakeModel
from tests.fakes.watching import grow

NOW = ("--now", "2026-02-28T10:00:00Z")
WORD = "zanzibarquartz"
FACT = f"The locker code of the gym is {WORD} seventy seven"
OTHER = "Deploys of the planner go out on Tuesdays only"


@pytest.fixture
def gone(koog: Koog, sealed: object, alone: Path) -> Iterator[Path]:
    """A workspace whose person has had one thing remembered, and forgotten."""
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    known = json.loads(settings.read_text())
    known["observe"] = {"sources": ["claude"]}
    known["context"] = {"otherProjects": "all"}
    settings.write_text(json.dumps(known))
    _, kept = koog(*NOW, "remember", FACT, "--explicit", "--store", "semantic", "--entity", "gym")
    _, line = koog(*NOW, "forget", "--confirm", f"entity:{kept['entities'][0]['id']}")
    assert line["archived"], line
    yield alone
    for path in Path("memory").rglob("*"):
        if path.is_file() and path.suffix in (".md", ".json", ".jsonl"):
            assert WORD not in path.read_text() or "graph/entities" in str(path) or is_own(path), path


def is_own(path: Path) -> bool:
    """Return whether a file is the host's note, or koog's record of what --undo brings back."""
    return path.name[:4].isdigit() or path.name == "archived.jsonl"


def says(llm: FakeModel, answer: Any) -> None:
    llm.always(answer)


# --- every door


def test_an_agent_cannot_remember_it_again(koog: Koog, gone: Path) -> None:
    code, line = koog(*NOW, "remember", f"Note: {FACT}.", "--store", "episodic")

    assert (code, line["error"]["code"]) == (5, "refused")
    assert WORD not in json.dumps(line)


def test_an_agent_cannot_propose_it(koog: Koog, gone: Path) -> None:
    assert koog(*NOW, "propose", FACT, "--store", "semantic")[1]["error"]["code"] == "refused"


def test_what_was_proposed_before_is_not_committed(koog: Koog, sealed: object) -> None:
    koog(*NOW, "propose", FACT, "--store", "episodic")
    id_ = koog(*NOW, "remember", FACT, "--explicit", "--store", "episodic")[1]["id"]
    koog(*NOW, "forget", "--confirm", id_)

    code, line = koog(*NOW, "review", "commit", "1")
    _, auto = koog(*NOW, "review", "auto")

    assert (code, line["error"]["code"], auto["committed"]) == (5, "refused", [])


def test_no_note_is_mined_for_it(koog: Koog, gone: Path) -> None:
    Path("memory/2026-02-27.md").write_text(f"# Day\n\n- {FACT}.\n- {OTHER}.\n- CI fails: fixed by pinning pnpm 9.\n")

    _, line = koog(*NOW, "mine")
    koog(*NOW, "curate")

    assert line["minedSources"] == ["2026-02-27.md"]
    assert WORD not in json.dumps(line)
    assert "pnpm 9" in Path("memory/sinain-playbook.md").read_text()


def test_a_model_that_has_it_all_the_same_is_not_listened_to(koog: Koog, gone: Path, llm: FakeModel) -> None:
    Path("memory/2026-02-27.md").write_text(f"# Day\n\n- {FACT}.\n- {OTHER}.\n")
    row = {"text": FACT, "file": "memory/2026-02-27.md", "line": 3}
    says(llm, {"findings": FACT, "newPatterns": [row], "contradictions": [], "preferences": []})

    _, line = koog(*NOW, "mine")

    assert line["newPatterns"] == []
    assert WORD not in json.dumps(llm.requests)
    assert OTHER in json.dumps(llm.requests)


def test_no_curation_takes_it_from_what_was_mined_before(koog: Koog, sealed: object) -> None:
    fact = f"CI fails with {WORD}: fixed by pinning pnpm to version nine"
    Path("memory/2026-02-27.md").write_text(f"# Day\n\n- {fact}\n")
    koog(*NOW, "mine")
    assert WORD in Path("memory/meta/cursors.json").read_text()
    id_ = koog(*NOW, "remember", fact, "--explicit", "--store", "episodic")[1]["id"]
    koog(*NOW, "forget", "--confirm", id_)

    koog(*NOW, "curate")

    assert WORD not in Path("memory/sinain-playbook.md").read_text()


def test_it_is_not_observed_again_in_the_same_words(koog: Koog, gone: Path) -> None:
    grow(gone, [f"Please note: {FACT}.", f"We decided: {OTHER}."])

    _, line = koog(*NOW, "observe")

    assert (len(line["added"]), WORD in json.dumps(line)) == (1, False)


def test_it_is_not_observed_again_from_the_same_entry_in_other_words(
    koog: Koog, sealed: object, alone: Path, llm: FakeModel
) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"observe": {"sources": ["claude"]}}))
    grow(alone, [f"The code for my locker is {WORD}, and it is the one on the left."])
    row = {"text": f"My locker has the code {WORD}", "type": "fact", "importance": 8, "confidence": 0.9, "turn": 1}
    says(llm, {"observations": [row]})
    koog(*NOW, "observe")
    found = koog(*NOW, "forget", "--session", koog_session(), "--confirm")[1]["archived"]

    _, again = koog(*NOW, "observe", "--since", "2026-02-01")

    assert any(id_.startswith("observation:") for id_ in found)
    assert again["added"] == []
    assert WORD not in json.dumps(llm.requests[-1]["body"]["messages"])
    assert WORD not in Path("memory/observations.md").read_text()


def koog_session() -> str:
    text = Path("memory/observations.md").read_text()
    return text.partition("dc:source=")[2].partition("#")[0]


def test_it_is_not_kept_raw_either(koog: Koog, gone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "null")  # a model is asked for, and none answers
    grow(gone, [f"Please note: {FACT}.", f"We decided: {OTHER}."])

    _, line = koog(*NOW, "recover")

    assert line["stored"] >= 1
    assert WORD not in Path("memory/observations.md").read_text()
    assert OTHER in Path("memory/observations.md").read_text()


def test_a_reflection_does_not_write_it_down(koog: Koog, gone: Path, llm: FakeModel) -> None:
    rows = "".join(f"- 🟡 09:{n:02} Mara has reviewed the change number {n} of the planner\n" for n in range(10, 20))
    long = f"- 🟡 09:09 In the hall of the old house Mara told Leo and Ana and me that {FACT[0].lower()}{FACT[1:]}\n"
    Path("memory/observations.md").write_text(f"# Observations\n\nDate: 2026-02-20\n\n{long}{rows}")
    says(llm, {"operations": [{"op": "rewrite", "lines": [1], "text": FACT, "reason": "shorter"}]})

    _, line = koog(*NOW, "reflect", "--force")

    assert (line["reflected"], WORD in json.dumps(llm.requests)) == (False, False)
    Path("memory/observations.md").write_text("# Observations\n")


# --- lifted, and brought back


def test_what_the_person_asks_for_anew_is_remembered_and_may_be_told_again(koog: Koog, sealed: object) -> None:
    id_ = koog(*NOW, "remember", FACT, "--explicit", "--store", "core")[1]["id"]
    koog(*NOW, "forget", "--confirm", id_)

    code, line = koog(*NOW, "remember", FACT, "--explicit", "--store", "core")

    assert (code, line["id"], line["created"]) == (0, id_, True)
    assert koog(*NOW, "search", WORD)[1]["hits"][0]["path"] == "MEMORY.md"
    assert koog(*NOW, "why", id_)[1]["status"] == "active"


@pytest.mark.parametrize("store", ["episodic", "semantic", "procedural", "vault"])
def test_each_store_takes_it_anew(koog: Koog, sealed: object, store: str) -> None:
    more = ("--entity", "gym") if store == "semantic" else ()
    id_ = koog(*NOW, "remember", FACT, "--explicit", "--store", store, *more)[1]["id"]
    koog(*NOW, "forget", "--confirm", id_)

    code, line = koog(*NOW, "remember", FACT, "--explicit", "--store", store, *more)

    assert code == 0, line
    assert [hit for hit in koog(*NOW, "search", WORD)[1]["hits"] if WORD in hit["text"]]


@pytest.mark.parametrize("store", ["core", "episodic", "semantic", "vault"])
def test_what_was_asked_for_anew_is_forgotten_as_any_other(koog: Koog, sealed: object, store: str) -> None:
    more = ("--entity", "gym") if store == "semantic" else ()
    for _ in range(2):
        id_ = koog(*NOW, "remember", FACT, "--explicit", "--store", store, *more)[1]["id"]
        listed = [row["id"] for row in koog(*NOW, "forget", "locker code")[1]["matches"]]
        status = koog(*NOW, "why", id_)[1]["status"]
        _, line = koog(*NOW, "forget", "--confirm", id_)

        assert (id_ in listed, status, line["archived"]) == (True, "active", [id_])
        assert WORD not in json.dumps(koog(*NOW, "search", "locker code")[1])


def test_what_is_learned_of_a_forgotten_entity_later_brings_nothing_old_back(koog: Koog, gone: Path) -> None:
    koog(*NOW, "remember", "The gym opens at six on Sundays", "--explicit", "--store", "semantic", "--entity", "gym")

    shown = json.dumps(koog(*NOW, "search", "gym locker sundays")[1])

    assert ("opens at six" in shown, WORD in shown) == (True, False)


def test_after_undo_its_words_may_come_in_again(koog: Koog, sealed: object) -> None:
    id_ = koog(*NOW, "remember", FACT, "--explicit", "--store", "episodic")[1]["id"]
    koog(*NOW, "forget", "--confirm", id_)
    koog(*NOW, "forget", "--undo")

    code, line = koog("--now", "2026-03-01T10:00:00Z", "remember", FACT, "--store", "episodic")

    assert code == 0, line


# --- what is kept of it


def test_a_tombstone_holds_no_words_and_the_key_lies_in_the_state_root(koog: Koog, gone: Path, sealed: Any) -> None:
    rows = [json.loads(row) for row in Path("memory/meta/forgotten.jsonl").read_text().splitlines()]

    assert {row["op"] for row in rows} == {"forget"}
    assert WORD not in json.dumps(rows)
    assert sealed.get(forgotten.KEY)["key"] not in Path("memory/meta/forgotten.jsonl").read_text()


def test_a_clone_without_the_key_hides_what_is_forgotten_and_says_what_it_cannot_know(
    koog: Koog, gone: Path, sealed: Any
) -> None:
    id_ = koog(*NOW, "remember", "Mara chose the quiet room for the retro", "--explicit", "--store", "episodic")[1][
        "id"
    ]
    koog(*NOW, "forget", "--confirm", id_)
    (sealed.path / f"{forgotten.KEY}.json").unlink()

    hits = koog(*NOW, "search", "quiet room for the retro")[1]["hits"]
    findings = koog(*NOW, "doctor")[1]["findings"]

    assert [hit for hit in hits if "quiet room" in hit["text"]] == []
    assert any("forgotten" in each["message"] and "key" in each["message"] for each in findings)


@pytest.mark.parametrize(
    ("kept", "text"),
    [
        ("Ana is allergic to peanuts", "- 🔴 09:14 Ana is ALLERGIC to **peanuts**. <!-- dc:type=fact -->"),
        ("Ana ist gegen Erdnüsse allergisch", "Du weißt ja: ana ist gegen erdnüsse allergisch!"),
        ("Ana es alérgica a los cacahuetes", "¿Ana es alérgica a los cacahuetes?"),
        ("Ana est allergique aux arachides", "Ana est\nallergique aux arachides"),
        ("安娜对花生严重过敏", "用户说安娜对花生严重过敏。"),
        ("アナはピーナッツアレルギーです", "アナは**ピーナッツ**アレルギーです。"),
        ("likes tea", "- 10:00 Likes tea."),
    ],
)
def test_the_same_words_are_known_in_any_dress(kept: str, text: str) -> None:
    key = b"k" * 32
    found = mark(kept, key)
    assert found is not None

    assert Marked([found], key).holds(text)
    assert not Marked([found], b"x" * 32).holds(text)


@pytest.mark.parametrize(
    ("kept", "text"),
    [
        ("likes tea", "Mara likes tea with milk, and no sugar"),
        ("Ana is allergic to peanuts", "Ana is not allergic to peanuts"),
        ("Server 1 has 16 GB of memory", "Server 2 has 16 GB of memory"),
        ("花生", "安娜对花生严重过敏"),
    ],
)
def test_other_words_are_others(kept: str, text: str) -> None:
    key = b"k" * 32
    found = mark(kept, key)
    assert found is not None

    assert not Marked([found], key).holds(text)
