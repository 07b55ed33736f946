"""Does Codex itself get koog's memory, once, where it belongs, and is all of it gone after the uninstall?

    python bench/hosts/codex.py FOLDER

Installs Codex from npm into FOLDER, where it is not, and runs `codex exec` offline against a model on loopback, in a
home of its own: a session whose hooks nobody trusted (and what `doctor` says of it), first session, next session,
`resume`, a compaction, kill -9 in the middle, two projects side by side, uninstall. What a session was told is read in
the model's requests. Prints one JSON line; what is not as it should be ends it.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from coding import BILLING, PAPER, Home, blocks, insist, one_block, program
from coding_model import CodingModel, serving

PACKAGE = "@openai/codex@0.169"
TRUSTED = "--dangerously-bypass-hook-trust"
WINDOW = 60_000  # tokens from which Codex compacts
HOOKS = '{\n    "hooks": {"Stop": []}  \n}\n'
CONFIG = """\
model_provider = "local"
model = "scripted"
model_auto_compact_token_limit = {window}
[model_providers.local]
name = "local"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "LOCAL_KEY"
"""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    codex, version = program(options.folder.resolve(), PACKAGE, "codex")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, serving() as (model, address):
        home = Home(Path(folder).resolve() / "home", LOCAL_KEY="none")
        (home.folder / ".codex").mkdir()
        (home.folder / ".codex/config.toml").write_text(CONFIG.format(address=address, window=WINDOW))
        figures = Session(home, codex, model).all()
    print(json.dumps({"host": "codex", "version": version, **figures}))


class Session:
    """Codex in a home, and what is insisted on of it."""

    def __init__(self, home: Home, codex: Path, model: CodingModel) -> None:
        self.home, self.codex, self.model = home, codex, model

    def all(self) -> dict[str, Any]:
        hooks, config = self.home.folder / ".codex/hooks.json", self.home.folder / "config/koog/config.json"
        hooks.write_text(HOOKS)
        before = config.read_bytes()
        self.home.koog("init", str(self.home.workspace), "--host", "codex")
        self.untrusted()
        self.sessions()
        insist("with hooks that come doctor is content", not self.skipped())
        line = self.home.koog("uninstall", "--host", "codex", "--workspace", str(self.home.workspace))
        insist("nothing is left over", all(not row["left"] for row in line["taken"]))
        insist("the hooks have their very bytes", hooks.read_text() == HOOKS)
        insist("the operator's config is as before", config.read_bytes() == before)
        insist("after the uninstall nothing is told", blocks(self.ask("And now?")[-1]) == 0)
        return {"requests": len(self.model.requests)}

    def untrusted(self) -> None:
        asked = len(self.model.requests)
        self.home.run([self.codex, "exec", "Nobody has trusted anything."])
        insist("the model was asked", len(self.model.requests) > asked)
        insist("no summary of a run was written", not (self.home.workspace / "memory/session-summaries.jsonl").exists())
        insist("doctor names the session that ran without hooks", self.skipped())

    def skipped(self) -> bool:
        later = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
        line = self.home.koog("doctor", "--workspace", str(self.home.workspace), "--now", later)
        return any(row["check"] == "hooks" and row["level"] == "warn" for row in line["findings"])

    def sessions(self) -> None:
        insist("at first nothing is known", blocks(self.ask(BILLING)[-1]) == 0)
        self.observe("Postgres 16")
        one_block("the next session", self.ask("What is next?"), known="Postgres 16")
        self.ask("We decided to keep invoices for ten years.", "resume", "--last")
        self.observe("ten years")
        one_block("resume", self.ask("Go on.", "resume", "--last"), known="Postgres 16")
        self.compact()
        other = self.ask(PAPER, folder="museum")[-1]
        insist("another project hears nothing of the first", "Postgres" not in other)
        self.observe("recycled paper")
        museum = self.ask("What is next?", folder="museum")
        one_block("the other project", museum, known="recycled paper", strange="Postgres")
        one_block("the first project", self.ask("And here?"), known="Postgres", strange="recycled paper")
        self.home.killed([self.codex, "exec", TRUSTED], self.model, ".codex/sessions/**/*.jsonl")
        self.ask("Good morning.")
        self.home.observed("Heron")
        self.home.settle("the recovery")
        one_block("the session after a kill", self.ask("And?"), known="Heron")

    def compact(self) -> None:
        """Let it compact, at a resume: then its hook for a session's start comes twice."""
        self.model.tokens = 10 * WINDOW
        self.ask("This was long.", "resume", "--last")
        self.model.tokens = 10
        bodies = self.ask("Where were we?", "resume", "--last") + self.ask("And then?", "resume", "--last")
        transcripts = (self.home.folder / ".codex/sessions").glob("**/*.jsonl")
        insist("it compacted", any('"type":"compacted"' in path.read_text("utf-8") for path in transcripts))
        one_block("after the compaction", bodies, known="ten years")

    def observe(self, words: str) -> None:
        """Codex tells nobody that a session ended: what cron does every 15 minutes."""
        self.home.koog("observe", "--flush", "--workspace", str(self.home.workspace))
        self.home.observed(words)
        self.home.settle("an observation")

    def ask(self, words: str, *resume: str, folder: str = "billing") -> list[str]:
        """Say something in a session; return the requests that the model got of it."""
        asked = len(self.model.requests)
        self.home.run([self.codex, "exec", TRUSTED, *resume, words], folder)
        bodies = self.model.requests[asked:]
        insist(f"{words!r} reached the model", bodies)
        return bodies


if __name__ == "__main__":
    main()
