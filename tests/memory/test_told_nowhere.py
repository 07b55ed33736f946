"""After `forget` the words are in no prompt and in no reply, but where the memory is asked for by its id."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from koog.cli import READING
from tests.conftest import Koog, hooked
from tests.fakes.model import FakeModel
from tests.fakes.watching import grow

NOW = ("--now", "2026-02-28T10:00:00Z")
WORD = "zanzibarquartz"
FACT = f"The locker code of the gym is {WORD} seventy seven"
ASKED = "what is the locker code of the gym"
# How each command is called that only reads; a new one is a new line here.
CALLS: dict[str, tuple[str, ...]] = {
    "signal": (),
    "playbook show": (),
    "module list": (),
    "module stack": (),
    "module info": ("base-behaviors",),
    "module guidance": ("base-behaviors",),
    "startup": (),
    "topic list": (),
    "topic check": ("--text", ASKED),
    "topic stats": (),
    "compile": ("--message", ASKED, "--explain"),
    "detect": ("--text", f"please remember that {ASKED}"),
    "index": (),
    "search": (ASKED,),
    "recall": (ASKED,),
    "graph show": ("gym",),
    "graph path": ("gym", "mara"),
    "graph check": (),
    "graph export": ("json",),
    "decay show": (),
    "consolidate show": (),
    "why": (ASKED,),
    "history when": ("locker code",),
    "history where": ("locker code",),
    "history diff": ("2w",),
    "history learned": (),
    "history show": ("now", "--about", "gym"),
    "audit log": (),
    "audit blame": ("memory/observations.md",),
    "audit alerts": (),
    "audit verify": (),
    "review list": (),
    "review show": ("1",),
    "status": (),
    "doctor": (),
    "usage": (),
    "cron show": (),
}
WRITING = (("mine",), ("curate",), ("observe",), ("reflect", "--force"), ("synthesize",), ("feedback",), ("tick",))


@pytest.fixture
def forgotten(koog: Koog, sealed: Any, alone: Path) -> list[str]:
    """A workspace in which the words stand in many places, of which one memory was forgotten; returns the ids."""
    settings = Path(os.environ["XDG_CONFIG_HOME"], "koog/config.json")
    more = {"observe": {"sources": ["claude"]}, "context": {"otherProjects": "all"}}
    settings.write_text(json.dumps(json.loads(settings.read_text()) | more))
    koog(*NOW, "propose", f"{FACT}.", "--store", "episodic")
    found = [
        koog(*NOW, "remember", FACT, "--explicit", "--store", "core")[1]["id"],
        koog(*NOW, "remember", FACT, "--explicit", "--store", "semantic", "--entity", "gym")[1]["id"],
        koog(*NOW, "remember", FACT, "--explicit", "--store", "episodic")[1]["id"],
        koog(*NOW, "remember", f"Written down: {FACT}, with care", "--explicit", "--store", "vault")[1]["id"],
    ]
    note = f"# Day\n\n- He said that {FACT}, and that the lift of the house is broken again.\n- CI fails: pin pnpm 9.\n"
    output = {"suggestion": f"Ask whether {FACT}", "insight": "The lift is broken"}
    entry = {"_type": "output", "ts": "2026-02-28T09:00:00Z", "tickId": "t1", "output": output}
    row = f"- 🔴 09:14 {FACT} <!-- dc:type=fact -->\n- 🔴 09:15 The lift is broken, and {FACT}, as Mara said today\n"
    rule = f"## Patterns\n- {FACT} (score: 0.7)\n- Ask first (score: 0.6)\n"
    topic = "---\nname: gym\ntriggers:\n  - type: keyword\n    words: [locker]\n---\n\n# Gym\n\n"
    files = {
        "memory/2026-02-27.md": note,
        "memory/observations.md": f"# Observations\n\nDate: 2026-02-27\n\n{row}",
        "memory/sinain-playbook.md": f"# Sinain Playbook\n\n{rule}",
        "memory/playbook-logs/2026-02-28.jsonl": json.dumps(entry) + "\n",
        "memory/session-summaries.jsonl": json.dumps({"ts": "2026-02-28T08:00:00Z", "summary": f"{FACT}."}) + "\n",
        "topics/gym.md": f"{topic}{FACT}. The gym is open at six.\n",
        "knowledge/people/mara.md": f"# Mara\n\nMara said: {FACT}. She likes the gym.\n",
    }
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    koog(*NOW, "playbook", "build")
    grow(alone, [f"Please note: {FACT}.", "We decided: deploys go out on Tuesdays only."])
    koog(*NOW, "index")
    code, line = koog(*NOW, "forget", "--confirm", *found)
    assert (code, set(found) <= set(line["archived"])) == (0, True)
    return found


def told(line: dict[str, object]) -> str:
    """Return what a command tells: its line, and the file in which a long text is."""
    out = line.get("out")
    return json.dumps(line) + (Path(str(out)).read_text("utf-8") if out else "")


def test_every_command_that_only_reads_is_called_here() -> None:
    assert READING - CALLS.keys() == set()


def test_no_reply_holds_the_words(koog: Koog, forgotten: list[str]) -> None:
    telling = [name for name in sorted(READING) if WORD in told(koog(*NOW, *name.split(), *CALLS[name])[1])]

    assert telling == []


def test_the_same_commands_tell_them_while_nothing_is_forgotten(koog: Koog, forgotten: list[str]) -> None:
    koog(*NOW, "forget", "--undo")

    telling = [name for name in READING if WORD in told(koog(*NOW, *name.split(), *CALLS[name])[1])]

    assert {"playbook show", "startup", "compile", "search", "why", "review list"} <= set(telling)


def test_by_its_id_it_is_told(koog: Koog, forgotten: list[str]) -> None:
    assert [koog(*NOW, "why", id_)[1]["status"] for id_ in forgotten] == ["archived"] * len(forgotten)
    assert WORD in koog(*NOW, "why", forgotten[0])[1]["text"]


def test_no_prompt_holds_the_words(koog: Koog, forgotten: list[str], llm: FakeModel) -> None:
    llm.always({})

    replies = [koog(*NOW, *call)[1] for call in (*WRITING, ("signal",), ("remember", "the lift is broken"))]

    prompts = [request["body"]["messages"] for request in llm.requests]
    assert WORD not in json.dumps(replies)
    assert WORD not in json.dumps(prompts)
    assert "lift" in json.dumps(prompts)
    assert len(prompts) >= 4


@pytest.mark.parametrize("event", ["session-start", "prompt-submit"])
def test_no_hook_tells_the_words(koog: Koog, forgotten: list[str], workspace: Path, event: str) -> None:
    payload = {
        "session_id": "3f2a",
        "transcript_path": str(workspace / "t.jsonl"),
        "cwd": str(workspace),
        "hook_event_name": {"session-start": "SessionStart", "prompt-submit": "UserPromptSubmit"}[event],
        "prompt": f"Forget about {ASKED}. {ASKED}?",
    }
    answer = hooked(event, "--workspace", str(workspace), given=payload, cwd=workspace)

    assert WORD not in answer
    assert json.loads(answer) is not None
