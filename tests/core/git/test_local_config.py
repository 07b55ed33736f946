"""koog.core.git.local_config: of a repository's own configuration only what harms nobody counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from koog.core.errors import WorkspaceError
from koog.core.git import local_config
from koog.core.git.local_config import COUNT, LocalConfig
from tests.conftest import git

DANGEROUS = """
filter.x.clean filter.x.process include.path includeIf.gitdir:/x/.path core.sshCommand core.fsmonitor core.hooksPath
core.askPass core.gitProxy core.attributesFile core.excludesFile core.worktree url.ext::sh.insteadOf
url.x.pushInsteadOf remote.origin.receivepack remote.origin.proxy credential.helper credential.https://h.helper
http.proxy diff.x.textconv diff.x.command merge.x.driver gpg.program gpg.ssh.program gc.recentObjectsHook
hook.x.command protocol.ext.allow lfs.customtransfer.x.path
""".split()


def parsed(tmp_path: Path, *pairs: tuple[str, str]) -> LocalConfig:
    file = tmp_path / "config"
    for key, value in pairs:
        git(tmp_path, "config", "--file", str(file), "--add", key, value)
    return local_config.parse((file.read_bytes(),))


@pytest.mark.wide(9)
@pytest.mark.parametrize("key", DANGEROUS)
def test_a_key_that_runs_a_program_or_leads_elsewhere_does_not_count_and_is_named(tmp_path, key):
    found = parsed(tmp_path, (key, "x"))

    assert len(found.ignored) == 1
    assert '= "x"' not in found.text(tmp_path)


def test_what_says_how_the_repository_is_stored_counts_and_is_not_named(tmp_path):
    found = parsed(tmp_path, *((key, "true") for key in sorted(COUNT)))

    assert found.ignored == []
    assert found.text(tmp_path).count('"true"') == len(COUNT)


def test_includes_are_not_followed(tmp_path):
    (tmp_path / "more").write_text("[user]\n\tname = Included\n")

    found = parsed(tmp_path, ("include.path", str(tmp_path / "more")))

    assert found.get("user.name") is None


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=30))
def test_any_value_is_the_same_for_git(value):
    text = LocalConfig((("user.name", value),)).text(Path("/x"))

    assert local_config.parse((text.encode(),)).get("user.name") == value


def test_a_key_without_a_value_is_true():
    found = local_config.parse((b"[core]\n\tignoreCase\n",))

    assert found.is_on("core.ignorecase", default=False)
    assert found.rows == (("core.ignorecase", "true"),)


@pytest.mark.parametrize(
    ("key", "value"),
    [("extensions.new", "1"), ("extensions.refStorage", "reftable"), ("extensions.objectFormat", "md5")],
)
def test_a_repository_in_a_form_that_koog_does_not_know_is_refused(tmp_path, key, value):
    with pytest.raises(WorkspaceError):
        _ = parsed(tmp_path, (key, value)).format


def test_a_broken_configuration_is_an_error_in_gits_words():
    with pytest.raises(WorkspaceError, match="bad config line"):
        local_config.parse((b"[broken",))
