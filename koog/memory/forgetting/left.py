"""What a deletion for good does not clean, and what does: told, so that it is not taken for gone.  [moltbot §8.3]"""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote
from typing import TYPE_CHECKING, Any

from koog.core.files import sweep
from koog.core.files.roots import BARRED
from koog.memory.forgetting import called, elsewhere
from koog.memory.forgetting.inside import Inside
from koog.memory.forgetting.redact import Words, holds, is_text, redacted
from koog.memory.names import spelling

if TYPE_CHECKING:
    from koog.core.run import Run
    from koog.memory.forgetting.deleting import Wanted

OWN = "koog's own files are written with it"
OTHERS = "an ordinary word, or another's too"
PART = "a part of a name that goes: others may be called so"
FIELDS = "its fields are called so: koog reads it by that"
TOO_LARGE = "too large to be read, or not to be read by koog: it may hold the words"
NO_TEXT = "it holds the words, and is no text that koog reads: they stay in it"
NAME_WORDS = 3  # of a file's name: so many in a row tell what was remembered


def not_cleaned(run: Run, what: Wanted) -> list[dict[str, Any]]:
    """Return what koog does not clean, and what does."""
    found = [
        {"what": "the sessions that hosts keep themselves", "command": "delete them in the host"},
        {
            "what": "git's history, with its messages and the names of files, here and in every clone; that of the "
            "transcripts too, where they have one",
            "command": "git filter-repo --force --replace-text FILE --replace-message FILE, where FILE has a line for "
            "each text that is to go; for a file's name git filter-repo --force --invert-paths --path NAME",
        },
        {
            "what": "git's reflog and index (.git/logs, .git/index), with messages and the names of files, and the "
            "objects that only they lead to",
            "command": "git reflog expire --expire=now --all && git gc --prune=now",
        },
    ]
    words = what.words(run)
    found += [
        {"what": f"{words.cut(path)}: {why}", "command": "look into it, and delete it or what it holds of them"}
        for path, why in _unread(run, words)
    ]
    found += [
        {"what": f"the name of {path}", "command": f"git mv -- {quote(path)} NAME, and what links to it"}
        for path in _names_with(run, what)
    ]
    found += [
        {
            "what": f"the name {name}, wherever it stands: {_why(name, what)}",
            "command": "edit the files that are none of koog's"
            if called.is_own(name)
            else f"koog forget --hard --confirm --words {quote(name)}",
        }
        for name in what.kept
    ]
    if run.notes_root:
        found.append({"what": "your notes around the workspace, in which koog does not write", "command": "edit them"})
    return found


def _why(name: str, what: Wanted) -> str:
    """Return why a name stays."""
    if called.is_own(name):
        return OWN
    return PART if any(name in longer.split() for longer in what.named if longer != name) else OTHERS


def _unread(run: Run, words: Words) -> Iterator[tuple[str, str]]:
    """Yield the files in which the words may stand and stay, and why."""
    for name, root in (("", run.workspace.files), *elsewhere.roots(run)):
        change = elsewhere.change(name, words)
        for path in sweep.files(root, but=elsewhere.but(name)):
            told, data = f"{name}/{path}".lstrip("/"), sweep.read(root, path)
            if data is None:
                why = TOO_LARGE if sweep.is_unread(root, path) else ""
            elif is_text(data):
                stays = change(path, data) is not None and (name or elsewhere.is_own(run, path))
                why = FIELDS if stays and _has_fields(data, words) else ""
            else:
                why = NO_TEXT if holds(data, words) and change(path, data) == data else ""
            if why:
                yield told, why


def _has_fields(data: bytes, words: Words) -> bool:
    """Return whether the words stand in a file of JSON when they are gone from its values."""
    if data[:1] not in (b"{", b"[") or not words.may_stand_in(data):
        return False
    return words.stand_in(redacted(data, words).decode("utf-8", "replace"))


def _names_with(run: Run, what: Wanted) -> Iterator[str]:
    """Yield the workspace's files that carry the words in their names, by which others may lead to them."""
    texts = [f" {spelling.key(text)} " for text in (*what.phrases, *what.named)]
    gone = Inside(run, what, what.words(run)).gone
    for path in sweep.files(run.workspace.files, but=BARRED):
        if path in gone:
            continue
        said = spelling.key(path.rpartition("/")[2].rpartition(".")[0].replace("_", " "))
        is_long = len(said.split()) >= NAME_WORDS or (not said.isascii() and len(said) >= NAME_WORDS)
        if any((is_long and f" {said} " in text) or text in f" {said} " for text in texts):
            yield path
