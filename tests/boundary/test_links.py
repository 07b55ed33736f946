"""A name in the workspace that is a link to somewhere else: nothing there is read into a reply, changed or moved.

Each name by itself with the calls that use it, then all of them at once with every call there is.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.boundary.ground import CALLS, NOW, Ground

DAY = NOW[:10]

# What goes together in one workspace: names of files, what each leads to outside, then the calls that use them.
# A name that stops what comes after it stands alone.
FILES: dict[str, tuple[dict[str, str], list[str]]] = {
    "the lock": ({".koog/lock": "text.md"}, ["log", "backup"]),
    "the locks": (
        {".koog/tick.lock": "text.md", ".koog/observe.lock": "text.md", ".koog/.gitignore": "empty"},
        ["tick", "observe", "log"],
    ),
    "logs of cron": (
        {".koog/cron.err": "text.md", ".koog/cron.err.1": "text.md"},
        ["status", "cron", "doctor"],
    ),
    "the log of failures": ({".koog/failures.jsonl": "rows.jsonl"}, ["status", "wrong", "doctor"]),
    "the index": ({".koog/index.db": "text.md"}, ["index", "search"]),
    "beside the index": (
        {f".koog/index.db-{end}": "text.md" for end in ("wal", "shm", "journal")},
        ["index", "search"],
    ),
    "caches": (
        {".koog/topics.json": "object.json", ".koog/topic-gate.json": "object.json"},
        ["topics", "check"],
    ),
    "the journal": ({".koog/journal.json": "object.json"}, ["log", "doctor", "fix"]),
    "the audit log": ({"memory/meta/audit.log": "text.md"}, ["log", "tick", "status", "doctor"]),
    "the ledger and cursors": (
        {
            "memory/meta/cursors.json": "object.json",
            "memory/meta/usage.jsonl": "rows.jsonl",
            "memory/meta/active-topics.json": "object.json",
            "memory/meta/topic-gate.jsonl": "rows.jsonl",
            "memory/meta/pending-memories.md": "text.md",
        },
        ["mine", "usage", "status", "doctor", "check", "topics"],
    ),
    "the playbook": (
        {"memory/sinain-playbook.md": "text.md", "memory/sinain-playbook-effective.md": "text.md"},
        ["show", "signal", "curate", "build", "startup"],
    ),
    "the day's log": ({f"memory/playbook-logs/{DAY}.jsonl": "rows.jsonl"}, ["log", "status", "signal"]),
    "the workspace's config": ({"koog-config.json": "object.json"}, ["status", "log"]),
    "what git reads": ({".gitignore": "text.md", ".gitattributes": "text.md"}, ["log", "backup", "doctor"]),
    "modules": (
        {
            "modules/module-registry.json": "object.json",
            "modules/base-behaviors/manifest.json": "object.json",
            "modules/base-behaviors/patterns.md": "text.md",
        },
        ["modules", "info", "build", "doctor"],
    ),
    "texts": (
        {
            "memory/2026-02-26.md": "text.md",
            "memory/observations.md": "text.md",
            "memory/session-summaries.jsonl": "rows.jsonl",
            "MEMORY.md": "text.md",
            "SOUL.md": "text.md",
            "USER.md": "text.md",
            "HEARTBEAT.md": "text.md",
            "context.md": "text.md",
            "topics/deploy.md": "text.md",
            "knowledge/projects/_active.md": "text.md",
            "knowledge/identity/me.md": "text.md",
        },
        ["mine", "reflect", "startup", "compile", "out", "search", "topics", "check", "tick", "backup", "doctor"],
    ),
}
# The same for folders that lead to one with 25 notes.
FOLDERS: dict[str, tuple[list[str], list[str]]] = {
    "the private folder": ([".koog"], ["log", "index", "status", "doctor", "fix"]),
    "folders of the private folder": (
        [".koog/compiled", ".koog/recovered"],
        ["compile", "doctor", "fix", "log", "compile"],
    ),
    "the memory": (["memory"], ["log", "mine", "tick", "backup", "status", "doctor", "startup"]),
    "the records": (["memory/meta"], ["log", "mine", "status", "doctor", "usage"]),
    "folders of the memory": (
        ["memory/playbook-logs", "memory/playbook-archive", "memory/observation-backups"],
        ["log", "tick", "status", "reflect", "doctor"],
    ),
    "modules": (["modules"], ["modules", "build", "tick", "doctor"]),
    "a module": (["modules/base-behaviors", "modules/other"], ["info", "modules", "build", "show", "doctor"]),
    "topics and knowledge": (
        ["topics", "knowledge", "archive", "notes"],
        ["topics", "check", "search", "compile", "startup", "backup", "doctor"],
    ),
    "folders of those": (
        ["topics/more", "knowledge/projects", "memory/more"],
        ["topics", "check", "search", "startup", "backup", "mine"],
    ),
}


def long_notes(ground: Ground) -> None:
    """Write what makes a compiled context too long for the line."""
    for n in range(12):
        ground.put(f"knowledge/reference/{n}.md", f"# Metro app {n}\n\n" + f"How to deploy metro app {n}. " * 120)


@pytest.mark.wide(6)
@pytest.mark.parametrize("group", FILES)
def test_a_file_that_leads_outside_is_neither_read_nor_written(group: str, ground: Ground) -> None:
    names, calls = FILES[group]
    for name, kind in names.items():
        ground.lead(name, kind)
    ground.seal()

    ground.run(*calls)

    ground.assert_kept()


@pytest.mark.wide(5)
@pytest.mark.parametrize("group", FOLDERS)
def test_a_folder_that_leads_outside_is_neither_listed_nor_written(group: str, ground: Ground) -> None:
    long_notes(ground)
    names, calls = FOLDERS[group]
    for name in names:
        ground.lead(name, "folder")
    ground.seal()

    ground.run(*calls)

    ground.assert_kept()


def test_a_long_context_takes_the_place_of_older_ones_in_its_own_folder_only(ground: Ground) -> None:
    long_notes(ground)
    ground.link(".koog/compiled", ground.outside / "folder")

    for _ in range(2):
        ground.koog("compile", "--message", "how do I deploy the metro app?", "--budget", "20000")

    ground.assert_kept()


def test_what_a_killed_command_left_is_kept_in_the_folder_of_this_workspace(ground: Ground) -> None:
    ground.run("log")
    ground.link(".koog/recovered", ground.outside / "folder")
    ground.put("memory/.2026-02-27.md.koog.tmp", "a person's version\n")
    ground.put("memory/meta/.audit.log.koog.tmp", "a person's version\n")

    ground.run("mine", "fix", "log", "tick", "doctor")

    ground.assert_kept()


def test_no_name_makes_a_file_where_a_link_leads_to_none(ground: Ground) -> None:
    """Links to names that are free: a lock or a cache that is opened would make the file."""
    for names, _ in FILES.values():
        for name in names:
            if name not in (".koog/lock", "koog-config.json"):
                ground.lead(name, "new")
    ground.seal()

    ground.run("log", "mine", "index", "compile", "check", "observe", "reflect", "backup", "tick", "wrong")

    ground.assert_kept()


def test_no_lock_is_made_where_a_link_leads(ground: Ground) -> None:
    for name in ("lock", "tick.lock", "observe.lock"):
        ground.link(f".koog/{name}", ground.outside / name)

    ground.run("log", "tick", "observe", "backup")

    ground.assert_kept()


def test_whatever_the_private_folder_comes_to_hold(ground: Ground) -> None:
    """Names that this table does not know yet, as links."""
    ground.run("tick", "index", "compile", "check", "observe")
    for path in sorted((ground.ws / ".koog").iterdir()):
        kind = "folder" if path.is_dir() else "text.md"
        if path.name not in ("lock", "tick.lock"):
            ground.lead(f".koog/{path.name}", kind)
    ground.seal()

    ground.run("status", "log", "tick", "index", "search", "compile", "check", "observe", "doctor", "fix")

    ground.assert_kept()


def test_a_link_to_the_folder_above_opens_no_way_out(ground: Ground) -> None:
    for through in ("memory/up", "topics/up", ".koog/up", "knowledge/up"):
        ground.link(through, ground.place)

    ground.run("search", "doctor", "backup", "status")
    ground.koog("compile", "--message", "deploy", "--out", "memory/up/outside/new.md")

    ground.assert_kept()


def test_a_real_process_does_as_a_forked_one(ground: Ground) -> None:
    """The same canaries with koog as the shell starts it."""
    for name in (".koog/failures.jsonl", ".koog/cron.err", "memory/meta/usage.jsonl"):
        ground.link(name, ground.outside / "rows.jsonl")

    for argv in (CALLS["log"], CALLS["status"]):
        ground.started(*argv)

    ground.assert_kept()


# --- links that stay inside


def test_a_link_that_stays_inside_is_followed(ground: Ground) -> None:
    """Such as hosts and people make: CLAUDE.md is AGENTS.md, a day's note lies with other notes."""
    ground.link("CLAUDE.md", "AGENTS.md")
    ground.put("notes/x.md", "# 2026-02-01\n\n- Decided: the zeppelin service speaks HTTP/2 only.\n")
    ground.link("memory/2026-02-01.md", "../notes/x.md")
    ground.put("notes/patterns.md", "- Restart the zeppelin before every release (score: 0.8)\n")
    ground.put("notes/zeppelin.md", "# Zeppelin\n\nThe zeppelin service is owned by Ines.\n")
    ground.link("knowledge/reference/zeppelin.md", Path("../../notes/zeppelin.md"))

    called = ground.run("mine", "search", "backup", "compile", "startup", "status")
    found = ground.koog("search", "zeppelin service HTTP/2")

    assert [c.argv for c in called.values() if c.code] == []
    assert "zeppelin" in found.out
    assert "2026-02-01" in called["mine"].out
    assert (ground.ws / "CLAUDE.md").is_symlink()
    assert (ground.ws / "memory/2026-02-01.md").is_symlink()
    assert ground.git("ls-files", "-s", "memory/2026-02-01.md", "CLAUDE.md").split().count("120000") == 2
    ground.assert_kept()


def test_a_link_over_several_others_that_ends_inside_is_followed(ground: Ground) -> None:
    ground.put("store/deep/n.md", "# N\n\n- Decided: the zeppelin service speaks HTTP/2 only.\n")
    ground.link("store/two", "deep")
    ground.link("store/one", "../store/two")
    ground.link("memory/2026-02-02.md", "../store/one/n.md")

    called = ground.run("mine", "status")

    assert "2026-02-02" in called["mine"].out
    ground.assert_kept()


def test_links_in_a_circle_end(ground: Ground) -> None:
    ground.link("memory/2026-02-03.md", "2026-02-03.md")
    ground.link("memory/a.md", "b.md")
    ground.link("memory/b.md", "a.md")
    ground.link("knowledge/loop", ".")
    ground.link("topics/loop", "../topics")

    called = ground.run("mine", "search", "backup", "status", "doctor")

    assert [c.argv for c in called.values() if c.code] == []
    ground.assert_kept()
