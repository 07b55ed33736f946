"""koog condense: weeks and months of what days have said; late, twice or in any split of days it comes to the same."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from koog.core.files.own_notes import NONE as NO_NOTES
from koog.core.run import Run
from koog.core.text import tokens
from koog.core.text.voices import PERSON
from koog.knowledge import condense, condense_rules, core_sections, documents, layout
from koog.knowledge.condensing import digests, gathering, laws, periods, review, settling, value
from koog.knowledge.condensing.gathering import Said
from koog.knowledge.condensing.lasting import Lasting
from koog.knowledge.core_sections import Caps
from koog.knowledge.layout import MEMORY
from koog.memory.store import core_memory
from koog.sessions.labels import NONE, Label
from tests.conftest import git, registered

BEGIN = date(2026, 2, 2)  # a Monday
NOUNS = "pump boiler lift gate door roof fence shed lamp stove sink tap drain pipe meter fuse".split()
OTHER = "dc:project=/srv/other dc:scope=private"


@pytest.fixture(autouse=True)
def home(workspace: Path) -> None:
    registered(workspace)


def journal(day: date, rows: dict[str, list[str]]) -> str:
    body = "".join(f"\n### {topic}\n" + "".join(f"- {row}\n" for row in told) for topic, told in rows.items())
    return f"---\ntype: journal\ndate: {day}\nsessions: [ses_1]\n---\n\n## {day}\n{body}"


def said(text: str, day: date, n: int, more: str = "") -> str:
    return f"{text} <!-- dc:day={day} dc:source=ses_{day:%m%d}:{n}{f' {more}' if more else ''} -->"


def write(workspace: Path, day: date, rows: dict[str, list[str]]) -> Path:
    path = workspace / f"knowledge/journal/{day}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(journal(day, rows), "utf-8")
    return path


def run(koog, period, now, *more):
    code, line = koog("--now", f"{now}T23:00:00Z", "--engine", "builtin", *more, "condense", period)
    assert code == 0, line
    return line


def text(workspace, path):
    return (workspace / path).read_text("utf-8") if (workspace / path).exists() else ""


def week_of_pumps(workspace: Path) -> None:
    for n, noun in enumerate(NOUNS[:5]):
        day = BEGIN + timedelta(days=n)
        told = [said(f"Ana put a strong {noun} into the cellar for {n + 40} euros.", day, 7)]
        write(workspace, day, {"general": told, "people": [said(f"Bo called about the {noun} at nine.", day, 9)]})


# --- weeks


def test_a_week_that_is_over_becomes_a_file_by_topics_with_day_and_source(koog, workspace):
    week_of_pumps(workspace)

    line = run(koog, "weekly", "2026-02-09")

    told = text(workspace, "knowledge/journal/weekly/2026-W06.md")
    assert [row["name"] for row in line["made"]] == ["2026-W06"]
    assert "### general\n- 2026-02-02: Ana put a strong pump into the cellar for 40 euros." in told
    assert "dc:source=ses_0202:7" in told
    assert documents.problem(told, "journal_week") is None


def test_a_week_that_is_not_over_waits(koog, workspace):
    week_of_pumps(workspace)

    assert run(koog, "weekly", "2026-02-08")["made"] == []


def test_the_second_time_nothing_is_written(koog, workspace):
    week_of_pumps(workspace)
    run(koog, "monthly", "2026-03-10")
    before = {p: p.read_bytes() for p in workspace.rglob("*.md")}

    line = run(koog, "monthly", "2026-03-20")

    assert (line["made"], line["count"]) == ([], 0)
    assert {p: p.read_bytes() for p in workspace.rglob("*.md")} == before


def test_a_digest_keeps_what_a_person_wrote_though_it_ends_with_a_rule():
    digest = digests.of_week("knowledge/journal", periods.week(BEGIN))
    said = Said("general", "Ana came.", f"{BEGIN}", NONE, "person", "s:1", "x.md")
    text = digests.written("", digest, [said])

    assert digests.written(text, digest, []) == ""
    assert "my own" in digests.written(text + "\nmy own words\n\n---\n", digest, [])


def test_the_last_day_of_all_has_a_week_that_is_not_over(koog, workspace):
    week_of_pumps(workspace)
    write(workspace, date.max, {"general": [said("The end.", date.max, 3)]})

    assert len(run(koog, "monthly", "2026-03-09")["made"]) == 2
    assert periods.ended_months([periods.week(date.max)], BEGIN) == []
    assert koog("--now", "2026-03-09T23:00:00Z", "status")[0] == 0


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_decision_that_a_person_took_out_of_core_memory_does_not_come_back(koog, workspace, is_committed):
    told = [said("We decided to sell the boat in May.", BEGIN, 3), said("We decided to keep the shed.", BEGIN, 4)]
    write(workspace, BEGIN, {"Key Decisions": told})
    run(koog, "weekly", "2026-02-09")
    core = workspace / "MEMORY.md"
    assert "sell the boat" in core.read_text("utf-8")
    core.write_text("".join(row for row in core.read_text("utf-8").splitlines(True) if "sell the boat" not in row))
    if is_committed:
        git(workspace, "commit", "-qam", "mine")

    write(workspace, BEGIN, {"Key Decisions": told, "general": [said("Ana put a new pump in.", BEGIN, 5)]})
    assert run(koog, "weekly", "2026-02-10")["made"]

    everywhere = [text(workspace, path) for path in ("MEMORY.md", "knowledge/reference/decisions.md")]
    assert "sell the boat" not in "".join(everywhere) and "keep the shed" in everywhere[0]
    assert "sell the boat" in text(workspace, "knowledge/journal/weekly/2026-W06.md")


def test_what_says_the_same_is_one_line_with_both_sources(koog, workspace):
    for n in (0, 1):
        day = BEGIN + timedelta(days=n)
        write(workspace, day, {"general": [said("The cellar pump is from Grundfos.", day, 3)]})

    run(koog, "weekly", "2026-02-09")

    told = text(workspace, "knowledge/journal/weekly/2026-W06.md")
    assert told.count("Grundfos") == 1
    assert "ses_0202:3" in told and "ses_0203:3" in told


def test_a_line_that_was_replaced_in_its_week_is_not_told_of_it(koog, workspace):
    write(workspace, BEGIN, {"general": [said("The Apollo release goes out on Thursdays.", BEGIN, 3)]})
    later = BEGIN + timedelta(days=2)
    new = said("The Apollo release goes out on Mondays now, not on Thursdays.", later, 4)
    write(workspace, later, {"general": [new]})

    line = run(koog, "weekly", "2026-02-09")

    told = text(workspace, "knowledge/journal/weekly/2026-W06.md") + text(workspace, "MEMORY.md")
    assert "Mondays" in told and "out on Thursdays." not in told
    assert "replaced on 2026-02-04" in [row["why"] for row in line["went"]]


def test_a_day_that_changed_afterwards_makes_its_week_again_and_a_persons_own_line_in_it_stays(koog, workspace):
    week_of_pumps(workspace)
    run(koog, "weekly", "2026-02-09")
    path = workspace / "knowledge/journal/weekly/2026-W06.md"
    path.write_text(path.read_text("utf-8").replace("### people\n", "### people\n- my own remark\n"), "utf-8")
    day = BEGIN + timedelta(days=6)
    write(workspace, day, {"general": [said("The chimney was swept by Ilse.", day, 2)]})

    run(koog, "weekly", "2026-02-10")

    told = path.read_text("utf-8")
    assert "chimney" in told and told.count("my own remark") == 1
    assert told.count("a strong pump") == 1


@pytest.mark.parametrize("period", ["weekly", "monthly"])
def test_a_line_of_koogs_that_a_person_has_put_otherwise_or_written_below_is_his_when_it_is_made_again(
    koog, workspace, period
):
    week_of_pumps(workspace)
    told = {"general": [said(f"The {noun} cost Ana {n} euros in May 2031.", BEGIN, n) for n, noun in enumerate(NOUNS)]}
    write(workspace, BEGIN, told)
    run(koog, period, "2026-03-10")
    name = {"weekly": "weekly/2026-W06.md", "monthly": "monthly/2026-02.md"}[period]
    path = workspace / "knowledge/journal" / name
    rows = path.read_text("utf-8").split("\n")
    first, second = [n for n, row in enumerate(rows) if row.startswith("- ")][:2]
    mark, gone = rows[second].partition(" <!--"), rows[first].partition(" <!--")
    rows[first] = "- Ana put in NOTHING at all <!--" + gone[2]
    rows[second + 1 : second + 1] = ["  - my own note: seat 11A", "    and more of it"]
    path.write_text("\n".join(rows), "utf-8")
    write(workspace, BEGIN + timedelta(days=6), {"general": [said("The chimney cost 900 euros in 2031.", BEGIN, 99)]})

    line = run(koog, period, "2026-03-11")

    now = path.read_text("utf-8")
    assert path.stem in [row["name"] for row in line["made"]]
    assert now.count("NOTHING at all") == 1 and gone[0] not in now
    assert f"{rows[second]}\n  - my own note: seat 11A\n    and more of it\n" in now
    assert now.count(mark[0]) == 1


def test_a_week_whose_only_own_text_stands_in_or_below_koogs_lines_is_not_put_away(koog, workspace):
    week_of_pumps(workspace)
    run(koog, "weekly", "2026-02-09")
    path = workspace / "knowledge/journal/weekly/2026-W06.md"
    path.write_text(path.read_text("utf-8").replace(" about the pump", " about my pump"), "utf-8")

    line = run(koog, "monthly", "2026-03-10")

    assert line["moved"] == [] and "about my pump" in path.read_text("utf-8")
    assert line["went"] and all(row["to"] is None or (workspace / row["to"]).exists() for row in line["went"])


def test_a_journal_that_a_person_or_an_agent_wrote_by_hand_counts_and_stays_as_it_is(koog, workspace):
    path = workspace / f"knowledge/journal/{BEGIN}.md"
    path.parent.mkdir(parents=True)
    own = "# Monday\n\nSome prose.\n\n- [ ] call Bo\n* the roofer comes on 3 March\n\n```\n- no line\n```\n"
    path.write_text(own, "utf-8")

    run(koog, "monthly", "2026-03-10")

    told = text(workspace, "knowledge/journal/monthly/2026-02.md")
    assert "roofer comes on 3 March" in told and "no line" not in told
    assert path.read_text("utf-8") == own


@pytest.mark.parametrize(
    "wrong", ["", "\x00\x00", "---\n[\n---\n- a", "## \n###\n- \n- ~~x~~ (until 2026-01-01)", "- a <!--"]
)
def test_a_journal_that_is_none_is_no_hindrance(koog, workspace, wrong):
    week_of_pumps(workspace)
    (workspace / f"knowledge/journal/{BEGIN + timedelta(days=6)}.md").write_text(wrong, "utf-8")
    (workspace / "knowledge/journal/2026-02-31.md").write_text("- x", "utf-8")

    line = run(koog, "monthly", "2026-03-10")

    assert {row["name"] for row in line["made"]} == {"2026-W06", "2026-02"}


def test_dry_run_says_what_would_go_where_and_writes_nothing(koog, workspace):
    week_of_pumps(workspace)
    before = {p: p.read_bytes() for p in workspace.rglob("*") if p.is_file()}

    line = run(koog, "weekly", "2026-02-09", "--dry-run")

    assert line["made"][0]["path"] == "knowledge/journal/weekly/2026-W06.md"
    assert {p: p.read_bytes() for p in workspace.rglob("*.md")} == {
        p: b for p, b in before.items() if p.suffix == ".md"
    }


def test_what_was_forgotten_comes_into_no_week(koog, workspace):
    fact = "The alarm code of the studio is 4711 backwards."
    _, kept = koog("--now", "2026-02-01T09:00:00Z", "remember", fact, "--store", "semantic", "--entity", "studio")
    code, _ = koog("--now", "2026-02-01T09:05:00Z", "forget", kept["id"], "--confirm")
    write(workspace, BEGIN, {"general": [said(fact, BEGIN, 3), said("The boiler hums.", BEGIN, 4)]})

    run(koog, "weekly", "2026-02-09")

    told = text(workspace, "knowledge/journal/weekly/2026-W06.md")
    assert code == 0
    assert "boiler" in told and "4711" not in told


def test_what_is_said_of_a_day_long_after_its_month_was_made_comes_into_both_and_nothing_else_leaves(koog, workspace):
    week_of_pumps(workspace)
    run(koog, "monthly", "2026-03-10")
    assert koog("--now", "2026-06-10T12:00:00Z", "prune", "--journals")[1]["movedCount"] == 5
    write(workspace, BEGIN, {"general": [said("The chimney was swept by Ilse Kramer on 2 February.", BEGIN, 2)]})

    run(koog, "monthly", "2026-06-11")
    koog("--now", "2026-06-12T12:00:00Z", "prune", "--journals")
    line = run(koog, "monthly", "2026-06-13")

    week = text(workspace, "archive/journal/weekly/2026-W06.md")
    assert "chimney" in week and "a strong pump" in week
    assert not (workspace / "knowledge/journal/weekly/2026-W06.md").exists()
    assert "Ilse Kramer" in text(workspace, "knowledge/journal/monthly/2026-02.md")
    assert not (workspace / "archive/archive").exists()
    assert (workspace / f"archive/journal/{BEGIN}~2.md").exists() and line["made"] == []


# --- whose it is


def test_a_line_of_another_project_keeps_its_label_and_never_comes_into_core_memory(koog, workspace):
    theirs = said("We decided to use Oracle in Hades.", BEGIN, 3, OTHER)
    own = said("We decided to cut Apollo from main on Fridays.", BEGIN, 4)
    write(workspace, BEGIN, {"key-decisions": [theirs, own]})

    line = run(koog, "weekly", "2026-02-09")

    told = text(workspace, "knowledge/journal/weekly/2026-W06.md")
    assert re.search(r"Oracle.*dc:project=/srv/other", told)
    assert "Oracle" not in text(workspace, "MEMORY.md") and "Apollo" in text(workspace, "MEMORY.md")
    assert "Oracle" not in json.dumps(line["went"])


def test_a_topic_of_another_projects_alone_is_no_heading(koog, workspace):
    write(
        workspace,
        BEGIN,
        {"hades": [said("Oracle hums at night.", BEGIN, 3, OTHER), said("The boiler hums.", BEGIN, 4, OTHER)]},
    )

    run(koog, "weekly", "2026-02-09")

    assert "hades" not in text(workspace, "knowledge/journal/weekly/2026-W06.md")


def test_lines_of_two_projects_are_never_joined():
    day = BEGIN.isoformat()
    lines = [
        Said("t", "The pump is from Grundfos.", day),
        Said("t", "The pump is from Grundfos.", day, Label("/srv/o")),
    ]

    assert [each.label for each in gathering.in_order(lines)] == [Label(), Label("/srv/o")]


# --- what lasts


def test_a_decision_that_waited_for_room_comes_into_core_memory_with_its_day_and_source(koog, workspace):
    write(workspace, BEGIN, {"key-decisions": [said("We decided to pay the roofer in two parts.", BEGIN, 3)]})

    line = run(koog, "weekly", "2026-02-09")

    assert "- 2026-02-02: We decided to pay the roofer in two parts. <!-- dc:source=ses_0202:3" in text(
        workspace, "MEMORY.md"
    )
    assert "roofer" not in text(workspace, "knowledge/journal/weekly/2026-W06.md")
    assert line["went"][0]["to"] == "MEMORY.md"


def test_core_memory_never_has_more_than_its_share_and_what_leaves_it_stands_beside_it(koog, workspace):
    for week in range(5):
        day = BEGIN + timedelta(weeks=week)
        told = [
            said(
                f"We decided that number {week}{n} of the {noun}s in the long hall is replaced by Ana in {2030 + n}.",
                day,
                n,
            )
            for n, noun in enumerate(NOUNS)
        ]
        write(workspace, day, {"key-decisions": told})
        run(koog, "weekly", day + timedelta(days=8))
        core = text(workspace, "MEMORY.md")
        assert tokens.estimate(core) <= 3000

    whole = "".join(p.read_text("utf-8") for p in [*(workspace / "knowledge").rglob("*.md"), workspace / "MEMORY.md"])
    assert all(f"number {week}{n} " in whole for week in range(5) for n in range(len(NOUNS)))
    assert text(workspace, "knowledge/reference/decisions.md").count("number ") > len(NOUNS)
    assert not (workspace / "archive").exists()


LAYOUT = layout.of(NO_NOTES)
PATHS = (MEMORY, *map(LAYOUT.beside, core_sections.SECTIONS))
KEPT = st.tuples(
    st.sampled_from(core_sections.SECTIONS),
    st.sampled_from(NOUNS),
    st.integers(1, 28),
    st.booleans(),
    st.sampled_from(["", "dc:trust=agent", OTHER]),
)


@given(st.lists(KEPT, max_size=40, unique_by=lambda row: row[1:3]), st.randoms(use_true_random=False))
def test_what_core_memory_has_does_not_depend_on_where_the_lines_stood_before(found, random):
    def files(rows, is_in):
        texts = dict.fromkeys(PATHS, "")
        for title, noun, day, here, more in rows:
            path = MEMORY if is_in(here) and not more else LAYOUT.beside(title)
            raw = f"2026-03-{day:02d}: We decided that Ana mends the {noun} number {day} in the long hall by herself."
            text = texts[path] or (core_memory.new(3000) if path == MEMORY else "# Beside\n")
            source = f"<!-- dc:source=s:{day}{f' {more}' if more else ''} -->"
            texts[path] = documents.with_line(text, path, title, f"{raw} {source}", order=core_sections.ORDER)
        return {path: text if path == MEMORY else text or "# Beside\n" for path, text in texts.items()}

    caps = Caps(3000, 200)

    def outcome(rows, is_in):
        done = settling.settled(files(rows, is_in), LAYOUT, caps).texts
        assert settling.settled(done, LAYOUT, caps).texts == done
        return {path: [each.item.text for each in documents.entries(text, path)] for path, text in done.items()}

    one = outcome(found, lambda here: here)
    random.shuffle(found)
    other = outcome(found, lambda here: False)

    assert one == other
    assert sum(map(len, one.values())) == len(found)
    assert sum(tokens.estimate(f"- {row}\n") for row in one[MEMORY]) <= caps.sections
    assert not any("agent" in row or OTHER in row for row in one[MEMORY])


def test_what_tells_a_change_is_never_left_to_its_week(koog, workspace):
    change = "Antifouling on all the boats is Coastline from now on, black or red only."
    write(workspace, BEGIN, {"general": [said(change, BEGIN, 3), said("Rain all day.", BEGIN, 4)]})

    run(koog, "weekly", "2026-02-09")

    assert change in text(workspace, "MEMORY.md") and "Rain" not in text(workspace, "MEMORY.md")


@pytest.mark.parametrize(
    "text",
    [
        "(photo: a photography of a sign for a new arrival and an information building)",
        "Can't wait to learn new stuff and strengthen my bond with my pets.",
        "I haven't been able to volunteer much lately, but I definitely care about it.",
    ],
)
def test_what_stands_in_brackets_or_is_glad_or_weighs_little_is_left_to_its_week(koog, workspace, text):
    write(workspace, BEGIN, {"General": [said(text, BEGIN, 1)]})

    run(koog, "weekly", BEGIN + timedelta(days=8))

    assert text not in core_and_beside(workspace)


def core_and_beside(workspace):
    paths = (workspace / MEMORY, *(workspace / "knowledge/reference").glob("*.md"))
    return "".join(path.read_text("utf-8") for path in paths if path.exists())


def test_what_gives_a_decision_another_value_is_told_with_it_though_it_names_no_change(koog, workspace):
    first = "We decided on a dose of 4 ml of peracid per kilo in the final bath."
    since = "Peracid: after the tests the dose goes down to 2.5 ml a kilo in the final bath."
    write(workspace, BEGIN, {"key-decisions": [said(first, BEGIN, 3)]})
    later = BEGIN + timedelta(weeks=3)
    write(workspace, later, {"general": [said(since, later, 3), said("Rain all day.", later, 4)]})

    run(koog, "weekly", "2026-03-09")

    core = text(workspace, "MEMORY.md")
    assert "4 ml" in core and "2.5 ml" in core and "Rain" not in core


def test_of_one_matter_core_memory_has_what_was_said_last_before_what_was_said_first():
    must = "- 2026-02-02: We decided never to pay the harbour fee of the blue lugger in cash. <!-- dc:source=s:1 -->"
    since = "- 2026-03-02: The harbour fee of the blue lugger is paid in cash again. <!-- dc:source=s:2 -->"
    others = [
        f"- 2026-04-{n + 1:02d}: We decided never to lend the {noun} in the long hall. <!-- dc:source=s:{n + 3} -->"
        for n, noun in enumerate(NOUNS)
    ]
    texts = dict.fromkeys(PATHS, "") | {
        MEMORY: core_memory.new(3000),
        PATHS[1]: "\n".join(["# D", "", "## Key Decisions", must, since, *others, ""]),
    }

    for most in range(600, 3000, 100):
        core = settling.settled(texts, LAYOUT, Caps(most, 200)).texts[MEMORY]
        assert "to pay the harbour fee" not in core or "cash again" in core


def test_what_says_nothing_by_itself_does_not_stand_in_core_memory():
    rows = [
        "- 2026-02-02: No need! <!-- dc:source=s:1 -->",
        "- 2026-02-03: Boats are never moved. <!-- dc:source=s:2 -->",
    ]
    texts = dict.fromkeys(PATHS, "") | {
        MEMORY: core_memory.new(3000) + "\n".join(["", "## Key Decisions", *rows, ""]),
    }

    done = settling.settled(texts, LAYOUT, Caps(3000, 200)).texts

    assert "moved" in done[MEMORY] and "need" not in done[MEMORY] and "No need!" in done[PATHS[1]]


@pytest.mark.parametrize("new_in", [MEMORY, PATHS[1]])
@pytest.mark.parametrize("old_in", [MEMORY, PATHS[1]])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The standup is at nine.", "The standup is at ten now, no longer at nine."),
        ("From now on we meet on Sunday with Maria.", "From now on we meet on Friday with Maria."),
    ],
)
def test_a_line_that_a_newer_one_replaces_is_crossed_out_in_whichever_file_each_is(old, new, old_in, new_in):
    own = core_memory.new(3000) + "\n## Key Decisions\n"
    texts = dict.fromkeys(PATHS, "") | {MEMORY: own, PATHS[1]: "# D\n\n## Key Decisions\n"}
    texts[old_in] += f"- 2026-02-02: {old} <!-- dc:source=s:1 -->\n"
    texts[new_in] += f"- 2026-02-20: {new} <!-- dc:source=s:2 -->\n"

    done = settling.settled(texts, LAYOUT, Caps(3000, 200)).texts

    assert f"- 2026-02-20: {new} <!-- dc:source=s:2 dc:replaces=" in done[MEMORY]
    assert f"- ~~2026-02-02: {old}~~ (until 2026-02-20)" in done[PATHS[1]]


def test_what_was_crossed_out_by_a_later_line_was_so_by_the_first_that_says_it():
    rows = [
        "- ~~2026-02-02: The standup is at nine.~~ (until 2026-03-09) <!-- dc:source=s:1 dc:to=2026-03-09 -->",
        "- 2026-02-20: The standup is at ten now, no longer at nine. <!-- dc:source=s:2 -->",
        "- 2026-03-09: The standup is at eight now, no longer at nine. <!-- dc:source=s:3 -->",
    ]
    texts = dict.fromkeys(PATHS, "") | {PATHS[1]: "# D\n\n## Key Decisions\n" + "\n".join(rows) + "\n"}

    done = settling.settled(texts, LAYOUT, Caps(3000, 200)).texts

    assert "The standup is at nine.~~ (until 2026-02-20)" in done[PATHS[1]]


def test_a_persons_own_lines_of_core_memory_stay_where_they_are(koog, workspace):
    own = core_memory.new(3000) + "\n## Key Decisions\n- mine: never sell the boat\n"
    (workspace / "MEMORY.md").write_text(own, "utf-8")
    write(workspace, BEGIN, {"key-decisions": [said("We decided to pay the roofer in two parts.", BEGIN, 3)]})

    run(koog, "weekly", "2026-02-09")

    told = text(workspace, "MEMORY.md")
    assert told.startswith(own.rstrip("\n"))
    assert "roofer" in told


# --- months


def test_a_month_tells_what_tells_most_and_its_weeks_lie_in_the_archive(koog, workspace):
    for n in range(28):
        day = BEGIN + timedelta(days=n)
        noun = NOUNS[n % len(NOUNS)]
        event = said(f"On that day Ana Lindqvist bought {noun} number {n + 100} for {n + 40} euros in Bergen.", day, 3)
        chat = said(f"It is always good to feel so well supported by everybody around, somehow {noun}.", day, 4)
        write(workspace, day, {"general": [event, chat]})

    line = run(koog, "monthly", "2026-03-02")

    told = text(workspace, "knowledge/journal/monthly/2026-02.md")
    week = text(workspace, "archive/journal/weekly/2026-W06.md")
    assert documents.problem(told, "journal_month") is None
    assert told.count("Lindqvist") > 10
    assert "always good" not in told
    assert "always good" in week and not (workspace / "knowledge/journal/weekly/2026-W06.md").exists()
    [made] = [row for row in line["made"] if row["name"] == "2026-02"]
    assert made["wordsAfter"] < 0.6 * made["wordsBefore"]


def test_the_monthly_look_puts_away_what_is_stale_of_a_project_and_leaves_a_persons_own_line(koog, workspace):
    week_of_pumps(workspace)
    folder = workspace / "knowledge/projects/apollo"
    folder.mkdir(parents=True)
    head = "---\ntype: project_progress\nproject: apollo\nupdated: 2026-01-01\n---\n\n# Apollo — Progress\n\n## Next\n"
    old, new = "2025-09-01: Write the manual <!-- dc:source=s:1 -->", "2026-02-01: Ship it <!-- dc:source=s:2 -->"
    (folder / "progress.md").write_text(f"{head}- {old}\n- 2025-08-01: my own plan\n- {new}\n", "utf-8")

    line = run(koog, "monthly", "2026-03-10")

    left = (folder / "progress.md").read_text("utf-8")
    assert "manual" not in left and "my own plan" in left and "Ship it" in left
    assert "Write the manual" in text(workspace, "archive/projects/apollo/progress.md")
    assert {
        key: row[key]
        for row in line["went"]
        if row["to"] == "archive/projects/apollo/progress.md"
        for key in ("text", "why")
    } == {"text": "Write the manual", "why": review.OLD}


def test_the_monthly_look_comes_though_the_journal_has_nothing_of_a_later_month(koog, workspace):
    folder = workspace / "knowledge/projects/apollo"
    folder.mkdir(parents=True)
    head = "---\ntype: project_progress\nproject: apollo\nupdated: 2026-01-01\n---\n\n# Apollo — Progress\n\n## Next\n"
    old, new = "2026-01-05: Write the manual <!-- dc:source=s:1 -->", "2026-01-06: Ship it <!-- dc:source=s:2 -->"
    (folder / "progress.md").write_text(f"{head}- {old}\n- {new}\n", "utf-8")
    code, told = koog("--now", "2026-12-10T23:00:00Z", "status")
    assert code == 0 and [row["due"] for row in told["way"] if row["stage"] == "condensed"] == [1]

    line = run(koog, "monthly", "2026-12-10")

    assert [row["text"] for row in line["went"]] == ["Write the manual"]
    assert (folder / "progress.md").read_text("utf-8") == f"{head}- {new}\n"
    assert run(koog, "monthly", "2026-12-11")["count"] == 0


def test_a_file_that_was_put_away_whole_takes_no_lines_of_the_one_after_it(koog, workspace):
    week_of_pumps(workspace)
    folder, kept = workspace / "knowledge/projects/apollo", workspace / "archive/projects/apollo/progress.md"
    head = "---\ntype: project_progress\nproject: apollo\nupdated: 2026-01-01\n---\n\n# Apollo — Progress\n\n## Next\n"
    for each in (folder, kept.parent):
        each.mkdir(parents=True)
    whole = f"{head}- 2025-01-01: Buy the land <!-- dc:source=s:0 -->\n"
    kept.write_text(whole, "utf-8")
    old, new = "2025-09-01: Write the manual <!-- dc:source=s:1 -->", "2026-02-01: Ship it <!-- dc:source=s:2 -->"
    (folder / "progress.md").write_text(f"{head}- {old}\n- {new}\n", "utf-8")

    line = run(koog, "monthly", "2026-03-10")

    assert kept.read_text("utf-8") == whole
    beside = "archive/projects/apollo/progress~2.md"
    assert "Write the manual" in text(workspace, beside)
    assert [row["to"] for row in line["went"] if row["text"] == "Write the manual"] == [beside]
    code, _ = koog("prune", "--restore", beside)
    assert code == 0 and (folder / "progress.md").read_text("utf-8") == f"{head}- {old}\n- {new}\n"


# --- late, twice, in any split of days


def tree(root: Path) -> dict[str, str]:
    found = [*root.rglob("knowledge/**/*.md"), *root.rglob("archive/**/*.md"), root / "MEMORY.md"]
    return {p.relative_to(root).as_posix(): p.read_text("utf-8") for p in found if p.exists()}


ROWS = st.lists(
    st.tuples(
        st.sampled_from(["general", "people", "key-decisions", "lessons-learned", "apollo"]),
        st.sampled_from(NOUNS),
        st.integers(1, 4),
        st.sampled_from(["", OTHER, "dc:trust=agent"]),
    ),
    max_size=3,
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    days=st.dictionaries(st.integers(0, 62), ROWS, min_size=2, max_size=9),
    stops=st.lists(st.tuples(st.integers(0, 70), st.sampled_from(["weekly", "monthly"])), max_size=4),
)
def test_any_split_of_days_comes_to_the_same(days, stops):
    texts = {
        BEGIN + timedelta(days=n): {
            topic: [said(f"We decided to mend the {noun} number {k} on {k} May.", BEGIN + timedelta(days=n), k, more)]
            for topic, noun, k, more in rows
        }
        for n, rows in days.items()
    }
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        whole, split = Path(one, "ws"), Path(two, "ws")
        for root in (whole, split):
            (root / ".koog").mkdir(parents=True)
            (root / "knowledge/projects/apollo").mkdir(parents=True)
            (root / "knowledge/projects/apollo/context.md").write_text("---\ntype: project_context\n---\n", "utf-8")
        for day, rows in texts.items():
            write(whole, day, rows)
        for n, period in sorted(stops):
            for day, rows in texts.items():
                if day <= BEGIN + timedelta(days=n):
                    place = split / f"knowledge/journal/{day}.md"
                    if not place.exists():
                        write(split, day, rows)
            work(split, period, n)
        for day, rows in texts.items():
            if not (split / f"knowledge/journal/{day}.md").exists():
                write(split, day, rows)

        work(split, "monthly", 80)
        work(whole, "monthly", 80)
        work(whole, "monthly", 80)

        assert tree(split) == tree(whole)


def work(root: Path, period: str, n: int) -> None:
    now = f"{BEGIN + timedelta(days=n)}T23:00:00Z"
    condense.work(Run(folder=str(root), engine="builtin", now_text=now, command="condense"), period)


def test_days_that_were_put_away_first_make_the_same_weeks(koog, workspace, tmp_path):
    week_of_pumps(workspace)
    other = tmp_path / "other"
    shutil.copytree(workspace, other, ignore=shutil.ignore_patterns(".git"))
    (other / "archive").mkdir()
    shutil.move(other / "knowledge/journal", other / "archive/journal")
    (other / "knowledge").mkdir(exist_ok=True)

    run(koog, "weekly", "2026-02-09")
    work(other, "weekly", 7)

    name = "knowledge/journal/weekly/2026-W06.md"
    assert text(other, name) == text(workspace, name) != ""


# --- another engine, and its laws


OPERATIONS = [
    {"op": "merge", "lines": [1, 2], "newer": None, "text": None, "to": None, "reason": "same"},
    {"op": "promote", "lines": [3], "newer": None, "text": None, "to": "decisions", "reason": "it holds"},
]


def test_a_models_operations_are_done(koog, workspace, llm):
    lines = [
        "The cellar pump is from Grundfos.",
        "Our pump in the cellar: Grundfos.",
        "We will pay Ana by card from now on.",
    ]
    write(workspace, BEGIN, {"general": [said(each, BEGIN, n) for n, each in enumerate(lines, 2)]})
    llm.says(json.dumps({"operations": OPERATIONS}))

    code, line = koog("--now", "2026-02-09T23:00:00Z", "condense", "weekly")

    assert code == 0, line
    told = text(workspace, "knowledge/journal/weekly/2026-W06.md")
    assert told.count("Grundfos") == 1 and "pay Ana by card" in text(workspace, "MEMORY.md")


def test_an_answer_over_the_loss_cap_is_refused_and_the_week_waits(koog, workspace, llm):
    week_of_pumps(workspace)
    gone = [{"op": "drop", "lines": list(range(1, 10)), "newer": None, "text": None, "to": None, "reason": "dull"}]
    llm.says(json.dumps({"operations": gone}))

    code, line = koog("--now", "2026-02-09T23:00:00Z", "condense", "weekly")

    assert (code, line["error"]["code"]) == (5, "refused")
    assert not (workspace / "knowledge/journal/weekly").exists()


LINES = [
    Said("t", "Ana pays 40 euros for the pump on 3 March.", "2026-02-02", source="s:1"),
    Said("t", "The pump does not hum.", "2026-02-03", source="s:2"),
    Said("t", "Bo came at nine and had coffee with us in the yard.", "2026-02-04", source="s:3"),
]


@pytest.mark.parametrize(
    ("operation", "why"),
    [
        ({"op": "rewrite", "lines": [1], "text": "Ana pays for the pump on 3 March."}, "40 would be lost"),
        ({"op": "rewrite", "lines": [2], "text": "The pump does hum."}, "a not would be lost"),
        ({"op": "rewrite", "lines": [3], "text": "Bo stole coffee."}, "says what the line does not say"),
        ({"op": "rewrite", "lines": [3], "text": ""}, "it has no text"),
        ({"op": "merge", "lines": [1, 3], "text": "Ana pays 40 euros for the pump on 3 March."}, "no two of them"),
        ({"op": "merge", "lines": [1, 9]}, "no such lines"),
        ({"op": "promote", "lines": [1], "to": None}, "no such place"),
    ],
)
def test_what_would_lose_or_invent_something_is_refused(operation, why):
    found = laws.applied([operation], LINES, period=laws.WEEK)

    assert found.kept == LINES
    assert why in found.refused[0]["reason"]


def test_of_one_matter_a_month_tells_what_was_said_last_before_what_was_said_first(koog, workspace):
    first, since = "The deadline of Atlas is 2026-03-01,", "The deadline of Atlas is 2026-06-30 now,"
    for n, told in ((3, first), (10, since)):
        day = BEGIN + timedelta(days=n)
        write(workspace, day, {"general": [said(f"{told} Bob told me on the phone.", day, 3)]})

    run(koog, "monthly", "2026-03-20")

    told = text(workspace, "knowledge/journal/monthly/2026-02.md")
    assert since in told and first not in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The deadline of Atlas is 2026-03-01.", "Bob: the deadline of Atlas is 2026-06-30 in the end, so he says"),
        ("We meet at the town hall.", "From now on we meet in the library, the town hall is too loud for most of us."),
    ],
)
def test_an_old_value_is_not_told_where_there_is_no_room_for_the_new_one(old, new):
    lines = tuple(Said("t", each, f"{BEGIN + timedelta(days=n)}", source=f"s:{n}") for n, each in enumerate((old, new)))
    long = tuple(Said("t", f"{noun} " * 20, f"{BEGIN}", source="x:1") for noun in NOUNS)

    for all_ in (lines, (*lines, *long)):
        answer = condense_rules.answer(condense_rules.CondenseInput(laws.MONTH, all_))
        kept = laws.applied(answer["operations"], all_, period=laws.MONTH).kept
        assert lines[0] not in kept or lines[1] in kept


def test_a_month_goes_by_the_numbers_of_days_and_its_lines_have_no_full_stop(koog, workspace):
    things = [f"It is always good to see how well the {noun} does in such a long and cold winter" for noun in NOUNS[:4]]
    for n, told in enumerate(things):
        write(workspace, BEGIN + timedelta(days=n), {"general": [said(f"{told} again.", BEGIN + timedelta(days=n), 3)]})
    write(
        workspace,
        date(2026, 3, 1),
        {"general": [said("Ana paid 40 euros for the lift at 9 a.m.", date(2026, 3, 1), 3)]},
    )

    run(koog, "monthly", "2026-03-10")

    told = text(workspace, "knowledge/journal/monthly/2026-02.md")
    *days, last = re.findall("### (.+)", told)
    assert set(days) <= {"02", "03", "04", "05", "06"} and days == sorted(days) and last == "03-01"
    assert "at 9 a.m. <!--" in told and ". <!--" not in told.replace("a.m. <!--", "")
    assert {each.day for each in digests.read(told, "")} == {*(f"2026-02-{day}" for day in days), "2026-03-01"}


def test_what_mostly_is_glad_tells_less_than_the_same_that_is_not():
    glad, told = "The trail by the lake was wonderful.", "The trail by the lake was closed."

    assert value.value(glad, PERSON, BEGIN) < 0.8 * value.value(told, PERSON, BEGIN)


def test_of_a_turn_that_another_file_tells_a_month_tells_less():
    lines = [Said("t", f"Ana paid {n} euros for the pump in Bergen", "2026-02-02", source=f"s:{n}") for n in (41, 42)]

    assert value.ranked(lines)[0] == 0
    assert value.ranked(lines, {"s:41"})[0] == 1


def test_what_the_lasting_files_tell_is_known_by_its_sources(workspace):
    write(workspace, BEGIN, {"general": [said("The pump hums.", BEGIN, 3)]})
    gone = "~~We use oil~~ (until 2026-02-03) <!-- dc:to=2026-02-03 dc:source=ses_1:4%3Bses_2:9 -->"
    (workspace / "MEMORY.md").write_text(f"# M\n\n## Key Decisions\n- {gone}\n", "utf-8")

    told = Lasting(Run(folder=str(workspace), engine="builtin"), layout.of(NO_NOTES)).told()

    assert told == {"ses_1:4", "ses_2:9"}


def test_every_day_is_in_one_week_and_one_month():
    for n in range(800):
        day = BEGIN + timedelta(days=n)
        week = periods.week(day)
        assert day.isoformat() in week.days
        assert week in periods.month(week.month).weeks


def test_a_digest_is_read_as_it_was_written():
    week = digests.of_week("j", periods.week(BEGIN))
    lines = [
        Said("general", "a b c", "2026-02-02", source="s:1"),
        Said("x y", "d", "2026-02-03", trust="agent", source="s:2"),
    ]

    found = digests.read(digests.written("", week, lines), "")

    assert [(e.topic, e.text, e.day, e.source, e.trust) for e in found] == [
        (e.topic, e.text, e.day, e.source, e.trust) for e in lines
    ]
    assert digests.written(digests.written("", week, lines), week, []) == ""


@pytest.mark.parametrize("command", [("condense", "weekly"), ("prune",)])
def test_two_at_once_are_one_and_one_busy(koog, workspace, command):
    week_of_pumps(workspace)

    with Run(folder=str(workspace)).workspace.locked("condense.lock", wait_s=0, what="a test"):
        code, line = koog("--now", "2026-02-09T23:00:00Z", *command)

    assert (code, line["error"]["code"]) == (9, "busy")
    assert not (workspace / "knowledge/journal/weekly").exists()


def test_what_must_not_be_lost_is_kept_though_it_is_how_something_is_done() -> None:
    said = Said(
        "open", "Red bags are never opened by anybody, the whole bag goes into the washer.", "2026-02-02", source="s:1"
    )

    (operation,) = condense_rules.answer(condense_rules.CondenseInput(laws.WEEK, (said,)))["operations"]

    assert (operation["op"], operation["to"]) == (laws.PROMOTE, "decisions")
