"""koog reflect: the threshold, the copy, the laws with a model, what comes in meanwhile, and every moment of a kill."""

from __future__ import annotations

import json

import pytest

from koog.observe import observations
from koog.observe.observations import Observation
from tests.conftest import git
from tests.conftest import moments as some
from tests.logs import snapshot
from tests.test_every_moment import as_next_koog_finds_it, differing, fail, kill, restored, run

NOW = ("--now", "2026-02-28T12:00:00Z")
FORCED = (*NOW, "reflect", "--force")
PATH = "memory/observations.md"
TUESDAY, FRIDAY = "Harbor deploys go out on Tuesdays", "Harbor deploys moved to Friday"


def seen(text, *, mark=8, day="2026-02-20", time="09:00"):
    return Observation(day, time, text, "fact", mark, 0.8, "s#a")


OLD = [
    seen(TUESDAY, day="2026-02-10"),
    seen("Tests passed", mark=2, day="2026-02-10"),
    seen(FRIDAY),
    seen("Staging listens on port 4100"),
    seen("Lena likes tea", mark=5),
]


def put(folder, *found):
    (folder / PATH).write_text(observations.added("", found))


def texts(folder):
    return [o.text for o in observations.observations((folder / PATH).read_text())]


def backups(folder):
    return sorted(p.name for p in (folder / "memory/observation-backups").glob("*"))


@pytest.fixture
def observed(workspace):
    put(workspace, *OLD)
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "observed")
    return workspace


# --- when


def test_below_the_threshold_nothing_happens_and_the_reply_says_so(koog, observed):
    before = snapshot(observed)

    code, line = koog(*NOW, "reflect")

    assert (code, line["reflected"], line["backup"]) == (0, False, None)
    assert line["reason"].endswith("words of 8000: --force reflects now")
    assert snapshot(observed) == before


@pytest.mark.parametrize(("limit", "reflected"), [(0, True), (1, False)])
def test_the_threshold_is_the_words_that_a_reader_sees(koog, observed, monkeypatch, limit, reflected):
    words = observations.words((observed / PATH).read_text())
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", str(words + limit))

    assert koog(*NOW, "reflect")[1]["reflected"] is reflected


def test_no_observations_at_all_are_nothing_to_consolidate(koog, workspace):
    code, line = koog(*FORCED)

    assert (code, line["reflected"], line["linesBefore"], line["wordsAfter"]) == (0, False, 0, 0)


def test_a_file_that_stays_long_is_not_reflected_upon_with_every_observation(koog, observed, monkeypatch):
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", "5")
    assert koog(*NOW, "reflect")[1]["reflected"]

    again = koog(*NOW, "reflect")[1]
    put(observed, *OLD, *(seen(f"A new fact with number {n}") for n in range(9)))
    grown = koog(*NOW, "reflect")[1]

    assert "reflected today already" in again["reason"]
    assert grown["reflected"]
    assert "words of" not in koog("--now", "2026-03-01T12:00:00Z", "reflect")[1]["reason"]


def test_a_long_file_that_is_not_looked_at_again_is_over_its_limit_all_the_same(koog, observed, monkeypatch):
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", "5")
    koog(*NOW, "reflect")

    again = koog(*NOW, "reflect")[1]

    assert "reflected today already" in again["reason"]
    assert again["overLimit"] == again["wordsAfter"] - 5 > 0


def test_a_long_file_of_which_no_answer_can_be_used_is_over_its_limit_all_the_same(koog, observed, llm, monkeypatch):
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", "5")
    for _ in range(2):
        says(llm, {"op": "remove", "lines": [1, 2, 3, 4], "reason": "old"})
        koog(*NOW, "reflect")

    line = koog(*NOW, "reflect")[1]

    assert line["reason"].startswith("2 answers were refused today")
    assert line["overLimit"] == line["wordsAfter"] - 5 > 0


# --- what


def test_the_built_in_reflector_drops_joins_and_tells_why(koog, observed):
    code, line = koog(*FORCED)

    assert code == 0
    assert texts(observed) == [FRIDAY, "Staging listens on port 4100", "Lena likes tea"]
    assert line["dropped"] == [
        {"line": f"🔴 {TUESDAY}", "reason": f"superseded on 2026-02-20: {FRIDAY}"},
        {"line": "🟢 Tests passed", "reason": "🟢 and over 7 days old (2026-02-10)"},
    ]
    assert (line["linesBefore"], line["linesAfter"]) == (5, 3)
    assert line["wordsBefore"] > line["wordsAfter"] > 0
    assert line["_meta"]["engine"] == "builtin"


def test_a_copy_of_what_stood_there_is_kept_and_both_are_one_commit(koog, observed):
    before = (observed / PATH).read_text()

    line = koog(*FORCED)[1]

    assert line["backup"] == "memory/observation-backups/observations-2026-02-28-120000.md"
    assert (observed / line["backup"]).read_text() == before
    assert git(observed, "log", "-1", "--format=%s").startswith(f"[EDIT] {PATH} (+1) — reflected: 2 dropped")
    assert git(observed, "status", "--porcelain") == ""


def test_a_second_reflection_finds_nothing_and_keeps_no_copy(koog, observed):
    koog(*FORCED)
    before = snapshot(observed)

    line = koog(*FORCED)[1]

    assert (line["reflected"], line["reason"], line["backup"]) == (False, "nothing to consolidate", None)
    assert snapshot(observed) == before


def test_a_dry_run_shows_the_same_and_writes_nothing(koog, observed):
    before = snapshot(observed)

    line = koog("--dry-run", *FORCED)[1]

    assert line["reflected"]
    assert [c["path"] for c in line["_meta"]["changes"]] == [line["backup"], PATH]
    assert snapshot(observed) == before


def test_an_old_green_line_that_puts_a_red_one_right_does_not_go_before(koog, observed):
    put(observed, seen(TUESDAY, day="2026-02-01"), seen(FRIDAY, mark=2, day="2026-02-12"))

    line = koog(*FORCED)[1]

    left = observations.observations((observed / PATH).read_text())
    assert [(o.mark, o.text) for o in left] == [("🔴", FRIDAY)]
    assert [row["line"] for row in line["dropped"]] == [f"🔴 {TUESDAY}"]


def test_the_limit_counts_a_script_without_spaces(koog, observed, monkeypatch):
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", "100")
    said = [f"第{n}次会议说订单和客户的资料每天晚上备份到机器上面" for n in range(10, 20)]
    put(observed, *(seen(text, mark=5, time=f"09:{n}") for n, text in enumerate(said, 10)))

    assert koog(*NOW, "reflect")[1]["reflected"]


def test_age_counts_from_each_lines_own_date_however_often_it_is_reflected(koog, observed):
    put(observed, seen("Tests passed", mark=2, day="2026-02-25"), *OLD[2:])
    for day in ("02-27", "02-28", "03-01", "03-02", "03-04"):
        koog("--now", f"2026-{day}T12:00:00Z", "reflect", "--force")
        assert "Tests passed" in texts(observed)

    koog("--now", "2026-03-05T12:00:00Z", "reflect", "--force")

    assert "Tests passed" not in texts(observed)


def test_the_users_zone_decides_which_day_it_is(koog, observed, monkeypatch):
    put(observed, seen("Tests passed", mark=2, day="2026-02-21"), *OLD[2:])
    monkeypatch.setenv("KOOG_TIMEZONE", "Pacific/Auckland")

    koog("--now", "2026-02-28T12:00:00Z", "reflect", "--force")

    assert "Tests passed" not in texts(observed)  # there it is the first of March


def test_favorites_are_never_touched(koog, observed):
    (observed / "memory/favorites.md").write_text("- 🟢 09:00 Tests passed\n")

    koog(*FORCED)

    assert (observed / "memory/favorites.md").read_text() == "- 🟢 09:00 Tests passed\n"


def test_a_long_account_is_cut_in_the_reply_and_whole_in_the_report(koog, observed):
    put(
        observed,
        *(seen(f"The importer took {n} minutes for the archive in Graz", mark=2, day="2026-01-01") for n in range(300)),
    )

    line = koog(*FORCED)[1]

    assert line["_meta"]["truncated"] is True
    assert len(json.dumps(line)) < 10_000
    assert 20 < len(line["dropped"]) < 300
    assert len(json.loads((observed / line["report"]).read_text())["dropped"]) == 300


def test_a_hundred_times_the_same_line_is_one_line(koog, observed):
    put(observed, *(seen("The importer ran", mark=5, time=f"{n // 60:02}:{n % 60:02}") for n in range(100)))

    line = koog(*FORCED)[1]

    assert [o.time for o in observations.observations((observed / PATH).read_text())] == ["01:39"]
    assert len(line["merged"]) == 1


def test_a_threshold_that_observe_meets_consolidates_in_the_same_run(koog, observed, monkeypatch, tmp_path):
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", "30")
    (tmp_path / "state").mkdir()

    code, line = koog("--engine", "builtin", *NOW, "observe", "--source", str(tmp_path / "state"))

    assert code == 0
    assert line["reflected"]["reflected"] is True
    assert texts(observed) == [FRIDAY, "Staging listens on port 4100", "Lena likes tea"]


def test_bytes_that_are_no_utf8_survive(koog, observed):
    with (observed / PATH).open("ab") as file:
        file.write(b"caf\xe9 is not UTF-8\n")

    assert koog(*FORCED)[0] == 0
    assert (observed / PATH).read_bytes().endswith(b"caf\xe9 is not UTF-8\n")


# --- copies


def test_the_newest_copies_are_kept_the_oldest_go_and_are_named(koog, observed, monkeypatch):
    monkeypatch.setenv("KOOG_OBSERVE_KEEP_BACKUPS", "3")
    folder = observed / "memory/observation-backups"
    folder.mkdir()
    (folder / "mine.md").write_text("a person's\n")
    made = []
    for n in range(6):
        put(observed, *OLD)
        line = koog("--now", f"2026-02-28T12:00:0{n // 2}Z", "reflect", "--force")[1]
        made.append(line["backup"])

    assert line["removedBackups"] == [made[2]]
    assert sorted(backups(observed)) == sorted(["mine.md", *(p.rpartition("/")[2] for p in made[3:])])
    assert len(set(made)) == 6
    assert git(observed, "status", "--porcelain").splitlines() == ["?? memory/observation-backups/mine.md"]


def test_a_clock_that_goes_back_never_costs_the_copy_just_made(koog, observed, monkeypatch):
    monkeypatch.setenv("KOOG_OBSERVE_KEEP_BACKUPS", "1")
    koog(*FORCED)
    put(observed, *OLD)

    line = koog("--now", "2026-02-27T12:00:00Z", "reflect", "--force")[1]

    assert backups(observed) == [line["backup"].rpartition("/")[2]]


# --- with a model


def says(llm, *operations, **more):
    llm.says({"operations": list(operations)}, **more)


def test_a_model_sees_numbered_lines_and_its_operations_are_done(koog, observed, llm):
    says(
        llm,
        {"op": "remove", "lines": [1], "newer": 3, "text": None, "reason": "deploys moved"},
        {"op": "remove", "lines": [5], "newer": None, "text": None, "reason": "who cares"},
    )

    line = koog(*FORCED)[1]

    asked = llm.requests[0]["body"]["messages"][1]["content"]
    assert f"1: 2026-02-10 09:00 🔴 fact: {TUESDAY}" in asked
    assert "2: 2026-02-10 09:00 🟢 fact: Tests passed" in asked  # it may put another right before it goes
    assert texts(observed) == [FRIDAY, "Staging listens on port 4100", "Lena likes tea"]
    assert line["keptAgainst"] == [
        {"line": "🟡 Lena likes tea", "reason": "remove: a 🟡 line goes only for a newer one or into another"}
    ]
    assert line["_meta"]["engine"] == "llm"


def test_a_model_sees_a_line_that_stood_there_twice_and_can_replace_it_at_once(koog, observed, llm):
    put(observed, seen(TUESDAY, day="2026-02-10"), seen(TUESDAY, day="2026-02-11"), seen(FRIDAY))
    says(llm, {"op": "remove", "lines": [1], "newer": 2, "reason": "moved"})

    koog(*FORCED)

    assert texts(observed) == [FRIDAY]


def test_a_model_that_would_remove_everything_is_refused_and_nothing_is_written(koog, observed, llm):
    says(llm, {"op": "remove", "lines": [1, 2, 3, 4], "reason": "old"})
    before = snapshot(observed, without=["memory/meta/usage.jsonl"])

    code, line = koog(*FORCED)

    assert (code, line["error"]["code"]) == (5, "refused")
    assert "under 20%" in line["error"]["message"]
    assert (observed / PATH).read_bytes() == before[PATH]
    assert not (observed / "memory/observation-backups").exists()


def test_a_model_whose_answer_is_longer_than_the_lines_is_refused(koog, observed, llm):
    says(llm, {"op": "rewrite", "lines": [4], "text": "Lena likes tea " * 40, "reason": "more"})

    code, line = koog(*FORCED)

    assert (code, "more than there were" in line["error"]["message"]) == (5, True)


def test_an_answer_that_was_cut_off_changes_nothing(koog, observed, llm):
    says(llm, {"op": "remove", "lines": [1], "newer": 2, "reason": "x"}, finish="length")
    before = (observed / PATH).read_bytes()

    code, _ = koog(*FORCED)

    assert code == 7
    assert (observed / PATH).read_bytes() == before


def test_a_model_that_is_refused_twice_is_not_asked_again_with_every_observation_of_the_day(
    koog, observed, llm, monkeypatch
):
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", "5")
    for _ in range(2):
        says(llm, {"op": "remove", "lines": [1, 2, 3, 4], "reason": "old"})
        assert koog(*NOW, "reflect")[0] == 5

    line = koog(*NOW, "reflect")[1]
    says(llm)
    tomorrow = koog("--now", "2026-03-01T12:00:00Z", "reflect")[1]

    assert (line["reflected"], line["reason"]) == (False, "2 answers were refused today: --force asks again")
    assert tomorrow["reflected"]


def test_lines_that_come_in_while_the_model_thinks_stay(koog, observed, llm):
    def answer(_):
        text = (observed / PATH).read_text()
        late = observations.added(
            text, [seen("Said meanwhile", mark=2, day="2026-02-28"), seen("Another rule", time="10:00")]
        )
        (observed / PATH).write_text(late.replace("Staging listens", "Mika says: staging listens"))
        return {
            "operations": [
                {"op": "remove", "lines": [1], "newer": 3, "reason": "moved"},
                {"op": "rewrite", "lines": [4], "text": "Staging port", "reason": "short"},
            ]
        }

    llm.always(answer)

    line = koog(*FORCED)[1]

    assert texts(observed) == [
        FRIDAY,
        "Mika says: staging listens on port 4100",
        "Lena likes tea",
        "Another rule",
        "Said meanwhile",
    ]
    assert line["keptAgainst"] == [
        {"line": "🔴 Staging listens on port 4100", "reason": "rewrite: the line changed meanwhile"}
    ]


# --- stopped


@pytest.mark.parametrize("stop", [kill, fail], ids=["killed", "disk fails"])
def test_at_every_moment_a_reflection_has_changed_nothing_or_everything(observed, monkeypatch, stop):
    monkeypatch.setenv("KOOG_GIT_COMMIT", "off")
    monkeypatch.setenv("KOOG_OBSERVE_KEEP_BACKUPS", "1")
    folder = observed / "memory/observation-backups"
    folder.mkdir()
    (folder / "observations-2026-02-01-120000.md").write_text("the oldest\n")
    before = as_next_koog_finds_it(observed)
    code, moments, _ = run(*FORCED)
    after = as_next_koog_finds_it(observed)
    assert code == 0
    assert len(before.keys() ^ after.keys()) >= 2  # one copy more, one less
    seen_states = {"before": 0, "after": 0}

    for at in some(moments):
        restored_whole(observed, before)
        code, _, out = run(*FORCED, stop=stop, at=at)
        found = as_next_koog_finds_it(observed)

        assert found in (before, after), differing(at, found, before, after)
        seen_states["after" if found == after else "before"] += 1
        if stop is fail and code == 0:
            assert json.loads(out)["reflected"]
        elif stop is kill and code == 0:
            break

    assert seen_states["before"] > 1
    assert seen_states["after"] > 0


def restored_whole(folder, files):
    """Bring back the files; forget what the last reflection left."""
    (folder / ".koog/reflected.json").unlink(missing_ok=True)
    restored(folder, files, {})


# --- what stands in a code fence


def fenced(*found, opens="```", closes="```"):
    return "\n".join([opens, *map(observations.written, found), *([closes] if closes else [])]) + "\n"


OLD_ONES = (
    seen("Tests passed", mark=2, day="2026-02-10"),
    seen(TUESDAY, day="2026-02-10"),
    seen(FRIDAY, day="2026-02-20"),
    seen(FRIDAY, day="2026-02-20"),
)


@pytest.mark.parametrize(
    "block",
    [
        fenced(*OLD_ONES),
        fenced(*OLD_ONES, opens="~~~ md", closes="~~~~"),
        fenced(*OLD_ONES, opens="~~~", closes="```\n~~~"),
        fenced(*OLD_ONES, opens="  ```", closes="  ```"),
        fenced(*OLD_ONES, opens="```\nDate: 2026-02-01\n"),
    ],
)
def test_lines_in_a_closed_fence_are_left_alone(koog, workspace, block):
    shown = seen("How a line is written is shown below", day="2026-02-28", mark=2)
    text = observations.added("", [shown]) + block + observations.written(seen("Tests failed", mark=2)) + "\n"
    (workspace / PATH).write_text(text)

    line = koog(*FORCED)[1]

    assert [row["line"] for row in line["dropped"]] == ["🟢 Tests failed"]
    assert (line["merged"], block in (workspace / PATH).read_text()) == ([], True)


def test_over_the_limit_no_line_in_a_fence_yields(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_OBSERVE_REFLECT_WORDS", "5")
    block = fenced(seen("Lena likes tea", mark=5, day="2026-02-10"))
    (workspace / PATH).write_text(observations.added("", [seen("Lena likes the sea", mark=5)]) + block)

    assert [row["line"] for row in koog(*NOW, "reflect")[1]["dropped"]] == ["🟡 Lena likes the sea"]
    assert block in (workspace / PATH).read_text()


def test_a_fence_goes_with_no_line_above_it(koog, workspace):
    block = fenced(seen("Lena likes tea", mark=5), opens="  ```", closes="  ```")
    (workspace / PATH).write_text(observations.added("", [seen("Tests passed", mark=2)]) + block)

    assert len(koog(*FORCED)[1]["dropped"]) == 1
    assert block in (workspace / PATH).read_text()


@pytest.mark.parametrize("opens", ["```", "~~~", "```\n~~~ md", "~~~~\n~~~\n```"])
def test_a_fence_that_is_not_closed_takes_no_line_in(koog, workspace, opens):
    (workspace / PATH).write_text("# Observations\n\n" + fenced(*OLD_ONES, opens=opens, closes=""))

    assert [row["line"] for row in koog(*FORCED)[1]["dropped"]] == [f"🔴 {TUESDAY}", "🟢 Tests passed"]


# --- what may be one matter at two times


def test_two_lines_of_one_matter_stay_name_each_other_and_are_told_together(koog, workspace):
    put(
        workspace,
        seen("User: My flour comes from the Brodersen mill, forty sacks each fortnight")._replace(source="s#a"),
        seen("User: The choir meets on Wednesdays")._replace(source="s#b"),
        seen("User: Ostermann's flour is here, and the sacks are smaller than those of the mill", day="2026-02-24")
        ._replace(source="t#c"),
    )  # fmt: skip

    first = koog(*FORCED)[1]
    text = (workspace / PATH).read_text()
    again = koog(*FORCED)[1]

    assert [row["reason"] for row in first["linked"]] == ["may be one matter at two times"]
    assert (first["linesAfter"], first["dropped"], first["merged"]) == (3, [], [])
    assert not again["reflected"] and (workspace / PATH).read_text() == text
    assert (
        "smaller than those of the mill (🔴 earlier, 2026-02-20: User: My flour comes from the Brodersen mill, forty"
        in (koog(*NOW, "startup")[1]["text"])
    )


def test_lines_of_one_session_are_not_taken_for_two_times(koog, workspace):
    put(
        workspace,
        seen("User: My flour comes from the Brodersen mill, forty sacks each fortnight")._replace(source="s#a"),
        seen("User: Ostermann's flour is here, and the sacks are smaller than those of the mill", time="10:00")
        ._replace(source="s#b"),
    )  # fmt: skip

    assert koog(*FORCED)[1]["linked"] == []


def test_a_place_with_a_semicolon_is_one_place(koog, workspace):
    put(
        workspace,
        seen("User: My flour comes from the Brodersen mill, forty sacks each fortnight")._replace(source="a;b"),
        seen("User: Ostermann's flour is here, and the sacks are smaller than those of the mill", day="2026-02-24")
        ._replace(source="c;d"),
    )  # fmt: skip

    assert len(koog(*FORCED)[1]["linked"]) == 1
    assert not koog(*FORCED)[1]["reflected"]
    assert "(🔴 earlier, 2026-02-20: User: My flour" in koog(*NOW, "startup")[1]["text"]
