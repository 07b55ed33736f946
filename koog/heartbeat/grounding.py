"""Which line of a note a mined text rests on, and who is behind it.  [sinain §4.5]"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import PurePosixPath
from typing import Any

from koog.core.lazy_regex import compiled
from koog.core.text import grounding, markdown, notes_of, pasted, trust
from koog.core.text.notes import of_note
from koog.core.text.statement import Statement
from koog.core.text.untrusted import visible
from koog.core.text.voices import AGENT, ASSISTANT, NOTE, TALK, TOOL
from koog.heartbeat.findings import QUOTED
from koog.heartbeat.notes import Note


def place(text: str, note: Note, line: int | None) -> int | None:
    """Return the line that a text rests on: the cited one, else the most alike; None when none does.

    Of a contradiction only the observation has to stand in the note.
    """
    cited = None if line is None else line - note.first_line
    found = grounding.row(_observed(text), note.text.split("\n"), cited)
    return None if found is None else found + note.first_line


def cited(file: str | None, line: int | None, paths: Collection[str]) -> tuple[list[str], int | None]:
    """Return the files that a model means by a name, all where it gives none, and the line.

    It may give the day or the bare name, words around it, or the line behind a colon.

    >>> cited("File 2026-02-27.md:4", None, ["memory/2026-02-27.md", "memory/2026-02-27-pods.md"])
    (['memory/2026-02-27.md'], 4)
    >>> cited("memory/2026-02-27.md", 4, ["memory/2026-02-27.md", "memory/old/2026-02-27.md"])
    (['memory/2026-02-27.md'], 4)
    """
    if not (named := (file or "").strip()):
        return list(paths), line
    if line is None and (behind := compiled(r":\s*L?(\d{1,7})\b").search(named)):
        line = int(behind[1])
    if named in paths:
        return [named], line
    meant = {len(stem): path for path in paths if (stem := PurePosixPath(path).stem) in named}
    return [meant[max(meant)]] if meant else [], line


def _observed(text: str) -> str:
    """Return what was said, of a contradiction the observation alone."""
    quoted = QUOTED.match(text)
    return quoted["text"] if quoted else text


class Lines:
    """The lines of a note, and who is behind each."""

    def __init__(self, note: Note) -> None:
        self.note = note
        self.rows = note.text.split("\n")
        said = of_note(note.text, path=note.path, first_line=note.first_line, day=note.date)
        self.said: dict[int, Statement] = {}
        for each in said:
            self.said.setdefault(each.line, each)
        pieces = markdown.pieces(visible(note.text), first_line=note.first_line)
        code = [(p.line, p.line + p.text.count("\n")) for p in pieces if p.kind == "code"]
        self.code = frozenset(n for first, last in code for n in range(first, last + 1))
        self.mailed = frozenset(n + note.first_line - 1 for n in pasted.mailed(note.text))

    def verdict(self, text: str, line: int, kind: str) -> str:
        """Return what becomes of a text by what it says and by the line that it rests on."""
        text, said = _observed(text), self._at(line)
        register = TALK if said and said.role == ASSISTANT else NOTE
        as_kind = "preference" if kind == "preferences" else trust.PATTERN
        told = ((text, self._behind(text, line)), (self._row(line), self.trust(line)))
        found = [trust.verdict(t, who, register=register, kind=as_kind) for t, who in told]
        return trust.strictest(*found, trust.LEFT if kind == "preferences" and self._is_anothers(line) else trust.TAKEN)

    def _is_anothers(self, line: int) -> bool:
        """Return whether a line stands in somebody else's letter or note: what is wished for there the person does not.

        What is quoted in a row is known by its words.
        """
        said = self._at(line)
        return line in self.mailed or (said is not None and notes_of.is_named(said.heading))

    def place(self, text: str, line: int) -> dict[str, Any]:
        """Return the evidence of a text that rests on a line."""
        return {"file": self.note.path, "line": line, "date": self.note.day_at(line), "trust": self._behind(text, line)}

    def _behind(self, text: str, line: int) -> str:
        return grounding.behind(_observed(text), self._row(line), self.trust(line))

    def _row(self, line: int) -> str:
        return self.rows[line - self.note.first_line]

    def trust(self, line: int) -> str:
        """Return who is behind a line: of observations each says so; of a note its writer, unless a line says who."""
        if known := self.note.trust_at(line):
            return known
        if line in self.code:
            return TOOL
        said = self._at(line)
        return said.trust if said else AGENT

    def _at(self, line: int) -> Statement | None:
        """Return the sentence that stands on a line, or began above it."""
        for above in range(line, self.note.first_line - 1, -1):
            if above in self.said:
                return self.said[above]
            if not self.rows[above - self.note.first_line].strip():
                break
        return None
