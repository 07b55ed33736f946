"""A file's bytes without certain words: what goes whole, and what stays."""

from __future__ import annotations

import pytest

from koog.memory.forgetting import called
from koog.memory.forgetting.redact import Words, redacted

GONE = "person--zoltan-vexler"
MARK = called.marks(b"key", [f"entity:{GONE}"]).marks[GONE]


def cut(text: str, *living: str) -> str:
    ids = called.marks(b"key", [f"entity:{GONE}"], [GONE, *living])
    return redacted(text.encode(), Words.of([], ["Zoltan Vexler"], ids)).decode()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("- knows: [[person--zoltan-vexler-2]]", "- knows: [[person--zoltan-vexler-2]]"),
        ("see entities/person--zoltan-vexler-2.md.", "see entities/person--zoltan-vexler-2.md."),
        ("fact:person--zoltan-vexler-2:0a1b2c3d", "fact:person--zoltan-vexler-2:0a1b2c3d"),
        ("- knows: [[person--zoltan-vexler-3]]", "- knows: [[gone]]"),
        ("Person--Zoltan-Vexler", MARK),
        ("person--zoltan-vexler", MARK),
        (r'said {"text": "one\nperson--zoltan-vexler"}', rf'said {{"text": "one\n{MARK}"}}'),
        ("my friend--Zoltan Vexler--came", "my friend----came"),
    ],
)
def test_an_id_goes_whole_or_not_at_all(text: str, left: str) -> None:
    assert cut(text, "person--zoltan-vexler-2") == left
