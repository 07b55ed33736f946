"""Text → the token numbers of a Llama-2 vocabulary, as the `tokenizers` package gives them, without importing it.

    Subwords    the vocabulary, and what each word seen so far became

Byte pair encoding: a word starts as its characters, and the adjacent pair with the best rank is joined until none is
left. The vocabulary's file lists 61,249 ranked pairs; all of them follow from the numbers of the tokens they make, so
the pairs are not read (tests/search/test_subwords.py compares the two).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from heapq import heapify, heappop, heappush

SPACE = "▁"  # how the vocabulary spells a space
# Only a token of spaces alone holds a space after its first character, so that no pair joins over this cut.
PIECE = re.compile(f"{SPACE}*[^{SPACE}]+|{SPACE}+")
SPECIAL = re.compile("(<unk>|<s>|</s>)")  # tokens even in the midst of a text
BYTES_FROM, PAIRS_FROM = 3, 259  # numbers of the token of byte 0 and of the first token that a pair makes
SPACES_LAST = 1 << 20  # runs of spaces are joined after all else, whatever their number
UNKNOWN = 0
MOST_WORDS = 200_000  # remembered words; a hundred thousand passages of prose hold fewer

Pair = tuple[int, int, int, int, str, str]  # order, numbers of both, place of the left one, both


class Subwords:
    """One vocabulary: `find` returns a token's number, None for what is no token."""

    def __init__(self, find: Callable[[str], int | None], *, most_words: int = MOST_WORDS) -> None:
        self._find = find
        self._most_words = most_words
        self._words: dict[str, list[int]] = {}

    def numbers(self, text: str) -> list[int]:
        """Return the text's token numbers; [UNKNOWN] for an empty text."""
        found: list[int] = []
        for part in SPECIAL.split(text) if "<" in text else (text,):
            if part and SPECIAL.fullmatch(part):
                found.append(self._find(part) or UNKNOWN)
            elif part:
                for piece in PIECE.findall(f"{SPACE}{part}".replace(" ", SPACE)):
                    found += self._words.get(piece) or self._learn(piece)
        return found or [UNKNOWN]

    def _learn(self, piece: str) -> list[int]:
        if len(self._words) >= self._most_words:
            self._words.clear()
        # What is a token as a whole is joined to just that one: looked up at once.
        number = self._find(piece)
        numbers = self._joined(piece) if number is None or number < PAIRS_FROM else [number]
        self._words[piece] = numbers
        return numbers

    def _joined(self, piece: str) -> list[int]:
        """Return the numbers of a piece. The best pair is at the top of a heap: a line of base64 is one long piece."""
        tokens: list[str] = []
        numbers: list[int] = []
        for character in piece:
            self._start(character, tokens, numbers)
        after = list(range(1, len(tokens) + 1))  # the place of the next living token
        before = list(range(-1, len(tokens) - 1))
        heap = [pair for at in range(len(tokens) - 1) if (pair := self._pair(tokens, numbers, at, at + 1))]
        heapify(heap)
        while heap:
            *_, at, left, right = heappop(heap)
            then = after[at]
            if tokens[at] != left or then == len(tokens) or tokens[then] != right:
                continue  # one of the two has been joined to another since
            tokens[at], tokens[then] = left + right, ""
            numbers[at] = self._find(left + right) or UNKNOWN
            after[at] = after[then]
            if after[at] < len(tokens):
                before[after[at]] = at
                if pair := self._pair(tokens, numbers, at, after[at]):
                    heappush(heap, pair)
            if before[at] >= 0 and (pair := self._pair(tokens, numbers, before[at], at)):
                heappush(heap, pair)
        return [number for token, number in zip(tokens, numbers, strict=True) if token]

    def _start(self, character: str, tokens: list[str], numbers: list[int]) -> None:
        """Add a character: its token, or one for each of its bytes."""
        number = self._find(character)
        if number is not None:
            tokens.append(character)
            numbers.append(number)
            return
        for byte in character.encode("utf-8", "replace"):
            tokens.append(f"<0x{byte:02X}>")
            numbers.append(BYTES_FROM + byte)

    def _pair(self, tokens: list[str], numbers: list[int], at: int, then: int) -> Pair | None:
        """Return what decides when two tokens are joined, least first; None when they make no token."""
        joined = tokens[at] + tokens[then]
        number = self._find(joined)
        if number is None or number < PAIRS_FROM:
            return None
        order = number if joined.strip(SPACE) else number + SPACES_LAST
        return order, numbers[at], numbers[then], at, tokens[at], tokens[then]
