"""People's conclusions: rank-sum tests of all pairs, ties broken by the next dimension, and all that can be missing."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore.errors import OptionError, Undefined
from sigcore.judgments import Judgments, judgments
from sigcore.studies.human.gold import People, people
from tests.oracles import judging
from tests.unit.judged import SYSTEMS, made, ratings

BOTH = (("adequacy", ratings()), ("fluency", ratings("fluency")))


def slow(dimension: str) -> dict[tuple[str, str], float]:
    """One-sided p of every ordered pair, by loops."""
    rows = dict(BOTH)[dimension]
    cells = judging.segment_means(rows, judging.z_scores(rows, "all"))
    values = {system: [round(z, 10) for z in part.values()] for system, part in cells.items()}
    return {(a, b): judging.rank_sum(values[a], values[b]) for a in values for b in values if a != b}


def grid(found: People, place: int) -> dict[tuple[str, str], float]:
    p = found.rated[place].p_values
    names = found.systems
    return {(a, b): float(p[i, j]) for i, a in enumerate(names) for j, b in enumerate(names) if i != j}


def test_p_values_are_those_of_the_slow_way():
    """The rank-sum p of every ordered pair in both dimensions equals that of loops and definitions."""
    found = people(made(*BOTH))
    assert found.dimensions == ("adequacy", "fluency")
    assert sorted(found.systems) == sorted(SYSTEMS)
    for place, dimension in enumerate(found.dimensions):
        assert grid(found, place) == pytest.approx(slow(dimension), rel=1e-9)
        assert np.diag(found.rated[place].p_values).tolist() == [1.0] * 5


def test_systems_stand_best_first_with_their_scores():
    """The order is that of the first dimension; scores, raw scores and counts belong to the systems."""
    found = people(made(*BOTH))
    first = found.rated[0]
    assert (np.diff(first.scores) <= 0).all()
    cells = judging.segment_means(BOTH[0][1], judging.z_scores(BOTH[0][1], "all"))
    assert first.scores.tolist() == pytest.approx(
        [sum(cells[s].values()) / len(cells[s]) for s in found.systems], abs=1e-9
    )
    assert first.segments.tolist() == [len(cells[s]) for s in found.systems]
    assert first.raw.min() > 0


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001, 0.3])
@pytest.mark.parametrize("order", [("adequacy", "fluency"), ("fluency", "adequacy"), ("adequacy",)])
def test_conclusions_follow_the_first_dimension_that_decides(alpha, order):
    """Every conclusion equals that of the rule read aloud: adequacy, else fluency, else a tie."""
    found = people(made(*BOTH), dimensions=order)
    decided = found.decided(alpha)
    p = {dimension: slow(dimension) for dimension in order}
    for i, a in enumerate(found.systems):
        for j, b in enumerate(found.systems):
            if i != j:
                both = [(p[d][a, b], p[d][b, a]) for d in order]
                assert decided.conclusions[i, j] == judging.conclusion(both, alpha)
    assert (decided.conclusions == -decided.conclusions.T).all()
    assert decided.known.sum() == 20


def test_the_value_shown_is_that_of_the_dimension_that_decides():
    """Adequacy's p where adequacy decides, else fluency's; which one it was is told."""
    found = people(made(*BOTH))
    decided = found.decided(0.05)
    assert set(decided.by.ravel().tolist()) == {-1, 0, 1}
    for place in (0, 1):
        here = decided.by == place
        assert (decided.p_values[here] == found.rated[place].p_values[here]).all()
    none = (decided.by == -1) & decided.known
    assert (decided.p_values[none] == found.rated[1].p_values[none]).all()


def test_levels_grow_with_the_evidence():
    """The size of a verdict is 1, 2 or 3 by p <= alpha, .01, .001, its sign says for whom; nan on the diagonal."""
    found = people(made(*BOTH))
    for place in (0, 1):
        levels, p = found.levels(0.05, place), found.rated[place].p_values
        assert np.isnan(np.diag(levels)).all()
        for i, j in np.argwhere(~np.eye(5, dtype=bool)):
            least = min(p[i, j], p[j, i])
            size = 0 if least > 0.05 else 1 + (least <= 0.01) + (least <= 0.001)
            assert levels[i, j] == (size if p[i, j] < p[j, i] else -size)
    assert (
        np.sign(found.levels(0.05))[~np.eye(5, dtype=bool)] == found.decided(0.05).conclusions[~np.eye(5, dtype=bool)]
    ).all()


def test_two_chances_are_more_than_one():
    """Two equal systems are told apart with a chance of 2 alpha by one dimension, of 1 - (1 - 2 alpha)^2 by two."""
    assert people(made()).chance(0.05) == pytest.approx(0.10)
    assert people(made(*BOTH)).chance(0.05) == pytest.approx(0.19)


def small(*rows: tuple[str, str, str, float, str]) -> Judgments:
    """Rows of (judge, system, segment, score, dimension)."""
    columns = ("judge", "system", "segment", "score", "dimension")
    return judgments("small", dict(zip(columns, zip(*rows, strict=True), strict=True)))


def test_a_system_without_a_rating_in_a_dimension_is_told():
    """Its p is nan there, the other dimension decides, and a note says so; without any common dimension nobody knows."""
    rows = [("j", "A", str(k), 10.0 + k, "adequacy") for k in range(20)]
    rows += [("j", "B", str(k), 40.0 + k, "adequacy") for k in range(20)]
    rows += [("j", s, str(k), 10.0 * n + k, "fluency") for n, s in enumerate("ABC") for k in range(20)]
    rows += [("j", "D", "1", 3.0, "adequacy")]
    found = people(small(*rows))
    place = {system: k for k, system in enumerate(found.systems)}
    c, a, d = place["C"], place["A"], place["D"]
    assert np.isnan(found.rated[0].p_values[a, c])
    assert np.isnan(found.rated[0].scores[c])
    decided = found.decided(0.05)
    assert decided.known[a, c]
    assert decided.conclusions[c, a] == 1
    assert not decided.known[c, d]
    assert decided.conclusions[c, d] == 0
    assert np.isnan(found.levels(0.05)[c, d])
    told = " ".join(found.notes)
    assert "No rating for adequacy: C." in told
    assert "No rating for fluency: D." in told
    assert "Few segments were rated for adequacy, so p is approximate: D (1)" in told


def test_ties_everywhere_are_ties():
    """Where every output gets the same z, every p is 1 and nobody is better."""
    rows = [("j", s, str(k), float(k), "adequacy") for s in "ABC" for k in range(12)]
    found = people(small(*rows))
    assert (found.rated[0].p_values == 1.0)[np.triu_indices(3, 1)].sum() == 0
    assert (found.rated[0].p_values > 0.5).all()
    assert not found.decided(0.05).conclusions.any()
    same = people(
        judgments(
            "same",
            {"system": ["A", "B"] * 5, "segment": [str(k // 2) for k in range(10)], "score": [7.0] * 10},
            absolute=True,
        )
    )
    assert (same.rated[0].p_values == 1.0).all()


def test_what_is_left_out_is_told():
    """Judges without a scale and systems that only they rated are named; nothing vanishes silently."""
    rows = [("j", s, str(k), 10.0 * n + k % 3, "adequacy") for n, s in enumerate("AB") for k in range(12)]
    rows += [("once", "C", "1", 50.0, "adequacy")]
    found = people(small(*rows))
    assert found.systems == ("B", "A")
    told = " ".join(found.notes)
    assert "1 judge with 1 rating left out: once (1 rating)." in told
    assert "Rated only by judges who are left out: C." in told
    assert [judge.name for judge in found.dropped] == ["once"]


def test_ratings_that_lack_something_are_told():
    """Missing z, missing judges and unknown kinds are counted in notes."""
    columns = {
        "system": ["A", "B"] * 6,
        "segment": [str(k // 2) for k in range(12)],
        "score": [float(k) for k in range(12)],
    }
    z = [0.1 * k for k in range(11)] + [float("nan")]
    given = people(judgments("z", {**columns, "z": z, "judge": ["p"] * 12}), "given")
    assert "1 rating has no z in the file, and is left out." in " ".join(given.notes)
    assert "Was it computed from other ratings?" in " ".join(given.notes)
    part = people(
        judgments("j", {**columns, "judge": ["p"] * 10 + [""] * 2, "kind": ["ordinary"] * 11 + ["other"]}), "all"
    )
    told = " ".join(part.notes)
    assert "2 ratings name no judge. One unnamed judge is assumed." in told
    assert "1 rating is of an unknown type" in told


def test_wrong_questions_are_refused():
    """A dimension that was not rated, and ratings of which none counts."""
    with pytest.raises(OptionError, match="style was not rated"):
        people(made(), dimensions=("style",))
    with pytest.raises(Undefined, match="No rating for adequacy counts"):
        people(judgments("x", {"system": ["A"], "segment": ["1"], "score": [1], "kind": ["reference"]}, absolute=True))


def test_progress_is_told_and_can_cancel():
    """Each row of a grid is reported, so that a long one can be stopped."""
    seen = []
    people(made(*BOTH), progress=lambda *parts: seen.append(parts))
    assert [part[0] for part in seen] == ["rank-sum tests for adequacy"] * 5 + ["rank-sum tests for fluency"] * 5


def test_p_equal_to_alpha_decides():
    """The level is reached where p equals it exactly, from either side, and one step of a float below it is not."""
    found = people(made(("adequacy", ratings())))
    p = found.rated[0].p_values
    i, j = np.argwhere((p > 1e-3) & (p < 0.4))[0]
    at, below = (float(level) for level in (p[i, j], np.nextafter(p[i, j], 0)))
    for place in (None, 0):
        assert found.levels(at, place)[i, j] > 0
        assert found.levels(at, place)[j, i] < 0
        assert found.levels(below, place)[i, j] == found.levels(below, place)[j, i] == 0
    decided = found.decided(at)
    assert (decided.conclusions[i, j], decided.conclusions[j, i]) == (1, -1)
    assert (decided.by[i, j], decided.by[j, i]) == (0, 0)
    decided = found.decided(below)
    assert (decided.conclusions[i, j], decided.by[j, i]) == (0, -1)


def test_the_names_of_judges_decide_nothing():
    """Judges under other names, in another alphabetical order, give the same numbers."""
    names = {f"judge{k}": f"{'zyxwvuts'[k]}-{k}" for k in range(8)}
    renamed = [(names[judge], *rest) for judge, *rest in ratings()]
    first, second = people(made()), people(made(("adequacy", renamed)))
    assert first.systems == second.systems
    np.testing.assert_array_equal(first.rated[0].p_values, second.rated[0].p_values)
    np.testing.assert_allclose(first.rated[0].scores, second.rated[0].scores, rtol=0, atol=1e-12)
    assert sorted(names[judge.name] for judge in first.judges) == sorted(judge.name for judge in second.judges)


@given(st.lists(st.tuples(st.sampled_from("ABCD"), st.integers(0, 7)), min_size=12, max_size=60, unique=True))
def test_pairs_rated_on_other_segments_are_counted(rated: list[tuple[str, int]]) -> None:
    """A pair counts where fewer than half of the segments of the one with fewer were rated for both."""
    own = {system: {k for name, k in rated if name == system} for system in dict.fromkeys(name for name, _ in rated)}
    scores = [("j", name, str(k), float(7 * k % 5) + i, "adequacy") for i, (name, k) in enumerate(rated)]
    found = people(small(*scores), standard="none")
    expected = sum(2 * len(own[a] & own[b]) < min(len(own[a]), len(own[b])) for a, b in combinations(own, 2))
    (note,) = [one for one in found.notes if "share fewer than half" in one] or [""]
    pairs = len(own) * (len(own) - 1) // 2
    assert note.startswith(f"{expected} of {pairs} pair") if expected else not note
