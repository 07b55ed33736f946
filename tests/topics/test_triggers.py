"""Tier 1: what sets off which trigger, why the others stayed quiet, and that speed loses no match."""

from __future__ import annotations

import re
import threading
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from koog.topics.topic_file import Topic, Trigger, parse
from koog.topics.triggers.events import Event, read_event
from koog.topics.triggers.kinds import inflected
from koog.topics.triggers.literals import fold, needs
from koog.topics.triggers.matcher import Matcher, corrections
from tests.conftest import examples
from tests.topics.test_literals import PATTERNS

NOW = datetime(2026, 2, 28, 8, 0, tzinfo=UTC)
MAIL = Event("webhook", source="email", event="new_message")


def topic(*triggers: str, name: str = "t", more: str = "") -> Topic:
    """Return a topic with these triggers, each a YAML flow mapping."""
    rows = "".join(f"  - {row}\n" for row in triggers)
    found = parse(f"---\n{more}triggers:\n{rows}---\n# The {name}\n", path=f"topics/{name}.md")
    assert isinstance(found, Topic), found
    return found


def found(trigger: str, text: str, direction: str = "input", event: Event | None = None) -> str | None:
    """Return what one trigger matched in a text, None when it stayed quiet; and hold `why` to it."""
    one = topic(trigger)
    matched = Matcher([one]).match(text, direction, event)
    what = matched.fired["t"][0].what if matched.fired else None
    (why,) = matched.why(one)
    assert (f"found {what!r}" in why) is (what is not None)
    return what


def why(trigger: str, text: str, direction: str = "input", event: Event | None = None) -> str:
    one = topic(trigger)
    (told,) = Matcher([one]).match(text, direction, event).why(one)
    return told


# --- each type


@pytest.mark.parametrize(
    ("trigger", "text", "what"),
    [
        ('{type: pattern, match: "email|inbox|mail"}', "Check my INBOX please", "INBOX"),
        ('{type: pattern, match: "email|inbox|mail"}', "nothing new", None),
        (r"{type: pattern, match: '\bv\d+\.\d+\b'}", "it is v2.15 now", "v2.15"),
        (r"{type: pattern, match: '^\s*$'}", " ", ""),
        ("{type: glob, match: '*.py'}", "look at src/App.PY:12, thanks", "src/App.PY"),
        ("{type: glob, match: '*.py'}", "copy that", None),
        ("{type: glob, match: '*.py'}", "see https://example.org/a.py", None),
        ("{type: glob, match: 'src/**/*.{ts,tsx}'}", "in /home/u/src/ui/deep/a.tsx", "/home/u/src/ui/deep/a.tsx"),
        ("{type: glob, match: 'src/*.ts'}", "in src/ui/a.ts", None),
        ("{type: glob, match: 'test_[!x]?.py'}", "test_ab.py or test_xb.py", "test_ab.py"),
        ("{type: glob, match: [Dockerfile, '*.lock']}", "the dockerfile is wrong", "dockerfile"),
        ("{type: glob, match: 'src/win.c'}", r"open C:\src\win.c", "/src/win.c"),
        ("{type: glob, match: 'src/*.c'}", r"open C:\src\win.c", "/src/win.c"),
        ("{type: keyword, match: [deploy, rollback]}", "please Rollback now", "rollback"),
        ("{type: keyword, match: [deploy]}", "we deployed it", "deployed"),
        ("{type: keyword, match: [deploy]}", "redeploy it", None),
        ("{type: keyword, match: ['pull request']}", "a Pull\n  Request came", "Pull Request"),
        ("{type: keyword, match: ['pull request']}", "requests to pull", None),
        ("{type: keyword, match: ['c++', '.env']}", "in C++?", "C++"),
        ("{type: keyword, match: ['.env']}", "the .env file", ".env"),
        ("{type: keyword, match: ['!!']}", "now!!", "!!"),
        ("{type: keyword, match: [straße]}", "die STRASSE, die Straße", "straße"),
        ("{type: keyword, match: [测试]}", "请检查测试失败", "测试"),
        ("{type: mention, match: [David, '@silas']}", "ask david's brother", "david"),
        ("{type: mention, match: [David]}", "David Copperfield was on TV", None),
        ("{type: mention, match: [David]}", "not David Copperfield, David!", "David"),
        ("{type: mention, match: [David]}", "Should David Monday come? And David I mean", "David"),
        ("{type: mention, match: [David]}", "Hat David Zeit für die Rechnung?", "David"),
        ("{type: mention, match: [David Okafor]}", "David Copperfield was on TV", None),
        ("{type: keyword, match: [invoice]}", "two invoices", "invoices"),
        ("{type: keyword, match: [query]}", "the queries", "queries"),
        ("{type: keyword, match: ['pull request', rechnung]}", "Pull requests", "Pull requests"),
        ("{type: keyword, match: [Rechnung]}", "alle Rechnungen", "rechnungen"),
        ("{type: keyword, match: [plan]}", "we planned it", "planned"),
        ("{type: keyword, match: [plan]}", "the plane", None),
        ("{type: pattern, match: 'mail|package-lock.json'}", "mail: package-lock.json broke", "package-lock.json"),
        ("{type: mention, match: ['@silas']}", "cc @Silas", "@Silas"),
        ("{type: mention, match: ['@silas']}", "silas said, b@silas.org wrote", None),
        ("{type: mention, match: ['Ana Lima']}", "call Ana  Lima", "Ana Lima"),
        ("{type: url, match: github.com}", "https://api.github.com/repos", "https://api.github.com/repos"),
        ("{type: url, match: github.com}", "https://notgithub.com/x", None),
        ("{type: url, match: github.com}", "https://example.org/github.com", None),
        ("{type: url, match: 'https://github.com/*/pull/*'}", "see github.com/a/b/pull/7.", "github.com/a/b/pull/7"),
        (
            "{type: url, match: 'github.com/acme'}",
            "<http://www.github.com/acme/x?y=1>",
            "http://www.github.com/acme/x?y=1",
        ),
        ("{type: url}", "see www.example.org!", "www.example.org"),
        ("{type: url}", "see example.py", None),
        ("{type: code, match: py}", "```python\nx = 1\n```", "fenced as python"),
        (
            "{type: code, match: python}",
            "so:\n\n    def f(x):\n        return self.x\n",
            "an indented block that reads as python",
        ),
        ("{type: code, match: rust}", "```py\nx\n```", None),
        ("{type: code}", "```\nplain words\n```", "a fence"),
        ("{type: code}", "no code at all", None),
        ("{type: language, match: German}", "Kannst du mir bitte sagen, wie das geht?", "its small words are german"),
        ("{type: language, match: [fr, ja]}", "テストが失敗した理由を調べて", "its script is that of japanese"),
        ("{type: language, match: de}", "How does this work for you?", None),
        ("{type: language, match: de}", "Danke!", None),
        ("{type: urgency}", "URGENT: the site is down!!!", "URGENT, the site is down, !!!"),
        ("{type: urgency}", "this is not urgent", None),
    ],
)
def test_a_trigger_finds_what_it_looks_for(trigger, text, what):
    assert found(trigger, text) == what


@pytest.mark.parametrize("kind", ["pattern, match: x", "keyword, match: x", "url", "code", "urgency", "glob, match: x"])
@pytest.mark.parametrize("direction", ["input", "output"])
def test_a_trigger_watches_its_direction_only(kind, direction):
    text = "x www.example.org !!!\n```\ncode\n```"

    assert found(f"{{type: {kind}}}", text, direction) is not None
    assert found(f"{{type: {kind}, scope: {direction}}}", text, direction) is not None
    other = {"input": "output", "output": "input"}[direction]
    assert found(f"{{type: {kind}, scope: {other}}}", text, direction) is None
    assert why(f"{{type: {kind}, scope: {other}}}", text, direction).endswith(f"it watches the {other} only")


@pytest.mark.parametrize(
    ("trigger", "event", "what"),
    [
        ("{type: webhook, source: email, event: new_message}", MAIL, "email: new_message"),
        ("{type: webhook, source: EMAIL}", MAIL, "email: new_message"),
        ("{type: webhook, source: email, event: 'new_*'}", MAIL, "email: new_message"),
        ("{type: webhook, source: email, event: deleted}", MAIL, None),
        ("{type: webhook, source: github}", MAIL, None),
        ("{type: cron, schedule: '0 8 * * *'}", MAIL, None),
        ("{type: cron, schedule: '0 8 * * *'}", Event("cron", moment=NOW), "2026-02-28 08:00 in 0 8 * * *"),
        ("{type: cron, schedule: '0 9 * * *'}", Event("cron", moment=NOW), None),
        ("{type: webhook, source: email}", Event("cron", moment=NOW), None),
    ],
)
def test_an_event_sets_off_its_own_kind(trigger, event, what):
    assert found(trigger, "", event=event) == what


def test_a_schedule_is_read_in_the_users_zone():
    eight_in_zurich = datetime(2026, 2, 28, 7, 0, tzinfo=UTC).astimezone(ZoneInfo("Europe/Zurich"))

    assert found("{type: cron, schedule: '0 8 * * *'}", "", event=Event("cron", moment=eight_in_zurich))


def test_a_message_at_the_scheduled_time_is_no_event():
    assert why("{type: cron, schedule: '* * * * *'}", "hello") == "cron: it waits for a cron event"


@pytest.mark.parametrize(
    ("trigger", "text", "told"),
    [
        ("{type: pattern, match: x}", "abc", "pattern: not in the text"),
        ("{type: keyword, match: x}", "abc", "keyword: none of its words stands in the text"),
        ("{type: mention, match: x}", "abc", "mention: nobody of its names is mentioned"),
        ("{type: glob, match: '*.py'}", "abc", "glob: the text names no path"),
        ("{type: glob, match: '*.py'}", "a.ts", "glob: none of the paths fits"),
        ("{type: url, match: a.org}", "abc", "url: the text has no link"),
        ("{type: url, match: a.org}", "https://b.org", "url: none of the links fits"),
        ("{type: code, match: go}", "abc", "code: no code"),
        ("{type: code, match: go}", "```py\n```", "code: the code is python"),
        ("{type: language, match: fr}", "this is what we have", "language: its small words are english"),
        ("{type: language, match: fr}", "ok", "language: too few words to tell: 1"),
        ("{type: urgency}", "abc", "urgency: nothing in the text presses"),
        ("{type: webhook, source: x}", "abc", "webhook: it waits for a webhook event"),
    ],
)
def test_a_quiet_trigger_says_why(trigger, text, told):
    assert why(trigger, text) == told


def test_an_event_that_does_not_fit_is_named():
    assert why("{type: webhook, source: github}", "", event=MAIL) == "webhook: the event is email: new_message"
    told = why("{type: cron, schedule: '0 9 * * *'}", "", event=Event("cron", moment=NOW))
    assert told == "cron: 2026-02-28 08:00 is not in 0 9 * * *"


def test_every_trigger_of_a_topic_is_told_in_its_order():
    one = topic("{type: keyword, match: b}", "{type: pattern, match: x}", "{type: keyword, match: a}")
    other = topic("{type: keyword, match: a}", name="other")

    matched = Matcher([other, one]).match("a b", "input")

    assert [(f.number, f.type, f.what) for f in matched.fired["t"]] == [(0, "keyword", "b"), (2, "keyword", "a")]
    assert [f.number for f in matched.fired["other"]] == [0]
    assert matched.why(one) == ["keyword: found 'b'", "pattern: not in the text", "keyword: found 'a'"]


def test_what_matched_is_one_short_line():
    assert found("{type: pattern, match: 'a.*z', scope: input}", "a" + "b" * 500 + "z") == "a" + "b" * 78 + "…"
    assert found(r"{type: pattern, match: 'a\s+z'}", "a\n\n  z") == "a z"


def test_a_first_name_is_that_of_the_person_whose_other_name_the_topic_writes():
    one = parse("---\ntriggers:\n  - {type: mention, match: David}\n---\n# David Okafor\n", path="topics/t.md")
    assert isinstance(one, Topic)

    assert Matcher([one]).match("ask David Okafor", "input").fired
    assert not Matcher([one]).match("ask David Copperfield", "input").fired


# --- speed that loses nothing

SPACED = st.text("abkiſsKİıµμςσΣé-.", min_size=1, max_size=5).filter(str.strip)
TRIGGERS = st.one_of(
    PATTERNS.map(lambda p: Trigger("pattern", match=(p,), literals=needs(p).literals, tame=needs(p).tame)),
    st.lists(st.lists(SPACED, min_size=1, max_size=2).map(" ".join), min_size=1, max_size=3).map(
        lambda words: Trigger("keyword", match=tuple(words))
    ),
)
TEXTS = st.text("abkiſsKİıßµμςσΣé-. \n_", max_size=25)


def naive(trigger: Trigger, text: str) -> bool:
    """Return whether a trigger fires, by its definition alone."""
    if trigger.type == "pattern":
        return re.search(trigger.match[0], text, re.IGNORECASE) is not None
    return any(re.search(whole(entry), text, re.IGNORECASE) for entry in trigger.match)


def whole(entry: str) -> str:
    *words, last = entry.split()
    forms = [last, *inflected(fold(last))]
    words = r"\s+".join([*map(re.escape, words), f"(?:{'|'.join(map(re.escape, forms))})"])
    first, last = entry.strip()[0], entry.strip()[-1]
    return (r"(?<!\w)" if re.match(r"\w", first) else "") + words + (r"(?!\w)" if re.match(r"\w", last) else "")


@settings(max_examples=examples(250), deadline=None)
@given(st.lists(TRIGGERS, min_size=1, max_size=8), TEXTS)
@example([Trigger("keyword", match=("S",))], "ſ")
@example([Trigger("keyword", match=("a b", "a"))], "a\nb")
@example([Trigger("pattern", match=("",))], "a")
def test_the_matcher_finds_what_a_loop_over_all_triggers_finds(triggers, text):
    topics = [Topic(f"t{i}", f"topics/t{i}.md", "", "", "", (trigger,)) for i, trigger in enumerate(triggers)]

    fired = Matcher(topics).match(text, "input").fired

    assert set(fired) == {f"t{i}" for i, trigger in enumerate(triggers) if text and naive(trigger, text)}


@given(
    st.lists(st.sampled_from(["*.py", "src/*", "**/a.b", "a?.b", "[ab].b", "{a,{b,c}}x.b", "x/a.b", "A.B"]), max_size=4)
)
@example(["{a,{b,c}}x.b"])
def test_the_filter_of_globs_loses_none(globs):
    text = "a.py src/q ax.b bx.b cx.b x/a.b ab.b a.b"
    filtered = [topic(f"{{type: glob, match: '{glob}'}}", name=f"g{i}") for i, glob in enumerate(globs)]
    asked = [  # a glob that is a star besides has no literal, and is asked for every text
        topic(f"{{type: glob, match: ['{glob}', '*.nothing.*.such/*']}}", name=f"g{i}") for i, glob in enumerate(globs)
    ]

    assert set(Matcher(filtered).match(text, "input").fired) == set(Matcher(asked).match(text, "input").fired)
    assert len(Matcher(filtered).match(text, "input").fired) == len(globs)


# --- bad weather


def test_a_pathological_pattern_is_stopped_told_and_counts_as_not_matched():
    slow = topic("{type: pattern, match: '(a+)+$'}", "{type: keyword, match: hello}", name="slow")
    quick = topic("{type: keyword, match: hello}", name="zz")

    matched = Matcher([slow, quick]).match("hello " + "a" * 60 + "b", "input")

    assert [(late.topic, late.number) for late in matched.timed_out] == [("slow", 0)]
    assert [f.number for f in matched.fired["slow"]] == [1]
    assert "zz" in matched.fired
    assert matched.why(slow)[0] == "pattern: stopped: it ran for more than 50 ms"


def test_a_glob_of_many_stars_is_stopped_too():
    many = topic("{type: glob, match: '" + "*a" * 40 + "b'}")

    matched = Matcher([many]).match("ab x/" + "a" * 400, "input")

    assert matched.fired == {} and len(matched.timed_out) == 1


def test_a_matcher_works_outside_the_main_thread():
    known = [topic("{type: pattern, match: 'mails?'}"), topic("{type: pattern, match: '(a+)+b'}", name="wild")]
    told = []

    thread = threading.Thread(target=lambda: told.append(Matcher(known).match("mail aab", "input")))
    thread.start()
    thread.join()

    assert set(told[0].fired) == {"t"}
    assert [late.topic for late in told[0].timed_out] == ["wild"]


@pytest.mark.parametrize(
    "text",
    [
        "\x00",
        "'\"\\ () [] {} * ? | ^ $",
        "🙂" * 50,
        "\udc80",
        "a" * 1_000_000,
        "http://" * 30_000,
        "a.b/" * 50_000,
        "```\n" * 50_000,
        "\n" * 200_000,
        "a.a." * 50_000 + "!",
        "@a" * 100_000,
    ],
    ids=lambda text: repr(text[:8]),
)
def test_any_text_is_read_in_bounded_time(text):
    """No figure here (a machine may be slow), but minutes would be seen."""
    known = topic(
        "{type: pattern, match: 'needle'}",
        "{type: glob, match: '*.py'}",
        "{type: keyword, match: [needle, 'two words', '?!?']}",
        "{type: mention, match: '@needle'}",
        "{type: url, match: 'example.org/*'}",
        "{type: code, match: cobol}",
        "{type: language, match: tr}",
        "{type: webhook, source: x}",
    )

    matched = Matcher([known]).match(text, "input")

    assert matched.fired == {}
    assert len(matched.why(known)) == 8


def test_a_topic_without_triggers_has_nothing_to_tell():
    one = parse("---\ntype: topic\n---\n", path="topics/t.md")
    assert isinstance(one, Topic)

    matched = Matcher([one]).match("anything", "input")

    assert (matched.fired, matched.why(one)) == ({}, [])


# --- output


def test_an_output_trigger_corrects_with_its_hint():
    code = topic(
        "{type: pattern, match: 'print ', scope: output, correction_hint: Use Python 3 syntax}",
        "{type: pattern, match: 'print ', scope: input}",
        "{type: keyword, match: print}",
        name="code-quality",
    )
    plain = topic("{type: pattern, match: 'as an AI', scope: output}", name="tone")

    assert corrections([code, plain], "print 'hello'") == [("code-quality", "Use Python 3 syntax", "print")]
    assert corrections([code, plain], "As an AI I") == [("tone", "The tone", "As an AI")]


def test_a_trigger_of_both_directions_corrects_when_it_has_a_hint():
    both = topic("{type: keyword, match: todo, correction_hint: Finish it}")

    assert corrections([both], "a TODO") == [("t", "Finish it", "todo")]


# --- events


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ('{"source": "email", "event": "new_message", "from": {"x": 1}}', MAIL),
        ('{"type": "webhook", "source": "email"}', Event("webhook", source="email")),
        ('{"type": "cron"}', Event("cron", moment=NOW)),
        ('{"at": "2026-02-28T09:00:00+01:00"}', Event("cron", moment=NOW)),
    ],
)
def test_an_event_is_read(text, event):
    assert read_event(text, now=NOW, zone=UTC) == event


def test_the_moment_of_an_event_is_in_the_users_zone():
    event = read_event('{"type": "cron"}', now=NOW, zone=ZoneInfo("Asia/Tokyo"))

    assert event.moment is not None
    assert event.moment.hour == 17


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "no JSON"),
        ("[]", "an event is a JSON object"),
        ("{}", 'the type of an event is "webhook" or "cron"'),
        ('{"type": "mail"}', 'the type of an event is "webhook" or "cron"'),
        ('{"type": "webhook"}', "a webhook names its source"),
        ('{"source": 5}', "a webhook names its source"),
        ('{"source": "x", "event": 5}', "a webhook names its source"),
        ('{"type": "cron", "at": "eight"}', "at: 'eight' is no ISO 8601 time"),
        ('{"type": "cron", "at": 5}', "at: 5 is no ISO 8601 time"),
    ],
)
def test_what_is_no_event_says_so(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_event(text, now=NOW, zone=UTC)
