"""How much of a tick's prompt is the same as at the tick before, from its first letter on?

    python bench/prefix.py

Providers charge little for what two prompts begin with. The demo's month of notes,
two active ticks half an hour apart with an instant model on loopback that has little
to say, and a sentence in today's note between them. Prints one JSON line: for each step the prompt's
characters and the share that both prompts begin with, and the same for the whole
tick; the reference is the share that a prompt of the same parts in the order of
their change would have at best: everything but the lines that really differ.
"""

from __future__ import annotations

import difflib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.fakes.model import FakeModel  # noqa: E402  the checkout is not installed

ANSWERS = {
    "signal": {"signals": [], "recommendedAction": {"action": "skip", "task": None, "confidence": 0.1}},
    "feedback": {"interpretation": "Nothing yet."},
    "curate": {"operations": []},
    "synthesize": {"skip": True, "skipReason": "nothing that connects"},
}
DAY = "2026-03-01"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, FakeModel() as model:
        model.always(lambda request: ANSWERS[step_of(request)])
        env = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "KOOG_ENGINE": "llm",
            "XDG_CONFIG_HOME": f"{folder}/config",
            "XDG_STATE_HOME": f"{folder}/state",
        }
        env |= {"KOOG_PROVIDER_BASE_URL": model.url, "KOOG_PROVIDER_API_KEY_ENV": "null"}
        workspace = Path(folder) / "ws"
        shutil.copytree(ROOT / "koog/operate/sample", workspace)
        koog(workspace, env, "10:00", "init", str(workspace))
        koog(workspace, env, "10:30", "tick", "--active")
        with (workspace / f"memory/{DAY}.md").open("a") as note:
            note.write("- 10:40 The map tiles load twice as fast since the cache key has the zoom level\n")
        model.requests.clear()
        koog(workspace, env, "11:00", "tick", "--active")
        first = prompts(model.requests)
        model.requests.clear()
        with (workspace / f"memory/{DAY}.md").open("a") as note:
            note.write("- 11:10 The login test fails on the second run only\n")
        koog(workspace, env, "11:30", "tick", "--active")
        print(json.dumps({"bench": "prefix", **compared(first, prompts(model.requests))}))


def koog(workspace: Path, env: dict[str, str], clock: str, *argv: str) -> None:
    where = [] if argv[0] == "init" else ["--workspace", str(workspace)]
    command = [sys.executable, "-m", "koog", *where, "--now", f"{DAY}T{clock}:00Z", *argv]
    subprocess.run(command, env=env, capture_output=True, check=True)


def step_of(request: dict[str, Any]) -> str:
    name: str = request["body"]["response_format"]["json_schema"]["name"]
    return name


def prompts(requests: list[dict[str, Any]]) -> dict[str, str]:
    return {step_of(r): "\n".join(m["content"] for m in r["body"]["messages"]) for r in requests}


def compared(first: dict[str, str], second: dict[str, str]) -> dict[str, Any]:
    steps = {}
    whole = [0, 0, 0]
    for name, text in second.items():
        pairs = zip(first[name], text, strict=False)
        shared = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first[name]), len(text)))
        new = fresh(first[name], text)
        steps[name] = {
            "chars": len(text),
            "prefix": round(shared / len(text), 3),
            "best": round(1 - new / len(text), 3),
        }
        whole = [a + b for a, b in zip(whole, (len(text), shared, new), strict=True)]
    chars, shared, new = whole
    return {"steps": steps, "chars": chars, "prefix": round(shared / chars, 3), "best": round(1 - new / chars, 3)}


def fresh(before: str, after: str) -> int:
    """Return how many characters stand in lines that the earlier prompt did not have."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    blocks = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    kept = sum(len(line) for block in blocks for line in new[block.b : block.b + block.size])
    return len(after) - kept


if __name__ == "__main__":
    main()
