"""mine's line, or the seed's plain strings, as curate takes them."""

from __future__ import annotations

import pytest

from koog.heartbeat import findings
from koog.heartbeat.findings import Finding

LINE = {
    "findings": "Read 1 note.",
    "newPatterns": ["Stream archives", "Use pnpm"],
    "contradictions": ['playbook: "Use npm" vs memory/a.md:3: "Use pnpm"'],
    "preferences": ["Mika likes tea"],
    "evidence": [
        {"kind": "newPatterns", "index": 1, "file": "memory/a.md", "line": 3, "date": "2026-02-17", "trust": "user"},
        {"kind": "preferences", "index": 0, "file": "memory/b.md", "line": 9, "date": "2026-02-18", "trust": "note"},
    ],
}


def test_each_text_has_the_place_that_its_evidence_names():
    found = findings.read(LINE)

    assert set(found) == {
        Finding("newPatterns", "Stream archives", None),
        Finding("newPatterns", "Use pnpm", "memory/a.md:3 2026-02-17 by person", trust="person"),
        Finding("contradictions", LINE["contradictions"][0], None),
        Finding("preferences", "Mika likes tea", "memory/b.md:9 2026-02-18"),
    }


def test_the_seeds_plain_strings_are_read():
    assert findings.read({"newPatterns": ["Stream archives"], "minedSources": []}) == [
        Finding("newPatterns", "Stream archives")
    ]


@pytest.mark.parametrize("value", [{}, {"newPatterns": None}, {"newPatterns": [None, 4, "", "  ", {}]}])
def test_no_findings_are_none(value):
    assert findings.read(value) == []


@pytest.mark.parametrize(
    "value",
    [{"newPatterns": "abc"}, {"newPatterns": {"a": 1}}, {"preferences": 7}, {"newPatterns": ["a"], "evidence": 7}],
)
def test_a_list_that_is_none_is_not_taken_apart(value):
    found = findings.read(value)

    assert [f.text for f in found] == (["a"] if "evidence" in value else [])


def test_objects_with_a_text_are_read_as_a_model_writes_them():
    assert findings.read({"newPatterns": [{"text": "Use pnpm", "file": "x", "line": 1}]}) == [
        Finding("newPatterns", "Use pnpm")
    ]


def test_the_lines_that_contradictions_quote_are_the_contradicted_ones():
    assert findings.contradicted(
        [Finding("contradictions", LINE["contradictions"][0]), Finding("newPatterns", "x")]
    ) == ("Use npm",)


def test_evidence_that_is_none_is_passed_over():
    evidence = [None, 5, {"kind": ["x"], "index": 0}, {"kind": "newPatterns", "index": [0]}, {"kind": "newPatterns"}]

    assert findings.read({"newPatterns": ["Use pnpm"], "evidence": evidence}) == [Finding("newPatterns", "Use pnpm")]


def test_a_contradiction_has_the_day_of_its_evidence():
    text = 'playbook: "Use npm" vs memory/observations.md:3: "Use pnpm"'
    row = {"kind": "contradictions", "index": 0, "file": "memory/observations.md", "line": 3, "date": "2026-02-17"}

    found = findings.read({"contradictions": [text], "evidence": [row]})

    assert findings.sources(found) == {"memory/observations.md:3 2026-02-17"}


@pytest.mark.parametrize(
    ("told", "trust"),
    [("user", "person"), ("person", "person"), ("note", "agent"), ("tool", "tool"), ("root", "agent"), (None, "agent")],
)
def test_who_is_behind_a_finding_is_what_its_evidence_says(told, trust):
    row = {"kind": "newPatterns", "index": 0, "file": "memory/a.md", "line": 3, "trust": told}

    assert findings.read({"newPatterns": ["Use pnpm"], "evidence": [row]})[0].trust == trust


def test_findings_that_wait_are_read_again_as_they_were():
    found = findings.read(LINE)

    assert findings.read(findings.as_row(found)) == found


@pytest.mark.parametrize(
    "evidence",
    [[{"file": "memory/2026-02-27.md", "line": 1}], ["x"], [{"kind": "newPatterns", "index": -5}], "x", [{"kind": []}]],
)
def test_what_waits_is_kept_whatever_its_evidence_is(evidence):
    row = {"newPatterns": ["Use pnpm", {"text": "Use uv"}, 3], "preferences": "x", "evidence": evidence}

    kept = findings.only(row, {"Use pnpm", "Use uv"})

    assert kept["newPatterns"] == ["Use pnpm", {"text": "Use uv"}] and kept["evidence"] == []
