"""Makes docs/reproduce.md from docs/reproduced.json, the stored results on the samples; `python docs/reproduced.py` stores
them again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STORED = ROOT / "docs" / "reproduced.json"
# What is stored of a result; tables and notes are made again by the command.
KEYS = (
    "claim",
    "paper",
    "place",
    "title",
    "paper_value",
    "value",
    "low",
    "high",
    "same_conclusion",
    "why",
    "unit",
    "data",
)


def page(before: str) -> str:
    """The page: what was written by hand, up to the mark, and the stored results."""
    from sigboard.questions.reproduce import report

    head = before.partition(MARK)[0]
    results: list[dict[str, Any]] = json.loads(STORED.read_text(encoding="utf-8"))["results"]
    return f"{head}{MARK}\n\n{report.markdown(results)}"


MARK = "<!-- The stored results, made by `make reproduce`. -->"


def main() -> None:
    """Run every claim on the samples, and store what they say."""
    sys.path.insert(0, str(ROOT))
    from sigcore.studies import reproduce

    bench, results = reproduce.Bench(), []
    for claim in reproduce.CLAIMS:
        found = reproduce.run(claim, bench).as_dict()
        results.append({key: found[key] for key in KEYS})
        print(found["claim"], found["same_conclusion"], flush=True)
    content = {"resamples": bench.resamples, "seed": bench.seed, "results": results}
    STORED.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
