"""koog feedback: the loop's arithmetic, by command."""

from __future__ import annotations

import json

import pytest

from tests.conftest import git, process
from tests.logs import NOW, before, entry, lines, logged, said, snapshot

TIP = "Raise the inotify limit and restart Metro"


def outputs(workspace, *scores):
    """Log one tick with an output for each score, hours apart, and the host's scores."""
    for n, score in enumerate(scores, 1):
        moment = before(hours=n)
        row = {"_type": "score", "tickId": moment, "ts": moment, "compositeScore": score}
        logged(workspace, entry(moment, output=said(f"alpha{n} bravo{n} charlie{n}")), row)


def feedback(koog, *argv):
    code, line = koog("feedback", "--now", NOW, *argv)
    assert code == 0, line
    return line


def test_without_a_log_there_is_too_little_to_say(koog, workspace):
    line = feedback(koog)

    assert line["effectiveness"] == {"outputs": 0, "positive": 0, "negative": 0, "neutral": 0, "rate": None}
    assert (line["curateDirective"], line["effectivenessAlert"]) == ("insufficient_data", False)


@pytest.mark.parametrize(
    ("good", "bad", "directive", "alert"),
    [
        (4, 0, "insufficient_data", False),
        (1, 4, "aggressive_prune", True),
        (2, 3, "normal", False),
        (3, 2, "normal", False),
        (4, 1, "stability", False),
        (7, 3, "normal", False),
        (8, 2, "stability", False),
    ],
)
def test_five_outputs_suffice_and_the_thresholds_themselves_are_normal(koog, workspace, good, bad, directive, alert):
    outputs(workspace, *[0.5] * good, *[-0.5] * bad)

    line = feedback(koog)

    assert line["effectiveness"]["outputs"] == good + bad
    assert (line["curateDirective"], line["effectivenessAlert"]) == (directive, alert)


def test_an_output_is_paired_with_the_next_tick_and_no_other_record_is_taken_for_one(koog, workspace):
    logged(
        workspace,
        entry(before(hours=5), output=said(TIP)),
        {"_type": "curation", "ts": before(hours=4), "feedbackScores": {"avg": -0.9}},
        "null",
        '{"ts": "2026-02-28T08:',
        {"_type": "output", "tickId": before(hours=9), "ts": before(hours=4), "output": None},
        entry(before(hours=3), feedbackScores={"avg": 0.6}),
    )

    line = feedback(koog)

    assert line["feedbackScores"]["scored"] == [{"tickId": before(hours=5), "score": 0.6, "source": "next"}]


def test_older_entries_are_read(koog, workspace):
    logged(
        workspace,
        {
            "ts": before(hours=5),
            "recommendedAction": {"action": "skip"},
            "output": {"skip": False, "suggestion": TIP, "insight": "i"},
        },
        {"ts": before(hours=3), "sessionHistorySummary": "The user raised the inotify limit and restarted Metro"},
        {"ts": before(hours=2)},
        {"ts": before(hours=1)},
    )

    line = feedback(koog)

    assert line["feedbackScores"]["scored"] == [{"tickId": before(hours=5), "score": 0.5, "source": "derived"}]


def test_scores_are_kept_by_tick_and_used(koog, workspace):
    logged(workspace, entry(before(hours=5), output=said(TIP)), entry(before(hours=4), feedbackScores={"avg": -0.9}))

    line = feedback(koog, "--scores", json.dumps({before(hours=5): 0.8}))

    assert line["recorded"] == [before(hours=5)]
    assert line["feedbackScores"]["scored"] == [{"tickId": before(hours=5), "score": 0.8, "source": "host"}]
    assert lines(workspace)[-1] == {"_type": "score", "tickId": before(hours=5), "ts": NOW, "compositeScore": 0.8}
    assert feedback(koog)["feedbackScores"]["avg"] == 0.8


def test_the_same_scores_again_write_nothing(koog, workspace):
    scores = json.dumps({before(hours=5): 0.8})
    feedback(koog, "--scores", scores)
    kept = snapshot(workspace)

    line = feedback(koog, "--scores", scores)

    assert (line["recorded"], line["_meta"]["changes"]) == ([], [])
    assert snapshot(workspace) == kept


def test_a_score_that_changed_takes_the_earlier_ones_place(koog, workspace):
    logged(workspace, entry(before(hours=5), output=said(TIP)))
    feedback(koog, "--scores", json.dumps({before(hours=5): 0.8}))

    line = feedback(koog, "--scores", json.dumps({before(hours=5): -0.4}))

    assert line["recorded"] == [before(hours=5)]
    assert line["feedbackScores"]["avg"] == -0.4


def test_recorded_scores_are_committed(koog, workspace):
    feedback(koog, "--scores", '{"a": 1}')

    assert git(workspace, "status", "--porcelain") == ""


@pytest.mark.parametrize(
    "text", ["", "[]", "0.4", "not json", '{"a": "0.4"}', '{"a": true}', '{"a": null}', '{"a": 1.01}', '{"a": -1.01}']
)
def test_a_score_that_could_be_misread_is_refused_whole(koog, workspace, text):
    kept = snapshot(workspace)

    code, line = koog("feedback", "--now", NOW, "--scores", text)

    assert (code, line["error"]["code"]) == (2, "usage")
    assert snapshot(workspace) == kept


@pytest.mark.parametrize("score", [-1, 0, 1, 0.25])
def test_scores_run_from_minus_one_to_one(koog, workspace, score):
    assert feedback(koog, "--scores", json.dumps({"a": score}))["recorded"] == ["a"]


def test_scores_may_come_by_standard_input(workspace):
    done = process("feedback", "--now", NOW, "--scores", "-", cwd=workspace, stdin='{"a": 0.5}')

    assert json.loads(done.stdout)["recorded"] == ["a"]


def test_what_an_entry_scored_already_is_not_in_the_average_again(koog, workspace):
    outputs(workspace, 0.9, -0.5)
    logged(
        workspace,
        entry(before(minutes=30), feedbackScores={"avg": 0.9, "scored": [{"tickId": before(hours=1), "score": 0.9}]}),
    )

    assert feedback(koog)["feedbackScores"]["avg"] == -0.5


def test_the_builtin_engine_interprets(koog, workspace):
    outputs(workspace, 0.5, 0.5)

    line = feedback(koog)

    assert "2 of the 5 outputs needed" in line["interpretation"]
    assert line["_meta"]["engine"] == "builtin"


def test_a_model_interprets_and_does_no_arithmetic(koog, workspace, llm):
    outputs(workspace, *[0.5] * 5)
    llm.says({"interpretation": "Tips work", "curateDirective": "aggressive_prune", "effectiveness": {"rate": 0}})

    line = feedback(koog)

    assert line["interpretation"] == "Tips work"
    assert (line["curateDirective"], line["effectiveness"]["rate"]) == ("stability", 1.0)
    assert line["_meta"]["engine"] == "llm"


def test_scores_are_kept_although_the_model_fails(koog, workspace, llm):
    llm.fails(401)

    code, _ = koog("feedback", "--now", NOW, "--scores", '{"a": 0.5}')

    assert code != 0
    assert lines(workspace)[-1]["tickId"] == "a"


@pytest.mark.parametrize("scored", [5, "x", [None], {"a": 1}])
def test_whatever_an_agent_logged_as_scores_feedback_goes_on(koog, workspace, scored):
    logged(
        workspace, entry(before(hours=2), feedbackScores={"avg": 0.1, "scored": scored}, output=said(TIP)), entry(NOW)
    )

    assert feedback(koog)["effectiveness"]["outputs"] == 1


def test_a_model_that_fails_takes_only_the_interpretation_with_it(koog, workspace, llm):
    outputs(workspace, 0.5, 0.5)
    llm.fails(401)

    code, line = koog("feedback", "--now", NOW)

    assert code == 3  # a wrong key is told, not worked around
    llm.fails(400, "no")

    code, line = koog("feedback", "--now", NOW)

    assert code == 0
    assert line["interpretation"] is None
    assert line["effectiveness"]["outputs"] == 2
    assert "no interpretation: llm_unusable" in line["_meta"]["warnings"][0]


def test_thousands_of_scores_are_kept_and_told_in_a_short_line(koog, workspace):
    given = {f"tick-{n}": 0.1 for n in range(2000)}

    line = feedback(koog, "--scores", json.dumps(given))

    assert line["recorded"] == list(given)[:50]
    assert len(lines(workspace)) == 2000


def test_a_tick_id_of_a_page_is_refused(koog, workspace):
    code, line = koog("feedback", "--now", NOW, "--scores", json.dumps({"k" * 201: 0.1}))

    assert (code, line["error"]["code"]) == (2, "usage")
    assert lines(workspace) == []
