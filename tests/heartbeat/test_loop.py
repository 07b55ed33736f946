"""The feedback loop closes, by commands alone: scores change the directive, the directive changes the playbook."""

from __future__ import annotations

import json

import pytest

from tests.logs import bullets, entry, lines, logged, playbook, said

WEAK = "- Write good tests (score: 0.4)"
WEAKER = "- Be nice to the client (score: 0.3)"
BODY = (
    "## Established",
    "- Use pnpm for workspaces (score: 0.8)",
    "## Patterns",
    WEAK,
    WEAKER,
    "- Stream large archives to the staging host (score: 0.5)",
    "- Releases leave on Thursdays (score: 0.6)",
)
NEW = json.dumps({"newPatterns": ["Chose Drizzle instead of Prisma"]})


def spoken(koog, llm, day, number):
    """Run one tick whose synthesizer says something new; return its id."""
    words = [f"alpha{number}", f"bravo{number}", f"charlie{number}"]
    llm.says({"signals": [], "recommendedAction": {"action": "skip", "confidence": 0}})
    llm.says({"interpretation": "Too early to say."})
    llm.says({"operations": []})
    llm.says({"skip": False, "suggestion": " ".join(words), "insight": f"delta{number} echo{number} foxtrot{number}"})
    code, line = koog("tick", "--active", "--session-summary", "Wrote notes.", "--now", f"{day}T{9 + number:02}:00:00Z")
    assert code == 0, line
    assert line["output"] is not None, line
    return line["tickId"]


@pytest.mark.parametrize(
    ("score", "directive", "alert"),
    [(0.6, "stability", False), (-0.6, "aggressive_prune", True), (0.1, "aggressive_prune", True)],
)
def test_scores_of_real_ticks_steer_the_next_one(koog, workspace, llm, score, directive, alert):
    playbook(workspace, *BODY)
    told = [spoken(koog, llm, "2026-02-27", n) for n in range(5)]

    _, line = koog(
        "feedback",
        "--engine",
        "builtin",
        "--now",
        "2026-02-28T09:00:00Z",
        "--scores",
        json.dumps(dict.fromkeys(told, score)),
    )

    assert line["recorded"] == told
    assert (line["effectiveness"]["outputs"], line["curateDirective"], line["effectivenessAlert"]) == (
        5,
        directive,
        alert,
    )
    code, after = koog("tick", "--active", "--engine", "builtin", "--now", "2026-02-28T09:30:00Z")
    assert code == 0
    assert after["curateDirective"] == directive
    assert lines(workspace)[-2]["effectivenessAlert"] is alert


def scored(koog, workspace, score):
    """Log five outputs and hand over the host's score for each."""
    moments = [f"2026-02-27T{hour:02}:00:00Z" for hour in range(9, 14)]
    for n, moment in enumerate(moments):
        logged(workspace, entry(moment, output=said(f"alpha{n} bravo{n} charlie{n}")))
    code, _ = koog("feedback", "--now", "2026-02-27T14:00:00Z", "--scores", json.dumps(dict.fromkeys(moments, score)))
    assert code == 0


def curate(koog):
    code, line = koog("curate", "--now", "2026-02-28T12:00:00Z", "--mining-findings", NEW)
    assert code == 0, line
    return line


def test_a_run_of_good_scores_brings_stability_and_refuses_a_half(koog, workspace):
    playbook(workspace, *BODY)
    scored(koog, workspace, 0.6)

    line = curate(koog)

    assert line["curateDirective"] == "stability"
    assert line["changes"] == {"added": [], "pruned": [], "promoted": []}
    assert {"text": "Chose Drizzle instead of Prisma", "reason": "add: stability takes scores above 0.5 only"} in line[
        "refused"
    ]
    assert {WEAK, WEAKER} <= set(bullets(workspace))


def test_a_run_of_bad_scores_brings_aggressive_prune_and_prunes_weak_lines(koog, workspace):
    playbook(workspace, *BODY)
    scored(koog, workspace, -0.6)

    line = curate(koog)

    assert line["curateDirective"] == "aggressive_prune"
    assert set(line["changes"]["pruned"]) == {"Write good tests", "Be nice to the client"}
    assert line["changes"]["added"] == ["Chose Drizzle instead of Prisma"]


def test_without_scores_neither_happens(koog, workspace):
    playbook(workspace, *BODY)

    line = curate(koog)

    assert line["curateDirective"] == "insufficient_data"
    assert line["changes"] == {"added": ["Chose Drizzle instead of Prisma"], "pruned": [], "promoted": []}


def test_good_scores_about_a_pattern_promote_it_and_bad_ones_prune_it(koog, workspace):
    good, bad = "Stream large archives to the staging host", "Restart the phone before each build"
    playbook(workspace, "## Established", "## Patterns", f"- {good} (score: 0.5)", f"- {bad} (score: 0.5)")
    told = {}
    for n in range(3):
        for minute, (text, score) in enumerate(((good, 0.8), (bad, -0.8))):
            moment = f"2026-02-2{5 + n}T10:0{minute}:00Z"
            logged(workspace, entry(moment, output=said(text)))
            told[moment] = score
    koog("feedback", "--now", "2026-02-27T14:00:00Z", "--scores", json.dumps(told))

    koog("curate", "--now", "2026-02-28T12:00:00Z", "--curate-directive", "normal")
    _, line = koog("curate", "--now", "2026-02-28T12:30:00Z", "--curate-directive", "normal")

    assert line["changes"]["promoted"] == [good]
    assert line["changes"]["pruned"] == [bad]
