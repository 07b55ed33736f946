"""What one process has compiled, another takes as it is, and nothing that lies in its place does any harm."""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core import lazy_regex
from koog.core.files import kept_code
from koog.core.files.state_root import StateRoot
from koog.core.lazy_regex import WIDE, compiled, personal

# At least as long as what a process writes a file for.
TABLE = [
    (r"(?P<day>\d{4})-(?P<month>\d\d)(?:-(\d\d))?", 0),
    (rf"[^\W\d_{WIDE}]+|[{WIDE}]+", 0),
    (r"(?i)\b(?:straße|größe|ümlaut|ÉTÉ|ſ|ı|K)\b", 0),
    (r"(?<!not )(?<=a)(b)?(?(1)c|d)\1?", re.IGNORECASE | re.ASCII),
    (r"^(?:.*\n)*?\Z", re.MULTILINE | re.DOTALL),
    (r"a(?=b)(?!c) # said", re.VERBOSE),
    (r"(?>a+)b++[\u4e00-\u9fff\U0001f600-\U0001f64f]*?", 0),
    ("[\ud800-\udfff]", 0),
    ("|".join(f"word{n}" for n in range(90)), re.IGNORECASE),
]
TEXTS = ("2026-02-28", "des mots 漢字かな", "STRASSE straße été ſ", "not ab abcb ad", "a\nb\n", "ab", "aab😀", "Word17")
PIECES = st.sampled_from(
    ["a", "é", "ß", "漢", r"\d", r"\w", "[a-z]", "[^x漢]", "(?:a|b)", "(é)", "(?P<n>x)", ".", r"\b"]
)
PATTERNS = st.lists(st.tuples(PIECES, st.sampled_from(["", "?", "*", "+?", "{2,3}"])), max_size=6).map(
    lambda parts: "".join(piece + ("" if piece == r"\b" else often) for piece, often in parts)
)
FLAGS = st.sampled_from([0, re.IGNORECASE, re.DOTALL | re.MULTILINE, re.ASCII])


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Koog's folder of a state home of its own, in which nothing is kept yet."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    (tmp_path / "koog").mkdir(mode=0o700)
    another_process()
    lazy_regex.keep()
    (tmp_path / "koog" / kept_code.NAME).unlink(missing_ok=True)
    yield tmp_path / "koog"
    another_process()


def another_process() -> None:
    compiled.cache_clear()
    lazy_regex._kept.cache_clear()


def key(row: tuple[str, int]) -> str:
    return lazy_regex._key(row[0], int(row[1]))


def as_ever(pattern: str, flags: int) -> bool:
    """Return whether a pattern is what `re.compile` makes of it: two are equal when their codes are."""
    ours, plain = compiled(pattern, flags), re.compile(pattern, flags)
    same = [[m.span() for m in ours.finditer(text)] == [m.span() for m in plain.finditer(text)] for text in TEXTS]
    told = [(each.groups, each.groupindex, each.flags) for each in (ours, plain)]
    return ours == plain and told[0] == told[1] and all(same)


def kept(state: Path) -> Path:
    """Have the whole table kept; return the file."""
    assert all(as_ever(*row) for row in TABLE)
    lazy_regex.keep()
    another_process()
    return state / kept_code.NAME


def test_another_process_takes_what_was_kept(state: Path) -> None:
    file = kept(state)

    assert all(lazy_regex._taken(pattern, int(flags)) == re.compile(pattern, flags) for pattern, flags in TABLE)
    assert file.stat().st_mode & 0o777 == 0o600
    assert lazy_regex._new == {}


@given(PATTERNS.filter(lambda pattern: pattern.count("?P<n>") < 2), FLAGS, st.text("aéßÉ漢xX1 \n", max_size=12))
def test_a_pattern_that_was_kept_finds_what_re_finds(pattern: str, flags: int, text: str) -> None:
    made = lazy_regex._made(pattern, int(flags))
    code, (every, groups, names) = lazy_regex._new[lazy_regex._key(pattern, int(flags))]
    again = lazy_regex._engine(pattern, every, array("I", code).tolist(), groups, names)
    plain = re.compile(pattern, flags)

    assert made == again == plain
    assert [each.groupdict() for each in again.finditer(text)] == [each.groupdict() for each in plain.finditer(text)]


def test_what_is_new_is_added_to_what_others_have_kept(state: Path) -> None:
    file, more = kept(state), "|".join(f"more{n}" for n in range(90))
    before = set(kept_code.read(lazy_regex._system()).rows)
    compiled(more)
    compiled("few")
    lazy_regex.keep()

    assert len(set(kept_code.read(lazy_regex._system()).rows) - before) == 2
    assert before < set(kept_code.read(lazy_regex._system()).rows)
    assert file.exists()


def test_of_names_that_are_looked_for_a_process_keeps_no_more_than_some(state: Path) -> None:
    for n in range(lazy_regex.MOST_PERSONAL + 50):
        assert personal(f"name{n}").match(f"name{n}")

    assert personal.cache_info().currsize <= lazy_regex.MOST_PERSONAL
    assert lazy_regex._new == {}


def test_a_pattern_that_is_wrong_is_told_as_ever(state: Path) -> None:
    with pytest.raises(re.error, match="unterminated"):
        compiled("(a")


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:6],
        lambda data: data[:-40] + bytes(40),
        lambda data: data[:8] + b"[" + data[9:],
        lambda data: b"\xff" * 9000,
    ],
    ids=["empty", "half", "no head", "zeros at its end", "another head", "foreign"],
)
def test_a_torn_or_foreign_file_is_as_none(state: Path, damage: object) -> None:
    file = kept(state)
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]

    assert all(as_ever(*row) for row in TABLE)


def test_numbers_that_are_no_code_are_not_taken(state: Path) -> None:
    """As if another hand had written them, with a checksum that is right."""
    rows = {key(row): (bytes(range(40)) * 20, [0, 3, {"a": 9}]) for row in TABLE[:4]}
    rows |= {key(row): (bytes(400), ["x"]) for row in TABLE[4:]}
    kept_code.write(lazy_regex._system(), rows)

    assert all(as_ever(*row) for row in TABLE)
    lazy_regex.keep()
    another_process()
    assert all(lazy_regex._taken(pattern, int(flags)) is not None for pattern, flags in TABLE)


@pytest.mark.parametrize("rows", [[], {"a": 1}, {"key": [0, "x", 2]}, {"key": [0]}, {"key": {"at": 2}}])
def test_rows_of_another_shape_are_made_anew_and_written_over(state: Path, rows: object) -> None:
    told = {key(TABLE[0]): value for value in rows.values()} if isinstance(rows, dict) else rows
    head = orjson.dumps({"version": kept_code.VERSION, "of": lazy_regex._system(), "rows": told})
    (state / kept_code.NAME).write_bytes(kept_code.START.pack(crc32(head), len(head)) + head)
    kept(state)

    assert all(lazy_regex._taken(pattern, int(flags)) is not None for pattern, flags in TABLE)


@pytest.mark.parametrize("is_read", [True, False])
def test_a_pipe_in_the_new_files_place_keeps_nobody_waiting(state: Path, *, is_read: bool) -> None:
    pipe = state / f"{kept_code.NAME}.new"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK) if is_read else None

    kept(state)

    assert [each.name for each in state.iterdir()] == [pipe.name]
    if reader is not None:
        os.close(reader)


def test_what_another_python_has_kept_is_not_taken(state: Path) -> None:
    kept(state)

    assert kept_code.read("another").rows == {}
    assert kept_code.read(lazy_regex._system()).rows != {}


def test_what_a_koog_to_come_has_kept_otherwise_is_not_taken_and_written_over(state: Path) -> None:
    """Its rows may be of another shape: who adds to them would end in a traceback, with its work done."""
    head = orjson.dumps({"version": 2, "of": lazy_regex._system(), "rows": {"a": 1, "b": {"at": 2}}})
    (state / kept_code.NAME).write_bytes(kept_code.START.pack(crc32(head), len(head)) + head)
    kept(state)

    assert all(lazy_regex._taken(pattern, int(flags)) is not None for pattern, flags in TABLE)


@pytest.mark.parametrize("who", ["file", "folder", "workspace", "link"])
def test_what_somebody_else_may_write_is_not_read(state: Path, who: str) -> None:
    file = kept(state)
    if who == "workspace":
        (state.parent / ".koog").mkdir()
    elif who == "link":
        file.rename(state / "other")
        file.symlink_to("other")
    else:
        (file if who == "file" else state).chmod(0o777)

    assert kept_code.read(lazy_regex._system()).rows == {}
    assert all(as_ever(*row) for row in TABLE)


def test_where_nothing_can_be_kept_all_is_as_ever(state: Path) -> None:
    state.rmdir()
    kept(state)

    assert not state.exists()


def test_what_a_killed_process_has_left_is_written_over(state: Path) -> None:
    (state / f"{kept_code.NAME}.new").write_bytes(b"half" * 100_000)
    kept(state)

    assert lazy_regex._taken(*TABLE[0]) is not None
    assert [path.name for path in state.iterdir()] == [kept_code.NAME]


def test_who_comes_second_leaves_it_to_the_first(state: Path) -> None:
    with (state / f"{kept_code.NAME}.new").open("wb") as first:
        fcntl.flock(first, fcntl.LOCK_EX)
        file = kept(state)

    assert not file.exists()


def test_a_process_keeps_what_it_compiled_unless_it_only_tries(sealed: StateRoot, workspace: Path) -> None:
    file = sealed.path.parent / kept_code.NAME
    own = [sys.executable, "-m", "koog"]  # a fork has it all compiled
    subprocess.run([*own, "--dry-run", "module", "list"], cwd=workspace, check=True, capture_output=True)
    before = file.exists()
    subprocess.run([*own, "module", "list"], cwd=workspace, check=True, capture_output=True)

    assert (before, file.exists()) == (False, True)
