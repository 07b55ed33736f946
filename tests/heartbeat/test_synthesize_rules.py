"""The built-in synthesis: a suggestion and an insight that both cite what was read, or a skip that says why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.heartbeat.synthesize_rules import REPEAT, SynthesizeInput, answer, connections, observations, suggestions
from koog.playbook.texts import log_sentences

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
    tick("2026-02-16T09:00:00Z", "Wrote the release notes, still need to send them to Ana."),
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


def insights(**changed: Any) -> list[str]:
    usual: dict[str, Any] = {"playbook": "", "logs": (), "notes": ()}
    case = given_(**usual | changed)
    return list(connections(case, observations(case)))


def suggested(**changed: Any) -> list[str]:
    case = given_(**changed)
    return list(suggestions(case.playbook, log_sentences(case.logs[0]), observations(case)))


def test_a_fix_of_an_earlier_day_and_an_error_with_one_cause_are_said_together():
    found = answer(given_())

    assert found == {
        "skip": False,
        "skipReason": None,
        "suggestion": "On “The dev server died with ENOSPC after switching branches.”: what helped before was "
        "“Fixed the ENOSPC by raising the inotify limit” (memory/2026-02-15.md).",
        "insight": "Twice the same after switching branches: “ENOSPC from the watcher after switching branches” "
        "(2026-02-15, log) and “The dev server died with ENOSPC after switching branches” (2026-02-17, log).",
    }


# --- what would help now ---


def test_the_suggestions_are_fix_playbook_line_open_step_in_that_order():
    found = suggested()

    assert [text.split("“")[-1] for text in found] == [
        "Fixed the ENOSPC by raising the inotify limit” (memory/2026-02-15.md).",
        "On ENOSPC from file watchers raise fs.inotify.max_user_watches”.",
        "Wrote the release notes, still need to send them to Ana” (log of 2026-02-16).",
    ]


def test_without_a_trouble_the_playbook_line_on_the_latest_topic_is_suggested():
    logs = (tick("2026-02-17T10:00:00Z", "User moves the invoices to the shared drive."),)
    playbook = "- Invoices go to the shared folder on Fridays\n- Keep tips short\n"

    found = suggested(logs=logs, notes=(), playbook=playbook)

    assert found == ["The playbook has a line for the latest session: “Invoices go to the shared folder on Fridays”."]


def test_a_line_that_was_put_off_is_not_suggested():
    logs = (tick("2026-02-17T10:00:00Z", "User moves the invoices to the shared folder."),)

    assert suggested(logs=logs, notes=()) == []


def test_a_repair_that_does_not_say_how_helps_nobody():
    assert "what helped" not in suggested(notes=(("memory/2026-02-15.md", "- Fixed ENOSPC, finally"),))[0]


def test_a_step_reported_as_taken_is_no_longer_open():
    taken = (("memory/2026-02-17.md", "- Sent the release notes I wrote to Ana"),)

    assert any("Still open" in text for text in suggested(notes=()))
    assert not any("Still open" in text for text in suggested(notes=taken))


# --- what belongs together ---


def test_the_same_error_of_two_days_at_the_same_hour_is_an_insight():
    logs = (
        tick("2026-02-17T22:10:00Z", "The nightly sync failed: ECONNRESET."),
        tick("2026-02-15T23:40:00Z", "ECONNRESET from the mail server."),
    )

    assert insights(logs=logs) == [
        "Same error, same time of day (23h and 22h UTC): “ECONNRESET from the mail server” (2026-02-15, log) "
        "and “The nightly sync failed: ECONNRESET” (2026-02-17, log)."
    ]


@pytest.mark.parametrize(
    ("ts", "why"),
    [
        ("2026-02-15T20:40:00Z", "two hours apart"),
        ("2026-02-17T22:40:00Z", "the same day"),
        ("2026-02-15", "no hour known"),
        (None, "no day known"),
    ],
)
def test_an_error_that_merely_returns_is_no_insight(ts, why):
    logs = (
        tick("2026-02-17T22:10:00Z", "The sync failed: ECONNRESET."),
        {"ts": ts, "signals": ["ECONNRESET from mail"]},
    )

    assert insights(logs=logs) == [], why


def test_an_item_put_off_whose_topic_is_back_is_an_insight():
    notes = (("memory/2026-02-16.md", "- Invoices of January moved to the shared folder late, Ana complained"),)

    assert insights(playbook=PLAYBOOK, notes=notes) == [
        "Put off on 2026-02-14: “Move invoices to the shared folder on Fridays”, yet it is back: “Invoices of January "
        "moved to the shared folder late, Ana complained” (memory/2026-02-16.md)."
    ]


def test_what_was_written_before_an_item_was_put_off_is_not_its_return():
    notes = (("memory/2026-02-14.md", "- Invoices of January moved to the shared folder late, Ana complained"),)

    assert insights(playbook=PLAYBOOK, notes=notes) == []


def test_a_pattern_added_today_that_fits_an_earlier_failure_is_an_insight():
    logs = (tick("2026-02-17T10:00:00Z", "Edited the menu."),)
    notes = (("memory/2026-02-12.md", "- The photo import died with ENOSPC halfway"),)

    found = insights(logs=logs, notes=notes, changes={"added": ["Check the disk for ENOSPC on a new machine"]})

    assert found == [
        "Learned 2026-02-17: “Check the disk for ENOSPC on a new machine”. It fits an earlier failure: “The photo "
        "import died with ENOSPC halfway” (memory/2026-02-12.md)."
    ]


@pytest.mark.parametrize(
    ("added", "day"),
    [("The photo import died with ENOSPC", "2026-02-12"), ("Check the disk for ENOSPC on a new machine", "2026-02-17")],
)
def test_a_pattern_that_restates_the_failure_or_is_of_the_same_day_is_none(added, day):
    logs = (tick("2026-02-17T10:00:00Z", "Edited the menu."),)
    notes = ((f"memory/{day}.md", "- The photo import died with ENOSPC halfway"),)

    assert insights(logs=logs, notes=notes, changes={"added": [added]}) == []


@pytest.mark.parametrize(("rate", "told"), [(0.55, True), (0.54, False), (0.25, True), (0.4, False)])
def test_a_rate_that_moved_after_a_change_is_an_insight(rate, told):
    changes = {"added": ["Quote the playbook in tips"], "pruned": [], "promoted": []}
    logs = (
        tick("2026-02-17T10:00:00Z", "Edited the menu.", effectivenessRate=rate),
        tick("2026-02-15T10:00:00Z", "Lunch.", effectivenessRate=0.4, playbookChanges=changes),
    )

    found = insights(logs=logs)

    assert found == (
        [
            "The playbook’s rate was 0.40 on 2026-02-15, when it added “Quote the playbook in tips”, "
            f"and is {rate:.2f} on 2026-02-17."
        ]
        if told
        else []
    )


def filler(count: int) -> str:
    return "\n".join(f"- {word}" for word in "lunch walk violin garden market train".split()[:count])


@pytest.mark.parametrize(("others", "told"), [(6, True), (5, False)])
def test_two_rare_words_shared_by_two_days_are_an_insight_once_enough_was_read(others, told):
    notes = (
        ("memory/2026-02-17.md", "- Webhook of the bakery arrives late\n- Tea\n" + filler(others)),
        ("memory/2026-02-12.md", "- Ordered cake, bakery wants a webhook for pickups\n- Rain"),
    )

    found = insights(notes=notes)

    assert found == (
        [
            "bakery and Webhook came up twice in different places: “Ordered cake, bakery wants a webhook for pickups” "
            "(memory/2026-02-12.md) and “Webhook of the bakery arrives late” (memory/2026-02-17.md)."
        ]
        if told
        else []
    )


@pytest.mark.parametrize(("word", "told"), [("GraphQL", True), ("cake", False)])
def test_one_shared_word_must_be_a_name(word, told):
    notes = (
        ("memory/2026-02-17.md", f"- Slow answer, {word} probably\n- Tea\n" + filler(6)),
        ("memory/2026-02-12.md", f"- Ordered {word} for pickups\n- Rain"),
    )

    assert bool(insights(notes=notes)) is told


@pytest.mark.parametrize("day", ["2026-02-12", "2026-02-17"])
def test_one_thing_written_down_twice_connects_nothing(day):
    text = "- Webhook of the bakery arrives late"
    notes = (
        ("memory/2026-02-17.md", text + "\n- Tea\n" + filler(6)),
        (f"memory/{day}-evening.md", text + " today\n- Rain"),
    )

    assert insights(notes=notes) == []


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
    logs = (tick("2026-02-17T10:00:00Z", "Lunch."), tick("2026-02-16T10:00:00Z", f"TODO: {' '.join(words)}"))
    said = ({"ts": "x", "suggestion": " ".join([*words[:shared], "zulu", "yankee"][:5]), "insight": ""},)

    found = answer(given_(logs=logs, notes=(), recent_outputs=said, playbook=""))

    assert REPEAT == 0.6
    assert ("repeat recent outputs" in (found["skipReason"] or "")) is skipped


def test_an_insight_that_restates_the_suggestion_is_not_sent_with_it():
    log = tick("2026-02-17T10:00:00Z", "Lunch.")
    notes = (("memory/2026-02-16.md", "- TODO: move invoices to the shared folder"),)

    found = answer(given_(logs=(log,), notes=notes))

    assert found["skip"] is True
    assert "insight: all 1 found repeat" in (found["skipReason"] or "")


@pytest.mark.parametrize(
    ("changed", "missing", "present"),
    [
        ({"logs": (), "notes": ()}, ["suggestion:", "insight:"], []),
        ({"logs": LOGS[1:2], "notes": ()}, ["insight:"], ["suggestion:"]),
        ({"logs": (tick("2026-02-17T10:00:00Z", "Lunch."),), "notes": ()}, ["suggestion:", "insight:"], []),
    ],
)
def test_a_skip_names_what_was_missing_and_every_file_examined(changed, missing, present):
    found = answer(given_(**changed))

    assert (found["skip"], found["suggestion"], found["insight"]) == (True, None, None)
    assert all(path in (found["skipReason"] or "") for path in EXAMINED)
    assert all(part in (found["skipReason"] or "") for part in missing)
    assert not any(part in (found["skipReason"] or "") for part in present)


def test_an_insight_too_long_for_the_message_is_left_out_rather_than_cut():
    text = (
        "- The export of the accounting archive to the office printer failed after moving the cabinet {} to the cellar"
    )
    slug = "a-slug-as-long-as-some-hosts-like-to-make-them"
    notes = tuple((f"memory/2026-02-{day}-{slug}.md", text.format("with drawers")) for day in (16, 12))

    told = insights(notes=notes)
    found = answer(given_(notes=notes, logs=LOGS[:2]))

    assert [len(text) > 280 for text in told] == [True]
    assert found["skip"] is True


def test_a_long_list_of_files_is_counted_at_its_end():
    found = answer(given_(logs=(), notes=(), examined=tuple(f"memory/{n}.md" for n in range(15))))

    assert "memory/11.md and 3 more" in (found["skipReason"] or "")
    assert "memory/12.md" not in (found["skipReason"] or "")


def test_notes_without_a_date_in_their_name_cannot_be_placed_and_are_left_out():
    case = given_(logs=(), notes=(("memory/ideas.md", "- One\n"), ("memory/2026-02-15-trip.md", "- Two\n")))

    assert [(o.text, o.day) for o in observations(case)] == [("Two", "2026-02-15")]


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


@settings(deadline=None, max_examples=80)
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
