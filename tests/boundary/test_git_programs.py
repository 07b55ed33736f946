"""Whatever the workspace's own git configuration names as a program: none of it is run by any command.

Each program leaves its name behind when it runs. Groups that do not hide one another share a workspace.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.boundary.ground import Ground

CALLS = ("status", "mine", "doctor", "log", "backup")
HOOKS = (
    *("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-rewrite", "post-checkout", "post-merge"),
    *("reference-transaction", "post-index-change", "pre-auto-gc", "pre-push", "push-to-checkout", "update"),
    *("fsmonitor-watchman", "applypatch-msg", "sendemail-validate", "proc-receive"),
)
# Keys that name a program, by themselves.
KEYS = (
    *("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.gitProxy"),
    *("core.alternateRefsCommand", "sequence.editor", "gpg.program", "gpg.ssh.program", "gpg.ssh.defaultKeyCommand"),
    *("gc.recentObjectsHook", "uploadpack.packObjectsHook", "credential.helper", "diff.external"),
    *("interactive.diffFilter", "pager.status", "pager.log", "pager.diff", "browser.x.cmd", "man.x.cmd"),
    *("difftool.x.cmd", "mergetool.x.cmd", "merge.x.driver", "diff.x.textconv", "diff.x.command", "tar.x.command"),
    *("alias.status", "trailer.x.cmd", "remote.origin.uploadpack", "remote.origin.receivepack", "sendemail.toCmd"),
    *("submodule.sub.update", "receive.procReceiveRefs", "imap.tunnel", "instaweb.httpd", "web.browser"),
)
ATTRIBUTES = "* filter=x diff=x merge=x\n"


def config(ground: Ground, *pairs: tuple[str, str], file: str = ".git/config") -> None:
    for key, value in pairs:
        ground.git("config", "--file", str(ground.ws / file), "--add", key, value)


def filters(ground: Ground, file: str = ".git/config", name: str = "x") -> None:
    """Make git pass each content through programs."""
    clean, smudge = ground.program(f"clean-{name}"), ground.program(f"smudge-{name}")
    config(ground, (f"filter.{name}.clean", clean), (f"filter.{name}.smudge", smudge), file=file)
    config(ground, ("filter.p.process", ground.program(f"process-{name}", then="exit 1")), file=file)


def dirty(ground: Ground) -> None:
    """Leave files of which git has to know whether they have changed."""
    ground.run("log")
    for path in ("AGENTS.md", "memory/2026-02-27.md"):
        with (ground.ws / path).open("a") as file:
            file.write("- one line more\n")
    ground.put("new.md", "new\n")
    ground.put("img.bin", b"\0\1")


def filters_by_attributes(ground: Ground) -> None:
    filters(ground)
    ground.put(".gitattributes", ATTRIBUTES)


def filters_by_info(ground: Ground) -> None:
    filters(ground)
    ground.put(".git/info/attributes", ATTRIBUTES)


def filters_by_attributes_file(ground: Ground) -> None:
    filters(ground)
    ground.put("attributes", ATTRIBUTES)
    config(ground, ("core.attributesFile", str(ground.ws / "attributes")))


def filters_of_a_process(ground: Ground) -> None:
    filters(ground)
    ground.put(".gitattributes", "* filter=p\n")
    config(ground, ("filter.p.required", "true"))


def filters_by_include(ground: Ground) -> None:
    ground.put(".gitattributes", "* filter=plain diff=x\n*.md filter=gitdir\n*.bin filter=branch\nnew.md filter=url\n")
    gits = os.path.realpath(ground.ws / ".git")
    for name, key in {
        "plain": "include.path",
        "gitdir": f"includeIf.gitdir:{gits}.path",
        "branch": "includeIf.onbranch:main.path",
        "url": "includeIf.hasconfig:remote.*.url:**.path",
    }.items():
        filters(ground, file=f".git/{name}", name=name)
        config(ground, ("core.fsmonitor", ground.program(f"fsmonitor-{name}")), file=f".git/{name}")
        config(ground, (key, name))
    config(ground, ("remote.origin.url", "https://example.invalid/x.git"))


def filters_of_a_worktree(ground: Ground) -> None:
    ground.put(".gitattributes", ATTRIBUTES)
    config(ground, ("core.repositoryFormatVersion", "1"), ("extensions.worktreeConfig", "true"))
    filters(ground, file=".git/config.worktree")
    config(ground, ("core.fsmonitor", ground.program("fsmonitor-worktree")), file=".git/config.worktree")


def keys(ground: Ground) -> None:
    ground.put(".gitattributes", ATTRIBUTES)
    for key in KEYS:
        config(
            ground, (key, ("!" if key.startswith(("alias", "submodule")) else "") + ground.program(key, then="exit 1"))
        )
    config(ground, ("commit.gpgSign", "true"), ("log.showSignature", "true"), ("push.gpgSign", "true"))
    config(ground, ("tag.gpgSign", "true"), ("diff.ignoreSubmodules", "none"), ("status.submoduleSummary", "true"))
    config(ground, ("remote.origin.url", str(ground.outside / "none.git")), ("gc.auto", "1"))


def a_signed_commit(ground: Ground) -> None:
    """A commit with a signature is looked at by `log.showSignature`, and so the program that looks."""
    raw = ground.git("cat-file", "commit", "HEAD")
    head, _, text = raw.partition("\n\n")
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQEz\n -----END PGP SIGNATURE-----"
    ground.put("commit", f"{head}\n{signature}\n\n{text}\n")
    signed = ground.git("hash-object", "-t", "commit", "-w", str(ground.ws / "commit"))
    ground.git("update-ref", "refs/heads/main", signed)
    config(ground, ("log.showSignature", "true"), ("gpg.program", ground.program("gpg")))
    config(ground, ("gpg.minTrustLevel", "never"))


def hooks(ground: Ground) -> None:
    for name in HOOKS:
        program = ground.program(f"hook-{name}", then="exit 0")
        ground.put(f".git/hooks/{name}", Path(program).read_bytes()).chmod(0o755)
    config(ground, ("gc.auto", "1"))


def hooks_by_path(ground: Ground) -> None:
    for name in HOOKS:
        program = ground.program(f"hook-{name}", then="exit 0")
        ground.put(f"tools/hooks/{name}", Path(program).read_bytes()).chmod(0o755)
    config(ground, ("core.hooksPath", "tools/hooks"), ("gc.auto", "1"))


def repositories_inside(ground: Ground) -> None:
    """Folders with a repository of their own: git looks into those for their state."""
    for folder in ("memory", "knowledge", "projects/sub"):
        (ground.ws / folder).mkdir(parents=True, exist_ok=True)
        ground.git("init", "-q", cwd=ground.ws / folder)
        ground.put(f"{folder}/.gitattributes", "* filter=x\n")
        filters(ground, file=f"{folder}/.git/config", name="x")
        config(ground, ("core.fsmonitor", ground.program(f"fsmonitor-{folder[:3]}")), file=f"{folder}/.git/config")
    ground.put("projects/sub/a.md", "a\n")
    ground.put(".gitmodules", '[submodule "sub"]\n\tpath = projects/sub\n\turl = ./x\n')


def a_bare_repository_inside(ground: Ground) -> None:
    """A folder that looks like a bare repository is one to git, when it is the current folder."""
    ground.git("init", "-q", "--bare", str(ground.ws / "memory/bare"))
    config(ground, ("core.fsmonitor", ground.program("fsmonitor-bare")), file="memory/bare/config")
    config(ground, ("core.worktree", str(ground.ws)), ("core.bare", "false"), file="memory/bare/config")


def a_promise(ground: Ground) -> None:
    """What a partial clone lacks git fetches, from wherever its configuration says, by whatever program."""
    config(ground, ("core.repositoryFormatVersion", "1"), ("extensions.partialClone", "origin"))
    ground.git("init", "-q", "--bare", str(ground.ws / "tools/none.git"))
    config(ground, ("remote.origin.url", str(ground.ws / "tools/none.git")), ("remote.origin.promisor", "true"))
    config(ground, ("remote.origin.uploadpack", ground.program("uploadpack-promise", then="exit 1")))
    lacking = ground.git("rev-parse", "HEAD:AGENTS.md"), ground.git("rev-parse", "HEAD:memory/sinain-playbook.md")
    for sha in lacking:
        (ground.ws / f".git/objects/{sha[:2]}/{sha[2:]}").unlink()


def a_promise_by_ssh(ground: Ground) -> None:
    a_promise(ground)
    ground.git("config", "remote.origin.url", "ssh://git@127.0.0.1:1/x.git")
    config(ground, ("core.sshCommand", ground.program("ssh-promise", then="exit 1")))


def a_promise_by_ext(ground: Ground) -> None:
    a_promise(ground)
    ground.git("config", "remote.origin.url", f"ext::{ground.program('ext-promise', then='exit 1')}")
    config(ground, ("protocol.ext.allow", "always"), ("protocol.allow", "always"))


def programs_in_the_workspace(ground: Ground) -> None:
    """Programs by the names that koog and git start: nothing of the workspace is on anybody's PATH."""
    for name in ("git", "ssh", "gpg", "less", "crontab", "systemctl", "sh", "python3", "git-remote-x", "git-lfs"):
        program = ground.program(f"by-name-{name}")
        for folder in ("", "bin/", ".koog/", "tools/"):
            ground.put(f"{folder}{name}", Path(program).read_bytes()).chmod(0o755)
    for name in ("sitecustomize.py", "orjson.py", "koog/__init__.py", "usercustomize.py", "typer/__init__.py"):
        ground.put(name, f"import pathlib; pathlib.Path({str(ground.ran / name.replace('/', '-'))!r}).touch()\n")


TRICKS: list[Callable[[Ground], None]] = [
    *(filters_by_attributes, filters_by_info, filters_by_attributes_file, filters_of_a_process, filters_by_include),
    *(filters_of_a_worktree, keys, a_signed_commit, hooks, hooks_by_path, repositories_inside),
    *(a_bare_repository_inside, a_promise, a_promise_by_ssh, a_promise_by_ext),
]


@pytest.mark.wide(6)
@pytest.mark.parametrize("trick", TRICKS, ids=lambda trick: trick.__name__.replace("_", " "))
def test_no_program_of_the_repositorys_own_configuration_is_run(
    trick: Callable[[Ground], None], ground: Ground
) -> None:
    ground.git("add", "-A")
    ground.git("commit", "-qm", "a day")
    dirty(ground)
    trick(ground)
    for program in ground.ran.iterdir():  # by our own preparations
        program.unlink()

    ground.run(*CALLS, *(["tick"] if trick in (filters_by_attributes, keys, hooks) else []))

    ground.assert_kept()


def test_nothing_of_the_workspace_is_taken_for_a_program_or_a_module(ground: Ground) -> None:
    programs_in_the_workspace(ground)

    ground.started("log", "--entry", '{"tickId": "t1", "feedbackScores": null, "actionsConsidered": []}')
    ground.started("status")
    ground.run("backup", "tick")

    ground.assert_kept()


def test_a_file_that_needs_a_filter_of_the_repositorys_own_stays_out_and_is_named(ground: Ground) -> None:
    """Committed as it is it would be what a clone's filter cannot read; passed through, koog would run a program."""
    ground.git("add", "-A")
    ground.git("commit", "-qm", "a day")
    filters(ground)
    config(ground, ("filter.x.required", "true"))
    ground.put(".gitattributes", "*.bin filter=x\n")
    ground.put("a.bin", b"\0\1")
    ground.put("b.md", "b\n")

    called = ground.run("backup")["backup"]

    assert called.code == 0
    assert "a.bin" in called.line["leftOut"]
    assert "a.bin" not in ground.git("ls-tree", "-r", "--name-only", "HEAD")
    assert "b.md" in ground.git("ls-tree", "-r", "--name-only", "HEAD")
    ground.assert_kept()


def test_doctor_names_what_is_not_honoured(ground: Ground) -> None:
    filters_by_attributes(ground)
    config(ground, ("core.fsmonitor", ground.program("fsmonitor")), ("core.sshCommand", ground.program("ssh")))

    told = ground.run("doctor")["doctor"].out

    assert "filter.x.clean" in told
    assert "core.sshcommand" in told.lower()
    ground.assert_kept()


def test_the_operator_may_trust_the_repositorys_own_configuration(ground: Ground) -> None:
    ground.git("add", "-A")
    ground.git("commit", "-qm", "a day")
    ground.operator("git.trustLocalConfig", True)
    filters_by_attributes(ground)
    ground.put("b.md", "b\n")

    called = ground.run("backup")["backup"]

    assert called.code == 0
    assert "clean-x" in ground.programs_run()
