"""The built-in synthesis: a suggestion and an insight that both cite what was read, or a skip that says why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.heartbeat.synthesize_rules import SynthesizeInput, answer
from tests.conftest import examples

PLAYBOOK = """## Error prevention
- On ENOSPC from file watchers raise fs.inotify.max_user_watches (score: 0.8)
- Keep tips short (score: 0.7)
- Move invoices to the shared folder on Fridays [deferred: 2026-02-14, reason: "no answer"]
"""
EXAMINED = ("memory/sinain-playbook.md", "memory/playbook-logs/2026-02-17.jsonl", "memory/2026-02-15.md")


def tick(ts: str, summary: str, **more: Any) -> dict[str, Any]:
    return {"ts": ts, "tickId": ts, "idle": False, "sessionHistorySummary": summary, "signals": []} | more


LOGS = (
    tick("2026-02-17T22:10:00Z", "The dev server died with ENOSPC after switching branches. Edited the menu."),
    tick("2026-02-15T09:00:00Z", "Wrote the release notes, still need to send them to Ana."),
    tick("2026-02-15T03:50:00Z", "ENOSPC from the watcher after switching branches."),
)
NOTES = (("memory/2026-02-15.md", "# Sunday\n- Fixed the ENOSPC by raising the inotify limit\n- Paid the dentist"),)


def given_(**changed: Any) -> SynthesizeInput:
    usual: dict[str, Any] = {
        "playbook": PLAYBOOK,
        "logs": LOGS,
        "recent_outputs": (),
        "changes": {},
        "notes": NOTES,
        "examined": EXAMINED,
    }
    return SynthesizeInput(**usual | changed)


# --- the gate ---


def test_what_was_said_recently_gives_way_to_the_next_candidate():
    first = answer(given_(playbook=PLAYBOOK))
    said = ({"ts": "2026-02-17T21:00:00Z", "suggestion": first["suggestion"] or "", "insight": ""},)

    second = answer(given_(recent_outputs=said))

    assert second["suggestion"] is None or second["suggestion"] != first["suggestion"]
    assert any(text in str(second) for text in ("release notes", "repeat recent outputs"))


@pytest.mark.parametrize(("shared", "skipped"), [(3, False), (4, True)])
def test_more_than_six_tenths_of_the_words_make_a_repeat(shared, skipped):
    words = "alpha bravo charlie delta echo".split()
    logs = (tick("2026-02-17T10:00:00Z", "Lunch."), tick("2026-02-15T10:00:00Z", f"TODO: {' '.join(words)}"))
    said = ({"ts": "x", "suggestion": " ".join([*words[:shared], "zulu", "yankee"][:5]), "insight": ""},)

    found = answer(given_(logs=logs, notes=(), recent_outputs=said, playbook=""))

    assert ("repeat recent outputs" in (found["skipReason"] or "")) is skipped


def test_an_insight_on_a_fact_that_was_quoted_before_is_a_repeat():
    first = answer(given_())
    said = ({"ts": "x", "suggestion": "Breathe", "insight": "Long ago: “ENOSPC from the watcher after s…” (x)."},)

    found = answer(given_(recent_outputs=said))

    assert first["skip"] is False
    assert "insight: all 2 found repeat" in (found["skipReason"] or "")


WEEK = (
    (
        "memory/2026-02-16.md",
        "# Mon\n- [ ] rotate the webhook secret before the demo\n- demo is Thursday 14:00\n"
        "- I promised Ilka the sample CSV of the export\n",
    ),
    ("memory/2026-02-17.md", "# Tue\n- Udo moved the demo: Friday 11:30 instead of thursday\n"),
)


def week(day: str, **more: Any) -> Any:
    return answer(given_(playbook="", logs=(tick(f"{day}T10:00:00Z", "Edited the menu."),), notes=WEEK, **more))


def test_what_is_due_tomorrow_is_sent_with_the_step_left_open_for_it():
    found = week("2026-02-19")

    assert found["suggestion"].startswith("Make time for what is due tomorrow: “Udo moved the demo: Friday 11:30")
    assert found["insight"].startswith("At the same time: Take the step left open: “")
    assert "webhook secret" in found["insight"] and "Ilka" in found["insight"]


def test_what_was_sent_once_is_not_sent_again():
    first = week("2026-02-19")
    said = ({"ts": "x", "suggestion": first["suggestion"], "insight": first["insight"]},)

    assert week("2026-02-19", recent_outputs=said)["skip"] is True


def test_nothing_is_sent_long_before_it_presses():
    assert week("2026-02-17")["skip"] is True


SAME = tick("2026-02-17T22:40:00Z", LOGS[0]["sessionHistorySummary"], idle=True)


@pytest.mark.parametrize(
    ("latest", "changes", "skipped"),
    [
        (SAME, {}, True),
        (SAME | {"idle": False}, {}, False),
        (SAME | {"minedSources": ["memory/2026-02-15.md"]}, {}, False),
        (SAME | {"ts": "2026-02-18T00:10:00Z"}, {}, False),
        (SAME | {"sessionHistorySummary": "ENOSPC after switching branches."}, {}, False),
        (SAME, {"added": ["Check the disk"], "pruned": [], "promoted": []}, False),
        (SAME, {"added": [], "pruned": [], "promoted": []}, True),
    ],
)
def test_an_idle_tick_that_repeats_the_last_one_says_nothing(latest, changes, skipped):
    found = answer(given_(logs=(latest, *LOGS), changes=changes))

    assert ("nothing new since the last tick" in (found["skipReason"] or "")) is skipped


LUNCH = tick("2026-02-17T10:00:00Z", "Lunch.")


@pytest.mark.parametrize(
    ("changed", "missing", "present"),
    [
        ({"logs": (), "notes": ()}, ["suggestion:", "insight:"], []),
        ({"logs": (LUNCH, LOGS[1]), "notes": ()}, ["insight:"], ["suggestion:"]),
        ({"logs": (LUNCH,), "notes": ()}, ["suggestion:", "insight:"], []),
    ],
)
def test_a_skip_names_what_was_missing_and_every_file_examined(changed, missing, present):
    found = answer(given_(**changed))

    assert (found["skip"], found["suggestion"], found["insight"]) == (True, None, None)
    assert all(path in (found["skipReason"] or "") for path in EXAMINED)
    assert all(part in (found["skipReason"] or "") for part in missing)
    assert not any(part in (found["skipReason"] or "") for part in present)


def test_what_is_too_long_for_the_message_is_left_out_rather_than_cut():
    word = "Antidisestablishmentarianism/" * 12
    notes = (("memory/2026-02-15.md", f"- {word} failed after {word}, TODO: write to {word}"),)

    found = answer(given_(notes=notes, logs=LOGS[:1], playbook=f"- Fix: {word}"))

    assert found["skip"] is True


def test_a_long_list_of_files_is_counted_at_its_end():
    found = answer(given_(logs=(), notes=(), examined=tuple(f"memory/{n}.md" for n in range(15))))

    assert "memory/11.md and 3 more" in (found["skipReason"] or "")
    assert "memory/12.md" not in (found["skipReason"] or "")


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
WORDS = """TypeError ENOSPC failed again. fixed by raising the limit after deploy, TODO: send invoices webhook
    Antidisestablishmentarianism/pneumonoultramicroscopicsilicovolcanoconiosis bakery not yet due tomorrow"""
SAID = st.lists(st.sampled_from([*WORDS.split(), "\n-"]), max_size=60).map(" ".join)
DAY = st.integers(10, 17).map(lambda day: f"2026-02-{day}T1{day % 10}:00:00Z")
LOG = JUNK | st.fixed_dictionaries(
    {"ts": DAY | JUNK, "sessionHistorySummary": SAID | JUNK},
    optional={
        "effectivenessRate": st.floats() | JUNK,
        "playbookChanges": st.fixed_dictionaries({"added": JUNK}) | JUNK,
    },
)
CHANGES = st.fixed_dictionaries({"added": st.lists(SAID, max_size=2) | JUNK})


@settings(deadline=None, max_examples=examples(80))
@given(SAID, st.lists(LOG, max_size=4).map(tuple), CHANGES, st.lists(st.tuples(DAY, SAID), max_size=3).map(tuple))
def test_whatever_was_recorded_the_answer_is_under_500_characters_or_a_reason(playbook, logs, changes, notes):
    lines = "\n".join(f"- {line} [deferred: 2026-02-11]" for line in playbook.splitlines())

    found = answer(SynthesizeInput(lines, logs, (), changes, notes, ()))

    assert list(found) == ["skip", "skipReason", "suggestion", "insight"]
    if found["skip"]:
        assert found["skipReason"] and found["suggestion"] is None and found["insight"] is None
    else:
        assert found["skipReason"] is None
        assert len(found["suggestion"] or "") + len(found["insight"] or "") < 500
        assert found["suggestion"] and found["insight"]
