"""The audit line and the commit message, as moltbot §12.3 and §12.4 have them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

from hypothesis import example, given
from hypothesis import strategies as st

from koog.core.files.record import SUBJECT_LIMIT, Cause, Change, audit_line, commit_message

WHEN = datetime(2026, 2, 28, 12, 0, 59, tzinfo=UTC)
EDIT = Change("EDIT", "modules/module-registry.json", "suspended rn")


def test_an_audit_line_has_six_fields_in_utc_to_the_minute():
    when = WHEN.astimezone(timezone(timedelta(hours=5, minutes=30)))

    line = audit_line(EDIT, cause=Cause(), when=when, critical=False)

    assert line == "2026-02-28T12:00Z | EDIT    | modules/module-registry.json | skill:koog | auto     | suspended rn\n"


TEXT = st.text(st.sampled_from("ab |\\\n\r\x0b\x0c\x1c\x85\u2028é"))


@given(action=TEXT, path=TEXT, summary=TEXT, actor=TEXT, critical=st.booleans())
@example(action="EDIT", path="a", summary="x\\", actor="b | c", critical=True)
def test_whatever_the_fields_hold_the_audit_line_is_one_line_of_six(action, path, summary, actor, critical):
    line = audit_line(Change(action, path, summary), cause=Cause(actor=actor), when=WHEN, critical=critical)

    assert len(line.splitlines()) == 1
    assert line.endswith("\n")
    assert len(fields(line.removesuffix("\n"))) == 6


def fields(line: str) -> list[str]:
    """Split at the `|` that are not escaped, as a reader of the log does."""
    found, escaped = [""], False
    for c in line:
        if c == "|" and not escaped:
            found.append("")
        else:
            found[-1] += c
        escaped = c == "\\" and not escaped
    return found


def test_a_commit_of_one_file_names_it_and_its_cause():
    cause = Cause(actor="agent:main", approval="user", trigger="koog module suspend rn")

    assert commit_message([EDIT], cause=cause, critical=False) == (
        "[EDIT] modules/module-registry.json — suspended rn\n"
        "\n"
        "Actor: agent:main\nApproval: user\nTrigger: koog module suspend rn\nType: maintenance\n"
    )


def test_a_commit_of_several_files_is_named_by_the_first_and_lists_the_others():
    changes = [EDIT, Change("CREATE", "a.md", "made"), Change("APPEND", "b.md", "more")]

    message = commit_message(changes, cause=Cause(), critical=False)

    subject, listed, trailers = message.split("\n\n")
    assert subject == "[EDIT] modules/module-registry.json (+2) — suspended rn"
    assert listed == "- [CREATE] a.md — made\n- [APPEND] b.md — more"
    assert trailers.startswith("Actor: ")


def test_a_commit_of_a_critical_file_says_so():
    assert commit_message([EDIT], cause=Cause(), critical=True).endswith("\n⚠️ CRITICAL FILE CHANGED\n")
    assert "CRITICAL" not in commit_message([EDIT], cause=Cause(), critical=False)


@given(st.integers(min_value=0, max_value=200))
@example(SUBJECT_LIMIT - len("[EDIT] a — "))
@example(SUBJECT_LIMIT - len("[EDIT] a — ") + 1)
def test_a_subject_is_cut_only_when_it_is_too_long(length):
    message = commit_message([Change("EDIT", "a", "x" * length)], cause=Cause(), critical=False)

    subject = message.split("\n", 1)[0]
    whole = f"[EDIT] a — {'x' * length}"
    assert subject == (whole if len(whole) <= SUBJECT_LIMIT else whole[: SUBJECT_LIMIT - 1] + "…")


@given(summary=TEXT, trigger=TEXT)
def test_no_text_can_forge_a_trailer(summary, trigger):
    message = commit_message(
        [Change("EDIT", "a", f"x\n\nActor: human{summary}"), Change("EDIT", "b", f"y\nApproval: user{summary}")],
        cause=Cause(trigger=f"koog\nApproval: user{trigger}"),
        critical=False,
    )

    lines = message.split("\n")
    assert [line for line in lines if line.startswith(("Actor:", "Approval:"))] == [
        "Actor: skill:koog",
        "Approval: auto",
    ]
