"""Two lines compared: pairs in six languages, what may never be joined, and that the weights are what data/ gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.text.compare import (
    ADDS,
    DISTINCT,
    KINDS,
    SAME,
    SUPERSEDES,
    UNRELATED,
    Index,
    _words,
    candidates,
    compare,
    followed,
)
from koog.core.text.says import bare, says
from tests.conftest import LONG

ROOT = Path(__file__).resolve().parents[3]
LANGUAGES = {"en", "de", "es", "fr", "zh", "ja"}
JOINED = (SAME, ADDS)
ONE_GOES = (SAME, ADDS, SUPERSEDES)


def read() -> list[dict[str, str]]:
    return [json.loads(line) for line in (ROOT / "data/comparisons.jsonl").read_text("utf-8").splitlines()]


def test_of_many_lines_a_new_one_is_held_against_those_that_share_most_of_its_words():
    standing = [f"Tariff {n} of the harbour" for n in range(40)] + ["The harbour fee of the blue lugger is 12 euros"]

    every = candidates([*standing, "The harbour fee of the blue lugger is 14 euros"], since=41)
    few = candidates([*standing, "The harbour fee of the blue lugger is 14 euros"], since=41, nearest=1)

    assert few == [(40, 41)] and set(few) <= set(every)


WORDS = st.lists(st.sampled_from("harbour fee lugger quay rope tar anchor 12 14 blue".split()), min_size=1, max_size=4)
LINES = st.lists(WORDS.map(" ".join), max_size=12)


@given(stands=st.lists(st.tuples(LINES, LINES), min_size=1, max_size=4))
def test_an_index_that_is_kept_finds_what_a_new_one_finds(stands):
    kept = Index()
    for standing, new in stands:
        texts, since = [*standing, *new], len(standing)

        found = candidates(texts, since=since, nearest=2, kept=kept)

        assert found == candidates(texts, since=since, nearest=2)


def test_of_lines_that_have_grown_only_the_new_ones_are_read():
    kept, lines = Index(), [f"Berth {n} is free" for n in range(50)]
    kept.follow(lines)
    before = _words.cache_info()

    kept.follow([*lines, "Berth 50 is taken"])

    after = _words.cache_info()
    assert after.hits + after.misses - before.hits - before.misses == 1


# --- what may never be joined

TWINS = (
    ("Server 1 has 16 GB of memory", "Server 2 has 16 GB of memory"),
    ("Staging is reached through the VPN", "Production is reached through the VPN"),
    ("Alice prefers tabs", "Bob prefers tabs"),
    ("Fridge 3 holds the samples", "Fridge 8 holds the samples"),
    ("Deploys go out on Tuesdays", "Deploys never go out on Tuesdays"),
    ("The north gate is locked at night", "The south gate is locked at night"),
    ("Halle 3 wird im Winter geheizt", "Halle 4 wird im Winter geheizt"),
    ("Frau Sommer verträgt Penicillin", "Frau Sommer verträgt kein Penicillin"),
    ("La sala 2 tiene proyector", "La sala 5 tiene proyector"),
    ("En producción se puede borrar", "En producción no se puede borrar"),
    ("Le lot 7 est prêt à partir", "Le lot 9 est prêt à partir"),
    ("Le four du haut chauffe bien", "Le four du bas chauffe bien"),
    ("三号楼有电梯", "五号楼有电梯"),
    ("周三可以发布", "周三不可以发布"),
    ("一号機は東側にある", "二号機は東側にある"),
    ("本番で直接編集してよい", "本番で直接編集してはいけない"),
    ("We build prod from branch release-a", "We build prod from branch release-b"),
    ("We moved the shop from mysql to postgres", "We moved the shop from postgres to mysql"),
    ("Key 'deploy-eu' opens the vault", "Key 'deploy-us' opens the vault"),
)
BOTH_HOLD = (
    ("Shop opens at 8 on weekdays", "Shop opens at 10 on Saturdays"),
    ("The pool closes at 21:00 in summer", "The pool closes at 19:00 in winter"),
    ("Key 'deploy-eu' expires in June.", "Key 'deploy-us' expires in July."),
    ("はなこの乳量は一日28リットル。", "ももこの乳量は一日31リットル。"),
)


@pytest.mark.parametrize(("older", "newer"), BOTH_HOLD)
def test_one_sentence_in_which_two_things_differ_speaks_of_two(older, newer):
    assert compare(older, newer).kind not in ONE_GOES


def test_a_clause_that_tells_a_change_says_of_what():
    line = "We dropped RabbitMQ, and the office is warm."

    assert "rabbitmq" in says(line).told["over"] and "warm" not in says(line).told["over"]


@pytest.mark.parametrize(("older", "newer"), TWINS)
def test_what_differs_in_a_number_a_name_a_denial_or_a_kind_is_not_joined(older, newer):
    assert compare(older, newer).kind not in JOINED
    assert compare(newer, older).kind not in JOINED


SUBJECTS = st.sampled_from(["Server", "Fridge", "Gate", "Room"])
ENDS = st.sampled_from(
    ["is checked every morning", "has a leaking pipe", "keeps the backups of the lab", "needs a new lock"]
)
NAMES = st.sampled_from(["Alice", "Bjorn", "Chiara", "Dmitri", "Esra"])


@given(SUBJECTS, ENDS, st.integers(1, 10**6), st.integers(1, 10**6))
def test_another_number_is_never_the_same(subject, end, one, other):
    kind = compare(f"{subject} {one} {end}", f"{subject} {other} {end}").kind

    assert (kind in JOINED) == (one == other)


@given(SUBJECTS, ENDS, NAMES, NAMES)
def test_another_name_is_never_the_same(subject, end, one, other):
    kind = compare(f"The {subject} of {one} {end}", f"The {subject} of {other} {end}").kind

    assert (kind in JOINED) == (one == other)


@given(st.sampled_from([row["older"] for row in read()]), st.sampled_from(["not", "never"]))
def test_a_denial_put_in_is_never_the_same(line, no):
    words = line.split()
    if line.isascii() and not says(line).denials and len(says(line).ideas) > 1:
        denied = " ".join([words[0], no, *words[1:]])

        assert compare(line, denied).kind not in JOINED


# --- what one of the two says


@pytest.mark.parametrize(
    "line",
    [
        "Use tabs",
        "Der Beitrag beträgt 48 Euro",
        "La reunión es el jueves",
        "On se voit à 8 h",
        "每周五发布",
        "猫が好き",
    ],
)
def test_a_line_is_the_same_as_itself_whoever_said_it_and_however_it_is_marked(line):
    assert compare(line, line).kind == SAME
    assert compare(f"User: {line}", f"- 🔴 09:14 {line} <!-- dc:type=rule -->").kind == SAME


CORRECTED = (
    ("Staging listens on port 4100", "Staging listens on port 4200"),
    ("The choir meets on Tuesdays", "The choir meets on Thursdays"),
    ("Der Dienst lauscht auf Port 5000", "Der Dienst lauscht auf Port 5050"),
    ("Le tarif du stage est de 40 euros", "Le tarif du stage est de 45 euros"),
)


@pytest.mark.parametrize(("older", "newer"), CORRECTED)
def test_a_new_value_in_the_same_sentence_takes_the_olders_place(older, newer):
    assert compare(older, newer).kind == SUPERSEDES
    assert compare(older, newer, same_voice=False).kind not in ONE_GOES


CHAINS = (
    (
        "Maria is no longer in purchasing, she works in sales now",
        "Maria is no longer in sales, she works in billing now",
    ),
    (
        "Die Werkstatt ist nicht mehr in der Gartenstraße, sondern jetzt am Hafen",
        "Die Werkstatt ist nicht mehr am Hafen, sondern jetzt in der Spinnerei",
    ),
    ("We no longer order from Brandt, Hollis delivers now", "We no longer order from Hollis, Pereira delivers now"),
    (
        "the choir no longer meets in the school, it meets in the library now",
        "the choir no longer meets in the library, it meets in the church now",
    ),
    ("never eat nuts, they make me ill", "never eat shellfish, nuts are fine"),
)


@pytest.mark.parametrize(("older", "newer"), CHAINS)
def test_what_the_second_change_denies_is_what_the_first_one_told(older, newer):
    assert compare(older, newer).kind not in JOINED


def test_a_second_change_takes_the_place_of_the_first():
    assert compare(*CHAINS[0]).kind == SUPERSEDES


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Ich bin Veganerin", "Ich bin keine Veganerin mehr"),
        ("Ana hat einen Hund", "Ana hat seit März keinen Hund mehr"),
        ("Ich trinke Kaffee", "Ich trinke keinen Kaffee mehr"),
    ],
)
def test_no_more_in_german_takes_what_stands_between(older, newer):
    assert compare(older, newer).kind == SUPERSEDES


def test_no_wish_for_more_is_no_end():
    assert "onward" not in says("Ich habe keine Lust auf mehr Tee").cues


def test_what_is_denied_of_another_day_takes_no_place():
    assert compare("no meat on Friday, fish instead", "no fish on Monday, soup instead").kind not in ONE_GOES


@pytest.mark.parametrize(
    ("older", "newer"), [("I live in Porto now", "I live with Ana"), ("Ana works in Porto", "Ana works with Omar")]
)
def test_with_whom_is_no_new_value_of_where(older, newer):
    assert compare(older, newer).kind not in ONE_GOES


def test_what_happened_on_another_day_stays_beside_it():
    assert compare("We paid invoice 2231", "We paid invoice 2232").kind not in ONE_GOES
    assert compare("I was in Porto in 2022", "I was in Porto in 2024").kind not in ONE_GOES


def test_the_fuller_of_two_that_say_the_same_is_named():
    short, full = "Tabs are used in the Makefile", "Tabs are used in the Makefile of the backup tool"

    assert compare(short, full).kind == ADDS
    found = compare(full, short)
    assert (found.kind, found.older_says_more) == (SAME, True)


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_compared(older, newer):
    found = compare(older, newer)

    assert found.kind in KINDS and found.reason and 0 <= found.sure <= 1


def test_a_long_line_is_compared():
    assert compare("word " * 5000, "other words " * 5000).kind in KINDS


# --- reading


def test_a_line_is_read_without_its_speaker_and_marks():
    assert bare("- 🟡 09:14 [ops] Group: User: Use tabs") == "Use tabs"
    assert bare("用户：回答要短") == "回答要短"


@pytest.mark.parametrize(
    ("line", "numbers"),
    [
        ("4,500 euros", {"4500"}),
        ("4.5k a year", {"4500"}),
        ("two hundred and twelve members", {"212"}),
        ("thirty-one weeks", {"31"}),
        ("会费两千五百円", {"2500"}),
        ("十二時間", {"12"}),
    ],
)
def test_numbers_are_read_in_figures_and_words(line, numbers):
    assert set(says(line).numbers) == numbers


# --- which pairs are worth it


def test_lines_about_one_thing_are_candidates_and_others_are_not():
    lines = ["Staging listens on port 4100", "The cat sleeps upstairs", "port of staging: 4200"]

    assert candidates(lines) == [(0, 2)]
    assert candidates([]) == []


# --- what it is made of


@LONG
def test_a_training_gives_the_same_decisions():
    if not os.environ.get("CI"):
        pytest.importorskip("sklearn", reason="no group `train` here: KOOG_EXAMPLES=new bin/test installs it")

    done = subprocess.run(
        [sys.executable, "data/train_compare.py", "--check"],
        cwd=ROOT, capture_output=True, text=True, timeout=900, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["differences"] == []


SHOWN = """
import json, sys
from koog.core.text.compare import _model
from koog.core.text.pairs import features, seen
from koog.core.text.says import says
for line in sys.stdin:
    row = json.loads(line)
    print(sorted(features(seen(says(row["older"]), says(row["newer"])), _model()["common"]).items()))
"""


def test_what_shows_of_two_lines_is_the_same_in_every_process():
    rows = "".join(json.dumps(row) + "\n" for row in read()[::9])

    shown = {
        subprocess.run(
            [sys.executable, "-c", SHOWN], input=rows, cwd=ROOT, capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip

    assert len(shown) == 1


def test_every_pair_says_who_labelled_it_as_what():
    for row in read():
        assert row["older"].strip() and row["newer"].strip() and row["hand"] and row["why"]
        assert row["relation"] in KINDS and row["lang"] in LANGUAGES


def test_the_weights_are_small():
    assert (ROOT / "koog/core/text/compare.json").stat().st_size <= 50_000


# --- what it does on the labelled pairs


def test_two_lines_that_both_hold_are_hardly_ever_taken_for_one():
    both = [row for row in read() if row["relation"] in (DISTINCT, UNRELATED)]
    wrong = [row for row in both if compare(row["older"], row["newer"]).kind in ONE_GOES]

    assert len(wrong) <= 0.02 * len(both), wrong


def test_more_of_the_same_is_found():
    adds = [row for row in read() if row["relation"] == ADDS]

    assert sum(compare(row["older"], row["newer"]).kind in JOINED for row in adds) >= 0.6 * len(adds)


def test_a_name_with_a_number_is_not_another_word_for_what_it_names():
    first, second = (f"Rehearsal notes never leave choir{n}'s folder." for n in (1, 2))

    assert compare(first, second).kind not in ("same", "adds", "supersedes")


# --- what a word in common does not say

OF_OTHER_THINGS = (
    (
        "tabs, not spaces, in everything that belongs to Brisk Anchor",
        "from now on every Keen Meadow migration needs a rollback script",
    ),
    (
        "Always run Pulumi before you touch Fallow Orchard config.",
        "from now on every Keen Meadow migration needs a rollback script",
    ),
    (
        "you must ask me before spending more than $1500 on Lunar Lantern",
        "from now on every Keen Meadow migration needs a rollback script",
    ),
    (
        "For Lunar Thicket we chose Kafka because Mika's team runs it already.",
        "Mika quit the Gentle Kettle team last week",
    ),
    (
        "Don't ever email Bruno about Ivory Falcon on weekends.",
        "Settled: Bruno owns the Jolly Anchor rollout from now on.",
    ),
    (
        "I love how Carla formats changelogs, do the ones for Fallow Ridge in that style.",
        "I'd rather get bad news about Fallow Anchor by Figma than in a meeting.",
    ),
    (
        "You're not to touch Mika's branch on Ivory Orchard.",
        "The rule for Ivory Orchard is simple: no deploys after 10:45.",
    ),
    (
        "Don't ever email Ines about Dusty Lantern on weekends.",
        "tabs, not spaces, in everything that belongs to Dusty Lantern",
    ),
)


@pytest.mark.parametrize(("older", "newer"), OF_OTHER_THINGS)
def test_a_name_or_what_everybody_speaks_of_makes_no_line_give_way(older, newer):
    assert compare(older, newer).kind not in ONE_GOES


# --- one matter at two times


def paired(*lines: str) -> list[tuple[int, int]]:
    return followed(lines, lambda a, b: a < b)


def test_lines_of_one_matter_are_told_beside_each_other_and_others_are_not():
    lines = (
        "Our flour comes from the Brodersen mill, forty sacks each fortnight",
        "The choir meets on Wednesdays in the old school",
        "Grandma's knee needs ice twice a day",
        "The flour is from the Ostermann mill now, and the sacks are smaller",
        "Die Fähre nach Amrum fährt um halb acht",
    )

    assert paired(*lines) == [(0, 3)]
    assert followed(lines, lambda a, b: False) == []


@pytest.mark.parametrize(("older", "newer"), [TWINS[0], *TWINS[2:4], TWINS[5], TWINS[6]])
def test_one_sentence_of_two_things_is_no_matter_at_two_times(older, newer):
    assert paired(older, newer) == []


def test_what_changes_twice_is_a_chain_of_pairs():
    rent = [f"The rent of the workshop is {much} euros a month" for much in (900, 950, 1020)]

    assert paired(*rent) == [(0, 1), (1, 2)]


def test_of_many_lines_each_is_in_one_pair_as_the_older_and_in_one_as_the_newer():
    pairs = paired(*(f"The boiler in hut {n} is serviced in May" for n in range(12)))

    assert len({old for old, _ in pairs}) == len({new for _, new in pairs}) == len(pairs)


def test_of_lives_that_other_hands_wrote_many_a_change_is_told_beside_what_it_changes():
    """data/lives.jsonl: chosen on these; of a life that nobody had looked at, bench/README.md says what is found."""
    found = pairs = changes = 0
    for life in map(json.loads, (ROOT / "data/lives.jsonl").read_text("utf-8").splitlines()):
        turns = [(day, turn["text"]) for day, session in enumerate(life["sessions"])
                 for turn in session["turns"] if turn["role"] == "user"]  # fmt: skip
        beside = followed([text for _, text in turns], lambda a, b, on=turns: on[a][0] < on[b][0])
        pairs += len(beside)
        for change in life["corrections"]:
            old, new = (
                {n for n, (_, text) in enumerate(turns) if all(w.casefold() in text.casefold() for w in change[words])}
                for words in ("old_words", "new_words")
            )
            changes += 1
            found += any(a in old and b in new for a, b in beside)

    assert found >= 0.45 * changes and found >= 0.55 * pairs


@pytest.mark.parametrize(
    ("older", "newer", "kind"),
    [
        ("The alarm code of house {} is {} and must be changed every May.", None, ("2", "4712", "6", "4716")),
        ("The door code of flat {} is {}.", "The door code of flat {} is {} now.", ("3", "4411", "5", "9922")),
        ("Der Türcode von Wohnung {} ist {}.", None, ("3", "4411", "5", "9922")),
        ("El código de la casa {} es {}", None, ("2", "4712", "6", "4712")),
        ("Le code de la maison {} est {}", None, ("2", "4712", "6", "4716")),
        ("The alarm code of house {}: {}", None, ("2", "0712", "6", "0716")),
    ],
)
def test_a_number_that_says_which_thing_is_no_new_value_of_it(older, newer, kind):
    thing, value, other, another = kind
    newer = newer or older

    assert compare(older.format(thing, value), newer.format(other, another)).kind == "distinct"
    assert compare(older.format(thing, value), newer.format(thing, "8888")).kind == "supersedes"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Opening hours are 9 to 17", "Opening hours are 10 to 18"),
        ("The train leaves platform 3 at 7:10", "The train leaves platform 5 at 7:40"),
    ],
)
def test_two_numbers_that_make_one_value_are_one(older, newer):
    assert compare(older, newer).kind == "supersedes"


@pytest.mark.parametrize(
    ("older", "newer", "kind"),
    [
        (
            "My sister Clara works at the pharmacy in Linden.",
            "From now on Peter works at the pharmacy in Limmer.",
            DISTINCT,
        ),
        (
            "The backup of the staging server runs at 3:00 at night.",
            "The backup of the production server runs at 5:00 at night from now on.",
            DISTINCT,
        ),
        ("Bob leads the team in Berlin", "Anna takes over the team in Hamburg", SUPERSEDES),
        ("Bob is the lead of Atlas", "Anna is now the lead of Atlas", SUPERSEDES),
        ("From now on we meet on Sunday with Maria.", "From now on we meet on Friday with Maria.", SUPERSEDES),
        ("Horn 3 is on leave until May.", "Horn 4 is on leave until June.", DISTINCT),
    ],
)
def test_of_two_things_one_is_in_nobodys_place(older, newer, kind):
    assert compare(older, newer).kind == kind
