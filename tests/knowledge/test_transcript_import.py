"""What hosts keep becomes transcripts, once, and each says what the session said."""

from __future__ import annotations

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from koog.knowledge.transcripts import host_turns
from koog.sessions.find import find
from koog.sessions.turn import Turn as HostTurn
from tests.conftest import git, registered
from tests.fakes.sessions import claude_session
from tests.fakes.stores import FILES, RENDER, SESSION, TALK, Database, Said, header, openclaw, write
from tests.knowledge.transcripts import files, is_closed, raw, read, said

CORPUS = Path(__file__).resolve().parents[2].parent / "shared/corpus/openclaw"
NOW = ("--now", "2026-02-28T10:00:00Z")
AFTERWARDS = datetime(2026, 2, 28, 18, tzinfo=UTC)
LATER = ("--now", "2026-03-01T10:00:00Z")


@pytest.fixture
def ready(workspace):
    registered(workspace)
    return workspace


def host_said(root: Path) -> list[HostTurn]:
    """Return the turns of all main sessions of a store, session by session as import takes them."""
    readers = find(str(root), env={}, home=root)
    pairs = [(reader, s) for reader in readers for s in reader.sessions() if s.kind == "main"]
    pairs.sort(key=lambda pair: pair[1].changed)
    return [turn for reader, s in pairs for batch in reader.read(s, None) for turn in batch.turns]


@pytest.mark.parametrize("host", [*RENDER, "database", "archive"])
def test_a_session_of_every_host_is_written_and_reads_back_as_the_same_turns(ready, koog, tmp_path, host):
    root = tmp_path / "store"
    if host in RENDER:
        write(root / FILES[host], [*([header()] if host == "openclaw" else []), *RENDER[host](TALK)])
    else:
        with closing(Database(root)) as store:
            store.append([header(), *openclaw(TALK)])
            if host == "archive":
                store.delete([header(), *openclaw(TALK)])

    code, line = koog(*LATER, "transcript", "import", "--source", str(root))

    assert code == 0, line
    [path] = files(ready)
    assert said(ready) == host_turns.turns(host_said(root))
    assert [(turn.role, turn.kind, turn.name, turn.text) for turn in said(ready)][2:6] == [
        ("user", "said", "", "Run the tests."),
        ("agent", "tool", "exec", "make test → exit 2: 3 failed, 41 passed"),
        ("agent", "tool", "exec", "make test-fast → exit 0: 44 passed"),
        ("agent", "said", "", "The fast ones pass; three of the slow ones fail."),
    ]
    assert line["paths"] == line["closed"] == [f"raw/{path.relative_to(raw(ready))}"]
    assert path.name == f"0900-{SESSION}-we-deploy-to-staging-2-from-now-on-never.md"
    assert is_closed(path)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="OpenClaw's real stores do not lie beside this checkout")
@pytest.mark.parametrize("store", ["file-store-2026.7.1", "sqlite-store-2026.9.6"])
def test_the_real_stores_are_written_and_read_back_whole(ready, koog, store):
    code, line = koog("transcript", "import", "--source", str(CORPUS / store))

    assert code == 0, line
    expected = host_turns.turns(host_said(CORPUS / store))
    assert len(expected) > 40
    assert sorted(said(ready)) == sorted(expected)
    assert line["turns"] == len(expected)
    assert read(files(ready)[0]).head.tokens_in > 0
    assert read(files(ready)[0]).head.model == "fake-1"
    assert koog("transcript", "import", "--source", str(CORPUS / store))[1]["turns"] == 0


talks = st.lists(
    st.builds(
        Said,
        st.sampled_from(["user", "assistant", "tool"]),
        st.one_of(
            st.text(max_size=60), st.sampled_from(["## 09:00 — user", "> [tool:x] y", "<private>a", "[cron: x", "b"])
        ),
        st.text(max_size=20),
        st.integers(-1, 300),
    ),
    min_size=1,
    max_size=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=15)
@given(talk=talks, host=st.sampled_from([*RENDER]), cuts=st.lists(st.integers(0, 8), max_size=3))
def test_a_session_taken_in_any_steps_is_what_it_is_taken_at_once(ready, koog, tmp_path_factory, talk, host, cuts):
    root = tmp_path_factory.mktemp("store")
    identity = root.name
    file = root / str(FILES[host]).replace(SESSION, f"3f1c2b7a-0000-4000-8000-{abs(hash(identity)) % 10**12:012}")
    first = [header()] if host == "openclaw" else []
    before = set(files(ready))

    for end in [*sorted(cuts), len(talk)]:
        write(file, [*first, *RENDER[host](talk[:end])])
        code, line = koog(*NOW, "transcript", "import", "--source", str(root))
        assert code == 0, line

    made = [path for path in files(ready) if path not in before]
    expected = host_turns.turns(host_said(root))
    assert len(made) == bool(expected)
    assert [turn._replace(line=0) for path in made for turn in read(path).turns] == expected


def test_an_open_transcript_only_grows_and_is_replaced_once_at_its_end(ready, koog, tmp_path):
    store = ["--source", str(tmp_path / ".claude")]
    claude_session(tmp_path, ("user", "Which NAS?"), cwd=ready)
    koog(*NOW, "transcript", "import", *store)
    [path] = files(ready)
    first, inode = path.read_bytes(), path.stat().st_ino
    assert path.stat().st_mode & 0o777 == 0o600
    assert not (raw(ready) / ".git").exists() or git(raw(ready), "status", "--short")

    claude_session(tmp_path, ("assistant", "The one with four bays."), cwd=ready)
    koog(*NOW, "transcript", "import", *store)
    grown = path.read_bytes()

    assert grown.startswith(first)
    assert path.stat().st_ino == inode

    code, line = koog(*NOW, "transcript", "import", *store, "--end", "11111111-2222-4333-8444-555555555555")

    assert code == 0
    ended = path.read_bytes()
    assert ended.endswith(grown.partition(b"\n---\n")[2])
    assert is_closed(path)
    inode = path.stat().st_ino
    trailer = f"Session: raw/{path.relative_to(raw(ready))}"
    assert git(raw(ready), "log", "-1", "--format=%B") == f"conversation: which-nas\n\n{trailer}"
    assert git(raw(ready), "status", "--short") == ""
    assert len(line["commits"]) == 1

    claude_session(tmp_path, ("user", "And the price?"), cwd=ready, at=AFTERWARDS)
    koog(*LATER, "transcript", "import", *store)

    assert (path.read_bytes(), path.stat().st_ino) == (ended, inode)
    assert [turn.text for turn in said(ready)] == ["Which NAS?", "The one with four bays.", "And the price?"]
    assert len(files(ready)) == 2


def test_what_is_private_or_secret_is_in_no_byte_of_what_is_written(ready, koog, tmp_path):
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    claude_session(
        tmp_path,
        ("user", f"My token is {secret} and <private>the surgery</private> is on Friday"),
        ("assistant", f"Noted {secret}"),
        cwd=ready,
    )

    koog(*LATER, "transcript", "import", "--source", str(tmp_path / ".claude"))

    everything = b"".join(p.read_bytes() for top in (ready, raw(ready)) for p in top.rglob("*") if p.is_file())
    [path] = files(ready)
    assert b"surgery" not in everything
    assert secret.encode() not in everything
    assert "is on Friday" in path.read_text()
    assert "surgery" not in path.name
    assert git(raw(ready), "status", "--short") == ""


def test_heartbeats_and_cron_jobs_are_in_no_transcript(ready, koog, tmp_path):
    talk = [Said("user", "[OpenClaw heartbeat poll]"), Said("assistant", "HEARTBEAT_OK"), Said("user", "Hello")]
    write(tmp_path / "store" / FILES["openclaw"], [header(), *openclaw(talk)])

    koog(*LATER, "transcript", "import", "--source", str(tmp_path / "store"))

    assert [turn.text for turn in said(ready)] == ["Hello"]


def test_a_picture_is_referenced_and_never_embedded(ready, koog, tmp_path):
    path = claude_session(tmp_path, ("user", "x"), cwd=ready)
    row = json.loads(path.read_text())
    source = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 20}
    row["message"]["content"] = [{"type": "text", "text": "What is this?"}, {"type": "image", "source": source}]
    path.write_text(json.dumps(row) + "\n")

    koog(*LATER, "transcript", "import", "--source", str(tmp_path / ".claude"))

    [written] = files(ready)
    assert written.read_text().endswith("## 11:00 — user\nWhat is this?\n\n> [attachment:image/png]\n")
    assert "iVBOR" not in written.read_text()


def group_store(root: Path, key: str) -> None:
    write(root / FILES["openclaw"], [header(), *openclaw(TALK)])
    known = {key: {"sessionId": SESSION}}
    (root / "agents/main/sessions/sessions.json").write_text(json.dumps(known))


def test_a_group_is_taken_where_it_is_listed_into_a_folder_of_its_own_and_told_nothing_of_the_memory(
    workspace, koog, tmp_path
):
    registered(workspace, observe_groups=["telegram:group:*"])
    group_store(tmp_path / "store", "agent:main:telegram:group:-100123")
    koog("--now", "2026-02-28T09:00:00Z", "remember", "Ana lives in Lisbon", "--store", "semantic", "--entity", "Ana")

    code, line = koog(*LATER, "transcript", "import", "--source", str(tmp_path / "store"))

    assert code == 0, line
    [path] = files(workspace)
    head = read(path).head
    assert path.relative_to(raw(workspace)).parts[:3] == ("conversations", "groups", "telegram-group-100123")
    assert (head.label.scope, head.label.group) == ("group", "telegram:group:-100123")
    assert head.label.project == "openclaw/main"
    assert head.channel == "telegram"
    assert head.knowledge_changes == ()
    assert {turn.kind for turn in read(path).turns} == {"said", "tool"}


def test_a_group_that_nobody_lists_is_not_taken(ready, koog, tmp_path):
    group_store(tmp_path / "store", "agent:main:telegram:group:-100123")

    assert koog(*LATER, "transcript", "import", "--source", str(tmp_path / "store"))[1]["sessions"] == 0
    assert files(ready) == []


def test_what_changed_in_the_memory_meanwhile_is_named_and_told_where_it_happened(ready, koog, tmp_path):
    start = datetime(2026, 2, 28, 11, tzinfo=UTC)
    claude_session(tmp_path, ("user", "Ana lives in Lisbon"), cwd=ready, at=start)
    koog("--now", "2026-02-28T11:04:00Z", "remember", "Ana lives in Lisbon", "--store", "semantic", "--entity", "Ana")
    claude_session(tmp_path, ("assistant", "Noted."), cwd=ready, at=start + timedelta(minutes=9))

    koog(*LATER, "transcript", "import", "--source", str(tmp_path / ".claude"))

    [path] = files(ready)
    found = read(path)
    entity = next(row for row in found.head.knowledge_changes if "entities/" in row["path"])
    assert entity["action"] == "created"
    assert [turn.kind for turn in found.turns if turn.kind != "memory"] == ["said", "said"]
    operations = [turn for turn in found.turns if turn.kind == "memory"]
    assert [(turn.at, turn.name) for turn in operations if entity["path"] in turn.text] == [
        (start + timedelta(minutes=4), "created")
    ]
    assert found.turns[0].text == "Ana lives in Lisbon"
    assert found.turns[-1].text == "Noted."
    assert not any("meta/" in row["path"] or row["path"].startswith("raw/") for row in found.head.knowledge_changes)


def test_another_projects_session_says_whose_it_is_and_is_not_told_to_the_own_one(workspace, koog, tmp_path):
    registered(workspace, observe_projects={"include": ["/srv/quarry"], "exclude": []}, observe_sources=["claude"])
    claude_session(tmp_path, ("user", "The dynamite lies in the red shed"), cwd="/srv/quarry")
    koog(*LATER, "transcript", "import", "--source", str(tmp_path / ".claude"))
    [path] = files(workspace)
    assert read(path).head.label.project == "/srv/quarry"

    own = koog("search", "where does the dynamite lie")[1]
    theirs = koog("search", "where does the dynamite lie", "--project", "/srv/quarry")[1]

    assert own["hits"] == []
    assert [hit["path"] for hit in theirs["hits"]][:1] == [f"raw/{path.relative_to(raw(workspace))}"]


def test_the_own_sessions_are_found_with_who_said_it(ready, koog, tmp_path):
    claude_session(
        tmp_path, ("user", "The dynamite lies in the red shed"), ("assistant", "I will remember the shed."), cwd=ready
    )
    koog(*LATER, "transcript", "import", "--source", str(tmp_path / ".claude"))
    [path] = files(ready)

    [hit] = koog("search", "where does the dynamite lie")[1]["hits"][:1]

    assert hit["path"] == f"raw/{path.relative_to(raw(ready))}"
    line = hit["line"]
    assert "red shed" in path.read_text().split("\n")[line - 1]


def test_a_ledger_that_was_lost_writes_nothing_twice(ready, koog, tmp_path):
    store = ["--source", str(tmp_path / ".claude")]
    claude_session(tmp_path, ("user", "Which NAS?"), ("assistant", "Four bays."), cwd=ready)
    koog(*LATER, "transcript", "import", *store)
    (ready / "memory/meta/transcripts.json").unlink()
    claude_session(tmp_path, ("user", "And the price?"), cwd=ready, at=AFTERWARDS)

    code, line = koog("--now", "2026-03-02T10:00:00Z", "transcript", "import", *store)

    assert code == 0
    assert line["turns"] == 1
    assert [turn.text for turn in said(ready)] == ["Which NAS?", "Four bays.", "And the price?"]


def test_old_sessions_are_left_out_with_since_but_not_those_that_were_begun(ready, koog, tmp_path):
    old, new = "11111111-2222-4333-8444-555555555555", "22222222-2222-4333-8444-555555555555"
    claude_session(tmp_path, ("user", "long ago"), cwd=ready, name=old, at=datetime(2026, 1, 1, tzinfo=UTC))
    claude_session(tmp_path, ("user", "today"), cwd=ready, name=new)
    store = ["--source", str(tmp_path / ".claude")]

    line = koog(*NOW, "transcript", "import", *store, "--since", "2d")[1]

    assert [turn.text for turn in said(ready)] == ["today"]
    assert line["sessions"] == 1
    assert koog(*NOW, "transcript", "import", *store, "--since", "never")[1]["error"]["code"] == "usage"
    assert koog(*NOW, "transcript", "import", *store, "--session", "nobody")[1]["error"]["code"] == "not_found"
    assert koog(*NOW, "transcript", "import", *store, "--session", old)[1]["turns"] == 1


def test_a_dry_run_says_what_would_be_written_and_writes_nothing(ready, koog, tmp_path):
    claude_session(tmp_path, ("user", "Which NAS?"), cwd=ready)

    code, line = koog(*LATER, "--dry-run", "transcript", "import", "--source", str(tmp_path / ".claude"))

    assert code == 0
    assert [change["path"] for change in line["_meta"]["changes"]] == [*line["paths"], "memory/meta/transcripts.json"]
    assert not raw(ready).exists()
    assert not (ready / "memory/meta/transcripts.json").exists()


def test_a_koog_that_sees_no_state_root_writes_no_transcript(workspace, koog, tmp_path):
    claude_session(tmp_path, ("user", "Which NAS?"), cwd=workspace)

    code, line = koog(*LATER, "transcript", "import", "--source", str(tmp_path / ".claude"))

    assert (code, line["error"]["code"], line["error"]["hint"]) == (8, "workspace", "koog init")
    assert not raw(workspace).exists()


def test_a_place_inside_the_workspace_is_a_repository_of_its_own_and_no_link_leads_out_of_it(workspace, koog, tmp_path):
    registered(workspace, paths_raw="raw")
    claude_session(tmp_path, ("user", "Which NAS?"), cwd=workspace)
    store = ["--source", str(tmp_path / ".claude")]

    assert koog(*LATER, "transcript", "import", *store)[0] == 0

    [path] = (workspace / "raw/conversations").rglob("*.md")
    assert is_closed(path)
    assert git(workspace / "raw", "log", "-1", "--format=%s") == "conversation: which-nas"
    assert "raw/conversations" not in git(workspace, "ls-files")

    (workspace / "raw").rename(tmp_path / "elsewhere")
    (workspace / "raw").symlink_to(tmp_path / "elsewhere")
    claude_session(tmp_path, ("user", "And the price?"), cwd=workspace)
    code, line = koog("--now", "2026-03-02T10:00:00Z", "transcript", "import", *store)

    assert (code, line["error"]["code"]) == (8, "workspace")
    assert len(list((tmp_path / "elsewhere").rglob("*.md"))) == 1
