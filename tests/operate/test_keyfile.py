"""The file that holds the model's key: what `cron install --key-file` refuses, and doctor tells."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from koog.core import operator
from koog.operate import keyfile

Make = Callable[[Path], object]


def private(path: Path, data: bytes = b"sk-or-v1-0123\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o600)
    return path


def link(path: Path) -> None:
    path.symlink_to(private(path.with_name("real")))


UNFIT: dict[str, tuple[Make, str, str]] = {
    "missing": (lambda p: None, "no such file", "install -m 600 /dev/null"),
    "a link to nowhere": (lambda p: p.symlink_to("gone"), "no such file", "install"),
    "world-readable": (lambda p: private(p).chmod(0o604), "others may read it", "chmod 600"),
    "of the group": (lambda p: private(p).chmod(0o640), "others may read it", "chmod 600"),
    "empty": (lambda p: private(p, b" \n"), "it is empty", "EDITOR"),
    "an .env": (lambda p: private(p, b"OPENROUTER_API_KEY=sk-or\n"), "something else", "EDITOR"),
    "two lines": (lambda p: private(p, b"one\ntwo\n"), "something else", "EDITOR"),
    "no text": (lambda p: private(p, b"\xff\xfe"), "no text", "ls -l"),
    "large": (lambda p: private(p, b"k" * 70_000), "cannot be read", "ls -l"),
    "a folder": (lambda p: p.mkdir(), "not a regular file", "ls -l"),
    "a pipe": (os.mkfifo, "not a regular file", "ls -l"),
    "a link": (link, "a link", "realpath"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_an_unfit_file_is_refused_with_the_command_that_mends_it(name, koog, workspace, alone):
    make, words, command = UNFIT[name]
    make(alone / "key")

    code, line = koog("cron", "install", "--openclaw", "--key-file", str(alone / "key"))

    assert (code, line["error"]["code"]) == ((4, "not_found") if words == "no such file" else (5, "refused"))
    assert words in line["error"]["message"]
    assert command in line["error"]["hint"]
    assert "apiKeyFile" not in str(operator.all_entries())


@pytest.mark.parametrize(
    "provider", [None, {}, {"apiKeyFile": "/srv/mine"}, {"apiKeyFile": "/srv/mine", "apiKeyEnv": "K"}]
)
def test_uninstall_puts_the_operators_config_back_as_it_was(provider, koog, workspace, alone):
    koog("init", ".")
    file = operator.path()
    if provider is not None:
        values = json.loads(file.read_text())
        next(iter(values["workspaces"].values()))["provider"] = provider
        file.write_text(json.dumps(values, indent=3))
    before = file.read_bytes()
    for name in ("first", "second"):
        koog("cron", "install", "--openclaw", "--key-file", str(private(alone / name)))
    named = file.read_bytes()

    _, dry = koog("uninstall", "--cron", "--dry-run")
    assert file.read_bytes() == named
    _, line = koog("uninstall", "--cron")

    assert file.read_bytes() == before
    assert line["taken"] == dry["taken"]
    assert koog("uninstall", "--cron")[1]["changed"] is False
    assert (alone / "second").exists()


def test_an_uninstall_that_was_killed_before_it_forgot_the_file_is_ended_by_the_next(koog, workspace, alone, sealed):
    operator.remember(workspace, "provider.apiKeyFile", "/earlier")
    before = operator.path().read_bytes()
    assert koog("cron", "install", "--openclaw", "--key-file", str(private(alone / "key")))[0] == 0
    noted = sealed.get("keyfile")
    koog("uninstall", "--cron")
    sealed.put("keyfile", noted)

    _, line = koog("uninstall", "--cron")

    assert line["taken"] == [{"from": "cron", "did": [], "left": []}]
    assert operator.path().read_bytes() == before


def test_uninstall_leaves_the_file_that_the_operator_has_named_since(koog, workspace, alone):
    koog("cron", "install", "--openclaw", "--key-file", str(private(alone / "key")))
    operator.remember(workspace, keyfile.KEY, "/srv/mine")

    for _ in range(2):
        _, line = koog("uninstall", "--cron")
        assert line["taken"][0]["left"] == [f"{operator.path()}: {keyfile.KEY} was changed since and stays"]

    assert operator.entry(workspace).values["provider"] == {"apiKeyFile": "/srv/mine"}


@pytest.mark.parametrize("name", ["world-readable", "empty", "an .env", "a link"])
def test_doctor_tells_the_same_of_a_file_that_the_config_names(name, koog, workspace, alone):
    make, words, command = UNFIT[name]
    make(alone / "key")
    private(alone / "config/koog/config.json", json.dumps({"provider": {"apiKeyFile": str(alone / "key")}}).encode())

    (told,) = [f for f in koog("doctor")[1]["findings"] if f["check"] == "key" and words in f["message"]]

    assert told["level"] == ("warn" if name == "a link" else "error")
    assert command in told["command"]


def test_no_workspace_is_a_place_for_it_nor_is_a_link_from_one(koog, workspace, tmp_path, alone):
    other = tmp_path / "other"
    koog("init", str(other))
    real = private(alone / "key")
    (workspace / "linked").symlink_to(alone)
    (tmp_path / "ways").symlink_to(other)
    inside = [private(workspace / "deep/key"), private(other / "key"), tmp_path / "ways/key", workspace / "linked/key"]

    for path in inside:
        code, line = koog("cron", "install", "--openclaw", "--key-file", str(path))

        assert (code, line["error"]["code"]) == (5, "refused"), path
        assert "in the workspace" in line["error"]["message"]
        assert line["error"]["hint"].startswith("mv ")
    assert koog("cron", "install", "--openclaw", "--key-file", str(real))[0] == 0


def test_a_file_of_somebody_else_is_told(alone, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 4711)

    (fault,) = keyfile.faults(private(alone / "key"), roots=[])

    assert (fault.message, fault.stops) == ("somebody else owns it", False)


@pytest.mark.parametrize("key", [b"sk-or-v1-0123", b"a=b"[:1] + b"bc==", b"AIza_x-y.z/+"])
def test_a_key_alone_is_no_fault(key, alone):
    assert list(keyfile.faults(private(alone / "key", key + b"\n"), roots=[])) == []
