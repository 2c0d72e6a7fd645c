"""The same numbers with a cold cache, a warm one and none; a warm start extracts nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from sigboard.server.cache import Statistics
from sigcore.storage.disk import DiskCache
from tests.made import text_set

ROOT = Path(__file__).resolve().parents[4]
NAMES = ["a" * 64, "b" * 64, "c" * 64]

# runs the command line, then tells whether numba was loaded on the way
CODE = """
import sys
import cli
code = cli.main(sys.argv[1:])
print("numba" in sys.modules, file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def files(tmp_path):
    """A reference and three systems as files, and the arguments that compare them."""
    testset, outputs = text_set(60, (0.1, 0.2, 0.3))
    for name, segments in [("ref", testset.references[0]), *((o.system, o.segments) for o in outputs)]:
        (tmp_path / f"{name}.txt").write_text("\n".join(segments) + "\n", encoding="utf-8")
    systems = [str(tmp_path / f"{o.system}.txt") for o in outputs]
    asked = ["--metric", "bleu", "chrf", "--resamples", "600", "--json", "-"]
    return ["matrix", "--reference", str(tmp_path / "ref.txt"), "--systems", *systems, *asked]


def run(arguments, cache):
    """(what the command line gives, whether numba was loaded), with SIGBOARD_CACHE set so."""
    environment = os.environ | {"SIGBOARD_CACHE": str(cache), "NUMBA_CACHE_DIR": os.environ["SIGBOARD_CACHE"]}
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout), done.stderr.split()[-1] == "True"


def test_cold_warm_and_off_give_the_same(files, tmp_path):
    """No number depends on the cache, none needs numba here, and a damaged one is made again."""
    folder = tmp_path / "cache"
    off, _ = run(files, "off")
    assert not folder.exists()
    cold, compiled = run(files, folder)
    kept = sorted((folder / "statistics").iterdir())
    assert not compiled
    assert len(kept) == 6
    assert run(files, folder) == (cold, False)
    kept[0].write_bytes(kept[0].read_bytes()[:-1])
    assert run(files, folder) == (cold, False)
    assert off == cold


def test_memory_lies_over_the_disk(tmp_path):
    """What memory lets go of is still on disk, and what another process made is found."""
    cache = Statistics(most=150, under=DiskCache(tmp_path))
    for k, key in enumerate(NAMES):
        cache[key] = np.full((2, 5), float(k))
    assert [cache[key].sum() for key in NAMES] == [0, 10, 20]
    assert sorted(cache) == NAMES
    assert len(cache) == 3
    assert Statistics(under=DiskCache(tmp_path))[NAMES[1]].sum() == 10


def test_memory_does_not_ask_the_disk_twice(tmp_path):
    """What was read once stays in memory when its file is gone."""
    DiskCache(tmp_path)[NAMES[0]] = np.ones((2, 2))
    cache = Statistics(under=DiskCache(tmp_path))
    assert cache[NAMES[0]].sum() == 4
    (tmp_path / NAMES[0]).unlink()
    assert cache[NAMES[0]].sum() == 4


def test_memory_alone(tmp_path):
    """Without a disk below, the least recently used goes, and removing works as in a dictionary."""
    cache = Statistics(most=160)
    for key in NAMES[:2]:
        cache[key] = np.ones((2, 5))
    assert NAMES[0] in cache  # used now: the other one goes
    cache[NAMES[2]] = np.ones((2, 5))
    assert sorted(cache) == [NAMES[0], NAMES[2]]
    del cache[NAMES[0]]
    with pytest.raises(KeyError):
        del cache[NAMES[0]]
    assert list(cache) == [NAMES[2]]


def test_statistics_that_are_written_again_take_no_second_place():
    """Two that fit stay, however often one of them is replaced."""
    cache = Statistics(most=160)
    for key in [*NAMES[:2], *[NAMES[1]] * 5]:
        cache[key] = np.ones((2, 5))
    assert sorted(cache) == NAMES[:2]


def test_removing_reaches_the_disk(tmp_path):
    """What is removed comes back from nowhere."""
    cache = Statistics(under=DiskCache(tmp_path))
    cache[NAMES[0]] = np.ones((2, 2))
    del cache[NAMES[0]]
    assert cache.get(NAMES[0]) is None
    assert len(DiskCache(tmp_path)) == 0


def test_small_counts_of_many_units_take_an_eighth_of_the_memory() -> None:
    """Answers of thousands of systems stay in memory, and come back as the doubles that they were."""
    counts, others = np.ones((20_000, 2)), np.full((20_000, 2), 0.5)
    cache = Statistics(most=counts.nbytes)
    for name in NAMES[:3]:
        cache[name] = counts
    assert len(cache) == 3
    assert cache[NAMES[0]].dtype == np.float64
    assert (cache[NAMES[0]] == counts).all()
    cache["d" * 64] = others
    assert list(cache) == ["d" * 64]
