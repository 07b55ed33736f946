"""Whatever lies where koog reads a file: nothing hangs, nothing outside is read or changed, nobody's bytes are lost."""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
from pathlib import Path

import pytest

from tests.conftest import NEW_EXAMPLES, git, registered
from tests.faults.contract import KEY, PLANTED, nowhere, run
from tests.faults.endpoint import Endpoint, says, sending
from tests.logs import LOGS, NOW, PLAYBOOK, before, entry, note, snapshot

DAY = NOW[:10]
LOG = f"{LOGS}/{DAY}.jsonl"
NOTE = "memory/2026-02-27.md"
SUMMARY = "The build failed twice with ENOSPC."
OUTSIDE = "kept-outside-" + "the-workspace"

MANIFEST = {
    "id": "own",
    "name": "Own",
    "description": "Of the tests",
    "version": "1.0.0",
    "priority": {"default": 50, "range": [1, 100]},
    "triggers": {"keywords": ["metro"], "filePatterns": []},
    "locked": False,
}
ACTIVE = {"status": "active", "priority": 50, "activatedAt": None, "lastTriggered": None, "locked": False}
REGISTRY = {"version": 1, "modules": {"own": ACTIVE}}

# every file of a workspace that koog reads: a good version of it, and a command that reads it
FILES = {
    PLAYBOOK: ("<!-- mining-index:  -->\n- Prefer small commits\n- Ask before deleting\n", ["playbook", "show"]),
    LOG: (json.dumps(entry(before(hours=2))) + "\n" + json.dumps(entry(before(hours=1))) + "\n", ["feedback"]),
    NOTE: ("# Friday\n\n- Decided on Drizzle instead of Prisma\n- The user prefers tabs\n", ["mine"]),
    "memory/meta/cursors.json": ('{\n  "version": 1,\n  "mine": {"files": {}, "pending": []}\n}\n', ["mine"]),
    "memory/meta/usage.jsonl": ('{"ts": "2026-02-28T08:00:00Z", "promptTokens": 1}\n' * 2, ["synthesize"]),
    "modules/module-registry.json": (json.dumps(REGISTRY, indent=2) + "\n", ["module", "list"]),
    "modules/own/manifest.json": (json.dumps(MANIFEST, indent=2) + "\n", ["module", "info", "own"]),
    "modules/own/patterns.md": ("# Own\n\n## Established\n- Clear the metro cache\n", ["playbook", "build"]),
    "modules/own/guidance.md": ("Look here when metro stops.\nAlways.\n", ["module", "guidance", "own"]),
    "koog-config.json": ('{\n  "heartbeat": {"idleMinutes": 30}\n}\n', ["module", "stack"]),
}
DAMAGE = {
    "torn": lambda data: data[: len(data) * 2 // 3],
    "NUL at the end": lambda data: data + b"\0" * 512,
    "not UTF-8": lambda data: data.replace(b"e", b"\xff\xe9", 3),
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "BOM": lambda data: b"\xef\xbb\xbf" + data,
    "empty": lambda data: b"",
}
HARMLESS = ["CRLF", "BOM"]


@pytest.fixture
def whole(workspace):
    """A workspace in which every file that koog reads is there and in order, committed."""
    for name, (text, _) in FILES.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    git(workspace, "add", "-A")
    git(workspace, "commit", "-qm", "whole")
    return workspace


@pytest.fixture
def outside(tmp_path):
    """A folder beside the workspace with a file in it that is nobody's business."""
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "file.md").write_text(f"- {OUTSIDE}\n")
    return folder


def tick(workspace, *argv, engine="builtin", **how):
    argv = ("--now", NOW, "--idle", "--engine", engine, "--session-summary", SUMMARY, *argv)
    return run("tick", *argv, cwd=workspace, **how)


def command(workspace, name):
    return run(*FILES[name][1], "--now", NOW, "--engine", "builtin", cwd=workspace)


def closed(ended):
    """Return whether a tick did what it must do whatever happens."""
    return ended.code == 0 and ended.line["heartbeat"] == "HEARTBEAT_OK" and ended.line["receipt"] is not None


def ticked(workspace):
    """Return the ids of the ticks in the day's log; what is no JSON there is passed over."""
    rows = [
        line for line in (workspace / LOG).read_text("utf-8", "replace").splitlines() if f'"tickId":"{NOW}"' in line
    ]
    return [json.loads(row)["tickId"] for row in rows]


# --- what stands in a file


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_texts_and_logs_are_read_as_far_as_they_go_and_never_thrown_away(damage, whole):
    texts = [name for name in FILES if not name.endswith(".json")]
    data = {name: DAMAGE[damage]((whole / name).read_bytes()) for name in texts}
    for name in texts:
        (whole / name).write_bytes(data[name])

    ended = tick(whole)

    assert closed(ended)
    assert ended.line["degraded"] == []
    assert (whole / LOG).read_bytes().startswith(data[LOG])
    assert ticked(whole)[-1] == NOW
    for name in texts:
        if name not in (LOG, PLAYBOOK):
            assert (whole / name).read_bytes() == data[name]
    if damage in HARMLESS:
        assert (whole / PLAYBOOK).read_bytes()[:3] == data[PLAYBOOK][:3]
        assert (b"\r\n" in data[PLAYBOOK]) == (b"\r\n" in (whole / PLAYBOOK).read_bytes())


@pytest.mark.parametrize("damage", HARMLESS)
def test_json_with_other_line_ends_or_a_bom_is_as_good(damage, whole):
    for name in (name for name in FILES if name.endswith(".json")):
        (whole / name).write_bytes(DAMAGE[damage]((whole / name).read_bytes()))

    ended = tick(whole)

    assert closed(ended)
    assert ended.line["degraded"] == []
    assert ended.line["moduleStack"] == [{"id": "own", "priority": 50, "approval": None}]


@pytest.mark.parametrize("damage", ["torn", "NUL at the end"])
@pytest.mark.parametrize(
    "name", ["memory/meta/cursors.json", "modules/module-registry.json", "modules/own/manifest.json"]
)
def test_damaged_json_fails_the_steps_that_need_it_and_stays_for_a_person_to_mend(name, damage, whole):
    data = DAMAGE[damage]((whole / name).read_bytes())
    (whole / name).write_bytes(data)

    ended = tick(whole)

    assert closed(ended)
    assert (whole / name).read_bytes() == data
    assert {row["code"] for row in ended.line["steps"] if row["status"] == "failed"} <= {"workspace"}
    assert ended.line["degraded"] or ended.line["_meta"]["warnings"]


@pytest.mark.parametrize("damage", ["not UTF-8"])
@pytest.mark.parametrize("name", FILES)
def test_the_command_that_reads_a_damaged_file_says_so_or_makes_the_best_of_it(name, damage, whole):
    path = whole / name
    data = DAMAGE[damage](path.read_bytes())
    path.write_bytes(data)
    before_it = snapshot(whole)

    ended = command(whole, name)

    assert ended.error in (None, "workspace", "config")
    if ended.error:
        assert Path(name).name in ended.line["error"]["message"]
        assert snapshot(whole) == before_it


# --- what stands in a file's place


def fifo(path):
    os.mkfifo(path)


def unix_socket(path):
    folder = os.open(path.parent, os.O_RDONLY)  # a socket's address is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"/proc/self/fd/{folder}/{path.name}")
    os.close(folder)


def device(path):
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))  # /dev/zero: it never ends
    except PermissionError:
        pytest.skip("only root makes devices")


def folder(path):
    path.mkdir()


def link_to_nothing(path):
    path.symlink_to("nowhere")


def circle(path):
    path.symlink_to(path.name)


def link_to_zero(path):
    path.symlink_to("/dev/zero")


PLACED = [fifo, unix_socket, device, folder, link_to_nothing, circle, link_to_zero]


@pytest.mark.parametrize("place", PLACED)
def test_what_is_no_file_in_every_files_place_hangs_no_tick(place, whole):
    for name in FILES:
        if name not in (LOG, "koog-config.json"):
            (whole / name).unlink()
            place(whole / name)

    ended = tick(whole)

    assert closed(ended)
    assert ticked(whole)[0] == NOW


@pytest.mark.parametrize("place", [place for place in PLACED if place is not link_to_nothing])  # that one is made
def test_a_gate_that_finds_no_file_to_close_with_says_so_and_what_came_before_is_committed(place, whole):
    (whole / LOG).unlink()
    place(whole / LOG)
    kind = stat.S_IFMT((whole / LOG).lstat().st_mode)

    ended = tick(whole)

    assert ended.error == "workspace"
    assert NOW[:10] in ended.line["error"]["message"]
    assert stat.S_IFMT((whole / LOG).lstat().st_mode) == kind
    assert git(whole, "status", "--porcelain", "--", PLAYBOOK, "memory/meta") == ""


@pytest.mark.parametrize("place", [fifo, folder, circle, link_to_zero])
def test_a_config_that_is_no_file_is_a_config_error_and_nothing_is_done(place, whole):
    (whole / "koog-config.json").unlink()
    place(whole / "koog-config.json")
    kept = snapshot(whole)

    ended = tick(whole)

    assert ended.error == "config"
    assert snapshot(whole) == kept


@pytest.mark.parametrize("place", [fifo, folder, link_to_zero])
def test_an_audit_log_that_is_no_file_keeps_every_step_from_writing(place, whole):
    place(whole / "memory/meta/audit.log")
    kept = snapshot(whole)

    ended = tick(whole)

    assert ended.error == "workspace"
    assert snapshot(whole) == kept


@pytest.mark.parametrize("place", [fifo, folder, link_to_zero])
@pytest.mark.parametrize("names", [["structured.json", "failures.jsonl"], ["lock"], ["tick.lock"]], ids=" ".join)
def test_what_is_no_file_in_koogs_private_folder_hangs_nothing(place, names, whole, monkeypatch):
    for name in names:
        place(whole / ".koog" / name)

    with Endpoint(sending(says("I see nothing."))) as server:
        monkeypatch.setenv("KOOG_PROVIDER_BASE_URL", server.url)
        monkeypatch.setenv("OPENROUTER_API_KEY", KEY)
        ended = tick(whole, engine="llm")

    if ended.error:
        assert (ended.error, names[0][-4:]) == ("workspace", "lock")
    else:
        assert {row["code"] for row in ended.line["steps"] if row["status"] == "failed"} == {"llm_unusable"}


@pytest.mark.parametrize("place", [fifo, folder, link_to_zero])
@pytest.mark.parametrize("which", ["config", "key_file"])
def test_what_is_no_file_in_place_of_the_operators_files_is_a_config_error(place, which, whole, operator, monkeypatch):
    monkeypatch.setenv("KOOG_PROVIDER_API_KEY_FILE", str(operator.key_file))
    path = getattr(operator, which)
    path.unlink(missing_ok=True)
    place(path)

    ended = run("signal", "--session-summary", SUMMARY, cwd=whole)

    assert ended.error == "config"


# --- names and links that lead elsewhere


@pytest.mark.wide(6)
@pytest.mark.parametrize(
    "module", ["../outside", "..", "/etc", "own/../../outside", ".git", "Own", "own\n", "ｏｗｎ", "-"]
)
@pytest.mark.parametrize("verb", [["activate"], ["extract", "--domain", "x"]])
def test_a_module_id_that_is_a_path_is_a_wrong_call(module, verb, whole, outside):
    kept, theirs = snapshot(whole), snapshot(outside)

    ended = run("module", *verb, "--", module, cwd=whole)

    assert ended.error == "usage"
    assert (snapshot(whole), snapshot(outside)) == (kept, theirs)


def test_a_registry_that_names_a_path_brings_nothing_in(whole, outside):
    (outside / "patterns.md").write_text(f"- {OUTSIDE}\n")
    (outside / "manifest.json").write_text(json.dumps({**MANIFEST, "id": "outside"}))
    registry = {"version": 1, "modules": {"../../outside": ACTIVE, "own": ACTIVE}}
    (whole / "modules/module-registry.json").write_text(json.dumps(registry))

    ended = tick(whole)

    assert closed(ended)
    nowhere(OUTSIDE, whole, ended=ended)


@pytest.mark.parametrize(
    "name", [PLAYBOOK, NOTE, LOG, "modules/own/patterns.md", "modules/own/manifest.json", "memory/context.md"]
)
def test_a_link_out_of_the_workspace_is_neither_read_nor_written_through(name, whole, outside):
    (whole / name).unlink(missing_ok=True)
    (whole / name).symlink_to(outside / "file.md")
    theirs = snapshot(outside)

    ended = tick(whole)

    assert closed(ended) or (name == LOG and ended.error == "workspace")
    assert snapshot(outside) == theirs
    shutil.copytree(whole, whole.parent / "copy", symlinks=True)
    nowhere(OUTSIDE, whole.parent / "copy", ended=ended)


@pytest.mark.parametrize("name", ["memory", LOGS, "memory/meta", "memory/playbook-archive", "modules", "modules/own"])
def test_a_folder_that_is_a_link_out_of_the_workspace_is_neither_read_nor_written_through(name, whole, outside):
    moved = outside / "moved"
    if (whole / name).exists():
        (whole / name).rename(moved)
    moved.mkdir(exist_ok=True)
    (moved / "2026-02-26.md").write_text(f"- Decided on {OUTSIDE}\n")
    (whole / name).symlink_to(moved)
    theirs = snapshot(outside)

    ended = tick(whole)

    assert closed(ended) or ended.error == "workspace"
    assert snapshot(outside) == theirs
    nowhere(OUTSIDE, whole / ".git", ended=ended)


@pytest.mark.parametrize("name", [PLAYBOOK, LOG, "memory/meta/cursors.json", "memory/meta/audit.log"])
def test_a_hard_link_is_not_written_through(name, whole, outside):
    (whole / name).parent.mkdir(exist_ok=True)
    (whole / name).unlink(missing_ok=True)
    (outside / "linked").write_text(FILES[name][0] if name in FILES else "")
    os.link(outside / "linked", whole / name)
    theirs = snapshot(outside)

    ended = tick(whole)

    assert closed(ended) or ended.error == "workspace"
    assert snapshot(outside) == theirs


@pytest.mark.parametrize("flag", ["--memory-dir", "--modules-dir"])
@pytest.mark.parametrize("given", ["../outside", ".git"])
def test_a_folder_flag_does_not_lead_out(flag, given, whole, outside):
    theirs = snapshot(outside)

    ended = run("tick", "--workspace", str(whole), flag, given, "--now", NOW, "--engine", "builtin", cwd=whole)

    assert ended.error == "usage"
    assert snapshot(outside) == theirs


# --- size, number and names


def test_a_note_of_seventy_megabytes_is_named_and_the_others_are_mined(whole):
    with (whole / "memory/2026-02-28.md").open("wb") as file:
        file.write(f"- token {PLANTED}\n".encode())
        file.write(b"- another line of a very long day\n" * (70_000_000 // 34))

    ended = tick(whole)

    assert closed(ended)
    assert ended.line["minedSources"] == ["2026-02-27.md"]
    assert any("2026-02-28.md" in warning for warning in ended.line["_meta"]["warnings"])
    nowhere(PLANTED, whole, ended=ended, but=whole / "memory/2026-02-28.md")


@pytest.mark.parametrize(("unit", "megabytes"), [("word ", 5), ("<private>", 1)], ids=["words", "openers"])
def test_a_note_of_one_line_of_some_megabytes_is_mined(unit, megabytes, whole):
    note(whole, "2026-02-28.md", unit * (megabytes * 1_000_000 // len(unit)))

    ended = tick(whole)

    assert closed(ended)
    assert ended.line["degraded"] == []
    assert "2026-02-28.md" in ended.line["minedSources"]


def test_thousands_of_notes_are_committed_and_mined_two_by_two(whole):
    registered(whole, git_backup="all")
    for number in range(10_000 if NEW_EXAMPLES else 1_200):
        (
            whole / f"memory/{2000 + number // 360}-{number // 30 % 12 + 1:02}-{number % 30 + 1:02}-n{number}.md"
        ).write_text(f"- Decided number {number}\n")

    ended = tick(whole)

    assert closed(ended)
    assert ended.line["degraded"] == []
    assert len(ended.line["minedSources"]) == 2
    assert git(whole, "status", "--porcelain") == ""


def test_names_that_no_one_would_type_are_committed_as_they_are(whole, monkeypatch):
    monkeypatch.setenv("KOOG_GIT_REST_HOURS", "0")
    registered(whole, git_backup="all")
    names = ["2026-02-26-a\nb.md", "2026-02-26-😀.md", "2026-02-26-é.md", "2026-02-26-e\u0301.md", '2026-02-26-"q".md']
    raw = [os.fsencode(whole / "memory" / name) for name in names] + [
        os.fsencode(whole / "memory") + b"/2026-02-26-\xff\xfe.md",
        os.fsencode(whole / "memory") + b"/.2026-02-26 \xf0.md",
    ]
    for path in raw:
        Path(os.fsdecode(path)).write_text("- Decided on tabs\n")

    saved = run("backup", "--now", NOW, cwd=whole)
    ticks = [tick(whole, "--now", f"2026-02-28T1{n}:00:00Z") for n in range(3, 6)]

    assert saved.line["fileCount"] == 7
    assert git(whole, "status", "--porcelain", "-z") == ""
    assert all(closed(ended) for ended in ticks)
    assert {ended.line["degraded"].__len__() for ended in ticks} == {0}


def test_names_that_differ_in_case_alone_are_different_files(whole):
    others = [
        "memory/Sinain-Playbook.md",
        "memory/2026-02-27.MD",
        "modules/module-Registry.json",
        "Memory/2026-02-26.md",
    ]
    for name in others:
        (whole / name).parent.mkdir(exist_ok=True)
        if (whole / name).exists():
            pytest.skip("this file system takes them for one")
        (whole / name).write_text(f"- {OUTSIDE}\n")
    kept = {name: (whole / name).read_bytes() for name in others}

    ended = tick(whole)

    assert closed(ended)
    assert ended.line["degraded"] == []
    assert ended.line["minedSources"] == ["2026-02-27.md"]
    assert {name: (whole / name).read_bytes() for name in others} == kept
    assert OUTSIDE not in (whole / PLAYBOOK).read_text("utf-8")
