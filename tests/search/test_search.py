"""koog search: what it finds, what it never shows, and what it does when something is missing."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from koog.core.errors import UsageError
from koog.core.files import lock
from koog.core.files.tree import private_root
from koog.search import retrieval
from koog.search.embedding import folder
from koog.search.search import beginning, clipped
from tests.conftest import process

with_vectors = pytest.mark.skipif(folder("sqlite_vec") is None, reason="the extra `vectors` is not installed")
KEY = "sk-ant-" + "a1B2" * 8


@pytest.fixture
def notes(workspace: Path) -> Path:
    (workspace / "memory/2026-02-10.md").write_text(
        "# 2026-02-10\n\n## NAS\n\n- The backup of the NAS failed at night\n- Its disk was full of old snapshots\n"
        "- Ana deleted the snapshots of 2024\n\n## Garden\n\n- Planted tomatoes and beans\n"
    )
    (workspace / "memory/2026-02-11.md").write_text("# 2026-02-11\n\n- Bought a lamp for the hall\n")
    (workspace / "MEMORY.md").write_text(
        f"# Core\n\n- The router restarts at 04:00\n- deploy key {KEY} of the router\n"
        "- <private>the router's password is swordfish</private>\n"
    )
    return workspace


@pytest.fixture
def talk(workspace: Path) -> Path:
    folder = workspace.parent / "ws-raw/conversations/2026/02/12"
    folder.mkdir(parents=True)
    (folder / "0900-ses_1-trip.md").write_text(
        "---\nsession_id: ses_1\nstarted: 2026-02-12T09:00:00Z\n---\n\n# Trip\n\n"
        "## 09:00 — Ana\nWhere did you go camping?\n\n## 09:01 — Ben\nTo the lake behind the hills.\n\n"
        "## 09:02 — Ana\nI once went camping there, too.\n"
    )
    return workspace


def paths(line: dict) -> list[str]:
    return [f"{hit['path']}:{hit['line']}" for hit in line["hits"]]


# --- what is found


def test_a_plain_question_finds_the_line_that_answers_it(koog, notes):
    code, line = koog("search", "When did we buy something for the hall?")

    assert code == 0
    assert paths(line)[0] == "memory/2026-02-11.md:3"
    assert line["hits"][0]["date"] == "2026-02-11"
    assert line["hits"][0]["category"] == "journal"


def test_neighbours_are_one_hit_with_the_lines_of_all(koog, notes):
    _, line = koog("search", "--mode", "keyword", "NAS disk snapshots")

    hit = line["hits"][0]
    assert hit["lines"] == [5, 7]
    assert sorted(hit["matches"]) == [5, 6, 7]
    assert "old snapshots" in hit["text"]


def test_an_answer_is_found_by_the_words_of_the_question_before_it(koog, talk):
    _, line = koog("search", "--mode", "keyword", "--limit", "1", "Where did Ben go camping?")

    assert "lake behind the hills" in line["hits"][0]["text"]
    assert line["hits"][0]["path"].startswith("raw/conversations/")


def test_words_of_a_like_meaning_are_found_by_vectors(koog, notes):
    _, line = koog("search", "--mode", "vector", "--limit", "1", "vegetables")

    assert "tomatoes" in line["hits"][0]["text"]
    assert line["embedding"]["id"]


def test_the_reply_says_what_was_refreshed_and_a_changed_file_is_found_at_once(koog, notes):
    _, first = koog("search", "tomatoes")
    (notes / "memory/2026-02-11.md").write_text("# 2026-02-11\n\n- Bought a greenhouse\n")

    _, second = koog("search", "greenhouse")

    assert first["refreshed"]["rebuilt"]
    assert second["refreshed"] == {"added": 0, "changed": 1, "removed": 0, "rebuilt": None}
    assert paths(second)[0] == "memory/2026-02-11.md:3"


def test_a_category_and_a_day_narrow_the_search(koog, notes):
    _, of_memory = koog("search", "--category", "memory", "router night")
    _, late = koog("search", "--since", "2026-02-11", "NAS tomatoes lamp")

    assert {hit["category"] for hit in of_memory["hits"]} == {"memory"}
    assert paths(late) == ["memory/2026-02-11.md:3"]


def test_an_old_note_that_answers_is_found_before_new_ones_that_do_not(koog, workspace):
    (workspace / "memory/2016-01-05.md").write_text("# 2016-01-05\n\n- The boiler's serial number is 4711\n")
    for day in range(10, 28):
        (workspace / f"memory/2026-02-{day}.md").write_text(f"# 2026-02-{day}\n\n- The boiler was warm on day {day}\n")

    _, line = koog("--now", "2026-03-01", "search", "what is the serial number of the boiler?")

    assert paths(line)[0] == "memory/2016-01-05.md:3"


def test_the_newer_of_two_equal_notes_comes_first(koog, workspace):
    for day in ("2024-03-01", "2026-02-01", "2025-03-01"):
        (workspace / f"memory/{day}.md").write_text("# Log\n\n- The boiler was serviced\n")

    _, line = koog("--now", "2026-03-01", "search", "--mode", "keyword", "boiler serviced")

    assert [hit["date"] for hit in line["hits"]] == ["2026-02-01", "2025-03-01", "2024-03-01"]


# --- any input


@pytest.mark.parametrize(
    "query", ['"*" OR ^(NEAR nas', "nas'; DROP TABLE passages; --", "nas \U0001f600 \u2028", "text:nas -full {a}"]
)
def test_operators_quotes_and_emoji_are_only_text(koog, notes, query):
    code, line = koog("search", query)

    assert code == 0
    assert "NAS" in line["hits"][0]["text"]


def test_a_megabyte_with_nul_from_standard_input_is_a_query(notes):
    query = "\0 tomatoes \0" + " ".join(f"w{n}" for n in range(200_000))

    done = process("search", "-", cwd=notes, stdin=query)

    line = json.loads(done.stdout)
    assert "tomatoes" in line["hits"][0]["text"]
    assert len(done.stdout) < 10_000


def test_bytes_that_are_no_text_are_a_usage_error(koog, notes):
    code, line = koog("search", "nas \udcff")

    assert (code, line["error"]["code"]) == (2, "usage")


@pytest.mark.parametrize("query", ["", "  \n"])
def test_an_empty_query_is_a_usage_error(koog, notes, query):
    code, line = koog("search", query)

    assert (code, line["error"]["code"]) == (2, "usage")


@pytest.mark.parametrize("query", ["???", "xyzzyplugh"])
def test_no_hits_are_no_failure(koog, notes, query):
    code, line = koog("search", query)

    assert (code, line["hits"], line["total"]) == (0, [], 0)


def test_raw_is_fts5_syntax(koog, notes):
    _, both = koog("search", "--raw", '"old snapshots" AND disk')
    _, neither = koog("search", "--raw", "tomatoes NOT beans")

    assert paths(both) == ["memory/2026-02-10.md:6"]
    assert neither["hits"] == []


def test_a_wrong_expression_is_a_usage_error_in_fts5s_words(koog, notes):
    code, line = koog("search", "--raw", "disk AND (")

    assert (code, line["error"]["code"]) == (2, "usage")
    assert "syntax error" in line["error"]["message"]


def test_raw_and_vectors_do_not_go_together(koog, notes):
    code, line = koog("search", "--raw", "--mode", "vector", "disk")

    assert (code, line["error"]["code"]) == (2, "usage")


@pytest.mark.parametrize(
    "option", [("--category", "spam"), ("--since", "soon"), ("--since", "2026-02-30"), ("--limit", "0")]
)
def test_a_wrong_option_is_a_usage_error(koog, notes, option):
    code, line = koog("search", *option, "disk")

    assert (code, line["error"]["code"]) == (2, "usage")


# --- what is shown


def test_secrets_and_private_blocks_are_never_shown(koog, notes):
    _, line = koog("search", "router deploy key password")
    _, private = koog("search", "--mode", "keyword", "swordfish")

    shown = json.dumps(line)
    assert "[redacted:anthropic]" in shown
    assert KEY not in shown
    assert "swordfish" not in shown
    assert private["hits"] == []


def test_a_hundred_long_hits_fit_one_short_line_and_say_that_they_are_cut(koog, workspace):
    for n in range(100):
        (workspace / f"memory/2025-01-{n:03}.md").write_text(
            f"# Day {n}\n\n- boiler {n} " + "„größer“ and warmer " * 50 + "\n"
        )

    _, few = koog("search", "--limit", "5", "boiler")
    _, many = koog("search", "--limit", "100", "boiler")

    for line in (few, many):
        assert len(json.dumps(line, separators=(",", ":"))) < 10_000
        assert line["truncated"]
    assert len(few["hits"]) == 5
    assert len(many["hits"]) > 15
    assert all(hit["text"].endswith(("größer“…", "and…", "warmer…")) for hit in few["hits"])


@pytest.mark.parametrize("text", ["x" * 5000, "ü" * 5000, "\U0001f600 " * 900, '"\\' * 900])
def test_a_clipped_text_takes_no_more_of_the_line_than_it_may(text):
    shown, was_clipped = clipped(text, 300)

    assert was_clipped
    assert 100 < len(json.dumps(shown)) - 2 <= 300


def test_a_text_without_blanks_is_cut_among_its_letters():
    shown, _ = clipped("- 决定" + "我们在星期五发布新版本" * 90, 700)

    assert len(shown) > 100


CHINESE, EMOJI = "我们在星期五发布新版本，", "\U0001f600\U0001f680"


@pytest.mark.parametrize("words", [CHINESE, EMOJI])
def test_a_text_is_cut_by_its_own_characters(koog, workspace: Path, words):
    (workspace / "memory/2026-02-10.md").write_text("# Day\n\n- boiler " + words * 30 + "\n")

    _, line = koog("search", "--mode", "keyword", "boiler")

    text = "- boiler " + words * 30
    assert [(hit["text"], hit["clipped"]) for hit in line["hits"]] == [(text, False)]
    assert not line["truncated"]


def test_what_short_texts_leave_of_the_line_is_for_the_long_ones(koog, workspace: Path):
    for n in range(9):
        (workspace / f"memory/2026-01-{n + 10}.md").write_text("# Day\n\n- boiler\n")
    (workspace / "memory/2026-02-10.md").write_text("# Day\n\n- boiler " + CHINESE * 30 + "\n")

    _, line = koog("search", "--mode", "keyword", "boiler")

    assert len(line["hits"]) == 10 and not line["truncated"]


@pytest.mark.parametrize("words", [CHINESE, EMOJI, "warm "])
def test_a_line_has_room_for_the_hits_asked_for(koog, workspace: Path, words):
    for n in range(12):
        (workspace / f"memory/2026-01-{n + 10}.md").write_text(f"# Day {words * 9}\n\n- boiler {n} " + words * 200)

    _, line = koog("search", "--mode", "keyword", "--limit", "5", "boiler")

    assert len(json.dumps(line, separators=(",", ":"))) < 10_000
    assert [hit["clipped"] for hit in line["hits"]] == [True] * 5
    assert all(len(hit["text"]) >= 90 for hit in line["hits"])


# --- when something is missing


def test_without_vectors_words_are_searched_and_the_reply_says_why(koog, notes, monkeypatch):
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "none")

    _, line = koog("search", "tomatoes")

    assert (line["mode"], line["embedding"]) == ("keyword", {"id": None, "reason": "search.embedding is none"})
    assert "tomatoes" in line["hits"][0]["text"]


def test_an_endpoint_that_does_not_answer_leaves_the_words(koog, notes, monkeypatch):
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "endpoint")
    monkeypatch.setenv("KOOG_PROVIDER_EMBEDDING_MODEL", "some-model")
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_ENV", "null")

    code, line = koog("search", "tomatoes")

    assert (code, line["mode"], line["embedding"]["id"]) == (0, "keyword", None)
    assert line["embedding"]["reason"]
    assert "tomatoes" in line["hits"][0]["text"]


def test_vectors_that_are_not_there_cannot_be_asked_for(koog, notes, monkeypatch):
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "none")

    code, line = koog("search", "--mode", "vector", "tomatoes")

    assert (code, line["error"]["code"]) == (3, "config")
    assert "pip install sqlite-vec" in line["error"]["hint"]


@pytest.mark.parametrize("fusion", ["weighted", "rrf"])
def test_both_fusions_find_the_answer(koog, notes, monkeypatch, fusion):
    monkeypatch.setenv("KOOG_SEARCH_FUSION", fusion)

    _, line = koog("search", "which vegetables were planted?")

    assert line["mode"] == "hybrid"
    assert "tomatoes" in line["hits"][0]["text"]


def test_a_dry_run_asks_the_index_as_it_is_and_says_that_it_is_stale(koog, notes):
    koog("search", "tomatoes")
    (notes / "memory/2026-02-13.md").write_text("# 2026-02-13\n\n- Bought a greenhouse\n")

    _, line = koog("--dry-run", "search", "--mode", "keyword", "tomatoes greenhouse")

    assert line["stale"]
    assert "dry run" in line["staleReason"]
    assert line["refreshed"] is None
    assert [hit["path"] for hit in line["hits"]] == ["memory/2026-02-10.md"]


def test_another_indexer_at_work_does_not_stop_a_search(koog, notes):
    koog("search", "tomatoes")
    (notes / "memory/2026-02-13.md").write_text("# 2026-02-13\n\n- Bought a greenhouse\n")

    with lock.held(private_root(notes).itself("index.lock"), wait_s=1, what="the index"):
        _, line = koog("search", "tomatoes")

    assert (line["stale"], line["refreshed"]) == (True, None)
    assert "tomatoes" in line["hits"][0]["text"]


def test_without_an_index_the_files_themselves_are_searched(koog, notes):
    _, line = koog("--dry-run", "search", "tomatoes")

    assert line["engine"] in ("ripgrep", "scan")
    assert paths(line) == ["memory/2026-02-10.md:11"]
    assert any("no index" in warning for warning in line["_meta"]["warnings"])


def test_a_corrupt_index_is_built_anew(koog, notes):
    koog("search", "tomatoes")
    (notes / ".koog/index.db").write_bytes(b"no database at all" * 500)

    code, line = koog("search", "tomatoes")

    assert code == 0
    assert line["refreshed"]["rebuilt"]
    assert "tomatoes" in line["hits"][0]["text"]


@pytest.mark.parametrize("options", [(), ("--mode", "keyword"), ("--raw",), ("--category", "journal")])
def test_an_index_that_is_spoilt_in_its_middle_is_built_anew_by_the_search_that_finds_it(koog, notes, options):
    for day in range(1, 15):
        rows = "".join(f"- tomatoes, boiler and lamp number {n} of day {day}\n" for n in range(12))
        (notes / f"memory/2025-12-{day:02}.md").write_text(f"# Day\n\n{rows}")
    koog("index")
    file = notes / ".koog/index.db"
    data = file.read_bytes()
    pages = len(data) // 4096
    file.write_bytes(data[: 4096 * (pages // 4)] + b"\xa5" * 4096 * (pages // 2) + data[4096 * (pages // 4 * 3) :])

    code, line = koog("search", *options, "tomatoes")
    again, _ = koog("search", *options, "tomatoes")

    assert (code, again, line["engine"]) == (0, 0, "index")
    assert "tomatoes" in line["hits"][0]["text"]


def test_a_hit_in_a_file_that_has_changed_since_is_not_shown_with_other_words(koog, notes):
    koog("search", "tomatoes")
    (notes / "memory/2026-02-10.md").write_text("# Other\n\nquite\n\nother\nwords\nin\nall\nof\nthese\nlines\n")
    with (notes / "memory/2026-02-11.md").open("a") as file:
        file.write("- and a chair\n")

    _, line = koog("--dry-run", "search", "--mode", "keyword", "tomatoes lamp")

    assert [hit["text"] for hit in line["hits"]] == ["- Bought a lamp for the hall"]
    assert line["stale"]


def test_of_a_very_long_line_the_part_that_answers_is_shown(koog, workspace):
    rest = "Nothing of interest was said here by anybody at all. " * 200
    (workspace / "memory/2026-02-10.md").write_text(f"# Log\n\n{rest}The boiler has number 4711. {rest}\n")

    _, line = koog("search", "--mode", "keyword", "--limit", "1", "boiler number")

    assert "4711" in line["hits"][0]["text"]
    assert line["hits"][0]["line"] == 3


def test_an_expression_that_fts5_would_read_for_minutes_is_a_usage_error(koog, notes):
    code, line = koog("search", "--raw", "a OR " * 1000 + "b")

    assert (code, line["error"]["code"]) == (2, "usage")


@with_vectors
def test_a_large_category_is_searched_by_meaning_although_others_are_liker(koog, workspace, monkeypatch):
    monkeypatch.setattr(retrieval, "MOST_COMPARED", 2)
    monkeypatch.setattr(retrieval, "AMONG_ALL", (1, 3))
    (workspace / "knowledge/people").mkdir(parents=True)
    (workspace / "knowledge/people/a.md").write_text("# A\n\n" + "- vegetables and tomatoes\n" * 30)
    (workspace / "memory/2026-02-10.md").write_text("# B\n\n- planted beans\n- paid a bill\n- called Ana\n")

    _, line = koog("search", "--mode", "vector", "--category", "journal", "vegetables")

    assert "beans" in line["hits"][0]["text"]


@with_vectors
def test_an_endpoint_that_could_not_be_reached_is_not_asked_again_by_the_next_search(koog, notes, llm, monkeypatch):
    monkeypatch.setenv("KOOG_SEARCH_EMBEDDING", "endpoint")
    monkeypatch.setenv("KOOG_PROVIDER_EMBEDDING_MODEL", "tiny")
    llm.embeds()
    koog("index")
    asked = len(llm.requests)
    monkeypatch.setenv("KOOG_PROVIDER_EMBEDDING_BASE_URL", "http://127.0.0.1:1/v1")
    _, first = koog("search", "tomatoes")
    monkeypatch.delenv("KOOG_PROVIDER_EMBEDDING_BASE_URL")

    _, second = koog("search", "tomatoes")
    (notes / "memory/2026-02-12.md").write_text("# Note\n\n- Bought a greenhouse\n")
    _, made = koog("index")
    _, third = koog("search", "tomatoes")

    assert [line["mode"] for line in (first, second, third)] == ["keyword", "keyword", "hybrid"]
    assert "failed" in second["embedding"]["reason"]
    assert made["embedding"]["pending"] == 0
    assert len(llm.requests) == asked + 2


def test_a_person_sees_the_hits_one_below_the_other(notes):
    done = process("search", "--human", "tomatoes", cwd=notes)

    assert "memory/2026-02-10.md:11" in done.stdout
    assert "- Planted tomatoes and beans" in done.stdout


@pytest.mark.parametrize(
    ("text", "day"),
    [("1d", "2026-02-28"), ("7d", "2026-02-22"), ("99999d", "1970-01-01"), ("2025-12-31", "2025-12-31")],
)
def test_a_span_begins_on_a_day(text, day):
    assert beginning(text, today=date(2026, 2, 28)) == day


@pytest.mark.parametrize("text", ["", "d", "30", "30w", "2026-02-30", "yesterday"])
def test_no_other_text_is_a_span(text):
    with pytest.raises(UsageError):
        beginning(text, today=date(2026, 2, 28))


def test_a_link_in_the_place_of_the_index_stops_no_search(koog, notes, tmp_path):
    (notes / ".koog").mkdir(exist_ok=True)
    (tmp_path / "other.db").write_bytes(b"")
    (notes / ".koog/index.db").unlink(missing_ok=True)
    (notes / ".koog/index.db").symlink_to(tmp_path / "other.db")

    code, _ = koog("search", "pnpm")

    assert code == 0
    assert (tmp_path / "other.db").read_bytes() == b""
