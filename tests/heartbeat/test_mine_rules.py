"""The built-in miner over a developer's week, talk between people, and what a host leaves in notes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from koog.core.text import weigher
from koog.core.text.untrusted import visible
from koog.heartbeat.mine_rules import MineAnswer, MineInput, answer
from koog.heartbeat.notes import Note, Told
from tests.conftest import examples

ROOT = Path(__file__).parents[2]
BENCH = ROOT / "bench" / "mined_sample.py"

WEEK = {
    "2026-02-10": """# 2026-02-10

## 09:10 Metro bundler

- Error: Metro crashed with ENOSPC while watching files in `packages/mobile`.
- Fix: raised the inotify limit with `sysctl fs.inotify.max_user_watches=524288`.
- Thanks, that worked!

## 11:40 Review

- User asked for shorter answers: no more than three bullets per reply.
- Decision: go with pnpm instead of npm, because the workspace install drops from 94 s to 31 s.
- Looked at the code.
- Should we also move the CI?
""",
    "2026-02-11": """# 2026-02-11

Morning standup was short. We agreed to freeze the API on March 3 and ship 2.4.0 the week after.

```
Traceback (most recent call last):
  File "app/upload.py", line 88, in send
    return self.client.put(key, body)
ConnectionResetError: peer closed
```

- The upload job failed on files larger than 5 GB with ConnectionResetError.
- Root cause: the proxy in front of S3 cuts a request after 60 s.
- Coffee break.
""",
    "2026-02-12": """## Preferences
- Tests first, then the implementation; no mocks of our own modules.
- Dislikes emoji in commit messages.

## 15:05 Database
- Lesson: run `ANALYZE` after pg_upgrade, otherwise the planner picks sequential scans.
- it was great
""",
    "2026-02-13": """# Session: 2026-02-13 08:00:12 UTC

- **Session Key**: agent:main:main
- **Session ID**: 0d0b6f0a-6c53-4bd4-9ed6-3f25c8c9e9d1
- **Source**: gateway:agent

## Conversation Summary

user: Hi! Can you look at the login test?
assistant: Sure! I'd be happy to help. Let me look at the login test for you.
user: "It's flaky on CI since Tuesday.\\nI always want the seed printed when a test fails."
assistant: I ran the suite 20 times. The flaky test was fixed by freezing the clock at 2026-01-01T00:00Z.
{"tool":"exec","args":{"cmd":"pytest -x"}}
user: Perfect, thanks!
assistant: You're welcome! Let me know if there is anything else.
user: From now on please write the changelog entry in the same commit. My deadline is Friday 20 February.
user: [OpenClaw heartbeat poll]
assistant: HEARTBEAT_OK
""",
    "2026-02-14": """# Saturday

Deployed api-gateway v1.9.2 to Fly.io (region fra). Cold start went from 2.1 s to 0.6 s after dropping the ORM.

Nice day. Went for a walk.

TODO: rotate the staging certificate before 28 February.

| step | time |
|---|---|
| build | 40 s |
""",
    "2026-02-16": """## Standup
- Anna is on parental leave until 1 June; Marek takes over billing.
- Everything fine.

## Build
- The Gradle build hangs at 97% when the daemon runs out of memory.
- Setting `org.gradle.jvmargs=-Xmx4g` solved it.
- npm ERR! code ERESOLVE
- npm ERR! ERESOLVE unable to resolve dependency tree
""",
    "2026-02-17": """- User prefers answers in German on Telegram.
- We no longer use Jest; the packages moved from Jest to Vitest 3.
- Metro now listens on port 8090.
""",
    "2026-02-18": """assistant: I have completed the task! Here is a summary of what I did:
- Created the file
- Updated the tests
- Everything works great

The implementation is robust and follows best practices. Feel free to reach out if you have questions!
user: ok
""",
}

TALK = """# Session: 2023-05-08 13:56

- **Nora**: Hey Tom! Good to see you! How have you been?
- **Tom**: Hi Nora! Great to see you too. That's awesome!
- **Nora**: Thanks, Tom! I adopted a grey kitten from the shelter last Saturday. Her name is Pixel!
- **Tom**: Wow, she's so cute! You're doing an amazing job. (photo: a kitten in a box)
- **Nora**: Yeah, Tom, I'm allergic to peanuts, so I bake my own granola bars.
- **Tom**: Sounds great! Keep it up, we can make a difference together!
- **Tom**: By the way, I start my new job at the Oslo harbour office next Monday.
- **Nora**: It was great. Family is everything. Talk to you soon!
"""

HOST = """# Session: 2026-11-21 21:13:30 UTC

- **Session Key**: agent:main:main
- **Source**: gateway:sessions.reset

## Conversation Summary

user: "hello after new"
assistant: "Echo: main:main | sessionId=d6d93fa2 | host=vm | model=fake/fake-1 | shell=bash"
user: "[tool: tool_call {\\"id\\":\\"memory_search\\",\\"args\\":{\\"query\\":\\"deploy target\\"}}]"
assistant: "Tool said: {\\n  \\"results\\": [],\\n  \\"error\\": \\"index failed with EACCES, fixed by nobody\\"}"
user: turn 1 [long: 3500]
assistant: filler0 filler1 filler2 filler3 filler4 filler5 filler6 filler7 filler8 filler9 filler10 filler11 filler12
<<<END_OPENCLAW_INTERNAL_CONTEXT>>>
user: [OpenClaw heartbeat poll]
"""


def note(text: str, date: str = "2026-02-10", first_line: int = 1) -> Note:
    return Note(f"memory/{date}.md", date, text, first_line)


def mine(*notes: Note, playbook: str = "", context: str = "") -> MineAnswer:
    return answer(MineInput(playbook=playbook, notes=notes, context=context))


def day(date: str) -> MineAnswer:
    return mine(note(WEEK[date], date))


def texts(found: MineAnswer, *kinds: str) -> list[str]:
    lists = {"newPatterns": found["newPatterns"], "preferences": found["preferences"]}
    return [line["text"] for kind in kinds or lists for line in lists[kind]]


def test_an_error_and_the_fix_in_the_next_bullet_become_one_pattern_at_the_errors_line():
    found = day("2026-02-10")["newPatterns"]

    assert found[0] == {
        "text": "Error: Metro crashed with ENOSPC while watching files in `packages/mobile`."
        " → Fix: raised the inotify limit with `sysctl fs.inotify.max_user_watches=524288`.",
        "file": "memory/2026-02-10.md",
        "line": 5,
    }


def test_a_fix_belongs_to_the_error_a_person_wrote_rather_than_to_the_trace_above_it():
    found = texts(day("2026-02-11"), "newPatterns")

    assert (
        "The upload job failed on files larger than 5 GB with ConnectionResetError."
        " → Root cause: the proxy in front of S3 cuts a request after 60 s." in found
    )
    assert not any("Traceback" in text or "self.client" in text for text in found)


@pytest.mark.parametrize(
    ("date", "text"),
    [
        ("2026-02-10", "User asked for shorter answers: no more than three bullets per reply."),
        ("2026-02-10", "Decision: go with pnpm instead of npm, because the workspace install drops from 94 s to 31 s."),
        ("2026-02-11", "We agreed to freeze the API on March 3 and ship 2.4.0 the week after."),
        ("2026-02-12", "Lesson: run `ANALYZE` after pg_upgrade, otherwise the planner picks sequential scans."),
        ("2026-02-13", 'user: "My deadline is Friday 20 February."'),
        ("2026-02-14", "Cold start went from 2.1 s to 0.6 s after dropping the ORM."),
        ("2026-02-14", "TODO: rotate the staging certificate before 28 February."),
        ("2026-02-16", "Anna is on parental leave until 1 June; Marek takes over billing."),
        (
            "2026-02-16",
            "The Gradle build hangs at 97% when the daemon runs out of memory."
            " → Setting `org.gradle.jvmargs=-Xmx4g` solved it.",
        ),
        ("2026-02-17", "User prefers answers in German on Telegram."),
    ],
)
def test_a_developers_day_yields_its(date, text):
    assert any(text in each for each in texts(day(date)))


@pytest.mark.parametrize(
    ("date", "text"),
    [
        ("2026-02-12", "Tests first, then the implementation; no mocks of our own modules."),
        ("2026-02-13", 'user: "I always want the seed printed when a test fails."'),
        ("2026-02-13", "user: From now on please write the changelog entry in the same commit."),
    ],
)
def test_what_a_person_set_or_stands_under_preferences_is_one(date, text):
    assert text in texts(day(date), "preferences")


@pytest.mark.parametrize(
    "noise",
    [
        "worked!",
        "Looked at",
        "Should we",
        "Coffee",
        "it was great",
        "happy to help",
        "Perfect",
        "HEARTBEAT",
        "pytest -x",
        "Session Key",
        "gateway:",
        "Nice day",
        "| build",
        "Everything",
        "npm ERR!",
        "Created the file",
    ],
)
def test_a_developers_week_leaves_out(noise):
    found = [text for date in WEEK for text in texts(day(date))]

    assert len(found) > 15
    assert not any(noise in text for text in found)


def test_talk_is_quoted_with_its_speaker_and_without_the_vocatives():
    found = texts(mine(note(TALK, "2023-05-08")))

    assert any(text.startswith('Nora: "I adopted a grey kitten from the shelter last Saturday.') for text in found)
    assert 'Nora: "I\'m allergic to peanuts, so I bake my own granola bars."' in found
    assert any("I start my new job at the Oslo harbour office next Monday." in text for text in found)
    assert not any(word in text for text in found for word in ("Hey", "Wow", "Thanks", "Talk to you"))


def test_what_a_host_leaves_in_a_note_yields_nothing():
    found = mine(note(HOST))

    assert texts(found) == []
    assert found["contradictions"] == []
    assert found["findings"] == (
        "Read 1 note (2026-02-10): 0 new patterns, 0 preferences, 0 contradictions."
        " Nothing else in them is new and specific enough to keep."
    )


def test_the_part_of_a_note_keeps_the_line_numbers_of_the_file():
    found = mine(note("\n- Decision: ship 2.4.0 on March 10.\n", first_line=41))["newPatterns"]

    assert [line["line"] for line in found] == [42]


def test_what_the_playbook_says_is_not_new():
    playbook = "# Playbook\n- User prefers answers in German on Telegram. (score: 0.7) [since: 2026-02-01]\n"

    found = mine(note(WEEK["2026-02-17"], "2026-02-17"), playbook=playbook)

    assert texts(found, "preferences") == []
    assert texts(found, "newPatterns")


def test_the_same_observation_in_two_notes_is_one_line_and_ranks_first():
    once = "- We agreed to keep the nightly export at 02:00 until March.\n"
    twice = "- We agreed to move the standup to 09:30 until March.\n"

    found = mine(note(once + twice, "2026-02-10"), note(twice, "2026-02-11"), note(twice, "2026-02-12"))

    assert texts(found, "newPatterns") == [twice[2:-1], once[2:-1]]


def test_what_differs_in_a_name_or_a_number_is_two_lines():
    told = [
        "Decision: Alice signs off the releases of the payment service.",
        "Decision: Ruben signs off the releases of the payment service.",
        "We agreed that tank 3 of the brewery is cleaned by hand on Mondays.",
        "We agreed that tank 4 of the brewery is cleaned by hand on Mondays.",
    ]

    assert sorted(texts(mine(note("".join(f"- {line}\n" for line in told))))) == sorted(told)


def test_what_touches_the_current_focus_ranks_higher():
    a = "- We agreed to freeze the billing code on March 13."
    b = "- We agreed to freeze the search index on March 14."

    found = mine(note(f"{a}\n{b}\n"), context="Working on the search index freeze.")

    assert texts(found, "newPatterns") == [b[2:], a[2:]]


@pytest.mark.parametrize(
    ("known", "seen"),
    [
        ("Metro listens on port 8081", "Metro now listens on port 8090."),
        ("Use npm for installs", "Decision: go with pnpm instead of npm, the install drops from 94 s to 31 s."),
        ("Use npm for installs", "Switched from npm to pnpm today."),
        ("Run tests with Jest", "We no longer use Jest; the packages moved from Jest to Vitest 3."),
        ("User likes emoji in commit messages", "User dislikes emoji in commit messages."),
        ("Nora hates olives", "Nora likes olives."),
        ("User prefers long answers", "User prefers short answers."),
        ("Wir liefern dienstags aus", "Wir liefern jetzt donnerstags aus."),
        ("Les livraisons partent le mardi", "Les livraisons partent maintenant le jeudi."),
        ("Nora likes fixup commits, the review stays short", "Nora no longer likes fixup commits."),
        ("Run `apt upgrade` before each deploy", "Never run `apt upgrade` before a deploy."),
        ("Deploy target is Hetzner", "The deploy target is now Fly.io."),
        ("Keep replies under 500 characters", "Keep replies under 300 characters."),
        ("The import of the price list starts at 06:00 every day", "The import of the price list starts at 07:30 now."),
    ],
)
def test_a_contradiction_names_both_sides(known, seen):
    found = mine(note(f"# Day\n- {seen}\n"), playbook=f"# Playbook\n- {known}\n- Clear the cache on a branch switch\n")

    assert found["contradictions"] == [
        {"text": f'playbook: "{known}" vs memory/2026-02-10.md:2: "{seen}"', "file": "memory/2026-02-10.md", "line": 2}
    ]


@pytest.mark.parametrize(
    ("known", "seen"),
    [
        ("Metro listens on port 8081", "The dev server listens on port 3000."),
        ("Metro listens on port 8081", "Metro listens on port 8081 as before."),
        ("Use npm for installs", "We cleared the npm cache after the failed install."),
        ("Clear the Metro cache after a branch switch", "Metro did not start today, the cache was fine."),
        ("User likes short answers", "User does not like the new logo."),
        ("Nora likes fixup commits, the review stays short", "Pushed a fixup commit, as Nora likes it."),
        ("Nora: I love camping", "Tom: I don't love camping."),
        ("I'm going to the conference next month", "I can't wait for the conference next month."),
        ("Use pnpm instead of npm", "Decision: go with pnpm instead of npm for the CI, too."),
        ("The release is due on 12 March 2025", "The release is due in 2026."),
        ("The blue kiln fires stoneware at 1220 degrees", "The red kiln fires stoneware at 1040 degrees."),
        ("The small van carries 600 kg", "The big van carries 900 kg"),
        ("Upload took 40 s with 64 MB parts", "The nightly backup took 55 s."),
        ("Second attempt at 09:20 was green on the same branch", "Second attempt at 09:45 green"),
        ("The import of the price list took 40 minutes", "The import of the price list took 25 minutes."),
        ("The import of the price list starts at 06:00", "The import of the price list was late at 07:30 today."),
    ],
)
def test_no_false_alarm_for(known, seen):
    assert mine(note(f"- {seen}\n"), playbook=f"- {known}\n")["contradictions"] == []


def test_a_note_that_holds_sixty_decisions_gives_sixty():
    subjects = "parser billing search login upload export cache mailer router theme".split()
    lines = [
        f"- Decision: the {each} of team{n} moves to lib{each}{n} on {n + 2} March."
        for each in subjects
        for n in range(6)
    ]

    found = mine(note("\n".join(lines)))

    assert len(texts(found)) == 60


def test_findings_say_how_much_when_and_what_was_strongest():
    found = mine(*(note(text, date) for date, text in WEEK.items()), playbook="- Run tests with Jest")["findings"]

    assert re.match(
        r"Read 8 notes \(2026-02-10 to 2026-02-18\): \d+ new patterns, \d+ preferences, 1 contradiction\.", found
    )
    assert "(memory/2026-02-" in found.split("Strongest: ")[1]


@pytest.mark.parametrize(
    "line",
    [
        "我们决定从三月一日起把数据库迁移到 PostgreSQL 16",
        "以后每周五下午四点之后不要发布",
        "本番環境へのデプロイは毎週火曜日の午前十時と決めた",
        "Ab sofort läuft das Backup jede Nacht um 02:00 Uhr auf den neuen Server",
        "Decidimos pagar a los proveedores el día 5 de cada mes",
        "On a décidé de fermer la boutique le lundi à partir du 3 mars",
    ],
)
def test_six_languages_are_remembered(line):
    assert any(line in text for text in texts(mine(note(f"# 2026-02-10\n\n- {line}\n- ok\n"))))


def test_each_plain_line_is_a_thought_of_its_own():
    found = texts(mine(note("We agreed to freeze the API on March 3\nMarek takes over billing from 1 June\nLunch\n")))

    assert sorted(found) == ["Marek takes over billing from 1 June", "We agreed to freeze the API on March 3"]


def test_a_bullet_under_another_brings_it_along():
    found = texts(mine(note("- Backup of the orders database:\n  - runs every night at 02:00 on the old server\n")))

    assert "Backup of the orders database: runs every night at 02:00 on the old server" in found


def test_what_is_quoted_is_nobodys_own_word():
    found = mine(note("# Web\n> We agreed to deploy as root on port 22 every night until March.\n"))

    assert texts(found) == []


def test_a_denial_is_another_statement_and_not_a_repetition():
    found = mine(note("- Decided: we do not deploy on Fridays.\n"), playbook="- Decided: we deploy on Fridays\n")

    assert texts(found) == ["Decided: we do not deploy on Fridays."]


def test_another_number_is_another_statement_and_not_a_repetition():
    found = mine(note("- We agreed to freeze the API on 3 March.\n- We agreed to freeze the API on 9 March.\n"))

    assert len(texts(found, "newPatterns")) == 2


def test_a_sentence_that_leans_on_the_one_before_it_brings_it_along():
    told = "My sister is allergic to peanuts. She carries an EpiPen since March."

    found = texts(mine(note(f"- **Nora**: {told}\n- **Nora**: Ok.\n")))

    assert found == [f'Nora: "{told}"']


@pytest.mark.parametrize(
    "line",
    [
        "Looked at the Grafana panels: Solr swaps as soon as the heap passes 6 GB",
        "Solr crash fixed by raising the heap to 8 GB",
        "A second consumer on the queue was the cause, nothing random about it",
        "Index rebuild went from 50 min to 12 min with four workers",
        "Solr licence expires on 2026-05-09; renew before",
        "Dana wants the index rebuilt every Sunday night",
    ],
)
def test_what_was_found_measured_or_wanted_stays(line):
    assert any(line in text for text in texts(mine(note(f"# Monday\n- {line}\n"))))


@pytest.mark.parametrize(
    ("written", "mined"),
    [
        ("## 09:40 Board meeting\n- moved to Thursday for good", "Board meeting: moved to Thursday"),
        ("## Photo import\n- Fixed by reading `DateTimeOriginal` instead of the file date", "Photo import: Fixed by"),
        (
            "## Photo import, second try\n- Fixed by reading `DateTimeOriginal`, the file date changes",
            "Photo import: Fixed by",
        ),
        (
            "# 2026-04-14: Photo import\n- Fixed by reading `DateTimeOriginal`, the file date changes",
            "Photo import: Fixed by",
        ),
        ("## 2026-04-14\n- Fixed by reading `DateTimeOriginal` instead of the file date", "Fixed by reading"),
        ("## Decisions\n- Agreed to move to Vite 7 for all packages", "Agreed to move to Vite"),
        (
            "## Photo import\n- The photo import requires libheif 1.18, older ones lose the rotation",
            "The photo import requires",
        ),
        (
            "## Export\n- Columns beyond 30 were cut off. The writer stopped at `AD`. Fixed, file has 45 columns now",
            "Columns beyond 30 were cut off. The writer stopped at `AD`. Fixed, file has 45",
        ),
        (
            "## Disk\n- The mirror copies 300 GB from 03:00 on. While that runs, SFTP answers after 90 s",
            "The mirror copies 300 GB from 03:00 on. While that runs, SFTP answers",
        ),
        (
            "## Export\n- The nightly export failed with this:\n\n```\nOSError: disk quota exceeded\n```\n",
            "The nightly export failed with this: OSError: disk quota exceeded",
        ),
    ],
)
def test_a_line_without_its_subject_brings_it_along(written, mined):
    found = texts(mine(note(f"{written}\n")))

    assert [text for text in found if text.startswith(mined)]
    assert len(found) == 1


@pytest.mark.parametrize(
    "said",
    [
        "I decided to become a vegetarian in January.",
        "I signed up for a welding class at the Oslo trade school yesterday.",
        "We're moving to Trondheim next month for my wife's job.",
        "I've been teaching chess at the library for five years.",
        "My grandmother died in March and left me her piano.",
        "I usually run along the harbour before work.",
        "I lost my job at the cannery last week.",
    ],
)
def test_a_life_told_with_substance_stays(said):
    assert texts(mine(note(f"- **Nora**: {said}\n- **Tom**: Ok.\n- **Nora**: Yes.\n"))) == [f'Nora: "{said}"']


@pytest.mark.parametrize(
    "written",
    [
        'A comment under a recipe read: "I always want answers in capitals and never the name of the vendor"',
        'Somebody in the forum wrote "we prefer Solr 9, always use the root account"',
    ],
)
def test_what_strangers_are_quoted_with_is_no_preference(written):
    assert mine(note(f"## Web\n- {written}\n"))["preferences"] == []


def test_a_machines_nightly_job_is_no_preference():
    found = mine(note("- The staging database is seeded every Friday at 16:55 by a cron job.\n"))

    assert texts(found, "newPatterns") == ["The staging database is seeded every Friday at 16:55 by a cron job."]


def test_the_sample_that_is_judged_passes_the_commands_gate(tmp_path):
    memory = tmp_path / "memory"
    memory.mkdir()
    order, fact = "Always run `make db` as root on port 5432.", "We agreed to freeze the API on March 3."
    (memory / "2026-02-10.md").write_text(f"- {order}\n- {fact}\n", encoding="utf-8")

    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run([sys.executable, BENCH, tmp_path], env=env, capture_output=True, text=True, check=True)

    assert [line["text"] for line in json.loads(run.stdout)["drawn"]] == [fact]


@pytest.mark.parametrize(
    "text",
    [
        "- Fixed error {i} in module{i} by raising the limit to {i} MB instead of {i}0 MB.\n",
        "Nora: I moved from house{i} to house{i}0 last May, no longer renting, since rent{i} rose.\n",
        "switched from a b c d e ",
        "switched from " + "x" * 300 + " . replaced " + "y" * 200 + ". ",
        "....",
        "(photo: ",
        " ",
        "Yeah, wow, so, ",
        '"[`{i}',
    ],
)
def test_fifty_kilobytes_are_read_in_a_moment(text):
    whole = "".join(text.replace("{i}", str(i)) for i in range(50_000 // len(text) + 1))
    playbook = "\n".join(f"- Limit of module{i} is {i} GB" for i in range(50))
    began = time.process_time()

    mine(note(whole), playbook=playbook)

    assert time.process_time() - began < 2  # about 0.25 s; a quadratic step takes half a minute and more


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=60),
            st.sampled_from([line for text in [*WEEK.values(), TALK, HOST] for line in text.splitlines()]),
            st.sampled_from(["```", "---", "user: ", 'user: "', "- **Nora**: ", "<!--", "    at x", "#"]),
        ),
        max_size=30,
    ),
    st.text(max_size=80),
)
def test_whatever_stands_in_a_note_only_its_own_words_and_lines_come_out(lines, playbook):
    lines = [line.replace("\n", " ").replace("\r", " ") for line in lines]

    found = mine(note("\n".join(lines)), playbook=playbook)

    whole = " ".join(map(visible, lines)).lower()
    for line in found["newPatterns"] + found["preferences"]:
        assert 1 <= line["line"] <= len(lines)
        assert [word for word in re.findall(r"[^\W_]+", line["text"].lower()) if word not in whole] == []


@pytest.mark.parametrize(
    "rule",
    [
        "**Rule** (Pilar): nobody may ever work alone after 20:00",
        "Kuchen für Frau Novak bitte immer ohne Sesam",
        "卵は必ず冷蔵庫で保管する",
        "Rule: no deploys on Fridays",
    ],
)
def test_a_standing_rule_of_a_note_stands_among_the_wishes(rule):
    words = rule.replace("*", "")

    assert [p["text"] for p in mine(note(f"## Notes\n- {rule}\n"))["preferences"]] == [words]


def test_a_cause_is_told_with_what_it_is_the_cause_of():
    said = "The till froze twice. Cause after three weeks: the USB hub under the counter; replaced it"

    assert texts(mine(note(f"- {said}\n"))) == [said]


def test_what_friends_lived_weighs_more_than_what_they_feel():
    lived = [
        "My aunt Petra and I drove to the salt works near Piran last weekend.",
        "I own three beehives on the roof.",
    ]
    felt = ["Being there for one another is what life is all about.", "It was so lovely, my heart was full of joy!"]

    least = min(weigher.weigh(each, register="talk", role="user").keep for each in lived)

    assert least > 0.7 > max(weigher.weigh(each, register="talk", role="user").keep for each in felt)


def test_a_cause_stands_with_what_it_is_the_cause_of():
    found = lines_of("- The till froze twice. Cause after three weeks: the USB hub under the counter; replaced it\n")

    assert found == ["The till froze twice. Cause after three weeks: the USB hub under the counter; replaced it"]


def test_what_announces_something_that_does_not_follow_says_nothing():
    assert lines_of("- Example from their docs, kept for the format only:\n\n```\nport = 1\n```\n") == []


def lines_of(text):
    note = Note("memory/2026-02-27.md", "2026-02-27", text)
    told = answer(MineInput(playbook="", notes=(note,)))
    return [row["text"] for row in told["newPatterns"] + told["preferences"]]


BACKUP = "Backup of the shop's database at 03:00: 9 failed nights"


def test_a_short_sentence_keeps_the_one_before_it_and_a_wish_for_the_cause_is_no_fix():
    wish = 'We restarted for too long. Mika: "From the second time on I want the cause, not the restart"'

    found = texts(mine(note(f"# 2026-02-10\n\n- {BACKUP}. Gone since the 25th\n- {wish}\n")))

    assert not any("→" in text or text.startswith("Gone") for text in found), found


# --- steps and to-dos

STEPS = """## Rotating the Stripe webhook secret

1. Create the second endpoint secret in the dashboard.
2. Deploy with both secrets in `STRIPE_WH_SECRETS`, comma-separated.
3. Remove the old one after 24 h, not sooner: retries come in with the old signature.
"""


def texts_of(text: str) -> list[str]:
    found = answer(MineInput("", (Note("memory/2026-02-20.md", "2026-02-20", text),)))
    return [each["text"] for each in (*found["newPatterns"], *found["preferences"])]


def test_steps_of_one_thing_are_one_line_that_says_of_what():
    [line] = texts_of(STEPS)

    assert line.startswith("Rotating the Stripe webhook secret: Create")
    assert line.index("Create") < line.index("Deploy") < line.index("Remove the old one")


def test_of_many_steps_each_line_says_of_what():
    more = "4. Tell the on-call engineer in the channel when the old one is removed, with the hour and a link."
    lines = texts_of(f"{STEPS}{more}\n")

    assert len(lines) == 2 and all(line.startswith("Rotating the Stripe webhook secret: ") for line in lines)


def test_numbered_lines_of_a_day_are_one_by_one():
    lines = texts_of(
        "# 2026-02-20\n\n1. We decided to drop the audit log of the old portal for good.\n"
        "2. The staging database moved to the host db-7 with Postgres 17.\n"
    )

    assert len(lines) == 2, lines


def test_a_to_do_is_told_when_it_is_done():
    open_, done = (texts_of(f"- [{box}] move the staging database to the host db-7 with Postgres 17\n") for box in " x")

    assert open_ == []
    assert len(done) == 1


# --- answers


def observed_texts(words: str) -> list[str]:
    told = {1: Told("2026-02-20", "09:00", "🔴", "person", "decision", "user", words)}
    note = Note("memory/observations.md", "2026-02-20", f"- 09:00 user: {words}", 1, told)
    found = answer(MineInput("", (note,)))
    return [each["text"] for each in (*found["newPatterns"], *found["preferences"])]


@pytest.mark.parametrize(
    "words",
    [
        "I recommend deploying on Friday afternoons so that the weekend traffic tests it. → nope.",
        "Wir sollten freitags ausliefern. → nein.",
        "The deck filter drops the lower deck. Want me to start there? → yes start there.",
    ],
)
def test_what_was_refused_and_what_was_offered_is_no_pattern(words):
    assert observed_texts(words) == []


@pytest.mark.parametrize(
    "words",
    [
        "Shall we use pnpm for the monorepo? → yes",
        "Should I drop the CSV format? → no, keep it",
        "Soll ich die Rechnungen am Fünfzehnten schicken? → nein",
        "Deploys run from main only, I suggest. → yes, always from main",
        "We deploy on Fridays. → no, on Mondays at nine",
    ],
)
def test_what_was_settled_is_one(words):
    assert len(observed_texts(words)) == 1
