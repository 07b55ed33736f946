"""An unattended tick: period, program and environment."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path

import pytest

from koog.core.errors import UsageError
from koog.operate import job

HOMEBREW = Path("/opt/homebrew", "bin")
PYTHON = "/elsewhere/python/bin/python3"


def script(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


# --- how often


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("5m", 5), ("6m", 6), ("30m", 30), ("60m", 60), ("1h", 60), ("8h", 480), ("24h", 1440), ("1440m", 1440)],
)
def test_a_period_that_fits_evenly_is_taken(text, minutes):
    assert job.minutes_of(text) == minutes


@pytest.mark.parametrize(
    "text", ["4m", "7m", "45m", "90m", "5h", "25h", "48h", "0m", "-5m", "30", "m", "", "1d", "٣٠m"]
)
def test_any_other_is_a_usage_error_that_lists_them(text):
    with pytest.raises(UsageError) as e:
        job.minutes_of(text)

    assert e.value.hint.startswith("one of 5m 6m 10m 12m 15m 20m 30m 1h 2h")


@pytest.mark.parametrize(
    ("minutes", "now", "then"),
    [
        (30, "2026-02-28T12:00:00", "2026-02-28T12:30:00"),
        (30, "2026-02-28T12:29:59", "2026-02-28T12:30:00"),
        (480, "2026-02-28T16:01:00", "2026-03-01T00:00:00"),
        (1440, "2028-02-28T00:00:00", "2028-02-29T00:00:00"),
    ],
)
def test_the_next_run_is_the_first_multiple_after_now(minutes, now, then):
    assert job.next_run(minutes, datetime.fromisoformat(now)) == datetime.fromisoformat(then)


# --- by which program


def test_the_script_of_an_environment_is_taken_as_it_was_called(tmp_path):
    koog = script(tmp_path / "env/bin/koog")

    assert job.program(str(koog), python=PYTHON) == (str(koog),)


def test_a_relative_name_becomes_an_absolute_one(tmp_path, monkeypatch):
    koog = script(tmp_path / "env/bin/koog")
    monkeypatch.chdir(tmp_path / "env")

    assert job.program("bin/koog", python=PYTHON) == (str(koog),)


@pytest.mark.parametrize("home", [".local/share/uv/tools/koog", ".local/share/pipx/venvs/koog"])
def test_of_uv_tool_and_pipx_the_link_is_kept_because_it_survives_an_upgrade(home, tmp_path):
    link = tmp_path / ".local/bin/koog"
    link.parent.mkdir(parents=True)
    link.symlink_to(script(tmp_path / home / "bin/koog"))

    assert job.program(str(link), python=PYTHON) == (str(link),)


def test_in_a_checkout_it_is_the_script_that_made_the_environment_and_mends_it(tmp_path):
    bootstrap, koog = script(tmp_path / "bin/koog"), script(tmp_path / ".venv/bin/koog")
    (tmp_path / ".venv/koog-stamp").touch()

    assert job.program(str(koog), python=PYTHON) == (str(bootstrap),)


def test_an_environment_that_a_person_made_in_a_checkout_is_left_to_that_person(tmp_path):
    script(tmp_path / "bin/koog")
    koog = script(tmp_path / ".venv/bin/koog")

    assert job.program(str(koog), python=PYTHON) == (str(koog),)


@pytest.mark.parametrize("name", ["koog/__main__.py", "-m", "pytest", "gone/koog"])
def test_else_python_starts_the_module_and_no_folder_of_the_workspace_instead(name, tmp_path):
    assert job.program(str(tmp_path / name), python=PYTHON) == (PYTHON, "-P", "-m", "koog")


@pytest.mark.parametrize(
    ("path", "fleeting"),
    [
        ("/home/me/.cache/uv/archive-v0/x/bin/koog", True),
        ("/tmp/x/koog", True),
        ("/private/tmp/x/koog", True),
        ("/private/var/folders/zz/T/x/koog", True),
        ("/var/folders/zz/T/x/koog", True),
        ("/Users/me/Library/Caches/uv/x/koog", True),
        ("/home/me/.local/bin/koog", False),
        ("/private/etc/koog", False),
        ("/tmpfiles/koog", False),
        (str(HOMEBREW / "koog"), False),
    ],
)
def test_a_program_in_a_cache_is_known_to_go_away(path, fleeting):
    assert job.is_fleeting((path,)) is fleeting


# --- with what environment


def environment(
    given: dict[str, str], *, program: tuple[str, ...] = ("/elsewhere/env/bin/koog",), **more
) -> dict[str, str]:
    package = more.pop("package", Path("/elsewhere/env/lib/site-packages/koog"))
    return job.environment(given, program, git=more.pop("git", "/elsewhere/git/bin/git"), package=package)


def test_the_path_finds_program_and_git_and_each_folder_once():
    assert environment({})["PATH"] == "/elsewhere/env/bin:/elsewhere/git/bin:/usr/local/bin:/usr/bin:/bin"
    assert environment({}, git="/usr/bin/git")["PATH"] == "/elsewhere/env/bin:/usr/bin:/usr/local/bin:/bin"
    assert environment({}, git=None)["PATH"] == "/elsewhere/env/bin:/usr/local/bin:/usr/bin:/bin"


def test_on_a_mac_the_path_has_homebrews_folders():
    package = Path("/elsewhere/env/lib/site-packages/koog")

    found = job.environment({}, ("/elsewhere/koog",), git="/usr/bin/git", package=package, platform="darwin")

    assert found["PATH"] == ":".join(["/elsewhere", "/usr/bin", str(HOMEBREW), "/usr/local/bin", "/bin"])


def test_koogs_own_variables_pass_and_nothing_of_the_shell_that_installs():
    given = {
        "KOOG_ENGINE": "builtin",
        "KOOG_PROVIDER_API_KEY_ENV": "MY_KEY",
        "XDG_CONFIG_HOME": "/etc/me",
        "https_proxy": "http://proxy:3128",
        "KOOG_WORKSPACE": "/elsewhere",
        "KOOG_DEBUG": "1",
        "KOOG_GIT_COMMIT": "",
        "SSH_AUTH_SOCK": "/tmp/agent",
        "LANG": "C",
        "PATH": "/home/me/bin",
    }

    found = environment(given)

    assert sorted(found) == ["KOOG_ENGINE", "KOOG_PROVIDER_API_KEY_ENV", "PATH", "XDG_CONFIG_HOME", "https_proxy"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KOOG_API_KEY", "abc"),
        ("KOOG_TOKEN", "abc"),
        ("KOOG_X", "sk-or-v1-" + "0123456789abcdef" * 4),
        ("KOOG_PROVIDER_BASE_URL", "https://me:pass" + "word@host/v1"),
        ("HTTPS_PROXY", "http://me:pass" + "word@proxy:3128"),
        ("KOOG_X", "two\nlines"),
    ],
)
def test_a_secret_is_never_written_down_but_named(name, value):
    assert name not in environment({name: value})
    assert job.withheld({name: value}) == [name]


def test_the_package_is_named_only_where_python_would_not_find_it():
    module = (sys.executable, "-P", "-m", "koog")

    assert environment({}, program=module, package=Path("/src/koog"))["PYTHONPATH"] == "/src"
    assert "PYTHONPATH" not in environment({}, program=module)
    assert "PYTHONPATH" not in environment({}, package=Path("/src/koog"))


# --- what a block says of itself


def test_a_note_says_the_period_and_the_program():
    one = job.Job("/ws", 120, ("/elsewhere/my env/koog",), ("--engine", "builtin"), {})

    assert job.noted(f"x\n{one.note}\ny\n") == (120, "/elsewhere/my env/koog")


@pytest.mark.parametrize("note", ["", "# every 7m: /elsewhere/koog tick", "# every 30m: 'open", "# every 30m:  "])
def test_a_note_that_somebody_edited_is_none(note):
    assert job.noted(note) is None


def test_two_folders_of_one_name_have_two_identities():
    assert job.identity("/a/My Agent!").startswith("koog-my-agent-")
    assert job.identity("/a/My Agent!") != job.identity("/b/My Agent!")
    assert job.identity("/Ä").isascii()
