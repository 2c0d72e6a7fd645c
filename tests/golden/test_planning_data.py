"""The numbers that docs/gain.md, docs/size.md and docs/domains.md print of WMT 2022, computed again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sigcore import Collection, Settings, metrics
from sigcore.studies import domains, gain, matrix, pairs, size
from sigcore.study import Study
from sigcore.testset import Outputs, Testset
from tests.conftest import lines, wmt
from tests.stored import stored

pytestmark = pytest.mark.data

# The test sets as docs/gain.md names them.
NAMES = {
    "wmt22.cs-en": "Czech-English",
    "wmt22.uk-en": "Ukrainian-English",
    "dep": "CoNLL 2018",
    "align": "Hansards word alignment, mixtures",
}


def loaded(data: Path, folder: str, reference: str, language: str = "en") -> tuple[Testset, list[Outputs]]:
    """A WMT test set as the command reads it: without the byte order mark of one file."""
    testset, outputs = wmt(data / "mt" / folder, reference, language)
    starts = [(item.segments[0].removeprefix("\ufeff"), *item.segments[1:]) for item in outputs]
    return testset, [replace(item, segments=segments) for item, segments in zip(outputs, starts, strict=True)]


def printed_thresholds(rows: list[list[str]], data: str) -> list[tuple[str, str]]:
    """(class of pairs, threshold) of one test set; a cell for the test set may be empty below its first row."""
    named, found = "", []
    for name, _, pairs_of_class, threshold in rows:
        named = name or named
        found += [(pairs_of_class, threshold)] if data in named else []
    return found


def as_printed(item: gain.Threshold, unit: str) -> tuple[str, str]:
    """A threshold of mixtures as the table has it."""
    name = "same two systems" if item.pair_class == gain.MIXED_TOGETHER else "different systems"
    return f"{name} ({item.n} pairs)", f"{item.threshold:.2f} {unit} [{item.low:.2f}, {item.high:.2f}]"


@pytest.mark.parametrize(("folder", "reference", "borderline"), [("wmt22.cs-en", "B", 0), ("wmt22.uk-en", "A", 2)])
def test_thresholds_as_printed(data: Path, folder: str, reference: str, borderline: int) -> None:
    """Both classes of mixtures have the printed numbers, and the real pairs have no threshold."""
    testset, outputs = loaded(data, folder, reference)
    counted = matrix.run(Study(testset, outputs, tests=["two_delta_bootstrap"], resamples=10_000))
    real = gain.read(matrix.read(counted, "bleu", "two_delta_bootstrap", Settings("greater", correction="none")))
    systems = counted.measured[0].systems
    mixed = gain.read_mixtures(gain.mix(systems, gain.bases(systems), 20, 12345), None, real.setup, pairs.How())
    (of_real,) = gain.thresholds(real)
    assert of_real.n == borderline
    assert of_real.reason
    apart, together = gain.thresholds(mixed)
    printed = printed_thresholds(stored("gain.thresholds"), NAMES[folder])
    assert [as_printed(item, "BLEU") for item in (together, apart)] == printed


def test_threshold_of_summaries_as_printed(data: Path) -> None:
    """The real systems of REALSumm have the printed threshold."""
    folder = data / "summ" / "realsumm"
    collection = Collection.of(references=[folder / "ref.txt"], systems=[folder / "systems"], name="realsumm")
    found = collection.sound()
    assert found.testset is not None
    how = {"tests": ["two_delta_bootstrap"], "resamples": 10_000}
    counted = matrix.run(Study(found.testset, found.outputs, (("rouge_2", {}),), **how))  # type: ignore[arg-type]
    grid = matrix.read(counted, "rouge_2", "two_delta_bootstrap", Settings("greater", correction="none"))
    (item,) = gain.thresholds(gain.read(grid))
    row = f"all ({item.n} pairs)", f"{item.threshold:.2f} ROUGE-2 F [{item.low:.2f}, {item.high:.2f}]"
    assert [row] == printed_thresholds(stored("gain.thresholds"), "REALSumm")


@pytest.mark.parametrize(
    ("folder", "reference", "metric", "each", "borderline", "unit"),
    [
        ("dep/conll18.en_pud.aligned", "gold.conllu", "uas", 20, 1, "UAS"),
        ("align/hansards.en-fr", "gold.sure+possible.pharaoh", "aer", 40, 0, "AER"),
    ],
)
def test_thresholds_of_parsers_and_aligners_as_printed(
    data: Path, folder: str, reference: str, metric: str, each: int, borderline: int, unit: str
) -> None:
    """Mixtures of parsers and of aligners have the printed thresholds, the real pairs none."""
    collection = Collection.of(references=[data / folder / reference], systems=[data / folder / "systems"])
    collection.select(kind=metrics.get(metric).kind)
    found = collection.sound()
    assert found.testset is not None
    test = "two_delta_bootstrap"
    counted = matrix.run(Study(found.testset, found.outputs, ((metric, {}),), tests=[test], resamples=10_000))
    real = gain.read(matrix.read(counted, metric, test, Settings("greater", correction="none")))
    (of_real,) = gain.thresholds(real)
    assert of_real.n == borderline
    systems = counted.measured[0].systems
    mixed = gain.read_mixtures(gain.mix(systems, gain.bases(systems), each, 12345), None, real.setup, pairs.How())
    printed = printed_thresholds(stored("gain.thresholds"), NAMES[folder.partition("/")[0]])
    assert sorted(as_printed(item, unit) for item in gain.thresholds(mixed)) == sorted(printed)


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "reference", "column"), [("wmt22.cs-en", "B", 2), ("wmt22.uk-en", "A", 3)])
def test_sizes_as_printed(data: Path, folder: str, reference: str, column: int) -> None:
    """The thresholds and spreads by size, the slopes, and the planning of a gain are those of the page."""
    testset, outputs = loaded(data, folder, reference)
    wanted = [row[column] for row in stored("size.thresholds") if row[column]]
    sizes = (100, 200, 400, 800, 1600)[: len(wanted)]
    plan = size.SizePlan(sizes, "random", draws=10, gain=0.5, mixtures=20)
    result = size.run(testset, outputs, (("bleu", {}),), plan, unit="segment")
    found = [item.threshold for item in result.curve if item.pair_class == gain.MIXED_APART]
    assert [f"{item.threshold:.2f} ({item.spread:.2f})" for item in found] == wanted
    (line,) = [item for item in result.lines if item.pair_class == gain.MIXED_APART]
    slopes = {"wmt22.cs-en": stored("size.slope.cs_en"), "wmt22.uk-en": stored("size.slope.uk_en")}
    assert line.slope == pytest.approx(slopes[folder], abs=0.005)
    if folder == "wmt22.uk-en":
        gains = {(item.system, item.segments, item.power): item.gain for item in result.detectable}
        assert gains[size.MEDIAN, 1600, 0.8] == pytest.approx(stored("size.detected"), abs=0.005)
        assert f"{stored('size.needed_median'):,} segments" in str(result)
        assert f"{stored('size.needed_most'):,}" in str(result)


def en_zh(data: Path) -> tuple[Testset, list[Outputs], tuple[str, ...]]:
    """The test set with its systems, and the domain of every segment."""
    testset, outputs = loaded(data, "wmt22.en-zh", "A", "zh")
    rows = lines(data / "mt" / "wmt22.en-zh" / "documents.csv")[1:]
    return testset, outputs, tuple(row.split(",")[2] for row in rows)


@pytest.mark.slow
def test_domains_as_printed(data: Path) -> None:
    """The table of signs of mixtures, and their calibration, are those of the page; no real pair is in a bin."""
    testset, outputs, names = en_zh(data)
    plan = domains.DomainsPlan(names, "news", draws=10, mixtures=20)
    result = domains.run(testset, outputs, (("bleu", {"tokenize": "zh"}),), plan, unit="segment")
    assert result.mixed is not None
    cells = (*result.mixed.table, *result.mixed.borderline)
    printed = stored("domains.signs")
    assert len(cells) == 3 * len(printed)
    for k, (_, *row) in enumerate(printed):
        own = cells[3 * k : 3 * k + 3]
        assert [item.other for item in own] == ["conversation", "ecommerce", "social"]
        shares = [round(item.as_dict()["same_sign_percent"]) / 100 for item in own]
        assert row == [own[0].pairs, *shares]
    assert sum(item.pairs for item in result.real.table) == 0
    assert result.mixed.calibration is not None
    found = result.mixed.calibration.as_dict()
    words = f"{found['percent']:.0f}% [{found['low']:.0f}, {found['high']:.0f}]"
    assert (words, found["pairs"]) == (stored("domains.calibration"), stored("domains.calibration_tests"))
