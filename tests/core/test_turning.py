"""A line that says by its words what was turned into what takes the place of the older one, and of no other."""

from __future__ import annotations

import pytest

from koog.core.text import compare


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            "We decided to run the project Kestrel on Kubernetes 1.29.",
            "We switched Kestrel from Kubernetes to Nomad because the licence is cheaper.",
        ),
        (
            "We decided to use PostgreSQL for the project Atlas because the client already runs it.",
            "We switched Atlas from PostgreSQL to MySQL.",
        ),
        ("The backups of Atlas go to Hetzner.", "We moved the Atlas backups from Hetzner to OVH."),
        ("Atlas läuft auf Postgres.", "Wir haben Atlas von Postgres auf MySQL umgestellt."),
        ("Atlas corre en Heroku.", "Migramos Atlas de Heroku a Fly."),
        ("Atlas tourne sur Heroku.", "On a basculé Atlas de Heroku vers Fly."),
    ],
)
def test_what_was_turned_into_something_else_is_replaced(older: str, newer: str) -> None:
    assert compare.compare(older, newer).kind == compare.SUPERSEDES


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Hermes runs on PostgreSQL.", "We switched Atlas from PostgreSQL to MySQL."),
        ("Atlas runs on MySQL.", "We switched Atlas from PostgreSQL to MySQL."),
        ("Atlas runs on PostgreSQL.", "Should we have Atlas switched from PostgreSQL to MySQL?"),
        ("Atlas runs on PostgreSQL.", "We almost switched Atlas from PostgreSQL to MySQL."),
        ("Atlas runs on PostgreSQL.", "We never moved Atlas from PostgreSQL to MySQL."),
        ("Ana lives in Hull.", "We moved the archive from Hull to Leeds."),
    ],
)
def test_a_plan_and_what_is_of_something_else_replace_nothing(older: str, newer: str) -> None:
    assert compare.compare(older, newer).kind != compare.SUPERSEDES
