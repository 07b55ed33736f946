"""Of playbooks of several near domains, the lines of one that somebody names: 24 domains, in English and German.

Each has a bare name, and a description of a few words as an agent gives it. A row of the tables is a line with its
domain's sign; `@` gives a sign its name, `+` its description, `#` begins the next playbook. The rules were written
with the first table; the second was only counted when they stood, and its figures are its floors.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from koog.playbook.extract_rules import ExtractInput, answer
from koog.search import alike, embedding
from koog.search.wordllama import WordLlama

DATA = Path(__file__).parent / "data"
SEEN, UNSEEN = DATA / "domains.txt", DATA / "domains_unseen.txt"
NAME, DESCRIPTION = "@", "+"


def playbooks(path):
    """Yield (sign → text) of the names, the same of the descriptions, and [(sign, line)] of each playbook."""
    for block in path.read_text("utf-8").split("# ")[1:]:
        rows = block.splitlines()[1:]
        named = {mark: dict(row[2:].split(" = ", 1) for row in rows if row[0] == mark) for mark in (NAME, DESCRIPTION)}
        lines = [tuple(row.split("\t", 1)) for row in rows if "\t" in row]
        random.Random(3).shuffle(lines)  # no line stands beside those of its domain
        yield named, lines


def measured(path, mark, likeness):
    """Return precision and recall of the lines of all domains, and in how many both are fair."""
    right = taken = belong = fair = 0
    for named, lines in playbooks(path):
        playbook = "# Playbook\n\n## Patterns\n" + "".join(f"- {text}\n" for _, text in lines)
        for sign, name in named[NAME].items():
            found = answer(ExtractInput(name.lower().replace(" ", "-"), named[mark][sign], playbook, (), (), likeness))
            got = {*found["established"], *found["emerging"]}
            own = {text for other, text in lines if other == sign}
            right, taken, belong = right + len(got & own), taken + len(got), belong + len(own)
            fair += len(got & own) >= max(0.7 * len(got), 0.5 * len(own))
    return right / max(taken, 1), right / belong, fair


@pytest.fixture(scope="module")
def meaning():
    return alike.likeness(WordLlama(embedding.folder("wordllama")))


@pytest.mark.parametrize(("path", "precision", "recall", "fair"), [(SEEN, 0.9, 0.5, 8), (UNSEEN, 0.9, 0.45, 6)])
def test_a_described_domains_lines_are_found_by_words_and_their_kin(path, precision, recall, fair):
    found = measured(path, DESCRIPTION, None)

    assert (found[0] >= precision, found[1] >= recall, found[2] >= fair) == (True, True, True), found


@pytest.mark.parametrize(("path", "precision", "recall", "fair"), [(SEEN, 0.85, 0.7, 10), (UNSEEN, 0.85, 0.65, 10)])
def test_with_word_vectors_most_of_a_described_domain_is_found(meaning, path, precision, recall, fair):
    found = measured(path, DESCRIPTION, meaning)

    assert (found[0] >= precision, found[1] >= recall, found[2] >= fair) == (True, True, True), found


@pytest.mark.parametrize(("path", "precision", "recall"), [(SEEN, 0.9, 0.4), (UNSEEN, 0.74, 0.24)])
def test_with_word_vectors_a_bare_name_finds_lines_that_do_not_have_it(meaning, path, precision, recall):
    found = measured(path, NAME, meaning)

    assert (found[0] >= precision, found[1] >= recall) == (True, True), found


@pytest.mark.parametrize("name", ["falconry", "beekeeping", "football", "politics", "chess openings", "knitting, wool"])
def test_of_a_domain_that_nobody_wrote_about_no_line_is_taken_for_being_the_nearest(meaning, name):
    for _, lines in playbooks(SEEN):
        found = answer(ExtractInput("m", name, "".join(f"- {text}\n" for _, text in lines), (), (), meaning))

        assert found["established"] + found["emerging"] == []


def test_a_name_of_which_the_table_has_no_whole_word_is_near_to_nothing(meaning):
    assert meaning("Buchhaltung", ["Rechnungen brauchen zwei Freigaben", "Urlaub bis Januar"]) == [0.0, 0.0]


def test_the_command_finds_by_meaning_and_does_without_when_it_is_not_wanted(koog, sample):
    lines = [
        "Passport expires in 2029",
        "Airport transfer by taxi",
        "Hotels with free breakfast",
        "Salt the pasta water",
        "Feed the cat",
    ]
    (sample / "memory/sinain-playbook.md").write_text("".join(f"- {line}\n" for line in lines))
    call = ("module", "extract", "trips", "--domain", "travel")

    code, first = koog(*call, "--now", "2027-02-28T20:00:00Z")
    assert code == 0, first
    patterns = (sample / "modules/trips/patterns.md").read_text()
    (sample / "koog-config.json").write_text('{"search": {"embedding": "none"}}')
    without, line = koog(*call, "--force", "--now", "2027-02-28T20:00:00Z")

    assert code == 0
    assert ("Passport" in patterns, "pasta" in patterns) == (True, False), patterns
    assert (without, line["error"]["code"]) == (5, "refused")
