"""The operator's file: koog adds an entry to it, and what a person keeps there is never lost."""

from __future__ import annotations

import json

import pytest

from koog.core import operator
from koog.core.errors import ConfigError
from koog.core.files import atomic


@pytest.fixture
def file():
    path = operator.path()
    path.parent.mkdir(parents=True)
    return path


@pytest.mark.parametrize("blank", ["", "\n", " \n", "\ufeff", "\ufeff\n"])
def test_a_blank_file_gets_an_entry(koog, tmp_path, file, blank):
    file.write_text(blank)

    code, line = koog("init", str(tmp_path / "agent"))

    assert (code, line["id"]) == (0, *json.loads(file.read_text("utf-8-sig"))["workspaces"])


@pytest.mark.parametrize("text", ['{"workspaces": []}', '{"workspaces": null}', '{"workspaces": "x"}'])
def test_what_koog_could_not_write_into_stays_as_it_is(tmp_path, file, text):
    file.write_text(text)

    with pytest.raises(ConfigError, match="workspaces: no object"):
        operator.register(tmp_path)

    assert file.read_text() == text


def test_a_key_that_is_no_object_stays_as_it_is(tmp_path, file):
    text = json.dumps({"workspaces": {"0123456789ab": {"path": str(tmp_path), "git": []}}})
    file.write_text(text)

    with pytest.raises(ConfigError, match=r"workspaces\.0123456789ab\.git: no object"):
        operator.remember(tmp_path, "git.backup", "all")

    assert file.read_text() == text


def test_what_a_person_saves_at_that_moment_stays(tmp_path, file, monkeypatch):
    file.write_text('{"timezone": "UTC"}')
    prepare = atomic.prepare

    def saved_meanwhile(target, data):
        prepare(target, data)
        monkeypatch.setattr(atomic, "prepare", prepare)
        file.write_text('{"timezone": "Asia/Tokyo"}')

    monkeypatch.setattr(atomic, "prepare", saved_meanwhile)

    id_ = operator.register(tmp_path)

    assert json.loads(file.read_text()) == {"timezone": "Asia/Tokyo", "workspaces": {id_: {"path": str(tmp_path)}}}
