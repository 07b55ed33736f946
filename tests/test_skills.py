"""What koog hands out beside its code: skills, modules, the config patch, the sample month.  [sinain §5, §6]"""

from __future__ import annotations

import functools
import json
import re
import subprocess
from datetime import date, datetime
from pathlib import Path

import frontmatter
import pytest

from koog import __version__
from koog.cli import COMMANDS
from koog.core import errors
from koog.host import hook_lines, install
from tests.heartbeat_lines import command_lines

ROOT = Path(__file__).parents[1]
SKILL_FOLDERS = sorted(path.parent for path in ROOT.glob("skills/*/SKILL.md"))
SINAIN = ROOT / "skills" / "sinain-hud"
MODULES = ROOT / "modules"
SAMPLE = ROOT / "koog" / "operate" / "sample"
ENTRY_KEYS = (
    "ts tickId idle sessionHistorySummary signals actionsConsidered spawnOutcome feedbackScores effectivenessRate "
    "effectivenessAlert curateDirective minedSources miningFindings playbookChanges staleItemActions output skipped "
    "skipReason"
).split()
ACTION_KEYS = ["action", "chosen", "spawnId", "task", "reason"]
SECRET_SHAPES = re.compile(
    r"sk-[A-Za-z0-9_-]{16}|gh[opsu]_[A-Za-z0-9]{20}|AKIA[0-9A-Z]{16}|AIza[\w-]{30}|xox[bap]-\w|-----BEGIN"
    r"|eyJ[\w-]{10,}\.|://[^/\s:@]+:[^/\s@]+@|[A-Fa-f0-9]{32}"
)
ASSIGNED_SECRET = re.compile(r"(?i)\b\w*(?:key|token|secret|password)\w*\s*[=:]\s*(\S+)")


def error_codes(parent: type[errors.KoogError] = errors.KoogError) -> set[str]:
    return {parent.code}.union(*map(error_codes, parent.__subclasses__()))


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def heartbeat() -> str:
    return (SINAIN / "HEARTBEAT.md").read_text(encoding="utf-8")


def failure_table(text: str) -> set[str]:
    """Return the codes in the first column of the table headed `error.code`."""
    table = text.split("| `error.code` |", 1)[1].split("\n\n", 1)[0]
    return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


def sample_files(pattern: str) -> list[Path]:
    return sorted(SAMPLE.glob(pattern))


def log_lines() -> list[str]:
    paths = sample_files("memory/playbook-logs/*.jsonl")
    return [line for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def parsed(lines: list[str]) -> list[dict]:
    """Return the lines that are JSON; the sample holds a torn one on purpose."""
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


def log_entries() -> list[dict]:
    return [entry for entry in parsed(log_lines()) if "_type" not in entry]


# --- skills


@pytest.mark.parametrize("folder", SKILL_FOLDERS, ids=lambda folder: folder.name)
def test_a_skill_has_the_frontmatter_that_hosts_require(folder):
    post = frontmatter.load(str(folder / "SKILL.md"))

    assert post["name"] == folder.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", post["name"])
    assert len(post["name"]) <= 64
    assert 0 < len(post["description"]) <= 1024
    assert "Use " in post["description"]  # what it does and when
    assert len(post.content.splitlines()) < 500


def test_the_skill_is_listed_only_where_koog_is_installed():
    post = frontmatter.load(str(SINAIN / "SKILL.md"))

    assert post["metadata"]["openclaw"]["requires"]["bins"] == ["koog"]


@pytest.mark.parametrize("name", ["SKILL.md", "HEARTBEAT.md"])
def test_every_error_code_has_a_row_that_says_what_to_do(name):
    text = (SINAIN / name).read_text(encoding="utf-8")

    assert failure_table(text) == error_codes()


def test_the_skill_gives_each_error_code_its_exit_code():
    text = (SINAIN / "SKILL.md").read_text(encoding="utf-8")

    rows = {code: int(number) for code, number in re.findall(r"^\| `(\w+)` \| (\d+) \|", text, re.MULTILINE)}

    classes = [errors.KoogError, *errors.KoogError.__subclasses__()]
    assert rows == {kind.code: kind.exit_code for kind in classes}


@pytest.mark.parametrize("name", ["SKILL.md", "HEARTBEAT.md"])
def test_every_command_line_in_a_skill_runs_koog(name):
    lines = command_lines((SINAIN / name).read_text(encoding="utf-8"))

    assert lines
    assert {line[0] for line in lines} == {"koog"}
    for _, verb, *rest in lines:
        target = COMMANDS[verb]
        assert isinstance(target, str) or rest[0] in target


def test_the_heartbeat_runs_the_steps_in_the_order_of_the_contract():
    steps = "backup signal mine feedback curate log synthesize".split()

    told = [line[1] for line in command_lines(heartbeat()) if line[1] in steps]

    assert list(dict.fromkeys(told)) == steps
    assert len(heartbeat().splitlines()) < 200


def test_a_command_line_is_split_as_a_shell_would():
    text = "```bash\nkoog feedback --scores '{\"a\": 0.4}'\n\nkoog tick\n```\n\n```json\nkoog no\n```\n"

    assert command_lines(text) == [["koog", "feedback", "--scores", '{"a": 0.4}'], ["koog", "tick"]]


def test_an_unclosed_quote_in_a_command_line_is_refused():
    with pytest.raises(ValueError, match="quotation"):
        command_lines("```bash\nkoog tick --session-summary 'open\n```\n")


def test_the_heartbeat_shows_one_complete_log_entry():
    (block,) = fenced(heartbeat(), "json")

    entry = json.loads(block)

    assert list(entry) == ENTRY_KEYS
    assert all(list(action) == ACTION_KEYS for action in entry["actionsConsidered"])
    assert list(entry["playbookChanges"]) == ["added", "pruned", "promoted"]


def test_the_config_patch_sets_the_heartbeat_and_stops_the_other_editor_of_memory():
    patch = json.loads((SINAIN / "openclaw-config-patch.json").read_text(encoding="utf-8"))

    beat = patch["agents.defaults.heartbeat"]
    assert (beat["every"], beat["ackMaxChars"]) == ("30m", 0)
    assert "HEARTBEAT.md" in beat["prompt"]
    assert "receipt" in beat["prompt"]
    assert patch["agents.defaults.sandbox"] == {"sessionToolsVisibility": "all"}
    assert patch["plugins.entries.memory-core.config.dreaming"] == {"enabled": False}
    assert any(line.startswith("dreaming is off because") for line in patch["//"])


def test_the_config_patch_flushes_before_a_compaction_and_resets_sessions_as_the_design_has_it():
    patch = json.loads((SINAIN / "openclaw-config-patch.json").read_text(encoding="utf-8"))

    assert patch["agents.defaults.compaction.memoryFlush"] == {"enabled": True}
    assert patch["session.reset"] == {"mode": "daily", "atHour": 5, "idleMinutes": 360}
    assert patch["session.resetByType"] == {"group": {"mode": "daily", "atHour": 5, "idleMinutes": 180}}


def test_the_plugin_for_claude_code_calls_a_hook_of_koogs_for_each_of_its_moments():
    plugin = json.loads((ROOT / "skills/koog-claude/hooks/hooks.json").read_text(encoding="utf-8"))

    lines = {event: [h["command"] for g in groups for h in g["hooks"]] for event, groups in plugin["hooks"].items()}
    verbs = {
        "SessionStart": "session-start",
        "UserPromptSubmit": "prompt-submit",
        "PreCompact": "pre-compaction",
        "Stop": "agent-end",
        "SessionEnd": "session-end",
    }
    assert {k: [line.split("; ")[1].removesuffix(" || true") for line in v] for k, v in lines.items()} == {
        event: [f"koog hook {verb} --host claude"] for event, verb in verbs.items()
    }
    assert {k: v for k, v in plugin.items() if k != "description"} == hook_lines.plugin()


@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_a_plugins_hook_finds_koog_beside_the_path_and_only_a_sessions_start_fails_without_it(tmp_path, shell):
    lines = {event: groups[0]["hooks"][0]["command"] for event, groups in hook_lines.plugin()["hooks"].items()}
    env = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}

    def codes() -> dict[str, int]:
        run = functools.partial(subprocess.run, capture_output=True, env=env, check=False)
        return {event: run([shell, "-c", line]).returncode for event, line in lines.items()}

    assert codes() == {event: 127 if event == "SessionStart" else 0 for event in lines}
    koog = tmp_path / ".local/bin/koog"
    koog.parent.mkdir(parents=True)
    koog.write_text('#!/bin/sh\necho "$@" >> "$HOME/called"\n')
    koog.chmod(0o755)
    assert set(codes().values()) == {0}
    called = (tmp_path / "called").read_text().splitlines()
    assert called == [f"hook {verb} --host claude" for verb in hook_lines.CLAUDE.values()]


def test_the_repository_is_its_own_marketplace_and_the_plugins_skill_is_the_one_that_init_installs():
    (entry,) = json.loads((ROOT / ".claude-plugin/marketplace.json").read_text(encoding="utf-8"))["plugins"]
    folder = ROOT / entry["source"]
    plugin = json.loads((folder / ".claude-plugin/plugin.json").read_text(encoding="utf-8"))

    assert entry["name"] == plugin["name"] == install.CLAUDE_PLUGIN
    assert plugin["version"] == __version__  # Claude Code updates a plugin when this changes
    assert plugin["skills"] == ["./"]
    assert (folder / "SKILL.md").samefile(ROOT / "skills" / install.SKILL / "SKILL.md")
    assert [path.parent for path in ROOT.glob("skills/**/SKILL.md") if path.parent.name == install.SKILL] == [folder]


# --- modules


def manifests() -> dict[str, dict]:
    return {
        path.parent.name: json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(MODULES.glob("*/manifest.json"))
    }


def registry() -> dict[str, dict]:
    return json.loads((MODULES / "module-registry.json").read_text(encoding="utf-8"))["modules"]


def test_every_module_folder_is_registered_under_its_own_id():
    assert {name: manifest["id"] for name, manifest in manifests().items()} == {name: name for name in registry()}


def test_the_registry_starts_from_the_manifests_defaults_inside_their_ranges():
    for name, manifest in manifests().items():
        low, high = manifest["priority"]["range"]

        assert low <= manifest["priority"]["default"] <= high
        assert registry()[name]["priority"] == manifest["priority"]["default"]
        assert registry()[name]["locked"] == manifest["locked"]


def test_a_new_workspace_starts_with_the_locked_module_active_and_the_other_suspended():
    shipped = {name: (entry["status"], entry["locked"]) for name, entry in registry().items()}

    assert shipped == {"base-behaviors": ("active", True), "react-native-dev": ("suspended", False)}


@pytest.mark.parametrize("name", ["base-behaviors", "react-native-dev"])
def test_the_patterns_of_a_module_are_single_lines_under_headings_without_repeats(name):
    lines = [line for line in (MODULES / name / "patterns.md").read_text(encoding="utf-8").splitlines() if line]

    bullets = [line for line in lines if line.startswith("- ")]
    assert all(line.startswith(("# ", "## ", "- ")) for line in lines)
    assert len(bullets) >= 25
    assert len(set(bullets)) == len(bullets)


# --- the sample month


def test_the_sample_month_has_notes_on_most_days_and_two_named_ones():
    names = [path.stem for path in sample_files("memory/2026-02-*.md")]

    daily = [name for name in names if len(name) == len("2026-02-01")]
    assert all(date.fromisoformat(name[:10]).month == 2 for name in names)
    assert len(daily) == 22
    assert [name for name in names if name not in daily] == ["2026-02-12-pods", "2026-02-24-nas-backup"]


def test_the_sample_notes_hold_one_closed_private_block():
    text = "\n".join(path.read_text(encoding="utf-8") for path in sample_files("memory/2026-02-*.md"))

    assert (text.count("<private>"), text.count("</private>")) == (1, 1)


@pytest.mark.parametrize("path", [p for p in sorted(SAMPLE.rglob("*")) if p.is_file()], ids=lambda path: path.name)
def test_a_sample_file_holds_no_real_looking_secret(path):
    text = path.read_text(encoding="utf-8")

    assert not SECRET_SHAPES.search(text)
    assert set(ASSIGNED_SECRET.findall(text)) <= {"not-a-real-key-000"}


@pytest.mark.parametrize("text", ["sk-or-v1-0123456789abcdef0", "https://u:pw@host", "-----BEGIN RSA PRIVATE KEY-----"])
def test_the_secret_check_of_the_sample_sees_a_secret(text):
    assert SECRET_SHAPES.search(text)


def test_the_sample_playbook_starts_unmined_with_scored_bullets():
    lines = (SAMPLE / "memory" / "sinain-playbook.md").read_text(encoding="utf-8").splitlines()

    bullets = [line for line in lines if line.startswith("- ")]
    assert lines[0] == "<!-- mining-index:  -->"
    assert lines[-1] == "<!-- effectiveness: outputs=0,positive=0,negative=0,neutral=0,rate=0 -->"
    assert all(re.search(r" \(score: 0\.\d\)( \[.+\])?$", bullet) for bullet in bullets)
    assert sum("[since: " in bullet for bullet in bullets) == 2
    assert sum("[deferred: 2026-02-15, reason: " in bullet for bullet in bullets) == 1


def test_the_sample_log_has_exactly_the_contract_keys_in_each_entry():
    entries = log_entries()

    assert len(entries) >= 30
    assert all(list(entry) == ENTRY_KEYS for entry in entries)
    assert all(list(action) == ACTION_KEYS for entry in entries for action in entry["actionsConsidered"])
    assert all(sum(action["chosen"] for action in entry["actionsConsidered"]) == 1 for entry in entries)


def test_the_sample_log_has_three_to_five_ticks_a_day_in_order():
    ticks = [datetime.fromisoformat(entry["tickId"]) for entry in log_entries()]

    per_day = [sum(tick.day == day for tick in ticks) for day in range(20, 29)]
    assert all(3 <= count <= 5 for count in per_day)
    assert ticks == sorted(set(ticks))


def test_every_output_of_the_sample_fits_one_message_and_belongs_to_a_tick():
    entries = log_entries()
    records = [record for record in parsed(log_lines()) if record.get("_type") == "output"]

    outputs = [item["output"] for item in entries + records if item["output"]]
    assert {record["tickId"] for record in records} <= {entry["tickId"] for entry in entries if not entry["output"]}
    assert len(outputs) >= 10
    assert all(len(output["suggestion"]) + len(output["insight"]) < 500 for output in outputs)


def test_the_sample_log_holds_what_is_found_in_the_wild():
    lines = log_lines()

    assert len(lines) - len(parsed(lines)) == 1
    assert sum(record.get("_type") == "curation" for record in parsed(lines)) == 1
