"""The chain's digests are HMACs; which records stand for lines of the log, after deletions and digests."""

from __future__ import annotations

import hmac

from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.files import chain, keyed
from koog.core.files.chain import ACCEPTED, DIGESTED, FOUND, NONE, REDACTED, SEALED, SEGMENT, Record


@given(st.binary(max_size=200), st.binary(max_size=300))
@example(b"k" * 65, b"")
def test_a_digest_is_an_hmac(key, text):
    assert keyed.digest(key, text) == hmac.digest(key, text, "sha256").hex()


marks = st.sampled_from("abcd")
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from([SEALED, FOUND, ACCEPTED]), marks),
        st.tuples(st.just(REDACTED), marks, marks),
        st.tuples(st.just(DIGESTED), st.integers(0, 12)),
        st.tuples(st.just(SEGMENT)),
    ),
    max_size=24,
)


@given(steps)
@example([(SEALED, "a"), (REDACTED, "a", "b"), (SEALED, "a"), (REDACTED, "b", "c")])
def test_a_deletion_changes_the_lines_before_it_and_none_behind(made):
    records, number, expected = [], 0, []
    for kind, *of in made:
        if kind in (SEALED, FOUND, ACCEPTED):
            number += 1
            records.append(Record(kind, number, of[0], "r", NONE, ""))
            expected.append([number, of[0]])
        elif kind == REDACTED:
            records.append(Record(kind, 0, of[0], "x", of[1], ""))
            expected = [[n, of[1] if line == of[0] else line] for n, line in expected]
        elif kind == DIGESTED:
            records.append(Record(kind, 0, NONE, str(of[0]), NONE, ""))
            expected = [[n, line] for n, line in expected if n > of[0]]
        else:
            records.append(Record(kind, number, NONE, "clone", NONE, ""))
            expected = []

    assert [[r.number, r.line] for r in chain.lines(records)] == expected
