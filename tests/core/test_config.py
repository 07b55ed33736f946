"""koog-config.json: five layers, one schema, and what the agent's own file may not choose."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from koog.core import config
from koog.core.config import Settings
from koog.core.errors import ConfigError
from koog.core.operator import path as operator_path
from koog.core.shipped import shipped
from tests.conftest import CLOSED, process


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace without a config, and no variable of koog's."""
    monkeypatch.delenv("KOOG_PROVIDER_BASE_URL")
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws"


def write(path: Path, value: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def agent(folder: Path, value: Any) -> None:
    write(folder / "koog-config.json", value)


def operator(value: Any) -> None:
    write(operator_path(), value)


def load(folder: Path | None, *, file: Path | None = None, **flags: Any) -> Settings:
    return config.load(workspace=folder, operator_file=file, flags=flags)


def nested(dotted: str, value: Any) -> dict[str, Any]:
    for part in reversed(dotted.split(".")):
        value = {part: value}
    return value


# --- the order


@pytest.mark.parametrize("layers", range(1, 6))
def test_the_highest_layer_that_sets_a_key_wins(folder, monkeypatch, layers):
    """1: shipped alone, 2: and the workspace's, 3: and the operator's, 4: and the environment, 5: and a flag."""
    if layers >= 2:
        agent(folder, {"timezone": "Asia/Tokyo"})
    if layers >= 3:
        operator({"timezone": "Europe/Zurich"})
    if layers >= 4:
        monkeypatch.setenv("KOOG_TIMEZONE", "America/Lima")
    flags = {"timezone": "Africa/Cairo"} if layers >= 5 else {}

    settings = load(folder, **flags)

    expected = ["UTC", "Asia/Tokyo", "Europe/Zurich", "America/Lima", "Africa/Cairo"][layers - 1]
    assert settings.get("timezone") == expected
    assert settings.warnings == ()


def test_layers_are_merged_key_by_key_at_every_depth(folder, monkeypatch):
    agent(folder, {"git": {"commit": "off"}, "scripts": {"memory_miner": {"maxTokens": 7}}, "timezone": "Asia/Tokyo"})
    operator({"git": {"push": True}, "scripts": {"memory_miner": {"timeout": 5}}})
    monkeypatch.setenv("KOOG_HEARTBEAT_IDLE_MINUTES", "12.5")

    settings = load(folder)

    own = {"remote": "origin", "backup": "own", "trustLocalConfig": False, "pushTimeoutSeconds": 60, "restHours": 6}
    assert settings.get("git") == {"commit": "off", "push": True, **own}
    assert settings.values["scripts"]["memory_miner"] == {"model": "fast", "maxTokens": 7, "timeout": 5}
    assert (settings.get("timezone"), settings.get("heartbeat.idleMinutes")) == ("Asia/Tokyo", 12.5)


def test_a_config_that_is_named_stands_in_for_the_operators_own(folder, tmp_path):
    operator({"engine": "llm", "timezone": "Asia/Tokyo"})
    named = write(tmp_path / "named.json", {"engine": "builtin"})

    settings = load(folder, file=named)

    assert (settings.get("engine"), settings.get("timezone")) == ("builtin", "UTC")


def test_a_list_is_replaced_and_not_joined(folder):
    operator({"audit": {"criticalFiles": ["A.md"]}})

    assert load(folder).get("audit.criticalFiles") == ["A.md"]


def test_the_shipped_config_stands_alone(folder):
    settings = load(None)

    assert settings.values == json.loads(shipped("koog-config.json").read_text())
    assert settings.get("git.commit") == "command"
    with pytest.raises(KeyError):
        settings.get("git.comit")


def test_a_script_has_the_defaults_its_own_keys_and_the_model_behind_the_alias(folder):
    operator({"models": {"fast": "vendor/quick"}, "defaults": {"temperature": 1}})

    settings = load(folder)

    assert settings.script("playbook_curator") == {
        "model": "vendor/quick",
        "maxTokens": 3000,
        "timeout": 90,
        "temperature": 1,
    }
    assert settings.script("no_such_script")["model"] == "vendor/quick"


# --- what the agent may not choose

PROTECTED = {
    "provider.baseUrl": "http://evil.example/v1",
    "provider.apiKeyEnv": "AWS_SECRET_ACCESS_KEY",
    "provider.apiKeyFile": "/etc/shadow",
    "provider.structured": "none",
    "provider.fallbackModels": ["dear/model"],
    "models.fast": "dear/model",
    "models.mine": "dear/model",
    "budget.tokensPerDay": 10**9,
    "budget.usdPerDay": None,
    "audit.criticalFiles": [],
    "git.remote": "elsewhere",
    "defaults.model": "dear/model",
    "scripts.signal_analyzer.model": "dear/model",
}


@pytest.mark.parametrize("where", ["its own file", "--config inside", "--config by a link"])
@pytest.mark.parametrize("dotted", PROTECTED)
def test_a_key_that_only_the_operator_may_set_is_ignored_in_the_workspace_and_named(folder, tmp_path, dotted, where):
    wish = {**nested(dotted, PROTECTED[dotted]), "timezone": "Asia/Tokyo"}
    file = None
    if where == "its own file":
        agent(folder, wish)
    else:
        file = write(folder / "memory/other.json", wish)
    if where == "--config by a link":
        (tmp_path / "innocent.json").symlink_to(file)
        file = tmp_path / "innocent.json"

    settings = load(folder, file=file)

    assert {**settings.values, "timezone": "UTC"} == load(None).values
    assert settings.get("timezone") == "Asia/Tokyo"
    (warning,) = settings.warnings
    assert f" {dotted} ignored" in warning


@pytest.mark.parametrize("dotted", PROTECTED)
def test_the_operator_may_set_every_one_of_them(folder, dotted):
    operator(nested(dotted, PROTECTED[dotted]))

    settings = load(folder)

    assert settings.get(dotted) == PROTECTED[dotted]
    assert settings.warnings == ()


def test_an_operators_config_that_lies_inside_the_workspace_is_the_agents(folder, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "memory"))
    operator({"provider": {"baseUrl": "http://evil.example/v1"}})

    settings = load(folder)

    assert settings.get("provider.baseUrl") == "https://openrouter.ai/api/v1"
    assert "provider.baseUrl ignored" in settings.warnings[0]


@pytest.mark.parametrize("alias", ["smart", "own"])
def test_a_script_may_take_another_alias_of_the_operator(folder, alias):
    operator({"models": {"own": "vendor/own"}})
    agent(folder, {"scripts": {"signal_analyzer": {"model": alias}}, "defaults": {"model": alias}})

    settings = load(folder)

    assert settings.warnings == ()
    expected = {"smart": "anthropic/claude-sonnet-4.6", "own": "vendor/own"}[alias]
    assert settings.script("signal_analyzer")["model"] == expected


def test_the_warning_reaches_the_caller(koog, workspace):
    agent(workspace, {"provider": {"baseUrl": "http://evil.example/v1"}})

    code, line = koog("feedback")

    assert code == 0
    assert line["_meta"]["warnings"] == [
        "koog-config.json: provider.baseUrl ignored: only the operator's config may set it"
    ]


# --- what is refused


@pytest.mark.parametrize(
    ("value", "words", "hint"),
    [
        ({"enginee": "llm"}, "enginee", "'engine'"),
        ({"git": {"comit": "off"}}, "comit", "'commit'"),
        ({"scripts": {"signal_analyser": {}}}, "signal_analyser", "'signal_analyzer'"),
        ({"scripts": {"memory_miner": {"maxTokes": 1}}}, "maxTokes", "'maxTokens'"),
        ({"wholly": "different"}, "wholly", None),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_known_one(folder, value, words, hint):
    agent(folder, value)

    with pytest.raises(ConfigError) as raised:
        load(folder)

    assert raised.value.message.startswith("koog-config.json: ")
    assert words in raised.value.message
    assert raised.value.hint is None if hint is None else hint in raised.value.hint


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"engine": "gpt"}, "engine"),
        ({"git": {"push": "yes"}}, "git.push"),
        ({"heartbeat": {"playbookLines": 0}}, "heartbeat.playbookLines"),
        ({"provider": {"baseUrl": "file:///etc/passwd"}}, "provider.baseUrl"),
        ({"git": {"remote": "--upload-pack=evil"}}, "git.remote"),
        ([], "top level"),
        ("null", "top level"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_its_path(folder, value, words):
    operator(value)

    with pytest.raises(ConfigError, match=f"^config.json: {words}: "):
        load(folder)


@pytest.mark.parametrize("text", ["{", '{"engine": "llm",}', "\x00", "{'engine': 'llm'}", '{"a": NaN}'])
@pytest.mark.parametrize("whose", ["the agent's", "the operator's", "--config"])
def test_malformed_json_names_its_file(folder, tmp_path, text, whose):
    path = {
        "the agent's": folder / "koog-config.json",
        "the operator's": operator_path(),
        "--config": tmp_path / "named.json",
    }[whose]
    write(path, text)

    with pytest.raises(ConfigError, match=f"^{path.name}: "):
        load(folder, file=path if whose == "--config" else None)


def test_an_empty_file_and_a_bom_are_no_mistakes(folder):
    (folder / "koog-config.json").write_bytes(b"")
    operator_path().parent.mkdir(parents=True)
    operator_path().write_bytes(b'\xef\xbb\xbf{"engine": "llm"}')

    assert load(folder).get("engine") == "llm"


def test_a_config_that_is_named_must_be_there(folder, tmp_path):
    with pytest.raises(ConfigError, match=r"missing\.json"):
        load(folder, file=tmp_path / "missing.json")


def test_a_folder_in_a_configs_place_is_a_config_error(folder):
    (folder / "koog-config.json").mkdir()

    with pytest.raises(ConfigError, match=r"koog-config\.json"):
        load(folder)


def test_a_pipe_in_the_configs_place_is_not_waited_for(workspace):
    os.mkfifo(workspace / "koog-config.json")

    done = process("feedback", cwd=workspace)

    assert done.returncode == 3
    assert "koog-config.json" in json.loads(done.stdout)["error"]["message"]


# --- the environment


@pytest.mark.parametrize(
    ("name", "text", "dotted", "value"),
    [
        ("KOOG_GIT_COMMIT", "off", "git.commit", "off"),
        ("KOOG_GIT_PUSH_TIMEOUT_SECONDS", "2.5", "git.pushTimeoutSeconds", 2.5),
        ("KOOG_HEARTBEAT_PLAYBOOK_LINES", "40", "heartbeat.playbookLines", 40),
        ("KOOG_BUDGET_TOKENS_PER_DAY", "0", "budget.tokensPerDay", 0),
        ("KOOG_BUDGET_USD_PER_DAY", "null", "budget.usdPerDay", None),
        ("KOOG_PROVIDER_API_KEY_ENV", "null", "provider.apiKeyEnv", None),
        ("KOOG_PROVIDER_API_KEY_FILE", "1", "provider.apiKeyFile", "1"),
        ("KOOG_TIMEZONE", "null", "timezone", "null"),
        ("KOOG_PROVIDER_BASE_URL", "http://localhost:1/v1", "provider.baseUrl", "http://localhost:1/v1"),
    ],
)
def test_a_variable_sets_a_scalar_key_in_the_type_of_its_schema(folder, monkeypatch, name, text, dotted, value):
    monkeypatch.setenv(name, text)

    found = load(folder).get(dotted)

    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("KOOG_HEARTBEAT_PLAYBOOK_LINES", "many"),
        ("KOOG_HEARTBEAT_PLAYBOOK_LINES", ""),
        ("KOOG_HEARTBEAT_PLAYBOOK_LINES", "4.5"),
        ("KOOG_HEARTBEAT_PLAYBOOK_LINES", "null"),
        ("KOOG_WORKSPACE_LOCK_WAIT_SECONDS", "-1"),
        ("KOOG_WORKSPACE_LOCK_WAIT_SECONDS", "true"),
        ("KOOG_ENGINE", "gpt"),
        ("KOOG_PROVIDER_BASE_URL", "localhost"),
    ],
)
def test_a_variable_of_the_wrong_kind_is_refused(folder, monkeypatch, name, text):
    monkeypatch.setenv(name, text)

    with pytest.raises(ConfigError, match="environment|" + name):
        load(folder)


def test_every_scalar_key_has_a_variable_of_its_own():
    scalars = config._scalars(json.loads(config.SCHEMA.read_text())["$defs"]["config"])
    names = [config._variable(dotted) for dotted, _ in scalars]

    assert len(set(names)) == len(names) > 15
    assert "KOOG_WORKSPACE" not in names  # it names the workspace's folder


def test_other_variables_of_koogs_are_left_alone(folder, monkeypatch):
    monkeypatch.setenv("KOOG_WORKSPACE", "x")
    monkeypatch.setenv("KOOG_DEBUG", "1")

    assert load(folder).values == load(None).values


# --- the key


def test_the_key_comes_from_the_variable_that_is_named(folder, monkeypatch):
    operator({"provider": {"apiKeyEnv": "MY_KEY"}})
    monkeypatch.setenv("MY_KEY", " key-from-env\n")

    assert config.api_key(load(folder)) == "key-from-env"
    assert config.wants_model(load(folder))


def test_the_key_comes_from_a_private_file(folder, tmp_path):
    file = write(tmp_path / "key", "key-from-file\n")
    file.chmod(0o600)
    operator({"provider": {"apiKeyFile": str(file)}})

    assert config.api_key(load(folder)) == "key-from-file"
    assert config.wants_model(load(folder))


def test_the_variable_comes_before_the_file(folder, tmp_path, monkeypatch):
    file = write(tmp_path / "key", "key-from-file\n")
    operator({"provider": {"apiKeyFile": str(file)}})
    monkeypatch.setenv("OPENROUTER_API_KEY", "key-from-env")

    assert config.api_key(load(folder)) == "key-from-env"


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o601])
def test_a_key_file_that_others_may_read_is_refused_without_showing_it(folder, tmp_path, mode):
    file = write(tmp_path / "key", "key-from-file\n")
    file.chmod(mode)
    operator({"provider": {"apiKeyFile": str(file)}})

    with pytest.raises(ConfigError, match="others may read it") as raised:
        config.api_key(load(folder))

    assert "key-from-file" not in raised.value.message
    assert "chmod 600" in (raised.value.hint or "")


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_key_file_that_cannot_be_read_is_a_config_error(folder, tmp_path, content):
    if content:
        (tmp_path / "key").write_bytes(content)
        (tmp_path / "key").chmod(0o600)
    operator({"provider": {"apiKeyFile": str(tmp_path / "key")}})

    with pytest.raises(ConfigError, match=r"provider\.apiKeyFile"):
        config.api_key(load(folder))


@pytest.mark.parametrize(
    ("provider", "wants"),
    [({}, False), ({"apiKeyEnv": None}, True), ({"apiKeyEnv": "UNSET_VARIABLE"}, False)],
)
def test_auto_wants_the_model_where_it_needs_no_key_or_has_one(folder, provider, wants):
    operator({"provider": provider})

    assert config.wants_model(load(folder)) is wants
    assert config.api_key(load(folder)) is None


def test_the_tests_themselves_are_kept_from_the_network():
    assert load(None).get("provider.baseUrl") == CLOSED


def test_an_operators_file_that_is_a_link_in_a_circle_is_a_config_error(folder, tmp_path):
    (tmp_path / "circle.json").symlink_to("circle.json")

    with pytest.raises(ConfigError, match=r"circle\.json"):
        load(folder, file=tmp_path / "circle.json")


@pytest.mark.parametrize("name", ["a" * 300, "a/" * 3000])
def test_an_operators_file_with_an_impossible_name_is_a_config_error(folder, name):
    with pytest.raises(ConfigError, match="too long"):
        load(folder, file=Path("/") / name)


def test_a_key_file_in_nobodys_home_is_a_config_error(folder):
    operator({"provider": {"apiKeyEnv": None, "apiKeyFile": "~nobody-of-that-name/key"}})

    with pytest.raises(ConfigError, match="apiKeyFile"):
        config.api_key(load(folder))


@pytest.mark.parametrize("name", ["KOOG_GIT_PUSH", "KOOG_GIT_TRUST_LOCAL_CONFIG", "KOOG_GIT_BACKUP", "KOOG_APPROVAL"])
def test_what_takes_a_persons_own_file_is_set_by_no_variable(folder, monkeypatch, name):
    monkeypatch.setenv(name, "true")

    settings = load(folder)

    told = [settings.get(key) for key in ("git.push", "git.trustLocalConfig", "git.backup", "approval")]
    assert told == [False, False, "own", "person"]


@pytest.mark.parametrize("value", ["../other", "/etc", "~/x", "link"])
def test_a_path_of_the_workspaces_own_config_leads_nowhere_outside(folder, tmp_path, value):
    (folder / "link").symlink_to(tmp_path)
    agent(folder, {"paths": {"raw": value}})

    settings = load(folder)

    assert settings.get("paths.raw") is None
    assert "paths.raw ignored" in settings.warnings[0]


def test_a_path_inside_the_workspace_may_stand_in_its_own_config(folder):
    agent(folder, {"paths": {"raw": "raw"}})

    assert load(folder).get("paths.raw") == "raw"


def test_the_entry_of_a_workspace_stands_over_the_operators_general_keys(folder, tmp_path):
    entry = {"path": str(folder.resolve()), "git": {"push": True}}
    operator({"git": {"push": False, "remote": "mine"}, "workspaces": {"0123456789ab": entry}})

    ours, other = load(folder), load(tmp_path)

    assert (ours.get("git.push"), ours.get("git.remote"), ours.workspace_id) == (True, "mine", "0123456789ab")
    assert (other.get("git.push"), other.workspace_id) == (False, None)


def test_an_unknown_key_of_an_entry_names_the_entry(folder):
    operator({"workspaces": {"0123456789ab": {"path": str(folder.resolve()), "git": {"pusch": True}}}})

    with pytest.raises(ConfigError, match=r"workspaces\.0123456789ab"):
        load(folder)


def test_a_workspaces_own_config_names_no_workspace(folder):
    agent(folder, {"workspaces": {"0123456789ab": {"path": str(folder.resolve())}}})

    settings = load(folder)

    assert settings.workspace_id is None
    assert "workspaces" in settings.warnings[0]
