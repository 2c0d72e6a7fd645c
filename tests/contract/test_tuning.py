"""Every method of tuning: it learns what can be learned, from any lists, and the same from the same seed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigcore import tuning
from sigcore.errors import Cancelled, OptionError, SigError, UnknownMember
from sigcore.tuning import Method
from tests import proofs
from tests.made_lists import made_instances
from tests.proofs import of_methods

ALL = tuning.members()
TUNED = {name: method for name, method in ALL.items() if method.column is None}
FEW = {"epochs": 30, "restarts": 2}


def run(method, instances, seed=1, start=None, report=lambda step: None):
    """What a method finds in few epochs."""
    given = {option.name: FEW[option.name] for option in method.options if option.name in FEW}
    start = np.zeros(instances.features.shape[1]) if start is None else start
    return tuning.tune(method, instances, start, method.chosen(given), np.random.default_rng(seed), report)


@pytest.fixture(params=sorted(TUNED))
def method(request):
    """Every method that finds weights."""
    return TUNED[request.param]


@pytest.fixture(params=sorted(ALL))
def any_method(request):
    """Every method, also those that only choose."""
    return ALL[request.param]


def test_members_of_the_issue():
    """The methods that the terminal names are there."""
    assert set(ALL) >= {"listnet", "listmle", "top_n", "te_listmle", "listnet_te", "pro", "kb_mira", "mert"}
    with pytest.raises(UnknownMember, match="listnet"):
        tuning.get("listnett")


def test_it_learns(method):
    """On lists whose features know the quality, tuned weights beat the first hypotheses clearly."""
    instances = made_instances(n=60, k=10)
    found = run(method, instances)
    first = instances.value(instances.offsets[:-1])
    assert found.weights.shape == (5,)
    assert instances.value(instances.best(found.weights)) > first + 5


def test_same_seed_same_weights(method):
    """The same seed gives the same weights bit by bit, and the arguments are left as they were."""
    instances = made_instances()
    before = instances.features.copy(), instances.quality.copy()
    first, second = (run(method, instances).weights for _ in range(2))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_array_equal(instances.features, before[0])
    np.testing.assert_array_equal(instances.quality, before[1])


def test_any_lists_will_do(method):
    """Lists of length one, equal qualities, and a feature that never varies give finite weights."""
    instances = made_instances(n=8, k=6)
    for made in (
        made_instances(n=5, k=1),
        replace(instances, quality=np.zeros(len(instances.quality))),
        replace(instances, features=np.zeros_like(instances.features)),
        instances.of([2]),
    ):
        assert np.isfinite(run(method, made).weights).all()


def test_steps_are_reported(method):
    """Every step is reported as it is in the course, and the report may cancel."""
    seen = []
    found = run(method, made_instances(), report=seen.append)
    assert tuple(seen) == found.course
    assert len(seen) >= 1
    assert [step.epoch for step in seen] == sorted({step.epoch for step in seen})

    def cancel(step):
        raise Cancelled

    with pytest.raises(Cancelled):
        run(method, made_instances(), report=cancel)


@pytest.mark.parametrize("name", sorted(ALL))
def test_record(name):
    """A method has a title, help and a source, and refuses options that it does not have."""
    method = ALL[name]
    assert method.title
    assert method.help.endswith(".")
    assert method.source
    assert all(option.help.endswith(".") for option in method.options)
    with pytest.raises(OptionError):
        method.chosen({"nonsense": 1})


def test_choices_name_a_column():
    """A choice without weights names its column."""
    assert ALL["mbr"].column(ALL["mbr"].chosen({"utility": "bleu"})) == "consensus_bleu"
    assert ALL["best_of_n"].column(ALL["best_of_n"].chosen({"by": "judge"})) == "judge"
    assert ALL["best_of_n"].column(ALL["best_of_n"].chosen()) == ""


def test_a_method_works_in_one_way():
    """A record that does nothing, or two things, is refused."""
    with pytest.raises(SigError, match="exactly one"):
        Method(name="nothing", title="", source="", help="")
    with pytest.raises(SigError, match="exactly one"):
        Method(name="both", title="", source="", help="", tune=ALL["pro"].tune, column=ALL["mbr"].column)


def test_it_has_a_proof(any_method):
    """A method names worked examples with their origin, or an oracle that does not use what it checks."""
    assert not (found := proofs.unfounded(any_method)), "\n".join(found)


def test_its_proof_holds(any_method):
    """Every worked example and the oracle give the loss, the weights or the column."""
    assert not (found := [*of_methods.faults(any_method)]), "\n".join(found)


def test_its_proof_notices_breaks(any_method):
    """A loss with another sign or denominator, and weights that stay as they were, contradict the proof."""
    assert not (found := of_methods.unnoticed(any_method)), "\n".join(found)


def test_slopes_are_differences_of_the_loss(any_method):
    """The slopes of a loss are those of finite differences, whatever its author derived."""
    assert not (found := [*of_methods.wrong_slopes(any_method)]), "\n".join(found)
