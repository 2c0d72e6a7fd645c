"""ROUGE on 25 summarizers of 100 documents against ROUGE-1.5.5, and against the scores their authors published."""

from __future__ import annotations

import csv
from typing import Any

import numpy as np
import pytest

from sigcore import metrics
from sigcore.errors import OptionError
from sigcore.metrics import extractor
from sigcore.metrics.rouge.words import irregular
from sigcore.testset import Outputs, Testset
from sigcore.text.wordnet import VARIABLE
from tests.conftest import lines
from tests.stored import stored

pytestmark = pytest.mark.data

NAMES = {"ROUGE-1": "rouge_1", "ROUGE-2": "rouge_2", "ROUGE-L": "rouge_l", "ROUGE-SU4": "rouge_su4"}
# The program's options, and ours. It read WordNet 2.0; the lists of 3.0 give the same stems on these texts.
STEMS = {"plain": "none", "m": "wordnet"}


@pytest.fixture(autouse=True)
def installed_wordnet(monkeypatch):
    """The lists that are installed, not those of the tests."""
    monkeypatch.delenv(VARIABLE)


@pytest.fixture(scope="module")
def summaries(data):
    """The test set and its 25 systems."""
    folder = data / "summ/realsumm"
    reference = lines(folder / "ref.txt")
    outputs = [Outputs(path.stem, lines(path)) for path in sorted((folder / "systems").glob("*.txt"))]
    assert len(outputs) == 25
    return Testset("realsumm", "text", len(reference), (reference,)), outputs


def rows(summaries, name: str, **given) -> dict[str, np.ndarray]:
    """The statistics of every system under a ROUGE metric."""
    testset, outputs = summaries
    metric = metrics.get(name)
    extract = extractor(metric, testset, metric.chosen(given))
    return {item.system: extract(item).values for item in outputs}


def needs(stem: str) -> None:
    """Skips the test where its stems need a WordNet that is not there."""
    if stem == "wordnet":
        try:
            irregular()
        except OptionError as error:
            pytest.skip(str(error))


@pytest.mark.parametrize("options", STEMS)
@pytest.mark.parametrize("type", NAMES)
def test_every_system_gets_the_programs_numbers(type, options, summaries, golden):
    """Counts of all 25 systems are the program's, and the means of recall, precision and F to all six decimals."""
    needs(STEMS[options])
    figures = golden("rouge.perl155.realsumm.json")
    macro = rows(summaries, NAMES[type], stem=STEMS[options])
    micro = rows(summaries, NAMES[type], stem=STEMS[options], average="micro")
    for system, values in macro.items():
        printed = figures["mean_of_documents"][options][system][type]
        np.testing.assert_allclose(values[:, :3].mean(axis=0), printed, rtol=0, atol=0.5e-6 + 1e-12)
        assert micro[system].sum(axis=0)[[1, 2, 0]].tolist() == figures["counts_total"][options][system][type]


@pytest.mark.parametrize("options", STEMS)
@pytest.mark.parametrize("type", NAMES)
def test_documents_get_the_programs_numbers(type, options, summaries, golden):
    """Counts of 60 documents of two systems are the program's, and recall, precision and F all that it printed.

    It makes F of the recall and precision it has rounded to five decimals, so ours is done likewise here.
    """
    needs(STEMS[options])
    figures = golden("rouge.perl155.realsumm.json")
    found = rows(summaries, NAMES[type], stem=STEMS[options], average="micro")
    for system in figures["document_systems"]:
        counts = found[system][figures["documents"]]
        assert counts[:, [1, 2, 0]].tolist() == figures["document_counts"][options][system][type]
        for (common, reference, summary), printed in zip(
            counts, figures["document"][options][system][type], strict=True
        ):
            recall, precision = printed_as(common / reference), printed_as(common / summary)
            f = recall * precision / (0.5 * recall + 0.5 * precision) if common else 0.0
            assert [recall, precision, printed_as(f)] == printed


def test_the_programs_average_is_not_the_mean(golden):
    """Its Average lines are as far as printed off the mean of the documents."""
    figures = golden("rouge.perl155.realsumm.json")
    errors = [
        np.abs(np.subtract(printed, figures["mean_of_documents"][options][system][type])).max()
        for options, systems in figures["corpus"].items()
        for system, types in systems.items()
        for type, printed in types.items()
    ]
    assert max(errors) == pytest.approx(stored("rouge.average_off"), abs=5e-6)


def test_the_programs_f_is_made_of_rounded_numbers(golden):
    """Its F of a document is at most as far as printed off the F of the counts, and some are off by more than rounding F alone."""
    figures = golden("rouge.perl155.realsumm.json")
    errors = [
        abs((2 * common / (reference + summary) if common else 0.0) - printed[2])
        for options, systems in figures["document"].items()
        for system, types in systems.items()
        for type, rows in types.items()
        for (reference, summary, common), printed in zip(
            figures["document_counts"][options][system][type], rows, strict=True
        )
    ]
    assert 0.5e-5 < max(errors) <= stored("rouge.f_off")


def printed_as(share: float) -> float:
    """The share with the five decimals that the program prints."""
    return float(f"{share:.5f}")


# Cells of 2500 within print precision of the published F, and the mean difference in points; docs/rouge.md has a table.
NOT_PRINTED = [("l", {}, 96, None), ("l", {"stem": "porter", "sentences": "stops"}, 1348, None)]


def published(table: list[list[Any]]) -> list[tuple[str, dict[str, str], int, float | None]]:
    """The rows of the printed table with their options, and those that are not printed."""
    rows = []
    for title, settings, equal, mean in table:
        stem, *others = settings.split(", ")
        options = dict(other.split(" = ") for other in others) | ({} if stem == "none" else {"stem": stem})
        rows.append((title.removeprefix("ROUGE-").lower(), options, equal, mean))
    return [*rows, *NOT_PRINTED]


@pytest.mark.parametrize(("type", "options", "equal", "mean"), published(stored("rouge.published")))
def test_as_many_published_scores_are_met_as_the_documents_say(type, options, equal, mean, summaries, data):
    """The authors' F per document: most are met with the options they evidently used, the rest is explained."""
    needs(options.get("stem", "none"))
    with (data / f"summ/realsumm/scores.rouge_{type}_f_score.csv").open(encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(file))
    found = rows(summaries, f"rouge_{type}", **options)
    short = [values[k, 2] - float(row[system]) for system, values in found.items() for k, row in enumerate(published)]
    assert (len(short), sum(abs(x) <= 2e-5 for x in short)) == (2500, equal)
    assert mean is None or 100 * np.mean(short) == pytest.approx(mean, abs=0.0051)
