"""What a text must hold for a pattern to match, and the filter that is made of it: no match is ever lost."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from koog.topics.triggers.literals import fold, needs
from koog.topics.triggers.prefilter import Prefilter
from tests.conftest import examples

LETTERS = "abksſKİıςσ -"


@pytest.mark.parametrize(
    ("pattern", "literals"),
    [
        ("email|inbox|mail", ("email", "inbox", "mail")),
        (r"\bPR\b|Pull Request", ("pr", "pull request")),
        (r"foo(?:bar|baz)qux", ("fooba",)),
        (r"a+b?cdef*", ("cde",)),
        (r"(?:ab){2,}", ("ab",)),
        (r"(?P<x>print )\w", ("print ",)),
        (r"(?=zzz)ab", ("ab",)),
        (r"(?!zzz)ab(?<!c)d", ("abd",)),
        (r"(?>atom)ic", ("atom",)),
        (r"(?x) foo  # a comment", ("foo",)),
        (r"\.py$", (".py",)),
        (r"x|", ()),
        (r"\w+", ()),
        (r"(?:optional)?", ()),
        ("|".join(f"word{n}q" for n in range(100)), ("word",)),
        ("long (?:" + "|".join(f"{n}q" for n in range(100)) + ")", ("long ",)),
        ("|".join(f"{chr(97 + n % 26)}{n}" for n in range(100)), ()),
    ],
)
def test_the_literals_of_a_pattern_are_read_off_it(pattern, literals):
    assert needs(pattern).literals == literals


@pytest.mark.parametrize("pattern", ["email|inbox", r"\bmails?\b", r"v\d{1,3}(?:\.\d{1,3}){2}", r"https?://\S+", ".*x"])
def test_a_tame_pattern_is_known(pattern):
    assert needs(pattern).tame


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|a)*b", "(a|ab)*c", "(.*)(.*)=", "(a{1,99}){1,99}", "a?" * 30 + "a" * 30, r"(a*)\1b", "(?=(a+)+b)a"],
)
def test_a_pattern_that_can_backtrack_for_long_is_not_tame(pattern):
    assert not needs(pattern).tame


@pytest.mark.parametrize("pattern", ["a(", "[z-a]", "*a", "(?P<x", "\\"])
def test_what_is_no_pattern_raises(pattern):
    with pytest.raises(re.error):
        needs(pattern)


def test_fold_makes_one_of_all_that_re_takes_for_the_same_letter():
    """Every cased character of Unicode: what IGNORECASE matches has the same fold, at the same place."""
    cased = [c for c in map(chr, range(sys.maxunicode + 1)) if c.lower() != c or c.upper() != c]
    bag = "".join(c for c in cased if not "\ud800" <= c <= "\udfff")

    for c in bag:
        assert len(fold(c)) == 1
        assert {fold(same) for same in re.findall(re.escape(c), bag, re.IGNORECASE)} == {fold(c)}


@given(st.text())
def test_a_folded_text_has_its_letters_where_they_were(text):
    assert [fold(c) for c in text] == list(fold(text))


ATOMS = st.one_of(
    st.text(LETTERS, min_size=1, max_size=4).map(re.escape),
    st.sampled_from([r"\w", r"\s", ".", "[ab]", "[^k]", r"\b", "^", "$", r"(?=a)", r"(?<!b)", r"(?i:K)", r"(?-i:S)"]),
)
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        inner.map(lambda part: f"({part})?"),
        inner.map(lambda part: f"(?:{part}){{1,2}}"),
        inner.map(lambda part: f"(?:{part}){{0,2}}"),
        inner.map(lambda part: f"(?>{part})"),
        inner.map(lambda part: f"(?={part})"),
    ),
    max_leaves=6,
)


@settings(max_examples=examples(300), deadline=None)
@given(PATTERNS, st.text(LETTERS, max_size=12))
@example("s", "ſ")
@example("\u212a", "k")
@example("i", "İ")
@example("ς|Σ", "σ")
@example("a.b", "axb")
@example("a[xy]b", "axb")
@example(r"a\wb", "axb")
@example("a(?:x)?b", "ab")
@example("a(?:x|)b", "ab")
@example("ax*b", "ab")
@example(r"(x)a\1b", "xaxb")
@example("(x)?(?(1)a|b)c", "bc")
def test_a_pattern_that_matches_has_one_of_its_literals_in_the_text(pattern, text):
    literals = needs(pattern).literals

    if literals and re.search(pattern, text, re.IGNORECASE):
        assert any(literal in fold(text) for literal in literals)


WORDS = st.text("ab", min_size=1, max_size=6)


@given(st.dictionaries(st.integers(0, 30), st.lists(WORDS, max_size=3), max_size=20), st.text("abc", max_size=25))
def test_the_filter_finds_exactly_the_owners_of_literals_in_the_text(owners, text):
    found = Prefilter(owners).candidates(text)

    assert found == sorted(n for n, literals in owners.items() if not literals or any(x in text for x in literals))
