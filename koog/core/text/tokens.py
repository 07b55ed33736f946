"""How many tokens a text costs, without a tokenizer."""

from __future__ import annotations

QUARTERS = 4  # of a token: what an ASCII character costs is one of them, so that costs add up


def estimate(text: str) -> int:
    """Return about how many tokens a model will count, >= 0; tends to overestimate.

    Four ASCII characters make a token in English prose and fewer in code; outside
    ASCII a character is close to a token of its own. A budget must not be missed
    from below, so the estimate leans high.

    >>> estimate("four words of text"), estimate("日本語")
    (5, 3)
    """
    return -(-cost(text) // QUARTERS)


def cost(text: str) -> int:
    """Return what a text costs, in quarters of a token: of texts put together it is the sum.

    >>> cost("abcd"), cost("日本")
    (4, 8)
    """
    ascii_count = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return ascii_count + QUARTERS * (len(text) - ascii_count)
