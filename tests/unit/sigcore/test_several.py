"""Several metrics in one result: ranks, marks, agreement and contradictions, against a count by hand."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from sigboard import terminal
from sigboard.render import paper
from sigcore import readers
from sigcore.errors import MismatchError
from sigcore.results import AGREEMENTS, METRIC_SCORES, MatrixResult, Several, rows
from tests.unit.factories import matrix

NAMES = ("sys0", "sys1", "sys2", "sys3")


def symmetric(values: dict[tuple[int, int], float]) -> np.ndarray:
    """p of four systems; pairs that are not named have p = .9."""
    out = np.full((4, 4), 0.9)
    for (a, b), p in values.items():
        out[a, b] = out[b, a] = p
    np.fill_diagonal(out, 1.0)
    return out


def grids() -> list[MatrixResult]:
    """BLEU and chrF contradict each other on (0, 1); TER, of which lower is better, agrees with BLEU on (0, 3) alone."""
    bleu = matrix([10.0, 20.0, 30.0, 40.0], p=symmetric({(0, 1): 0.01, (0, 3): 0.01, (2, 3): 0.02}))
    chrf = matrix(
        [30.0, 20.0, 10.0, 40.0], p=symmetric({(0, 1): 0.01, (0, 3): 0.01}), metric="chrf", metric_title="chrF"
    )
    scores = {"p": symmetric({(0, 3): 0.001}), "metric": "ter", "metric_title": "TER", "better": "lower"}
    return [bleu, chrf, matrix([40.0, 30.0, 20.0, 10.0], **scores)]


def by_hand(results: list[MatrixResult], alpha: float) -> dict[tuple[str, str], list[int]]:
    """The verdict of each metric on each pair: 1 where the first system is better, -1 where it is worse."""
    found = {}
    for a, b in combinations(range(len(NAMES)), 2):
        signs = []
        for grid in results:
            ahead = (
                grid.scores[a] > grid.scores[b] if grid.setup.better == "higher" else grid.scores[a] < grid.scores[b]
            )
            signs.append((1 if ahead else -1) if grid.adjusted[a, b] <= alpha else 0)
        found[NAMES[a], NAMES[b]] = signs
    return found


@pytest.mark.parametrize("alpha", [0.05, 0.01, 0.001])
def test_agreement_is_that_of_a_count_by_hand(alpha: float) -> None:
    """Every two metrics: same verdict, only one, contradiction; and the pairs on which all do not agree."""
    results = grids()
    several, hand = Several.of(results, alpha), by_hand(results, alpha)
    assert several is not None
    for one in rows(AGREEMENTS, several.agreement):
        first, second = (["bleu", "chrf", "ter"].index(one[name]) for name in ("first", "second"))
        both = [(signs[first], signs[second]) for signs in hand.values()]
        assert one["pairs"] == 6
        assert one["agree"] == sum(x == y for x, y in both)
        assert one["only_first"] == sum(x != 0 and y == 0 for x, y in both)
        assert one["only_second"] == sum(x == 0 and y != 0 for x, y in both)
        assert one["contradict"] == sum(x * y < 0 for x, y in both)
    differing = {frozenset((NAMES[pair.row], NAMES[pair.column])): pair.contradicts for pair in several.differing}
    expected = {frozenset(pair): {1, -1} <= {*signs} for pair, signs in hand.items() if len({*signs}) > 1}
    assert differing == expected


def test_the_sentence_counts_contradictions() -> None:
    """BLEU and chrF contradict each other on one pair of six, and two more have no common verdict."""
    several = Several.of(grids())
    assert several is not None
    assert (
        several.sentence == "BLEU, chrF and TER have the same verdict on 4 of 6 pairs, and contradict each other on 1."
    )
    alone = Several.of(grids()[::2])
    assert str(alone).startswith(
        "BLEU and TER have the same verdict on 4 of 6 pairs, and contradict each other on none."
    )
    assert "family of its own" in str(alone)
    undefined = matrix([10.0, 20.0, 30.0, 40.0], p=symmetric({(1, 2): np.nan}), metric="chrf", metric_title="chrF")
    assert " on 2 of 5 pairs" in str(Several.of([grids()[0], undefined]))  # metrics agree on no pair without a p


def test_ranks_and_marks() -> None:
    """Ranks follow each metric's own direction; marks are those of the pair with the baseline."""
    several = Several.of(grids(), baseline="sys0")
    assert several is not None
    found = {(one["system"], one["metric"]): one for one in rows(METRIC_SCORES, several.scores)}
    assert [found[name, "bleu"]["rank"] for name in NAMES] == [4, 3, 2, 1]
    assert [found[name, "ter"]["rank"] for name in NAMES] == [4, 3, 2, 1]
    assert [found[name, "chrf"]["rank"] for name in NAMES] == [2, 3, 4, 1]
    assert [found[name, "bleu"]["against_baseline"] for name in NAMES] == [
        None,
        "better",
        "not shown to differ",
        "better",
    ]
    assert found["sys1", "chrf"]["against_baseline"] == "worse"
    table = paper.scores(several.grids, 0.05, "sys0")
    marks = {name: [cell.mark for cell in cells] for name, cells in zip(table.systems, table.cells, strict=True)}
    assert marks["sys1"] == ["†", "‡", ""]
    assert marks["sys3"] == ["†", "†", "†"]


def test_one_metric_is_not_several() -> None:
    """Nothing is made of one metric; grids of other systems are refused."""
    assert Several.of(grids()[:1]) is None
    assert Several.of([]) is None
    with pytest.raises(MismatchError, match="same systems"):
        Several((matrix([1.0, 2.0]), matrix([1.0, 2.0, 3.0], metric="chrf")))


def test_the_command_holds_them_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`matrix` with two metrics: the table and the agreement on the terminal, in JSON and in LaTeX."""
    harbour = readers.known.ROOT / "harbour"
    systems = sorted(map(str, (harbour / "systems").glob("*.en")))[:3]
    words = ["matrix", "--reference", str(harbour / "ref.A.en"), "--systems", *systems, "--resamples", "200"]
    words += ["--metric", "bleu", "ter", "--baseline", Path(systems[0]).stem]
    assert terminal.main(words) == 0
    printed = capsys.readouterr().out
    assert "BLEU and TER have the same verdict on " in printed
    assert "† significantly better than" in printed
    assert terminal.main([*words, "--json", str(tmp_path / "a.json"), "--latex", str(tmp_path / "a.tex")]) == 0
    content = json.loads((tmp_path / "a.json").read_text())
    assert [one["metric"] for one in content["metrics"]["scores"]] == 3 * ["bleu", "ter"]
    assert content["metrics"]["agreement"][0]["pairs"] == 2
    assert content["results"][0]["family"]["kind"] == "one baseline"
    assert "& TER" in (tmp_path / "a.tex").read_text()
    assert terminal.main([*words[:-3], "bleu", "--json", str(tmp_path / "b.json")]) == 0
    assert "metrics" not in json.loads((tmp_path / "b.json").read_text())
