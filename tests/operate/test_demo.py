"""koog demo: the whole job on the sample month, offline."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import git


def test_the_demo_mines_the_month_curates_it_and_has_something_to_say(koog, tmp_path):
    code, line = koog("demo", str(tmp_path / "demo"))

    root = Path(line["workspace"])
    assert code == 0
    assert line["degraded"] == []
    assert line["notesMined"] == len(list((root / "memory").glob("2026-*.md")))
    assert line["added"] > 10
    assert line["outputs"]
    assert line["actions"]
    assert (root / "memory/playbook-archive").is_dir()
    assert int(git(root, "rev-list", "--count", "HEAD")) > line["ticks"]
    assert git(tmp_path / "demo", "-C", str(root), "fsck", "--strict") == ""


def test_what_is_private_or_secret_in_the_sample_reaches_no_file_of_koogs(koog, tmp_path):
    _, line = koog("demo", str(tmp_path / "demo"))

    root = Path(line["workspace"])
    written = [p for p in (root / "memory").rglob("*") if p.is_file() and not p.name.startswith("2026-02-")]
    texts = "".join(p.read_text() for p in written)
    assert "clinic" not in texts
    assert "not-a-real-key" not in texts
    assert "install script as root" not in (root / "memory/sinain-playbook.md").read_text()


def test_a_second_demo_leaves_the_first_alone(koog, tmp_path):
    _, first = koog("demo", str(tmp_path / "demo"))
    _, second = koog("demo", str(tmp_path / "demo"))

    assert first["workspace"] != second["workspace"]
    assert Path(first["workspace"]).is_dir()
