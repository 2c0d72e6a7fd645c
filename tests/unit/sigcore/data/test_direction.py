"""Which scores are better: stated, known by the name and the signs, or assumed; and how far that is carried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from sigcore import metrics
from sigcore.data import option_of
from sigcore.data.assembly import Loaded, assemble
from sigcore.errors import SigError
from sigcore.readers import Item
from sigcore.types import Direction

KNOWN_LOWER, KNOWN_HIGHER = Direction("lower", "known"), Direction("higher", "known")
ASSUMED = Direction("higher", "assumed")


def scores(name: str, cells: Sequence[float], measure: str, better: str = "") -> Item:
    item = Item(name, "system", "scores", tuple(map(str, cells)), f"{name}.txt", "", measure=measure)
    return replace(item, better=better)  # type: ignore[arg-type]


def loaded(measure: str, one: Sequence[float], two: Sequence[float], better: str = "") -> Loaded:
    return assemble([scores("A", one, measure, better), scores("B", two, measure, better)])


UP, DOWN, BOTH = (0.5, 0.25, 0.125, 0.75), (-0.5, -0.25, -0.125, -0.75), (0.5, -0.25, 0.125, -0.75)


@pytest.mark.parametrize(
    ("measure", "cells", "expected", "severity"),
    [
        ("accuracy", UP, KNOWN_HIGHER, None),
        ("kappa", BOTH, KNOWN_HIGHER, None),
        ("hallucination", UP, KNOWN_LOWER, "note"),
        ("WER", (0.0, 0.5, 0.0, 0.25), KNOWN_LOWER, "note"),
        ("WER", DOWN, KNOWN_HIGHER, "warning"),
        ("loss", BOTH, KNOWN_LOWER, "error"),
        ("score", UP, ASSUMED, "warning"),
        ("score", BOTH, ASSUMED, "warning"),
        ("", UP, ASSUMED, "warning"),
    ],
)
def test_name_and_signs_decide(measure: str, cells: Sequence[float], expected: Direction, severity: str | None) -> None:
    """Errors are lower, stored negated higher, with mixed signs an error; an unknown name is assumed, with a warning."""
    found = loaded(measure, cells, cells[::-1])
    assert found.direction == expected
    said = [finding.severity for finding in found.findings if "better" in finding.what]
    assert said == ([severity] if severity else [])


def test_errors_with_mixed_signs_are_refused_until_the_direction_is_stated() -> None:
    """Nothing is computed on an error measure of both signs; when stated, either direction is used as it is."""
    with pytest.raises(SigError, match="loss counts errors by its name, but some of its numbers are negative"):
        loaded("loss", BOTH, UP).sound()
    for better in ("higher", "lower"):
        assert loaded("loss", BOTH, UP, better).sound().direction == Direction(better, "stated")  # type: ignore[arg-type]


def test_one_system_decides_the_sign_of_all() -> None:
    """One negative number in any system is enough for mixed signs, and zeros have no sign."""
    assert loaded("rmse", (0.0, 0.5, 1.0), (0.0, -0.5, 1.0)).of("error")
    assert not loaded("rmse", (0.0, 0.5, 1.0), (0.0, 0.0, 1.0)).of("error")


def test_two_statements_are_an_error() -> None:
    """Files that state different directions cannot be compared."""
    found = assemble([scores("A", UP, "x", "lower"), scores("B", UP, "x", "higher")])
    assert any("Of A lower scores are better, but of B higher ones." in finding.what for finding in found.of("error"))


@pytest.mark.parametrize(
    ("direction", "label", "option"),
    [
        (KNOWN_LOWER, "WER", "automatic"),
        (KNOWN_HIGHER, "accuracy", "automatic"),
        (ASSUMED, "score", "automatic"),
        (KNOWN_HIGHER, "WER", "negated"),
        (KNOWN_LOWER, "my system", "lower"),  # under another name the direction stays
        (KNOWN_HIGHER, "my system", "higher"),
        (Direction("lower", "stated"), "accuracy", "lower"),
        (Direction("higher", "stated"), "WER", "higher"),
    ],
)
def test_the_option_gives_the_direction_again(direction: Direction, label: str, option: str) -> None:
    """The option of own scores with that label has the same scores better, whatever the label says."""
    assert option_of(direction, label) == option
    own = metrics.get("own_scores")
    assert own.better_of(own.chosen({"better": option, "label": label})) == direction.better


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ASSUMED),
        ({"label": "score"}, ASSUMED),
        ({"label": "latency"}, KNOWN_LOWER),
        ({"label": "latency", "better": "higher"}, Direction("higher", "stated")),
        ({"label": "latency", "better": "negated"}, KNOWN_HIGHER),
        ({"better": "lower"}, Direction("lower", "stated")),
        ({"better": "negated"}, Direction("higher", "stated")),
    ],
)
def test_own_scores_know_why(options: dict[str, object], expected: Direction) -> None:
    """What is stated wins over the label, the label over the assumption; the signature says which it was."""
    own = metrics.get("own_scores")
    chosen = own.chosen(options)
    assert own.direction_of(chosen) == expected
    assert f"|better:{expected.better}|why:{expected.why}" in own.signature((), chosen)


def test_metrics_of_text_know_their_direction() -> None:
    """No metric but own scores is assumed."""
    for metric in metrics.members().values():
        assert (metric.why_of(metric.chosen()) == "assumed") is (metric.name == "own_scores"), metric.name


def test_an_assumption_is_in_words_only_where_it_is_one() -> None:
    """The condition of a verdict is empty for what is known or stated."""
    assert ASSUMED.condition == ", if higher is better (assumed)"
    assert KNOWN_LOWER.condition == Direction("higher", "stated").condition == ""
    assert str(KNOWN_LOWER) == "lower is better"


@pytest.mark.parametrize(
    ("low", "high", "severity"), [(0.02, 0.9, "warning"), (0.02, 90, "error"), (-0.02, 0.9, "error"), (0.3, 0.9, "")]
)
def test_systems_far_apart_are_refused_unless_both_have_shares(low: float, high: float, severity: str) -> None:
    """A bad and a good system may be far apart between 0 and 1; elsewhere these are scores of two measures."""
    items = [
        Item(
            name, "system", "scores", tuple(str(most * (k + 5) / 15) for k in range(11)), f"{name}.txt", "", measure="x"
        )
        for name, most in (("bad", low), ("good", high))
    ]
    found = [one for one in assemble(items).findings if "very different scales" in one.what]
    assert [one.severity for one in found] == [severity] * bool(severity)


def asked(found: Loaded) -> list[str]:
    return [finding.what for finding in found.findings if finding.severity == "error"]


@pytest.mark.parametrize("name", ["time_qa", "hallucination_benchmark", "failure_cases", "loss_aversion_eval"])
def test_a_word_in_the_name_of_a_file_is_asked_about(name: str) -> None:
    """Where the file names the measure, only a whole measure turns it; a heading still does with one word."""
    items = [replace(scores(one, UP, name), file=f"{name}.csv") for one in "AB"]
    assert asked(assemble(items))[0].startswith(f"Are low numbers good in {name}?")
    stated = [replace(item, better="higher") for item in items]
    assert assemble(stated).direction == Direction("higher", "stated")
    headed = loaded(name, UP, UP[::-1])
    assert (headed.direction, asked(headed)) == (KNOWN_LOWER, [])


@pytest.mark.parametrize("name", ["wer", "results_wer", "error_rate", "ter_de", "latency"])
def test_a_measure_in_the_name_of_a_file_turns_the_direction(name: str) -> None:
    found = assemble([replace(scores(one, UP, name), file=f"{name}.csv") for one in "AB"])
    assert (found.direction, asked(found)) == (KNOWN_LOWER, [])


def test_errors_found_may_be_good_or_bad() -> None:
    assert asked(loaded("bugs_found", UP, UP[::-1]))
    assert not asked(loaded("bugs", UP, UP[::-1]))
    assert not asked(loaded("errors_fixed", UP, UP[::-1]))


def test_rows_that_rank_their_systems_are_asked_about() -> None:
    """Each row has 1 to 3 once; one other row, fewer rows, a name that says rank, or a stated direction ends the question."""
    rows = [(1, 2, 3), (2, 1, 3), (3, 1, 2), (1, 3, 2), (2, 3, 1)]

    def of(rows: list[tuple[int, ...]], measure: str = "preference", better: str = "") -> Loaded:
        cells = zip("ABC", zip(*rows, strict=True), strict=True)
        return assemble([scores(name, own, measure, better) for name, own in cells])

    assert asked(of(rows)) == ["Are these ranks? Each row counts its 3 systems from the first to the last."]
    assert not asked(of([*rows, (3, 3, 3)]))
    for ties in ((1, 1, 2), (1, 1, 3), (1, 2, 2)):
        assert asked(of([*rows, ties]))
    assert asked(of([tuple(rank - 1 for rank in row) for row in rows]))
    assert not asked(of([(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1)]))  # right and wrong answers
    assert not asked(of(rows[:4]))
    assert of(rows, "mean rank").direction == KNOWN_LOWER
    assert (asked(of(rows, "mean rank")), asked(of(rows, better="lower"))) == ([], [])
