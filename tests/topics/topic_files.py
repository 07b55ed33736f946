"""Topic files for tests: frontmatter and body from keywords."""

from __future__ import annotations

from pathlib import Path
from typing import Any

# Its score beside a message about deploying lies between the floor of the gate and confidence.
DEPLOY: dict[str, Any] = {
    "triggers": ['{type: pattern, match: "deploy|rollback"}'],
    "description": "Deploying the service to production and rolling back.",
    "body": "# Deployment\n\nCheck the build, tag the release, deploy to staging first, watch the error rate for ten "
    "minutes, then production. When the error rate rises, roll back and open an incident.\n",
}


def topic_file(
    *,
    triggers: list[str],
    activation: str = "gated",
    priority: str = "medium",
    body: str = "# A topic\n\nWhat to do about it.\n",
    **keys: Any,
) -> str:
    """Return a topic file. triggers: YAML flow mappings; keys: further frontmatter, as YAML writes it."""
    more = "".join(f"{key}: {value}\n" for key, value in keys.items())
    rows = "".join(f"  - {row}\n" for row in triggers)
    return f"---\ntype: topic\ntriggers:\n{rows}activation: {activation}\npriority: {priority}\n{more}---\n\n{body}"


def put(workspace: Path, name: str, text: str) -> None:
    (workspace / "topics").mkdir(exist_ok=True)
    (workspace / "topics" / f"{name}.md").write_text(text)
