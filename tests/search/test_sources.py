"""Which files are covered, what they are, and that links, pipes and strange names do no harm."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from koog.core.files.own_notes import OwnNotes
from koog.search import sources
from koog.search.categories import category
from koog.search.sources import Reader, Roots

COVERED = {
    "SOUL.md": "identity",
    "AGENTS.md": "identity",
    "MEMORY.md": "memory",
    "NOTES.md": "reference",
    "knowledge/identity/SOUL.md": "identity",
    "knowledge/memory/MEMORY.md": "memory",
    "knowledge/journal/2026-02-16.md": "journal",
    "knowledge/projects/trailhead/context.md": "project",
    "knowledge/people/mika.md": "person",
    "knowledge/procedures/deploy.md": "procedure",
    "knowledge/reference/sqlite.md": "reference",
    "knowledge/loose.md": "reference",
    "knowledge/archive/projects/old.md": "project",
    "topics/email.md": "topic",
    "archive/journal/2024-01-01.md": "journal",
    "archive/anything/old.md": "reference",
    "archive/old.md": "reference",
    "memory/2026-02-28.md": "journal",
    "memory/2026-02-24-nas-backup.md": "journal",
    "memory/2026-02-280.md": "reference",
    "memory/observations.md": "observation",
    "memory/favorites.md": "observation",
    "memory/sinain-playbook.md": "playbook",
    "memory/devmatrix-summary.md": "reference",
    "memory/episodes/2026-02-02.md": "episode",
    "memory/graph/index.md": "entity",
    "memory/graph/entities/person--mika.md": "entity",
    "memory/procedures/deploy.md": "procedure",
    "memory/vault/pinned.md": "vault",
    "memory/other/2026-02-28.md": "journal",
    "modules/react-native-dev/patterns.md": "module",
    "modules/react-native-dev/guidance.md": "module",
    "raw/conversations/2026/02/16/1845-ses_a1-x.md": "conversation",
}
NOT_COVERED = [
    "HEARTBEAT.md",
    "SKILL.koog.md",
    "README.txt",
    "src/notes.md",
    "modules/notes.md",
    "modules/react-native-dev/README.md",
    "modules/react-native-dev/deep/patterns.md",
    "memory/sinain-playbook-effective.md",
    "memory/playbook-logs/2026-02-28.md",
    "memory/playbook-archive/a.md",
    "memory/observation-backups/a.md",
    "memory/meta/evolution.md",
    ".hidden.md",
    ".koog/a.md",
    "knowledge/.git/a.md",
    "knowledge/people/.draft.md",
    "raw/notes.md",
]


@pytest.mark.parametrize(("path", "kind"), COVERED.items())
def test_a_path_has_its_category(path, kind):
    assert category(path) == kind


@pytest.mark.parametrize("path", NOT_COVERED)
def test_what_is_not_kept_by_koog_is_not_covered(path):
    assert category(path) is None


def test_the_memory_and_modules_folders_may_have_other_names():
    folders = {"memory": "data/mind", "modules": "skillset"}

    assert category("data/mind/2026-02-28.md", **folders) == "journal"
    assert category("skillset/rn/patterns.md", **folders) == "module"
    assert category("memory/2026-02-28.md", **folders) is None


def write(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("words\n")


def found(roots: Roots) -> dict[str, str]:
    return {s.path: s.category for folder in sources.scan(roots).folders for s in folder.sources(roots)}


def test_the_files_that_are_there_are_found_with_their_categories(tmp_path):
    write(tmp_path, *(path for path in [*COVERED, *NOT_COVERED] if not path.startswith("raw/")))

    assert found(Roots(tmp_path)) == {p: kind for p, kind in COVERED.items() if not p.startswith("raw/")}


def test_transcripts_lie_elsewhere_and_are_cited_as_raw(tmp_path):
    write(
        tmp_path, "ws/memory/a.md", "ws/raw/conversations/mine.md", "far/away/conversations/2026/x.md", "far/away/y.md"
    )
    roots = Roots(tmp_path / "ws", tmp_path / "far/away")

    assert set(found(roots)) == {"memory/a.md", "raw/conversations/2026/x.md"}
    assert Reader(roots).read("raw/conversations/2026/x.md").data == b"words\n"


def test_folders_inside_one_another_are_walked_once(tmp_path):
    write(tmp_path, "knowledge/memory/2026-02-28.md", "knowledge/memory/meta/a.md")
    roots = Roots(tmp_path, memory="knowledge/memory")

    folders = [folder.path for folder in sources.scan(roots).folders]
    assert folders == ["knowledge/memory"]
    assert found(roots) == {"knowledge/memory/2026-02-28.md": "journal"}


def test_nothing_of_the_workspace_is_cited_as_a_transcript(tmp_path):
    write(tmp_path, "ws/raw/conversations/x.md", "out/conversations/x.md")

    assert len(sources.scan(Roots(tmp_path / "ws", tmp_path / "out", memory="raw")).folders) == 1


def test_transcripts_inside_a_folder_of_the_workspace_are_cited_once(tmp_path):
    write(tmp_path, "memory/raw/conversations/2026/x.md", "memory/raw/y.md")

    assert set(found(Roots(tmp_path, tmp_path / "memory/raw"))) == {"raw/conversations/2026/x.md", "memory/raw/y.md"}


def test_a_link_is_followed_only_to_what_has_no_name_of_its_own(tmp_path):
    ws = tmp_path / "ws"
    write(tmp_path, "ws/knowledge/people/mika.md", "ws/private/notes/a.md", "ws/private/b.md", "outside/c.md")
    (ws / "CLAUDE.md").symlink_to("knowledge/people/mika.md")
    (ws / "knowledge/again").symlink_to("people")
    (ws / "knowledge/notes").symlink_to("../private/notes")
    (ws / "knowledge/b.md").symlink_to("../private/b.md")
    (ws / "knowledge/c.md").symlink_to(tmp_path / "outside/c.md")
    (ws / "knowledge/all").symlink_to(tmp_path / "outside")
    (ws / "knowledge/image.png").symlink_to(tmp_path / "outside/c.md")
    (ws / "knowledge/nowhere.md").symlink_to("nothing")

    assert set(found(Roots(ws))) == {"knowledge/people/mika.md", "knowledge/notes/a.md", "knowledge/b.md"}
    skipped = dict(sources.scan(Roots(ws)).skipped)
    assert skipped == {
        "knowledge/c.md": "a link that leads outside",
        "knowledge/all": "a link that leads outside",
        "knowledge/nowhere.md": "a link that leads nowhere",
    }


@pytest.mark.parametrize("how", [{"plain": True}, {}])
def test_a_note_is_there_once_whatever_links_lead_to_its_folder(tmp_path, how):
    for name in ("A/a.md", "A/deep/b.md", "Other/c.md", "Days/2026-02-28.md", "Days/plan.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    (tmp_path / "A/self").symlink_to("../A")
    (tmp_path / "A/again").symlink_to("deep")
    (tmp_path / "A/other").symlink_to("../Other")
    (tmp_path / "A/days").symlink_to("../Days")
    (tmp_path / "B").symlink_to("A")
    notes = sources.EVERYTHING if how else OwnNotes.of(["Days/YYYY-MM-DD.md"], {"reference": ["A/**"]})
    roots = Roots(tmp_path, notes=notes, **how)

    found = [source.path for folder in sources.scan(roots).folders for source in folder.sources(roots)]

    here = ["Days/plan.md", "Other/c.md"] if how else ["A/days/plan.md", "A/other/c.md"]
    assert sorted(found) == sorted(["A/a.md", "A/deep/b.md", "Days/2026-02-28.md", *here])


def test_another_repository_s_notes_are_read_where_a_glob_names_it_and_another_workspace_s_never(tmp_path):
    for name in ("P/a.md", "P/code/b.md", "P/tree/c.md", "P/named/docs/d.md", "P/ws/e.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x\n")
    (tmp_path / "P/code/.git").mkdir()
    (tmp_path / "P/named/.git").mkdir()
    (tmp_path / "P/tree/.git").write_text("gitdir: elsewhere\n")
    (tmp_path / "P/ws/.koog").mkdir()
    notes = OwnNotes.of([], {"project": ["P/**"], "reference": ["P/named/docs/**", "P/ws/**"]})

    scan = sources.scan(Roots(tmp_path, notes=notes))

    found = [source.path for folder in scan.folders for source in folder.sources(scan.roots)]
    assert sorted(found) == ["P/a.md", "P/named/docs/d.md"]
    others = {"P/code": "another repository", "P/tree": "another repository", "P/ws": "another workspace"}
    assert dict(scan.skipped) == others


def test_a_link_to_what_is_hidden_is_not_followed(tmp_path):
    write(tmp_path, "knowledge/.git/a.md", ".koog/compiled/b.md")
    (tmp_path / "knowledge/inner").symlink_to(".git")
    (tmp_path / "knowledge/caches").symlink_to("../.koog/compiled")
    (tmp_path / "knowledge/b.md").symlink_to("../.koog/compiled/b.md")

    assert found(Roots(tmp_path)) == {}
    assert {why for _, why in sources.scan(Roots(tmp_path)).skipped} == {"a link to what is hidden"}


def test_a_folder_that_is_a_link_inside_the_workspace_is_covered(tmp_path):
    write(tmp_path, "data/memory/2026-02-28.md")
    (tmp_path / "memory").symlink_to("data/memory")

    assert found(Roots(tmp_path)) == {"memory/2026-02-28.md": "journal"}


def test_circles_of_links_end(tmp_path):
    write(tmp_path, "knowledge/a.md", "elsewhere/b.md")
    (tmp_path / "knowledge/self").symlink_to(".")
    (tmp_path / "knowledge/up").symlink_to("..")
    (tmp_path / "knowledge/round").symlink_to("round")
    (tmp_path / "knowledge/x").symlink_to("../elsewhere")
    (tmp_path / "elsewhere/back").symlink_to("../elsewhere")
    (tmp_path / "elsewhere/root").symlink_to("../knowledge")

    assert set(found(Roots(tmp_path))) == {"knowledge/a.md", "knowledge/x/b.md"}


def test_a_pipe_is_no_file_and_stops_nobody(tmp_path):
    write(tmp_path, "knowledge/a.md")
    os.mkfifo(tmp_path / "knowledge/pipe.md")

    assert set(found(Roots(tmp_path))) == {"knowledge/a.md"}
    with pytest.raises(OSError, match="not a regular file"):
        Reader(Roots(tmp_path)).read("knowledge/pipe.md")


def test_a_folder_named_like_a_note_is_a_folder(tmp_path):
    write(tmp_path, "knowledge/odd.md/a.md")

    assert set(found(Roots(tmp_path))) == {"knowledge/odd.md/a.md"}


def test_a_listing_changes_with_any_of_its_files(tmp_path):
    write(tmp_path, "knowledge/a.md", "knowledge/b.md")

    def listing() -> bytes:
        return sources.scan(Roots(tmp_path)).folders[0].listing

    first = listing()
    assert listing() == first
    os.utime(tmp_path / "knowledge/b.md", ns=(1, 1))
    second = listing()
    (tmp_path / "knowledge/a.md").rename(tmp_path / "knowledge/c.md")
    assert len({first, second, listing()}) == 3


@pytest.mark.parametrize("size", [0, 3, 100, 300_000])
def test_a_file_is_read_whole_whatever_size_was_expected(tmp_path, size):
    data = bytes(range(256)) * 2000
    (tmp_path / "a.md").write_bytes(data)

    assert Reader(Roots(tmp_path)).read("a.md", size).data == data


@pytest.mark.parametrize("top", ["memory", "modules", "knowledge", "topics", "archive"])
def test_a_covered_folder_that_leads_outside_is_told_and_not_read(tmp_path, top):
    write(tmp_path, "elsewhere/x/patterns.md", "elsewhere/secret.md")
    (tmp_path / "ws").mkdir()
    (tmp_path / "ws" / top).symlink_to(tmp_path / "elsewhere")

    assert sources.scan(Roots(tmp_path / "ws")).folders == []
    assert sources.scan(Roots(tmp_path / "ws")).skipped == [(top, "a link that leads outside")]
    with pytest.raises(OSError, match="leads outside"):
        Reader(Roots(tmp_path / "ws")).read(f"{top}/secret.md")


@pytest.mark.parametrize("raw", ["ws-raw", "ws/raw", "ws/inner/raw"])
def test_a_link_in_the_place_of_the_transcripts_is_told_and_not_read(tmp_path, raw):
    write(tmp_path, "ws/memory/a.md", "elsewhere/conversations/secret.md")
    (tmp_path / raw).parent.mkdir(exist_ok=True)
    (tmp_path / raw).symlink_to(tmp_path / "elsewhere")
    roots = Roots(tmp_path / "ws", tmp_path / raw)

    assert set(found(roots)) == {"memory/a.md"}
    assert sources.scan(roots).skipped == [("raw", "a link: only the operator's paths.raw may name a folder elsewhere")]
    with pytest.raises(OSError):
        Reader(roots).read("raw/conversations/secret.md")


def test_transcripts_below_a_link_that_leads_outside_are_not_read(tmp_path):
    write(tmp_path, "ws/memory/a.md", "elsewhere/raw/conversations/secret.md")
    (tmp_path / "ws/inner").symlink_to(tmp_path / "elsewhere")
    roots = Roots(tmp_path / "ws", tmp_path / "ws/inner/raw")

    assert set(found(roots)) == {"memory/a.md"}


@pytest.mark.parametrize("at", ["conversations", "conversations/2026", "conversations/a.md"])
def test_a_link_among_the_transcripts_stays_among_them(tmp_path, at):
    write(tmp_path, "ws/memory/mine.md", "elsewhere/secret.md", "ws-raw/conversations/b.md", "ws-raw/beside/c.md")
    place = tmp_path / "ws-raw" / at
    for target in ("elsewhere", "elsewhere/secret.md", "ws/memory", "ws-raw/beside"):
        if place.parent.name == "ws-raw":
            (tmp_path / "ws-raw/conversations").rename(tmp_path / "ws-raw/kept")
        place.symlink_to(tmp_path / target)
        assert not set(found(Roots(tmp_path / "ws", tmp_path / "ws-raw"))) & {
            "raw/conversations/secret.md",
            "raw/conversations/2026/secret.md",
            "raw/conversations/2026/mine.md",
            "raw/conversations/a.md",
            "raw/conversations/c.md",
        }
        place.unlink()
        if place.parent.name == "ws-raw":
            (tmp_path / "ws-raw/kept").rename(tmp_path / "ws-raw/conversations")


def test_a_folder_elsewhere_that_the_operator_names_is_covered_without_its_links(tmp_path):
    write(tmp_path, "ws/knowledge/a.md", "shared/b.md", "shared/deep/c.md", "elsewhere/secret.md")
    (tmp_path / "ws/knowledge/team").symlink_to(tmp_path / "shared")
    (tmp_path / "shared/round").symlink_to(tmp_path / "shared")
    (tmp_path / "shared/out.md").symlink_to(tmp_path / "elsewhere/secret.md")
    roots = Roots(tmp_path / "ws", outside=(tmp_path / "shared",))

    assert set(found(roots)) == {"knowledge/a.md", "knowledge/team/b.md", "knowledge/team/deep/c.md"}
    assert Reader(roots).read("knowledge/team/deep/c.md").data == b"words\n"
    assert dict(sources.scan(roots).skipped) == {
        "knowledge/team/round": "a link in a folder that a link leads to",
        "knowledge/team/out.md": "a link in a folder that a link leads to",
    }
