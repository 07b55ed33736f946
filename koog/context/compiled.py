"""One compiled context, for the reply and for who else wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from koog.context.contents import Contents
from koog.context.slots import Subscribed
from koog.core.named import NamedTuple

if TYPE_CHECKING:
    from koog.topics.watchers import Checked


class Compiled(NamedTuple):
    """A context and how it came about."""

    text: str
    contents: Contents
    checked: Checked | None
    subscriptions: dict[str, list[Subscribed]]
    stale: bool
