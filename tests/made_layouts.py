"""The same scores in many layouts, below headings as people choose them: what a reader has to find is known, whatever it is given."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

IDS = (
    "id", "qid", "question_id", "item", "doc", "segment", "idx", "topic", "sample", "example", "key", "uid", "query_id", "task_id",
    "instance", "doc_id", "sent_id", "utt_id", "problem", "case",
)  # fmt: skip
SYSTEMS = (
    "system", "model", "method", "engine", "name", "team", "approach", "agent", "config", "variant", "tool", "group", "condition",
    "prompt", "setup", "llm", "retriever", "model_name", "strategy",
)  # fmt: skip
MEASURES = (
    "score", "accuracy", "bleu", "wer", "latency_ms", "rating", "value", "result", "correct", "em", "rouge-l", "reward", "loss",
    "perplexity", "hallucination_rate", "f1", "quality", "bertscore", "error", "judge_score", "points", "distance", "ter", "success",
)  # fmt: skip
LOWER = {"wer", "latency_ms", "loss", "perplexity", "hallucination_rate", "error", "distance", "ter"}
NAMES = (
    ("gpt-4", "llama-2", "mistral"), ("A", "B"), ("sys1", "sys2", "sys3", "sys4"), ("baseline", "ours"), ("base", "large"),
    ("bm25", "dpr", "colbert", "hybrid"), ("prompt_v1", "prompt_v2"), ("en_core_web_sm", "stanza"), ("alice", "bob", "carol"),
)  # fmt: skip
VALUES: Mapping[str, Callable[[Random], str]] = {
    "fraction": lambda draw: f"{draw.random():.4f}",
    "percent": lambda draw: f"{100 * draw.random():.2f}",
    "outcome": lambda draw: draw.choice("01"),
    "grade": lambda draw: draw.choice("12345"),
    "truth": lambda draw: draw.choice(("True", "False")),
    "large": lambda draw: f"{draw.uniform(50, 5000):.1f}",
}
ID: Sequence[Callable[[int], str]] = (
    str,
    lambda k: str(k + 1),
    "q{:03d}".format,
    "doc-{}.txt".format,
    "{:08x}a".format,
)
# What stands beside the scores, and says nothing about them, for a row of a question and a system.
BESIDE: Mapping[str, Callable[[int, int], str]] = {
    "weight": lambda k, i: f"{(k * 7 + i) % 10 / 10:.1f}",
    "length": lambda k, i: str(5 + k * 13 % 300),
    "timestamp": lambda k, i: str(1711496671 + 37 * k + i),
    "cost": lambda k, i: f"{(k * 7 + i * 3) % 90 / 10_000:.5f}",
    "difficulty": lambda k, i: ("easy", "hard", "medium")[k * 7 % 5 % 3],
    "category": lambda k, i: ("news", "talk", "web")[k * 5 % 7 % 3],
    "threshold": lambda k, i: "0.5",
    "confidence": lambda k, i: f"{(k * 37 + i * 11) % 97 / 97:.3f}",
    "seed": lambda k, i: "42",
    "n_tokens": lambda k, i: str(20 + (k * 31 + i * 17) % 211),
    "version": lambda k, i: "1.2",
    "notes": lambda k, i: ("", "ok", "check this again")[k % 3],
    "temperature": lambda k, i: "0.7",
}


@dataclass(frozen=True)
class Made:
    """Scores by system and question, and files that hold them; `shown` is what stands around the name of a system there."""

    layout: str
    scores: Mapping[str, Mapping[str, str]]
    headings: tuple[str, str, str]
    files: list[tuple[str, bytes]]
    shown: tuple[str, str] = ("", "")

    def numbers(self, name: str) -> list[float]:
        """The scores of a system, sorted: true and false are 1 and 0."""
        return sorted({"True": 1.0, "False": 0.0}.get(cell, -1.0) if cell[0] in "TF" else float(cell) for cell in self.scores[name].values())  # fmt: skip

    def called(self, name: str) -> str:
        """The name of a system without what stands around it in this layout."""
        return name.removeprefix(self.shown[0]).removesuffix(self.shown[1])

    def __str__(self) -> str:
        return f"{self.layout}, {' '.join(self.headings)}, {[*self.scores]}:\n{self.files[0][1].decode()[:300]}"


def made(layout: str, draw: Random) -> Made:
    """Scores in this layout, below headings that are drawn."""
    names, heads = draw.choice(NAMES), (draw.choice(IDS), draw.choice(SYSTEMS), draw.choice(MEASURES))
    beside = draw.choice((None, None, *BESIDE))
    value, number = VALUES[draw.choice([*VALUES])], draw.choice(ID)
    ids = [number(k) for k in range(draw.choice((12, 20, 30, 45)))]
    scores = {name: {one: value(draw) for one in ids} for name in names}
    item, system, measure = heads
    more = [beside] if beside else []

    def aside(k: int, i: int) -> list[str]:
        return [BESIDE[beside](k, i)] if beside else []

    each = [(one, name, scores[name][one], *aside(k, i)) for k, one in enumerate(ids) for i, name in enumerate(names)]
    wide = [(one, *(scores[name][one] for name in names), *aside(k, 0)) for k, one in enumerate(ids)]
    own = {name: [(one, scores[name][one], *aside(k, i)) for k, one in enumerate(ids)] for i, name in enumerate(names)}
    shuffled = draw.sample(each, len(each))
    across, around = [item, *names, *more], ("", "")
    in_rows, in_files = [*heads, *more], [item, measure, *more]
    if layout in ("wide", "tabs", "bars"):
        text = _lines([across, *wide], {"wide": ",", "tabs": "\t", "bars": " | "}[layout])
        files = [("scores.tsv" if layout == "tabs" else "scores.csv", text)]
        if layout == "bars":
            ruled = [f"| {line} |" for line in text.splitlines()]
            files = [
                ("scores.md", "\n".join(["# Scores", "", ruled[0], "|" + "---|" * len(across), *ruled[1:]]) + "\n")
            ]
    elif layout == "blanks":
        files = [("scores.txt", _lines([across[: 1 + len(names)], *(row[: 1 + len(names)] for row in wide)], "   "))]
    elif layout == "measure behind":
        heads_ = [item, *(f"{name}_{measure}" for name in names), *more]
        files, around = [("scores.csv", _lines([heads_, *wide], ","))], ("", f"_{measure}")
    elif layout == "turned":
        files = [("scores.csv", _lines([[system, *ids], *([name, *scores[name].values()] for name in names)], ","))]
    elif layout in ("rows", "shuffled", "semicolons"):
        mark = ";" if layout == "semicolons" else ","
        files = [("results.csv", _lines([in_rows, *(shuffled if layout == "shuffled" else each)], mark))]
    elif layout == "metric and value":
        body = [(one, name, measure, cell) for one, name, cell, *_ in each]
        files = [("results.csv", _lines([[item, system, "metric", "value"], *body], ","))]
    elif layout in ("records", "lines of records"):
        records = [dict(zip(in_rows, map(_json, row), strict=True)) for row in each]
        text = json.dumps(records, indent=1) if layout == "records" else "\n".join(map(json.dumps, records)) + "\n"
        files = [("results.json" if layout == "records" else "results.jsonl", text)]
    elif layout == "scores inside":
        inside = [{item: _json(one), "scores": {name: _json(scores[name][one]) for name in names}} for one in ids]
        files, around = [("results.json", json.dumps(inside))], ("scores.", "")
    elif layout == "by system":
        whole = {name: {one: _json(cell) for one, cell in own_.items()} for name, own_ in scores.items()}
        files = [("results.json", json.dumps(whole))]
    elif layout == "by question":
        files = [("results.json", json.dumps({one: {name: _json(scores[name][one]) for name in names} for one in ids}))]
    elif layout == "files":
        files = [(f"{name}.csv", _lines([in_files, *rows], ",")) for name, rows in own.items()]
    elif layout == "files without headings":
        files = [(f"{name}.csv", _lines([row[:2] for row in rows], ",")) for name, rows in own.items()]
    elif layout == "folders":
        lines = {
            name: [json.dumps(dict(zip(in_files, map(_json, row), strict=True))) for row in rows]
            for name, rows in own.items()
        }
        files = [(f"{name}/results.jsonl", "\n".join(rows) + "\n") for name, rows in lines.items()]
    else:
        assert layout == "logs"
        said = {name: [f"2024-03-01 10:{k // 60:02d}:{k % 60:02d} INFO example {one}: {measure} = {cell}" for k, (one, cell, *_) in enumerate(rows)] for name, rows in own.items()}  # fmt: skip
        files = [(f"{name}.log", "\n".join(rows) + "\n") for name, rows in said.items()]
    return Made(layout, scores, heads, [(name, text.encode()) for name, text in files], around)


LAYOUTS = (
    "wide", "tabs", "bars", "blanks", "measure behind", "turned", "rows", "shuffled", "semicolons", "metric and value", "records",
    "lines of records", "scores inside", "by system", "by question", "files", "files without headings", "folders", "logs",
)  # fmt: skip


def _lines(rows: Sequence[Sequence[str]], mark: str) -> str:
    return "".join(f"{mark.join(row)}\n" for row in rows)


def _json(cell: str) -> object:
    """The value of a cell in JSON: a number, true or false where it is one."""
    if cell in ("True", "False"):
        return cell == "True"
    try:
        return json.loads(cell)
    except ValueError:
        return cell
