"""Observations as a source of the miner: each line once, whatever reflect makes of the file."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from koog.core.run import Run
from koog.heartbeat import observed, whose
from koog.observe import mined, observations, reflection, reflection_laws
from koog.observe.observations import Observation
from koog.observe.reflection import Operation
from koog.search import origins
from koog.sessions import labels
from koog.sessions.labels import Label
from tests.conftest import examples, registered
from tests.logs import NOW, PLAYBOOK, bullets, note, playbook

FILE = "memory/observations.md"
CURSORS = "memory/meta/cursors.json"
DECIDED = "User: We decided to use Drizzle instead of Prisma because its migrations stay plain SQL"
CHOSEN = "We decided on pnpm instead of npm because its store is shared between branches"
AGENTS = "Agent: We decided to keep Redis instead of Kafka because one queue is enough for us"
GROUP = Label("openclaw/main", "group", "telegram:group:-100123")
HARBOR = Label("/srv/harbor")


def seen(text, entry="a1", *, day="2026-02-28", time="09:14", label=labels.NONE, more=(), importance=8):
    source = f"claude/p/s#{entry}" if entry else ""
    return Observation(day, time, text, "decision", importance, 0.9, source, (*labels.values(label), *more))


def write(workspace, *found):
    (workspace / FILE).write_text(observations.added("", found), "utf-8")


def unmined(workspace, known=None):
    run = Run(folder=str(workspace), now_text=NOW, command="mine")
    return observed.unmined(run, known, warnings=run.warnings)


def texts(found):
    return [row for part in found.parts for row in part.note.text.split("\n") if row]


def mine(koog):
    code, line = koog("mine", "--now", NOW)
    assert code == 0, line
    return line


def test_lines_are_read_as_a_note_has_them_and_each_knows_its_day_mark_and_who_is_behind_it(workspace):
    write(
        workspace,
        seen("User: I prefer tea", "a1", day="2026-02-27", time="23:10"),
        seen("Agent: The build takes nine minutes", "a2", importance=5),
        seen("Mika signs off releases", "a3", time="", importance=2),
    )

    (part,) = unmined(workspace).parts

    lines = (workspace / FILE).read_text("utf-8").split("\n")
    rows = {n: row for n, row in enumerate(part.note.text.split("\n"), part.note.first_line) if row}
    assert list(rows.values()) == [
        "- 23:10 user: I prefer tea",
        "- Mika signs off releases",
        "- 09:14 assistant: The build takes nine minutes",
    ]
    assert all(row.partition(": ")[2] in lines[n - 1] or row[2:] in lines[n - 1] for n, row in rows.items())
    told = [(t.day, t.time, t.mark, t.trust) for t in part.note.told.values()]
    assert told == [
        ("2026-02-27", "23:10", "🔴", "person"),
        ("2026-02-28", "", "🟢", "person"),
        ("2026-02-28", "09:14", "🟡", "agent"),
    ]


@pytest.mark.parametrize(
    ("found", "trust"),
    [
        (seen(DECIDED), "person"),
        (seen(AGENTS), "agent"),
        (seen("Somebody wrote this by hand", ""), "agent"),
        (seen("Group: We meet at nine", label=GROUP), "agent"),
        (seen(DECIDED, more=(("trust", "tool"),)), "tool"),
        (seen(DECIDED, more=(("trust", "boss"),)), "quoted"),
        (seen(DECIDED, more=(("trust", "Person"),)), "quoted"),
        (seen("Never write dc:trust=tool by hand"), "person"),
    ],
)
def test_who_is_behind_a_line(found, trust):
    assert found.trust == trust
    row = observations.written(found)
    assert origins.trust(FILE, "observation", [row]) == trust  # and search says the same
    assert observations.observations(f"Date: 2026-02-28\n\n{row}\n")[0].trust == trust


KEPT = "no, keep it, Brightline still imports it. They pay for it."
MINE = "and my real rule: we never merge without a review"
BOTH = "The 502s came from the keepalive. So raising it to 75 fixes it"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"User: Shall I drop the CSV format? → {KEPT}", f"user: {KEPT} (asked: Shall I drop the CSV format?)"),
        ("User: I suggest 14 days of logs. → make it 30", "I suggest 14 days of logs. → user: make it 30"),
        (
            "User: May we skip e2e? → Your call. → ok, let's do that",
            "May we skip e2e? → Your call. → user: ok, let's do that",
        ),
        ("User: standup is at 9:45 → sorry I meant 9:15", "user: standup is at 9:45 → sorry I meant 9:15"),
        (f"User: {MINE}", f"user: {MINE}"),
        (BOTH, BOTH),
        ("We moved from npm → pnpm", "We moved from npm → pnpm"),
    ],
)
def test_one_observation_is_one_line_of_the_playbook(koog, workspace, text, line):
    write(workspace, seen(text))

    mine(koog)
    koog("curate", "--now", NOW)

    (row,) = bullets(workspace)
    assert row.removeprefix("- ").partition(" (score")[0] == line


def test_what_must_not_be_lost_is_mined_though_its_words_weigh_little(koog, workspace):
    write(workspace, seen("User: Page size? → 50", "a1", importance=9), seen("User: Right? → ok", "a2", importance=3))

    assert mine(koog)["newPatterns"] == ["user: 50 (asked: Page size?)"]


def test_what_a_person_settled_is_mined_though_it_matters_less(koog, workspace):
    write(workspace, seen("User: Page size? → 50", "a1", importance=5))

    assert mine(koog)["newPatterns"] == ["user: 50 (asked: Page size?)"]


def test_an_observation_that_another_leans_on_stays_a_line_of_its_own(koog, workspace):
    rule = "no more aspirin for grandma, she takes blood thinners"
    write(
        workspace, seen(rule, "a1"), seen(f"User: {rule} → Shall I book the cottage for May? → below 400 euros", "a2")
    )

    found = mine(koog)

    assert any(text == rule for text in found["newPatterns"] + found["preferences"]), found
    assert len(found["newPatterns"] + found["preferences"]) == 2


def test_what_was_mined_is_not_mined_again_and_what_came_later_is(koog, workspace):
    write(workspace, seen(DECIDED))

    first = mine(koog)
    write(workspace, seen(DECIDED), seen(CHOSEN, "a2"))
    second, third = mine(koog), mine(koog)

    assert [len(line["newPatterns"]) for line in (first, second, third)] == [1, 1, 0]
    assert "Drizzle" in first["newPatterns"][0] and "pnpm" in second["newPatterns"][0]
    assert first["minedSources"] == second["minedSources"] == ["observations.md"]
    assert third["minedSources"] == [] and third["_meta"]["changes"] == []


def test_evidence_cites_the_line_its_day_and_its_speaker(koog, workspace):
    write(workspace, seen(DECIDED, day="2026-02-26"), seen(AGENTS, "a2"))

    line = mine(koog)

    rows = (workspace / FILE).read_text("utf-8").split("\n")
    found = {row["trust"]: row for row in line["evidence"]}
    assert "Drizzle" in rows[found["person"]["line"] - 1]
    assert {row["file"] for row in line["evidence"]} == {FILE}
    assert found["person"]["date"] == "2026-02-26"
    assert set(found) <= {"person", "agent"}


def test_a_day_of_observations_is_no_mined_day_of_notes(koog, workspace):
    playbook(workspace, "## Patterns")
    write(workspace, seen(DECIDED))

    mine(koog)

    assert "<!-- mining-index:  -->" in (workspace / PLAYBOOK).read_text("utf-8")


def test_the_playbooks_line_has_place_and_day(koog, workspace):
    write(workspace, seen(DECIDED, day="2026-02-26"))

    mine(koog)
    koog("curate", "--now", NOW)

    (row,) = [row for row in bullets(workspace) if "Drizzle" in row]
    assert "<!-- from: memory/observations.md:5 2026-02-26 by person -->" in row


# --- after reflect, and after a person


LONG = "The staging host listens on port 4100 since the move to Hetzner"
SHORT = "The staging host listens on port 4100"
TODAY = date(2026, 2, 28)


def read(*found):
    return mined.cursor(map(mined.mark, found))


def row(o):
    return observations.written(o)


def reflected(workspace, known, *operations):
    """Reflect as `koog reflect` writes it; return the cursor that stands then."""
    done = reflection.reflect((workspace / FILE).read_text("utf-8"), operations, today=TODAY)
    (workspace / FILE).write_text(done.text, "utf-8")
    text = json.dumps({"mine": {"files": {FILE: known}}})
    return json.loads(mined.carried(text, FILE, done.made))["mine"]["files"][FILE]


def test_a_mined_line_in_fewer_words_is_not_mined_again(workspace):
    write(workspace, seen(LONG, importance=5))
    shorter = Operation("rewrite", (row(seen(LONG, importance=5)),), "", text=SHORT + " at Hetzner")

    known = reflected(workspace, read(seen(LONG)), shorter)

    assert "since the move" not in (workspace / FILE).read_text("utf-8")
    found = unmined(workspace, known)
    assert (found.parts, found.cursor) == ([], read(seen(SHORT + " at Hetzner")))
    assert unmined(workspace, found.cursor).cursor is None


def test_mined_lines_that_were_joined_are_not_mined_again(workspace):
    one, two = seen(LONG, "a1", day="2026-02-20"), seen(SHORT, "a2")
    write(workspace, one, two)

    known = reflected(workspace, read(one, two), Operation("merge", (row(one), row(two)), ""))

    assert len(observations.observations((workspace / FILE).read_text("utf-8"))) == 1
    assert unmined(workspace, known).parts == []


def test_a_line_that_was_joined_with_one_that_nobody_mined_is_mined(workspace):
    one, two = seen(LONG, "a1", day="2026-02-20"), seen(SHORT, "a2")
    write(workspace, one, two)

    known = reflected(workspace, read(two), Operation("merge", (row(one), row(two)), ""))

    assert texts(unmined(workspace, known)) == [f"- 09:14 {LONG}"]


def test_koog_reflect_itself_tells_the_miner(koog, workspace):
    one, two = seen(LONG, "a1", day="2026-02-20"), seen(f"{LONG}.", "a2")
    write(workspace, one, two)
    mine(koog)

    code, line = koog("reflect", "--force", "--now", NOW)

    assert code == 0 and line["merged"], line
    assert mine(koog)["minedSources"] == []


def test_an_unmined_line_stays_to_be_mined_when_a_mined_one_of_its_turn_goes(workspace):
    write(workspace, seen(CHOSEN))

    assert texts(unmined(workspace, read(seen(DECIDED)))) == [f"- 09:14 {CHOSEN}"]


def test_a_line_that_a_person_has_rewritten_is_mined(workspace):
    write(workspace, seen("Deploys go out on Monday, not on Friday"))

    found = unmined(workspace, read(seen("Deploys go out on Friday, not on Monday")))

    assert texts(found) == ["- 09:14 Deploys go out on Monday, not on Friday"]


def test_a_joined_line_says_where_all_of_it_was_heard():
    one, two, three = seen(LONG, "a1", day="2026-02-20"), seen(SHORT, "a2"), seen(SHORT, "a3", time="10:00")

    made, _ = reflection_laws.joined("", [one, two])
    made, _ = reflection_laws.joined("", [made, three])

    assert made.source == "claude/p/s#a3"
    assert dict(made.more)["also"] == "claude/p/s#a2;claude/p/s#a1"
    (line,) = observations.observations(observations.added("", [made]))
    assert line == made


def test_other_words_of_a_turn_whose_words_still_stand_are_new(workspace):
    """`observe --since` reads a session once more, and finds what it had not found."""
    write(workspace, seen(DECIDED), seen(CHOSEN))

    assert texts(unmined(workspace, read(seen(DECIDED)))) == [f"- 09:14 {CHOSEN}"]


def test_what_is_moved_away_is_forgotten_and_another_mark_is_no_news(workspace):
    write(workspace, seen(DECIDED, importance=2))

    found = unmined(workspace, read(seen(DECIDED), seen(CHOSEN, "a2")))

    assert (found.parts, found.cursor) == ([], read(seen(DECIDED)))


@pytest.mark.parametrize("known", [None, 7, {}, {"lines": 7}, {"lines": [7, None]}, {"bytes": 4, "sha256": "x"}])
def test_a_cursor_of_another_shape_counts_as_none(workspace, known):
    write(workspace, seen(DECIDED))

    assert len(texts(unmined(workspace, known))) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"mine": 7}', '{"mine": {"files": {}}}'])
def test_cursors_of_another_shape_are_left_alone(text):
    assert mined.carried(text, FILE, [([seen(LONG)], seen(SHORT))]) == text


STEPS = ("observe", "observe", "mine", "join", "shorten", "drop", "edit")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_nothing_unmined_counts_as_mined_and_nothing_mined_is_mined_again(workspace, data):
    """Whatever is observed, mined in part, reflected upon and rewritten by hand, in whatever order."""
    known = {}
    done = set()  # the marks of what was mined, or made by reflect of nothing but those
    (workspace / FILE).write_text("", "utf-8")

    def now():
        return observations.observations((workspace / FILE).read_text("utf-8"))

    def marks():
        return {mined.mark(o) for o in now()}

    def waiting():
        return [o for o in now() if mined.mark(o) not in done]

    def told():
        return sorted(text.split(" ", 2)[2] for text in texts(unmined(workspace, known)))

    for number, step in enumerate(data.draw(st.lists(st.sampled_from(STEPS), max_size=16))):
        standing, before = now(), marks()
        chosen = data.draw(st.lists(st.sampled_from(standing), unique=True, max_size=3)) if standing else []
        all_done = {mined.mark(o) for o in chosen} <= done
        if step == "observe":
            text = f"Harbor listens on port {number} since the long move"
            write(workspace, *standing, seen(text, f"a{data.draw(st.integers(0, 2))}", importance=2))
        elif step == "mine":
            assert told() == sorted(o.text for o in waiting())
            taken = {mined.mark(o) for o in chosen}
            done |= taken
            known = mined.cursor(mined.marks(known) | taken)
        elif step == "join" and len(chosen) > 1:
            known = reflected(workspace, known, Operation("merge", tuple(map(row, chosen)), ""))
            done |= marks() - before if all_done else set()
        elif step == "shorten" and chosen:
            text = chosen[0].text.removesuffix(" since the long move")
            known = reflected(workspace, known, Operation("rewrite", (row(chosen[0]),), "", text=text))
            done |= marks() - before if mined.mark(chosen[0]) in done else set()
        elif step == "drop":
            write(workspace, *(o for o in standing if o not in chosen))
        elif step == "edit" and chosen:
            others = [o for o in standing if o != chosen[0]]
            write(workspace, *others, chosen[0]._replace(text=f"No, it is {number}"))
    assert told() == sorted(o.text for o in waiting())


# --- whose they are


def test_labels_are_apart_and_a_long_file_is_cut(workspace):
    many = [seen(f"Decision {n}: " + "word " * 40, f"b{n}", label=HARBOR) for n in range(120)]
    write(workspace, seen(DECIDED, "o1"), *many, seen(CHOSEN, "o2"))

    found = unmined(workspace)

    assert [part.label for part in found.parts] == [whose.OWN, HARBOR, HARBOR, HARBOR]
    assert all(len(part.note.text) < 13_000 for part in found.parts)
    ends = [len(part.cursor["lines"]) for part in found.parts]
    assert ends[0] == 2 and ends[-1] == 122 and ends == sorted(ends)
    assert unmined(workspace, found.parts[-1].cursor).parts == []


def test_no_question_shows_two_projects_and_what_was_found_says_whose_it_is(koog, workspace, llm):
    write(workspace, seen(DECIDED, "o1"), seen(CHOSEN, "h1", label=HARBOR))
    llm.always({"findings": "Read.", "newPatterns": [], "contradictions": [], "preferences": []})

    mine(koog)

    asked = [r["body"]["messages"][-1]["content"] for r in llm.requests]
    assert [("Drizzle" in text, "pnpm" in text) for text in asked] == [(True, False), (False, True)]
    assert "(🔴 2026-02-28)" in asked[0]
    pending = json.loads((workspace / CURSORS).read_text())["mine"]["pending"]
    assert [row.get("project") for row in pending] == [None, "/srv/harbor"]


def test_a_group_is_learned_from_where_somebody_lists_it_and_then_as_facts(koog, workspace):
    write(workspace, seen("Group: I prefer short answers, and we decided on Gannet because it is cheap", label=GROUP))

    assert mine(koog)["remaining"] == 0
    assert "Gannet" not in (workspace / PLAYBOOK).read_text("utf-8") if (workspace / PLAYBOOK).exists() else True
    registered(workspace, observe_groups=["telegram:*"])
    line = mine(koog)
    koog("curate", "--now", NOW)

    assert line["newPatterns"] == line["preferences"] == []  # nothing of it is told to whoever called
    rows = [row for row in bullets(workspace) if "Gannet" in row]
    assert rows and all("dc:scope=group" in row for row in rows)
    wishes = (workspace / PLAYBOOK).read_text("utf-8").split("## Preferences")[1].split("## Observing")[0]
    assert "Gannet" not in wishes


def test_notes_and_observations_take_turns(koog, workspace, llm):
    write(workspace, *[seen(f"Decision {n}: " + "word " * 40, f"b{n}") for n in range(600)])
    note(workspace, "2026-02-27.md", "- Decided on Turso because it is small\n" * 500)
    llm.always({"findings": "Read.", "newPatterns": [], "contradictions": [], "preferences": []})

    line = mine(koog)

    assert set(line["minedSources"]) == {"observations.md", "2026-02-27.md"}
    assert line["remaining"] == 2 or line["remaining"] == 1
