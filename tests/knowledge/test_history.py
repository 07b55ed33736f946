"""Git as memory: when something was learned, where it is from, what was known, what has changed since."""

from __future__ import annotations

import json
import os
import random
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from koog.cli import main
from koog.knowledge.history import LACKING
from tests.conftest import Koog, git, registered

FIRST = 1_770_000_000  # 2026-02-02T02:40Z
HOUR = 3600
PATHS = ("knowledge/people/ana.md", "knowledge/projects/nas/notes.md", "knowledge/reference/a b\nc.md", "MEMORY.md")
WORDS = ("Zürich", "port 4100", "file-based memory", "2.5 GB", "green tea", "naïve (old) plan")


def told(koog: Koog, *argv: str, code: int = 0) -> dict[str, Any]:
    got, line = koog(*argv)
    assert got == code, line
    return line


def committed(folder: Path, files: dict[str, str | None], when: int, message: str = "by hand") -> str:
    """Commit files as they are to be, on a day."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink()
        else:
            path.write_text(text)
    date = f"@{when} +0000"
    env = {**os.environ, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run(["git", "-C", str(folder), "add", "-A"], check=True)
    subprocess.run(["git", "-C", str(folder), "commit", "-qm", message], check=True, env=env)
    return git(folder, "rev-parse", "HEAD")


def test_when_it_was_learned_gone_and_learned_again(koog, workspace):
    ana, bob = PATHS[0], "knowledge/people/bob.md"
    committed(workspace, {ana: "# Ana\n\n- Likes green tea\n"}, FIRST)
    committed(workspace, {ana: "# Ana\n\n- Likes green  Tea best\n"}, FIRST + HOUR)
    committed(workspace, {ana: "# Ana\n"}, FIRST + 2 * HOUR)
    committed(workspace, {ana: "# Ana\n\n- Green tea again\n"}, FIRST + 3 * HOUR)
    committed(workspace, {ana: None, bob: "# Bob\n\n- Green tea again\n"}, FIRST + 4 * HOUR)

    line = told(koog, "history", "when", "green TEA")

    assert [(e["change"], e["ts"]) for e in line["events"]] == [
        ("learned", "2026-02-02T02:40:00Z"),
        ("gone", "2026-02-02T04:40:00Z"),
        ("learned", "2026-02-02T05:40:00Z"),
        ("moved", "2026-02-02T06:40:00Z"),
    ]
    assert (line["known"], line["since"], line["first"]["text"]) == (True, "2026-02-02T05:40:00Z", "Likes green tea")
    assert line["events"][3]["from"] == ana
    assert [row["path"] for row in line["stands"]] == [bob]


def test_a_name_of_several_lines_is_a_name_and_a_message_may_hold_any_byte(koog, workspace):
    sha = committed(workspace, {PATHS[2]: "# Ref\n\n- The pump hums\n"}, FIRST, "\x01 \x02 \x03\n\nActor: \x01")

    assert told(koog, "history", "when", "pump hums")["first"]["commit"] == sha[:12]
    assert told(koog, "history", "where", "pump hums")["lines"][0]["origin"]["commit"] == sha[:12]
    assert len(json.dumps(told(koog, "history", "when", "a" * 20_000))) < 10_000


def test_what_no_commit_has_yet_is_known_since_no_commit(koog, workspace):
    (workspace / "MEMORY.md").write_text("# Core\n\n- The fuse box is behind the mirror\n")

    line = told(koog, "history", "when", "fuse box")
    assert (line["known"], line["first"], line["since"], line["count"]) == (True, None, None, 0)
    where = told(koog, "history", "where", "fuse box")

    assert where["lines"][0]["origin"] is None
    assert "not committed yet" in told(koog, "history", "diff", "1d")["_meta"]["warnings"][0]


def test_where_names_the_commit_and_what_was_said(koog, workspace):
    registered(workspace)
    raw = workspace.parent / "ws-raw/conversations/2026/02/16/1845-ses_a1-nas.md"
    raw.parent.mkdir(parents=True)
    head = "---\nsession_id: ses_a1\nstarted: 2026-02-16T18:45:00Z\nended: 2026-02-16T19:00:00Z\n---\n\n# Nas\n\n"
    raw.write_text(f"{head}## 18:45 — user\nWhich disks?\nThe NAS takes four disks.\n")
    text = "# NAS\n\n## Facts\n- The NAS takes four disks <!-- dc:source=ses_a1:11 -->\n"
    sha = committed(workspace, {"knowledge/reference/nas.md": text}, FIRST)

    line = told(koog, "history", "where", "four disks")["lines"][0]

    assert (line["origin"]["commit"], line["section"]) == (sha[:12], "Facts")
    (heard,) = line["heard"]
    assert (heard["role"], heard["said"]) == ("user", "The NAS takes four disks.")
    assert told(koog, "history", "where", "knowledge/reference/nas.md:4")["lines"][0]["text"] == line["text"]
    assert told(koog, "history", "where", "no such words", code=4)["error"]["code"] == "not_found"


def test_two_points_are_told_apart_in_words_and_as_a_diff(koog, workspace):
    nas = PATHS[1]
    committed(workspace, {nas: "# NAS\n\n- Staging listens on port 4100\n- Old and done\n- Kept\n"}, FIRST)
    committed(workspace, {nas: "# NAS\n\n- Staging listens on port 4200\n- Kept\n- Ana owns it\n"}, FIRST + 48 * HOUR)

    line = told(koog, "history", "diff", "2026-02-02", "2026-02-04")

    changes = {(row["change"], row["text"], row["was"]) for row in line["lines"]}
    assert changes == {
        ("changed", "Staging listens on port 4200", "Staging listens on port 4100"),
        ("learned", "Ana owns it", None),
        ("gone", "Old and done", None),
    }
    assert line["words"] == "1 line learned, 1 changed, 1 gone, in 1 file"
    assert "-- Old and done" in line["diff"]
    assert line["files"] == [{"path": nas, "added": 2, "removed": 2}]
    back = told(koog, "history", "diff", "2026-02-04", "2026-02-02")
    assert back["words"] == line["words"]
    begun = told(koog, "history", "diff", "now", "2026-02-01")
    assert begun["counts"]["gone"] >= 3 and begun["to"]["commit"] is None


def test_what_one_reply_has_no_room_for_is_counted_and_comes_with_the_next(koog, workspace, capsys):
    ana = PATHS[0]
    before = committed(workspace, {ana: "# Ana\n"}, FIRST)
    rows = [f"Ana keeps bee hive {n} behind the {'long ' * 30}wall" for n in range(60)]
    committed(workspace, {ana: "# Ana\n\n" + "".join(f"- {row}\n" for row in rows)}, FIRST + HOUR)
    for argv in (
        ("diff", before, "now"),
        ("learned", "--since", before),
        ("show", "now", "--about", "bee hive"),
        ("show", "now", ana),
        ("where", "bee hive"),
    ):
        seen, offset = list[str](), 0
        while True:
            line = told(koog, "history", *argv, "--offset", str(offset))
            part = line["text"].split("\n") if line.get("text") else [row["text"] for row in line["lines"]]
            seen += [row.removeprefix("- ") for row in part]
            if line["next"] is None:
                assert line["more"] == 0
                break
            whole = line["count"] if "count" in line else sum(line["counts"].values())
            assert line["more"] + len(seen) - (ana in argv) == whole and line["_meta"]["truncated"]
            offset = line["next"]
        assert [row for row in seen if row.startswith("Ana keeps")] == rows, argv
    line = told(koog, "history", "diff", before, "now")
    assert main(["--human", "history", "diff", before, "now"]) == 0
    assert f"and {line['more']} more: --offset {line['next']}" in capsys.readouterr().out


def test_a_line_of_the_same_source_has_changed_however_it_is_put_now(koog, workspace):
    def core(*rows: tuple[str, int]) -> str:
        return "# Core\n\n## Lessons Learned\n" + "".join(
            f"- {text} <!-- dc:source=ses_b1:{n} -->\n" for text, n in rows
        )

    ntp = "2026-01-28: The clock drifts without network; so always sync with NTP before logging"
    chrony = "2026-01-28: Run chrony before logging, NEVER ntpd"
    committed(workspace, {"MEMORY.md": core(("2026-01-27: Never clean a lens with alcohol", 7), (ntp, 23))}, FIRST)
    other_day = ("2026-02-03: The pump needs a new seal", 7)
    committed(workspace, {"MEMORY.md": core((chrony, 23), other_day)}, FIRST + 48 * HOUR)

    line = told(koog, "history", "diff", "2026-02-02", "now")

    assert {(row["change"], row["text"], row["was"]) for row in line["lines"] if row["path"] == "MEMORY.md"} >= {
        ("changed", chrony, ntp),
        ("learned", other_day[0], None),
        ("gone", "2026-01-27: Never clean a lens with alcohol", None),
    }


def test_two_unlike_lines_of_one_source_are_one_gone_and_one_learned(koog, workspace):
    def core(text: str) -> str:
        return f"# Core\n\n## Lessons Learned\n- 2026-01-28: {text} <!-- dc:source=ses_b1:1 -->\n"

    committed(workspace, {"MEMORY.md": core("Ben is allergic to nuts")}, FIRST)
    committed(workspace, {"MEMORY.md": core("The roof was repaired in May")}, FIRST + 48 * HOUR)

    line = told(koog, "history", "diff", "2026-02-02", "now")

    assert sorted(row["change"] for row in line["lines"] if row["path"] == "MEMORY.md") == ["gone", "learned"]


def test_what_a_week_or_month_tells_of_the_journal_is_not_learned_again(koog, workspace):
    def row(text: str, day: int, more: str = "") -> str:
        return f"- {text} <!-- dc:day=2026-01-{day:02} dc:source={more}ses_{day}:4 -->\n"

    journal = "knowledge/journal"
    was = row("Borealis is the weather logger in the shed.", 28)
    committed(workspace, {f"{journal}/2026-01-28.md": f"## 2026-01-28\n\n### general\n{was}"}, FIRST)
    files = {
        f"{journal}/2026-01-29.md": "## 2026-01-29\n\n### general\n" + row("Ana painted the gate.", 29),
        f"{journal}/weekly/2026-W05.md": "## 2026-W05\n\n### general\n"
        + row("Borealis is the weather logger", 28)
        + row("Ana painted the gate", 29, "ses_28:4%3B"),
        f"{journal}/monthly/2026-01.md": "## 2026-01\n\n### 28\n"
        + row("Borealis: weather logger", 28)
        + row("Nobody else has said this", 30),
    }
    committed(workspace, files, FIRST + 48 * HOUR)

    for argv in (("diff", "2026-02-02", "now"), ("learned", "--since", "2026-02-03")):
        rows = {(r["change"], r["text"], r["from"]) for r in told(koog, "history", *argv)["lines"]}
        assert rows == {
            ("learned", "Ana painted the gate.", None),
            ("moved", "Ana painted the gate", f"{journal}/2026-01-28.md"),
            ("moved", "Borealis is the weather logger", f"{journal}/2026-01-28.md"),
            ("moved", "Borealis: weather logger", f"{journal}/2026-01-28.md"),
            ("learned", "Nobody else has said this", None),
        }


def test_the_last_commit_may_be_called_as_git_calls_it(koog, workspace):
    committed(workspace, {PATHS[0]: "# Ana\n\n- Likes green tea\n"}, FIRST)
    git(workspace, "branch", "then")
    committed(workspace, {PATHS[0]: "# Ana\n\n- Likes green tea\n- Keeps bees\n"}, FIRST + HOUR)

    line = told(koog, "history", "diff", "then", "HEAD")

    assert [(row["change"], row["text"]) for row in line["lines"]] == [("learned", "Keeps bees")]


def test_what_was_learned_today_is_by_the_users_day(koog, workspace, monkeypatch):
    monkeypatch.setenv("KOOG_TIMEZONE", "Pacific/Auckland")
    committed(workspace, {"MEMORY.md": "- Yesterday's line\n"}, FIRST)  # 15:40 of the 2nd there
    committed(workspace, {"MEMORY.md": "- Yesterday's line\n- Today's line\n"}, FIRST + 9 * HOUR)  # 00:40 of the 3rd

    line = told(koog, "--now", "2026-02-02T12:00:00Z", "history", "learned")

    assert [row["text"] for row in line["lines"]] == ["Today's line"]
    assert (
        len(
            told(
                koog,
                "--now",
                "2026-02-02T12:00:00Z",
                "history",
                "learned",
                "--since",
                "2026-02-02",
                "--path",
                "MEMORY.md",
            )["lines"]
        )
        == 2
    )


def test_what_was_known_then(koog, workspace):
    first = committed(workspace, {"MEMORY.md": "# Core\n\n- Port 4100 is taken\n"}, FIRST)
    committed(workspace, {"MEMORY.md": "# Core\n\n- Port 4200 is taken\n"}, FIRST + 24 * HOUR)
    git(workspace, "tag", "-a", "memory/milestone/launch", first, "-m", "launch")

    for then in ("2026-02-02", "2026-02-02T20:00Z", first[:9], "memory/milestone/launch", "milestone/launch"):
        assert "Port 4100" in told(koog, "history", "show", then, "MEMORY.md")["text"]
    about = told(koog, "history", "show", "2026-02-03", "--about", "taken port")
    assert [row["text"] for row in about["lines"]] == ["Port 4200 is taken"]
    assert told(koog, "history", "show", "2026-02-01", code=0)["files"] == []
    for wrong, code in (
        ("0" * 40, 4),
        ("milestone/none", 4),
        ("--x", 2),
        ("HEAD;rm", 2),
        ("99999w", 2),
        ("1970-01-01", 2),
    ):
        assert told(koog, "history", "show", "--", wrong, code=code)["ok"] is False


def test_what_is_hidden_or_forgotten_now_is_so_in_the_past(koog, workspace):
    registered(workspace)
    group = "- The password hint is zebra <!-- dc:project=openclaw/main dc:scope=group dc:group=g1 -->\n"
    committed(workspace, {"memory/observations.md": f"# Observations\n\nDate: 2026-02-02\n\n{group}"}, FIRST)
    kept = told(koog, "remember", "The alarm code is quagga seven", "--explicit", "--store", "core")["id"]
    assert told(koog, "history", "when", "quagga")["known"]
    told(koog, "forget", "--confirm", kept)

    for argv in (
        ("when", "quagga"), ("when", "zebra"), ("diff", "9w"), ("show", "now", "--about", "quagga"),
        ("show", "now", "memory/observations.md"), ("learned",), ("diff", "memory/before/x", "now"),
    ):  # fmt: skip
        said = (
            json.dumps(koog("history", *argv)[1])
            .replace(f'"query": "{argv[-1]}"', "")
            .replace(f'"about": "{argv[-1]}"', "")
        )
        assert "quagga" not in said
        assert "zebra" not in said


@pytest.mark.parametrize("state", ["detached", "merge", "shallow", "none", "empty"])
def test_in_every_state_of_the_repository_there_is_an_answer(koog, workspace, tmp_path, monkeypatch, state):
    for n in range(3):
        committed(workspace, {"MEMORY.md": "- The key is blue\n" + "- more\n" * n}, FIRST + n * HOUR)
    if state == "detached":
        git(workspace, "checkout", "-q", "--detach", "HEAD~1")
    elif state == "merge":
        (workspace / ".git/MERGE_HEAD").write_text(git(workspace, "rev-parse", "HEAD") + "\n")
    elif state == "shallow":
        git(tmp_path, "clone", "-q", "--depth", "1", f"file://{workspace}", "shallow")
        (tmp_path / "shallow/.koog").mkdir()
        monkeypatch.chdir(tmp_path / "shallow")
    else:
        subprocess.run(["rm", "-rf", str(workspace / ".git")], check=True)
    if state == "empty":
        git(workspace, "init", "-q")

    code, line = koog("history", "when", "key is blue")

    assert code == {"none": 5, "empty": 4}.get(state, 0)
    if code == 0:
        assert line["count"] == 1
        assert line["whole"] is (state != "shallow")
    if state == "shallow":
        for point in (("diff", "2001-01-01"), ("show", "2001-01-01"), ("learned", "--since", "2001-01-01")):
            assert LACKING in koog("history", *point)[1]["_meta"]["warnings"]


def test_a_commit_of_any_year_is_told(koog, workspace):
    committed(workspace, {"MEMORY.md": "- The key is blue\n"}, 999_999_999_999)

    assert told(koog, "history", "when", "key is blue")["first"]["ts"].startswith("9998-12-31")
    assert told(koog, "history", "diff", "2001-01-01")["to"]["ts"].startswith("9998-12-31")


# --- random histories


def lived(folder: Path, seed: int, commits: int = 60) -> None:
    """Give a repository a random history of lines that come, go and move, with branches and merges, by one git."""
    rand = random.Random(seed)
    files: dict[str, list[str]] = {path: [] for path in PATHS}
    side: tuple[dict[str, list[str]], str] | None = None
    out = [b"reset refs/heads/main\n\n"]
    base = git(folder, "rev-parse", "HEAD")
    for n in range(commits):
        mark, before = f":{n + 1}", f":{n}" if n else base
        if side is None and rand.random() < 0.2:
            theirs = {path: list(rows) for path, rows in files.items()}
            _turned(theirs, rand)
            out.append(_commit("side", f":{1000 + n}", before, "", FIRST + n * HOUR, theirs))
            side = theirs, f":{1000 + n}"
        merge = ""
        if side and rand.random() < 0.4:
            files, merge, side = side[0], side[1], None
        _turned(files, rand)
        out.append(_commit("main", mark, before, merge, FIRST + n * HOUR + rand.randrange(HOUR), files))
    subprocess.run(["git", "-C", str(folder), "fast-import", "--quiet", "--force"], input=b"".join(out), check=True)
    git(folder, "reset", "-q", "--hard", "main")


def _turned(files: dict[str, list[str]], rand: random.Random) -> None:
    for _ in range(rand.randint(1, 3)):
        rows = files[rand.choice(PATHS)]
        match rand.randrange(5):
            case 0 | 1:
                said = f"{rand.choice(('He said', 'Note'))} {rand.choice(WORDS)} was zoted {rand.randrange(50)}"
                rows.insert(rand.randint(0, len(rows)), said.upper() if rand.random() < 0.2 else said)
            case 2 if rows:
                rows.pop(rand.randrange(len(rows)))
            case 3 if rows:
                files[rand.choice(PATHS)].append(rows.pop())
            case 4 if rows:
                rand.shuffle(rows)
            case _:
                pass


def _commit(branch: str, mark: str, before: str, merge: str, when: int, files: dict[str, list[str]]) -> bytes:
    head = f"commit refs/heads/{branch}\nmark {mark}\ncommitter T <t@example.invalid> {when} +0000\ndata 1\nx\n"
    told = [f"{head}from {before}\n" + (f"merge {merge}\n" if merge else "")]
    for path, rows in files.items():
        data = "# Head\n\n" + "".join(f"- {row}\n" for row in rows)
        quoted = json.dumps(path)
        told.append(f"M 100644 inline {quoted}\ndata {len(data.encode())}\n{data}\n" if rows else f"D {quoted}\n")
    return "".join([*told, "\n"]).encode()


class Replay:
    """A history told by reading every file of every commit that HEAD has gone through."""

    def __init__(self, folder: Path) -> None:
        rows = git(folder, "log", "--first-parent", "--reverse", "--format=%H %ct").splitlines()
        self.commits = [(sha, int(seconds)) for sha, seconds in map(str.split, rows)]
        self.blobs: dict[str, list[str]] = {}
        self.states = [self._state(folder, sha) for sha, _ in self.commits]

    def _state(self, folder: Path, sha: str) -> dict[str, list[str]]:
        said = subprocess.run(["git", "-C", str(folder), "ls-tree", "-rz", sha], capture_output=True, check=True).stdout
        found = {}
        for row in said.decode().split("\0")[:-1]:
            meta, path = row.split("\t", 1)
            if path in PATHS:
                blob = meta.split()[2]
                if blob not in self.blobs:
                    text = git(folder, "cat-file", "blob", blob)
                    self.blobs[blob] = [line[2:] for line in text.splitlines() if line.startswith("- ")]
                found[path] = self.blobs[blob]
        return found

    def events(self, words: str) -> list[tuple[str, str]]:
        """Return the commits in which so many lines more, or fewer, have some words in some file."""
        found, before = [], dict.fromkeys(PATHS, 0)
        for (sha, _), state in zip(self.commits, self.states, strict=True):
            now = {path: sum(words.lower() in row.lower() for row in state.get(path, [])) for path in PATHS}
            more = sum(max(0, now[path] - before[path]) for path in PATHS)
            fewer = sum(max(0, before[path] - now[path]) for path in PATHS)
            if more or fewer:
                found.append((sha[:12], "moved" if more == fewer else "learned" if more > fewer else "gone"))
            before = now
        return found

    def at(self, second: int) -> dict[str, list[str]]:
        passed = [state for (_, made), state in zip(self.commits, self.states, strict=True) if made <= second]
        return passed[-1] if passed else {}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_random_history_is_told_as_a_plain_replay_of_it_says(koog, workspace, seed):
    lived(workspace, seed)
    replay, rand = Replay(workspace), random.Random(seed)

    for words in WORDS:
        line = told(koog, "history", "when", words)
        assert [(e["commit"], e["change"]) for e in line["events"]] == replay.events(words)[: len(line["events"])]
        assert line["count"] == len(replay.events(words))
    for _ in range(4):
        old, new = sorted(FIRST + rand.randrange(60 * HOUR) for _ in range(2))
        points = [_iso(second) for second in (old, new)]
        before, after = replay.at(old), replay.at(new)
        line = told(koog, "history", "diff", *points)
        counts = line["counts"]
        assert counts["learned"] + counts["changed"] + counts["moved"] == _many(after, before)
        assert counts["gone"] + counts["changed"] + counts["moved"] == _many(before, after)
        shown = told(koog, "history", "show", points[1], "--about", "zoted")
        assert shown["count"] == sum(map(len, after.values()))


def _many(files: dict[str, list[str]], others: dict[str, list[str]]) -> int:
    """Count the lines that files have more often than others."""
    more = 0
    for path, rows in files.items():
        left = [row.lower() for row in others.get(path, [])]
        for row in rows:
            if row.lower() in left:
                left.remove(row.lower())
            else:
                more += 1
    return more


def _iso(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).isoformat()
