"""The samples under the field's own programs: NIST, METEOR, TER, ROUGE, sacrebleu and rank-sum tests give these numbers.

The numbers are in tests/golden/data, so this needs no outside data.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sigcore import metrics, readers
from sigcore.metrics import extractor
from sigcore.metrics.own_statistics import whole_chunks
from sigcore.studies import human
from sigcore.testset import Outputs, Testset
from tests.conftest import lines
from tests.golden.printed import ROOT, printed

SETS = ("harbour.refA", "harbour.refAB", "kitchen-radio.refA")
NIST = {
    "default": {},
    "case": {"case": True},
    "intl": {"tokenize": "intl"},
    "intl_case": {"tokenize": "intl", "case": True},
}
HALF = 5.0001e-5  # of the fourth and last printed decimal
ROUGE = {"ROUGE-1": "rouge_1", "ROUGE-2": "rouge_2", "ROUGE-L": "rouge_l", "ROUGE-SU4": "rouge_su4"}
SACREBLEU = {"BLEU": ("bleu", {}), "chrF2": ("chrf", {}), "TER": ("ter", {}), "chrF2++": ("chrf", {"word_order": 2})}


def sample(name: str) -> tuple[Testset, dict[str, Outputs]]:
    """The test set, with the references in the name, and the systems."""
    folder, letters = name.split(".ref")
    references = tuple(lines(ROOT / "samples" / folder / f"ref.{letter}.en") for letter in letters)
    systems = sorted((ROOT / "samples" / folder / "systems").glob("*.en"))
    return Testset(name, "text", len(references[0]), references), {p.stem: Outputs(p.stem, lines(p)) for p in systems}


def extracted(name: str, metric: str, **given: object) -> dict[str, Any]:
    """The statistics of every system."""
    testset, outputs = sample(name)
    member = metrics.get(metric)
    extract = extractor(member, testset, member.chosen(given), len(outputs))
    return {system: extract(output) for system, output in outputs.items()}


@pytest.mark.parametrize("options", NIST)
@pytest.mark.parametrize("name", SETS)
def test_nist_is_that_of_mteval(name: str, options: str) -> None:
    """All four printed decimals, of test sets and of segments; counts and information of every order."""
    figures, ours = printed(f"nist.mteval14.{name}"), extracted(name, "nist", **NIST[options])
    assert figures["corpus"][options].keys() == ours.keys()
    for system, expected in figures["corpus"][options].items():
        assert abs(ours[system].corpus_score - expected["nist"]) <= HALF, system
    chosen = np.array(figures["segments"]) - 1
    for system, expected in figures["segment"][options].items():
        rows, counts = ours[system].values[chosen], np.array(expected["nist_counts"])
        np.testing.assert_allclose(ours[system].score(rows), expected["nist"], rtol=0, atol=HALF)
        np.testing.assert_allclose(rows[:, :5], counts[:, :, 3], rtol=0, atol=HALF)
        np.testing.assert_array_equal(rows[:, 5:10], counts[:, :, 1])


@pytest.mark.parametrize("name", SETS)
def test_ter_is_that_of_tercom(name: str) -> None:
    """Edits and lengths of every printed segment and of all together."""
    figures, ours = printed(f"ter.tercom.{name}"), extracted(name, "ter")
    for system, expected in figures["corpus"].items():
        assert ours[system].total.tolist() == [expected["num_edits"], expected["ref_words"]], system
        assert ours[system].corpus_score == pytest.approx(100 * expected["ter"], rel=1e-12)
    places = [figures["columns"].index(column) for column in ("num_edits", "ref_words")]
    for system, rows in figures["segment"].items():
        chosen = ours[system].values[np.array(figures["segments"]) - 1]
        np.testing.assert_array_equal(chosen, np.array(rows)[:, places])


@pytest.mark.parametrize("type", ROUGE)
@pytest.mark.parametrize("name", SETS)
def test_rouge_is_that_of_its_script(name: str, type: str) -> None:
    """Counts of segments and of all of them, and the means of recall, precision and F to all six decimals."""
    figures = printed(f"rouge.perl155.{name}.fA.segments")
    ours = extracted(name, ROUGE[type], average="micro", multi="A")
    means = extracted(name, ROUGE[type], multi="A")
    for system, expected in figures["counts_total"]["plain"].items():
        assert ours[system].total[[1, 2, 0]].tolist() == expected[type], system
        mean = figures["mean_of_documents"]["plain"][system][type]
        np.testing.assert_allclose(means[system].values[:, :3].mean(axis=0), mean, rtol=0, atol=0.5e-6 + 1e-12)
    for system, rows in figures["document_counts"]["plain"].items():
        chosen = ours[system].values[np.array(figures["ids"]) - 1]
        np.testing.assert_array_equal(chosen[:, [1, 2, 0]], rows[type])


@pytest.mark.parametrize("title", SACREBLEU)
@pytest.mark.parametrize("name", SETS)
def test_scores_are_those_of_sacrebleu(name: str, title: str) -> None:
    """BLEU, chrF, TER and chrF++ to all six decimals."""
    figures = printed(f"sacrebleu260.{name}")
    metric, given = SACREBLEU[title]
    for system, item in extracted(name, metric, **given).items():
        expected = (figures["scores"][system] | figures["scores_chrf++"][system])[title]
        assert abs(item.corpus_score - expected) <= 0.5e-6 + 1e-9, system


@pytest.mark.parametrize("name", SETS)
def test_meteor_is_that_of_the_java_program(name: str, stages: str) -> None:
    """By default all 23 columns of every printed segment and in sum, and the scores of all systems."""
    figures, ours = printed(f"meteor.java15.{name}"), extracted(name, "meteor", stages=stages)
    for system, expected in figures["corpus"][stages.replace("+", " ")].items():
        # the program prints one chunk for a segment that matches as a whole, and counts none
        sums = [*expected["ssOut_column_sums"][:20], expected["chunks"], *expected["ssOut_column_sums"][21:]]
        assert ours[system].total.tolist() == sums, system
        assert ours[system].corpus_score == pytest.approx(100 * expected["final"], rel=1e-14)
    for system, expected in figures["segment"][stages.replace("+", " ")].items():
        rows = ours[system].values[np.array(figures["segments"]) - 1]
        np.testing.assert_array_equal(rows, whole_chunks(np.array(expected["ssOut"], dtype=np.float64)))


@pytest.mark.parametrize("standardise", ["all", "ordinary", "none"])
def test_judgments_are_those_of_scipy(standardise: str) -> None:
    """z-scores and rank-sum p of all pairs, from the sample's ratings."""
    figures = printed("human.scipy.harbour")["results"][standardise]
    judgments = readers.load_sample("harbour").judgments[0]
    people = human.people(judgments, standard=standardise)
    for rated in people.rated:
        expected = figures[rated.dimension]
        mean = "mean_raw" if standardise == "none" else "mean_z"
        for system, score in zip(people.systems, rated.scores, strict=True):
            assert score == pytest.approx(expected["systems"][system][mean], abs=1e-10)
        for i, row in enumerate(people.systems):
            for j, column in enumerate(people.systems):
                if i != j:
                    assert rated.p_values[i, j] == pytest.approx(expected["p_row_better"][row][column], rel=1e-9)
