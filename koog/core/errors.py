"""Every way a koog command can fail on purpose.

    KoogError             1  raised as itself only for a bug
    ├── UsageError        2  the call was wrong: fix the arguments
    ├── ConfigError       3  koog-config.json, the key or the environment
    ├── NotFound          4  a named module, memory or file does not exist
    ├── Refused           5  understood, but a rule forbids it now
    ├── LLMUnavailable    6  no answer from the model: retry later
    ├── LLMUnusable       7  an answer, but not one that fits
    ├── WorkspaceError    8  the disk or git would not do it
    ├── Busy              9  another koog holds the write lock: retry
    └── Interrupted     130  ^C

A class exists because a caller would act differently on it, not because a
cause differs. tests/test_contract.py keeps this tree, the classes and the
table in README.md in step.
"""

from __future__ import annotations


class KoogError(Exception):
    """A failure that becomes the one line: a code, a message, a way on."""

    code = "bug"
    exit_code = 1
    retryable = False

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(KoogError):
    code, exit_code = "usage", 2


class ConfigError(KoogError):
    code, exit_code = "config", 3


class NotFound(KoogError):
    code, exit_code = "not_found", 4


class Refused(KoogError):
    code, exit_code = "refused", 5


class LLMUnavailable(KoogError):
    code, exit_code, retryable = "llm_unavailable", 6, True


class LLMUnusable(KoogError):
    code, exit_code, retryable = "llm_unusable", 7, True


class WorkspaceError(KoogError):
    code, exit_code = "workspace", 8


class Busy(KoogError):
    code, exit_code, retryable = "busy", 9, True


class Interrupted(KoogError):
    code, exit_code = "interrupted", 130
