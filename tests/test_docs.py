"""README.md says what is so; the pins hold what is installed; no tracked file names a machine or a secret."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from docs import generate
from tests.conftest import process
from tests.test_skills import SECRET_SHAPES

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
CONSOLE = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
CALL = re.compile(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
UPDATE = os.environ.get("KOOG_UPDATE") == "1"
NOW = "2026-02-28T12:00:00Z"
TEXT_CHARS, LIST_ITEMS = 90, 2  # what the README shows of a long value


# --- README.md


def test_the_readme_says_what_the_code_says_and_shows_what_it_prints(workspace):
    process("--now", NOW, "init", ".", cwd=workspace)
    text = README.read_text("utf-8")

    then = CONSOLE.sub(lambda block: CALL.sub(lambda call: played(call, workspace), block[0]), generate.rendered(text))

    if UPDATE:
        README.write_text(then, "utf-8")
    assert README.read_text("utf-8") == then, "KOOG_UPDATE=1 rewrites it"


@pytest.mark.parametrize("page", ["flows", "decisions", "threats"])
def test_a_page_names_commands_that_there_are(page):
    text = (ROOT / f"docs/{page}.md").read_text("utf-8")
    names = {name for name, _ in generate.commands()}
    groups = {name.split()[0] for name in names if " " in name}

    for call in re.findall(r"`koog ([^`]+)`", text):
        words = [word for word in call.split() if not word.startswith("-")]
        assert {" ".join(words[:2]), words[0]} & names or (words[0] in groups and len(words) == 1), call


def played(call: re.Match[str], workspace: Path) -> str:
    """Return a call with what it prints now. `cat` is taken at its word: the file is made as the README shows it."""
    command, shown = call.groups()
    program, *arguments = shlex.split(command)
    if program == "cat":
        file = workspace / arguments[0]
        file.parent.mkdir(exist_ok=True)
        file.write_text(shown, "utf-8")
        return call[0]
    assert program == "koog", command
    line = json.loads(process("--now", NOW, *arguments, cwd=workspace).stdout)
    return f"$ {command}\n{as_shown(line)}\n"


def as_shown(line: dict[str, Any]) -> str:
    """Return a line as the README shows it: every key, long values cut by a `…`, of `_meta` only the schema."""
    schema = line["_meta"]["schema"]
    short = json.dumps(shortened({**line, "_meta": "_"}), ensure_ascii=False, separators=(",", ":"))
    return re.sub(r'"…"(?=\])', "…", short).removesuffix('"_"}') + f'{{"schema":"{schema}",…}}}}'


def shortened(value: Any) -> Any:
    match value:
        case str():
            return value if len(value) <= TEXT_CHARS else value[:TEXT_CHARS].rstrip() + "…"
        case list():
            return [shortened(item) for item in value[:LIST_ITEMS]] + ["…"] * (len(value) > LIST_ITEMS)
        case dict():
            return {key: shortened(item) for key, item in value.items()}
    return value


def test_the_readme_names_every_command_that_there_is():
    table = README.read_text("utf-8").split("<!-- begin commands -->")[1]

    missing = [name for name, _ in generate.commands() if f"| `{name}` |" not in table]

    assert missing == []


def test_the_readme_names_every_key_of_the_knowledge_files():
    keys = json.loads((README.parent / "koog-config.json").read_text("utf-8"))["knowledge"]
    said = README.read_text("utf-8")

    assert [key for key in keys if f"`{key}`" not in said and f"`knowledge.{key}`" not in said] == []


@pytest.mark.parametrize(
    ("header", "verb", "told"),
    [
        ("the log; a note", "any", "the log; a note"),
        ("export: a bundle; import: modules/, the registry", "import", "modules/, the registry"),
        ("activate, suspend: the registry;\n        guidance: a file", "suspend", "the registry"),
        ("build: the effective playbook", "show", "nothing"),
        ("with --scores: one line", "feedback", "with --scores: one line"),
    ],
)
def test_a_command_gets_its_share_of_its_files_header(header, verb, told):
    assert generate.share(header, verb) == told


def test_a_part_without_its_markers_is_an_error():
    with pytest.raises(ValueError, match="'exits'"):
        generate.rendered(README.read_text("utf-8").replace("<!-- end exits -->", ""))


def test_the_links_inside_the_readme_lead_somewhere():
    text = README.read_text("utf-8")
    headings = {
        re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    }

    targets = re.findall(r"\]\(([^)]+)\)", text)

    assert targets
    assert [t for t in targets if not (t[1:] in headings if t.startswith("#") else (ROOT / t).exists())] == []


# --- pins


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def installed() -> set[str]:
    """Return `name==version` of every distribution here that koog or its dev group brings in."""
    waiting = [
        Requirement(text) for text in project()["project"]["dependencies"] + project()["dependency-groups"]["dev"]
    ]
    found: dict[str, str] = {}
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if name in found or (
            wanted.marker and not any(wanted.marker.evaluate({"extra": e}) for e in ("", *wanted.extras))
        ):
            continue
        distribution = metadata.distribution(wanted.name)
        found[name] = distribution.version
        waiting += [Requirement(text) for text in distribution.requires or [] if "extra ==" not in text]
    return {f"{name}=={version}" for name, version in found.items()}


def test_every_package_that_koog_or_its_checks_need_is_installed_in_the_one_version_that_is_pinned():
    pins = project()["tool"]["uv"]["constraint-dependencies"]

    assert len({pin.split("==")[0] for pin in pins}) == len(pins)
    assert installed() <= set(pins)


def test_the_pins_are_in_the_order_in_which_they_are_renewed():
    pins = project()["tool"]["uv"]["constraint-dependencies"]

    assert pins == sorted(pins, key=lambda pin: pin.split("==")[0])


# --- tracked files

MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:root|work|workspace|opt/\w+)/[\w.]")
HOME_PATH = re.compile(r"(?<![\w.~])/(?:home|Users)/\w+/[\w.]")
REGISTRY = re.compile(r"files\.pythonhosted\.|registry\.npmjs\.|pypi\.org|index-url|\[\[tool\.uv\.index")
TELLS_THE_SHAPES = (
    "koog/core/git/process.py",
    "koog/core/text/secrets.py",
    "skills/sinain-hud/plugin/privacy.js",
    "tests/",
)  # what finds secrets spells them out


def lines_like(what: re.Pattern[str], *, besides: tuple[str, ...] = ()) -> dict[str, str]:
    """Return file → the first match in it, of every file that git would commit."""
    listing = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    read = [n for n in names if n and n != "tests/test_docs.py" and not n.startswith(besides) and (ROOT / n).is_file()]
    found = {name: what.search((ROOT / name).read_text("utf-8", errors="replace")) for name in read}
    return {name: match[0] for name, match in found.items() if match}


def test_no_file_names_the_machine_it_was_written_on():
    assert lines_like(MACHINE_PATH) == {}
    assert lines_like(HOME_PATH, besides=("tests/",)) == {}


def test_no_file_names_a_registrys_host():
    assert lines_like(REGISTRY) == {}


def test_no_file_holds_a_secret():
    assert lines_like(SECRET_SHAPES, besides=TELLS_THE_SHAPES) == {}


@pytest.mark.parametrize(
    ("what", "text"), [(MACHINE_PATH, "/root/x"), (HOME_PATH, "cd /home/mika/a"), (REGISTRY, "pypi.org")]
)
def test_the_checks_of_the_files_see_what_they_look_for(what, text):
    assert what.search(text)
