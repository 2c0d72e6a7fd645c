"""Sparse features have the rows, columns and moments of the full array that they stand for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore.errors import SigError
from sigcore.kbest import sparse
from sigcore.kbest.lists import KBest, merged, offsets_of
from sigcore.kbest.scaling import scale_of

FULL = np.array(
    [[0, 2, 0, -1.5], [0, 2, 0, 0], [3, 2, 0, 0], [0, 2, 0, -1.5], [0, 2, 0, -1.5], [0, 2, 0, 4], [1, 2, 0, 0]]
)
TEXTS = ("a", "b", "b", "c", "c", "d", "e")
OFFSETS = offsets_of([3, 2, 2])


def made(full=FULL):
    """The sparse twin of a full array."""
    rows, columns = np.nonzero(full)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=len(full)))])
    return sparse.Sparse.of(starts, columns, full[rows, columns], full.shape[1])


def lists(features):
    """Three lists with four features, of which the second segment has one hypothesis twice."""
    return KBest("made", TEXTS, OFFSETS, ("w", "x", "y", "z"), features, np.arange(7.0))


def full_of(features):
    """The numbers as a full array; few columns are one already."""
    return features.matrix.toarray() if isinstance(features, sparse.Sparse) else features


def test_products_and_moments():
    """Products from both sides, differences, moments and ends are those of the full array."""
    one, weights, slopes = made(), np.array([1.0, -2, 3, 0.5]), np.arange(7.0)
    np.testing.assert_allclose(one @ weights, FULL @ weights)
    np.testing.assert_allclose(slopes @ one, slopes @ FULL)
    np.testing.assert_array_equal(
        full_of(one[np.array([2, 2, 0])] - one[np.array([0, 1, 0])]), FULL[[2, 2, 0]] - FULL[[0, 1, 0]]
    )
    np.testing.assert_array_equal(one.row(5), FULL[5])
    for found, wanted in zip(sparse.moments(one), (FULL.mean(axis=0), FULL.std(axis=0)), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-15)
    np.testing.assert_array_equal(sparse.ends(one), (FULL.min(axis=0), FULL.max(axis=0)))
    np.testing.assert_array_equal(sparse.varying(one, OFFSETS[:-1]), [2, 0, 0, 2])
    np.testing.assert_array_equal(sparse.varying(FULL, OFFSETS[:-1]), [2, 0, 0, 2])


def test_scale():
    """z-scores have the differences of full ones, and the same features vary."""
    full, one = (scale_of(kind, np.repeat(np.arange(3), [3, 2, 2])) for kind in (FULL, made()))
    assert one.varies.tolist() == full.varies.tolist() == [True, False, False, True]
    scaled, wanted = full_of(one.applied(made())), full.applied(FULL)
    np.testing.assert_allclose(np.diff(scaled, axis=0), np.diff(wanted, axis=0), atol=1e-14)
    np.testing.assert_allclose(one.weights(np.ones(4)), full.weights(np.ones(4)))


def test_lists_are_cut_and_joined():
    """What lists do with their features gives the same with sparse ones."""
    full, one = lists(FULL.copy()), lists(made())
    for make in (
        lambda x: x.of([2, 0, 2]),
        lambda x: x.head(1),
        lambda x: x.distinct(),
        lambda x: merged(x, replace(x, texts=("f", *TEXTS[1:]))),
        lambda x: x.with_features(["more"], np.arange(7.0)[:, None]),
        lambda x: x.aside("z"),
        lambda x: x.under(("z", "new", "w")),
    ):
        wanted, found = make(full), make(one)
        np.testing.assert_array_equal(full_of(found.features), wanted.features)
        assert (found.texts, found.names, found.offsets.tolist()) == (
            wanted.texts,
            wanted.names,
            wanted.offsets.tolist(),
        )
        np.testing.assert_array_equal(found.values, wanted.values)
    assert len(one.distinct().texts) == 6
    np.testing.assert_array_equal(one.column("z"), FULL[:, 3])


def test_digest_is_that_of_the_contents():
    """Equal numbers have one digest, whatever zeros were written; other ones another."""
    zeros = sparse.Sparse.of(np.arange(0, 29, 4), np.tile(np.arange(4), 7), FULL.ravel(), 4)
    assert lists(zeros).digest == lists(made()).digest
    for place in ((0, 3), (3, 0)):
        other = FULL.copy()
        other[place] += 1
        assert lists(made(other)).digest != lists(made()).digest
    with pytest.raises(ValueError, match="read-only"):
        made().parts[2][0] = 1.0


def test_numbers_that_are_not_finite():
    """A number that is not finite is named with its feature and its segment."""
    other = FULL.copy()
    other[4, 3] = np.inf
    with pytest.raises(SigError, match="The feature z is not a finite number") as caught:
        lists(made(other))
    assert "segment 2" in caught.value.where
