"""MERT, PRO, k-best MIRA and AdaDelta, each against an obvious way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore import tuning
from sigcore.tuning import AdaDelta, Ordered, batches, kb_mira, mert, pro
from tests.made_lists import made_instances
from tests.oracles.of_methods import mira_epochs


def run(name, instances, start=None, seed=1, **options):
    """What a method finds."""
    method = tuning.get(name)
    start = np.zeros(instances.features.shape[1]) if start is None else start
    return tuning.tune(method, instances, start, method.chosen(options), np.random.default_rng(seed))


def test_mert_leaves_nothing_on_any_axis():
    """Where MERT stops, no point of a grid on any axis is better than its result."""
    instances = made_instances(n=25, k=8, features=4)
    found = run("mert", instances, np.ones(4), restarts=0)
    best = instances.value(instances.best(found.weights))
    for axis in np.eye(4):
        grid = [instances.value(instances.best(found.weights + x * axis)) for x in np.linspace(-3, 3, 121)]
        assert best >= max(grid) - 1e-3


def test_restarts_never_hurt():
    """More random starts never give a worse metric, and the first start is the given one."""
    instances = made_instances(n=25, k=8, features=6, seed=3)
    values = [run("mert", instances, restarts=n, random_lines=0).course[-1].value for n in (0, 3, 8)]
    assert values == sorted(values)
    start = np.arange(6.0)
    lone = mert.ascend(instances, start, 0, 1e-5, np.random.default_rng(0))[1]
    np.testing.assert_array_equal(run("mert", instances, start, restarts=0, random_lines=0).weights, lone)


def test_random_lines_are_searched():
    """With random lines beside the axes a start ends at least as well as it does in its first round on the axes."""
    instances = made_instances(n=25, k=8, features=6, seed=4)
    assert run("mert", instances, restarts=0, random_lines=5).course[-1].value > instances.value(instances.offsets[:-1])


def test_mert_maximises_what_is_lower_better():
    """An objective that is a negated error is maximised too."""
    instances = made_instances(n=20, k=8)
    error = replace(instances, objective=lambda sums: -(sums[..., 0] - sums[..., 2]) / sums[..., 0])
    found = run("mert", error, restarts=2)
    assert error.value(error.best(found.weights)) > error.value(error.offsets[:-1])


def test_pairs_differ_enough():
    """Pairs are of the right order, differ by the least difference, and are the largest differences drawn."""
    quality = np.random.default_rng(1).random(30)
    better, worse = pro.pairs(quality, 500, 50, 0.05, np.random.default_rng(2))
    assert len(better) == 50
    sizes = quality[better] - quality[worse]
    assert (sizes >= 0.05).all()
    assert (np.diff(sizes) <= 0).all()
    drawn = np.random.default_rng(2).integers(0, 30, (2, 500))
    assert sizes[-1] >= np.sort(np.abs(quality[drawn[0]] - quality[drawn[1]]))[-51]
    assert not len(pro.pairs(np.full(5, 0.3), 500, 50, 0.0, np.random.default_rng(2))[0])


def test_classifier_is_at_the_minimum():
    """At the classifier's weights the gradient of the regularised loss, written out pair by pair, is zero."""
    rng = np.random.default_rng(3)
    differences = rng.normal((0.5, -0.2, 0.0), 1.0, (40, 3))
    weights = pro.classifier(differences, np.zeros(3), 1.0, 500)
    slope = weights.copy()
    for row in (*differences, *-differences):  # the second half has the other label
        label = 1 if any((row == d).all() for d in differences) else -1
        slope -= label * row / (1 + np.exp(label * row @ weights))
    np.testing.assert_allclose(slope, 0, atol=1e-3)


def test_pro_without_pairs_keeps_the_weights():
    """Where all qualities are equal PRO keeps the start and says so."""
    instances = made_instances()
    same = replace(instances, quality=np.full(len(instances.quality), 0.5))
    found = run("pro", same, np.arange(5.0))
    np.testing.assert_array_equal(found.weights, np.arange(5.0))
    assert "differ" in found.notes[0]


def test_interpolation():
    """The result is the classifier's share plus that of the start."""
    instances, start = made_instances(), np.arange(5.0)
    new, mixed = (run("pro", instances, start, interpolation=share).weights for share in (1, 0.25))
    np.testing.assert_allclose(mixed, 0.25 * new + 0.75 * start)


def test_mira_is_the_slow_way():
    """The averages of three epochs are those of a loop over hypotheses."""
    instances, start = made_instances(), np.full(5, 0.1)
    method = tuning.get("kb_mira")
    options = method.chosen({"epochs": 3, "shuffle": False})
    fast = list(kb_mira.epochs(instances, start, options, np.random.default_rng(0)))
    np.testing.assert_allclose(fast, mira_epochs(instances, start, options), rtol=1e-9)


def test_mira_keeps_the_first_of_equal_epochs():
    """Epochs that are equally good differ in their weights, and the first of them is the result."""
    instances = made_instances(n=12, k=4, features=3)
    options = tuning.get("kb_mira").chosen({"epochs": 20, "shuffle": False})
    each = [*kb_mira.epochs(instances, np.zeros(3), options, np.random.default_rng(1))]
    values = [instances.value(instances.best(weights)) for weights in each]
    assert values.count(max(values)) > 1
    found = run("kb_mira", instances, epochs=20, shuffle=False)
    np.testing.assert_array_equal(found.weights, each[int(np.argmax(values))])


def test_mira_without_a_background():
    """A metric without a background is tuned by the qualities themselves."""
    instances = replace(made_instances(), cost=None)
    found = run("kb_mira", instances, epochs=5)
    assert found.course[-1].value > instances.value(instances.offsets[:-1])


def test_adadelta_by_hand():
    """Two steps of AdaDelta as in Zeiler's algorithm."""
    rule = AdaDelta(1)
    squares = steps = 0.0
    for slope in (2.0, -1.0):
        squares = 0.95 * squares + 0.05 * slope**2
        change = -(((steps + 1e-6) ** 0.5) / ((squares + 1e-6) ** 0.5)) * slope
        steps = 0.95 * steps + 0.05 * change**2
        assert rule.step(np.array([slope]))[0] == pytest.approx(change)


def test_batches_cover_all_lists_once():
    """One epoch uses every list once."""
    parts = list(batches(23, 10, np.random.default_rng(1)))
    assert [len(part) for part in parts] == [10, 10, 3]
    assert sorted(np.concatenate(parts).tolist()) == list(range(23))


def test_lists_are_ordered_by_quality():
    """Each list is in the order of quality, and equal ones keep the order of the list."""
    instances = made_instances(n=4, k=6)
    quality = np.round(instances.quality, 1)
    ordered = Ordered(replace(instances, quality=quality))
    for i, length in enumerate(instances.lengths):
        rows = ordered.rows[i, :length].tolist()
        slow = sorted(range(instances.offsets[i], instances.offsets[i + 1]), key=lambda j: (-quality[j], j))
        assert rows == slow


@pytest.mark.parametrize("name", ["listnet", "te_listmle"])
def test_the_best_epoch_is_returned(name):
    """The weights are those of the epoch with the best metric, and the loss falls."""
    instances = made_instances(n=40)
    found = run(name, instances, epochs=60)
    values = [step.value for step in found.course]
    assert instances.value(instances.best(found.weights)) == max(values)
    assert found.course[-1].loss < found.course[0].loss


@pytest.mark.parametrize("points", [[-9.0, 2.0, 0.5, 30.0], [30.0, -9.0, 2.0, -0.5], [0.5, 2.0, 9.0, 30.0]])
def test_of_equally_good_weights_mert_takes_the_nearest(points):
    """Wide intervals alone count, and among the best the point that changes the weights least."""
    sweep = mert.Sweep(np.array(points), np.full(4, 0.3), np.ones(4, dtype=bool))
    nearest = min(points, key=abs)
    assert sweep.best() == (0.3, nearest)
    narrow = replace(sweep, wide=np.array(points) != nearest)
    assert narrow.best() == (0.3, sorted(points, key=abs)[1])


@pytest.mark.parametrize("name", ["listnet", "listmle"])
def test_of_equal_epochs_the_earliest_gives_the_weights(name):
    """Where every epoch has the same metric, the weights are those after the first one."""
    same = replace(made_instances(n=12, k=6), objective=lambda sums: np.zeros(sums.shape[:-1]))
    once, often = (run(name, same, epochs=epochs) for epochs in (1, 4))
    assert len({step.value for step in often.course}) == 1
    assert len(often.course) == 4
    np.testing.assert_array_equal(often.weights, once.weights)


def test_the_newest_hypothesis_counts_whole_in_the_background():
    """The sum decays before the statistics of a hypothesis are added (Chiang 2012), not with them."""
    instances = made_instances()
    background = kb_mira.Background(instances, 0.25)
    for hypothesis in (3, 5):
        background.add(hypothesis)
    first, second = instances.statistics[3], instances.statistics[5]
    np.testing.assert_allclose(background.sums, 0.25 * (0.25 + first) + second)
