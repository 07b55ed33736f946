"""`koog index`: its line, its paths, its dry run, and disks that refuse."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys

import apsw
import pytest

from koog.core.files import lock
from koog.core.files.tree import private_root
from koog.search.embedding import folder
from tests.logs import snapshot
from tests.test_disk import as_nobody, readable

with_vectors = pytest.mark.skipif(folder("sqlite_vec") is None, reason="the extra `vectors` is not installed")


def test_the_first_call_builds_the_index_and_the_second_finds_nothing_to_do(koog, sample):
    code, first = koog("index")
    _, second = koog("index")

    assert code == 0
    assert (first["rebuilt"], first["full"], first["added"]) == ("absent", True, first["files"])
    assert first["files"] >= 30
    assert (second["rebuilt"], second["full"]) == (None, False)
    assert (second["added"], second["changed"], second["removed"], second["unchanged"]) == (0, 0, 0, first["files"])
    assert second["bytes"] == (sample / ".koog/index.db").stat().st_size
    assert first["_meta"]["changes"] == []


def test_no_file_of_the_user_is_changed(koog, sample):
    before = snapshot(sample)

    koog("index", "--full")

    found = snapshot(sample)
    assert {path: found[path] for path in before} == before
    assert {path for path in found if path not in before} <= {".koog/index.db", ".koog/index.lock"}


def test_one_changed_file_costs_one_file(koog, sample):
    koog("index")
    with (sample / "MEMORY.md").open("a") as file:
        file.write("- the tide is high\n")

    _, line = koog("index")

    assert (line["added"], line["changed"], line["removed"]) == (0, 1, 0)


def test_paths_restrict_a_refresh(koog, sample):
    koog("index")
    (sample / "knowledge").mkdir()
    (sample / "knowledge/a.md").write_text("one\n")
    (sample / "memory/2026-03-01.md").write_text("two\n")

    _, inside = koog("index", "knowledge/a.md")
    _, rest = koog("index", str(sample / "memory"))

    assert (inside["added"], rest["added"]) == (1, 1)


def test_transcripts_are_covered_and_can_be_named_either_way(koog, sample):
    transcript = sample.parent / "ws-raw/conversations/2026/02/16/1845-ses_a1-x.md"
    transcript.parent.mkdir(parents=True)
    koog("index")
    for number, path in enumerate(["raw/conversations", "../ws-raw", str(transcript)]):
        transcript.write_text(f"## 18:45 — user\nhello {number}\n")

        _, line = koog("index", path)

        assert line["added"] + line["changed"] == 1


def test_a_path_that_is_no_part_of_the_index_is_told(koog, sample):
    koog("index")

    _, line = koog("index", "modules/module-registry.json", "memory/gone.md")

    assert line["skipped"] == [{"path": "modules/module-registry.json", "why": "not covered"}]


@pytest.mark.parametrize("path", ["/etc", "../elsewhere", "memory/../../x", ""])
def test_a_path_outside_the_workspace_is_a_wrong_call(koog, path):
    code, line = koog("index", path)

    assert (code, line["error"]["code"]) == (2, "usage")


def test_what_is_no_text_and_links_that_lead_outside_are_told(koog, sample, tmp_path):
    (sample / "memory/image.md").write_bytes(b"\0\1\2")
    (tmp_path / "outside.md").write_text("elsewhere\n")
    (sample / "memory/link.md").symlink_to(tmp_path / "outside.md")

    _, line = koog("index")

    told = {skipped["path"]: skipped["why"] for skipped in line["skipped"]}
    assert told == {"memory/image.md": "no text", "memory/link.md": "a link that leads outside"}


def test_a_long_list_of_skipped_files_is_cut(koog, workspace):
    for number in range(60):
        (workspace / f"memory/n{number}.md").write_bytes(b"\0")

    _, line = koog("index")

    assert len(line["skipped"]) == 50
    assert line["_meta"]["truncated"] is True


def test_a_dry_run_tells_what_would_be_done(koog, sample):
    koog("index")
    (sample / "memory/2026-03-01.md").write_text("two\n")
    before = snapshot(sample)

    _, line = koog("--dry-run", "index")
    _, full = koog("--dry-run", "index", "--full")

    assert (line["added"], line["full"]) == (1, False)
    assert (full["added"], full["rebuilt"]) == (line["files"], "asked")
    assert snapshot(sample) == before


def test_a_dry_run_makes_no_index(koog, sample):
    _, line = koog("--dry-run", "index")

    assert (line["rebuilt"], line["bytes"]) == ("absent", 0)
    assert not list((sample / ".koog").glob("index*"))


def test_while_another_indexes_it_is_busy(koog, sample, monkeypatch):
    monkeypatch.setenv("KOOG_WORKSPACE_LOCK_WAIT_SECONDS", "0")
    with lock.held(private_root(sample).itself("index.lock"), wait_s=0, what="the index"):
        code, line = koog("index")

    assert (code, line["error"]["code"], line["error"]["retryable"]) == (9, "busy", True)


@with_vectors
def test_vectors_are_kept_up_with_the_passages(koog, sample):
    _, first = koog("index")
    (sample / "MEMORY.md").write_text("- the tide is high\n")
    (sample / "USER.md").unlink()
    _, second = koog("index")

    for line in (first, second):
        assert line["embedding"]["id"].startswith("wordllama")
        assert (line["embedding"]["pending"], line["embedding"]["reason"]) == (0, None)
    assert second["passages"] < first["passages"]


def test_without_vectors_it_says_why(koog, sample, monkeypatch):
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "none")

    _, line = koog("index")

    assert line["embedding"] == {"id": None, "dimensions": None, "pending": 0, "reason": "search.embedding is none"}


@with_vectors
def test_an_endpoint_that_fails_leaves_its_passages_waiting(koog, sample, llm, monkeypatch):
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "endpoint")
    monkeypatch.setenv("KOOG_PROVIDER_EMBEDDING_MODEL", "tiny")
    llm.fails(403)

    code, line = koog("index")

    assert code == 0
    assert line["embedding"]["pending"] == line["passages"]
    assert line["embedding"]["reason"]
    llm.embeds()
    _, line = koog("index")
    assert line["embedding"] == {"id": line["embedding"]["id"], "dimensions": 16, "pending": 0, "reason": None}


def test_without_apsw_it_says_so(sample):
    code = "import sys; sys.modules['apsw'] = None; from koog.cli import main; sys.exit(main(['index']))"

    done = subprocess.run([sys.executable, "-c", code], cwd=sample, capture_output=True, text=True, check=False)

    assert json.loads(done.stdout)["error"]["message"] == "apsw is not installed"
    assert done.returncode == 3


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_workspace_that_may_only_be_read_is_told(koog, sample):
    koog("index")
    readable(sample)
    before = snapshot(sample)

    code, line = as_nobody("index")

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert snapshot(sample) == before


def test_a_person_at_a_terminal_sees_progress_and_the_line_is_alone_on_stdout(workspace):
    for number in range(250):
        (workspace / f"memory/n{number}.md").write_text("words\n")
    leader, terminal = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "koog", "index"], cwd=workspace, stdout=subprocess.PIPE, stderr=terminal, check=True
    )
    os.close(terminal)

    shown = os.read(leader, 100_000).decode()

    os.close(leader)
    assert "%" in shown
    assert done.stdout.count(b"\n") == 1


def test_an_index_that_is_found_spoilt_when_it_is_asked_is_built_anew_and_asked_again(koog, sample):
    koog("index")
    file = sample / ".koog/index.db"
    with apsw.Connection(str(file)) as db:
        (page,) = next(db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'passages_fts_data'"))
    data = bytearray(file.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"7" * 4096
    file.write_bytes(data)

    code, spoilt = koog("search", "backup")
    again = spoilt["refreshed"]

    assert code == 0
    assert spoilt["hits"]
    assert again["rebuilt"] in ("absent", "corrupt")
    assert koog("search", "backup")[1]["hits"]
