"""One embedding call to an OpenAI-compatible endpoint: budget, key, tries, ledger, a checked answer.  [design §4, §7]

embed       texts → one vector each
vectors     the answer's JSON object → the vectors, or what is wrong with them; pure
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from koog.core.errors import ConfigError, KoogError, LLMUnusable
from koog.core.model import client as llm
from koog.core.model import usage
from koog.core.model import wire as llm_wire
from koog.core.model.answer import Failed, count, money
from koog.core.model.engine import check_budget, key_for
from koog.core.text.tokens import estimate
from koog.core.text.untrusted import clean

if TYPE_CHECKING:
    from koog.core.model.asking import Asking

TEXT_CHARS = 6000  # of one text: models take some 8,000 tokens, and refuse what is longer
MOST_NUMBERS = 8192  # of one vector: sqlite-vec stores no longer one
NOTHING = "."  # endpoints refuse an empty text


def embed(asking: Asking, texts: Sequence[str], *, timeout_s: float) -> list[list[float]]:
    """Return one vector for each text, in order, all of the same length; one request.

    What leaves the machine has no private block and no secret in it.

    timeout_s   bounds the call with all its tries

    Raises ConfigError, Refused (budget), LLMUnavailable, LLMUnusable.
    """
    provider = asking.settings.get("provider")
    model = provider["embeddingModel"]
    if not model:
        raise ConfigError("no embedding model", hint="set provider.embeddingModel, or search.embedding to auto")
    sent = [clean(text)[:TEXT_CHARS].strip() or NOTHING for text in texts]
    tokens = sum(map(estimate, sent))
    check_budget(asking, tokens)
    call = _call(asking, timeout_s)
    payload = {"model": model, "input": sent, "encoding_format": "float"}
    entry: dict[str, Any] = {"command": asking.command, "task": "embedding", "ok": False, "code": None}
    started = time.monotonic()
    try:
        data = _asked(call, payload)
        entry |= _cost(data, model=model, estimated=tokens)
        found = vectors(data, asked=len(sent))
        entry["ok"] = True
        return found
    except KoogError as e:
        entry["code"] = e.code
        raise
    finally:
        entry |= {"ms": round((time.monotonic() - started) * 1000), "attempts": call.attempts}
        usage.record(asking.workspace, when=asking.now, entry=entry)


def _call(asking: Asking, timeout_s: float) -> llm.Call:
    provider = asking.settings.get("provider")
    own = provider["embeddingBaseUrl"]
    setting = "provider.embeddingBaseUrl" if own else "provider.baseUrl"
    key = key_for(asking, hint="set it, or search.embedding to auto")
    left_s = asking.left_s()
    total_s = timeout_s if left_s is None else min(timeout_s, left_s)
    base_url = own or provider["baseUrl"]
    return llm.Call(
        endpoint=llm.Endpoint(base_url, key),
        url=llm_wire.target(base_url, "/embeddings", setting=setting),
        total_s=total_s,
        ends=time.monotonic() + total_s,
    )


def _asked(call: llm.Call, payload: dict[str, Any]) -> dict[str, Any]:
    try:
        data, _ = call.ask(payload, formats=[("none", {})])
    except Failed as failed:
        raise failed.error from None
    return data


def _cost(data: dict[str, Any], *, model: str, estimated: int) -> dict[str, Any]:
    """Return a call's figures for the ledger; estimated ones where the endpoint gave none: the budget counts them."""
    said = data.get("usage")
    counts = said if isinstance(said, dict) else {}
    tokens = count(counts.get("prompt_tokens"))
    figures: dict[str, Any] = {"model": model, "promptTokens": tokens, "completionTokens": 0}
    if tokens is None:
        figures |= {"promptTokens": estimated, "estimated": True}
    return figures | {"costUsd": money(counts.get("cost"))}


def vectors(data: dict[str, Any], *, asked: int) -> list[list[float]]:
    """Return the vectors of an answer by their `index`. Raises LLMUnusable where they are not what was asked for.

    >>> vectors({"data": [{"index": 1, "embedding": [0, 1]}, {"index": 0, "embedding": [1, 0]}]}, asked=2)
    [[1.0, 0.0], [0.0, 1.0]]
    """
    rows = data.get("data")
    if not isinstance(rows, list) or len(rows) != asked:
        many = len(rows) if isinstance(rows, list) else "no"
        raise LLMUnusable(f"{asked} texts were sent and {many} vectors came back")
    found: dict[int, list[float]] = {}
    for place, row in enumerate(rows):
        item = row if isinstance(row, dict) else {}
        index = item.get("index", place)
        found[index if isinstance(index, int) else -1] = _vector(item.get("embedding"))
    if set(found) != set(range(asked)):
        raise LLMUnusable("the vectors that came back are not numbered as the texts that were sent")
    if len({len(vector) for vector in found.values()}) != 1:
        raise LLMUnusable("the vectors that came back are not of one length")
    return [found[place] for place in range(asked)]


def _vector(value: object) -> list[float]:
    if not isinstance(value, list) or not value:
        raise LLMUnusable(
            "an embedding is not a list of numbers", hint="is provider.embeddingModel one for embeddings?"
        )
    if len(value) > MOST_NUMBERS:
        raise LLMUnusable(f"an embedding has {len(value)} numbers, more than the {MOST_NUMBERS} that can be stored")
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in value):
        raise LLMUnusable("an embedding holds something that is not a number")
    try:
        numbers = [float(number) for number in value]
    except OverflowError:
        numbers = [math.inf]
    if not all(map(math.isfinite, numbers)):
        raise LLMUnusable("an embedding holds a number that is not finite")
    return numbers
