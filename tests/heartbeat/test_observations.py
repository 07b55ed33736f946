"""The material of a synthesis: what was recorded, once each, with its day and place."""

from __future__ import annotations

from typing import Any

import pytest

from koog.heartbeat.observations import Observation, concerns, is_after, is_claim, is_settled, observe, quote, reported


def tick(ts: str, summary: str, **more: Any) -> dict[str, Any]:
    return {"ts": ts, "idle": False, "sessionHistorySummary": summary, "signals": []} | more


def told(*, logs: Any = (), notes: Any = (), playbook: str = "") -> list[str]:
    return [o.text for o in observe(logs=logs, notes=notes, playbook=playbook)]


def seen(text: str, day: str = "2026-02-17", **more: Any) -> Observation:
    return Observation(text, day, more.pop("source", f"memory/{day}.md"), **more)


def test_notes_logs_and_dated_playbook_lines_are_one_list_with_the_present_first():
    found = observe(
        logs=[tick("2026-02-17T10:05:00Z", "Edited the menu."), tick("2026-02-16T09:00:00Z", "Wrote to Ana.")],
        notes=[("memory/2026-02-17.md", "## Car\n- Changed the tyres")],
        playbook="- Oil the chain <!-- from: memory/2026-02-01.md:3 -->\n- No date here\n",
    )

    assert [(o.text, o.day, o.source, o.hour, o.heading, o.now, o.kept) for o in found] == [
        ("Edited the menu.", "2026-02-17", "log 2026-02-17T10:05:00Z", 10, "", True, False),
        ("Changed the tyres", "2026-02-17", "memory/2026-02-17.md", None, "Car", False, False),
        ("Wrote to Ana.", "2026-02-16", "log 2026-02-16T09:00:00Z", 9, "", False, False),
        ("Oil the chain", "2026-02-01", "memory/2026-02-01.md", None, "", False, True),
    ]


def test_a_summary_made_of_todays_note_counts_once_and_is_not_the_present():
    found = observe(
        logs=[tick("2026-02-17T10:05:00Z", "Changed the tyres.", idle=True)],
        notes=[("memory/2026-02-17.md", "- Changed the tyres")],
        playbook="",
    )

    assert [(o.source, o.now) for o in found] == [("memory/2026-02-17.md", False)]


def test_half_of_a_notes_sentence_in_an_idle_summary_is_not_the_present():
    found = told(
        logs=[tick("2026-02-17T10:05:00Z", "Suite of Friday: 3 red runs. Gone.", idle=True)],
        notes=[("memory/2026-02-17.md", "- Suite of Friday: 3 red runs. Gone")],
    )

    assert found == ["Suite of Friday: 3 red runs. Gone"]


def test_in_an_active_tick_the_summary_is_the_present_even_where_it_retells_a_note():
    logs = [tick("2026-02-17T10:05:00Z", "Changed the tyres.")]

    found = observe(logs=logs, notes=[("memory/2026-02-17.md", "- Changed the tyres")], playbook="")

    assert found[0].now is True


def test_a_signal_that_restates_the_summary_counts_once():
    log = tick(
        "2026-02-17T10:05:00Z",
        "Metro died of ENOSPC.",
        signals=[{"description": "Error seen once: Metro died of ENOSPC."}, {"description": "Ana waits for a call"}],
    )

    assert told(logs=[log]) == ["Metro died of ENOSPC.", "Ana waits for a call"]


def test_a_playbook_line_of_a_note_that_is_read_anyway_counts_once():
    playbook = "- Tyres: 8 changed <!-- from: memory/2026-02-17.md:1 -->"

    assert told(notes=[("memory/2026-02-17.md", "- Tyres: 8 changed since May")], playbook=playbook) == [
        "Tyres: 8 changed since May"
    ]


@pytest.mark.parametrize(
    ("bullet", "texts"),
    [
        ("- Backup at night: 9 failures. Gone since the 25th", ["Backup at night: 9 failures. Gone since the 25th"]),
        ("- Contours were missing. Fixed, the region is new", ["Contours were missing. Fixed, the region is new"]),
        ("- Ana wrote a letter. Ben painted the garage", ["Ana wrote a letter.", "Ben painted the garage"]),
        ("- Did Ana write the letter?", []),
        ("assistant: I cleared the cache of the bundler", []),
    ],
)
def test_a_sentence_without_a_subject_stays_with_the_one_before_it(bullet, texts):
    assert told(notes=[("memory/2026-02-17.md", bullet)]) == texts


def test_what_has_no_date_cannot_be_placed_and_is_left_out():
    notes = [("memory/ideas.md", "- Paint the garage\n"), ("memory/2026-02-15-trip.md", "- Pack the tent\n")]

    assert told(logs=[{"ts": None, "signals": ["disk is full"]}, 3], notes=notes) == ["Pack the tent"]


@pytest.mark.parametrize(
    ("o", "cited"),
    [
        (seen("Ana called."), "“Ana called” (memory/2026-02-17.md)"),
        (seen("Ana called", source="log 2026-02-17T10:00:00Z"), "“Ana called” (tick of 2026-02-17)"),
        (seen("Ana called", now=True), "“Ana called” (now)"),
        (seen("Ana called", source="playbook", kept=True), "“Ana called” (2026-02-17, playbook)"),
        (seen("I called", speaker="Ana"), "Ana: “I called” (memory/2026-02-17.md)"),
    ],
)
def test_a_citation_says_who_and_where(o, cited):
    assert o.cited() == cited


def test_a_quotation_cannot_be_closed_by_its_text():
    assert quote("He said “yes” twice", 40) == '“He said "yes" twice”'


# --- order ---


@pytest.mark.parametrize(
    ("new", "old", "after"),
    [
        (seen("a", "2026-02-17"), seen("b", "2026-02-16"), True),
        (seen("a", "2026-02-16"), seen("b", "2026-02-17"), False),
        (seen("a", source="memory/x.md"), seen("b"), False),
        (seen("a", source="log 2026-02-17T10:00:00Z", now=True), seen("b"), True),
        (seen("a", source="log 1", hour=9), seen("b", source="log 0", hour=8), True),
        (seen("a", source="log 1", hour=9), seen("b", source="log 1", hour=9), False),
    ],
)
def test_of_two_notes_of_one_day_nobody_knows_which_was_first(new, old, after):
    assert is_after(new, old) is after


# --- claims ---


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("ENOSPC: 7 stops, two fixes. Gone", True),
        ("No ENOSPC since, with editor and Metro side by side", True),
        ("Third night fine. Regarded as solved", True),
        ("Lock file rule and CI check in place", True),
        ("Ana is gone for lunch", False),
        ("Wants it solved by 2026-02-24", False),
        ("The restart has not fixed it", False),
        ("Fix planned for Monday", False),
    ],
)
def test_a_claim_says_that_it_is_over_and_not_that_it_should_be(text, claim):
    assert is_claim(seen(text)) is claim


@pytest.mark.parametrize(
    ("claim", "about"),
    [
        ("No ENOSPC since", True),
        ("The watcher of the editor is fixed", False),
        ("Metro and its file watcher: solved", True),
    ],
)
def test_a_claim_is_about_a_failure_by_its_name_or_two_words(claim, about):
    o = seen("Metro stopped with ENOSPC in the file watcher")

    assert concerns(seen(claim), reported(o)[0], o) is about


def test_what_was_called_gone_later_is_settled():
    o = seen("Metro stopped with ENOSPC", "2026-02-15")

    assert is_settled(reported(o)[0], o, [seen("No ENOSPC since, fixed", "2026-02-16")])
    assert not is_settled(reported(o)[0], o, [seen("No ENOSPC since, fixed", "2026-02-14")])


def test_what_the_playbook_keeps_is_no_report_of_a_failure():
    assert reported(seen("Metro stopped with ENOSPC"))
    assert not reported(seen("Metro stopped with ENOSPC", kept=True))
