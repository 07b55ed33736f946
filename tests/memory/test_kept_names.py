"""What koog keeps of the names that files say answers as the files do, and nothing that lies in its place does harm."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.files.state_root import StateRoot
from koog.core.run import Run
from koog.memory.names import kept, known
from koog.memory.names.known import Entries, Known

FOLDER = Path("memory/graph/entities")
TEXT = "# one\n\n<!-- Label: {} -->\n\n## Facts\n\n- It is here\n"
WORDS = ["ana", "b", "é", "王", "x", "1", "ana b", "x 1", "王 b", "the x", ""]
IDS = st.builds("{}--{}".format, st.sampled_from(["person", "tool"]), st.text("ab-1é王", min_size=1, max_size=5))
NAMES = st.lists(st.sampled_from(["Ana", "b", "é", "王", "the x-1", "|", "= 1", " "]), min_size=1, max_size=3)
ROWS = st.dictionaries(IDS, st.tuples(st.lists(NAMES.map(" ".join), min_size=1, max_size=3), st.booleans()), max_size=8)


@pytest.fixture
def cache(sealed: StateRoot, workspace: Path) -> Path:
    """The file in which names are kept, of a workspace with three entities that are known by now."""
    FOLDER.mkdir(parents=True)
    for id_, name in (("person--ana", "Ana"), ("person--bo", "Bo"), ("tool--atlas", "Atlas")):
        (FOLDER / f"{id_}.md").write_text(TEXT.format(name))
    age()
    assert called() == {"person--ana": "Ana", "person--bo": "Bo", "tool--atlas": "Atlas"}
    return sealed.path / known.CACHE


def age() -> None:
    time.sleep(2 * known.TICK_NS / 1e9)


def called() -> dict[str, str]:
    return {id_: each.label for id_, each in known.load(Run()).entries.items()}


@given(ROWS)
def test_what_is_read_as_far_as_it_is_asked_for_is_what_all_of_it_says(
    found: dict[str, tuple[list[str], bool]],
) -> None:
    link = [1, "tool--a", "owns", "tool--b", "medium", ""]
    rows = {
        id_: [1, 2, 3, names[0], names, [link] if is_linked else [], [known.key(name) for name in names]]
        for id_, (names, is_linked) in sorted(found.items(), key=lambda item: f"{item[0]}.md")
    }
    text = kept.render("m", rows)

    def both() -> tuple[Known, Known]:
        return Known(Entries(kept.Kept(text))), Known({id_: known._name(id_, row) for id_, row in rows.items()})

    assert kept.rows(text, is_own=True) == kept.rows(text, is_own=False) == rows
    for id_ in (*rows, "person--nobody", "a", "~"):
        assert kept.Kept(text).row(id_) == rows.get(id_)
    some, every = both()
    for word in WORDS:
        assert some.people(word) == every.people(word)
        assert some.called(word) == every.called(word)
        assert some.having({word}) == every.having({word})
    assert some.within("Ana b and the x 1, é王") == every.within("Ana b and the x 1, é王")
    assert some.words >= every.words
    for kind in ("person", "tool"):
        some, every = both()
        assert [some.meant(word, kind) for word in WORDS] == [every.meant(word, kind) for word in WORDS]


def test_where_no_file_has_changed_none_is_read_and_nothing_is_written(cache: Path) -> None:
    before = cache.stat()

    assert isinstance(known.load(Run()).entries, Entries)
    assert cache.stat() == before


def test_that_there_is_nobody_is_kept_too(cache: Path) -> None:
    for path in FOLDER.iterdir():
        path.unlink()
    assert called() == {}
    before = cache.stat()

    assert "person--ana" not in known.load(Run()).entries
    assert cache.stat() == before


def test_a_second_change_within_one_tick_of_the_clock_is_seen(cache: Path) -> None:
    """Most file systems keep times by the clock's ticks: the second change has the time of the first."""
    path = FOLDER / "person--ana.md"
    path.write_text(TEXT.format("Eva"))
    assert called()["person--ana"] == "Eva"

    assert kept.Kept(cache.read_text()).mark == ""
    assert kept.rows(cache.read_text(), is_own=True)["person--ana"][1] != path.stat().st_ctime_ns
    age()
    assert called()["person--ana"] == "Eva"
    assert kept.rows(cache.read_text(), is_own=True)["person--ana"][1] == path.stat().st_ctime_ns


@pytest.mark.parametrize(
    ("changed", "at", "is_young"),
    [
        (1_795_000_000_123_456_789, 1_795_000_000_130_000_000, True),
        (1_795_000_000_123_456_789, 1_795_000_000_150_000_000, False),
        (1_795_000_000_000_000_000, 1_795_000_001_900_000_000, True),  # it keeps whole seconds
        (1_795_000_000_000_000_000, 1_795_000_002_100_000_000, False),
        (1_795_000_999_123_456_789, 1_795_000_000_000_000_000, True),  # the clock was put back
    ],
)
def test_a_time_is_trusted_once_nothing_more_can_hide_behind_it(changed: int, at: int, *, is_young: bool) -> None:
    assert known._is_young(changed, at) is is_young


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b'"Bo"', b"\0\0\0\0", 1),
        lambda data: data.replace(b'"person--bo"', b'"person--bu"', 1),
        lambda data: data.replace(b"| bo =1", b"| bo =0", 1),
        lambda data: data[:-9] + bytes(9),
        lambda data: b"\xff" * len(data),
    ],
    ids=["empty", "half", "zeros", "another id", "another number", "zeros at its end", "foreign"],
)
def test_a_torn_file_is_as_none(cache: Path, damage: object) -> None:
    """It is not synced, and the rows in its midst are not read before somebody asks for them."""
    whole = cache.read_bytes()
    cache.write_bytes(damage(whole))  # type: ignore[operator]
    names = known.load(Run())

    assert [each.id for each in names.people("bo")] == names.called("bo") == ["person--bo"]
    assert names.entries["person--bo"].label == "Bo"


@pytest.mark.parametrize("how", ["in its place", "another in its place", "exchanged"])
def test_a_file_that_looks_as_before_is_read_again(cache: Path, how: str) -> None:
    path, text = FOLDER / "person--ana.md", TEXT.format("Eva")
    before = path.stat()
    if how == "in its place":
        path.write_text(text)
    elif how == "exchanged":
        path.rename("aside")
        (FOLDER / "person--bo.md").rename(path)
        Path("aside").rename(FOLDER / "person--bo.md")
    else:
        Path("new").write_text(text)
        Path("new").rename(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert called()["person--ana"] == ("Bo" if how == "exchanged" else "Eva")
