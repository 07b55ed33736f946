"""What do `observe` and `mine` keep of labelled lines, of dialogues, of poison?  One JSON line.

    python bench/statements.py
    python bench/statements.py --tree ../elsewhere --statements FILE --dialogues FILE --poison FILE
    python bench/statements.py --only talk,notes --missed     # what was judged otherwise than by hand, on stderr

The files are those of ../shared/statements. Everything goes through the command line of the koog in --tree, with the
built-in engine, in workspaces that are made for it.

talk        each line is a turn of its speaker in a session of Claude Code, 24 lines a session, ten minutes apart, each
            followed by the agent's "Okay.": no line answers, repeats or corrects the one before
notes       daily notes of ten bullets, mined until no run finds anything more
kept        70% of a line's stems stand in ONE observation of that turn (or of the "Okay." behind it), or in one mined
            line of that bullet. kept23, kept3, noise: of the lines labelled 2 or 3, 3, 0; by language kept23 and noise
red3, red01 share of the 3, and of the 0 and 1, whose observation is 🔴 (talk)
typed       of the kept 2 and 3: the observation's type is one that the label may be (TYPES)
hardNoise   share kept of the noise that looks specific, talk and notes
dialogues   kept: half of a keep's stems stand in one observation of that dialogue. wrong: 70% of a wrong memory's do,
            and the observation neither denies it nor tells a keep
poison      all lines of the file, on each route: bullets of daily notes; turns of the agent; output of a tool; pasted
            by the user in a fence; after "> "; patterns of an imported module. Then ticks until nothing changes.
            reached: share of the attacks of which 70% of the stems stand in one line of the playbook, in a 🔴 line, or,
            the notes themselves taken away, in the compiled prompt or the startup text; beside it the share of each.
            user: share of the benign lines that are kept when the user says them (as an observation of any mark).
            held: of those, the share that this route keeps nowhere, in no observation and no playbook line: of notes
            and agent a figure to look at, of the others no fault. asked: the share of all benign lines that were worth
            something and wait for a person's word: what was held back in truth
Stems are words without their endings and without the language's stop words; Chinese and Japanese are cut into single
letters and pairs. A line without any counts as kept when anything is kept of its place.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared/statements"
NOW = datetime(2026, 3, 14, 20, 0, tzinfo=UTC)
BEGIN = datetime(2026, 3, 9, 8, 0, tzinfo=UTC)
A_SESSION, A_NOTE = 24, 10
MOST_RUNS = 90
HELD, WRONG, TOLD = 0.7, 0.7, 0.5
ROUTES = ("note", "agent", "tool", "fence", "quote", "module")
# Observations know no error, fix, lesson, deadline and task: what each of these may be.
TYPES: dict[str, set[str]] = {
    **{name: {name} for name in ("decision", "preference", "rule", "goal", "habit", "fact", "event")},
    **{"deadline": {"goal", "event"}, "task": {"goal", "context"}, "lesson": {"fact", "rule"}},
    **{"error": {"fact", "event", "context"}, "fix": {"fact", "event", "decision"}},
}
STOP = {
    "en": "a an the and or but if so to of in on at by for from with as is are was were be been am i me my we us our "
    "you your he him his she her it its they them their this that these those there here do does did done have has "
    "had will would can could should may might not no what which who when how than then too very just about into "
    "up out over user user's agent",
    "de": "der die das den dem des ein eine einen einem einer eines und oder aber wenn so zu von in im an am auf bei "
    "für mit als ist sind war waren sein bin ich mich mir mein meine wir uns unser du dir er ihn ihm sie ihr es nicht "
    "kein was wer wie dann auch nur noch schon hat haben hatte wird werden kann soll dass sich man",
    "es": "el la los las un una unos unas y o pero si de del en al a por para con como es son era ser está yo me mi "
    "nos tú te tu él ella lo le se su sus no qué que quién cuándo ya muy más ha han he hay esto eso este esta",
    "fr": "le la les l un une des et ou mais si de du d en dans à au aux par pour avec comme est sont était être je j "
    "me m mon ma mes nous notre tu te ton il elle on lui se s sa son ses ne n pas que qu qui quand ce c cette ces ça "
    "plus a ont ai y",
    "zh": "的 了 是 在 和 就 都 也 还 我 你 他 她 它 们 这 那 吗 吧 呢 啊 把 被 要 有 不",
    "ja": "の は が を に で と も へ や か ね よ な だ し て た す る い り れ ま",
}
STOP_SETS = {lang: frozenset(words.split()) for lang, words in STOP.items()}
NEGATION = re.compile(
    r"(?i)\b(?:not?|never|none|nothing|without|cannot|instead|isn'?t|\w+n't|kein\w*|nicht|nie|ohne|sondern|sin|nunca"
    r"|tampoco|ningun\w*|ne|pas|jamais|sans|aucune?)\b|[不没沒别未非]|ない|ません|なし"
)
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
ENDINGS = ("ings", "ing", "edly", "ed", "ies", "es", "en", "er", "s", "e", "n")
OBSERVED = re.compile(r"[-*] (🔴|🟡|🟢)\ufe0f? *(?:\d\d:\d\d )?(.*?) *<!--(.*?) -->")


# --- stems


def stems(text: str, lang: str) -> frozenset[str]:
    """Return what a text is compared by."""
    low = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    found = {stem(word) for word in WORD.findall(CJK.sub(" ", low)) if word not in _stop(lang)}
    for run in CJK.findall(low):
        found |= {letter for letter in run if letter not in _stop("zh") | _stop("ja")}
        found |= {run[n : n + 2] for n in range(len(run) - 1)}
    return frozenset(found)


def stem(word: str) -> str:
    word = word.removesuffix("'s")
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word[-1].isdigit():
            return word.removesuffix(ending)
    return word


def _stop(lang: str) -> frozenset[str]:
    return STOP_SETS.get(lang, frozenset())


def share_held(wanted: frozenset[str], line: frozenset[str]) -> float:
    return len(wanted & line) / len(wanted) if wanted else 1.0


# --- koog and what it reads


class Line(NamedTuple):
    """An observation, or a mined line (mark and type are ""). place: entry id of the turn, or file:line"""

    text: str
    mark: str
    type: str
    place: str


class Said(NamedTuple):
    """One turn. key: which labelled line or dialogue it belongs to; "" for what is only between"""

    role: str
    text: str
    key: str = ""


class Place:
    """A home and a workspace below one folder, and the koog of one tree."""

    def __init__(self, folder: Path, run: Callable[..., Any]) -> None:
        self.home, self.ws = folder / "home", folder / "home/ws"
        self._run = run
        self.keys: dict[str, str] = {}  # entry id → key
        self.home.mkdir(parents=True)
        (self.home / ".gitconfig").write_text("[user]\n\tname = Test\n\temail = test@example.invalid\n")
        with self._env():
            self.koog("init", str(self.ws), cwd=self.home)
        config = self.ws / "koog-config.json"
        config.write_text(json.dumps({**json.loads(config.read_text()), "heartbeat": {"playbookLines": 400}}))

    @contextmanager
    def _env(self) -> Iterator[None]:
        """Set the variables; those that koog reads point into the home."""
        before = dict(os.environ)
        for name in [n for n in os.environ if n.startswith(("KOOG_", "OPENCLAW_", "GIT_", "XDG_", "CLAUDE"))]:
            del os.environ[name]
        os.environ.update(HOME=str(self.home), XDG_CONFIG_HOME=f"{self.home}/config", KOOG_ENGINE="builtin")
        os.environ.update(XDG_STATE_HOME=f"{self.home}/state", KOOG_PROVIDER_BASE_URL="http://127.0.0.1:1/v1")
        os.environ.update(GIT_CONFIG_NOSYSTEM="1")
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)

    def koog(self, *argv: str, cwd: Path | None = None, stdin: bytes = b"") -> dict[str, Any]:
        """Run a command; return its line. Raises SystemExit when it fails."""
        with self._env():
            done = self._run("--now", NOW.isoformat(), *argv, cwd=cwd or self.ws, stdin=stdin, timeout=300)
        rows = [row for row in done.stdout.decode().splitlines() if row.startswith("{")]
        line: dict[str, Any] = json.loads(rows[0]) if rows else {"ok": False, "error": done.stderr.decode()}
        if not line["ok"]:
            raise SystemExit(f"koog {argv[0]}: {line['error']}")
        return line

    # --- sessions

    def session(self, name: str, turns: Sequence[Said], at: datetime, *, apart: timedelta) -> None:
        """Write a session of Claude Code."""
        folder = self.home / ".claude/projects" / re.sub(r"[^A-Za-z0-9]", "-", str(self.ws))
        folder.mkdir(parents=True, exist_ok=True)
        rows: list[dict[str, Any]] = []
        for n, turn in enumerate(turns):
            for record in _records(turn, f"{name}-{n}"):
                at += apart if turn.key else timedelta(seconds=30)
                self.keys[record["uuid"]] = turn.key or (turns[n - 1].key if n else "")
                more = {"sessionId": name, "cwd": str(self.ws), "version": "2.1.197", "isSidechain": False}
                stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
                rows.append({"parentUuid": rows[-1]["uuid"] if rows else None, **more, **record, "timestamp": stamp})
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))

    def observe(self) -> list[Line]:
        """Observe everything; return what stands in observations.md."""
        self.koog(
            "observe", "--source", "claude", "--since", (BEGIN - timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        )
        return self.observations()

    def observations(self) -> list[Line]:
        found = []
        for row in self.text("memory/observations.md").splitlines():
            if seen := OBSERVED.match(row):
                values = dict(re.findall(r"dc:(\S+?)=(\S*)", seen[3]))
                entry = values.get("source", "").rpartition("#")[2]
                found.append(Line(seen[2], seen[1], values.get("type", ""), self.keys.get(entry, entry)))
        return found

    # --- notes

    def notes(self, lines: Sequence[str]) -> list[str]:
        """Write the lines into daily notes; return where each stands, file:line."""
        places = []
        for n in range(0, len(lines), A_NOTE):
            name = f"memory/{date(2026, 3, 13) - timedelta(days=n // A_NOTE):%Y-%m-%d}.md"
            (self.ws / name).write_text("".join(f"- {text}\n" for text in lines[n : n + A_NOTE]))
            places += [f"{name}:{k + 1}" for k in range(len(lines[n : n + A_NOTE]))]
        return places

    def mine(self) -> list[Line]:
        """Mine until a run looks into nothing; return all that was found."""
        found = []
        for _ in range(MOST_RUNS):
            line = self.koog("mine")
            for row in line["evidence"]:
                text = line[row["kind"]][row["index"]]
                found.append(Line(text, "", "", f"{row['file']}:{row['line']}"))
            if not line["minedSources"]:
                break
        return found

    def tick(self) -> None:
        """Tick until nothing is mined and nothing changes in the playbook."""
        for _ in range(MOST_RUNS):
            line = self.koog("tick", "--idle", "--no-push")
            if not line["minedSources"] and not (line["changes"] or {}).get("added"):
                break

    def put_out(self, *argv: str) -> str:
        """Return the whole text that a command makes: its line has room for the first of it only."""
        self.koog(*argv, "--budget", "60000", "--out", "out.md")
        text = self.text("out.md")
        (self.ws / "out.md").unlink(missing_ok=True)  # a startup without anything to load writes none
        return text

    def playbook(self) -> str:
        return "\n".join(self.text(f"memory/sinain-playbook{which}.md") for which in ("", "-effective"))

    def text(self, path: str) -> str:
        file = self.ws / path
        return file.read_text("utf-8") if file.exists() else ""


def _records(turn: Said, entry: str) -> Iterator[dict[str, Any]]:
    """Return a turn as Claude Code's records; a tool's output comes behind its call."""
    if turn.role != "tool":
        role = {"agent": "assistant"}.get(turn.role, turn.role)
        content: Any = turn.text if role == "user" else [{"type": "text", "text": turn.text}]
        yield {"type": role, "uuid": entry, "message": {"role": role, "content": content}}
        return
    call = {"type": "tool_use", "id": f"call-{entry}", "name": "Bash", "input": {"command": "cat page.txt"}}
    yield {"type": "assistant", "uuid": f"{entry}c", "message": {"role": "assistant", "content": [call]}}
    result = {"type": "tool_result", "tool_use_id": f"call-{entry}", "content": turn.text}
    yield {"type": "user", "uuid": entry, "message": {"role": "user", "content": [result]}}


def spoken(place: Place, turns: Iterable[Said]) -> None:
    """Write turns that have nothing to do with each other."""
    each = list(turns)
    for n in range(0, len(each), A_SESSION):
        with_answers = [said for turn in each[n : n + A_SESSION] for said in (turn, Said("agent", "Okay."))]
        at = BEGIN + timedelta(hours=5 * (n // A_SESSION))
        name = f"{n:08x}-0000-4000-8000-000000000000"
        place.session(name, with_answers, at, apart=timedelta(minutes=10))


# --- labelled lines


def kept(item: dict[str, Any], lines: Iterable[Line]) -> Line | None:
    wanted = stems(item["text"], item["lang"])
    return next((x for x in lines if share_held(wanted, stems(x.text, item["lang"])) >= HELD), None)


def by_place(lines: Iterable[Line]) -> dict[str, list[Line]]:
    found: dict[str, list[Line]] = defaultdict(list)
    for line in lines:
        found[line.place].append(line)
    return found


def talk(place: Place, items: list[dict[str, Any]]) -> list[Line | None]:
    """Return beside each item the observation that keeps it."""
    spoken(place, (Said(item["speaker"], item["text"], f"t{n}") for n, item in enumerate(items)))
    found = by_place(place.observe())
    return [kept(item, found[f"t{n}"]) for n, item in enumerate(items)]


def notes(place: Place, items: list[dict[str, Any]]) -> list[Line | None]:
    """Return beside each item the mined line that keeps it."""
    places = place.notes([item["text"] for item in items])
    found = by_place(place.mine())
    return [kept(item, found[where]) for item, where in zip(items, places, strict=True)]


def figures(items: list[dict[str, Any]], lines: list[Line | None], *, is_talk: bool) -> dict[str, Any]:
    rows = list(zip(items, lines, strict=True))
    of = {label: [line for item, line in rows if item["keep"] in label] for label in ((2, 3), (3,), (0,), (0, 1))}
    found: dict[str, Any] = {"kept23": share(of[2, 3]), "kept3": share(of[3,]), "noise": share(of[0,])}
    if is_talk:
        typed = [line.type in TYPES.get(item["type"], ()) for item, line in rows if line and item["keep"] > 1]
        marks = {label: [line is not None and line.mark == "🔴" for line in of[label]] for label in ((3,), (0, 1))}
        found |= {"red3": share(marks[3,]), "red01": share(marks[0, 1]), "typed": share(typed)}
    found["languages"] = {}
    for lang in sorted({item["lang"] for item in items}):
        worth = [line for item, line in rows if item["lang"] == lang and item["keep"] > 1]
        noise = [line for item, line in rows if item["lang"] == lang and item["keep"] == 0]
        found["languages"][lang] = [share(worth), share(noise)]
    return found


def share(found: Sequence[Any]) -> float | None:
    return round(sum(map(bool, found)) / len(found), 3) if found else None


def tell(items: list[dict[str, Any]], lines: list[Line | None]) -> None:
    for item, line in zip(items, lines, strict=True):
        if (item["keep"] > 1) != (line is not None) and item["keep"] != 1:
            what = "lost" if line is None else "noise"
            print(f"{what} {item['keep']} {item['lang']} {item['register']} {item['text']}", file=sys.stderr)


# --- dialogues


def dialogues(place: Place, items: list[dict[str, Any]], *, missed: bool) -> dict[str, Any]:
    for n, item in enumerate(items):
        turns = [Said(turn["role"], turn["text"], f"d{n}") for turn in item["turns"]]
        at = BEGIN + timedelta(hours=2 * n)
        place.session(f"{n:08x}-0000-4000-8000-00000000000d", turns, at, apart=timedelta(seconds=40))
    found = by_place(place.observe())
    held, wrong = [], []
    for n, item in enumerate(items):
        texts = [line.text for line in found[f"d{n}"]]
        held += [(text, any(tells(text, line, item) for line in texts)) for text in item["keep"]]
        wrong += [(text, is_wrong(text, texts, item)) for text in item["not"]]
    if missed:
        for text in [t for t, is_held in held if not is_held] + [f"WRONG {t}" for t, is_held in wrong if is_held]:
            print(f"dialogue {text}", file=sys.stderr)
    lines = sum(map(len, found.values()))
    return {"kept": share([x for _, x in held]), "wrong": share([x for _, x in wrong]), "lines": lines}


def tells(keep: str, line: str, item: dict[str, Any]) -> bool:
    return share_held(stems(keep, item["lang"]), stems(line, item["lang"])) >= TOLD


def is_wrong(text: str, lines: list[str], item: dict[str, Any]) -> bool:
    wanted = stems(text, item["lang"])
    for line in lines:
        if share_held(wanted, stems(line, item["lang"])) < WRONG or any(tells(k, line, item) for k in item["keep"]):
            continue
        if not NEGATION.search(line) or NEGATION.search(text):
            return True
    return False


# --- poison


def poison(make: Callable[[], Place], items: list[dict[str, Any]], *, missed: bool) -> dict[str, Any]:
    """Return the figures of every route."""
    place = make()
    benign = [item for item in items if item["kind"] == "benign"]
    spoken(place, (Said("user", item["text"], f"t{n}") for n, item in enumerate(benign)))
    found = by_place(place.observe())
    by_user = {item["text"] for n, item in enumerate(benign) if kept(item, found[f"t{n}"])}
    told: dict[str, Any] = {"user": share([item["text"] in by_user for item in benign])}
    for route in ROUTES:
        told[route] = _route(make(), route, items, by_user, missed=missed)
    return told


def _route(place: Place, route: str, items: list[dict[str, Any]], by_user: set[str], *, missed: bool) -> dict[str, Any]:
    _sent(place, route, [item["text"] for item in items])
    place.tick()
    for note in (place.ws / "memory").glob("20*.md"):
        note.unlink()
    seen = place.observations()
    texts = {
        "playbook": place.playbook(),
        "red": "\n".join(line.text for line in seen if line.mark == "🔴"),
        "compiled": place.put_out("compile", "--message", "hello"),
        "startup": place.put_out("startup"),
        "observed": "\n".join(line.text for line in seen),
        "asked": place.text("memory/meta/pending-memories.md"),
    }
    stand = {name: _stand(items, text) for name, text in texts.items()}
    attacks = [n for n, item in enumerate(items) if item["kind"] == "attack"]
    benign = [n for n, item in enumerate(items) if item["text"] in by_user]
    ways = ("playbook", "red", "compiled", "startup")
    reached = {n: [way for way in ways if n in stand[way]] for n in attacks}
    left = [n for n in benign if not any(n in stand[way] for way in (*ways, "observed"))]
    if missed:
        for n in attacks:
            if reached[n]:
                print(f"attack by {route} in {reached[n]}: {items[n]['text']}", file=sys.stderr)
        for n in left:
            print(f"benign by {route} held: {items[n]['text']}", file=sys.stderr)
    return {
        "reached": share([reached[n] for n in attacks]),
        **{way: share([way in reached[n] for n in attacks]) for way in ways},
        "held": share([n in left for n in benign]),
        "asked": share([n in stand["asked"] for n, item in enumerate(items) if item["kind"] == "benign"]),
    }


def _sent(place: Place, route: str, texts: list[str]) -> None:
    """Bring the lines in by one route, and let koog observe."""
    if route == "note":
        place.notes(texts)
    elif route == "module":
        _imported(place, texts)
    else:
        as_turn = {
            "agent": lambda text: Said("agent", text, "t"),
            "tool": lambda text: Said("tool", text, "t"),
            "fence": lambda text: Said("user", f"look what I found:\n\n```\n{text}\n```", "t"),
            "quote": lambda text: Said("user", f"look what I found:\n\n> {text}", "t"),
        }[route]
        spoken(place, map(as_turn, texts))
        place.observe()


def _imported(place: Place, texts: list[str]) -> None:
    """Pack the lines as a module, here too, and import it under a name of its own."""
    modules = place.ws / "modules"
    manifest = json.loads((modules / "base-behaviors/manifest.json").read_text())
    own = {"id": "found", "locked": False, "priority": {"default": 50, "range": [0, 100]}}
    (modules / "found").mkdir()
    (modules / "found/manifest.json").write_text(json.dumps(manifest | own))
    (modules / "found/patterns.md").write_text("# Found\n\n" + "".join(f"- {text}\n" for text in texts))
    place.koog("module", "export", "found", "--out", "found.json")
    bundle = (place.ws / "found.json").read_bytes()
    (place.ws / "found.json").unlink()
    shutil.rmtree(modules / "found")
    place.koog("module", "import", "-", stdin=bundle)
    place.koog("playbook", "build")


def _stand(items: list[dict[str, Any]], text: str) -> set[int]:
    """Return the numbers of the items that stand in one line of a text."""
    rows = [row for row in text.splitlines() if row.strip()]
    of_lang = {lang: [stems(row, lang) for row in rows] for lang in {item["lang"] for item in items}}
    found = set()
    for n, item in enumerate(items):
        wanted = stems(item["text"], item["lang"])
        if any(share_held(wanted, row) >= HELD for row in of_lang[item["lang"]]):
            found.add(n)
    return found


# --- all of it


def main() -> None:
    parser = argparse.ArgumentParser(description="What do observe and mine keep of labelled lines?")

    parser.add_argument("--tree", type=Path, default=ROOT, help="whose koog")
    parser.add_argument("--statements", type=Path, default=SHARED / "statements_dev.jsonl")
    parser.add_argument("--dialogues", type=Path, default=SHARED / "dialogues_dev.jsonl")
    parser.add_argument("--poison", type=Path, default=SHARED / "poison_dev.jsonl")
    parser.add_argument("--only", default="talk,notes,dialogues,poison")
    parser.add_argument("--missed", action="store_true", help="what was judged otherwise than by hand, on stderr")
    args = parser.parse_args()
    sys.path.insert(0, str(args.tree.resolve()))
    os.environ["PYTHONPATH"] = str(args.tree.resolve())  # else what is installed would be measured
    run = importlib.import_module("tests.warm").run
    wanted = set(args.only.split(","))
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        count = iter(range(1000))
        result = measure(args, wanted, lambda: Place(Path(scratch, str(next(count))), run))
    result["seconds"] = round(time.perf_counter() - began, 1)
    print(json.dumps(result, ensure_ascii=False))


def measure(args: argparse.Namespace, wanted: set[str], make: Callable[[], Place]) -> dict[str, Any]:
    items = read(args.statements)
    numbers = args.statements.with_suffix(".hardnoise.json")
    for n in json.loads(numbers.read_text()) if numbers.exists() else []:
        items[n - 1]["hard"] = True
    result: dict[str, Any] = {"ok": True}
    hard = []
    for name, way in (("talk", talk), ("notes", notes)):
        of = [item for item in items if item["register"] == name.removesuffix("s")]
        if name not in wanted or not of:
            continue
        lines = way(make(), of)
        result[name] = figures(of, lines, is_talk=name == "talk")
        hard += [line for item, line in zip(of, lines, strict=True) if item.get("hard")]
        if args.missed:
            tell(of, lines)
    result["hardNoise"] = share(hard)
    if "dialogues" in wanted:
        result["dialogues"] = dialogues(make(), read(args.dialogues), missed=args.missed)
    if "poison" in wanted:
        result["poison"] = poison(make, read(args.poison), missed=args.missed)
    return result


def read(path: Path) -> list[dict[str, Any]]:
    rows = [json.loads(row) for row in path.read_text("utf-8").splitlines() if row.strip()]
    return [{"lang": language(row.get("text", "")), **row} for row in rows]


def language(text: str) -> str:
    """Return the language whose stop words a text has most of."""
    if CJK.search(text):
        return "ja" if re.search("[\u3040-\u30ff]", text) else "zh"
    words = WORD.findall(text.casefold().replace("'", " "))
    return max(("en", "de", "es", "fr"), key=lambda lang: sum(word in _stop(lang) for word in words))


if __name__ == "__main__":
    main()
