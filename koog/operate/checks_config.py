"""doctor: the config's layers, the time zone, the model's key and its endpoint.  [design §4, §7]"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from koog.core import clock, config, operator, schema
from koog.core.errors import ConfigError, KoogError, Refused, WorkspaceError
from koog.core.files import jsonfiles, outside
from koog.core.files.roots import Root
from koog.core.model import client as llm
from koog.core.model import usage
from koog.core.run import Run
from koog.core.shipped import data as data_of
from koog.core.shipped import shipped
from koog.core.text.tokens import estimate
from koog.operate import keyfile
from koog.operate.finding import ERROR, INFO, WARN, Finding, edit
from koog.operate.json_places import lines, misfits, parsed

IGNORED = re.compile(r"(?P<file>[^:]+): (?P<key>.+) ignored: ", re.DOTALL)
SYSTEM, QUESTION = "Answer with one word.", "Say: ok"
ANSWER_TOKENS = 512  # some models think before a word
ANSWER_S = 20.0


def contents(path: Path) -> bytes | None:
    """Return the bytes of a person's or a host's settings, None when there are none; never hangs on a pipe.

    Raises WorkspaceError for what is no regular file or cannot be read.
    """
    try:
        return outside.read(path)
    except FileNotFoundError:
        return None
    except OSError as e:
        raise WorkspaceError(f"{path.name}: {e.strerror}") from None


# --- the layers


def layers(run: Run, root: Path | None) -> Iterator[Finding]:
    """Look at each layer by itself, so that all of them are told and not only the first that fails."""
    yield from _layer(shipped(config.NAME), str(shipped(config.NAME)), command="install koog again")
    if root:
        yield from _read(lambda: Root(root).read(config.NAME), config.NAME)
    if run.config_file:
        given = Path(run.config_file)
        if outside.is_file(given) or not outside.exists(given):  # a pipe of the caller's own can be read only once
            yield from _layer(given, str(given), must_exist=True)
        return
    try:
        own = operator.path()
    except RuntimeError:
        yield Finding("config", ERROR, "no home folder to look for the operator's config", command="export HOME=…")
        return
    yield from _layer(own, str(own))


def _layer(path: Path, name: str, *, must_exist: bool = False, command: str | None = None) -> Iterator[Finding]:
    yield from _read(lambda: contents(path), name, must_exist=must_exist, command=command)


def _read(
    read: Callable[[], bytes | None], name: str, *, must_exist: bool = False, command: str | None = None
) -> Iterator[Finding]:
    try:
        data = read()
    except WorkspaceError as e:
        yield Finding("config", ERROR, e.message, file=name, command=f"ls -l {shlex.quote(name)}")
        return
    if data is None:
        if must_exist:
            yield Finding("config", ERROR, "no such file", file=name, command="koog doctor --config FILE")
        return
    yield from layer(data or b"{}", name, command=command)


def layer(data: bytes, name: str, *, command: str | None = None) -> Iterator[Finding]:
    """Yield what is malformed, unknown or of the wrong kind in one layer's text."""
    value, fault = parsed(data)
    faults = [fault] if fault else misfits(data, value, schema.definition(config.SCHEMA, "config"))
    for found in faults:
        yield Finding(
            "config", ERROR, found.message, file=name, line=found.line, command=command or edit(name, found.line)
        )


def defaults() -> config.Settings:
    """Return the shipped settings alone: what stands in when the layers cannot be merged."""
    return config.Settings(dict(jsonfiles.loads(data_of(shipped(config.NAME)))))


def merged(run: Run, root: Path | None) -> Iterator[Finding]:
    """Merge the layers as every command does; what the environment breaks, and what is ignored, shows only here."""
    try:
        settings = run.settings if root else _without_workspace(run)
    except ConfigError as e:
        yield Finding("config", ERROR, e.message, command="env | grep ^KOOG_")
        return
    run.warnings[:] = [w for w in run.warnings if w not in settings.warnings]  # they are findings here
    for warning in settings.warnings:
        yield _ignored(warning, root)
    try:
        clock.zone(settings.get("timezone"))
    except ConfigError as e:
        yield _about_key("timezone", root, f"{e.message}: an IANA name such as Europe/Zurich")


def _without_workspace(run: Run) -> config.Settings:
    named = Path(run.config_file) if run.config_file else None
    run.settings = config.load(workspace=None, operator_file=named, flags={})
    return run.settings


def _ignored(warning: str, root: Path | None) -> Finding:
    found = IGNORED.match(warning)
    if not found:
        return Finding("config", WARN, warning)
    return _about_key(found["key"], root, f"{found['key']} is ignored here: only the operator's config may set it")


def _about_key(key: str, root: Path | None, message: str) -> Finding:
    """Return a warning at the line where the workspace's own layer sets a key."""
    data = Root(root).read(config.NAME) if root else None
    line = None
    if data is not None and parsed(data)[1] is None:
        places = lines(data.decode("utf-8-sig"))
        line = next((n for place, n in places.items() if ".".join(map(str, place)) == key), None)
    if line is None:
        return Finding("config", WARN, message, command=edit(str(operator.path())))
    return Finding("config", WARN, message, file=config.NAME, line=line, command=edit(config.NAME, line))


# --- the key


def key(run: Run) -> Iterator[Finding]:
    """Say who judges, and what is wrong with the key that the settings name."""
    provider, engine = run.settings.get("provider"), run.settings.get("engine")
    if engine == "builtin":
        yield Finding("key", INFO, "engine builtin: no model is asked")
        return
    bad = list(_key_file(run, provider["apiKeyFile"])) if not _in_environment(provider) else []
    yield from bad
    if any(f.level == ERROR for f in bad):
        return
    if provider["apiKeyEnv"] is None and provider["apiKeyFile"] is None:
        yield Finding("key", INFO, f"no key is named: {provider['baseUrl']} is asked without one")
    elif config.api_key(run.settings) is None:
        name = provider["apiKeyEnv"] or "provider.apiKeyFile"
        how = f"export {name}=…" if provider["apiKeyEnv"] else None
        if engine == "llm":
            yield Finding("key", ERROR, f"engine llm, and no key: {name} is not set", command=how)
        else:
            yield Finding("key", INFO, f"{name} is not set: the built-in engine judges (engine auto)", command=how)


def _in_environment(provider: dict[str, Any]) -> bool:
    return bool(provider["apiKeyEnv"] and os.environ.get(provider["apiKeyEnv"]))


def _key_file(run: Run, file: str | None) -> Iterator[Finding]:
    if not file:
        return
    try:
        path = Path(file).expanduser()
    except RuntimeError as e:  # nobody has that home
        yield Finding("key", ERROR, f"{keyfile.KEY}: {e}", file=file, command=f"ls -l {shlex.quote(file)}")
        return
    for fault in keyfile.faults(path, roots=keyfile.roots(run)):
        level = ERROR if fault.stops else WARN
        yield Finding("key", level, f"{keyfile.KEY}: {fault.message}", file=file, command=fault.command)


# --- the endpoint


def endpoint(run: Run) -> Iterator[Finding]:
    """Ask the endpoint one cheap question, noted in the usage ledger like every call."""
    provider, script = run.settings.get("provider"), run.settings.script("doctor")
    where = f"{provider['baseUrl']}, model {script['model']}"
    try:
        if run.settings.get("engine") == "builtin" or not config.wants_model(run.settings):
            yield Finding("endpoint", INFO, f"{where}: not asked, because the built-in engine judges")
            return
        ms = _asked(run, provider, script)
    except KoogError as e:
        level = WARN if isinstance(e, Refused) else ERROR
        hint = f" ({e.hint})" if e.hint else ""
        yield Finding("endpoint", level, f"{where}: {e.code}: {e.message}{hint}", command="koog doctor --online")
        return
    yield Finding("endpoint", INFO, f"{where}: answers, in {ms} ms")


def _asked(run: Run, provider: dict[str, Any], script: dict[str, Any]) -> int:
    """Return the call's milliseconds. Raises what a command's own call would raise."""
    _within_budget(run)
    entry: dict[str, Any] = {"command": "doctor", "task": "doctor", "ok": False, "code": None}
    try:
        done = llm.chat(
            llm.Endpoint(base_url=provider["baseUrl"], api_key=config.api_key(run.settings)),
            llm.Route(model=script["model"], max_tokens=ANSWER_TOKENS, timeout_s=min(script["timeout"], ANSWER_S)),
            system=SYSTEM,
            user=QUESTION,
        )
        entry |= {
            "model": done.model,
            "promptTokens": done.prompt_tokens or estimate(SYSTEM + QUESTION),
            "completionTokens": done.completion_tokens or estimate(done.text),
            "costUsd": done.cost_usd,
            "ms": done.ms,
            "attempts": done.attempts,
            "ok": True,
        }
        return done.ms
    except KoogError as e:
        entry["code"] = e.code
        raise
    finally:
        usage.record(run.workspace, when=run.now, entry=entry)


def _within_budget(run: Run) -> None:
    limits = run.settings.get("budget")
    tokens, usd = usage.spent(run.workspace, now=run.now, zone=run.zone)
    usage.check(
        tokens=tokens,
        usd=usd,
        coming=ANSWER_TOKENS,
        tokens_limit=limits["tokensPerDay"],
        usd_limit=limits["usdPerDay"],
    )
