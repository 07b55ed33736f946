"""koog consolidate approve, reject: what a person's word does, and that nothing else does it.  [moltbot §10.6]"""

from __future__ import annotations

import ast
import json
import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.cli import READING
from koog.consolidate import changing, evolution, plan_file, reflection_log
from koog.consolidate import plan as plans
from koog.consolidate.drafts import Drafts
from koog.consolidate.fitting import fitting
from koog.consolidate.plan import Plan
from koog.consolidate.plan_rows import Place
from koog.consolidate.survey import Said
from koog.core import grants
from koog.host import waiting
from koog.memory.store import core_memory
from koog.memory.store.line import Line
from koog.memory.store.sections import Sections
from koog.sessions.labels import Label, quoted
from tests.conftest import git
from tests.consolidate.tools import ANA, MORNING, NIGHT, TOLD, approve, of_kind, relayed, remember, slept, stores
from tests.sessions.test_roles import ARGUMENTS
from tests.test_contract import NAMES
from tests.test_every_moment import run as forked

# They wait for more, play in a workspace of their own, put something on the machine, or make the memory another one.
APART = {
    "consolidate approve",
    "consolidate reject",
    "init",
    "uninstall",
    "cron install",
    "cron remove",
    "watch",
    "hook",
    "demo",
}
PACKAGE = Path(__file__).parents[2] / "koog"


@pytest.fixture
def ws(workspace):
    relayed(workspace)
    remember(workspace)
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "a life")
    return workspace


def test_all_of_it_is_one_commit_of_the_reflection(ws, koog):
    plan = slept(koog)
    done = approve(koog, plan)
    message = git(ws, "log", "-1", "--format=%an%n%B")

    assert done["applied"] == [row["id"] for row in plan["operations"]]
    assert (done["waiting"], done["leftOut"], done["approval"]) == ([], [], "relayed")
    assert message.startswith("reflection:r-001\n")
    assert "Actor: reflection:r-001\nApproval: relayed\nTrigger: koog consolidate approve r-001" in message
    assert "Parveen" in (ws / "memory/graph/entities/person--parveen.md").read_text()
    assert not (ws / "memory/meta/pending-reflection.json").exists()
    (logged,) = reflection_log.read((ws / "memory/meta/reflection-log.md").read_text())
    assert (logged.id, logged.outcome) == ("r-001", "approved")


def test_what_was_applied_is_known_and_not_proposed_again(ws, koog):
    approve(koog, slept(koog))
    code, line = koog("--now", "2026-03-11T03:00:00Z", "consolidate", "run")

    assert (code, line["operations"]) == (0, 0), line


def test_without_a_persons_word_nothing_is_applied(workspace, sealed, koog):
    remember(workspace)
    plan, before = slept(koog), stores(workspace)
    code, line = koog(*MORNING, "consolidate", "approve", plan["id"], "--confirm", plan["digest"])

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "approve r-001" in line["error"]["hint"]
    assert stores(workspace) == before


def test_the_word_that_a_hook_has_seen_counts_for_the_plan_as_it_was_shown(workspace, sealed, koog):
    from koog.core.run import Run

    remember(workspace)
    plan = slept(koog)
    told = waiting.waiting(Run(folder=str(workspace)))
    grants.give(sealed, {"r-001": told["r-001"]}, now=datetime.now(UTC))
    path = workspace / "memory/meta/pending-reflection.json"
    kept = path.read_text()
    path.write_text(kept.replace("Parveen", "Mallory"))
    other = koog(*NIGHT, "consolidate", "show")[1]
    code, _ = koog("consolidate", "approve", "r-001", "--confirm", other["digest"])
    assert (code, other["digest"] == plan["digest"]) == (5, False)

    path.write_text(kept)
    code, line = koog("consolidate", "approve", "r-001", "--confirm", plan["digest"])
    assert (code, line["approval"]) == (0, "approved"), line


@pytest.mark.parametrize("confirm", [(), ("--confirm", "0123456789ab")])
def test_who_does_not_name_the_plan_that_was_shown_applies_nothing(ws, koog, confirm):
    slept(koog)
    before = stores(ws)

    assert koog(*MORNING, "consolidate", "approve", "r-001", *confirm)[0] == 5
    assert stores(ws) == before


@pytest.mark.parametrize(
    "argv",
    [
        ("approve", "--confirm", "{digest}", "--only", ""),
        ("approve", "--confirm", "{digest}", "--except", " , "),
        ("reject", "--why", "no", "--only", ""),
    ],
    ids=str,
)
def test_an_option_that_names_nothing_does_not_mean_all(ws, koog, argv):
    plan, before = slept(koog), stores(ws)
    told = [each.format(digest=plan["digest"]) for each in argv]
    code, line = koog(*MORNING, "consolidate", told[0], plan["id"], *told[1:])

    assert (code, "names nothing" in line["error"]["message"]) == (2, True), line
    assert stores(ws) == before
    assert {row["state"] for row in koog(*MORNING, "consolidate", "show")[1]["operations"]} == {"waiting"}


def test_a_word_in_a_chat_is_for_the_whole_plan_and_for_no_other_words(workspace, sealed, koog, tmp_path):
    from koog.core.run import Run

    remember(workspace)
    plan, call = slept(koog), ("consolidate", "approve", "r-001", "--confirm")
    first = plan["operations"][0]["id"]
    grants.give(sealed, {"r-001": waiting.waiting(Run(folder=str(workspace)))["r-001"]}, now=datetime.now(UTC))
    (fact,), file = of_kind(plan, "fact"), tmp_path / "changes.json"
    file.write_text(json.dumps([{"id": fact["id"], "text": "Parveen takes PDFs alone"}]))

    code, line = koog(*call, plan["digest"], "--edit", str(file))
    assert (code, "in a chat" in line["error"]["hint"]) == (5, False), line
    assert [koog(*call, plan["digest"], *more)[0] for more in (("--only", first), ())] == [0, 0]
    assert sealed.get(grants.NAME) == []


def test_a_part_is_applied_and_the_rest_still_waits(ws, koog):
    plan = slept(koog)
    first, rest = plan["operations"][0]["id"], [row["id"] for row in plan["operations"][1:]]
    done = approve(koog, plan, "--only", first)

    assert (done["applied"], done["waiting"]) == ([first], rest)
    again = approve(koog, plan)
    assert (again["applied"], again["waiting"]) == (rest, [])


def test_all_but_some_rejects_these_and_they_do_not_come_back(ws, koog):
    plan = slept(koog)
    (fact,) = of_kind(plan, "fact")
    done = approve(koog, plan, "--except", fact["id"])
    assert (done["rejected"], fact["id"] in done["applied"]) == ([fact["id"]], False)

    code, line = koog("--now", "2026-03-12T03:00:00Z", "consolidate", "run")
    assert (code, line["operations"]) == (0, 0)

    remember(ws, [("2026-03-12 09:00", "Parveen sent supplier invoices back, photos again and no PDFs")])
    later = ("--now", "2026-03-13T03:00:00Z")
    assert koog(*later, "consolidate", "run")[1]["kinds"].get("fact") == 1


def test_a_rejected_plan_changes_nothing_and_is_not_proposed_again(ws, koog):
    slept(koog)
    before = stores(ws)
    code, line = koog(*MORNING, "consolidate", "reject", "r-001", "--why", "not worth it")

    assert (code, line["applied"], line["waiting"]) == (0, [], [])
    assert stores(ws) == before
    assert "— not worth it" in (ws / "memory/meta/reflection-log.md").read_text()
    assert koog("--now", "2026-03-12T03:00:00Z", "consolidate", "run")[1]["operations"] == 0


def test_what_an_agent_rejects_is_told_as_the_agents(workspace, sealed, koog):
    remember(workspace)
    slept(koog)
    assert koog(*MORNING, "consolidate", "reject", "r-001", "--why", "it is out of date")[0] == 0
    text = (workspace / "memory/meta/reflection-log.md").read_text()

    assert "- **Rejected by an agent**: o1 o2" in text
    assert reflection_log.read(text)[0].refused == ()
    assert "reflection:r-001" not in (workspace / "memory/meta/audit.log").read_text()


def test_with_changes_a_persons_words_are_applied(ws, koog, tmp_path):
    plan = slept(koog)
    (fact,), (gone,) = of_kind(plan, "fact"), of_kind(plan, "archive")
    file = tmp_path / "changes.json"
    file.write_text(
        json.dumps([{"id": fact["id"], "text": "Parveen takes PDFs alone"}, {"id": gone["id"], "text": None}])
    )
    done = approve(koog, plan, "--edit", str(file))

    assert "- Parveen takes PDFs alone <!--" in (ws / "memory/graph/entities/person--parveen.md").read_text()
    assert gone["id"] not in done["applied"]


def test_other_words_hold_since_a_person_gave_them_and_rest_on_his_word_alone(ws, koog, tmp_path):
    plan = slept(koog)
    (fact,), file = of_kind(plan, "fact"), tmp_path / "changes.json"
    file.write_text(json.dumps([{"id": fact["id"], "text": "Parveen takes photos, too, since 8 March"}]))
    approve(koog, plan, "--only", fact["id"], "--edit", str(file))
    told = koog(*MORNING, "why", "Parveen takes photos, too, since 8 March")[1]
    before = koog(*MORNING, "recall", "What does Parveen take?", "--as-of", "2026-02-20")[1]["results"]

    row = "- Parveen takes photos, too, since 8 March <!-- dc:from=2026-03-10 -->"
    assert row in (ws / "memory/graph/entities/person--parveen.md").read_text().split("\n")
    assert (told["since"], told["word"]) == ("2026-03-10", "a person approved it with changes")
    assert (told["written"]["why"], told["written"]["base"]) == ("reflection r-001, with changes", 1.0)
    assert [(step["did"], step["reflection"]) for step in told["trail"]] == [("wrote", "r-001")]
    assert "photos, too" not in json.dumps(before)
    log = (ws / "memory/meta/reflection-log.md").read_text()
    assert f"- **Applied**: {fact['id']}\n- **With changes**: {fact['id']}\n" in log


def test_a_fact_in_whose_place_a_person_puts_his_own_words_held_until_he_did(ws, koog, tmp_path):
    remember(ws, [("2026-03-01 09:00", "Ana has moved, she no longer lives in Berlin but in Lisbon")])
    plan = slept(koog)
    (change,), file = of_kind(plan, "replace"), tmp_path / "changes.json"
    file.write_text(json.dumps([{"id": change["id"], "text": "Ana lives in Lisbon and in Porto"}]))
    approve(koog, plan, "--only", change["id"], "--edit", str(file))
    text = (ws / "memory/graph/entities/person--ana.md").read_text()

    assert "- ~~Ana lives in Berlin~~ (until 2026-03-10)" in text
    row = f"- Ana lives in Lisbon and in Porto <!-- dc:from=2026-03-10 dc:replaces={quoted(change['target'])} -->"
    assert row in text.split("\n")


@pytest.mark.parametrize("more", [" 👎", " -5", " %"])
def test_a_sign_more_says_something_else(ws, koog, tmp_path, more):
    plan = slept(koog)
    (fact,), file = of_kind(plan, "fact"), tmp_path / "changes.json"
    words, _, _ = fact["after"].partition(" <!--")
    file.write_text(json.dumps([{"id": fact["id"], "text": words + more}]))
    approve(koog, plan, "--only", fact["id"], "--edit", str(file))

    assert f"- **With changes**: {fact['id']}\n" in (ws / "memory/meta/reflection-log.md").read_text()


def test_words_that_are_only_written_otherwise_keep_their_day_and_what_they_rest_on(ws, koog, tmp_path):
    plan = slept(koog)
    (fact,), file = of_kind(plan, "fact"), tmp_path / "changes.json"
    words, _, comment = fact["after"].partition(" <!--")
    file.write_text(json.dumps([{"id": fact["id"], "text": f"{words.swapcase()}!"}]))
    approve(koog, plan, "--only", fact["id"], "--edit", str(file))

    text = (ws / "memory/graph/entities/person--parveen.md").read_text()
    assert f"- {words.swapcase()}! <!--{comment}" in text
    assert "With changes" not in (ws / "memory/meta/reflection-log.md").read_text()


@pytest.mark.parametrize("change", [{"id": "o99", "text": "x"}, {"id": "fact"}, {"id": "core", "text": "x"}], ids=str)
def test_a_change_that_would_not_be_made_is_refused(ws, koog, tmp_path, change):
    plan, before = slept(koog), stores(ws)
    named = {kind: of_kind(plan, kind)[0]["id"] for kind in ("fact", "core")}
    file = tmp_path / "changes.json"
    file.write_text(json.dumps([{**change, "id": named.get(change["id"], change["id"])}]))
    told = ("--confirm", plan["digest"], "--only", named["fact"], "--edit", str(file))
    code, line = koog(*MORNING, "consolidate", "approve", plan["id"], *told)

    assert (code, line["error"]["message"].startswith("--edit")) == (2, True), line
    assert stores(ws) == before


def test_what_a_person_changed_meanwhile_stands_and_the_rest_still_applies(ws, koog):
    remember(ws, [("2026-03-01 09:00", "Ana has moved, she no longer lives in Berlin but in Lisbon")])
    plan = slept(koog)
    (change,) = of_kind(plan, "replace")
    path = ws / "memory/graph/entities/person--ana.md"
    path.write_text(path.read_text().replace("lives in Berlin", "lives in Potsdam near Berlin") + "- Ana sings\n")
    done = approve(koog, plan)

    assert done["leftOut"] == [{"id": change["id"], "why": f"there is no {change['target']}"}]
    assert len(done["applied"]) == len(plan["operations"]) - 1
    assert "Potsdam" in path.read_text()
    assert "Ana sings" in path.read_text()


def test_a_rollback_takes_it_back_and_what_was_archived_is_there_again(ws, koog):
    before = stores(ws)
    plan = slept(koog)
    approve(koog, plan)
    (gone,) = of_kind(plan, "archive")[0]["sources"]
    assert koog(*MORNING, "decay", "show", gone)[1]["memories"][0]["status"] == "archived"
    shown = koog("rollback", "session", "r-001")[1]
    code, _ = koog("rollback", "session", "r-001", *shown["confirm"].split())

    assert code == 0
    assert stores(ws) == before
    assert koog(*MORNING, "decay", "show", gone)[1]["memories"][0]["score"] > 0
    logged = (ws / "memory/meta/reflection-log.md").read_text()
    assert [each.outcome for each in reflection_log.read(logged)] == ["approved", "withdrawn"]
    assert koog("--now", "2026-03-12T03:00:00Z", "consolidate", "run")[1]["operations"] == 0


def test_what_was_applied_of_a_plan_that_waits_is_told_as_taken_back_and_as_applied_again(ws, koog):
    plan = slept(koog)
    rest, *parts = [row["id"] for row in plan["operations"] if row["kind"] != "core"]  # MEMORY.md is taken back by name
    approve(koog, plan, "--only", ",".join(parts))

    def states() -> dict[str, str]:
        shown = koog(*MORNING, "consolidate", "show")[1]["operations"]
        return {row["id"]: row["state"] for row in shown if row["id"] in (rest, *parts)}

    applied = {rest: "waiting", **dict.fromkeys(parts, "applied")}
    assert states() == applied
    shown = koog("rollback", "session", "r-001")[1]
    undo = koog("rollback", "session", "r-001", *shown["confirm"].split())[1]["undo"]
    text = (ws / "memory/meta/pending-reflection.md").read_text()
    assert states() == {rest: "waiting", **dict.fromkeys(parts, "withdrawn")}
    assert "applied" not in text and text.count("taken back") == len(parts)

    again = koog(*undo.split()[1:])[1]
    koog(*undo.split()[1:], *again["confirm"].split())
    assert states() == applied


def test_nobody_but_approve_applies_a_plan(ws, koog):
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "koog.consolidate"
        and any(alias.name == "applying" for alias in node.names)
    }  # fmt: skip
    assert users == {"consolidate/approve.py"}


def test_no_other_command_of_the_table_applies_a_plan(ws, koog):
    plan = slept(koog)
    ids, failed = [row["id"] for row in plan["operations"]], {}
    for name in sorted(set(NAMES) - READING - APART):
        code, line = koog(*MORNING, *name.split(), *ARGUMENTS.get(name, ()))
        if code not in (0, 2, 3, 4, 5):
            failed[name] = line
        shown = koog(*MORNING, "consolidate", "show")[1]
        assert [(row["id"], row["state"]) for row in shown["operations"]] == [(id_, "waiting") for id_ in ids], name
        assert not (ws / "memory/graph/entities/person--parveen.md").exists(), name
    assert failed == {}
    told = ("consolidate", "approve", "r-001", "--confirm", plan["digest"])
    assert koog("--agent", "coder", *told)[0] == 5
    assert koog(*MORNING, *told)[0] == 0


def test_killed_at_any_moment_all_of_it_is_there_or_nothing(ws, koog, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    plan, before = slept(koog), stores(ws)
    command = (*MORNING, "consolidate", "approve", plan["id"], "--confirm", plan["digest"])
    files = {path: path.read_bytes() for path in [*ws.rglob("memory/**/*"), ws / "MEMORY.md"] if path.is_file()}
    _, moments, _ = forked(*command)
    after = stores(ws)
    seen = set()
    for at in [*range(2, moments, max(1, moments // 7)), moments + 3]:
        if at > moments:  # while git takes what is written
            monkeypatch.delenv("KOOG_GIT_COMMIT")
        for path in [p for p in (ws / "memory").rglob("*") if p.is_file()] + [ws / "MEMORY.md"]:
            path.unlink(missing_ok=True)
        for path, data in files.items():
            path.write_bytes(data)
        forked(*command, at=at)
        koog("playbook", "show")
        found = stores(ws)
        assert found in (before, after), at
        seen.add(found == after)
    assert seen == {True, False}
    assert "reflection:r-001" not in _actors(ws)
    assert koog(*MORNING, "remember", "Lena likes plums")[0] == 0
    assert _actors(ws).count("reflection:r-001") == 1


def _actors(ws) -> list[str]:
    return git(ws, "log", "--format=%(trailers:key=Actor,valueonly)").split()


@pytest.mark.parametrize("then", [("remember", "Lena likes plums"), ("backup", "--no-push"), ()], ids=" ".join)
def test_killed_before_its_commit_it_is_a_commit_all_the_same_and_can_be_taken_back(ws, koog, monkeypatch, then):
    plan, before = slept(koog), stores(ws)
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")  # as a command leaves it that is killed behind its last file
    approve(koog, plan)
    monkeypatch.delenv("KOOG_GIT_COMMIT")
    changed = stores(ws)
    assert not then or koog(*MORNING, *then)[0] == 0
    assert not then or "reflection:r-001" in _actors(ws)
    shown = koog(*MORNING, "rollback", "session", "r-001")[1]

    assert _actors(ws).count("reflection:r-001") == 1
    assert koog(*MORNING, "rollback", "session", "r-001", *shown["confirm"].split())[0] == 0
    taken = {path for path in changed if changed[path] != before.get(path)}
    assert len(taken) > 3
    assert {path: text for path, text in stores(ws).items() if path in taken} == {
        path: before[path] for path in taken if path in before
    }
    assert git(ws, "status", "--porcelain") == ""


@pytest.mark.parametrize("answer", [("approve", "--confirm"), ("reject", "--why")])
def test_a_plan_of_questions_alone_holds_nothing_up_and_is_gone_once_it_is_answered(workspace, koog, answer):
    relayed(workspace)
    remember(workspace, [])
    path = workspace / "memory/graph/entities/person--ana.md"
    path.write_text(f"{ANA}\n## Open Questions\n- Where does Ana live?\n")
    shown = slept(koog)
    code, _ = koog(*MORNING, "consolidate", answer[0], "r-001", answer[1], shown["digest"])

    assert (code, koog(*MORNING, "consolidate", "show")[1]["id"]) == (0, None)
    remember(workspace, TOLD[:1])
    line = koog("--now", "2026-03-11T04:00:00Z", "consolidate", "run", "--trigger", "scheduled")[1]
    assert (line["skipped"], line["questions"]) == (False, 0)


@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_what_was_decided_is_not_decided_twice(ws, koog, verb):
    plan = slept(koog)
    first, log = plan["operations"][0]["id"], ws / "memory/meta/reflection-log.md"
    approve(koog, plan, "--only", first)
    before = log.read_text()
    why = ("--confirm", plan["digest"]) if verb == "approve" else ("--why", "no")
    code, line = koog(*MORNING, "consolidate", verb, plan["id"], *why, "--only", first)

    assert (code, line["applied"], line["rejected"], log.read_text()) == (0, [], [], before)


def test_what_did_not_fit_was_not_rejected(ws, koog):
    remember(ws, [("2026-03-01 09:00", "Ana has moved, she no longer lives in Berlin but in Lisbon")])
    plan = slept(koog)
    (change,) = of_kind(plan, "replace")
    path = ws / "memory/graph/entities/person--ana.md"
    path.write_text(path.read_text().replace("lives in Berlin", "lives in Potsdam"))
    approve(koog, plan, "--only", change["id"])

    (logged,) = reflection_log.read((ws / "memory/meta/reflection-log.md").read_text())
    assert logged.outcome == "partial"


def test_what_a_person_has_put_in_his_own_words_is_not_proposed_again_in_others(ws, koog, tmp_path):
    plan = slept(koog)
    (fact,) = of_kind(plan, "fact")
    file = tmp_path / "changes.json"
    file.write_text(json.dumps([{"id": fact["id"], "text": "Parveen is particular"}]))
    approve(koog, plan, "--edit", str(file))

    assert koog("--now", "2026-03-12T03:00:00Z", "consolidate", "run")[1]["operations"] == 0


def test_a_fact_that_has_ended_is_an_access_of_its_entity(ws, koog):
    told = "Ana has moved, she no longer lives in Berlin but in Lisbon"
    remember(ws, [("2026-03-01 09:00", told)])
    path = ws / "memory/graph/entities/person--ana.md"
    path.write_text(f"{path.read_text()}- {told} <!-- dc:from=2026-03-01 -->\n")
    plan = slept(koog)
    (ended,) = [row for row in of_kind(plan, "replace") if row["after"] is None]
    approve(koog, plan, "--only", ended["id"])

    known = json.loads((ws / "memory/meta/decay-scores.json").read_text())["entries"]
    assert known["entity:person--ana"]["last_accessed"].startswith("2026-03-10T08:00")
    assert not any(id_.startswith("entity:fact") for id_ in known)


# --- parts of a plan

DAY = "2026-03-10"
CORE = "# Mine\n\n## Active Context\n- Paints the fence\n- Waits for the plumber\n\n## Persona\n- Short replies\n"


def _files() -> dict[str, str]:
    return {"m/graph/entities/person--ana.md": ANA, core_memory.FILE: CORE}


def _plan() -> Plan:
    """Return a plan with an operation of each kind, several of one heading among them."""
    drafts = Drafts(lambda name: f"m/{name}", DAY)
    said = [Said(f"episode:2026-02-0{n}:09:00", f"Ana keeps {n} hens", f"2026-02-0{n}") for n in range(1, 8)]
    lines = {e.line.text: Said(e.id, e.line.text, "") for e in core_memory.entries(Sections(CORE, "x"))}
    old = Said("fact:person--ana:" + Line("Ana lives in Berlin").hash, "Ana lives in Berlin", "", entity="person--ana")
    tea = Said("fact:person--ana:" + Line("Ana likes tea").hash, "Ana likes tea", "", entity="person--ana")
    made = [
        *(drafts.fact("person--ana", "Ana", [each]) for each in said[:3]),
        *(drafts.fact("person--bo", "Bo", [each]) for each in said[3:5]),
        drafts.replaced(old, said[5:6]),
        drafts.opposed(tea, said[6], None),
        drafts.relation("person--ana", "uses", "tool--hammer", said[:1], confidence="low"),
        drafts.core("persona", said[:1]),
        drafts.core("persona", said[1:2]),
        drafts.core("context", said[2:3], old=lines["Paints the fence"]),
        drafts.demoted(lines["Waits for the plumber"], "context"),
        drafts.episode("The night was quiet"),
    ]
    empty = Plan("r-001", f"{DAY}T03:00:00Z", DAY, "03:00", "builtin", "manual", ())
    kept, refused = fitting(made, empty, lambda p: Place(p, lambda name: f"m/{name}", 3000), _files().get)
    assert refused == []
    return empty._replace(operations=tuple(op._replace(id=f"o{n}") for n, op in enumerate(kept, 1)))


PLAN = _plan()


def _applied(groups: list[list[int]], plan: Plan = PLAN, files: dict[str, str] | None = None) -> dict[str, str]:
    texts, at = dict(files or _files()), Place(plan, lambda name: f"m/{name}", 3000)
    for group in groups:
        for n in sorted(group):
            for step in changing.steps(plan.operations[n], at):
                texts[step.path] = step.edit(texts.get(step.path, ""))
    return texts


@given(st.permutations(range(len(PLAN.operations))), st.lists(st.integers(1, 5), max_size=6))
def test_parts_approved_in_any_order_are_the_same_parts_at_once(order, sizes):
    groups, rest = [], list(order)
    for size in sizes:
        groups.append(rest[:size])
        rest = rest[size:]
    chosen = [n for group in groups for n in group]

    assert _applied([g for g in groups if g]) == _applied([chosen])


def test_parts_of_what_the_engine_proposes_are_the_same_in_any_order(ws, koog):
    remember(ws, [("2026-03-01 09:00", "Ana has moved, she no longer lives in Berlin but in Lisbon")])
    kinds = {row["kind"] for row in slept(koog)["operations"]}
    plan = plan_file.parse((ws / "memory/meta/pending-reflection.json").read_text())
    assert plan
    assert {"fact", "replace", "oppose", "procedure", "core"} <= kinds
    files = {op.file: path.read_text() for op in plan.operations if (path := ws / op.file).exists()}
    dice = random.Random(7)
    for _ in range(20):
        order = dice.sample(range(len(plan.operations)), k=dice.randint(1, len(plan.operations)))
        assert _applied([[n] for n in order], plan, files) == _applied([order], plan, files)


# --- the log, and what evolves


def test_threads_and_milestones_come_from_the_log():
    log = reflection_log.HEADER + "".join(
        f"\n## r-{n:03d} — 2026-03-{n:02d} — approved\n- **About**: project--atlas\n" for n in range(1, 11)
    )
    plan = PLAN._replace(id="r-010", insights={"Emergent Theme": "Hens come first"})
    text = evolution.updated("", plan, [], log, DAY)

    assert "- project--atlas: 10 reflections, r-001 to r-010" in text
    assert "- r-010: Emergent Theme: Hens come first" in text
    assert f"- Reflection #10, {DAY} — First evolution summary: 10 approved; most came back to project--atlas" in text
    assert evolution.updated(text, plan, [], log, DAY) == text
    withdrawn = f"{log}\n## r-010 — 2026-03-10 — withdrawn\n"
    assert "project--atlas: 9 reflections, r-001 to r-009" in evolution.updated("", plan, [], withdrawn, DAY)
    thousandth = log.replace("r-010", "r-1000")
    assert "project--atlas: 10 reflections, r-001 to r-1000" in evolution.updated("", plan, [], thousandth, DAY)
    later = evolution.updated(text, plan._replace(id="r-025", insights={}), [], log, DAY)
    assert "## Quiet Threads\n- project--atlas" in later
    assert "Reflection #25" in later


def test_what_was_revised_elsewhere_is_marked_so_and_given_to_no_model():
    (op,) = [each for each in PLAN.operations if each.kind == "replace"]
    there = Line("Zorro pays Ana", Label("/srv/other")).raw
    text = evolution.updated("", PLAN, [op, op._replace(before="Bo pays Ana", after=there)], "", DAY)

    assert "dc:project=/srv/other" in text
    assert "Berlin" in evolution.own(text)
    assert "Zorro" not in evolution.own(text)


def test_a_number_that_nobody_could_follow_is_no_reflections():
    log = "".join(f"\n## r-{n} — 2026-03-01 — approved\n" for n in ("003", "999999", "9" * 12))

    assert reflection_log.highest(log) == 999999
    assert plans.number(plans.session(1_000_000)) == 1_000_000
