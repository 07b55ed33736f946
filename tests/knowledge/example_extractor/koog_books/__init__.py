"""An extractor as a package of its own brings one: the books that were read, by the word "read" and a title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from koog.knowledge.extractor import Ask, KnowledgeChange, Talk

READ = re.compile(r"\bread ((?:The |A )?[A-Z]\w+(?: [A-Z]\w+)*) by ((?:[A-Z]\w+ ?)+)")


class Books:
    """One line a book, in knowledge/reference/books.md."""

    name, version = "books", 2

    def extract(self, talk: Talk, ask: Ask) -> Iterator[KnowledgeChange]:
        for number, turn in enumerate(talk.turns, 1):
            for title, author in READ.findall(turn.text) if turn.role == "user" else ():
                yield KnowledgeChange(
                    f"{talk.layout.reference}/books.md",
                    "append",
                    "Facts",
                    f"{title} by {author.strip()}",
                    number,
                    title="Books",
                )
