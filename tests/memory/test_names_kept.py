"""The names of entities as koog keeps them: who reads a few of them finds what is found among all of them."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.files import listing
from koog.core.files.state_root import StateRoot
from koog.core.run import Run
from koog.memory.answering import question
from koog.memory.answering.traversal import Graph
from koog.memory.names import kept, known, reading, spelling
from koog.memory.names.entries import Entries, Name
from koog.memory.names.known import Known
from koog.search import sources
from tests.conftest import Koog

FOLDER = Path("memory/graph/entities")
TEXT = "# one\n\n<!-- Label: {} -->\n\n## Facts\n\n- It is here\n"
NOW = "2026-03-04T10:00:00Z"
WORDS = st.sampled_from("Ana Ruíz Eva Atlas Planner the der C++ North-West 東京 Büro 2 ana plannér Dr Mrs".split())
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
KINDS = st.sampled_from(["person", "project", "place", "organization"])
ENTITIES = st.dictionaries(st.tuples(KINDS, NAMES), st.lists(NAMES, max_size=2), max_size=12)


def both(made: dict[tuple[str, str], list[str]]) -> tuple[Known, Known]:
    """Return the same entities, all of them read, and as they are kept."""
    ids = [f"{kind}--{spelling.key(name).replace(' ', '-')}" for kind, name in made]
    rows = {}
    for id_, ((_, name), more) in sorted(zip(ids, made.items(), strict=True), key=lambda pair: f"{pair[0]}.md"):
        links = [[3, id_, "uses", ids[0], "medium", ""]] if more else []
        rows[id_] = [1, 2, 3, name, [name, *more], links, list(map(spelling.key, [name, *more]))]
    read = kept.opened(kept.render("mark", rows))
    assert read is not None and read.mark == "mark" and kept.rows(kept.render("", rows), is_own=False) == rows
    names = {id_: Name(id_, row[3], tuple(row[4]), row[5], tuple(row[6])) for id_, row in rows.items()}
    return Known(names), Known(Entries(read))


@given(ENTITIES, st.lists(WORDS, max_size=6).map(" ".join), NAMES, KINDS)
def test_a_name_is_found_among_a_few_as_among_all(made, text, name, kind):
    every, few = both(made)

    assert few.within(text) == every.within(text)
    assert list(few.within(text)) == list(every.within(text))
    assert few.called(spelling.key(name)) == every.by_name.get(spelling.key(name), [])
    for word in spelling.key(f"{name} {text}").split():
        assert [each.id for each in few.people(word)] == every.by_part.get(word, [])
        assert few.having({word}) == [e for e in every.entries.values() if any(word in k.split() for k in e.keys)]
    assert few.words >= every.words
    assert few.meant(name, kind, about=[text]) == every.meant(name, kind, about=[text])


@given(ENTITIES, ENTITIES, st.lists(WORDS, max_size=6).map(" ".join), NAMES, KINDS)
def test_what_is_learned_is_found_as_what_was_known(made, more, text, name, kind):
    new = set(both(more)[0].entries)
    made = {(k, n): also for (k, n), also in made.items() if not new & set(both({(k, n): also})[0].entries)}
    whole, _ = both(made | more)
    every, few = both(made)
    for each in every, few:
        each.within(text), each.called(name), each.people(name), each.having({name})
        for id_ in new:
            each.learn(whole.entries[id_])

    for each in every, few:
        assert list(each.within(text).items()) == list(whole.within(text).items())
        assert [each.called(spelling.key(name)), each.entries] == [whole.called(spelling.key(name)), whole.entries]
        for word in spelling.key(f"{name} {text}").split():
            assert each.people(word) == whole.people(word)
        assert each.meant(name, kind, about=[text]) == whole.meant(name, kind, about=[text])
        assert each.words >= whole.words


@given(ENTITIES, st.lists(WORDS, min_size=1, max_size=5).map(" ".join))
def test_a_question_means_the_same_whoever_has_read_the_names(made, text):
    every, few = both(made)

    assert question._misspelt({"atlsa", "plannner"}, few, ()) == question._misspelt({"atlsa", "plannner"}, every, ())
    assert [few.entries[id_] for id_ in every.entries] == list(every.entries.values())
    assert "person--nobody" not in few.entries and len(few.entries) == len(every.entries)
    assert Graph(few.entries).links == Graph(every.entries).links
    assert list(few.entries) == list(every.entries)


def age() -> None:
    """Wait until the times of all files are trusted."""
    time.sleep(2 * reading.TICK_NS / 1e9)


def told(koog: Koog, text: str, name: str) -> None:
    code, line = koog("--now", NOW, "remember", text, "--store", "semantic", "--entity", name)
    assert code == 0, line
    age()


@pytest.mark.usefixtures("sealed")
def test_names_are_kept_while_no_file_differs_and_read_again_when_one_does(koog: Koog):
    told(koog, "Ana Ruiz lives in Berlin", "Ana Ruiz")
    told(koog, "Atlas uses Redis", "Atlas")
    first, second = (known.load(Run(now_text=NOW)) for _ in range(2))
    assert not isinstance(first.entries, Entries) and isinstance(second.entries, Entries)
    assert dict(second.entries) == first.entries
    path = Path("memory/graph/entities/person--ana-ruiz.md")
    before, text = path.stat(), path.read_text()

    path.write_text(text.replace("Label: Ana", "Label: Eva"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert known.load(Run(now_text=NOW)).called("eva ruiz") == ["person--ana-ruiz"]


@pytest.mark.usefixtures("sealed")
def test_what_is_no_file_is_no_entity_and_a_link_is_followed_each_time(koog: Koog):
    told(koog, "Ana Ruiz lives in Berlin", "Ana Ruiz")
    folder = Path("memory/graph/entities")
    (folder / "person--eva.md").mkdir()
    os.mkfifo(folder / "person--piotr.md")
    assert [list(known.load(Run(now_text=NOW)).entries) for _ in range(2)] == [["person--ana-ruiz"]] * 2

    (folder / "person--mei.md").symlink_to("person--ana-ruiz.md")

    found = [known.load(Run(now_text=NOW)).entries for _ in range(2)]
    assert [list(each) for each in found] == [["person--ana-ruiz", "person--mei"]] * 2
    assert not any(isinstance(each, Entries) for each in found)


@pytest.mark.usefixtures("sealed")
def test_what_the_index_has_looked_at_is_not_looked_at_again(koog: Koog, workspace: Path):
    told(koog, "Ana Ruiz lives in Berlin", "person--ana-ruiz")
    run = Run(now_text=NOW)
    folder = "memory/graph/entities"

    look = sources.scan(sources.of(run)).look_at(folder)

    assert look is not None and look.mark == listing.look(run.workspace.files.folder(folder), ".md").mark
    (workspace / folder / "person--ana-ruiz.md").unlink()
    assert list(known.load(run, look).entries) == ["person--ana-ruiz"] and not known.load(run).entries


# --- the file in which they are kept


@pytest.fixture
def cache(sealed: StateRoot, workspace: Path) -> Path:
    """The file in which names are kept, of a workspace with three entities that are known by now."""
    FOLDER.mkdir(parents=True)
    for id_, name in (("person--ana", "Ana"), ("person--bo", "Bo"), ("tool--atlas", "Atlas")):
        (FOLDER / f"{id_}.md").write_text(TEXT.format(name))
    age()
    assert called() == {"person--ana": "Ana", "person--bo": "Bo", "tool--atlas": "Atlas"}
    return sealed.path / reading.CACHE


def written(file: Path) -> tuple[int, int]:
    info = file.stat()
    return info.st_ino, info.st_ctime_ns


def called() -> dict[str, str]:
    return {id_: each.label for id_, each in known.load(Run()).entries.items()}


def test_where_no_file_has_changed_none_is_read_and_nothing_is_written(cache: Path) -> None:
    before = written(cache)

    assert isinstance(known.load(Run()).entries, Entries)
    assert written(cache) == before


def test_that_there_is_nobody_is_kept_too(cache: Path) -> None:
    for path in FOLDER.iterdir():
        path.unlink()
    assert called() == {}
    before = written(cache)

    assert "person--ana" not in known.load(Run()).entries
    assert written(cache) == before


def test_a_second_change_within_one_tick_of_the_clock_is_seen(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most file systems keep times by the clock's ticks: the second change has the time of the first."""
    path = FOLDER / "person--ana.md"
    path.write_text(TEXT.format("Eva"))
    with monkeypatch.context() as clock:
        clock.setattr(time, "time_ns", lambda: path.stat().st_ctime_ns + 1_000_000)  # however slow the machine is
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
    assert reading.is_young(changed, at) is is_young


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
