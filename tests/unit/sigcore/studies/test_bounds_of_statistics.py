"""Statistics that are asked for, sizes and people of the bench, and prepared pairs: each at its bounds."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sigcore import Outputs, Testset
from sigcore.errors import MismatchError, OptionError, SigError, Undefined
from sigcore.studies import gain, prepared, statistics
from sigcore.studies.pairs import How
from sigcore.studies.reproduce import bench as module
from sigcore.studies.reproduce.bench import Bench, Material, manual, with_a_person
from sigcore.study import Runtime
from tests.made import score_set, text_set

OWN = [("own_scores", {})]


# ---- statistics


@pytest.mark.parametrize(
    ("pairs", "names", "asked"),
    [
        ([], ["bleu"], [("bleu", {})]), (["bleu.tokenize=zh"], ["ter", "bleu"], [("ter", {}), ("bleu", {"tokenize": "zh"})]),
        (["bleu.a=1", "bleu.b=x=y"], ["bleu"], [("bleu", {"a": "1", "b": "x=y"})]), (["bleu.a="], ["bleu"], [("bleu", {"a": ""})]),
    ],
)  # fmt: skip
def test_options_are_read_by_metric(
    pairs: list[str], names: list[str], asked: list[tuple[str, dict[str, str]]]
) -> None:
    assert statistics.read_asked(pairs, names) == asked


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("bleu", "is not an option"),
        ("bleu.a", "is not an option"),
        ("bleu=1", "is not an option"),
        ("bleu.=1", "is not an option"),
        ("ter.a=1", "not requested"),
    ],
)
def test_other_texts_are_no_options(pair: str, words: str) -> None:
    with pytest.raises(SigError, match=words):
        statistics.read_asked([pair], ["bleu"])


@pytest.mark.parametrize(("lengths", "words"), [((3, 2), ["sys1"]), ((2, 2), ["sys0", "sys1"])])
def test_outputs_that_do_not_fit_are_all_named(lengths: tuple[int, int], words: list[str]) -> None:
    """One fault as it is, with its fix; several together."""
    outputs = [Outputs(f"sys{k}", ("1",) * n) for k, n in enumerate(lengths)]
    with pytest.raises(MismatchError) as refused:
        statistics.measure(Testset("t", "scores", 3), outputs, OWN)
    assert all(word in str(refused.value) for word in words)
    assert ("sys0" in str(refused.value)) is ("sys0" in words)
    assert bool(refused.value.fix) is (len(words) == 1)


def test_what_cannot_be_measured_is_refused() -> None:
    testset, outputs = score_set([1.0, 2.0], [2.0, 1.0])
    with pytest.raises(Undefined, match="no systems"):
        statistics.measure(testset, [], OWN)
    with pytest.raises(OptionError, match="own_scores is requested twice"):
        statistics.measure(testset, outputs, OWN * 2)


def test_progress_goes_through_all_systems() -> None:
    """From 0 to the segments of all."""
    seen: list[tuple[str, int, int]] = []
    testset, outputs = text_set(20)
    statistics.measure(testset, outputs, [("bleu", {})], Runtime(progress=lambda *step: seen.append(step)))
    own = [step for step in seen if step[0].startswith("statistics for")]
    assert {total for *_, total in own} == {40}
    assert [done for _, done, _ in own] == sorted(done for _, done, _ in own)
    assert own[-1][1] == 40


def test_a_key_knows_every_part() -> None:
    """Test set, outputs and how the rows are made."""
    testset, outputs = text_set(4)
    keys = {
        statistics.key(*parts)
        for parts in (
            (testset, outputs[0], "a"),
            (testset, outputs[1], "a"),
            (testset, outputs[0], "b"),
            (text_set(5)[0], outputs[0], "a"),
        )
    }
    assert len(keys) == 4


# ---- the bench of claims


@pytest.mark.parametrize(
    ("n", "sizes"),
    [
        (3_201, (100, 200, 400, 800, 1600, 3200, 3201)), (3_200, (100, 200, 400, 800, 1600, 3200)), (401, (100, 200, 400, 401)), (400, (50, 100, 200, 400)), (100, (12, 25, 50, 100)),
        (101, (25, 50, 100, 101)), (201, (50, 100, 200, 201)),
    ],
)  # fmt: skip
def test_the_sizes_of_a_line(n: int, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the paper below the whole test set; halves of the smallest where there are fewer than three."""
    made = Bench()
    plans: list[Any] = []
    found = SimpleNamespace(testset=SimpleNamespace(n=n, kind="text"), outputs=(), kinds={})
    monkeypatch.setattr(Bench, "material", lambda *_: found)
    monkeypatch.setattr(module.size, "run", lambda testset, outputs, asked, plan, how, **_: plans.append((plan, how)))
    made.sizes("text", "bleu")
    ((plan, how),) = plans
    assert plan.sizes == sizes
    assert how.resamples == made.resamples


@pytest.mark.parametrize(
    ("resamples", "most", "used"), [(1_999, 2_000, 1_999), (2_000, 2_000, 2_000), (2_001, 2_000, 2_000)]
)
def test_studies_of_many_test_sets_draw_fewer(resamples: int, most: int, used: int) -> None:
    assert Bench(resamples=resamples).how(most).resamples == used


def material(references: int, kind: str = "text", humans: tuple[str, ...] = ()) -> Material:
    streams = tuple((f"r{k}",) for k in range(references)) if kind == "text" else ()
    return Material("m", Testset("t", kind, 1, streams), (Outputs("a", ("x",)),), humans=humans)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("references", "humans", "is_added"), [(1, (), False), (2, (), True), (3, (), True), (2, ("a",), False)]
)
def test_the_last_of_several_references_is_a_person(references: int, humans: tuple[str, ...], is_added: bool) -> None:
    found = with_a_person(material(references, humans=humans))
    assert (len(found.outputs), len(found.testset.references)) == ((2, references - 1) if is_added else (1, references))
    if is_added:
        assert found.outputs[-1].segments == (f"r{references - 1}",)
        assert found.humans == (found.outputs[-1].system,)
    other = material(0, "scores")
    assert with_a_person(other) is other


def rated(documents: list[str]) -> Any:
    """People who rated two systems on three segments, in two dimensions; the second system lacks one."""
    part = SimpleNamespace(
        document=np.array([documents[k] for k in (0, 1, 2, 0, 2)]), segment=np.array(["1", "2", "3", "1", "3"]), system=np.array(["a", "a", "a", "b", "b"]),
        z=np.array([1.0, 2.0, 3.0, 4.0, 5.0]),
    )  # fmt: skip
    return SimpleNamespace(by_segment=[part, part], systems=("a", "b"), dimensions=("first", "second"), name="people")


@pytest.mark.parametrize(
    ("documents", "of_testset", "ids", "names", "sets"),
    [
        (["d", "d", "e"], (), (), ("d 1", "d 2", "e 3"), ("d", "d", "e")), (["", "", ""], ("x", "y", "y"), (), ("1", "2", "3"), ("x", "y", "y")),
        (["", "", ""], ("x", "y", "y"), ("3", "2", "1"), ("1", "2", "3"), ("y", "y", "x")), (["", "", ""], ("x", "y", "y"), ("4", "2", "1"), ("1", "2", "3"), ()),
        (["", "", ""], (), (), ("1", "2", "3"), ()), (["d", "", "e"], (), (), ("d 1", "2", "e 3"), ()),
    ],
)  # fmt: skip
def test_ratings_of_one_dimension_are_a_matrix(
    documents: list[str], of_testset: Any, ids: Any, names: Any, sets: Any
) -> None:
    """Sets are the documents of the ratings, or of the test set by id or number."""
    found = Material("m", Testset("t", "scores", 3, documents=of_testset), (), humans=("b", "c"), ids=ids)
    made = manual(rated(documents), 1, found)
    assert (made.documents, made.sets, made.humans, made.title) == (names, sets, ("b",), "second")
    assert np.array_equal(made.values, [[1.0, 4.0], [2.0, math.nan], [3.0, 5.0]], equal_nan=True)
    with pytest.raises(Undefined, match="2 dimensions, and the claim is about number 3"):
        manual(rated(documents), 2, found)


# ---- prepared pairs


def test_a_single_system_and_a_wrong_level_are_refused() -> None:
    testset, outputs = score_set([1.0, 2.0], [2.0, 1.0])
    prepared.check_pairs(testset, outputs, 0.05)
    with pytest.raises(Undefined, match="two systems"):
        prepared.check_pairs(testset, outputs[:1], 0.05)
    with pytest.raises(OptionError):
        prepared.check_pairs(testset, outputs, 1.5)


@pytest.mark.parametrize(
    ("groups", "kinds", "classes"),
    [
        (("x", "x", "y"), {}, [gain.SAME, gain.DIFFERENT, gain.DIFFERENT]), (("x", "", "y"), {}, ["", gain.DIFFERENT, ""]), (("", "", ""), {}, [gain.ALL] * 3),
        (("x", "x", "y"), {"sys0": gain.COMBINATION, "sys2": gain.COMBINATION}, ["", gain.COMBINATION, ""]),
    ],
)  # fmt: skip
def test_pairs_have_the_class_of_their_groups(
    groups: tuple[str, ...], kinds: dict[str, str], classes: list[str]
) -> None:
    """On both sides of the diagonal."""
    testset, outputs = score_set(*np.random.default_rng(1).normal(size=(3, 20)))
    grouped = [replace(item, group=group) for item, group in zip(outputs, groups, strict=True)]
    made = prepared.prepare(testset, grouped, OWN, How(resamples=99), unit="segment", kinds=kinds)
    found = made.real.classes
    assert [found[i, j] for i, j in ((0, 1), (0, 2), (1, 2))] == classes
    assert [found[j, i] for i, j in ((0, 1), (0, 2), (1, 2))] == classes
    points = prepared.points(made.real, made.part(np.arange(20)), How(resamples=99))
    assert (points.gains >= 0).all()
    assert [found[i, j] for i, j in points.pairs.tolist()] == points.classes.tolist()


@pytest.mark.parametrize(
    ("test", "side", "least"),
    [
        ("two_delta_bootstrap", "greater", 0.01),
        ("paired_bootstrap", "two-sided", 0.02),
        ("paired_bootstrap", "greater", 0.01),
        ("approximate_randomization", "two-sided", 0.01),
    ],
)
@pytest.mark.parametrize("unit", ["segment", "document"])
def test_the_setup_of_prepared_pairs(test: str, side: str, least: float, unit: str) -> None:
    """The smallest p of 99 draws, doubled where the test doubles; units and segments are counted."""
    testset, outputs = score_set(*np.random.default_rng(1).normal(size=(2, 30)))
    testset = replace(testset, documents=tuple(f"d{k // 2}" for k in range(30)), digest="")
    made = prepared.prepare(testset, outputs, OWN, How(test, side, resamples=99), unit=unit)  # type: ignore[arg-type]
    setup = made.setup
    assert setup.least_p == pytest.approx(least)
    assert (setup.n, setup.segments, made.n, str(setup.unit)) == (30 if unit == "segment" else 15, 30, 30, unit)
    assert (setup.side, setup.resamples) == (side, 99)
    part = made.part(np.array([4, 5, 6]))
    assert part.n == 3
    assert (part.unit_of is None) is (unit == "segment")
    assert part.of(made.real.systems)[0].n == (3 if unit == "segment" else 2)


def test_mixtures_are_of_one_pair_or_of_several() -> None:
    testset, outputs = score_set(*np.random.default_rng(1).normal(size=(4, 30)))
    made = prepared.prepare(testset, outputs, OWN, How(resamples=99), unit="segment")
    mixed = made.mixed(2, [(0, 1), (2, 3)])
    assert mixed.synthetic
    assert not made.real.synthetic
    assert len(mixed.systems) == 4
    assert [mixed.classes[0, k] for k in (1, 2, 3)] == [gain.MIXED_TOGETHER, gain.MIXED_APART, gain.MIXED_APART]
    assert [one.system for one in made.mixed(2).systems] == [
        one.system for one in made.mixed(2, gain.bases(made.measured.systems)).systems
    ]
