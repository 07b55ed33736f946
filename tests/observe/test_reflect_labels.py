"""koog reflect: the lines of one project or group are put to the engine, and held to the laws, on their own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from koog.core.run import Run
from koog.observe import observations
from koog.observe.observations import Observation
from koog.observe.reflect import consolidate
from koog.sessions import labels, place
from koog.sessions.labels import NONE, Label
from koog.sessions.place import GROUP
from tests.conftest import git, registered

NOW = ("--now", "2026-02-28T12:00:00Z")
FORCED = (*NOW, "reflect", "--force")
PATH = "memory/observations.md"
HARBOR, QUARRY = Label("/srv/work/harbor"), Label("/srv/work/quarry")
TELEGRAM = Label("openclaw/main", GROUP, "telegram:group:-100")
TUESDAY, FRIDAY = "Harbor deploys go out on Tuesdays", "Harbor deploys moved to Friday"


def seen(label: Label, text: str, *, mark: int = 8, day: str = "2026-02-20", source: str = "s#a") -> Observation:
    return Observation(day, "09:00", text, "fact", mark, 0.8, source, labels.values(label))


def put(folder: Path, *found: Observation) -> None:
    (folder / PATH).write_text(observations.added("", found))


def left(folder: Path) -> list[tuple[Label, str]]:
    return [(o.label, o.text) for o in observations.observations((folder / PATH).read_text())]


def shown(llm: Any) -> list[list[str]]:
    """Return the numbered lines of each request."""
    texts = [str(request["body"]["messages"][-1]["content"]) for request in llm.requests]
    return [re.findall(r"(?m)^\d+: (.*)$", text) for text in texts]


# --- the built-in engine


def test_a_newer_line_of_another_project_takes_no_lines_place(koog, workspace):
    put(workspace, seen(HARBOR, TUESDAY, day="2026-02-10"), seen(QUARRY, FRIDAY))

    line = koog(*FORCED)[1]

    assert line["reflected"] is False
    assert left(workspace) == [(HARBOR, TUESDAY), (QUARRY, FRIDAY)]


def test_the_same_words_of_two_projects_stay_twice_and_of_one_project_once(koog, workspace):
    put(workspace, *(seen(label, FRIDAY, source=f"s#{n}") for n, label in enumerate([HARBOR, QUARRY, HARBOR, NONE])))

    line = koog(*FORCED)[1]

    assert sorted(left(workspace)) == sorted([(HARBOR, FRIDAY), (QUARRY, FRIDAY), (NONE, FRIDAY)])
    assert len(line["merged"]) == 1


def test_within_each_project_it_is_as_before_and_all_is_one_commit(koog, workspace):
    put(workspace, *(seen(label, text, day=day) for label in (HARBOR, QUARRY, TELEGRAM)
                     for text, day in ((TUESDAY, "2026-02-10"), (FRIDAY, "2026-02-20"))))  # fmt: skip
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "observed")
    commits = int(git(workspace, "rev-list", "--count", "HEAD"))

    line = koog(*FORCED)[1]

    assert [label for label, text in left(workspace) if text.endswith(FRIDAY)] == [HARBOR, QUARRY, TELEGRAM]
    assert len(left(workspace)) == 3
    assert len(list((workspace / "memory/observation-backups").iterdir())) == 1
    assert int(git(workspace, "rev-list", "--count", "HEAD")) == commits + 1
    assert line["linesAfter"] == 3


# --- a model


def test_a_model_is_asked_once_for_each_project_that_has_several_lines(koog, workspace, llm):
    named = ((HARBOR, "anchor"), (TELEGRAM, "gannet"), (NONE, "mind"))
    two = [(label, f"{name} {n} of {name}") for label, name in named for n in range(2)]
    put(workspace, *(seen(label, text) for label, text in [*two, (QUARRY, "one stone alone")]))
    llm.always(lambda _: {"operations": []})

    koog(*FORCED)

    assert sorted({row.split()[-1] for row in rows} for rows in shown(llm)) == [{"anchor"}, {"gannet"}, {"mind"}]
    assert [len(rows) for rows in shown(llm)] == [2, 2, 2]


def test_an_answer_that_is_refused_for_one_project_costs_no_other_its_own(koog, workspace, llm):
    rows = [seen(HARBOR, "Anchors are heavy", mark=5), seen(HARBOR, "Ropes are long", mark=5)]
    put(workspace, *rows, seen(QUARRY, TUESDAY, day="2026-02-10"), seen(QUARRY, FRIDAY))
    all_of_it = {"op": "remove", "lines": [1, 2], "reason": "old"}
    moved = {"op": "remove", "lines": [1], "newer": 2, "reason": "moved"}
    llm.always(lambda asked: {"operations": [all_of_it if "Anchors" in json.dumps(asked["body"]) else moved]})

    code, line = koog(*FORCED)

    assert (code, line["reflected"]) == (0, True)
    assert left(workspace) == [(HARBOR, "Anchors are heavy"), (HARBOR, "Ropes are long"), (QUARRY, FRIDAY)]
    assert any("under 20%" in warning for warning in line["_meta"]["warnings"])


def test_an_excluded_projects_lines_stay_as_they_are_and_no_model_sees_them(koog, workspace, llm):
    registered(workspace, observe_projects_exclude=["**/quarry"])
    rows = [seen(QUARRY, TUESDAY, mark=2, day="2026-01-10"), seen(QUARRY, TUESDAY, mark=2, day="2026-01-11")]
    put(workspace, *rows)

    koog(*FORCED)

    assert llm.requests == [] and len(left(workspace)) == 2


def test_what_a_model_writes_anew_of_a_groups_line_stays_a_groups(koog, workspace, llm):
    text = "Group: Mallory prefers the harbor at noon because the light is good"
    put(workspace, seen(TELEGRAM, text, mark=5, day="2026-01-02"), seen(TELEGRAM, "Group: Other things", mark=5))
    llm.says({"operations": [{"op": "rewrite", "lines": [1], "text": "Mallory prefers the harbor", "reason": "short"}]})

    koog(*FORCED)

    assert (TELEGRAM, "Group: Mallory prefers the harbor") in left(workspace)


def test_the_reply_tells_only_what_its_reader_may_hear(koog, workspace):
    own = Label(place.project(str(workspace)))
    for label in (HARBOR, own):
        put(workspace, seen(label, TUESDAY, day="2026-02-10"), seen(label, FRIDAY))
        registered(workspace, context_otherProjects="none")

        line = koog(*FORCED)[1]

        assert (line["reflected"], line["linesBefore"], line["linesAfter"]) == (True, 2, 1)
        assert len(line["dropped"]) == (label == own)


def test_what_a_model_wrote_of_lines_there_are_not_is_told_to_their_own_project_alone(koog, workspace, llm):
    registered(workspace, context_otherProjects="none")
    put(workspace, seen(HARBOR, TUESDAY, day="2026-02-10"), seen(HARBOR, FRIDAY))
    llm.says({"operations": [{"op": "merge", "lines": [1, 99], "text": "Harbor secret"}, {"op": "harbor secret"}]})

    assert koog(*FORCED)[1]["keptAgainst"] == []


# --- any mix

LABELS = [NONE, HARBOR, QUARRY, TELEGRAM, Label("openclaw/ops"), Label("openclaw/ops", GROUP, "telegram:group:-100")]
WORDS = ["anchor", "basalt", "gannet", "condor", "mind", "osprey"]
TEXTS = [
    "The {} deploys go out on Tuesdays",
    "The {} deploys moved to Friday",
    "The {} deploys go out on Tuesdays at noon because the harbor is open",
    "The {} tests passed",
    "Staging listens on port 4100",  # the same words everywhere
]
MIX = st.lists(
    st.tuples(
        st.sampled_from(range(len(LABELS))),
        st.sampled_from(TEXTS),
        st.sampled_from([2, 5, 8]),
        st.sampled_from(["2026-01-02", "2026-02-10", "2026-02-27"]),
    ),
    max_size=14,
)
OPERATIONS = st.lists(
    st.fixed_dictionaries(
        {
            "op": st.sampled_from(["merge", "remove", "rewrite"]),
            "lines": st.lists(st.integers(1, 8), min_size=1, max_size=3),
            "newer": st.none() | st.integers(1, 8),
            "text": st.none() | st.sampled_from(["The deploys moved", "Staging"]),
            "reason": st.just("x"),
        }
    ),
    max_size=4,
)
MODEL = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


def made(mix: list[tuple[int, str, int, str]]) -> list[Observation]:
    return [
        seen(LABELS[n], text.format(WORDS[n]), mark=mark, day=day, source=f"s#{i}")
        for i, (n, text, mark, day) in enumerate(mix)
    ]


def no_line_has_moved(before: list[Observation], workspace: Path) -> None:
    """Assert that each label's lines are made of its own alone."""
    found = left(workspace)
    for label, word in zip(LABELS, WORDS, strict=True):
        texts = [text for own, text in found if own == label]
        assert not [text for text in texts for other in WORDS if other != word and other in text]
        known = {w for o in before if o.label == label for w in o.text.split()} | {"Group:"}
        assert {w for text in texts for w in text.split()} <= known
    assert {label for label, _ in found} <= {o.label for o in before}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(mix=MIX)
@example(mix=[(n, text, 8, "2026-02-10") for n in range(6) for text in TEXTS])
def test_whatever_the_mix_no_lines_words_come_under_another_label(workspace, mix):
    before = made(mix)
    put(workspace, *before)

    consolidate(Run(folder=str(workspace), now_text=NOW[1], command="reflect", engine="builtin"), force=True)

    no_line_has_moved(before, workspace)


@MODEL
@given(mix=MIX, operations=OPERATIONS)
@example(
    mix=[(n, text, 5, "2026-01-02") for n in range(6) for text in TEXTS[:2]],
    operations=[{"op": "merge", "lines": [1, 2], "newer": None, "text": None, "reason": "x"}],
)
def test_whatever_a_model_answers_each_request_holds_one_label_and_no_words_move(workspace, llm, mix, operations):
    before = made(mix)
    put(workspace, *before)
    llm.requests.clear()
    llm.always(lambda _: {"operations": operations})
    run = Run(folder=str(workspace), now_text=NOW[1], command="reflect", engine="llm")

    try:
        consolidate(run, force=True)
    except Exception as e:
        assert type(e).__name__ in ("Refused", "LLMUnusable")  # nothing was written then

    assert all(len({word for word in WORDS for row in rows if word in row}) <= 1 for rows in shown(llm))
    several = [sum(o.label == label for o in before) for label in LABELS]
    assert len(shown(llm)) <= 2 * sum(
        count > 1 for count in several
    )  # an answer that cannot be used is asked for again
    no_line_has_moved(before, workspace)


@pytest.mark.parametrize("limit", [0, 1])
def test_the_threshold_is_over_the_whole_file(koog, workspace, monkeypatch, limit):
    put(workspace, *(seen(label, text) for label in LABELS for text in (TUESDAY, FRIDAY)))
    words = observations.words((workspace / PATH).read_text())
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", str(words + limit))

    assert ("words of" in koog(*NOW, "reflect")[1]["reason"]) is bool(limit)
