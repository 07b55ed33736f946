"""A file's bytes without certain words: what goes whole, and what stays."""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from koog.core.files.roots import READ_LIMIT
from koog.memory.forgetting import called
from koog.memory.forgetting.redact import Words, holds, redacted
from tests.conftest import Koog

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


def test_what_koog_cannot_read_is_told(koog: Koog, sealed: Any, workspace: Path) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    word, raw = "zanzibarquartz", workspace.with_name("ws-raw")
    raw.mkdir(exist_ok=True)
    for path in (Path("memory/note.md"), raw / "note.txt"):
        path.write_text(f"- the {word}\n", "utf-16")
    for path in (Path("scan.pdf"), raw / "scan.pdf", sealed.path / "scan.bin"):
        path.write_bytes(f"%\0 the {word}".encode())
    Path("other.pdf").write_bytes(b"%\0 nothing")
    with (raw / "film.bin").open("wb") as file:
        file.truncate(READ_LIMIT + 1)

    listed = koog("forget", "--hard", "--words", word)[1]
    code, line = koog("forget", "--hard", "--confirm", "--words", word)

    for reply in (listed, line):
        told = dict(each["what"].split(": ", 1) for each in reply["notCleaned"] if ": " in each["what"])
        no_text = {path for path, why in told.items() if "is no text" in why}
        assert no_text == {"memory/note.md", "raw/note.txt", "scan.pdf", "raw/scan.pdf", "state/scan.bin"}
        assert {path for path, why in told.items() if "too large" in why} == {"raw/film.bin"}
        assert not {"memory/note.md", "raw/scan.pdf"} & {each["path"] for each in reply["places"]}
    assert code == 0


@pytest.mark.parametrize("word", ["ts", "koog"])
def test_what_koogs_own_files_are_read_by_stays(koog: Koog, sealed: Any, workspace: Path, word: str) -> None:
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    settings.write_text(json.dumps(json.loads(settings.read_text()) | {"approval": "relayed"}))
    Path(".gitignore").write_text(".koog/\n")
    own, mine = Path("memory/session-summaries.jsonl"), Path("mine.json")
    own.write_text('{"ts":"x","koog":"y","summary":"the ts line of koog"}\n')
    mine.write_text('{"ts": "x", "koog": "y"}\n')

    code, line = koog("forget", "--hard", "--confirm", "--words", word)

    (row,) = own.read_text().splitlines()
    told = [each["what"] for each in line["notCleaned"]]
    assert (code, list(json.loads(row))) == (0, ["ts", "koog", "summary"])
    assert Path(".gitignore").read_text() == ".koog/\n"
    if word == "koog":
        assert any("the name koog, wherever it stands" in each for each in told)
    else:
        assert json.loads(row)["summary"] == "the  line of koog"
        assert list(json.loads(mine.read_text())) == ["", "koog"]
        assert any(each.startswith(f"{own}: its fields") for each in told)


TOLD = "José Quintero keeps the key of the café in Coruña"
EAST = "東京の鍵はだれかの棚の中にある"


@pytest.mark.parametrize("words", [Words.of([TOLD, EAST], []), Words.of([], [TOLD, EAST])], ids=["fact", "named"])
@pytest.mark.parametrize("told", [TOLD, EAST])
@pytest.mark.parametrize(
    "written",
    [
        lambda text: unicodedata.normalize("NFD", text),
        lambda text: text.translate({ord("e"): "e\u00ad", ord("の"): "の\u200b"}),
        lambda text: text.translate({at: at + 0xFEE0 for at in range(ord("A"), ord("z") + 1) if chr(at).isalnum()}),
        lambda text: text.replace(" ", "\u00a0"),
        json.dumps,
        lambda text: json.dumps({"text": json.dumps({"said": f"Hello.\n{text}.\nBye"})}),
        lambda text: json.dumps({"text": json.dumps({"said": unicodedata.normalize("NFD", text)})}),
    ],
    ids=["decomposed", "unseen", "wide", "blanks", "escaped", "json in json", "decomposed in json"],
)
def test_the_words_go_however_they_are_written(written: Callable[[str], str], told: str, words: Words) -> None:
    data = f"# Notes\n\n- {written(told)}\n- The lift is broken\n".encode()

    left = redacted(data, words)

    assert holds(data, words)
    assert not holds(left, words)
    assert "QUINTERO" not in unicodedata.normalize("NFKC", left.decode()).replace("\u00ad", "").upper()
    assert b"The lift is broken" in left


def test_a_name_goes_before_what_is_no_letter_of_its_script() -> None:
    assert redacted("太郎はJonasと会った。\n".encode(), Words.of([], ["Jonas"])).decode() == "太郎はと会った。\n"


def test_a_shorter_name_leaves_nothing_of_a_longer_one() -> None:
    assert b"Lund" not in redacted(b"Met Ana Lund, and Ana too.\n", Words.of([], ["Ana", "Ana Lund"]))
