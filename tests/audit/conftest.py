"""A workspace in which some facts were remembered is made once, and copied for each test that begins with one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests import inside
from tests.audit.tools import remembered
from tests.conftest import at_home, registered
from tests.copies import copy, copy_repository


@pytest.fixture(scope="session")
def life(tmp_path_factory: pytest.TempPathFactory, templates: dict[str, Path]) -> Path:
    """Return a folder with a home and a workspace, `ws`, that koog knows."""
    place = tmp_path_factory.mktemp("life")
    with pytest.MonkeyPatch.context() as patch:
        at_home(place / "home", patch)
        copy_repository(templates["empty"], place / "ws")
        registered(place / "ws")
        for words in (*remembered(4), ["audit", "verify"]):
            code, out, _ = inside.run(words, cwd=place / "ws", env=os.environ)
            assert code == 0, out
        assert json.loads(out)["verdict"] == "intact"
    return place


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Path:
    """The workspace of a test, which is also the current folder; where a test has `lived_in` with the life."""
    folder = tmp_path / "ws"
    if "lived_in" in request.fixturenames:
        template: Path = request.getfixturevalue("life")
        copy_repository(template / "ws", folder)
        for name in ("config", "state"):
            copy(template / "home" / name, tmp_path / "home" / name)
        for file in (tmp_path / "home/config/koog/config.json", *(tmp_path / "home/state/koog").glob("*/git/config")):
            file.write_text(file.read_text().replace(str(template), str(tmp_path)))
    else:
        copy_repository(request.getfixturevalue("templates")["empty"], folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def lived_in(workspace: Path) -> Path:
    """The workspace in which four facts were remembered; its log is intact."""
    return workspace
