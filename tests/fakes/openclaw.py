"""A small `openclaw`: settings in a file, jobs with a scratch, answers and failures as the real one was seen to give.

    program = openclaw.put(folder, state, version="2026.9.6", gateway=True)   # and folder on PATH

Like 2026.9.6 it knows no `ackMaxChars`, checks a patch as a whole, lets null delete, writes the file anew without its
comments, and keeps a heartbeat's text with a revision. The agents that have a block of their own have a heartbeat;
where none has, the default one. As 2026.7 it has neither that job nor its scratch. What it is to do wrong stands in
`fault` beside the settings, what it was called with in `calls`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests import warm

FAULTS = ("refuses", "hangs", "no-gateway", "half", "cut-late")


def put(folder: Path, state: Path, *, version: str = "2026.9.6") -> Path:
    """Make the program in a folder; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    return warm.mother().launcher.put(folder / "openclaw", "tests.fakes.openclaw", str(state), version)


def main() -> int:
    """Do what sys.argv says."""
    state, version, words = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    with (state / "calls").open("a") as calls:
        calls.write(json.dumps(words) + "\n")
    fault = (state / "fault").read_text() if (state / "fault").exists() else ""
    if words == ["--version"]:
        print(f"OpenClaw {version} (eb377ac)")
        return 0
    if fault == "hangs":
        import time

        time.sleep(600)
    if words[:3] == ["config", "patch", "--stdin"]:
        return _patch(state, version, fault, is_dry="--dry-run" in words)
    if words[0] == "cron":
        if fault == "no-gateway":
            print("Gateway not reachable at ws://127.0.0.1:18789 (ECONNREFUSED).", file=sys.stderr)
            return 1
        return _cron(state, version, words[1:])
    print(f"error: unknown command '{words[0]}'", file=sys.stderr)
    return 1


def _patch(state: Path, version: str, fault: str, *, is_dry: bool) -> int:
    patch, file = json.loads(sys.stdin.read()), state / "openclaw.json"
    heartbeat = ((patch.get("agents") or {}).get("defaults") or {}).get("heartbeat") or {}
    wrong = []
    standing = (_settings(file).get("agents") or {}).get("defaults") or {}
    if "ackMaxChars" in (standing.get("heartbeat") or {}) and not version.startswith("2026.7"):
        row = {"path": "agents.defaults.heartbeat", "message": 'Unrecognized key: "ackMaxChars"'}
        print(json.dumps({"ok": False, "error": {"type": "cli_error"}, "issues": [row]}, indent=2))
        return 1
    if "ackMaxChars" in heartbeat and not version.startswith("2026.7"):
        wrong.append('agents.defaults.heartbeat: Unrecognized key: "ackMaxChars"')
    if fault == "refuses":
        wrong.append("plugins.load.paths: not allowed here")
    if is_dry:
        errors = [{"kind": "schema", "message": f"- {message}"} for message in wrong]
        print(json.dumps({"ok": not wrong, "operations": 1, **({"errors": errors} if wrong else {})}, indent=2))
        return 1 if wrong else 0
    if wrong:
        print(f"Config validation failed: {wrong[0]}", file=sys.stderr)
        return 1
    if fault == "half":
        patch.pop("hooks", None)
    file.write_text(json.dumps(merged(_settings(file), patch), indent=2) + "\n")
    if fault == "cut-late":
        print("the terminal went away", file=sys.stderr)
        return 1
    print("Applied 9 config update(s). Change will apply without restarting the gateway.")
    return 0


def _settings(file: Path) -> dict[str, Any]:
    """Read the settings; of JSON5 only comments of whole lines are understood."""
    lines = file.read_text().splitlines() if file.exists() else ["{}"]
    value: dict[str, Any] = json.loads("\n".join(line for line in lines if not line.strip().startswith("//")))
    return value


def merged(old: Any, patch: dict[str, Any]) -> dict[str, Any]:
    new = dict(old) if isinstance(old, dict) else {}
    for key, value in patch.items():
        if value is None:
            new.pop(key, None)
        else:
            new[key] = merged(new.get(key), value) if isinstance(value, dict) else value
    return new


def _cron(state: Path, version: str, words: list[str]) -> int:
    file = state / "scratches.json"
    kept = json.loads(file.read_text()) if file.exists() else {}
    if words[0] == "list":
        agents = _settings(state / "openclaw.json").get("agents", {}).get("entries", {"main": {}})
        own = [name for name, row in agents.items() if "heartbeat" in row]
        names = [] if version.startswith("2026.7") else own or list(agents)[:1]
        rows = [{"id": f"job-{name}", "declarationKey": f"heartbeat:{name}"} for name in names]
        print(json.dumps({"jobs": [{"id": "1", "declarationKey": "memory-core:dream"}, *rows]}, indent=2))
        return 0
    job, options = words[1], words[2:]
    row = kept.get(job, {"content": None, "revision": 0})
    if "--expected-revision" in options and int(options[options.index("--expected-revision") + 1]) != row["revision"]:
        print("cron scratch: revision mismatch", file=sys.stderr)
        return 1
    if "--unset" in options or "--file" in options:
        row = {"content": None if "--unset" in options else sys.stdin.read(), "revision": row["revision"] + 1}
        file.write_text(json.dumps({**kept, job: row}))
    scratch = None if row["content"] is None else row
    print(json.dumps({"scratch": scratch, "currentRevision": row["revision"], "maxBytes": 262144}, indent=2))
    return 0
