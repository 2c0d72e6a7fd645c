"""The numbers of each lesson in words: what is below the figure, and in the handout."""

from __future__ import annotations

from typing import Any

from sigcore import TestResult
from sigcore.formatting import (
    format_draws,
    format_gain,
    format_p,
    format_p_interval,
    format_score,
    format_units,
    p_text,
)
from sigcore.studies import learn

Facts = list[tuple[str, str]]
LEVEL = 0.05  # the width of a column of the null factory


def facts(word: str, numbers: Any) -> Facts:
    """(what, value) of the lesson of that word."""
    rows: Facts = FACTS[word](numbers)
    return rows


def of_pair(test: TestResult) -> Facts:
    """The pair, its scores and its gain."""
    setup = test.setup
    score, other = (format_score(value, setup.decimals) for value in test.scores)
    return [
        ("systems", f"{test.system} ({score}) against {test.baseline} ({other}), {setup.metric_title}"),
        ("gain", format_gain(test.gain, setup.decimals)),
        ("units", format_units(setup.n, setup.unit, setup.segments)),
        ("drawn", format_draws(setup.resamples, setup.seed)),
    ]


def of_test(test: TestResult) -> Facts:
    """p, and what it was counted from."""
    drawn = test.setup.resamples
    return [
        ("counted", f"{test.tail:,} of {drawn:,} {test.counted} in the tail"),
        ("p", p_text(test.p_value, drawn)),
        ("Monte Carlo interval of p (95 %)", format_p_interval(test.p_interval, drawn)),
    ]


def shuffle(numbers: learn.Steps) -> Facts:
    """The pair, and approximate randomization."""
    test = numbers.compared.result("approximate_randomization", "two-sided")
    return [*of_pair(test), *of_test(test)]


def bootstrap(numbers: learn.Steps) -> Facts:
    """The pair, and the bootstrap with shift."""
    test = numbers.compared.result("bootstrap_shift", "two-sided")
    return [*of_pair(test), *of_test(test)]


def three(numbers: learn.Steps) -> Facts:
    """The pair, and p of the three tests."""
    tests = [numbers.compared.result(name, "two-sided") for name in learn.TESTS]
    rows = [(test.setup.test_title, f"{p_text(test.p_value, learn.DRAWN)} (two-sided)") for test in tests]
    return [*of_pair(tests[0]), *rows]


def tail(numbers: learn.Lab) -> Facts:
    """The rule on the pair, and its error rate."""
    return [
        ("p of this pair", f"{_p(numbers.shown.p)}; under the sound rule {_p(numbers.sound_p)}"),
        ("long run", f"{numbers.size.units:,} units and {numbers.size.resamples:,} resamples in each data set"),
        (
            "false alarms of your rule",
            _share(numbers.errors.so_far[-1], len(numbers.errors.p), numbers.errors.interval()),
        ),
        ("of the sound rule", _share(numbers.sound.so_far[-1], len(numbers.sound.p), numbers.sound.interval())),
    ]


def null(numbers: learn.Factory) -> Facts:
    """The share of small p."""
    words = "no difference" if numbers.is_null else "drawn from the pair as it is"
    found = numbers.rejected(LEVEL)
    return [
        ("data sets", f"{len(numbers.p):,}, {words}, with {numbers.units:,} units each"),
        (f"p at most {LEVEL:g}", _share(found, len(numbers.p), numbers.interval(LEVEL))),
    ]


def mean(numbers: learn.Mean) -> Facts:
    """Both gains, each with the test that fits it."""
    corpus, single = (format_gain(gain, numbers.decimals) for gain in numbers.gains)
    is_mean = "yes" if numbers.is_mean else "no"
    return [
        ("systems", f"{numbers.systems[0]} against {numbers.systems[1]}, {numbers.title}"),
        ("gain of the metric", f"{corpus}; shuffles: {p_text(numbers.p, learn.DRAWN)}"),
        (f"gain of the mean of single {numbers.unit}", f"{single}; t-test: {p_text(numbers.t_p, 0)}"),
        ("is the metric this mean, on this data?", is_mean),
    ]


def many(numbers: learn.Many) -> Facts:
    """How many worlds have a false alarm, without and with the correction."""
    worlds, found = len(numbers.p), numbers.found(LEVEL)
    some, kept = learn.any_of(found), learn.any_of(numbers.kept(LEVEL))
    return [
        ("worlds", f"{worlds}, with {numbers.units:,} units and 105 pairs each; no two systems differ"),
        ("false alarms in a world", f"{found.mean():.1f} on average, from {found.min()} to {found.max()}"),
        ("worlds with any false alarm", _share(some[0], worlds, some[1:])),
        ("after the Holm correction", _share(kept[0], worlds, kept[1:])),
    ]


def predict(numbers: learn.Game) -> Facts:
    """The score, and every round that was played."""
    played = [f"round {k + 1}" for k, _ in numbers.answers]
    return [
        ("right", f"{numbers.right} of {len(played)}"),
        *((name, _round(numbers, k)) for name, (k, _) in zip(played, numbers.answers, strict=True)),
    ]


def _round(numbers: learn.Game, k: int) -> str:
    row = round_rows(numbers)[[one for one, _ in numbers.answers].index(k)]
    return (
        f"{row['system']} against {row['baseline']}, {format_gain(row['gain'], numbers.decimals)} on {row['n']} {numbers.unit}: "
        f"you said {row['prediction']}; p = {row['p']}, {row['verdict']}; made {row['made']}"
    )


def round_rows(numbers: learn.Game) -> list[dict[str, Any]]:
    """The rounds that were played as rows."""
    rows = []
    for k, said in numbers.answers:
        shown = numbers.rounds[k]
        rows.append(
            {
                "round": k + 1,
                "system": shown.system,
                "baseline": shown.baseline,
                "n": shown.n,
                "gain": shown.gain,
                "prediction": _word(said),
                "p": format_p(shown.p, len(shown.null)),
                "verdict": _word(shown.p <= numbers.alpha),
                "right": "yes" if numbers.is_right(k) else "no",
                "made": "without a difference" if shown.is_null else "of the outputs as they are",
            }
        )
    return rows


def _word(significant: bool) -> str:
    return "significant" if significant else "not significant"


def _share(part: float, whole: int, ends: tuple[float, float]) -> str:
    low, high = (100 * end for end in ends)
    return f"{part:,.0f} of {whole:,} ({100 * part / whole:.1f} %), 95 % interval {low:.1f} % to {high:.1f} %"


def _p(p: float) -> str:
    return "p = 0" if p == 0 else f"p = {format_p(p, 0)}"


FACTS: dict[str, Any] = {
    "shuffle": shuffle,
    "bootstrap": bootstrap,
    "three": three,
    "tail": tail,
    "null": null,
    "mean": mean,
    "many": many,
    "predict": predict,
}
