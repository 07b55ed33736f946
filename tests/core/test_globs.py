"""Patterns of paths as the operator's file has them."""

from __future__ import annotations

import pytest

from koog.core.files.globs import fits, fits_folder


@pytest.mark.parametrize(
    ("pattern", "path", "does"),
    [
        ("knowledge/acme", "knowledge/acme", True),
        ("knowledge/acme", "knowledge/acme/a/b.md", True),
        ("knowledge/acme", "knowledge/acme2/a.md", False),
        ("knowledge/acme/", "knowledge/acme/a.md", True),
        ("memory/*.md", "memory/a.md", True),
        ("memory/*.md", "memory/a/b.md", False),
        ("memory/**/*.md", "memory/a/b.md", True),
        ("memory/**/*.md", "memory/b.md", True),
        ("memory/2026-??-??.md", "memory/2026-02-28.md", True),
        ("memory/2026-??-??.md", "memory/2026-2-28.md", False),
        ("**", "a/b", True),
        ("work/**", "work", True),
        ("work/**", "work/a/b", True),
        ("work/**", "workshop", False),
        ("*", "a/b", True),
        ("*.md", "a/b.md", False),
        ("**/quarry", "area/quarry/src", True),
        ("a[b", "a[b", True),
        ("a.b", "axb", False),
        ("", "a", False),
        ("openclaw/*", "openclaw/ops", True),
        ("openclaw/ma*", "openclaw/ops", False),
    ],
)
def test_a_pattern_fits_a_path_or_a_folder_it_lies_in(pattern, path, does):
    assert fits(pattern, path) is does


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "area/harbor/src").mkdir(parents=True)
    (tmp_path / "shortcut").symlink_to(tmp_path / "area/harbor")
    (tmp_path / "linked").symlink_to(tmp_path / "area")
    return tmp_path


@pytest.mark.parametrize(
    "pattern",
    ["~/area/harbor", "~/area/harbor/", "~/area", "~/area/*", "~/area/h*r", "~/**", "~/shortcut", "~/linked/harbor",
     "~/linked/*", "**/harbor", "{home}/area/harbor", "~/area/../area/harbor"],
)  # fmt: skip
def test_a_folder_is_named_by_its_real_path_however_that_is_spelled(home, pattern):
    real = f"{home}/area/harbor"

    assert fits_folder(pattern.format(home=home), real)
    assert fits_folder(pattern.format(home=home), f"{real}/src")


@pytest.mark.parametrize(
    "pattern", ["~/area/harb", "~/area/*/src", "area/harbor", "/elsewhere/harbor", "~", "~/nowhere/**"]
)
def test_another_folder_is_not_meant(home, pattern):
    assert fits_folder(pattern, f"{home}/area/harbor") is (pattern == "~")


def test_stars_in_a_row_are_one_pattern_and_end_at_once():
    assert fits("*" * 80 + "b", "a" * 200) is False
    assert fits("***/b.md", "a/c/b.md") is True
