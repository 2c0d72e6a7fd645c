"""The vocabulary of measures: which scores are better by whole words of the name, and which names are not known."""

from __future__ import annotations

import pytest

from sigcore import measures
from sigcore.types import Better, Direction

LOWER = (
    "hallucination", "toxicity", "rmse", "cross_entropy", "latency", "cost", "edit_distance", "DER", "EER", "ECE", "TER", "WER",
    "CER", "PER", "AER", "MetricX", "perplexity", "ppl", "loss", "val_loss", "nll", "negative log likelihood", "bits per byte",
    "bits/char", "mse", "MAE", "brier", "brier_score", "time", "Levenshtein", "error rate", "FID", "FAD", "MCD", "JER", "BER",
    "FPR", "FNR", "metricx-24", "MetricX_23_XL", "word_perplexity", "per word perplexity", "latency_ms", "errorRate",
    "errors per word", "number of errors", "time per question", "cost per token", "incorrect", "mean rank", "self-BLEU",
    "hallucination_rate", "noise_sensitivity(mode=relevant)", "false negative rate", "LevenshteinDistance", "hter",
    "WER (%)", "test PER", "1-accuracy", "score ↓", "MQM (lower is better)", "accuracy loss", "not faithful", "toxicity score",
    "Exp 1 - WER", "run-1-WER", "WER@1-best",
)  # fmt: skip
HIGHER = (
    "BLEU", "chrF", "chrF++", "chrF2", "COMET", "wmt22-comet-da", "XCOMET-XL", "BLEURT-20", "METEOR", "ROUGE-L", "rouge1",
    "accuracy", "acc_norm", "EM", "exact_match", "F1", "macro F1", "precision", "recall@10", "UAS", "LAS", "pass@1", "win rate",
    "NDCG@10", "MRR", "MAP", "AUC", "ROC-AUC", "Cohen's kappa", "Spearman correlation", "BERTScore F1", "none acc",
    "accuracy_per_item", "error-free rate", "no_error", "error free", "non-toxic", "error detection accuracy", "ErrorFreeRate",
    "hallucination-free", "absence of errors", "questions without errors", "percent of correct answers", "F1 for toxicity",
    "accuracy on error cases", "neg_mean_squared_error", "1-WER", "1 - error", "error reduction", "tokens per second",
    "hallucination detection AUC", "log_prob", "win rate vs gpt4", "score ↑", "faithfulness", "not hallucinated",
    "F1-Score", "F1-score (%)", "F1-measure", "Macro F1-Score", "ROUGE-1-F", "top-1-accuracy", "mean 1-WER", "score = 1 - CER",
    "P@10", "R@5", "AP@all", "HR@10",
)  # fmt: skip
UNKNOWN = (
    "points per question", "score", "scores", "judge score", "per item", "rating", "error analysis scores", "foo", "mqm", "",
    "score per error", "performance", "temperature", "person", "timestamp", "transformer", "losses2wins vs", "1-gram foo",
    "lower is better or higher is better",
)  # fmt: skip


@pytest.mark.parametrize("name", LOWER)
def test_errors_costs_and_harms_are_better_if_lower(name: str) -> None:
    """Measures of errors, costs, losses and harms are known, in the spellings of programs."""
    assert measures.direction_of(name) == Direction("lower", "known")


@pytest.mark.parametrize("name", HIGHER)
def test_qualities_are_better_if_higher(name: str) -> None:
    """Measures of quality are known, also where a word such as per or error is in the name by chance, or is negated."""
    assert measures.direction_of(name) == Direction("higher", "known")


@pytest.mark.parametrize("name", UNKNOWN)
def test_an_unknown_name_is_only_assumed(name: str) -> None:
    """A name without a known measure says nothing: higher is better, and that is assumed."""
    assert measures.better_of(name) is None
    assert str(measures.direction_of(name)) == "higher is better (assumed)"


def test_each_phrase_of_the_vocabulary_is_found_alone() -> None:
    """No phrase stands on both sides, and each as a whole heading has its own direction."""
    for subject in measures.SUBJECTS:
        assert not set(subject.higher) & set(subject.lower)
        assert set(subject.signed) <= {*subject.higher, *subject.lower}
        for better, phrases in (("higher", subject.higher), ("lower", subject.lower)):
            for phrase in phrases:
                assert measures.better_of(phrase) == better, phrase
                assert measures.better_of(phrase.replace(" ", "_").upper()) == better, phrase
    sides = [phrase for subject in measures.SUBJECTS for phrase in (*subject.higher, *subject.lower)]
    assert len(sides) == len(set(sides)) >= 150


@pytest.mark.parametrize(
    ("expected", "names"),
    [
        (True, ("kappa", "log_prob", "Pearson correlation", "gain", "score difference")),
        (False, ("accuracy", "score", "WER", "quality")),
    ],
)
def test_measures_that_may_be_negative(expected: bool, names: tuple[str, ...]) -> None:
    """Correlations, log probabilities, gains and differences may be below zero; accuracy and rates never are."""
    assert [measures.may_be_negative(name) for name in names] == [expected] * len(names)


def test_an_abbreviation_is_spelled_out() -> None:
    """A usual abbreviation gets its long form, another name stays as it is."""
    assert measures.titled("EER") == "EER (equal error rate)"
    assert measures.titled("latency") == "latency"


@pytest.mark.parametrize(
    ("name", "better"), [("wer1", "lower"), ("cer2", "lower"), ("ppl2", "lower"), ("map10", "higher")]
)
def test_three_letters_are_known_with_a_number(name: str, better: Better) -> None:
    """A number behind the shortest stem is that of a run or a cutoff."""
    assert measures.direction_of(name) == Direction(better, "known")


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("first_hit", "lower"), ("first_relevant_rank", "lower"), ("gold_rank", "lower"), ("position_of_answer", "lower"),
        ("mean reciprocal rank", "higher"), ("percentile_rank", None), ("first_hit_rate", "higher"), ("rank correlation", "higher"),
        ("levenshtein_ratio", "higher"), ("levenshtein", "lower"), ("errors_fixed", "higher"), ("violations_avoided", "higher"),
        ("cost_effectiveness", "higher"), ("error_awareness", "higher"), ("cost_per_item", "lower"),
    ],
)  # fmt: skip
def test_the_last_word_may_turn_a_measure_and_a_place_is_lower(name: str, better: str | None) -> None:
    assert measures.better_of(name) == better


@pytest.mark.parametrize("name", ["spearman_rank", "kendall rank", "inv_rank", "hits_first_relevant"])
def test_correlations_of_ranks_and_places_of_errors_are_no_places(name: str) -> None:
    assert measures.better_of(name) != "lower"
