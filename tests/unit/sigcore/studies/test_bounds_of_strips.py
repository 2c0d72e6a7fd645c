"""The verdict strip at its bounds: rules of programs on draws by hand, verdicts at alpha, and the sentences for each."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigcore.resampling.pvalues import clopper_pearson
from sigcore.studies import statistics, strip
from sigcore.studies.strip import compute, programs
from sigcore.studies.strip.programs import Counted, Pair
from sigcore.studies.strip.result import Elsewhere, Line, StripResult, Tile
from sigcore.testset import Testset
from sigcore.types import DOCUMENT, read_unit
from tests.made import score_set
from tests.unit import factories

of_runs: Any = importlib.import_module("sigcore.studies.strip.of_runs")  # the package has a function of this name
SACRE, AR, MULTEVAL, COMPARE_MT, COMET = strip.PROGRAMS
SETUP = factories.matrix().setup


def pair_of(one: Any, other: Any, better: str = "higher", seed: int = 7, **more: Any) -> Pair:
    testset, outputs = score_set(np.asarray(one, dtype=float), np.asarray(other, dtype=float))
    (measured,) = statistics.measure(testset, outputs, [("own_scores", {"better": better})])
    return Pair(*measured.systems, seed, **more)


def tile(p: float = 0.01, gain: float = 1.0, verdict: str = "significant", unit: str = "segment", **more: Any) -> Tile:
    known = {
        "test": "t", "title": "T", "side": "two-sided", "unit": unit, "drawn": f"9 {unit}s", "units": f"{unit}s", "n": 9, "gain": gain, "p_value": p,
        "p_one_sided": p / 2, "p_interval": (0.0, 0.0), "one_sided_high": 0.0, "resamples": 99, "exact": False, "verdict": verdict,
    }  # fmt: skip
    return Tile(**{**known, **more})


def strip_of(tiles: Any, elsewhere: Any = (), **more: Any) -> StripResult:
    return StripResult(SETUP, "A", "B", (1.0, 2.0), 1.0, 0.05, tuple(tiles), tuple(elsewhere), **more)


# ---- rules of programs


def test_only_larger_differences_count_after_nine_decimals() -> None:
    sizes = np.array([1.0, 1.0 + 4e-10, 1.0 - 4e-10, 1.0 + 1e-9, 2.0, math.nan])
    assert programs._larger(sizes, 1.0) == 2


@pytest.mark.parametrize(
    ("total", "n", "multiple", "parts"),
    [
        (10, 3, 1, [3, 3, 3, 1]),
        (10, 4, 1, [2, 2, 2, 2, 2]),
        (10, 1, 4, [8, 2]),
        (10, 3, 4, [4, 4, 2]),
        (10, 100, 1, [1] * 10),
        (10, 100, 4, [4, 4, 2]),
    ],
)
def test_rows_are_drawn_in_parts_of_a_bounded_size(
    total: int, n: int, multiple: int, parts: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ten numbers; each but the last is a multiple."""
    monkeypatch.setattr(programs, "AT_ONCE", 10)
    assert list(programs._rows(total, n, multiple) if multiple > 1 else programs._rows(total, n)) == parts


def test_shuffles_of_one_segment_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four draws of two segments with differences 3 and 1: of 4, 2, -2 and -4 none is larger than the observed 4."""
    coins = np.array([[1, 1], [0, 1], [1, 0], [0, 0]], dtype=bool)
    asked: list[tuple[int, int, int]] = []
    monkeypatch.setattr(programs, "coins", lambda *of: asked.append(of) or iter([coins[:3], coins[3:]]))
    steps: list[int] = []
    found = programs.shuffled(pair_of([3.0, 2.0], [0.0, 1.0], step=lambda: steps.append(1)), 5)
    assert (found.p, found.count, found.resamples) == (pytest.approx(1 / 10_001), 0, 10_000)
    found = programs.shuffled(pair_of([3.0, 0.0], [0.0, 1.0]), 5)  # observed 2, shuffles of 2, 4, -4 and -2
    assert (found.p, found.count) == (pytest.approx(3 / 10_001), 2)
    assert asked == [(5, 10_000, 2)] * 2
    assert len(steps) == 2
    assert programs.paired_ar(pair_of([3.0, 0.0], [0.0, 1.0], seed=9)).count == 2
    assert programs.multeval(pair_of([3.0, 0.0], [0.0, 1.0], seed=9)).count == 2
    assert [seed for seed, *_ in asked[2:]] == [12345, 9]


def test_sacrebleus_bootstrap_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Absolute differences less their mean, larger than the observed one: of means 3, 1 and -1 by drawing twice one of two."""
    index = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
    monkeypatch.setattr(programs, "drawn", lambda *of: iter([index[:2], index[2:]]))
    found = programs.paired_bs(pair_of([3.0, 0.0], [0.0, 1.0]))  # sizes 3, 1, 1, 1 with the mean 1.5; observed 1
    assert (found.p, found.count, found.resamples) == (pytest.approx(2 / 1_001), 1, 1_000)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("n", [2, 3, 7])
def test_the_winner_of_half_of_the_segments(better: str, n: int) -> None:
    """Samples of half as many segments, rounded down; a program that has a lower score wins where that is better."""
    one, other = np.arange(n, dtype=float), np.full(n, (n - 1) / 2)
    found = programs.win_ratio(pair_of(one, other, better, seed=3))
    draws = np.random.RandomState(3)
    sums = [sum(one[k] - other[k] for k in draws.choice(n, size=n // 2, replace=True)) for _ in range(1_000)]
    ahead, behind = sum(x > 1e-9 for x in sums), sum(x < -1e-9 for x in sums)
    wins = (ahead, behind) if better == "higher" else (behind, ahead)
    assert found.wins == (wins[0] / 1_000, wins[1] / 1_000)
    assert (found.count, found.p, found.resamples) == (1_000 - max(wins), (1_000 - max(wins)) / 1_000, 1_000)


def test_a_winner_of_all_samples_has_p_0() -> None:
    found = programs.win_ratio(pair_of([2.0] * 4, [1.0] * 4))
    assert (found.p, found.count, found.wins) == (0.0, 0, (1.0, 0.0))
    steps: list[int] = []
    programs.win_ratio(pair_of([2.0] * 4, [1.0] * 4, step=lambda: steps.append(1)))
    assert len(steps) == 10


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("n", [2, 3, 10])
def test_comet_compares_wins_are_of_a_thousandth(better: str, n: int) -> None:
    """Of two fifths of the segments, at least one; which system wins depends on which scores are better."""
    one = np.arange(n, dtype=float)
    other = one.copy()
    other[0] += 1.0
    found = programs.t_test(pair_of(one, other, better))
    index = np.random.RandomState(1).choice(n, size=(max(int(n * 0.4), 1), 300), replace=True)
    ahead = float(
        ((index == 0).mean(axis=0) > 0).mean()
    )  # the second system has more wherever the first segment is drawn
    assert found.wins == pytest.approx((0.0, ahead) if better == "higher" else (ahead, 0.0))
    assert found.count is None


@pytest.mark.parametrize(
    ("program", "metric", "n", "reason"),
    [
        (SACRE, "bleu", 2, ""), (SACRE, "bleu", 1, "It is not shown for 1 segment."), (SACRE, "meteor", 2, SACRE.otherwise), (MULTEVAL, "meteor", 2, ""),
        (COMPARE_MT, "wer", 2, ""), (COMET, "own_scores", 1, "It is not shown for 1 segment."), (COMET, "bleu", 9, COMET.otherwise),
    ],
)  # fmt: skip
def test_why_a_program_prints_nothing(program: Any, metric: str, n: int, reason: str) -> None:
    assert programs.why_not(program, metric, n) == reason


@pytest.mark.parametrize(
    ("program", "p", "printed"),
    [(SACRE, 0.04995, "0.0500"), (MULTEVAL, 0.0449, "0.04"), (COMPARE_MT, 1.0, "1.0000"), (COMET, math.nan, "nan")],
)
def test_p_has_the_decimals_of_the_program(program: Any, p: float, printed: str) -> None:
    assert program.printed(p).replace("0.0499", "0.0500") == printed


@pytest.mark.parametrize(
    ("program", "title"),
    [
        (SACRE, "sacreBLEU --paired-bs"),
        (AR, "sacreBLEU --paired-ar"),
        (MULTEVAL, "MultEval"),
        (COMPARE_MT, "compare-mt"),
    ],
)
def test_an_option_tells_two_tests_of_a_program_apart(program: Any, title: str) -> None:
    assert program.title == title


# ---- verdicts


@pytest.mark.parametrize(
    ("p", "gain", "significant", "level"),
    [
        (0.0499, 1.0, True, 1),
        (0.0499, -1.0, True, -1),
        (0.0499, 0.0, True, 0),
        (0.05, 1.0, False, 0),
        (math.nan, 1.0, False, 0),
    ],
)
def test_programs_mark_p_below_alpha(p: float, gain: float, significant: bool, level: int) -> None:
    """Not at alpha."""
    one = Elsewhere(MULTEVAL, Counted(p, 4, 99), gain, 0.05)
    assert (one.significant, one.level) == (significant, level)
    assert one.why == MULTEVAL.why
    line = Line.of_program(one)
    assert (line.verdict, line.level, line.unit) == (
        "significant" if significant else "not significant",
        level,
        "segments",
    )
    assert Line.of_program(replace(one, program=COMPARE_MT)).unit == "half of the segments"


def test_draws_without_a_seed_have_an_interval() -> None:
    counted = Counted(0.04, 4, 99)
    assert Elsewhere(MULTEVAL, counted, 1.0, 0.05).interval == pytest.approx(tuple(map(float, clopper_pearson(4, 99))))
    assert Elsewhere(MULTEVAL, Counted(0.01, 0, 99), 1.0, 0.05).interval[0] == 0.0
    for one in (
        Elsewhere(SACRE, counted, 1.0, 0.05),
        Elsewhere(MULTEVAL, Counted(0.04), 1.0, 0.05),
        Elsewhere(MULTEVAL, None, 1.0, 0.05, "x"),
    ):
        assert all(math.isnan(end) for end in one.interval)
    assert strip.PROGRAM["resamples"].value(Elsewhere(COMET, Counted(0.5), 1.0, 0.05)) == 0
    none = Elsewhere(MULTEVAL, None, 1.0, 0.05, "x")
    assert (math.isnan(none.p_value), none.printed, none.why, none.level) == (True, "", "x", 0)
    line = Line.of_program(none)
    assert (line.verdict, line.p_text, line.why) == ("not shown", "n/a", "x")


@pytest.mark.parametrize(
    ("verdict", "gain", "level"),
    [("significant", 1.0, 1), ("significant", -1.0, -1), ("not significant", 1.0, 0), ("undefined", 1.0, 0)],
)
def test_a_tile_says_which_way_a_gain_goes(verdict: str, gain: float, level: int) -> None:
    one = tile(verdict=verdict, gain=gain)
    assert one.level == level
    assert one.significant is (verdict == "significant")
    assert Line.of_tile(one).p_text == one.p_text
    assert Line.of_tile(replace(one, exact=True)).p_text == f"{one.p_text} (exact)"


YES, NO = Elsewhere(SACRE, Counted(0.01, 9, 999), 1.0, 0.05), Elsewhere(AR, Counted(0.06, 59, 999), 1.0, 0.05)
ALSO = Elsewhere(MULTEVAL, Counted(0.06, 59, 999), 1.0, 0.05)
NOT = Elsewhere(COMET, None, 1.0, 0.05, "x")


@pytest.mark.parametrize(
    ("elsewhere", "more", "words"),
    [
        ((), {}, ""), ((NOT,), {}, ""), ((YES, NOT), {}, " Other programs: p is below alpha in sacreBLEU --paired-bs."),
        ((NO,), {}, " Other programs: p is not below alpha in sacreBLEU --paired-ar."),
        ((YES, NO, ALSO), {}, " Other programs: p is below alpha in sacreBLEU --paired-bs, and not in sacreBLEU --paired-ar and MultEval."),
        ((), {"same": True}, " The two outputs have the same statistics on every segment, so there is nothing to find."),
        ((), {"same": True, "runs": (2, 3)}, " Summed over the runs, both systems have the same statistics everywhere."), ((), {"runs": (2, 3)}, ""),
    ],
)  # fmt: skip
def test_who_finds_a_difference_in_words(elsewhere: Any, more: dict[str, Any], words: str) -> None:
    """Tests without a p are not counted."""
    tiles = [tile(), tile(verdict="not significant", p=0.5), tile(math.nan, verdict="undefined"), tile(unit="document")]
    found = str(strip_of(tiles, elsewhere, **more))
    assert (
        found
        == f"At alpha 0.05, a difference is found by 1 of 2 tests over segments and 1 of 1 test over documents.{words}"
    )


@pytest.mark.parametrize(
    ("tiles", "elsewhere", "same", "agree"),
    [
        ([tile(), tile()], (YES,), False, True), ([tile(), tile()], (YES, NO), False, False), ([tile(), tile(gain=-1.0)], (), False, False), ([tile()], (YES,), True, False),
        ([tile(), tile(math.nan, verdict="undefined")], (NOT,), False, True), ([tile(), tile(verdict="not significant", p=0.5)], (), False, False),
        ([tile()], (Elsewhere(COMET, Counted(math.nan), 1.0, 0.05),), False, True), ([tile()], (NO,), False, False),
    ],
)  # fmt: skip
def test_all_agree_where_they_say_the_same(tiles: Any, elsewhere: Any, same: bool, agree: bool) -> None:
    """Of those with a p."""
    assert strip_of(tiles, elsewhere, same=same).agree is agree


@pytest.mark.parametrize(("names", "words"), [(["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")])
def test_names_in_a_sentence(names: list[str], words: str) -> None:
    assert strip.result._and(names) == words


def test_rows_are_those_that_print_something() -> None:
    found = strip_of([tile(), tile(unit="document", chosen=True)], (YES, NOT))
    assert [row["test"] for row in found.rows()] == ["T", "T", "sacreBLEU --paired-bs"]
    assert [line.verdict for line in found.lines] == ["significant"] * 3 + ["not shown"]
    assert [line.chosen for line in found.lines] == [False, True, False, False]
    assert found.units == ("segment", "document")
    assert [one.unit for one in found.over("document")] == ["document"]


# ---- what is computed


@pytest.mark.parametrize(
    ("documents", "chosen", "found"),
    [
        ((), "segment", ["segment"]), (("a", "a", "b"), "segment", ["segment", "document"]), (("a", "b", "c"), "segment", ["segment"]), (("a", "a", "a"), "segment", ["segment"]),
        (("a", "a", " "), "segment", ["segment"]), (("a", "a", "b"), "document", ["segment", "document"]), ((), "block:2", ["segment", "block:2"]),
        (("a", "a", "b"), "block:2", ["segment", "document", "block:2"]),
    ],
)  # fmt: skip
def test_the_units_of_a_strip(documents: tuple[str, ...], chosen: str, found: list[str]) -> None:
    """Documents where some, but not all, segments share one."""
    testset = Testset("t", "scores", 3, documents=documents)
    assert [str(unit) for unit in compute.units_of(testset, read_unit(chosen))] == found


@pytest.mark.parametrize(
    ("tests", "own", "words"),
    [
        ([("x", 0.5)], [], []), ([("bootstrap", math.nan)], [], ["fewer than 10 units"]), ([("x", math.nan)], [], []), ([("bootstrap", 0.5)], [], []),
        ([("x", 0.5)], ["MultEval"], ["The rule of MultEval"]), ([("x", 0.5)], ["MultEval", "compare-mt"], ["The rules of MultEval and compare-mt"]),
        ([("x", 0.5), ("bootstrap", math.nan)], ["MultEval"], ["fewer than 10 units", "The rule of MultEval"]),
    ],
)  # fmt: skip
def test_notes_of_a_strip(tests: Any, own: list[str], words: list[str]) -> None:
    found = list(compute._notes([tile(p, test=test) for test, p in tests], own))
    assert len(found) == len(words)
    assert all(word in note for word, note in zip(words, found, strict=True))


# ---- several runs


def sided(p: float = 0.01, *, as_printed: str = "", no_verdict: bool = False, gain: float = 1.0) -> Any:
    def read(value: float) -> Any:
        shuffle = SimpleNamespace(
            side="two-sided",
            unit=DOCUMENT,
            n=1_200,
            resamples=99,
            as_printed=as_printed,
            no_verdict=lambda _: no_verdict,
        )
        return SimpleNamespace(
            grid=SimpleNamespace(gains=np.array([[0.0, gain], [-gain, 0.0]])),
            shuffle=shuffle,
            shuffled_p=np.array([[1.0, value], [value, 1.0]]),
        )

    return of_runs._Sided(SimpleNamespace(sizes=(2, 3)), read(p), read(p / 2), 0.05)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("p", "more", "drawn", "shuffled", "verdict"),
    [
        (0.05, {}, True, True, "significant"), (0.0501, {}, True, True, "not significant"), (math.nan, {}, True, True, "undefined"),
        (0.01, {"as_printed": "x"}, True, False, of_runs.NO_VERDICT), (0.01, {"as_printed": "x"}, False, False, "significant"),
        (0.01, {"no_verdict": True}, True, True, of_runs.NO_VERDICT), (0.01, {"no_verdict": True}, True, False, "significant"), (0.01, {"no_verdict": True}, False, True, "significant"),
    ],
)  # fmt: skip
def test_a_verdict_on_runs(p: float, more: dict[str, Any], drawn: bool, shuffled: bool, verdict: str) -> None:
    """None on a p as it is printed elsewhere, or where the shuffles are too few."""
    one = sided(p, **more)
    assert one.verdict(p, drawn, shuffled) == verdict


def test_a_tile_of_runs_has_its_numbers() -> None:
    one = sided(0.04).tile("x", "X", "shuffled_p", (0.03, 0.05), chosen=True)
    assert (one.p_value, one.p_one_sided, one.p_interval, one.gain, one.n) == (0.04, 0.02, (0.03, 0.05), 1.0, 1_200)
    assert (one.drawn, one.units, one.unit, one.resamples, one.exact, one.chosen) == (
        "1,200 documents",
        "documents",
        "document",
        99,
        False,
        True,
    )
    other = sided(0.04).tile("x", "X", "shuffled_p", drawn=False)
    assert (other.resamples, other.chosen) == (0, False)
    assert all(math.isnan(end) for end in other.p_interval)
    runs = of_runs._t(replace_p(sided(0.04)))
    assert (runs.unit, runs.drawn, runs.units, runs.n, runs.resamples, runs.test) == (
        "run",
        "2 + 3 runs",
        "runs",
        5,
        0,
        "runs_t",
    )


def replace_p(one: Any) -> Any:
    """The same numbers under the name of the t test."""
    for result in (one.own, one.toward):
        result.run_p = result.shuffled_p  # type: ignore[misc]
    return one


@pytest.mark.parametrize(
    ("program", "metric", "theirs", "reason", "larger"),
    [
        (SACRE, "bleu", True, of_runs.ONE_OUTPUT, None), (MULTEVAL, "bleu", False, of_runs.AS_MANY, None), (MULTEVAL, "chrf", True, MULTEVAL.otherwise, None),
        (MULTEVAL, "chrf", False, of_runs.AS_MANY, None), (MULTEVAL, "bleu", True, of_runs.SHUFFLED, 7),
    ],
)  # fmt: skip
def test_multeval_alone_takes_runs(program: Any, metric: str, theirs: bool, reason: str, larger: int | None) -> None:
    """p is (c + 1) / 10,001 of the shuffles that are larger."""
    counts = np.zeros((3, 2, 1), dtype=np.int64)
    counts[of_runs.SIDES.index("two-sided"), 0, 0] = 7
    run = SimpleNamespace(of=lambda _: SimpleNamespace(shuffled=SimpleNamespace(counts=counts))) if theirs else None
    found = of_runs._elsewhere(program, run, metric, 1.0, SimpleNamespace(alpha=0.05))  # type: ignore[arg-type]
    assert found.reason == reason
    assert (found.counted is None) is (larger is None)
    if found.counted is not None:
        assert (found.counted.count, found.counted.resamples, found.p_value) == (7, 10_000, pytest.approx(8 / 10_001))
