"""`chain.log` in the state root: a record for each line of the audit log, which only koog's key can make.  [design §4]

    s 118 9f…32 3c…16 77…32 b1…64        kind, number, line, rest of the line, file, MAC

    s   a line that koog wrote itself; `line` is its keyed digest, `rest` the same without actor and approval (so that
        a forged one is named), `file` the SHA-256 of the file that it names, "-" where that is gone or unknown
    u   a line that koog found at the end: written by a koog in a sandbox, or by anybody; from then on it must stand
    g   a segment begins after a number, `rest` says why: what stands in the log is taken as it is found
    a   one of the lines that a segment began with
    d   the lines up to the number in `rest` went into the digest, whose text `line` is the digest of
    r   what a person has deleted for good: of a file its digests before and after, `rest` a keyed one of its path; of a
        line of the log that reads otherwise since, `line` and `file` are its keyed digests before and after
    b   the chain begins behind a number: what went before was cut off; `line` vouches for the MAC that it ended with

`chain-head.json` says where the chain and git's HEAD stood after the last commit, and behind which number git's history
was once found without the commit before (`reset`), until that is acknowledged. Each MAC is an HMAC-SHA-256 over
the one before it and the record. The key lies beside the chain, mode 0600. Whoever can read the state root can make a
chain of his own: it holds against what cannot, an agent in its workspace.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from koog.core.files import atomic, jsonfiles, keyed
from koog.core.files.roots import put_unsynced
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.core.files.roots import Root
    from koog.core.files.state_root import StateRoot

NAME, KEY, HEAD = "chain.log", "chain.key", "chain-head"
SEALED, FOUND, ACCEPTED, SEGMENT, DIGESTED, BASE, REDACTED = "s", "u", "a", "g", "d", "b", "r"
NONE = "-"
START = "0" * 64  # what the first record's MAC is over
LIMIT = 1 << 30  # bytes of a chain that koog reads
TAIL = 4096  # bytes; many times the longest record
WHO = re.compile(rb"^(.*? \| .*? \| .*? \| )(.*?) \| (.*?)( \| .*)$", re.DOTALL)


class Damaged(Exception):
    """The chain or its key is not what koog writes: a disk that failed, or somebody with the state root."""


class Record(NamedTuple):
    """One record, as above; `mac` in hex."""

    kind: str
    number: int
    line: str
    rest: str
    file: str
    mac: str

    @property
    def said(self) -> str:
        """Return what the MAC is over, but for the MAC before it."""
        return f"{self.kind} {self.number} {self.line} {self.rest} {self.file}"

    @property
    def text(self) -> str:
        return f"{self.said} {self.mac}\n"


class Line(NamedTuple):
    """One line of the log that is to be sealed: without its line end, and the SHA-256 of the file that it names."""

    text: bytes
    file: str = NONE
    kind: str = SEALED


class Writer:
    """Makes records that go on from a record. Its text is what is to be appended."""

    def __init__(self, key: bytes, last: Record | None) -> None:
        self.key = key
        self.number = last.number if last else 0
        self.mac = last.mac if last else START
        self.made: list[str] = []

    def line(self, line: Line) -> None:
        """Seal one line of the log."""
        self.number += 1
        self.add(line.kind, self.number, mark(self.key, line.text), rest(self.key, line.text), line.file)

    def add(self, kind: str, number: int, line: str = NONE, rest: str = NONE, file: str = NONE) -> None:
        """Add a record of any kind."""
        record = Record(kind, number, line, rest, file, "")
        self.number, self.mac = number, mac(self.key, self.mac, record.said)
        self.made.append(record._replace(mac=self.mac).text)

    @property
    def data(self) -> bytes:
        return "".join(self.made).encode()


def mac(key: bytes, before: str, said: str) -> str:
    """Return a record's MAC."""
    return keyed.digest(key, f"{before} {said}".encode())


def mark(key: bytes, line: bytes) -> str:
    """Return a line's keyed digest, 32 hex digits: without the key nobody can try words on it."""
    return keyed.digest(key, line)[:32]


def rest(key: bytes, line: bytes) -> str:
    """Return the digest of a line without its actor and approval, 16 hex digits."""
    parted = WHO.match(line)
    return keyed.digest(key, parted[1] + parted[4] if parted else line)[:16]


def file_mark(data: bytes | None) -> str:
    """Return a file's digest as the chain has it."""
    return NONE if data is None else sha256(data).hexdigest()[:32]


def key(state_root: StateRoot) -> bytes:
    """Return the workspace's key, made at the first call; only under the write lock. Raises Damaged."""
    spot = state_root.root.itself(KEY)
    found = spot.read()
    if found and re.fullmatch(rb"[0-9a-f]{64}\n", found):
        return bytes.fromhex(found.decode().strip())
    if found:
        raise Damaged(f"the state root's {KEY} is damaged")
    made = os.urandom(32)
    try:
        atomic.prepare(spot, f"{made.hex()}\n".encode())  # 0600
        atomic.beside(spot).rename(spot)
        spot.folder.sync()
    except OSError as e:
        raise spot.error(e) from None
    return made


def known_key(state_root: StateRoot) -> bytes | None:
    """Return the key, None where there is none or it is damaged: for who only reads."""
    found = state_root.root.read(KEY) or b""
    return bytes.fromhex(found.decode().strip()) if re.fullmatch(rb"[0-9a-f]{64}\n", found) else None


def last(root: Root) -> tuple[Record | None, int]:
    """Return the chain's last whole record and the bytes up to its end. Raises Damaged, OSError."""
    info = root.info(NAME)
    size = info.st_size if info else 0
    if not size:
        return None, 0
    with os.fdopen(root.itself(NAME).open(), "rb") as file:
        at = max(size - TAIL, 0)
        tail = os.pread(file.fileno(), TAIL, at)
    whole = tail[: tail.rfind(b"\n") + 1]
    found = parse(whole.splitlines()[-1]) if whole else None
    if found is None:
        raise Damaged(f"the state root's {NAME} is damaged")
    return found, at + len(whole)


def set_aside(state_root: StateRoot) -> None:
    """Keep the chain and its key under other names, so that the next record begins a new one. Raises OSError.

    Only under the write lock.
    """
    from time import time_ns

    stamp = time_ns()
    for name in (NAME, KEY, f"{HEAD}.json"):
        if state_root.root.info(name) is not None:
            state_root.root.itself(name).rename(state_root.root.itself(f"{name}.{stamp}"))


def settle(root: Root, end: int) -> None:
    """Cut off what a power cut left of a record, so that the next one begins a line. Raises OSError."""
    info = root.info(NAME)
    if info and info.st_size > end:
        atomic.truncate(root.itself(NAME), end)


def note_head(state_root: StateRoot, commit: str, *, reset: int | None = None) -> None:
    """Note where the chain and git stand; unsynced: an older note is true as well. Raises OSError, WorkspaceError."""
    found, _ = last(state_root.root)
    if found:
        head = {"number": found.number, "mac": found.mac, "git": commit}
        told = {} if reset is None else {"reset": reset}
        put_unsynced(state_root.root, f"{HEAD}.json", jsonfiles.pretty({**head, **told}))


def parse(line: bytes) -> Record | None:
    """Return a record, None for what is none."""
    try:
        kind, number, text, rest_, file, mac_ = line.decode("ascii").split(" ")
        return Record(kind, int(number), text, rest_, file, mac_)
    except ValueError:
        return None


def rows(data: bytes) -> list[bytes]:
    """Return the lines of a chain; a torn last one is left out."""
    return data[: data.rfind(b"\n")].split(b"\n") if b"\n" in data else []


def parsed(data: bytes) -> list[Record | None]:
    """Return every record of a chain, None for a line that is none; a torn last line is left out."""
    return [parse(line) for line in rows(data)]


def broken(key: bytes, data: bytes) -> int | None:
    """Return the number of the first record that koog's key has not made, or that is out of place; None for none."""
    before, number = START.encode(), 0
    for i, line in enumerate(rows(data)):
        said, _, mac_ = line.rpartition(b" ")
        if i == 0 and line.startswith(b"b "):
            record = parse(line)
            if record is None or record.line != based(key, record.number, record.mac):
                return number + 1
        elif keyed.digest(key, b"%b %b" % (before, said)).encode() != mac_:
            record = parse(line)
            return record.number if record else number + 1
        else:
            number += line[:1] in b"sua"
        before = mac_
    return None


def lines(records: Iterable[Record | None]) -> list[Record]:
    """Return the records that stand for lines of the log, in their order, of the newest segment."""
    found: list[Record] = []
    places: dict[str, list[int]] = {}  # a line's digest → where it is in `found`; made when a deletion is met
    for record in records:
        if record is None:
            continue
        if record.kind in (SEALED, FOUND, ACCEPTED):
            if places:
                places.setdefault(record.line, []).append(len(found))
            found.append(record)
        elif record.kind == SEGMENT:
            found, places = [], {}
        elif record.kind == REDACTED:
            places = places or _places(found)
            for i in (moved := places.pop(record.line, [])):
                found[i] = found[i]._replace(line=record.file, rest=record.rest)
            places.setdefault(record.file, []).extend(moved)
        elif record.kind == DIGESTED:
            found, places = [each for each in found if each.number > int(record.rest)], {}
    return found


def _places(found: Sequence[Record]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for i, record in enumerate(found):
        places.setdefault(record.line, []).append(i)
    return places


def based(key: bytes, number: int, mac_: str) -> str:
    """Return what vouches for the beginning of a chain that was cut off."""
    return keyed.digest(key, f"{BASE} {number} {mac_}".encode())


def cut(state_root: StateRoot) -> None:
    """Leave out the records whose lines are in the digest, should they be many; only under the write lock."""
    data, key_ = state_root.root.read(NAME, limit=LIMIT) or b"", known_key(state_root)
    records = [r for r in parsed(data) if r]
    through = max((int(r.rest) for r in records if r.kind == DIGESTED), default=0)
    dead = [r for r in records if r.kind in (BASE, SEALED, FOUND, ACCEPTED) and r.number <= through]
    begins = max((i for i, r in enumerate(records) if r.kind == SEGMENT), default=-1)
    at = max((i for i, r in enumerate(records) if r in dead[-1:]), default=-1)
    if key_ is None or at <= begins or len(dead) < 2:
        return
    last_ = records[at]
    base = Record(BASE, last_.number, based(key_, last_.number, last_.mac), NONE, NONE, last_.mac)
    text = "".join(r.text for r in [base, *records[at + 1 :]])
    spot = state_root.root.itself(NAME)
    try:
        atomic.prepare(spot, text.encode())
        atomic.beside(spot).rename(spot)
        spot.folder.sync()
    except OSError as e:
        raise spot.error(e) from None
