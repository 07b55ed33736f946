"""The daily note as the miner's engines see it: plain text with its place in the workspace.  [sinain §4.5]"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Note:
    """A daily note, or the part of it that is to be read now.

    path        relative to the workspace, "memory/2026-02-17.md"
    date        YYYY-MM-DD, from the file name
    text        private blocks and secrets already removed; line breaks as in the file
    first_line  the file's line number of the text's first line, from 1
    """

    path: str
    date: str
    text: str
    first_line: int = 1
