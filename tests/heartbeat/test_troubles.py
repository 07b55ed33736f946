"""Failures in a text: what counts as one, how often it happened, and which playbook line answers it."""

from __future__ import annotations

import pytest

from koog.heartbeat.troubles import clauses, is_advice, is_culprit, remedy, repeats, signature, troubles

PLAYBOOK = """## Error prevention
- On ENOSPC from file watchers raise fs.inotify.max_user_watches (score: 0.8)
- TypeError in the cart: check the coupon for null first [since: 2026-02-17]
- Docker build fails on arm64: pass --platform linux/amd64
- Keep tips short (score: 0.7)
- Temporal workers need their own queue
"""


@pytest.mark.parametrize(
    ("text", "failed"),
    [
        ("iOS build red on the Mac mini", True),
        ("The e2e run was red at 16:59", True),
        ("Two red tests since noon", True),
        ("Painted the fence red", False),
        ("The red shirt is in the wash", False),
        ("The crash fix goes out on Monday", False),
        ("The login test fails and passes on a re-run", True),
        ("The login test failed, now it passes", False),
    ],
)
def test_a_red_build_is_a_failure_and_a_fix_or_a_colour_is_none(text, failed):
    assert bool(troubles(clauses(text))) is failed


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("java.lang.NullPointerException at 0x7f", "nullpointerexception"),
        ("ENOSPC: no space left", "enospc"),
        ("EUROPE is large", ""),
        ("the process exited with code 137", "exit code 137"),
        ("Exit code 137", "exit code 137"),
        ("exit code 0", ""),
        ("got 503", "http 5xx"),
        ("returned 502", "http 5xx"),
        ("502 Bad Gateway", "http 5xx"),
        ("returned 500 rows", ""),
        ("killed by SIGKILL", "sigkill"),
        ('failed: "no file /tmp/a1 at 0xff"', "no file # at #"),
        ('she said "good morning all"', ""),
    ],
)
def test_a_signature_is_what_stays_the_same_between_two_occurrences(text, name):
    assert signature(text) == name


@pytest.mark.parametrize(
    ("clause", "times"),
    [
        ("it failed", 1),
        ("it failed again", 2),
        ("it failed twice", 2),
        ("keeps failing", 2),
        ("failed for the third time", 3),
        ("failed 4 times", 4),
        ("the 3rd attempt failed", 3),
        ("crashed 5x", 5),
        ("at 4 o'clock it failed", 1),
    ],
)
def test_a_clause_says_itself_how_often_it_happened(clause, times):
    assert repeats(clause) == times


@pytest.mark.parametrize(
    ("summary", "known"),
    [
        ("The dev server died with ENOSPC after switching branches.", True),  # a code means one thing
        ("TypeError in the cart with an empty coupon", True),
        ("TypeError while parsing the weather feed of the dashboard", False),  # there are many TypeErrors
        ("Login to the tax portal failed", False),
        ("docker pull failed with a timeout in the registry of the company", False),
    ],
)
def test_a_playbook_line_must_be_about_this_error(summary, known):
    trouble = troubles(clauses(summary))[0]

    assert bool(remedy(trouble, PLAYBOOK)) is known


def test_one_word_in_common_is_no_answer():
    trouble = troubles(["The red test run failed"])[0]

    assert remedy(trouble, "- Run a dry run first") is None


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["ENOSPC means the watch limit, not the disk"], 0),
        (["ENOSPC means the watch limit, not the disk", "Raise max_user_watches against ENOSPC"], 1),
        (["No ENOSPC since, with editor and Metro side by side"], None),
        (["Metro and ENOSPC: three lines"], None),
    ],
)
def test_what_to_do_goes_before_what_it_means_and_a_mere_report_answers_nothing(lines, answer):
    trouble = troubles(["Metro stopped with ENOSPC"])[0]

    assert remedy(trouble, "\n".join(f"- {line}" for line in lines)) == (None if answer is None else lines[answer])


def test_the_advice_that_a_failure_came_after_is_no_remedy():
    trouble = troubles(["The iOS build failed after pod update"])[0]
    cure = "Failing iOS build: restore Podfile.lock"

    assert remedy(trouble, f"- Run `pod update` before every iOS build\n- {cure}") == cure


@pytest.mark.parametrize(
    ("line", "culprit"),
    [
        ("Run `pod update` before every iOS build", True),
        ("Never run `pod update` before a build", False),
        ("Pod updates took 70 minutes", False),
        ("Update the tests", False),
    ],
)
def test_only_advice_to_do_the_very_thing_is_the_culprit(line, culprit):
    assert is_culprit("The build failed after pod update, again", line) is culprit


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("Clear the cache after a rename", True),
        ("Failing pods: delete `ios/Pods`", True),
        ("On ENOSPC from file watchers raise the limit", True),
        ("No deployments after noon, use staging instead of it", True),
        ("Decision by Ana: rebase merges", True),
        ("Cleared the cache after a rename", False),
        ("The run took 70 minutes", False),
        ("Check of the lock file is in place", False),
    ],
)
def test_advice_is_told_from_a_report(line, advice):
    assert is_advice(line) is advice


@pytest.mark.parametrize(
    ("text", "sightings"),
    [
        ("SSLError showed up at 08:12, then at 10:40, then just now.", 2),
        ("Uploads are missing. Support has five complaints.", 5),
        ("Uploads are missing since Monday.", 2),
        ("Every tenth request returned 502.", 2),
        ("The job crashed. I bump the heap each time.", 2),
        ("Die Scanner verlieren mehrmals am Tag das WLAN.", 2),
        ("Les factures sortent vides une fois sur trois.", 2),
        ("支付回调又丢了两笔", 2),
        ("The upload crashed. Two colleagues read my notes.", 1),
    ],
)
def test_how_often_a_failure_came_is_told_by_times_shares_and_reports(text, sightings):
    assert [t.sightings for t in troubles(clauses(text))] == [sightings]


@pytest.mark.parametrize(
    "text",
    [
        "Desde el martes ni un solo error.",
        "Seit gestern kein Ausfall.",
        "Plus aucune coupure depuis lundi.",
        "Tom is looking into the crashes from the image proxy.",
        "The crashing login test got its fix on Tuesday.",
    ],
)
def test_what_is_denied_in_other_languages_or_looked_after_is_no_trouble(text):
    assert troubles(clauses(text)) == []
