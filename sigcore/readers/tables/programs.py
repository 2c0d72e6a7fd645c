"""The programs whose files are known: how each is recognised, what names its segments, which field is the score.

One row per program. `sigcore.readers.tables.read` reads a table as its row says; docs/formats.md shows the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from sigcore.readers.tables.said import Declared


@dataclass(frozen=True)
class Program:
    """One layout. Headings may contain `*`; nested names are joined by dots.

    A table is of the program if it has all headings in `needs`. `segment`, `system` and `scores` are the headings of its
    columns; the measure is the heading, or what `*` stands for in it. `header` is the name of the system beside the
    records, `task` that of the test set, `once` a heading with the system in one record only, `path` a pattern of file names with the groups system
    and testset. `listed` is the heading of a column with the names of the scores. `split` is a heading whose values are
    separate measures, `document` one that groups segments, `only` a heading and the value of the rows that are used.
    `marks` are cells and the numbers they mean; `lower` the measures of which lower is better; `texts` are
    headings and the names they get (words of the vocabulary, or a measure): then the table is read as if it had them,
    without the columns that are not in the vocabulary. `repeats` says that a segment may have several
    rows: samples. `files` and `gives` are shown in the docs.
    """

    name: str
    needs: tuple[str, ...]
    files: str
    gives: str
    segment: tuple[str, ...] = ()
    system: str = ""
    scores: tuple[str, ...] = ()
    header: str = ""
    task: str = ""
    once: str = ""
    path: str = ""
    listed: str = ""
    split: str = ""
    document: str = ""
    only: tuple[str, str] | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    better: Declared = "higher"
    lower: tuple[str, ...] = ()
    measure: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    repeats: bool = False


RAGAS_SCORES = (
    "faithfulness", "answer_relevanc*", "response_relevancy", "context_precision", "context_recall", "context_relevanc*",
    "context_entity_recall", "answer_correctness", "answer_similarity", "semantic_similarity", "factual_correctness*",
    "llm_context_precision*", "non_llm_context_precision*", "nv_*", "noise_sensitivity*", "aspect_critic*",
)  # fmt: skip
HELM_SCORES = (
    "exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match", "f1_score", "rouge_?", "bleu_?",
    "*_exact_match", "math_equiv*", "classification_*", "chain_of_thought_correctness", "ndcg_cut_*", "rr_cut_*",
)  # fmt: skip
PROGRAMS = (
    Program(
        "lm-evaluation-harness (samples)",
        needs=("doc_id", "doc.*", "target*"),
        files="`samples_TASK_DATE.jsonl` of each model, in its folder (from `--log_samples`)",
        gives="one test set per task, one measure per metric and filter; the folder is the system",
        segment=("doc_id",),
        scores=("acc", "acc_norm", "acc_mutual_info", "exact_match", "em", "f1", "mc1", "mc2", "pass@*", "rouge*", "bleu"),
        listed="metrics*",
        split="filter",
        path=r"(?:^|/)(?:(?P<system>[^/]+)/)?samples_(?P<testset>.+?)_\d{4}-\d\d-\d\dT[^/]*$",
        lower=("word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score", "ter", "*wer", "*cer"),
    ),
    Program(
        "HELM (per_instance_stats.json)",
        needs=("instance_id", "train_trial_index", "stats.*"),
        files="`per_instance_stats.json` of each run, in its folder",
        gives="one measure per metric of correctness; the model in the name of the folder is the system",
        segment=("instance_id", "train_trial_index"),
        scores=tuple(f"stats.{name}" for name in HELM_SCORES),
        only=("perturbation.name", ""),
        document="instance_id",
        path=r"(?:^|/)(?P<testset>[^/]*?),?\bmodel=(?P<system>[^,/]+)[^/]*/[^/]*$",
    ),
    Program(
        "Inspect (log)",
        needs=("id", "epoch", "scores.*.value*"),
        files="logs of each model (`.eval`, or `.json`)",
        gives="one test set per task, one measure per scorer (C = 1, P = 0.5, I and N = 0); question = document, epochs inside it",
        segment=("id", "epoch"),
        document="id",
        scores=("scores.*.value", "scores.*.value.*"),
        header="eval.model",
        task="eval.task",
        marks={"C": "1", "I": "0", "P": "0.5", "N": "0"},
    ),
    Program(
        "OpenAI evals",
        needs=("run_id", "sample_id", "type", "data.correct"),
        files="the log of each run (`.jsonl`)",
        gives="accuracy from the events of type match",
        segment=("sample_id",),
        scores=("data.correct",),
        once="spec.completion_fns*",
        only=("type", "match"),
        measure="accuracy",
    ),
    Program(
        "EvalPlus (eval_results.json)",
        needs=("task_id", "base_status", "plus_status"),
        files="`*_eval_results.json` of each model",
        gives="pass (1) and fail (0) of each problem, with the base tests and with all; samples of a problem are a document",
        segment=("task_id",),
        scores=("base_status", "plus_status"),
        repeats=True,
    ),
    Program(
        "HumanEval (results)",
        needs=("task_id", "passed"),
        files="`samples.jsonl_results.jsonl` of each model",
        gives="pass (0 or 1) of each problem; several samples of a problem are one document",
        segment=("task_id",),
        scores=("passed",),
        repeats=True,
    ),
    Program(
        "MT-bench (judgments of single answers)",
        needs=("question_id", "model", "judge*", "score", "turn"),
        files="`model_judgment/*_single.jsonl`",
        gives="the judge's score of each question and turn, for all models; question = document",
        segment=("question_id", "turn"),
        document="question_id",
        system="model",
        scores=("score",),
        marks={"-1": ""},
    ),
    Program(
        "AlpacaEval (annotations)",
        needs=("instruction", "generator_1", "generator_2", "preference"),
        files="`annotations.json` of each model",
        gives="the preference for the model over the baseline, from 1 to 2, for each instruction",
        segment=("instruction",),
        system="generator_2",
        scores=("preference",),
    ),
    Program(
        "RAGAS",
        needs=("user_input", "response"),
        files="the results of each system (`to_pandas()`, saved as CSV or JSON lines)",
        gives="one measure per metric, matched by the question",
        segment=("user_input",),
        scores=RAGAS_SCORES,
        lower=("noise_sensitivity*",),
    ),
    Program(
        "RAGAS (before 0.2)",
        needs=("question", "answer", "contexts*"),
        files="the results of each system (`to_pandas()`, saved as CSV or JSON lines)",
        gives="one measure per metric, matched by the question",
        segment=("question",),
        scores=RAGAS_SCORES,
    ),
    Program(
        "MetricX",
        needs=("hypothesis", "prediction"),
        files="the output of `metricx.predict` for each system (`.jsonl`)",
        gives="MetricX of each segment, lower is better; with the outputs and references",
        better="lower",
        texts={"prediction": "MetricX"},
    ),
    Program(
        "COMET (Python: predict)",
        needs=("scores", "^system_score"),
        files="the output of `predict` for each system, saved as JSON",
        gives="COMET of each segment",
        scores=("scores",),
        measure="COMET",
    ),
    Program(
        "evaluate (BERTScore)",
        needs=("precision", "recall", "f1", "^hashcode"),
        files="the result of `compute` for each system, saved as JSON",
        gives="precision, recall and F1 of each segment, one measure each",
        scores=("f1", "precision", "recall"),
    ),
    Program(
        "NeMo (manifest)",
        needs=("audio_filepath", "text", "pred_text"),
        files="the manifest of each system with `pred_text` (`.json`, `.jsonl`)",
        gives="the transcript as reference and the output, matched by the audio file",
        texts={"audio_filepath": "segment", "text": "reference", "pred_text": "output"},
    ),
)  # fmt: skip

# Programs whose files have a format with its reader, or columns that the vocabulary has: (program, files, what they give).
ALSO = (
    ("MT-bench (pairs)", "`model_judgment/*_pair.jsonl`; human judgments with `model_a`, `model_b`, `winner`",
     "pairwise judgments: a win only if both orders agree; both turns in one question"),
    ("Chatbot Arena, Kaggle LMSYS", "`model_a`, `model_b`, and `winner` or a column of 0 and 1 for each outcome", "pairwise judgments; both bad = tie"),
    ("AlpacaEval", "`annotations.json`, as above", "pairwise judgments of the model and the baseline, too"),
    ("any table of pairs", "columns such as `system_1`, `system_2`, `winner` (a name; first, second, tie; or from 1 to 2)", "pairwise judgments"),
    ("COMET, XCOMET (comet-score)", "the output, or the file of `--to_json`", "COMET of each segment and system"),
    ("COMET, BLEURT, BERTScore, any metric", "a table `src, mt, ref, COMET` per system; one score per line per system",
     "the scores, under the heading or the name in the file's name (`One.bleurt`); outputs and references if they are there"),
    ("mt-metrics-eval (EvalSet)", "the folder of a test set as .zip; `*.seg.score`; `*.docs`",
     "one test set per language pair, one measure per metric; `human-scores/*.seg.score` are ratings on the human page"),
    ("WMT metrics task (submissions)", "`METRIC PAIR TESTSET ... SYSTEM SEGMENT SCORE`", "one test set per pair, one measure per metric"),
    ("bert-score (command line)", "the output of `-s`, one file per system", "precision, recall and F1, one measure each"),
    ("lm-evaluation-harness, HELM (other files)", "`results_*.json`, `stats.json`, `run_spec.json` and others in the same folders", "named, and set aside"),
    ("MATEO", "the table of sentences (CSV, or Excel with a sheet for each metric)", "one measure per metric; outputs and references"),
    ("sacrebleu", "the output of `-sl`, one file per system; `--known` test sets", "scores per segment; TER: lower is better"),
    ("SummEval", "`model_annotations.aligned.jsonl`", "outputs and references; the experts' mean ratings as measures"),
    ("Appraise", "`*.scores.csv` (DA, ESA, MQM)", "ratings; MQM is scored from the spans; no tutorial, no whole documents"),
    ("MQM (Google, WMT)", "one marked error per line", "error points as ratings"),
    ("Kaldi, sclite", "`text` (`id words`), `.trn` (`words (id)`)", "transcripts matched by id"),
    ("SQuAD", "the test set (`dev-v2.0.json`), and predictions `{id: answer}` per system", "answers matched by id; references"),
    ("Moses", "n-best lists that count from 0 or 1", "the first hypothesis of each segment"),
    ("any program", "a JSON list of numbers or texts, or lists of equal length in an object", "one segment per entry"),
    ("pandas (Parquet)", "`.parquet`", "its flat columns, read as a table with these headings"),
    ("Excel", "`.xlsx`", "each visible sheet, read as a table; several sheets are several files"),
    ("NumPy", "`.npy` of one system: one column of numbers", "one score per segment"),
)  # fmt: skip


def matching(pattern: str, headings: Iterable[str]) -> list[str]:
    """The headings that fit the pattern."""
    return [heading for heading in headings if heading == pattern or fnmatchcase(heading, pattern)]


def recognised(headings: Sequence[str], header: Iterable[str] = ()) -> Program | None:
    """The program whose layout a table with these headings has, that with the most needed ones; `header` are the names
    beside the records (`^name` in `needs`)."""
    beside = [f"^{name}" for name in header]
    known = [one for one in PROGRAMS if all(matching(need, [*headings, *beside]) for need in one.needs)]
    return max(known, key=lambda one: len(one.needs), default=None)


def in_path(program: Program, file: str) -> tuple[str, str]:
    """The system and the test set in the name of a file and its folder; "" where the program does not say."""
    match = re.search(program.path, file.replace("\\", "/")) if program.path else None
    return (match["system"] or "", match["testset"] or "") if match else ("", "")
