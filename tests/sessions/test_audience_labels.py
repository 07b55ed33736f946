"""Whose a note is, and whose what is written down from it: by its file, and by the group that it tells of."""

from __future__ import annotations

import pytest

from koog.core.run import Run
from koog.sessions import audience
from koog.sessions.audience import Seen
from koog.sessions.labels import NONE, Label
from koog.sessions.notes import group_of_note
from tests.conftest import registered

PATH = "memory/2026-02-27-harbor.md"


@pytest.fixture
def run(workspace):
    return Run(folder=str(workspace))


@pytest.mark.parametrize(
    ("key", "project"),
    [
        ("~/work/harbor", "HOME/work/harbor"),
        ("openclaw/Ops", "openclaw/ops"),
        ("harbor", "harbor"),
        (".", ""),
        ("*", ""),
        ("ws", ""),
        ("group:telegram:*", ""),
    ],
)
def test_what_is_written_down_from_a_file_is_of_the_project_that_it_is_listed_for(
    run, workspace, tmp_path, key, project
):
    registered(workspace, paths_projects={key: ["memory/*-harbor.md"]})

    found = audience.own(run).label_of(PATH)

    assert found == Label(project.replace("HOME", str(tmp_path / "home")))
    assert audience.own(run).label_of("memory/2026-02-27.md") == NONE


@pytest.mark.parametrize("key", ["~/work/harbor", "harbor", "openclaw/ops"])
@pytest.mark.parametrize("others", ["none", "all"])
def test_what_has_a_files_label_is_told_to_whom_the_file_is(run, workspace, tmp_path, key, others):
    registered(workspace, paths_projects={key: ["memory/*-harbor.md"]}, context_otherProjects=others)
    folder = tmp_path / "home/work/harbor"
    folder.mkdir(parents=True)
    label = audience.own(run).label_of(PATH)
    reader = audience.of_label(run, Label("openclaw/ops" if key == "openclaw/ops" else str(folder)))

    assert reader.line(label, "memory/sinain-playbook.md") is reader.file(PATH) is Seen.TOLD
    assert audience.of_label(run, label).line(label, "x.md") is Seen.TOLD
    expected = Seen.NAMED if others == "all" else Seen.HIDDEN
    assert audience.own(run).line(label, "x.md") is audience.own(run).file(PATH) is expected


def test_an_unknown_project_is_no_folder_of_that_name(run, workspace, tmp_path):
    (tmp_path / "home/unknown").mkdir(parents=True)
    reader = audience.of_label(run, Label(str(tmp_path / "home/unknown")))

    assert reader.line(Label("unknown"), "x.md") is not Seen.TOLD


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("- **Session Key**: agent:main:telegram:group:-100123:topic:7\n", "telegram:group:-100123"),
        ("# Session\n\n- **Session Key:** `agent:ops:discord:channel:42`\n", "discord:channel:42"),
        ("Session Key: agent:main:slack:channel:C01\n", "slack:channel:c01"),
        ("- **Session Key**: agent:main:main\n", ""),
        ("- **Session Key**: agent:main:telegram:direct:7\n", ""),
        ("# A day\n\nNothing of a session.\n", ""),
        ("", ""),
        ("\n" * 12 + "- **Session Key**: agent:main:telegram:group:-1\n", "telegram:group:-1"),
    ],
)
def test_a_note_tells_its_group(text, group):
    assert group_of_note(text) == group
