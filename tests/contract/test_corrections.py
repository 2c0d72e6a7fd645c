"""Every correction: never below the raw p, never above 1, blind to the order, proved, and at alpha where nothing differs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sigcore import corrections
from tests import proofs
from tests.oracles.step_procedures import (
    adjusted,
    benjamini_hochberg_rejects,
    holm_rejects,
    step_down_max_t,
)
from tests.proofs import of_corrections
from tests.proofs.of_corrections import reached

ALL = corrections.members()
MEMBERS = {name: member for name, member in ALL.items() if not member.needs_joint}  # of p alone
P_VALUES = st.lists(
    st.floats(1e-6, 1.0) | st.sampled_from([0.0, 0.01, 0.02, 0.05, 0.5, 1.0]), min_size=1, max_size=12
).map(np.array)


@pytest.fixture(params=sorted(MEMBERS))
def correction(request):
    """Every correction."""
    return MEMBERS[request.param]


@pytest.fixture(params=sorted(ALL))
def any_correction(request):
    """Every correction, those that need the joint null too."""
    return ALL[request.param]


@pytest.mark.parametrize("name", sorted(MEMBERS))
@given(p=P_VALUES)
def test_bounds_and_order(name, p):
    """Adjusted values lie between p and 1 and keep the order of p; equal p stay equal; p itself is left alone."""
    before = p.copy()
    got = MEMBERS[name].adjust(p)
    assert got.shape == p.shape
    assert (got >= p).all()
    assert (got <= 1).all()
    order = np.argsort(p, kind="stable")
    assert (np.diff(got[order]) >= 0).all()
    for value in set(p):
        assert len(set(got[p == value])) == 1
    np.testing.assert_array_equal(p, before)


@pytest.mark.parametrize("name", sorted(MEMBERS))
@given(p=P_VALUES, seed=st.integers(0, 99))
def test_blind_to_order(name, p, seed):
    """Another order of the tests permutes the adjusted values and changes none."""
    order = np.random.default_rng(seed).permutation(len(p))
    np.testing.assert_array_equal(MEMBERS[name].adjust(p[order]), MEMBERS[name].adjust(p)[order])


@pytest.mark.parametrize(
    ("name", "rejects"),
    [("holm", holm_rejects), ("benjamini_hochberg", benjamini_hochberg_rejects)],
)
@given(p=P_VALUES)
def test_equals_the_step_procedure(name, rejects, p):
    """The adjusted p is the least level at which the procedure rejects."""
    np.testing.assert_allclose(MEMBERS[name].adjust(p), adjusted(list(p), rejects), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("none", [0.01, 0.04, 0.03, 0.005]),
        ("holm", [0.03, 0.06, 0.06, 0.02]),
        ("benjamini_hochberg", [0.02, 0.04, 0.04, 0.02]),
        ("bonferroni", [0.04, 0.16, 0.12, 0.02]),
        ("hommel", [0.03, 0.04, 0.04, 0.02]),
        ("benjamini_yekutieli", [0.02 * 25 / 12, 0.04 * 25 / 12, 0.04 * 25 / 12, 0.02 * 25 / 12]),
    ],
)
def test_by_hand(name, expected):
    """Four p-values adjusted on paper."""
    np.testing.assert_allclose(MEMBERS[name].adjust(np.array([0.01, 0.04, 0.03, 0.005])), expected)


def test_one_test_needs_no_correction(correction):
    """A single test keeps its p."""
    np.testing.assert_array_equal(correction.adjust(np.array([0.03])), [0.03])


@pytest.mark.parametrize("m", [1, 2, 36])
def test_factor_is_the_least_that_can_come_out(correction, m):
    """`factor` is the least ratio of an adjusted p to the smallest p there can be."""
    p = 1e-4
    least = min(correction.adjust(np.array([p] * k + [1.0] * (m - k))).min() for k in range(1, m + 1))
    assert least == pytest.approx(p * correction.factor(m))


@pytest.mark.parametrize("m", [1, 6, 12])
@pytest.mark.parametrize("ties", [False, True])
def test_max_t_is_its_definition(m, ties):
    """Step-down max-T equals its definition, written out resample by resample; undefined ones count against all."""
    rng = np.random.default_rng(m)
    null = np.abs(rng.normal(size=(m, 400)) * rng.uniform(1, 5, (m, 1)))
    observed = np.abs(rng.normal(size=m) * 4)
    if ties:
        null, observed = np.round(null), np.round(observed)
        null[0, :3] = np.nan
    member = ALL["joint"]
    p = np.full(m, 1 / 401)
    adjusted, low, high = member.grid((p, p, p), reached(member, observed, null), 400)
    np.testing.assert_allclose(adjusted, step_down_max_t(observed, null), rtol=1e-12)
    assert (low <= adjusted).all()
    assert (adjusted <= high + 1 / 401).all()


@given(seed=st.integers(0, 9999), m=st.integers(1, 8), ties=st.booleans())
def test_max_t_is_at_most_holm_where_all_nulls_are_alike(seed, m, ties):
    """The largest of several statistics is reached by at most as many resamples as reach each of them, added up. Where all
    tests have the same null, but for its order and its unit, that sum is Holm's: p <= max-T <= Holm, without any error."""
    rng = np.random.default_rng(seed)
    values = np.abs(rng.normal(size=200))
    unit = 2.0 ** rng.integers(-5, 6, m)  # powers of two, so that no rounding is left after division
    null = np.array([rng.permutation(np.round(values, 1) if ties else values) for _ in range(m)])
    observed = rng.choice(null[0], m) if ties else np.abs(rng.normal(size=m) * 3)
    counts = (null >= observed[:, None] * (1 - 1e-12)).sum(axis=1)
    p = (counts + 1) / 201
    member = ALL["joint"]
    adjusted = member.grid((p, p, p), reached(member, observed * unit, null * unit[:, None]), 200)[0]
    assert (adjusted >= p).all()
    assert (adjusted <= ALL["holm"].adjust(p) + 1e-12).all()


def test_usual_correction():
    """Tests that draw have a joint null and get max-T, others Holm; max-T has its former name too."""
    assert corrections.usual(drawn=True) == "joint"
    assert corrections.usual(drawn=False) == "holm"
    assert corrections.get("max_t") is corrections.get("joint")
    assert corrections.printed("none") == "uncorrected"


def test_title_and_what_it_controls(correction):
    """A correction says what it controls; all but "none" name a source."""
    assert correction.title
    assert correction.controls
    assert correction.source or correction.name == "none"


def test_it_has_a_proof(any_correction):
    """A correction names worked examples with their origin, or an oracle that does not use what it checks."""
    assert not (found := proofs.unfounded(any_correction)), "\n".join(found)


def test_its_proof_holds(any_correction):
    """Every worked example and the oracle give the adjusted p-values."""
    assert not (found := [*of_corrections.faults(any_correction)]), "\n".join(found)


def test_its_proof_notices_breaks(any_correction):
    """A correction that returns p, counts another number of tests, or is another one contradicts its own proof."""
    assert not (found := of_corrections.unnoticed(any_correction)), "\n".join(found)


def test_it_keeps_the_error_that_it_claims(any_correction):
    """Where nothing differs, and where half of the tests do, its errors are not above alpha, but for chance."""
    assert not (found := [*of_corrections.errors(any_correction)]), "\n".join(found)


def test_max_t_keeps_a_larger_p_and_its_interval() -> None:
    """A p of the test itself that is above the joint null stays, with its interval; an exact p has none of its own."""
    p, low, high = np.array([0.5, 0.5, 0.001]), np.array([0.45, np.nan, 0.0]), np.array([0.55, np.nan, 0.004])
    adjusted, lower, upper = ALL["joint"].grid((p, low, high), np.array([9.0, 9.0, 9.0]), 999)
    assert adjusted.tolist() == [0.5, 0.5, 0.01]
    assert lower[0] == 0.45
    assert lower[1] == lower[2] < 0.01 < upper[2]
    assert upper.tolist()[:2] == [0.55, 0.5]


def test_settled_counts_rise_as_statistics_fall() -> None:
    """Counts of pairs that were drawn apart: none is below that of a larger statistic, by a loop over all of them."""
    statistic, counts = np.array([1.0, 3.0, 2.0, 0.5]), np.array([4.0, 7.0, 5.0, 9.0])
    expected = [max(c for s, c in zip(statistic, counts, strict=True) if s >= own) for own in statistic]
    settle = corrections.get("joint").settle
    assert settle is not None
    assert settle(statistic, counts).tolist() == expected == [7.0, 7.0, 7.0, 9.0]
