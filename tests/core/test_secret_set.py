"""The seeded set of secrets and ordinary lines through core/untrusted.clean.  [design.md §4]

Goal: 90% found, no ordinary line changed. `python -m bench.redaction` gives the figures per kind.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from koog.core.text.untrusted import clean
from tests.fakes import secret_lines, secret_set

GOAL = 0.9
LONG = "a1B2c3D4e5" * 4  # an AWS secret key's length and letters


@pytest.mark.parametrize("group", ["a", "b"])
def test_nine_of_ten_secrets_are_gone(group):
    planted = secret_set.secrets(group)

    left = [(p.kind, p.text) for p in planted if p.left_in(clean(p.text))]

    assert len(planted) == 120
    assert len(left) <= (1 - GOAL) * len(planted), left


@pytest.mark.parametrize("group", ["a", "b"])
def test_every_kind_is_found(group):
    planted = secret_set.secrets(group)

    found = {p.kind for p in planted if not p.left_in(clean(p.text))}

    assert len({p.kind for p in planted}) >= 25
    assert found == {p.kind for p in planted}


@pytest.mark.parametrize("group", ["a", "b"])
def test_no_ordinary_line_is_changed(group):
    lines = secret_set.ordinary(group)

    assert len(lines) == 200
    assert [line for line in lines if clean(line) != line] == []


def test_the_judge_sees_a_secret_that_was_left_and_a_piece_of_one():
    planted = secret_set.secrets("a")

    assert all(p.left_in(p.text) for p in planted)
    assert all(p.left_in(p.text.replace(p.secret, p.secret[-8:])) for p in planted if len(p.secret) < 60)
    assert not any(p.left_in("[redacted:secret]") for p in planted)


@pytest.mark.parametrize("module", [secret_lines, secret_set])
def test_no_secret_shape_stands_in_the_files_that_make_them(module):
    text = Path(module.__file__).read_text("utf-8")

    written = [line for line in text.splitlines() if "‹" not in line and "(" not in line and clean(line) != line]

    assert written == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            f"aws configure set aws_secret_access_key {LONG}",
            "aws configure set aws_secret_access_key [redacted:secret]",
        ),
        (f"deployctl --token {LONG} -v", "deployctl --token [redacted:secret] -v"),
        (f"ENV APP_TOKEN {LONG * 30}", "ENV APP_TOKEN [redacted:secret]"),
        (f"AWS secret key: /{LONG[1:]}", "AWS secret key: [redacted:secret]"),
        (f"SharedAccessKey=/{LONG}ab=", "SharedAccessKey=[redacted:secret]"),
        ("?password=Granit42696" + ".wiN&ssl=true", "?password=[redacted:password]&ssl=true"),
        ("password=%BQ" + "VVT.9Y*0;", "password=[redacted:password];"),
        ("Passwort: amsel-" + "granit-4357", "Passwort: [redacted:password]"),
        ("mot de passe : jasmin-" + "4357", "mot de passe : [redacted:password]"),
        ("export SMTP_PASS='jasmin-" + "4357'", "export SMTP_PASS='[redacted:password]'"),
        ("Authorization: Basic " + "bmVidWxhOkJpcmtlSmFzbWlu", "Authorization: Basic [redacted:authorization]"),
        (f"glpat-{LONG[:27]}.01." + "0123abcde!", "[redacted:gitlab]!"),
    ],
)
def test_a_shape_that_the_held_out_phrases_taught(line, expected):
    assert clean(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "OPENAI_API_KEY=sk-...",
        "GITHUB_TOKEN=ghp_" + "x" * 36,
        "HF_TOKEN=hf_your_token_here",
        "password: %s, token: %(token)s, SECRET_KEY=%SECRET_KEY%",
        '"nextPageToken": "CAUQAA"',
        "first_pass=enabled",
        "deployctl --token $TOKEN --api-key /run/secrets/key2 --auth-token <TOKEN2>",
        "expires_in auth_token 36000000",
        "session_token settings.v2_token",
    ],
)
def test_a_gap_to_fill_in_stays(line):
    assert clean(line) == line


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a <private>b</private> c", "a  c"),
        ("a <private>b <private>c</private> d</private> e", "a  e"),
        ("a <private>b\nc", "a \n"),
        ("a <PRIVATE>b</Private> c", "a  c"),
        ('a <private reason="health" level=3>b</private> c', "a  c"),
        ("a < private >b</ private > c", "a  c"),
        ("a <private>b\n\nc</private>\nd", "a \n\n\nd"),
        ("a <private\nreason='x'>b</private> c", "a \n c"),
        ("```\n<private>\nb\n</private>\n```\nc", "```\n\n\n\n```\nc"),
        ("~~~\n<private>\nb\n~~~\nc", "~~~\n\n\n\n"),
        ("`<private>b</private>` c", "`` c"),
        ("a <private/>b", "a "),
        ("a <privateer>b</privateer> <private-key>c", "a <privateer>b</privateer> <private-key>c"),
        ("a </private> b", "a  b"),
        ("a <pri<private>x</private>vate>b c", "a "),
    ],
)
def test_a_private_block_is_gone_and_its_line_breaks_stay(text, expected):
    assert clean(text) == expected
