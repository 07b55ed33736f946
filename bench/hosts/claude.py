"""Does Claude Code itself get koog's memory, once, where it belongs, and is all of it gone after the uninstall?

    python bench/hosts/claude.py FOLDER [--way settings|plugin|both]

Installs Claude Code from npm into FOLDER, where it is not, and runs it offline against a model on loopback, in a home
of its own: first session, next session, `--continue`, `/compact`, `/clear`, a fork, kill -9 in the middle, two
projects side by side, uninstall. What a session was told is read in the model's requests. Prints one JSON line; what
is not as it should be ends it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

from coding import BILLING, PAPER, ROOT, Home, blocks, insist, one_block, program
from coding_model import CodingModel, serving

PACKAGE = "@anthropic-ai/claude-code@2.1"
SETTINGS = '{\r\n\t"cleanupPeriodDays":   400,\r\n\t"hooks": { },\r\n\t"env": {"GRÜSSE": "🔴"}\r\n}'


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--way", choices=["settings", "plugin", "both"], default="settings")
    options = parser.parse_args()
    claude, version = program(options.folder.resolve(), PACKAGE, "claude")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, serving() as (model, address):
        home = Home(
            Path(folder).resolve() / "home",
            ANTHROPIC_BASE_URL=address,
            ANTHROPIC_API_KEY="none",
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
            DISABLE_AUTOUPDATER="1",
        )
        session = Session(home, claude, model)
        figures = {"host": "claude", "version": version, "way": options.way, **session.all(options.way)}
    print(json.dumps(figures))


class Session:
    """Claude Code in a home, and what is insisted on of it."""

    def __init__(self, home: Home, claude: Path, model: CodingModel) -> None:
        self.home, self.claude, self.model = home, claude, model
        self.state = home.folder / ".claude"

    def all(self, way: str) -> dict[str, Any]:
        self.state.mkdir()
        settings, config = self.state / "settings.json", self.home.folder / "config/koog/config.json"
        settings.write_bytes(SETTINGS.encode())
        before = config.read_bytes()
        if way in ("settings", "both"):
            self.home.koog("init", str(self.home.workspace), "--host", "claude")
        if way in ("plugin", "both"):
            self.install_plugin()
        if way == "plugin":
            self.home.koog("init", str(self.home.workspace), "--host", "claude")
        figures = self.sessions()
        self.uninstall(way)
        insist("the operator's config is as before", config.read_bytes() == before)
        if way == "settings":
            insist("the settings have their very bytes", settings.read_bytes() == SETTINGS.encode())
            insist("the skill is gone", not (self.state / "skills").exists())
        else:  # the program writes its settings anew for a plugin
            value = json.loads(settings.read_text("utf-8"))
            insist("no hook of koog's is left", not value.get("hooks") and not value.get("enabledPlugins"))
        insist("after the uninstall nothing is told", blocks(self.ask("And now?", new=True)[-1]) == 0)
        return {**figures, "hookMs": self.hook_times(), "requests": len(self.model.requests)}

    def install_plugin(self) -> None:
        self.home.run([self.claude, "plugin", "validate", "--strict", ROOT])
        self.home.run([self.claude, "plugin", "marketplace", "add", ROOT])
        self.home.run([self.claude, "plugin", "install", "koog@koog"])

    def sessions(self) -> dict[str, Any]:
        insist("at first nothing is known", blocks(self.ask(BILLING, new=True)[-1]) == 0)
        seconds = self.home.observed("Postgres 16")
        self.home.settle("the first session")
        one_block("the next session", self.ask("What is next?", new=True), known="Postgres 16")
        self.ask("We decided to keep invoices for ten years.")
        self.home.observed("ten years")
        self.home.settle("an observation")
        one_block("--continue", self.ask("Go on."), known="Postgres 16")
        one_block("a fork", self.ask("Another way.", "--fork-session"), known="Postgres 16")
        self.compact()
        one_block("after /compact", self.ask("Where were we?"), known="ten years")
        self.ask("/clear", asks=False)
        one_block("after /clear", self.ask("Again."), known="ten years")
        other = self.ask(PAPER, new=True, folder="museum")[-1]
        insist("another project hears nothing of the first", "Postgres" not in other)
        self.home.observed("recycled paper")
        self.home.settle("the other project")
        museum = self.ask("What is next?", new=True, folder="museum")
        one_block("the other project", museum, known="recycled paper", strange="Postgres")
        one_block("the first project", self.ask("And here?", new=True), known="Postgres", strange="recycled paper")
        self.killed()
        return {"observedSeconds": seconds}

    def compact(self) -> None:
        """Say something until the program finds it enough to compact, and let it."""
        for number in range(16):
            if number % 4 == 3 and self.ask("/compact", asks=False):
                return
            self.ask(f"Go on, {number}.")
        insist("it compacts", False)

    def killed(self) -> None:
        """Kill a session while its model thinks: what was said in it is known in the one after the next."""
        self.home.killed([self.claude, "-p"], self.model, ".claude/projects/*/*.jsonl")
        self.ask("Good morning.", new=True)
        self.home.observed("Heron")
        self.home.settle("the recovery")
        one_block("the session after a kill", self.ask("And?", new=True), known="Heron")

    def ask(
        self, words: str, *options: str, new: bool = False, folder: str = "billing", asks: bool = True
    ) -> list[str]:
        """Say something in a session; return the requests that the model got of it."""
        asked = len(self.model.requests)
        self.home.run([self.claude, "-p", *([] if new else ["--continue"]), *options, words], folder)
        bodies = self.model.requests[asked:]
        insist(f"{words!r} reached the model", bodies or not asks)
        return bodies

    def uninstall(self, way: str) -> None:
        line = self.home.koog("uninstall", "--host", "claude", "--workspace", str(self.home.workspace))
        insist("nothing is left over", all(not row["left"] for row in line["taken"]))
        insist("the plugin's own way out is said", bool(line["next"]) == (way != "settings"))
        if way != "settings":
            self.home.run([self.claude, "plugin", "uninstall", "koog@koog"])
            self.home.run([self.claude, "plugin", "marketplace", "remove", "koog"])

    def hook_times(self) -> dict[str, int]:
        """Return event → the longest that a hook of koog's took, by the program's own clock."""
        found: dict[str, int] = {}
        for file in self.state.glob("projects/*/*.jsonl"):
            for line in file.read_text("utf-8").splitlines():
                attachment = json.loads(line).get("attachment") or {}
                if attachment.get("type") == "hook_success" and "koog" in str(attachment.get("command")):
                    event, took = str(attachment.get("hookEvent")), int(attachment.get("durationMs") or 0)
                    found[event] = max(found.get(event, 0), took)
        return found


if __name__ == "__main__":
    main()
