"""Who says something, in which role and where: the names of it. What was said is a Statement (statement.py)."""

from __future__ import annotations

# Who stands behind the words. A person's are his own; all others are data, whatever they say of themselves.
PERSON, AGENT, TOOL, QUOTED, IMPORTED = "person", "agent", "tool", "quoted", "imported"
TRUSTS = (PERSON, AGENT, TOOL, QUOTED, IMPORTED)
USER, ASSISTANT, NOTE = "user", "assistant", "note"  # roles; TOOL is one, too
OF_ROLE = {USER: PERSON, ASSISTANT: AGENT, TOOL: TOOL}  # who stands behind what is said
TALK = "talk"  # the other register is NOTE
