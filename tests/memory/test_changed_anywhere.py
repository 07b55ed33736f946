"""A line told anew changes what an earlier one said, wherever either is kept, and every reader is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from koog.core import changes as log
from koog.core.run import Run
from koog.memory import changed, remember
from koog.memory.store import changes
from koog.memory.store.change import Change
from koog.memory.wanted import Wanted
from tests.conftest import Koog

AUDIT = "yesterday we settled that the spring audit of cage 6 is on 18 March"
MOVED = "scrap the 18th, they have pushed the spring audit to 26 March now"
OTHERS = ["met Omar at the harbour, he is tired", "the pump in hall 2 was loud again"]


def told(*texts: str, month: int = 2, **more: str) -> list[dict]:
    """Remember some things, one a day; return what became of each."""
    found = []
    for day, text in enumerate(texts, 1):
        run = Run(now_text=f"2026-{month:02}-{day:02}T08:10:00Z")
        kept, _ = remember.store_all(run, [Wanted(text, **more)], word=True, asks=False)
        found.append(kept[0].row)
    return found


@pytest.mark.parametrize(
    ("older", "newer", "becomes"),
    [
        ("wifi in the kitchen", "no wifi in the kitchen, cable instead", "replaced"),
        ("WLAN in der Küche", "kein WLAN in der Küche, stattdessen Kabel", "replaced"),
        ("The fan in the attic is for guests", "no fan in the attic, a vent instead", "against"),
    ],
)
def test_what_is_denied_as_a_whole_gives_way(koog: Koog, older: str, newer: str, becomes: str) -> None:
    old, new = told(older, newer)

    assert new[becomes] == [old["id"]]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("the audit is on 18 March", "scrap the 18th, the audit is on 26 March now"),
        ("das Audit ist am 18. März", "das Audit ist auf den 26. März verschoben"),
        ("la auditoría es el 18 de marzo", "la auditoría pasa al 26 de marzo"),
        ("l'audit a lieu le 18 mars", "l'audit est décalé au 26 mars"),
        ("审计定在3月18日", "审计改到3月26日"),
        ("for phase two of Skjold we asked the fund for 6 million", "phase two of Skjold: the fund gave 4.5 million"),
    ],
)
def test_another_value_for_the_same_is_a_change(older: str, newer: str) -> None:
    (found,) = [each for each in changed.likely(newer, [*OTHERS, older]) if each.at == len(OTHERS)]

    assert found.clash
    assert found.sure >= changed.LEAST


def test_what_one_source_has_otherwise_than_another_stands_against_it_and_corrects_nothing() -> None:
    older, newer = "Wilma says the graduation is on 10 July", "Geert told me the graduation hall is set up on 17 July"
    (found,) = changed.likely(newer, [older])

    assert changed.of(found._replace(sure=1.0), older, newer, ("x",)) == Change(against=("x",))
    assert changed.of(found._replace(sure=1.0), older, f"{newer}, I misread it", ("x",)) == Change(replaced=("x",))


@pytest.mark.parametrize(
    ("older", "newer", "change"),
    [
        ("the boat race of group 1 is on 11 May", "the boat race of group 2 is on 12 May", Change()),
        ("the dentist appointment for Lena is on 11 May", "the dentist appointment for Tom is on 12 May", Change()),
        ("the rent of the flat in Bergen is 900 euros", "the rent of the flat in Oslo is 1200 euros", Change()),
        ("had lunch with Omar on 3 March", "had lunch with Omar on 9 March", Change()),
        ("paid the invoice of Ranta yesterday, 120 euros", "paid Ranta's invoice today, 95 euros", Change()),
        ("Mikko Rantala keeps our compressors alive", "the compressor man is that Rantala", Change()),
        ("the gala is on 14 March", "curling has the hall, so the gala is on 21 March", Change(beside=("x",))),
        ("the audit is on 18 March", "the audit has moved to 26 March", Change(replaced=("x",))),
    ],
)
def test_without_a_word_of_a_change_nothing_is_replaced(older: str, newer: str, change: Change) -> None:
    (found,) = [each for each in changed.likely(newer, [*OTHERS, older], total=200) if each.at == len(OTHERS)]

    assert changed.of(found._replace(sure=1.0), older, newer, ("x",), told="2000-03-08") == change


@pytest.mark.parametrize("newer", ["Omar has a brother in Bergen", "the pump in hall 3 is new", "it rained all day"])
def test_what_speaks_of_the_same_is_none_by_that(newer: str) -> None:
    assert not any(each.clash for each in changed.likely(newer, OTHERS))


def test_an_episode_is_replaced_and_stays_as_it_was_written(koog: Koog, workspace: Path) -> None:
    old, *_ = told(AUDIT, *OTHERS, store="episodic")
    before = (workspace / old["path"]).read_bytes()
    (new,) = told(MOVED, month=3)

    assert new["replaced"] == [old["id"]]
    assert (workspace / old["path"]).read_bytes() == before
    _, line = koog("recall", "when is the spring audit?", "--now", "2026-03-07T08:00:00Z")
    first = line["results"][0]
    assert (first["id"], [each["id"] for each in first["replaced"]]) == (new["id"], [old["id"]])
    _, line = koog("why", old["id"])
    assert (line["until"], line["replacedBy"]) == ("2026-03-01", [new["id"]])


def test_what_happened_twice_is_told_twice_and_neither_is_out_of_date(koog: Koog) -> None:
    told("had lunch with Omar at the harbour on 1 March, 14 euros", *OTHERS, month=3)
    (new,) = told("had lunch with Omar at the harbour on 1 April, 18 euros", month=4)

    assert new["against"] == []
    _, line = koog("recall", "lunch with Omar at the harbour", "--now", "2026-04-07T08:00:00Z")
    assert [each["newer"] for each in line["results"] if "lunch" in each["text"]] == [None, None]


def test_a_context_says_until_when_an_episode_held(koog: Koog) -> None:
    told(AUDIT, *OTHERS, store="episodic")
    told(MOVED, month=3)
    koog("index", "--now", "2026-03-07T08:00:00Z")

    _, line = koog("compile", "--message", "when is the spring audit?", "--now", "2026-03-07T08:00:00Z")

    assert f"~~{AUDIT}~~ (until 2026-03-01)" in line["text"]
    assert f"\n{MOVED}" in line["text"]


def test_what_is_taken_back_changes_nothing_any_more(koog: Koog) -> None:
    old, *_ = told(AUDIT, *OTHERS, store="episodic")
    (new,) = told(MOVED, month=3)

    koog("forget", new["id"], "--confirm")
    assert changes.of(Run()).replaced(old["id"]) is None
    koog("forget", new["id"], "--undo")
    found = changes.of(Run()).replaced(old["id"])
    assert found
    assert found.by == new["id"]


def test_a_row_whose_newer_line_names_it_no_more_is_nothing(workspace: Path) -> None:
    """The comment is the truth: who takes the link out by hand has the older line hold again."""
    old, *_ = told(AUDIT, *OTHERS, store="episodic")
    (new,) = told(MOVED, month=3)
    file = workspace / new["path"]
    file.write_text(file.read_text().replace(f"dc:replaces={old['id']}", ""))

    assert changes.of(Run()).of(old["id"]) == []


def test_a_log_that_is_torn_is_read_as_far_as_it_says_something() -> None:
    row = changes.row("2026-03-01T08:10:00Z", "episode:2026-02-01:08:10", "core:0a1b2c3d", changes.REPLACED)

    assert log.read(row + '[1]\n{"old": 7}\n{"ts":"x","old":"a","by":"../../x","how":"replaced"}\n{"ts') == {
        "episode:2026-02-01:08:10": (changes.Later("core:0a1b2c3d", "2026-03-01", changes.REPLACED),)
    }
