"""Files laid out as programs write them: what each is detected as, and that no other field becomes a system.

The layouts follow the documentation of the programs; logs that programs wrote themselves are in tests/golden/data/programs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from sigboard import terminal
from sigcore.readers import read
from tests.unit.sigcore.readers.test_programs import CASES as KNOWN
from tests.unit.sigcore.readers.test_programs import mateo

N = 24
Streams = set[tuple[str, str, str]]  # (role, name, measure)
Case = tuple[Mapping[str, str | bytes], set[str], Streams]  # files, readers, streams


def column(seed: int, scale: float = 100.0) -> list[str]:
    return [f"{(seed * 37 + 17 * k * k) % 97 / scale:.3f}" for k in range(N)]


def lines(rows: list[str]) -> str:
    return "\n".join(rows) + "\n"


def records(rows: list[dict[str, object]]) -> str:
    return lines([json.dumps(row) for row in rows])


def text(name: str) -> list[str]:
    return [f"{name} sails past buoy {k} at {k * 7 % 13} knots" for k in range(N)]


def scored(names: str, measure: str = "") -> Streams:
    return {("system", name, measure) for name in names}


def judged(first: str, second: str, winner: str, values: tuple[str, ...]) -> str:
    rows = [f"{k},{'AB'[k % 2]},{'BC'[k % 2]},{values[k % len(values)]}" for k in range(N)]
    return lines([f"question_id,{first},{second},{winner}", *rows])


F1 = [(0.9 + k / 1000, 0.8 + k / 900) for k in range(N)]
BERT = lines([f"{p:.6f}\t{r:.6f}\t{2 * p * r / (p + r):.6f}" for p, r in F1])
PAIR = [
    {"question_id": k, "model_1": "A", "model_2": "B", "g1_winner": ("model_1", "tie", "error")[k % 3],
     "g2_winner": ("model_1", "model_2", "tie")[k % 3], "judge": ["gpt-4", "pair-v2"], "turn": 1} for k in range(N)
]  # fmt: skip
# each file repeats the sources and the references, which get a number; equal ones are used once
TEXTS = {
    (role, f"{name}{again}", "") for role, name in (("source", "src"), ("reference", "ref")) for again in ("", " (2)")
}
CASES: dict[str, Case] = {
    "plain text": ({"ref.txt": lines(text("r")), "A.txt": lines(text("a"))}, {"plain"}, {("reference", "ref", ""), ("system", "A", "")}),
    "one score per line": ({f"{s}.comet": lines(column(ord(s))) for s in "AB"}, {"plain"}, scored("AB", "comet")),
    "scores, long": ({"s.csv": lines(["system,id,COMET", *(f"{s},{k},{v}" for s in "AB" for k, v in enumerate(column(ord(s))))])}, {"csv"}, scored("AB", "COMET")),
    "scores, wide": ({"comet.tsv": lines(["segment\tA\tB", *(f"{k}\t{a}\t{b}" for k, (a, b) in enumerate(zip(column(1), column(2), strict=True)))])}, {"tsv"}, scored("AB", "comet")),
    "COMET table per system": ({f"{s}.csv": lines(["src,mt,ref,COMET", *(f"s {k},{s} {k},r {k},{v}" for k, v in enumerate(column(ord(s))))]) for s in "AB"}, {"csv"},
                               {*TEXTS, *scored("AB"), *scored("AB", "COMET")}),
    "comet-score": ({"out.txt": lines([f"{s}.en\tSegment {k}\tscore: {v}" for s in "AB" for k, v in enumerate(column(ord(s)))])}, {"comet_score"}, scored("AB", "COMET")),
    "bert-score -s": ({f"{s}.bertscore": f"roberta-large_L17_no-idf_version=0.3.12 P: 0.9 R: 0.8 F1: 0.85\n{BERT}" for s in "AB"}, {"bertscore"},
                      {("system", s, f"BERTScore {m}") for s in "AB" for m in ("P", "R", "F1")}),
    "bert-score -s without its first line": ({"A.tsv": BERT}, {"bertscore"}, {("system", "A", f"BERTScore {m}") for m in ("P", "R", "F1")}),
    "sacrebleu -sl": ({"A.txt": lines([f"TER|nrefs:1|case:lc|version:2.6.0 = {v}" for v in column(3)])}, {"sacrebleu_lines"}, scored("A", "TER")),
    "METEOR 1.5": ({"A.meteor": lines(["Meteor version: 1.5", "", *(f"Segment {k + 1} score:\t{v}" for k, v in enumerate(column(3))), "", "Final score:            0.5"])}, {"plain"}, scored("A", "meteor")),
    "mt-metrics-eval": ({"COMET-refA.seg.score": lines([f"{s}\t{v}" for s in "AB" for v in column(ord(s))])}, {"seg_scores"}, scored("AB", "COMET-refA")),
    "WMT submissions": ({"m.seg.score": lines([f"COMET\tcs-en\twmt22\tnews\td\trefA\t{s}\t{k + 1}\t{v}" for s in "AB" for k, v in enumerate(column(ord(s)))])}, {"wmt_metrics"}, scored("AB", "COMET")),
    "MATEO": ({"sentences.csv": mateo("").decode()}, {"csv"}, {("source", "src", ""), ("reference", "ref", ""), *scored("AB"), *scored("AB", "bleu"), *scored("AB", "comet")}),
    "Kaldi": ({f"{s}/text": lines([f"u{k} {line}" for k, line in enumerate(text(s))]) for s in ("ref", "A")}, {"utterances"}, {("reference", "ref", ""), ("system", "A", "")}),
    "sclite": ({"A.trn": lines([f"{line} (u{k})" for k, line in enumerate(text("a"))])}, {"utterances"}, scored("A")),
    "NeMo": ({"A.json": records([{"audio_filepath": f"{k}.wav", "text": f"r {k}", "pred_text": f"a {k}"} for k in range(N)])}, {"jsonl"}, {("reference", "reference", ""), ("system", "A", "")}),
    "SQuAD predictions": ({"A.json": json.dumps({f"q{k}": f"a {k}" for k in range(N)})}, {"jsonl"}, scored("A")),
    "Moses": ({"A.nbest": lines([f"{k} ||| a {k} ||| f= 1 ||| -1" for k in range(N)])}, {"nbest"}, scored("A")),
    "a list of numbers": ({"A.json": json.dumps([float(v) for v in column(5)])}, {"jsonl"}, scored("A")),
    "MT-bench, pairs": ({"gpt-4_pair.jsonl": records(PAIR)}, {"jsonl"}, {("pairwise", "A B", "16")}),
    "Chatbot Arena": ({"arena.csv": judged("model_a", "model_b", "winner", ("model_a", "model_b", "tie", "tie (bothbad)"))}, {"csv"}, {("pairwise", "A B C", "24")}),
    "pairs by name": ({"p.csv": judged("system_1", "system_2", "preferred", ("B", "tie"))}, {"csv"}, {("pairwise", "A B C", "24")}),
    "Kaggle LMSYS": ({"l.csv": lines(["id,model_a,model_b,winner_model_a,winner_model_b,winner_tie", *(f"{k},A,B,{int(k % 3 == 0)},{int(k % 3 == 1)},{int(k % 3 == 2)}" for k in range(N))])}, {"csv"},
                     {("pairwise", "A B", "24")}),
    "HumanEval, all models in one": ({"all.csv": lines(["task_id,model,passed", *(f"T/{k},{s},{(k + ord(s)) % 3 == 0}" for s in "AB" for k in range(N))])}, {"csv"}, scored("AB", "passed")),
    "lm-eval, results": ({"results_2026.json": json.dumps({"results": {"t": {"acc,none": 0.5}}, "configs": {}, "versions": {}})}, {"harness_summary"}, set()),
    "HELM, settings": ({"run_spec.json": json.dumps({"name": "x", "scenario_spec": {}, "adapter_spec": {}})}, {"harness_summary"}, set()),
    "HELM, statistics": ({"stats.json": json.dumps([{"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": 1, "mean": 1}])}, {"harness_summary"}, set()),
    "ratings": ({"human.csv": lines(["judge,system,segment,score", *(f"{j},{s},{k},{v}" for j in "xy" for s in "AB" for k, v in enumerate(column(ord(s), 1)))])}, {"ratings"}, {("ratings", "human", "")}),
}  # fmt: skip
REFUSED: dict[str, tuple[str, str, str]] = {
    "0 and 1 of a pair": ("p.csv", judged("model_a", "model_b", "label", ("0", "1")), "which of two systems is better"),
    "names or places": ("p.csv", lines(["model_a,model_b,winner", *(f"{'BA'[k % 2]},{'AB'[k % 2]},A" for k in range(N))]), "may hold the name"),
    "no judgment at all": ("p.csv", judged("model_a", "model_b", "winner", ("error",)), "No row has a winner"),
    "results of whole systems": ("r.json", json.dumps({"A": 0.5, "B": 0.6, "model": "x"}), ""),
    "a log without known scores": ("l.jsonl", records([{"doc_id": k, "doc": {"q": "x"}, "target": "y", "metrics": ["odd"], "odd": "x"} for k in range(N)]), "--columns"),
    "columns in different ranges": ("t.csv", lines(["id,A,latency", *(f"{k},{v},{1000 + 7 * k}" for k, v in enumerate(column(1)))]), ""),
    "a constant column": ("t.csv", lines(["id,A,version", *(f"{k},{v},2" for k, v in enumerate(column(1)))]), ""),
}  # fmt: skip


def streams(files: Mapping[str, str | bytes]) -> tuple[set[str], Streams]:
    """The readers of the files, and everything that they gave but what is set aside."""
    intake = read([(file, data if isinstance(data, bytes) else data.encode()) for file, data in files.items()])
    assert intake.problems == (), intake.problems
    found = {(item.role, item.name, item.measure) for item in intake.items if item.role not in ("ignored", "documents")}
    found |= {("pairwise", " ".join(part.systems), str(part.n)) for part in intake.preferences}
    found |= {("ratings", part.name, "") for part in intake.judgments}
    return {one.reader for one in intake.detected}, found


@pytest.mark.parametrize("name", CASES)
def test_a_file_is_what_its_program_wrote(name: str) -> None:
    """The reader, the systems and the measures are right, and nothing else is a system."""
    files, readers, expected = CASES[name]
    assert streams(files) == (readers, expected)


@pytest.mark.parametrize("name", REFUSED)
def test_what_makes_no_sense_is_refused(name: str) -> None:
    """The message says what was understood; no stream of the file is a system."""
    file, content, words = REFUSED[name]
    intake = read([(file, content.encode())])
    assert [item for item in intake.items if item.role == "system"] == []
    assert intake.problems
    assert words in str(intake.problems[0])


def test_forty_files_of_twenty_programs() -> None:
    """So many are tried here, with those of the presets."""
    files = sum(len(files) for files, _, _ in CASES.values()) + sum(len(files) for files, _ in KNOWN.values())
    assert len(CASES) + len(KNOWN) >= 35
    assert files + len(REFUSED) >= 40


@pytest.mark.parametrize("name", CASES)
def test_the_terminal_says_what_it_is(name: str, tmp_path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    """`sigboard data` prints the detected format of every file, with exit code 0."""
    files, readers, _ = CASES[name]
    for file, data in files.items():
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    assert terminal.main(["data", str(tmp_path), "--json", "-"]) == 0
    detected = json.loads(capsys.readouterr().out)["detected"]
    assert {one["format"] for one in detected} == readers
    assert all(one["why"] for one in detected)
