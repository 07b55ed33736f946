"""koog consolidate run, show: what a night proposes.  [moltbot §10.1 to §10.5]"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from koog.consolidate import plan_file, plan_rows, triggers
from koog.consolidate.matters import find
from koog.consolidate.plan import APPLIED
from koog.consolidate.survey import Said
from tests.consolidate.tools import MORNING, NIGHT, TOLD, approve, of_kind, relayed, remember, slept, stores


@pytest.fixture
def ws(workspace, sealed):
    remember(workspace)
    return workspace


def test_what_was_said_again_is_proposed_as_a_fact_of_whom_it_is_about(ws, koog):
    (fact,) = of_kind(slept(koog), "fact")

    assert (fact["target"], fact["file"]) == ("person--parveen", "memory/graph/entities/person--parveen.md")
    assert "Parveen" in fact["after"]
    assert {"episode:2026-02-02:09:00", "episode:2026-02-09:09:00"} <= set(fact["sources"])
    assert (fact["before"], fact["reversible"], fact["state"]) == (None, True, "waiting")


def test_steps_that_were_told_again_are_a_procedure(ws, koog):
    (made,) = of_kind(slept(koog), "procedure")

    assert "## Steps\n1. " in made["after"]
    assert "kennels" in made["after"]


def test_two_sides_of_what_cannot_both_hold_are_kept_and_asked_about(ws, koog):
    shown = slept(koog)
    (odd,) = of_kind(shown, "oppose")

    assert "12th of September" in odd["before"]
    assert "19th of September" in odd["after"]
    assert any("Which holds" in each["text"] for each in shown["questions"])


def test_what_always_holds_of_the_user_goes_to_core_memory_and_what_was_said_once_goes_nowhere(ws, koog):
    shown = slept(koog)

    assert any("allergic to latex" in row["after"] for row in of_kind(shown, "core"))
    assert not any("boot" in (row["after"] or "") for row in shown["operations"])


def test_what_nobody_has_used_for_long_is_proposed_for_archiving_and_nothing_younger(ws, koog):
    (gone,) = of_kind(slept(koog), "archive")

    assert gone["sources"] == ["episode:2025-06-01:08:00"]


def test_nothing_is_changed_but_the_plan_and_what_was_read(ws, koog):
    before = stores(ws)
    code, line = koog(*NIGHT, "consolidate", "run")

    assert code == 0
    assert stores(ws) == before
    assert {c["path"].rpartition("/")[2] for c in line["_meta"]["changes"]} == {
        "pending-reflection.json",
        "pending-reflection.md",
        "cursors.json",
    }


def test_the_text_for_a_person_has_the_form_of_the_design_and_each_lines_id(ws, koog):
    shown = slept(koog)
    text = (ws / "memory/meta/pending-reflection.md").read_text()
    heads = [row for row in text.splitlines() if row.startswith("#") and not row.startswith("## Identity")]

    assert text.startswith("# Reflection Summary — 2026-03-10\n")
    assert [h for h in heads if h.startswith("## ")][:7] == [
        "## 🧠 New Knowledge Extracted",
        "## 🔗 New Connections",
        "## 📦 Proposed Archival (decay score < 0.05)",
        "## ⚠️ Contradictions Detected",
        "## ✏️ Core Memory Changes",
        *[h for h in heads if h.startswith("## ")][5:6],
        *[h for h in heads if h.startswith("## ")][6:7],
    ]
    assert "## 🔗 New Connections\n- None this cycle" in text
    assert "```diff" in text
    assert "**Reflection #**: 1\n**Token budget used**: 0 / 8,000\n**Memories processed**: 10 episodes" in text
    assert all(f"(`{row['id']}`)" in text for row in shown["operations"])
    assert text.rstrip().splitlines()[-2].startswith("> Reply with `approve`, `approve with changes`, or `reject`")


def test_memory_that_is_the_same_is_not_looked_through_again(ws, koog):
    slept(koog)
    code, line = koog(*NIGHT, "consolidate", "run")

    assert (code, line["skipped"], line["id"]) == (0, True, "r-001")
    assert "nothing has changed" in line["reason"]


def test_where_nothing_is_worth_proposing_that_is_said_plainly(workspace, koog):
    remember(workspace, TOLD[7:8])
    (workspace / "memory/graph/entities/person--ana.md").unlink()
    code, line = koog(*NIGHT, "consolidate", "run")

    assert (code, line["id"], line["operations"], line["reason"]) == (0, None, 0, "nothing is worth proposing")
    assert not (workspace / "memory/meta/pending-reflection.md").exists()


def _many(folder: Path) -> None:
    told = [(f"2026-02-{day:02d} {hour:02d}:30", f"Zorbl{n}x keeps quarz{n}y and flint{n}z on shelf") for n in range(45)
            for day, hour in ((1 + n % 20, 10), (2 + n % 20, 14))]  # fmt: skip
    remember(folder, told)


def test_a_night_has_at_most_forty_operations_and_names_what_waits(ws, koog):
    _many(ws)
    shown = slept(koog)

    assert shown["total"] == 40
    assert sum(shown["later"].values()) > 5


def test_by_itself_it_runs_once_a_day_and_not_while_one_waits(ws, koog):
    told = [koog(*NIGHT, "consolidate", "run", "--trigger", "threshold")[1]]
    told += [koog(*NIGHT, "consolidate", "run", "--trigger", "scheduled")[1] for _ in range(2)]

    assert told[0]["reason"] == "10 of 50 episodes since the last one"
    assert (told[1]["id"], told[2]["skipped"]) == ("r-001", True)
    assert told[2]["reason"] == "r-001 waits for a person's word"


def test_a_second_reflection_at_the_same_time_is_refused_as_busy(ws, koog):
    from koog.core.run import Run

    with Run(folder=str(ws)).workspace.locked("consolidate.lock", wait_s=0, what="a reflection"):
        code, line = koog(*NIGHT, "consolidate", "run")

    assert (code, line["error"]["code"]) == (9, "busy")


def test_a_letter_names_each_line_with_its_id(ws, koog, capsys):
    from koog.cli import main

    shown = slept(koog)
    main([*NIGHT, "--human", "consolidate", "show"])
    told = capsys.readouterr().out

    assert "What I learned" in told
    assert all(row["id"] in told for row in shown["operations"])


def test_what_was_said_elsewhere_is_not_brought_together(ws, koog):
    path = ws / "memory/episodes/2026-02-09.md"
    label = "<!-- dc:project=/srv/other dc:scope=private -->"
    path.write_text(path.read_text().replace("no PDFs\n", f"no PDFs {label}\n"))
    for row in slept(koog)["operations"]:
        assert not {"episode:2026-02-09:09:00", "episode:2026-02-02:09:00"} <= set(row["sources"])


def test_what_is_at_odds_is_no_fact_the_same_night_and_all_of_a_plan_can_be_applied(workspace, koog):
    relayed(workspace)
    told = [
        ("2026-02-01 09:00", "Mum says Hattie's wedding is on the 12th of September at the mill"),
        ("2026-02-05 09:00", "Hattie's wedding at the mill is on the 12th of September, says Mum"),
        ("2026-02-09 09:00", "Mum says again Hattie's wedding at the mill is on the 12th of September"),
        ("2026-02-20 11:00", "The invitation says Hattie's wedding is on the 19th of September"),
    ]
    remember(workspace, told)
    shown = slept(koog)
    (odd,) = of_kind(shown, "oppose")

    assert of_kind(shown, "fact") == []
    done = approve(koog, shown)
    assert (done["applied"], done["leftOut"]) == ([odd["id"]], [])
    assert koog(*NIGHT, "status")[1]["memory"]["contradictions"] == 1


def test_what_is_gone_does_not_wait_to_be_read_and_a_look_that_found_nothing_new_counts(ws, koog):
    from koog.core.run import Run

    slept(koog)
    cursors = ws / "memory/meta/cursors.json"
    cursors.write_text(cursors.read_text().replace('"day": "2026-03-10"', '"day": "2026-03-09"'))
    assert koog(*NIGHT, "consolidate", "run")[1]["skipped"]
    path = ws / "memory/episodes/2026-02-05.md"
    path.write_text(f"{path.read_text()}\n## 13:00 | deleted | confidence:medium | tags:[] | source:conversation\nx\n")
    found = triggers.look(Run(folder=str(ws), now_text="2026-03-10T04:00:00Z"))

    assert (found.unread, found.today) == (0, True)


def test_what_waits_for_another_night_comes_when_it_is_asked_for(ws, koog):
    _many(ws)
    first = slept(koog)
    assert koog(*NIGHT, "consolidate", "run")[1]["skipped"], "what is shown waits first"
    koog(*MORNING, "consolidate", "reject", "r-001", "--why", "none of them")
    second = slept(koog)

    assert (second["id"], second["total"] > 5) == ("r-002", True)
    assert {r["after"] for r in of_kind(first, "fact")}.isdisjoint(r["after"] for r in of_kind(second, "fact"))


# --- parts


def test_lines_of_one_matter_are_found_by_what_few_others_say():
    said = [Said(f"e{n}", text, at[:10]) for n, (at, text) in enumerate(TOLD)]
    groups = {tuple(sorted(s.id for s in m.lines)) for m in find(said).matters if len(m.lines) > 1}

    assert {("e0", "e1", "e2"), ("e3", "e4"), ("e5", "e6")} <= groups


def test_a_plan_that_somebody_broke_is_no_plan_and_one_that_was_changed_is_another(ws, koog):
    slept(koog)
    path = ws / "memory/meta/pending-reflection.json"
    found = plan_file.parse(path.read_text())
    assert found
    assert plan_file.parse(plan_file.render(found)) == found
    value = json.loads(path.read_text())
    value["operations"][0]["after"] = "Something else"
    changed = plan_file.parse(json.dumps(value))
    assert changed
    assert changed.digest != found.digest
    others = ({"insights": {"Emergent Theme": "x"}}, {"day": "2026-12-31"}, {"time": "00:01"})
    assert found.digest not in {found._replace(**each).digest for each in others}
    assert found.with_states({"o1": APPLIED}).digest == found.digest
    assert plan_file.parse("{") is None
    assert plan_file.parse(json.dumps({**value, "id": "../x"})) is None


def test_a_plan_that_cannot_be_read_is_told_of_and_made_anew_though_nothing_has_changed(ws, koog):
    slept(koog)
    path = ws / "memory/meta/pending-reflection.json"
    path.write_bytes(b"\xff{")

    _, shown = koog(*NIGHT, "consolidate", "show")
    again = koog(*NIGHT, "consolidate", "run")[1]

    assert shown["id"] is None
    assert "pending-reflection.json has no plan that can be read" in shown["_meta"]["warnings"][0]
    assert (again["skipped"], again["id"]) == (False, "r-002")


def test_the_next_scheduled_moment_is_told_in_the_users_zone(ws, koog):
    from koog.core.run import Run

    assert triggers.upcoming(Run(folder=str(ws), now_text="2026-03-10T02:00:00Z")) == "2026-03-10 03:00"
    assert triggers.upcoming(Run(folder=str(ws), now_text="2026-03-10T04:00:00Z")) == "2026-03-11 03:00"


def test_a_rows_words_are_shown_without_what_stands_behind_them():
    assert plan_rows.shown("Prefers tea <!-- dc:from=2026-01-20 -->") == "Prefers tea"


@pytest.mark.parametrize(("kind", "day"), [("oppose", "2026-01-08"), ("replace", "2026-01-20")])
def test_an_operation_of_an_older_koog_has_the_day_of_its_episode(kind: str, day: str) -> None:
    row: dict[str, object] = dict.fromkeys("id store file anchor target name reason confidence".split(), "")
    row |= {"kind": kind, "state": "waiting", "sources": ["episode:2026-01-08:10:00", "episode:2026-01-20:10:00"]}
    value = {"version": 1, "id": "r-001", "made": "2026-01-25T23:00:00Z", "day": "2026-01-25", "time": "23:00"}

    found = plan_file.parse(json.dumps({**value, "operations": [row]}))

    assert found is not None
    assert [each.day for each in found.operations] == [day]
