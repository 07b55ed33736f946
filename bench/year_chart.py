"""The plot of `bench/year.py` as an SVG text: what stands in the playbook over a year, and what a tick costs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

LEFT, RIGHT, WIDTH = 56, 176, 900
TOP, TALL, GAP, LOW = 30, 250, 56, 150
SHADES = {"good": "#e3f1e3", "bad": "#f8dfdc", "middle": "#f4f1e2", "quiet": "#eeeeee", "away": "#dfe6ef"}


class Line(NamedTuple):
    """One curve: (day, value) points on an axis that ends at `most`."""

    label: str
    points: Sequence[tuple[int, float]]
    most: float
    colour: str
    dashed: bool = False


def chart(seasons: Sequence[str], upper: Sequence[Line], lower: Sequence[Line]) -> str:
    """Return the SVG: two panels over one axis of days, the seasons shaded."""
    days = len(seasons)
    bottom = TOP + TALL + GAP + LOW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 34}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{bottom + 34}" fill="white"/>',
    ]
    for top, tall in ((TOP, TALL), (TOP + TALL + GAP, LOW)):
        parts += [_shade(name, first, last, days, top, tall) for name, first, last in _runs(seasons)]
    parts += [_text(x(first, days) + 3, TOP - 6, name) for name, first, last in _runs(seasons) if last - first > 14]
    parts += _panel(upper, days, TOP, TALL) + _panel(lower, days, TOP + TALL + GAP, LOW)
    parts += [_text(x(day, days) - 4, bottom + 16, str(day)) for day in range(0, days, 30)]
    parts += [_text(LEFT, bottom + 30, "day of the year"), "</svg>"]
    return "\n".join(parts) + "\n"


def x(day: float, days: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * day / max(1, days - 1), 1)


def _runs(seasons: Sequence[str]) -> list[tuple[str, int, int]]:
    """Return (name, first day, day after the last) of each season."""
    starts = [n for n, name in enumerate(seasons) if n == 0 or seasons[n - 1] != name]
    return [(seasons[a], a, b) for a, b in zip(starts, [*starts[1:], len(seasons)], strict=True)]


def _shade(name: str, first: int, last: int, days: int, top: int, tall: int) -> str:
    left, right = x(first, days), x(min(last, days - 1), days)
    return f'<rect x="{left}" y="{top}" width="{right - left:.1f}" height="{tall}" fill="{SHADES[name]}"/>'


def _panel(lines: Sequence[Line], days: int, top: int, tall: int) -> list[str]:
    """Return the curves of a panel, its left axis (of the first line) and the names at the right."""
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1.0):
        y = top + tall * (1 - share)
        parts.append(f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#bbb" stroke-width="0.5"/>')
        parts.append(_text(LEFT - 34, y + 4, f"{lines[0].most * share:g}"))
    for n, line in enumerate(lines):
        path = " ".join(
            f"{x(day, days)},{round(top + tall * (1 - value / line.most), 1)}" for day, value in line.points
        )
        dash = ' stroke-dasharray="5 4"' if line.dashed else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{line.colour}" stroke-width="2"{dash}/>')
        y = top + 14 + 18 * n
        left = WIDTH - RIGHT + 10
        parts.append(f'<path d="M{left} {y - 4}h18" stroke="{line.colour}" stroke-width="2"{dash}/>')
        parts.append(_text(left + 23, y, line.label))
    return parts


def _text(left: float, y: float, words: str) -> str:
    return f'<text x="{left}" y="{y}" fill="#333">{escape(words)}</text>'
