"""koog.core.git.trees and objects: the same trees and objects as git's own, whatever is put and taken."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from koog.core.git.fenced import Fenced
from koog.core.git.objects import Objects, TreeEntry, parse_tree, tree_bytes
from koog.core.git.trees import Trees
from tests.conftest import git

NAMES = st.sampled_from(["a", "a.b", "a-b", "ab", "A", "é", "a b", "z"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
FILES = st.dictionaries(PATHS, st.sampled_from(["one", "two"]), max_size=6)


@pytest.fixture(params=["sha1", "sha256"])
def repository(request, tmp_path):
    folder = tmp_path / request.param
    folder.mkdir()
    git(folder, "init", "-q", f"--object-format={request.param}")
    return folder, request.param


def clear_paths(files: dict[str, str]) -> dict[str, str]:
    """Return the files without those that lie in a folder which is a file here."""
    return {p: t for p, t in files.items() if not any(p.startswith(f"{other}/") for other in files)}


def written_by_git(folder, files: dict[str, str]) -> str:
    git(folder, "read-tree", "--empty")
    texts = [folder.parent / f"{folder.name}-{n}" for n in range(len(files))]
    for path, text in zip(texts, files.values(), strict=True):
        path.write_bytes(text.encode())
    command = ["git", "hash-object", "-w", "--no-filters", "--stdin-paths"]
    asked = "".join(f"{path}\n" for path in texts).encode()
    names = subprocess.run(command, cwd=folder, input=asked, capture_output=True, check=True).stdout.decode().split()
    rows = [f"100644 {name}\t{path}\0" for name, path in zip(names, files, strict=True)]
    command = ["git", "update-index", "-z", "--index-info"]
    subprocess.run(command, cwd=folder, input="".join(rows).encode(), check=True)
    return git(folder, "write-tree")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(FILES, FILES, st.sets(PATHS, max_size=3))
@example({"a/x": "one", "a.b": "one"}, {"a": "two"}, set())
@example({"a": "one"}, {"a/b": "two"}, {"a"})
@example({"a": "one"}, {}, {"a/b"})
@example({"a/b/z": "one"}, {}, {"a/b/z"})
def test_a_tree_is_the_one_that_git_would_write(repository, before, put, removed):
    folder, algorithm = repository
    before, put = clear_paths(before), clear_paths(put)
    removed = {path for path in removed if path not in put}
    base = written_by_git(folder, before)
    objects = Objects(Fenced(folder / ".git/objects"), algorithm)
    wanted = {path: TreeEntry("100644", objects.add("blob", text.encode())) for path, text in put.items()}

    with objects.reading(folder, {}):
        tree, changes = Trees(objects, base).edited({**wanted, **dict.fromkeys(removed)})
        objects.save()

    after = {p: t for p, t in before.items() if p not in removed}
    after = {p: t for p, t in after.items() if not any(p.startswith(f"{q}/") or q.startswith(f"{p}/") for q in put)}
    after |= put
    assert tree == written_by_git(folder, after)
    diff = git(folder, "-c", "core.quotePath=false", "diff-tree", "-r", "--no-renames", "--name-status", base, tree)
    assert sorted((c.kind, c.path) for c in changes) == sorted(tuple(row.split("\t")) for row in diff.splitlines())
    assert git(folder, "fsck", "--no-progress", "--no-dangling", "--strict") in (
        "",
        "notice: HEAD points to an unborn branch (main)",
    )


@given(
    st.dictionaries(st.binary(min_size=1).filter(lambda n: not {0, 47} & set(n)), st.sampled_from(["100644", "40000"]))
)
def test_what_is_written_as_a_tree_is_read_again(entries):
    rows = {name: TreeEntry(mode, "0" * 38 + "0a") for name, mode in entries.items()}

    assert parse_tree(tree_bytes(rows), 20) == rows


def test_an_object_goes_through_no_link_and_stays_when_it_is_there(tmp_path):
    (tmp_path / "objects").mkdir()
    (tmp_path / "elsewhere").mkdir()
    objects = Objects(Fenced(tmp_path / "objects"))
    name = objects.add("blob", b"text")
    (tmp_path / "objects" / name[:2]).symlink_to(tmp_path / "elsewhere")

    with pytest.raises(Exception, match="link"):
        objects.save()
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_missing_object_and_one_of_another_kind_are_none(repository):
    folder, algorithm = repository
    objects = Objects(Fenced(folder / ".git/objects"), algorithm)
    blob = objects.add("blob", b"x")
    objects.save()

    with objects.reading(folder, {}):
        assert objects.get(blob, "blob") == b"x"
        assert objects.get(blob, "tree") is None
        assert objects.get("0" * len(blob), "blob") is None
        assert objects.get("HEAD:a\nb", "blob") is None
