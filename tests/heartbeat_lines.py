"""The commands that a skill's Markdown tells an agent to run.  [sinain §6]"""

from __future__ import annotations

import re
import shlex

BASH_BLOCK = re.compile(r"^```bash\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def command_lines(text: str) -> list[list[str]]:
    """Return each command of the fenced bash blocks as its arguments, in reading order.

    A line is a command: there are no continuations, comments or variables to resolve.
    Raises ValueError for a line with an unclosed quote.
    """
    return [shlex.split(line) for block in BASH_BLOCK.findall(text) for line in block.splitlines() if line.strip()]
