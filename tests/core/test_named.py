"""koog's NamedTuple can what typing's can."""

from __future__ import annotations

import copy
import pickle
import sys
import typing
from inspect import signature

import pytest

from koog.core.named import NamedTuple


class Theirs(typing.NamedTuple):
    """A place."""

    name: str
    line: int = 0
    tags: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        return f"{self.name}:{self.line}"

    def at(self, line: int) -> Theirs:
        return self._replace(line=line)


class Ours(NamedTuple):
    """A place."""

    name: str
    line: int = 0
    tags: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        return f"{self.name}:{self.line}"

    def at(self, line: int) -> Ours:
        return self._replace(line=line)


class Nothing(NamedTuple):
    """No field at all."""


class More(Ours):
    """A class of such a class."""


@pytest.mark.parametrize(
    "made",
    [
        lambda kind: kind("a"),
        lambda kind: kind("a", 2, ("x",)),
        lambda kind: kind(tags=("x",), name="a"),
        lambda kind: kind("a").at(7),
        lambda kind: kind._make(["a", 2, ()]),
        lambda kind: kind("a")._replace(name="b", tags=("y",)),
    ],
)
def test_what_is_made_is_the_same(made):
    ours, theirs = made(Ours), made(Theirs)

    assert tuple(ours) == tuple(theirs) and ours == theirs and hash(ours) == hash(theirs)
    assert ours._asdict() == theirs._asdict()
    assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
    assert (ours.name, ours.line, ours.tags, ours.told) == (theirs.name, theirs.line, theirs.tags, theirs.told)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda kind: kind(), TypeError),
        (lambda kind: kind("a", 1, (), 4), TypeError),
        (lambda kind: kind("a", other=1), TypeError),
        (lambda kind: kind("a", name="b"), TypeError),
        (lambda kind: kind._make(["a", 1, (), 4]), TypeError),
        (lambda kind: kind._make(["a"]), TypeError),
        (lambda kind: kind("a")._replace(other=1), ValueError),
        (lambda kind: setattr(kind("a"), "name", "b"), AttributeError),
        (lambda kind: setattr(kind("a"), "other", "b"), AttributeError),
    ],
)
def test_what_is_wrong_is_no_less_wrong(wrong, error):
    for kind in (Ours, Theirs):
        with pytest.raises(error):
            wrong(kind)


def test_a_call_that_is_wrong_names_the_field():
    with pytest.raises(TypeError, match=r"Ours\.__new__\(\) missing 1 required positional argument: 'name'"):
        Ours()


def test_the_classes_tell_the_same_of_themselves():
    assert (Ours._fields, Ours.__match_args__, Ours.__doc__) == (Theirs._fields, Theirs.__match_args__, Theirs.__doc__)
    assert Ours._field_defaults == Theirs._field_defaults
    assert Ours.__annotations__.keys() == Theirs.__annotations__.keys()
    assert list(signature(Ours).parameters) == list(signature(Theirs).parameters)
    assert (Ours.__module__, Ours.__qualname__) == (__name__, "Ours") and issubclass(Ours, tuple)


def test_it_is_taken_apart_by_a_match():
    match Ours("a", 2):
        case Ours(name=name, line=2):
            assert name == "a"
        case _:
            pytest.fail("no match")
    match Ours("a", 2):
        case Ours(name, line, tags):
            assert (name, line, tags) == ("a", 2, ())


def test_it_is_pickled_and_copied():
    assert Nothing() == ()
    assert pickle.loads(pickle.dumps(Ours("a", 2)))._replace(line=3) == Ours("a", 3)


def test_a_class_of_it_makes_its_own_kind():
    assert type(More("a").at(2)) is More and More._make(["a", 1, ()]) == ("a", 1, ())


def test_two_classes_of_as_many_fields_know_their_own():
    class One(NamedTuple):
        left: int
        right: int = 1

    class Other(NamedTuple):
        up: int = 5
        down: int = 6

    assert (One(1), One(left=2, right=3), Other(), Other(down=1)) == ((1, 1), (2, 3), (5, 6), (5, 1))


@pytest.mark.skipif(sys.version_info < (3, 13), reason="copy.replace is new in 3.13")
def test_a_copy_with_other_values_is_made_as_the_library_makes_it() -> None:
    assert copy.replace(Ours("a"), line=3) == Ours("a", 3)
