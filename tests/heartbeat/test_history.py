"""What months leave behind moves into dated folders; nothing is lost on the way."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

from koog.heartbeat import history
from tests.conftest import git, registered
from tests.logs import LOGS, NOW, entry, logged, snapshot

TODAY = datetime.fromisoformat(NOW)
ARCHIVE = "memory/playbook-archive"


def day(ago: int) -> str:
    return (TODAY - timedelta(days=ago)).astimezone(UTC).date().isoformat()


def archived(workspace, name: str) -> str:
    path = workspace / ARCHIVE / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"as it stood: {name}\n")
    return name


def tick(koog, now=NOW):
    code, line = koog("tick", "--now", now, "--idle")
    assert code == 0, line
    return line


def test_logs_and_archives_of_past_months_move_into_their_month(koog, workspace):
    registered(workspace, git_backup="all")
    logged(workspace, *(entry(f"{day(ago)}T10:00:00Z") for ago in (46, 45, 200)))
    old = [archived(workspace, f"sinain-playbook-{day(90)}-1200{suffix}.md") for suffix in ("", "-2")]
    new = archived(workspace, f"sinain-playbook-{day(10)}-1200.md")
    before = snapshot(workspace)

    line = tick(koog)

    moved = {f"{LOGS}/{d[:7]}/{d}.jsonl" for d in (day(46), day(200))} | {f"{ARCHIVE}/{day(90)[:7]}/{n}" for n in old}
    assert line["rotated"] == {"files": 4, "lines": 0, "into": sorted({m.rsplit("/", 1)[0] for m in moved})}
    for path in moved:
        folder, month, name = path.rsplit("/", 2)
        assert month in path
        assert (workspace / path).read_bytes() == before[f"{folder}/{name}"]
        assert not (workspace / folder / name).exists()
    assert (workspace / f"{LOGS}/{day(45)}.jsonl").exists()
    assert (workspace / ARCHIVE / new).exists()
    renames = [c for c in line["_meta"]["changes"] if c["action"] == "RENAME"]
    assert sorted(c["path"].rsplit("/", 1)[1] for c in renames) == sorted(m.rsplit("/", 1)[1] for m in moved)
    assert git(workspace, "status", "--porcelain") == ""
    assert tick(koog, "2026-02-28T12:30:00Z")["rotated"] == {"files": 0, "lines": 0, "into": []}


def test_a_name_that_is_taken_keeps_both_files(koog, workspace):
    logged(workspace, entry(f"{day(60)}T10:00:00Z"))
    taken = workspace / LOGS / day(60)[:7] / f"{day(60)}.jsonl"
    taken.parent.mkdir()
    taken.write_text("another\n")

    assert tick(koog)["rotated"]["files"] == 0

    assert taken.read_text() == "another\n"
    assert (workspace / f"{LOGS}/{day(60)}.jsonl").exists()


def test_what_is_no_dated_file_of_koogs_stays(koog, workspace):
    archived(workspace, "notes.md")
    (workspace / LOGS).mkdir()
    (workspace / LOGS / "1999.jsonl").write_text("{}\n")

    assert tick(koog)["rotated"]["files"] == 0

    assert (workspace / LOGS / "1999.jsonl").exists()


def test_a_large_ledger_keeps_its_last_days_and_every_line(koog, workspace):
    path = "memory/meta/usage.jsonl"
    days = [day(ago) for ago in range(70, -1, -1) for _ in range(10)]
    rows = [json.dumps({"ts": f"{d}T10:00:00Z", "promptTokens": 1, "x": "y" * 500}) for d in days]
    rows[5] = "torn"
    (workspace / path).parent.mkdir()
    (workspace / path).write_text("".join(f"{row}\n" for row in rows))

    told = tick(koog)["rotated"]

    recent = rows[-40:]
    months = sorted((workspace / path).with_suffix("").glob("*"))
    kept = (workspace / path).read_text().splitlines()
    assert told["lines"] == len(rows) - len(recent)
    assert kept[: len(recent)] == recent
    moved = [row for month in months for row in month.read_text().splitlines()]
    assert sorted(moved) == sorted(rows[: -len(recent)])
    assert told["into"] == [m.relative_to(workspace).as_posix() for m in months]
    for month in months:
        assert all(row.find(month.stem) >= 0 for row in month.read_text().splitlines() if row != "torn")


def test_a_file_of_lines_is_left_alone_until_it_is_large(koog, workspace):
    path = workspace / "memory/meta/usage.jsonl"
    path.parent.mkdir()
    path.write_text(f'{{"ts":"{day(70)}T10:00:00Z"}}\n')
    assert path.stat().st_size < history.LARGE

    assert tick(koog)["rotated"]["lines"] == 0


def test_a_line_of_a_wrong_clock_holds_up_none_behind_it(koog, workspace):
    path = workspace / "memory/meta/usage.jsonl"
    path.parent.mkdir()
    ahead = {"ts": "2027-03-01T10:00:00Z", "n": -1}
    rows = [ahead, *({"ts": f"{day(60)}T10:00:00Z", "n": n, "x": "y" * 500} for n in range(700))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert tick(koog)["rotated"]["lines"] == len(rows)


def test_a_hundred_names_that_are_taken_hold_up_none_behind_them(koog, workspace):
    for ago in range(60, 60 + history.MOST_FILES + 1):
        logged(workspace, entry(f"{day(ago)}T10:00:00Z"))
        taken = workspace / LOGS / day(ago)[:7] / f"{day(ago)}.jsonl"
        taken.parent.mkdir(exist_ok=True)
        taken.write_text("another\n")
    logged(workspace, entry(f"{day(50)}T10:00:00Z"))

    assert tick(koog)["rotated"]["files"] == 1


def test_what_cannot_move_is_a_warning_and_the_gate_closes(koog, workspace):
    logged(workspace, entry(f"{day(60)}T10:00:00Z"))
    (workspace / LOGS / day(60)[:7]).write_text("a file where the folder should be\n")

    line = tick(koog)

    assert line["heartbeat"] == "HEARTBEAT_OK"
    assert any("history not rotated" in warning for warning in line["_meta"]["warnings"])
    _, seen = koog("status", "--now", NOW)
    assert "history not rotated" in seen["failures"][0]["message"]
    assert seen["healthy"] is False
    assert (workspace / f"{LOGS}/{day(60)}.jsonl").exists()


def test_a_dry_run_tells_what_would_move_and_moves_nothing(koog, workspace):
    logged(workspace, entry(f"{day(60)}T10:00:00Z"))
    before = snapshot(workspace)

    code, line = koog("tick", "--now", NOW, "--idle", "--dry-run")

    assert code == 0
    assert line["rotated"]["files"] == 1
    assert snapshot(workspace) == before
