"""Where the files lie that koog ships beside its code: modules/, skills/, koog-config.json.

In a wheel they are inside the package (koog/shipped/), in a checkout at the top level.
"""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """Return the path of a shipped file or folder, such as `modules` or `koog-config.json`."""
    inside = PACKAGE / "shipped" / name
    return inside if inside.exists() else PACKAGE.parent / name
