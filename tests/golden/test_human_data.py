"""WMT22 cs-en and uk-en: from the raw ratings to the organisers' segment scores, system scores and rank-sum tests."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from sigboard import terminal
from sigcore import readers
from sigcore.judgments import Judgments
from sigcore.studies.human.gold import People, people
from sigcore.studies.human.judges import standardise
from tests.stored import stored

SETS = ("wmt22.cs-en", "wmt22.uk-en")


@pytest.fixture(scope="module", params=SETS)
def folder(request: pytest.FixtureRequest, data: Path) -> Path:
    """The folder of one test set."""
    return data / "mt" / request.param


def rows(path: Path, delimiter: str = ",") -> Iterator[dict[str, str]]:
    """The rows of a table with a head."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter=delimiter)


def load(path: Path) -> Judgments:
    """The ratings in a file."""
    found = readers.read([(path.name, path.read_bytes())])
    assert found.problems == ()
    return found.judgments[0]


@pytest.fixture(scope="module")
def judged(folder: Path) -> Judgments:
    """All ratings of one test set."""
    return load(folder / "da/assessments.csv")


@pytest.fixture(scope="module")
def found(judged: Judgments) -> People:
    """What people say, with nothing chosen: the file's own z."""
    return people(judged)


def significant(found: People) -> dict[tuple[str, str], float]:
    """Every pair (better, worse) with p < .05."""
    p = found.rated[0].p_values
    return {(found.systems[i], found.systems[j]): float(p[i, j]) for i, j in np.argwhere(p < 0.05)}


def published(folder: Path) -> dict[tuple[str, str], float]:
    """The organisers' pairs with p < .05."""
    table = rows(folder / "da/wilcoxon_significant_pairs.csv")
    return {(row["better"], row["worse"]): float(row["p_one_sided"]) for row in table}


def test_own_z_scores_are_the_published_ones(folder, judged):
    """z by the mean and SD of all ratings of each judge: within 3e-5, as published means have seven digits."""
    own = standardise(judged, "all")
    assert own.dropped == ()
    assert np.abs(own.z - judged.z).max() < 3e-5
    workers = {row["worker"]: row for row in rows(folder / "da/workers.csv")}
    for judge in own.judges:
        row = workers[judge.name]
        assert (judge.ratings, judge.mean, judge.sd) == (
            int(row["n_rows"]),
            pytest.approx(float(row["mean_raw"]), rel=1e-6),
            pytest.approx(float(row["sd_raw"]), rel=1e-6),
        )


def test_segment_scores_are_the_published_ones(folder, found):
    """Every mean per system and segment, raw and z, with its number of ratings."""
    part = found.by_segment[0]
    columns = (part.system, part.segment, part.raw, part.z, part.ratings)
    ours = {(s, g): (raw, z, n) for s, g, raw, z, n in zip(*(c.tolist() for c in columns), strict=True)}
    theirs = {(row["system"], row["segment"]): row for row in rows(folder / "da/segment_scores.csv")}
    assert ours.keys() == theirs.keys()
    for key, row in theirs.items():
        raw, z, n = ours[key]
        assert abs(raw - float(row["raw_mean"])) < 1e-10
        assert abs(z - float(row["z_mean"])) < 1e-10
        assert n == int(row["n"])


def test_system_scores_are_the_published_ones(folder, found):
    """Raw score, z, segments and ratings of every system."""
    (path,) = (folder / "published").glob("ad-sys-scores-*.csv")
    lines = [line.split() for line in path.read_text(encoding="utf-8").removesuffix("\n").split("\n")[1:]]
    theirs = {name.partition(".")[0]: (float(raw), float(z), int(n), int(all_)) for raw, z, n, name, all_ in lines}
    assert set(found.systems) == set(theirs)
    rated = found.rated[0]
    for k, system in enumerate(found.systems):
        raw, z, n, every = theirs[system]
        assert rated.raw[k] == pytest.approx(raw, abs=1e-10)
        assert rated.scores[k] == pytest.approx(z, abs=1e-10)
        assert (rated.segments[k], rated.ratings[k]) == (n, every)
    assert list(found.systems) == sorted(found.systems, key=lambda s: -theirs[s][1])


def test_rank_sum_tests_are_the_published_ones(folder, found):
    """The same significant pairs, each p equal to ten digits: from the raw file and from the organisers' means."""
    theirs = published(folder)
    for source in (found, people(load(folder / "da/segment_scores.csv"))):
        ours = significant(source)
        assert ours.keys() == theirs.keys()
        assert max(abs(ours[pair] / p - 1) for pair, p in theirs.items()) < 1e-10


def test_wins_are_the_published_ones(folder, found):
    """How many systems each one beats at .05."""
    wins = {row["SYSTEM"].partition(".")[0]: int(row["WINS"]) for row in rows(folder / "published/clusters.csv", " ")}
    conclusions = found.decided(0.05).conclusions
    assert {s: int((conclusions[k] > 0).sum()) for k, s in enumerate(found.systems)} == wins


def test_own_z_gives_the_same_pairs(folder, judged):
    """Standardised again, with true ties for ties, the same pairs are significant; p moves by less than docs/human.md says."""
    ours, theirs = significant(people(judged, "all")), published(folder)
    assert ours.keys() == theirs.keys()
    assert max(abs(ours[pair] / p - 1) for pair, p in theirs.items()) < stored("human.own_z")


def test_one_call_from_raw_files_to_the_accuracy_table(data, tmp_path):
    """The terminal gives every field that is promised, with people's numbers as published."""
    folder = data / "mt/wmt22.cs-en"
    out = tmp_path / "out.json"
    call = ["human", "--assessments", str(folder / "da/assessments.csv"), "--reference", str(folder / "ref.B.en")]
    call += ["--systems", *map(str, sorted((folder / "systems").glob("*.en"))), "--metric", "bleu", "ter", "chrf"]
    tests = ["paired_bootstrap", "bootstrap_shift", "approximate_randomization"]
    call += ["--test", *tests, "--alpha", "0.05", "0.01", "0.001", "--resamples", "2000", "--json", str(out)]
    assert terminal.main(call) == 0
    got = json.loads(out.read_text(encoding="utf-8"))
    place = {system: k for k, system in enumerate(got["systems"])}
    for (better, worse), p in published(folder).items():
        assert got["rank_sum"]["adequacy"][place[better]][place[worse]] == pytest.approx(p, rel=1e-10)
        assert got["gold"]["0.05"][place[better]][place[worse]] == 1
        assert got["gold"]["0.05"][place[worse]][place[better]] == -1
    assert sum(cell == 1 for row in got["gold"]["0.05"] for cell in row) == 47
    assert got["z_scores"]["adequacy"][place["Online-W"]] == pytest.approx(0.132514812117851, abs=1e-10)
    assert (got["judged_only"], got["unjudged"], len(got["compared"])) == (["HUMAN-C"], [], 11)
    assert len(got["accuracy"]) == 27
    for cell in got["accuracy"]:
        assert cell["pairs"] == 55
        assert cell["percent"] == pytest.approx(100 * cell["correct"] / 55)
        assert cell["low"] < cell["percent"] < cell["high"]
    assert {(q["between"], q["alpha"]) for q in got["cochran_q"]} == {
        (b, a) for b in ("metrics", "tests") for a in got["alphas"]
    }
    assert len(got["chi_square"]) == len(got["cochran_q"]) == 18
