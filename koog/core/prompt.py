"""`<verb>.prompt.md` files: frontmatter that declares the inputs, then `# System` and `# User`.  [style.md §2.6]

Placeholders are `$name` (string.Template): prompts are full of JSON braces, and a
text that itself holds `$HOME {x}` passes through untouched. Each input stands
between tags in the prompt; `fill` makes sure that no input can close or open one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from string import Template

from koog.core import shipped
from koog.core.text import frontmatter
from koog.core.text.untrusted import clean, defang, visible


@dataclass(frozen=True)
class Prompt:
    """One prompt file: `id@version` is what `_meta.prompt` and an odd memory are traced by."""

    id: str
    version: int
    inputs: tuple[str, ...]
    system: str
    user: str

    @property
    def name(self) -> str:
        return f"{self.id}@{self.version}"

    def fill(self, **values: str) -> tuple[str, str]:
        """Return (system, user) with every declared input in its place.

        The values are data: hidden characters, HTML comments, private blocks and secrets
        are taken out and tags of this prompt's inputs are blunted. The system text takes no input,
        so that it is the same prefix in every call.

        Raises ValueError when the values are not exactly the declared inputs.
        """
        if set(values) != set(self.inputs):
            raise ValueError(f"{self.id}: declared {sorted(self.inputs)}, given {sorted(values)}")
        safe = {
            name: defang(clean(visible(text)), self.inputs).strip("\n") or "(none)" for name, text in values.items()
        }
        return self.system, Template(self.user).substitute(safe)


def load(path: Path) -> Prompt:
    """Read one prompt file. Raises ValueError when its declared inputs are not the used ones."""
    head, body = frontmatter.parse(shipped.text(path))
    sections = re.split(r"^# (System|User)\n", body, flags=re.MULTILINE)
    parts = dict(zip(sections[1::2], (s.strip() for s in sections[2::2]), strict=True))
    prompt = Prompt(
        id=str(head["id"]),
        version=int(str(head["version"])),
        inputs=tuple(str(name) for name in head["inputs"]),
        system=parts["System"],
        user=parts["User"],
    )
    used = set(Template(prompt.user).get_identifiers())
    if used != set(prompt.inputs):
        raise ValueError(f"{path.name}: declares {sorted(prompt.inputs)}, uses {sorted(used)}")
    return prompt
