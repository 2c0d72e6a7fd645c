"""The whole study of a matrix: pairs with gaps, counts, corrections, notes, and what depends on what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from sigcore import corrections
from sigcore.errors import Cancelled, OptionError, Undefined, UnknownMember
from sigcore.executors import Serial, Threads
from sigcore.score_matrix import ScoreMatrix
from sigcore.studies import scores
from sigcore.studies.scores import compute as inside
from sigcore.study import Runtime


def matrix(n: int = 24, machines: int = 5, humans: int = 2, seed: int = 0, **changes: Any) -> ScoreMatrix:
    """Machines on every document, better humans on half of them each."""
    rng = np.random.default_rng(seed)
    count = machines + humans
    values = rng.normal(0, 1, (n, 1)) + rng.normal(0, 0.5, (n, count)) + 0.25 * np.arange(count)
    for k in range(humans):
        values[k % 2 :: 2, machines + k] = np.nan  # two humans share no document
    names = tuple(f"m{k}" for k in range(machines)) + tuple(f"h{k}" for k in range(humans))
    documents = tuple(f"d{k}" for k in range(n))
    return ScoreMatrix("made", documents, names, values, names[machines:], **changes)


RUN = scores.run(matrix(), resamples=400, runtime=Runtime(executor=Serial()))


def test_each_pair_is_compared_where_both_have_scores() -> None:
    """n, gain, every statistic and p of a pair are those of scipy on the documents both have."""
    values = RUN.matrix.values
    for k, (i, j) in enumerate(RUN.pairs):
        both = ~np.isnan(values[:, i]) & ~np.isnan(values[:, j])
        x, y = values[both, i], values[both, j]
        assert RUN.n[k] == both.sum()
        assert RUN.gains[k] == pytest.approx((x - y).mean() if both.any() else np.nan, nan_ok=True)
        if both.sum() < scores.LEAST:
            assert RUN.few[k]
            assert np.isnan(RUN.p_theory[:, k]).all()
            continue
        tests = stats.ttest_ind(x, y), stats.ttest_rel(x, y), stats.wilcoxon(x, y, zero_method="pratt")
        np.testing.assert_allclose(RUN.p_theory[:, k], [t.pvalue for t in tests], rtol=1e-9)
        np.testing.assert_allclose(RUN.statistics[:2, k], [t.statistic for t in tests[:2]], rtol=1e-9)
        plus, minus = RUN.plus[k], RUN.plus[k] - RUN.statistics[2, k]
        assert min(plus, minus) == pytest.approx(tests[2].statistic)


def test_a_pair_does_not_depend_on_the_others() -> None:
    """Two columns alone give the same counts, and so the same p, as among seven; cut-offs to the last digits."""
    part = RUN.matrix
    both = ScoreMatrix("two", part.documents, part.systems[:2], part.values[:, :2])
    alone = scores.run(both, resamples=400, runtime=Runtime(executor=Serial()))
    np.testing.assert_array_equal(alone.counts[..., 0], RUN.counts[..., 0])
    np.testing.assert_allclose(alone.cutoffs[..., 0, :], RUN.cutoffs[..., 0, :], rtol=1e-12)


def test_workers_change_no_bit() -> None:
    """Three workers give the same counts and the same cut-offs as one, to the last bit."""
    one, other = (scores.run(matrix(), resamples=1500, runtime=Runtime(executor=e)) for e in (Serial(), Threads(3)))
    np.testing.assert_array_equal(other.counts, one.counts)
    np.testing.assert_array_equal(other.cutoffs, one.cutoffs)
    np.testing.assert_array_equal(other.p_theory, one.p_theory)


def test_portions_change_no_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory that holds one pair at a time gives the same counts."""
    monkeypatch.setattr(inside, "AT_ONCE", 1)
    other = scores.run(matrix(), resamples=400, runtime=Runtime(executor=Serial()))
    np.testing.assert_array_equal(other.counts, RUN.counts)
    np.testing.assert_allclose(other.cutoffs, RUN.cutoffs, rtol=1e-12)


def test_lower_scores_may_be_better() -> None:
    """Where lower is better, gains and statistics change their sign and nothing else."""
    turned = scores.run(matrix(better="lower"), resamples=400, runtime=Runtime(executor=Serial()))
    np.testing.assert_array_equal(turned.gains, -RUN.gains)
    np.testing.assert_array_equal(turned.statistics, -RUN.statistics)
    np.testing.assert_array_equal(turned.counts, RUN.counts)


def test_counts_are_those_of_the_paper() -> None:
    """All pairs, and those of one human and one machine; raw and corrected over the pairs of the row."""
    result = scores.read(RUN, "holm")
    holm = corrections.get("holm").adjust
    mixed = np.array([len({"h" in RUN.matrix.systems[i], "h" in RUN.matrix.systems[j]}) == 2 for i, j in RUN.pairs])
    for family, chosen in (("all", np.ones(21, dtype=bool)), ("human_machine", mixed)):
        for s, statistic in enumerate(scores.STATISTICS):
            p = RUN.p_theory[s, chosen & ~RUN.few]
            count = result.count(family, "theory", statistic, 0.05)
            assert (count.pairs, count.tested) == (int(chosen.sum()), len(p))
            assert count.raw == (p <= 0.05).sum()
            assert count.corrected == (holm(p) <= 0.05).sum()
    assert mixed.sum() == 10
    assert len(result.counts(0.05)) == 18


def test_without_humans_there_is_one_table() -> None:
    """Counts of humans against machines need humans; they may be marked when the run is read."""
    result = scores.read(RUN, humans=())
    assert {c.family for c in result.counts(0.05)} == {"all"}
    with pytest.raises(Undefined, match="human and machine"):
        result.count("human_machine", "theory", "t", 0.05)
    assert scores.read(RUN, humans=["m0"]).mixed.sum() == 6
    with pytest.raises(UnknownMember):
        scores.read(RUN, humans=["m9"])


def test_p_of_the_draws_follows_the_estimator() -> None:
    """(c + 1) / (R + 1), or c / R."""
    valid, paper = scores.read(RUN), scores.read(RUN, estimator="paper")
    told = ~RUN.few
    np.testing.assert_allclose(valid.p_values[1:, :, told], (RUN.counts[..., told] + 1) / 401)
    np.testing.assert_allclose(paper.p_values[1:, :, told], RUN.counts[..., told] / 400)
    assert np.isnan(valid.p_values[1:, :, RUN.few]).all()


def discrete(n: int, seed: int) -> ScoreMatrix:
    """Eight systems with scores 0 to 3, two of them the same, one shifted by a constant, a few cells missing."""
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 4, (n, 8)).astype(float)
    values[:, 5], values[:, 6] = values[:, 4], values[:, 4] + 1
    values[0, 7] = np.nan
    return ScoreMatrix("coarse", tuple(map(str, range(n))), tuple("abcdefgh"), values)


@pytest.mark.parametrize("estimator", ["valid", "paper"])
@pytest.mark.parametrize("n", [6, 7, 9, 12, 30, None])
def test_cutoffs_part_the_pairs(n: int | None, estimator: str) -> None:
    """A pair reaches the cut-off exactly where its p is at most alpha: every statistic, in theory, by MC and by HB, on
    coarse and on fine scores, with ties, identical systems and constant gains."""
    run = RUN if n is None else scores.run(discrete(n, n), resamples=400, runtime=Runtime(executor=Serial()))
    result = scores.read(run, estimator=estimator)
    for alpha in scores.LEVELS:
        reached = np.abs(run.statistics)[None] >= result.cutoffs(alpha)
        np.testing.assert_array_equal(reached, result.p_values <= alpha)


def test_cutoffs_are_those_of_the_levels_asked_for() -> None:
    """Other alphas must be asked for."""
    with pytest.raises(Undefined, match=r"0\.02"):
        scores.read(RUN).cutoffs(0.02)
    asked = scores.run(matrix(), resamples=50, levels=(0.02,), runtime=Runtime(executor=Serial()))
    assert asked.cutoffs.shape[-1] == 1


def test_the_null_of_one_pair_is_the_one_that_was_counted() -> None:
    """Its draws reach the statistic exactly as often as the counts say."""
    k = int(np.argmax(~RUN.few))
    drawn = scores.null_of(RUN, k)
    assert drawn.shape == (2, 3, 400)
    reached = (drawn >= np.abs(RUN.statistics[:, k])[:, None] - 1e-9).sum(axis=-1)
    np.testing.assert_array_equal(reached, RUN.counts[..., k])
    assert scores.pair_of(RUN, k).n == RUN.n[k]
    with pytest.raises(Undefined, match="no null"):
        scores.null_of(scores.run(matrix(n=4), resamples=50, runtime=Runtime(executor=Serial())), 0)


def test_a_pair_is_found_either_way() -> None:
    """The other direction has the same place and a minus."""
    result = scores.read(RUN)
    assert result.place("m0", "m2") == (1, 1)
    assert result.place("m2", "m0") == (1, -1)
    for names in (("m0", "m0"), ("m0", "nobody")):
        with pytest.raises(Undefined, match="no such pair"):
            result.place(*names)


def odd() -> ScoreMatrix:
    """A system, itself, itself and a constant, one without scores, one that is flat."""
    rng = np.random.default_rng(1)
    x = np.round(rng.normal(size=12), 1)
    columns = [x, x, x + 0.5, np.full(12, np.nan), np.full(12, 7.0), np.full(12, 8.0)]
    names = ("x", "again", "more", "nothing", "flat", "level")
    return ScoreMatrix("odd", tuple(f"d{k}" for k in range(12)), names, np.column_stack(columns))


def test_what_cannot_be_tested_is_explained() -> None:
    """Identical systems give p = 1, a constant gain has no theoretical T, a system without scores no p: all are told."""
    result = scores.read(scores.run(odd(), resamples=200, runtime=Runtime(executor=Serial())))
    run = result.run
    same, _ = result.place("x", "again")
    assert (result.p_values[..., same] == 1).all()
    shifted, _ = result.place("x", "more")
    assert np.isnan(result.p_values[0, 1, shifted])
    assert (result.p_values[1:, :, shifted] < 0.05).all()
    assert run.few.sum() == 5
    told = "\n".join(result.notes(0.05))
    assert "x and again have the same score on every document: p = 1" in told
    assert "5 pairs of 15 cannot be tested" in told
    assert "a standard error of zero" in told
    assert "12 of 72 scores are missing" in told


def test_too_few_draws_for_a_correction_are_told() -> None:
    """With 400 draws and 20 tested pairs Holm cannot reach 0.01; the note says how many draws it takes."""
    assert "Use at least 2,000 draws" in "\n".join(scores.read(RUN, "holm").notes(0.01))
    for quiet in (scores.read(RUN, "holm").notes(0.05), scores.read(RUN, "none").notes(0.01)):
        assert "Ask for" not in "\n".join(quiet)
    assert "Ask for" not in "\n".join(scores.read(RUN, "holm", "paper").notes(0.01))


@pytest.mark.parametrize("n", [1, 5])
def test_too_few_documents_give_no_p_and_no_failure(n: int) -> None:
    """With fewer than six documents nothing is tested, and every count is of nothing."""
    result = scores.read(scores.run(matrix(n=n), resamples=50, runtime=Runtime(executor=Serial())))
    assert np.isnan(result.p_values).all()
    assert all(c.raw == c.tested == 0 for c in result.counts(0.05))
    assert "cannot be tested" in "\n".join(result.notes(0.05))


def test_wrong_questions_are_refused() -> None:
    """One system, no document, numbers out of range."""
    whole = matrix()
    with pytest.raises(Undefined, match="only one system"):
        scores.run(ScoreMatrix("one", ("d",), ("s",), [[1.0]]))
    with pytest.raises(Undefined, match="no document"):
        scores.run(ScoreMatrix("none", (), ("s", "t"), np.zeros((0, 2))))
    for wrong in ({"resamples": 0}, {"seed": -1}, {"zeros": "drop"}, {"levels": (0.0,)}):
        with pytest.raises(OptionError):
            scores.run(whole, **wrong)
    with pytest.raises(OptionError, match="valid, paper"):
        scores.read(RUN, estimator="best")
    with pytest.raises(UnknownMember, match="holm"):
        scores.read(RUN, "helm")


def test_progress_counts_to_the_end_and_can_stop() -> None:
    """Every block is told once; an error from the listener ends the work."""
    seen: list[tuple[int, int]] = []
    scores.run(
        matrix(),
        resamples=600,
        runtime=Runtime(executor=Serial(), progress=lambda _, done, total: seen.append((done, total))),
    )
    assert [done for done, _ in seen] == list(range(1, seen[0][1] + 1))

    def stop(phase: str, done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        scores.run(matrix(), resamples=600, runtime=Runtime(executor=Serial(), progress=stop))


def test_the_signature_says_how_to_do_it_again() -> None:
    """Another seed, rule, correction or cell changes it."""
    base = scores.read(RUN).signature
    assert "zeros:pratt" in base
    assert "resamples:400" in base
    other = scores.run(matrix(seed=1), resamples=400, runtime=Runtime(executor=Serial()))
    assert scores.read(other).signature != base
    assert scores.read(RUN, "none").signature != base


@pytest.mark.parametrize("power", [-900, -300, 300, 1015])
def test_p_does_not_depend_on_the_unit_of_the_scores(power: int) -> None:
    """Scores times a power of two, however small or large, have the same statistics, p, counts and cut-offs."""
    there = RUN.matrix
    scaled = ScoreMatrix("made", there.documents, there.systems, there.values * 2.0**power, there.humans)
    run = scores.run(scaled, resamples=400, runtime=Runtime(executor=Serial()))
    for name in ("statistics", "p_theory", "counts", "cutoffs", "efficiency"):
        np.testing.assert_array_equal(getattr(run, name), getattr(RUN, name))


def test_a_count_that_the_draws_keep_at_zero_is_not_shown() -> None:
    """With 400 draws Holm over 20 pairs cannot reach 0.01, and no single p can reach 0.001: "n/a", not 0."""
    result = scores.read(RUN, "holm")
    assert result.least_p("mc") == 1 / 401
    assert result.least_p("mc", 20) == 20 / 401
    assert result.least_p("theory", 20) == scores.read(RUN, "holm", "paper").least_p("mc", 20) == 0
    at = {alpha: result.count("all", "mc", "t", alpha) for alpha in (0.05, 0.01, 0.001)}
    assert str(at[0.05]) == f"{at[0.05].raw} ({at[0.05].corrected})"
    assert str(at[0.01]) == f"{at[0.01].raw} (n/a)"
    assert str(at[0.001]) == "n/a (n/a)"
    assert "n/a" not in str(result.count("all", "theory", "t", 0.001))
