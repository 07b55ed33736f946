"""What the audit costs.

    python bench/audit.py [--only verify] [--lines 1000000] [--runs 5]

verify   `koog audit verify` of 100,000 sealed lines, in this process. Reference: one bare HMAC for each of these lines.
         Milliseconds.
query    the newest 20 of `--lines` lines in ten months, and the only one that holds a word, each by `koog audit log`,
         whole processes. Reference: bare Python that imports typer. Seconds.
share    what sealing adds to a `koog remember` in a month of 2,000 lines: the chain, the critical files, a look for
         hand edits, in this process. Reference: the whole command. Milliseconds.

Beside each figure stands what it takes of the processor (`cpu…`): the one to go by on a machine with other work.

Prints one JSON line.
"""

from __future__ import annotations

import argparse
import hmac
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from koog.audit import verify
from koog.core import operator
from koog.core.files import chain, critical, digests, door, seal, state_root
from koog.core.files.chain import Line, Writer
from koog.core.files.state_root import StateRoot
from koog.core.run import Run

ROOT = Path(__file__).resolve().parent.parent
LOG = "memory/meta/audit.log"
LINE = "{} | EDIT    | memory/graph/entities/person--p{}.md | bot:trigger-remember | auto     | remembered fact {}\n"


class Took(NamedTuple):
    """How long something took, and how much of that the processor worked for it."""

    ms: float
    cpu_ms: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", choices=FIGURES, action="append")
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    print(json.dumps({"bench": "audit", **{name: FIGURES[name](given) for name in given.only or FIGURES}}))


def verifying(given: argparse.Namespace) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as place:
        root, state = _workspace(place)
        rows = [LINE.format("2026-02-20T10:00Z", n % 900, n).encode() for n in range(100_000)]
        key = _sealed(root, state, rows)
        texts = [row.rstrip(b"\n") for row in rows]
        ours, bare = list[Took](), list[Took]()
        for _ in range(given.runs):
            ours.append(_took(lambda: verify.look(Run(folder=str(root)))))
            bare.append(_took(lambda: [hmac.digest(key, text, "sha256") for text in texts]))
        done = verify.look(Run(folder=str(root)))
    return _beside(ours, bare) | {"verdict": done.verdict, "lines": done.lines}


def querying(given: argparse.Namespace) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as place:
        root, _ = _workspace(place)
        each = given.lines // 10
        for month in range(1, 11):
            rows = [LINE.format(f"2026-{month:02}-20T10:00Z", n % 900, f"{month}-{n}") for n in range(each)]
            if month == 3:
                rows[each // 2] = LINE.format("2026-03-20T10:00Z", 7, "of the xylophone")
            path = root / (LOG if month == 10 else f"memory/meta/audit/2026-{month:02}.log")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(rows))
        at = ("--workspace", str(root), "--now", "2026-10-21T10:00:00Z")
        _run("audit", "log", *at)  # once: what the files are is learnt
        found: dict[str, object] = {"lines": each * 10}
        for name, words in {"tail": (), "word": ("--query", "xylophone"), "none": ("--file", "USER.md")}.items():
            taken = [_took(lambda words=words: _run("audit", "log", *at, *words)) for _ in range(given.runs)]  # type: ignore[misc]
            found |= _seconds(name, taken)
        bare = [
            _took(lambda: subprocess.run([sys.executable, "-c", "import typer"], check=True)) for _ in range(given.runs)
        ]
        found |= _seconds("reference", bare)
    return found


def sharing(given: argparse.Namespace) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as place:
        root, state = _workspace(place)
        rows = [LINE.format("2026-02-20T10:00Z", n % 900, n).encode() for n in range(2_000)]
        _sealed(root, state, rows)
        whole, parts = list[Took](), list[Took]()
        for n in range(given.runs * 4):
            run = Run(folder=str(root), now_text="2026-02-21T10:00:00Z", command="remember")
            spent = _Spent()
            with spent:
                whole.append(_took(lambda run=run, n=n: _remember(run, n)))  # type: ignore[misc]
            parts.append(Took(spent.ms, spent.cpu_ms))
    share, remember = _median(parts), _median(whole)
    return {
        "shareMs": round(share.ms, 2),
        "rememberMs": round(remember.ms, 1),
        "cpuShareMs": round(share.cpu_ms, 2),
        "cpuRememberMs": round(remember.cpu_ms, 1),
    }


def _remember(run: Run, n: int) -> None:
    from koog.memory import remember
    from koog.memory.wanted import Wanted

    remember.store_all(run, [Wanted(f"Person{n} works at Company{n}", explicit=True)], word=True, asks=False)


class _Spent:
    """Counts the time that is spent in the parts of a transaction that are the audit's."""

    PARTS = ((seal.Seal, "__init__"), (seal.Seal, "put"), (critical.Watch, "__init__"), (critical.Watch, "put"),
             (door, "hand_edits"), (seal, "note_commit"), (seal, "look"))  # fmt: skip

    def __enter__(self) -> None:
        self.ms, self.cpu_ms = 0.0, 0.0
        self.kept = [(owner, name, getattr(owner, name)) for owner, name in self.PARTS]
        for owner, name, real in self.kept:
            setattr(owner, name, self._timed(real))

    def __exit__(self, *_: object) -> None:
        for owner, name, real in self.kept:
            setattr(owner, name, real)

    def _timed(self, real: Callable[..., object]) -> Callable[..., object]:
        def timed(*args: object, **named: object) -> object:
            begun, cpu = time.perf_counter(), _cpu_ms()
            try:
                return real(*args, **named)
            finally:
                self.ms += (time.perf_counter() - begun) * 1000
                self.cpu_ms += _cpu_ms() - cpu

        return timed


def _workspace(place: str) -> tuple[Path, StateRoot]:
    os.environ |= {"XDG_CONFIG_HOME": f"{place}/config", "XDG_STATE_HOME": f"{place}/state"}
    root = Path(place, "ws").resolve()
    for folder in ("memory/meta", ".koog"):
        (root / folder).mkdir(parents=True)
    for words in (["init", "-q"], ["config", "user.email", "bench@example.invalid"], ["config", "user.name", "bench"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root, state_root.make(operator.register(root))


def _sealed(root: Path, state: StateRoot, rows: list[bytes]) -> bytes:
    key = chain.key(state)
    writer = Writer(key, None)
    seal.begin(writer, [], why="first")
    for row in rows:
        writer.line(Line(row.rstrip(b"\n")))
    (state.path / chain.NAME).write_bytes(writer.data)
    (root / LOG).write_bytes(b"".join(rows))
    state.put(digests.NAME, {LOG: digests.mark(b"".join(rows))})
    return key


def _took(call: Callable[[], object]) -> Took:
    begun, cpu = time.perf_counter(), _cpu_ms()
    call()
    return Took((time.perf_counter() - begun) * 1000, _cpu_ms() - cpu)


def _cpu_ms() -> float:
    """Return what this process, and those that it has started and that have ended, had of the processor."""
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used) * 1000


def _median(taken: list[Took]) -> Took:
    return Took(statistics.median(each.ms for each in taken), statistics.median(each.cpu_ms for each in taken))


def _seconds(name: str, taken: list[Took]) -> dict[str, object]:
    found = _median(taken)
    return {name: round(found.ms / 1000, 3), f"cpu{name.title()}": round(found.cpu_ms / 1000, 3)}


def _run(*words: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-m", "koog", *words], check=True, stdout=subprocess.DEVNULL, env=env)


def _beside(ours: list[Took], reference: list[Took]) -> dict[str, object]:
    own, other = _median(ours), _median(reference)
    times = {"times": round(own.ms / other.ms, 2), "cpuTimes": round(own.cpu_ms / other.cpu_ms, 2)}
    return {"ms": round(own.ms, 1), "referenceMs": round(other.ms, 1), "cpuMs": round(own.cpu_ms, 1), **times}


FIGURES = {"verify": verifying, "query": querying, "share": sharing}

if __name__ == "__main__":
    main()
