"""Hints that fit the platform."""

from __future__ import annotations

import re

import pytest

from koog.core import machine

LINUX_ALONE = r"\b(apt|apt-get|systemctl|systemd|journalctl|timedatectl|inotify|crontab|fuser)\b"
MAC_ALONE = r"\b(launchctl|launchd|brew|xcode-select|sntp)\b"


@pytest.mark.parametrize("name", machine.HINTS)
def test_no_hint_names_the_other_platforms_programs(name):
    assert not re.search(LINUX_ALONE, machine.hint(name, "x", platform="darwin"))
    assert not re.search(MAC_ALONE, machine.hint(name, "x", platform="linux"))
