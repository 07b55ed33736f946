"""Search without an index finds what the index covers, with ripgrep or without, and takes no query for a pattern."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from koog.search import fallback
from koog.search.sources import Roots

# As much of ripgrep as koog asks for, to see what it is asked: options, fixed patterns, files; NUL between answers.
RIPGREP = """#!{python}
import os, sys, time
options, patterns, files = [], [], []
arguments = iter(sys.argv[1:])
for argument in arguments:
    if argument == "--":
        files = list(arguments)
    elif argument.startswith("--regexp="):
        patterns.append(argument.removeprefix("--regexp=").lower())
    else:
        options.append(argument)
wanted = {{"--files-with-matches", "--fixed-strings", "--ignore-case", "--null", "--no-config", "--text"}}
assert set(options) == wanted, options
{extra}
hits = [f for f in files if any(p.encode() in open(os.fsencode(f), "rb").read().lower() for p in patterns)]
sys.stdout.buffer.write(b"".join(os.fsencode(f) + b"\\0" for f in hits))
sys.exit(0 if hits else 1)
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    for path, text in {
        "knowledge/people/mika.md": "# Mika\n\n- likes squash merges\n- deploys on Tuesdays\n",
        "memory/2026-02-28.md": "## NAS\n\n- restic waits for the lock\n- a deploy broke: merge by hand\n",
        "memory/meta/evolution.md": "squash\n",
        "src/notes.md": "squash\n",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    transcript = tmp_path / "raw/conversations/2026/02/16/x.md"
    transcript.parent.mkdir(parents=True)
    transcript.write_text("# Plan\n## 18:45 — user\nsquash it all\n")
    return folder


def roots(root: Path) -> Roots:
    return Roots(root, root.parent / "raw")


def ripgrep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: str = "") -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "rg").write_text(RIPGREP.format(python=sys.executable, extra=extra))
    (folder / "rg").chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


@pytest.fixture(params=[fallback.RIPGREP, fallback.PLAIN])
def engine(request, tmp_path, monkeypatch) -> str:
    """Both ways, one after the other: with `rg` on the PATH and without."""
    if request.param == fallback.RIPGREP:
        ripgrep(tmp_path, monkeypatch)
    else:
        monkeypatch.setenv("PATH", str(tmp_path))
    return str(request.param)


def places(root: Path, *words: str, **given: object) -> list[tuple[str, int]]:
    found = fallback.scan(roots(root), words, limit=10, **given)  # type: ignore[arg-type]
    return [(match.path, match.line) for match in found.best]


def test_what_the_index_covers_is_found_with_all_that_a_hit_has(root, engine):
    found = fallback.scan(roots(root), ["squash"], limit=10)

    assert (found.engine, found.total) == (engine, 2)
    assert [match[:8] for match in found.best] == [
        ("raw/conversations/2026/02/16/x.md", 3, 3, 1, "Plan", "user", "conversation", "2026-02-16"),
        ("knowledge/people/mika.md", 3, 3, 1, "Mika", "", "person", None),
    ]
    assert found.best[1].text == "- likes squash merges"


def test_most_words_come_first_and_endings_and_case_do_not_matter(root, engine):
    assert places(root, "DEPLOYING", "merge") == [
        ("memory/2026-02-28.md", 4),
        ("knowledge/people/mika.md", 3),
        ("knowledge/people/mika.md", 4),
    ]


def test_a_word_in_a_heading_counts_for_what_stands_under_it(root, engine):
    assert places(root, "nas", "restic")[0] == ("memory/2026-02-28.md", 3)


def test_a_word_begins_where_a_word_begins(root, engine):
    assert places(root, "quash") == []


@pytest.mark.wide(8)
@pytest.mark.parametrize("word", [".*", "[", "-rf", "--help", "(?x", "a\0b", "\ud800", "\n", "'", "*" * 10_000, "🙂"])
def test_no_query_is_a_pattern_or_an_option(root, engine, word):
    assert places(root, word) == []


def test_no_words_find_nothing(root, engine):
    assert fallback.scan(roots(root), ["", " "], limit=10).best == []


def test_limit_category_and_day_restrict_it(root, engine):
    assert len(fallback.scan(roots(root), ["deploy", "squash"], limit=1).best) == 1
    assert places(root, "squash", category="person") == [("knowledge/people/mika.md", 3)]
    assert places(root, "deploy", "squash", since="2026-02-20") == [("memory/2026-02-28.md", 4)]


def test_private_blocks_are_not_found(root, engine):
    (root / "memory/2026-02-28.md").write_text("<private>squash</private>\n\nopen\n")

    assert ("memory/2026-02-28.md", 1) not in places(root, "squash", "open")


def test_letters_without_blanks_are_found_inside_a_run(root, engine):
    (root / "memory/2026-02-28.md").write_text("我们决定使用东京服务器\n", "utf-8")

    assert places(root, "东京") == [("memory/2026-02-28.md", 1)]


@pytest.mark.parametrize("extra", ["sys.exit(2)", "time.sleep(5)"])
def test_a_ripgrep_that_fails_or_hangs_is_done_without(root, tmp_path, monkeypatch, extra):
    ripgrep(tmp_path, monkeypatch, extra)

    found = fallback.scan(roots(root), ["squash"], limit=10, timeout_s=0.3)

    assert (found.engine, len(found.best)) == (fallback.PLAIN, 2)


def test_who_is_behind_it_is_told_by_the_files_head_and_the_lines_own_comment(root):
    told = "- 🟡 09:00 Squash courts cost nine euros <!-- dc:type=fact dc:trust=tool dc:source=s#1 -->\n"
    (root / "memory/observations.md").write_text(f"# All\n\nDate: 2026-02-28\n\n{told}- squash, by nobody\n")
    (root / "modules/found").mkdir(parents=True)
    (root / "modules/found/patterns.md").write_text("<!-- imported: 2026-02-27 -->\n\n- Squash is played indoors\n")

    best = fallback.scan(roots(root), ["squash"], limit=20).best

    found = {(match.path, match.text): match.trust for match in best if match.path.endswith(("ions.md", "terns.md"))}
    assert sorted(found.values()) == ["agent", "imported", "tool"], found
