"""What `mine` takes of daily notes: all that is worth it, line by line, in six languages; nothing that nobody said."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.statements.ground import House, holds, rows_with

MANY = {  # fourteen that a careful person would keep, in one note
    "Lindgren": "Decided with Lindgren: the orchard website moves to static pages, the shop stays on Shopware.",
    "Friday": "Releases of the weather box never go out on a Friday afternoon.",
    "EPERM": "Error EPERM while unpacking the maps was the virus scanner; fixed by excluding D:\\maps.",
    "Tove": "Tove prefers short mails without attachments, she reads them on the ferry.",
    "9 April": "The lease for the boat shed ends on 9 April 2026.",
    "VAT": "VAT for the workshop goes through the number DE 812, not the private one.",
    "caching": "Lesson: caching the tide table without a time limit cost us a day of wrong departures.",
    "Hodan": "Hodan is responsible for the harbour permits from March on.",
    "budget": "The budget for the jetty lamps is 2,400 euros, approved by the council.",
    "pnpm": "We use pnpm in every repository of the harbour project, npm broke the lockfile twice.",
    "backup": "The nightly backup goes to the box in Arendal, the one in the office was sold.",
    "Postgres": "Postgres 16 runs on port 5544 on the tide server.",
    "invoice": "The Krogh invoice has to be paid before 20 March or the discount is gone.",
    "aria": "Aria's screen reader cannot read our menu, so every button needs a label.",
}
TRIVIAL = (
    "The export took 37 ms this time.",
    "Build 5512 is at 61 percent.",
    "Opened settings.json, line 88.",
    "Ran the tests again, 214 passed in 12.3 s.",
    "Restarted the dev server on port 3000.",
    "Scrolled through 12 pages of log output.",
)
TRACE = """The nightly job, as it ran:

    Traceback (most recent call last):
      File "/srv/tide/job.py", line 31, in run
    KeyError: 'moonphase'

[2026-02-20 03:00:01] INFO  scheduler: must never be restarted while running
$ npm run build
> tide@1.4.0 build
"""
LANGUAGES = {
    "de": ("Entschieden: Der Hofladen öffnet ab Mai auch sonntags.", ("hofladen", "sonntags")),
    "de datum": ("Die Anmeldung zum Kurs muss am 30. November raus sein.", ("anmeldung", "30. november")),
    "es": ("Hemos decidido que las entregas salgan de Cádiz y no de Sevilla.", ("entregas", "cádiz")),
    "fr": ("Décidé : la caisse passe sur Zettle dès le mois de mai.", ("caisse", "zettle")),
    "zh": ("决定：从五月起仓库盘点改到每月最后一个星期五。", ("仓库", "星期五")),
    "ja": ("決定：五月から在庫の棚卸しは毎月最後の金曜日に行う。", ("在庫|棚卸し", "金曜日")),
}
JOINED = "We decided to move the choir archive to the\nuniversity library, because the cellar floods each spring.\n"
PLAIN = (
    "Moved the choir rehearsal to Thursdays for good\n"
    "Lisbet pays the hall deposit on 3 March 2026\n"
    "The piano tuner Oduya only takes cash\n"
)
TAGGED = "- [decision] The summer tour starts in Ghent on 4 July.\n- [!] Decided: Iben alone lends the cello out.\n"
MARKS = (
    "1. Decided: tickets for the spring concert cost 12 euros.\n"
    "2) Decided: no donor sits behind the pillar.\n"
    "• Decided: the programme booklet is printed by Wulff in Kiel.\n"
    "+ Decided: the interval lasts 25 minutes.\n"
    "- [x] Decided: no livestream of the spring concert.\n"
)
REPLY = {
    "ok": True,
    "tickId": "2026-02-20T12:00:00Z",
    "changes": {"added": ["Decided: every submarine gets painted yellow."], "pruned": [], "promoted": []},
    "preferences": ["Petra prefers submarines without portholes."],
    "_meta": {"schema": "koog.tick/1", "ts": "2026-02-20T12:00:00Z", "dryRun": False, "changes": []},
}
DUMP = """# Session: 2026-02-21 14:32:10 UTC

- **Session Key**: agent:main:main
- **Session ID**: 3f0c9a52-7d1e-4c0b-9b8e-0a4c2f6f5d11
- **Source**: webchat

## Conversation Summary

assistant: Good afternoon! I decided to always greet you with a joke and never to use tables.
user: what is the ferry timetable
assistant: I prefer the 9:15 ferry, and we must always book it two days ahead.
"""
NOTES = {
    "2026-02-10": "# Tuesday\n\n" + "".join(f"- {text}\n" for text in MANY.values()),
    "2026-02-11": "".join(f"- {text}\n" for text in TRIVIAL),
    "2026-02-12": TRACE,
    "2026-02-13": "".join(f"- {text}\n" for text, _ in LANGUAGES.values()),
    "2026-02-14": JOINED,
    "2026-02-15": PLAIN,
    "2026-02-16": TAGGED,
    "2026-02-17": MARKS,
    "2026-02-20": f"koog said:\n\n{json.dumps(REPLY)}\n\n{json.dumps(REPLY, indent=2)}\n",
    "2026-02-21-1432": DUMP,
}


@pytest.fixture(scope="module")
def mined(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    house = House(tmp_path_factory.mktemp("mined") / "house")
    for name, text in NOTES.items():
        house.note(f"{name}.md", text)
    return house.mine_all()


@pytest.fixture(scope="module")
def playbook(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the playbook after the one note was ticked to its end."""
    house = House(tmp_path_factory.mktemp("ticked") / "house")
    house.note("2026-02-10.md", NOTES["2026-02-10"])
    house.tick_all()
    return house.playbook()


def all_with(lines: list[str], *words: str) -> list[str]:
    return [line for line in lines if holds(line, words)]


def test_more_than_six_lines_of_a_note_are_mined(mined: list[str]) -> None:
    found = [name for name in MANY if all_with(mined, name)]
    assert len(found) >= 12, set(MANY) - set(found)


def test_what_one_tick_has_no_room_for_comes_with_the_next(playbook: str) -> None:
    found = [name for name in MANY if rows_with(playbook, name)]
    assert len(found) >= 12, set(MANY) - set(found)


def test_no_finding_is_told_twice(mined: list[str]) -> None:
    """A promise that stays."""
    assert len(mined) == len(set(mined))


def test_what_is_trivial_is_left_however_exact_it_looks(mined: list[str]) -> None:
    assert len([text for text in TRIVIAL if all_with(mined, text[8:24])]) <= 1, mined


def test_of_a_trace_and_a_log_no_rule_is_made(mined: list[str]) -> None:
    """A promise that stays."""
    assert not all_with(mined, "never be restarted")
    assert not all_with(mined, "npm run build")


@pytest.mark.parametrize("name", LANGUAGES)
def test_a_decision_is_mined_whole_in_six_languages(mined: list[str], name: str) -> None:
    assert all_with(mined, *LANGUAGES[name][1])


def test_a_wrapped_sentence_is_one_line(mined: list[str]) -> None:
    """A promise that stays."""
    assert all_with(mined, "choir archive", "university library", "floods")


def test_plain_lines_are_each_a_line_of_their_own(mined: list[str]) -> None:
    lines = all_with(mined, "rehearsal|deposit|tuner")
    assert not [x for x in lines if sum(word in x for word in ("rehearsal", "deposit", "tuner")) > 1], lines
    assert len(lines) >= 2, lines


def test_a_tag_in_front_is_no_part_of_the_line(mined: list[str]) -> None:
    for words in (("summer tour", "ghent"), ("cello", "iben")):
        assert all_with(mined, *words), words
    assert not all_with(mined, "[decision]")
    assert not all_with(mined, "[!]")


@pytest.mark.parametrize("words", ["12 euros", "pillar", "wulff", "25 minutes", "livestream"])
def test_every_list_mark_is_one(mined: list[str], words: str) -> None:
    [line] = all_with(mined, words)
    assert line[0].isalpha(), line


def test_what_koog_itself_printed_is_nobodys_word(mined: list[str]) -> None:
    assert not all_with(mined, "submarine")


def test_of_a_dump_of_a_session_only_what_a_person_said_counts(mined: list[str]) -> None:
    assert not all_with(mined, "session key|session id|conversation summary")
    assert not all_with(mined, "9:15")
    assert not all_with(mined, "joke")


# --- numbered and dotted playbook lines


def test_a_numbered_playbook_line_is_known_and_is_not_mined_again(house: House) -> None:
    _with_playbook(house)
    house.note("2026-02-20.md", "- Never deploy the ferry app on a public holiday.\n")

    assert not all_with(house.mine_all(), "ferry app")


def test_a_curated_playbook_keeps_numbered_lines_as_they_were_written(house: House) -> None:
    """A promise that stays: byte for byte."""
    _with_playbook(house)
    house.note("2026-02-20.md", "- Decided: the ferry app is written in Kotlin.\n")

    house.tick_all()

    assert "\n1. Never deploy the ferry app on a public holiday.\n" in house.playbook()
    assert "\n• ETIDE42 from the gauge: unplug it for ten seconds.\n" in house.playbook()


def test_numbered_lines_are_curated_as_others_are(tmp_path: Path) -> None:
    pruned = []
    for n, mark in enumerate(("-", "1.", "•")):
        house = House(tmp_path / str(n))
        house.set("heartbeat", {"playbookLines": 20})
        rows = "".join(f"{mark} Sensor {k:02} in hall {k % 7} has {k} readers. (score: 0.{k % 9})\n" for k in range(30))
        house.note("sinain-playbook.md", f"# Sinain Playbook\n\n## Patterns\n{rows}\n## Preferences\n")
        pruned.append(house.koog("curate")["changes"]["pruned"])
    assert pruned[0]
    assert pruned[1] == pruned[2] == pruned[0]


@pytest.mark.parametrize("mark", ["1.", "•", "- [ ]"])
def test_a_signal_quotes_a_numbered_remedy(house: House, mark: str) -> None:
    """A promise that stays."""
    line = f"{mark} Run `make clean` when the gauge job stops with ENOSPC."
    house.note("sinain-playbook.md", f"# Sinain Playbook\n\n## Patterns\n{line}\n\n## Preferences\n")
    house.koog("playbook", "build")

    found = house.koog("signal", "--session-summary", "The gauge job failed with ENOSPC: no space left on device.")

    assert "make clean" in (found["recommendedAction"]["task"] or ""), found


def _with_playbook(house: House) -> None:
    house.note(
        "sinain-playbook.md",
        "# Sinain Playbook\n\n## Established\n1. Never deploy the ferry app on a public holiday.\n\n## Patterns\n"
        "• ETIDE42 from the gauge: unplug it for ten seconds.\n\n## Preferences\n\n## Observing\n",
    )
