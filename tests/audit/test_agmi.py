"""The nine attacks at rest of agent-memory-integrity, another hand's suite, on a log that koog wrote.

The store is the workspace; what the attacker holds is all of it, and not the state root, where the agent cannot write.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from agmi.adapters.base import MemoryAdapter, Record
from agmi.attacks.at_rest import AT_REST_ATTACKS_WITH_SNAPSHOT

from tests.audit.tools import LOG, lines, put, verified
from tests.conftest import Koog, git, registered

FIELDS = ("ts", "action", "file", "actor", "approval", "summary")


class Adapter(MemoryAdapter):
    """koog by its command line; a record is a line that tells of an episode, another context is another workspace."""

    name = "koog"
    supports_replay = supports_metadata = supports_snapshot = True

    def __init__(self, koog: Koog, workspace: Path) -> None:
        self.koog, self.workspace, self.other = koog, workspace, workspace.with_name("other")
        self.told = 0

    def setup(self) -> None:
        registered(self.workspace)

    def teardown(self) -> None:
        """Everything lies in the test's own folder."""

    def seed(self, n: int) -> None:
        for _ in range(n):
            self.append_genuine()

    def append_genuine(self) -> None:
        self.told += 1
        text, now = f"Person{self.told} came by", f"2026-11-20T10:{self.told:02}:00Z"
        code, said = self.koog("remember", text, "--store", "episodic", "--now", now)
        assert code == 0, said

    def read_all_raw(self) -> list[Record]:
        return self._read(self.workspace)

    def _read(self, workspace: Path) -> list[Record]:
        rows = [lines(workspace)[at].decode().rstrip("\n").split(" | ", 5) for at in places(workspace)]
        return [
            Record(n, {"id": row[0], "owner": workspace.name, **dict(zip(FIELDS, row, strict=True))})
            for n, row in enumerate(rows)
        ]

    def write_raw(self, record: Record) -> None:
        rows = lines(self.workspace)
        at = [*places(self.workspace), len(rows)][record.seq]
        rows[at : at + 1] = [self._row(record)]
        put(self.workspace, rows)

    def _row(self, record: Record) -> bytes:
        return (" | ".join(record.fields[name] for name in FIELDS) + "\n").encode()

    def delete_raw(self, seq: int) -> None:
        rows = lines(self.workspace)
        del rows[places(self.workspace)[seq]]
        put(self.workspace, rows)

    def mutate_payload(self, record: Record) -> Record:
        record.fields["summary"] += " and more"
        return record

    def reload(self) -> None:
        """Every command is a koog of its own."""

    def verify(self) -> bool:
        return bool(verified(self.koog)["verdict"] == "intact")

    def identity_of(self, record: Record) -> str:
        return f"{record.fields['owner']}/{record.fields['id']}"

    def payload_of(self, record: Record) -> str:
        return f"{record.fields['file']} | {record.fields['summary']}"

    def owner_of(self, record: Record) -> str:
        return str(record.fields["owner"])

    def seed_other(self, n: int) -> None:
        shutil.copytree(self.workspace, self.other)
        (self.other / LOG).unlink()
        git(self.other, "commit", "-qam", "another")
        here = Path.cwd()
        os.chdir(self.other)
        registered(self.other)
        self.seed(n)
        os.chdir(here)

    def read_other_raw(self) -> list[Record]:
        return self._read(self.other)

    def replay_onto(self, victim_seq: int, donor: Record) -> None:
        kept = {name: self.read_all_raw()[victim_seq].fields[name] for name in ("ts", "id", "owner")}
        self.write_raw(Record(victim_seq, {**donor.fields, **kept}))

    def read_meta(self, seq: int) -> dict[str, Any]:
        fields = self.read_all_raw()[seq].fields
        return {"actor": fields["actor"], "approval": fields["approval"]}

    def write_meta(self, seq: int, meta: dict[str, Any]) -> None:
        record = self.read_all_raw()[seq]
        record.fields["actor"] = "manual" if meta.get("agmi_meta_tampered") else meta["actor"]
        self.write_raw(record)

    def snapshot_store(self) -> object:
        return self._copy_store(self.workspace)

    def restore_store(self, token: object) -> None:
        here = Path.cwd()
        os.chdir("/")
        self._restore_store(str(token), self.workspace)
        os.chdir(here)


def places(workspace: Path) -> list[int]:
    return [at for at, row in enumerate(lines(workspace)) if b" | memory/episodes/" in row]


@pytest.mark.parametrize("attack", AT_REST_ATTACKS_WITH_SNAPSHOT, ids=lambda a: a.name)
def test_an_attack_at_rest_is_detected(workspace: Path, koog: Koog, attack: Any) -> None:
    result = attack().run(Adapter(koog, workspace))

    assert (result.error, result.guard if hasattr(result, "guard") else None) == (None, None)
    assert result.detected, result.detail


def test_there_are_nine_of_them() -> None:
    assert len(AT_REST_ATTACKS_WITH_SNAPSHOT) == 9
