"""Where koog pushes to: nowhere by itself, and after a person's word to the recorded address only."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.boundary.ground import Ground

CALLS = ("log", "backup", "tick")
PUSHES = ("backup", "tick")


def bare(ground: Ground, name: str) -> Path:
    folder = ground.outside / name
    ground.git("init", "-q", "--bare", "-b", "main", str(folder), cwd=ground.place)
    return folder


def refs(ground: Ground, folder: Path) -> str:
    return ground.git("for-each-ref", cwd=folder)


def head(ground: Ground) -> str:
    return ground.git("rev-parse", "HEAD")


@pytest.fixture
def origin(ground: Ground) -> Path:
    """The workspace's own remote, with its branch and upstream."""
    folder = bare(ground, "origin.git")
    ground.git("remote", "add", "origin", str(folder))
    ground.git("add", "-A")
    ground.git("commit", "-qm", "a day")
    ground.git("push", "-q", "-u", "origin", "main")
    ground.run("log")
    ground.seal()
    return folder


@pytest.fixture
def evil(ground: Ground, origin: Path) -> Path:
    """A repository that takes anything: the agent's."""
    folder = bare(ground, "evil.git")
    ground.seal()
    return folder


def allow(ground: Ground) -> None:
    """Let a person say that koog may push, from where the branch goes now on; the file says so as well."""
    ground.typed("backup", "--allow-push")
    ground.operator("git.push", True)


# --- by itself


def test_nothing_is_pushed_by_itself(ground: Ground, origin: Path) -> None:
    ground.run(*CALLS)

    ground.assert_kept()  # origin lies outside


def test_nothing_is_pushed_on_the_workspaces_own_word(ground: Ground, origin: Path) -> None:
    ground.put("koog-config.json", '{"git": {"push": true}}')

    ground.run(*CALLS)

    ground.assert_kept()


def test_a_push_is_allowed_from_a_terminal_only(ground: Ground, origin: Path) -> None:
    refused = [
        ground.koog("backup", "--allow-push"),
        ground.typed("backup", "--allow-push", OPENCLAW_SHELL="exec"),
        ground.typed("backup", "--allow-push", CLAUDECODE="1"),
        ground.typed("backup", "--allow-push", CODEX_SANDBOX="seatbelt"),
    ]

    assert [c.argv for c in refused if c.line["ok"]] == []
    ground.run(*CALLS)
    ground.assert_kept()


def test_after_a_persons_word_the_branch_is_pushed_to_its_upstream(ground: Ground, origin: Path) -> None:
    said = ground.typed("backup", "--allow-push")
    ground.run("log")
    called = ground.run("backup")["backup"]

    assert said.line["ok"], said.out
    assert called.line["pushed"] is True
    assert refs(ground, origin).split() == [head(ground), "commit", "refs/heads/main"]
    assert f'"{origin}"' not in (ground.ws / "koog-config.json").read_text()


def test_a_tick_may_be_told_not_to_push(ground: Ground, origin: Path) -> None:
    allow(ground)
    before = refs(ground, origin)

    called = ground.koog("tick", "--no-push", "--session-summary", "the build failed again")

    assert called.line["ok"], called.out
    assert refs(ground, origin) == before


def test_a_branch_without_upstream_makes_none(ground: Ground, origin: Path) -> None:
    allow(ground)
    ground.git("switch", "-qc", "mine")

    ground.run(*CALLS)

    assert "refs/heads/mine" not in refs(ground, origin)


def test_in_an_agents_sandbox_nothing_is_pushed(ground: Ground, origin: Path) -> None:
    """No state root is seen there, whatever the config says."""
    allow(ground)
    before = refs(ground, origin)
    empty = ground.place / "sandbox"
    empty.mkdir()

    called = [ground.koog(name, XDG_STATE_HOME=str(empty)) for name in PUSHES]
    said = ground.typed("backup", "--allow-push", XDG_STATE_HOME=str(empty))

    assert [c.code for c in called if c.code < 0] == []
    assert not said.line["ok"]
    assert refs(ground, origin) == before
    assert list(empty.iterdir()) == []


# --- elsewhere


ADDRESSES: dict[str, list[tuple[str, str]]] = {
    "another url": [("remote.origin.url", "{evil}")],
    "a url for pushes": [("remote.origin.pushurl", "{evil}")],
    "instead of": [("url.{evil}.insteadOf", "{origin}")],
    "instead of a part": [("url.{outside}/evil.insteadOf", "{outside}/origin")],
    "instead of for pushes": [("url.{evil}.pushInsteadOf", "{origin}")],
    "another remote": [
        ("remote.evil.url", "{evil}"),
        ("branch.main.pushRemote", "evil"),
        ("remote.pushDefault", "evil"),
        ("branch.main.remote", "evil"),
    ],
    "all that there is": [
        ("remote.origin.push", "+refs/heads/*:refs/heads/*"),
        ("remote.origin.mirror", "true"),
        ("push.followTags", "true"),
    ],
    "another branch": [("branch.main.merge", "refs/heads/other"), ("push.default", "upstream")],
    "as a default of all commands": [("push.default", "matching"), ("push.followTags", "true")],
}


@pytest.mark.wide(5)
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_push_goes_to_the_recorded_address_or_nowhere(address: str, ground: Ground, origin: Path, evil: Path) -> None:
    allow(ground)
    ground.git("branch", "persons-own")
    ground.git("tag", "-a", "-m", "v1", "v1")
    names = {"evil": evil, "origin": origin, "outside": ground.outside}
    for key, value in ADDRESSES[address]:
        replace = ["--replace-all"] if key.endswith((".url", ".remote", ".merge")) else ["--add"]
        ground.git("config", *replace, key.format(**names), value.format(**names))

    ground.run("log", "backup")

    assert refs(ground, evil) == ""
    assert {line.split("\t")[1] for line in refs(ground, origin).splitlines()} == {"refs/heads/main"}
    assert ground.broken() == []


def test_a_url_that_changed_is_told_with_the_command_that_approves_it(ground: Ground, origin: Path, evil: Path) -> None:
    allow(ground)
    ground.git("config", "remote.origin.url", str(evil))
    ground.run("log")

    called = ground.run("backup")["backup"]

    assert refs(ground, evil) == ""
    assert "--allow-push" in called.out


# --- programs


def test_no_program_is_run_by_a_push(ground: Ground, origin: Path) -> None:
    allow(ground)
    for key in ("core.sshCommand", "core.askPass", "core.gitProxy", "gpg.program", "core.alternateRefsCommand"):
        ground.git("config", key, ground.program(key, then="exit 1"))
    receive = ground.program("receivepack", then='exec git-receive-pack "$@"')
    ground.git("config", "remote.origin.receivepack", receive)
    ground.git("config", "remote.origin.uploadpack", ground.program("uploadpack", then='exec git-upload-pack "$@"'))
    ground.git("config", "push.gpgSign", "if-asked")
    for name in ("pre-push", "reference-transaction"):
        program = ground.program(name, then="exit 0")
        ground.put(f".git/hooks/{name}", Path(program).read_bytes()).chmod(0o755)
    ground.put("tools/hooks/pre-push", Path(program).read_bytes()).chmod(0o755)

    ground.run(*CALLS)

    assert ground.programs_run() == []
    assert ground.broken() == []
    assert {line.split("\t")[1] for line in refs(ground, origin).splitlines()} == {"refs/heads/main"}


@pytest.mark.parametrize("url", ["ext::{program}", "ext::sh -c {program}", "x::{program}"])
def test_an_address_that_is_a_program_is_none(url: str, ground: Ground, origin: Path) -> None:
    program = ground.program("ext", then="exit 1")
    ground.git("config", "remote.origin.url", url.format(program=program))
    ground.git("config", "protocol.allow", "always")
    ground.git("config", "protocol.ext.allow", "always")
    ground.git("config", "remote.origin.vcs", "ext")
    allow(ground)  # the person has not looked

    ground.run("log", "backup")

    assert ground.programs_run() == []
    assert ground.broken() == []


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("ssh://git@127.0.0.1:1/x.git", "core.sshCommand"),
        ("git@127.0.0.1:x.git", "core.sshCommand"),
        ("git://127.0.0.1:1/x.git", "core.gitProxy"),
    ],
)
def test_what_reaches_a_remote_is_not_the_workspaces_choice(url: str, key: str, ground: Ground, origin: Path) -> None:
    ground.git("config", "remote.origin.url", url)
    allow(ground)
    ground.git("config", key, ground.program(key, then="exit 1"))
    ground.git("config", "ssh.variant", "simple")

    ground.run("log", "backup")

    assert ground.programs_run() == []
    assert ground.broken() == []


@pytest.fixture
def server() -> Iterator[tuple[int, list[str]]]:
    """A web server that asks for a password; yields its port and what it was asked."""
    asked: list[str] = []

    class Asking(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.command} {self.path} {self.headers.get('Authorization', '')}".strip())
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.end_headers()

        do_CONNECT = do_POST = do_GET  # noqa: N815

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Asking) as made:
        thread = threading.Thread(target=made.serve_forever, daemon=True)
        thread.start()
        yield made.server_address[1], asked
        made.shutdown()
        thread.join()


def test_no_helper_of_the_workspace_is_asked_for_a_password(
    ground: Ground, origin: Path, server: tuple[int, list[str]]
) -> None:
    port, _ = server
    ground.git("config", "remote.origin.url", f"http://127.0.0.1:{port}/x.git")
    allow(ground)
    for key in ("credential.helper", f"credential.http://127.0.0.1:{port}.helper", "core.askPass"):
        ground.git("config", "--add", key, ground.program(key[:17].replace("/", "-"), then="exit 1"))
    ground.git("config", "credential.interactive", "true")

    ground.run("log", "backup")

    assert ground.programs_run() == []
    assert ground.broken() == []


def test_a_proxy_of_the_workspace_is_not_used(ground: Ground, origin: Path, server: tuple[int, list[str]]) -> None:
    port, asked = server
    ground.git("config", "remote.origin.url", "http://127.0.0.1:1/x.git")
    allow(ground)
    for key in ("http.proxy", "remote.origin.proxy", "http.http://127.0.0.1:1.proxy"):
        ground.git("config", key, f"http://127.0.0.1:{port}")
    ground.git("config", "http.extraHeader", "X-Agent: yes")
    ground.git("config", "http.cookieFile", str(ground.outside / "text.md"))

    ground.run("log", "backup")

    assert asked == []
    assert ground.broken() == []


# --- what is pushed


def test_a_persons_unpushed_commit_stays_where_only_koogs_own_is_pushed(ground: Ground, origin: Path) -> None:
    ground.operator("git.backup", "own")
    allow(ground)
    before = refs(ground, origin)
    ground.put("work.md", "not ready\n")
    ground.git("add", "work.md")
    ground.git("commit", "-qm", "not ready")

    called = ground.run(*CALLS)

    assert refs(ground, origin) == before
    assert re.search(r"\b1\b", called["backup"].said)  # how many are not koog's
    assert ground.broken() == []
