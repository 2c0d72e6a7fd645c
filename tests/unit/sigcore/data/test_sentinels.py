"""Numbers that mean a missing score: what is refused, what never is, and what the two ways out do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from sigcore import data
from sigcore.data.assembly import Loaded, assemble
from sigcore.data.sentinels import rated, read_codes, suspect, without
from sigcore.errors import OptionError, SigError
from sigcore.judgments import judgments
from sigcore.readers import Item

RATED = (8.0, 7.5, 9.0, 6.0, 10.0, 0.0, 8.0, 7.0)
SHARES = (0.5, 0.25, 1.0, 0.0, 0.75, 0.8, 0.9, 0.1)


def found(measure: str, *systems: Sequence[float]) -> tuple[str, ...]:
    """The codes that are suspected in these systems."""
    one = suspect(measure, {f"S{k}": Counter(map(float, own)) for k, own in enumerate(systems)})
    return one.codes if one else ()


def scored(one: Sequence[object], two: Sequence[object], measure: str = "quality", **more: object) -> Loaded:
    items = [Item(name, "system", "scores", tuple(map(str, cells)), f"{name}.txt", "", measure=measure)
             for name, cells in (("A", one), ("B", two))]  # fmt: skip
    return assemble(items, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("code", [-1, -9, -99, -999, -9999])
@pytest.mark.parametrize("others", [RATED, SHARES, [10 * x for x in RATED], [1000 * x for x in RATED]])
def test_a_repeated_code_below_scores_is_found(code: int, others: list[float]) -> None:
    """Twice is enough, in one system or in two; the other scores may be of any size."""
    assert found("score", [*others, code, code], others) == (str(code),)
    assert found("score", [*others, code], [*others, code]) == (str(code),)


@pytest.mark.parametrize(
    ("code", "others"), [(999, RATED), (9999, SHARES), (99, SHARES), (999, [10 * x for x in RATED])]
)
def test_a_repeated_code_far_above_scores_is_found(code: int, others: list[float]) -> None:
    """99, 999 and 9999 are far above scores from 0 to 1, 10 or 100."""
    assert found("score", [*others, code, code], others) == (str(code),)


@pytest.mark.parametrize(
    ("measure", "cells", "why"),
    [
        ("score", [*RATED, -1], "once may be a score"),
        ("score", [*RATED, -1, -1, -0.5], "other scores are negative"),
        ("score", [*RATED, -2, -2], "it is no usual code"),
        ("kappa", [*SHARES, -1, -1], "kappa may be -1"),
        ("Pearson correlation", [*SHARES, -1, -1], "so may a correlation"),
        ("log_prob", [0.0, -1, -1, -0.5], "log probabilities are negative"),
        ("log_prob", [0.0, 0.5, -1, -1], "a log density may have both signs"),
        ("sentiment", [0, 1, 0, 1, 0, -1, -1, 1, 1, 1], "a polarity may be -1"),
        ("win margin", [*SHARES, -1, -1], "a margin may be negative"),
        ("score", [1, 0, -1, 1, -1, 0, -1, 1], "won, tied and lost"),
        ("label", [1, -1, 1, 1, 1, 1, 1, -1, 1, 1], "right and wrong as 1 and -1"),
        ("MQM", [0, 0, -1, -1, 0], "error points that are negated"),
        ("MQM", [0, -1, -1, -5, 0], "the same"),
        ("score", [*(10 * x for x in RATED), 99, 99], "99 of 100 is a score"),
        ("latency", [50, 400, 800, 999, 999, 1000], "999 is one of many"),
        ("latency", [500, 400, 800, 999, 999], "999 is near the others"),
        ("score", [-1, -1, -1], "there are no other scores"),
        ("score", [99, 99, 99], "the same"),
        ("score", [0, 0, 999, 999], "others that are all 0 have no size"),
    ],
)
def test_scores_are_never_taken_for_codes(measure: str, cells: list[float], why: str) -> None:
    """What may be a score is not refused."""
    assert found(measure, cells, cells) == () if "once" not in why else found(measure, cells) == ()


def test_failed_truths_are_found() -> None:
    """A few -1 among many 0 and 1 are a judge that failed."""
    assert found("correct", [0, 1] * 20 + [-1, -1]) == ("-1",)


def test_the_refusal_names_cells_systems_and_both_ways_out() -> None:
    """The error says how many cells of which system hold the number; nothing can be computed."""
    loaded = scored([*RATED, -1, -1], [*RATED, -1, 8.0])
    assert loaded.ready is None
    error = loaded.of("error")[0]
    assert error.what == "2 cells of A, 1 cell of B hold -1. All other scores are between 0 and 10."
    assert "--missing-code -1." in error.fix
    assert "--missing-code none." in error.fix
    with pytest.raises(SigError, match="hold -1"):
        loaded.sound()


def test_several_codes_are_named_together() -> None:
    """The ways out name every code."""
    error = scored([*RATED, -1, -1, -999], [*RATED, -999, -999, -1]).of("error")[0]
    assert "-999 looks like a code, too." in error.what
    assert "--missing-code -1 --missing-code -999." in error.fix


def test_a_code_becomes_a_missing_score() -> None:
    """Written as -1, -1.0 or -1e0, it is what an empty cell is, and then missing scores are handled as always."""
    coded, empty = ([*RATED, *more] for more in (["-1", "-1.0", "-1e0"], ["", "", ""]))
    other = [*RATED, 5.0, 6.0, 7.0]
    assert scored(coded, other, codes=("-1",)).of("error")[0].what == scored(empty, other).of("error")[0].what
    one = scored(coded, other, codes=("-1",), missing="drop").sound()
    two = scored(empty, other, missing="drop").sound()
    assert [o.segments for o in one.outputs] == [o.segments for o in two.outputs]
    assert one.testset.n == len(RATED)
    assert any(finding.what == "3 cells with -1 are missing, as stated." for finding in one.of("note"))


def test_the_cells_are_those_of_the_first_code() -> None:
    """Of two codes each system is named with how many cells hold the first."""
    one = suspect("quality", {"A": Counter([*RATED, -1.0, -1.0, -9.0]), "B": Counter([*RATED, -9.0])})
    assert one is not None
    assert len(one.codes) == 2
    held = {"-1": {"A": 2}, "-9": {"A": 1, "B": 1}}
    assert one.cells == held[one.codes[0]]


def test_none_says_that_all_numbers_are_scores() -> None:
    """Then nothing is left out, and nothing is asked."""
    found = scored([*RATED, -1, -1], [*RATED, 5.0, 6.0], codes=("none",))
    assert not any("No score is" in one.what for one in found.of("note"))
    loaded = found.sound()
    assert loaded.outputs[0].segments[-1] == "-1"
    assert loaded.testset.n == len(RATED) + 2


def test_a_code_that_is_nowhere_is_reported() -> None:
    """A mistyped code does not pass unseen."""
    loaded = scored(RATED, RATED, codes=("-7",)).sound()
    assert any(finding.what == "No score is -7." for finding in loaded.of("note"))


@pytest.mark.parametrize(
    ("texts", "codes"),
    [(["-1"], ("-1",)), (["-1", "-1.0"], ("-1",)), (["-1, -999"], ("-1", "-999")), (["None"], ("none",)), ([""], ())],
)
def test_codes_are_read_as_numbers(texts: list[str], codes: tuple[str, ...]) -> None:
    """Commas separate them, and each is kept once."""
    assert read_codes(texts) == codes


@pytest.mark.parametrize("texts", [["x"], ["-1", "none"], ["1e999"], ["nan"]])
def test_other_codes_are_refused(texts: list[str]) -> None:
    """A word, none beside a number, and infinity are no codes."""
    with pytest.raises(OptionError, match="missing code"):
        read_codes(texts)


def test_answers_that_look_like_a_code_stay() -> None:
    """-1 as the answer of a system, or as the right one, is no missing score, whatever the codes of scores are."""
    for role in ("system", "reference"):
        answers = Item("A", role, "text", ("-1", "7", "-1"), "A.txt", "")
        assert without(answers, ("-1",)).segments == ("-1", "7", "-1")


def test_ratings_have_the_same_rules() -> None:
    """Ratings with a code are refused, or left out where the code is given."""
    cells = [*RATED, -1, -1]
    columns = {"system": ["A"] * len(cells), "segment": [str(k) for k in range(len(cells))], "score": cells}
    people = judgments("r", columns)
    with pytest.raises(SigError, match="2 cells of A hold -1"):
        rated(people, ())
    assert rated(people, ("-1",)).score.tolist() == list(RATED)
    assert rated(people, ("none",)) is people


def test_a_collection_keeps_the_codes() -> None:
    """The selection changes what is loaded, and is part of the state."""
    text = "item_id,model,quality\n" + "".join(
        f"{k},{name},{-1 if name == 'A' and k % 10 == 3 else k % 7}\n" for k in range(40) for name in "AB"
    )
    collection = data.Collection()
    collection.add([("judge.csv", text.encode())])
    assert collection.loaded().suspect is not None
    before = collection.state
    collection.select(codes=["-1"], missing="drop")
    assert collection.state != before
    assert collection.sound().testset.n == 36
    collection.select(codes=["none"])
    assert collection.sound().testset.n == 40


def test_a_code_exactly_far_above_the_scores() -> None:
    """99 is a code above scores of at most 11, nine times as large; above 11.5 it may be a score."""
    found = suspect("score", {"a": Counter({3.0: 5, 11.0: 5, 99.0: 2})})
    assert found is not None
    assert found.codes == ("99",)
    assert suspect("score", {"a": Counter({3.0: 5, 11.5: 5, 99.0: 2})}) is None


def test_the_cells_are_those_of_the_code_that_is_named() -> None:
    """The other codes are named after them, without a number."""
    error = scored([*RATED, -1, -1, -1], [*RATED, -999, -999, 5.0]).of("error")[0]
    assert error.what.startswith("3 cells of A hold -1.")


def test_none_is_no_code_that_was_not_found() -> None:
    """Nothing is said about none, as it stands for no number."""
    loaded = scored([*RATED, -1, -1], [*RATED, 5.0, 6.0], codes=("none",)).sound()
    assert not any("none" in finding.what for finding in loaded.findings)


@pytest.mark.parametrize(("others", "codes"), [((1, 2, 5, 9, 10), ("-1",)), ((0, 1, 2, 5), ()), ((1, 2.5, 9), ())])
def test_one_number_below_a_scale_from_one_on_is_a_code(others: Sequence[float], codes: tuple[str, ...]) -> None:
    """A judge who failed once in 120 ratings from 1 to 10 wrote one -1, which counted."""
    assert found("score", [*others, -1], [*others, *others]) == codes


def test_a_nine_among_zero_and_one_is_a_code() -> None:
    """Twice is enough; beside other numbers, or without one of both, it is a score."""
    assert found("score", [0, 1, 1, 9], [1, 0, 9, 1]) == ("9",)
    assert found("score", [0, 1, 1, 9], [1, 0, 0, 1]) == ()
    assert found("score", [0, 1, 2, 9], [1, 0, 9, 1]) == ()
    assert found("score", [1, 1, 1, 9], [1, 1, 9, 1]) == ()


BOARD = (38.8, 40.4, 34.9, 26.9, 16.9, 21.3)


def test_zeros_of_some_systems_far_below_all_fractions_are_told() -> None:
    """A board of BLEU had 0 where a system lacks a pair of languages: they counted as scores."""
    loaded = scored([*BOARD[:4], 0, 0], BOARD, "BLEU")
    (told,) = (one for one in loaded.of("warning") if "hold 0" in str(one))
    assert "2 cells of A hold 0. All other scores are between 16.9 and 40.4." in str(told)
    assert loaded.ready is not None


@pytest.mark.parametrize(
    ("measure", "one", "other"),
    [
        ("BLEU", [*BOARD, 0], BOARD),  # a single one
        ("BLEU", [*BOARD, 0, 0], [*BOARD, 0]),  # of all systems: sentences without a match
        ("BLEU", [*BOARD, 0, 0], [*BOARD, 4.9]),  # others are as small
        ("WER", [*BOARD, 0, 0], BOARD),  # no error
        ("points", [80, 55, 70, 0, 0], [60, 75, 90, 85, 50.5]),  # whole numbers
    ],
)
def test_other_zeros_are_scores(measure: str, one: list[float], other: list[float]) -> None:
    n = max(len(one), len(other))
    own = scored([*one, *BOARD[: n - len(one)]], [*other, *BOARD[: n - len(other)]], measure)
    assert not any("hold 0" in str(told) for told in own.findings)


Z = (0.31, -0.52, 0.87, -1.13, 0.244, 1.05)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ([*Z, 0, 0, 0], [*Z, 0.1, 0.2, -0.3], True),
        ([*Z, 0, 0, 0.4], [*Z, 0.1, 0.2, -0.3], False),  # twice
        ([*Z, 0, 0, 0], [*Z, 0, 0.2, -0.3], False),  # of all systems
        ([0.5, -0.5, 0.5, -0.5, 0, 0, 0, 0.5], [0.5, -0.5, 0.5, -0.5, 0.5, 0.5, 0.5, 0.5], False),  # few different ones
        ([0.31, 0.52, 0.1, 0, 0, 0, 0.7], [0.31, 0.22, 0.13, 0.4, 0.5, 0.6, 0.7], False),  # none is negative
    ],
)
def test_zeros_among_fractions_below_and_above_are_told(one: list[float], other: list[float], told: bool) -> None:
    """Human z scores were filled with 0 where three systems were not rated; a warning, as 0 may be one."""
    loaded = scored(one, other, "z scores")
    assert any("hold 0" in str(one) for one in loaded.of("warning")) is told
    assert not any("hold 0" in str(one) for one in loaded.of("error"))
