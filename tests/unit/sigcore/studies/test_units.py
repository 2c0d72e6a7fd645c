"""The unit of resampling: how it is written, what is drawn, what is told, and the design effect against slow twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sigboard.render import sentences, text
from sigboard.render.json import compare_json, matrix_json
from sigcore.errors import MismatchError, OptionError, ReadError
from sigcore.executors import Serial
from sigcore.results import gain_rows, matrix_rows, plain, scores_rows
from sigcore.studies import compare, gain, matrix, units
from sigcore.studies.statistics import measure
from sigcore.study import Runtime, Settings, Study, chosen_unit
from sigcore.testset import Outputs, Testset
from sigcore.types import DOCUMENT, Comparisons, Unit, read_unit
from tests.drawn import DRAWN
from tests.made import score_set, text_set
from tests.oracles import units as slow
from tests.oracles.all_swaps import exact_p, pseudo_gains

OWN = [("own_scores", {})]
AR = "approximate_randomization"
QUICK = {"resamples": 400}


def with_documents(testset: Testset, names: list[str]) -> Testset:
    """The test set with these documents."""
    return replace(testset, documents=tuple(names))


def alike(documents: int = 40, length: int = 5, share: float = 0.7, seed: int = 0) -> tuple[Testset, list[Outputs]]:
    """Scores of two systems whose differences are alike within documents, which follow one another."""
    rng = np.random.default_rng(seed)
    common = np.repeat(rng.normal(size=documents), length) * np.sqrt(share)
    own = rng.normal(size=documents * length) * np.sqrt(1 - share)
    testset, outputs = score_set(common + own, np.zeros(documents * length))
    return with_documents(testset, [f"doc{i // length}" for i in range(documents * length)]), outputs


@pytest.mark.parametrize(
    ("written", "read"),
    [("segment", "segment"), (" Document ", "document"), ("block:50", "block:50"), ("BLOCK:007", "block:7")],
)
def test_a_unit_has_one_way_of_writing(written, read):
    """Blanks, capitals and leading zeros do not make another unit."""
    assert str(read_unit(written)) == read


@pytest.mark.parametrize(
    "bad", ["", "documents", "block", "block:", "block:0", "block:-1", "block:x", "segment:2", "²"]
)
def test_other_units_are_refused(bad):
    """What is no unit is refused with the three that are."""
    with pytest.raises(OptionError, match="segment, document or block:N"):
        read_unit(bad)


def test_groups_by_hand():
    """Blocks count segments off, the last one shorter; documents are numbered as they first appear, apart or not."""
    testset, _ = score_set(np.zeros(7))
    assert units.groups(testset, read_unit("segment")) is None
    assert units.groups(testset, read_unit("block:3")).tolist() == [0, 0, 0, 1, 1, 1, 2]
    assert units.groups(testset, read_unit("block:99")).tolist() == [0] * 7
    documents = with_documents(testset, ["b", "a", "b", "c", "a", "a", "d"])
    assert units.groups(documents, read_unit("document")).tolist() == [0, 1, 0, 2, 1, 1, 3]


def test_documents_that_are_not_there_are_asked_for():
    """Without documents, or with a segment that has none, the message says how to fix it."""
    testset, outputs = score_set([1.0, 2, 3], [3.0, 2, 2])
    with pytest.raises(MismatchError, match=r"does not assign segments.*one per line"):
        matrix.run(Study(testset, outputs, OWN, unit="document", **QUICK))
    with pytest.raises(MismatchError, match=r"2 segments have no document\. \[scores, segment 2\]"):
        matrix.run(Study(with_documents(testset, ["a", "", " "]), outputs, OWN, unit="document", **QUICK))


def test_nothing_is_extracted_before_the_unit_is_known():
    """A unit that cannot be had is refused before any statistics are made."""
    testset, _ = score_set([1.0, 2])
    broken = [Outputs("a", ("x", "y")), Outputs("b", ("1", "2"))]
    with pytest.raises(MismatchError, match="does not assign segments"):
        matrix.run(Study(testset, broken, OWN, unit="document", **QUICK))
    with pytest.raises(ReadError):
        matrix.run(Study(testset, broken, OWN, unit="block:2", **QUICK))


def test_another_unit_extracts_nothing_again():
    """Statistics are kept per segment: every unit is served from those of the first."""
    testset, outputs = text_set(12)
    testset = with_documents(testset, list("aabbccddeeff"))
    cache: dict[str, np.ndarray] = {}
    told: list[str] = []
    for unit in ("segment", "document", "block:4"):
        told.clear()
        matrix.run(
            Study(testset, outputs, unit=unit, resamples=400),
            runtime=Runtime(cache=cache, progress=lambda what, *_: told.append(what)),
        )
        assert any("statistics" in what for what in told) == (unit == "segment")
    assert len(cache) == len(outputs)


def test_scores_do_not_depend_on_the_unit():
    """The scores and the gains are those of the corpus whatever is resampled; n counts units, segments the segments."""
    testset, outputs = text_set(20, (0.1, 0.2, 0.3))
    testset = with_documents(testset, [f"d{i % 6}" for i in range(20)])
    base = matrix.read(matrix.run(Study(testset, outputs, unit="segment", **QUICK)), "bleu", AR)
    for unit, n in (("document", 6), ("block:8", 3)):
        found = matrix.read(matrix.run(Study(testset, outputs, unit=unit, **QUICK)), "bleu", AR)
        np.testing.assert_array_equal(found.scores, base.scores)
        np.testing.assert_array_equal(found.gains, base.gains)
        assert (found.setup.n, str(found.setup.unit), found.setup.segments) == (n, unit, 20)
        assert f"n:{n}|unit:{unit}|segments:20" in found.setup.signature
    assert (base.setup.n, str(base.setup.unit), base.setup.segments) == (20, "segment", 20)
    assert "n:20|unit:segment|" in base.setup.signature


def test_the_mark_of_the_data_knows_the_documents():
    """Other documents are other data where they are drawn, and the same where they are not."""
    testset, outputs = score_set([1.0, 2, 3, 4], [3.0, 2, 2, 1])
    one, other = with_documents(testset, list("aabb")), with_documents(testset, list("abab"))

    def mark(testset: Testset, unit: str) -> str:
        return matrix.run(Study(testset, outputs, OWN, unit=unit, **QUICK)).data

    assert mark(one, "document") != mark(other, "document")
    assert mark(one, "segment") == mark(other, "segment") == mark(testset, "segment")
    assert mark(one, "block:2") == mark(other, "block:2")


def test_swapping_documents_against_all_swaps():
    """Over documents the randomization p is near the exact one of all ways to swap whole documents."""
    testset, outputs = alike(9, 4, seed=3)
    measured = measure(testset, outputs, OWN)[0]
    rows = [slow.sums(item.values.tolist(), testset.documents) for item in measured.systems]
    gains = pseudo_gains(*rows, lambda sums: sums[0] / sums[1])
    run = compare.run(
        Study(testset, outputs, OWN, [AR], unit="document", resamples=20_000), runtime=Runtime(executor=Serial())
    )
    for item in compare.read(run, "own_scores").results:
        p = exact_p(gains, item.setup.side)
        assert item.p_value == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 20_000))


# ---- the design effect


@pytest.mark.parametrize("metric", ["bleu", "ter", "chrf"])
def test_design_effect_is_the_slow_jackknifes(metric):
    """Gains and scores have the effect of a jackknife that sums and scores every row but one in loops."""
    testset, outputs = text_set(14, (0.1, 0.25, 0.4), seed=5)
    names = [f"d{i * 7 % 5}" for i in range(14)]
    measured = measure(testset, outputs, [(metric, {})])[0]
    groups = units.groups(with_documents(testset, names), read_unit("document"))
    found = units.design_effect(measured, DOCUMENT, groups)
    score = measured.systems[0].score
    fine = [item.values.tolist() for item in measured.systems]
    coarse = [slow.sums(rows, names) for rows in fine]

    def effect(statistic, *systems: int) -> float:
        over, under = ([rows[s] for s in systems] for rows in (coarse, fine))
        return slow.jackknife_variance(over, statistic) / slow.jackknife_variance(under, statistic)

    for a in range(3):
        alone = effect(lambda sums: float(score(np.array(sums[0]))), a)
        assert found.scores[a] == pytest.approx(alone, rel=1e-6)
        for b in range(a):
            pair = effect(lambda sums: float(score(np.array(sums[0])) - score(np.array(sums[1]))), a, b)
            assert found.gains[a, b] == pytest.approx(pair, rel=1e-6)
            assert found.gains[b, a] == found.gains[a, b]
    assert np.isnan(np.diag(found.gains)).all()
    assert found.n == 5


@pytest.mark.parametrize("length", [2, 5, 10])
def test_design_effect_of_a_mean_is_kishs(length):
    """Of a mean over blocks of one length it is 1 + (b - 1) rho, but for the degrees of freedom of both variances."""
    testset, outputs = alike(40, 5, seed=length)
    measured = measure(testset, outputs, OWN)[0]
    differences = (measured.systems[0].values[:, 0] - measured.systems[1].values[:, 0]).tolist()
    found = units.design_effect(measured, Unit("block", length), units.groups(testset, read_unit(f"block:{length}")))
    n, blocks = testset.n, testset.n // length
    freedom = (blocks / (blocks - 1)) / (n / (n - 1))
    assert found.gains[0, 1] == pytest.approx(freedom * slow.kish(differences, length), rel=1e-9)


def test_design_effect_is_the_ratio_of_bootstrap_variances():
    """The gains that were drawn vary as much more over documents as the effect says, but for 1 / units and for draws."""
    testset, outputs = text_set(300, (0.2, 0.25), seed=8)
    # what a document holds is alike: every segment but the first of five is as good or bad as that one
    leaders = [outputs[0].segments[i] if (i // 5) % 2 else testset.references[0][i] for i in range(300)]
    outputs = [Outputs("a", tuple(leaders)), outputs[1]]
    testset = with_documents(testset, [str(i // 5) for i in range(300)])
    runs = {
        unit: compare.run(Study(testset, outputs, [("bleu", {})], ["paired_bootstrap"], unit=unit, resamples=20_000))
        for unit in ("document", "segment")
    }
    drawn = {unit: float(run.nulls[0]["paired_bootstrap"].var()) for unit, run in runs.items()}
    effect = compare.read(runs["document"], "bleu").design_effect
    assert effect > 1.5
    # draws: 1.4% of each variance; both jackknives lack the bootstraps' factors 59/60 and 299/300
    assert drawn["document"] / drawn["segment"] == pytest.approx(effect, rel=0.08)


def test_independent_segments_have_an_effect_near_one():
    """Over many small experiments without any likeness the mean effect is 1 within four standard errors."""
    found = []
    for seed in range(200):
        testset, outputs = alike(20, 3, share=0.0, seed=seed)
        measured = measure(testset, outputs, OWN)[0]
        found.append(
            units.design_effect(measured, Unit("block", 3), units.groups(testset, read_unit("block:3"))).gains[0, 1]
        )
    assert np.mean(found) == pytest.approx(1.0, abs=4 * np.std(found) / np.sqrt(len(found)))


def test_effects_that_do_not_exist_are_nan():
    """Equal systems, one unit and one segment have no ratio of variances; nothing is said of it."""
    testset, outputs = score_set([1.0, 2, 4], [1.0, 2, 4])
    for unit in ("block:2", "block:3"):
        run = matrix.run(Study(testset, outputs, OWN, unit=unit, **QUICK))
        result = matrix.read(run, "own_scores", AR)
        assert np.isnan(result.design_effect).all()
        assert result.design_effects == ()
        assert not any("times as much" in note for note in result.notes)
    alone, outputs = score_set([1.0], [2.0])
    result = matrix.read(matrix.run(Study(alone, outputs, OWN, unit="block:1", **QUICK)), "own_scores", AR)
    assert np.isnan(result.score_design_effect).all()


# ---- what is told


@pytest.fixture(scope="module")
def result():
    """Three systems over 40 documents of 5 segments, the first two alike within documents."""
    testset, outputs = alike()
    third = Outputs("third", tuple(map(str, np.random.default_rng(9).normal(size=200))))
    run = matrix.run(Study(testset, [*outputs, third], OWN, unit="document", **QUICK))
    return matrix.read(run, "own_scores", AR)


def test_a_grid_names_its_units(result):
    """Table, methods sentence, notes and JSON say documents, how many, and the design effect."""
    assert (result.setup.n, result.setup.segments, result.setup.unit) == (40, 200, DOCUMENT)
    table = text.matrix_table(result, 0.05)
    assert "n = 40 documents (200 segments)" in table
    assert "note: Documents: the differences vary" in table
    assert "the median of 3 pairs, from" in table
    assert "on 40 documents (200 segments)" in sentences.methods(result, 0.05)
    document = matrix_json([result])
    assert (document["n"], document["unit"], document["segments"]) == (40, "document", 200)
    found = document["results"][0]
    assert found["design_effect"][0][0] is None
    assert found["design_effect"][0][1] == result.design_effect[0, 1] > 2
    assert found["score_design_effect"] == plain(result.score_design_effect)
    assert all("design_effect" in row for row in [*matrix_rows(result, 0.05), *scores_rows(result)])
    points = gain.read(result)
    assert (points.setup.n, points.setup.segments, points.setup.unit) == (40, 200, DOCUMENT)
    assert sorted(points.design_effects) == sorted(result.design_effects)
    assert "on 40 documents (200 segments)" in sentences.methods(points, 0.05)
    assert all("design_effect" in row for row in gain_rows(points))


def test_a_pair_names_its_units():
    """So do the results of one pair, with the effect of that pair as in the grid."""
    testset, outputs = alike()
    run = compare.run(Study(testset, outputs, OWN, [AR], unit="document", **QUICK))
    found = compare.read(run, "own_scores")
    grid = matrix.read(matrix.run(Study(testset, outputs, OWN, unit="document", **QUICK)), "own_scores", AR)
    assert found.design_effect == grid.design_effect[0, 1] == found.design_effects[0]
    assert found.results[0].p_value == grid.p_values[0, 1]
    assert any(f"the difference varies {found.design_effect:.2f} times as much" in note for note in found.notes)
    assert "n = 40 documents (200 segments)" in text.compare_table(found, 0.05)
    assert "on 40 documents (200 segments)" in sentences.methods(found, 0.05)
    document = compare_json([found])
    assert (document["n"], document["unit"], document["segments"]) == (40, "document", 200)
    assert document["results"][0]["design_effect"] == [[None, found.design_effect], [found.design_effect, None]]


def test_segments_say_nothing_of_an_effect():
    """With segments as the unit there is no effect: null in JSON, no column in tables, and n alone in the words."""
    testset, outputs = score_set(*np.random.default_rng(0).normal(size=(2, 50)))
    found = matrix.read(matrix.run(Study(testset, outputs, OWN, **QUICK)), "own_scores", AR)
    assert found.design_effect is None
    assert found.design_effects == ()
    assert matrix_json([found])["results"][0]["design_effect"] is None
    assert "design_effect" not in matrix_rows(found, 0.05)[0]
    assert "n = 50 segments," in text.matrix_table(found, 0.05)
    assert not found.notes


@pytest.mark.parametrize(("share", "told"), [(0.7, True), (0.0, False)])
def test_documents_that_are_left_out_of_account_are_told(share, told):
    """Segments resampled although they are clearly alike within documents carry a note; where they are not, none."""
    testset, outputs = alike(share=share)
    found = matrix.read(matrix.run(Study(testset, outputs, OWN, unit="segment", **QUICK)), "own_scores", AR)
    pair = compare.read(compare.run(Study(testset, outputs, OWN, [AR], unit="segment", **QUICK)), "own_scores")
    for notes in (found.notes, pair.notes):
        assert any("alike within the 40 documents" in note for note in notes) == told
    assert found.design_effect is None


@pytest.mark.parametrize(
    ("documents", "unit", "why"),
    [
        ((), "segment", ""),
        (tuple("abcdefghijklmnopqrst") * 2, "document", ""),
        (tuple(map(str, range(40))), "segment", ""),
        (tuple("abcdef") * 6 + tuple("abcd"), "document", ""),
        (tuple("abcde") * 8, "segment", "the test set has 5 documents, whose swaps give no p below 0.062"),
        (("a",) * 40, "segment", "the test set has 1 document, whose swaps give no p below 1"),
        (tuple("abcdefghijklm") * 3 + ("",), "segment", "1 segment of 40 has none"),
        (("",) * 40, "segment", ""),
    ],
)
def test_documents_are_the_usual_unit_where_there_are_enough(documents, unit, why):
    """Automatic units are documents where every segment has one and there are 6 or more; if they are not, a note says
    why, except where there are none, or each segment is its own."""
    testset, outputs = score_set(*np.random.default_rng(0).normal(size=(2, 40)))
    testset = replace(testset, documents=documents, digest="")
    found = matrix.run(Study(testset, outputs, OWN, **QUICK))
    assert str(found.unit) == unit
    told = matrix.read(found, "own_scores", AR).notes
    assert any("Segments were resampled, not documents" in note and why in note for note in told) == bool(why)
    pair = compare.run(Study(testset, outputs, OWN, [AR], **QUICK))
    assert str(pair.matrix.unit) == unit


def test_few_units_are_noted():
    """The note of a bootstrap on few segments counts units; five or fewer units say how little swapping can show."""
    testset, outputs = alike(12, 20)
    notes = matrix.run(Study(testset, outputs, OWN, ["bootstrap_shift"], unit="document", **QUICK)).notes
    assert any("With 12 documents p of Bootstrap, shift to zero tends to be too small" in note for note in notes)
    narrow = notes
    notes = matrix.run(Study(testset, outputs, OWN, [AR, "bootstrap_shift"], unit="block:60", **QUICK)).notes
    assert any("With 4 blocks of 60 segments no interval is given" in note for note in notes)
    assert any("4 blocks of 60 segments can be swapped in only 16 ways" in note and "0.12" in note for note in notes)
    assert any("With 12 documents the 95% intervals of bootstrap tests" in note for note in narrow)
    (note,) = matrix.run(Study(testset, outputs, OWN, [AR], unit="document", **QUICK)).notes
    assert "12 documents can be swapped in only 4,096 ways" in note
    assert "0.00049" in note
    testset, outputs = alike(40, 5)
    assert matrix.run(Study(testset, outputs, OWN, [AR], unit="document", **QUICK)).notes == ()


def of_systems(documents: int, systems: int, **asked: object) -> Study:
    """A study of so many systems, whose scores are those of a test set of so many documents of four segments."""
    testset, outputs = score_set(*np.random.default_rng(1).normal(size=(systems, 4 * documents)))
    testset = with_documents(testset, [f"doc{i // 4}" for i in range(4 * documents)])
    return Study(testset, outputs, OWN, [AR], **QUICK | asked)


GREATER = Settings("greater")


@pytest.mark.parametrize(
    ("documents", "systems", "unit", "asked"),
    [
        (6, 2, "document", {}),  # 2 / 2^6 = .031
        (6, 3, "segment", {}),  # three times .031
        (7, 3, "document", {}),  # three times .0156 = .047
        (7, 4, "segment", {}),
        (8, 4, "document", {}),  # six times .0078 = .047
        (8, 5, "segment", {}),
        (15, 9, "document", {}),  # 36 times .000061
        (15, 9, "document", {"alpha": 0.01}),
        (6, 2, "segment", {"alpha": 0.01}),
        (8, 3, "segment", {"alpha": 0.01}),  # three times .0078 = .023
        (6, 3, "segment", {"settings": GREATER}),  # 1 / 2^6 in both directions of three pairs
        (6, 4, "document", {"settings": GREATER, "family": Comparisons("one baseline", "sys0")}),  # three times .0156
        (6, 4, "segment", {"family": Comparisons("one baseline", "sys0")}),
        (6, 4, "document", {"family": Comparisons("chosen pairs", pairs=(("sys0", "sys1"),))}),
        (8, 5, "document", {"unit": "document"}),
        (15, 9, "segment", {"unit": "segment"}),
    ],
)
def test_the_unit_depends_on_the_family(documents, systems, unit, asked):
    """Documents are the unit where their smallest p, times the tests of the family, reaches alpha; else segments are. What is
    drawn has a key of its own for each, a pair has the unit of its grid, and alone that of one test."""
    study = of_systems(documents, systems, **asked)
    found = matrix.run(study)
    assert str(found.unit) == unit
    pair = study.of_pair(*study.outputs[:2])
    assert str(compare.run(pair).matrix.unit) == unit
    alone = replace(pair, among=0)
    assert (alone.draws == pair.draws) == (alone.drawn[0] == pair.drawn[0])
    fixed = replace(study, unit=unit)
    assert fixed.draws == study.draws
    assert replace(study, unit="block:3").draws != study.draws
    result = matrix.read(found, "own_scores", AR)
    few = unit == "segment" and "unit" not in asked
    assert bool(result.setup.instead) == few
    assert str(result).endswith(result.setup.instead)
    if few:
        low, high = result.setup.left_aside[1:]
        assert f"[{low:.2f}, {high:.2f}]" in result.setup.instead
        why, _, _ = result.setup.instead.partition(" The design effect")
        (told,) = compare.read(compare.run(pair), "own_scores").notes
        assert told.startswith(f"{why} The design effect of documents is ")


def test_equal_sums_are_no_difference():
    """Two systems that differ in segments but in no document have p = 1 under every rule, and a note."""
    testset, outputs = score_set([1.0, 2, 3, 4], [2.0, 1, 4, 3])
    run = compare.run(Study(testset, outputs, OWN, DRAWN, unit="block:2", **QUICK))
    found = compare.read(run, "own_scores", matrix.Settings(ties="strict"))
    assert all(item.p_value == 1.0 for item in found.results)
    assert any("statistics on every block of 2 segments: p = 1" in note for note in found.notes)


@pytest.mark.parametrize(
    ("side", "alpha", "tests", "unit", "least"),
    [
        ("two-sided", 0.05, 1, "document", ""),
        ("two-sided", 0.02, 1, "segment", "0.031"),
        ("greater", 0.02, 1, "document", ""),
        ("greater", 0.02, 2, "segment", "0.016"),
        ("less", 0.01, 1, "segment", "0.016"),
    ],
)
def test_one_side_needs_fewer_documents(side, alpha, tests, unit, least):
    """Six documents give one-sided half the smallest p of two sides; it is told, and decides what is drawn."""
    testset = with_documents(score_set(*np.zeros((2, 24)))[0], list("abcdef") * 4)
    chosen, why = chosen_unit(testset, "auto", tests, alpha, side)
    assert str(chosen) == unit
    assert (f"no p below {least}" in why) if least else not why
