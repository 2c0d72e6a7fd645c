"""Small hand-made results for the tests of figures and reports."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np

from sigcore import corrections
from sigcore.results import CompareResult, GainResult, Histogram, MatrixResult, TestResult
from sigcore.types import Setup, read_unit

IN_SETUP = {field.name for field in fields(Setup)} - {"ties"}

HOSTILE = ("<img src=x>", "sys_a_b*c*", "![x](http://evil.example/t.png)", "=1+1", "$a^2$ & <b>bold</b>")


def built(kind: Any, settings: dict[str, Any]) -> Any:
    """A result of that kind; the settings that belong to its setup go there ("tie_rule" is the setup's `ties`)."""
    setup = {name: value for name, value in settings.items() if name in IN_SETUP}
    if "tie_rule" in settings:
        setup["ties"] = settings["tie_rule"]
    if "unit" in setup:
        setup["unit"] = read_unit(setup["unit"])
    if "correction" in setup:
        setup["correction_title"] = corrections.get(setup["correction"]).title
    rest = {name: value for name, value in settings.items() if name not in IN_SETUP and name != "tie_rule"}
    return kind(setup=Setup(**setup), **rest)


def matrix(scores: Any = (40.0, 42.0, 41.5), p: Any = None, **changes: Any) -> MatrixResult:
    """A matrix result: gains follow the scores, p falls with the gain unless given, adjusted = p."""
    scores = np.asarray(scores, dtype=float)
    count = len(scores)
    better = changes.get("better", "higher")
    gains = scores[:, None] - scores[None, :]
    gains = -gains if better == "lower" else gains
    values = np.maximum(np.exp(-3.0 * np.abs(gains)), 1 / 10_001) if p is None else np.asarray(p, dtype=float).copy()
    np.fill_diagonal(values, 1.0)
    settings: dict[str, Any] = {
        "systems": tuple(f"sys{i}" for i in range(count)),
        "groups": ("",) * count,
        "metric": "bleu",
        "metric_title": "BLEU",
        "better": better,
        "test": "approximate_randomization",
        "test_title": "Approximate randomization",
        "side": "two-sided",
        "scores": scores,
        "score_intervals": np.stack([scores - 1, scores + 1], axis=1),
        "interval_method": "inversion",
        "score_interval_method": "jackknife t",
        "level": 0.95,
        "gains": gains,
        "p_values": values,
        "p_low": values * 0.9,
        "p_high": np.minimum(values * 1.1, 1.0),
        "adjusted": values.copy(),
        "correction": "holm",
        "estimator": "valid",
        "n": 1448,
        "resamples": 10_000,
        "seed": 12345,
        "signature": "BLEU|approximate_randomization|R:10000|seed:12345",
    }
    return built(MatrixResult, {**settings, **changes})


def histogram(values: Any, bins: int = 40) -> Histogram:
    """The values in equal bins."""
    counts, edges = np.histogram(np.asarray(values, dtype=float), bins=bins)
    return Histogram(edges, counts)


TITLES = {
    "approximate_randomization": "Approximate randomization",
    "bootstrap_shift": "Bootstrap, shifted to the null",
    "paired_bootstrap": "Paired bootstrap",
    "two_delta_bootstrap": "Bootstrap, twice the gain",
}


COUNTED = {
    "approximate_randomization": "shuffles",
    "bootstrap_shift": "bootstrap resamples after shifting them to a mean of zero",
    "paired_bootstrap": "bootstrap resamples",
    "two_delta_bootstrap": "bootstrap resamples after subtracting the observed gain",
}


def one_test(kind: str = "approximate_randomization", **changes: Any) -> TestResult:
    """One test on one pair: gain 0.62, p from the tail of 10,000 resamples."""
    tail = changes.get("tail", 38)
    settings: dict[str, Any] = {
        "test": kind,
        "test_title": TITLES.get(kind, kind),
        "counted": COUNTED.get(kind, "resamples"),
        "doubled": kind == "paired_bootstrap" and changes.get("side", "two-sided") == "two-sided",
        "metric": "bleu",
        "metric_title": "BLEU",
        "better": "higher",
        "system": "Online-B",
        "baseline": "Online-A",
        "scores": (42.62, 42.0),
        "gain": 0.62,
        "p_value": (tail + 1) / 10_001,
        "p_interval": (tail * 0.8 / 10_000, tail * 1.2 / 10_000),
        "side": "two-sided",
        "interval": (0.2, 1.0),
        "interval_method": "inversion",
        "level": 0.95,
        "histogram": Histogram(np.linspace(-1, 1, 11), np.array([5, 20, 300, 1500, 3175, 3175, 1500, 300, 20, 5])),
        "cutoffs": (-0.62, 0.62),
        "tail": tail,
        "ties": 0,
        "resamples": 10_000,
        "seed": 12345,
        "n": 1448,
        "estimator": "valid",
        "signature": f"BLEU|{kind}|R:10000|seed:12345",
    }
    return built(TestResult, {**settings, **changes})


def compare(*results: TestResult, **changes: Any) -> CompareResult:
    """One pair under the given tests (approximate randomization where none is given); what changes for the pair, such
    as its metric or its gain, changes for each of them."""
    made = [_changed(item, changes) for item in results or (one_test(),)]
    first = made[0]
    settings: dict[str, Any] = {
        **{name: getattr(first.setup, name) for name in IN_SETUP},
        "tie_rule": first.setup.ties,
        "system": first.system,
        "baseline": first.baseline,
        "scores": first.scores,
        "score_intervals": ((41.6, 43.6), (41.0, 43.0)),
        "interval_method": "inversion",
        "score_interval_method": "jackknife t",
        "gain": first.gain,
        "interval": first.interval,
        "results": tuple(made),
    }
    return built(CompareResult, {**settings, **changes})


def _changed(item: TestResult, changes: dict[str, Any]) -> TestResult:
    own = {k: v for k, v in changes.items() if k in ("system", "baseline", "scores", "gain", "interval")}
    setup = {k: v for k, v in changes.items() if k in IN_SETUP and k not in ("test", "test_title", "side", "signature")}
    if "unit" in setup:
        setup["unit"] = read_unit(setup["unit"])
    return replace(item, setup=replace(item.setup, **setup), **own)


def gain(pairs: int = 60, seed: int = 0, **changes: Any) -> GainResult:
    """Random pairs of three classes whose confidence grows with the gain."""
    draw = np.random.default_rng(seed)
    gains = draw.gamma(1.2, 0.6, pairs)
    p = np.clip(np.exp(-3 * gains * draw.uniform(0.5, 2.0, pairs)), 1 / 10_001, 1.0)
    settings: dict[str, Any] = {
        "metric": "bleu",
        "metric_title": "BLEU",
        "better": "higher",
        "test": "two_delta_bootstrap",
        "test_title": "Bootstrap, twice the gain",
        "side": "greater",
        "systems": tuple(f"sys{i}" for i in range(pairs)),
        "baselines": tuple(f"sys{i + 1}" for i in range(pairs)),
        "pair_class": tuple(("same group", "different groups", "combinations")[i % 3] for i in range(pairs)),
        "gains": gains,
        "p_values": p,
        "confidence": 1 - p,
        "n": 1448,
        "resamples": 10_000,
        "seed": 12345,
        "signature": "BLEU|two_delta_bootstrap|R:10000",
    }
    return built(GainResult, {**settings, **changes})
