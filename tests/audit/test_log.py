"""The questions of moltbot §12.7, months, and the monthly digest."""

from __future__ import annotations

from pathlib import Path

import pytest

from koog.audit.digest import section
from koog.core.files import auditlog
from koog.core.files.auditlog import Entry
from tests.audit.tools import LOG, lines, lived, put, verified
from tests.conftest import git, registered

MONTHS = "memory/meta/audit"


@pytest.fixture
def log(lived_in: Path) -> Path:
    return lived_in


def entries(koog, *words: str) -> list[dict[str, object]]:
    code, said = koog("audit", "log", *words)
    assert code == 0, said
    return said["entries"]


def test_what_changed_recently_is_the_newest_first(log, koog):
    lived(koog, facts=6, now="2026-11-21T10:00:00Z")

    found = entries(koog, "--limit", "3")

    assert len(found) == 3
    assert found[0]["ts"] == "2026-11-21T10:00Z"
    assert koog("audit", "log", "--limit", "3")[1]["more"] is True


@pytest.mark.parametrize(
    ("words", "takes"),
    [
        (("--file", "memory/graph/entities/person--person1.md"), lambda e: "person1" in e["file"]),
        (("--file", "memory/graph/**"), lambda e: e["file"].startswith("memory/graph/")),
        (("--actor", "bot:*"), lambda e: e["actor"].startswith("bot:")),
        (("--action", "create"), lambda e: e["action"] == "CREATE"),
        (("--query", "PERSON2"), lambda e: "person2" in str(e).lower()),
        (("--since", "2026-11-20"), lambda e: True),
    ],
)
def test_each_field_can_be_asked_for(log, koog, words, takes):
    found = entries(koog, *words)

    assert found
    assert all(takes(entry) for entry in found)


def test_what_nobody_did_is_an_empty_answer(log, koog):
    assert entries(koog, "--actor", "reflection:*") == []
    assert entries(koog, "--since", "2027-01-01") == []
    assert koog("audit", "log", "--since", "soon")[0] == 2


@pytest.mark.parametrize(
    "words", [("--query", "of the XyloPhone"), ("--file", "memory/graph/entities/person--p7.md"), ()]
)
def test_a_long_log_is_searched_to_its_beginning_and_a_line_is_told_once(workspace, koog, words):
    row = (
        "2026-11-20T10:00Z | EDIT    | memory/graph/entities/person--p{}.md | bot:trigger-remember | auto     | {} {}\n"
    )
    rows = [row.format(n % 3000, "of the Xylophone" if n % 3000 == 7 else "a", n) for n in range(6000)]
    (workspace / "memory" / "meta").mkdir(parents=True)
    put(workspace, [row.encode() for row in rows])

    said = entries(koog, *words, "--limit", "500")

    wanted = [n for n in reversed(range(6000)) if n % 3000 == 7 or not words][:500]
    assert [int(entry["summary"].split()[-1]) for entry in said] == wanted


def test_a_bar_and_a_line_break_in_a_field_come_back_as_they_were():
    entry = Entry("2026-11-20T10:00Z", "EDIT", "a|b.md", "manual", "—", "one\\two | three\nfour")
    from datetime import UTC, datetime

    from koog.core.files.record import Cause, Change, audit_line

    change = Change(entry.action, entry.file, entry.summary)
    line = audit_line(change, cause=Cause("manual", "—"), when=datetime(2026, 11, 20, 10, tzinfo=UTC), critical=False)

    assert auditlog.parse(line) == entry


def test_a_months_lines_move_into_its_file_with_the_first_write_of_the_next(log, koog):
    before = lines(log)

    koog("remember", "Ada works at Nine", "--explicit", "--now", "2026-12-01T08:00:00Z")

    assert lines(log, f"{MONTHS}/2026-11.log") == before
    assert all(row.startswith(b"2026-12") for row in lines(log))
    assert verified(koog)["verdict"] == "intact"
    assert {e["ts"][:7] for e in entries(koog, "--limit", "100")} == {"2026-11", "2026-12"}
    assert {e["ts"][:7] for e in entries(koog, "--since", "2026-12-01", "--limit", "100")} == {"2026-12"}


def test_a_digest_takes_the_months_that_no_write_has_moved_yet(log, koog):
    count = len(lines(log))

    code, said = koog("audit", "digest", "--now", "2027-04-01T08:00:00Z")

    assert (code, said["months"], said["lines"]) == (0, ["2026-11"], count)
    assert verified(koog)["verdict"] == "intact"


def test_a_koog_without_the_state_root_never_moves_them(workspace, koog):
    lived(koog)
    koog("remember", "Ada works at Nine", "--explicit", "--now", "2026-12-01T08:00:00Z")

    assert not (workspace / MONTHS).exists()


@pytest.mark.parametrize("wrong", ["2099-01-01T10:00Z", "no date at all"])
def test_a_line_of_a_wrong_clock_stays_in_its_place(workspace, koog, wrong):
    registered(workspace)
    rows = [f"{ts} | EDIT    | a.md | skill:koog | auto     | x\n".encode() for ts in ("2026-10-01T10:00Z", wrong)]
    rows.append(b"2026-11-01T10:00Z | EDIT    | a.md | skill:koog | auto     | x\n")
    (workspace / "memory/meta").mkdir(parents=True)
    put(workspace, rows)

    koog("remember", "Ada works at Nine", "--explicit", "--now", "2026-12-01T08:00:00Z")

    assert lines(workspace, f"{MONTHS}/2026-10.log") == rows[:2]
    assert lines(workspace, f"{MONTHS}/2026-11.log") == rows[2:]
    assert verified(koog)["verdict"] == "intact"


def test_a_clock_that_goes_back_moves_nothing(log, koog):
    koog("remember", "Ada works at Nine", "--explicit", "--now", "2026-12-01T08:00:00Z")
    koog("remember", "Bob works at Ten", "--explicit", "--now", "2026-11-30T08:00:00Z")
    koog("remember", "Cid works at Six", "--explicit", "--now", "2026-12-02T08:00:00Z")

    assert verified(koog)["verdict"] == "intact"
    assert [row for row in lines(log) if row.startswith(b"2026-11-30")]


# --- the digest


def test_months_older_than_the_retention_go_into_the_digest_and_the_chain_still_verifies(log, koog):
    koog("remember", "Ada works at Nine", "--explicit", "--now", "2026-12-01T08:00:00Z")
    gone = len(lines(log, f"{MONTHS}/2026-11.log"))
    assert koog("audit", "digest", "--now", "2027-02-20T10:00:00Z")[1]["months"] == []

    code, said = koog("audit", "digest", "--now", "2027-03-02T10:00:00Z")

    assert (code, said["months"], said["lines"]) == (0, ["2026-11"], gone)
    assert not (log / f"{MONTHS}/2026-11.log").exists()
    archive = (log / "memory/meta/audit-archive.md").read_text()
    assert archive.startswith("# Audit Digest — November 2026\n\n## Summary\n- ")
    assert "total mutations across" in archive
    assert verified(koog)["verdict"] == "intact"
    lived(koog, facts=6, now="2027-03-03T10:00:00Z")
    assert verified(koog)["verdict"] == "intact"
    rows = lines(log)
    put(log, rows[1:])
    assert verified(koog)["verdict"] == "tampered"


def test_a_log_that_was_tampered_with_is_not_digested(log, koog):
    koog("remember", "Ada works at Nine", "--explicit", "--now", "2026-12-01T08:00:00Z")
    path = f"{MONTHS}/2026-11.log"
    put(log, lines(log, path)[1:], path)

    code, said = koog("audit", "digest", "--now", "2027-03-02T10:00:00Z")

    assert (code, said["error"]["code"]) == (5, "refused")
    assert (log / path).exists()


def test_without_a_state_root_nothing_is_digested(workspace, koog):
    assert koog("audit", "digest")[0] == 5


def test_a_dry_run_digests_nothing(log, koog):
    koog("remember", "Ada works at Nine", "--explicit", "--now", "2026-12-01T08:00:00Z")

    assert koog("audit", "digest", "--dry-run", "--now", "2027-03-02T10:00:00Z")[0] == 0

    assert (log / f"{MONTHS}/2026-11.log").exists()
    assert verified(koog)["verdict"] == "intact"


def test_the_digest_of_a_month_is_the_seeds():
    def entry(action: str, actor: str, approval: str = "auto", file: str = "MEMORY.md", summary: str = "x") -> Entry:
        return Entry("2026-01-15T10:00Z", action, file, actor, approval, summary)

    text = section(
        "2026-01",
        [
            entry("EDIT", "bot:trigger-remember"),
            entry("EDIT", "reflection:r-001", "approved", "USER.md"),
            entry("EDIT", "reflection:r-002", "partial"),
            entry("DECAY", "system:decay", file="memory/meta/decay-scores.json"),
            entry("ARCHIVE", "system:decay"),
            entry("EDIT", "manual", "—", "SOUL.md", f"{auditlog.CRITICAL}changed outside koog"),
            entry("ALERT", "system:audit", "—", "SOUL.md"),
        ],
    )

    assert text.splitlines()[:7] == [
        "# Audit Digest — January 2026",
        "",
        "## Summary",
        "- 6 total mutations across 4 files",
        "- 2 reflection sessions (1 approved, 1 partial, 0 rejected)",
        "- 1 critical file changes",
        "- 1 decay transitions, 1 archival events",
    ]
    assert "- 2026-01-15: EDIT SOUL.md — manual, —: ⚠️ CRITICAL: changed outside koog" in text


# --- blame


def test_who_wrote_a_file_and_one_line_of_it(log, koog):
    path = "memory/graph/entities/person--person1.md"
    with (log / path).open("a") as file:
        file.write("By hand.\n")
    git(log, "commit", "-qam", "mine")
    count = len((log / path).read_text().splitlines())

    first = koog("audit", "blame", f"{path}:1")[1]
    last = koog("audit", "blame", f"{path}:{count}")[1]
    whole = koog("audit", "blame", path)[1]

    assert (first["origin"]["actor"], first["origin"]["approval"]) == ("bot:trigger-remember", "auto")
    assert (last["origin"]["actor"], last["text"]) == ("git:Test", "By hand.")
    assert {row["actor"]: row["lines"] for row in whole["by"]} == {"bot:trigger-remember": count - 1, "git:Test": 1}
    assert whole["entries"][0]["actor"] == "manual"


def test_a_line_that_no_commit_has_is_nobodys_yet(log, koog):
    path = "memory/graph/entities/person--person1.md"
    text = (log / path).read_text()
    (log / path).write_text("Before.\n" + text)

    assert koog("audit", "blame", f"{path}:1")[1]["origin"] is None
    assert koog("audit", "blame", f"{path}:2")[1]["origin"]["actor"] == "bot:trigger-remember"


def test_a_commit_cannot_claim_a_word_that_the_log_does_not_have(log, koog):
    (log / "SOUL.md").write_text("Obey.\n")
    git(log, "add", "SOUL.md")
    claim = "[CREATE] SOUL.md — new\n\nActor: reflection:r-001\nApproval: approved\nTrigger: he said so"
    git(log, "commit", "-qm", claim, "--author", "Eve <eve@example.invalid>")

    origin = koog("audit", "blame", "SOUL.md:1")[1]["origin"]

    assert (origin["actor"], origin["approval"], origin["trigger"]) == ("git:Eve", None, None)


def test_blame_of_what_is_not_there(log, koog):
    assert koog("audit", "blame", "USER.md")[0] == 4
    assert koog("audit", "blame", "../x")[0] != 0
    path = "memory/graph/entities/person--person1.md"
    assert koog("audit", "blame", f"{path}:9999")[0] == 2


def test_people_get_tables(log, koog, capsys):
    from koog.cli import main

    for words in (["log"], ["alerts"], ["verify"], ["blame", f"{LOG}:1"]):
        assert main(["--human", "audit", *words]) == 0
        assert capsys.readouterr().out.strip()


def test_a_table_breaks_no_path_and_no_id(log, koog, capsys, monkeypatch):
    from koog.cli import main

    monkeypatch.setenv("COLUMNS", "80")
    path = "memory/graph/entities/person--person1.md"
    for words in (["log"], ["blame", path]):
        assert main(["--human", "audit", *words]) == 0
        told = capsys.readouterr().out
        assert path in told and "fact:person--person1:" in told


def test_what_the_agent_remembers_unasked_has_the_actor_that_says_so(workspace, koog):
    registered(workspace)
    koog("remember", "Ada works at Nine", "--explicit")
    koog("remember", "Ben works at Lumen")

    assert {e["actor"] for e in koog("audit", "log", "--query", "person--ada")[1]["entries"]} == {
        "bot:trigger-remember"
    }
    assert {e["actor"] for e in koog("audit", "log", "--query", "person--ben")[1]["entries"]} == {"bot:auto-detect"}
