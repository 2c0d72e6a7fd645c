"""The numbers that docs/gain.md, docs/size.md and docs/domains.md print of WMT 2022, computed again."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sigcore import Collection, Settings, metrics
from sigcore.studies import domains, gain, matrix, pairs, size
from sigcore.study import Study
from sigcore.testset import Outputs, Testset
from tests.conftest import lines, wmt

pytestmark = pytest.mark.data

DOCS = Path(__file__).resolve().parents[2] / "docs"


def loaded(data: Path, folder: str, reference: str, language: str = "en") -> tuple[Testset, list[Outputs]]:
    """A WMT test set as the command reads it: without the byte order mark of one file."""
    testset, outputs = wmt(data / "mt" / folder, reference, language)
    starts = [(item.segments[0].removeprefix("\ufeff"), *item.segments[1:]) for item in outputs]
    return testset, [replace(item, segments=segments) for item, segments in zip(outputs, starts, strict=True)]


def page(name: str) -> str:
    """The text of a page, in one line for each paragraph."""
    return re.sub(r"(?<=[^|\n])\n(?=[^|\n])", " ", (DOCS / name).read_text(encoding="utf-8"))


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
    printed = re.findall(r"\((\d+) pairs\) \| ([\d.]+) BLEU \[([\d.]+), ([\d.]+)\]", page("gain.md"))
    rows = printed[:2] if folder == "wmt22.cs-en" else printed[2:4]
    for item, row in zip((together, apart), rows, strict=True):
        found = (item.threshold, item.low, item.high)
        assert (str(item.n), *(f"{value:.2f}" for value in found)) == row


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
    row = f"({item.n} pairs) | {item.threshold:.2f} ROUGE-2 F [{item.low:.2f}, {item.high:.2f}] |"
    assert row in page("gain.md")


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
    text = page("gain.md")
    assert f"({borderline or 'none'} of {len(real.gains)})" in text
    systems = counted.measured[0].systems
    mixed = gain.read_mixtures(gain.mix(systems, gain.bases(systems), each, 12345), None, real.setup, pairs.How())
    for item in gain.thresholds(mixed):
        name = "same two systems" if item.pair_class == gain.MIXED_TOGETHER else "different systems"
        ends = f"[{item.low:.2f}, {item.high:.2f}]"
        assert f"{name} ({item.n} pairs) | {item.threshold:.2f} {unit} {ends} |" in text


@pytest.mark.slow
@pytest.mark.parametrize(("folder", "reference", "column"), [("wmt22.cs-en", "B", 2), ("wmt22.uk-en", "A", 3)])
def test_sizes_as_printed(data: Path, folder: str, reference: str, column: int) -> None:
    """The thresholds and spreads by size, the slopes, and the planning of a gain are those of the page."""
    testset, outputs = loaded(data, folder, reference)
    text = page("size.md")
    printed = [
        row.split("|")[column + 1].strip() for row in re.findall(r"^\| (?:100|200|400|800|1,600) \|.*$", text, re.M)
    ]
    wanted = [cell for cell in printed if cell]
    sizes = (100, 200, 400, 800, 1600)[: len(wanted)]
    plan = size.Plan(sizes, "random", draws=10, gain=0.5, mixtures=20)
    result = size.run(testset, outputs, (("bleu", {}),), plan, unit="segment")
    found = [item.threshold for item in result.curve if item.pair_class == gain.MIXED_APART]
    assert [f"{item.threshold:.2f} ({item.spread:.2f})" for item in found] == wanted
    (line,) = [item for item in result.lines if item.pair_class == gain.MIXED_APART]
    slopes = re.search(r"ours (-[\d.]+) and (-[\d.]+\d)", text)
    assert slopes is not None
    assert f"{line.slope:.2f}" == slopes[column - 1]
    if folder == "wmt22.uk-en":
        gains = {(item.system, item.segments, item.power): item.gain for item in result.detectable}
        assert f"detects {gains[size.MEDIAN, 1600, 0.8]:.2f} BLEU on 1,600 segments with 80 %" in text
        assert "about 9,200 segments" in text
        assert "9,200 segments like these are needed for the median pair of these systems; about 15,000" in str(result)


def en_zh(data: Path) -> tuple[Testset, list[Outputs], tuple[str, ...]]:
    """The test set with its systems, and the domain of every segment."""
    testset, outputs = loaded(data, "wmt22.en-zh", "A", "zh")
    rows = lines(data / "mt" / "wmt22.en-zh" / "documents.csv")[1:]
    return testset, outputs, tuple(row.split(",")[2] for row in rows)


@pytest.mark.slow
def test_domains_as_printed(data: Path) -> None:
    """The table of signs of mixtures, and their calibration, are those of the page; no real pair is in a bin."""
    testset, outputs, names = en_zh(data)
    plan = domains.Plan(names, "news", draws=10, mixtures=20)
    result = domains.run(testset, outputs, (("bleu", {"tokenize": "zh"}),), plan, unit="segment")
    text = page("domains.md")
    assert result.mixed is not None
    cells = (*result.mixed.table, *result.mixed.borderline)
    rows = re.findall(r"^\| [.\d]+ - [.\d]+ \| \d.*$", text, re.M)
    printed = [[cell.strip() for cell in row.split("|")[2:-1]] for row in rows if row.split("|")[2].strip().isdigit()]
    assert len(printed) == 7
    for k, row in enumerate(printed):
        own = cells[3 * k : 3 * k + 3]
        assert [item.other for item in own] == ["conversation", "ecommerce", "social"]
        assert row == [str(own[0].pairs), *(f"{item.as_dict()['same_sign_percent']:.0f} %" for item in own)]
    assert sum(item.pairs for item in result.real.table) == 0
    assert result.mixed.calibration is not None
    found = result.mixed.calibration.as_dict()
    words = f"{found['percent']:.0f} % [{found['low']:.0f}, {found['high']:.0f}] of our {found['pairs']}"
    assert words in text
