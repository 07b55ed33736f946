"""memory/vault/NAME.md: what is kept for good, word for word; nothing fades here.  [moltbot §3, §8.2]

    # A title

    <!-- Kept: 2026-03-04 -->

    the words as they were given

Pure.
"""

from __future__ import annotations

from koog.core.text.untrusted import clean, visible
from koog.memory.store import ids
from koog.memory.store import line as lines
from koog.memory.store.entities import read as fields_of
from koog.memory.store.memories import VAULT, Memory
from koog.sessions import labels
from koog.sessions.labels import Label

FOLDER = "vault"  # in the memory folder
KEPT = "Kept"
TITLE_CHARS = 60


def path(name: str) -> str:
    """Return the file of something kept in the memory folder."""
    return f"{FOLDER}/{name}.md"


def name(text: str) -> str:
    """Return what the file is called: by its words, and without any of them, since audit lines name it.

    >>> name("# Roses\\n\\nRoses are red") == name("# Roses\\n\\nRoses are red.")
    True
    """
    return f"kept-{ids.of_words(words(text))}"


def title(text: str) -> str:
    """Return what a text is called: its first words."""
    first = " ".join(next((row for row in text.splitlines() if ids.slug(row)), "").strip("#>*_ ").split())
    return first if len(first) <= TITLE_CHARS else first[:TITLE_CHARS].rsplit(" ", 1)[0]


def new(text: str, *, name: str, today: str, label: Label) -> str:
    """Return the file: the words as they were given, without secrets and private blocks."""
    told = f"{labels.comment(label)}\n" if labels.comment(label) else ""
    body = clean(visible(text)).strip("\n")
    return f"# {name}\n\n<!-- {KEPT}: {today} -->\n{told}\n{body}\n"


def words(text: str) -> str:
    """Return the words of a file, without its title and comments."""
    rows = text.split("\n")
    if rows and rows[0].startswith("# "):
        rows = rows[1:]
    return "\n".join(row for row in rows if not row.startswith("<!--")).strip()


def memory(text: str, name: str, file: str) -> Memory:
    """Return something kept as one memory."""
    found = lines.read(" ".join(row for row in text.split("\n") if row.startswith("<!--")))
    kept = fields_of(text, name, file).fields.get(KEPT, "")
    return Memory(f"{ids.VAULT}:{name}", VAULT, words(text), file, 1, kept, found.label, pinned=True)
