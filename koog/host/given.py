"""What a host says on a hook's standard input, brought into one form.  [sinain §3]

OpenClaw      what the plugin passes on, flat: runId, sessionId, sessionKey, agentId, chatType, trigger,
              workspaceDir, and of each event what koog needs; or a hook's `event` and `ctx` as they are, and the
              plugin's `config`. The host's contexts name agent, key and folder, and no kind of chat of their own:
              PluginHookAgentContext, PluginHookSessionContext in src/plugins/hook-types.ts of
              https://github.com/openclaw/openclaw; a channel may say more in `channelContext.chat`
Claude Code   {session_id, transcript_path, cwd, hook_event_name, …}; of a prompt also prompt and prompt_id
Codex         the same keys, and `turn_id`; its transcripts are named rollout-….jsonl
"""

from __future__ import annotations

import os
from typing import Any

from koog.core.files import jsonfiles, outside
from koog.core.named import NamedTuple
from koog.host import arrival
from koog.sessions import place
from koog.sessions.place import Place

TEXT_CHARS = 4096  # of one value; ids and paths are shorter
CLAUDE, CODEX, OPENCLAW = "claude", "codex", "openclaw"
PATHS = ("heartbeatPath", "skillPath", "koogPath", "modulesPath")  # of the plugin's config  [sinain §3.1]
BY_PERSONS = (None, "user", "manual", "auto")  # triggers of a run
NESTED = ("event", "ctx", "context")  # objects whose keys count as the payload's own


class Given(NamedTuple):
    """One call of a hook.

    host       claude, codex or openclaw
    payload    the host's object, its inner ones (NESTED) laid over it; {} when it could not be read
    config     the plugin's config, {} without one
    here       the folder that the hook was called in, None for this process's own
    """

    host: str
    payload: dict[str, Any]
    config: dict[str, Any]
    here: str | None = None

    def text(self, *names: str) -> str | None:
        """Return the first of these keys that holds a text, cut to what an id or a path can be."""
        for name in names:
            value = self.payload.get(name)
            if isinstance(value, str) and value:
                return value[:TEXT_CHARS]
        return None

    def number(self, *names: str) -> int | None:
        """Return the first of these keys that holds a count or a length of time, as a whole number from 0."""
        for name in names:
            value = self.payload.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53:
                return int(value)
        return None

    @property
    def session(self) -> str | None:
        return self.text("session_id", "sessionId", "sessionKey")

    @property
    def session_key(self) -> str | None:
        """Return the session's key: the event's, else the one that the plugin's config names."""
        configured = self.config.get("sessionKey")
        return self.text("sessionKey", "session_key") or (configured if isinstance(configured, str) else None)

    @property
    def sources(self) -> dict[str, str]:
        """Return key of the plugin's config → path, for those that are set; the plugin may have resolved them."""
        resolved = self.payload.get("sources")
        named = {f"{name}Path": path for name, path in resolved.items()} if isinstance(resolved, dict) else self.config
        return {key: named[key] for key in PATHS if isinstance(named.get(key), str) and named[key]}

    @property
    def folder(self) -> str | None:
        """Return the folder that the host works in."""
        return self.text("workspaceDir", "cwd")

    @property
    def agent(self) -> str | None:
        """Return OpenClaw's agent: the one in the session's key, else the one that the host names."""
        return place.agent_of(self.text("sessionKey", "session_key")) or self.text("agentId", "agent_id")

    @property
    def chat(self) -> str | None:
        """Return the kind of chat that the host tells: direct, group, channel."""
        return self.text("chatType", "chat_type")

    @property
    def place(self) -> Place:
        """Return the project and the scope of the session. A host that names no folder runs its hooks in it."""
        key = self.text("sessionKey", "session_key")
        return place.of(
            self.host, folder=self.folder or self.here or _here(), agent=self.agent, key=key, chat=self.chat
        )

    @property
    def is_persons(self) -> bool:
        """Return whether a person's own conversation is at hand: no heartbeat, cron job, memory flush or subagent.

        Nor one that a mail or a web page began (`hook`), or a program that drives an agent (`acp`). Claude Code and
        Codex name a subagent by an `agent_id`.
        """
        return self.text("trigger") in BY_PERSONS and self._is_outer

    @property
    def is_told(self) -> bool:
        """Return whether the turn is told what a person's own conversation is: a heartbeat's in it is, too.

        What cannot be read, or came cut off, may be a group's.
        """
        return bool(self.payload) and self.text("trigger") in (*BY_PERSONS, "heartbeat") and self._is_outer

    @property
    def _is_outer(self) -> bool:
        key = self.text("sessionKey", "session_key") or ""
        only = self.config.get("sessionKey")
        inner = any(f":{kind}:" in key for kind in ("cron", "subagent", "hook", "acp"))
        other = isinstance(only, str) and bool(only) and bool(key) and key != only
        return not self.text("agent_id") and not inner and not other


def parse(data: bytes, *, host: str | None, here: str | None = None) -> Given:
    """Return what these bytes say; what is no JSON object says nothing.

    host   the host that was named, None to tell it by the payload
    here   the folder that the hook was called in, None for this process's own
    """
    value = _value(data)
    payload = dict(value) if isinstance(value, dict) else {}
    for name in NESTED:
        inner = payload.get(name)
        if isinstance(inner, dict):
            payload |= inner
    config = payload.get("config")
    return Given(host or _host(payload), payload, config if isinstance(config, dict) else {}, here)


def _here() -> str | None:
    try:
        return str(outside.here())
    except OSError:  # it is gone
        return None


def _value(data: bytes) -> Any:
    """Return the value of a host's JSON, None when it is none; half an emoji in a text is no reason to hear nothing."""
    try:
        return jsonfiles.loads(data)
    except ValueError:
        pass
    try:
        return jsonfiles.loads(jsonfiles.mended(data))
    except ValueError:
        return None


def _host(payload: dict[str, Any]) -> str:
    if payload.get("host") == OPENCLAW or not isinstance(payload.get("hook_event_name"), str):
        return OPENCLAW
    transcript = payload.get("transcript_path")
    rollout = isinstance(transcript, str) and os.path.basename(transcript).startswith("rollout-")  # noqa: PTH119  any text
    return CODEX if rollout or "turn_id" in payload else CLAUDE


def read() -> bytes:
    """Return what the host that is being answered says on standard input; b"" for none, or too much."""
    came = arrival.current()
    return came.data if came else b""
