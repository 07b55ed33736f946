"""A playbook's lines by whose they are: a curation of one project sees and moves no line of another.  [design §7]

The other projects' bullets are covered up while one project's are curated: a cover is no bullet to whoever looks at it,
stays where the line stood, and is taken off again. So every line that is not the project's stands byte for byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from koog.heartbeat.whose import OWN
from koog.playbook import document, heard, item
from koog.sessions import labels
from koog.sessions.audience import Audience, Seen
from koog.sessions.labels import Label
from koog.sessions.taken import HERE

COVER = "\0"


@dataclass(frozen=True)
class Parts:
    """Whose the lines of a playbook are.

    own    the own project's reader
    path   the playbook's
    """

    own: Audience
    path: str

    def key(self, line: str) -> Label:
        """Return whose a bullet is: OWN, or the label of another project or of a group."""
        label = labels.of_line(line)
        if label == OWN:
            return self.own.label_of(self.path)
        is_own = not label.is_group and self.own.line(label, self.path) is Seen.TOLD
        return OWN if is_own else label

    def is_told(self, line: str) -> bool:
        """Return whether a bullet is the own project's, or of the one that the playbook is at home in."""
        key = self.key(line)
        return key == OWN or self.own.is_home(key, self.path)

    def is_one(self, body: Sequence[str]) -> bool:
        """Return whether all bullets are the own project's."""
        return all(item.parse(line) is None or self.key(line) == OWN for line in body)

    def comment(self, label: Label) -> str:
        """Return the comment of a line that is added for a label; "" where the playbook itself is that project's."""
        if label == self.own.label_of(self.path):
            return ""
        return labels.comment(Label(HERE) if label == OWN else label)

    def seen(self, body: Sequence[str], label: Label, who: Audience) -> tuple[str, ...]:
        """Return the body as a curator of this label sees it: line by line, "" for what it may not see."""
        return tuple(line if self._is_seen(line, label, who) else "" for line in body)

    def _is_seen(self, line: str, label: Label, who: Audience) -> bool:
        if item.parse(line):
            return self.key(line) == label
        is_koogs = line.removeprefix("## ").strip() in document.SECTIONS
        return is_koogs or heard.verdict(line, self.path, who) is Seen.TOLD

    def told(self, body: Sequence[str]) -> list[str]:
        """Return the body without the bullets that whoever looks after the workspace is not told of."""
        return [line for line in body if item.parse(line) is None or self.is_told(line)]

    def of(self, body: Sequence[str], label: Label) -> list[str]:
        """Return the bullets of a label, and the headings that they stand under."""
        return [line for line in body if item.parse(line) is None or self.key(line) == label]

    def covered(self, body: Sequence[str], label: Label) -> tuple[list[str], dict[str, str]]:
        """Return the body with the other labels' bullets covered up, and what is under each cover."""
        stem = COVER
        while any(line.startswith(stem) for line in body):
            stem += COVER
        out, under = [], {}
        for n, line in enumerate(body):
            is_others = item.parse(line) is not None and self.key(line) != label
            out.append(f"{stem}{n}" if is_others else line)
            if is_others:
                under[out[-1]] = line
        return out, under


def uncovered(body: Sequence[str], under: dict[str, str]) -> list[str]:
    """Return the body with every cover taken off."""
    return [under.get(line, line) for line in body]
